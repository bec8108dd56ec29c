"""What rules that learned nothing would have scored on the same cases.

A baseline predicts by class alone, so it is a handful of weighted rows, and every measure applies to
it as it does to real predictions.

Whether a model is better is decided on the same cases. A trivial rule looks at no case, so a case moves its value
as the rows of its class do. What the model gains on the rule is then a function of the weights of these cases, and
the one rule gives its standard error. Where each case counts for one of them or for neither, the test is McNemar's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.arrays import ROUNDING, Floats
from credibly._core.declared import Declarator, DeclaredFunction, Registry
from credibly._core.names import Names
from credibly.intervals._declare import RefusalError, size_of
from credibly.intervals.influence import condensed, influence
from credibly.intervals.methods import equal_cases
from credibly.intervals.quantiles import discordant_tails, student_tail
from credibly.intervals.standard_errors import (
    grows,
    measure_error,
    of_skewed_losses,
    refuse_repeats,
)
from credibly.predictions import Predictions
from credibly.predictions.labels import MISSING
from credibly.predictions.summaries import BinaryCounts, ScoreTable
from credibly.predictions.summaries.linear import one_vs_rest
from credibly.predictions.table import cached, tallied
from credibly.results.estimate import SIGNS, Advantage, TrivialRule

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.evaluation._declare import EstimateAnswer
    from credibly.intervals._declare import EstimateRequest
    from credibly.measures import Measure

TOLD_BY = 1 << 10  # cases that mostly tell whether a difference is one of shares
SLOPE_ROUNDING = 1e-6  # of a whole case: what slopes by differences leave


class Baseline(DeclaredFunction[[Predictions], Predictions | None]):
    """A rule that ignores the case: its predictions for given cases, or nothing where it does not apply."""

    gives: str  # the column of predictions that it fills


baselines: Registry[Baseline] = Registry("baseline", "credibly.evaluation", ending="_rules")
baseline = Declarator(Baseline, baselines)


def baseline_values(
    m: Measure, p: Predictions, average: Average | None, *, by_class: bool
) -> dict[str, list[float]]:
    """Return what each baseline scores on these cases: one value, or one for each class.

    >>> from credibly.measures import accuracy
    >>> p = Predictions.of([1, 1, 0], label=[1, 0, 0])
    >>> baseline_values(accuracy, p, None, by_class=False)["majority"]
    [0.6666666666666666]
    """
    rules = {b: r for b, r in _rules_for(m, p).items() if r is not None and _reads(m, r, average)}
    if by_class:
        return {b.name: m.by_class(r).tolist() for b, r in rules.items()}
    if average or m.loss is not None or len(rules) < 2:
        return {b.name: [m.on(r, average)] for b, r in rules.items()}
    # One batch of summaries for all measures that read it, and one call of each formula.
    of_rules = [m.reads.of(r) for r in rules.values()]
    batch = cached(p, (baseline_values, m.reads), lambda: m.reads.stacked(of_rules))
    values = m.of_summary(batch).tolist()
    return {b.name: [value] for b, value in zip(rules, values, strict=True)}


def best_of_rules(values: Mapping[str, float], direction: str) -> TrivialRule | None:
    """Return the best of the rules that have a value, if the measure has a better end.

    >>> best_of_rules({"majority": 0.6, "random": 0.52}, "higher")
    TrivialRule(name='majority', value=0.6)
    """
    sign = SIGNS.get(direction)
    known = [TrivialRule(name, value) for name, value in values.items() if math.isfinite(value)]
    if sign is None or not known:
        return None
    return max(known, key=lambda rule: round(sign * rule.value, 12))  # rounding names no rule


def rows_of_rule(
    m: Measure, p: Predictions, name: str, class_index: int | None = None
) -> Predictions:
    """Return the rows by which a baseline that has a value stands for these cases, or for one class against the rest.

    >>> from credibly.measures import accuracy
    >>> p = Predictions.of([1, 1, 0], label=[1, 0, 0])
    >>> rows_of_rule(accuracy, p, "majority").label.tolist()
    [1, 1]
    """
    rows = _rules_for(m, p)[baselines[name]]
    assert rows is not None  # noqa: S101  # it has a value
    if class_index is None:
        return rows
    return cached(rows, (rows_of_rule, class_index), lambda: _rows_of_class(rows, class_index))


def _rows_of_class(rows: Predictions, class_index: int) -> Predictions:
    if rows.label is None:
        return one_vs_rest(rows, class_index)
    # The cells of its table: random labels of k classes have k * k of them, and each class all of these.
    each = BinaryCounts.each_class(rows, "a rule")
    cells = each.tp, each.fn, each.fp, each.tn, each.doubt_positive, each.doubt_negative
    weight = np.array([cell[class_index] for cell in cells])
    there = np.flatnonzero(weight)  # where the rule puts no case, none would move it
    return _with_columns(
        one_vs_rest(rows.take(np.zeros(there.size, np.intp)), class_index),
        truth=np.array([1, 1, 0, 0, 1, 0])[there],
        label=np.array([1, 0, 1, 0, MISSING, MISSING])[there],
        weight=weight[there],
    )


def _rules_for(m: Measure, p: Predictions) -> dict[Baseline, Predictions | None]:
    """Return what each baseline says of these cases that gives what a measure reads; made once for all."""
    read = "probability" if m.takes == "score" else m.takes
    if m.loss is not None and read not in m.needs:
        read = ""  # it reads the truth alone, so that any rule will do
    return cached(p, ("rules", read), lambda: {b: b(p) for b in baselines if read in {b.gives, ""}})


def _reads(m: Measure, rule: Predictions, average: Average | None) -> bool:
    """Whether a rule holds what the measure reads: one of probabilities predicts no sizes of classes."""
    sized = average != "weighted_predicted" or rule.label is not None
    return sized and not m.lacks(rule, averaged=True)


def _one_row_per_class(p: Predictions) -> Predictions | None:
    """Stand for all cases by one row per class with the weight of its cases."""
    if p.task != "classification" or not p.classes:
        return None
    return cached(p, _class_rows, lambda: _class_rows(p))


def _with_columns(rows: Predictions, **columns: Any) -> Predictions:  # noqa: ANN401
    """Return rows with what a rule says of them: nothing is missing there."""
    return replace(rows, **columns, cache={"gapless": True, "unknown": None})


def _class_rows(p: Predictions) -> Predictions:
    k = len(p.classes)
    return Predictions(
        task="classification",
        truth=np.arange(k),
        classes=p.classes,
        positive=p.positive,
        weight=p.class_weights,
        weight_kind=p.kind_of_sums,
        baseline=None if p.baseline is None else np.tile(p.baseline.mean(axis=0), (k, 1)),
    )


@baseline(
    gives="label",
    aliases=Names(texts="majority class", sklearn="most_frequent", caret="No Information Rate"),
)
def majority(p: Predictions) -> Predictions | None:
    """Every case gets the most frequent class of these cases."""
    rows = _one_row_per_class(p)
    if rows is None or p.label is None:
        return None
    # In another unit of weights classes of one size differ by rounding: the first of them it is.
    first = np.argmax(rows.weights >= rows.weights.max() * (1 - ROUNDING))
    return _with_columns(rows, label=np.full(len(p.classes), first))


@baseline(gives="label")
def random(p: Predictions) -> Predictions | None:
    """Labels as frequent as the predicted ones, dealt out without looking at the cases."""
    rows = _one_row_per_class(p)
    if rows is None or p.label is None:
        return None
    k = len(p.classes)
    share = np.bincount(np.where(p.label < 0, k, p.label), p.weights, k + 1)
    actual, label = np.divmod(np.arange(k * (k + 1)), k + 1)
    return _with_columns(
        rows,
        truth=actual,
        label=np.where(label == k, -1, label),
        weight=rows.weights[actual] * (share[label] / max(share.sum(), 1e-300)),
        baseline=None if rows.baseline is None else rows.baseline[actual],
    )


@baseline(gives="label", aliases=Names(texts="trivial acceptor"))
def all_positive(p: Predictions) -> Predictions | None:
    """Every case is labelled positive: the trivial acceptor."""
    rows = _one_row_per_class(p)
    if rows is None or p.label is None or not p.has_positive or p.positive is None:
        return None
    return _with_columns(rows, label=np.full(len(p.classes), p.positive))


@baseline(gives="probability", aliases=Names(sklearn="prior"))
def prevalence(p: Predictions) -> Predictions | None:
    """Every case gets the class shares of these cases as its probabilities."""
    rows = _one_row_per_class(p)
    if rows is None or (p.probability is None and p.score is None) or not rows.weights.sum():
        return None
    size = rows.weights
    share = size / size.sum()
    predictions = _with_columns(rows, probability=np.array([share] * len(p.classes)))
    if len(size) == 2 and p.positive is not None:
        sides = size[p.positive], size[1 - p.positive]
        ScoreTable.of_one_score(share[p.positive], *sides, predictions.case_weight).stand_for(
            predictions
        )
    return predictions


@baseline(gives="value")
def mean(p: Predictions) -> Predictions | None:
    """Every case gets the training mean, or that of these cases when it is not known."""
    if p.task != "numeric" or not p.n:
        return None
    if p.baseline is None and not p.weights.any():
        return None
    constant = p.baseline
    if constant is None:
        constant = np.broadcast_to(np.average(p.truth, weights=p.weight), p.n)
    return (
        _with_columns(p, value=constant) if p.known() is p else replace(p, value=constant, cache={})
    )


def advantage(
    q: EstimateRequest, answer: EstimateAnswer, rule: TrivialRule, rows: Predictions
) -> Advantage:
    """Compare an estimate with the best trivial rule, whose ``rows`` stand for the same cases.

    >>> from credibly import Predictions, evaluate
    >>> p = Predictions.of([1] * 8 + [0] * 32, label=[1] * 6 + [0] * 34)
    >>> found = evaluate(p, "error_rate")["error_rate"].advantage
    >>> found.rule.name, round(found.difference, 2), found.pvalue, found.standing
    ('majority', 0.15, 0.03125, 'better')
    """
    difference = SIGNS[q.measure.direction] * (answer.value - rule.value)
    if math.isclose(answer.value, rule.value, rel_tol=ROUNDING):
        difference = 0.0  # means over folds are added up in another order
    limits = answer.interval
    if limits is not None and math.isfinite(difference):
        try:
            pvalue = _chance(q, answer, difference, rows)
        except RefusalError:
            pvalue = None
        if pvalue is not None:
            return Advantage(rule, difference, limits, pvalue)
    return Advantage(rule, difference, limits)


def _chance(
    q: EstimateRequest, answer: EstimateAnswer, difference: float, rule: Predictions
) -> float | None:
    """Return the p-value of the difference on the same cases; none where the rule has one value on any cases."""
    if q.measure.mean:  # a total is judged by what a case adds to it
        difference /= float(q.predictions.weights.sum())
        return _chance(replace(q, measure=q.measure.per_case), answer, difference, rule)
    if q.measure.area is not None:
        return None  # one score for all cases ranks half of the pairs right, whatever the cases
    predictions, rule = (q.measure.view(p, q.average) for p in _in_cases(q.predictions, rule))
    refuse_repeats(predictions)
    of_rows = influence(q.measure, rule, q.average)
    size = max(abs(answer.value), abs(difference)) / float(predictions.weights.sum())
    if of_rows is None or np.abs(of_rows).max() <= SLOPE_ROUNDING * size:
        return None
    of_classes = predictions.task == "classification"
    cases = condensed(q.measure, predictions, q.average) if of_classes else predictions
    own = influence(q.measure, cases, q.average)
    if own is None or grows(own, cases.weights):
        return None
    of_rule = _of_cases(of_rows, rule, cases)
    gained = SIGNS[q.measure.direction] * (own - of_rule)
    extra = _by_training(q, answer, cases)
    of_shares = math.isfinite(q.measure.range[1] - q.measure.range[0])
    if of_shares and not extra and (sides := _discordant(gained, cases, difference)):
        below, above = discordant_tails(*sides)
        return min(1.0, 2 * min(below, above))
    error, freedom = measure_error(q.measure, [cases], q.average, gained)
    near = ROUNDING * size_of(q.measure, answer.value, difference)
    if error <= near:
        return None if abs(difference) > near else 1.0
    if q.measure.open_to_one_side and cases.clusters is None:
        freedom = of_skewed_losses(freedom)
    if answer.interval is not None:
        freedom = min(freedom, answer.interval.degrees_of_freedom)
    return min(1.0, student_tail(abs(difference) / math.hypot(error, extra), freedom, tails=2))


def _in_cases(p: Predictions, rule: Predictions) -> tuple[Predictions, Predictions]:
    """Return the rows of both that count, in cases as the unit where all weigh the same."""
    if rule.task != "classification":  # whose rows are classes: one without cases is a class too
        rule = rule.of_weight()
    plain = equal_cases(p) if p.weight_kind == "importance" else p
    if plain is not p and rule.weight is not None:
        rule = replace(rule, weight=rule.weight / float(p.weights.max()), cache={})
    return plain.of_weight(), rule


def _of_cases(of_rows: Floats, rule: Predictions, cases: Predictions) -> Floats:
    """Return how the value of a rule moves with each case: as its rows of the same truth, which share the case."""
    if cases.task != "classification":
        return of_rows
    k = len(cases.classes)
    sizes = rule.class_weights
    means = tallied(rule.truth, rule.weights * of_rows, k) / np.where(sizes > 0, sizes, 1.0)
    return means[cases.truth]


def _by_training(q: EstimateRequest, answer: EstimateAnswer, cases: Predictions) -> float:
    """Return what other training sets add to the error of the model: the rule has learned nothing from them."""
    limits = answer.interval
    if limits is None or limits.about in {"cases", "models"}:
        return 0.0
    if limits.standard_error is None:
        raise RefusalError
    over_cases, _ = measure_error(q.measure, [cases], q.average)
    if over_cases >= limits.standard_error:
        return 0.0
    share = over_cases / limits.standard_error  # squares of large numbers do not fit a double
    return limits.standard_error * math.sqrt(1 - share**2)


def _discordant(
    gained: Floats, cases: Predictions, difference: float
) -> tuple[float, float] | None:
    """Return on how many cases the model alone is right, and the rule alone, where the difference is one of shares."""
    if cases.clusters is not None or cases.in_time or cases.weight_kind == "importance":
        return None
    whole = cases.weights.sum()
    for some in (gained[:TOLD_BY], gained):
        each = some * whole + difference
        sides = np.round(each)
        if (
            np.abs(each - sides).max() > SLOPE_ROUNDING * max(1.0, np.abs(each).max())
            or np.abs(sides).max() > 1
        ):
            return None
    counts = [float(cases.weights[sides == side].sum()) for side in (1, -1)]
    return (counts[0], counts[1]) if all(c == int(c) for c in counts) else None
