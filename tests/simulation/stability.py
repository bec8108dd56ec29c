"""How often the default intervals after folds and repeated folds hold, on a wide grid of learners and data.

Each cell draws data sets from a known population, cross-validates a learner once and ten times, and counts how
often the default interval of the mean over folds holds two truths: the value of the model fitted on all rows
(on fresh cases), and its mean over training sets. Learners are in plain numpy (`learners.py`), intervals those of
`credibly.evaluate`. Run from the repository, with the package on the path:

    python -m tests.simulation.stability --samples 150 --output docs/validity/stability.csv

A second table, stability-95.csv beside it, sets one cross-validation and repeated ones side by side.
"""

import argparse
import math
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from credibly import Predictions, evaluate

from . import learners
from .coverage import write

SEED = 20261116
FRESH = 4000
REPEATS = 10


def linear(columns, noise="normal"):
    """A sum of columns, with normal errors or those of a t with 4 degrees of freedom."""

    def draw(n, rng):
        X = rng.standard_normal((n, columns))
        errors = rng.standard_normal(n) if noise == "normal" else rng.standard_t(4, n)
        return X, X.sum(1) / math.sqrt(columns) + errors

    return draw


def classes(columns, apart, share=0.5):
    """Two normal classes, so far apart."""

    def draw(n, rng):
        y = (rng.random(n) < share).astype(float)
        return rng.standard_normal((n, columns)) + apart / math.sqrt(columns) * y[:, None], y

    return draw


def crossed(columns, flipped=0.1):
    """Classes that hang on a product of two columns, some of them flipped."""

    def draw(n, rng):
        X = rng.standard_normal((n, columns))
        y = X[:, 0] * X[:, 1] + X[:, 0] > 0
        return X, np.where(rng.random(n) < flipped, ~y, y).astype(float)

    return draw


@dataclass(frozen=True)
class Cell:
    """A population, a learner, how its predictions are read, the rows, and the measures."""

    name: str
    draw: object
    learner: object
    reads: str  # value, logit or share of the positive class
    n: int
    measures: tuple[str, ...]
    k: int = 10


NUMERIC, LABELLED = ("mse", "mae"), ("error_rate", "brier", "log_loss", "auc")
CELLS = (
    Cell("OLS, p = 20", linear(20), learners.ols, "value", 40, NUMERIC),
    Cell("OLS, p = 20, 5 folds", linear(20), learners.ols, "value", 40, NUMERIC, 5),
    Cell("OLS, p = 30", linear(30), learners.ols, "value", 80, NUMERIC),
    Cell("OLS, p = 10", linear(10), learners.ols, "value", 60, NUMERIC),
    Cell("OLS, p = 20", linear(20), learners.ols, "value", 100, NUMERIC),
    Cell("OLS, p = 20", linear(20), learners.ols, "value", 400, NUMERIC),
    Cell("OLS, p = 5, heavy tails", linear(5, "t"), learners.ols, "value", 100, NUMERIC),
    Cell("ridge, p = 30", linear(30), learners.ridge(10.0), "value", 60, NUMERIC),
    Cell("5 neighbours, numeric", linear(4), learners.neighbours(5), "value", 100, NUMERIC),
    Cell("1 neighbour, numeric", linear(4), learners.neighbours(1), "value", 100, NUMERIC),
    Cell("tree, numeric", linear(4), learners.tree(4, 5), "value", 100, NUMERIC),
    Cell("LDA, p = 20", classes(20, 2.0), learners.lda, "logit", 50, LABELLED[:1]),
    Cell("LDA, p = 5", classes(5, 1.5), learners.lda, "logit", 100, LABELLED),
    Cell("LDA, p = 5, hardly an error", classes(5, 4.5), learners.lda, "logit", 100, LABELLED[:1]),
    Cell("logistic, p = 20", classes(20, 2.0), learners.logistic, "logit", 60, LABELLED),
    Cell("logistic, p = 10", classes(10, 1.5), learners.logistic, "logit", 100, LABELLED),
    Cell("logistic, p = 10, 5 folds", classes(10, 1.5), learners.logistic, "logit", 100, LABELLED, 5),
    Cell("logistic, p = 10", classes(10, 1.5), learners.logistic, "logit", 200, LABELLED),
    Cell("logistic, 5 % positive", classes(5, 1.5, 0.05), learners.logistic, "logit", 400, LABELLED),
    Cell("logistic, 10 % positive", classes(5, 1.5, 0.1), learners.logistic, "logit", 200, LABELLED),
    Cell("naive Bayes, p = 10", classes(10, 1.5), learners.naive_bayes, "logit", 60, LABELLED),
    Cell("1 neighbour", classes(5, 1.5), learners.neighbours(1), "share", 50, LABELLED[:1]),
    Cell("1 neighbour", classes(5, 1.5), learners.neighbours(1), "share", 100, LABELLED[:1]),
    Cell("5 neighbours", classes(5, 1.5), learners.neighbours(5), "share", 100, LABELLED[:2]),
    Cell("tree", crossed(4), learners.tree(6, 3), "share", 100, LABELLED[:2]),
    Cell("tree", crossed(4), learners.tree(6, 3), "share", 200, LABELLED[:2]),
)  # fmt: skip


