"""Why a measure has no finite value on some predictions: which of its declared reasons holds, and of which classes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.grouping import grouped
from credibly.measures._undefined import (
    NO_CASES,
    NO_LABEL,
    UNTOLD,
    Cause,
    no_cases,
    out_of_scale,
)
from credibly.predictions import Predictions
from credibly.predictions.summaries import Summary
from credibly.predictions.summaries.linear import class_sizes, one_vs_rest

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.measures._declare import Measure


# The root of the smallest number that a double holds to all its digits.
FAINT = math.sqrt(np.finfo(np.float64).tiny / np.finfo(np.float64).eps)


def why_not_finite(
    m: Measure, p: Predictions, average: Average | None = None
) -> dict[Cause, list[object]]:
    """Say why a value on these predictions is not finite, with the classes of which it holds.

    >>> from credibly.measures import precision
    >>> p = Predictions.of(list("aab"), label=list("aaa"))
    >>> [(cause.text, of) for cause, of in why_not_finite(precision, p, "macro").items()]
    [('no case is labelled positive', ['b'])]
    """
    known = p.known()
    if no_cases(known):
        return {Cause(NO_CASES.text): []}
    if not average or (not m.class_wise and len(p.classes) <= 2):
        return {_cause(m, m.summarise(known), known): []}
    each = m.class_summaries(known)
    if average == "micro":
        return {_cause(m, reduce(add, each), known): []}
    counted = np.flatnonzero(class_sizes(known, average) > 0).tolist()
    undefined = [i for i in counted if not np.isfinite(m.of_summary(each[i]))]
    causes = ((_cause(m, each[i], one_vs_rest(known, i)), p.classes[i]) for i in undefined)
    return grouped(causes) or {Cause(NO_LABEL): []}


def why_undefined(
    m: Measure,
    parts: Iterable[Predictions],
    average: Average | None = None,
    state: Callable[[float], bool] = math.isnan,
) -> str:
    """Say why it has no value on some of these parts of the cases, or is infinite, each reason once."""
    causes = [
        cause.text
        for p in parts
        if state(m.on(p, average))
        for cause in why_not_finite(m, p, average)
    ]
    return "; ".join(dict.fromkeys(causes))


def vanished(m: Measure, p: Predictions, value: float) -> bool:
    """Whether numbers that were predicted wrongly cost less than a double holds to all its digits.

    >>> from credibly.measures import mae, mse
    >>> p = Predictions.of([1e-200, 2e-200], value=[1e-200, 0.0])
    >>> vanished(mse, p, mse(p)), vanished(mae, p, mae(p))
    (True, False)
    """
    if abs(value) > FAINT or m.loss is None or m.task != "numeric":
        return False
    known = m.usable(p)
    largest = np.abs(known.need("value", m.name) - known.truth).max(initial=0.0)
    return 0 < largest < FAINT and bool((np.abs(m.losses(known)) < FAINT**2).all())


def _cause(m: Measure, summary: Summary, known: Predictions) -> Cause:
    """Return the first declared reason that holds; of numbers, what is left is their size."""
    told = next((r.text for r in m.reasons if r.holds(summary, known)), None)
    if told is None and m.task != "classification":
        return out_of_scale(known)
    return Cause(told or UNTOLD)
