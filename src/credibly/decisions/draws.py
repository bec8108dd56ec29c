"""Parts of the cases and folds of them, drawn as counts: what rows stand for is never written out.

Up to a million cases are drawn by their places, as if each had a row of its own, so that counted rows
give what these would. Of more, the number from each row is drawn at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly.predictions.labels import distinct

if TYPE_CHECKING:
    from credibly.decisions.problem import DecisionProblem

    Whole = NDArray[np.int64]

DEFAULT_FOLDS = 10
DEFAULT_REPEATS, MANY_CASES = 5, 20_000  # deals; with many cases one says as much
MAX_DRAWN_BY_PLACE = 1_000_000  # cases that may be drawn by their places
CHEAP_DRAWS = 4  # places that are drawn as quickly as the count of a row
MAX_DRAWN = 10**9  # cases of which numpy draws without replacement


def units_of(problem: DecisionProblem) -> tuple[NDArray[Any] | None, int]:
    """Return the group that each row belongs to, if there are any, and how many groups or cases there are."""
    clusters = problem.cases.clusters
    if clusters is None:
        return None, problem.size
    labels = distinct(clusters)
    return labels.codes, len(labels.values)


def subsamples(
    problem: DecisionProblem, m: int, *, seed: int, replicates: int
) -> Iterator[tuple[Whole, NDArray[np.float64]]]:
    """Yield parts of m cases, or groups, drawn without replacement: rows, and the weight of each."""
    units, n = units_of(problem)
    weight = problem.cases.weights
    rng = np.random.default_rng(seed)
    for _ in range(replicates):
        if units is None and problem.counted:
            counts = drawn(weight.astype(np.int64), m, rng)
            rows = np.flatnonzero(counts)
            yield rows, counts[rows].astype(np.float64)
            continue
        rows = rng.choice(n, m, replace=False, shuffle=False)
        if units is not None:
            rows = np.flatnonzero(np.isin(units, rows))
        yield rows, weight[rows]


def drawn(weight: Whole, m: int, rng: np.random.Generator) -> Whole:
    """Return how many of m cases, drawn without replacement, come from each row.

    >>> counts = drawn(np.array([10**12, 0, 3 * 10**12]), 4000, np.random.default_rng(1))
    >>> int(counts.sum()), 900 < int(counts[0]) < 1100
    (4000, True)
    """
    n = int(weight.sum())
    if n <= MAX_DRAWN_BY_PLACE or m <= CHEAP_DRAWS * weight.size:
        places = rng.choice(n, m, replace=False, shuffle=False)
        rows = np.searchsorted(np.cumsum(weight), places, side="right")
        return np.bincount(rows, minlength=weight.size)
    if n < MAX_DRAWN:
        return rng.multivariate_hypergeometric(weight, m)
    # Of so many, a part in which a case may come twice is another in one of many thousand cases.
    return np.minimum(rng.multinomial(m, weight / n), weight)


def deals(problem: DecisionProblem, seed: int) -> Iterator[tuple[DecisionProblem, Whole]]:
    """Yield the cases with the fold of each row: whole groups where there are any, else each class alike.

    Cases that are few are dealt several times.
    """
    rng = np.random.default_rng(seed)
    if problem.counted and problem.cases.clusters is None:
        if problem.size >= MANY_CASES:
            yield _dealt(problem, rng)
            return
        problem = problem.expanded()
    units, n = units_of(problem)
    for _ in range(DEFAULT_REPEATS if problem.size < MANY_CASES else 1):
        order = rng.permutation(n)
        if units is None:  # each class in turn, so that every fold has its share
            order = order[np.argsort(problem.cases.truth[order], kind="stable")]
        fold = np.empty(n, np.int64)
        fold[order] = np.arange(n) % min(DEFAULT_FOLDS, n)
        yield problem, fold if units is None else fold[units]


def _dealt(problem: DecisionProblem, rng: np.random.Generator) -> tuple[DecisionProblem, Whole]:
    """Deal many counted cases: a row becomes one for each fold that has some of its cases."""
    weight, truth = problem.cases.weights.astype(np.int64), problem.cases.truth
    counts = np.zeros((truth.size, DEFAULT_FOLDS), np.int64)
    for each in np.unique(truth):
        rows = np.flatnonzero(truth == each)
        counts[rows] = _by_fold(weight[rows], rng)
    rows, fold = np.nonzero(counts)
    made = problem.part(rows, counts[rows, fold].astype(np.float64))
    return replace(made, cases=replace(made.cases, row=None, cache={}), times=1.0), fold


def _by_fold(weight: Whole, rng: np.random.Generator) -> Whole:
    """Return how many cases of each row each fold gets; those of a rare class are dealt one by one."""
    n = int(weight.sum())
    if n > MAX_DRAWN_BY_PLACE:
        return rng.multinomial(weight, np.full(DEFAULT_FOLDS, 1 / DEFAULT_FOLDS))
    rows = np.repeat(np.arange(weight.size), weight)[rng.permutation(n)]
    places = rows * DEFAULT_FOLDS + np.arange(n) % DEFAULT_FOLDS
    return np.bincount(places, minlength=weight.size * DEFAULT_FOLDS).reshape(-1, DEFAULT_FOLDS)
