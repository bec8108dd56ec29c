"""Results about times to an event: a score by time, and calibration at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from credibly._core.findings import Finding
from credibly._core.text import interval_text, number_text
from credibly.results.interval import Interval
from credibly.results.result import Cells, Result
from credibly.results.table import Estimate


@dataclass(frozen=True, slots=True, eq=False)
class ByTime(Result):
    """A score at several times, with intervals.

    >>> from credibly import survival
    >>> found = survival([1, 2, 3, 4], [1, 1, 0, 1], survival=[[0.5, 0.2], [0.6, 0.4], [0.8, 0.6], [0.9, 0.7]], times=[1, 3])
    >>> [(e.keys["time"], round(e.value, 4)) for e in found.by_time("survival_brier").estimates]
    [(1.0, 0.115), (3.0, 0.095)]
    """

    about: str
    estimates: tuple[Estimate, ...]
    findings: tuple[Finding, ...] = ()

    row_parts = "estimates"

    def heading(self) -> str:
        """Say what is shown, and of how many cases."""
        return f"{self.estimates[0].title}, {self.about}"

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        models = [*dict.fromkeys(str(e.keys.get("model", "value")) for e in self.estimates)]
        times = [*dict.fromkeys(float(e.keys["time"]) for e in self.estimates)]  # type: ignore[arg-type]
        held = {(e.keys["time"], str(e.keys.get("model", "value"))): e for e in self.estimates}
        shown = [[interval_text(held[t, m].value, held[t, m].interval) for m in models] for t in times]  # fmt: skip
        return ["time", *models], [[f"{t:g}", *row] for t, row in zip(times, shown, strict=True)]


@dataclass(frozen=True, slots=True)
class RiskGroup(Result):
    """Cases of similar predicted risk: what was predicted and what was observed by a time.

    >>> RiskGroup(10, 0.25, 0.3, None).observed
    0.3
    """

    n: int
    predicted: float
    observed: float
    interval: Interval | None

    def heading(self) -> str:
        """Say how many cases there are."""
        return f"{self.n:,} cases"

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        shown = interval_text(self.observed, self.interval)
        return ["cases", "predicted", "observed"], [[f"{self.n:,}", number_text(self.predicted), shown]]  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class HorizonCalibration(Result):
    """Predicted risks of an event by a time against what was observed (Kaplan-Meier), in groups of similar risk.

    >>> from credibly import survival
    >>> found = survival([1, 2, 3, 4] * 5, [1, 1, 0, 1] * 5, survival=[0.2, 0.4, 0.8, 0.9] * 5, times=2)
    >>> [(round(g.predicted, 2), round(g.observed, 2)) for g in found.calibration(groups=2).groups]
    [(0.15, 0.0), (0.7, 1.0)]
    """

    model: str
    at: float
    groups: tuple[RiskGroup, ...]
    findings: tuple[Finding, ...] = ()

    row_parts = "groups"

    def heading(self) -> str:
        """Say what is shown."""
        return f"Risk of an event by {self.at:g}, {sum(g.n for g in self.groups):,} cases"

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        body = [row for g in self.groups for row in g.cells()[1]]
        return self.groups[0].cells()[0], body

    def columns(self) -> dict[str, Any]:
        """Return what is drawn: predicted and observed risks, and the ends of intervals."""
        ends = [tuple(g.interval) if g.interval else (g.observed, g.observed) for g in self.groups]
        return {
            "x": [g.predicted for g in self.groups],
            "y": [g.observed for g in self.groups],
            "low": [low for low, _ in ends],
            "high": [high for _, high in ends],
        }
