"""Intervals for the value of a measure on given predictions: about this fitted model and new cases."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import ROUNDING, Floats
from credibly._core.text import count
from credibly.errors import DataError, ParameterError, says
from credibly.intervals._declare import (
    CASES_ALIKE,
    FEW_VARY,
    NOT_ASKED,
    EstimateRequest,
    IntervalMethod,
    RefusalError,
    interval_method,
    interval_methods,
    size_of,
)
from credibly.intervals.added_cases import added_cases_text, error_with_added_cases
from credibly.intervals.influence import condensed, influence as influence_values
from credibly.intervals.left_out import leaves_out
from credibly.intervals.long_run import over_time
from credibly.intervals.proportions import wilson
from credibly.intervals.quantiles import two_sided
from credibly.intervals.standard_errors import (
    WILSON_FORM,
    Skewed,
    Uncertainty,
    error_of_area,
    is_area,
    measure_error,
    moves,
    of_skewed_losses,
    on_scale,
    refuse_repeats,
    skewness_of_sum,
    takes_added_cases,
)
from credibly.predictions import Predictions
from credibly.predictions.outputs import certain_rows
from credibly.predictions.parts import cluster_count, has_training_rows
from credibly.predictions.summaries import BinaryCounts
from credibly.predictions.table import Slot, cached
from credibly.results.interval import Interval

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.intervals.bootstrap import Bootstrap
    from credibly.measures import Measure


EFRON = "Efron, B. (1982) The Jackknife, the Bootstrap and Other Resampling Plans, ch. 6. SIAM."
KATZ = "Katz, D., Baptista, J., Azen, S. P. & Pike, M. C. (1978) Obtaining confidence intervals for the risk ratio in cohort studies. Biometrics 34, 469-474."
BCA = "Efron, B. (1987) Better bootstrap confidence intervals. JASA 82, 171-185."
FEW_STEPS = 2  # of probabilities, and different ones, which say nothing of how they were counted
STEP = 1e-6  # to which probabilities of single precision are whole numbers of steps


def value_with_interval(q: EstimateRequest) -> tuple[float, Interval | None, str]:
    """Return the value on all cases together with its interval about this model on new ones, or the reason for none."""
    value = q.measure.on(q.predictions, q.average)
    counting = replace(q, predictions=q.predictions.of_weight(), value=value)
    return value, *interval_for(counting)


def interval_for(q: EstimateRequest) -> tuple[Interval | None, str]:
    """Return an interval about a value, or the reason for having none."""
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
    if why := without_end(q):
        return None, why
    view = q.measure.view(q.predictions, q.average)
    q = within_reach(q if view is q.predictions else replace(q, predictions=view))
    why = ""
    for method in _automatic(q) if q.interval == "auto" else [interval_methods[q.interval]]:
        try:
            return method(q), ""
        except RefusalError as refusal:
            why = why or refusal.args[0]
    return None, why


def without_end(q: EstimateRequest) -> str:
    """Say that a class was called impossible, or may be: once it happens the value is infinite, and cases among which it did not show no upper limit."""
    m, p = q.measure, q.predictions
    has_floor = any(parameter.name == "clip" for parameter in m.parameters)
    if q.interval != "auto" or not (m.infinite and has_floor) or p.probability is None:
        return ""
    if not _grows_without_end(m, p):
        return ""
    sure = float(p.counts[certain_rows(p)].sum())
    if sure:
        why = f"{count(sure, 'prediction')} {'gives' if sure == 1 else 'give'} a probability of 0 for some class"
    elif steps := _steps(p):
        why = f"probabilities come in steps of 1/{steps}, as where votes are counted, so that a class may get none"
    elif _called_impossible(p):
        why = "at rows that it was fitted to, the model gives some class a probability of 0"
    else:
        return ""
    return says(
        "{why}, and the value is infinite as soon as that happens; {clipped} has an interval",
        why=why,
        clipped=m.given(clip=0.001).call,
    )


def _grows_without_end(m: Measure, p: Predictions) -> bool:
    """Whether a case costs infinitely much whose class had a probability of 0: not with a floor."""
    row = replace(p, seen=None).take(np.zeros(1, np.intp))
    place = 0 if p.positive is None else p.positive
    never = np.zeros_like(np.asarray(row.probability))
    if never.ndim > 1:
        never[:, (place + 1) % never.shape[1]] = 1.0
    happened = replace(row, truth=np.full_like(row.truth, place), probability=never, cache={})
    return bool(np.isinf(m.losses(happened)).any())


def _called_impossible(p: Predictions) -> bool:
    """Whether a model gave some class a probability of 0 at a row that it was fitted to."""
    found = {} if p.provenance is None else p.provenance.impossible
    return any(found.get(str(name), False) for name in p.model_names or found)


def _steps(p: Predictions) -> int:
    """Return in how many equal steps probabilities come, as shares of votes do; else 0.

    Those of a file may have been rounded: there the lowest must be one step above 0.

    >>> voted = Predictions.of([1, 0, 1, 0], probability=[0.2, 0.4, 0.8, 0.6], positive=1)
    >>> _steps(voted), _steps(replace(voted, probability=np.array([0.2, 0.41, 0.8, 0.6])))
    (0, 0)
    >>> _steps(voted.take(np.arange(12) % 4))
    5
    """
    shares = np.asarray(p.probability)
    rounded = p.provenance is None
    lowest = float(min(shares.min(), 1 - shares.max()) if shares.ndim == 1 else shares.min())
    if rounded and (lowest <= STEP or not _are_whole(shares, round(1 / lowest))):
        return 0  # seen without a sort
    each = np.unique(np.concatenate([shares, 1 - shares] if shares.ndim == 1 else [shares.ravel()]))
    gaps = np.diff(each[:1] if rounded else each, prepend=0.0)
    step = float(gaps[gaps > STEP].min(initial=1.0))  # what rounding alone sets apart is equal
    steps = round(1 / step)
    known = FEW_STEPS < steps <= p.cases and each.size > FEW_STEPS
    return steps if known and _are_whole(each, steps) else 0


def _are_whole(shares: Floats, steps: int) -> bool:
    places = shares * steps
    return bool((np.abs(places - np.rint(places)) < STEP).all())


def within_reach(q: EstimateRequest) -> EstimateRequest:
    """Drop weights that are all equal, and bound a count by the number of cases or pairs that there are."""
    m, p = q.measure, q.predictions
    if m.most is not None and not q.average and not q.values:
        most = float(m.most(m.summarise(p)))
        return replace(q, measure=replace(m, range=(m.range[0], most)))
    return q if q.values else replace(q, predictions=unweighted(m, p, q.average))


def unweighted(m: Measure, p: Predictions, average: Average | None = None) -> Predictions:
    """Return the cases without weights that are all equal, where the value is the same in any unit of the weights.

    The other unit is a power of two, in which a value rounds the same.
    """
    if p.weight_kind != "importance":
        return p
    plain = cached(p, equal_cases, lambda: equal_cases(p))
    if plain is p:
        return p
    twice = cached(p, unweighted, lambda: replace(p, weight=p.weights * 2, cache={}))
    same = math.isclose(m.on(twice, average), m.on(p, average), rel_tol=ROUNDING)
    return plain if same else p


def equal_cases(p: Predictions) -> Predictions:
    """Return the cases without weights where all positive weights are equal; else the cases as they are.

    >>> p = Predictions.of([1, 0, 1], label=[1, 0, 0], sample_weight=[2, 2, 0], weight_kind="importance")
    >>> equal_cases(p).n, equal_cases(p).weight
    (2, None)
    """
    counting = p.weights > 0
    if p.unshared is not None:  # shares of cases that are predicted repeatedly
        return p
    if not counting.any() or np.ptp(p.weights[counting]) > ROUNDING * p.weights.max():
        return p
    return replace(p.take(counting), weight=None, weight_kind="none", cache={})


def _may_be_infinite(q: EstimateRequest) -> bool:
    """Whether cases that are added to a table can tell how small an infinite ratio may be."""
    of_shares = q.measure.stratified and q.measure.reads is BinaryCounts
    return math.isinf(q.value) and of_shares and q.interval in {"auto", "influence"}


def _of_total(q: EstimateRequest) -> tuple[Interval | None, str]:
    """A total is the mean times the number of cases, which is treated as known."""
    cases = float(q.predictions.known().weights.sum())
    if not cases:
        return None, "there are no cases"
    limits, why = interval_for(replace(q, measure=q.measure.per_case, value=q.value / cases))
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
        elif not q.measure.of_pairs:
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
    elif is_area(q.measure, q.average):
        from credibly.intervals.areas import newcombe

        yield newcombe


@interval_method("Influence values", cite=EFRON)
def influence(q: EstimateRequest) -> Interval:
    """Student's interval from the influence values of the cases, on a scale that keeps to the range.

    The variance is the infinitesimal jackknife's; for an AUC the larger of DeLong's and that which Newcombe
    inverts, in Wilson's form. With groups, influence values
    are summed within each group first. In time order it is the long-run variance, by equal-weighted cosines.
    """
    uncertainty, named, seen = uncertainty_of(q)
    first, last = uncertainty.limits(q.confidence_level)
    interval = Interval(
        min(first, q.value),
        max(last, q.value),
        q.confidence_level,
        named,
        standard_error=seen,
        degrees_of_freedom=uncertainty.freedom,
        as_share=uncertainty.as_share,
    )
    return _in_time(q, interval) if q.predictions.in_time else interval


def uncertainty_of(q: EstimateRequest) -> tuple[Uncertainty, str, float | None]:
    """Return the uncertainty of a value over its cases, the method's name, and the standard error seen in them.

    A variance that is itself seen in a few cases, as that of an area near 1, is no smaller than one that
    follows from the value. This one needs no Student's t.
    """
    refuse_repeats(q.predictions)
    if not q.measure.smooth:
        drawn = "block_bootstrap" if q.predictions.in_time else "bootstrap"
        other = "" if q.measure.no_bootstrap else f"; use <interval='{drawn}'>"
        raise RefusalError(
            says(f"it is not smooth in the case weights, so influence values do not apply{other}")
        )
    rows, centre = condensed(q.measure, q.predictions, q.average), q.value
    if takes_added_cases(q.measure, [rows], q.average):
        seen = _seen_error(q, rows)
        made = error_with_added_cases(q.measure, [rows], q.average)
        return _varied(Uncertainty(*made, q.measure.range)), added_cases_text(rows), seen
    error, freedom = _error(q, rows)
    alone = q.predictions.clusters is None
    if not alone and (cases := _repeated_cases(q)) is not None:
        of_share = Uncertainty(centre, error, max(cases - 1, 1.0), q.measure.range, as_share=True)
        return _varied(of_share), f"influence values, {WILSON_FORM}, {_units(q)}", error
    skewed = _skewed(q, rows) if alone and not q.predictions.in_time else None
    exact = q.measure.nonlinear and leaves_out(q.measure, rows, q.average)
    if alone and q.measure.open_to_one_side and skewed is None and not exact:
        freedom = of_skewed_losses(freedom)
    area, in_time = is_area(q.measure, q.average), q.predictions.in_time
    as_share = area and not in_time
    uncertainty = Uncertainty(
        centre, error, freedom, q.measure.range, as_share=as_share, skewed=skewed
    )
    named = "DeLong, logit scale" if area else "jackknife" if exact else "influence values"
    if as_share:
        # One name for both, since the models of one table may have either.
        named = f"DeLong or Newcombe, the larger error, {WILSON_FORM}"
        delong = _varied(uncertainty)
        larger, freedom = error_of_area(q.measure, q.predictions, centre, rows, delong)
        uncertainty = replace(uncertainty, error=larger, freedom=freedom)
    if not alone and not in_time:
        named = f"{named}, {_units(q)}"
    return _varied(uncertainty), named, error


def _units(q: EstimateRequest) -> str:
    """Say how many independent units there are."""
    return f"{cluster_count(q.predictions)} {q.predictions.cluster_name}"


def _repeated_cases(q: EstimateRequest) -> float | None:
    """Return of how many cases that are predicted repeatedly a value is a share; nothing of other values, and of groups.

    The mean of what is 0 or 1 varies less than such a case does, so that its error follows from the value and not
    only from the few cases that are wrong.
    """
    m, p = q.measure, q.predictions
    if m.parts is None or q.average or p.grouping is not None or p.in_time:
        return None
    return float(m.parts(m.summarise(p))[1])


def _skewed(q: EstimateRequest, rows: Predictions) -> Skewed | None:
    """Return how limits of a mean of losses allow for skewness; nothing for other measures."""
    if q.measure.power is None or q.average:
        return None
    moved = np.asarray(influence_values(q.measure, rows, q.average))
    if rows.weight_kind == "importance":
        moved = moved * rows.weights
    copies = rows.weights if rows.weight_kind == "frequency" else None
    return Skewed(skewness_of_sum(moved, copies), q.measure.power)


def _varied(found: Uncertainty) -> Uncertainty:
    """Refuse values without variation over cases, and values at an end of the range, which have no logit."""
    low, high = found.range
    size = high - low if math.isfinite(high - low) else abs(found.value)
    near = ROUNDING * size if math.isfinite(high - low) else 0.0
    at_end = min(found.value - low, high - found.value) <= near
    if at_end or found.error <= ROUNDING * size:
        raise RefusalError(CASES_ALIKE)
    return found


def _in_time(q: EstimateRequest, made: Interval) -> Interval:
    """Say how far neighbours in time were allowed for."""
    p = q.predictions
    _, dependence = over_time(moves(q.measure, [p], q.average) * p.weights, p)
    return replace(made, method=f"{made.method}, {dependence.method}", dependence=dependence)


def _error(q: EstimateRequest, rows: Predictions) -> tuple[float, float]:
    """Return the standard error by influence values of some rows, and its degrees of freedom.

    It is kept with the rows: limits of many levels are asked for where one is looked for.
    """
    key = (measure_error, q.measure, q.average)
    return cached(rows, key, lambda: _fresh_error(q, rows))


def _fresh_error(q: EstimateRequest, rows: Predictions) -> tuple[float, float]:
    if math.isinf(q.value) and influence_values(q.measure, rows, q.average) is None:
        raise RefusalError("the value is infinite")
    return measure_error(q.measure, [rows], q.average)


def _seen_error(q: EstimateRequest, rows: Predictions) -> float | None:
    """Return the standard error by the cases as they are, where they show any variation."""
    try:
        error, _ = _error(q, rows)
    except RefusalError:
        return None
    return error if error > ROUNDING * size_of(q.measure, q.value) else None


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
        raise RefusalError(FEW_VARY) from None


def replicates_of(q: EstimateRequest) -> Bootstrap:
    """Return the replicates of a measure, those of the panel that was drawn or new ones; refuse if many are undefined."""
    from credibly.intervals.bootstrap import too_many_undefined

    drawn = _panel(q).get(q.predictions)
    if drawn is None or q.measure.call not in drawn.names:
        drawn = draw([q.measure], q)
    column = drawn.replicates[:, drawn.place_of(q.measure)]
    if why := too_many_undefined(column, q.confidence_level):
        raise RefusalError(why)
    return drawn


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


def _panel(q: EstimateRequest) -> Slot[Bootstrap]:
    """Where the replicates of a panel of measures are kept."""
    return Slot(f"{q.replicates} replicates of seed {q.seed}, {q.average}")
