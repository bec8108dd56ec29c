"""How a statistic of calibration is declared: a measure of a table of probabilities, kept apart.

They are measures like any other, so that bootstrap, slices and averages over classes hold for them;
kept apart since nobody wants all of them in a table of results.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from credibly._core.parameters import read_parameters
from credibly._core.registry import Registry
from credibly.measures import Measure
from credibly.reliability.outcomes import Outcomes
from credibly.summaries import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from credibly.measures._declare import Facts

    Floats = NDArray[np.float64]

calibration_statistics: Registry[Measure] = Registry(
    "calibration statistic", "credibly.reliability"
)


def calibration_statistic(
    title: str, **facts: Unpack[Facts]
) -> Callable[[Callable[..., float]], Measure]:
    """Declare the decorated function of :class:`Outcomes`."""

    def declare(function: Callable[..., float]) -> Measure:
        def formula(table: ScoreTable, **arguments: Any) -> Floats:  # noqa: ANN401
            size = table.score.size
            rows = zip(table.pos.reshape(-1, size), table.neg.reshape(-1, size), strict=True)
            each = [
                function(Outcomes.of_table(ScoreTable(table.score, pos, neg)), **arguments)
                for pos, neg in rows
            ]
            return np.array(each).reshape(table.pos.shape[:-1])

        low, high = facts["range"]
        return calibration_statistics.add(
            Measure(
                name=function.__name__,
                title=title,
                reads=ScoreTable,
                formula=formula,
                range=(float(low), float(high)),
                best=facts["best"],
                cite=facts["cite"],
                undefined=facts.get("undefined", ""),
                aliases=facts.get("aliases", ()),
                needs=("probability",),
                smooth=False,
                parameters=read_parameters(function, facts.get("where", {})),
                doc=inspect.getdoc(function) or "",
                family="calibration",
            )
        )

    return declare
