"""Checks of the cases: how many, how they came about, whom they stand for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.text import count
from credibly.checks._declare import (
    Verdict,
    caution,
    fired,
    given,
    needs,
    not_applicable,
    note,
    passed,
    problem,
)
from credibly.errors import MAX_LISTED, listed, says
from credibly.gaps.slices import affordable_slices
from credibly.intervals._declare import MIN_CLASS_CASES
from credibly.intervals.proportions import wilson
from credibly.intervals.quantiles import chi_square_tail, normal_quantile, normal_tail
from credibly.predictions import Predictions
from credibly.predictions.findings import STRANGE_LABELS, WEIGHT_KIND
from credibly.predictions.labels import distinct
from credibly.predictions.parts import each_once, time_steps

if TYPE_CHECKING:
    from credibly.checks._declare import CheckContext

SIGNIFICANCE = 0.001  # a check asks many questions, so that it must be surer than a test of one
SMALLEST_GAP = 1e-9  # of error rates
MIN_REPEATS = 3
IMMATERIAL_ODDS = 1.25  # odds ratios below this are of no account
SMALLEST_P = 1e-300


@caution(
    "Too few cases",
    remedy="Rely on Wilson intervals and exact tests; collect more cases of the rare class.",
    same_as=("few-cases",),
    of_outcomes=True,
)
def few_cases(d: CheckContext) -> Verdict:
    """Normal approximations need about ten cases of every kind."""
    p = d.cases
    if p.task != "classification":
        text = f"The numbers are based on {count(p.cases, 'case')}."
        return fired(text) if p.cases < MIN_CLASS_CASES else passed(text)
    poor = [
        f"{c!r} ({n:g})"
        for c, n in zip(p.classes, p.class_counts, strict=True)
        if n < MIN_CLASS_CASES
    ]
    if poor:
        return fired(
            f"Fewer than {MIN_CLASS_CASES} cases of class {listed(poor, most=MAX_LISTED)}."
        )
    made = {name: each_once(q) for name, q in d.models.items()}
    wrong = {name: d.wrong(q) for name, q in made.items()}
    errors = {n: float(made[n].counts[w].sum()) for n, w in wrong.items() if w is not None}
    few = {name: n for name, n in errors.items() if 0 < n < MIN_CLASS_CASES}
    if few and len(made) > 1:
        each = listed([f"{name} ({n:g})" for name, n in few.items()])
        return fired(f"Error rates are based on few errors: {each}.")
    if few:
        return fired(f"An error rate is based on {count(sum(few.values()), 'error')}.")
    return passed(f"Every class has at least {MIN_CLASS_CASES} cases.")


@caution(
    "Class proportions differ from training",
    remedy="Find out why, and correct the probabilities for the new proportions before using them.",
)
def class_proportions_differ(d: CheckContext) -> Verdict:
    """The classes are not as common in the test rows as they were in training."""
    first = d.cases
    if first.task != "classification" or first.baseline is None:
        return not_applicable(
            says("The proportions of the training part (<baseline=>) are not given.")
        )
    expected = first.counts @ first.baseline
    seen = first.class_counts
    if (seen[expected == 0] > 0).any():
        return fired("The test rows include a class that the training part did not have.")
    used = expected > 0
    needs(used.sum() >= 2, "The training part has only one class.")
    statistic = float(((seen - expected)[used] ** 2 / expected[used]).sum())
    if chi_square_tail(statistic, int(used.sum()) - 1) < SIGNIFICANCE:
        worst = int(np.abs(seen / seen.sum() - expected / expected.sum()).argmax())
        return fired(
            f"{first.classes[worst]!r} makes up {seen[worst] / seen.sum():.1%} of the test rows and "
            f"{expected[worst] / expected.sum():.1%} of the training rows."
        )
    return passed("The classes are about as common in the test rows as in training.")


@caution(
    "Prevalence far from deployment",
    remedy="Set <prevalence=...> for decisions and curves, which then weight the classes as they will occur.",
    same_as=("prior-shift",),
)
def prevalence_differs(d: CheckContext) -> Verdict:
    """The positive class is much rarer or more common in the test rows than where the model will be used."""
    if d.prevalence is None or not d.binary:
        return not_applicable(says("The prevalence in deployment (<prevalence=>) is not given."))
    p = d.cases
    positives, cases = float(p.counts[p.truth == p.positive].sum()), p.cases
    limits = wilson(positives, cases, 1 - SIGNIFICANCE)
    text = f"{positives / cases:.2%} of the test rows are positive; {d.prevalence:.2%} will be."
    share = (positives + 0.5) / (cases + 1)
    ratio = share * (1 - d.prevalence) / max((1 - share) * d.prevalence, SMALLEST_P)
    near = (
        limits.low <= d.prevalence <= limits.high or 1 / IMMATERIAL_ODDS < ratio < IMMATERIAL_ODDS
    )
    return passed(text) if near else fired(text)


@caution(
    "Drift among the test rows",
    remedy="Evaluate each period by itself, and train on the past only.",
    of_outcomes=True,
)
def drift(d: CheckContext) -> Verdict:
    """The first and the second half of the rows, in their order, differ in outcome or in error."""
    p = d.first
    ordered = d.fold_codes is None and not p.design.counted and p.counts.max() <= 1
    needs(
        ordered and p.n >= 4 * MIN_CLASS_CASES,
        "Rows of folds and counts have no order, or there are too few of them.",
    )
    needs(
        not any(map(_sorted, (p.truth, p.score, p.probability))),
        "The rows are sorted by outcome or by score, not by time.",
    )
    columns = {"mean error": _errors(p)}
    if d.binary:
        columns["share of positive cases"] = p.truth == p.positive
    for name, column in columns.items():
        halves = [] if column is None else np.array_split(np.asarray(column, float), 2)
        if halves and _differ(*halves):
            a, b = (half.mean() for half in halves)
            return fired(
                f"From the first half of the rows to the second, the {name} goes from {a:.3g} to {b:.3g}."
            )
    return passed("The two halves of the rows are similar.")


def _errors(p: Predictions) -> NDArray[np.float64] | NDArray[np.bool_] | None:
    if p.task == "numeric":
        return np.abs(p.truth - p.need("value", "this check"))
    return None if p.label is None else p.label != p.truth


def _sorted(column: NDArray[Any] | None) -> bool:
    if column is None or column.ndim > 1 or column.min() == column.max():
        return False
    steps = column[1:] >= column[:-1]
    return bool(steps.all() or (column[1:] <= column[:-1]).all())


def _differ(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    unit = max(np.abs(a).max(), np.abs(b).max()) or 1.0  # as squares may not fit a double
    a, b = a / unit, b / unit
    error = math.sqrt(a.var(ddof=1) / a.size + b.var(ddof=1) / b.size)
    return error > 0 and normal_tail(abs(a.mean() - b.mean()) / error, tails=2) < SIGNIFICANCE


@caution(
    "Errors correlated over time",
    remedy="Rely on intervals by long-run variances and on means over folds, and on no test that treats cases as independent.",
    same_as=("time-ordered-cases",),
)
def neighbours_in_time(d: CheckContext) -> Verdict:
    """Cases that follow one another in time have similar errors, so they tell less than the same number of independent cases.

    It is measured by the correlation r of the errors of neighbours within a test part: in an
    autoregression, n cases are worth n (1 - r) / (1 + r).
    """
    p = d.first
    known = _errors(p) if p.in_time else None
    why = "The cases are not known to be in time order, or have neither labels nor numbers."
    errors = given(known, why)
    order, fold = np.argsort(time_steps(p), kind="stable"), d.fold_codes
    r, pairs = _of_neighbours(
        np.asarray(errors, float)[order], None if fold is None else fold[order]
    )
    needs(pairs, "The errors do not vary, or no test part has several cases.")
    if r * math.sqrt(pairs) > normal_quantile(SIGNIFICANCE):
        worth = max(1, round(p.n * (1 - r) / (1 + r)))
        return fired(
            f"Errors of neighbouring cases in time are correlated ({r:.2g}): {p.n:,} cases carry as much information as about {worth:,} independent ones."
        )
    return passed(f"Errors of neighbouring cases in time are hardly correlated ({r:.2g}).")


def _of_neighbours(errors: NDArray[np.float64], fold: NDArray[Any] | None) -> tuple[float, int]:
    """Return the correlation of each error with the next in its test part, and how many pairs there are."""
    code = np.zeros(errors.size, np.int64) if fold is None else fold
    errors = errors / (np.abs(errors).max(initial=0.0) or 1.0)  # as squares may not fit a double
    away = errors - (np.bincount(code, errors) / np.bincount(code))[code]
    beside = code[1:] == code[:-1]
    total = float(away @ away)
    pairs = int(beside.sum()) if total > 0 else 0
    if not pairs:
        return math.nan, 0
    return float((away[1:] * away[:-1])[beside].mean() / (total / errors.size)), pairs


@caution(
    "Test set too small for the difference",
    remedy="Collect that many cases, or make a weaker claim.",
)
def too_small_for_difference(d: CheckContext) -> Verdict:
    """A difference as small as the one claimed cannot be seen with so few cases.

    What matters is how often exactly one of two models errs: taken from the first two, or from one
    as if the other erred independently of it. The size is the one at which McNemar's test finds the
    difference four times in five.
    """
    if d.difference is None or d.known.label is None:
        return not_applicable(says("No difference of error rates is claimed (<difference=>)."))
    apart, gap = _one_errs(d), abs(d.difference)
    needs(
        gap > SMALLEST_GAP,
        "The difference is zero or nearly, and no number of cases can show that.",
    )
    apart = max(apart, gap)
    spread = normal_quantile(0.025) * math.sqrt(apart) + normal_quantile(0.2) * math.sqrt(
        apart - gap * gap
    )
    needed = math.ceil((spread / gap) ** 2)
    text = f"Finding a difference of {gap:.3g} takes about {needed:,} cases; there are {d.cases.cases:,.10g}."
    return fired(text) if d.cases.cases < needed else passed(text)


def _one_errs(d: CheckContext) -> float:
    """Return how often exactly one of two models errs."""
    pair = list(d.models.values())[:2]
    wrong = [np.asarray(d.wrong(p)) for p in pair]
    if len(pair) == 2 and np.array_equal(pair[0].truth, pair[1].truth):
        return float(np.average(wrong[0] != wrong[1], weights=pair[0].weights))
    rate = float(np.average(wrong[0], weights=pair[0].weights))
    return 2 * rate * (1 - rate)


@note(
    "Weights of unknown kind",
    remedy="Set <weight_kind='frequency'> or <weight_kind='importance'>.",
    same_as=("weight-kind",),
    of_outcomes=True,
)
def weights_of_unknown_kind(d: CheckContext) -> Verdict:
    """Weights that count repeated cases and weights that say how much a case matters need different intervals."""
    p = d.predictions
    needs(p.given_kind != "none", "There are no weights.")
    if any(f.code == WEIGHT_KIND.code for f in p.findings):
        return fired("It is not stated whether weights count cases or say how much a case matters.")
    return passed(f"The weights are declared as {p.given_kind!r} weights.")


@problem(
    "Labels that never occur",
    remedy="Write the classes in the same way in both columns.",
    same_as=("strange-labels",),
)
def labels_that_never_occur(d: CheckContext) -> Verdict:
    """No predicted label is a class of the truth, as with 0 and 1 beside no and yes."""
    p = d.predictions
    needs(p.label is not None, "There are no labels.")
    strange = [f for f in p.findings if f.code == STRANGE_LABELS.code]
    if strange:
        return fired(strange[0].message)
    return passed("The truth and the labels name the classes in the same way.")


@note(
    "Rows wrong every time",
    remedy="Look at these rows: they may be mislabelled, or the attributes may not be able to distinguish them.",
)
def rows_wrong_every_time(d: CheckContext) -> Verdict:
    """Some rows are misclassified by every model in every repeat."""
    p = d.known
    wrong = d.wrong(p)
    if wrong is None or p.row is None:
        return not_applicable(says("There are no labels or no row identifiers (<row=>)."))
    rows = distinct(p.row)
    times = np.bincount(rows.codes)
    needs(times.min() >= MIN_REPEATS, "Some rows are predicted fewer than three times.")
    always = np.flatnonzero(np.bincount(rows.codes, wrong) == times)
    if always.size:
        shown = listed((str(rows.values[i]) for i in always), most=MIN_CLASS_CASES)
        return fired(
            f"{count(always.size, 'row')} of {times.size:,} {'is' if always.size == 1 else 'are'} wrong in every prediction: {shown}."
        )
    return passed("Every row is right at least once.")


@caution(
    "A slice is worse than the rest",
    remedy="Look at the slice with <slices()>, and find out what differs there before you use the model for it.",
)
def worse_slice(d: CheckContext) -> Verdict:
    """Among the slices by any column, one is worse than the rest by more than a search explains."""
    result = affordable_slices(d.cases, d.measure) if d.cases.columns.free else None
    made = given(
        result,
        "There are no columns to slice by, or too many columns or cases to search in passing.",
    )
    firm = [e for e in made.estimates if e.rest and e.rest.adjusted_pvalue <= SIGNIFICANCE]
    if not firm:
        return passed(
            f"None of {count(made.searched or 0, 'slice')} is clearly worse than the rest."
        )
    worst = firm[0]
    return fired(made.meaning(), **worst.rows()[0], slice=worst.name, searched=made.searched)
