"""Isotonic regression of event shares, once, for many simulated outcomes, and with one more case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.progress import track
from credibly._kernels import kernel, worth_compiling
from credibly._kernels.draws import key_of
from credibly._kernels.poisson_lanes import GOLD, mix

if TYPE_CHECKING:
    Places = NDArray[np.intp]

S11, UNIT = np.uint64(11), 2.0**-53  # the top 53 bits of a number are one between 0 and 1


def isotonic(events: Floats, total: Floats) -> Floats:
    """Return the rising shares that fit events out of totals best; places are already in order.

    >>> isotonic(np.array([1.0, 0.0, 1.0]), np.ones(3)).tolist()
    [0.5, 0.5, 1.0]
    """
    from scipy.optimize import isotonic_regression

    return isotonic_regression(events / total, weights=total).x if events.size else np.empty(0)


def simulated(probability: Floats, total: Floats, at: Places, seed: int, count: int) -> Floats:
    """Return isotonic fits at some places (columns) of outcomes drawn from the probabilities (rows).

    The outcome of a case depends on the seed, the replicate and its place alone. Totals other than 1
    are drawn as their nearest whole number, then scaled.
    """
    kept = np.empty((count, at.size))
    rows = track(enumerate(kept), count, "simulated outcomes")
    if (total != 1).any():
        rng = np.random.default_rng(seed)
        whole = np.maximum(np.rint(total), 1).astype(np.int64)
        for _, row in rows:
            drawn = np.asarray(rng.binomial(whole, probability), np.float64)
            row[:] = isotonic(drawn * (total / whole), total)[at]
    elif worth_compiling(probability.size * count):
        room = np.empty((3, probability.size), np.int64)
        for r, row in rows:
            _pool_drawn(np.uint64(key_of(seed, r)), probability, at, room, row)
    else:
        place = np.arange(probability.size, dtype=np.uint64) * GOLD
        for r, row in rows:
            chance = (mix.plain(np.uint64(key_of(seed, r)) + place) >> S11) * UNIT
            row[:] = isotonic(np.where(chance < probability, 1.0, 0.0), total)[at]
    return kept


def with_one_more(events: Floats, total: Floats, place: Places, happened: int) -> Floats:
    """Return isotonic shares at one more case, an event or not, that is put in at some places.

    Place 2i + 1 is that of the i-th total, 2i lies before it. The fits of all that lies to the left
    and to the right stay as they are until they are pooled with the new case, so their blocks are
    found once, and joined from the new case outwards.

    >>> with_one_more(np.array([0.0, 1]), np.ones(2), np.array([0, 1, 2]), 1).tolist()
    [0.5, 0.5, 1.0]
    """
    size = events.size
    reached = [np.concatenate([[0.0], np.cumsum(c)]) for c in (events, total)]
    first = block_starts(events, total)
    # Seen from the right, and counting what did not happen, a rising fit is a rising fit.
    final = size - 1 - block_starts((total - events)[::-1], total[::-1])[::-1]
    low, high = place // 2, place // 2 + place % 2  # the new block: places from low up to high
    up = reached[0][high] - reached[0][low] + happened
    weight = reached[1][high] - reached[1][low] + 1.0
    moving = np.ones(place.size, bool)
    while moving.any():
        left = first[np.maximum(low - 1, 0)]
        right = final[np.minimum(high, size - 1)] + 1
        below = [reached[0][low] - reached[0][left], reached[1][low] - reached[1][left]]
        above = [reached[0][right] - reached[0][high], reached[1][right] - reached[1][high]]
        down = (low > 0) & (below[0] * weight >= up * below[1])
        rise = (high < size) & (above[0] * weight <= up * above[1])
        up = up + np.where(down, below[0], 0) + np.where(rise, above[0], 0)
        weight = weight + np.where(down, below[1], 0) + np.where(rise, above[1], 0)
        low, high = np.where(down, left, low), np.where(rise, right, high)
        moving = down | rise
    return up / weight


def block_starts(events: Floats, total: Floats) -> Places:
    """Return, for the places up to each, where the last block of their isotonic fit starts."""
    starts = np.empty(events.size, np.intp)
    _pool.worth(events.size)(np.asarray(events, np.float64), np.asarray(total, np.float64), starts)
    return starts


@kernel()
def _pool(events: Any, total: Any, starts: Any) -> None:  # noqa: ANN401
    """Keep blocks of rising shares; a new place joins the last block while that would not rise."""
    n = events.size
    first = np.empty(n, np.int64)
    up, weight = np.empty(n), np.empty(n)
    m = 0
    for i in range(n):
        first[m], up[m], weight[m] = i, events[i], total[i]
        # Compare shares crosswise: no division.
        while m > 0 and up[m - 1] * weight[m] >= up[m] * weight[m - 1]:
            m -= 1
            up[m] += up[m + 1]
            weight[m] += weight[m + 1]
        starts[i] = first[m]
        m += 1


@kernel()
def _pool_drawn(key: Any, probability: Any, at: Any, room: Any, row: Any) -> None:  # noqa: ANN401
    """The same for single cases, events where chance is below the probability; kept at some places.

    Events and what follows them before the next event always end up in one block.
    """
    n = probability.size
    happened = np.empty(n, np.uint8)
    for i in range(n):  # by itself, so that it is done in the lanes of vector registers
        happened[i] = (mix(key + np.uint64(i) * GOLD) >> S11) * UNIT < probability[i]
    first, up, weight = room
    i = m = 0
    while i < n:
        start = i
        while i < n and happened[i]:
            i += 1
        events = i - start
        while i < n and not happened[i]:
            i += 1
        cases = i - start
        while m > 0 and up[m - 1] * cases >= events * weight[m - 1]:
            m -= 1
            start, events, cases = first[m], events + up[m], cases + weight[m]
        first[m], up[m], weight[m] = start, events, cases
        m += 1
    block = 0
    for j in range(at.size):
        while block + 1 < m and first[block + 1] <= at[j]:
            block += 1
        row[j] = up[block] / weight[block]
