"""Influence values: how a measure moves when the weight of one case does.

A measure is a function of a summary, and a summary a sum over cases, so its derivative with respect to
a case's weight follows by the chain rule: the derivative of the formula by the few numbers of the
summary, times what the case adds to each of them. The sum of their squares is the infinitesimal
jackknife's variance (Efron 1982); for an AUC it is DeLong's.

Formulas are differentiated with complex steps. The imaginary part of f(x + ih) is h f'(x): nothing is
subtracted, so nothing is lost, and the step may be as small as need be (Squire, W. & Trapp, G. (1998)
Using complex variables to estimate derivatives of real functions. SIAM Review 40, 110-112). Each step is a share
of the number that it moves: a rare class has its own scale, whatever the number of all cases. That takes a formula
that computes with complex numbers as with real ones. One that takes an absolute value, say, does not, so real steps
in the same call check the result; where they disagree, differences take its place.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import ROUNDING, Floats
from credibly._core.averages import EQUALLY_WEIGHTED
from credibly._kernels.placements import falling_order, placements
from credibly.predictions import Predictions
from credibly.predictions.labels import MISSING
from credibly.predictions.summaries import (
    BinaryCounts,
    ClassScores,
    Counts,
    LossMoments,
    PairMoments,
    ScoreTable,
)
from credibly.predictions.summaries.linear import one_vs_rest
from credibly.predictions.summaries.scores import SCORE_PLACES, OrderSums
from credibly.predictions.table import cached

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.measures import Measure

Formula = Callable[[Any], Floats]

BATCH_NUMBERS = 1 << 19  # numbers moved at a time: these fit the cache
# As a share of the number: its square is below rounding, as a complex step needs.
COMPLEX_STEP = 2.0**-40
REAL_STEP = 2.0**-10  # the same for differences of fourth order: truncation and rounding are 1e-12
CHECK_STEP = 2.0**-22  # the same for the check, small enough to stay where the formula is defined
MAX_DISAGREEMENT = 1e-4  # between complex and real steps, far above what either loses
MAX_CLASSES = 64  # a table of more classes has too many cells to move one by one
ROWS_PER_BLOCK = 1 << 14  # cases at a time: these fit the cache
ORDER_FIELDS = [f.name for f in fields(OrderSums)]
OUTCOMES = (("tn", "fp", "doubt_negative"), ("fn", "tp", "doubt_positive"))  # by truth and label
MANY_CASES = 1 << 18


def influence(m: Measure, p: Predictions, average: Average | None = None) -> Floats | None:
    """Return the derivative of a measure by the weight of each row, or nothing if it has none.

    >>> from credibly import Predictions
    >>> from credibly.measures import accuracy
    >>> influence(accuracy, Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0])).round(6).tolist()
    [0.0625, -0.1875, 0.0625, 0.0625]
    """
    if not m.smooth:
        return None
    if any(not isinstance(v, int | float | str) for v in m.arguments.values()):
        return _finite(m, p, average)
    key = (influence, m.call, average)
    if p.n < MANY_CASES and "of_one_class" not in p.cache:
        return cached(p, key, lambda: _finite(m, p, average))
    # Of many cases, or classes, those of one measure: who asks again asks at once, and columns for all would fill
    # the memory.
    last: tuple[object, Floats | None] | None = p.cache.get(influence)
    if last is None or last[0] != key:
        p.cache[influence] = last = None
        p.cache[influence] = last = (key, _finite(m, p, average))
    return last[1]


def _finite(m: Measure, p: Predictions, average: Average | None) -> Floats | None:
    with np.errstate(all="ignore"):
        values = _averaged(m, p, average) if average else _of_cases(m, p)
        if values is None or not np.isfinite(values).all():
            return None
        size = extent(m) if math.isfinite(extent(m)) else abs(m.on(p, average))
    # What is rounding alone, as of a share of 1 under weights, is 0: its sums would say anything.
    noise = np.abs(values).max(initial=0.0) * p.weights.sum() <= ROUNDING * size < math.inf
    return np.zeros_like(values) if noise else values


def extent(m: Measure) -> float:
    """Return the length of the range: endless too where a measure counts, and only the number of cases is an end."""
    return math.inf if m.most is not None else m.range[1] - m.range[0]


def condensed(m: Measure, p: Predictions, average: Average | None = None) -> Predictions:
    """Merge cases that a measure cannot distinguish: their influence values are the same.

    With groups, or weights that are not counts, each case stands for itself.
    """
    if (
        p.clusters is not None
        or p.weight_kind == "importance"
        or (average and m.reads is ScoreTable)
    ):
        return p
    return cached(p, ("condensed", m.reads), lambda: m.reads.condensed(p))


def _of_cases(m: Measure, p: Predictions) -> Floats | None:
    return derivatives(m.summarise(p), m.of_summary, p, m)


def _averaged(m: Measure, p: Predictions, average: Average) -> Floats | None:
    """Differentiate an average over classes by way of its terms."""
    if average == "micro":
        return _micro(m, p)
    from credibly.predictions.summaries.linear import class_sizes

    sizes = class_sizes(p, average)
    used = sizes > 0
    total = _of_tables(m, p, sizes) if m.reads is BinaryCounts else _of_views(m, p, sizes)
    if total is None:
        return None
    result: Floats = total / sizes.sum()
    if average not in EQUALLY_WEIGHTED:  # the sizes move with the weights too
        codes = p.truth if average == "weighted" else p.need("label", average)
        values = m.by_class(p)
        mean = float((values * sizes)[used].sum() / sizes.sum())
        result = result + np.where(codes >= 0, values[codes] - mean, 0.0) / sizes.sum()
    return result


def _of_views(m: Measure, p: Predictions, sizes: Floats) -> Floats | None:
    """Add up the derivatives of each class against the rest, as often as the class counts."""
    total = np.zeros(p.n)
    for i in np.flatnonzero(sizes).tolist():
        term = _of_cases(m, one_vs_rest(p, i))
        if term is None:
            return None
        total += sizes[i] * term
    return total


def _of_tables(m: Measure, p: Predictions, sizes: Floats) -> Floats:
    """Return what :func:`_of_views` does for a formula of two-by-two tables, without a view of the cases.

    A case is a negative one of the rest to all classes but its own and that of its label, so that the
    sum over all classes moves by these two alone.
    """
    tables = BinaryCounts.each_class(p, m.name)
    point = cached(p, _of_tables, lambda: _table_point(tables))
    s = {}
    for name, slope in point.gradient(m.of_summary).items():
        # The slope of an outcome that no case has may be undefined; no case needs it.
        moves = (sizes > 0) & (np.isfinite(slope) | (getattr(tables, name) != 0))
        s[name] = np.append(np.where(moves, sizes * slope, 0.0), 0.0)  # the last: of no class
    truth, label = p.truth, p.need("label", m.name)
    wrong = (s["fn"] - s["tn"])[truth] + (s["fp"] - s["tn"])[label]
    labelled = s["tn"].sum() + np.where(label == truth, (s["tp"] - s["tn"])[truth], wrong)
    doubted = s["doubt_negative"].sum() + (s["doubt_positive"] - s["doubt_negative"])[truth]
    return np.where(label == MISSING, doubted, labelled)


def _micro(m: Measure, p: Predictions) -> Floats | None:
    views = [one_vs_rest(p, i) for i in range(len(p.classes))]
    summaries = [m.summarise(view) for view in views]
    pooled = summaries[0]
    for each in summaries[1:]:
        pooled = pooled + each
    terms = [derivatives(pooled, m.of_summary, view, m) for view in views]
    return (
        None
        if any(t is None for t in terms)
        else np.sum([t for t in terms if t is not None], axis=0)
    )


@singledispatch
def derivatives(summary: Any, formula: Formula, p: Predictions, m: Measure) -> Floats | None:  # noqa: ANN401, ARG001
    """Return the derivative of ``formula(summary)`` by the weight of each row of ``p``."""
    return None


def _table_point(summary: Counts | BinaryCounts, p: Predictions | None = None) -> Point:
    """Return where formulas of a table are differentiated, kept for all that read it."""
    cells = [f.name for f in fields(summary) if f.name != "classes"]

    def made() -> Point:
        total = np.asarray(summary.total)
        return Point.of(summary, dict.fromkeys(cells, total), batch=total.shape)

    if p is not None and type(summary).of(p) is summary:
        return cached(p, (_table_point, type(summary)), made)
    return made()


@derivatives.register(Counts)
def _by_counts(summary: Counts, formula: Formula, p: Predictions, m: Measure) -> Floats | None:
    if len(summary.classes) > MAX_CLASSES:
        return _averaged(m.of_one_class, p, "macro") if m.mean_of else None
    slope = _table_point(summary, p).gradient(formula)
    by_cell = np.column_stack([slope["matrix"], slope["doubt"]])
    return by_cell[p.truth, p.need("label", m.name)]  # cases without a label are in the last column


@derivatives.register(BinaryCounts)
def _by_binary_counts(
    summary: BinaryCounts, formula: Formula, p: Predictions, m: Measure
) -> Floats:
    slope = _table_point(summary, p).gradient(formula)
    by_cell = np.array([[slope[name] for name in row] for row in OUTCOMES])
    label = p.need("label", m.name)
    labelled = np.where(label == MISSING, MISSING, label == p.positive)
    return by_cell[(p.truth == p.positive).astype(np.intp), labelled]


@derivatives.register(LossMoments)
def _by_loss_moments(
    summary: LossMoments, formula: Formula, p: Predictions, m: Measure
) -> Floats | None:
    if summary.infinite.any() or summary.minus_infinite.any() or summary.undefined.any():
        return None
    largest = float(np.abs(summary.total).max()) or 1.0
    slopes = gradient(formula, summary, {"weight": 1.0, "total": largest})
    # Block by block, as in the summary: blocks keep what several losses are made of.
    return slopes["weight"] + np.concatenate([m.losses(b) @ slopes["total"] for b in p.blocks()])


@derivatives.register(ScoreTable)
def _by_score_table(
    summary: ScoreTable, formula: Formula, p: Predictions, m: Measure
) -> Floats | None:
    if not (m.slopes or m.of_order):
        return None  # it reads the table itself, and nothing says how it moves with that
    pos, neg = m.slopes_at(summary) or _by_order(summary, formula, m)
    known = SCORE_PLACES.get(p)
    if known is None or known[0] is not summary:
        score = p.scores_of(p.positive or 0, m.name)
        known = SCORE_PLACES.put(p, (summary, _places(score, summary.score)))
    place, mine = known[1], p.truth == p.positive
    if isinstance(place, slice):
        return np.where(mine, pos, neg)
    moved = neg[place]
    moved[mine] = pos[place[mine]]
    return moved


def _by_order(summary: ScoreTable, formula: Formula, m: Measure) -> tuple[Floats, Floats]:
    """By way of the order sums, whose own derivatives are running sums over the table."""
    order = summary.order_sums()
    if m.area is not None and order.positives and order.negatives:
        return _table_derivatives(summary, order, _slopes_of_area(order, m.area[0]))

    def of_order(sums: OrderSums) -> Floats:
        return formula(summary.with_order_sums(sums))

    sizes = dict.fromkeys(ORDER_FIELDS, float(order.positives + order.negatives))
    point = cached(summary, _by_order, lambda: Point.of(order, sizes))
    return _table_derivatives(summary, order, point.gradient(of_order))


def _slopes_of_area(order: OrderSums, times: float) -> dict[str, Floats]:
    """Return how so many times the area under the ROC curve moves with each of the sums."""
    each = times / (order.positives * order.negatives)
    area = (order.concordant + order.tied / 2) * each
    return {
        "positives": -area / order.positives,
        "negatives": -area / order.negatives,
        "concordant": each,
        "tied": each / 2,
        "precision": np.zeros(()),
    }


def _places(score: Floats, falling: Floats) -> NDArray[np.intp]:
    """Return where each score stands among distinct ones in falling order.

    When these are its own distinct scores, counting them in order beats looking each up.
    """
    order, new = falling_order(score)
    if np.count_nonzero(new) != falling.size:
        return falling.size - 1 - np.searchsorted(falling[::-1], score)
    place = np.empty(score.size, np.intp)
    place[order] = np.cumsum(new) - 1
    return place


def _table_derivatives(
    t: ScoreTable, order: OrderSums, slope: dict[str, Floats]
) -> tuple[Floats, Floats]:
    """Differentiate by the weight of a positive and of a negative case at each distinct score."""
    pos = slope["positives"] + slope["tied"] * t.neg
    neg = slope["negatives"] + slope["tied"] * t.pos
    if slope["concordant"]:
        room = order.negatives - t.reached(t.neg)
        pos += np.multiply(slope["concordant"], room, out=room)
        np.subtract(t.reached(t.pos), t.pos, out=room)
        neg += np.multiply(slope["concordant"], room, out=room)
    if slope["precision"]:
        labelled = t.tp + t.fp
        share = np.divide(1.0, labelled, out=np.zeros_like(labelled), where=labelled > 0)
        from_here = np.cumsum((t.pos * share**2 * t.fp)[::-1])[::-1]
        from_here_negative = np.cumsum((t.pos * share**2 * t.tp)[::-1])[::-1]
        pos += slope["precision"] * (t.tp * share + from_here)
        neg -= slope["precision"] * from_here_negative
    return pos, neg


@derivatives.register(PairMoments)
def _by_pair_moments(summary: PairMoments, formula: Formula, p: Predictions, m: Measure) -> Floats:  # noqa: ARG001
    sizes = {
        "weight": float(summary.weight),
        "sums": float(np.sqrt(summary.weight * np.trace(summary.products))),
        "products": float(np.trace(summary.products)),
    }
    slope = gradient(formula, summary, sizes, from_zero=False)
    (a, b), (c, d) = slope["products"], slope["sums"]
    values, value = np.empty(p.n), p.need("value", "this measure")
    for start in range(0, p.n, ROWS_PER_BLOCK):  # what stays in the cache
        rows = slice(start, start + ROWS_PER_BLOCK)
        x, y = (
            column[rows] / unit - origin
            for column, unit, origin in zip(
                (p.truth, value), summary.unit, summary.origin, strict=True
            )
        )
        values[rows] = slope["weight"] + x * (c + a[0] * x + (a[1] + b[0]) * y) + y * (d + b[1] * y)
    return values


@derivatives.register(ClassScores)
def _by_class_scores(
    summary: ClassScores,
    formula: Formula,  # noqa: ARG001  (a mean over pairs of classes, differentiated by hand)
    p: Predictions,
    m: Measure,  # noqa: ARG001
) -> Floats | None:
    """Through the matrix of pairs won: a case wins against, or is beaten by, those it is compared with."""
    k, n = len(summary.classes), p.n
    sizes = summary.class_weights()
    if not (sizes > 0).all():
        return None
    matrix, share = summary.probability, p.weights / sizes[p.truth]
    if len(matrix) != n:
        matrix = p.probability_matrix("an influence value")
    total, won = np.zeros(n), np.zeros((k, k))
    for i in range(2 if k == 2 else 0):  # a case is placed among those of the other class
        mine = p.truth == i
        (won[i, 1 - i],), (above,), (below,) = placements([matrix[:, i]], mine, p.weight)
        total[mine] += above / sizes[i]
        total[~mine] += below / sizes[1 - i]
    for i in range(k if k > 2 else 0):
        order, new = falling_order(matrix[:, i])
        first = np.flatnonzero(new)
        codes, shares, tied = p.truth[order], share[order], np.diff(first, append=n)
        mine = codes == i
        own, rest = (np.add.reduceat(np.where(side, shares, 0.0), first) for side in (mine, ~mine))
        above, below = np.cumsum(own) - own / 2, rest.sum() - np.cumsum(rest) + rest / 2
        del own, rest, first, new
        beaten_by = np.repeat(above, tied)
        total[order] += np.where(mine, np.repeat(below, tied), beaten_by) / sizes[codes]
        won[i] = np.bincount(codes, shares * beaten_by, k)
    # A larger class also divides by more: each class takes part in 2 (k - 1) ordered pairs.
    np.fill_diagonal(won, 0.0)
    taken = ((won.sum(axis=0) + won.sum(axis=1)) / sizes)[p.truth]
    return (total - taken) / (k * (k - 1))


def gradient(
    formula: Formula,
    summary: Any,  # noqa: ANN401
    sizes: Mapping[str, float],
    *,
    from_zero: bool = True,
) -> dict[str, Floats]:
    """Differentiate a formula by the numbers in some fields of a summary.

    ``sizes`` names the fields, and says how large a number is that is zero and so has no size of its
    own; where numbers have no zero of their own, how large any is.

    >>> from credibly.measures import fbeta
    >>> from credibly.predictions.summaries import BinaryCounts
    >>> rare = BinaryCounts.of_outcomes(tp=12, fp=9, fn=8, tn=1e9)
    >>> found = gradient(fbeta.of_summary, rare, dict.fromkeys(("tp", "fn", "tn"), 1e9))
    >>> {name: round(float(slope), 9) for name, slope in found.items()}  # 2 (fn + fp) / 41^2, -2 tp / 41^2
    {'tp': 0.020226056, 'fn': -0.014277216, 'tn': 0.0}
    """
    return Point.of(summary, sizes, from_zero=from_zero).gradient(formula)


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """Where formulas are differentiated: the numbers of a summary in one row, and how large each is.

    Of a batch of summaries there is a row for each, and all are differentiated at once.
    """

    summary: Any
    fields: dict[str, tuple[slice, tuple[int, ...]]]  # the place of each in the row, and its shape
    numbers: Floats
    size: Floats
    cache: dict[Any, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        summary: Any,  # noqa: ANN401
        sizes: Mapping[str, Any],
        *,
        from_zero: bool = True,
        batch: tuple[int, ...] = (),
    ) -> Point:
        """Put some numbers of a summary into one row; those of zero have the sizes that are given."""
        places, end = {}, 0
        for name in sizes:
            shape = np.shape(getattr(summary, name))[len(batch) :]
            start, end = end, end + math.prod(shape)
            places[name] = slice(start, end), shape
        numbers, size = np.empty((*batch, end)), np.empty((*batch, end))
        for name, (place, _) in places.items():
            numbers[..., place] = np.reshape(getattr(summary, name), (*batch, -1))
            size[..., place] = np.asarray(sizes[name])[..., None]
        if from_zero:
            size = np.where(numbers != 0, np.abs(numbers), size)
        return cls(summary, places, numbers, size)

    def gradient(self, formula: Formula) -> dict[str, Floats]:
        """Differentiate a formula by each number, and return the slopes by field."""
        slopes, sure = self._by_complex_steps(formula)
        if not sure.all():
            slopes = np.where(sure[..., None], slopes, self._by_differences(formula))
        return self._by_field(slopes)

    def _by_field(self, row: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Cut rows of numbers (last axis) into the fields they belong to."""
        ahead = row.shape[:-1]
        return {n: row[..., place].reshape(ahead + s) for n, (place, s) in self.fields.items()}

    def _holding(self, rows: NDArray[Any]) -> Any:  # noqa: ANN401
        """Return a batch of summaries with these numbers."""
        return replace(self.summary, **self._by_field(rows))

    def _batches(self) -> Iterator[NDArray[np.intp]]:
        """Yield which numbers of a row to move at a time."""
        n = self.numbers.shape[-1]
        for first in range(0, n, rows := max(1, BATCH_NUMBERS // max(self.numbers.size, 1))):
            yield np.arange(first, min(first + rows, n))

    def _moved(self, which: NDArray[np.intp]) -> Any:  # noqa: ANN401
        """Return summaries of which each has one number moved; then as it is, and all moved up and down."""
        rows = np.empty((which.size + 3, *self.numbers.shape), np.complex128)
        rows[:] = self.numbers
        rows[np.arange(which.size), ..., which] += 1j * COMPLEX_STEP * _first(self.size[..., which])
        rows[-2] += CHECK_STEP * self._direction()
        rows[-1] -= CHECK_STEP * self._direction()
        return self._holding(rows)

    def _direction(self) -> Floats:
        def made() -> Floats:
            # Of irregular length: no formula stays as it is when all its numbers move like this.
            irregular = np.cos(1 + 2.4 * np.arange(self.numbers.shape[-1]))
            return np.asarray(irregular * self.size * (self.numbers != 0))

        return cached(self, "direction", made)

    def _by_complex_steps(self, formula: Formula) -> tuple[Floats, NDArray[np.bool_]]:
        """Return all slopes, and for which rows the formula turns out to be made for it."""
        found, steps = np.zeros(self.numbers.shape), COMPLEX_STEP * self.size
        for which in self._batches():
            batch = (
                cached(self, "moved", lambda: self._moved(which))  # noqa: B023  (which is all)
                if which.size == steps.shape[-1]
                else self._moved(which)
            )
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error", np.exceptions.ComplexWarning)
                    values = np.asarray(formula(batch))
            except (TypeError, ValueError, np.exceptions.ComplexWarning):
                # what only real numbers can be put through
                return found, np.zeros(found.shape[:-1], bool)
            moved = np.where(np.isfinite(values[:-3]), values[:-3].imag, np.nan)
            found[..., which] = _last(moved) / steps[..., which]
        return found, _agree(found * self._direction(), values[-3:].real)

    def _by_differences(self, formula: Formula) -> Floats:
        """Return all slopes from central differences of fourth order."""
        values = np.zeros(self.numbers.shape)
        for which in self._batches():
            ends, each = [], np.arange(which.size)
            size = _first(self.size[..., which])
            for steps in (1, -1, 2, -2):
                rows = np.array(np.broadcast_to(self.numbers, (which.size, *self.numbers.shape)))
                rows[each, ..., which] += steps * REAL_STEP * size
                ends.append(np.asarray(formula(self._holding(rows))))
            near, far = ends[0] - ends[1], ends[2] - ends[3]
            values[..., which] = _last((8 * near - far) / (12 * REAL_STEP * size))
        return values


def _first(array: NDArray[Any]) -> NDArray[Any]:
    """Put the last axis first: what `np.moveaxis` does, which takes longer than the formula of one table."""
    return array.transpose(-1, *range(array.ndim - 1))


def _last(array: NDArray[Any]) -> NDArray[Any]:
    """Put the first axis last."""
    return array.transpose(*range(1, array.ndim), 0)


def _agree(moves: Floats, ends: Floats) -> NDArray[np.bool_]:
    """Whether real steps up or down move a formula as its slopes say; at the end of a range one may not."""
    here, up, down = ends
    moved, scale = moves.sum(axis=-1), np.abs(here) + np.abs(moves).sum(axis=-1)
    apart = np.minimum(
        abs((up - here) / CHECK_STEP - moved), abs((here - down) / CHECK_STEP - moved)
    )
    return np.asarray(~(apart > MAX_DISAGREEMENT * scale))
