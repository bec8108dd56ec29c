"""How often intervals for the error of what was learned hold it, and how often tests of equal schemes reject.

Each cell draws data sets from a known population, resamples each and counts how often the interval holds
two truths: the error of the model fitted on all rows (on fresh cases), and its mean over training sets.
Beside it stands the width, as a share of that of nested cross-validation. Learners are in plain numpy
(`learners.py`), intervals those of `credibly.evaluate`. Run from the repository, with the package on the path:

    python -m tests.simulation.generalization --samples 300 --output docs/validity/generalization.csv

A second table, generalization-95.csv beside it, sets the coverage of all methods side by side. A third,
generalization-tests.csv, has the rates at which tests reject at 5 %: of a scheme on one block of columns
against the same on another, which are equal by symmetry or carry less.
"""

from __future__ import annotations

import argparse
import math
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from credibly import Predictions, compare, evaluate, run
from credibly.errors import CrediblyError
from credibly.measures import measures
from credibly.resampling import as_resampling

from . import learners
from .coverage import write
from .stability import columns_of

SEED = 20261116
FRESH = 20_000  # cases on which the model of all rows is judged
LEVEL = 0.95
NESTED, HALVES = "nested_cv(k=10, repeats=10)", "paired_subsampling"
SHIFT, LESS = 2.0, 1.4  # how far the classes are apart, and where a block carries less


# --- designs ----------------------------------------------------------------------------------


def numbers(n, rng, *, columns):
    """Noise alone: the error of least squares does not hang on what there is to learn."""
    return rng.normal(size=(n, columns)), rng.normal(size=n)


def apart(n, rng, *, columns, shift=SHIFT, share=0.5):
    """Two normal classes, the means of which are ``shift`` apart, spread over all columns."""
    y = (rng.random(n) < share).astype(int)
    if len(set(y.tolist())) < 2:
        y[0] = 1 - y[0]
    return rng.normal(size=(n, columns)) + shift / math.sqrt(columns) * y[:, None], y


@dataclass(frozen=True)
class Design:
    """A population, a learner and how its predictions are read, a measure and a number of rows."""

    name: str
    draw: Callable
    learner: Callable
    measure: str
    n: int
    reads: str = "logit"  # value, logit or share of the positive class


OLS, LDA, LOGISTIC = learners.ols, learners.lda, learners.logistic
NEAREST, TREE = learners.neighbours(1), learners.tree(20, 1)
TWENTY, TEN, FIVE = (partial(apart, columns=c) for c in (20, 10, 5))
DESIGNS = (
    Design("OLS, p = 20", partial(numbers, columns=20), OLS, "mse", 40, "value"),
    Design("OLS, p = 20", partial(numbers, columns=20), OLS, "mse", 100, "value"),
    Design("LDA, p = 20", TWENTY, LDA, "error_rate", 50),
    Design("LDA, p = 20", TWENTY, LDA, "error_rate", 200),
    Design("logistic, p = 10", TEN, LOGISTIC, "brier", 100),
    Design("logistic, p = 10", TEN, LOGISTIC, "log_loss", 100),
    Design("logistic, p = 10", TEN, LOGISTIC, "auc", 100),
    Design("logistic, 5 % positive", partial(FIVE, share=0.05), LOGISTIC, "error_rate", 200),
    Design("1-NN, p = 5", FIVE, NEAREST, "error_rate", 100, "share"),
    Design("tree, p = 5", FIVE, TREE, "error_rate", 100, "share"),
)


# --- intervals --------------------------------------------------------------------------------


def plain(p):
    """Return the first repeat, without inner splits: ten folds."""
    return replace(p.where(repeat=0), seen=None, cache={})


def repeated(p):
    """Return all repeats without inner splits: ten times ten folds."""
    return replace(p, seen=None, cache={})


