"""How often default intervals hold on single test sets of 30 to 500 cases, areas near one and skewed losses among them.

Populations are others than those of `coverage`: areas of normal, heavy-tailed, unequal and tied scores and of scores that
miss some positive cases; losses from even to so heavy-tailed that they have no variance. Beside the default stand methods
that are narrower, to show what holding costs. It is also counted how often a finding says that few cases carry the error.
Run from the repository, with the package on the path:

    python -m tests.simulation.single_sets --samples 1000 --output docs/validity/single-sets.csv

A second table, single-sets-95.csv beside it, shows coverage and relative width.
"""

import argparse
import math
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from credibly import Predictions, evaluate
from credibly.evaluation.findings import FEW_CARRY, HEAVY_TAILS

from .coverage import write

SEED = 20261121
SIZES = (30, 100, 300, 500)
LARGE = 1_000_000
SAID = {FEW_CARRY.code, HEAVY_TAILS.code}
# Deviations between normal classes of such an area.
APART = {0.8: 1.19, 0.95: 2.33, 0.98: 2.9, 0.99: 3.29}


def scores(kind, apart, share):
    """Scores of two classes, of which so many cases are positive."""

    def draw(n, rng):
        positives = max(round(n * share), 3)
        y = np.repeat([1, 0], [positives, n - positives])
        noise = rng.standard_t(3, n) if kind == "heavy tails" else rng.standard_normal(n)
        x = noise * np.where((y == 1) & (kind == "unequal"), 2.0, 1.0)
        x += y * apart * {"unequal": 1.58, "heavy tails": 1.6}.get(kind, 1.0)
        if kind == "missed":
            x -= y * apart * (rng.random(n) < 0.03)
        return Predictions.of(y, score=np.round(x) if kind == "tied" else x, positive=1)

    return draw


def errors(noise):
    """Numbers that are predicted with such errors."""

    def draw(n, rng):
        e = noise(n, rng)
        return Predictions.of(e, value=np.zeros(n))

    return draw


def probabilities(apart, share, slope=1.0):
    """Probabilities of two normal classes, calibrated with a slope of 1."""

    def draw(n, rng):
        y = (rng.random(n) < share).astype(int)
        y[:2] = 0, 1
        x = rng.normal(apart * y)
        logit = slope * (apart * x - apart**2 / 2 + math.log(share / (1 - share)))
        return Predictions.of(y, probability=1 / (1 + np.exp(-logit)), classes=[0, 1], positive=1)

    return draw


def rare(share, times):
    """Normal errors of which a share is so many times as large."""
    return lambda n, r: r.standard_normal(n) * np.where(r.random(n) < share, times, 1.0)


AREAS = ("auto", "delong", "newcombe", "hanley_mcneil")
LOSSES = ("auto", "log_normal")
ALONE = ("auto",)
SQUARED, BOTH, CHANCES = ("mse",), ("mse", "mae"), ("log_loss", "brier")
CELLS = {
    **{
        f"AUC {area}, {kind}, {100 * share:g} % positive": (scores(kind, apart, share), ("auc",), AREAS)
        for area, apart in APART.items()
        for kind in ("normal", "heavy tails", "unequal", "tied", "missed")
        for share in (0.5, 0.1)
    },
    "normal errors": (errors(lambda n, r: r.standard_normal(n)), BOTH, LOSSES),
    "even errors": (errors(lambda n, r: r.uniform(-1, 1, n)), BOTH, LOSSES),
    "errors with a bias": (errors(lambda n, r: r.standard_normal(n) + 2), BOTH, LOSSES),
    "Laplace errors": (errors(lambda n, r: r.laplace(size=n)), BOTH, LOSSES),
    "t errors, 5 df": (errors(lambda n, r: r.standard_t(5, n)), BOTH, LOSSES),
    "t errors, 3 df": (errors(lambda n, r: r.standard_t(3, n)), BOTH, LOSSES),
    "skewed errors": (errors(lambda n, r: r.exponential(size=n) - 1), BOTH, LOSSES),
    "log-normal errors": (errors(lambda n, r: r.lognormal(size=n) - math.exp(0.5)), BOTH, LOSSES),
    "5 % five times as large": (errors(rare(0.05, 5.0)), SQUARED, LOSSES),
    "2 % ten times as large": (errors(rare(0.02, 10.0)), SQUARED, LOSSES),
    "probabilities": (probabilities(1.5, 0.5), CHANCES, ALONE),
    "probabilities, far apart": (probabilities(3.0, 0.5), CHANCES, ALONE),
    "probabilities, 5 % positive": (probabilities(1.5, 0.05), CHANCES, ALONE),
    "probabilities, too sure": (probabilities(2.0, 0.3, 2.0), CHANCES, ALONE),
}  # fmt: skip


def truth(draw, measures):
    """Return the values in the population, from samples so large that their error does not matter."""
    found = [
        [e.value for e in evaluate(draw(LARGE, np.random.default_rng([SEED, i])), list(measures), interval="none")]
        for i in range(4)
    ]  # fmt: skip
    return np.mean(found, axis=0)


def held(name, samples, seed=SEED, sizes=SIZES):
    """Return a row for each size, measure and method of a cell."""
    draw, measures, methods = CELLS[name]
    made, true = [], truth(draw, measures)
    for n in sizes:
        found = {}
        for i in range(samples):
            p = draw(n, np.random.default_rng([seed, list(CELLS).index(name), n, i]))
            for method in methods:
                for e in evaluate(p, list(measures), interval=method):
                    said = any(f.code in SAID for f in e.findings)
                    ends = tuple(e.interval) if e.interval else (math.nan,) * 2
                    found.setdefault((e.measure, method), []).append((*ends, said))
        for (measure, method), table in found.items():
            low, high, said = np.array(table).T
            given = ~np.isnan(low)
            value = true[measures.index(measure)]
            made.append({
                "cases": name, "n": n, "measure": measure, "method": method, "samples": samples, "given": int(given.sum()),
                "coverage": round(float(((low <= value) & (value <= high))[given].mean()), 4),
                "width": round(float(np.median((high - low)[given])), 5), "said": round(float(said.mean()), 3),
                "truth": round(float(value), 5), "seed": seed,
            })  # fmt: skip
    return made


def side_by_side(rows):
    """Return a row for each cell and measure: coverage by size, and the share of samples in which a finding doubts it."""
    made = {}
    for r in rows:
        line = made.setdefault(
            (r["cases"], r["measure"]), {"cases": r["cases"], "measure": r["measure"]}
        )
        shown = f"{100 * float(r['coverage']):.0f} ({float(r['width']):.3f})"
        if r["method"] == "auto":
            line[f"n = {r['n']}"] = shown + (
                f", said {100 * float(r['said']):.0f}" if float(r["said"]) >= 0.01 else ""
            )
        elif str(r["n"]) == "100":
            line[f"{r['method']}, n = 100"] = shown
    names = list(dict.fromkeys(key for line in made.values() for key in line))
    return [{key: line.get(key, "") for key in names} for line in made.values()]  # fmt: skip


def main():
    """Draw all cells and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=Path("single-sets.csv"))
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.jobs) as workers:
        found = workers.map(partial(held, samples=asked.samples, seed=asked.seed), CELLS)
        made = [row for rows in found for row in rows]
    write(made, asked.output)
    write(side_by_side(made), asked.output.with_name(f"{asked.output.stem}-95.csv"))


if __name__ == "__main__":
    main()
