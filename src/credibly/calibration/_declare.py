"""How a statistic of calibration is declared: a measure of a table of probabilities, kept apart.

They are measures like any other, so that bootstrap, slices and averages over classes hold for them;
kept apart since nobody wants all of them in a table of results.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.declared import Declarator, Registry
from credibly.calibration.outcomes import Outcomes
from credibly.measures import Measure
from credibly.measures._undefined import NO_CASES, Reason
from credibly.predictions.summaries import ScoreTable, Summary

Family = Literal["calibration", "gaps", "tested", "isotonic"]
NO_BOOTSTRAP = {
    "tested": "it is the statistic of a test: see the p-value",
    "isotonic": "the bootstrap of an isotonic fit does not keep its level: see the consistency band",
}


class CalibrationStatistic(Measure):
    """A measure whose function reads :class:`Outcomes`.

    ``slopes`` says how it moves with the weight of one event, and of one other case, at each
    probability. It then has influence values: an interval without a bootstrap, also of groups.
    ``family`` says of others whether they are the size of gaps, to whose squares chance adds, what a
    test reads, or made of an isotonic fit.
    """

    reads: type[Summary] = ScoreTable
    needs: tuple[str, ...] = ("probability",)
    family: Family = "calibration"

    def __post_init__(self) -> None:
        """Say what follows from its family."""
        super().__post_init__()
        self._set(
            smooth=self.slopes is not None,
            lifted=self.family == "gaps",
            no_bootstrap=NO_BOOTSTRAP.get(self.family, ""),
        )

    def formula(self, summary: ScoreTable, **arguments: object) -> Floats:
        """Return the statistic of each table of a batch; of no cases there is none."""
        tables = Outcomes.of_table(summary)
        each = [self.function(o, **arguments) if o.n else np.nan for o in tables]
        return np.array(each).reshape(summary.pos.shape[:-1])

    def slopes_at(self, table: ScoreTable) -> tuple[Floats, Floats] | None:
        """Return how it moves with the weight of an event and of another case at each score, falling."""
        if self.slopes is None:
            return None
        sides = self.slopes(Outcomes.of_table(table)[0])
        event, other = (
            side[::-1] if table.case_weight == 1 else side[::-1] / table.case_weight
            for side in sides
        )
        held = table.pos + table.neg > 0  # outcomes leave out scores without any weight
        if held.all():
            return event, other
        full = np.zeros((2, held.size))
        full[:, held] = event, other
        return full[0], full[1]


class CalibrationGap(CalibrationStatistic):
    """The size of the gaps between predicted and observed shares, to whose squares chance adds."""

    family: Family = "gaps"
    range: tuple[float, float] = (0, 1)
    best: float | None = 0
    undefined: str | Reason | Iterable[Reason] = NO_CASES


calibration_statistics: Registry[CalibrationStatistic] = Registry(
    "calibration statistic",
    "credibly.calibration",
    use="calibration(p)[{name!r}]",
    typed="calibration FILE",
)
calibration_statistic = Declarator(CalibrationStatistic, calibration_statistics)
calibration_gap = Declarator(CalibrationGap, calibration_statistics)