METHODS = {
    "nested_cv": (NESTED, lambda p: p, {"estimate": "nested_cv"}),
    "nested_cv(k=5, repeats=20)": (
        "nested_cv(k=5, repeats=20)", lambda p: p, {"estimate": "nested_cv"},
    ),
    "conservative_z": (HALVES, lambda p: p, {"estimate": "conservative_z"}),
    "fold_mean, 10 x 10 folds": (NESTED, repeated, {"estimate": "fold_mean"}),
    "pooled, 10 folds": (NESTED, plain, {"estimate": "pooled"}),
    "within_fold": (NESTED, plain, {"estimate": "pooled", "interval": "within_fold"}),
    "all_pairs": (NESTED, plain, {"estimate": "pooled", "interval": "all_pairs"}),
}  # fmt: skip


def predicted(design, X, y, resampling, seed):
    """Resample one data set: all models at once."""
    strata = None if design.reads == "value" else y
    splits = list(as_resampling(resampling).realise(len(y), strata, rng=seed))
    weights = np.stack([np.bincount(s.train, minlength=len(y)) for s in splits]).astype(float)
    rows = np.concatenate([s.test for s in splits])
    split = np.repeat(np.arange(len(splits)), [s.test.size for s in splits])
    scores = design.learner(X, y, weights)(X)[split, rows]
    facts = {
        "repeat": [s.repeat for s in splits],
        "fold": [s.fold for s in splits],
        "part": ["inner" if s.inner else "test" for s in splits],
        "n_train": [float(s.train.size) for s in splits],
    }
    told = {name: np.array(values)[split] for name, values in facts.items()}
    return Predictions.of(y[rows], row=rows, **told, **columns_of(design, scores))


def truth(design, X, y, rng):
    """Return the value of the measure for the model of all rows, on fresh cases."""
    fresh, z = design.draw(FRESH, rng)
    fit = design.learner(X, y, np.ones((1, len(y))))
    scores = np.concatenate([fit(part)[0] for part in np.array_split(fresh, 20)])
    return measures[design.measure].value(Predictions.of(z, **columns_of(design, scores)))


def sample(design, i, methods=tuple(METHODS), seed=SEED):
    """Return the truth of one data set, and value and limits by each method; NaN where there are none."""
    rng = np.random.default_rng([seed, DESIGNS.index(design) if design in DESIGNS else 99, i])
    X, y = design.draw(design.n, rng)
    runs, found = {}, []
    for name in methods:
        resampling, select, asked = METHODS[name]
        try:
            if resampling not in runs:
                runs[resampling] = predicted(design, X, y, resampling, i)
            (e,) = evaluate(select(runs[resampling]), design.measure, **asked).estimates
            ends = tuple(e.interval) if e.interval else (math.nan, math.nan)
            found.append((e.value, *ends))
        except CrediblyError:
            found.append((math.nan,) * 3)
    return truth(design, X, y, rng), found


def _sample_of(place, i, seed):
    """Return a sample of the design at a place, which a worker finds by itself."""
    return sample(DESIGNS[place], i, seed=seed)


def rows_of(design, samples, methods=tuple(METHODS), seed=SEED):
    """Turn the samples of a design into a row for each method."""
    true = np.array([t for t, _ in samples])
    table = np.array([f for _, f in samples])
    width = np.nanmedian(table[:, :, 2] - table[:, :, 1], axis=0)
    made = []
    for j, name in enumerate(methods):
        value, low, high = table[:, j].T
        given = ~np.isnan(low)
        n = int(given.sum())
        share = {
            key: round(float(((low <= t) & (t <= high))[given].mean()), 4) if n else ""
            for key, t in (
                ("covers_model", true),
                ("covers_training", np.full_like(true, true.mean())),
            )
        }
        made.append({
            "design": design.name, "n": design.n, "measure": design.measure, "method": name,
            "samples": len(samples), "given": n, **share,
            "monte_carlo_error": round(math.sqrt(LEVEL * (1 - LEVEL) / n), 4) if n else "",
            "truth": round(float(true.mean()), 4),
            "mean_value": round(float(np.nanmean(value)), 4) if n else "",
            "width": round(float(width[j]), 4) if n else "",
            "relative_width": round(float(width[j] / width[0]), 3) if n else "",
            "seed": seed,
        })  # fmt: skip
    return made


