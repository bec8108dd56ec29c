"""How a way to estimate a measure from resampled predictions is declared: once, with what it needs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from credibly._core.declared import Declarator, DeclaredFunction
from credibly._core.registry import Registry
from credibly.intervals._declare import Question
from credibly.intervals.methods import interval_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from credibly._core.results import Finding
    from credibly._kernels import Device
    from credibly.measures import Measure
    from credibly.measures._declare import Average
    from credibly.predictions import Predictions
    from credibly.predictions.lack import Lack
    from credibly.results.interval import Interval

NO_INTERVAL = "its sampling distribution is not known; see estimate='oob'"


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A measure of the resampled predictions of one model, and what interval is wanted."""

    measure: Measure
    predictions: Predictions
    average: Average | None = None
    interval: str = "auto"
    confidence_level: float = 0.95
    seed: int | None = None
    replicates: int = 2000
    device: Device = "cpu"

    def value(self, p: Predictions) -> float:
        """Return the value on some of the rows."""
        return self.measure.on(p, self.average)

    def limits(self, p: Predictions, value: float) -> tuple[Interval | None, str]:
        """Return an interval about the cases of ``p``, or why there is none."""
        return interval_for(self.question(p, value), self.interval)

    def question(self, p: Predictions, value: float) -> Question:
        """Ask for an interval."""
        return Question(
            self.measure,
            p,
            self.average,
            value,
            self.confidence_level,
            self.seed,
            self.replicates,
            self.device,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """An estimate with its interval or the reason why it has none; ``values`` are those it averages."""

    value: float
    interval: Interval | None = None
    why: str = NO_INTERVAL
    values: tuple[float, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Estimator(DeclaredFunction[[Inquiry], Answer]):
    """A way to make one number out of the predictions of many fits; ``needs`` says what they lack for it."""

    cite: str
    needs: Callable[[Predictions], Lack | None] = field(default=lambda _: None, repr=False)


estimators: Registry[Estimator] = Registry("estimator", "credibly.evaluation")
estimator = Declarator(Estimator, estimators)


def folds(p: Predictions) -> list[Predictions]:
    """Return the rows of each fold and repeat; those of all measures share their sorting."""
    if "folds" not in p.cache:
        columns = [c for c in ("repeat", "fold") if getattr(p, c) is not None]
        p.cache["folds"] = [part for _, part in replace(p, seen=None).groups(columns)]
    parts: list[Predictions] = p.cache["folds"]
    return parts
