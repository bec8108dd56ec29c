"""How a curve is declared: once, as a function from a summary to points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.declared import UNSTATED, Declarator, Reading, ReadingRegistry
from credibly._core.findings import Finding
from credibly.errors import Argument, ParameterError, says
from credibly.predictions.summaries import Summary

if TYPE_CHECKING:
    from credibly.curves.result import Drawn, Scale


Course = Literal["rising", "falling", ""]


class Points(NamedTuple):
    """Points of a curve with rising x; axes in front are replicates, which may share their x."""

    x: Floats
    y: Floats
    threshold: Floats | None = None


class CurveKind(Reading[..., Points]):
    """A kind of curve: how its points come from a summary, and what is known about it."""

    x_title: str
    y_title: str
    reads: type[Summary] = UNSTATED
    cite: str
    needs: tuple[str, ...] = ()
    range: tuple[float, float] = (-inf, inf)
    drawn: Drawn = "line"
    scale: Scale = "linear"
    course: Course = ""
    falls: bool = False  # far below 0, where pictures cut it off
    numbers: Callable[..., Mapping[str, float]] | None = None
    beside: Callable[..., Mapping[str, tuple[Floats, Floats]]] | None = None
    doubts: Callable[..., tuple[Finding, ...]] | None = None
    y_named: Callable[..., str] | None = None  # the title of y where it depends on the arguments

    def facts(self) -> dict[str, Any]:
        """Return what people ask of it, by name."""
        return {
            "x": self.x_title,
            "y": self.y_title,
            "drawn_as": self.drawn,
            "computed_from": self.reads.__name__,
        }

    def of_summary(self, summary: Summary) -> Points:
        """Return the points of a summary, or those of each summary of a batch."""
        if self.unfilled:
            raise ParameterError(
                says(
                    "{curve} needs {argument}.",
                    curve=self.name,
                    argument=Argument(self.unfilled, ...),
                )
            )
        summary = self.reads.taken(summary, self.name)
        with np.errstate(invalid="ignore", divide="ignore"):  # a replicate may lack a class
            points = self.function(summary, **self.arguments)
        return points._replace(x=np.broadcast_to(points.x, np.shape(points.y)))


curves: ReadingRegistry[CurveKind] = ReadingRegistry(
    "curve",
    "credibly.curves",
    use="curve(p, {name!r})",
    typed="curve {name} FILE",
    first="thresholds",
)
curve_kind = Declarator(CurveKind, curves)
