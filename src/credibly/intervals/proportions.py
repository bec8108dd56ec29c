"""Intervals for a proportion."""

from __future__ import annotations

import math
from statistics import NormalDist

from credibly._core.errors import ParameterError
from credibly._core.results import Interval


def wilson(part: float, whole: float, confidence_level: float = 0.95) -> Interval:
    """Return Wilson's score interval; ``part`` and ``whole`` need not be whole numbers.

    It inverts the normal test, stays inside [0, 1] and works at any size (Wilson 1927; Brown, Cai &
    DasGupta 2001).

    >>> limits = wilson(75, 100, confidence_level=0.8)
    >>> round(limits.low, 6), round(limits.high, 6)
    (0.69077, 0.801151)
    """
    check_confidence(confidence_level)
    if not (whole > 0 and 0 <= part <= whole * (1 + 1e-12)):
        msg = f"A proportion needs 0 <= part <= whole and a whole above 0; got {part} of {whole}."
        raise ParameterError(msg)
    z = NormalDist().inv_cdf((1 + confidence_level) / 2)
    share = min(part / whole, 1.0)
    scale = 1 + z * z / whole
    centre = (share + z * z / (2 * whole)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / whole + (z / (2 * whole)) ** 2)
    # Near the ends rounding could carry a limit past the share itself.
    low = 0.0 if part == 0 else min(share, max(0.0, centre - half))
    high = 1.0 if share == 1 else max(share, min(1.0, centre + half))
    return Interval(low, high, confidence_level, "Wilson")


def check_confidence(level: float) -> None:
    """Refuse a confidence level outside (0, 1)."""
    if not (isinstance(level, int | float) and 0 < level < 1):
        hint = (
            f" Did you mean {level / 100:g}?"
            if isinstance(level, int | float) and 1 < level < 100
            else ""
        )
        msg = f"confidence_level must lie between 0 and 1; got {level!r}.{hint}"
        raise ParameterError(msg)
