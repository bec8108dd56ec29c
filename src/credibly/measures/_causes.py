"""Why a value is not finite on given predictions, or too small for a double to hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.findings import FindingKind
from credibly._core.grouping import grouped
from credibly.measures import Measure
from credibly.measures._undefined import NO_CASES, no_cases
from credibly.measures.findings import TOO_LARGE, TOO_SMALL, UNDEFINED
from credibly.predictions import Predictions
from credibly.predictions.summaries import Summary
from credibly.predictions.summaries.linear import class_sizes, one_vs_rest

if TYPE_CHECKING:
    from credibly._core.averages import Average

NO_LABEL = "no case has a label"
BEYOND_DOUBLES = "its sums are too large for a double, or too small to differ from zero"


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a value is not finite on some predictions."""

    text: str
    kind: FindingKind = UNDEFINED


def out_of_scale(p: Predictions) -> Cause:
    """Say that numbers are too large or too small for what is made of them."""
    columns = [x for x in (p.truth, p.value, p.outcome, p.baseline) if x is not None]
    sizes = np.abs(np.concatenate([np.ravel(x) for x in columns]))
    largest = float(sizes.max(initial=0))
    if largest > 1:
        return Cause(
            f"sums of the losses of numbers as large as {largest:.3g} are too large for a double",
            TOO_LARGE,
        )
    smallest = float(sizes[sizes > 0].min(initial=1))
    return Cause(
        f"the losses of numbers as small as {smallest:.3g} are too small for a double",
        TOO_SMALL,
    )


# The root of the smallest number that a double holds to all its digits.
SMALLEST_SPREAD = math.sqrt(np.finfo(np.float64).tiny / np.finfo(np.float64).eps)


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


def underflows(m: Measure, p: Predictions, value: float) -> bool:
    """Whether numbers that were predicted wrongly cost less than a double holds to all its digits.

    >>> from credibly.measures import mae, mse
    >>> p = Predictions.of([1e-200, 2e-200], value=[1e-200, 0.0])
    >>> underflows(mse, p, mse(p)), underflows(mae, p, mae(p))
    (True, False)
    """
    if abs(value) > SMALLEST_SPREAD or m.loss is None:
        return False
    known = m.usable(p)
    largest = np.abs(known.need("value", m.name) - known.truth).max(initial=0.0)
    return 0 < largest < SMALLEST_SPREAD and bool(
        (np.abs(m.losses(known)) < SMALLEST_SPREAD**2).all()
    )


def _cause(m: Measure, summary: Summary, known: Predictions) -> Cause:
    """Return the first declared reason that holds; of numbers, what is left is their size."""
    text = next((r.text for r in m.reasons if r.holds(summary, known)), None)
    if text is None and m.task != "classification":
        return out_of_scale(known)
    return Cause(text or BEYOND_DOUBLES)
