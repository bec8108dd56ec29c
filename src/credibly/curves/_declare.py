"""How a curve is declared: once, as a function from a summary to points."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Required, TypedDict, Unpack

import numpy as np

from credibly._core.declared import ReadingRegistry
from credibly._core.described import Declared, described_by
from credibly._core.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from credibly._core.arrays import Floats
    from credibly._core.parameters import Parameter, Rule
    from credibly._core.results import Finding
    from credibly.curves.result import Drawn, Scale
    from credibly.predictions.summaries import Summary


Course = Literal["rising", "falling", ""]


class Points(NamedTuple):
    """Points of a curve with rising x; axes in front are replicates."""

    x: Floats
    y: Floats
    threshold: Floats | None = None


class Facts(TypedDict, total=False):
    """What may be declared of a curve beside its name, its axes and its points."""

    cite: Required[str]
    aliases: tuple[str, ...]
    needs: tuple[str, ...]
    range: tuple[float, float]
    drawn: Drawn
    scale: Scale
    course: Course
    numbers: Callable[..., Mapping[str, float]]
    beside: Callable[..., Mapping[str, tuple[Floats, Floats]]]
    doubts: Callable[..., tuple[Finding, ...]]
    where: Mapping[str, Rule]


@dataclass(frozen=True, slots=True, eq=False)
class CurveKind(Declared):
    """A kind of curve: how its points come from a summary, and what is known about it."""

    name: str
    title: str
    x_title: str
    y_title: str
    reads: type[Summary]
    points: Callable[..., Points]
    cite: str
    aliases: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    range: tuple[float, float] = (-inf, inf)
    drawn: Drawn = "line"
    scale: Scale = "linear"
    course: Course = ""
    numbers: Callable[..., Mapping[str, float]] | None = None
    beside: Callable[..., Mapping[str, tuple[Floats, Floats]]] | None = None
    doubts: Callable[..., tuple[Finding, ...]] | None = None
    parameters: tuple[Parameter, ...] = ()
    arguments: Mapping[str, Any] = field(default_factory=dict)
    doc: str = field(default="", repr=False)

    def of_summary(self, summary: Summary) -> Points:
        """Return the points of a summary, or those of each summary of a batch."""
        for q in self.parameters:
            if q.required and q.name not in self.arguments:
                raise ParameterError(f"{self.name} needs {q.name}=... .")
        summary = self.reads.taken(summary, self.name)
        with np.errstate(invalid="ignore", divide="ignore"):  # a replicate may lack a class
            return self.points(summary, **self.arguments)


curves: ReadingRegistry[CurveKind] = ReadingRegistry("curve", "credibly.curves")


def curve_kind(
    title: str, *, x: str, y: str, reads: type[Summary], **facts: Unpack[Facts]
) -> Callable[[Callable[..., Points]], CurveKind]:
    """Declare the decorated function, from a summary to points, as a kind of curve."""

    def declare(points: Callable[..., Points]) -> CurveKind:
        told: dict[str, Any] = {**facts}
        rules = told.pop("where", {})
        return curves.add(
            CurveKind(
                title=title,
                x_title=x,
                y_title=y,
                reads=reads,
                points=points,
                **told,
                **described_by(points, rules),
            )
        )

    return declare
