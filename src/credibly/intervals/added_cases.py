"""Cases that are added to a table of labels: what no case has shown may still happen.

Measures of rare classes that are read off such a table get a few cases more, shared among the classes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import ROUNDING
from credibly.intervals._declare import RefusalError, size_of
from credibly.intervals.influence import MAX_CLASSES, influence
from credibly.intervals.standard_errors import by_class, measure_error
from credibly.predictions import Predictions
from credibly.predictions.numbers import effective_sizes
from credibly.predictions.table import cached

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.measures import Measure

# Cases that are shared among the classes, half of them right: half a case for each cell of two classes.
ADDED_CASES = 2.0


def error_with_added_cases(
    m: Measure, models: Sequence[Predictions], average: Average | None = None
) -> tuple[float, float, float]:
    """Return the value, or the difference, with cases added to the table, its standard error and the freedom of that.

    Where no class, or cell of two classes, is empty then, the normal distribution serves. Else the error has the
    freedom that the cases themselves show: those that are added are none. Cases that matter unequally count as so many
    equal ones as they are worth; where their own squares show a larger error, it grows as much.
    """
    counted = tuple(as_equal_cases(m, p, average) for p in models)
    more = with_added_cases(*counted)
    first, *second = (m.on(p, average) for p in more)
    error, freedom = measure_error(m, more, average)
    if len(more[0].classes) == 2 or by_class(m, more[0], average=average):
        freedom = math.inf
    elif all(influence(m, p, average) is not None for p in models):
        _, freedom = measure_error(m, models, average)
    if models[0].weight_kind == "importance":
        error *= max(_seen(m, models, average) / (_seen(m, counted, average) or math.inf), 1.0)
    return first - sum(second), error, freedom


def _seen(m: Measure, models: Sequence[Predictions], average: Average | None) -> float:
    try:
        error, _ = measure_error(m, models, average)
    except RefusalError:
        return 0.0
    return error if error > ROUNDING * size_of(m, *(m.on(p, average) for p in models)) else 0.0


def as_equal_cases(m: Measure, p: Predictions, average: Average | None = None) -> Predictions:
    """Return cases that matter unequally as counts of as many equal ones as they are worth.

    Those of each class where its size does not matter, else all together.

    >>> from credibly.measures import accuracy
    >>> p = Predictions.of([1, 0, 0], label=[1, 0, 1], sample_weight=[5, 5, 5], weight_kind="importance")
    >>> as_equal_cases(accuracy, p).weights.tolist()
    [1.0, 1.0, 1.0]
    """
    if p.weight_kind != "importance":
        return p
    k = len(p.classes)
    codes = p.truth if by_class(m, p, average=average) else np.zeros(p.n, np.intp)
    cases, size = effective_sizes(p.weights, codes, k), np.bincount(codes, p.weights, k)
    each = np.divide(cases, size, out=np.zeros(k), where=size > 0)[codes]
    return replace(p, weight=p.weights * each, weight_kind="frequency", cache={})


def added_cases_text(p: Predictions) -> str:
    """Say what is added, as part of the name of a method."""
    if len(p.classes) == 2:
        return "influence values, 1/2 case added to each cell"
    return "influence values, 2 cases added to the classes"


def with_added_cases(*models: Predictions) -> tuple[Predictions, ...]:
    """Add two cases, shared among the classes that have any, of which each model labels half right.

    Models of the same cases are right, or wrong in the same way, on half of them together. A class without cases
    stays so.

    >>> p = Predictions.of([0, 0, 1], label=[0, 1, 1])
    >>> with_added_cases(p)[0].weights.tolist()
    [1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.5]
    >>> [float(q.weights.sum()) for q in with_added_cases(p, p)]
    [5.0, 5.0]
    """
    if len(models) == 1:  # one table, and its derivatives, for all measures that read it
        return cached(models[0], with_added_cases, lambda: _with_added_cases(models))
    return _with_added_cases(models)


def _with_added_cases(models: tuple[Predictions, ...]) -> tuple[Predictions, ...]:
    k = len(models[0].classes)
    there = np.all([p.class_weights > 0 for p in models], axis=0)
    sharing = max(int(there.sum()), 2)
    if k > MAX_CLASSES:
        # The wrong half goes to one other class each, which is equal for every class by itself.
        each = np.flatnonzero(there)
        other = np.roll(each, -1) if each.size > 1 else (each + 1) % k
        truth, label = np.concatenate([each, each]), np.concatenate([each, other])
        weight = np.full(truth.size, 0.5 * ADDED_CASES / sharing)
    else:
        truth, label = np.divmod(np.arange(k * k), k)
        weight = np.where(truth == label, 0.5, 0.5 / (sharing - 1)) * ADDED_CASES / sharing
        weight *= there[truth] & (there[label] | (there.sum() < 2))
    labels = [label]
    if len(models) == 2:  # both label a case the same, or one of them is right and the other is not
        right, wrong = truth[truth != label], label[truth != label]
        labels = [np.concatenate([label, *two]) for two in ((right, wrong), (wrong, right))]
        weight = np.concatenate([weight, *[weight[truth != label]] * 2]) / 2
        truth = np.concatenate([truth, right, right])
    return tuple(
        Predictions(
            p.task,
            np.concatenate([p.truth, truth]),
            p.classes,
            p.positive,
            label=np.concatenate([p.need("label", "a table"), own]),
            weight=np.concatenate([p.weights, weight]),
            weight_kind="frequency",
        )
        for p, own in zip(models, labels, strict=True)
    )
