"""The standard error of a measure, or of its difference between two models: decided here for all who ask.

Whether divisors are by class follows from the measure: where the sizes of the classes do not matter, each class is
a sample of its own. And measures of rare classes, read off a table of labels, get a few cases more: what no case
has shown may still happen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import ROUNDING, Floats
from credibly._core.averages import EQUAL
from credibly.errors import says
from credibly.intervals._declare import NO_INFLUENCE, ONE_GROUP, RefusalError
from credibly.intervals.influence import MANY_CLASSES, influence
from credibly.intervals.long_run import over_time
from credibly.predictions import Predictions
from credibly.predictions.labels import AT_A_TIME, MISSING, distinct, tallied
from credibly.predictions.numbers import effective_sizes
from credibly.predictions.summaries import (
    BinaryCounts,
    ClassScores,
    Counts,
)

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.measures import Measure

LEAST, MOST = 1e-60, 1e60  # between which fourth powers, and sums of them, fit a double
GROWTH = 1e-6  # of the sum of influence values without sign, far above rounding
FEWEST = 3.0  # degrees of freedom that skewed losses leave, where cases show as many
# Cases that are shared among the classes, half of them right: half a case for each cell of two classes.
ADDED = 2.0
SHOWING = 8  # classes that show what holds of many


def by_class(m: Measure, p: Predictions, average: Average | None = None) -> bool:
    """Whether the sizes of the classes do not matter: then the influence values of each class add up to zero.

    >>> from credibly.measures import measures
    >>> p = Predictions.of(list("aabbcc"), label=list("abbacb"))
    >>> [by_class(measures[name], p) for name in ("balanced_accuracy", "accuracy", "kappa")]
    [True, False, False]
    """
    if p.task != "classification":
        return False
    if m.ranked or m.stratified or m.reads is ClassScores:
        return True
    if len(p.classes) > MANY_CLASSES:  # each by itself, or none: a few show it
        few, positive = tuple(range(SHOWING)), None if p.positive is None else 0
        return m.reads is BinaryCounts and _ignores_sizes(m, few, positive, average)
    of_labels = m.reads in {Counts, BinaryCounts}
    return of_labels and _ignores_sizes(m, p.classes, p.positive, average)


@lru_cache(maxsize=1024)
def _ignores_sizes(
    m: Measure, classes: tuple[Any, ...], positive: int | None, average: Average | None
) -> bool:
    """Look at a table in which no class, and no cell, is like another: so they do not add up to zero by chance."""
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
    """Return how the value of a model, or the first less the second on the same cases, moves with each case."""
    found = [influence(m, p, average) for p in models]
    if any(values is None for values in found):
        raise RefusalError(NO_INFLUENCE)
    return np.asarray(found[0] if len(found) == 1 else found[0] - found[1])  # type: ignore[operator]


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
    apart = all(by_class(m, p, average) for p in models)
    moved = moves(m, models, average) if moved is None else moved
    return standard_error(moved, models[0], by_class=apart)


def stretched(values: Floats, m: Measure, p: Predictions, average: Average | None = None) -> Floats:
    """Return influence values whose spread has divisors by class, where these are due, if divided by one less than all.

    >>> from credibly.measures import measures
    >>> p, m = Predictions.of(list("aaaabb"), label=list("aaabba")), measures["balanced_accuracy"]
    >>> squares = np.square(stretched(moves(m, [p]), m, p)).sum() * 6 / 5
    >>> bool(np.isclose(np.sqrt(squares), measure_error(m, [p])[0]))
    True
    """
    if p.clusters is not None or not by_class(m, p, average):
        return values
    sizes = np.bincount(p.truth, p.counts) / p.repeats
    n, several = sizes.sum(), np.maximum(sizes, 2)  # a single case moves nothing
    return np.asarray(values * np.sqrt(several / (several - 1) * (n - 1) / n)[p.truth])


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
    return k == 2 or (k > 2 and (average in EQUAL or all(by_class(m, p, average) for p in models)))


def error_with_added_cases(
    m: Measure, models: Sequence[Predictions], average: Average | None = None
) -> tuple[float, float, float]:
    """Return the value, or the difference, with cases added to the table, its standard error and the freedom of that.

    Where no class, or cell of two classes, is empty then, the normal distribution serves. Else the error has the
    freedom that the cases themselves show: those that are added are none. Cases that matter unequally count as so many
    equal ones as they are worth; where their own squares show a larger error, it grows as much.
    """
    counted = tuple(as_equal_cases(m, p, average) for p in models)
    more = with_added_cases(*counted)
    first, *second = (m.on(p, average) for p in more)
    error, freedom = measure_error(m, more, average)
    if len(more[0].classes) == 2 or by_class(m, more[0], average):
        freedom = math.inf
    elif all(influence(m, p, average) is not None for p in models):
        _, freedom = measure_error(m, models, average)
    if models[0].weight_kind == "importance":
        error *= max(_seen(m, models, average) / (_seen(m, counted, average) or math.inf), 1.0)
    return first - sum(second), error, freedom


def _seen(m: Measure, models: Sequence[Predictions], average: Average | None) -> float:
    try:
        return measure_error(m, models, average)[0]
    except RefusalError:
        return 0.0


def as_equal_cases(m: Measure, p: Predictions, average: Average | None = None) -> Predictions:
    """Return cases that matter unequally as counts of as many equal ones as they are worth.

    Those of each class where its size does not matter, else all together.

    >>> from credibly.measures import accuracy
    >>> p = Predictions.of([1, 0, 0], label=[1, 0, 1], sample_weight=[5, 5, 5], weight_kind="importance")
    >>> as_equal_cases(accuracy, p).weights.tolist()
    [1.0, 1.0, 1.0]
    """
    if p.weight_kind != "importance":
        return p
    k = len(p.classes)
    codes = p.truth if by_class(m, p, average) else np.zeros(p.n, np.intp)
    cases, size = effective_sizes(p.weights, codes, k), np.bincount(codes, p.weights, k)
    each = np.divide(cases, size, out=np.zeros(k), where=size > 0)[codes]
    return replace(p, weight=p.weights * each, weight_kind="frequency", cache={})


def added_cases_text(p: Predictions) -> str:
    """Say what is added, as part of the name of a method."""
    if len(p.classes) == 2:
        return "influence values, 1/2 case added to each cell"
    return "influence values, 2 cases added to the classes"


def with_added_cases(*models: Predictions) -> tuple[Predictions, ...]:
    """Add two cases, shared among the classes that have any, of which each model labels half right.

    Models of the same cases are right, or wrong in the same way, on half of them together. A class without cases
    stays so.

    >>> p = Predictions.of([0, 0, 1], label=[0, 1, 1])
    >>> with_added_cases(p)[0].weights.tolist()
    [1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.5]
    >>> [float(q.weights.sum()) for q in with_added_cases(p, p)]
    [5.0, 5.0]
    """
    k = len(models[0].classes)
    there = np.all([p.class_weights > 0 for p in models], axis=0)
    sharing = max(int(there.sum()), 2)
    if k > MANY_CLASSES:
        # The wrong half goes to one other class each, which is equal for every class by itself.
        each = np.flatnonzero(there)
        other = np.roll(each, -1) if each.size > 1 else (each + 1) % k
        truth, label = np.concatenate([each, each]), np.concatenate([each, other])
        weight = np.full(truth.size, 0.5 * ADDED / sharing)
    else:
        truth, label = np.divmod(np.arange(k * k), k)
        weight = np.where(truth == label, 0.5, 0.5 / (sharing - 1)) * ADDED / sharing
        weight *= there[truth] & (there[label] | (there.sum() < 2))
    labels = [label]
    if len(models) == 2:  # both label a case the same, or one of them is right and the other is not
        right, wrong = truth[truth != label], label[truth != label]
        labels = [np.concatenate([label, *two]) for two in ((right, wrong), (wrong, right))]
        weight = np.concatenate([weight, *[weight[truth != label]] * 2]) / 2
        truth = np.concatenate([truth, right, right])
    return tuple(
        Predictions(
            p.task,
            np.concatenate([p.truth, truth]),
            p.classes,
            p.positive,
            label=np.concatenate([p.need("label", "a table"), own]),
            weight=np.concatenate([p.weights, weight]),
            weight_kind="frequency",
        )
        for p, own in zip(models, labels, strict=True)
    )


def error_of_area(
    m: Measure, p: Predictions, value: float, rows: Predictions, seen: float
) -> tuple[float, float]:
    """Return the error of an area and its degrees of freedom: DeLong's, or one that follows from the area.

    DeLong's is ``seen`` in the cases, condensed to ``rows``, with Welch's freedom, by the sizes of the classes. Where
    few are ranked wrongly, it is often far too small; the variance that Newcombe inverts follows from the area and
    these sizes. Limits in Wilson's form with the larger of both hold in 93 to 99 of 100 samples, of AUCs from 0.7
    to 0.99, which is simulated.
    """
    weighed = p.weight_kind == "importance"
    sizes = effective_sizes(p.weights, p.truth, 2) if weighed else p.class_weights
    scale, shift = m.area or (1.0, 0.0)
    least = abs(scale) * math.sqrt(newcombe_variance((value - shift) / scale, *sizes.tolist()))
    if least > seen:
        return least, math.inf
    squares = rows.weights * np.square(np.asarray(influence(m, rows)))
    parts = np.bincount(rows.truth, squares, 2)
    return seen, float(parts.sum() ** 2 / (np.square(parts) / (sizes - 1)).sum())


def newcombe_variance(area: float, first: float, second: float) -> float:
    """Return Hanley and McNeil's variance with the mean size of both classes, so that neither is preferred."""
    middle = (first + second) / 2 - 1
    spread = 1 + middle * ((1 - area) / (2 - area) + area / (1 + area))
    return area * (1 - area) * spread / (first * second)


