"""Upper convex hull of points that are already in order."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._kernels import worth_compiling

if TYPE_CHECKING:
    from numpy.typing import NDArray


def upper_hull(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the places of the corners of the upper hull of points with rising x and rising y.

    >>> upper_hull(np.array([0.0, 1, 2, 3]), np.array([0.0, 2, 2, 3])).tolist()
    [0, 1, 3]
    """
    walk = _compiled() if worth_compiling(x.size) else _walk
    corners: NDArray[np.int64] = walk(x, y)
    return corners


@cache
def _compiled() -> Any:  # noqa: ANN401
    from numba import njit

    return njit(nogil=True, cache=True)(_walk)


def _walk(x: Any, y: Any) -> Any:  # noqa: ANN401
    """Add each point and drop those before it that it leaves on or below the hull."""
    hull = np.empty(x.size, np.int64)
    m = 0
    for i in range(x.size):
        while m > 1:
            a, b = hull[m - 2], hull[m - 1]
            if (x[b] - x[a]) * (y[i] - y[a]) < (y[b] - y[a]) * (x[i] - x[a]):
                break
            m -= 1
        hull[m] = i
        m += 1
    return hull[:m]
