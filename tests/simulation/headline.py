"""How often the headline's default interval holds what it is about, in many more designs.

Each cell draws data sets from a known population, resamples each in several ways and asks `credibly.evaluate` for what it
would show first. It counts how often the interval holds the value of the model fitted on all rows (on fresh cases) and
its mean over training sets; out of bag, that of models of bootstrap samples, and of holdouts that of their own models. Widths stand beside those of nested
cross-validation, where that is made. Designs are regression with heavy tails, noise that grows, skewed noise and terms that a line
lacks, two and more classes, rare ones, chosen columns, groups that are few or of uneven size. Learners are in plain numpy, so that the
grid runs anywhere. Run from the repository, with the package on the path:

    python -m tests.simulation.headline --samples 300 --output docs/validity/headline.csv

A second table, headline-95.csv beside it, sets the resamplings side by side.
"""

import argparse
import math
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from credibly import Predictions, evaluate
from credibly.evaluation.fold_estimators import headline_estimate
from credibly.predictions.parts import ALL_CASES
from credibly.predictions.provenance import Provenance
from credibly.resampling import as_resampling

from . import learners
from .coverage import write

SEED = 20261118
FRESH = 4000  # cases on which the model of all rows is judged
LEVEL = 0.95
LEAST = 4  # cases of the smallest class, below which a sample is drawn again
ONE, REPEATED, NESTED = "10 folds", "10 x 10 folds", "nested_cv"
BASE = "nested_cv(k=10, repeats=10)"
SHORT = {  # what a table calls resamplings
    "folds(k=5)": "5 folds",
    "folds(k=10, pairs=1)": "10 folds, one pair",
    "folds(k=10, pairs=5)": "10 folds, five pairs",
    "leave_one_out": "leave-one-out",
    "repeated_holdout(test=0.3, repeats=30)": "30 holdouts",
    "bootstrap(replicates=60)": "out of bag",
    "holdout(test=0.3)": "holdout",
    "time_ordered(k=5)": "5 blocks in time",
    "time_ordered(k=10)": "10 blocks in time",
    "grouped_folds(k=5)": "5 folds",
    "grouped_folds(k=5, repeats=10)": "10 x 5 folds",
    "leave_one_group_out": "leave-one-group-out",
}


# --- populations --------------------------------------------------------------------------------


def told(X):
    """What a sum of all columns says, with variance 1."""
    return X.sum(1) / math.sqrt(X.shape[1])


def numbers(columns, noise="normal", bent=0.0):
    """Numbers with a linear part, a bent one, and noise of several kinds."""

    def draw(n, rng):
        X = rng.standard_normal((n, columns))
        e = {
            "normal": lambda: rng.standard_normal(n),
            "t3": lambda: rng.standard_t(3, n),
            "t5": lambda: rng.standard_t(5, n),
            "growing": lambda: rng.standard_normal(n) * np.exp(0.5 * X[:, 0]),
            "skewed": lambda: rng.exponential(1, n) - 1,
            "log-normal": lambda: np.exp(rng.standard_normal(n)) - math.exp(0.5),
        }[noise]()
        return X, told(X) + bent * (X[:, 0] ** 2 - 1) + e, None

    return draw


def classes(columns, apart=1.5, shares=(0.5, 0.5)):
    """Normal classes, of which neighbours lie so far apart; each but the first moves along columns of its own."""
    count = len(shares)
    centre = np.zeros((count, columns))
    for c in range(1, count):
        mine = np.arange(columns) % (count - 1) == c - 1
        centre[c, mine] = apart / math.sqrt(mine.sum())

    def draw(n, rng):
        y = rng.choice(count, n, p=shares)
        return rng.standard_normal((n, columns)) + centre[y], y.astype(float), None

    return draw


def crossed(columns, flipped=0.1):
    """Classes that hang on a product of two columns, some of them flipped."""

    def draw(n, rng):
        X = rng.standard_normal((n, columns))
        y = X[:, 0] * X[:, 1] + X[:, 0] > 0
        return X, np.where(rng.random(n) < flipped, ~y, y).astype(float), None

    return draw


