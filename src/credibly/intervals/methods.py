"""Intervals for the value of a measure on given predictions: about this fitted model and new cases."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import ROUNDING
from credibly._core.keeping import Place, kept
from credibly.errors import DataError, ParameterError, says
from credibly.intervals._declare import (
    CASES_ALIKE,
    NOT_ASKED,
    EstimateRequest,
    IntervalMethod,
    RefusalError,
    interval_method,
    interval_methods,
)
from credibly.intervals.influence import (
    condensed,
    influence as influence_values,
    of_skewed_losses,
    refuse_repeats,
    standard_error,
)
from credibly.intervals.long_run import over_time
from credibly.intervals.proportions import wilson
from credibly.intervals.student import two_sided
from credibly.measures import measures
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct
from credibly.predictions.parts import has_training_rows
from credibly.predictions.summaries import BinaryCounts, Counts
from credibly.results.interval import Interval

if TYPE_CHECKING:
    from credibly.intervals.bootstrap import Bootstrap
    from credibly.measures import Measure


EFRON = "Efron, B. (1982) The Jackknife, the Bootstrap and Other Resampling Plans, ch. 6. SIAM."
KATZ = "Katz, D., Baptista, J., Azen, S. P. & Pike, M. C. (1978) Obtaining confidence intervals for the risk ratio in cohort studies. Biometrics 34, 469-474."
BCA = "Efron, B. (1987) Better bootstrap confidence intervals. JASA 82, 171-185."


def interval_for(q: EstimateRequest) -> tuple[Interval | None, str]:
    """Return an interval about a value, or the reason why there is none."""
    if q.interval == "none":
        return None, NOT_ASKED
    if not math.isfinite(q.value) and not _may_be_infinite(q):
        return None, f"the value is {'undefined' if math.isnan(q.value) else 'infinite'}"
    if q.values and q.interval != "auto" and not interval_methods[q.interval].over_folds:
        return None, says(
            "a mean over folds is not a value on cases; use <interval='corrected'> or <interval='t'>"
        )
    if not q.values and q.predictions.part is not None and has_training_rows(q.predictions):
        return None, "the model has seen these cases, so they say nothing about new cases"
    if not q.values and q.measure.mean:
        return _of_total(q)
    view = q.measure.view(q.predictions, q.average)
    q = q if view is q.predictions else replace(q, predictions=view)
    why = ""
    for method in _automatic(q) if q.interval == "auto" else [interval_methods[q.interval]]:
        try:
            return method(q), ""
        except RefusalError as refusal:
            why = why or refusal.args[0]
    return None, why


def _may_be_infinite(q: EstimateRequest) -> bool:
    """Whether cases that are added to a table can tell how small an infinite ratio may be."""
    of_shares = q.measure.stratified and q.measure.reads is BinaryCounts
    return math.isinf(q.value) and of_shares and q.interval in {"auto", "influence"}


def _of_total(q: EstimateRequest) -> tuple[Interval | None, str]:
    """A total is the mean times the cases, of which there are as many as there are."""
    cases = float(q.predictions.known().weights.sum())
    if not cases:
        return None, "there are no cases"
    mean = measures[q.measure.mean].given(**q.measure.arguments)
    limits, why = interval_for(replace(q, measure=mean, value=q.value / cases))
    if limits is None:
        return None, why
    return limits.times(cases), why


def _automatic(q: EstimateRequest) -> Iterator[IntervalMethod]:
    """A proportion of independent cases has an exact theory; everything else moves with its cases.

    A mean over folds moves with its training cases as well.
    """
    if q.values:
        if q.predictions.repeats == 1:
            yield interval_methods["widened"]
        elif not q.measure.compares_scores:
            yield interval_methods["stability"]
        yield interval_methods["scaled"]
        return
    alone = q.measure.parts is not None and not q.average
    if alone and q.predictions.clusters is None:
        yield interval_methods[wilson.name]
        return
    yield influence if q.measure.share_below is None else interval_methods["order_statistics"]
    if alone:
        yield interval_methods[wilson.name]
    elif q.measure.area is not None and not q.average:
        from credibly.intervals.areas import newcombe

        yield newcombe


@interval_method("Influence values", cite=EFRON)
def influence(q: EstimateRequest) -> Interval:
    """Student's interval from the influence values of the cases, on a scale that keeps to the range.

    The variance is the infinitesimal jackknife's; DeLong's for an AUC. With groups, influence values
    are summed within each group first. In time order it is the long-run variance, by equal-weighted cosines.
    """
    refuse_repeats(q.predictions)
    if not q.measure.smooth:
        drawn = "block_bootstrap" if q.predictions.in_time else "bootstrap"
        other = "" if q.measure.no_bootstrap else f"; use <interval='{drawn}'>"
        raise RefusalError(
            says(f"it is not smooth in the case weights, so influence values do not apply{other}")
        )
    rows, said = condensed(q.measure, q.predictions, q.average), ""
    seen, centre = None, q.value
    if _is_table(q, rows):
        seen = _seen_error(q, rows)
        rows, said = _with_added_cases(rows), ", 1/2 case added to each cell"
        centre = q.measure.on(rows, q.average)
    error, freedom = _error(q, rows)
    if said:  # cells are no longer empty, so that the normal distribution serves
        freedom = math.inf
    elif q.predictions.clusters is None and q.measure.open_to_one_side:
        freedom = of_skewed_losses(freedom)
    low, high = q.measure.range
    # At an end, up to rounding, there is no logit of the value.
    near = 1e-12 * (high - low) if math.isfinite(high - low) else 0.0
    size = high - low if math.isfinite(high - low) else abs(centre)
    if min(centre - low, high - centre) <= near or error <= ROUNDING * size:
        raise RefusalError(CASES_ALIKE)
    first, last = on_scale(centre, error * two_sided(q.confidence_level, freedom), low, high)
    limits = min(first, q.value), max(last, q.value)
    shown = seen if said else error
    made = Interval(
        *limits,
        q.confidence_level,
        _told(q, freedom, said),
        standard_error=shown,
        degrees_of_freedom=freedom,
    )
    return _in_time(q, made) if q.predictions.in_time else made


def _in_time(q: EstimateRequest, made: Interval) -> Interval:
    """Say how far neighbours in time were allowed for."""
    p = q.predictions
    moved = np.asarray(influence_values(q.measure, p, q.average)) * p.weights
    _, found = over_time(moved, p)
    return replace(made, method=f"{made.method}, {found.method}", dependence=found)


def _error(q: EstimateRequest, rows: Predictions) -> tuple[float, float]:
    """Return the standard error by influence values of some rows, and its degrees of freedom."""
    values = influence_values(q.measure, rows, q.average)
    if values is None:
        endless = math.isinf(q.value)
        raise RefusalError(
            "the value is infinite" if endless else "it has no influence values here"
        )
    return standard_error(values, rows, by_class=q.measure.ranked or q.measure.stratified)


def _seen_error(q: EstimateRequest, rows: Predictions) -> float | None:
    """Return the standard error by the cases as they are, where they show any variation."""
    try:
        error, _ = _error(q, rows)
    except RefusalError:
        return None
    return error if error > ROUNDING * abs(q.value) else None


def _told(q: EstimateRequest, freedom: float, said: str) -> str:
    """Say how limits were made of influence values."""
    is_area = q.measure.area is not None and not q.average
    quantile = f"t with {freedom:.4g} degrees of freedom"
    named = f"DeLong, logit scale, {quantile}" if is_area else "influence values"
    clusters = q.predictions.clusters
    if clusters is None or q.predictions.in_time:
        return named + said
    return f"{named}{said}, {len(distinct(clusters).values)} {q.predictions.cluster_name}"


def _is_table(q: EstimateRequest, rows: Predictions) -> bool:
    """Whether a measure within two ends, or of given classes, is made of a two-by-two table alone.

    In a table of more classes most cells are nearly empty however many cases there are: adding to
    each of them would move the centre further than the cases themselves.
    """
    shares = all(map(math.isfinite, q.measure.range)) or q.measure.stratified
    two_by_two = q.measure.reads in {Counts, BinaryCounts} and len(rows.classes) == 2
    return shares and two_by_two and rows is not q.predictions


def _with_added_cases(rows: Predictions) -> Predictions:
    """Add half a case to each cell of a two-by-two table.

    What no case has shown may still happen. Without this, a class of a handful of cases that are all
    labelled right would seem to be known for certain.
    """

    def made() -> Predictions:
        k = len(rows.classes)
        truth, label = np.divmod(np.arange(k * k), k)
        return Predictions(
            rows.task,
            np.concatenate([rows.truth, truth]),
            rows.classes,
            rows.positive,
            label=np.concatenate([rows.need("label", "a table"), label]),
            weight=np.concatenate([rows.weights, np.full(k * k, 1 / k)]),
            weight_kind="frequency",
        )

    return kept(rows, "added", made)  # with what is derived from it


@interval_method("Normal on the log scale", cite=KATZ, aliases=("woolf", "simel"))
def log_normal(q: EstimateRequest) -> Interval:
    """Normal interval of the logarithm of a ratio, with nothing added to the table: what epiR gives.

    It has no limits where a cell is empty, and is too narrow where one is nearly so: the default adds
    half a case to each.
    """
    low, high = q.measure.range
    if low != 0 or math.isfinite(high):
        raise RefusalError("it is not a ratio that ranges from 0 to infinity")
    refuse_repeats(q.predictions)
    error, _ = _error(q, condensed(q.measure, q.predictions, q.average))
    if q.value == 0 or error <= ROUNDING * q.value:
        raise RefusalError("it has no logarithm here, or the cases show no variation in it")
    half = error * two_sided(q.confidence_level, math.inf)
    ends = on_scale(q.value, half, low, high)
    return Interval(*ends, q.confidence_level, "normal, log scale", standard_error=error)


@interval_method("Bootstrap", cite=BCA, random=True)
def bootstrap(q: EstimateRequest) -> Interval:
    """Quantiles of replicates of the measure, corrected for bias and skewness (BCa); needs rng=.

    Resamples groups when there are any. The only interval of measures that jump. What chance can only
    lift, such as KS, is mirrored instead, on squares; a largest value of all gets none.
    """
    refuse_repeats(q.predictions)
    if q.predictions.in_time:
        raise RefusalError(
            says(
                "cases are in time order, so blocks of them are redrawn; use <interval='block_bootstrap'>"
            )
        )
    if q.measure.no_bootstrap:
        raise RefusalError(q.measure.no_bootstrap)
    try:
        return replicates_of(q).interval(q.measure.call, confidence_level=q.confidence_level)
    except DataError:
        raise RefusalError(
            "hardly any replicates differ, so they do not show how uncertain it is"
        ) from None


def replicates_of(q: EstimateRequest) -> Bootstrap:
    """Return the replicates of a measure: those of the panel that was drawn, or new ones."""
    drawn = _panel(q).get(q.predictions)
    known = drawn is not None and q.measure.call in drawn.names
    return drawn if drawn is not None and known else draw([q.measure], q)


def draw(measures: list[Measure], q: EstimateRequest) -> Bootstrap:
    """Draw a panel of measures at once and keep it with the predictions."""
    from credibly.intervals.bootstrap import bootstrap as draw_replicates

    if q.seed is None:
        raise ParameterError(
            "A bootstrap is random.", remedy=says("Set <rng=...> to a whole number.")
        )
    drawn = draw_replicates(
        q.predictions,
        measures,
        replicates=q.replicates,
        rng=q.seed,
        average=q.average,
        device=q.device,
    )
    return _panel(q).put(q.predictions, drawn)


def _panel(q: EstimateRequest) -> Place[Bootstrap]:
    """Where the replicates of a panel of measures are kept."""
    return Place(f"{q.replicates} replicates of seed {q.seed}, {q.average}")


def on_scale(
    value: float, half: float, low: float, high: float, *, at: float | None = None
) -> tuple[float, float]:
    """Add and subtract on the logit of the range, the log of the distance from its one end, or as it is.

    How wide that is on the scale is seen ``at`` the value, or at another of which the error is known.
    """
    at = value if at is None else at
    if math.isfinite(low) and math.isfinite(high):
        share, seen = (value - low) / (high - low), (at - low) / (high - low)
        centre, half = math.log(share / (1 - share)), half / (high - low) / (seen * (1 - seen))
        ends = (1 / (1 + math.exp(-min(max(x, -700), 700))) for x in (centre - half, centre + half))
        first, last = (low + (high - low) * e for e in ends)
        return first, last
    if math.isfinite(low):
        return _beyond(value - low, half / (at - low), low)
    if math.isfinite(high):
        first, last = _beyond(high - value, half / (high - at), 0.0)
        return high - last, high - first
    return value - half, value + half


def errors_apart(value: float, other: float, error: float, low: float, high: float) -> float:
    """Return how many standard errors of a value lie between it and another, on the scale of their range.

    Limits that reach so far on the same scale end at the other.

    >>> errors = errors_apart(0.8, 0.5, 0.1, 0, 1)
    >>> round(errors, 4), round(on_scale(0.8, errors * 0.1, 0, 1)[0], 12)
    (2.2181, 0.5)
    """
    if math.isfinite(low) and math.isfinite(high):
        odds = (value - low) / (high - value) / ((other - low) / (high - other))
        return math.log(odds) * (value - low) * (high - value) / (high - low) / error
    if math.isfinite(low):
        return math.log((value - low) / (other - low)) * (value - low) / error
    if math.isfinite(high):
        return math.log((high - other) / (high - value)) * (high - value) / error
    return (value - other) / error


def _beyond(distance: float, half: float, end: float) -> tuple[float, float]:
    factor = math.exp(min(half, 700))
    return end + distance / factor, end + distance * factor
