"""Limits of a median or another quantile: outcomes of the cases themselves, counted from the lowest.

How many of n independent cases lie below a quantile is binomial, whatever their distribution; the cases so far
from the end that this number hardly reaches them are the limits. Groups, weights and the order of time change how
much the share of cases below varies: then n is the size of a sample of independent cases in which it varies as much
(Woodruff), smaller still where few groups tell how much that is (Korn and Graubard).
"""

from __future__ import annotations

import math

import numpy as np

from credibly._core.arrays import Floats
from credibly.intervals._declare import (
    CASES_ALIKE,
    EstimateRequest,
    RefusalError,
    interval_method,
)
from credibly.intervals.quantiles import two_sided
from credibly.intervals.standard_errors import refuse_repeats, standard_error
from credibly.predictions import Predictions
from credibly.predictions.parts import cluster_count
from credibly.results.interval import Interval

WOODRUFF = (
    "Woodruff, R. S. (1952) Confidence intervals for medians and other position measures. JASA 47, 635-646. "
    "Korn, E. L. & Graubard, B. I. (1998) Confidence intervals for proportions with small expected number of "
    "positive counts estimated from survey data. Survey Methodology 24, 193-201."
)

# Groups beyond the quantile, on average: of fewer, only those that happen to vary little would get limits.


@interval_method("Order statistics", cite=WOODRUFF)
def order_statistics(q: EstimateRequest) -> Interval:
    """Outcomes of cases on either side of a median or another quantile, counted from the lowest.

    Exact for independent cases of any distribution, and never too narrow where outcomes are tied. With groups,
    weights or in time order the number of cases is that of independent ones which would vary as much.
    """
    share = q.measure.share_below
    if share is None:
        raise RefusalError("it is not a quantile")
    refuse_repeats(q.predictions)
    rows = q.predictions.known().of_weight()
    low, high = q.measure.range
    outcome = rows.need("outcome", q.measure.name)
    size, text = _size(rows, outcome, q, share)
    tail = (1 - q.confidence_level) / 2
    ends = (
        _end(outcome, rows.weights, share, size, tail, low),
        0.0 - _end(-outcome, rows.weights, 1 - share, size, tail, -high),
    )
    if not all(map(math.isfinite, ends)):
        raise RefusalError(
            f"{size:.4g} {'independent ' if text else ''}cases are too few for limits of this quantile at this level"
        )
    first, last = min(ends[0], q.value), max(ends[1], q.value)
    if first == last:
        raise RefusalError(f"so many outcomes are {first:g} that both limits are the same")
    return Interval(first, last, q.confidence_level, f"order statistics{text}")


def _end(
    outcome: Floats, weights: Floats, share: float, size: float, tail: float, beyond: float
) -> float:
    """Return the lower limit: the first outcome that is above fewer cases than hardly ever lie below the quantile."""
    from scipy.special import bdtrik

    if (1 - share) ** size > tail:  # so often none lies below
        return beyond
    few = float(bdtrik(tail, size, share)) / size
    order = np.argsort(outcome, kind="stable")
    below = np.cumsum(weights[order])
    place = int(np.searchsorted(below, few * below[-1] * (1 + 1e-12), side="right"))
    return float(outcome[order[min(place, outcome.size - 1)]])


def _size(p: Predictions, outcome: Floats, q: EstimateRequest, share: float) -> tuple[float, str]:
    """Return how many independent cases vary as much in the share below the quantile, and what to say of it."""
    n = p.cases
    if p.clusters is None and p.weight_kind != "importance":
        return n, ""
    level = q.confidence_level
    below = ((outcome <= q.value).astype(np.float64) + (outcome < q.value)) / 2
    mean = float(np.average(below, weights=p.weights))
    spread = float(np.average(np.square(below - mean), weights=p.weights))
    if not spread:
        raise RefusalError(CASES_ALIKE)
    error, freedom = standard_error((below - mean) / p.weights.sum(), p, by_class=False)
    groups = cluster_count(p)
    if 0 < groups * min(share, 1 - share) < 2:
        raise RefusalError(f"{groups} {p.cluster_name} are too few for limits of this quantile")
    few = (two_sided(level, max(n - 1, 1)) / two_sided(level, freedom)) ** 2
    size = min(n, few * spread / error**2) if error else n
    named = f", {groups} {p.cluster_name}" if groups else ""
    return size, f"{named}, effective size {size:.4g}"
