"""The standard error of a measure, or of its difference between two models, and the limits that it gives: decided here.

Whether divisors are by class follows from the measure: where the sizes of the classes do not matter, each class is
a sample of its own.

Limits keep to the range of the measure. Between two ends there are two forms. On the logit scale the error is that of
the value. In Wilson's form the error at a limit is that of the limit, as the error of a share is. Both say the same
far from the ends; near one, where a few cases are all that is seen, limits of the logit scale may reach to the other.
A mean of losses that has no upper end has limits that lean as its losses do (Hall).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import ROUNDING, Floats, dot
from credibly._core.averages import EQUALLY_WEIGHTED
from credibly.errors import says
from credibly.intervals._declare import NO_INFLUENCE, ONE_GROUP, RefusalError
from credibly.intervals.influence import MAX_CLASSES, influence
from credibly.intervals.left_out import leaves_out, left_out
from credibly.intervals.long_run import over_time
from credibly.intervals.quantiles import two_sided
from credibly.predictions import Predictions
from credibly.predictions.labels import MISSING, ROWS_PER_BLOCK, distinct, joint_codes
from credibly.predictions.numbers import effective_sizes
from credibly.predictions.summaries import (
    BinaryCounts,
    ClassScores,
    Counts,
)
from credibly.predictions.table import tallied

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.measures import Measure

# Fourth powers of values in this range, and their sums, fit a double.
SMALLEST_SCALE, LARGEST_SCALE = 1e-60, 1e60
MIN_NET_INFLUENCE = 1e-6  # of the sum of absolute influence values, far above rounding
MIN_DEGREES_OF_FREEDOM = 3.0  # that skewed losses leave, where the cases show as many
WILSON_FORM = "Wilson's form"  # in the name of a method
LARGEST_EXPONENT = 700.0  # exp() of more overflows a double
SAMPLED_CLASSES = 8  # classes that are tried where there are many
MIN_SKEWNESS = 1e-6  # that moves a limit


def by_class(m: Measure, *models: Predictions, average: Average | None = None) -> bool:
    """Whether the sizes of the classes do not matter to any model: the influence values of each class add up to zero.

    Then each class is a sample of its own, and standard errors have divisors by class. Every interval and
    comparison asks here.

    >>> from credibly.measures import measures
    >>> p = Predictions.of(list("aabbcc"), label=list("abbacb"))
    >>> [by_class(measures[name], p) for name in ("balanced_accuracy", "accuracy", "kappa")]
    [True, False, False]
    """
    return all(_has_class_samples(m, p, average) for p in models)


def _has_class_samples(m: Measure, p: Predictions, average: Average | None) -> bool:
    if p.task != "classification":
        return False
    if m.ranked or m.stratified or m.reads is ClassScores:
        return True
    k = len(p.classes)
    if k > MAX_CLASSES:  # classes are treated alike: a few show it
        few, positive = tuple(range(SAMPLED_CLASSES)), None if p.positive is None else 0
        alike = m.reads is BinaryCounts or bool(m.mean_of)
        return alike and _ignores_sizes(m, few, positive, average)
    # What classes are called matters to costs alone; each class against the rest asks the same.
    names = tuple(range(k)) if m.viewable else p.classes
    of_labels = m.reads in {Counts, BinaryCounts} and m.most is None  # counts grow with a class
    return of_labels and _ignores_sizes(m, names, p.positive, average)


@lru_cache(maxsize=1024)
def _ignores_sizes(
    m: Measure, classes: tuple[Any, ...], positive: int | None, average: Average | None
) -> bool:
    """Whether a measure ignores class sizes, tried on a table whose cells all differ: no sum is 0 by chance."""
    k = len(classes)
    truth, away = np.divmod(np.arange(4 * k), 4)
    weight = np.sqrt(np.arange(2.0, 4 * k + 2))
    label = np.where(away == 3, MISSING, (truth + away) % k)
    rows = Predictions(
        "classification",
        truth,
        classes,
        positive,
        label=label,
        weight=weight,
        weight_kind="frequency",
    )
    values = influence(m, rows, average)
    if values is None:
        return False
    moved = values * weight
    sums, sizes = (np.bincount(truth, each) for each in (moved, np.abs(moved)))
    return bool((np.abs(sums) <= ROUNDING * sizes.sum()).all())


def moves(m: Measure, models: Sequence[Predictions], average: Average | None = None) -> Floats:
    """Return how the value of a model, or the first less the second on the same cases, moves with each case.

    A number of pairs varies as their share does: how many pairs there are is treated as known.

    >>> from credibly.measures import measures
    >>> p = Predictions.of([1, 1, 0, 0], score=[0.9, 0.3, 0.4, 0.1])
    >>> [moves(measures[name], [p]).tolist() for name in ("concordant_pairs", "auc")]
    [[0.5, -0.5, -0.5, 0.5], [0.125, -0.125, -0.125, 0.125]]
    """
    found = [values for p in models if (values := influence(m, p, average)) is not None]
    if len(found) < len(models):
        raise RefusalError(NO_INFLUENCE)
    if m.nonlinear and leaves_out(m, models[0], average):
        found = [left_out(m, *each) for each in zip(models, found, strict=True)]
    moved = found[0] if len(found) == 1 else found[0] - found[1]
    if not (m.of_pairs and m.most):
        return moved
    p = models[0]
    sizes = np.bincount(p.truth, p.weights)
    means = np.bincount(p.truth, moved * p.weights) / np.where(sizes > 0, sizes, 1.0)
    return np.asarray(moved - means[p.truth])


def measure_error(
    m: Measure,
    models: Sequence[Predictions],
    average: Average | None = None,
    moved: Floats | None = None,
) -> tuple[float, float]:
    """Return the standard error of a value, or of a difference on the same cases, and its degrees of freedom.

    ``moved`` is how each case moves it, where that is known already.

    >>> from credibly.measures import measures
    >>> p = Predictions.of(list("aaaabb"), label=list("aaabba"))
    >>> error, _ = measure_error(measures["balanced_accuracy"], [p])
    >>> round(error**2, 6) == round((0.75 * 0.25 / 3 + 0.5 * 0.5 / 1) / 4, 6)  # divisors 4 - 1 and 2 - 1
    True
    """
    moved = moves(m, models, average) if moved is None else moved
    return standard_error(moved, models[0], by_class=by_class(m, *models, average=average))


def stretched(values: Floats, m: Measure, p: Predictions, average: Average | None = None) -> Floats:
    """Return influence values whose spread has divisors by class, where these are due, if divided by one less than all.

    >>> from credibly.measures import measures
    >>> p, m = Predictions.of(list("aaaabb"), label=list("aaabba")), measures["balanced_accuracy"]
    >>> squares = np.square(stretched(moves(m, [p]), m, p)).sum() * 6 / 5
    >>> bool(np.isclose(np.sqrt(squares), measure_error(m, [p])[0]))
    True
    """
    if p.clusters is not None or not by_class(m, p, average=average):
        return values
    sizes = np.bincount(p.truth, p.counts) / p.repeats
    n, several = sizes.sum(), np.maximum(sizes, 2)  # a single case moves nothing
    factor = np.sqrt(several / (several - 1) * (n - 1) / n)[p.truth]
    if not (m.compares_scores and not m.of_pairs):
        return np.asarray(values * factor)
    # Sizes of classes matter to average precision, so that only the spread within a class is stretched.
    weight = np.bincount(p.truth, p.weights)
    mean = (np.bincount(p.truth, values * p.weights) / np.where(weight > 0, weight, 1.0))[p.truth]
    return np.asarray(mean + (values - mean) * factor)


def takes_added_cases(
    m: Measure, models: Sequence[Predictions], average: Average | None = None
) -> bool:
    """Whether a measure within two ends, or of given classes, is made of a table to which cases can be added.

    It has two classes, or the measure treats each class by itself, such as the mean of recalls. In another table of
    several classes most cells are nearly empty however many cases there are, and adding to them would move the value
    further than the cases themselves.
    """
    shares = all(map(math.isfinite, m.range)) or m.stratified
    if not shares or m.reads not in {Counts, BinaryCounts} or m.most is not None:
        return False
    if any(p.clusters is not None or p.in_time or p.unshared is not None for p in models):
        return False
    k = len(models[0].classes)
    return k == 2 or (
        k > 2 and (average in EQUALLY_WEIGHTED or by_class(m, *models, average=average))
    )


def is_area(m: Measure, average: Average | None) -> bool:
    """Whether it is the area under the ROC curve stretched to its range, or a number of pairs won or lost."""
    won = m.of_pairs and m.most is not None and m.best is not None
    return not average and (m.area is not None or won)


def error_of_area(
    m: Measure, p: Predictions, value: float, rows: Predictions, seen: Uncertainty
) -> tuple[float, float]:
    """Return the error of an area and its degrees of freedom: DeLong's, or one that follows from the area.

    DeLong's is ``seen`` in the cases, condensed to ``rows``, with Welch's freedom, by the sizes of the classes, or in
    their groups. Where
    few are ranked wrongly, it is often far too small; the variance that Newcombe inverts follows from the area and
    these sizes. Limits in Wilson's form with the larger of both hold in 93 to 99 of 100 samples, of AUCs from 0.7
    to 0.99, which is simulated.
    """
    weighed = p.weight_kind == "importance"
    sizes = effective_sizes(p.weights, p.truth, 2) if weighed else p.class_weights
    low, high = m.range
    area = (value - low) / (high - low)
    least = (high - low) * math.sqrt(newcombe_variance(area, *sizes.tolist()))
    if least > seen.error:
        return least, math.inf
    if p.clusters is not None:
        return seen.error, seen.freedom
    squares = rows.weights * np.square(moves(m, [rows]) / (high - low))
    parts = np.bincount(rows.truth, squares, 2)
    return seen.error, float(parts.sum() ** 2 / (np.square(parts) / (sizes - 1)).sum())


def newcombe_variance(area: float, first: float, second: float) -> float:
    """Return Hanley and McNeil's variance with the mean size of both classes, so that neither is preferred."""
    middle = (first + second) / 2 - 1
    spread = 1 + middle * ((1 - area) / (2 - area) + area / (1 + area))
    return area * (1 - area) * spread / (first * second)


