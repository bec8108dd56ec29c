"""Intervals of the area under the ROC curve, and of what is that area stretched and shifted."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from statistics import NormalDist

import numpy as np

from credibly._core.arrays import ROUNDING, dot
from credibly._core.names import Names
from credibly.errors import says
from credibly.intervals._declare import EstimateRequest, RefusalError, interval_method
from credibly.intervals.influence import influence
from credibly.intervals.quantiles import root, two_sided
from credibly.intervals.standard_errors import (
    is_area,
    newcombe_variance,
    refuse_repeats,
    standard_error,
)
from credibly.predictions.summaries import ScoreTable
from credibly.predictions.summaries.linear import one_vs_rest
from credibly.results.interval import Interval

DELONG = "DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988) Comparing the areas under two or more correlated receiver operating characteristic curves. Biometrics 44, 837-845."
HANLEY = "Hanley, J. A. & McNeil, B. J. (1982) The meaning and use of the area under a receiver operating characteristic (ROC) curve. Radiology 143, 29-36."
BAMBER = "Bamber, D. (1975) The area above the ordinal dominance graph and the area below the receiver operating characteristic graph. Journal of Mathematical Psychology 12, 387-415."
NEWCOMBE = "Newcombe, R. G. (2006) Confidence intervals for an effect size measure based on the Mann-Whitney statistic, part 2. Statistics in Medicine 25, 559-573."

ROWS_PER_BLOCK = 1 << 13  # rows whose columns fit the cache, and too few for a threaded product


@interval_method("DeLong", cite=DELONG, aliases=Names(proc="ci.auc"))
def delong(q: EstimateRequest) -> Interval:
    """Normal interval of an AUC with DeLong's standard error, not on a scale of its own: what pROC gives.

    It may pass 1 and is cut there; the default takes the same standard error, or a larger one
    that follows from the area, in Wilson's form.
    """
    return _normal(q, "DeLong", _delong_error)


@interval_method("Hanley and McNeil", cite=HANLEY)
def hanley_mcneil(q: EstimateRequest) -> Interval:
    """Normal interval of an AUC with the standard error of Hanley and McNeil's exponential model."""
    return _normal(q, "Hanley-McNeil", _hanley_mcneil_error)


@interval_method("Mann-Whitney", cite=BAMBER)
def mann_whitney(q: EstimateRequest) -> Interval:
    """Normal interval of an AUC with the unbiased variance of the Mann-Whitney statistic, ties half.

    The variance of a mean over pairs is made of the products of two pairs that share both cases, one
    or none; each is estimated without bias from the pairs that do. DeLong's variance counts twice what
    a pair has of its own, so that it is a little larger.
    """
    return _normal(q, "Mann-Whitney", _mann_whitney_error)


@interval_method("Newcombe, for an AUC", cite=NEWCOMBE)
def newcombe(q: EstimateRequest) -> Interval:
    """Interval of an AUC that inverts Hanley and McNeil's variance; it keeps a width at 0 and 1."""
    area = _area(q, "Newcombe")
    if q.predictions.clusters is not None or q.predictions.weight_kind == "importance":
        raise RefusalError(
            "the cases show no variation in it, and groups or weights leave no known size"
        )
    sizes = q.predictions.class_weights
    z = NormalDist().inv_cdf((1 + q.confidence_level) / 2)

    def excess(theta: float) -> float:
        return (area - theta) ** 2 - z * z * newcombe_variance(theta, *sizes.tolist())

    low = 0.0 if area == 0 else root(lambda theta: -excess(theta), 0.0, area)
    high = 1.0 if area == 1 else root(excess, area, 1.0)
    return _stretched(q, low, high, "Newcombe")


def errors_from_area(q: EstimateRequest, other: float) -> float:
    """Return how many errors lie between an area and another, with the error that the other one has."""
    area, theta = (_area(replace(q, value=value), "Newcombe") for value in (q.value, other))
    variance = newcombe_variance(theta, *q.predictions.class_weights.tolist())
    if area == theta:
        return 0.0
    if variance <= 0:
        raise RefusalError("an area at its end has no error")
    return (area - theta) / math.sqrt(variance)


