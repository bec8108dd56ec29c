"""Intervals about learning again: how far a mean over folds may be from what new training sets would give.

Folds share most of their training cases, so their spread says too little. Three things are known besides.
An interval about new training sets and new cases cannot be narrower than one about new cases alone. Limits
on the scale of the measure's range are skewed as the sampling distribution is. And where folds are repeated,
the same case is predicted by models that differ in part of their training cases: how far its loss moves
shows how stable the way of learning is. `docs/validity` holds the simulations that these rest on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import ROUNDING, Floats, Indices, dot
from credibly._core.averages import Average
from credibly.errors import says
from credibly.intervals._declare import (
    FOLDS_ALIKE,
    NO_INFLUENCE,
    ONE_GROUP,
    EstimateRequest,
    RefusalError,
    interval_method,
)
from credibly.intervals.folds import NADEAU
from credibly.intervals.influence import influence
from credibly.intervals.learned_shares import learned_influence
from credibly.intervals.long_run import over_time
from credibly.intervals.methods import interval_for
from credibly.intervals.quantiles import two_sided
from credibly.intervals.standard_errors import (
    WILSON_FORM,
    Skewed,
    error_of_sum,
    grows,
    measure_error,
    of_skewed_losses,
    on_scale,
    skewness_of_sum,
    unit_of,
    wilson_form,
)
from credibly.intervals.wald import BAYLE
from credibly.intervals.widening import of_choices, widening
from credibly.measures import Measure
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct
from credibly.predictions.numbering import case_numbers, repeat_numbers, unit_numbers
from credibly.predictions.parts import INNER_PART
from credibly.predictions.summaries import BinaryCounts, Counts
from credibly.results.about import About
from credibly.results.interval import Interval

JACKKNIFE = "Shao, J. & Wu, C. F. J. (1989) A general theory for jackknife variance estimation. Annals of Statistics 17, 1176-1197."
MAX_FOLDS = 10  # that holdouts of the same cases are worth
MIN_MOVED_CASES = 100  # cases, or all of them, to see how far predictions move
# Times the error over cases: enough for trees, which move and jump with every training set;
# simulated.
MAX_WIDENING = 1.5
# Of what moves little, that jumping predictions add where one more fold is missing; simulated.
JUMP_SHARE = 0.2
# What jumping predictions add, in variances over repeats; simulated, see the page on validity.
JUMP_VARIANCES = 2.0
SKEWED = ", allowing for skewness"  # in the name of a method


@interval_method("Over cases, widened", cite=BAYLE, over_folds=True)
def widened(q: EstimateRequest) -> Interval:
    r"""The spread over cases, times a factor for learning from other training sets: for one cross-validation.

    Folds are few, and each case is predicted once, so nothing shows how far other training sets would move
    the value. As ``run`` finds, a scheme errs less by a share $o$ on rows that it was fitted to than on the same rows held out.
    Numbers, and cases in groups, are widened by $\sqrt{1 + o - o^2 / 4}$, which follows from normal errors; $o$ is no less than the
    share $q = 2 (p + 1) / n$ of least squares with $p$ attributes and $n$ cases, or groups. Classes, ratios such as R2, and order in time are widened by
    $1 + q + 4 \max(o - q, 0)$ and at most 1.25, times $\sqrt{n / (n - p)}$ (up to $p = n / 4$); where nothing is known,
    by 1.3. These are simulated. Where models that
    lack another fold were fitted as well (``resampling="folds(pairs=1)"``), it is measured. Scores are
    compared within folds. Groups are left out as a whole.
    """
    p = q.predictions.of_weight()
    if p.fold is None:
        raise RefusalError("these cases were not predicted in folds")
    if p.in_time:
        return _widened_in_time(q, p)
    if p.repeats > 1:
        raise RefusalError("repeats show how far other training sets move it")
    if q.measure.of_pairs:
        if p.grouping is not None:
            raise RefusalError("a fold holds too few groups to compare scores within it")
        parts = [[part] for _, part in p.groups(["fold"])]
        error, freedom = error_within_folds(q.measure, parts, q.average)
        units = "cases"
    else:
        moved = learned_influence(q.measure, p, q.average)
        error, freedom, units = moves_by_case(p, moved, 1).error
        if units == "cases":
            freedom = _freedom_of_cases(q, p, freedom)
    seen = None if units == "groups" or q.measure.of_pairs else measured(q)
    times = widening(p, q.measure) if seen is None else max(seen, of_choices(p))
    return wide_limits(q, times * error, freedom, f"widened error over {units}, {times:.3g} times")


def measured(q: EstimateRequest) -> float | None:
    r"""Return by what to multiply the error over cases, as models that lack another fold show; nothing without these.

    They are to predict all cases, or a hundred. As after repeats, a case whose loss moves by $d$ adds $c d^2$ to the variance of the value. Leaving out another
    $1/k$ of the cases moves what is smooth $k - 2$ times less, in variance, than another training set would (the
    delete-d jackknife); what jumps adds a fifth of that.
    """
    p = q.predictions
    inner = None if p.seen is None or p.row is None else p.seen.matching({"part": INNER_PART})
    if inner is None or inner.row is None or p.repeats > 1:
        return None
    case, other = p.need("row", "pairs of folds"), inner.need("row", "pairs of folds")
    order = np.argsort(case, kind="stable")
    place = order[np.searchsorted(case, other, sorter=order).clip(max=p.n - 1)]
    first = np.unique(place, return_index=True)[1]  # the model of one pair of folds for each case
    place, taken = place[first], inner.take(first)
    if place.size < min(p.n, MIN_MOVED_CASES) or not (case[place] == other[first]).all():
        return None
    values = influence(q.measure, _twice(p, place, taken), q.average)
    if values is None:
        return None
    before, after = values.reshape(2, p.n)
    far, weight = np.abs(after - before)[place], p.weights[place]
    ties = float(dot(far <= ROUNDING * np.abs(before).max(), weight) / weight.sum())
    folds = len(distinct(p.need("fold", "pairs of folds")).values)
    own = dot(np.square(before), p.weights)
    added = (
        float(dot(np.square(far), weight) / own * p.weights.sum() / weight.sum()) if own else 0.0
    )
    return min(
        math.sqrt(1 + (1 - ties + ties * JUMP_SHARE) * max(folds - 2, 1) * added), MAX_WIDENING
    )


def _twice(p: Predictions, place: Indices, taken: Predictions) -> Predictions:
    """Return all rows, and again with other predictions at some places: what stays is worth the same in both."""
    rows = np.arange(p.n)
    both = replace(p, seen=None).take(np.concatenate([rows, rows]))
    rows = np.arange(2 * p.n)
    rows[p.n + place] = 2 * p.n + np.arange(place.size)
    changed: Any = {
        name: np.concatenate([column, getattr(taken, name)])[rows]
        for name in ("label", "score", "probability", "value")
        if (column := getattr(both, name)) is not None
    }
    return replace(both, **changed, cache={})


def _widened_in_time(q: EstimateRequest, p: Predictions) -> Interval:
    """Widen the error by the long-run variance, as far as that is known."""
    values = None if q.measure.of_pairs else influence(q.measure, p, q.average)
    if values is None or grows(values, p.weights):
        raise RefusalError(NO_INFLUENCE)
    error, found = over_time(values * p.weights, p)
    if found.too_long:
        raise RefusalError("neighbours in time are alike for too long")
    times = widening(p, q.measure)
    named = f"{times:.3g} times the error by {found.method}"
    return replace(wide_limits(q, times * error, found.freedom, named), dependence=found)


def error_within_folds(
    m: Measure, parts: Iterable[Sequence[Predictions]], average: Average | None = None
) -> tuple[float, float]:
    """Return the error of a mean over folds of what compares scores, of one model or of two, and its freedom.

    Scores of different models do not compare, so the errors of the folds are added up.
    """
    found = [measure_error(m, fold, average) for fold in parts]
    return math.hypot(*(e for e, _ in found)) / len(found), sum(f for _, f in found)


@interval_method("Corrected t on the scale of the range", cite=NADEAU, over_folds=True)
def scaled(q: EstimateRequest) -> Interval:
    """Corrected t over folds, on a scale that keeps to the range, no narrower than over cases.

    The variance of a fold's value is the mean of two estimates: that over the folds, of which there are
    few, and that over the cases within them. Degrees of freedom are Satterthwaite's; those of the folds
    are of one cross-validation, since repeats split the same cases again. This is what holdouts get, and
    repeated folds of what compares scores (of one model, as an AUC does), by folds alone.
    """
    if q.ratio is None:
        raise RefusalError(says("the size of the training parts (<n_train=...>) is not known"))
    values = np.asarray(q.values)
    if values.size < 2:
        raise RefusalError("one fold shows no variation")
    if not np.isfinite(values).all():
        raise RefusalError("the measure is not finite in some folds")
    folds = values.size // q.predictions.repeats
    smaller = float(folds)  # is a test part than all cases
    if folds == 1:  # holdouts, of which each is a fold of its own
        folds, smaller = min(values.size, MAX_FOLDS), 1 + 1 / q.ratio
    freedom, unit = float(folds - 1), unit_of(values)
    variance = float((values / unit).var(ddof=1))
    error, cases = _error_of_cases(q)
    within = smaller * (error / unit) ** 2
    if within > 0:
        share = within / (variance + within)
        freedom = 1 / ((1 - share) ** 2 / freedom + share**2 / cases)
        if q.predictions.grouping is not None:  # which both estimates are made of
            freedom = min(freedom, cases)
        variance = (variance + within) / 2
    splits = folds if _few_ranked(q, folds) else values.size
    found = unit * math.sqrt(variance * (1 / splits + q.ratio))
    return wide_limits(q, found, freedom, "corrected t")


def _few_ranked(q: EstimateRequest, folds: int) -> bool:
    """Whether a class has too few cases to be ranked in other company in each repeat: two for each fold."""
    p = q.predictions
    return q.measure.ranked and np.bincount(p.truth).min() < 2 * folds * p.repeats


def _error_of_cases(q: EstimateRequest) -> tuple[float, float]:
    """Return the standard error by the spread of the cases, with its freedom; 0 where that says nothing."""
    rows = q.predictions.of_weight()
    values = None if q.measure.of_pairs else influence(q.measure, rows, q.average)
    if values is None or grows(values, rows.weights):
        return 0.0, 1.0
    try:
        error, freedom = measure_error(q.measure, [rows], q.average)
    except RefusalError:
        return 0.0, 1.0
    return error, _freedom_of_cases(q, rows, freedom) if rows.clusters is None else freedom


def _freedom_of_cases(q: EstimateRequest, p: Predictions, seen: float) -> float:
    """Return the degrees of freedom of independent cases.

    Between two ends the error follows from the value, in Wilson's form, and all cases but one count. The error of a measure
    that ranks cases depends on the cases of the smaller class, so it has the freedom that was ``seen`` in each class.
    """
    if not all(map(math.isfinite, q.measure.range)):
        return seen
    if q.measure.compares_scores and not q.measure.of_pairs:
        once = p if p.repeats == 1 else next(part for _, part in p.groups(["repeat"]))
        return measure_error(q.measure, [once], q.average)[1]
    return p.cases - 1


@interval_method("Stability over repeated folds", cite=JACKKNIFE, over_folds=True)
def stability(q: EstimateRequest) -> Interval:
    r"""The spread over cases, and how far the loss of a case moves when part of the training cases change.

    Leaving out one of $k$ folds moves what is smooth $1/(k - 1)$ as much, in variance, as another
    training set would (the delete-d jackknife), so that $k$ times the variance over repeats is added
    to that over cases. Predictions that jump, such as labels and those of trees, mostly stay equal from
    one repeat to the next; their jumps are independent from case to case, and twice that variance is
    enough. Measures that are not means of losses move with their influence values. Groups are left
    out as a whole; few of them allow few other splits, so that it is no narrower than after one
    cross-validation.
    """
    moves = moves_of(q)
    variance, freedom, units = moves.variance
    error = moves.unit * math.sqrt(variance + moves.over_training)
    error = max(error, of_choices(q.predictions) * moves.error[0])
    if units == "groups":
        error = max(error, widening(q.predictions, q.measure) * moves.error[0])
    else:
        freedom = _freedom_of_cases(q, q.predictions.of_weight(), freedom)
    return wide_limits(q, error, freedom, f"stability over {len(moves.moved)} repeats")


@dataclass(frozen=True, slots=True)
class Moves:
    """What each case, or group of cases, adds to a measure in each repeat, in a unit whose squares fit a double."""

    unit: float
    moved: Floats  # a row for each repeat
    n: float
    copies: Floats | None  # how many cases a column stands for
    sizes: Floats | None  # what each group weighs
    ties: float  # share of the cases whose prediction is worth the same in the next repeat
    folds: float

    @property
    def over_cases(self) -> float:
        """Variance of the measure in one repeat."""
        return float(np.square(self.moved).sum(axis=1).mean()) * self.n / (self.n - 1)

    @property
    def over_groups(self) -> tuple[float, float]:
        """Variance by leaving out each group, and its degrees of freedom.

        Groups of uneven size are worth fewer than there are: as many as the squares of their sizes say.
        """
        sizes = np.asarray(self.sizes)
        share = sizes / sizes.sum()
        apart = np.square(self.moved / (1 - share)).sum(axis=1).mean()
        effective = float(np.square(share).sum() ** 2 / (share**4).sum())
        return float(apart) * (self.n - 1) / self.n, max(effective - 1, 1.0)

    @property
    def variance(self) -> tuple[float, float, str]:
        """Variance of the measure in one repeat, in squared units, its degrees of freedom, and over what it is."""
        if self.sizes is None:
            return self.over_cases, self.freedom, "cases"
        return *self.over_groups, "groups"

    @property
    def error(self) -> tuple[float, float, str]:
        """Standard error of the measure in one repeat, its degrees of freedom, and over what it is."""
        variance, freedom, units = self.variance
        return self.unit * math.sqrt(variance), freedom, units

    @property
    def over_repeats(self) -> float:
        """Sum over the cases of the variance from repeat to repeat."""
        return float(self.moved.var(axis=0, ddof=1).sum())

    @property
    def over_training(self) -> float:
        """What other training sets add, by how far the loss of a case moves from repeat to repeat."""
        return (self.ties * JUMP_VARIANCES + (1 - self.ties) * self.folds) * self.over_repeats

    @property
    def freedom(self) -> float:
        """Satterthwaite's degrees of freedom of the variance over cases, from the spread of the squares."""
        squares = np.square(self.moved / (np.abs(self.moved).max(initial=0.0) or 1.0))
        total = squares.sum(axis=1)
        each = squares**2 if self.copies is None else squares**2 / self.copies
        spread = each.sum(axis=1) - total**2 / self.n
        known = (total > 0) & (spread > 0)
        found = 2 * total[known] ** 2 / spread[known]
        return min(float(found.mean()), self.n - 1) if known.any() else self.n - 1