def grouped(groups, numeric, uneven=0, tied=0.5, columns=3):
    """So many groups that share part of columns and noise; uneven ones are up to so many times as large as others."""

    def draw(n, rng):
        many = groups if n < FRESH else n // 10
        size = rng.uniform(1, uneven, many) if uneven else np.ones(many)
        share = np.arange(many) if n < many else np.sort(rng.choice(many, n, p=size / size.sum()))
        share[rng.permutation(n)[:many]] = np.arange(many)  # none is empty

        def noise(*shape):
            own, common = rng.standard_normal((2, n, *shape))
            return math.sqrt(1 - tied) * own + math.sqrt(tied) * common[share]

        X, e = noise(columns), noise()
        if numeric:
            return X, told(X) + e, share
        y = (e > 0).astype(float)
        return X + y[:, None], y, share

    return draw


def in_time(columns, tied):
    """Numbers whose noise and columns follow autoregressions, in which neighbours correlate by so much."""

    def draw(n, rng):
        own = rng.standard_normal((n, columns + 1))
        for i in range(1, n):
            own[i] = tied * own[i - 1] + math.sqrt(1 - tied**2) * own[i]
        X = own[:, :columns]
        return X, told(X) + own[:, columns], None

    return draw


# --- cells --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """A population, a learner, how its predictions are read, rows, measures and resamplings beside folds."""

    name: str
    draw: Callable
    learner: Callable
    reads: str  # value, logit or share of the positive class, or shares of all classes
    n: int
    measures: tuple[str, ...]
    ways: tuple[str, ...] = (ONE, REPEATED)

    @property
    def numeric(self):
        return self.reads == "value"


