"""Estimates from bootstrap samples: out of bag, .632, .632+ and optimism.

They need the predictions of the model fitted on all cases for those cases (``part="train"``, repeat -1)
and of every replicate's model for the cases in its sample (``part="train"``, weighted by how often they
were drawn) and out of it (``part="test"``), as :func:`credibly.run` records them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from operator import add

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly._core.names import Names
from credibly.errors import says
from credibly.evaluation._declare import EstimateAnswer, estimator
from credibly.evaluation.findings import (
    MEMORISER,
    MISLED_BY_TRAINING,
    REPLICATES_ON_TRAINING_CASES,
)
from credibly.evaluation.fold_estimators import pooled, value_on
from credibly.evaluation.out_of_bag import (
    SHARED_CASES,
    area_interval,
    combined_interval,
    optimism_interval,
    out_of_bag_interval,
)
from credibly.intervals._declare import NOT_ASKED, EstimateRequest, RefusalError
from credibly.intervals.bootstrap import EFRON_1997, delta_after_bootstrap
from credibly.intervals.findings import UNDEFINED_REPLICATES
from credibly.measures._causes import why_undefined
from credibly.predictions import Predictions
from credibly.predictions.findings import RESUBSTITUTION
from credibly.predictions.labels import distinct, rows_by_code
from credibly.predictions.lack import Lack
from credibly.predictions.numbering import fold_numbers
from credibly.predictions.parts import ALL_CASES, all_rows, has_training_rows
from credibly.predictions.table import cached
from credibly.results.interval import Interval

EFRON_1983 = "Efron, B. (1983) Estimating the error rate of a prediction rule: improvement on cross-validation. JASA 78, 316-331."
WITTEN = "Witten, I. H., Frank, E. & Hall, M. A. (2011) Data Mining, 3rd ed., section 5.4."
ZAKI = "Zaki, M. J. & Meira, W. (2014) Data Mining and Analysis, algorithm 22.3."
DRAWN_SHARE = 0.632  # of the cases are in a bootstrap sample
MISLED_BY_FIT = says(
    "it relies on how well the model fits its own training cases, so an interval would miss the "
    "value of a model that memorises them; use <estimate='oob'>, or ask for "
    "<interval='delta_after_bootstrap'>"
)
OPTIMISTIC_START = says(
    "it starts from how well the model fits its own training cases, and replicates that have seen most "
    "of the cases do not show how far that misleads; use <estimate='oob'>, or ask for "
    "<interval='delta_after_bootstrap'>"
)


@dataclass(frozen=True, slots=True)
class BootstrapParts:
    """The predictions of a bootstrap, taken apart."""

    apparent: Predictions  # of the model fitted on all cases, for them
    samples: tuple[Predictions, ...]  # of each replicate, for its sample, as often as drawn
    out: tuple[Predictions, ...]  # of each replicate, for the cases out of its sample
    every: tuple[Predictions, ...]  # of each replicate, for every case once


def _lacks(p: Predictions) -> Lack | None:
    if p.repeat is None or p.part is None or p.row is None or p.n_train is None:
        return Lack("repeat", "row, repeat, part and n_train of a bootstrap")
    seen = p.seen is not None and has_training_rows(p.seen)
    train = p.seen.matching({"part": "train"}) if p.seen is not None and seen else None
    of_all = None if train is None else train.matching({"repeat": ALL_CASES})
    if train is None or of_all is None or of_all.n == train.n:
        return Lack("part", "predictions of bootstrap models for their training cases")
    return None


def replicates(p: Predictions) -> BootstrapParts:
    """Take the predictions of a bootstrap apart, once."""
    return cached(p, replicates, lambda: _taken_apart(all_rows(p)))


def _taken_apart(every: Predictions) -> BootstrapParts:
    drawn, train = every.need("repeat", "a bootstrap"), every.need("part", "one") == "train"
    of_all = drawn == ALL_CASES
    case = distinct(every.need("row", "a bootstrap")).codes
    base = np.ones(int(case.max()) + 1)
    base[case[of_all]] = every.weights[of_all]
    once = replace(every, weight=base[case], weight_kind=every.kind_of_sums, cache={})
    fold = fold_numbers(every)
    fit = distinct(drawn).codes * (fold.max() + 1) + fold
    each = [rows for rows in rows_by_code(fit) if not of_all[rows[0]]]
    return BootstrapParts(
        apparent=every.take(of_all),
        samples=tuple(every.take(rows[train[rows]]) for rows in each),
        out=tuple(every.take(rows[~train[rows]]) for rows in each),
        every=tuple(once.take(rows) for rows in each),
    )


def _mean(
    q: EstimateRequest, parts: tuple[Predictions, ...], why: str, *more: Finding
) -> EstimateAnswer:
    """Average over the parts where the measure is defined; there is no interval."""
    values = [value_on(q, part) if part.n else math.nan for part in parts]
    defined = [v for v in values if not math.isnan(v)]
    mean = float(np.mean(defined)) if defined else math.nan
    if 0 < len(defined) < len(values):
        finding = UNDEFINED_REPLICATES(
            measure=q.measure.title,
            undefined=len(values) - len(defined),
            all=len(values),
            why=f": {why_undefined(q.measure, parts, q.average)}",
            remedy="",
        )
        more = (finding, *more)
    return EstimateAnswer(mean, None, why, tuple(values), more)


@estimator(
    "Out of bag, by case", cite=EFRON_1997, aliases=Names("leave_one_out_bootstrap"), needs=_lacks
)
def oob(q: EstimateRequest) -> EstimateAnswer:
    """Cases judged by the replicates whose samples lack them, each case counting once.

    Measures that rank cases are averaged over replicates, since scores of different models do not
    compare. Somewhat pessimistic: a sample holds 63.2 % of the cases. Its interval is about models of
    such samples, with Efron and Tibshirani's standard error.
    """
    if q.measure.compares_scores:
        answer = oob_mean(q)
        if q.interval != "auto" or math.isnan(answer.value):
            return answer
        limits, why = area_interval(replace(q, value=answer.value))
        return replace(answer, interval=limits, why=why)
    if q.interval == delta_after_bootstrap.name:
        return _combined(q, pooled(replace(q, interval="none")), 1.0)
    answer = pooled(q)
    values = tuple(value_on(q, part) for part in replicates(q.predictions).out if part.n)
    limits, why = answer.interval, answer.why
    if limits is not None and q.interval == "auto":
        limits, why = out_of_bag_interval(replace(q, value=answer.value))
    return replace(answer, interval=limits, why=why, values=values, findings=())


def _valued(q: EstimateRequest) -> EstimateAnswer:
    """Out of bag as a part of something else, which has no interval."""
    return oob(replace(q, interval="none"))


@estimator(
    "Out of bag, mean over replicates", cite=EFRON_1983, needs=_lacks, aliases=Names(caret="boot")
)
def oob_mean(q: EstimateRequest) -> EstimateAnswer:
    """Mean over replicates of the value on the cases out of the sample.

    The spread of the values is that of replicates, not an interval of the mean.
    """
    return _mean(q, replicates(q.predictions).out, SHARED_CASES)


@estimator(
    "Apparent",
    cite=EFRON_1983,
    aliases=Names("resubstitution", texts="resubstitution error, apparent error"),
    needs=_lacks,
)
def apparent(q: EstimateRequest) -> EstimateAnswer:
    """Value of the model fitted on all cases on those same cases."""
    finding = RESUBSTITUTION(
        what="The apparent value evaluates a model on its own training cases",
        instead=says("Use <estimate='632+'>."),
    )
    value = value_on(q, replicates(q.predictions).apparent)
    why = "the model has seen these cases, so they say nothing about new cases"
    return EstimateAnswer(value, None, why, (), (finding,))


def weighted(inside: float, outside: float, share: float = DRAWN_SHARE) -> float:
    """Weigh a value on training cases against one on other cases.

    >>> weighted(0.0, 0.5)
    0.316
    """
    return (1 - share) * inside + share * outside


@estimator(".632 bootstrap", cite=EFRON_1983, name="632", aliases=(".632",), needs=_lacks)
def bootstrap_632(q: EstimateRequest) -> EstimateAnswer:
    """0.368 times the apparent value of the model fitted on all cases and 0.632 times out of bag.

    Too optimistic for rules that memorise, whose apparent error is 0; .632+ allows for that.
    """
    inside, outside = value_on(q, replicates(q.predictions).apparent), _valued(q)
    findings = outside.findings + _memorised(q, inside)
    value = weighted(inside, outside.value)
    answer = EstimateAnswer(value, None, MISLED_BY_FIT, values=outside.values, findings=findings)
    return _combined(q, answer, DRAWN_SHARE)


def _combined(q: EstimateRequest, answer: EstimateAnswer, share: float) -> EstimateAnswer:
    """Add the interval of a combination of the apparent value and that out of bag where it is asked for."""
    request, apparent = replace(q, value=answer.value), replicates(q.predictions).apparent
    made = _on_request(answer, request, lambda: combined_interval(request, apparent, share))
    return made if share < 1 else replace(made, findings=answer.findings)


def _on_request(
    answer: EstimateAnswer, q: EstimateRequest, make: Callable[[], Interval]
) -> EstimateAnswer:
    """Add an interval that relies on training values where it is asked for, with a finding on how often it holds."""
    if q.interval != delta_after_bootstrap.name or not math.isfinite(answer.value):
        why = NOT_ASKED if q.interval == "none" else answer.why
        return replace(answer, interval=None, why=why)
    try:
        findings = (*answer.findings, MISLED_BY_TRAINING())
        return replace(answer, interval=make(), why="", findings=findings)
    except RefusalError as refusal:
        return replace(answer, interval=None, why=refusal.args[0])


@estimator(
    ".632 bootstrap, by replicate", cite=WITTEN, name="632_replicates", aliases=(".632_replicates",), needs=_lacks
)  # fmt: skip
def bootstrap_632_replicates(q: EstimateRequest) -> EstimateAnswer:
    """Mean over replicates of 0.368 times the value on the sample and 0.632 times that out of it.

    The variant of textbooks: the training error is that of each replicate's own model.
    """
    parts = replicates(q.predictions)
    pairs = zip(parts.samples, parts.out, strict=True)
    values = [weighted(value_on(q, a), value_on(q, b)) for a, b in pairs if b.n]
    defined = [v for v in values if not math.isnan(v)]
    mean = float(np.mean(defined)) if defined else math.nan
    inside = float(np.mean([value_on(q, part) for part in parts.samples]))
    findings = _memorised(q, inside)
    return EstimateAnswer(mean, None, SHARED_CASES, values=tuple(values), findings=findings)


def _memorised(q: EstimateRequest, inside: float) -> tuple[Finding, ...]:
    if inside != q.measure.best:
        return ()
    return (MEMORISER(measure=q.measure.title.lower()),)


@estimator(".632+ bootstrap", cite=EFRON_1997, name="632+", aliases=(".632+",), needs=_lacks)
def bootstrap_632_plus(q: EstimateRequest) -> EstimateAnswer:
    """The .632 bootstrap with a weight that grows to 1 the more the model overfits.

    The relative overfitting rate compares the gap between apparent and out-of-bag value with the gap
    to what they would be if truth and prediction were independent; it is kept within 0 and 1.
    """
    parts = replicates(q.predictions)
    inside, outside = value_on(q, parts.apparent), _valued(q)
    if q.measure.direction == "neither" or math.isnan(outside.value):
        return EstimateAnswer(
            math.nan, None, "the value is undefined", outside.values, outside.findings
        )
    chance = no_information(q, parts.apparent)
    value, share = plus(inside, outside.value, chance, lower=q.measure.direction == "lower")
    answer = EstimateAnswer(value, None, MISLED_BY_FIT, outside.values, outside.findings)
    return _combined(q, answer, share)


def plus(
    inside: float, outside: float, chance: float, *, lower: bool = True
) -> tuple[float, float]:
    """Combine the apparent value, that out of bag and that without information; also say the weight of out of bag.

    >>> value, share = plus(0.0, 0.5, 0.5)
    >>> round(value, 12), round(share, 12)
    (0.5, 1.0)
    >>> plus(0.25, 0.25, 0.5)
    (0.25, 0.632)
    """
    sign = 1 if lower else -1
    a, b, c = sign * inside, sign * outside, sign * chance
    b = min(b, c)
    rate = min(1.0, (b - a) / (c - a)) if b > a and c > a else 0.0
    share = DRAWN_SHARE / (1 - (1 - DRAWN_SHARE) * rate)
    return sign * weighted(a, b, share), share


def no_information(q: EstimateRequest, p: Predictions) -> float:
    """Return the value if truth and prediction were independent: every truth with every prediction.

    Where the truth is a class, one copy of the predictions per class does, weighted by its share.
    """
    if p.task == "classification":
        k = len(p.classes)
        share = p.class_weights / p.weights.sum()
        copies = p.take(np.tile(np.arange(p.n), k))
        truth = np.repeat(np.arange(k), p.n).astype(p.truth.dtype)
        weight = np.repeat(share, p.n) * copies.weights
        return value_on(q, replace(copies, truth=truth, weight=weight, weight_kind=p.kind_of_sums))
    turned = (_turned(p, shift) for shift in range(p.n))
    total = reduce(add, (q.measure.summarise(each) for each in turned))
    return float(q.measure.of_summary(total))


def _turned(p: Predictions, shift: int) -> Predictions:
    """Pair each truth with the prediction of the case that stands some places further on."""

    def roll(column: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
        return None if column is None else np.roll(column, shift)

    weight = p.weights * np.roll(p.weights, shift)
    return replace(
        p,
        value=roll(p.value),
        baseline=roll(p.baseline),
        weight=weight,
        weight_kind="importance",
        cache={},
    )


@estimator("Optimism corrected", cite=EFRON_1983, needs=_lacks)
def optimism(q: EstimateRequest) -> EstimateAnswer:
    """The apparent value, less how much better replicates do on their samples than on all cases."""
    parts = replicates(q.predictions)
    inside = value_on(q, parts.apparent)
    pairs = list(zip(parts.samples, parts.every, strict=True))
    gaps = tuple(value_on(q, every) - value_on(q, sample) for sample, every in pairs)
    answer = EstimateAnswer(inside + float(np.nanmean(gaps)), None, OPTIMISTIC_START, gaps)
    request = replace(q, value=answer.value)
    return _on_request(
        answer, request, lambda: optimism_interval(request, parts.apparent, pairs, gaps)
    )


@estimator("Replicates on all cases", cite=ZAKI, needs=_lacks)
def all_cases(q: EstimateRequest) -> EstimateAnswer:
    """Mean over replicates of the value on every case, including those of the sample: too optimistic."""
    why = "replicates share their cases and have seen most of them"
    return _mean(q, replicates(q.predictions).every, why, REPLICATES_ON_TRAINING_CASES())
