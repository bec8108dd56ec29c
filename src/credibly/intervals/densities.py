"""The distributions behind intervals and tests: Student's t for several degrees of freedom beside the normal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.parameters import above, require
from credibly._core.text import number_text, percent
from credibly.intervals.quantiles import student_density, student_quantile
from credibly.results.result import Cells, Result

CURVE_POINTS = 401


class Densities(Result):
    """Densities at some x, one row for each degree of freedom; the last, without end, is the normal.

    ``critical`` is the value that each exceeds on either side with one minus the confidence level.
    """

    freedom: Floats
    x: Floats
    density: Floats
    critical: Floats
    confidence_level: float

    json_keys = "confidence_level freedom critical x density"

    @property
    def heading(self) -> str:
        """Say what it is."""
        others = ", ".join(f"{k:g}" for k in self.freedom[:-1])
        student = f"Student's t with {others} degrees of freedom and the normal"
        return f"{student if others else 'The normal'} distribution"

    @property
    def titles(self) -> tuple[str, ...]:
        """What each row is called."""
        return (*(f"t, k = {k:g}" for k in self.freedom[:-1]), "normal")

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary for each distribution and x."""
        return [
            {"distribution": title, "x": x, "density": y}
            for title, line in zip(self.titles, self.density.tolist(), strict=True)
            for x, y in zip(self.x.tolist(), line, strict=True)
        ]

    def cells(self) -> Cells:
        """Return, for each distribution, its height in the middle and its critical value."""
        middle = [density_of(np.zeros(1), float(k))[0] for k in self.freedom]
        told = zip(self.titles, middle, self.critical.tolist(), strict=True)
        body = [[title, *map(number_text, map(float, numbers))] for title, *numbers in told]
        return ["distribution", "at 0", f"{percent(self.confidence_level)} within"], body


@door
def densities(
    freedom: float | Sequence[float] = (1, 4, 9),
    *,
    confidence_level: float = 0.95,
    reach: float = 5.0,
) -> Densities:
    """Compute the densities of Student's t for some degrees of freedom, and of the normal.

    Parameters
    ----------
    freedom
        Degrees of freedom k, one or several; none for the normal alone.
    confidence_level
        Critical values leave one minus this on both sides together.
    reach
        How far from 0 on either side.

    >>> found = densities([1, 9])
    >>> [round(c, 3) for c in found.critical.tolist()]
    [12.706, 2.262, 1.96]
    >>> print(found)
    Student's t with 1, 9 degrees of freedom and the normal distribution
    distribution  at 0    95 % within
    t, k = 1      0.3183  12.71
    t, k = 9      0.388   2.262
    normal        0.3989  1.96
    """
    far = float(require("reach", reach, above(0)))
    listed = list(freedom) if isinstance(freedom, Sequence | np.ndarray) else [freedom]
    every = [*(float(require("freedom", k, above(0))) for k in listed), math.inf]
    x = np.linspace(-far, far, CURVE_POINTS)
    return Densities(
        np.array(every),
        x,
        np.array([density_of(x, k) for k in every]),
        np.array([student_quantile(1 - confidence_level, k, tails=2) for k in every]),
        confidence_level,
    )


def density_of(x: Floats, freedom: float) -> Floats:
    """Return the density of Student's t, or of the normal where ``freedom`` is infinite.

    >>> density_of(np.array([0.0]), 1.0).round(6).tolist()
    [0.31831]
    """
    if math.isinf(freedom):
        return np.asarray(np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi))
    return np.array([student_density(t, freedom) for t in x.tolist()])


def beyond(x: Floats, height: Floats, value: float, sides: str = "both") -> list[Floats]:
    """Return the heights beyond a value, above it, below it or on both sides, NaN elsewhere: areas to shade."""
    chosen = {
        "above": [x >= value],
        "below": [x <= value],
        "both": [x >= abs(value), x <= -abs(value)],
    }
    return [np.where(side, height, np.nan) for side in chosen[sides]]
