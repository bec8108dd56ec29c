"""What a test of so many cases can show: the probability that it finds a difference of a given size."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import field
from statistics import NormalDist
from typing import Literal, NamedTuple

from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.parameters import SHARE_RULE, above, between, one_of, require, whole
from credibly.errors import ParameterError
from credibly.intervals._declare import MIN_CLASS_CASES
from credibly.intervals.findings import ROUGH_PLAN
from credibly.intervals.quantiles import Tails, normal_quantile, normal_tail, student_quantile
from credibly.results.result import Result

AreaVariance = Literal["hanley_mcneil", "obuchowski"]
DiscordantMethod = Literal["connor", "miettinen"]

MAX_GROUP_SIZE = 1e12  # cases of a group
# Of a class, or on which only one of two models errs; with fewer the result is rough.
TITLES = {
    "hanley_mcneil": "Hanley and McNeil (1982)",
    "obuchowski": "Obuchowski (1994)",
    "connor": "Connor (1987)",
    "miettinen": "Miettinen (1968)",
}


class StudyPlan(Result, eq=True):
    """How many cases a study needs, or what so many of them can show.

    ``power`` is the probability that its test finds the difference, ``half_width`` how far its
    interval reaches to either side; ``given`` is what was assumed.

    >>> from credibly.intervals import sample_size_for_auc
    >>> print(sample_size_for_auc(0.8, 0.05, ratio=2))
    131 positive and 262 negative cases put an AUC of 0.8 within 0.05 to either side
                value
    n           393
    n positive  131
    n negative  262
    half width  0.04983
    method      Hanley and McNeil (1982)
    Given: auc 0.8, ratio 2, confidence level 0.95.
    """

    json_keys = "n [n_positive] [n_negative] [power] [half_width] method given findings"

    heading: str
    n: int
    n_positive: int | None = None
    n_negative: int | None = None
    power: float | None = None
    half_width: float | None = None
    method: str = ""
    given: Mapping[str, float] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    def remarks(self) -> Iterator[str]:
        """Say what was assumed."""
        text = ", ".join(f"{k.replace('_', ' ')} {v:g}" for k, v in self.given.items())
        yield f"Given: {text}."


class ClassSizes(NamedTuple):
    """How many cases of either class there are."""

    n_positive: int
    n_negative: int

    def text(self) -> str:
        """Write both numbers."""
        return f"{self.n_positive:,} positive and {self.n_negative:,} negative cases"


def hanley_mcneil_standard_error(auc: float, n_positive: float, n_negative: float) -> float:
    r"""Return the standard error of an AUC from its value and the class sizes alone.

    $\sqrt{(A(1-A) + (n_+ - 1)(Q_1 - A^2) + (n_- - 1)(Q_2 - A^2)) / (n_+ n_-)}$ with
    $Q_1 = A/(2-A)$ and $Q_2 = 2A^2/(1+A)$, which are exact for exponential scores (Hanley & McNeil
    1982) and close for others. Given the scores themselves, DeLong's needs no such assumption.

    >>> round(hanley_mcneil_standard_error(0.893, 51, 58), 6)
    0.032512
    """
    a = float(require("auc", auc, between(0, 1, ends=True)))
    positives = float(require("n_positive", n_positive, whole(1)))
    negatives = float(require("n_negative", n_negative, whole(1)))
    # Q1 - A^2 and Q2 - A^2, written so that nothing cancels.
    two_positives = a * (1 - a) ** 2 / (2 - a)
    two_negatives = a * a * (1 - a) / (1 + a)
    pairs = a * (1 - a) + (positives - 1) * two_positives + (negatives - 1) * two_negatives
    return math.sqrt(pairs / (positives * negatives))


def obuchowski_standard_error(auc: float, n_positive: float, n_negative: float) -> float:
    r"""Return the standard error of an AUC of normal scores cut into ratings, from the class sizes.

    $\sqrt{0.0099 e^{-a^2/2} ((5a^2 + 8)/n_+ + (a^2 + 8)/n_-)}$ with $a = \sqrt 2 \Phi^{-1}(A)$
    (Obuchowski 1994), which tables and programs of sample sizes use. Of normal scores as they are it
    is some ten percent too large.

    >>> round(obuchowski_standard_error(0.893, 51, 58), 6)
    0.037088
    """
    a = math.sqrt(2) * NormalDist().inv_cdf(require("auc", auc, SHARE_RULE))
    positives = float(require("n_positive", n_positive, whole(1)))
    negatives = float(require("n_negative", n_negative, whole(1)))
    spread = (5 * a * a + 8) / positives + (a * a + 8) / negatives
    return math.sqrt(0.0099 * math.exp(-a * a / 2) * spread)


@door
def power_of_auc(
    auc: float,
    null: float = 0.5,
    *,
    n_positive: int,
    n_negative: int,
    variance: AreaVariance = "hanley_mcneil",
    alpha: float = 0.05,
    tails: Tails = 2,
) -> StudyPlan:
    """Return the probability that a test finds a model of this AUC to differ from ``null``.

    It is the normal test: the standard error at ``null`` decides what is significant (at one half it
    is Mann and Whitney's), that at ``auc`` how the estimates spread.

    Parameters
    ----------
    auc
        The AUC that the model has.
    null
        The AUC that the test is to reject.
    n_positive, n_negative
        The cases of either class.
    variance
        Hanley and McNeil's, which is exact for exponential scores, or ``"obuchowski"``, which is
        larger: made for normal scores that were cut into ratings.
    alpha
        The level of the test.
    tails
        2 if the AUC may be on either side of ``null``, otherwise 1.

    >>> round(power_of_auc(0.7, n_positive=30, n_negative=60).power, 3)
    0.883
    >>> round(power_of_auc(0.5, n_positive=30, n_negative=60).power, 3)
    0.05
    """
    require("auc", auc, SHARE_RULE)
    require("null", null, SHARE_RULE)
    sizes = _sizes(n_positive, n_negative)
    power = _power_of_auc(auc, null, sizes, variance, alpha, tails)
    given = {"auc": auc, "null": null, "alpha": alpha, "tails": tails}
    text = f"distinguish an AUC of {auc:g} from {null:g} with a power of {power:.4g}"
    return plan_of_classes(sizes, text, variance, given, power=power)


@door
def power_of_two_aucs(
    auc1: float,
    auc2: float,
    correlation: float,
    *,
    n_positive: int,
    n_negative: int,
    variance: AreaVariance = "hanley_mcneil",
    alpha: float = 0.05,
    tails: Tails = 2,
) -> StudyPlan:
    r"""Return the probability that a test finds that two AUCs on the same cases differ.

    The test is Hanley and McNeil's of 1983: the difference over
    $\sqrt{SE_1^2 + SE_2^2 - 2 r SE_1 SE_2}$.

    Parameters
    ----------
    auc1, auc2
        The AUCs of the two models.
    correlation
        That of the two estimated AUCs, r; 0 if each model has cases of its own.
    n_positive, n_negative
        The cases of either class.
    variance
        Hanley and McNeil's, which is exact for exponential scores, or ``"obuchowski"``, which is
        larger: made for normal scores that were cut into ratings.
    alpha
        The level of the test.
    tails
        2 if either model may be better, otherwise 1.

    >>> round(power_of_two_aucs(0.9, 0.8, 0.5, n_positive=51, n_negative=58).power, 3)
    0.732
    """
    sizes = _sizes(n_positive, n_negative)
    error = _error_of_difference(auc1, auc2, correlation, sizes, variance)
    power = _power(abs(auc1 - auc2), error, error, alpha, tails)
    given = {"auc1": auc1, "auc2": auc2, "correlation": correlation, "alpha": alpha, "tails": tails}
    text = f"distinguish AUCs of {auc1:g} and {auc2:g} with a power of {power:.4g}"
    return plan_of_classes(sizes, text, variance, given, power=power)


@door
def power_of_mcnemar(
    only_first: float,
    only_second: float,
    *,
    n: int,
    method: DiscordantMethod = "connor",
    group_size: float = 1,
    intraclass_correlation: float = 0.0,
    alpha: float = 0.05,
    tails: Tails = 2,
) -> StudyPlan:
    r"""Return the probability that McNemar's test finds that two models err unequally often.

    With $\psi$ the share of cases on which only one of them errs and $\delta$ the difference of their
    error rates, Connor takes the variance $(\psi - \delta^2)/n$ of the difference; Miettinen allows for
    the number of such cases being random, by $(\psi - \delta^2 (3 + \psi) / (4 \psi))/n$.

    Parameters
    ----------
    only_first
        Share of cases that only the first model gets wrong.
    only_second
        Share of cases that only the second model gets wrong.
    n
        The cases that both models label.
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

    >>> round(power_of_mcnemar(0.2, 0.1, n=234).power, 3)
    0.802
    >>> round(power_of_mcnemar(0.2, 0.1, n=870, group_size=10, intraclass_correlation=0.3).power, 2)
    0.8
    """
    size = require("n", n, whole(1))
    alone = independent_cases(size, group_size, intraclass_correlation)
    power = discordant_power(only_first, only_second, alone, method, alpha, tails)
    return StudyPlan(
        f"{size:,} cases{_in_groups(group_size)} show with a power of {power:.4g} that one model alone errs on a share of {only_first:g}, the other alone on {only_second:g}",
        size,
        power=power,
        method=f"McNemar, {TITLES[method]}",
        given={
            "only_first": only_first,
            "only_second": only_second,
            **_grouping(group_size, intraclass_correlation),
            "alpha": alpha,
            "tails": tails,
        },
        findings=_doubts(alone * (only_first + only_second), "cases on which only one model errs"),
    )


@door
def power_of_two_means(
    difference: float,
    deviation: float,
    *,
    n: int,
    paired: bool = True,
    group_size: float = 1,
    intraclass_correlation: float = 0.0,
    alpha: float = 0.05,
    tails: Tails = 2,
) -> StudyPlan:
    """Return the probability that Student's t finds that two means differ, by the noncentral t.

    Parameters
    ----------
    difference
        Difference of the means, for instance of the losses of two models or of their values over
        datasets.
    deviation
        The standard deviation of the differences of pairs; of the values themselves if not paired.
    n
        The pairs; if not paired, the values of each of the two.
    paired
        The two are measured on the same things.
    group_size
        Cases of each group, such as questions about one text, if cases come in groups.
    intraclass_correlation
        How alike the differences of cases of a group are, from 0 to 1.
    alpha
        The level of the test.
    tails
        2 if either may be larger, otherwise 1.

    >>> round(power_of_two_means(1, 1, n=20, paired=False).power, 5)
    0.86895
    >>> round(power_of_two_means(0.02, 0.05, n=30).power, 4)
    0.5628
    """
    size = require("n", n, whole(2))
    alone = independent_cases(size, group_size, intraclass_correlation)
    power = power_by_t(difference, deviation, alone, alpha, tails, paired=paired)
    what = "pairs" if paired else "values of each"
    return StudyPlan(
        f"{size:,} {what}{_in_groups(group_size)} detect a difference of {difference:g} between means with a power of {power:.4g}",
        size if paired else 2 * size,
        power=power,
        method="Student's t, noncentral",
        given={
            "difference": difference,
            "deviation": deviation,
            **_grouping(group_size, intraclass_correlation),
            "alpha": alpha,
            "tails": tails,
        },
    )


# --- arithmetic -------------------------------------------------------------------------------------


def independent_cases(n: float, group_size: float, intraclass_correlation: float) -> float:
    """Return how many independent cases say as much as cases in groups: Kish's design effect.

    >>> round(independent_cases(870, 10, 0.3), 1), independent_cases(50, 1, 0.0)
    (235.1, 50.0)
    """
    size = require("group_size", group_size, between(1, MAX_GROUP_SIZE, ends=True))
    alike = require("intraclass_correlation", intraclass_correlation, between(0, 1, ends=True))
    return n / (1 + (size - 1) * alike)


def _in_groups(group_size: float) -> str:
    return "" if group_size == 1 else f" in groups of {group_size:g}"


def _grouping(group_size: float, intraclass_correlation: float) -> dict[str, float]:
    grouped = {"group_size": group_size, "intraclass_correlation": intraclass_correlation}
    return {} if group_size == 1 else grouped


def _sizes(n_positive: int, n_negative: int) -> ClassSizes:
    return ClassSizes(
        require("n_positive", n_positive, whole(1)), require("n_negative", n_negative, whole(1))
    )


def area_error(auc: float, sizes: ClassSizes, variance: AreaVariance) -> float:
    """Return the standard error of an AUC by one of the formulas."""
    require("variance", variance, one_of("hanley_mcneil", "obuchowski"))
    if variance == "obuchowski":
        return obuchowski_standard_error(auc, *sizes)
    return hanley_mcneil_standard_error(auc, *sizes)


def _error_of_difference(
    auc1: float, auc2: float, correlation: float, sizes: ClassSizes, variance: AreaVariance
) -> float:
    require("auc1", auc1, SHARE_RULE)
    require("auc2", auc2, SHARE_RULE)
    r = require("correlation", correlation, between(-1, 1))
    first, second = (area_error(auc, sizes, variance) for auc in (auc1, auc2))
    return math.sqrt(first**2 + second**2 - 2 * r * first * second)


def _power(
    difference: float, error_if_none: float, error: float, alpha: float, tails: Tails
) -> float:
    """The probability of a normal estimate beyond the critical value, on the wrong side too."""
    critical = error_if_none * normal_quantile(require("alpha", alpha, SHARE_RULE), tails=tails)
    right = normal_tail((critical - difference) / error)
    return right + normal_tail((critical + difference) / error) if tails == 2 else right


def _power_of_auc(
    auc: float, null: float, sizes: ClassSizes, variance: AreaVariance, alpha: float, tails: Tails
) -> float:
    error_if_none, error = (area_error(value, sizes, variance) for value in (null, auc))
    return _power(abs(auc - null), error_if_none, error, alpha, tails)


def discordant_power(
    only_first: float,
    only_second: float,
    n: float,
    method: DiscordantMethod,
    alpha: float,
    tails: Tails,
) -> float:
    """Return the power of McNemar's test by the shares of cases that only one model gets wrong."""
    require("only_first", only_first, between(0, 1, ends=True))
    require("only_second", only_second, between(0, 1, ends=True))
    require("method", method, one_of("connor", "miettinen"))
    either, difference = only_first + only_second, abs(only_first - only_second)
    if not 0 < either <= 1:
        raise ParameterError(
            f"only_first and only_second are shares of all cases that add up to more than 0 and at most 1; got {only_first:g} and {only_second:g}."
        )
    less = 1.0 if method == "connor" else (3 + either) / (4 * either)
    spread = either - difference**2 * less
    if spread <= 0:  # all such cases are of one side, and there are no others
        return 1.0 if n * either > normal_quantile(alpha, tails=tails) ** 2 else 0.0
    error_if_none, error = math.sqrt(either / n), math.sqrt(spread / n)
    return _power(difference, error_if_none, error, alpha, tails)


def power_by_t(
    difference: float, deviation: float, n: float, alpha: float, tails: Tails, *, paired: bool
) -> float:
    """Return the power of Student's t by the noncentral t."""
    from scipy.special import nctdtr

    require("deviation", deviation, above(0))
    require("alpha", alpha, SHARE_RULE)
    effect = abs(difference) / deviation
    freedom, away = (n - 1, math.sqrt(n)) if paired else (2 * n - 2, math.sqrt(n / 2))
    if freedom <= 0:  # fewer than two independent cases show no variance
        return 0.0
    critical = student_quantile(alpha, freedom, tails=tails)
    found = 1 - float(nctdtr(freedom, effect * away, critical))
    found += float(nctdtr(freedom, effect * away, -critical)) if tails == 2 else 0.0
    # Beyond what the noncentral t is computed for, the normal is the same.
    return found if math.isfinite(found) else _power(effect, 1 / away, 1 / away, alpha, tails)


def plan_of_classes(
    sizes: ClassSizes,
    told: str,
    variance: AreaVariance,
    given: Mapping[str, float],
    *,
    power: float | None = None,
    half_width: float | None = None,
) -> StudyPlan:
    """Return the plan for these numbers of cases of each class."""
    return StudyPlan(
        f"{sizes.text()} {told}",
        sum(sizes),
        *sizes,
        power,
        half_width,
        TITLES[variance],
        given,
        _doubts(min(sizes), "cases of a class"),
    )


def _doubts(least: float, what: str) -> tuple[Finding, ...]:
    return (ROUGH_PLAN(n=least, what=what),) if least < MIN_CLASS_CASES else ()
