"""Pairs of cases that two rankings put in the same order, less those that they put in opposite orders.

Points in the order of the first ranking have a place in the second. Two of them are discordant where the
places fall. Places are dealt out by their bits, the highest first, as in a radix sort from the top: a
point whose bit is 0 is discordant with all points of the same higher bits that came before it with a 1.
Each bit is one pass, and the rounds of a pass do not wait for one another.
"""

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
    new = np.flatnonzero(np.append(True, (np.diff(first) != 0) | (np.diff(second) != 0)))
    places = _untied(second)
    sets = np.asarray(weight, np.float64).reshape(-1, weight.shape[-1])
    often = places.size.bit_length() * (1 if weight.ndim == 1 else BATCHES)
    count = _deal if worth_compiling(often * weight.size) else _dealt
    found = []
    for each in sets:
        alike = bool((each == each[0]).all())  # whole numbers are then counted
        unit, w = (float(each[0]), np.ones(each.size)) if alike else (1.0, each[order])
        total = w.sum()
        apart = [total**2 - np.square(np.bincount(side, w)).sum() for side in (first, second)]
        either = total**2 - np.square(np.add.reduceat(w, new)).sum()
        found.append(unit**2 * ((sum(apart) - either) / 2 - 2 * count(places, w)))
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


def _untied(places: Places) -> Places:
    """Give points of equal places successive ones, in their order."""
    if not _ties(places):
        return places
    made = np.empty_like(places)
    if worth_compiling(places.size):
        _number(places, np.cumsum(np.bincount(places)) - np.bincount(places), made)
    else:
        made[np.argsort(places, kind="stable")] = np.arange(places.size)
    return made


@kernel()
def _number(places: Any, following: Any, made: Any) -> None:  # noqa: ANN401
    for i in range(places.size):
        made[i] = following[places[i]]
        following[places[i]] += 1


@kernel()
def _deal(places: Any, weight: Any) -> Any:  # noqa: ANN401
    """Return the weight of pairs whose places fall. All places from 0 on occur, each once."""
    n, total = places.size, 0.0
    here, mass = places.copy(), weight.copy()
    there, moved = np.empty_like(here), np.empty_like(mass)
    to = np.empty(2, np.int64)
    half = 1
    while 2 * half < n:
        half *= 2
    while half:
        for start in range(0, n, 2 * half):
            to[0], to[1] = start, start + half
            above = 0.0
            for i in range(start, min(start + 2 * half, n)):
                upper = 1 if here[i] & half else 0
                total += above * mass[i] * (1 - upper)
                above += mass[i] * upper
                there[to[upper]] = here[i]
                moved[to[upper]] = mass[i]
                to[upper] += 1
        here, there, mass, moved = there, here, moved, mass
        half //= 2
    return total


def _dealt(places: Places, weight: Floats) -> float:
    """The twin: a pass in a few steps over all points."""
    n, total, alike = places.size, 0.0, bool((weight == 1).all())
    here, place, ones = places.astype(np.int32), np.arange(n, dtype=np.int32), np.zeros(n + 1, int)
    half = 1 << max(n - 1, 0).bit_length() >> 1
    while half:
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
        moved = np.empty_like(here)
        moved[to] = here
        here, half = moved, half // 2
        if not alike:
            mass = np.empty_like(weight)
            mass[to] = weight
            weight = mass
    return total