def standard_error(values: Floats, p: Predictions, *, by_class: bool) -> tuple[float, float]:
    """Return the standard error from influence values, and its degrees of freedom.

    With groups it is that of the sums of the groups, by class of the groups with cases of each. Groups of uneven size
    are worth fewer than there are, Kish's effective number, and freedom is one less than that at most. In time order it comes from a
    long-run variance.
    """
    if p.in_time:
        error, dependence = over_time(values * p.weights, p)
        return error, dependence.freedom
    weighed = p.weight_kind == "importance"
    copies = p.weights if p.weight_kind == "frequency" else None
    moved = values * p.weights if weighed else values
    if p.clusters is None:
        unequal = p.weights if weighed else None
        return error_of_sum(moved, copies, p.truth if by_class else None, unequal)
    if copies is not None:
        moved = moved * copies
    sums = _group_sums(moved, p.clusters)
    error, freedom = error_of_sum(sums)
    if by_class:
        larger, fewer = _error_by_class(moved, p, sums)
        error, freedom = max(error, larger), min(freedom, fewer)
    sizes = _group_sums(p.weights, p.clusters)
    return error, min(freedom, max(float(effective_sizes(sizes)[0]) - 1, 1.0))


def _error_by_class(moved: Floats, p: Predictions, sums: Floats) -> tuple[float, float]:
    """Return the error of a sum over groups with divisors by class, where the influence values of each class add up to zero.

    Of a rare class there may be cases in few of many groups. What the classes of a group share is added as it is seen.
    """
    known = (p.truth >= 0) & (p.weights > 0)
    truth, group = (distinct(np.asarray(each)[known]) for each in (p.truth, p.clusters))
    _, first, cells = np.unique(joint_codes([truth, group]), return_index=True, return_inverse=True)
    classes, parts = truth.codes[first], np.bincount(cells, moved[known])
    if np.bincount(classes).min() < 2:
        raise RefusalError("a class has cases in a single group, which shows no variation")
    unit = unit_of(sums)
    error, freedom = error_of_sum(parts / unit, classes=classes)
    shared = float(np.square(sums / unit).sum() - np.square(parts / unit).sum())
    return unit * math.sqrt(max(error**2 + shared, 0.0)), freedom


