"""Limits of a mean difference where differences are skewed: Student's limits, or those that skewness moves further out.

Johnson, N. J. (1978) Modified t tests and confidence intervals for asymmetrical populations. JASA 73, 536-544.
"""

from __future__ import annotations

from credibly._core.arrays import Floats, dot


def skewness_of(moves: Floats, copies: Floats, error: float) -> float:
    """Return the sum of the cubes of how far cases move a difference, about their mean, in standard errors.

    Some cases occur several times.

    >>> import numpy as np
    >>> skewness_of(np.array([1.0, -3]), np.array([3.0, 1]), 2.0)
    -3.0
    """
    return float(dot(copies, ((moves - dot(copies, moves) / copies.sum()) / error) ** 3))


def outer_limits(value: float, error: float, errors: float, third: float) -> tuple[float, float]:
    """Return limits so many standard errors away, the one on the side of the long tail further out.

    ``third`` is the third moment in standard errors.

    >>> outer_limits(0.0, 1.0, 2.0, 0.0), outer_limits(0.0, 1.0, 2.0, -2.0)
    ((-2.0, 2.0), (-5.0, 2.0))
    """
    shift = third * error * (1 + 2 * errors**2) / 6
    return value - errors * error + min(shift, 0.0), value + errors * error + max(shift, 0.0)
