"""How often conformal predictions hold the truth of new cases, on average over samples.

Each sample has its own cases for the thresholds and its own new ones; models are as good or bad as they are. Run from the
repository:

    python -m tests.simulation.conformal --repetitions 300 --output docs/validity/conformal.csv
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from credibly import Predictions, conformal

SEED = 20261117
NEW = 200
CLASSES = 4
CELLS = {
    **{f"{method}, {n} cases, level {level}": ("classes", n, level, {"method": method})
       for method in ("least_ambiguous", "adaptive", "regularised") for n, level in ((9, 0.9), (50, 0.8), (200, 0.95))},
    "least_ambiguous, probabilities in steps of 0.1, 50 cases, level 0.9": ("ties", 50, 0.9, {}),
    "least_ambiguous by class, 200 cases, level 0.9": ("classes", 200, 0.9, {"by": "class"}),
    "least_ambiguous by class, 200 cases, level 0.9: the worst class": ("worst", 200, 0.9, {"by": "class"}),
    "least_ambiguous, 200 cases, level 0.9: the worst class": ("worst", 200, 0.9, {}),
    **{f"{method}, t3 noise that grows, 99 cases, level 0.9": ("numbers", 99, 0.9, {"method": method})
       for method in ("absolute_error", "scaled_error", "beyond_quantiles")},
    "absolute_error, t3 noise that grows, 99 cases, level 0.9: its upper half": ("upper", 99, 0.9, {}),
    "CV+ of least squares, 40 cases, 10 columns, 5 folds, level 0.9": ("folds", 40, 0.9, {"folds": 5}),
    "jackknife+ of least squares, 20 cases, 17 columns, level 0.9": ("folds", 20, 0.9, {"folds": 20, "columns": 17}),
    "absolute_error, new cases with twice the noise, 99 cases, level 0.9": ("shifted", 99, 0.9, {}),
}  # fmt: skip


def classes(rng, n):
    """Return predictions of classes of different difficulty, over-confident."""
    y = rng.choice(CLASSES, n, p=[0.4, 0.3, 0.2, 0.1])
    q = np.exp(
        2
        * (
            rng.normal(size=(n, CLASSES))
            + (1.5 - 0.4 * y)[:, None] * (np.arange(CLASSES) == y[:, None])
        )
    )
    return y, q / q.sum(axis=1, keepdims=True)


def numbers(rng, n, noise=1.0):
    """Return predictions of numbers whose noise grows and has heavy tails."""
    x = rng.uniform(0, 3, n)
    y = x + noise * (0.2 + x) * rng.standard_t(3, n)
    return Predictions.of(
        y, value=x, columns={"scale": 0.2 + x, "low": -0.5 + 0 * x, "high": 2 * x}
    )


def fitted(rng, n, *, folds, columns=10):
    """Return least squares of the other folds for each case, and of all folds for new ones."""
    x = rng.normal(size=(n + NEW, columns))
    y = x @ np.ones(columns) / np.sqrt(columns) + rng.normal(size=n + NEW)
    fold = np.arange(n) % folds
    beta = np.array(
        [np.linalg.lstsq(x[:n][fold != k], y[:n][fold != k], rcond=None)[0] for k in range(folds)]
    )
    known = Predictions.of(y[:n], value=(x[:n] * beta[fold]).sum(axis=1), row=range(n), fold=fold)
    new = Predictions.of(
        np.tile(y[n:], folds), value=(beta @ x[n:].T).ravel(),
        row=np.tile(np.arange(n, n + NEW), folds), fold=np.repeat(np.arange(folds), NEW),
    )  # fmt: skip
    return known, new


def sample(cell, rng):
    """Return the share of the new cases of one sample whose truth is held, and the mean size or width."""
    kind, n, level, options = cell
    if kind == "folds":
        found = conformal(*fitted(rng, n, **options), level=level)
    elif kind in {"numbers", "upper", "shifted"}:
        found = conformal(
            numbers(rng, n),
            numbers(rng, NEW, 2.0 if kind == "shifted" else 1.0),
            level=level,
            **options,
        )
    else:
        y, q = classes(rng, n + NEW)
        q = q.round(1) + 1e-9 if kind == "ties" else q
        q = q / q.sum(axis=1, keepdims=True)
        parts = [
            Predictions.of(y[r], probability=q[r], classes=range(CLASSES))
            for r in (slice(n), slice(n, None))
        ]
        found = conformal(*parts, level=level, **options)
    if found.sets is not None:
        rows = found.sets.truth == CLASSES - 1 if kind == "worst" else np.ones(NEW, bool)
        return (
            found.sets.held[0][rows].mean() if rows.any() else np.nan,
            found.sets.sizes.mean(),
            found.guarantee,
        )
    truth = found.intervals.parts[0].truth
    held = (found.low <= truth) & (truth <= found.high)
    rows = found.low + found.high > 3 if kind == "upper" else np.ones(truth.size, bool)
    return held[rows].mean(), (found.high - found.low).mean(), found.guarantee


def is_promised(kind, _, __, options):
    """Whether something is guaranteed of these cases: of parts only where they have thresholds of their own."""
    return kind not in {"upper", "shifted"} and (kind != "worst" or "by" in options)


def coverage(name, repetitions):
    """Return a row of the table."""
    told = np.array(
        [sample(CELLS[name], np.random.default_rng([SEED, r])) for r in range(repetitions)]
    )
    share = told[~np.isnan(told[:, 0]), 0]
    return {
        "what": name, "repetitions": repetitions, "guaranteed": round(float(told[0, 2]), 3) if is_promised(*CELLS[name]) else "",
        "coverage": round(float(share.mean()), 4), "chance moves it by": round(float(share.std(ddof=1) / np.sqrt(share.size)), 4),
        "mean size or width": round(float(told[:, 1].mean()), 3),
    }  # fmt: skip


def main():
    """Run all cells and write the table."""
    from tests.simulation.coverage import write

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=300)
    parser.add_argument("--output", type=Path, default=Path("conformal.csv"))
    asked = parser.parse_args()
    write([coverage(name, asked.repetitions) for name in CELLS], asked.output)


if __name__ == "__main__":
    main()