def error_of_sum(
    moved: Floats,
    copies: Floats | None = None,
    classes: NDArray[Any] | None = None,
    unequal: Floats | None = None,
) -> tuple[float, float]:
    """Return the standard error of a sum over cases, and its degrees of freedom.

    Divisors are n - 1, by class where classes are given, as in DeLong's variance. With ``unequal``
    weights n is the effective size, so that cases of negligible weight add nothing to it. A variance is itself
    an estimate, and a poor one where a few cases carry it: Satterthwaite's degrees of freedom, from the
    spread of the squares, say how poor. Those of classes are combined as Welch did: a class of two cases has
    one at most, however many cases others have.

    >>> error, freedom = error_of_sum(np.array([1e80, -1e80, 3e80, -3e80]))
    >>> float(error / 1e80).__round__(6), freedom
    (5.163978, 3.0)
    """
    if (unit := unit_of(moved)) != 1:
        moved = moved / unit
    n = float(moved.size if copies is None else copies.sum())
    if n < 2:
        raise RefusalError("a single case shows no variation")
    mean = float(moved.sum() if copies is None else dot(moved, copies))
    mean /= n if unequal is None else float(unequal.sum())
    parts, fourths = np.zeros((2, 1 if classes is None else int(classes.max()) + 1))
    for start in range(0, moved.size, ROWS_PER_BLOCK):
        rows = slice(start, start + ROWS_PER_BLOCK)
        squares = np.square(moved[rows] - (mean if unequal is None else mean * unequal[rows]))
        counted = squares if copies is None else squares * copies[rows]
        if classes is None:
            parts += counted.sum()
            fourths += dot(counted, squares)
        else:
            parts += np.bincount(classes[rows], counted, parts.size)
            fourths += np.bincount(classes[rows], counted * squares, parts.size)
    sizes = np.array([n]) if classes is None else tallied(classes, copies, parts.size)
    if unequal is not None:
        sizes = effective_sizes(unequal, classes, parts.size)
    variance = squared = 0.0
    for part, fourth, size in np.array([parts, fourths, sizes]).T[sizes > 0].tolist():
        if size < 2:
            alone = "a class has" if classes is not None else "the weights leave"
            raise RefusalError(f"{alone} a single case, which shows no variation")
        grown = size / (size - 1)
        variance += grown * part
        squared += max(grown**2 * (fourth - part**2 / size) / 2, (grown * part) ** 2 / (size - 1))
    return unit * math.sqrt(variance), variance**2 / squared if squared else float(sizes.sum()) - 1


