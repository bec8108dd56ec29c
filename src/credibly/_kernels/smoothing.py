"""Cleveland's locally weighted regression, without robustness steps.

Cleveland, W. S. (1979) Robust locally weighted regression and smoothing scatterplots. JASA 74, 829-836.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def lowess(x: Floats, y: Floats, weight: Floats, span: float = 2 / 3, skip: float = 0.01) -> Floats:
    """Smooth mean outcomes at distinct rising places, each counting as many cases as its weight.

    A straight line is fitted to the nearest ``span`` of the cases, with tricube weights. Places
    nearer to each other than ``skip`` of the range are joined by straight lines, as in R's `lowess`
    (whose `iter=0` this is).

    >>> lowess(np.array([0.0, 1, 2, 3]), np.array([0.0, 1, 2, 3]), np.ones(4)).round(12).tolist()
    [0.0, 1.0, 2.0, 3.0]
    """
    reach = np.cumsum(weight)  # the last case at each place, counting from 1
    cases = reach[-1]
    near = max(2.0, min(cases, np.floor(span * cases + 1e-7)))
    smooth = np.empty(x.size)
    step = skip * (x[-1] - x[0])
    last, i = -1, 0
    while True:
        smooth[i] = _line_at(x, y, weight, i, *_window(x, reach, near, i))
        if last < i - 1:
            between = slice(last + 1, i)
            share = (x[between] - x[last]) / (x[i] - x[last])
            smooth[between] = share * smooth[i] + (1 - share) * smooth[last]
        last = i
        if last == x.size - 1:
            return smooth
        beyond = int(np.searchsorted(x, x[last] + step, side="right"))
        i = max(last + 1, beyond - 1)


def _window(x: Floats, reach: Floats, near: float, i: int) -> tuple[float, float]:
    """Return the ends of the ``near`` cases that are nearest to a place: the leftmost such."""

    def place(case: float) -> float:
        return float(x[min(int(np.searchsorted(reach, case - 1e-9)), x.size - 1)])

    low, high = 1, max(1, int(np.ceil(reach[-1] - near + 1 - 1e-9)))
    while low < high:  # the first start from which the next case is no nearer than the first
        middle = (low + high) // 2
        if x[i] - place(middle) > place(middle + near) - x[i]:
            low = middle + 1
        else:
            high = middle
    return place(low), place(min(low + near - 1, reach[-1]))


def _line_at(x: Floats, y: Floats, weight: Floats, i: int, first: float, final: float) -> float:
    """Fit a line by tricube weights around a place, and return its height there."""
    here = x[i]
    width = max(here - first, final - here)
    span = slice(int(np.searchsorted(x, first)), int(np.searchsorted(x, here + width, "right")))
    near, far = x[span], np.abs(x[span] - here)
    with np.errstate(invalid="ignore", divide="ignore"):
        cube = np.where(far <= 0.001 * width, 1.0, (1 - (far / width) ** 3) ** 3)
    w = np.where(far <= 0.999 * width, cube, 0.0) * weight[span]
    w = w / w.sum()
    if width > 0:
        mean = w @ near
        spread = w @ (near - mean) ** 2
        if np.sqrt(spread) > 0.001 * (x[-1] - x[0]):
            w = w * (1 + (here - mean) * (near - mean) / spread)
    return float(w @ y[span])