def moves_of(q: EstimateRequest) -> Moves:
    """Take apart by repeat and case what moves a measure."""
    p = q.predictions.of_weight()
    if q.measure.of_pairs:
        raise RefusalError("scores of different models do not compare")
    if p.repeats < 2:
        raise RefusalError("cases are not predicted in several repeats")
    folds = len(q.values) / p.repeats
    return moves_by_case(p, learned_influence(q.measure, p, q.average), folds)


def moves_by_case(p: Predictions, values: Floats | None, folds: float) -> Moves:
    """Take influence values apart by repeat and case; refuse where not every repeat predicts each case once.

    >>> p = Predictions.of([1, 0], label=[1, 1], fold=[0, 1])
    >>> moves_by_case(p, np.array([-0.25, 0.25]), folds=2).over_cases
    0.25
    """
    if p.row is None and p.repeats > 1:
        raise RefusalError("cases are not predicted in several repeats")
    repeat, case = repeat_numbers(p), case_numbers(p)
    shape = int(repeat.max()) + 1, int(case.max()) + 1
    place = repeat * shape[1] + case
    if p.n != shape[0] * shape[1] or np.bincount(place).max() > 1:
        raise RefusalError("not every repeat predicts each case once")
    if values is None or shape[1] < 2 or grows(values, p.weights):
        raise RefusalError(NO_INFLUENCE)
    order = np.argsort(place, kind="stable")
    each = values[order].reshape(shape)
    weight = p.weights[order].reshape(shape).sum(axis=0)  # which the repeats share
    near = ROUNDING * np.abs(each).max(initial=0.0)
    again = np.abs(np.diff(each, axis=0)) <= near
    ties = float(again.mean(axis=0) @ weight / weight.sum()) if len(again) else 1.0
    unit = unit_of(each)
    return Moves(unit, *_by_group(p, each / unit, weight, order[: shape[1]]), ties, folds)


