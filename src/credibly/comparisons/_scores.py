"""Score tests of differences of proportions, the intervals that invert them, and Newcombe's."""

from __future__ import annotations

import math
from collections.abc import Callable

from credibly.intervals.quantiles import normal_quantile, root
from credibly.intervals.shares import proportion_methods

MAX_HALVINGS = 60  # what a double can tell apart


def tango_statistic(
    b: float, c: float, n: float, difference: float, *, spare: float = 0.0
) -> float:
    """Return the score statistic of a paired difference of proportions (Tango 1998).

    Of ``n`` cases the first alone counts ``b``, the second alone ``c``. By ``spare`` cases it is brought
    nearer to zero, a correction for continuity.

    >>> round(tango_statistic(15, 5, 40, 0.0), 6), round(10 / 20 ** 0.5, 6)
    (2.236068, 2.236068)
    """
    middle = -b - c + (2 * n - b + c) * difference
    last = -c * difference * (1 - difference)
    share = (math.sqrt(max(0.0, middle**2 - 8 * n * last)) - middle) / (4 * n)
    variance = n * (2 * share + difference * (1 - difference))
    apart = b - c - n * difference
    return _ratio(math.copysign(max(abs(apart) - spare, 0.0), apart), variance)


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

    return root(lambda q: -slope(q), low, high, halvings=MAX_HALVINGS)


def _ratio(gap: float, variance: float) -> float:
    if variance > 0:
        return gap / math.sqrt(variance)
    return 0.0 if gap == 0 else math.copysign(math.inf, gap)


def score_limits(
    statistic: Callable[[float], float], value: float, tail: float
) -> tuple[float, float]:
    """Return the differences at which a falling statistic is just not extreme, with so much beyond each."""
    z = normal_quantile(tail)
    low = root(lambda d: z - statistic(d), -1.0, value, halvings=MAX_HALVINGS)
    high = root(lambda d: -z - statistic(d), value, 1.0, halvings=MAX_HALVINGS)
    return low, high


def tango_limits(
    b: float, c: float, n: float, tail: float, *, spare: float = 0.0
) -> tuple[float, float]:
    """Return the differences that Tango's score does not reject, with some cases to spare."""
    return score_limits(lambda d: tango_statistic(b, c, n, d, spare=spare), (b - c) / n, tail)


def newcombe_limits(
    parts: tuple[float, float],
    wholes: tuple[float, float],
    confidence_level: float,
    correlation: float = 0.0,
) -> tuple[float, float]:
    """Return the limits of a difference of proportions, from Wilson's of either (Newcombe 1998, method 10).

    Squares of the distances to Wilson's limits add, less what the ``correlation`` of paired
    proportions takes from them.

    >>> low, high = newcombe_limits((56, 48), (70, 80), 0.95)
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    wilson = proportion_methods["wilson"]
    first, second = (p / n for p, n in zip(parts, wholes, strict=True))
    (l1, u1), (l2, u2) = (
        wilson.limits(p, n, confidence_level) for p, n in zip(parts, wholes, strict=True)
    )

    below = mover_distance(first - l1, u2 - second, correlation)
    above = mover_distance(u1 - first, second - l2, correlation)
    return first - second - below, first - second + above


def mover_distance(first: float, second: float, correlation: float) -> float:
    """Return how far a limit of a difference lies from it, by how far a limit of either value does.

    Variances are recovered from limits, which may lean: MOVER (Zou, G. Y. & Donner, A. (2008) Construction of
    confidence limits about effect measures. Statistics in Medicine 27, 1693-1702).

    >>> mover_distance(3, 4, 0)
    5.0
    """
    size = max(first, second)
    if not 0 < size < math.inf:  # or none is known
        return size if not math.isnan(first + second) else math.nan
    a, b = first / size, second / size
    return size * math.sqrt(max(a * a + b * b - 2 * correlation * a * b, 0.0))


def paired_correlation(both: float, b: float, c: float, neither: float) -> float:
    """Return the correlation of two paired proportions, less half a case where it is above 0 (Newcombe).

    >>> round(paired_correlation(20, 5, 3, 12), 6), paired_correlation(1, 1, 7, 12)
    (0.535365, 0.0)
    """
    size = (both + b) * (c + neither) * (both + c) * (b + neither)
    gap = both * neither - b * c
    if not size:
        return 0.0
    n = both + b + c + neither
    return (max(0.0, gap - n / 2) if gap > 0 else gap) / math.sqrt(size)
