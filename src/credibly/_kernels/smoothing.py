"""Cleveland's locally weighted regression, without robustness steps.

Cleveland, W. S. (1979) Robust locally weighted regression and smoothing scatterplots. JASA 74, 829-836.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._kernels import kernel, worth_compiling

if TYPE_CHECKING:
    Places = NDArray[np.intp]

DISTANCES_PER_BLOCK = 1 << 16  # distances held at a time
CASES_PER_BLOCK = 1 << 12  # cases added up by themselves, for the last digits
COUNT_ROUNDING = 1e-9  # of a count of cases
# Within 0.001 of the reach a case counts fully, beyond 0.999 not at all; a spread of the cases below
# 0.001 of the range gives no line. All as in R's `clowess`.
NEAR_SHARE, FAR_SHARE = 0.001, 0.999
SPAN, SKIP = 2 / 3, 0.01  # of the cases to fit a line to; of the range without a line of its own


def lowess(x: Floats, y: Floats, weight: Floats) -> Floats:
    """Smooth mean outcomes at distinct rising places, each counting as many cases as its weight.

    A straight line is fitted to the nearest two thirds of the cases, with tricube weights. Places
    nearer to each other than a hundredth of the range are joined by straight lines, as in R's `lowess`
    (whose `iter=0` this is). Weights that are not whole numbers count one a place on average.

    >>> lowess(np.array([0.0, 1, 2, 3]), np.array([0.0, 1, 2, 3]), np.ones(4)).round(12).tolist()
    [0.0, 1.0, 2.0, 3.0]
    """
    if (weight % 1).any():
        weight = weight * (x.size / weight.sum())
    places = _places(x, SKIP * (x[-1] - x[0]))
    reach = _reach(x, weight, x[places])
    sums = _sums_in_a_loop if worth_compiling(x.size * places.size // 16) else _sums
    heights = _heights(sums(x, y, weight, x[places], reach), NEAR_SHARE * (x[-1] - x[0]))
    return np.interp(x, x[places], heights)


def _places(x: Floats, step: float) -> Places:
    """Return where lines are fitted: each the last within a step of the one before, or the next."""
    places = [0]
    while places[-1] < x.size - 1:
        beyond = int(np.searchsorted(x, x[places[-1]] + step, side="right"))
        places.append(max(places[-1] + 1, beyond - 1))
    return np.array(places)


def _reach(x: Floats, weight: Floats, here: Floats) -> Floats:
    """Return how far the nearest two thirds of the cases lie from each place: the leftmost such window."""
    last = np.cumsum(weight)  # the last case at each place, counting from 1
    cases = last[-1]
    near = max(2.0, min(cases, np.floor(SPAN * cases + 1e-7)))

    def place(case: Floats) -> Floats:
        return x[np.minimum(np.searchsorted(last, case - COUNT_ROUNDING), x.size - 1)]

    low = np.ones(here.size)
    high = np.full(here.size, max(1.0, np.ceil(cases - near + 1 - COUNT_ROUNDING)))
    while (
        low < high
    ).any():  # the first start from which the next case is no nearer than the first
        middle = np.floor((low + high) / 2)
        later = here - place(middle) > place(middle + near) - here
        low, high = np.where(later & (low < high), middle + 1, low), np.where(later, high, middle)
        high = np.maximum(low, high)
    return np.maximum(here - place(low), place(np.minimum(low + near - 1, cases)) - here)


def _heights(sums: Floats, least: float) -> Floats:
    """Return the height of each line at its place, from sums of w, wd, wdd, wy, wdy (d: distance)."""
    mean, square, level, product = sums[:, 1:].T / sums[:, 0]
    spread = square - mean**2
    sloped = np.sqrt(np.maximum(spread, 0.0)) > least
    slope = np.divide(product - mean * level, spread, out=np.zeros_like(level), where=sloped)
    return level - mean * slope


def _sums(x: Floats, y: Floats, weight: Floats, here: Floats, reach: Floats) -> Floats:
    """Add up weights and products around each place, a few places at a time."""
    values = np.empty((here.size, 5))
    for start in range(0, here.size, rows := max(1, DISTANCES_PER_BLOCK // x.size)):
        some = slice(start, start + rows)
        away, width = x - here[some, None], reach[some, None]
        far = np.abs(away)
        share = np.divide(far, width, out=np.zeros_like(far), where=width > 0)
        w = 1 - share * share * share
        w *= w * w
        w[far <= NEAR_SHARE * width] = 1.0
        w[far > FAR_SHARE * width] = 0.0
        w *= weight
        moved = w * away
        sums = w.sum(axis=1), moved.sum(axis=1), (moved * away).sum(axis=1), w @ y, moved @ y
        values[some] = np.column_stack(sums)
    return values


@kernel()
def _sums_in_a_loop(x: Any, y: Any, weight: Any, here: Any, reach: Any) -> Any:  # noqa: ANN401
    """The same in one pass over each window."""
    found = np.zeros((here.size, 5))
    for i in range(here.size):
        start = np.searchsorted(x, here[i] - reach[i])
        end = np.searchsorted(x, here[i] + reach[i], side="right")
        for low in range(start, end, CASES_PER_BLOCK):
            some = slice(low, min(low + CASES_PER_BLOCK, end))
            around = _sums_around(x[some], y[some], weight[some], here[i], reach[i])
            for k in range(5):
                found[i, k] += around[k]
    return found


@kernel(fastmath={"reassoc", "contract"})
def _sums_around(x: Any, y: Any, weight: Any, here: float, reach: float) -> Any:  # noqa: ANN401
    """Add up around a place, without a branch: several cases fit a vector."""
    one = first = second = level = product = 0.0
    per = 1 / reach if reach > 0 else 0.0
    for j in range(x.size):
        away = x[j] - here
        share = abs(away) * per
        tricube = 1 - share * share * share
        w = tricube * tricube * tricube
        w = 1.0 if abs(away) <= NEAR_SHARE * reach else w
        w = 0.0 if abs(away) > FAR_SHARE * reach else w
        w *= weight[j]
        moved = w * away
        one += w
        first += moved
        second += moved * away
        level += w * y[j]
        product += moved * y[j]
    return one, first, second, level, product
