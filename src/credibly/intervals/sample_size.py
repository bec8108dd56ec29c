"""How many cases are needed, and what more of them would bring."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from credibly._core.doors import check_confidence
from credibly._core.parameters import above, between, require, whole
from credibly.errors import ParameterError, says
from credibly.intervals.proportions import proportion_methods
from credibly.intervals.quantiles import normal_quantile, normal_tail
from credibly.results.interval import Interval

if TYPE_CHECKING:
    from credibly.intervals.quantiles import Tails

LARGEST = 10**12
INSIDE = between(0, 1)


@dataclass(frozen=True, slots=True)
class ClassSizes:
    """How many cases of either class a study needs."""

    n_positive: int
    n_negative: int

    @property
    def total(self) -> int:
        """Cases of both classes."""
        return self.n_positive + self.n_negative


def sample_size_for_proportion(
    half_width: float,
    rate: float = 0.5,
    confidence_level: float = 0.95,
    method: str = "wilson",
) -> int:
    """Return the smallest number of cases whose interval is at most ``half_width`` to either side.

    The interval itself is computed for ``rate`` times so many cases; no formula of another method
    stands in for it. A share of one half needs the most cases.

    >>> sample_size_for_proportion(0.03), sample_size_for_proportion(0.03, method="wald")
    (1064, 1068)
    >>> sample_size_for_proportion(0.03, rate=0.95, method="exact")
    238
    """
    check_confidence(confidence_level)
    width = 2 * float(require("half_width", half_width, above(0)))
    share = float(require("rate", rate, between(0, 1, ends=True)))
    chosen = proportion_methods[method]
    low, high = chosen.limits(share, 1.0, confidence_level)
    if low == high:
        raise ParameterError(
            f"The {chosen.title} interval at a rate of {share:g} has no width at any size.",
            remedy=says("Use <method='wilson'>."),
        )

    def enough(n: int) -> bool:
        low, high = chosen.limits(share * n, float(n), confidence_level)
        return high - low <= width

    return _smallest(enough, f"a half width of {half_width:g}")


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


def sample_size_for_auc(
    auc: float, half_width: float, *, ratio: float = 1.0, confidence_level: float = 0.95
) -> ClassSizes:
    """Return the smallest class sizes at which an AUC is known to ``half_width`` on either side.

    ``ratio`` is the number of negative cases for each positive one. The interval is the normal one
    with Hanley and McNeil's standard error.

    >>> sample_size_for_auc(0.8, 0.05, ratio=2)
    ClassSizes(n_positive=131, n_negative=262)
    """
    check_confidence(confidence_level)
    require("auc", auc, INSIDE)
    require("half_width", half_width, above(0))
    z = normal_quantile(1 - confidence_level, tails=2)

    def enough(sizes: ClassSizes) -> bool:
        return z * _error(auc, sizes) <= half_width

    return _smallest_classes(enough, ratio, f"a half width of {half_width:g}")


def power_of_auc(
    auc: float,
    null: float = 0.5,
    *,
    n_positive: int,
    n_negative: int,
    alpha: float = 0.05,
    tails: Tails = 2,
) -> float:
    """Return the probability that a test finds a model of this AUC to differ from ``null``.

    The normal test with Hanley and McNeil's standard errors: that of ``null`` decides what is
    significant (at one half it is Mann and Whitney's), that of ``auc`` how the estimates spread.

    >>> round(power_of_auc(0.7, n_positive=30, n_negative=60), 3)
    0.883
    >>> round(power_of_auc(0.5, n_positive=30, n_negative=60), 3)
    0.05
    """
    require("auc", auc, INSIDE)
    require("null", null, INSIDE)
    sizes = _sizes(n_positive, n_negative)
    return _power(abs(auc - null), _error(null, sizes), _error(auc, sizes), alpha, tails)


def power_of_two_aucs(
    auc1: float,
    auc2: float,
    correlation: float,
    *,
    n_positive: int,
    n_negative: int,
    alpha: float = 0.05,
    tails: Tails = 2,
) -> float:
    r"""Return the probability that a test tells two AUCs on the same cases apart.

    The test is Hanley and McNeil's of 1983: the difference over
    $\sqrt{SE_1^2 + SE_2^2 - 2 r SE_1 SE_2}$, where r is the ``correlation`` of the two estimated
    AUCs (0 if each model has cases of its own).

    >>> round(power_of_two_aucs(0.9, 0.8, 0.5, n_positive=51, n_negative=58), 3)
    0.732
    """
    sizes = _sizes(n_positive, n_negative)
    error = _error_of_difference(auc1, auc2, correlation, sizes)
    return _power(abs(auc1 - auc2), error, error, alpha, tails)


def sample_size_for_two_aucs(
    auc1: float,
    auc2: float,
    correlation: float,
    *,
    power: float = 0.8,
    ratio: float = 1.0,
    alpha: float = 0.05,
    tails: Tails = 2,
) -> ClassSizes:
    """Return the smallest class sizes at which a test tells two AUCs apart with this ``power``.

    The test is that of :func:`power_of_two_aucs`; ``ratio`` is the number of negative cases for each
    positive one.

    >>> sample_size_for_two_aucs(0.9, 0.8, 0.5)
    ClassSizes(n_positive=62, n_negative=62)
    """
    require("power", power, INSIDE)
    if auc1 == auc2:
        raise ParameterError(
            f"Two AUCs that are both {auc1:g} cannot be told apart; give the difference that matters."
        )

    def enough(sizes: ClassSizes) -> bool:
        error = _error_of_difference(auc1, auc2, correlation, sizes)
        return _power(abs(auc1 - auc2), error, error, alpha, tails) >= power

    return _smallest_classes(enough, ratio, f"a difference of {abs(auc1 - auc2):g}")


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


def _sizes(n_positive: int, n_negative: int) -> ClassSizes:
    return ClassSizes(
        require("n_positive", n_positive, whole(1)), require("n_negative", n_negative, whole(1))
    )


def _error(auc: float, sizes: ClassSizes) -> float:
    return hanley_mcneil_standard_error(auc, sizes.n_positive, sizes.n_negative)


def _error_of_difference(auc1: float, auc2: float, correlation: float, sizes: ClassSizes) -> float:
    require("auc1", auc1, INSIDE)
    require("auc2", auc2, INSIDE)
    r = require("correlation", correlation, between(-1, 1))
    first, second = _error(auc1, sizes), _error(auc2, sizes)
    return math.sqrt(first**2 + second**2 - 2 * r * first * second)


def _power(
    difference: float, error_if_none: float, error: float, alpha: float, tails: Tails
) -> float:
    """The probability of a normal estimate beyond the critical value, on the wrong side too."""
    critical = error_if_none * normal_quantile(require("alpha", alpha, INSIDE), tails=tails)
    right = normal_tail((critical - difference) / error)
    return right + normal_tail((critical + difference) / error) if tails == 2 else right


def _smallest_classes(enough: Callable[[ClassSizes], bool], ratio: float, goal: str) -> ClassSizes:
    each = float(require("ratio", ratio, above(0)))

    def sizes(n_positive: int) -> ClassSizes:
        # A ratio such as 0.1 is not exact in binary: 0.1 of 30 is meant to be 3.
        return ClassSizes(n_positive, max(1, math.ceil(each * n_positive * (1 - 1e-12))))

    return sizes(_smallest(lambda n: enough(sizes(n)), goal))


def _smallest(enough: Callable[[int], bool], goal: str) -> int:
    """The smallest number that is enough, if all larger ones are: double, then halve."""
    high = 1
    while not enough(high):
        if high >= LARGEST:
            raise ParameterError(f"Not even {LARGEST:.0e} cases reach {goal}; ask for less.")
        high = min(2 * high, LARGEST)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle
    return high