def _by_group(
    p: Predictions, each: Floats, weight: Floats, first: NDArray[np.intp]
) -> tuple[Floats, float, Floats | None, Floats | None]:
    """Add up within groups, or count the cases that one row stands for; ``first`` are rows of each case."""
    if p.grouping is not None or p.in_time:
        codes = distinct(np.asarray(p.clusters)[first]).codes
        sums = np.stack([np.bincount(codes, row * weight) for row in each])
        if sums.shape[1] < 2:
            raise RefusalError(ONE_GROUP)
        centred = sums - sums.mean(axis=1, keepdims=True)
        return centred, sums.shape[1], None, np.bincount(codes, weight).astype(np.float64)
    if p.given_kind == "frequency":
        return each * np.sqrt(weight), float(weight.sum()), weight, None
    return each * weight, weight.size, None, None


def wide_limits(
    q: EstimateRequest,
    error: float,
    freedom: float,
    named: str,
    about: About = "training",
    *,
    corrected: float | None = None,
    by_cases: bool = True,
) -> Interval:
    """Make limits on the scale of the range, and as wide at least as those about new cases alone.

    They stand about the ``corrected`` value, where there is one; how the error changes with the value
    is seen at the value that it is of. An error that rests on the spread of losses, ``by_cases``, is worth
    fewer degrees of freedom where these are skewed.
    """
    low, high = q.measure.range
    shown = q.value if corrected is None else corrected
    cases = None if q.measure.of_pairs else _over_cases(q)
    if not q.varies(error):
        if cases is None:
            raise RefusalError(FOLDS_ALIKE)
        ends = min(cases.low, shown), max(cases.high, shown)
        method = f"{cases.method}, over cases"
        return replace(cases, low=ends[0], high=ends[1], about=about, method=method)
    worth, skewed = _skewed(q) if by_cases else (math.inf, None)
    freedom = min(freedom, worth)
    errors = two_sided(q.confidence_level, freedom)
    if skewed is None or shown <= 0:
        first, last, leaning = *_about(q, shown, errors * error), _scale(low, high)
    else:  # as far from the value, beside it, as the error is seen at the value that it is of
        first, last = skewed.limits(shown, error * (shown / q.value), errors)
        leaning = SKEWED
    method = f"{named}{leaning}, {freedom:.4g} degrees of freedom"
    closed = math.isfinite(high - low)
    made = Interval(first, last, q.confidence_level, method, about, error, freedom, as_share=closed)
    if cases is None or (first <= cases.low and cases.high <= last):
        return made
    widest = min(first, cases.low), max(last, cases.high)
    return replace(
        made, low=widest[0], high=widest[1], method=f"{method}, no narrower than over cases"
    )


