"""The standard error of an out-of-bag estimate, after Efron and Tibshirani (1997), sections 5 and 6."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from credibly._core.arrays import Floats, dot
from credibly.evaluation._declare import part_of
from credibly.intervals._declare import NO_INFLUENCE, EstimateRequest, RefusalError
from credibly.intervals.generalization import wide_limits
from credibly.intervals.influence import influence
from credibly.intervals.methods import interval_for, without_end
from credibly.intervals.quantiles import two_sided
from credibly.intervals.standard_errors import measure_error
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct, joint_codes, rows_by_code
from credibly.predictions.numbering import part_columns
from credibly.predictions.parts import ALL_CASES, as_given
from credibly.results.about import About
from credibly.results.interval import Interval

MIN_REPLICATES = 10  # replicates, below which covariances over them say nothing
SHARED_CASES = "replicates share their cases, so their spread does not give an interval"


def out_of_bag_interval(q: EstimateRequest) -> tuple[Interval | None, str]:
    """Return the interval of an out-of-bag estimate, about models of bootstrap samples, or why there is none.

    Where replicates draw groups, or a measure has no influence values, it is the one over cases.
    """
    if why := without_end(q):
        return None, why
    p = q.predictions.of_weight()
    values = None if p.grouping is not None or p.in_time else influence(q.measure, p, q.average)
    if values is not None:
        parts = _replicates(p, values)
        more = adjusted_variance(*parts) if len(parts[0]) >= MIN_REPLICATES else 0.0
        try:
            plain, _ = measure_error(q.measure, [p], q.average)
            error = max(plain, math.sqrt(max(more, 0.0)))
            cases = len(distinct(p.need("row", "a bootstrap")).values)
            return wide_limits(q, error, cases - 1, "Efron-Tibshirani", "samples"), ""
        except RefusalError as refusal:
            return None, refusal.args[0]
    interval, why = interval_for(replace(q, predictions=p))
    return (None if interval is None else replace(interval, about="samples")), why


def area_interval(q: EstimateRequest) -> tuple[Interval | None, str]:
    """Return the interval of an area out of bag, the mean over replicates, or why there is none.

    A pair of cases is ranked by one model, so that an area on the cases out of a sample is unbiased
    however few they are; influence values within each replicate stand for losses. The variance is the
    larger of Efron and Tibshirani's and that of a single model on as many cases as there are.
    """
    p = as_given(q.predictions)
    alike = p.grouping is None and not p.in_time and bool((p.weights == p.weights[0]).all())
    if not alike or q.measure.area is None:
        return None, SHARED_CASES
    cases = len(distinct(p.need("row", "a bootstrap")).values)
    moved, alone = np.full(p.n, np.nan), list[float]()
    for rows in rows_by_code(part_of(p)):
        part = p.take(rows)
        values = influence(q.measure, part, q.average)
        if values is not None:
            moved[rows] = (q.measure.on(part, q.average) + values * rows.size) / cases
            alone.append(float(dot(values, values)) * rows.size / cases)
    if len(alone) < MIN_REPLICATES:
        return None, SHARED_CASES
    known = np.isfinite(moved)
    parts = _replicates(p.take(known), moved[known])
    used = parts[1].any(axis=1)
    more = adjusted_variance(*(each[used] for each in parts))
    error = math.sqrt(max(more, float(np.mean(alone))))
    try:
        return wide_limits(q, error, cases - 1, "Efron-Tibshirani of areas", "samples"), ""
    except RefusalError as refusal:
        return None, refusal.args[0]


def combined_interval(q: EstimateRequest, apparent: Predictions, share: float) -> Interval:
    """Return the normal interval of a share of out of bag and the rest of the apparent value."""
    p = as_given(q.predictions)
    inside = influence(q.measure, apparent, q.average)
    values = influence(q.measure, q.predictions.of_weight(), q.average)
    if p.grouping is not None or p.in_time or q.measure.compares_scores:
        raise RefusalError("it is for independent cases, and measures that do not rank them")
    if inside is None or values is None:
        raise RefusalError(NO_INFLUENCE)
    moved, out, times = _replicates(q.predictions.of_weight(), values)
    if len(moved) < MIN_REPLICATES:
        raise RefusalError(f"it needs at least {MIN_REPLICATES} replicates")
    whole, inner = influences(moved, out, times)
    own = np.zeros(moved.shape[1])
    own[distinct(apparent.need("row", "a bootstrap")).codes] = inside * apparent.weights
    variance = float(np.square(share * whole + (1 - share) * own).sum()) - share**2 * inner
    return _normal(q, variance, "samples" if share == 1 else "training")


def optimism_interval(
    q: EstimateRequest,
    apparent: Predictions,
    replicates: Sequence[tuple[Predictions, Predictions]],
    gaps: Sequence[float],
) -> Interval:
    """Return the normal interval of an apparent value less optimism, by the influence of each case.

    ``replicates`` are the predictions of each model for its sample and for every case, ``gaps`` the
    difference that makes. A case moves the apparent value and the values on every case with models as they are, and
    the gaps by how often it is drawn. What chance adds to that, with so many replicates, is taken off.
    """
    if apparent.grouping is not None or apparent.in_time:
        raise RefusalError("it is for independent cases")
    if len(gaps) < MIN_REPLICATES or not np.isfinite(gaps).all():
        raise RefusalError(f"it needs at least {MIN_REPLICATES} replicates with a value")
    cases = distinct(apparent.need("row", "a bootstrap"))
    place = {row: i for i, row in enumerate(cases.values)}

    def by_case(p: Predictions, values: Floats | None) -> Floats:
        if values is None:
            raise RefusalError(NO_INFLUENCE)
        codes = [place[row] for row in p.need("row", "a bootstrap").tolist()]
        return np.bincount(codes, values, len(place)).astype(np.float64)

    def direct(p: Predictions) -> Floats:
        moved = influence(q.measure, p, q.average)
        return by_case(p, None if moved is None else moved * p.weights)

    base = by_case(apparent, apparent.weights)
    times = np.stack([by_case(sample, sample.weights) for sample, _ in replicates]) / base
    apart = np.asarray(gaps) - np.mean(gaps)
    moved = direct(apparent) + np.mean([direct(every) for _, every in replicates], axis=0)
    moved += dot((times - times.mean(axis=0)).T, apart) / (len(apart) - 1)
    variance = float(dot(moved, moved)) - len(place) * float(dot(apart, apart)) / (
        len(apart) - 1
    ) / len(apart)
    return _normal(q, variance, "training")


def _normal(q: EstimateRequest, variance: float, about: About) -> Interval:
    """Return a normal interval with a variance from which the part due to chance is subtracted."""
    if not variance > 0:
        raise RefusalError("the replicates are too few: most of what is seen is chance")
    error = math.sqrt(variance)
    half = error * two_sided(q.confidence_level, math.inf)
    method = "delta method after the bootstrap"
    interval = Interval(q.value - half, q.value + half, q.confidence_level, method, about, error)
    return interval.within(*q.measure.range)


def _replicates(p: Predictions, values: Floats) -> tuple[Floats, Floats, Floats]:
    """Return what each case adds in each replicate, whether it is out of the sample, and how often in it."""
    seen = p.seen.take(p.seen.need("repeat", "a bootstrap") != ALL_CASES)  # type: ignore[union-attr]
    numbers = [np.concatenate([getattr(p, c), getattr(seen, c)]) for c in part_columns(p)]
    drawn = distinct(joint_codes([distinct(each) for each in numbers])).codes
    named = distinct(np.concatenate([p.need("row", "one"), seen.need("row", "one")])).codes
    shape = int(drawn.max()) + 1, int(named.max()) + 1
    weight = np.ones(shape[1])
    weight[named[: p.n]] = as_given(p).weights
    moved, out, times = (np.zeros(shape) for _ in range(3))
    moved[drawn[: p.n], named[: p.n]] = values * weight[named[: p.n]] * shape[1]
    out[drawn[: p.n], named[: p.n]] = 1
    times[drawn[p.n :], named[p.n :]] = seen.weights / weight[named[p.n :]]
    return moved, out, times


def adjusted_variance(moved: Floats, out: Floats, times: Floats) -> float:
    r"""Return the variance by the delta method after the bootstrap, less that of the replicates themselves.

    ``moved`` are losses, ``out`` says by 1 which cases are out of a sample and ``times`` how often they are
    in it: a row for each replicate. The influence of a case is $(2 + 1/(n - 1))(E_i - \bar E)/n$, with $E_i$
    its mean loss out of bag, and $(1 - 1/n)^{-n}$ times the covariance over replicates of how often it is
    drawn with the error of the replicate. Squared and summed they give the variance (their eq. 35 to 40). With few
    replicates most of that is noise: its jackknife variance over replicates is taken off (eq. 42 and 43).
    """
    whole, inner = influences(moved, out, times)
    return float(np.square(whole).sum()) - inner


def influences(moved: Floats, out: Floats, times: Floats) -> tuple[Floats, float]:
    """Return the influence of each case on the out-of-bag value, and the variance due to the replicates."""
    replicates, n = moved.shape
    both, error = moved * out, (moved * out).mean(axis=1)
    often, total = out.sum(axis=0), both.sum(axis=0)
    share = (1 - 1 / n) ** -n

    def influence_of(mean: Floats, covariance: Floats) -> Floats:
        centred = mean - mean.mean(axis=-1, keepdims=True)
        return (2 + 1 / (n - 1)) * centred / n + share * covariance

    sums, products = times.sum(axis=0), times.T @ error
    whole = influence_of(
        total / np.maximum(often, 1), (products - sums * error.mean()) / (replicates - 1)
    )
    rest = error.sum() - error
    without = (
        products - times * error[:, None] - (sums - times) * rest[:, None] / (replicates - 1)
    ) / (replicates - 2)
    left = influence_of((total - both) / np.maximum(often - out, 1), without)
    inner = (replicates - 1) / replicates * np.square(left - left.mean(axis=0)).sum()
    return whole, float(inner)
