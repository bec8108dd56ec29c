"""One number out of the predictions of many fits: means over folds, and all cases pooled."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from credibly._core.findings import Finding, FindingKind
from credibly._core.text import count
from credibly.errors import MissingColumnError, says
from credibly.evaluation._declare import (
    EstimateAnswer,
    Estimator,
    estimator,
    estimators,
    folds,
    part_of,
)
from credibly.evaluation.findings import (
    LEAVE_ONE_OUT_MAJORITY,
    LEFT_OUT_FOLDS,
    PAIRS,
    POOLED_MODELS,
    POOLED_RANKS,
    UNDEFINED_FOLDS,
)
from credibly.evaluation.many_attributes import why_unstable
from credibly.evaluation.part_values import linear_values
from credibly.intervals._declare import CASES_ALIKE, EstimateRequest
from credibly.intervals.findings import DEPENDENT_FOLDS
from credibly.intervals.folds import NADEAU
from credibly.intervals.generalization import widened
from credibly.intervals.methods import interval_for, value_with_interval, without_end
from credibly.intervals.quantiles import two_sided
from credibly.intervals.standard_errors import on_scale
from credibly.measures import Measure, measures
from credibly.measures._causes import why_undefined
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct
from credibly.predictions.lack import Lack, lack_of
from credibly.predictions.parts import size_ratio
from credibly.predictions.table import cached
from credibly.results.interval import Interval

FORMAN = "Forman, G. & Scholz, M. (2010) Apples-to-apples in cross-validation studies: pitfalls in classifier performance measurement. SIGKDD Explorations 12, 49-57."
STONE = "Stone, M. (1974) Cross-validatory choice and assessment of statistical predictions. JRSS B 36, 111-147."
KOHAVI = "Kohavi, R. (1995) A study of cross-validation and bootstrap for accuracy estimation and model selection. IJCAI, 1137-1143."
AIROLA = "Airola, A. et al. (2011) An experimental comparison of cross-validation techniques for estimating the area under the ROC curve. Computational Statistics & Data Analysis 55, 1828-1844."


def automatic(p: Predictions) -> tuple[Estimator, ...]:
    """Say which estimates fit predictions: both kinds for folds, out of bag and .632+ for a bootstrap."""
    if p.fold is None:
        return (pooled,)
    if p.design.independent and not _shared_cases(p):
        return (dataset_mean, pooled)
    if p.n_train is None:
        return (pooled,)
    if has_samples(p):
        return (estimators["oob"], estimators["632+"])
    if leading := next((e for e in estimators if e.leads and not e.needs(p)), None):
        return (leading, pooled)
    sizes = np.bincount(part_of(p))
    if sizes.size < 2 or sizes.max() == 1:
        return (pooled,)
    return (pair_mean,) if not _no_pairs(p) else (fold_mean, pooled)


def has_samples(p: Predictions) -> bool:
    """Whether these are predictions of a bootstrap, with those of its models for their own samples."""
    return p.seen is not None and not estimators["632+"].needs(p)


def headline_estimate(p: Predictions, measure: str = "") -> str:
    """Return the estimate that stands for predictions wherever one is shown: the first of those that fit.

    A total, such as what all decisions cost, is that of all cases pooled, and so is a function of means, such
    as R2 or F: on the few cases of a fold it is off, or undefined (Forman & Scholz, 2010).

    >>> from credibly import Predictions
    >>> headline_estimate(Predictions.of([1, 0, 1, 0], label=[1, 0, 0, 0], fold=[0, 1, 1, 1], n_train=2))
    'fold_mean'
    """
    first = automatic(p)[0].name
    m = measures[measure.partition("(")[0]] if measure else None
    if m is not None and (m.mean or _stands_pooled(p, m)):
        return "pooled"
    return "pooled" if first == "pair_mean" and measure != "auc" else first


def _stands_pooled(p: Predictions, m: Measure) -> bool:
    """Whether what is learned in folds is judged by all of their cases together."""
    off = m.nonlinear or (m.compares_scores and not m.of_pairs)  # on few cases
    return off and automatic(p)[0] is fold_mean


def headline_estimates(
    used: Sequence[Estimator], p: Predictions, measure: str
) -> dict[Estimator, bool | None]:
    """Say which of several estimates stands for all, and put it first: the usual one, or the first asked for.

    The usual one is about learning again where models were fitted many times, not about the models that
    happened to be fitted.
    """
    usual = headline_estimate(p, measure)
    chosen = next((e for e in used if e.name == usual), used[0])
    return {e: e is chosen for e in (chosen, *used)}


def refuse_unfit(used: Sequence[Estimator], p: Predictions, keys: dict[str, Any]) -> None:
    """Say what estimates need that the predictions of a slice lack."""
    for each in used:
        if lack := each.needs(p):
            where = "".join(f" for {k} {v!r}" for k, v in keys.items())
            raise MissingColumnError(
                says(
                    "<estimate={name}> needs {lack}, which these predictions lack{where}.",
                    name=each.name,
                    lack=lack,
                    where=where,
                )
            )


def value_on(q: EstimateRequest, p: Predictions) -> float:
    """Return the value of the measure that is asked for on some of the rows."""
    return q.measure.on(p, q.average)


def _no_folds(p: Predictions) -> Lack | None:
    if p.fold is None:
        return lack_of("fold")
    return None if part_of(p).max(initial=0) > 0 else Lack("fold", "more than one fold")


def _no_repeats(p: Predictions) -> Lack | None:
    if p.fold is None or p.repeat is None:
        return Lack("repeat", "repeat and fold")
    if p.design.independent:
        return Lack("repeat", "repeats of the same cases")
    return None if p.repeats > 1 else Lack("repeat", "more than one repeat")


def _no_pairs(p: Predictions) -> Lack | None:
    if p.fold is None or not p.has_positive:
        return Lack("fold", "fold and a positive class")
    parts = folds(p)
    pairs = all(f.n == 2 and (f.truth == p.positive).sum() == 1 for f in parts)
    if pairs and p.row is not None:  # all of them, not the two cases of each of some folds
        sides = (np.unique(p.row[(p.truth == p.positive) == side]).size for side in (True, False))
        pairs = math.prod(sides) == len(parts)
    return (
        None
        if pairs
        else Lack("fold", "a test part for every pair of a positive and a negative case")
    )


@estimator("Mean over folds", cite=NADEAU, needs=_no_folds)
def fold_mean(q: EstimateRequest) -> EstimateAnswer:
    """Mean of the values on each fold (and repeat); about this way of learning.

    Its interval allows for training parts that overlap: by how far predictions move from one repeat to
    the next, or by the corrected resampled t. The plain t on request, with a caution.
    """
    if q.predictions.design.independent:
        return dataset_mean(q)
    parts = folds(q.predictions)
    answer = _mean_of(q, [value_on(q, part) for part in parts], size_ratio(parts), q.interval)
    if answer.interval is not None and (why := why_unstable(q)):
        answer = replace(answer, interval=None, why=why)
    return replace(answer, findings=answer.findings or _dependent(q.interval))


def _mean_of(
    q: EstimateRequest, values: list[float], ratio: float | None, method: str
) -> EstimateAnswer:
    """Average values with an interval; of areas those of the folds that hold all classes."""
    defined = ~np.isnan(values)
    by_chance = q.measure.compares_scores and q.predictions.grouping is None
    if not defined.all() and not (by_chance and defined.any()):
        finding = _not_finite(q, values, "undefined", math.isnan)
        return EstimateAnswer(math.nan, None, "the value is undefined", tuple(values), (finding,))
    if not defined.all():
        return _where_defined(q, values, ratio, method)
    mean = float(np.mean(values))
    request = replace(q, value=mean, values=tuple(values), ratio=ratio, interval=method)
    limits, why = interval_for(request)
    endless = math.isinf(mean) and not q.measure.infinite_reasons  # of losses, rows are named
    found = (_not_finite(q, values, "infinite", math.isinf),) if endless else ()
    return EstimateAnswer(mean, limits, why, tuple(values), found)


def _where_defined(
    q: EstimateRequest, values: list[float], ratio: float | None, method: str
) -> EstimateAnswer:
    """Average over the folds in which scores can be compared, which depends on their cases and not on predictions."""
    p = q.predictions
    there = np.flatnonzero(~np.isnan(values))
    rows = replace(p, seen=None).take(np.isin(part_of(p), there))
    kept_values = [values[i] for i in there]
    answer = _mean_of(replace(q, predictions=rows), kept_values, ratio, method)
    finding = _not_finite(q, values, "undefined", math.isnan, LEFT_OUT_FOLDS)
    return replace(answer, values=tuple(values), findings=(finding, *answer.findings))


def _not_finite(
    q: EstimateRequest,
    values: list[float],
    state: str,
    is_so: Callable[[float], bool],
    kind: FindingKind = UNDEFINED_FOLDS,
) -> Finding:
    return kind(
        measure=q.measure.title,
        state=state,
        undefined=sum(map(is_so, values)),
        folds=count(len(values), "fold"),
        why=why_undefined(q.measure, folds(q.predictions), q.average, is_so),
    )


def _dependent(method: str) -> tuple[Finding, ...]:
    if method != "t":
        return ()
    from credibly.intervals.means import TOO_NARROW

    instead = says("Use <interval='corrected'>.")
    return (DEPENDENT_FOLDS(what="The values were", so=TOO_NARROW, instead=instead),)


def _shared_cases(p: Predictions) -> Lack | None:
    lack = _no_folds(p)
    if lack or p.row is None:
        return lack or lack_of("row")
    return Lack("repeat", "repeats that share no case") if p.repeated else None


@estimator("Mean over independent data sets", cite=KOHAVI, needs=_shared_cases)
def dataset_mean(q: EstimateRequest) -> EstimateAnswer:
    """Mean over data sets that share neither training nor test cases, with Student's interval.

    Each repeat is a data set, with the mean over its folds; without repeats each fold is one. Runs on
    independent data sets are known as such; for other predictions the caller must know.
    """
    runs = _data_sets(replace(q.predictions, seen=None))
    values = [float(np.mean([value_on(q, part) for part in folds(run)])) for run in runs]
    answer = _mean_of(q, values, None, "t" if q.interval == "auto" else q.interval)
    about = None if answer.interval is None else replace(answer.interval, about="datasets")
    return replace(answer, interval=about)


def _data_sets(p: Predictions) -> list[Predictions]:
    return [part for _, part in p.groups(["repeat" if p.repeats > 1 else "fold"])]


@estimator("Mean over repeats of the mean over folds", cite=KOHAVI, needs=_no_repeats)
def repeat_mean(q: EstimateRequest) -> EstimateAnswer:
    """Mean over repeats of the means over folds; the values show how much the splitting matters.

    Beside their spread stands the mean over the repeats of the variance over the folds of each.
    """
    runs = [part for _, part in replace(q.predictions, seen=None).groups(["repeat"])]
    by_run = [[value_on(q, part) for part in folds(run)] for run in runs]
    values = [float(np.mean(each)) for each in by_run]
    variances = [float(np.var(each, ddof=1)) for each in by_run if len(each) > 1]
    why = says(
        "repeats share all their cases, so their spread only reflects the splitting; use "
        "<estimate='fold_mean'>"
    )
    mean = float(np.mean(values))
    return EstimateAnswer(mean, None, why, tuple(values), variances=tuple(variances))


@estimator("All cases pooled", cite=f"{STONE} {FORMAN}")
def pooled(q: EstimateRequest) -> EstimateAnswer:
    """Value on all held-out cases together; about these fitted models on new cases.

    Where a case is predicted several times, its influence values are summed, so that repeats do not
    count as new cases. Leaving out single cases is a cross-validation like any other: its interval is
    about learning again, and there is none where scores of different models are compared.
    """
    rows = q.predictions
    if rows.fold is None:  # one model, and nothing to say about learning
        return EstimateAnswer(*value_with_interval(q))
    request = replace(q, predictions=rows.of_weight(), value=q.measure.on(rows, q.average))
    if artefact := _between_models(q, rows, request.value):
        why = "the value comes from differences between models, not from their predictions of cases"
        return EstimateAnswer(request.value, None, why, (), artefact)
    limits, why = None, why_unstable(q)
    if not why:
        limits, why = (interval_for if q.interval != "auto" else _about_learning)(request)
    if limits is not None and limits.about == "cases" and not _no_folds(rows):
        limits = replace(limits, about="models")
    alone = leaves_one_out(rows)
    doubts = _ranked_across_models(q, rows) + _majority_rule(rows) if alone else ()
    return EstimateAnswer(request.value, limits, why, (), doubts)


def _about_learning(q: EstimateRequest) -> tuple[Interval | None, str]:
    """Return an interval about learning again where the value stands for that; else about these models."""
    p = q.predictions
    if leaves_one_out(p):
        return _left_out_alone(q)
    if not (_stands_pooled(p, q.measure) and q.measure.smooth):
        return interval_for(q)
    values = linear_values(q.measure, p, part_of(p), q.average)
    return interval_for(replace(q, values=tuple(values.tolist()), ratio=size_ratio(folds(p))))


def _left_out_alone(q: EstimateRequest) -> tuple[Interval | None, str]:
    """Return the interval after leaving out single cases, about learning again, or why there is none."""
    if q.measure.compares_scores:
        return None, "it compares scores of different models"
    if _majority_rule(q.predictions):
        return None, "every label is the most common class without the case itself"
    if why := without_end(q):
        return None, why
    return interval_for(replace(q, interval=widened.name) if q.measure.smooth else q)


def _between_models(q: EstimateRequest, p: Predictions, value: float) -> tuple[Finding, ...]:
    """Say that a pooled value of predictions that do not differ within a fold is one of the splitting."""
    if math.isnan(value) or not cached(p, _constant_in_folds, lambda: _constant_in_folds(p)):
        return ()
    apart = [value_on(q, part) for part in folds(q.predictions)]
    if not q.measure.compares_scores and not np.isnan(apart).all():
        return ()
    return (POOLED_MODELS(folds=count(len(apart), "fold"), measure=q.measure.title),)


def _constant_in_folds(p: Predictions) -> bool:
    """Whether predictions are the same within each of several folds with several cases, and differ between."""
    column = p.value if p.probability is None else p.probability
    column = p.score if column is None else column
    if column is None or not (column != column[0]).any():
        return False
    part = part_of(p)
    size = np.bincount(part)
    if size.size < 2 or size.max() < 2:
        return False
    first = np.empty(size.size, np.intp)
    first[part[::-1]] = np.arange(p.n)[::-1]
    columns = [c for c in (p.value, p.probability, p.score) if c is not None]
    return all(bool((c == c[first[part]]).all()) for c in columns)


def leaves_one_out(p: Predictions) -> bool:
    """Whether each case is predicted by a model of all others."""
    if p.fold is None or p.n_train is None or p.n < 3:
        return False
    return bool((p.n_train == p.n - 1).all()) and len(distinct(p.fold).values) == p.n


def _ranked_across_models(q: EstimateRequest, p: Predictions) -> tuple[Finding, ...]:
    if not q.measure.compares_scores:
        return ()
    return (POOLED_RANKS(measure=q.measure.title, models=count(p.n, "model")),)


def _majority_rule(p: Predictions) -> tuple[Finding, ...]:
    """Leaving out a case makes its class rarer, so a majority rule errs where classes are balanced."""
    if p.label is None or p.baseline is None:
        return ()
    if not (p.label == p.baseline.argmax(axis=1)).all():
        return ()
    return (LEAVE_ONE_OUT_MAJORITY(),)


@estimator("Mean over pairs", cite=AIROLA, needs=_no_pairs)
def pair_mean(q: EstimateRequest) -> EstimateAnswer:
    """Share of left-out pairs that are ranked correctly: the AUC of leave-pair-out, never pooled.

    The interval is DeLong's, from the mean over the pairs of each case.
    """
    if q.measure.name != "auc":
        finding = PAIRS(measure=q.measure.title)
        return EstimateAnswer(math.nan, None, "the value is undefined", (), (finding,))
    parts = folds(q.predictions)
    values = np.array([value_on(q, part) for part in parts])
    mean = float(values.mean())
    spread, freedom = _pair_variance(values, parts)
    if not 0 < mean < 1 or spread <= 0:
        return EstimateAnswer(mean, None, CASES_ALIKE, tuple(values.tolist()))
    error = math.sqrt(spread)
    half = error * two_sided(q.confidence_level, freedom)
    method = f"DeLong, logit scale, t with {freedom:.4g} degrees of freedom"
    ends = on_scale(mean, half, 0.0, 1.0)
    limits = Interval(*ends, q.confidence_level, method, standard_error=error)
    return EstimateAnswer(mean, limits, "", tuple(values.tolist()))


def _pair_variance(values: np.ndarray, parts: Sequence[Predictions]) -> tuple[float, float]:
    """DeLong's variance: of the mean over the pairs of a positive, and of a negative, case."""
    total, freedom = 0.0, math.inf
    for positive in (True, False):
        named = np.array([f.row[(f.truth == f.positive) == positive][0] for f in parts])  # type: ignore[index]
        codes = distinct(named).codes
        means = np.bincount(codes, values) / np.bincount(codes)
        if means.size < 2:
            return 0.0, 1.0
        total += float(means.var(ddof=1)) / means.size
        freedom = min(freedom, means.size - 1)
    return total, freedom
