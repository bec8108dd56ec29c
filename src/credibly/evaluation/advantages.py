"""Whether a model is better than a trivial rule: both on the same cases, by the influence values of their difference.

A trivial rule looks at no case, so that its rows are those of the classes: a case moves its value as the rows
of its class do. What the model gains on the rule is then a function of the weights of the same cases, and the one
rule gives its standard error. Where each case counts for one of them or for neither, the test is McNemar's.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import ROUNDING, Floats
from credibly.intervals._declare import RefusalError
from credibly.intervals.coins import discordant_tails
from credibly.intervals.influence import (
    condensed,
    grows,
    influence,
    of_skewed_losses,
    refuse_repeats,
    standard_error,
)
from credibly.intervals.measure_errors import by_class, measure_error
from credibly.intervals.student import student_tail
from credibly.measures import measures
from credibly.predictions import Predictions
from credibly.predictions.labels import tallied
from credibly.results.advantage import SIGNS, Advantage, TrivialRule

if TYPE_CHECKING:
    from credibly.evaluation._declare import EstimateAnswer
    from credibly.intervals._declare import EstimateRequest

NEAR = 1e-6  # of a whole case: what slopes by differences leave


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
    limits = answer.interval
    if limits is not None and math.isfinite(difference):
        try:
            pvalue = _chance(q, answer, difference, rows)
        except RefusalError:
            pvalue = None
        if pvalue is not None:
            return Advantage.tested(rule, difference, pvalue, limits.confidence_level)
    return Advantage.by_limits(rule, difference, limits)


def _chance(
    q: EstimateRequest, answer: EstimateAnswer, difference: float, rule: Predictions
) -> float | None:
    """Return the p-value of the difference on the same cases; none where the rule has one value on any cases."""
    if q.measure.mean:  # a total is judged by what a case adds to it
        per_case = measures[q.measure.mean].given(**q.measure.arguments)
        difference /= float(q.predictions.weights.sum())
        return _chance(replace(q, measure=per_case), answer, difference, rule)
    if q.measure.area is not None:
        return None  # one score for all cases ranks half of the pairs right, whatever the cases
    given, rule = (q.measure.view(p, q.average) for p in (q.predictions.of_weight(), rule))
    refuse_repeats(given)
    of_rows = influence(q.measure, rule, q.average)
    size = max(abs(answer.value), abs(difference)) / float(given.weights.sum())
    if of_rows is None or np.abs(of_rows).max() <= NEAR * size:
        return None
    of_classes = given.task == "classification"
    cases = condensed(q.measure, given, q.average) if of_classes else given
    own = influence(q.measure, cases, q.average)
    if own is None or grows(own, cases.weights):
        return None
    of_rule = _of_cases(of_rows, rule, cases)
    gained = SIGNS[q.measure.direction] * (own - of_rule)
    extra = _by_training(q, answer, cases)
    if not extra and (sides := _discordant(gained, cases, difference)):
        below, above = discordant_tails(*sides)
        return min(1.0, 2 * min(below, above))
    apart = by_class(q.measure, cases, q.average)
    error, freedom = standard_error(gained, cases, by_class=apart)
    if error <= ROUNDING * abs(difference):
        return None
    if q.measure.open_to_one_side and cases.clusters is None:
        freedom = of_skewed_losses(freedom)
    if answer.interval is not None:
        freedom = min(freedom, answer.interval.degrees_of_freedom)
    return min(1.0, student_tail(abs(difference) / math.hypot(error, extra), freedom, tails=2))


def _of_cases(of_rows: Floats, rule: Predictions, cases: Predictions) -> Floats:
    """Return how the value of a rule moves with each case: as its rows of the same truth, which share the case."""
    if cases.task != "classification":
        return of_rows
    k = len(cases.classes)
    sizes = tallied(rule.truth, rule.weight, k)
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
    each = gained * cases.weights.sum() + difference
    sides = np.round(each)
    if np.abs(each - sides).max() > NEAR * max(1.0, np.abs(each).max()) or np.abs(sides).max() > 1:
        return None
    counts = [float(cases.weights[sides == side].sum()) for side in (1, -1)]
    return (counts[0], counts[1]) if all(c == int(c) for c in counts) else None
