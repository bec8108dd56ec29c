"""Bates, Hastie and Tibshirani: cross-validation and nested cross-validation in their own designs.

What their figures show is redone by their algorithm, written anew from the article and its programs, on the
same samples as ours: the mean of all inner errors less a bias, and the square root of the mean square by
which a cross-validation without a fold is off on that fold, as a multiple of the naive standard error.
"""

import math
import warnings
from functools import partial
from itertools import combinations
from statistics import NormalDist

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from credibly import evaluate, run

from .. import learners
from ..generalization import plain
from . import between, design, redone

PAPER = "Bates, Hastie & Tibshirani 2024, JASA 119"
FOLDS, REPEATS, FRESH = 10, 10, 20_000
LEVEL = 0.9
Z = NormalDist().inv_cdf((1 + LEVEL) / 2)


# --- their algorithm --------------------------------------------------------------------------


def losses(fit, loss, X, y, left_out):
    """Return the loss of each case by the model without each of these sets of cases."""
    return loss(fit(X, y, 1.0 - left_out)(X), y)


def their_repeat(fit, loss, X, y, rng):
    """Return one repeat: errors of each fold without it and one more, and errors of plain folds."""
    fold = rng.permutation(np.arange(len(y)) % FOLDS)
    alone = (fold == np.arange(FOLDS)[:, None]).astype(float)
    pairs = list(combinations(range(FOLDS), 2))
    found = losses(fit, loss, X, y, np.vstack([alone, [alone[i] + alone[j] for i, j in pairs]]))
    outer = [found[i][fold == i] for i in range(FOLDS)]
    inner = [[] for _ in range(FOLDS)]  # errors of the other folds where fold i is left out too
    for row, (i, j) in zip(found[FOLDS:], pairs, strict=True):
        inner[i].append(row[fold == j])
        inner[j].append(row[fold == i])
    inner = [np.concatenate(each) for each in inner]
    off = [(a.mean() - b.mean()) ** 2 - b.var(ddof=1) / b.size for a, b in zip(inner, outer, strict=True)]  # fmt: skip
    return np.concatenate(inner), np.concatenate(outer), off


def their_estimates(fit, loss, X, y, rng):
    """Return estimate, naive standard error and its multiple: of cross-validation, then of nested."""
    made = [their_repeat(fit, loss, X, y, rng) for _ in range(REPEATS)]
    inner, off = np.concatenate([m[0] for m in made]), np.concatenate([m[2] for m in made])
    once = made[0][1]
    cv = np.mean([m[1].mean() for m in made])
    kept = len(y) * (FOLDS - 1) // FOLDS
    times = math.sqrt(max(0.0, off.mean())) / (inner.std(ddof=1) / math.sqrt(kept))
    bias = (inner.mean() - cv) * (1 + ((FOLDS - 2) / FOLDS) ** 1.5)
    error = inner.std(ddof=1) / math.sqrt(len(y))
    return (
        (once.mean(), once.std(ddof=1) / math.sqrt(len(y)), 1.0),
        (inner.mean() - bias, error, max(1.0, min(times, math.sqrt(FOLDS)))),
    )


# --- ours -------------------------------------------------------------------------------------