def _area(q: EstimateRequest, name: str) -> float:
    """Return the area behind the value of a measure, or refuse another measure; Newcombe's alone serves pairs won."""
    m = q.measure
    if not is_area(m, q.average) or (m.area is None and name != "Newcombe"):
        raise RefusalError(f"{name}'s interval is for an AUC")
    low, high = m.range
    if low == high:
        raise RefusalError("there are no pairs")
    return (q.value - low) / (high - low)


def _stretched(
    q: EstimateRequest, low: float, high: float, name: str, error: float | None = None
) -> Interval:
    shift, end = q.measure.range
    scale = end - shift
    low, high = shift + scale * low, shift + scale * high
    shown = None if error is None else scale * error
    return Interval(low, high, q.confidence_level, name, standard_error=shown)


def _normal(
    q: EstimateRequest, name: str, error: Callable[[EstimateRequest, float], float]
) -> Interval:
    area = _area(q, name)
    refuse_repeats(q.predictions)
    found = error(q, area)
    half = found * two_sided(q.confidence_level, math.inf)
    if found <= ROUNDING:
        raise RefusalError(says("its standard error is 0 here; use <interval='newcombe'>"))
    return _stretched(q, max(0.0, area - half), min(1.0, area + half), name, found)


def _delong_error(q: EstimateRequest, area: float) -> float:
    p = q.predictions
    if p.clusters is None and p.weight_kind != "importance":
        table, m, n = _two_classes(q, "DeLong's")
        positive, negative = _spreads(table, m, n, area)
        return math.sqrt(positive / m / (m - 1) + negative / n / (n - 1))
    values = influence(q.measure, p)
    if values is None or q.measure.area is None:
        raise RefusalError("an AUC of one class has no standard error")
    return standard_error(values, p, by_class=True)[0] / q.measure.area[0]


def _hanley_mcneil_error(q: EstimateRequest, area: float) -> float:
    from credibly.intervals.power import hanley_mcneil_standard_error

    table = _counted(q, "Hanley and McNeil's")
    return hanley_mcneil_standard_error(area, int(table.positives), int(table.negatives))


def _mann_whitney_error(q: EstimateRequest, area: float) -> float:
    if q.predictions.clusters is not None:
        raise RefusalError(
            "the Mann-Whitney error treats cases as independent, but these come in groups"
        )
    table, m, n = _two_classes(q, "the Mann-Whitney")
    spreads = _spreads(table, m, n, area)
    order = table.order_sums()
    pairs = m * n
    # Means of products of two pairs: the same pair, one positive case in both, one negative, none.
    same = float(order.concordant + order.tied / 4) / pairs
    positive = (n * (spreads[0] / m + area**2) - same) / (n - 1)
    negative = (m * (spreads[1] / n + area**2) - same) / (m - 1)
    none = (pairs * area**2 - same - (n - 1) * positive - (m - 1) * negative) / (m - 1) / (n - 1)
    variance = (same + (n - 1) * positive + (m - 1) * negative - (m + n - 1) * none) / pairs
    return math.sqrt(max(variance, 0.0)) if variance > 1e-15 / pairs else 0.0


def _counted(q: EstimateRequest, whose: str) -> ScoreTable:
    if q.predictions.weight_kind == "importance":
        raise RefusalError(f"{whose} error needs counts of cases, not importance weights")
    p = q.predictions
    return ScoreTable.of(p if p.has_positive else one_vs_rest(p, 1))


def _two_classes(q: EstimateRequest, whose: str) -> tuple[ScoreTable, float, float]:
    table = _counted(q, whose)
    positives, negatives = float(table.positives), float(table.negatives)
    if min(positives, negatives) < 2:
        raise RefusalError("a class has a single case, which shows no variation")
    return table, positives, negatives


def _spreads(table: ScoreTable, m: float, n: float, area: float) -> tuple[float, float]:
    """Sum, over the cases of either class, the squared distances of their placements from the area.

    A case's placement is the share of the other class that it is on the right side of, ties half.
    """
    tp = fp = positive = negative = 0.0
    for start in range(0, table.score.size, ROWS_PER_BLOCK):
        pos, neg = (side[start : start + ROWS_PER_BLOCK] * 1.0 for side in (table.pos, table.neg))
        tps, fps = tp + np.cumsum(pos), fp + np.cumsum(neg)
        positive += float(dot(pos, np.square((n - fps + neg / 2) / n - area)))
        negative += float(dot(neg, np.square((tps - pos / 2) / m - area)))
        tp, fp = tps[-1], fps[-1]
    return positive, negative
