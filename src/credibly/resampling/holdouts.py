"""Holding out: one part of the rows is kept for testing."""

from __future__ import annotations

import numpy as np

from credibly._core.arrays import Indices
from credibly._core.names import Names
from credibly._core.parameters import SHARE_RULE, whole
from credibly.errors import DataError, ParameterError
from credibly.resampling._declare import resampling
from credibly.resampling._rows import Rows
from credibly.resampling._splits import SplitPlan, others
from credibly.resampling.cross_validation import enough_rows, shuffled


@resampling(
    "resubstitution",
    promised=("covers",),
    aliases=Names("training_set, apparent", texts="resubstitution", weka="Use training set"),
    cite="Efron, B. (1983) Estimating the error rate of a prediction rule. Journal of the American Statistical Association 78, 316-331.",
)
def resubstitution(rows: Rows) -> SplitPlan:
    """Test on the very rows that were trained on: how well a model fits, not how well it predicts.

    >>> resubstitution.realise(3)[0].test
    array([0, 1, 2])
    """
    every = np.arange(rows.n)
    return SplitPlan(1, lambda _: every, lambda _: every)


@resampling(
    "holdout",
    promised=("disjoint", "stratified"),
    aliases=Names(
        "train_test",
        texts="holdout method, hold-out",
        weka="Percentage split",
        sklearn="train_test_split",
    ),
    constraints={"test": SHARE_RULE},
    cite="Witten, I. H., Frank, E. & Hall, M. A. (2011) Data Mining, 3rd ed., sec. 5.3.",
)
def holdout(
    rows: Rows,
    rng: np.random.Generator,
    *,
    test: float = 1 / 3,
    stratified: bool = True,
    swapped: bool = False,
) -> SplitPlan:
    """Train on a random part of the rows and test on the rest, a third by default.

    ``swapped`` adds a second split with the roles of the two parts exchanged.

    >>> [s.test.size for s in holdout(swapped=True).realise(30, rng=1)]
    [10, 20]
    """
    enough_rows(rows.n, 2, "Two parts")
    tested = sample(rows.strata if stratified else None, rows.n, test, rng)
    parts = [tested, others(tested, rows.n)]
    return SplitPlan(1 + swapped, lambda i: parts[i], folds=1 + swapped)


@resampling(
    "training, validation and test part",
    promised=("disjoint", "stratified"),
    aliases=("train_validation_test",),
    constraints={"validation": SHARE_RULE, "test": SHARE_RULE},
    cite="Hastie, T., Tibshirani, R. & Friedman, J. (2009) The Elements of Statistical Learning, 2nd ed., sec. 7.2.",
)
def three_way(
    rows: Rows,
    rng: np.random.Generator,
    *,
    validation: float = 0.25,
    test: float = 0.25,
    stratified: bool = True,
) -> SplitPlan:
    """Cut the rows into a part to train on, a part to choose by and a part to test on.

    >>> split = three_way.realise(20, rng=1)[0]
    >>> split.train.size, split.validation.size, split.test.size
    (10, 5, 5)
    """
    if validation + test >= 1:
        raise ParameterError(
            f"three_way leaves no row to train on: validation={validation} and test={test} make 1."
        )
    strata = rows.strata if stratified else None
    if rows.n < 3:
        raise DataError(f"three_way needs at least 3 rows; there are {rows.n}.")
    tested = sample(strata, rows.n, test, rng)
    rest = others(tested, rows.n)
    inside = None if strata is None else strata[rest]
    chosen = sample(inside, rest.size, validation / (1 - test), rng)
    train, validate = rest[others(chosen, rest.size)], rest[chosen]
    return SplitPlan(1, lambda _: tested, lambda _: train, lambda _: validate)


@resampling(
    "repeated holdout",
    promised=("disjoint", "stratified"),
    aliases=Names(
        "monte_carlo",
        texts="random subsampling, repeated holdout",
        sklearn="ShuffleSplit, StratifiedShuffleSplit, shuffle_split",
        caret="LGOCV",
    ),
    constraints={"test": SHARE_RULE, "repeats": whole(1)},
    cite="Nadeau, C. & Bengio, Y. (2003) Inference for the generalization error. Machine Learning 52, 239-281.",
)
def repeated_holdout(
    rows: Rows,
    rng: np.random.Generator,
    *,
    test: float = 1 / 3,
    repeats: int = 10,
    stratified: bool = True,
) -> SplitPlan:
    """Hold out another random part of the rows in each repeat.

    >>> [s.test.size for s in repeated_holdout(test=0.1, repeats=3).realise(50, rng=1)]
    [5, 5, 5]
    """
    strata = rows.strata if stratified else None
    seeds = rng.integers(0, 2**63, repeats)
    enough_rows(rows.n, 2, "Two parts")
    return SplitPlan(
        repeats, lambda i: sample(strata, rows.n, test, np.random.default_rng(seeds[i]))
    )


def sample(strata: Indices | None, n: int, share: float, rng: np.random.Generator) -> Indices:
    """Draw a share of the rows, of every class as near to it as whole rows allow.

    Rows are sorted by class, in random order within a class, and taken at equal steps from a
    random start; so a class gives its share of rows, rounded down or up.
    """
    m = min(max(round(n * share), 1), n - 1)
    steps = np.floor((np.arange(m) + rng.random()) * (n / m)).astype(np.intp)
    return np.sort(shuffled(strata, n, rng)[np.minimum(steps, n - 1)])