def ours(scheme, X, y, measure, rng, **task):
    """Return value and limits of pooled cross-validation, its mean over folds, and nested."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        p = run(
            scheme, X, y, resampling=f"nested_cv(k={FOLDS}, repeats=10)", rng=rng, progress=False, **task
        )  # fmt: skip
        once = plain(p)
        asked = ((once, "pooled"), (once, "fold_mean"), (p, "nested_cv"))
        return [
            evaluate(each, measure, estimate=name, confidence_level=LEVEL).estimates[0].interval
            for each, name in asked
        ]


POOLED, MEAN = "ten folds, pooled cases: coverage", "ten folds, mean by default: coverage"
NESTED, WIDTH = "nested: coverage", "nested: width, of naive"
SAID = {
    POOLED: redone("naive, theirs"),
    MEAN: between(0.9, 1, "0.9, nominal"),
    NESTED: redone("nested, theirs"),
    WIDTH: redone("nested width, theirs"),
}


def held(interval, truth):
    """Return whether an interval holds; NaN where there is none."""
    return float(interval.low <= truth <= interval.high) if interval else math.nan


def compared(found, theirs, truth, covers):
    """Return the figures of a sample: whether each interval holds the error of the model at hand."""
    pooled, mean, nested = found
    (_, naive, _), (_, error, times) = theirs
    return {
        POOLED: held(pooled, truth),
        "naive, theirs": covers(theirs[0], truth),
        MEAN: held(mean, truth),
        NESTED: held(nested, truth),
        "nested, theirs": covers(theirs[1], truth),
        WIDTH: (nested.high - nested.low) / (2 * Z * naive) if nested else math.nan,
        "nested width, theirs": error * times / naive,
    }


def on_its_scale(estimate, truth):
    """Return whether estimate plus and minus so many standard errors holds."""
    value, error, times = estimate
    return float(abs(truth - value) <= Z * error * times)


def by_arcsine(estimate, truth, n):
    """The same of a share, on the scale on which its variance is known."""
    value, _, times = estimate
    gap = math.asin(math.sqrt(truth)) - math.asin(math.sqrt(min(max(value, 0.0), 1.0)))
    return float(abs(gap) <= Z * times / math.sqrt(4 * n))


def squared(predicted, y):
    return (predicted - y) ** 2


def least_squares(n, rng, columns=20):
    """Their design of least squares: nothing to learn, which does not matter to it."""
    X, y = rng.normal(size=(n, columns)), rng.normal(size=n)
    fresh, z = rng.normal(size=(FRESH, columns)), rng.normal(size=FRESH)
    model = learners.ols(X, y, np.ones((1, n)))
    truth = squared(model(fresh)[0], z).mean()
    found = ours("linear-regression", X, y, "mse", rng, task="numeric")
    theirs = their_estimates(learners.ols, squared, X, y, rng)
    return compared(found, theirs, truth, on_its_scale)


OLS = partial(
    design, PAPER, place="programs of the article: stephenbates19/nestedcv_experiments, ols.R",
    published=SAID, samples=300,
)  # fmt: skip


SKEWED = (
    "The standard error is the same. Theirs takes it as known; ours has Satterthwaite's degrees of freedom, "
    "and limits that lean as squared errors do."
)


@OLS(
    "Least squares, 20 columns, 40 rows, 90 % intervals for the error of the model at hand",
    why=dict.fromkeys(
        (POOLED, MEAN),
        "With two cases for each column Credibly gives no such interval: one cross-validation cannot show how "
        "unstable what is learned is. It says what would.",
    ),
)
def least_squares_of_40(rng):
    return least_squares(40, rng)


@OLS("Least squares, 20 columns, 100 rows", why={WIDTH: SKEWED})
def least_squares_of_100(rng):
    return least_squares(100, rng)


@OLS("Least squares, 20 columns, 400 rows")
def least_squares_of_400(rng):
    return least_squares(400, rng)


# --- logistic regression ----------------------------------------------------------------------


class Newton(ClassifierMixin, BaseEstimator):
    """Logistic regression without a penalty, as `learners.logistic` has it."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        self.model_ = learners.logistic(X, y, np.ones((1, len(y))), penalty=1e-6)
        return self

    def predict_proba(self, X):
        high = 1 / (1 + np.exp(-np.clip(self.model_(X)[0], -30, 30)))
        return np.column_stack([1 - high, high])

    def predict(self, X):
        return (self.model_(X)[0] > 0).astype(int)


def wrong(logit, y):
    return ((logit > 0) != (y > 0)).astype(float)


def logistic(strength, rng, n=100, columns=10):
    """Their design in few dimensions: the logit is a multiple of the first column."""

    def draw(rows):
        X = rng.normal(size=(rows, columns))
        return X, (rng.random(rows) < 1 / (1 + np.exp(-strength * X[:, 0]))).astype(int)

    X, y = draw(n)
    fresh, z = draw(FRESH)
    fit = partial(learners.logistic, penalty=1e-6)
    truth = wrong(fit(X, y, np.ones((1, n)))(fresh)[0], z).mean()
    found = ours(Newton(), X, y, "error_rate", rng, positive=1)
    theirs = their_estimates(fit, wrong, X, y, rng)
    return compared(found, theirs, truth, partial(by_arcsine, n=n))


LOGISTIC = partial(
    design, PAPER, place="programs of the article: stephenbates19/nestedcv_experiments, lowd_logistic.R",
    published=SAID, samples=100,
)  # fmt: skip


@LOGISTIC("Logistic regression, 10 columns, 100 rows, logit 1 times a column, error rate")
def logistic_1(rng):
    return logistic(1, rng)


@LOGISTIC("Logistic regression, 10 columns, 100 rows, logit 2 times a column, error rate")
def logistic_2(rng):
    return logistic(2, rng)