ERRORS = ("mse", "mae")
LABELS = ("error_rate", "brier", "log_loss", "auc")
TABLES = ("error_rate", "kappa", "f1", "balanced_accuracy")
SEVERAL = ("error_rate", "kappa", "brier", "log_loss")
THREE = (ONE, REPEATED, NESTED)
ALL = (*THREE, "folds(k=5)", "leave_one_out", "repeated_holdout(test=0.3, repeats=30)", "bootstrap(replicates=60)")  # fmt: skip
WHOLE = ("grouped_folds(k=5)", "grouped_folds(k=5, repeats=10)", "leave_one_group_out")
NUMBERS = (*ERRORS, "r2")
SEEN = (*LABELS, "f1", "mcc")
SHARES = ("error_rate", "brier", "auc", "f1", "mcc")
HELD = "holdout(test=0.3)"
FEW = (ONE, REPEATED, "folds(k=5)", HELD)
EVERY = (*ALL, HELD)
ORDERED = ("time_ordered(k=5)", "time_ordered(k=10)")
BOOSTING = learners.bounded(learners.boosting())
OLS, RIDGE, LDA, LOGISTIC = learners.ols, learners.ridge(5.0), learners.lda, learners.logistic
BAYES, ONE_NN, FIVE_NN = learners.naive_bayes, learners.neighbours(1), learners.neighbours(5)
CELLS = (
    Cell("OLS, t with 3 df", numbers(5, "t3"), OLS, "value", 100, ERRORS, THREE),
    Cell("OLS, t with 5 df", numbers(5, "t5"), OLS, "value", 50, ERRORS),
    Cell("OLS, growing noise", numbers(5, "growing"), OLS, "value", 40, ERRORS),
    Cell("OLS, growing noise", numbers(5, "growing"), OLS, "value", 150, ERRORS),
    Cell("OLS, skewed noise", numbers(8, "skewed"), OLS, "value", 60, ERRORS, THREE),
    Cell("OLS, a bent term missing", numbers(8, bent=1.0), OLS, "value", 80, ERRORS),
    Cell("OLS, p = 12", numbers(12), OLS, "value", 60, ERRORS, THREE),
    Cell("OLS, p = 25", numbers(25), OLS, "value", 150, ERRORS),
    Cell("OLS, p = 8", numbers(8), OLS, "value", 300, ERRORS),
    Cell("ridge, p = 20", numbers(20), RIDGE, "value", 100, ERRORS),
    Cell("OLS on 3 chosen of 25", numbers(25), learners.chosen(OLS, 3), "value", 100, ERRORS),
    Cell("5-NN, numbers", numbers(3, bent=1.0), FIVE_NN, "value", 70, ERRORS),
    Cell("1-NN, numbers", numbers(3, "skewed"), ONE_NN, "value", 80, ERRORS, THREE),
    Cell("tree, numbers", numbers(4, bent=1.0), learners.tree(4, 4), "value", 120, ERRORS),
    Cell("LDA, p = 8", classes(8, 2.0), LDA, "logit", 40, LABELS, ALL),
    Cell("logistic, p = 3", classes(3, 1.0), LOGISTIC, "logit", 80, LABELS, THREE),
    Cell("logistic, p = 6", classes(6, 2.5), LOGISTIC, "logit", 250, LABELS),
    Cell("logistic, 5 % positive", classes(4, 2.0, (0.95, 0.05)), LOGISTIC, "logit", 200, LABELS),
    Cell("logistic, 2 % positive", classes(4, 2.0, (0.98, 0.02)), LOGISTIC, "logit", 400, LABELS[:3]),
    Cell("LDA, 20 % positive", classes(5, 2.0, (0.8, 0.2)), LDA, "logit", 100, TABLES),
    Cell("1-NN", classes(4, 1.2), ONE_NN, "share", 60, TABLES, ALL),
    Cell("1-NN", classes(4, 1.2), ONE_NN, "share", 200, TABLES[:1]),
    Cell("5-NN, 10 % positive", classes(4, 2.0, (0.9, 0.1)), FIVE_NN, "share", 150, ("error_rate", "brier", "f1")),
    Cell("5-NN", classes(4, 1.2), FIVE_NN, "share", 50, ("error_rate", "brier", "auc")),
    Cell("tree", crossed(4), learners.tree(6, 2), "share", 60, TABLES),
    Cell("tree", crossed(4), learners.tree(6, 2), "share", 150, ("error_rate", "brier")),
    Cell("LDA, 3 classes", classes(6, 2.0, (0.4, 0.35, 0.25)), learners.several_lda(3), "shares", 90, SEVERAL),
    Cell("LDA, 5 classes", classes(8, 2.5, (0.2,) * 5), learners.several_lda(5), "shares", 150, SEVERAL),
    Cell("20 groups", grouped(20, numeric=True), OLS, "value", 100, ERRORS, WHOLE),
    Cell("8 groups", grouped(8, numeric=True), OLS, "value", 80, ERRORS, WHOLE),
    Cell("6 uneven groups", grouped(6, numeric=True, uneven=4), OLS, "value", 90, ERRORS, WHOLE),
    Cell("12 groups that share 0.9", grouped(12, numeric=True, tied=0.9), OLS, "value", 120, ERRORS, WHOLE),
    Cell("20 uneven groups", grouped(20, numeric=False, uneven=4), LDA, "logit", 200, LABELS[:3], WHOLE),
    Cell("5 groups", grouped(5, numeric=False), LDA, "logit", 100, LABELS[:3], WHOLE),
    Cell("15 groups, 1-NN", grouped(15, numeric=False), ONE_NN, "share", 90, LABELS[:1], WHOLE),
    Cell("ridge, p = 10", numbers(10), RIDGE, "value", 40, NUMBERS, EVERY),
    Cell("OLS, t with 5 df, p = 4", numbers(4, "t5"), OLS, "value", 200, NUMBERS, (*THREE, HELD)),
    Cell("OLS, growing noise", numbers(5, "growing"), OLS, "value", 400, NUMBERS, (ONE, REPEATED, HELD)),
    Cell("OLS, log-normal noise", numbers(3, "log-normal"), OLS, "value", 100, NUMBERS, (*THREE, HELD)),
    Cell("5-NN, numbers", numbers(3, bent=1.0), FIVE_NN, "value", 100, NUMBERS, EVERY),
    Cell("1-NN, numbers", numbers(3), ONE_NN, "value", 200, NUMBERS, THREE),
    Cell("tree, numbers", numbers(4, bent=1.0), learners.tree(4, 4), "value", 200, NUMBERS),
    Cell("boosting, numbers", numbers(4, bent=1.0), learners.boosting(), "value", 60, NUMBERS, EVERY),
    Cell("boosting, numbers", numbers(4, "t5", bent=1.0), learners.boosting(), "value", 200, NUMBERS),
    Cell("logistic, 5 % positive", classes(3, 2.0, (0.95, 0.05)), LOGISTIC, "logit", 100, SEEN, FEW),
    Cell("logistic, 5 % positive", classes(4, 2.0, (0.95, 0.05)), LOGISTIC, "logit", 400, SEEN, EVERY),
    Cell("logistic, 2 % positive, far apart", classes(4, 2.5, (0.98, 0.02)), LOGISTIC, "logit", 400, SEEN, FEW),
    Cell("naive Bayes, p = 6", classes(6, 1.5), BAYES, "logit", 60, SEEN, EVERY),
    Cell("5-NN", classes(4, 1.2), FIVE_NN, "share", 40, SHARES, THREE),
    Cell("5-NN", classes(4, 1.2), FIVE_NN, "share", 400, SHARES),
    Cell("1-NN", classes(4, 1.2), ONE_NN, "share", 100, TABLES[:1], EVERY),
    Cell("tree", crossed(4), learners.tree(6, 2), "share", 100, ("error_rate", "brier", "mcc"), (ONE, REPEATED, HELD)),
    Cell("boosting", crossed(4), BOOSTING, "share", 100, SEEN, EVERY),
    Cell("boosting, 5 % positive", classes(4, 2.0, (0.95, 0.05)), BOOSTING, "share", 200, SEEN, FEW),
    Cell("LDA, p = 20", classes(20, 2.0), LDA, "logit", 400, SEEN, (ONE, REPEATED, "folds(k=5)")),
    Cell("30 very uneven groups", grouped(30, numeric=True, uneven=20), OLS, "value", 300, NUMBERS, WHOLE),
    Cell("25 very uneven groups", grouped(25, numeric=False, uneven=20), LDA, "logit", 200, LABELS, WHOLE),
    Cell("10 groups that share 0.9", grouped(10, numeric=False, tied=0.9), LDA, "logit", 60, LABELS[:3], WHOLE),
    Cell("40 groups, 5-NN", grouped(40, numeric=True), FIVE_NN, "value", 200, NUMBERS, WHOLE),
    Cell("in time, 0.5", in_time(3, 0.5), OLS, "value", 100, NUMBERS, ORDERED),
    Cell("in time, 0.5", in_time(3, 0.5), OLS, "value", 400, NUMBERS, ORDERED),
    Cell("in time, 0.8", in_time(3, 0.8), OLS, "value", 200, NUMBERS, ORDERED),
)  # fmt: skip