def of_skewed_losses(freedom: float) -> float:
    """Return half of Satterthwaite's degrees of freedom, or a few: what they are worth of a measure open to one side.

    A sample without large losses gives a value that is too low and an error that is too small. The spread
    of the squares, which should show it, is itself seen in the cases that happen to be there. Half of what
    they say makes up for it as far as tails are not very heavy, which is simulated.

    >>> of_skewed_losses(20), of_skewed_losses(5), of_skewed_losses(2)
    (10.0, 3.0, 2)
    """
    return max(freedom / 2, min(freedom, MIN_DEGREES_OF_FREEDOM))


def skewness_of_sum(moved: Floats, copies: Floats | None = None) -> float:
    """Return the skewness of a sum over cases, by how they move it: at most 1, where one case is all of it.

    >>> float(skewness_of_sum(np.array([3.0, -1, -1, -1]))).__round__(6), skewness_of_sum(np.zeros(3))
    (0.57735, 0.0)
    """
    moved = moved / unit_of(moved)
    squares = np.square(moved) if copies is None else np.square(moved) * copies
    spread = float(squares.sum())
    return float(dot(squares, moved)) / spread**1.5 if spread else 0.0


def unit_of(values: Floats) -> float:
    """Return a power of two to divide by where fourth powers would not fit a double; else 1."""
    size = max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
    fits = size == 0 or SMALLEST_SCALE < size < LARGEST_SCALE
    return 1.0 if fits else math.ldexp(1.0, math.frexp(size)[1])


