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

    Points have their places in both rankings, from 0 without gaps, equal ones where they tie. There may
    be several sets of weights.

    >>> concordant_less_discordant(np.array([0, 1, 2]), np.array([0, 2, 1]), np.ones((2, 3)))
    array([1., 1.])
    """
    order = _order(first, second)
    first, second = first[order], second[order]
    sets = np.asarray(weight, np.float64).reshape(-1, weight.shape[-1])
    often = first.size.bit_length() * (1 if weight.ndim == 1 else BATCHES)
    count = _climbed if worth_compiling(often * weight.size) else _dealt
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


def _dealt(first: Places, second: Places, weight: Floats) -> float:
    """The twin: deal out the second places by their bits, the highest first, as a radix sort from the top.

    A point whose bit is 0 is discordant with all of the same higher bits that came before it with a 1.
    Each bit is a pass in a few steps over all points.
    """
    n, total, alike = first.size, 0.0, bool((weight == weight[0]).all())
    untied = _differing(weight)
    if _ties(first) or _ties(second):
        new = np.append(True, (np.diff(first) != 0) | (np.diff(second) != 0))
        sides = [_differing(np.bincount(side, weight).astype(float)) for side in (first, second)]
        untied = sum(sides) - _differing(np.add.reduceat(weight, np.flatnonzero(new)))
    here, place, ones = np.empty(n, np.int32), np.arange(n, dtype=np.int32), np.zeros(n + 1, int)
    here[np.argsort(second, kind="stable")] = place  # equal places become successive ones
    half, unit = 1 << max(n - 1, 0).bit_length() >> 1, float(weight[0])
    while half:
        upper = (here & half) != 0
        start = here & -(2 * half)  # where those with the same higher bits start
        np.cumsum(upper, out=ones[1:])
        before = ones[:-1] - ones[start]
        if alike:
            total += unit**2 * float(before[~upper].sum())
        else:
            above = np.append(0.0, np.cumsum(np.where(upper, weight, 0.0)))
            total += float((weight * (above[:-1] - above[start]))[~upper].sum())
        to = np.where(upper, start + half + before, place - before)
        here, weight, half = _moved(here, to), weight if alike else _moved(weight, to), half // 2
    return untied - 2 * total


def _moved(values: Any, to: Places) -> Any:  # noqa: ANN401
    out = np.empty_like(values)
    out[to] = values
    return out


def _differing(sizes: Floats) -> float:
    """Return the weight of pairs of different groups of these sizes."""
    return (float(sizes.sum()) ** 2 - float(sizes @ sizes)) / 2
