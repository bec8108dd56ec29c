"""Ranks of points under the weights of replicates, some of them side by side in the lanes of registers.

Weights are whole numbers, a row for each point and a column (a lane) for each replicate, so all sums but
the last products are exact. The formulas of the measures themselves are the twins.
"""

# ruff: noqa: ANN401 -- compiled functions take arrays of any kind

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._kernels import kernel, poisson_lanes
from credibly._kernels.draws import key_of, tile
from credibly._kernels.poisson_lanes import LANES, OFFSETS, POISSON, U64

if TYPE_CHECKING:
    Lanes = NDArray[np.uint16]
    Places = NDArray[np.intp]
    Flags = NDArray[np.bool_]

# Points whose weights are held in 64 lanes; of more, a few replicates fill the memory.
MAX_POINTS = 1 << 18
MAX_POINTS_PER_THREAD = 1 << 16  # points up to which threads may each hold their lanes: 40 MB


def lane_weights(case: NDArray[np.uint64], out: Lanes, *, seed: int, block: int) -> Lanes:
    """Write the weights that `poisson_weights` gives to a block of 64 replicates, a column for each."""
    poisson_lanes.fill_lanes(case, U64(key_of(seed, POISSON, block)), OFFSETS, *tile(), out)
    return out


def middle_places(weight: Lanes) -> tuple[Places, Places]:
    """Return, for each lane, the first place up to which at least, and more than, half of the weight lies.

    >>> weight = np.repeat([[1, 0, 1]], 64, axis=0).T.astype(np.uint16)
    >>> [int(at[0]) for at in middle_places(weight)]
    [0, 2]
    """
    low, high = np.zeros((2, LANES), np.int64)
    _middle(weight, weight.sum(axis=0, dtype=np.int64), low, high)
    return low, high


def rank_products(
    weight: Lanes, order: Places, new: Flags, new_first: Flags, room: NDArray[np.int32]
) -> Floats:
    """Return the sums of products of the ranks with one another, of the first and of the second ones.

    Points stand in their first order, and ``order`` is the second one; ``new`` and ``new_first`` say where
    a value differs from the one before it in its order. Ties share their mean rank; ranks are twice those
    of the points, less their mean. There is ``room`` for a row of lanes for each point.
    """
    out, total = np.zeros((3, LANES)), np.zeros(LANES, np.int32)
    _rank(weight, order, new, room, total)
    _multiply(weight, new_first, room, total, out)
    return out


def balance(weight: Lanes, first: Places, second: Places, room: NDArray[np.int32]) -> Floats:
    """Return concordant less discordant pairs, pairs of different first, and of different second places.

    Points stand in their first order, and places count from 0 without gaps. There is ``room`` for two
    rows of lanes for each point, and one more.
    """
    out = np.zeros((3, LANES))
    size = int(second.max()) + 1
    room[: 2 * size + 1] = 0
    at = room[:size]
    _climb(weight, first, second, room[size : 2 * size + 1], at, out[0])
    _pairs_apart(weight, first, out[1])
    _pairs_apart(at, np.arange(size), out[2])
    return out


@kernel()
def _middle(weight: Any, total: Any, low: Any, high: Any) -> None:
    so_far = np.zeros(LANES, np.int64)
    for i in range(weight.shape[0]):
        for lane in range(LANES):
            so_far[lane] += 2 * np.int64(weight[i, lane])
            low[lane] += so_far[lane] < total[lane]
            high[lane] += so_far[lane] <= total[lane]


# In few pieces: the compiler keeps sums of lanes in registers only where it sees all that happens to them.


@kernel()
def _rank(weight: Any, order: Any, new: Any, rank: Any, total: Any) -> None:
    """Write twice the second rank of each point, and the weight of all."""
    n, i = weight.shape[0], 0
    before, within = np.zeros(LANES, np.int32), np.zeros(LANES, np.int32)
    while i < n:
        start = i
        for lane in range(LANES):
            within[lane] = 0
        while True:
            row = order[i]
            for lane in range(LANES):
                within[lane] += np.int32(weight[row, lane])
            i += 1
            if i == n or new[i]:
                break
        for j in range(start, i):
            row = order[j]
            for lane in range(LANES):
                rank[row, lane] = 2 * before[lane] + within[lane]
        for lane in range(LANES):
            before[lane] += within[lane]
    for lane in range(LANES):
        total[lane] = before[lane]


@kernel()
def _multiply(weight: Any, new: Any, rank: Any, total: Any, out: Any) -> None:
    """Add up the products of both ranks; points stand in the order of the first."""
    n, i = weight.shape[0], 0
    before, within, part = np.zeros(LANES, np.int32), np.zeros(LANES, np.int32), np.zeros(LANES)
    both, ones, others = np.zeros(LANES), np.zeros(LANES), np.zeros(LANES)
    while i < n:
        for lane in range(LANES):
            within[lane] = 0
            part[lane] = 0.0
        while True:
            for lane in range(LANES):
                w = np.int32(weight[i, lane])
                within[lane] += w
                second = np.float64(rank[i, lane] - total[lane])
                weighted = w * second
                part[lane] += weighted
                others[lane] += weighted * second
            i += 1
            if i == n or new[i]:
                break
        for lane in range(LANES):
            first = np.float64(2 * before[lane] + within[lane] - total[lane])
            both[lane] += first * part[lane]
            ones[lane] += first * first * within[lane]
            before[lane] += within[lane]
    out[0], out[1], out[2] = both, ones, others


@kernel()
def _climb(  # noqa: C901
    weight: Any, first: Any, second: Any, tree: Any, at: Any, out: Any
) -> None:
    """Add the points to a binary indexed tree by their second place, as `concordance` does for one set.

    Those of an equal first place look before any of them is added, so they make no pairs.
    """
    start, added, balanced = 0, np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    below = np.zeros(LANES, np.int32)
    while start < weight.shape[0]:
        end = start
        while end < weight.shape[0] and first[end] == first[start]:
            place = second[end]
            for lane in range(LANES):
                below[lane] = 0
            i = place
            while i > 0:
                for lane in range(LANES):
                    below[lane] += tree[i, lane]
                i &= i - 1
            for lane in range(LANES):
                gap = 2 * np.int64(below[lane]) + np.int64(at[place, lane]) - added[lane]
                balanced[lane] += np.int64(weight[end, lane]) * gap
            end += 1
        for k in range(start, end):
            i = second[k] + 1
            while i < tree.shape[0]:
                for lane in range(LANES):
                    tree[i, lane] += np.int32(weight[k, lane])
                i += i & -i
            for lane in range(LANES):
                at[second[k], lane] += np.int32(weight[k, lane])
                added[lane] += np.int64(weight[k, lane])
        start = end
    out[:] = balanced


@kernel()
def _pairs_apart(weight: Any, place: Any, out: Any) -> None:
    """Count the pairs of different places; rows of a place stand together."""
    before, within, apart = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64), np.zeros(LANES)
    for i in range(weight.shape[0]):
        if i and place[i] != place[i - 1]:
            for lane in range(LANES):
                before[lane] += within[lane]
                within[lane] = 0
        for lane in range(LANES):
            w = np.int64(weight[i, lane])
            within[lane] += w
            apart[lane] += np.float64(w * before[lane])
    out[:] = apart
