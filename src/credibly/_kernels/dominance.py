"""For each point the weight of the points that lie before it in one order and below it in another, in n log n."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats


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