# --- predictions --------------------------------------------------------------------------------


def columns_of(cell, scores):
    """Turn what a learner returns into what predictions hold."""
    if cell.numeric:
        return {"value": scores}
    if cell.reads == "shares":
        return {"probability": scores, "classes": list(range(scores.shape[-1]))}
    share = 1 / (1 + np.exp(-np.clip(scores, -30, 30))) if cell.reads == "logit" else scores
    return {"probability": share, "positive": 1, "classes": [0, 1]}


def predicted(cell, X, y, group, resampling, seed):
    """Resample one data set, all models at once, and keep what a run would."""
    n, strata = len(y), None if cell.numeric else y.astype(int)
    splits = as_resampling(resampling).realise(n, strata, groups=group, rng=seed)
    cuts = [(s.train, s.test, s.repeat, s.fold, "inner" if s.inner else "test") for s in splits]
    drawn = resampling.startswith("bootstrap")
    if drawn:
        cuts += [(t, np.unique(t), r, f, "train") for t, _, r, f, _ in cuts]
        cuts.append((np.arange(n), np.arange(n), ALL_CASES, 0, "train"))
    weights = np.stack([np.bincount(c[0], minlength=n) for c in cuts]).astype(float)
    rows = np.concatenate([c[1] for c in cuts])
    split = np.repeat(np.arange(len(cuts)), [c[1].size for c in cuts])
    every = cell.learner(X, y, weights)(X)
    scores = every[split, rows]
    facts = {"repeat": [c[2] for c in cuts], "fold": [c[3] for c in cuts], "part": [c[4] for c in cuts],
             "n_train": [float(c[0].size) for c in cuts]}  # fmt: skip
    known = {name: np.array(values)[split] for name, values in facts.items()}
    if drawn:
        known["weight"] = np.where(known["part"] == "train", weights[split, rows], 1.0)
        known["weight_kind"] = "frequency"
    made = Predictions.of(
        (y if cell.numeric else y.astype(int))[rows], row=rows,
        group=None if group is None else group[rows], **known, **columns_of(cell, scores),
    )  # fmt: skip
    fitted = {} if drawn else {"": overfitting(cell, every, y, weights, cuts)}
    where = Provenance("", attributes=X.shape[1], overfitting=fitted)
    return replace(made, design=splits.design, provenance=where, cache={}), weights


