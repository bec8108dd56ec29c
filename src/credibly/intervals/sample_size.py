"""How many cases a study needs, and what more of them would bring."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TypeVar

from credibly._core.doors import check_confidence, door
from credibly._core.parameters import SHARE_RULE, above, between, require
from credibly.errors import ParameterError, says
from credibly.intervals.power import (
    AreaVariance,
    ClassSizes,
    DiscordantMethod,
    StudyPlan,
    area_error,
    plan_of_classes,
    power_of_auc,
    power_of_mcnemar,
    power_of_two_aucs,
    power_of_two_means,
)
from credibly.intervals.quantiles import Tails, normal_quantile
from credibly.intervals.shares import proportion_methods
from credibly.results.interval import Interval

MAX_SAMPLE_SIZE = 10**12
Plan = TypeVar("Plan")


@door
def sample_size_for_proportion(
    half_width: float,
    rate: float = 0.5,
    confidence_level: float = 0.95,
    method: str = "wilson",
) -> StudyPlan:
    """Return the smallest number of cases whose interval is at most ``half_width`` to either side.

    The interval itself is computed for ``rate`` times so many cases; no formula of another method
    stands in for it.

    Parameters
    ----------
    half_width
        Half of the largest width of the interval.
    rate
        The expected rate; by default one half, which needs the most cases.
    confidence_level
        Confidence level of the interval.
    method
        A name from ``credibly list proportion_methods``.

    >>> sample_size_for_proportion(0.03).n, sample_size_for_proportion(0.03, method="wald").n
    (1064, 1068)
    >>> sample_size_for_proportion(0.03, rate=0.95, method="exact").n
    238
    """
    width = 2 * float(require("half_width", half_width, above(0)))
    share = float(require("rate", rate, between(0, 1, ends=True)))
    chosen = proportion_methods[method]

    def width_of(n: float) -> float:
        low, high = chosen.limits(share * n, float(n), confidence_level)
        return high - low

    if not width_of(2.0):  # of one case, Student's interval knows nothing
        raise ParameterError(
            f"The {chosen.title} interval at a rate of {share:g} has no width at any size.",
            remedy=says("Use <method='wilson'>."),
        )

    def plan(n: int) -> StudyPlan:
        return StudyPlan(
            f"{n:,} cases put a rate of {share:g} within {half_width:g} to either side",
            n,
            half_width=width_of(n) / 2,
            method=chosen.title,
            given={"rate": share, "confidence_level": confidence_level},
        )

    return smallest(plan, lambda made: width_of(made.n) <= width, f"a half width of {half_width:g}")


@door
def sample_size_for_auc(
    auc: float,
    half_width: float | None = None,
    *,
    null: float | None = None,
    power: float = 0.8,
    ratio: float = 1.0,
    variance: AreaVariance = "hanley_mcneil",
    confidence_level: float = 0.95,
    alpha: float = 0.05,
    tails: Tails = 2,
) -> StudyPlan:
    """Return the smallest class sizes at which an AUC is known to ``half_width``, or distinguished from ``null``.

    With ``half_width`` the interval is the normal one; without, the test is that of
    :func:`power_of_auc`.

    Parameters
    ----------
    auc
        The expected AUC.
    half_width
        Half of the largest width of its interval; without it, a test is planned.
    null
        The AUC that the test should reject; 0.5 by default.
    power
        The probability with which the test should reject it.
    ratio
        Number of negative cases per positive case.
    variance
        Hanley and McNeil's, which is exact for exponential scores, or ``"obuchowski"``, which is
        larger: made for normal scores that were cut into ratings.
    confidence_level
        Confidence level of the interval.
    alpha
        The level of the test.
    tails
        2 if the AUC may be on either side of ``null``, otherwise 1.

    >>> plan = sample_size_for_auc(0.8, null=0.7, power=0.9)
    >>> plan.n_positive, plan.n_negative, round(plan.power, 4)
    (127, 127, 0.902)
    >>> sample_size_for_auc(0.6, power=0.9, variance="obuchowski", tails=1).n_positive
    135
    """
    require("auc", auc, SHARE_RULE)
    if half_width is not None:
        if null is not None:
            raise ParameterError(says("Plan for either <half_width=...> or <null=...>, not both."))
        return _known_auc(auc, half_width, ratio, variance, confidence_level)
    null = 0.5 if null is None else null
    _refuse_equal("an AUC", auc, null)

    def plan(sizes: ClassSizes) -> StudyPlan:
        by_class = sizes._asdict()
        return power_of_auc(auc, null, **by_class, variance=variance, alpha=alpha, tails=tails)

    return _smallest_classes(plan, ratio, _powerful(power), f"a power of {power:g}")


def _known_auc(
    auc: float, half_width: float, ratio: float, variance: AreaVariance, confidence_level: float
) -> StudyPlan:
    check_confidence(confidence_level)
    require("half_width", half_width, above(0))
    z = normal_quantile(1 - confidence_level, tails=2)

    def plan(sizes: ClassSizes) -> StudyPlan:
        return plan_of_classes(
            sizes,
            f"put an AUC of {auc:g} within {half_width:g} to either side",
            variance,
            {"auc": auc, "ratio": ratio, "confidence_level": confidence_level},
            half_width=z * area_error(auc, sizes, variance),
        )

    def enough(made: StudyPlan) -> bool:
        return made.half_width is not None and made.half_width <= half_width

    return _smallest_classes(plan, ratio, enough, f"a half width of {half_width:g}")


@door
def sample_size_for_two_aucs(
    auc1: float,
    auc2: float,
    correlation: float,
    *,
    power: float = 0.8,
    ratio: float = 1.0,
    variance: AreaVariance = "hanley_mcneil",
    alpha: float = 0.05,
    tails: Tails = 2,
) -> StudyPlan:
    """Return the smallest class sizes at which a test distinguishes two AUCs with this ``power``.

    The test is that of :func:`power_of_two_aucs`.

    Parameters
    ----------
    auc1, auc2
        The expected AUCs.
    correlation
        Correlation of the two estimated AUCs; 0 if the models have different cases.
    power
        The probability that the test detects the difference.
    ratio
        Number of negative cases per positive case.
    variance
        Hanley and McNeil's, which is exact for exponential scores, or ``"obuchowski"``, which is
        larger: made for normal scores that were cut into ratings.
    alpha
        The level of the test.
    tails
        2 if either model may be better, otherwise 1.

    >>> plan = sample_size_for_two_aucs(0.9, 0.8, 0.5)
    >>> plan.n_positive, plan.n_negative
    (62, 62)
    """
    _refuse_equal("AUCs", auc1, auc2)

    def plan(sizes: ClassSizes) -> StudyPlan:
        return power_of_two_aucs(
            auc1,
            auc2,
            correlation,
            **sizes._asdict(),
            variance=variance,
            alpha=alpha,
            tails=tails,
        )

    return _smallest_classes(plan, ratio, _powerful(power), f"a power of {power:g}")


@door
def sample_size_for_mcnemar(
    only_first: float,
    only_second: float,
    *,
    power: float = 0.8,
    method: DiscordantMethod = "connor",
    group_size: float = 1,
    intraclass_correlation: float = 0.0,
    alpha: float = 0.05,
    tails: Tails = 2,
) -> StudyPlan:
    """Return the smallest number of cases on which McNemar's test distinguishes two models.

    The formulas are those of :func:`power_of_mcnemar`.

    Parameters
    ----------
    only_first
        Share of cases that only the first model gets wrong.
    only_second
        Share of cases that only the second model gets wrong.
    power
        The probability that the test detects the difference.
    method
        Connor's or ``"miettinen"``'s formula.
    group_size
        Cases of each group, such as questions about one text, if cases come in groups.
    intraclass_correlation
        How alike the differences of cases of a group are, from 0 to 1.
    alpha
        The level of the test.
    tails
        2 if either model may be better, otherwise 1.

    >>> sample_size_for_mcnemar(0.2, 0.1).n, sample_size_for_mcnemar(0.2, 0.1, method="miettinen").n
    (234, 229)
    """
    _refuse_equal("shares", only_first, only_second)

    def plan(n: int) -> StudyPlan:
        shares = only_first, only_second
        grouped = {"group_size": group_size, "intraclass_correlation": intraclass_correlation}
        return power_of_mcnemar(*shares, n=n, method=method, alpha=alpha, tails=tails, **grouped)

    return smallest(plan, _powerful(power), f"a power of {power:g}")


@door
def sample_size_for_two_means(
    difference: float,
    deviation: float,
    *,
    power: float = 0.8,
    paired: bool = True,
    group_size: float = 1,
    intraclass_correlation: float = 0.0,
    alpha: float = 0.05,
    tails: Tails = 2,
) -> StudyPlan:
    """Return the smallest number of pairs at which Student's t finds that two means differ.

    Parameters
    ----------
    difference
        Difference of the means, for instance of the losses of two models or of their values over
        datasets.
    deviation
        The standard deviation of the differences of pairs; of the values themselves if not paired.
    power
        The probability that the test detects the difference.
    paired
        The values are paired; otherwise ``n`` counts the values of both.
    group_size
        Cases of each group, such as questions about one text, if cases come in groups.
    intraclass_correlation
        How alike the differences of cases of a group are, from 0 to 1.
    alpha
        The level of the test.
    tails
        2 if either may be larger, otherwise 1.

    >>> sample_size_for_two_means(0.02, 0.05).n
    52
    >>> sample_size_for_two_means(1, 1, power=0.9, paired=False).n
    46
    >>> sample_size_for_two_means(0.02, 0.05, group_size=10, intraclass_correlation=0.3).n
    189
    """
    _refuse_equal("means, which differ by", difference, 0)

    def plan(n: int) -> StudyPlan:
        apart = difference, deviation
        grouped = {"group_size": group_size, "intraclass_correlation": intraclass_correlation}
        return power_of_two_means(*apart, n=n, paired=paired, alpha=alpha, tails=tails, **grouped)

    return smallest(plan, _powerful(power), f"a power of {power:g}", fewest=2)


def width_with_more_data(
    now: Interval | float, factors: Iterable[float] = (2, 10)
) -> dict[float, float]:
    """Return how wide an interval, or how large a standard error, would be with more cases.

    So many times the cases make it narrower by the square root. More repeats of a cross-validation
    are not more cases.

    >>> from credibly.intervals import wilson
    >>> {k: round(v, 4) for k, v in width_with_more_data(wilson(75, 100)).items()}
    {2: 0.1185, 10: 0.053}
    >>> width_with_more_data(0.02, factors=[4])
    {4: 0.01}
    """
    width = now.high - now.low if isinstance(now, Interval) else now
    require("The width", width, above(0))
    return {f: width / math.sqrt(require("factors", f, above(0))) for f in factors}


def _refuse_equal(what: str, first: float, second: float) -> None:
    if first == second:
        raise ParameterError(
            f"Equal values cannot be distinguished: {what} {first:g} and {second:g}; give the difference that matters."
        )


def _powerful(power: float) -> Callable[[StudyPlan], bool]:
    wanted = require("power", power, SHARE_RULE)
    return lambda plan: plan.power is not None and plan.power >= wanted


def _smallest_classes(
    plan: Callable[[ClassSizes], StudyPlan],
    ratio: float,
    enough: Callable[[StudyPlan], bool],
    goal: str,
) -> StudyPlan:
    each = float(require("ratio", ratio, above(0)))

    def sizes(n_positive: int) -> ClassSizes:
        # A ratio such as 0.1 is not exact in binary: 0.1 of 30 is meant to be 3.
        return ClassSizes(n_positive, max(1, math.ceil(each * n_positive * (1 - 1e-12))))

    return smallest(lambda n: plan(sizes(n)), enough, goal)


def smallest(
    plan: Callable[[int], Plan],
    enough: Callable[[Plan], bool],
    goal: str,
    *,
    fewest: int = 1,
) -> Plan:
    """The smallest plan that is enough, if all larger ones are: double, then halve."""
    high = fewest
    while not enough(plan(high)):
        if high >= MAX_SAMPLE_SIZE:
            raise ParameterError(
                f"Not even {MAX_SAMPLE_SIZE:.0e} cases reach {goal}; set a weaker goal."
            )
        high = min(2 * high, MAX_SAMPLE_SIZE)
    low = max(high // 2, fewest - 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(plan(middle)) else (middle, high)
    return plan(high)
