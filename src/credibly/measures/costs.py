"""Measures of what the mistakes cost."""

from __future__ import annotations

from functools import partial

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.names import Names
from credibly._core.parameters import Rule
from credibly.measures._declare import measure
from credibly.measures._undefined import NO_CASES
from credibly.predictions import CostMatrix
from credibly.predictions.summaries import Counts
from credibly.predictions.summaries.linear import ratio

ELKAN = "Elkan, C. (2001) The foundations of cost-sensitive learning. IJCAI, 973-978."
COSTS_RULE = {"costs": Rule("a CostMatrix", lambda v: isinstance(v, CostMatrix), 1)}
cost_measure = partial(
    measure, range=(-np.inf, np.inf), best=-np.inf, cite=ELKAN, constraints=COSTS_RULE
)


def _of_sums(costs: CostMatrix) -> tuple[float, float]:
    """Sums have the signs that costs have."""
    low, high = _of_means(costs)
    return 0.0 if low >= 0 else -np.inf, 0.0 if high <= 0 else np.inf


def _of_means(costs: CostMatrix) -> tuple[float, float]:
    """A mean lies between the least and the greatest cost."""
    return float(costs.values.min()), float(costs.values.max())


@cost_measure("Total cost", bounds=_of_sums, mean="average_cost", aliases=Names(weka="Total Cost"))
def total_cost(c: Counts, *, costs: CostMatrix) -> Floats:
    r"""Sum over the cases of the cost of their actual and predicted class; an undecided case costs what its worst label would.

    $\sum_{ij} C_{ij} n_{ij}$

    >>> costs = CostMatrix.of([[0, 1], [5, 0]], classes=[0, 1])
    >>> total_cost(Predictions.of([1, 1, 0, 0], label=[1, 0, 1, 0]), costs=costs)
    6.0
    """
    matrix = costs.aligned(c.classes)
    undecided = (matrix.max(axis=1) * c.doubt).sum(axis=-1)
    return np.asarray((matrix * c.matrix).sum(axis=(-1, -2)) + undecided)


@cost_measure(
    "Average cost",
    bounds=_of_means,
    linear=True,
    undefined=NO_CASES,
    aliases=Names(weka="Average Cost"),
)
def average_cost(c: Counts, *, costs: CostMatrix) -> Floats:
    r"""Mean over the cases of the cost of their actual and predicted class.

    $\sum_{ij} C_{ij} n_{ij} / n$

    >>> costs = CostMatrix.of([[0, 1], [5, 0]], classes=[0, 1])
    >>> average_cost(Predictions.of([1, 1, 0, 0], label=[1, 0, 1, 0]), costs=costs)
    1.5
    """
    return ratio(total_cost.formula(c, costs=costs), c.total)