def stratified_folds(y, k, rng, numeric):
    """Return the fold of each row; classes are dealt out in turn."""
    n, fold = len(y), np.empty(len(y), int)
    sets = [np.arange(n)] if numeric else [np.flatnonzero(y == c) for c in (0, 1)]
    order = np.concatenate([rng.permutation(rows) for rows in sets])
    fold[order] = (np.arange(n) + rng.integers(k)) % k
    return fold


def columns_of(cell, scores):
    """Turn what a learner returns into what predictions hold."""
    if cell.reads == "value":
        return {"value": scores}
    share = 1 / (1 + np.exp(-np.clip(scores, -30, 30))) if cell.reads == "logit" else scores
    return {
        "probability": share,
        "label": (share >= 0.5).astype(int),
        "positive": 1,
        "classes": [0, 1],
    }


def sample(place, i, seed=SEED):
    """Return, for each measure, the truth and the limits after one and after repeated cross-validations."""
    cell, rng = CELLS[place], np.random.default_rng([seed, place, i])
    numeric = cell.reads == "value"
    X, y = cell.draw(cell.n, rng)
    while not numeric and min(y.sum(), cell.n - y.sum()) < 5:
        X, y = cell.draw(cell.n, rng)
    fold = np.stack([stratified_folds(y, cell.k, rng, numeric) for _ in range(REPEATS)])
    weights = (fold[:, None, :] != np.arange(cell.k)[:, None]).reshape(-1, cell.n).astype(float)
    every = cell.learner(X, y, weights)(X).reshape(REPEATS, cell.k, cell.n)
    scores = every[np.arange(REPEATS)[:, None], fold, np.arange(cell.n)]
    fresh, z = cell.draw(FRESH, rng)
    of_all = cell.learner(X, y, np.ones((1, cell.n)))(fresh)[0]
    truth = Predictions.of(z if numeric else z.astype(int), **columns_of(cell, of_all))
    size = np.bincount(fold[0], minlength=cell.k)[fold]
    target = y if numeric else y.astype(int)
    found = []
    for repeats in (1, REPEATS):
        p = Predictions.of(
            np.tile(target, repeats), row=np.tile(np.arange(cell.n), repeats),
            repeat=np.repeat(np.arange(repeats), cell.n), fold=fold[:repeats].ravel(),
            n_train=(cell.n - size[:repeats]).ravel().astype(float),
            **columns_of(cell, scores[:repeats].ravel()),
        )  # fmt: skip
        table = evaluate(p, list(cell.measures), estimate="fold_mean")
        found.append(
            [tuple(e.interval) if e.interval else (math.nan,) * 2 for e in table.estimates]
        )
    values = evaluate(truth, list(cell.measures), interval="none").estimates
    return [e.value for e in values], found


def rows_of(cell, samples, seed=SEED):
    """Count how often limits hold the truths."""
    true, limits = (np.array(each) for each in zip(*samples, strict=True))
    made = []
    for m, measure in enumerate(cell.measures):
        for j, design in enumerate((f"{cell.k} folds", f"{REPEATS} x {cell.k} folds")):
            low, high = limits[:, j, m].T
            given = ~np.isnan(low)
            held = [
                ((low <= t) & (t <= high))[given].mean() for t in (true[:, m], true[:, m].mean())
            ]
            made.append({
                "design": cell.name, "n": cell.n, "measure": measure, "resampling": design,
                "samples": len(samples), "given": int(given.sum()),
                "covers_model": round(float(held[0]), 4), "covers_training": round(float(held[1]), 4),
                "width": round(float(np.median((high - low)[given])), 4), "truth": round(float(true[:, m].mean()), 4),
                "seed": seed,
            })  # fmt: skip
    return made


def side_by_side(rows):
    """Set the coverage of both truths, in per cent, after one cross-validation and after ten in a row."""
    made = []
    for once, often in zip(rows[::2], rows[1::2], strict=True):
        told = {key: once[key] for key in ("design", "n", "measure")}
        for name, row in (("one", once), ("repeated", often)):
            told[name] = f"{100 * row['covers_model']:.0f}/{100 * row['covers_training']:.0f}"
        told["width, repeated / one"] = round(often["width"] / once["width"], 2)
        made.append(told)
    return made


def main():
    """Draw all cells and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=150)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=Path("stability.csv"))
    asked = parser.parse_args()
    made = []
    with ProcessPoolExecutor(asked.jobs) as workers:
        for place, cell in enumerate(CELLS):
            samples = workers.map(partial(sample, place), range(asked.samples), chunksize=4)
            made += rows_of(cell, list(samples))
            write(made, asked.output)
            beside = asked.output.with_name(f"{asked.output.stem}-95.csv")
            write(side_by_side(made), beside)
            print(cell.name, cell.n, file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    main()