def standard_error(values: Floats, p: Predictions, *, by_class: bool) -> tuple[float, float]:
    """Return the standard error from influence values, and its degrees of freedom.

    With groups it is that of the sums of the groups, of which there is one more than freedom. In time
    order it comes from a long-run variance.
    """
    if p.in_time:
        error, found = over_time(values * p.weights, p)
        return error, found.freedom
    weighed = p.weight_kind == "importance"
    copies = p.weights if p.weight_kind == "frequency" else None
    moved = values * p.weights if weighed else values
    if p.clusters is None:
        unequal = p.weights if weighed else None
        return error_of_sum(moved, copies, p.truth if by_class else None, unequal)
    unit = unit_of(moved)
    sums = _group_sums((moved if copies is None else moved * copies) / unit, p.clusters)
    return unit * float(np.sqrt(sums.size) * sums.std(ddof=1)), sums.size - 1


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
    unit = unit_of(moved)
    if unit != 1:
        moved = moved / unit
    n = float(moved.size if copies is None else copies.sum())
    if n < 2:
        raise RefusalError("a single case shows no variation")
    mean = float(moved.sum() if copies is None else moved @ copies)
    mean /= n if unequal is None else float(unequal.sum())
    parts, fourths = np.zeros((2, 1 if classes is None else int(classes.max()) + 1))
    for start in range(0, moved.size, AT_A_TIME):
        rows = slice(start, start + AT_A_TIME)
        squares = np.square(moved[rows] - (mean if unequal is None else mean * unequal[rows]))
        counted = squares if copies is None else squares * copies[rows]
        if classes is None:
            parts += counted.sum()
            fourths += counted @ squares
        else:
            parts += np.bincount(classes[rows], counted, parts.size)
            fourths += np.bincount(classes[rows], counted * squares, parts.size)
    sizes = np.array([n]) if classes is None else tallied(classes, copies, parts.size)
    if unequal is not None:
        sizes = effective_sizes(unequal, classes, parts.size)
    parts, fourths, sizes = (each[sizes > 0] for each in (parts, fourths, sizes))
    if (sizes < 2).any():
        alone = "a class has" if classes is not None else "the weights leave"
        raise RefusalError(f"{alone} a single case, which shows no variation")
    variances, spreads = parts * (sizes / (sizes - 1)), fourths - parts**2 / sizes
    each = np.divide(2 * parts**2, spreads, out=np.full(sizes.size, np.inf), where=spreads > 0)
    squared = float((variances**2 / np.minimum(each, sizes - 1)).sum())
    variance = float(variances.sum())
    return unit * math.sqrt(variance), variance**2 / squared if squared else float(sizes.sum()) - 1


def of_skewed_losses(freedom: float) -> float:
    """Return half of Satterthwaite's degrees of freedom, or a few: what they are worth of a measure open to one side.

    A sample without large losses gives a value that is too low and an error that is too small. The spread
    of the squares, which should show it, is itself seen in the cases that happen to be there. Half of what
    they say makes up for it as far as tails are not very heavy, which is simulated.

    >>> of_skewed_losses(20), of_skewed_losses(5), of_skewed_losses(2)
    (10.0, 3.0, 2)
    """
    return max(freedom / 2, min(freedom, FEWEST))


def unit_of(values: Floats) -> float:
    """Return a power of two to divide by where fourth powers would not fit a double; else 1."""
    size = max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
    fits = size == 0 or LEAST < size < MOST
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
    return bool(abs(float(values @ weights)) > GROWTH * float(np.abs(values) @ weights))