def overfitting(cell, every, y, weights, cuts):
    """Return by which share a model errs less on rows that it was fitted to than on the same rows held out, as `run` finds."""
    place = int(np.argmax(weights.sum(axis=1)))
    held = np.full(len(y), np.nan)
    for scores, (_, test, repeat, _, part) in zip(every, cuts, strict=True):
        if (repeat, part) == (0, "test"):
            held[test] = losses(cell, scores, y)[test]
    rows = (weights[place] > 0) & ~np.isnan(held)
    return (
        float(1 - losses(cell, every[place], y)[rows].sum() / held[rows].sum())
        if rows.any()
        else math.inf
    )


def losses(cell, scores, y):
    """Return squared errors, or the Brier score of each case."""
    if cell.numeric:
        return np.square(scores - y)
    if cell.reads == "shares":
        return np.square(scores - np.eye(scores.shape[-1])[y.astype(int)]).sum(axis=1)
    return np.square(columns_of(cell, scores)["probability"] - y)


def plain(p, repeats):
    """Take the first repeats of nested cross-validation, without inner splits."""
    return replace(p if repeats > 1 else p.where(repeat=0), seen=None, cache={})


def asked_for(p, measure, cell):
    """Return value and limits of what stands for predictions; NaN where there is no interval."""
    average = "macro" if cell.reads == "shares" and measure == "f1" else None
    (e,) = evaluate(p, measure, estimate=headline_estimate(p, measure), average=average).estimates
    return (e.value, *(tuple(e.interval) if e.interval else (math.nan,) * 2))


def truths(cell, X, y, weights, fresh):
    """Return the values of models on fresh cases, a row for each model."""
    Z, z, _ = fresh
    fit = cell.learner(X, y, weights)
    scores = np.concatenate([fit(part) for part in np.array_split(Z, 10)], axis=1)
    target = z if cell.numeric else z.astype(int)
    return np.array([
        [e.value for e in evaluate(Predictions.of(target, **columns_of(cell, s)), list(cell.measures), interval="none").estimates]
        for s in scores
    ])  # fmt: skip


def few(y):
    """Whether a sample has too few cases of a class, or none."""
    sizes = np.unique(y, return_counts=True)[1]
    return len(sizes) < 2 or sizes.min() < LEAST


def sample(place, i, seed=SEED, ways=None):
    """Return, for each resampling and measure, the truth, the value and the limits."""
    cell, rng = CELLS[place], np.random.default_rng([seed, place, i])
    X, y, group = cell.draw(cell.n, rng)
    while not cell.numeric and few(y):
        X, y, group = cell.draw(cell.n, rng)
    fresh = cell.draw(FRESH, rng)
    of_all = truths(cell, X, y, np.ones((1, cell.n)), fresh)[0]
    found, nested = [], None
    for way in ways or cell.ways:
        true = of_all
        if way in (ONE, REPEATED, NESTED):
            call = BASE if NESTED in cell.ways else "folds(k=10, repeats=10)"
            nested = predicted(cell, X, y, group, call, i)[0] if nested is None else nested
            p = nested if way == NESTED else plain(nested, 10 if way == REPEATED else 1)
        else:
            p, weights = predicted(cell, X, y, group, way, i)
            if way.startswith(("bootstrap", "holdout", "repeated_holdout")):  # about its own models
                true = truths(cell, X, y, weights[:20], fresh).mean(axis=0)
        found.append(
            [(t, *asked_for(p, m, cell)) for m, t in zip(cell.measures, true, strict=True)]
        )
    return found


