"""An interval with its method and what it is about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

About = Literal["cases", "training", "datasets"]

ABOUT = {
    "cases": "this model on new cases",
    "training": "this way of learning with new training sets",
    "datasets": "new datasets",
}


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval with its method and what it is about."""

    low: float
    high: float
    confidence_level: float
    method: str
    about: About = "cases"

    def within(self, low: float, high: float) -> Interval:
        """Return the interval without what lies beyond two ends.

        >>> Interval(-0.1, 0.4, 0.95, "t").within(0, 1).low
        0
        """
        return replace(self, low=max(self.low, low), high=min(self.high, high))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name."""
        return {
            "low": self.low,
            "high": self.high,
            "confidence_level": self.confidence_level,
            "method": self.method,
            "about": self.about,
        }