def _group_sums(moved: Floats, group: NDArray[Any]) -> Floats:
    codes = distinct(group).codes
    sums: Floats = np.bincount(codes[codes >= 0], moved[codes >= 0]).astype(np.float64)
    if sums.size < 2:
        raise RefusalError(ONE_GROUP)
    return sums


def refuse_repeats(p: Predictions) -> None:
    """Refuse cases of several repeats where nothing tells which of them are the same."""
    if p.repeat is None or p.row is not None or p.design.independent:
        return
    if p.repeats > 1:
        raise RefusalError(
            says(
                "the same cases may be predicted in several repeats, and no <row=> identifies "
                "them; use <by='repeat'>"
            )
        )


def grows(values: Floats, weights: Floats) -> bool:
    """Whether a measure grows with the number of cases, as a count does: else influence values add up to 0.

    >>> weights = np.ones(4)
    >>> grows(np.array([0.1, -0.3, 0.1, 0.1]), weights), grows(np.array([1.0, 0, 1, 0]), weights)
    (False, True)
    """
    return bool(
        abs(float(dot(values, weights))) > MIN_NET_INFLUENCE * float(dot(np.abs(values), weights))
    )


@dataclass(frozen=True, slots=True)
class RangeScale:
    """The logit of a range, the log of the distance from its one end, or the values as they are.

    >>> rates = RangeScale(0, 1)
    >>> rates.place(0.5), rates.value(0.0), rates.slope(0.5)
    (0.0, 0.5, 4.0)
    """

    low: float
    high: float
    nearest: float = 0.0  # to an end: what is nearer, is taken for that far

    @property
    def _bounded(self) -> tuple[bool, bool]:
        return math.isfinite(self.low), math.isfinite(self.high)

    def place(self, value: float) -> float:
        """Return where a value inside the range lies on the scale."""
        below, above = self._bounded
        if not below and not above:
            return value
        up = math.log(max(value - self.low, self.nearest)) if below else 0.0
        return up - (math.log(max(self.high - value, self.nearest)) if above else 0.0)

    def value(self, place: float) -> float:
        """Return the value at a place of the scale."""
        below, above = self._bounded
        if not below and not above:
            return place
        near = min(max(place, -LARGEST_EXPONENT), LARGEST_EXPONENT)
        if below and above:
            return self.low + (self.high - self.low) / (1 + math.exp(-near))
        return self.low + math.exp(near) if below else self.high - math.exp(-near)

    def slope(self, value: float) -> float:
        """Return how fast the place moves with a value."""
        below, above = self._bounded
        if not below and not above:
            return 1.0
        return (1 / (value - self.low) if below else 0.0) + (
            1 / (self.high - value) if above else 0.0
        )


