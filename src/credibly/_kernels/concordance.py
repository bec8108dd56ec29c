"""Pairs of cases that two rankings put in the same order, less those that they put in opposite orders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, dot
from credibly._kernels import kernel, worth_compiling

if TYPE_CHECKING:
    Places = NDArray[np.int64]

WEIGHT_SETS_PER_BATCH = 16  # sets of weights seldom come alone
WORD, BLOCK, GROUP = 64, 512, 64  # bits, bits, blocks
PAIRS, FOURS, EIGHTS, ONES = (np.uint64(0xFFFFFFFFFFFFFFFF // d) for d in (3, 5, 17, 255))
MAX_COMPARED = 64  # points that are compared each with each
LATER_PAIRS = np.triu(np.ones((MAX_COMPARED, MAX_COMPARED), bool), 1)


def concordant_less_discordant(first: Places, second: Places, weight: Floats) -> Floats:
    """Return the weight of concordant less that of discordant pairs of points.

    Points have their places in both rankings, from 0 without gaps, equal ones where they tie. There may
    be several sets of weights.

    >>> concordant_less_discordant(np.array([0, 1, 2]), np.array([0, 2, 1]), np.ones((2, 3)))
    array([1., 1.])
    """
    sets = np.asarray(weight, np.float64).reshape(-1, weight.shape[-1])
    often = first.size.bit_length() * (1 if weight.ndim == 1 else WEIGHT_SETS_PER_BATCH)
    compiled = worth_compiling(often * weight.size)
    if not (_ties(first) or _ties(second)) and all(map(_alike, sets)):
        pairs, here = first.size * (first.size - 1) // 2, np.empty(first.size, np.int32)
        here[first] = second
        discordant = _inverted(here) if compiled else _dealt(here, np.ones(here.size))
        return (pairs - 2.0 * discordant) * np.square(weight[..., 0])
    order = _order(first, second)
    first, second = first[order], second[order]
    count = _climbed if compiled else _balanced
    found = [count(first, second, each[order]) for each in sets]
    return np.array(found).reshape(weight.shape[:-1])


def _order(first: Places, second: Places) -> Places:
    """Return the points in the order of the first places and, where these tie, of the second."""
    if _ties(first):
        return np.argsort(first * (second.max() + 1) + second)
    order = np.empty_like(first)
    order[first] = np.arange(first.size)
    return order


def _ties(places: Places) -> bool:
    """Whether some points share a place."""
    return int(places.max()) + 1 < places.size


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


@kernel()
def _inverted(here: Any) -> Any:  # noqa: ANN401
    """Count the pairs of a permutation that stand in opposite order, by a bit for each place that was met.

    Those met above a place are counted in its block of bits, and kept for the blocks of a group, and
    for the groups, so that each step is a few vectors wide.
    """
    blocks = (here.size + BLOCK - 1) // BLOCK
    bits = np.zeros(blocks * (BLOCK // WORD), np.uint64)
    above_block = np.zeros(((blocks + GROUP - 1) // GROUP, GROUP), np.int32)
    above_group = np.zeros(above_block.shape[0], np.int32)
    total = 0
    for i in range(here.size):
        place = np.int64(here[i])
        word, block = place // WORD, place // BLOCK
        group, within = block // GROUP, block % GROUP
        bit = np.uint64(place % WORD)
        met = above_block[group, within] + above_group[group] + np.int64(_ones(bits[word] >> bit))
        for later in range(word + 1, (block + 1) * (BLOCK // WORD)):
            met += np.int64(_ones(bits[later]))
        total += met
        bits[word] |= np.uint64(1) << bit
        for k in range(GROUP):
            above_block[group, k] += np.int32(k < within)
        for k in range(above_group.size):
            above_group[k] += np.int32(k < group)
    return total


@kernel()
def _ones(word: Any) -> Any:  # noqa: ANN401
    """Count the bits that are set."""
    word -= (word >> np.uint64(1)) & PAIRS
    word = (word & FOURS) + ((word >> np.uint64(2)) & FOURS)
    return (((word + (word >> np.uint64(4))) & EIGHTS) * ONES) >> np.uint64(56)


def _balanced(first: Places, second: Places, weight: Floats) -> float:
    """The twin of `_climbed`: untied pairs less twice the discordant ones."""
    new = np.append(True, (np.diff(first) != 0) | (np.diff(second) != 0))
    sides = [_differing(np.bincount(side, weight).astype(float)) for side in (first, second)]
    untied = sum(sides) - _differing(np.add.reduceat(weight, np.flatnonzero(new)))
    here = np.empty(first.size, np.int32)
    # Equal places become successive.
    here[np.argsort(second, kind="stable")] = np.arange(first.size)
    return untied - 2 * _dealt(here, weight)


def _dealt(here: NDArray[np.int32], weight: Floats) -> float:
    """The twin of `_inverted`: deal out the places by their bits, the highest first, as a radix sort from the top.

    A point whose bit is 0 is discordant with all of the same higher bits that came before it with a 1.
    Each bit is a pass in a few steps over all points; the last bits of equal weights are one step.
    """
    n, total, alike = here.size, 0.0, _alike(weight)
    place, ones = np.arange(n, dtype=np.int32), np.zeros(n + 1, int)
    half, unit = 1 << max(n - 1, 0).bit_length() >> 1, float(weight[0])
    while half >= (MAX_COMPARED if alike else 1):
        upper = (here & half) != 0
        start = here & -(2 * half)  # where those with the same higher bits start
        np.cumsum(upper, out=ones[1:])
        before = ones[:-1] - ones[start]
        if alike:
            total += float(before[~upper].sum())
        else:
            above = np.append(0.0, np.cumsum(np.where(upper, weight, 0.0)))
            total += float((weight * (above[:-1] - above[start]))[~upper].sum())
        to = np.where(upper, start + half + before, place - before)
        here, weight, half = _moved(here, to), weight if alike else _moved(weight, to), half // 2
    if not alike:
        return total
    near = (
        np.append(here, np.arange(n, -(-n // MAX_COMPARED) * MAX_COMPARED))
        .reshape(-1, MAX_COMPARED)
        .astype(np.int32)
    )
    step = 1 << 8  # rows at a time: their comparisons stay in the cache
    for rows in (near[i : i + step] for i in range(0, len(near), step)):
        total += np.count_nonzero((rows[:, :, None] > rows[:, None, :]) & LATER_PAIRS)
    return unit**2 * total


def _alike(weight: Floats) -> bool:
    """Whether all points weigh the same."""
    return not weight.strides[0] or bool((weight == weight[0]).all())


def _moved(values: Any, to: Places) -> Any:  # noqa: ANN401
    out = np.empty_like(values)
    out[to] = values
    return out


def _differing(sizes: Floats) -> float:
    """Return the weight of pairs of different groups of these sizes."""
    return (float(sizes.sum()) ** 2 - float(dot(sizes, sizes))) / 2


def before_and_below(
    key: NDArray[np.int64], place: NDArray[np.int64], weight: Floats
) -> tuple[Floats, Floats]:
    """Return the weight of points of smaller key and smaller place, and of smaller key and the same place.

    Places are dealt out by their bits, the highest first: of those that share the higher bits, a point whose bit is 1 lies above all that
    came before it with a 0.

    >>> before_and_below(np.array([0, 1, 1]), np.array([0, 1, 0]), np.array([2.0, 1.0, 1.0]))
    (array([0., 2., 0.]), array([0., 0., 2.]))
    """
    n = key.size
    below, same = np.zeros(n), np.zeros(n)
    # Of one key the higher places come first, so that none of them is met below another.
    order = np.lexsort((-place, key))
    at, held = place[order], weight[order]
    here = np.arange(n)
    for bit in reversed(range(int(place.max(initial=0)).bit_length())):
        one = (at >> bit) & 1 == 1
        node = at >> (bit + 1)
        starts = np.flatnonzero(np.append(True, node[1:] != node[:-1]))
        sizes = np.diff(starts, append=n)
        start = np.repeat(starts, sizes)
        lower = np.append(0.0, np.cumsum(np.where(one, 0.0, held)))
        below[order[one]] += lower[:-1][one] - lower[start[one]]
        zeros = np.append(0, np.cumsum(~one))
        before = zeros[:-1] - zeros[start]
        among = np.repeat(zeros[starts + sizes] - zeros[starts], sizes)
        to = np.where(one, here + among - before, start + before)
        moved = np.empty_like(order)
        moved[to] = here
        order, at, held = order[moved], at[moved], held[moved]
    order = np.lexsort((key, place))
    total = np.append(0.0, np.cumsum(weight[order]))
    new_place = np.append(True, np.diff(place[order]) != 0)
    new_key = new_place | np.append(True, np.diff(key[order]) != 0)
    first = [np.maximum.accumulate(np.where(new, here, 0)) for new in (new_key, new_place)]
    same[order] = total[first[0]] - total[first[1]]
    return below, same
