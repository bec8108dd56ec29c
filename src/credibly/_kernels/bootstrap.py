"""Sums over many replicates at once: what a bootstrap of measures is made of.

Sixty-four replicates go through the cases side by side, in the lanes of vector registers: they share
the class and the ties of a row, and no lane waits for another. Numba is imported when the first
large input comes; small ones take the numpy twin of each kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credibly._core.arrays import Floats
from credibly._kernels import Device, poisson_lanes
from credibly._kernels.draws import (
    MIN_ADJUSTED_CASES,
    NOT_HELD,
    Held,
    Strata,
    hold,
    key_of,
    multinomial,
    numbers_of,
    poisson,
    room_for,
    spans_of,
    tile,
    worth_kernels,
)
from credibly._kernels.poisson_lanes import (
    END,
    GP,
    LANES,
    LAST_OF_TIE,
    OFFSETS,
    POISSON,
    TIED_NEGATIVE,
    TILE,
    U64,
)
from credibly._kernels.threads import spread

BLOCK_ELEMENTS = 1 << 20
# Bytes of weights that all threads hold together, or one of them by itself.
MAX_HELD_BYTES = 1 << 29
TWIN_ELEMENTS = 12_000  # the same for numpy: small enough to be allocated again without page faults


# --- sums --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class PanelSums:
    """Sums of each replicate (first axis); None for what was not asked for.

    ``weight`` is that of all cases. ``concordant`` and ``tied`` count pairs of a positive and a
    negative case, ``precision`` adds up over the positives the precision at their score, and
    ``largest_gap`` is the largest difference between the two distributions of scores, in pairs.
    ``losses`` and ``cells`` have a column for each loss and each cell.
    """

    weight: Floats
    positives: Floats | None = None
    negatives: Floats | None = None
    concordant: Floats | None = None
    tied: Floats | None = None
    precision: Floats | None = None
    largest_gap: Floats | None = None
    losses: Floats | None = None
    cells: Floats | None = None


SUM_NAMES = ("positives", "negatives", "concordant", "tied", "precision", "largest_gap")


class SummedColumns(TypedDict, total=False):
    """The columns to add up over rows; columns that are left out cost nothing.

    For measures of ranking, rows stand in falling order of score: ``positive`` is their class and
    ``new_score`` says which differ in score from the row before (all, if left out). ``precision``
    and ``gap`` ask for these sums as well. ``losses`` has a row for each row and a column for each
    loss; one that is infinite counts in the replicates that draw its case. ``cell`` is a code below
    ``n_cells``, such as truth and label.
    """

    positive: ArrayLike | None
    new_score: ArrayLike | None
    precision: bool
    gap: bool
    losses: ArrayLike | None
    cell: ArrayLike | None
    n_cells: int


class _Panel:
    """The columns, checked and ready for the kernels."""

    def __init__(self, n: int, columns: SummedColumns) -> None:
        positive, self.n, self.n_cells = columns.get("positive"), n, columns.get("n_cells", 0)
        self.ordered = positive is not None
        self.precision = columns.get("precision", False) and self.ordered
        self.gap = columns.get("gap", False) and self.ordered
        self.positive = self._rows(positive, np.ones(n, np.bool_))
        self.new_score = self._rows(columns.get("new_score"), np.ones(n, np.bool_))
        self.new_score[:1] = True
        losses = self._rows(columns.get("losses"), np.zeros((n, 0)))
        self.cell = self._rows(columns.get("cell"), np.zeros(n, np.int64))
        if self.n_cells and n and not 0 <= self.cell.min() <= self.cell.max() < self.n_cells:
            raise ValueError(f"cells must be numbered from 0 to {self.n_cells - 1} (n_cells - 1).")
        # No weight makes a number of what is not one, so such losses are counted beside the others.
        self.endless = [(end, same) for end, same in _ends(losses) if same.any()]
        self.n_losses = losses.shape[1]
        finite = np.where(np.isfinite(losses), losses, 0.0) if self.endless else losses
        self.losses = np.column_stack([finite, *(same for _, same in self.endless)])

    def _rows(self, given: ArrayLike | None, default: NDArray[Any]) -> NDArray[Any]:
        if given is None:
            return default
        rows = np.array(given, default.dtype, order="C")
        if rows.ndim != default.ndim or len(rows) != self.n:
            raise ValueError(f"A column has the shape {rows.shape}, and there are {self.n} cases.")
        return rows

    def room(self, count: int) -> tuple[Floats, Floats, Floats]:
        """Return zeros for the sums of ranking, of losses and of cells of some replicates."""
        q = self.losses.shape[1]
        return (
            np.zeros((count, len(SUM_NAMES))),
            np.zeros((count, q)),
            np.zeros((count, self.n_cells)),
        )

    def named(self, order: Floats, losses: Floats, cells: Floats) -> PanelSums:
        """Name the sums, leaving out what was not asked for."""
        named = dict(zip(SUM_NAMES, order.T, strict=True)) if self.ordered else {}
        for name, wanted in (("precision", self.precision), ("largest_gap", self.gap)):
            if not wanted:
                named.pop(name, None)
        parts = np.split(losses, len(self.endless) + 1, axis=1)
        total = parts[0]
        with np.errstate(invalid="ignore"):
            for (end, _), count in zip(self.endless, parts[1:], strict=True):
                total = total + np.where(count > 0, end, 0.0)
        return PanelSums(
            order[:, 0] + order[:, 1],
            **named,
            losses=total if self.n_losses else None,
            cells=cells if self.n_cells else None,
        )

    def kinds(self) -> NDArray[np.uint8]:
        """Say of each row what it does to the running sums: see the names of the kinds."""
        kind = self.positive.astype(np.uint8)
        if self.new_score.all():
            return kind
        groups = np.flatnonzero(self.new_score)
        size = np.diff(groups, append=self.n)
        gathered = (size > 1) & np.logical_or.reduceat(self.positive, groups)
        kind += np.repeat(np.where(gathered, TIED_NEGATIVE, 0).astype(np.uint8), size)
        kind[(groups + size - 1)[gathered]] += LAST_OF_TIE
        return kind

    def edges(self) -> NDArray[np.int64]:
        """Cut the rows into at most about a thousand segments, none of them within a tie."""
        groups = np.flatnonzero(self.new_score)
        length = max(128, -(-self.n // 1024))
        wanted = np.searchsorted(groups, np.arange(0, self.n, length))
        return np.append(np.unique(groups[wanted[wanted < groups.size]]), self.n).astype(np.int64)


def _ends(losses: Floats) -> list[tuple[float, Floats]]:
    """Return what a loss can be that is not a number, and where it is."""
    found = [(end, (losses == end) * 1.0) for end in (np.inf, -np.inf)]
    return [*found, (np.nan, np.isnan(losses) * 1.0)] if not np.isfinite(losses).all() else []


# Only a score that several rows share, one of them positive, needs to be gathered before it counts;
# a negative row of any other score sees all positives before it above itself.


def replicate_sums(
    case: ArrayLike,
    *,
    seed: int,
    first: int = 0,
    count: int,
    device: Device = "cpu",
    **columns: Unpack[SummedColumns],
) -> PanelSums:
    """Return the sums of ``count`` Poisson replicates from number ``first`` on, in one pass.

    ``case`` is the number of the case that stands in a row, from which its weights come. For a
    bootstrap of groups, pass the number of its group instead: all rows of a group then have the same
    weight. Sums of weights and pairs are exact up to 1.8e8 rows, losses and precision to 1e-12.

    >>> from credibly._kernels.draws import poisson_weights
    >>> poisson_weights([2, 0, 1], seed=1, count=3).tolist()
    [[0, 1, 0], [3, 1, 0], [0, 2, 2]]
    >>> sums = replicate_sums([2, 0, 1], positive=[True, False, True], seed=1, count=3)
    >>> sums.positives.tolist(), sums.negatives.tolist(), sums.concordant.tolist()
    ([0.0, 3.0, 2.0], [1.0, 1.0, 2.0], [0.0, 3.0, 0.0])
    """
    numbers = numbers_of(case, np.size(case))
    panel = _Panel(numbers.size, columns)
    if device == "gpu" and panel.n:
        from credibly._kernels.device import DevicePanel, device_sums

        blocks = range(first // LANES, -(-(first + count) // LANES))
        keys = [key_of(seed, POISSON, block) for block in blocks]
        rows = DevicePanel(numbers, panel.kinds(), panel.losses, panel.cell, panel.n_cells)
        drawn = device_sums(rows, keys, reach=panel.precision or panel.gap)
        kept = slice(first % LANES, first % LANES + count)
        return panel.named(*(part[kept] for part in drawn))
    if worth_kernels(panel.n, count):
        return _by_lanes(numbers, panel, seed, first, count)

    def weights(low: int, high: int) -> NDArray[Any]:
        return poisson(numbers, seed, low, high, compiled=False)

    place = np.arange(panel.n)
    return _in_blocks(weights, place, panel, first, count, compiled=False)


def resampled_sums(
    case: ArrayLike,
    *,
    n_cases: int | None = None,
    strata: ArrayLike | None = None,
    seed: int,
    first: int = 0,
    count: int,
    **columns: Unpack[SummedColumns],
) -> PanelSums:
    """Return what `replicate_sums` does, for replicates that draw exactly ``n_cases`` cases.

    For small inputs, whose Poisson replicates vary by a per cent too much, and for stratified
    replicates: ``strata`` is a code from 0 for each case *number* (each group, where ``case`` holds
    groups). About half as slow again as `replicate_sums`, and each thread holds 64 bytes per case.

    >>> sums = resampled_sums([2, 0, 1], positive=[True, False, True], seed=1, count=3)
    >>> (sums.positives + sums.negatives).tolist()
    [3.0, 3.0, 3.0]
    """
    numbers = numbers_of(case, np.size(case)).astype(np.int64)
    panel = _Panel(numbers.size, columns)
    n = int(numbers.max(initial=-1)) + 1 if n_cases is None else n_cases
    if panel.n and n <= numbers.max():
        raise ValueError(f"case has the number {numbers.max()}, and there are only {n} cases.")
    drawn_from = spans_of(n, strata)
    compiled = worth_kernels(max(panel.n, n), count)
    if compiled and n >= MIN_ADJUSTED_CASES:
        return _by_lanes(numbers.view(np.uint64), panel, seed, first, count, drawn_from)

    def weights(low: int, high: int) -> NDArray[Any]:
        return multinomial(drawn_from, seed, low, high, compiled=compiled)

    together = LANES if n >= MIN_ADJUSTED_CASES else 4
    return _in_blocks(weights, numbers, panel, first, count, compiled=compiled, together=together)


def weighted_sums(
    weights: ArrayLike, *, of: int = 0, **columns: Unpack[SummedColumns]
) -> PanelSums:
    """Return what `replicate_sums` does, for given weights (a row for each replicate), whole or not.

    Where they are some replicates of many, ``of`` says of how many.

    >>> tied = {"positive": [True, False, True], "new_score": [True, True, False]}
    >>> sums = weighted_sums([[1, 1, 1], [2, 0, 1]], **tied)
    >>> sums.concordant.tolist(), sums.tied.tolist()
    ([1.0, 0.0], [1.0, 0.0])
    """
    given = np.asarray(weights)
    if given.ndim != 2:
        raise ValueError("weights must have a row for each replicate and a column for each case.")
    panel = _Panel(given.shape[1], columns)
    compiled = worth_kernels(panel.n, of or len(given))
    return panel.named(*_weighted(given, np.arange(panel.n), panel, compiled=compiled))


def _in_blocks(
    weights: Callable[[int, int], NDArray[Any]],
    case: NDArray[np.int64],
    panel: _Panel,
    first: int,
    count: int,
    *,
    compiled: bool,
    together: int = 4,
) -> PanelSums:
    """Draw a few replicates at a time, those that share random bits ``together``, and add up under their weights."""
    held = BLOCK_ELEMENTS if compiled else TWIN_ELEMENTS
    step = max(together, held // max(panel.n, 1) // together * together)
    stop = first + count
    out = panel.room(count)

    def run(start: int) -> None:
        low, high = max(start, first), min(start + step, stop)
        parts = _weighted(weights(low, high), case, panel, compiled=compiled)
        for target, part in zip(out, parts, strict=True):
            target[low - first : high - first] = part

    spread(run, range(first - first % together, stop, step), large=compiled)
    return panel.named(*out)


def _weighted(
    weights: NDArray[Any], case: NDArray[np.int64], panel: _Panel, *, compiled: bool
) -> tuple[Floats, Floats, Floats]:
    """Return sums of ranking, of losses and of cells under given weights of cases."""
    zero: Any = np.int64(0) if weights.dtype.kind in "bui" else np.float64(0)
    out = panel.room(len(weights))
    if compiled:
        last = np.append(panel.new_score[1:], True)
        rows = (case, panel.positive, last, panel.losses, panel.cell)
        poisson_lanes.weigh(
            np.ascontiguousarray(weights), rows, panel.precision, panel.gap, zero, *out
        )
        return out
    given = weights[:, case].astype(np.float64)  # exact for whole weights, up to 2**53 pairs
    order, losses, cells = out
    if panel.n and panel.ordered:
        _weighted_order(given, panel, order)
    else:
        order[:, 0] = given.sum(axis=1)
    losses[:] = given @ panel.losses
    for c in range(panel.n_cells):
        cells[:, c] = given[:, panel.cell == c].sum(axis=1)
    return out


def _weighted_order(weights: NDArray[Any], panel: _Panel, out: Floats) -> None:
    p = weights * panel.positive
    q = weights - p
    if not panel.new_score.all():
        groups = np.flatnonzero(panel.new_score)
        p, q = (np.add.reduceat(side, groups, axis=1) for side in (p, q))
    tp = p.cumsum(axis=1)
    out[:, 0], out[:, 1] = tp[:, -1], q.sum(axis=1)
    out[:, 2], out[:, 3] = np.vecdot(tp - p, q), np.vecdot(p, q)
    if not (panel.precision or panel.gap):
        return
    fp = q.cumsum(axis=1)
    if panel.precision:
        labelled = tp + fp
        out[:, 4] = (p * (tp / np.where(labelled > 0, labelled, 1))).sum(axis=1)
    if panel.gap:
        out[:, 5] = np.abs(tp * fp[:, -1:] - fp * tp[:, -1:]).max(axis=1)


def _by_lanes(
    case: NDArray[np.uint64],
    panel: _Panel,
    seed: int,
    first: int,
    count: int,
    strata: Strata | None = None,
) -> PanelSums:
    """Run blocks of 64 replicates through the compiled kernel; with strata, of exactly so many draws."""
    kind, edges = panel.kinds(), panel.edges()
    out = panel.room(count)

    def run(block: int, held: Held = NOT_HELD) -> None:
        low, high = max(first, block * LANES), min(first + count, (block + 1) * LANES)
        drawing = (U64(key_of(seed, POISSON, block)), OFFSETS, *tile(), held)
        wide, gap = np.zeros(END, np.int64), np.zeros(LANES)
        precision = np.zeros(LANES if panel.precision else 0)
        losses = np.zeros((panel.losses.shape[1], LANES))
        cells = np.zeros((panel.n_cells, LANES), np.uint32)
        passed = np.zeros((edges.size if panel.gap else 0, 2 * LANES), np.int64)
        room = np.zeros(END, np.uint16), np.zeros(2 * LANES), np.empty((TILE, LANES)), 0 * losses
        rows = (case, kind, panel.losses, panel.cell)
        sums = (wide, precision, losses, cells, passed)
        poisson_lanes.add_block(rows, edges, drawing, room, sums)
        if panel.gap:
            positives, negatives = wide[:LANES].astype(float), wide[LANES : 2 * LANES].astype(float)
            poisson_lanes.largest_gap(case, kind, edges, drawing, passed, positives, negatives, gap)
        order = np.vstack([wide[:GP].reshape(-1, LANES), precision if precision.size else gap, gap])
        parts: tuple[NDArray[Any], ...] = (order, losses, cells)
        for target, part in zip(out, parts, strict=True):
            target[low - first : high - first] = part.T[low - block * LANES : high - block * LANES]

    blocks = range(first // LANES, -(-(first + count) // LANES))
    if strata is None:
        spread(run, blocks, large=True)
        return panel.named(*out)
    n = strata[0][-1].stop
    tasks = min(len(blocks), max(1, MAX_HELD_BYTES // (LANES * n)))

    def run_some(task: int) -> None:
        room = room_for(n)
        for block in blocks[task::tasks]:
            run(block, hold(strata, seed, block, room))

    spread(run_some, range(tasks), large=True)
    return panel.named(*out)
