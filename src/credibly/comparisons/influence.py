"""Tests of any smooth measure by influence values: how each case moves the difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np

from credibly._core.arrays import ROUNDING, Floats
from credibly._core.averages import Average
from credibly._core.findings import Finding
from credibly.comparisons._declare import (
    Outcome,
    TestRequest,
    by_standard_error,
    comparison,
    tail_of,
    welch,
)
from credibly.comparisons._scores import newcombe_limits, score_limits, two_sample_statistic
from credibly.comparisons.assumptions import (
    APART,
    INDEPENDENT,
    LARGE,
    LARGE_SAMPLES,
    SAME,
    UNSEEN,
    refuse_importance,
)
from credibly.comparisons.cases import Cases, Overlap, Samples, Single
from credibly.errors import DataError, ParameterError, says
from credibly.intervals._declare import EstimateRequest, RefusalError, size_of
from credibly.intervals.added_cases import (
    added_cases_text,
    error_with_added_cases,
    with_added_cases,
)
from credibly.intervals.areas import errors_from_area, newcombe
from credibly.intervals.influence import influence as influence_values
from credibly.intervals.left_out import OneCaseDecidesError, leaves_out
from credibly.intervals.long_run import long_memory, over_time
from credibly.intervals.methods import uncertainty_of, within_reach
from credibly.intervals.proportions import clopper_pearson
from credibly.intervals.standard_errors import (
    by_class,
    error_of_sum,
    measure_error,
    takes_added_cases,
)
from credibly.measures import Measure
from credibly.measures._causes import why_undefined
from credibly.predictions import Predictions

EFRON = "Efron, B. (1982) The Jackknife, the Bootstrap and Other Resampling Plans, ch. 6. SIAM."
MEE = "Mee, R. W. (1984) Confidence bounds for the difference between two probabilities. Biometrics 40, 1175-1176. Newcombe, R. G. (1998) Statistics in Medicine 17, 873-890."
CLOPPER = "Clopper, C. J. & Pearson, E. S. (1934) The use of confidence or fiducial limits illustrated in the case of the binomial. Biometrika 26, 404-413."
by_influence = partial(comparison, null="both models have the same value", cite=EFRON)
MIN_STIRLING_CASES = 100_000  # cases from which on Stirling's formula is exact to the last digit


def moves(p: Predictions, m: Measure, average: Average | None) -> Floats:
    """Return how the measure moves with the weight of each case, or say why that is unknown."""
    values = influence_values(m, p, average)
    if values is None:
        raise DataError(
            f"{m.call} has no influence values on these cases.",
            remedy=says("Use <test='bootstrap'> with <rng=...>."),
        )
    return values


def _refuse(m: Measure, models: Sequence[Predictions], average: Average | None) -> None:
    """Refuse a measure that jumps, or has no value for a model."""
    if not m.smooth:
        other = "permutation" if m.no_bootstrap else "bootstrap"
        raise ParameterError(
            f"{m.call} is not smooth in the case weights, so it has no influence values.",
            remedy=says("Use <test={other}> with <rng=...>.", other=other),
        )
    for p in models:
        if math.isnan(m.on(p, average)):
            raise DataError(
                f"{m.title} is undefined for one of the models: {why_undefined(m, [p], average)}."
            )


def error_of(
    m: Measure, models: Sequence[Predictions], average: Average | None
) -> tuple[float, tuple[float, float], str]:
    """Return a value, or a difference on the same cases, its standard error with its freedom, and the method.

    Cases are added to a table of labels, as for the interval of one model, unless both models are the same.
    """
    _refuse(m, models, average)
    views = [m.view(p, average) for p in models]
    first, *second = (m.on(p, average) for p in views)
    finite = all(map(math.isfinite, (first, *second)))
    try:
        if finite and _differ(views) and takes_added_cases(m, views, average):
            value, *error = error_with_added_cases(m, views, average)
            return value, (error[0], error[1]), added_cases_text(views[0])
        for p in views:
            moves(p, m, average)
        return first - sum(second), measure_error(m, views, average), "influence values"
    except OneCaseDecidesError as refusal:
        what = f"{m.call} cannot be compared: {refusal}."
        raise DataError(what, remedy=_remedy(refusal) if second else "") from None
    except RefusalError as refusal:
        raise DataError(f"{m.call} cannot be compared: {refusal}.") from None


def instead(cases: Cases) -> str:
    """Return the test to use instead where one case decides what a model has; else nothing."""
    m, average = cases.measure, cases.average
    if not leaves_out(m, cases.models[0], average) or not np.isfinite(cases.values).all():
        return ""
    try:
        measure_error(m, [m.view(p, average) for p in cases.models], average)
    except OneCaseDecidesError as refusal:
        return _without_influence(refusal)
    except RefusalError:
        pass
    return ""


def _without_influence(refusal: OneCaseDecidesError) -> str:
    """Choose a test by whether replicates without the case, a third of all, have a value."""
    return "bootstrap" if refusal.defined else "permutation"


def _remedy(refusal: OneCaseDecidesError) -> str:
    other = _without_influence(refusal)
    lacking = "" if refusal.defined else says(" Leave out <margin=...>.")
    return says("Use <test={other}> with <rng=...>.", other=other) + lacking


def _differ(models: Sequence[Predictions]) -> bool:
    """Whether models label some case otherwise; a single one is not compared."""
    return len(models) == 1 or not np.array_equal(*(p.label for p in models))  # type: ignore[arg-type]


@by_influence("Influence values", assumptions={"same": SAME, **LARGE_SAMPLES})
def influence(cases: Cases, request: TestRequest) -> Outcome:
    """Compare any smooth measure of two models on the same cases.

    A case moves the difference by the difference of its influence values; their spread is the
    standard error. For AUCs that is DeLong's, for mean losses the paired t-test's. With groups,
    influence values are summed within each group first. In time order it is a long-run variance: for
    mean losses that is Diebold and Mariano's test, with equal-weighted cosines.

    >>> from credibly import Predictions, compare
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0] * 5
    >>> a = Predictions.of(truth, label=[1, 1, 1, 0, 0, 0, 0, 1] * 5)
    >>> b = Predictions.of(truth, label=[1, 0, 1, 0, 0, 1, 0, 1] * 5)
    >>> result = compare(a, b, "mcc")
    >>> round(result.difference, 6), round(result.pvalue, 6)
    (0.5, 0.000764)
    """
    m, p = cases.measure, cases.models[0]
    centre, found, named = error_of(m, cases.models, cases.average)
    if not p.in_time:
        return _tested(request, cases, found, named, centre=centre)
    how, more, findings = of_moments(cases)
    method = f"influence values, {how}"
    return _tested(request, cases, found, method, parameters=more, findings=findings)


def of_moments(cases: Cases) -> tuple[str, dict[str, float], tuple[Finding, ...]]:
    """Return how the variance of a difference over time is found, how many moments it rests on, and what to doubt of it."""
    m, p = cases.measure, cases.models[0]
    first, second = (moves(model, m, cases.average) for model in cases.models)
    _, seen = over_time((first - second) * p.weights, p)
    told = {"moments": seen.moments, "effective_cases": seen.effective_cases}
    return seen.method, told, long_memory(f"The difference in {m.title}", seen)


@by_influence("Influence values, unpaired", assumptions={"apart": APART, **LARGE_SAMPLES})
def influence_unpaired(samples: Samples, request: TestRequest) -> Outcome:
    """Compare any smooth measure of two models on different cases: variances add.

    >>> from credibly import Predictions, compare
    >>> a = Predictions.of([1, 1, 1, 1, 0, 0, 0, 0] * 5, label=[1, 1, 1, 0, 0, 0, 0, 1] * 5)
    >>> b = Predictions.of([1, 1, 0, 0] * 8, label=[1, 0, 0, 1] * 8)
    >>> round(compare(a, b, "mcc", independent=True).pvalue, 6)
    0.031742
    """
    (first, one, named), (second, other, _) = (
        error_of(samples.measure, [p], samples.average) for p in samples.models
    )
    method, found = f"{named}, unpaired", welch(one, other)
    return _tested(request, samples, found, method, centre=first - second)


@by_influence(
    "Influence values, partially paired",
    assumptions={
        "shared": "Whether a case is shared by both models does not depend on how well either does.",
        "independent": INDEPENDENT,
        "unseen": UNSEEN,
        "large": LARGE,
    },
)
def partially_paired(overlap: Overlap, request: TestRequest) -> Outcome:
    """Compare any smooth measure of two models that share some of their cases.

    Influence values are added over the union of the cases: a shared case moves both values, another
    one of them. So no case is thrown away, and the pairing that there is still counts.

    >>> from credibly import Predictions, compare
    >>> a = Predictions.of([1, 1, 0, 0] * 6, label=[1, 1, 0, 1] * 6, row=range(24))
    >>> b = Predictions.of([1, 1, 0, 0] * 6, label=[1, 0, 0, 1] * 6, row=range(12, 36))
    >>> result = compare(a, b, "error_rate", partial=True)
    >>> round(result.difference, 6), result.n
    (-0.25, 36.0)
    """
    m = overlap.measure
    if any(p.weight is not None or p.clusters is not None for p in overlap.models):
        raise DataError(
            "partially_paired does not take weights or groups: leave them out, or compare only the shared rows."
        )
    _refuse(m, overlap.models, overlap.average)
    centre, found = _over_union(overlap)
    both = {"shared": sum(r.size for r in overlap.rows) - int(overlap.n)}
    method = "influence values over the union"
    return _tested(request, overlap, found, method, centre=centre, parameters=both)


def _over_union(overlap: Overlap) -> tuple[float, tuple[float, float]]:
    """Return the difference and its error over the union of the cases; cases that are added are shared."""
    m, average, n = overlap.measure, overlap.average, int(overlap.n)
    views = [m.view(p, average) for p in overlap.models]
    added = takes_added_cases(m, views, average)
    models = with_added_cases(*views) if added else tuple(views)
    size = n + models[0].n - views[0].n
    total, copies, truth = np.zeros(size), np.ones(size), np.zeros(size, np.intp)
    for p, rows, sign in zip(models, overlap.rows, (1, -1), strict=True):
        places = np.concatenate([rows, np.arange(n, size)])
        total[places] += sign * moves(p, m, average)
        copies[places], truth[places] = p.weights, p.truth
    apart = by_class(m, *models, average=average)
    first, second = (m.on(p, average) for p in models)
    try:
        return first - second, error_of_sum(total, copies, truth if apart else None)
    except RefusalError as refusal:
        raise DataError(f"{m.call} cannot be compared: {refusal}.") from None


@by_influence(
    "Influence values, against a value",
    null="the model has the given value",
    assumptions=LARGE_SAMPLES,
)
def influence_value(single: Single, request: TestRequest) -> Outcome:
    """Compare any smooth measure of one model with a given value, such as an AUC with 0.5.

    The error, its degrees of freedom and the scale are those of the interval of the value, so that
    the test rejects the values outside of it.

    >>> from credibly import Predictions, compare
    >>> p = Predictions.of([1, 1, 1, 1, 0, 0, 0, 0], score=[8, 7, 6, 3, 5, 4, 2, 1])
    >>> result = compare(p, measure="auc", against=0.5)
    >>> result.difference, round(result.statistic, 6)
    (0.375, 1.718466)
    """
    m, (value,), null = single.measure, single.values, single.against + request.shift
    centre, error, named = error_of(m, [single.model], single.average)
    plain = _tested(request, single, error, named, single.against, centre=centre - single.against)
    asked = within_reach(
        EstimateRequest(
            m, single.model, single.average, value=value, confidence_level=request.confidence_level
        )
    )
    try:
        if plain.interval is None:
            return _of_certain_area(asked, request, single, plain)
        uncertainty, named, _ = uncertainty_of(asked)
    except RefusalError:  # at an end of the range
        return plain
    freedom = {} if uncertainty.freedom == math.inf else {"freedom": uncertainty.freedom}
    first, last = uncertainty.limits(request.confidence_level)
    seen = replace(
        plain,
        interval=(min(first, value) - single.against, max(last, value) - single.against),
        method=named,
        parameters={**freedom, "standard_error": uncertainty.error},
    )
    low, high = uncertainty.range
    near = ROUNDING * size_of(m, value, null)
    # Cases that are added move the centre, but no interval leaves out the value itself.
    if min(uncertainty.value, value) - near <= null <= max(uncertainty.value, value) + near:
        t = 0.0
    elif min(null - low, high - null) <= near:  # which no limit reaches
        return seen
    else:
        t = uncertainty.errors_from(null)
    pvalue = tail_of(t, request.alternative, uncertainty.freedom)
    return replace(seen, statistic=t, pvalue=pvalue)


def _of_certain_area(
    asked: EstimateRequest, request: TestRequest, single: Single, plain: Outcome
) -> Outcome:
    """Judge an area without variation over its cases, such as 1, by the error that the other value would give it."""
    limits = newcombe(asked)
    t = errors_from_area(asked, single.against + request.shift)
    return replace(
        plain,
        statistic=t,
        pvalue=tail_of(t, request.alternative),
        difference=single.difference,
        interval=(limits.low - single.against, limits.high - single.against),
        why_no_interval="",
        method=limits.method,
        findings=(),
    )


def _tested(
    request: TestRequest,
    e: Cases | Samples | Overlap | Single,
    found: tuple[float, float],
    method: str,
    *against: float,
    **more: Any,  # noqa: ANN401
) -> Outcome:
    """Test a difference by its standard error and the degrees of freedom of that."""
    rounding = ROUNDING * size_of(e.measure, *against, *e.values)
    return by_standard_error(
        request, e.difference, *found, method=method, rounding=rounding, **more
    )


# --- proportions --------------------------------------------------------------------------------


def parts_of(p: Predictions, m: Measure, test: str) -> tuple[float, float]:
    """Return the part and the whole of a proportion of cases."""
    if m.parts is None:
        raise ParameterError(
            f"{test} compares proportions of cases, and {m.call} is not one.",
            remedy=says("Use <test='influence...'>."),
        )
    refuse_importance(p, test)
    part, whole = (float(x) for x in m.parts(m.summarise(p)))
    if not whole:
        raise DataError(f"{m.title} is undefined: {why_undefined(m, [p])}.")
    return part, whole


@comparison(
    "Two proportions",
    null="both models have the same proportion",
    cite=MEE,
    assumptions={"apart": APART, "independent": INDEPENDENT, "unseen": UNSEEN},
)
def two_proportions(
    samples: Samples,
    request: TestRequest,
    *,
    method: Literal["score", "fisher"] = "score",
    interval: Literal["score", "newcombe"] = "score",
) -> Outcome:
    """Compare two error rates, recalls or other proportions on different cases by the score test.

    At a difference of zero the score is the usual one with the pooled proportion, and the interval
    inverts it, or with ``interval="newcombe"`` is made of Wilson's of either. ``fisher`` takes the
    p-value of Fisher's exact test instead.

    >>> from credibly import Predictions, compare
    >>> a = Predictions.of([1] * 40, label=[0] * 15 + [1] * 25, classes=[0, 1])
    >>> b = Predictions.of([1] * 40, label=[0] * 5 + [1] * 35, classes=[0, 1])
    >>> round(compare(a, b, "error_rate", independent=True).pvalue, 6)
    0.009823
    """
    if samples.average:
        raise ParameterError(
            "An average over classes is not a proportion.",
            remedy=says("Use <test='influence_unpaired'>."),
        )
    found = [parts_of(p, samples.measure, "two_proportions") for p in samples.models]
    (x, m), (y, n) = found
    if method == "fisher" and request.shift:
        raise ParameterError(
            "Fisher's test only tests equality.",
            remedy=says("Leave out <margin=...>, or use <method='score'>."),
        )

    def statistic(difference: float) -> float:
        return two_sample_statistic((x, y), (m, n), difference)

    z = statistic(request.shift)
    pvalue = tail_of(z, request.alternative) if method == "score" else fisher(x, m, y, n, request)
    limits = (
        newcombe_limits((x, y), (m, n), request.confidence_level)
        if interval == "newcombe"
        else score_limits(statistic, x / m - y / n, (1 - request.confidence_level) / 2)
    )
    return Outcome(
        z,
        pvalue,
        x / m - y / n,
        limits,
        "Newcombe" if interval == "newcombe" else "score (Mee)",
        parameters={"method": method},
        effect_sizes=_odds(x, m, y, n),
    )


def fisher(x: float, m: float, y: float, n: float, request: TestRequest) -> float:
    """Return the p-value of Fisher's exact test."""
    from scipy.stats import fisher_exact

    table = [[round(x), round(m - x)], [round(y), round(n - y)]]
    return min(1.0, float(fisher_exact(table, request.alternative).pvalue))


