"""How a way to make an interval is declared: once, with what it applies to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from credibly._core.arrays import ROUNDING
from credibly._core.declared import Declarator, DeclaredFunction, Registry
from credibly.intervals.influence import extent
from credibly.predictions import Predictions
from credibly.results.interval import Interval

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly._kernels import Device
    from credibly.measures import Measure


def size_of(m: Measure, *values: float) -> float:
    """Return the magnitude of a measure, which decides what is rounding: its range, or its values where that is endless."""
    return extent(m) if math.isfinite(extent(m)) else max(map(abs, values))


@dataclass(frozen=True, slots=True)
class EstimateRequest:
    """An estimate with its interval: what is asked for, and what is known of it on the way.

    The ``value`` is there when an interval is asked for; that of a mean over folds comes with the
    ``values`` of the folds and the ``ratio`` of the size of a test part to that of its training part.
    """

    measure: Measure
    predictions: Predictions
    average: Average | None = None  # over classes: one value for all of them, or of one
    interval: str = "auto"
    confidence_level: float = 0.95
    seed: int | None = None
    replicates: int = 2000
    device: Device = "cpu"
    value: float = math.nan
    values: tuple[float, ...] = ()
    ratio: float | None = None

    def varies(self, error: float) -> bool:
        """Whether more than rounding lies between the value and the ends of its range, and in its error."""
        low, high = self.measure.range
        size = size_of(self.measure, self.value)
        return (
            min(self.value - low, high - self.value) > ROUNDING * size and error > ROUNDING * size
        )


MIN_CLASS_CASES = 10  # of a class, below which what rests on large samples is doubted
NOT_ASKED = "none was asked for"
NO_INFLUENCE = "it has no influence values here"
ONE_GROUP = "all cases belong to one group, so they do not show how groups vary"
FEW_VARY = "hardly any replicates differ, so they do not show how uncertain it is"
CASES_ALIKE = "the cases show no variation in it, so its uncertainty cannot be estimated"
FOLDS_ALIKE = "the folds show no variation in it, so its uncertainty cannot be estimated"


class RefusalError(Exception):
    """A method's reason for giving no interval; it never leaves this package."""


class IntervalMethod(DeclaredFunction[[EstimateRequest], Interval]):
    """A way to make an interval for the value of a measure; it answers a request or raises a refusal."""

    cite: str
    over_folds: bool = False  # whether it is of a mean over folds, and not of a value on cases
    random: bool = False  # whether it redraws cases, for which it needs a seed


interval_methods: Registry[IntervalMethod] = Registry(
    "interval method",
    "credibly.intervals",
    use="evaluate(p, interval={name!r})",
    typed="evaluate FILE --interval {name}",
)
interval_method = Declarator(IntervalMethod, interval_methods)
