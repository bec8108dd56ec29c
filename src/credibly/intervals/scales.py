"""Limits about a value that keep to its range, and how many errors lie between it and another value.

Between two ends there are two forms. On the logit scale the error is that of the value. In Wilson's form the
error at a limit is that of the limit, as the error of a share is. Both say the same far from the ends; near one,
where a few cases are all that is seen, limits of the logit scale may reach to the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from credibly.intervals.student import two_sided


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """How uncertain a value is: its error, the degrees of freedom of that, and the form of its limits.

    Limits that reach so many errors as lie between the value and another end at the other.

    >>> for share in (False, True):
    ...     found = Uncertainty(0.8, 0.1, math.inf, (0, 1), as_share=share)
    ...     print(round(found.errors_from(0.5), 4), round(found.reaching(found.errors_from(0.5))[0], 12))
    2.2181 0.5
    2.4 0.5
    """

    value: float
    error: float
    freedom: float
    range: tuple[float, float]
    as_share: bool = False  # in Wilson's form, between two ends

    def limits(self, confidence_level: float) -> tuple[float, float]:
        """Return the limits by Student's t."""
        return self.reaching(two_sided(confidence_level, self.freedom))

    def reaching(self, errors: float) -> tuple[float, float]:
        """Return the limits that are so many errors away."""
        form = wilson_form if self.as_share else on_scale
        return form(self.value, errors * self.error, *self.range)

    def errors_from(self, other: float) -> float:
        """Return how many errors lie between the value and another within its range, in the form of its limits."""
        (low, high), value, error = self.range, self.value, self.error
        if self.as_share:
            ratio = (other - low) * (high - other) / ((value - low) * (high - value))
            return (value - other) / (error * math.sqrt(ratio))
        if math.isfinite(low) and math.isfinite(high):
            odds = (value - low) / (high - value) / ((other - low) / (high - other))
            return math.log(odds) * (value - low) * (high - value) / (high - low) / error
        if math.isfinite(low):
            return math.log((value - low) / (other - low)) * (value - low) / error
        if math.isfinite(high):
            return math.log((high - other) / (high - value)) * (high - value) / error
        return (value - other) / error


def on_scale(
    value: float, half: float, low: float, high: float, *, at: float | None = None
) -> tuple[float, float]:
    """Add and subtract on the logit of the range, the log of the distance from its one end, or as it is.

    How wide that is on the scale is seen ``at`` the value, or at another of which the error is known.
    """
    at = value if at is None else at
    if math.isfinite(low) and math.isfinite(high):
        share, seen = (value - low) / (high - low), (at - low) / (high - low)
        centre, half = math.log(share / (1 - share)), half / (high - low) / (seen * (1 - seen))
        ends = (1 / (1 + math.exp(-min(max(x, -700), 700))) for x in (centre - half, centre + half))
        first, last = (low + (high - low) * e for e in ends)
        return first, last
    if math.isfinite(low):
        return _beyond(value - low, half / (at - low), low)
    if math.isfinite(high):
        first, last = _beyond(high - value, half / (high - at), 0.0)
        return high - last, high - first
    return value - half, value + half


def wilson_form(
    value: float, half: float, low: float, high: float, *, at: float | None = None
) -> tuple[float, float]:
    """Return limits between two ends with the error that a share would have at each of them.

    How large that is is seen ``at`` the value, or at another of which the error is known.

    >>> [round(end, 6) for end in wilson_form(0.9, 1.96 * math.sqrt(0.9 * 0.1 / 20), 0, 1)]
    [0.698962, 0.972134]
    """
    size, at = high - low, value if at is None else at
    share, seen = (value - low) / size, (at - low) / size
    weight = (half / size) ** 2 / (seen * (1 - seen))  # squared errors in one of a share of 1/2
    middle = (share + weight / 2) / (1 + weight)
    apart = math.sqrt(weight * share * (1 - share) + weight**2 / 4) / (1 + weight)
    return low + size * max(middle - apart, 0.0), low + size * min(middle + apart, 1.0)


def _beyond(distance: float, half: float, end: float) -> tuple[float, float]:
    factor = math.exp(min(half, 700))
    return end + distance / factor, end + distance * factor