def _odds(x: float, m: float, y: float, n: float) -> dict[str, float]:
    below = (m - x) * y
    return {"odds ratio": x * (n - y) / below} if below else {}


@comparison(
    "Exact binomial, against a value",
    null="the model has the given proportion",
    cite=CLOPPER,
    assumptions={"independent": INDEPENDENT, "unseen": UNSEEN},
)
def binomial_value(single: Single, request: TestRequest) -> Outcome:
    """Compare a proportion of one model, such as its accuracy, with a required value, exactly.

    The two-sided p-value adds all outcomes that are no more likely than what was seen; the interval is
    Clopper and Pearson's, so the two may disagree near the limit.

    >>> from credibly import Predictions, compare
    >>> p = Predictions.of([1] * 20, label=[1] * 17 + [0] * 3, classes=[0, 1])
    >>> round(compare(p, measure="accuracy", against=0.6).pvalue, 6)
    0.022427
    """
    part, total = parts_of(single.model, single.measure, "binomial_value")
    if part != int(part) or total != int(total):
        raise ParameterError(
            f"An exact test needs whole numbers of cases; got {part:g} of {total:g}."
        )
    share = single.against + request.shift
    interval = clopper_pearson(part, total, request.confidence_level)
    low, high = interval.low, interval.high
    return Outcome(
        part,
        binomial_tail(int(part), int(total), min(max(share, 0.0), 1.0), request.alternative),
        single.difference,
        (low - single.against, high - single.against),
        "Clopper-Pearson",
        parameters={"of": total},
    )


