"""An interval with its method and what it is about."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from credibly._core.text import interval_text
from credibly.results.result import Result

About = Literal["cases", "training", "datasets"]

ABOUT = {
    "cases": "this model on new cases",
    "training": "this way of learning with new training sets",
    "datasets": "new datasets",
}


@dataclass(frozen=True, slots=True)
class Interval(Result):
    """A confidence interval with its method and what it is about.

    >>> low, high = Interval(0.2, 0.4, 0.95, "Wilson")
    >>> low, high, 0.3 in Interval(0.2, 0.4, 0.95, "Wilson")
    (0.2, 0.4, True)
    """

    low: float
    high: float
    confidence_level: float
    method: str
    about: About = "cases"
    standard_error: float | None = field(default=None, compare=False)  # of the value, if it has one

    json_keys = "low high confidence_level method about"

    def __iter__(self) -> Iterator[float]:
        """Give the two ends."""
        yield self.low
        yield self.high

    def __contains__(self, value: float) -> bool:
        """Whether a value lies between the ends, or is one of them."""
        return self.low <= value <= self.high

    def within(self, low: float, high: float) -> Interval:
        """Return the interval without what lies beyond two ends.

        >>> Interval(-0.1, 0.4, 0.95, "t").within(0, 1).low
        0
        """
        return replace(self, low=max(self.low, low), high=min(self.high, high))

    def __str__(self) -> str:
        level = f"{100 * self.confidence_level:.4g} % interval"
        return f"{interval_text(None, self) or 'unbounded'} ({level}, {self.method})"


def flat(interval: Interval | None) -> dict[str, Any]:
    """Return the columns of an interval in a row, also where there is none."""
    if interval is None:
        return dict.fromkeys(("low", "high", "confidence_level"), math.nan) | {"method": None}
    return {name: getattr(interval, name) for name in ("low", "high", "confidence_level", "method")}
