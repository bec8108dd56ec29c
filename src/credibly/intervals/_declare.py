"""How a way to make an interval is declared: once, with what it applies to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from credibly._core.declared import Declarator, DeclaredFunction
from credibly._core.registry import Registry
from credibly.results.interval import Interval

if TYPE_CHECKING:
    from credibly._kernels import Device
    from credibly.measures import Measure
    from credibly.measures._declare import Average
    from credibly.predictions import Predictions


@dataclass(frozen=True, slots=True)
class Question:
    """What an interval is asked for: a measure of some predictions, one value for all classes or not.

    A mean over folds comes with the ``values`` of the folds and the ``ratio`` of the size of a test
    part to that of its training part.
    """

    measure: Measure
    predictions: Predictions
    average: Average | None
    value: float
    confidence_level: float
    seed: int | None = None
    replicates: int = 2000
    device: Device = "cpu"
    values: tuple[float, ...] = ()
    ratio: float | None = None


class RefusalError(Exception):
    """A method's reason for giving no interval; it never leaves this package."""


@dataclass(frozen=True, eq=False, kw_only=True)
class IntervalMethod(DeclaredFunction[[Question], Interval]):
    """A way to make an interval for the value of a measure; it answers a question or raises a refusal."""

    cite: str


interval_methods: Registry[IntervalMethod] = Registry("interval method", "credibly.intervals")
interval_method = Declarator(IntervalMethod, interval_methods)
