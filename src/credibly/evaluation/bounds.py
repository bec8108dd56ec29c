"""How far a value can be from that of the cases themselves, where these were counted in bins of scores."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.findings import Finding
from credibly.evaluation.findings import BINNED_WITHOUT_BOUND
from credibly.predictions import Predictions
from credibly.predictions.findings import BINNED
from credibly.predictions.summaries import BinaryCounts, ClassScores, Counts, ScoreTable
from credibly.predictions.summaries.scores import ORDER_SUMS, BinBounds
from credibly.predictions.table import LOSS_SUMS
from credibly.results.interval import Interval

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.measures import Measure


SMALL_SHARE = 0.1  # part of the half width of an interval by which bins may move it


def error_bound(m: Measure, p: Predictions, average: Average | None = None) -> float | None:
    """Return the most by which a value can be off; NaN where that is not known, nothing without bins.

    >>> from credibly import Predictions
    >>> from credibly.measures import auc
    >>> p = Predictions.of([1, 0, 1, 0], score=[2, 2, 1, 0])
    >>> span = np.array([[1.5, 2.5], [1.5, 2.5], [1, 1], [0, 0]])
    >>> error_bound(auc, replace(p, span=span)), error_bound(auc, p)
    (0.125, None)
    """
    if p.span is None:
        return None
    if m.reads in {Counts, BinaryCounts}:
        return 0.0
    p = p.scored()
    if p.span is None or not (p.span[:, 0] < p.span[:, 1]).any():
        return 0.0
    if average is not None:
        return math.nan
    if m.of_order:
        if ORDER_SUMS.get(p) is not None:
            return 0.0
        value = m.value(p)
        ends = [
            float(m.of_summary(ScoreTable.of_order_sums(sums))) for sums in BinBounds.of(p).ends()
        ]
        return max(abs(value - end) for end in ends)
    return _pairs_bound(m, p) if m.reads is ClassScores else _loss_bound(m, p)


def _pairs_bound(m: Measure, p: Predictions) -> float:
    """No order within a bin wins fewer pairs of the two classes than one class first, or more than the other."""
    if p.span is None or p.probability is None or p.probability.ndim > 1:
        return math.nan
    (low, high), value = p.span.T, m.value(p)
    bins, place = np.unique(low, return_inverse=True)
    # The order alone matters: two places for each bin, of which one class takes the upper.
    firsts = [(low < high) & (p.truth == c) for c in range(2)]
    ends = [(2 * place + first) / (2 * bins.size) for first in firsts]
    return max(abs(m.value(replace(p, probability=e, cache={})) - value) for e in ends)


def _loss_bound(m: Measure, p: Predictions) -> float:
    """A loss of the probability of what happened falls as it rises: each lies between those at both ends."""
    if m.quick is None or p.span is None or p.probability is None:
        return math.nan
    if LOSS_SUMS.get(p) is not None and m.quick(p, **m.arguments) is not None:
        return 0.0
    value = m.value(p)
    right = p.truth == p.positive
    ends = [np.where(right, p.span[:, i], p.span[:, 1 - i]) for i in (0, 1)]
    return max(abs(m.value(replace(p, probability=e, cache={})) - value) for e in ends)


def too_coarse(bound: float | None, interval: Interval | None) -> str:
    """Say why an interval from bins is not to be shown: they may move it by more than a little.

    >>> from credibly.results.interval import Interval
    >>> narrow = Interval(0.7, 0.8, 0.95, "wald")
    >>> too_coarse(0.001, narrow), too_coarse(0.02, narrow)
    ('', 'bins may move it by 0.02')
    """
    if not bound or math.isnan(bound) or interval is None:
        return ""
    half = (interval.high - interval.low) / 2
    return f"bins may move it by {bound:.2g}" if bound > SMALL_SHARE * half else ""


def difference_bound(
    m: Measure, models: Iterable[Predictions], average: Average | None = None
) -> float:
    """Return the most by which a difference can be off: by as much as two models at worst."""
    each = [error_bound(m, p, average) or 0.0 for p in models]
    return math.nan if any(map(math.isnan, each)) else math.fsum(sorted(each)[-2:])


def bound_findings(what: str, bound: float | None) -> tuple[Finding, ...]:
    """Say how far bins of scores can have moved something, if at all."""
    if not bound:
        return ()
    if math.isnan(bound):
        return (BINNED_WITHOUT_BOUND(what=f"{what} is"),)
    return (BINNED(what=f"{what} is", how=f"it is off by at most {bound:.2g}"),)
