"""How a way to make an interval is declared: once, with what it applies to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from credibly._core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from credibly._kernels import Device
    from credibly.measures import Measure
    from credibly.measures._declare import Average
    from credibly.predictions import Predictions
    from credibly.results.interval import Interval


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


@dataclass(frozen=True, slots=True)
class IntervalMethod:
    """A way to make an interval for the value of a measure."""

    name: str
    title: str
    cite: str
    make: Callable[[Question], Interval]
    doc: str
    aliases: tuple[str, ...] = ()


interval_methods: Registry[IntervalMethod] = Registry("interval method", "credibly.intervals")


def interval_method(
    title: str, *, cite: str
) -> Callable[[Callable[[Question], Interval]], IntervalMethod]:
    """Declare the decorated function, which answers a question or raises a refusal."""

    def declare(make: Callable[[Question], Interval]) -> IntervalMethod:
        return interval_methods.add(
            IntervalMethod(make.__name__, title, cite, make, make.__doc__ or "")
        )

    return declare
