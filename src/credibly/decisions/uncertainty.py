"""How far a threshold that was chosen on the cases, and what it seems to cost, may be off."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly.decisions.draws import deals, subsamples, units_of
from credibly.decisions.findings import CHOICE_NOT_REPEATED
from credibly.decisions.problem import REPEATED_CASES
from credibly.errors import DataError, says
from credibly.results.estimate import Estimate
from credibly.results.interval import Interval

if TYPE_CHECKING:
    from credibly.decisions._declare import DecisionRule
    from credibly.decisions.problem import DecisionProblem


MIN_UNITS = 30  # cases or groups, below which a part of them says little about the whole
PART_EXPONENT = 0.7  # a part has n ** PART_EXPONENT of n cases: many, and a vanishing share


def threshold_interval(
    rule: DecisionRule,
    problem: DecisionProblem,
    threshold: float | None,
    *,
    seed: int | None,
    replicates: int,
    confidence_level: float,
) -> tuple[Interval | None, str]:
    r"""Return an interval for a chosen threshold by subsampling, or the reason why there is none.

    The place of an optimum settles with the cube root of the cases, to a limit that is not normal,
    and the plain bootstrap does not find that limit (Abrevaya & Huang 2005). Parts of m of n cases,
    drawn without replacement, do if m grows and m / n vanishes, once distances are scaled by
    $(m / n)^{rate}$ (Politis & Romano 1994), and by $\sqrt{1 - m / n}$ for parts that overlap. They
    are measured as shares of the cases above the threshold, so that another scale of the scores
    changes nothing, and on both sides alike: a small part's optimum is biased, and limits that mirror
    the bias hold the truth far less often than they say.
    """
    if threshold is None:
        return None, "there is no threshold"
    if rule.rate is None:
        return None, "it was not chosen from these cases"
    if seed is None:
        return None, says("subsampling is random: set <rng=...>")
    if problem.repeated:
        return None, REPEATED_CASES
    _, n = units_of(problem)
    if n < MIN_UNITS:
        return None, f"subsampling needs at least {MIN_UNITS} cases (or groups); there are {n}"
    m = round(n**PART_EXPONENT)
    score, share = _shares(problem)
    own = _share_above(threshold, score, share)
    found = []
    for part in subsamples(problem, m, seed=seed, replicates=replicates):
        try:
            other = rule(problem.part(*part)).threshold
        except DataError:  # a part without one of the classes, or without such a precision
            continue
        found.append(_share_above(np.inf if other is None else other, score, share))
    if len(found) < replicates / 2:
        return None, "most subsamples are too small to choose a threshold"
    away = np.quantile(np.abs(np.array(found) - own), confidence_level)
    half = float(away) * (m / n) ** rule.rate / np.sqrt(1 - m / n)
    limits = [_threshold_at(own + side * half, score, share) for side in (1, -1)]
    method = f"subsampling, {m:,} of {n:,} {unit_name(problem)}, {len(found)} replicates"
    return Interval(limits[0], limits[1], confidence_level, method), ""


def unit_name(problem: DecisionProblem) -> str:
    """Say what parts are drawn of; a case that is predicted repeatedly is one."""
    cases = problem.cases
    return cases.cluster_name if cases.in_time or cases.group is not None else "cases"


def precision_at(prevalence: float, recall: Estimate, alarms: Estimate) -> dict[str, Any]:
    r"""Return value and interval of the precision at a given prevalence, from those of the two rates.

    The odds of the precision are those of the prevalence times $\theta_1 / \theta_2$, recall over false
    alarms. The limits of this ratio follow from those of its two parts (Donner & Zou 2012, MOVER-R),
    which hold where hardly any case shows a false alarm.
    """
    hit, alarm = recall.value, alarms.value
    odds = prevalence / (1 - prevalence)

    def share(part: float, rest: float) -> float:
        return odds * part / (odds * part + rest) if part or rest else math.nan

    value = share(hit, alarm)
    first, second = recall.interval, alarms.interval
    if math.isnan(value) or first is None or second is None:
        why = "" if math.isnan(value) else recall.why_no_interval or alarms.why_no_interval
        return {
            "value": value,
            "interval": None,
            "why_no_interval": why or "the value is undefined",
        }

    def square(rate: float, limit: float) -> float:
        return limit * (2 * rate - limit)

    fewest_hits, most_hits = square(hit, first.low), square(hit, first.high)
    fewest_alarms, most_alarms = square(alarm, second.low), square(alarm, second.high)
    product = hit * alarm
    least = product + math.sqrt(max(product**2 - fewest_hits * most_alarms, 0.0))
    most = product + math.sqrt(max(product**2 - most_hits * fewest_alarms, 0.0))
    limits = Interval(
        share(fewest_hits, least) if fewest_hits > 0 else 0.0,
        share(most, fewest_alarms) if fewest_alarms > 0 else 1.0,
        first.confidence_level,
        f"MOVER-R, {first.method} limits of recall and false alarms at the given prevalence",
    )
    return {"value": value, "interval": limits, "why_no_interval": ""}


def cross_fitted(
    rule: DecisionRule, problem: DecisionProblem, *, seed: int
) -> tuple[DecisionProblem, Floats]:
    """Return the cases and what each costs under a choice made without it.

    Judged where it was chosen, a rule looks better than it is. Here the cases are dealt into ten
    folds (whole groups where there are any, each class alike where not), each is decided by the rule
    as chosen on the other nine. Several such deals are averaged where cases are few.
    """
    if units_of(problem)[1] < 2:
        raise DataError("all cases belong to one group, so none can be left out when choosing")
    dealt = list(deals(problem, seed))
    whole, _ = dealt[0]
    total = np.zeros(whole.cases.n)
    for _, fold in dealt:
        for each in range(fold.max() + 1):
            choice = rule(whole.part(fold != each))
            rows = fold == each
            part = whole.take(rows)
            labels = part.cut(choice.threshold if choice.threshold is not None else np.inf)
            total[rows] += part.costs_of(labels)
    return whole, total / len(dealt)


def first_if_fitted(honest: list[Estimate], others: list[Estimate]) -> list[Estimate]:
    """Put what a choice is worth on other cases before what it is worth where it was made."""
    fitted = not any(math.isnan(e.value) for e in honest)
    return [*honest, *others] if fitted else [*others, *honest]


def margin_of(estimates: Sequence[Estimate], name: str) -> str:
    """Name the difference that a headline ends with: that of a choice on other cases where there is one."""
    honest = f"cross_fitted_{name}"
    return honest if any(e.measure == honest for e in estimates) else name


def not_fitted(
    name: str, title: str, error: DataError, keys: dict[str, Any], direction: str = "lower"
) -> Estimate:
    """Return an estimate without a value, which says why no choice could be judged on other cases."""
    finding = CHOICE_NOT_REPEATED(title=title, why=str(error).rstrip("."))
    return without_value(name, title, finding, keys, direction)


def without_value(
    name: str, title: str, said: Finding, keys: dict[str, Any], direction: str = "lower"
) -> Estimate:
    """Return an estimate that has no value, and what is to be said of that."""
    return Estimate(
        name,
        title,
        math.nan,
        None,
        "the value is undefined",
        n=0.0,
        direction=direction,
        keys=keys,
        findings=(said,),
    )


def _shares(problem: DecisionProblem) -> tuple[Floats, Floats]:
    """Return the distinct scores, falling, and the share of the cases from each on."""
    table = problem.thresholds()
    labelled = table.counts.labelled_positive
    return table.threshold[1:], labelled[1:] / labelled[-1]


def _share_above(threshold: float, score: Floats, share: Floats) -> float:
    return float(np.interp(threshold, score[::-1], share[::-1])) if threshold < np.inf else 0.0


def _threshold_at(wanted: float, score: Floats, share: Floats) -> float:
    """Return the score from which on the wanted share of the cases lies; infinite for none."""
    place = int(np.searchsorted(share, min(wanted, 1.0) * (1 - 1e-12)))
    return float(score[min(place, score.size - 1)]) if wanted > 0 else float(np.inf)
