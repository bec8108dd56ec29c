"""Values of measures on re-weighted cases, by the cheapest way that each summary allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, Indices
from credibly._core.averages import EQUALLY_WEIGHTED
from credibly._core.parameters import Rule, require
from credibly._core.progress import track
from credibly._kernels import device as card
from credibly._kernels.bootstrap import (
    PanelSums,
    replicate_sums,
    resampled_sums,
    weighted_sums,
)
from credibly._kernels.draws import (
    multinomial_weights,
    numbers_of,
    poisson_weights,
    worth_kernels,
)
from credibly._kernels.placements import falling_order
from credibly._kernels.poisson_lanes import LANES
from credibly._kernels.rank_lanes import MAX_POINTS, MAX_POINTS_PER_THREAD, lane_weights
from credibly._kernels.threads import kept_by_thread, spread
from credibly.errors import DataError
from credibly.intervals.moments import block_length, block_weights
from credibly.predictions import Predictions
from credibly.predictions.labels import MISSING
from credibly.predictions.numbering import unit_numbers
from credibly.predictions.parts import time_steps
from credibly.predictions.summaries import (
    BinaryCounts,
    Counts,
    LossMoments,
    PairMoments,
    Pairs,
    ScoreTable,
)
from credibly.predictions.summaries.linear import class_places, one_vs_rest
from credibly.predictions.summaries.scores import OrderSums

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly._kernels import Device
    from credibly.measures import Measure


MIN_POISSON_CASES = 1000  # with fewer, a Poisson replicate would vary visibly too much
MAX_SINGLE_HITS = 30  # equal cases in a row that are hit one by one when those left out are counted
WEIGHTS_PER_BLOCK = 1 << 22  # weights held at a time when a measure needs them one by one
CELLS_AT_A_TIME = 1 << 17  # of wide summaries, which several temporary arrays go with
MOST_REPLICATES = 10**9  # above, the table of their values alone fills the memory
NOT_TOO_MANY = Rule(
    f"at most {MOST_REPLICATES:,}", lambda n: n <= MOST_REPLICATES, MOST_REPLICATES + 1
)


class Replicates:
    """Random weights of the cases (or groups) of some predictions, and measures on them.

    ``paired`` ones weigh each case, so that the same seed weighs those of another model alike; tables
    of labels would otherwise be drawn whole, each by itself.
    """

    by_lanes = True  # whether weights may be drawn 64 replicates at a time

    def __init__(
        self,
        p: Predictions,
        seed: int,
        count: int,
        *,
        stratified: bool,
        paired: bool = False,
        device: Device = "cpu",
        block: int | None = None,
    ) -> None:
        require("replicates", count, NOT_TOO_MANY, "More than 10,000 hardly move a limit.")
        self.p, self.seed, self.count = p, seed, count
        self.paired, self.device = paired, device
        self.weights: Floats | None = None  # of all rows in all replicates, where they are held
        self.units = unit_numbers(p)
        self.n_units = int(self.units.max(initial=-1)) + 1
        self.strata = p.truth.astype(np.int64) if stratified and p.clusters is None else None
        if self.strata is not None and (p.class_counts == 1).any():
            raise DataError(
                "A class has a single case, which is the same in all stratified replicates."
            )
        self.exact = stratified or self.n_units < MIN_POISSON_CASES
        counted = p.clusters is None and p.weight_kind == "frequency"
        self.copies = p.weights if counted else None
        self.steps = time_steps(p) if p.in_time else None
        self.block = block_length(p) if p.in_time and block is None else block

    def values(self, measures: Sequence[Measure], average: Average | None) -> Floats:
        """Return a column for each measure, a row for each replicate."""
        if average:
            return np.column_stack([self._averaged(m, average) for m in measures])
        panel = [m for m in measures if _in_panel(m)]
        tabled = [m for m in measures if m.reads is ScoreTable and not _in_panel(m)]
        tables = self._tables(tabled) if tabled else np.empty((0, 0))
        pointed = [m for m in measures if m.reads is Pairs]
        points = self._points(pointed) if pointed else np.empty((0, 0))
        sums: PanelSums | None = None
        if panel:
            sums = self._cells() if self._only_cells(panel) else self._panel(panel)
        columns = []
        for m in measures:
            if sums is not None and _in_panel(m):
                with np.errstate(all="ignore"):
                    columns.append(m.of_summary(self._summary(m, panel, sums)))
            elif m.reads is ScoreTable:
                columns.append(tables[:, tabled.index(m)])
            elif m.reads is Pairs:
                columns.append(points[:, pointed.index(m)])
            else:
                columns.append(self.one_by_one(m.value))
        return np.column_stack(columns)

    def _order(self, score: Floats) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the rows in falling order of score, and which differ in score from the one before."""
        return card.falling_order(score) if self.device == "gpu" else falling_order(score)

    def _tables(self, measures: list[Measure]) -> Floats:
        """Re-weight the table of distinct scores, a few replicates at a time, for all measures."""
        found = []
        for table in self.score_tables(measures[0].name):
            with np.errstate(all="ignore"):
                found.append(np.column_stack([m.of_summary(table) for m in measures]))
        return np.concatenate(found)

    def score_tables(self, wanted_by: str) -> Iterator[ScoreTable]:
        """Yield the table of distinct scores with the weights of a few replicates at a time."""
        score = self.p.scores_of(self.p.positive or 0, wanted_by)
        order, new = self._order(score)
        ranked, first = score[order], np.flatnonzero(new)
        positive = 1.0 * (self.p.truth == self.p.positive)[order]
        for weight in self._few():
            moved = np.take(weight, order, axis=1)
            pos, neg = moved * positive, moved * (1 - positive)
            if first.size < order.size:
                pos, neg = (np.add.reduceat(side, first, axis=1) for side in (pos, neg))
            # One table, which keeps what measures share.
            yield ScoreTable(ranked[first], pos, neg, case_weight=self.p.case_weight)

    def _points(self, measures: list[Measure]) -> Floats:
        """Re-weight the points of truth and value, whose order stays the same."""
        p, value = self.p, self.p.need("value", measures[0].name)
        known = np.flatnonzero(~np.isnan(p.truth))
        order = known[np.argsort(p.truth[known])]
        truth, column = p.truth[order], value[order]
        shared: dict[str, Any] = {}  # the rankings
        plain = p.weight is None and self.weights is None and self.steps is None
        lanes = self.by_lanes and plain and not self.exact and order.size <= MAX_POINTS
        if lanes and worth_kernels(p.n, self.count):
            case = numbers_of(self.units[order], order.size)
            return self._points_in_lanes(measures, Pairs(truth, column, truth, shared), case)
        found = []
        for weight in self._few():
            batch = Pairs(truth, column, weight[:, order], shared)
            with np.errstate(all="ignore"):
                found.append(np.column_stack([m.of_summary(batch) for m in measures]))
        return np.concatenate(found)

    def _points_in_lanes(
        self, measures: list[Measure], points: Pairs, case: NDArray[np.uint64]
    ) -> Floats:
        """Weigh 64 replicates of the points side by side, in threads that keep their memory."""
        points.rankings()
        out = np.empty((-(-self.count // LANES), LANES, len(measures)))
        room = kept_by_thread(lambda: np.empty((case.size, LANES), np.uint16))

        def run(block: int) -> None:
            weight: Any = lane_weights(case, room(), seed=self.seed, block=block).T
            with np.errstate(all="ignore"):
                batch = replace(points, weight=weight)
                out[block] = np.column_stack([m.of_summary(batch) for m in measures])

        spread(run, range(len(out)), large=case.size <= MAX_POINTS_PER_THREAD)
        return out.reshape(-1, len(measures))[: self.count]

    def _few(self) -> Iterator[Floats]:
        """Yield the weights of a few replicates at a time, for summaries that are wide: what stays in the cache."""
        rows = max(1, min(LANES, CELLS_AT_A_TIME // max(self.p.n, 1)))
        few = (b[i : i + rows] for b in self._blocks() for i in range(0, len(b), rows))
        return track(few, -(-self.count // rows), "replicates")

    def tables(self, pieces: int) -> ScoreTable:
        """Return a batch of tables of scores, in at most so many pieces of neighbouring ones.

        Each piece ends at a score of its own, and down to there its running sums are exact.
        """
        score = self.p.scores_of(self.p.positive or 0, "a band")
        order, new = self._order(score)
        first = np.flatnonzero(new)
        if first.size > pieces:
            # Single scores at both ends, where a curve turns within few cases, longer pieces between.
            row = score.size * np.sin(np.linspace(0, np.pi / 2, pieces, endpoint=False)) ** 2
            first = np.unique(first[np.minimum(np.searchsorted(first, row), first.size - 1)])
        piece = np.repeat(np.arange(first.size), np.diff(first, append=score.size))
        cell = 2 * piece + (self.p.truth == self.p.positive)[order]
        cells = self._sums(order, {"cell": cell, "n_cells": 2 * first.size}).cells
        assert cells is not None  # noqa: S101
        last = np.append(first[1:], score.size) - 1
        return ScoreTable(score[order[last]], cells[:, 1::2], cells[:, ::2])

    def _averaged(self, m: Measure, average: Average) -> Floats:
        """Average over classes in each replicate; all classes share its weights."""
        if average not in EQUALLY_WEIGHTED:
            return self.one_by_one(lambda p: m.averaged(p, average))
        places = class_places(self.p, "class" if average == "macro" else "occurring_class")
        if self._only_cells([m]):
            return self._averaged_tables(m, places)
        views = [one_vs_rest(self.p, i) for i in places]
        each = [self._of_view(view).values([m], None)[:, 0] for view in views]
        return np.mean(each, axis=0)

    def _averaged_tables(self, m: Measure, places: list[int]) -> Floats:
        """Average over some classes in each replicate of the table, a few replicates at a time."""
        drawn, found = self._counts(self._cells()), []
        step = max(1, WEIGHTS_PER_BLOCK // max(drawn.matrix[0].size, 1))
        for first in range(0, self.count, step):
            part = slice(first, first + step)
            each = replace(drawn, matrix=drawn.matrix[part], doubt=drawn.doubt[part]).each_binary()
            with np.errstate(all="ignore"):
                values = m.of_summary(each if m.class_wise else each.table())
            found.append(values[:, places].mean(axis=1))
        return np.concatenate(found)

    def _of_view(self, view: Predictions) -> Replicates:
        other = Replicates(view, self.seed, self.count, stratified=False)
        other.strata, other.exact, other.paired = self.strata, self.exact, True
        other.device, other.weights, other.block = self.device, self.weights, self.block
        return other

    def held(self, others: Sequence[Replicates]) -> None:
        """Draw all weights at once, for these replicates and those of other models on the same cases.

        They are the same ones. With few cases most of the work is drawing them, not adding up.
        """
        if self.count * self.p.n <= WEIGHTS_PER_BLOCK:
            drawn = self._drawn(0, self.count)
            for each in (self, *others):
                each.weights = drawn

    def _only_cells(self, panel: list[Measure]) -> bool:
        """Whether a table of labels is all that is read, and cases are drawn one by one."""
        plain = self.strata is None and self.p.clusters is None and self.p.weight is None
        return not self.paired and plain and all(m.reads in {Counts, BinaryCounts} for m in panel)

    def _cells(self) -> PanelSums:
        """Draw tables of labels themselves: exact in distribution, at a cost that no number of cases changes."""
        counts = Counts.of(self.p)
        table = np.column_stack([counts.matrix, counts.doubt]).ravel()
        rng = np.random.default_rng(self.seed)
        drawn = rng.multinomial(self.p.n, table / self.p.n, size=self.count).astype(np.float64)
        return PanelSums(weight=drawn.sum(axis=1), cells=drawn)

    def _counts(self, sums: PanelSums) -> Counts:
        k = len(self.p.classes)
        table = np.asarray(sums.cells).reshape(-1, k, k + 1)
        return Counts(table[..., :k], table[..., k], self.p.classes)

    def _panel(self, measures: list[Measure]) -> PanelSums:
        """Add up in one pass all that these measures read."""
        p = self.p
        columns: dict[str, Any] = {}
        order = np.arange(p.n)
        if any(m.reads is ScoreTable for m in measures):
            score = p.scores_of(p.positive or 0, "a bootstrap")
            order, columns["new_score"] = self._order(score)
            columns["positive"] = (p.truth == p.positive)[order]
            ranked = [m for m in measures if m.reads is ScoreTable]
            columns["precision"] = any(_changes_with(m, "precision") for m in ranked)
            columns["gap"] = any(_changes_with(m, "largest_gap") for m in ranked)
        losses = [_columns(m, p) for m in measures if m.reads in {LossMoments, PairMoments}]
        if losses:
            columns["losses"] = np.ascontiguousarray(np.column_stack(losses)[order])
        if any(m.reads in {Counts, BinaryCounts} for m in measures):
            k = len(p.classes)
            label = p.need("label", "a bootstrap")
            cell = p.truth * np.int64(k + 1) + np.where(label == MISSING, k, label)
            columns |= {"cell": cell[order], "n_cells": k * (k + 1)}
        return self._sums(order, columns)

    def _sums(self, order: NDArray[np.int64], columns: dict[str, Any]) -> PanelSums:
        common: dict[str, Any] = {"seed": self.seed, "count": self.count}
        units = self.units[order]
        if self.p.weight is not None or self.weights is not None or self.steps is not None:
            return self._weighted(order, columns)
        if self.exact:
            extra: dict[str, Any] = {"n_cases": self.n_units, "strata": self.strata}
            return resampled_sums(units, **columns, **extra, **common)
        return replicate_sums(units, device=self.device, **columns, **common)

    def _weighted(self, order: NDArray[np.int64], columns: dict[str, Any]) -> PanelSums:
        """Multiply the random weights with the given ones, a few replicates at a time."""
        parts = [weighted_sums(w[:, order], of=self.count, **columns) for w in self._blocks()]
        joined: dict[str, Any] = {}
        for f in fields(PanelSums):
            column = [getattr(part, f.name) for part in parts]
            joined[f.name] = None if column[0] is None else np.concatenate(column)
        return PanelSums(**joined)

    def _blocks(self) -> Iterator[Floats]:
        """Yield weights of all rows, a few replicates at a time."""
        step = max(1, WEIGHTS_PER_BLOCK // max(self.p.n, 1))
        for first in range(0, self.count, step):
            yield self._drawn(first, min(step, self.count - first))

    def _drawn(self, first: int, size: int) -> Floats:
        """Return the weights of all rows in so many replicates from one on."""
        drawn: NDArray[Any]
        if self.weights is not None:
            return self.weights[first : first + size]
        if self.steps is not None and self.block is not None:
            moments, now = int(self.steps.max(initial=-1)) + 1, {"first": first, "count": size}
            drawn = block_weights(moments, self.block, seed=self.seed, **now)
            return drawn[:, self.steps] * self.p.weights
        if self.copies is not None:
            return self._copies_drawn(first, size)
        asked: dict[str, Any] = {"seed": self.seed, "first": first, "count": size, "of": self.count}
        if self.exact:
            drawn = multinomial_weights(self.n_units, strata=self.strata, **asked)[:, self.units]
        else:
            drawn = poisson_weights(self.units, **asked)
        return drawn * self.p.weights

    def _copies_drawn(self, first: int, size: int) -> Floats:
        """Draw how often the cases of each row are drawn: a row with a frequency is a cell of a multinomial."""
        copies = self.copies if self.copies is not None else self.p.weights
        drawn = np.zeros((size, self.p.n))
        for stratum in np.unique(self.strata) if self.strata is not None else (None,):
            rows = slice(None) if stratum is None else self.strata == stratum
            total = copies[rows].sum()
            for i in range(size):  # a generator for each replicate: blocks must not matter
                rng = np.random.default_rng([self.seed, first + i, stratum or 0])
                drawn[i, rows] = rng.multinomial(int(total), copies[rows] / total)
        return drawn

    def one_by_one(self, value: Any) -> Floats:  # noqa: ANN401
        """Re-weight the predictions and compute again: for summaries without running sums."""
        weights = (weight for block in self._blocks() for weight in block)
        found = []
        for weight in track(weights, self.count, "replicates"):
            again = replace(self.p, weight=weight, weight_kind=self.p.kind_of_sums, cache={})
            found.append(value(again.take(weight > 0)))
        return np.array(found)

    def _summary(self, m: Measure, panel: list[Measure], sums: PanelSums) -> Any:  # noqa: ANN401
        """Return the batch of summaries of one measure."""
        if m.reads is ScoreTable:
            order = OrderSums(*(np.asarray(getattr(sums, f.name)) for f in fields(OrderSums)))
            return ScoreTable.of_order_sums(order)
        if m.reads in {Counts, BinaryCounts} and sums.cells is not None:
            counts = self._counts(sums)
            return counts if m.reads is Counts else counts.binary(self.p.positive or 0)
        wide = [q for q in panel if q.reads in {LossMoments, PairMoments}]
        start = sum(_columns(q, self.p).shape[1] for q in wide[: wide.index(m)])
        width = _columns(m, self.p).shape[1]
        assert sums.losses is not None  # noqa: S101
        total = sums.losses[:, start : start + width]
        if m.reads is PairMoments:
            return _pair_moments(self.p, sums.weight, total)
        return LossMoments.of_sums(sums.weight, total)


class OutOfBag(Replicates):
    """Measures on the cases that some replicates (in rising order) leave out, unseen by a choice made in them."""

    by_lanes = False

    def __init__(self, drawn: Replicates, which: Indices) -> None:
        self.__dict__.update(drawn.__dict__)
        self.paired, self.which, self.count = True, which, which.size

    def _drawn(self, first: int, size: int) -> Floats:
        places = self.which[first : first + size]
        start, length = int(places[0]), int(places[-1] - places[0]) + 1
        if self.weights is not None:
            drawn = self.weights[places]
        elif length <= 2 * places.size:
            drawn = super()._drawn(start, length)[places - start]
        else:  # those between are not needed
            drawn = np.concatenate([super(OutOfBag, self)._drawn(i, 1) for i in places.tolist()])
        if self.copies is None:
            return (drawn == 0) * self.p.weights
        seeds = [[self.seed, place, 1] for place in places.tolist()]
        each = zip(drawn, map(np.random.default_rng, seeds), strict=True)
        return np.stack([left_out(d, self.copies, rng) for d, rng in each])

    def _sums(self, order: NDArray[np.int64], columns: dict[str, Any]) -> PanelSums:
        return self._weighted(order, columns)

    def _of_view(self, view: Predictions) -> Replicates:
        return OutOfBag(super()._of_view(view), self.which)


def left_out(drawn: Floats, copies: Floats, rng: np.random.Generator) -> Floats:
    """Return how many of the equal cases that each row counts no draw has hit, of so many draws from them.

    Few cases are hit one draw after the other; of many, the number left is nearly normal.

    >>> left_out(np.array([0.0, 1.0, 3.0]), np.array([5.0, 5.0, 1.0]), np.random.default_rng(1)).tolist()
    [5.0, 4.0, 0.0]
    """
    few = copies <= MAX_SINGLE_HITS
    left = copies.copy()
    for step in range(int(drawn[few].max(initial=0))):
        hits = few & (step < drawn)
        left -= hits & (rng.random(left.size) * copies < left)
    per_copy = drawn / copies
    mean = copies * np.exp(drawn * np.log1p(-1 / np.maximum(copies, 2)))
    variance = copies * np.exp(-2 * per_copy) * (np.expm1(per_copy) - per_copy)
    about = np.rint(mean + np.sqrt(variance) * rng.standard_normal(left.size))
    return np.where(few, left, np.clip(about, np.maximum(copies - drawn, 0), copies - (drawn > 0)))


def _changes_with(m: Measure, name: str) -> bool:
    """Whether a measure of ranked scores reads one of the sums, which else need not be added up."""
    sums = OrderSums(*np.array([3.0, 4, 5, 1, 2, 6])[:, None])
    moved = replace(sums, **{name: np.array([2.5])})
    first, second = (m.of_summary(ScoreTable.of_order_sums(s)).item() for s in (sums, moved))
    return bool(first != second)


def _in_panel(m: Measure) -> bool:
    """Whether the running sums of a panel are all that a measure reads."""
    if m.reads is ScoreTable:
        return m.of_order
    return m.reads in {Counts, BinaryCounts, LossMoments, PairMoments}


def _columns(m: Measure, p: Predictions) -> Floats:
    """Return what each case adds to the sums that a measure reads."""
    if m.reads is LossMoments:
        return m.losses(p)
    origin = PairMoments.of(p)
    x = np.column_stack([p.truth, p.need("value", m.name)]) / origin.unit - origin.origin
    return np.column_stack([x, x[:, 0] ** 2, x[:, 0] * x[:, 1], x[:, 1] ** 2])


def _pair_moments(p: Predictions, weight: Floats, total: Floats) -> PairMoments:
    origin = PairMoments.of(p)
    products = total[:, [2, 3, 3, 4]].reshape(-1, 2, 2)
    return PairMoments(weight, total[:, :2], products, origin.origin, origin.unit)
