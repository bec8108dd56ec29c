"""Rows of a matrix that are sorted side by side by a network of comparisons, which has no branches.

A block of rows is turned on its side, so that each comparison of two columns is one step for many rows at once. Each row is
computed alone, so blocks in any number of threads give the same digits.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._kernels import kernel, worth_compiling
from credibly._kernels.threads import spread

LANES = 64  # rows that are sorted side by side: with their columns they fit the first cache
MAX_COLUMNS = 40  # up to which a network beats a sort
ROWS_PER_TASK = 1 << 16
FEW_NUMBERS = 1 << 23  # up to which a thread costs more than it saves
Pairs = NDArray[np.intp]


@cache
def network(n: int) -> Pairs:
    """Return the comparisons that sort n numbers: Batcher's merge exchange (Knuth, volume 3, algorithm 5.2.2M).

    >>> network(3).tolist()
    [[0, 2], [0, 1], [1, 2]]
    """
    pairs: list[tuple[int, int]] = []
    p = top = 1 << max(n - 1, 1).bit_length() - 1
    while p:
        q, r, apart = top, 0, p
        while True:
            pairs += [(i, i + apart) for i in range(n - apart) if i & p == r]
            if q == p:
                break
            apart, q, r = q - p, q // 2, p
        p //= 2
    return np.array(pairs, np.intp).reshape(-1, 2)


def _by_task(run: Any, matrix: Floats) -> None:  # noqa: ANN401
    """Run a kernel on stretches of the rows of a matrix."""
    starts = range(0, len(matrix), ROWS_PER_TASK)
    spread(run, [slice(i, i + ROWS_PER_TASK) for i in starts], large=matrix.size > FEW_NUMBERS)


@kernel()
def _sort(held: Any, pairs: Any) -> None:  # noqa: ANN401
    """Sort each column of a block, the lowest first."""
    for c in range(pairs.shape[0]):
        i, j = pairs[c, 0], pairs[c, 1]
        for r in range(held.shape[1]):
            a, b = held[i, r], held[j, r]
            held[i, r] = min(a, b)
            held[j, r] = max(a, b)


@kernel()
def _distances(matrix: Any, truth: Any, pairs: Any, away: Any, apart: Any) -> None:  # noqa: ANN401
    n, m = matrix.shape
    held, near, far = np.zeros((m, LANES)), np.empty(LANES), np.empty(LANES)
    for start in range(0, n, LANES):
        size = min(LANES, n - start)
        for r in range(size):
            for j in range(m):
                held[j, r] = matrix[start + r, j] - truth[start + r]
        near[:], far[:] = 0.0, 0.0
        for j in range(m):
            for r in range(LANES):
                near[r] += abs(held[j, r])
        _sort(held, pairs)
        for j in range(m):
            times = 2.0 * j + 1.0 - m
            for r in range(LANES):
                far[r] += times * held[j, r]
        for r in range(size):
            away[start + r], apart[start + r] = near[r], far[r]


class Distances(NamedTuple):
    """Of each row the sum of distances to a number, and of those between its members, each pair once."""

    away: Floats
    apart: Floats


def distances(matrix: Floats, truth: Floats) -> Distances:
    """Add up the distances of the members of each row to its truth, and to one another.

    >>> distances(np.array([[1.0, 4.0, 2.0]]), np.array([3.0]))
    Distances(away=array([4.]), apart=array([6.]))
    """
    n, m = matrix.shape
    if not (worth_compiling(n) and m <= MAX_COLUMNS):
        moved = matrix - truth[:, None]
        away = np.abs(moved).sum(axis=1)
        moved.sort(axis=1)
        return Distances(away, moved @ (2.0 * np.arange(m) + 1 - m))
    made, pairs = Distances(np.empty(n), np.empty(n)), network(m)
    _by_task(lambda s: _distances(matrix[s], truth[s], pairs, made.away[s], made.apart[s]), matrix)
    return made


class Likely(NamedTuple):
    """Of each case and class the probability and the number of the classes that are at least as likely."""

    total: Floats
    number: NDArray[np.intp]


@kernel()
def _last_as_likely(held: Any, mine: Any, sums: Any, reached: Any, place: Any) -> None:  # noqa: ANN401
    """Find the last of the classes in falling order that is as likely as mine, so that ties come together."""
    for i in range(held.shape[0]):
        for r in range(mine.size):
            if held[held.shape[0] - 1 - i, r] >= mine[r]:
                reached[r] = sums[i, r]
                place[r] = i + 1


@kernel()
def _at_least_as_likely(q: Any, pairs: Any, total: Any, number: Any) -> None:  # noqa: ANN401
    n, k = q.shape
    held, mine = np.zeros((k, LANES)), np.zeros((k, LANES))
    sums, reached, place = np.zeros((k, LANES)), np.empty(LANES), np.empty(LANES, np.intp)
    for start in range(0, n, LANES):
        size = min(LANES, n - start)
        for r in range(size):
            for j in range(k):
                mine[j, r] = q[start + r, j]
                held[k - 1 - j, r] = mine[j, r]
        _sort(held, pairs)
        for r in range(LANES):
            reached[r] = 0.0
        for i in range(k):
            for r in range(LANES):
                reached[r] += held[k - 1 - i, r]
                sums[i, r] = reached[r]
        sums[k - 1, :] = 1.0  # all classes, which rounding must not put in an order
        for j in range(k):
            _last_as_likely(held, mine[j], sums, reached, place)
            for r in range(size):
                total[start + r, j] = reached[r]
                number[start + r, j] = place[r]


def at_least_as_likely(q: Floats) -> Likely:
    """Add up, for each class of a case, the probabilities of all that are at least as likely; of all classes they are 1.

    >>> at_least_as_likely(np.array([[0.25, 0.5, 0.25]])).total.tolist()
    [[1.0, 0.5, 1.0]]
    """
    made = Likely(np.empty(q.shape), np.empty(q.shape, np.intp))
    if worth_compiling(len(q)) and q.shape[1] <= MAX_COLUMNS:
        pairs = network(q.shape[1])
        _by_task(lambda s: _at_least_as_likely(q[s], pairs, made.total[s], made.number[s]), q)
        return made
    order = np.argsort(-q, axis=1, kind="stable")
    falling = np.take_along_axis(q, order, axis=1)
    # Classes of the same probability come together: each has the sums up to the last of them.
    classes = np.arange(q.shape[1])
    ends = np.diff(falling, axis=1, append=-1.0) < 0
    last = np.minimum.accumulate(np.where(ends, classes, classes.size)[:, ::-1], axis=1)[:, ::-1]
    sums = np.take_along_axis(np.cumsum(falling, axis=1), last, axis=1)
    sums[last == classes.size - 1] = 1.0  # all classes, which rounding must not put in an order
    np.put_along_axis(made.total, order, sums, axis=1)
    np.put_along_axis(made.number, order, last + 1, axis=1)
    return made
