"""Cross-validation: every row is tested once in each repeat."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.errors import DataError
from credibly._core.parameters import SWITCH, whole
from credibly.resampling._declare import resampling
from credibly.resampling._splits import Plan

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from credibly.resampling._rows import Rows

    Indices = NDArray[np.intp]


@resampling(
    "k-fold cross-validation",
    promises=("disjoint", "covers", "stratified"),
    aliases=("cv", "kfold", "k_fold"),
    where={"k": whole(2), "repeats": whole(1), "stratified": SWITCH},
    cite="Kohavi, R. (1995) A study of cross-validation and bootstrap for accuracy estimation and model selection. IJCAI 1995, 1137-1143.",
)
def folds(
    rows: Rows,
    rng: np.random.Generator,
    *,
    k: int = 10,
    repeats: int = 1,
    stratified: bool = True,
) -> Plan:
    """Cut the rows at random into k folds of equal size; test each on a model of the others.

    Rows are sorted by class, in random order within a class, and dealt to the folds like cards, so
    that the folds, and the rows of each class in them, differ by at most one row.

    >>> splits = folds(k=5, repeats=2).realise(20, [0, 1] * 10, rng=1)
    >>> len(splits), splits[0].test.size, splits[9].repeat
    (10, 4, 1)
    """
    enough_rows(rows.n, k)
    return by_fold(
        k, repeats, rng, lambda r: deal(rows.strata if stratified else None, rows.n, k, r)
    )


@resampling(
    "leave-one-out",
    promises=("disjoint", "covers"),
    aliases=("loo", "leave_one_out_cv"),
    cite="Stone, M. (1974) Cross-validatory choice and assessment of statistical predictions. Journal of the Royal Statistical Society B 36, 111-147.",
)
def leave_one_out(rows: Rows) -> Plan:
    """Test each row by itself on a model of all others: k-fold cross-validation with k = n.

    Nothing in it is random, and it cannot be stratified: a row of a class is missing from the very
    training part that it is tested on.

    >>> [s.test.tolist() for s in leave_one_out.realise(3)]
    [[0], [1], [2]]
    """
    enough_rows(rows.n, 2)
    return Plan(rows.n, lambda i: np.array([i]), folds=rows.n)


def enough_rows(n: int, k: int) -> None:
    """Refuse more folds than rows."""
    if k > n:
        msg = f"{k} folds need at least {k} rows; there are {n}. Use a smaller k, at most {n}."
        raise DataError(msg)


def deal(strata: Indices | None, n: int, k: int, rng: np.random.Generator) -> Indices:
    """Return a fold for each row: sorted by class, random within, dealt in turn."""
    order = shuffled(strata, n, rng)
    fold = np.empty(n, np.intp)
    fold[order] = np.arange(n) % k
    return fold


def shuffled(strata: Indices | None, n: int, rng: np.random.Generator) -> Indices:
    """Return the rows in random order, those of a class together where there are classes."""
    order = rng.permutation(n)
    return order if strata is None else order[np.argsort(strata[order], kind="stable")]


def by_fold(
    k: int,
    repeats: int,
    rng: np.random.Generator,
    assign: Callable[[np.random.Generator], Indices],
) -> Plan:
    """Plan k folds a repeat from a function that gives each row its fold.

    Each repeat has a seed of its own, so any split can be made without those before it.
    """
    seeds = rng.integers(0, 2**63, repeats)

    @lru_cache(maxsize=1)
    def tests(repeat: int) -> list[Indices]:
        return parts_of(assign(np.random.default_rng(seeds[repeat])), k)

    return Plan(repeats * k, lambda i: tests(i // k)[i % k], folds=k)


def parts_of(codes: Indices, k: int) -> list[Indices]:
    """Return the rows of each code, in ascending order."""
    ends = np.cumsum(np.bincount(codes, minlength=k))
    return np.split(np.argsort(codes, kind="stable"), ends[:-1])