@dataclass(frozen=True, slots=True)
class Skewed:
    r"""Limits of a mean of losses from 0 on, or of a ``power`` of it, that allow for the skewness of the losses.

    With $a$ the ``skewness`` of the mean, $x + a x^2 / 3 + a^2 x^3 / 27 + a / 6$ of $x$ errors is as good as normal up to terms of the order of one
    over the number of cases (Hall, 1992), where $x$ itself, on any fixed scale, is off by its root. A lower limit is no lower than on the
    log scale, which has none below 0; where losses are so few that Student's t reaches further up, that counts.

    >>> [round(end, 3) for end in Skewed(0.2).limits(1.0, 0.1, 1.96)]
    [0.828, 1.234]
    >>> found = Skewed(0.2, 0.5)
    >>> [round(found.errors_from(end, 1.0, 0.05), 9) for end in found.limits(1.0, 0.05, 1.96)]
    [1.96, -1.96]
    """

    skewness: float
    power: float = 1.0

    def limits(self, value: float, error: float, errors: float) -> tuple[float, float]:
        """Return the limits that are so many errors away."""
        size = error / (self.power * value)  # of the mean, beside it
        low = max(1 - size * self._reached(errors), math.exp(-size * errors))
        high = 1 + size * max(-self._reached(-errors), errors)
        return value * low**self.power, value * high**self.power

    def errors_from(self, other: float, value: float, error: float) -> float:
        """Return how many errors the limits reach that end at another value."""
        size, share = error / (self.power * value), (other / value) ** (1 / self.power)
        x, a = (1 - share) / size, self.skewness
        found = x + a * x**2 / 3 + a**2 * x**3 / 27 + a / 6
        return max(found, x if x < 0 else -math.log(share) / size)

    def _reached(self, errors: float) -> float:
        """Invert Hall's transformation."""
        a = self.skewness
        if abs(a) < MIN_SKEWNESS:
            return errors
        return 3 / a * (float(np.cbrt(1 + a * (errors - a / 6))) - 1)


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """How uncertain a value is: its error, the degrees of freedom of that, and the form of its limits.

    Limits that reach so many errors as lie between the value and another end at the other.

    >>> for share in (False, True):
    ...     found = Uncertainty(0.8, 0.1, math.inf, (0, 1), as_share=share)
    ...     print(round(found.errors_from(0.5), 4), round(found.reaching(found.errors_from(0.5))[0], 12))
    2.2181 0.5
    2.4 0.5
    """

    value: float
    error: float
    freedom: float
    range: tuple[float, float]
    as_share: bool = False  # in Wilson's form, between two ends
    skewed: Skewed | None = None  # of a mean of losses

    def limits(self, confidence_level: float) -> tuple[float, float]:
        """Return the limits by Student's t."""
        return self.reaching(two_sided(confidence_level, self.freedom))

    def reaching(self, errors: float) -> tuple[float, float]:
        """Return the limits that are so many errors away."""
        if self.skewed is not None:
            return self.skewed.limits(self.value, self.error, errors)
        form = wilson_form if self.as_share else on_scale
        return form(self.value, errors * self.error, *self.range)

    def errors_from(self, other: float) -> float:
        """Return how many errors lie between the value and another within its range, in the form of its limits."""
        (low, high), value, error = self.range, self.value, self.error
        if self.skewed is not None:
            return self.skewed.errors_from(other, value, error)
        if self.as_share:
            ratio = (other - low) * (high - other) / ((value - low) * (high - value))
            return (value - other) / (error * math.sqrt(ratio))
        scale = RangeScale(low, high)
        return (scale.place(value) - scale.place(other)) / (error * scale.slope(value))


def on_scale(
    value: float, half: float, low: float, high: float, *, at: float | None = None
) -> tuple[float, float]:
    """Add and subtract on the logit of the range, the log of the distance from its one end, or as it is.

    How wide that is on the scale is seen ``at`` the value, or at another of which the error is known.
    """
    scale = RangeScale(low, high)
    centre, reach = scale.place(value), half * scale.slope(value if at is None else at)
    return scale.value(centre - reach), scale.value(centre + reach)


def wilson_form(
    value: float, half: float, low: float, high: float, *, at: float | None = None
) -> tuple[float, float]:
    """Return limits between two ends with the error that a share would have at each of them.

    How large that is is seen ``at`` the value, or at another of which the error is known.

    >>> [round(end, 6) for end in wilson_form(0.9, 1.96 * math.sqrt(0.9 * 0.1 / 20), 0, 1)]
    [0.698962, 0.972134]
    """
    size, at = high - low, value if at is None else at
    share, seen = (value - low) / size, (at - low) / size
    weight = (half / size) ** 2 / (seen * (1 - seen))  # squared errors in one of a share of 1/2
    middle = (share + weight / 2) / (1 + weight)
    apart = math.sqrt(weight * share * (1 - share) + weight**2 / 4) / (1 + weight)
    return low + size * max(middle - apart, 0.0), low + size * min(middle + apart, 1.0)
