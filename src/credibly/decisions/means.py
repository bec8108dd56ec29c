"""The mean of a number of each case as a measure, so that costs are estimated as everything else is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from credibly._core.arrays import Floats
from credibly.evaluation._declare import EstimateAnswer, estimators
from credibly.intervals._declare import EstimateRequest
from credibly.measures._declare import MeanLoss, TotalLoss
from credibly.measures._undefined import Reason
from credibly.predictions import Predictions
from credibly.predictions.summaries.linear import ratio

ABSENT = Reason("some class has no case")


def mean_of(
    p: Predictions,
    column: Floats,
    title: str,
    confidence_level: float,
    estimate: str,
    priors: Floats | None = None,
) -> EstimateAnswer:
    """Estimate the mean of a number of each case; at given shares of the classes, that of their means.

    >>> from credibly import Predictions
    >>> p = Predictions.of([0, 0, 1], label=[0, 1, 1])
    >>> costs = np.array([0.0, 1.0, 4.0])
    >>> mean_of(p, costs, "Cost", 0.95, "pooled", np.array([0.9, 0.1])).value.__round__(12)
    0.85
    """
    numbers = replace(
        p, value=column, label=None, score=None, probability=None, span=None, cache={}
    )
    measure = MeanLoss(_value, title, **MEAN_FACTS) if priors is None else _at_shares(title, priors)
    # Out of bag, a number of each case is that of all its predictions pooled, each case counting once.
    way = estimators["pooled" if estimate == "oob" else estimate]
    return way(EstimateRequest(measure, numbers, confidence_level=confidence_level))


def _value(p: Predictions) -> Any:  # noqa: ANN401
    return p.value


MEAN_FACTS: Any = {
    "name": "mean",
    "range": (-np.inf, np.inf),
    "best": None,
    "cite": "",
    "undefined": ABSENT,
}


def _at_shares(title: str, priors: Floats) -> TotalLoss:
    """Sum numbers and cases of each class; only the means of the classes are uncertain."""
    k = priors.size

    def loss(p: Predictions) -> Floats:
        each = (p.truth[:, None] == np.arange(k)).astype(np.float64)
        return np.column_stack([each * np.asarray(p.value)[:, None], each])

    def mean(sums: Floats) -> Floats:
        return np.asarray((priors * ratio(sums[..., :k], sums[..., k:])).sum(axis=-1))

    return TotalLoss(loss, title, combine=mean, stratified=True, **MEAN_FACTS)