def binomial_tail(part: int, total: int, share: float, alternative: str) -> float:
    """Return the p-value of the exact binomial test, two-sided by the likelihood of outcomes.

    That of scipy.stats takes longer to import than all else, and loses digits beyond a billion cases.
    """
    below, above = _at_least(total - part, total, 1 - share), _at_least(part, total, share)
    if alternative != "two-sided":
        return below if alternative == "less" else above
    mirrored = part > total * share
    seen, other = (total - part, 1 - share) if mirrored else (part, share)
    far = _as_unlikely(seen, total, other)
    beyond = _at_least(far, total, other) if far <= total else 0.0
    return min(1.0, (above if mirrored else below) + beyond)


def _at_least(part: int, total: int, share: float) -> float:
    from scipy.special import betainc

    return float(betainc(part, total - part + 1, share)) if part else 1.0


def _as_unlikely(part: int, total: int, share: float) -> int:
    """Return the first outcome above the expected one that is no more likely than one below it.

    Chances fall from there on, so halving finds it without looking at all outcomes.
    """
    most = _log_chance(part, total, share) + 1e-7
    low, high = max(part + 1, math.ceil(total * share)), total + 1
    while low < high:
        middle = (low + high) // 2
        if _log_chance(middle, total, share) <= most:
            high = middle
        else:
            low = middle + 1
    return low


def _log_chance(part: int, total: int, share: float) -> float:
    """Return the log of a binomial chance; by Stirling's formula where factorials would lose its digits."""
    from scipy.special import betaln, xlog1py, xlogy

    rest = total - part
    if min(part, rest) < MIN_STIRLING_CASES or share in {0.0, 1.0}:
        odds = xlogy(part, share) + xlog1py(rest, -share)
        return float(odds - betaln(rest + 1, part + 1)) - math.log(total + 1)
    away = part - total * share
    gained = part * math.log1p(away / (total * share))
    lost = rest * math.log1p(-away / (total * (1 - share)))
    corrected = (1 / total - 1 / part - 1 / rest) / 12
    return corrected - gained - lost - math.log(2 * math.pi * part * rest / total) / 2
