"""Limits about a value that keep to its range, and how many errors lie between it and another value.

Between two ends there are two forms. On the logit scale the error is that of the value. In Wilson's form the
error at a limit is that of the limit, as the error of a share is. Both say the same far from the ends; near one,
where a few cases are all that is seen, limits of the logit scale may reach to the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from credibly.intervals.student import two_sided

WILSON_FORM = "Wilson's form"  # in the name of a method
FAR = 700.0  # beyond which an exponential is no number


@dataclass(frozen=True, slots=True)
class RangeScale:
    """The logit of a range, the log of the distance from its one end, or the values as they are.

    >>> rates = RangeScale(0, 1)
    >>> rates.place(0.5), rates.value(0.0), rates.slope(0.5)
    (0.0, 0.5, 4.0)
    """

    low: float
    high: float
    nearest: float = 0.0  # to an end: what is nearer, is taken for that far

    @property
    def _bounded(self) -> tuple[bool, bool]:
        return math.isfinite(self.low), math.isfinite(self.high)

    def place(self, value: float) -> float:
        """Return where a value inside the range lies on the scale."""
        below, above = self._bounded
        if not below and not above:
            return value
        up = math.log(max(value - self.low, self.nearest)) if below else 0.0
        return up - (math.log(max(self.high - value, self.nearest)) if above else 0.0)

    def value(self, place: float) -> float:
        """Return the value at a place of the scale."""
        below, above = self._bounded
        if not below and not above:
            return place
        near = min(max(place, -FAR), FAR)
        if below and above:
            return self.low + (self.high - self.low) / (1 + math.exp(-near))
        return self.low + math.exp(near) if below else self.high - math.exp(-near)

    def slope(self, value: float) -> float:
        """Return how fast the place moves with a value."""
        below, above = self._bounded
        if not below and not above:
            return 1.0
        return (1 / (value - self.low) if below else 0.0) + (
            1 / (self.high - value) if above else 0.0
        )


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
        scale = RangeScale(low, high)
        return (scale.place(value) - scale.place(other)) / (error * scale.slope(value))


def on_scale(
    value: float, half: float, low: float, high: float, *, at: float | None = None
) -> tuple[float, float]:
    """Add and subtract on the logit of the range, the log of the distance from its one end, or as it is.

    How wide that is on the scale is seen ``at`` the value, or at another of which the error is known.
    """
    scale = RangeScale(low, high)
    centre, reach = scale.place(value), half * scale.slope(value if at is None else at)
    return scale.value(centre - reach), scale.value(centre + reach)


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
