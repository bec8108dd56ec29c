"""Results about times to an event: a score by time, calibration and net benefit at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from credibly._core.findings import Finding
from credibly._core.text import interval_text, number_text
from credibly.errors import listed
from credibly.results.estimate import Estimate
from credibly.results.interval import Interval
from credibly.results.result import Cells, Result

TREAT_ALL = "treat all"


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
    along: ClassVar[str] = "time"  # the key by which estimates differ

    def heading(self) -> str:
        """Say what is shown, and of how many cases."""
        return f"{self.estimates[0].title}, {self.about}"

    @property
    def places(self) -> list[float]:
        """The times, each once."""
        return [*dict.fromkeys(float(e.keys[self.along]) for e in self.estimates)]  # type: ignore[arg-type]

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        models = [*dict.fromkeys(str(e.keys.get("model", "value")) for e in self.estimates)]
        held = {(e.keys[self.along], str(e.keys.get("model", "value"))): e for e in self.estimates}
        shown = [[interval_text(held[x, m].value, held[x, m].interval) for m in models] for x in self.places]  # fmt: skip
        return [self.along, *models], [[f"{x:g}", *row] for x, row in zip(self.places, shown, strict=True)]  # fmt: skip


class HorizonDecision(ByTime):
    """Net benefit at a time of treating those whose risk reaches a threshold, by threshold (decision curve).

    Treating all is among the models; treating nobody has a net benefit of 0.

    >>> from credibly import survival
    >>> found = survival([1, 2, 3, 4], [1, 1, 0, 1], survival=[0.2, 0.4, 0.8, 0.9], times=2)
    >>> [(e.keys["model"], round(e.value, 3)) for e in found.decision_curve(thresholds=[0.25]).estimates]
    [('model', 0.5), ('treat all', 0.333)]
    """

    along: ClassVar[str] = "threshold"

    def meaning(self) -> str:
        """Say where each model has more net benefit than treating all and treating nobody."""
        held = {(e.keys[self.along], e.keys["model"]): e.value for e in self.estimates}
        models = [*dict.fromkeys(str(m) for _, m in held if m != TREAT_ALL)]
        better = {m: [x for x in self.places if held[x, m] > max(held[x, TREAT_ALL], 0.0)] for m in models}  # fmt: skip
        sentences = [f"{m} has more net benefit than treating all and treating nobody at {_stretches(self.places, at)}" for m, at in better.items() if at]  # fmt: skip
        none = [m for m, at in better.items() if not at]
        sentences += [f"{listed(none)} at no threshold"] if none else []
        return f"{'; '.join(sentences)}."


def _stretches(places: Sequence[float], chosen: Sequence[float]) -> str:
    """Name the stretches of neighbouring thresholds.

    >>> _stretches([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.4])
    'thresholds of 0.1 to 0.2 and 0.4'
    """
    parts: list[list[float]] = []
    for before, x in zip([None, *places], places, strict=False):
        if x in chosen:
            parts[-1].append(x) if before in chosen and parts else parts.append([x])
    named = [f"{p[0]:g} to {p[-1]:g}" if len(p) > 1 else f"{p[0]:g}" for p in parts]
    return f"thresholds of {listed(named)}"


class RiskGroup(Result, eq=True):
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
