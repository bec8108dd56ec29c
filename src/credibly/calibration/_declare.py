"""How a statistic of calibration is declared: a measure of a table of probabilities, kept apart.

They are measures like any other, so that bootstrap, slices and averages over classes hold for them;
kept apart since nobody wants all of them in a table of results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from credibly._core.described import described_by
from credibly._core.registry import Registry
from credibly.calibration.outcomes import Outcomes
from credibly.measures import Measure
from credibly.measures._undefined import as_reasons
from credibly.predictions.summaries import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from credibly._core.arrays import Floats
    from credibly.measures._declare import Facts

    Slopes = Callable[[Outcomes], tuple[Floats, Floats]]

calibration_statistics: Registry[Measure] = Registry(
    "calibration statistic", "credibly.calibration"
)

Family = Literal["calibration", "gaps", "tested", "isotonic"]
NO_BOOTSTRAP = {
    "tested": "it is what a test reads: see the p-value",
    "isotonic": "no bootstrap of an isotonic fit holds its level: see the consistency band",
}


def calibration_statistic(
    title: str,
    *,
    slopes: Slopes | None = None,
    family: Family = "calibration",
    **facts: Unpack[Facts],
) -> Callable[[Callable[..., float]], Measure]:
    """Declare the decorated function of :class:`Outcomes`.

    ``slopes`` says how it moves with the weight of one event, and of one other case, at each
    probability. It then has influence values: an interval without a bootstrap, also of groups.
    ``family`` says of others whether they are the size of gaps, to whose squares chance adds, what a
    test reads, or made of an isotonic fit.
    """

    def declare(function: Callable[..., float]) -> Measure:
        def formula(table: ScoreTable, **arguments: Any) -> Floats:  # noqa: ANN401
            each = [function(o, **arguments) for o in Outcomes.of_table(table)]
            return np.array(each).reshape(table.pos.shape[:-1])

        def falling(table: ScoreTable) -> tuple[Floats, Floats]:
            sides = slopes(Outcomes.of_table(table)[0])  # type: ignore[misc]
            held = table.pos + table.neg > 0  # outcomes leave out scores without any weight
            event, other = (np.zeros(held.size) for _ in sides)
            event[held], other[held] = (side[::-1] / table.case_weight for side in sides)
            return event, other

        low, high = facts["range"]
        return calibration_statistics.add(
            Measure(
                title=title,
                reads=ScoreTable,
                formula=formula,
                range=(float(low), float(high)),
                best=facts["best"],
                cite=facts["cite"],
                reasons=as_reasons(facts.get("undefined", ())),
                aliases=facts.get("aliases", ()),
                needs=("probability",),
                smooth=slopes is not None,
                slopes=None if slopes is None else falling,
                lifted=family == "gaps",
                no_bootstrap=NO_BOOTSTRAP.get(family, ""),
                family=family,
                **described_by(function, facts.get("where", {})),
            )
        )

    return declare
