"""Nested cross-validation: how far the error of cross-validation is off, seen by doing it again inside.

Without fold j, a cross-validation of what is left estimates how well its models do; on fold j, which
none of them has seen, a model of all that is left shows how well they do in truth. The mean square of
the difference, less what the few cases of fold j add to it, is that of cross-validation itself (Bates,
Hastie & Tibshirani, 2024, algorithm 1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, Indices
from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.errors import says
from credibly.evaluation._declare import EstimateAnswer, estimator, estimators, folds
from credibly.evaluation.findings import UNCORRECTED, UNDEFINED_FOLDS, UNSETTLED_ERROR
from credibly.evaluation.many_attributes import nested_call
from credibly.evaluation.part_values import linear_values, values_of_parts
from credibly.intervals._declare import NO_INFLUENCE, NOT_ASKED, EstimateRequest, RefusalError
from credibly.intervals.case_moves import CaseMoves
from credibly.intervals.generalization import wide_limits
from credibly.intervals.methods import without_end
from credibly.intervals.standard_errors import unit_of
from credibly.measures._causes import why_undefined
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct
from credibly.predictions.lack import Lack
from credibly.predictions.parts import are_inner, as_given
from credibly.predictions.table import cached
from credibly.results.interval import Interval

BATES = "Bates, S., Hastie, T. & Tibshirani, R. (2024) Cross-validation: what does it estimate and how well does it do it? JASA 119, 1434-1445."
# How far another seed may move the standard error before it is said, as a share.
MAX_SEED_EFFECT = 0.5
SUGGESTED_FACTOR = 5  # times as many repeats
NOT_SMOOTH = "it is not smooth in the case weights, so influence values do not apply"
GROWS = "it grows with the number of cases, and test parts hold fewer of them"
IN_TIME = says(
    "cases follow one another in time, and models of folds have seen what comes later; use "
    "<resampling='time_ordered'>"
)
SPLIT_GROUPS = says(
    "folds cut through groups, so models have seen part of what they are tested on; use "
    "<resampling='grouped_nested_cv'>"
)
IN_GROUPS = says(
    "cases come in groups, and halves are not of whole groups; use <resampling='grouped_nested_cv'>"
)


@dataclass(frozen=True, slots=True, eq=False)
class NestedRows:
    """The rows of nested cross-validation: those that are judged, and those of inner splits.

    ``part`` numbers the test part of each judged row, by repeat and fold, ``inner_part`` that of each
    inner one, by repeat, fold and the fold that its model lacks beside it. Only whole repeats count. Rows
    are sorted, so that those of another model on the same splits are in the same order.
    """

    judged: Predictions
    inner: Predictions
    part: Indices
    inner_part: Indices
    repeats: int
    k: int

    @classmethod
    def of(cls, p: Predictions) -> NestedRows | None:
        """Read predictions with those of the inner splits; nothing if no repeat is whole."""
        return cached(p, "nested rows", lambda: _nested_rows(p))

    def values(self, q: EstimateRequest) -> NestedValues:
        """Return the values on all test parts."""
        m, shape = q.measure, (self.repeats, self.k)
        size = np.bincount(self.part, self.judged.weights).astype(np.float64)
        by_part = linear_values if m.nonlinear else values_of_parts
        outside = by_part(m, self.judged, self.part, q.average)
        inside = by_part(m, self.inner, self.inner_part, q.average)
        full = np.full(self.repeats * self.k**2, np.nan)
        full[: inside.size] = inside
        return NestedValues(
            outside.reshape(shape), full.reshape(*shape, self.k), size.reshape(shape)
        )

    def moves(self, q: EstimateRequest) -> tuple[CaseMoves, CaseMoves] | None:
        """Return what cases add to the measure: those judged, and those of inner splits."""
        found = [CaseMoves.of(q.measure, p, q.average) for p in (self.judged, self.inner)]
        return None if found[0] is None or found[1] is None else (found[0], found[1])

    @property
    def groups(self) -> tuple[Indices, Indices]:
        """The group of each judged and of each inner row."""
        both = [p.need("group", "groups") for p in (self.judged, self.inner)]
        code = distinct(np.concatenate(both)).codes.astype(np.intp)
        return code[: self.judged.n], code[self.judged.n :]


def _nested_rows(p: Predictions) -> NestedRows | None:
    """Find the fold of each inner row, and the one beside it: of an inner split two folds are tested."""
    judged, seen = as_given(p), p.seen
    if seen is None or seen.part is None or seen.row is None or seen.repeat is None:
        return None
    inner = are_inner(seen.part)
    inside = seen if inner.all() else seen.take(inner)
    repeat, case, fold = (_numbers(judged, judged, c) for c in ("repeat", "row", "fold"))
    repeats, cases, k = (int(codes.max()) + 1 for codes in (repeat, case, fold))
    mine, whose = (_numbers(inside, judged, c) for c in ("repeat", "row"))
    own_fold = np.full(repeats * cases, -1, np.intp)
    own_fold[repeat * cases + case] = fold
    known = (mine >= 0) & (whose >= 0)
    own = np.where(known, own_fold[mine * cases + whose], -1)
    split = _numbers(inside, inside, "fold")
    splits = int(split.max(initial=0)) + 1
    split = split + np.maximum(mine, 0) * splits
    tested = np.zeros((repeats * splits, k + 1), bool)  # the last column: of no fold
    tested.ravel()[split * (k + 1) + own % (k + 1)] = True
    low, high = tested.argmax(axis=1), k - 1 - tested[:, k - 1 :: -1].argmax(axis=1)
    proper = (tested[:, :k].sum(axis=1) == 2)[split] & (own >= 0)
    beside = (low + high)[split] - own
    place, inner_place = repeat * k + fold, (mine * k + own) * k + beside
    held = np.zeros(repeats * k * k, bool)
    held[place * k + fold] = True
    held[inner_place[proper]] = True
    entire = np.asarray(held.reshape(-1, k * k).all(axis=1))
    if k < 3 or not entire.any():
        return None
    number = np.cumsum(entire) - 1
    pair = ((np.repeat(np.arange(repeats), splits) * k + low) * k + high)[split] * 2 + (
        own > beside
    )
    judged, rows = _in_order(judged, entire[repeat], place * cases + case)
    inside, others = _in_order(inside, proper & entire[mine], pair * cases + whose)
    part, inner_part = number[repeat[rows]] * k + fold[rows], number[mine[others]] * k + own[others]
    inner_part = inner_part * k + beside[others]
    return NestedRows(judged, inside, part, inner_part, int(entire.sum()), k)


def _numbers(p: Predictions, known: Predictions, column: str) -> Indices:
    """Number the values of a column as those of other rows are numbered; -1 for what is not there."""
    found, others = (distinct(each.need(column, "nested_cv")) for each in (p, known))
    if found.values == others.values:
        return found.codes.astype(np.intp, copy=False)
    place = {v: i for i, v in enumerate(others.values)}
    return np.array([place.get(v, -1) for v in found.values], np.intp)[found.codes]


def _in_order(
    p: Predictions, kept: NDArray[np.bool_], key: Indices
) -> tuple[Predictions, Indices | slice]:
    """Return the rows that are kept in the order of a key, and their places; most stand so already."""
    if kept.all() and (key[1:] > key[:-1]).all():
        return p, slice(None)
    rows = np.flatnonzero(kept)
    rows = rows[np.argsort(key[rows], kind="stable")]
    return p.take(rows), rows


@dataclass(frozen=True, slots=True, eq=False)
class NestedValues:
    """Values on test parts: by repeat and fold, and by repeat, fold and the fold left out beside it."""

    outer: Floats
    inner: Floats
    size: Floats  # of each fold

    def __sub__(self, other: NestedValues) -> NestedValues:
        """Return the differences between two models on the same splits."""
        return replace(self, outer=self.outer - other.outer, inner=self.inner - other.inner)

    @property
    def undefined(self) -> int:
        """How many test parts have no value, or no finite one."""
        off = ~np.eye(self.size.shape[1], dtype=bool)
        return int((~np.isfinite(self.outer)).sum() + (~np.isfinite(self.inner[:, off])).sum())

    @property
    def of_folds(self) -> float:
        """The mean over cases of ordinary cross-validation, with k - 1 folds to train on."""
        return float((self.outer * self.size).sum() / self.size.sum())

    @property
    def within(self) -> Floats:
        """The cross-validation of what is left without each fold, by repeat and fold."""
        apart = ~np.eye(self.size.shape[1], dtype=bool)
        size = self.size[:, :, None] * apart
        return np.asarray(
            np.where(apart, self.inner * self.size[:, :, None], 0).sum(axis=1) / size.sum(axis=1)
        )

    @property
    def of_inner_folds(self) -> float:
        """The mean over cases of all inner splits, with k - 2 folds to train on."""
        rest = self.size.sum(axis=1, keepdims=True) - self.size
        return float((self.within * rest).sum() / rest.sum())

    @property
    def corrected(self) -> float:
        r"""The value for models of all cases.

        An error that falls as $1/n$ differs between n and $n (K-2)/K$ cases by $1 + (K-2)/K$ times
        what it differs between $n (K-1)/K$ and $n (K-2)/K$: exactly, whatever K. This is the factor
        of mlr3inferr; the exponent of 1.5 in the program of Bates et al. would be that of an error
        that falls as $1/n^2$, about.
        """
        k = self.size.shape[1]
        inner = self.of_inner_folds
        return inner - (1 + (k - 2) / k) * (inner - self.of_folds)

    def excess(self, variance: Floats, unit: float = 1.0) -> Floats:
        """Return the estimates of the mean squared error of cross-validation, one for each repeat."""
        k = self.size.shape[1]
        off = np.square((self.within - self.outer) / unit) - variance
        return np.asarray((k - 1) / k * off.mean(axis=1))


@dataclass(frozen=True, slots=True)
class NestedError:
    """The standard error by nested cross-validation, and what it is made of.

    ``inflation`` is how many times the naive one it is, which takes cases as independent: between 1
    and the root of the number of folds. ``unsettled`` says how far another seed may move it, as a share,
    and ``freedom`` how well the spread of the cases is known.
    """

    error: float
    inflation: float
    unsettled: float
    freedom: float

    @classmethod
    def of(
        cls, found: NestedRows, values: NestedValues, moves: tuple[CaseMoves, CaseMoves]
    ) -> NestedError:
        """Compare what inner cross-validations say with what the folds left out of them show."""
        unit = unit_of(moves[1].moves)  # squares fit a double
        judged, inner = (each.divided(unit) for each in moves)
        naive, variance, freedom = (
            _over_cases(found, judged, inner)
            if found.judged.grouping is None
            else _over_groups(found, judged, inner)
        )
        if not naive > 0:
            return cls(0.0, 1.0, 0.0, 1.0)
        excess = values.excess(variance.reshape(values.size.shape), unit)
        mean = max(0.0, float(excess.mean()))
        inflation = min(max(math.sqrt(mean) / naive, 1.0), math.sqrt(found.k))
        between = 1 < inflation < math.sqrt(found.k)
        moved = math.inf if excess.size < 2 else excess.std(ddof=1) / math.sqrt(excess.size)
        unsettled = float(moved / (2 * mean)) if between else 0.0
        return cls(unit * naive * inflation, inflation, unsettled, freedom)


def _over_cases(
    found: NestedRows, judged: CaseMoves, inner: CaseMoves
) -> tuple[float, Floats, float]:
    """Return the naive error of independent cases, the variance on each test part, and degrees of freedom."""
    first = judged.take(np.flatnonzero(found.part < found.k))  # every case once
    factor = first.factor(first.strata, int(first.strata.max()) + 1)
    naive = math.sqrt(float(inner.spread(inner.strata) @ factor))
    return naive, judged.variance(found.part), first.freedom


def _over_groups(
    found: NestedRows, judged: CaseMoves, inner: CaseMoves
) -> tuple[float, Floats, float]:
    """Return the same of independent groups: what a group adds is the sum over its cases.

    A fold holds few groups, so that how they vary is seen in whole repeats, and inner cross-validations.
    """
    k, part = found.k, found.part
    group, inner_group = found.groups
    groups, spread, freedom = judged.of_groups(part // k, group)
    inside = found.inner_part // k**2 * k + found.inner_part % k  # by the fold left out
    some, within, _ = inner.of_groups(inside, inner_group)
    naive = math.sqrt(within * float(some.mean()) ** 2 / groups[0])
    held = np.bincount(part * (int(group.max()) + 1) + group).astype(bool)
    in_part = np.bincount(np.flatnonzero(held) // (int(group.max()) + 1))
    # A group adds to a fold as much more as that is smaller than all cases.
    size = np.bincount(part, judged.weight)
    scale = np.repeat(np.bincount(part // k, judged.weight), k) / size
    return naive, spread * in_part * scale**2, max(freedom, 1.0)


def lacks_inner_rows(p: Predictions) -> Lack | None:
    """Say what predictions lack for nested cross-validation."""
    return cached(p, lacks_inner_rows, lambda: _lacks_inner_rows(p))


def _lacks_inner_rows(p: Predictions) -> Lack | None:
    lack = Lack("part", says("the inner splits of <resampling='nested_cv'>"))
    there = p.fold is not None and p.repeat is not None and p.row is not None
    return None if there and NestedRows.of(p) is not None else lack


def inner_repeats(p: Predictions) -> NDArray[Any] | None:
    """Return the repeat of each row of inner splits; nothing where there are none of one resampling."""
    seen = p.seen
    if p.fold is None or p.repeat is None or p.row is None or seen is None or seen.part is None:
        return None
    inner = are_inner(seen.part)
    return seen.repeat[inner] if inner.any() and seen.repeat is not None else None


@estimator("Nested cross-validation", cite=BATES, needs=lacks_inner_rows, leads=True)
def nested_cv(q: EstimateRequest) -> EstimateAnswer:
    """Mean over folds, corrected for smaller training sets, with its honest error.

    Its interval holds the error of the model fitted on all cases, and nearly as well that of this way
    of learning with new training sets of this size. For a measure that is not a mean of losses,
    values on test parts take the place of mean losses, and influence values that of losses. This is
    not tuning within folds.
    """
    if q.measure.mean:
        return _of_total(q)
    p = q.measure.view(q.predictions, q.average)
    rows = NestedRows.of(p)
    if rows is None:
        why = "no repeat of nested cross-validation is whole"
        return EstimateAnswer(math.nan, None, why)
    values = rows.values(q)
    if math.isinf(values.of_folds):  # which no correction changes
        return EstimateAnswer(values.of_folds, None, "the value is infinite")
    if values.undefined:
        of_folds = estimators["fold_mean"](q) if q.measure.compares_scores else None
        answer = undefined(q, values.undefined, values.outer.size * rows.k)
        return answer if of_folds is None else replace(of_folds, findings=answer.findings)
    (low, high), value = q.measure.range, values.corrected
    beyond = not low <= value <= high
    value = values.of_folds if beyond else value
    limits, why, findings = _interval(q, rows, values, value)
    if beyond:
        findings = (UNCORRECTED(measure=q.measure.title), *findings)
    return EstimateAnswer(value, limits, why, tuple(values.outer.ravel().tolist()), findings)


def _of_total(q: EstimateRequest) -> EstimateAnswer:
    """A total is the mean times the number of cases, which is treated as known."""
    cases = float(q.predictions.known().weights.sum())
    answer = nested_cv(replace(q, measure=q.measure.per_case))
    limits = None if answer.interval is None else answer.interval.times(cases)
    return replace(answer, value=answer.value * cases, interval=limits, values=())


def undefined(q: EstimateRequest, bad: int, parts: int) -> EstimateAnswer:
    """Say that so many test parts lack a finite value, and why."""
    every = [*folds(q.predictions), *(folds(q.predictions.seen) if q.predictions.seen else ())]
    finding = UNDEFINED_FOLDS(
        measure=q.measure.title,
        state="not finite",
        undefined=bad,
        folds=count(parts, "test part"),
        why=why_undefined(q.measure, every, q.average, lambda v: not math.isfinite(v)),
    )
    return EstimateAnswer(math.nan, None, "the value is undefined", (), (finding,))


def _interval(
    q: EstimateRequest, found: NestedRows, values: NestedValues, value: float
) -> tuple[Interval | None, str, tuple[Finding, ...]]:
    if why := refusal(q, found.judged) or _split_groups(found):
        return None, why, ()
    moves = found.moves(q)
    if moves is None:
        return None, NO_INFLUENCE if q.measure.smooth else NOT_SMOOTH, ()
    if moves[0].grows:
        return None, GROWS, ()
    error = NestedError.of(found, values, moves)
    method = f"nested cross-validation, {error.inflation:.3g} times the naive standard error"
    request = replace(q, value=values.of_folds)
    try:
        limits = wide_limits(request, error.error, error.freedom, method, corrected=value)
    except RefusalError as refused:
        return None, refused.args[0], ()
    return limits, "", unsettled(error, found)


def _split_groups(found: NestedRows) -> str:
    """Say that folds do not keep groups whole, so that models have seen part of what they are tested on."""
    if found.judged.grouping is None:
        return ""
    repeat, fold = np.divmod(found.part, found.k)
    repeat += found.groups[0] * found.repeats
    low, high = np.full(int(repeat.max()) + 1, found.k), np.full(int(repeat.max()) + 1, -1)
    np.minimum.at(low, repeat, fold)
    np.maximum.at(high, repeat, fold)
    return SPLIT_GROUPS if (high > low).any() else ""


def refusal(q: EstimateRequest, rows: Predictions) -> str:
    """Say why an estimate that reads inner splits gives no interval of its own; nothing where it does."""
    if q.interval != "auto":
        return NOT_ASKED if q.interval == "none" else "it has an interval of its own"
    return IN_TIME if rows.in_time else without_end(q)


def unsettled(made: NestedError, found: NestedRows) -> tuple[Finding, ...]:
    """Say that more repeats are needed for the standard error to be known."""
    if made.unsettled <= MAX_SEED_EFFECT:
        return ()
    repeats = SUGGESTED_FACTOR * found.repeats
    finding = UNSETTLED_ERROR(
        repeats=count(found.repeats, "repeat"),
        **nested_call(found.judged, found.k, repeats),
    )
    return (finding,)
