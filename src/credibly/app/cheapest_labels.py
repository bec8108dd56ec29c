"""Predictions with the labels that are cheapest under costs, so that models are compared by what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from credibly.errors import DataError
from credibly.measures import Measure, measures
from credibly.predictions import Predictions
from credibly.predictions.cost_matrix import as_costs

if TYPE_CHECKING:
    from credibly.reports.context import ReportContext


def decided_by_costs(p: Predictions, costs: Mapping[str, float]) -> tuple[Any, Measure]:
    """Return the cases of each model with decided labels, and the measure of what these cost.

    It is what a report with these costs compares models by.

    >>> p = Predictions.of([0, 1, 0, 1], probability=[0.4, 0.6, 0.1, 0.3], model=["a", "a", "b", "b"])
    >>> made, measure = decided_by_costs(p, {"fn": 5, "fp": 1})
    >>> made["a"].label.tolist(), made["b"].label.tolist(), measure.name
    ([1, 1], [0, 1], 'average_cost')
    """
    from credibly.reports.context import ReportContext

    matrix = as_costs(dict(costs), p.classes, p.positive)
    context: ReportContext = ReportContext(p, costs=matrix)
    if context.decided is None:
        why = context.missed[0].message if context.missed else "These costs decide nothing here."
        raise DataError(why)
    return context.decided, measures["average_cost"].given(costs=matrix)