def _skewed(q: EstimateRequest) -> tuple[float, Skewed | None]:
    """Return what the degrees of freedom over cases or groups are worth, of a measure open to one side, and its skewness."""
    rows = q.predictions.of_weight()
    closed = not q.measure.open_to_one_side or rows.in_time
    values = None if closed else influence(q.measure, rows, q.average)
    if values is None or grows(values, rows.weights):
        return math.inf, None
    codes = unit_numbers(rows)
    moved, copies = np.bincount(codes, values * rows.weights).astype(np.float64), None
    if rows.grouping is None and rows.given_kind == "frequency":
        copies = np.bincount(codes, rows.weights).astype(np.float64)
        moved /= copies
    freedom = error_of_sum(moved, copies)[1]
    # Groups are few, and their sums show less of a tail than cases do: they keep half of the freedom.
    if q.measure.power is None or q.average or rows.grouping is not None:
        return of_skewed_losses(freedom), None
    return freedom, Skewed(skewness_of_sum(moved, copies), q.measure.power)


def _about(q: EstimateRequest, value: float, half: float) -> tuple[float, float]:
    """Return limits about a value, with so many errors on either side at the value of the request.

    Between two ends they are of Wilson's form, up to a single end those of the log scale.
    """
    low, high = q.measure.range
    if math.isfinite(high - low):
        return wilson_form(value, half, low, high, at=q.value)
    nearest = min(value - low, high - value)
    centre = value if nearest > ROUNDING * abs(q.value) else q.value
    first, last = on_scale(centre, half, low, high, at=q.value)
    return min(first, value), max(last, value)


def _over_cases(q: EstimateRequest) -> Interval | None:
    """The interval about these fitted models and new cases; nothing where the value of a fold is not that of all."""
    rows = q.predictions.of_weight()
    values = influence(q.measure, rows, q.average)
    if values is not None and grows(values, rows.weights):
        return None
    value = q.measure.on(rows, q.average)
    asked = replace(q, predictions=rows, value=value, values=(), ratio=None, interval="auto")
    made = interval_for(asked)[0]
    of_table = q.measure.reads in {Counts, BinaryCounts} and rows.repeats > 1
    if not of_table or rows.grouping is not None or rows.in_time:
        return made
    # Cases can be added to the mean table of the repeats, so that what none has shown is not taken for impossible.
    table = replace(rows, row=None, repeat=None, fold=None, weight_kind="frequency", cache={})
    other = interval_for(replace(asked, predictions=table))[0]
    if made is None or other is None:
        return made or other
    return replace(made, low=min(made.low, other.low), high=max(made.high, other.high))


def _scale(low: float, high: float) -> str:
    ends = math.isfinite(low) + math.isfinite(high)
    return ("", ", log scale", f", {WILSON_FORM}")[ends]
