"""Counts and rates at a place on the list, with intervals that groups and weights need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from credibly.decisions import cost_benefit
from credibly.evaluation import evaluate
from credibly.predictions import Predictions

CELLS = ("tp", "fp", "fn", "tn")
RATES_OF_CLASSES = ["recall", "specificity"]  # which no share of positives changes
RATES = [*RATES_OF_CLASSES, "precision", "accuracy"]


def outcomes_at(
    p: Predictions,
    threshold: float | None = None,
    taken: float = 1.0,
    *,
    confidence_level: float = 0.95,
    prevalence: Any = None,  # noqa: ANN401
    **place: Any,  # noqa: ANN401
) -> Iterator[dict[str, Any]]:
    """Yield each count of outcomes, and from a threshold on each rate, with its interval.

    A count is what the list brings where that outcome alone brings one: a sum over cases like any other.

    >>> p = Predictions.of([1, 1, 0, 0, 1, 0], score=[6, 5, 4, 3, 2, 1], group=[0, 0, 1, 1, 2, 2], positive=1)
    >>> found = {e["of"]: e["value"] for e in outcomes_at(p, 4.0, 0.5, at="number=2.5")}
    >>> found["tp"], found["fp"], found["precision"]
    (2.0, 0.5, 0.8)
    """
    p = p.scored()
    for cell in CELLS:
        one = {**dict.fromkeys(CELLS, 0.0), cell: -1.0}
        analysis = cost_benefit(
            p, one, confidence_level=confidence_level, prevalence=prevalence, **place
        )
        yield from (
            {"of": cell, **e} for e in analysis.to_dict()["estimates"] if e["measure"] == "profit"
        )
    if threshold is None:
        return
    rates = RATES if prevalence is None else RATES_OF_CLASSES
    table = evaluate(_labelled(p, threshold, taken), rates, confidence_level=confidence_level)
    yield from ({"of": e["measure"], **e} for e in table.to_dict()["estimates"])


def _labelled(p: Predictions, threshold: float, taken: float) -> Predictions:
    """Label cases positive from a threshold on: of those at it, a part of each."""
    positive = p.positive or 0
    score = p.scores_of(positive, "a threshold")
    label = np.where(score >= threshold, positive, 1 - positive)
    if taken >= 1:
        return replace(p, label=label, cache={})
    tied = score == threshold
    split = np.concatenate([np.arange(p.n), np.flatnonzero(tied)])
    weight = np.concatenate([np.where(tied, taken, 1.0), np.full(tied.sum(), 1 - taken)])
    labels = np.concatenate([label, np.full(tied.sum(), 1 - positive)])
    rows = p.take(split)
    return replace(
        rows, label=labels, weight=rows.weights * weight, weight_kind="importance", cache={}
    )