def side_by_side(rows):
    """Return a row for each design: coverage of the two truths in per cent, and the relative width."""
    made = {}
    for r in rows:
        line = made.setdefault((r["design"], r["n"], r["measure"]), {})
        line |= {"design": r["design"], "n": r["n"], "measure": r["measure"]}
        both = [f"{100 * float(r[c]):.0f}" for c in ("covers_model", "covers_training")]
        line[r["method"]] = f"{'/'.join(both)} ({float(r['relative_width']):.2f})"
    return list(made.values())


# --- tests ------------------------------------------------------------------------------------

SCHEMES = {"LDA": "lda", "1-NN": "knn(k=1)", "5-NN": "knn(k=5)", "tree": "tree"}
SIZES = (50, 100, 200)
TESTS = {
    "nested_cv": (NESTED, lambda p: p),
    "conservative_z": (HALVES, lambda p: p),
    "corrected_resampled_t, 10 folds": (NESTED, plain),
    "corrected_resampled_t, 10 x 10 folds": (NESTED, repeated),
}
TESTED_COLUMNS = 10


def pvalues(cell, i, seed=SEED):
    """Return the p-value of each test on one data set: a scheme on one block of columns, and on another."""
    name, equal, n = cell
    rng = np.random.default_rng([seed, list(SCHEMES).index(name), int(equal), n, i])
    y = np.arange(n) % 2
    shifts = (SHIFT, SHIFT if equal else LESS)
    blocks = [
        rng.normal(size=(n, TESTED_COLUMNS)) + s / math.sqrt(TESTED_COLUMNS) * y[:, None]
        for s in shifts
    ]
    found, pairs = [], {}
    for test, (resampling, select) in TESTS.items():
        if resampling not in pairs:
            pairs[resampling] = [_run(SCHEMES[name], X, y, resampling, i) for X in blocks]
        a, b = map(select, pairs[resampling])
        try:
            found.append(compare(a, b, "error_rate", test=test.partition(",")[0]).pvalue)
        except CrediblyError:
            found.append(1.0)  # it raises no alarm
    return found


def _run(scheme, X, y, resampling, seed):
    """Resample one data set by a scheme; what it and the splits complain of is known here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run(scheme, X, y, resampling=resampling, rng=seed, progress=False, positive=1)


def rejections(cell, found, seed=SEED):
    """Turn the p-values of a cell into a row for each test."""
    name, equal, n = cell
    return [
        {
            "scheme": name, "schemes": "equal" if equal else "unequal", "n": n, "test": test,
            "samples": len(found), "rate_5": round(float(np.mean(np.array(p) <= 0.05)), 4), "seed": seed,
        }
        for test, p in zip(TESTS, zip(*found, strict=True), strict=True)
    ]  # fmt: skip


def main():
    """Draw all cells, or those of some designs, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=300)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--output", type=Path, default=Path("generalization.csv"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="+", default=["designs", "tests"])
    asked = parser.parse_args()
    made, tested = [], []
    cells = [(s, e, n) for s in SCHEMES for e in (True, False) for n in SIZES]
    with ProcessPoolExecutor(asked.jobs) as workers:
        for design in DESIGNS if "designs" in asked.only else ():
            each = partial(_sample_of, DESIGNS.index(design), seed=asked.seed)
            made += rows_of(design, list(workers.map(each, range(asked.samples))), seed=asked.seed)
            write(made, asked.output)
            write(side_by_side(made), asked.output.with_name(f"{asked.output.stem}-95.csv"))
            print(design.name, design.n, design.measure, file=sys.stderr)  # noqa: T201
        for cell in cells if "tests" in asked.only else ():
            found = list(workers.map(partial(pvalues, cell, seed=asked.seed), range(asked.samples)))
            tested += rejections(cell, found, asked.seed)
            write(tested, asked.output.with_name(f"{asked.output.stem}-tests.csv"))
            print(*cell, file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    main()
