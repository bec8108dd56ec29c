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
WIDEST = 1 << 18
SHARED = 1 << 16  # points up to which threads may each hold their lanes: 40 MB


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
    out = np.zeros((3, LANES))
    _multiply(weight, order, new, new_first, room, out)
    return out


def balance(weight: Lanes, first: Places, second: Places, room: NDArray[np.int32]) -> Floats:
    """Return concordant less discordant pairs, pairs of different first, and of different second places.

    Points stand in their first order, and places count from 0 without gaps. There is ``room`` for two
    rows of lanes for each point, and one more.
    """
    out = np.zeros((3, LANES))
    size = int(second.max()) + 1
    room[: 2 * size + 1] = 0
    _climb(weight, first, second, room[size : 2 * size + 1], room[:size], out)
    return out


@kernel()
def _middle(weight: Any, total: Any, low: Any, high: Any) -> None:
    so_far = np.zeros(LANES, np.int64)
    for i in range(weight.shape[0]):
        for lane in range(LANES):
            so_far[lane] += 2 * np.int64(weight[i, lane])
            low[lane] += so_far[lane] < total[lane]
            high[lane] += so_far[lane] <= total[lane]


# In one piece each: the compiler keeps sums of lanes in registers only where it sees all that happens to them.


@kernel()
def _multiply(  # noqa: C901
    weight: Any, order: Any, new: Any, new_first: Any, rank: Any, out: Any
) -> None:
    n = weight.shape[0]
    before, within, total = (
        np.zeros(LANES, np.int32),
        np.zeros(LANES, np.int32),
        np.zeros(LANES, np.int32),
    )
    part, both, ones, others = np.zeros(LANES), np.zeros(LANES), np.zeros(LANES), np.zeros(LANES)
    i = 0
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
        before[lane] = 0
    i = 0
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
            if i == n or new_first[i]:
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
    n = weight.shape[0]
    added, within = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    balanced, apart, below = np.zeros(LANES, np.int64), np.zeros(LANES), np.zeros(LANES, np.int32)
    start = 0
    while start < n:
        end = start
        for lane in range(LANES):
            within[lane] = 0
        while end < n and first[end] == first[start]:
            place = second[end]
            for lane in range(LANES):
                below[lane] = 0
            i = place
            while i > 0:
                for lane in range(LANES):
                    below[lane] += tree[i, lane]
                i &= i - 1
            for lane in range(LANES):
                w = np.int64(weight[end, lane])
                gap = 2 * np.int64(below[lane]) + np.int64(at[place, lane]) - added[lane]
                balanced[lane] += w * gap
                within[lane] += w
            end += 1
        for k in range(start, end):
            place = second[k]
            i = place + 1
            while i < tree.shape[0]:
                for lane in range(LANES):
                    tree[i, lane] += np.int32(weight[k, lane])
                i += i & -i
            for lane in range(LANES):
                at[place, lane] += np.int32(weight[k, lane])
        for lane in range(LANES):
            apart[lane] += np.float64(within[lane] * added[lane])
            added[lane] += within[lane]
        start = end
    for lane in range(LANES):
        out[0, lane], out[1, lane] = balanced[lane], apart[lane]
        within[lane] = 0
        apart[lane] = 0.0
    for place in range(at.shape[0]):
        for lane in range(LANES):
            size = np.int64(at[place, lane])
            apart[lane] += np.float64(size * within[lane])
            within[lane] += size
    for lane in range(LANES):
        out[2, lane] = apart[lane]
