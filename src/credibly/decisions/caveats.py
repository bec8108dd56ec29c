"""What to doubt about given costs: signs and sizes that are rarely meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.text import number_text
from credibly.decisions.findings import DEAR_DECISIONS, NEGATIVE_COSTS
from credibly.errors import ParameterError
from credibly.predictions.cost_matrix import by_outcome

OTHER_OUTCOMES = {"fn": ("tp", "positive"), "fp": ("tn", "negative")}


def cost_findings(given: object, costs: Floats, classes: Sequence[Any]) -> tuple[Finding, ...]:
    r"""Refuse costs without which a decision is empty; name those that are rarely meant, by actual and predicted class.

    >>> import numpy as np
    >>> print(*cost_findings({"fn": -5.0, "fp": 0}, np.array([[0, 0], [-5.0, 0]]), ["no", "yes"]))
    caution: Labelling 'yes' as 'no' costs -5, and labelling it correctly costs 0: this mistake was treated as a gain, ...
    """
    outcomes = by_outcome(given)
    if outcomes is not None:
        _refuse_free_mistakes(outcomes)
    return (*_odd(costs, classes),)


def _refuse_free_mistakes(given: Mapping[str, object]) -> None:
    for mistake, (right, side) in OTHER_OUTCOMES.items():
        if mistake not in given and right not in given:
            raise ParameterError(
                f"The cost of {mistake} is not given, so a {side} case would cost 0 under any label.",
                remedy=f"Give the cost of {mistake} too, such as {mistake}=1 ({mistake}=0 if it costs nothing).",
            )


def _odd(costs: Floats, classes: Sequence[Any]) -> Iterator[Finding]:
    """Yield the first mistake of each kind, none of them twice; of costs by row, the cheapest row tells."""
    k = len(classes)
    beyond = costs - np.diagonal(costs, axis1=-2, axis2=-1)[..., None]
    least, gap, right = (x.reshape(-1, k, k).min(axis=0) for x in (costs, beyond, costs - beyond))
    mistakes = [(i, j) for i in range(k) for j in range(k) if i != j]
    negative = [(i, j) for i, j in mistakes if least[i, j] < 0]
    dear = [(i, j) for i, j in mistakes if gap[i, j] < 0 <= least[i, j]]
    for kind, found in ((NEGATIVE_COSTS, negative), (DEAR_DECISIONS, dear)):
        for i, j in found[:1]:
            cost, rightly = number_text(least[i, j]), number_text(right[i, j])
            yield kind(actual=classes[i], predicted=classes[j], cost=cost, right=rightly)