def rounded(value, digits):
    """Round a number for a table, in which what is unknown is blank."""
    return "" if math.isnan(value) else round(float(value), digits)


def rows_of(cell, samples, seed=SEED):
    """Count how often limits hold the truths, a row for each measure and resampling."""
    table = np.array(samples)  # sample, way, measure, fact
    made = []
    for m, measure in enumerate(cell.measures):
        wide = np.nanmedian(table[:, :, m, 3] - table[:, :, m, 2], axis=0)
        of_nested = wide[cell.ways.index(NESTED)] if NESTED in cell.ways else math.nan
        for w, way in enumerate(cell.ways):
            true, value, low, high = table[:, w, m].T
            given = ~np.isnan(low)
            n = int(given.sum())
            share = [
                ((low <= t) & (t <= high))[given].mean() if n else math.nan
                for t in (true, np.nanmean(true))
            ]
            made.append({
                "design": cell.name, "n": cell.n, "measure": measure, "resampling": way,
                "samples": len(table), "given": n,
                "covers_model": rounded(share[0], 4), "covers_training": rounded(share[1], 4),
                "truth": round(float(np.nanmean(true)), 4), "mean_value": round(float(np.nanmean(value)), 4),
                "width": rounded(wide[w], 4), "relative_width": rounded(wide[w] / of_nested, 3), "seed": seed,
            })  # fmt: skip
    return made


def side_by_side(rows):
    """Return a row for each design and measure: coverage of both truths and the relative width by resampling."""
    made = {}
    for r in rows:
        line = made.setdefault((r["design"], r["n"], r["measure"]), {})
        line |= {"design": r["design"], "n": r["n"], "measure": r["measure"]}
        line[SHORT.get(r["resampling"], r["resampling"])] = shown(r)
    names = list(dict.fromkeys(key for line in made.values() for key in line))
    return [{key: line.get(key, "") for key in names} for line in made.values()]


def shown(r):
    """Write coverage of the model / of its mean, the relative width, and in how many samples there was no interval."""
    lacking = int(r["samples"]) - int(r["given"])
    if lacking == int(r["samples"]):
        return "withheld"
    both = "/".join(f"{100 * float(r[c]):.0f}" for c in ("covers_model", "covers_training"))
    wide = f" ({float(r['relative_width']):.2f})" if r["relative_width"] != "" else ""
    return both + wide + (f", {lacking} withheld" if lacking else "")


def main():
    """Draw all cells, or those of some places, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=300)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cells", nargs="*", type=int)
    parser.add_argument("--ways", nargs="+", help="resamplings instead, of independent cases")
    parser.add_argument("--output", type=Path, default=Path("headline.csv"))
    asked = parser.parse_args()
    made, independent = [], [i for i, c in enumerate(CELLS) if ONE in c.ways]
    with ProcessPoolExecutor(asked.jobs) as workers:
        for place in asked.cells or (independent if asked.ways else range(len(CELLS))):
            begin, cell = time.monotonic(), CELLS[place]
            cell = replace(cell, ways=tuple(asked.ways)) if asked.ways else cell
            count = asked.samples // (2 if "tree" in cell.name else 1)
            samples = workers.map(
                partial(sample, place, seed=asked.seed, ways=asked.ways), range(count), chunksize=2
            )
            made += rows_of(cell, list(samples), asked.seed)
            write(made, asked.output)
            write(side_by_side(made), asked.output.with_name(f"{asked.output.stem}-95.csv"))
            print(cell.name, cell.n, f"{time.monotonic() - begin:.0f} s", file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    main()
