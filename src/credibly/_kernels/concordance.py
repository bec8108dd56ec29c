"""Pairs of cases that two rankings put in the same order, less those that they put in opposite orders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._kernels import kernel, worth_compiling

if TYPE_CHECKING:
    Places = NDArray[np.int64]

BATCHES = 16  # of sets of weights, which seldom come alone


def concordant_less_discordant(first: Places, second: Places, weight: Floats) -> Floats:
    """Return the weight of concordant less that of discordant pairs of points.

    Points have their places in both rankings, equal ones where they tie, and come in the order of the
    first. There may be several sets of weights.

    >>> concordant_less_discordant(np.array([0, 1, 2]), np.array([0, 2, 1]), np.ones((2, 3)))
    array([1., 1.])
    """
    often = 1 if weight.ndim == 1 else BATCHES
    count = _climbed if worth_compiling(often * weight.size) else _merged
    sets = np.ascontiguousarray(weight, np.float64).reshape(-1, weight.shape[-1])
    return np.array([count(first, second, w) for w in sets]).reshape(weight.shape[:-1])


@kernel()
def _climbed(first: Any, second: Any, weight: Any) -> Any:  # noqa: ANN401
    """Add the points to a binary indexed tree of weights by their second place.

    Those of an equal first place look before any of them is added, so they make no pairs.
    """
    n, size = weight.size, second.max() + 1
    tree, at = np.zeros(size + 1), np.zeros(size)
    total, added = 0.0, 0.0
    start = 0
    while start < n:
        end = start
        while end < n and first[end] == first[start]:
            place = second[end]
            below, i = 0.0, place
            while i > 0:
                below += tree[i]
                i &= i - 1
            total += weight[end] * (2.0 * below + at[place] - added)
            end += 1
        for k in range(start, end):
            i = second[k] + 1
            while i <= size:
                tree[i] += weight[k]
                i += i & -i
            at[second[k]] += weight[k]
            added += weight[k]
        start = end
    return total


def _merged(first: Places, second: Places, weight: Floats) -> float:
    """The twin: merge sorted halves, all of one width at a time.

    A point of a right half is concordant with the weight below it on the left and discordant with the
    weight above it. Points that tie in the first place are put in the order of the second, so they look
    concordant or tied, and what they add is taken off.
    """
    order = np.lexsort((second, first))
    truth, value, mass = first[order], second[order], weight[order]
    place = np.arange(mass.size)
    total, width = 0.0, 1
    while width < mass.size:
        block, right = place // (2 * width), (place // width) % 2 == 1
        by_value = np.lexsort((value, block))
        total += _across(*(x[by_value] for x in (value, block, right, mass)))
        width *= 2
    by_truth = np.bincount(truth, mass)
    point = np.unique(truth * (value.max() + 1) + value, return_inverse=True)[1]
    return total - float(np.square(by_truth).sum() - np.square(np.bincount(point, mass)).sum()) / 2


def _across(value: Any, block: Any, right: Any, weight: Any) -> float:  # noqa: ANN401
    """Return what pairs across the halves of each block add."""
    left = np.where(right, 0.0, weight)
    total = np.concatenate([[0.0], np.cumsum(left)])
    new_block = np.flatnonzero(np.concatenate([[True], block[1:] != block[:-1]]))
    starts = np.repeat(new_block, np.diff(new_block, append=block.size))
    ends = np.repeat(np.append(new_block[1:], block.size), np.diff(new_block, append=block.size))
    change = np.concatenate([[True], (block[1:] != block[:-1]) | (value[1:] != value[:-1])])
    first = np.flatnonzero(change)
    size = np.diff(first, append=block.size)
    tie_start, tie_end = np.repeat(first, size), np.repeat(first + size, size)
    below = total[tie_start] - total[starts]
    above = total[ends] - total[tie_end]
    return float((np.where(right, weight, 0.0) * (below - above)).sum())
