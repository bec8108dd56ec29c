"""Score tests of differences of proportions, and the intervals that invert them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from credibly.intervals.quantiles import normal_quantile
from credibly.intervals.roots import root

if TYPE_CHECKING:
    from credibly.comparisons._declare import TestRequest

HALVINGS = 60  # what a double can tell apart


def tango_statistic(b: float, c: float, n: float, difference: float) -> float:
    """Return the score statistic of a paired difference of proportions (Tango 1998).

    Of ``n`` cases the first alone counts ``b``, the second alone ``c``.

    >>> round(tango_statistic(15, 5, 40, 0.0), 6), round(10 / 20 ** 0.5, 6)
    (2.236068, 2.236068)
    """
    middle = -b - c + (2 * n - b + c) * difference
    last = -c * difference * (1 - difference)
    share = (math.sqrt(max(0.0, middle**2 - 8 * n * last)) - middle) / (4 * n)
    variance = n * (2 * share + difference * (1 - difference))
    return _ratio(b - c - n * difference, variance)


def two_sample_statistic(
    parts: tuple[float, float], wholes: tuple[float, float], difference: float
) -> float:
    """Return the score statistic of a difference of independent proportions (Mee 1984).

    At a difference of zero it is the usual one with the pooled proportion.

    >>> round(two_sample_statistic((15, 5), (40, 40), 0.0), 6)
    2.581989
    """
    (x, y), (m, n) = parts, wholes
    second = _restricted(x, y, m, n, difference)
    first = second + difference
    variance = first * (1 - first) / m + second * (1 - second) / n
    return _ratio(x / m - y / n - difference, variance)


def _restricted(x: float, y: float, m: float, n: float, difference: float) -> float:
    """The most likely second proportion if the first is larger by ``difference``."""
    low, high = max(0.0, -difference), min(1.0, 1.0 - difference)
    if low >= high:
        return low

    def slope(q: float) -> float:
        p = q + difference
        return (x - m * p) * q * (1 - q) + (y - n * q) * p * (1 - p)

    return root(lambda q: -slope(q), low, high, halvings=HALVINGS)


def _ratio(gap: float, variance: float) -> float:
    if variance > 0:
        return gap / math.sqrt(variance)
    return 0.0 if gap == 0 else math.copysign(math.inf, gap)


def score_limits(
    statistic: Callable[[float], float], value: float, asked: TestRequest
) -> tuple[float, float]:
    """Return the differences at which a falling statistic is just not extreme."""
    z = normal_quantile((1 - asked.confidence_level) / 2)
    low = root(lambda d: z - statistic(d), -1.0, value, halvings=HALVINGS)
    high = root(lambda d: -z - statistic(d), value, 1.0, halvings=HALVINGS)
    return low, high
