"""Sums over many replicates at once: what a bootstrap of measures is made of.

The weight of a case in a replicate is a function of (seed, replicate, case) and of nothing else. So
it does not matter in which order the cases stand, how replicates are cut into blocks or how many
threads share them, and models that are evaluated on the same cases get the same replicates.

Sixty-four replicates go through the cases side by side, in the lanes of vector registers: they share
the class and the ties of a row, and no lane waits for another. Numba is imported when the first
large input comes; small ones take the numpy twin of each kernel.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from math import factorial
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._kernels import worth_compiling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

LANES = 64
WORDS = LANES // 4  # four 16-bit lanes a word
TILE = 16  # rows whose pairs are sure to fit 16 bits: see `_tables`
U64 = np.uint64
GOLDEN, MIX1, MIX2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
POISSON, MULTINOMIAL, RESOLVE = 1, 2, 0xD1B54A32D192ED03
ALL64 = (1 << 64) - 1
EACH = 0x0001_0001_0001_0001
DRAWS_A_ROW = 100  # draws that cost a twin what a row costs in a sort
BLOCK_ELEMENTS = 1 << 20


# --- Poisson(1) weights ------------------------------------------------------------------------


def _tables() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return where the weights 0 to 6 end among 32768 cells and the distribution within the rest.

    A weight w gets all the cells that fit into its probability. What is left over of each weight up
    to 6, and all larger ones, share the last 6 cells, in which 64 more bits decide. So the weights
    have their probabilities to within 2^-76 and cannot exceed 23; in 16 rows positives times
    negatives cannot exceed (8 * 23)^2, which fits 16 bits.
    """
    one = 1 << 200
    inverse_e = sum((-1) ** k * (one // factorial(k)) for k in range(60))
    cells = [(inverse_e << 15) // factorial(k) for k in range(24)]
    whole = [c // one if k < UNSURE else 0 for k, c in enumerate(cells)]
    ends = tuple(accumulate(whole[:UNSURE]))
    rest = accumulate(c - w * one for c, w in zip(cells, whole, strict=True))
    left = (1 << 15) - ends[-1]
    return ends, tuple((r << 64) // (left * one) for r in rest)[:-1]


UNSURE = 7
ENDS, REST = _tables()
REST_ENDS = np.array(REST, np.uint64)
T1, T2, T3, T4, T5, T6, T7 = (U64(end * EACH) for end in ENDS)
HIGH, BIT0, BIT1, BIT2 = (U64(bit * EACH) for bit in (0x8000, 1, 2, 4))
STEP = U64(WORDS * GOLDEN & ALL64)
GOLD, M1, M2, SALT = U64(GOLDEN), U64(MIX1), U64(MIX2), U64(RESOLVE)
S13, S14, S15, S27, S30, S31, S32 = (U64(s) for s in (13, 14, 15, 27, 30, 31, 32))
LOW32, TWO32 = U64(0xFFFFFFFF), U64(1 << 32)
OFFSETS = np.array([j * GOLDEN & ALL64 for j in range(WORDS)], np.uint64)


def poisson_weights(case: ArrayLike, *, seed: int, first: int = 0, count: int) -> NDArray[np.uint8]:
    """Return the weights of cases (columns) in replicates ``first`` to ``first + count`` (rows).

    They are Poisson with mean 1. Rows that have the same ``case``, such as the number of their
    group, have the same weight.

    >>> poisson_weights([0, 1, 2, 1], seed=1, first=5, count=2)
    """
    numbers = _numbers(case)
    compiled = _worth_compiling(numbers.size, count)
    return _poisson(numbers, seed, first, first + count, compiled=compiled)


def _poisson(
    case: NDArray[np.uint64], seed: int, first: int, stop: int, *, compiled: bool
) -> NDArray[np.uint8]:
    out = np.empty((stop - first, case.size), np.uint8)
    for block in range(first // LANES, -(-stop // LANES)):
        low, high = max(first, block * LANES), min(stop, (block + 1) * LANES)
        key, lane = _key(seed, POISSON, block), low % LANES
        rows = out[low - first : high - first]
        if compiled:
            _fill(case, U64(key), OFFSETS, lane, rows)
        else:
            rows[:] = _lanes(case, key, lane, lane + high - low)
    return out


def _worth_compiling(rows: int, replicates: int) -> bool:
    """Whether to use the kernels, which are then compiled."""
    if not worth_compiling(rows * replicates // DRAWS_A_ROW):
        return False
    _compile()
    return True


def _numbers(case: ArrayLike) -> NDArray[np.uint64]:
    return np.ascontiguousarray(case).astype(np.uint64)


def _key(*parts: int) -> int:
    """Hash seed, purpose and number into 64 bits."""
    z = 0
    for part in parts:
        z = (z + part + GOLDEN) & ALL64
        z = ((z ^ (z >> 30)) * MIX1) & ALL64
        z = ((z ^ (z >> 27)) * MIX2) & ALL64
        z ^= z >> 31
    return z


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = (z ^ (z >> S30)) * M1
    z = (z ^ (z >> S27)) * M2
    return z ^ (z >> S31)


def _lanes(case: NDArray[np.uint64], key: int, low: int, high: int) -> NDArray[np.uint8]:
    """Return the weights in lanes ``low`` to ``high`` of a block: the twin of `_draw`."""
    base = U64(key) + case * STEP
    words = range(low // 4, -(-high // 4))
    bits = _mixed(base[:, None] + OFFSETS[words.start : words.stop])
    cell = bits.view(np.uint16)[:, low - 4 * words.start :][:, : high - low] & np.uint16(0x7FFF)
    weight = np.searchsorted(np.array(ENDS, np.uint16), cell, side="right").astype(np.uint8)
    row, lane = np.nonzero(weight == UNSURE)
    more = _mixed(_mixed(base[row] ^ SALT) + (lane + low).astype(np.uint64) * GOLD)
    weight[row, lane] = np.searchsorted(REST_ENDS, more, side="right")
    return weight.T


# --- multinomial weights -----------------------------------------------------------------------


def multinomial_weights(
    n: int, *, seed: int, first: int = 0, count: int, strata: ArrayLike | None = None
) -> NDArray[np.int32]:
    """Return how often each of ``n`` cases (columns) is drawn in each replicate (rows).

    A replicate draws ``n`` cases with replacement; with ``strata`` (a code from 0 for each case) as
    many from each stratum as it has. Bounded integers are unbiased: what would make some more
    likely is drawn again. Memory is ``n * count``: ask for a few replicates at a time.

    >>> multinomial_weights(4, seed=1, count=2)
    """
    compiled = _worth_compiling(n, count)
    return _multinomial(_strata(n, strata), seed, first, first + count, compiled=compiled)


def _strata(n: int, strata: ArrayLike | None) -> tuple[list[slice], NDArray[np.intp] | None]:
    """Return where the strata lie in the cases sorted by stratum, and that order."""
    if strata is None:
        return [slice(0, n)], None
    codes = np.asarray(strata, np.int64)
    if codes.size != n:
        msg = f"strata must have a code for each of the {n} cases, not {codes.size}."
        raise ValueError(msg)
    stops = np.cumsum(np.bincount(codes)).tolist()
    return list(map(slice, [0, *stops], stops)), np.argsort(codes, kind="stable")


def _multinomial(
    strata: tuple[list[slice], NDArray[np.intp] | None],
    seed: int,
    first: int,
    stop: int,
    *,
    compiled: bool,
) -> NDArray[np.int32]:
    spans, members = strata
    out = np.zeros((stop - first, spans[-1].stop if spans else 0), np.int32)
    tally = _tally if compiled else _tallied
    for row, r in zip(out, range(first, stop), strict=True):
        key = U64(_key(seed, MULTINOMIAL, r))
        for span in spans:
            tally(key, span.start, row[span])
        if members is not None:
            row[members] = row.copy()
    return out


def _tallied(key: np.uint64, start: int, out: NDArray[np.int32]) -> None:
    """Count as many draws as there are cases: the twin of `_tally`."""
    draws = key + np.arange(start, start + out.size, dtype=np.uint64) * GOLD
    if out.size:
        out[:] = np.bincount(_bounded(draws, U64(out.size)), minlength=out.size)


def _bounded(z: NDArray[np.uint64], size: np.uint64) -> NDArray[np.int64]:
    """Return unbiased integers below ``size`` (Lemire 2019)."""
    bits = _mixed(z)
    product = (bits >> S32) * size
    out = (product >> S32).astype(np.int64)
    again = np.flatnonzero((product & LOW32) < TWO32 % size)
    if again.size:
        out[again] = _bounded(bits[again] + GOLD, size)
    return out


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


class _Rows:
    """The rows of a panel, checked and ready for the kernels: see `replicate_sums`."""

    def __init__(
        self,
        positive: ArrayLike | None,
        new_score: ArrayLike | None,
        losses: ArrayLike | None,
        cell: ArrayLike | None,
        n_cells: int,
        n: int,
        *,
        precision: bool,
        gap: bool,
    ) -> None:
        self.n, self.n_cells, self.ordered = n, n_cells, positive is not None
        self.precision, self.gap = precision and self.ordered, gap and self.ordered
        self.positive = np.ones(n, np.bool_) if positive is None else np.asarray(positive, np.bool_)
        new = np.ones(n, np.bool_) if new_score is None else np.array(new_score, np.bool_)
        new[:1] = True
        self.new_score = new
        self.losses = np.zeros((n, 0)) if losses is None else np.ascontiguousarray(losses, float)
        if self.losses.ndim != 2:
            msg = f"losses have a row for each case and a column for each loss, not {self.losses.ndim} axes."
            raise ValueError(msg)
        self.cell = np.zeros(0 if cell is None else n, np.int64)
        if cell is not None:
            self.cell[:] = cell
            if n and not 0 <= self.cell.min() <= self.cell.max() < n_cells:
                msg = f"cells are numbered from 0 to n_cells - 1 = {n_cells - 1}."
                raise ValueError(msg)
        lengths = {n, self.positive.size, new.size, len(self.losses)}
        if len(lengths) > 1:
            msg = f"case, positive, new_score and losses differ in length: {sorted(lengths)}."
            raise ValueError(msg)

    def sums(self, order: Floats, losses: Floats, cells: Floats) -> PanelSums:
        """Name the columns of the sums, leaving out what was not asked for."""
        named = dict(zip(NAMES, order.T, strict=True)) if self.ordered else {}
        for name, wanted in (("precision", self.precision), ("largest_gap", self.gap)):
            if not wanted:
                named.pop(name, None)
        return PanelSums(
            order[:, 0] + order[:, 1],
            **named,
            losses=losses if self.losses.shape[1] else None,
            cells=cells if self.cell.size or self.n_cells else None,
        )


NAMES = ("positives", "negatives", "concordant", "tied", "precision", "largest_gap")


def replicate_sums(
    case: ArrayLike,
    positive: ArrayLike | None = None,
    new_score: ArrayLike | None = None,
    losses: ArrayLike | None = None,
    cell: ArrayLike | None = None,
    *,
    n_cells: int = 0,
    precision: bool = False,
    gap: bool = False,
    seed: int,
    first: int = 0,
    count: int,
    n_threads: int = 1,
) -> PanelSums:
    """Return the sums of ``count`` Poisson replicates from number ``first`` on, in one pass.

    Rows stand in falling order of score; ``positive`` is their class and ``new_score`` says which
    differ in score from the row before (all, if left out). Without ``positive`` only losses and
    cells are added up. ``losses`` (rows by losses) must be finite: infinite ones are counted by a
    column of their own. ``cell`` below ``n_cells`` is any small code, such as truth and label.

    ``case`` is the number of the case that stands in a row, from which its weights come. For a
    bootstrap of groups, pass the number of its group instead: all rows of a group then have the same
    weight. Sums of weights and pairs are exact up to 1.8e8 rows; losses and precision to about 1e-13.

    >>> s = replicate_sums([2, 0, 1], [True, False, True], seed=1, count=3)
    >>> poisson_weights([2, 0, 1], seed=1, count=3).tolist()
    >>> s.positives.tolist(), s.negatives.tolist(), s.concordant.tolist()
    """
    numbers = _numbers(case)
    rows = _Rows(
        positive, new_score, losses, cell, n_cells, numbers.size, precision=precision, gap=gap
    )
    compiled = _worth_compiling(rows.n, count)
    if compiled:
        return _by_lanes(numbers, rows, seed, first, count, n_threads)

    def weights(low: int, high: int) -> NDArray[Any]:
        return _poisson(numbers, seed, low, high, compiled=compiled)

    place = np.arange(rows.n)
    return _in_blocks(weights, place, rows, first, count, n_threads, compiled=compiled)


def resampled_sums(
    case: ArrayLike,
    positive: ArrayLike | None = None,
    new_score: ArrayLike | None = None,
    losses: ArrayLike | None = None,
    cell: ArrayLike | None = None,
    *,
    n_cells: int = 0,
    precision: bool = False,
    gap: bool = False,
    n_cases: int | None = None,
    strata: ArrayLike | None = None,
    seed: int,
    first: int = 0,
    count: int,
    n_threads: int = 1,
) -> PanelSums:
    """Return what `replicate_sums` does for replicates that draw exactly ``n_cases`` cases.

    For small inputs, whose Poisson replicates vary by a per cent too much, and for stratified
    replicates: ``strata`` is a code from 0 for each case *number* (each group, where ``case`` holds
    groups). Several times slower than `replicate_sums` on large inputs.

    >>> s = resampled_sums([2, 0, 1], [True, False, True], seed=1, count=3)
    >>> (s.positives + s.negatives).tolist()
    [3.0, 3.0, 3.0]
    """
    numbers = np.asarray(case, np.int64)
    rows = _Rows(
        positive, new_score, losses, cell, n_cells, numbers.size, precision=precision, gap=gap
    )
    n = int(numbers.max(initial=-1)) + 1 if n_cases is None else n_cases

    drawn_from = _strata(n, strata)
    compiled = _worth_compiling(max(rows.n, n), count)

    def weights(low: int, high: int) -> NDArray[Any]:
        return _multinomial(drawn_from, seed, low, high, compiled=compiled)

    return _in_blocks(weights, numbers, rows, first, count, n_threads, compiled=compiled)


def weighted_sums(
    weights: ArrayLike,
    positive: ArrayLike | None = None,
    new_score: ArrayLike | None = None,
    losses: ArrayLike | None = None,
    cell: ArrayLike | None = None,
    *,
    n_cells: int = 0,
    precision: bool = False,
    gap: bool = False,
) -> PanelSums:
    """Return what `replicate_sums` does for given weights, a row for each replicate.

    >>> s = weighted_sums([[1, 1, 1], [2, 0, 1]], [True, False, True], [True, True, False])
    >>> s.concordant.tolist(), s.tied.tolist()
    ([1.0, 0.0], [1.0, 0.0])
    """
    given = np.asarray(weights)
    n = given.shape[1]
    rows = _Rows(positive, new_score, losses, cell, n_cells, n, precision=precision, gap=gap)
    compiled = _worth_compiling(n, len(given))
    return rows.sums(*_weighted(given, np.arange(n), rows, compiled=compiled))


def _in_blocks(
    weights: Callable[[int, int], NDArray[Any]],
    case: NDArray[np.int64],
    rows: _Rows,
    first: int,
    count: int,
    n_threads: int,
    *,
    compiled: bool,
) -> PanelSums:
    """Draw a few replicates at a time and add up under their weights."""
    step = max(4, BLOCK_ELEMENTS // max(rows.n, 1) // 4 * 4)
    stop = first + count
    spans = [(low, min(low + step, stop)) for low in range(first - first % 4, stop, step)]
    out = _empty(rows, count)

    def run(span: tuple[int, int]) -> None:
        low, high = max(span[0], first), span[1]
        parts = _weighted(weights(low, high), case, rows, compiled=compiled)
        for target, part in zip(out, parts, strict=True):
            target[low - first : high - first] = part

    _spread(run, spans, n_threads)
    return rows.sums(*out)


def _empty(rows: _Rows, count: int) -> tuple[Floats, Floats, Floats]:
    return (
        np.zeros((count, len(NAMES))),
        np.zeros((count, rows.losses.shape[1])),
        np.zeros((count, rows.n_cells)),
    )


def _spread(run: Callable[[Any], None], tasks: Iterable[Any], n_threads: int) -> None:
    """Run the tasks, in threads of their own that end with the call: nothing is left to a fork."""
    if n_threads == 1:
        for task in tasks:
            run(task)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        for _ in pool.map(run, tasks):
            pass


def _weighted(
    weights: NDArray[Any], case: NDArray[np.int64], rows: _Rows, *, compiled: bool
) -> tuple[Floats, Floats, Floats]:
    """Return sums of ranking, of losses and of cells under given weights of cases."""
    zero: Any = np.int64(0) if weights.dtype.kind in "bui" else np.float64(0)
    if compiled:
        out = _empty(rows, len(weights))
        last = np.append(rows.new_score[1:], True)
        _weigh(
            np.ascontiguousarray(weights),
            case,
            rows.positive,
            last,
            rows.losses,
            rows.cell,
            rows.precision,
            rows.gap,
            zero,
            *out,
        )
        return out
    given = weights[:, case].astype(zero.dtype)
    cells = [given[:, rows.cell == c].sum(axis=1) for c in range(rows.n_cells)]
    return (
        _weighted_order(given, rows),
        given.astype(np.float64) @ rows.losses,
        np.array(cells, np.float64).reshape(rows.n_cells, len(given)).T,
    )


def _weighted_order(weights: NDArray[Any], rows: _Rows) -> Floats:
    """Return the sums of ranking: the twin of `_weigh`."""
    out = np.zeros((len(weights), len(NAMES)))
    if not rows.n:
        return out
    groups = np.flatnonzero(rows.new_score)
    p, q = (
        np.add.reduceat(np.where(side, weights, 0), groups, axis=1)
        for side in (rows.positive, ~rows.positive)
    )
    tp, fp = p.cumsum(axis=1), q.cumsum(axis=1)
    out[:, 0], out[:, 1] = tp[:, -1], fp[:, -1]
    out[:, 2], out[:, 3] = ((tp - p) * q).sum(axis=1), (p * q).sum(axis=1)
    if rows.precision:
        labelled = tp + fp
        out[:, 4] = (p * (tp / np.where(labelled > 0, labelled, 1))).sum(axis=1)
    if rows.gap:
        out[:, 5] = np.abs(tp * fp[:, -1:] - fp * tp[:, -1:]).max(axis=1)
    return out


def _by_lanes(
    case: NDArray[np.uint64], rows: _Rows, seed: int, first: int, count: int, n_threads: int
) -> PanelSums:
    """Run blocks of 64 replicates through the compiled kernel."""
    kind, edges = _kinds(rows), _segments(rows)
    out = _empty(rows, count)

    def run(block: int) -> None:
        low, high = max(first, block * LANES), min(first + count, (block + 1) * LANES)
        key = U64(_key(seed, POISSON, block))
        sums = _block(
            case,
            kind,
            rows.losses,
            rows.cell,
            rows.n_cells,
            edges,
            key,
            OFFSETS,
            rows.precision,
            rows.gap,
        )
        for target, lanes in zip(out, sums, strict=True):
            target[low - first : high - first] = lanes.T[low - block * LANES : high - block * LANES]

    _spread(run, range(first // LANES, -(-(first + count) // LANES)), n_threads)
    return rows.sums(*out)


# What a row does to the running sums. Only scores that several rows share, one of them positive, need
# to be gathered; a negative row of any other score sees all positives before it above itself.
ALONE_NEGATIVE, ALONE_POSITIVE, TIED_NEGATIVE, TIED_POSITIVE, LAST_OF_TIE = 0, 1, 2, 3, 4


def _kinds(rows: _Rows) -> NDArray[np.uint8]:
    kind = rows.positive.astype(np.uint8)
    if rows.new_score.all():
        return kind
    groups = np.flatnonzero(rows.new_score)
    size = np.diff(groups, append=rows.n)
    gathered = (size > 1) & np.logical_or.reduceat(rows.positive, groups)
    kind += np.repeat(np.where(gathered, TIED_NEGATIVE, 0).astype(np.uint8), size)
    kind[(groups + size - 1)[gathered]] += LAST_OF_TIE
    return kind


def _segments(rows: _Rows) -> NDArray[np.int64]:
    """Cut the rows into at most about a thousand parts, none of them within a tie."""
    groups = np.flatnonzero(rows.new_score)
    length = max(128, -(-rows.n // 1024))
    wanted = np.searchsorted(groups, np.arange(0, rows.n, length))
    return np.append(np.unique(groups[wanted[wanted < groups.size]]), rows.n).astype(np.int64)


# --- kernels -----------------------------------------------------------------------------------

KERNELS: list[Any] = []


def _kernel(function: Any) -> Any:  # noqa: ANN401
    KERNELS.append(function)
    return function


@cache
def _compile() -> None:
    """Put compiled functions in the place of those marked as kernels; no harm if two threads do."""
    from numba import njit

    globals().update({f.__name__: njit(nogil=True, cache=True)(f) for f in KERNELS})


@_kernel
def _mix(z: Any) -> Any:  # noqa: ANN401
    z = (z ^ (z >> S30)) * M1
    z = (z ^ (z >> S27)) * M2
    return z ^ (z >> S31)


@_kernel
def _draw(case: Any, start: int, m: int, key: Any, offsets: Any, words: Any, weights: Any) -> None:  # noqa: ANN401
    """Write the weights of ``m`` rows in 64 lanes; ``weights`` are the 16-bit parts of ``words``.

    With the top bit of a lane set, taking off a threshold leaves it set if the other 15 bits reach
    the threshold, and never borrows from the next lane. As the thresholds rise, exclusive ors of
    these bits are the binary digits of the number of thresholds reached.
    """
    for i in range(m):
        base = key + case[start + i] * STEP
        unsure = U64(0)
        row = i * offsets.size
        for j in range(offsets.size):  # not a constant, or the wrong loop is vectorised
            z = base + offsets[j]
            z = (z ^ (z >> S30)) * M1
            z = (z ^ (z >> S27)) * M2
            z = (z ^ (z >> S31)) | HIGH
            four, seven = z - T4, z - T7
            two = (z - T2) ^ four ^ (z - T6)
            odd = (z - T1) ^ (z - T3) ^ (z - T5) ^ two ^ seven
            words[row + j] = ((odd >> S15) & BIT0) | ((two >> S14) & BIT1) | ((four >> S13) & BIT2)
            unsure |= seven
        if unsure & HIGH:
            for lane in range(LANES):
                if weights[i, lane] == UNSURE:
                    more = _mix(_mix(base ^ SALT) + U64(lane) * GOLD)
                    weights[i, lane] = np.searchsorted(REST_ENDS, more, side="right")


@_kernel
def _fill(case: Any, key: Any, offsets: Any, lane: int, out: Any) -> None:  # noqa: ANN401
    """Write the weights in lanes from ``lane`` on, a row for each."""
    words = np.empty(TILE * WORDS, np.uint64)
    weights = words.view(np.uint16).reshape(TILE, LANES)
    for start in range(0, case.size, TILE):
        m = min(TILE, case.size - start)
        _draw(case, start, m, key, offsets, words, weights)
        for r in range(out.shape[0]):
            for i in range(m):
                out[r, start + i] = weights[i, lane + r]


@_kernel
def _tally(key: Any, start: int, out: Any) -> None:  # noqa: ANN401
    size = U64(out.size)
    for i in range(start, start + out.size):
        bits = _mix(key + U64(i) * GOLD)
        product = (bits >> S32) * size
        while (product & LOW32) < TWO32 % size:
            bits = _mix(bits + GOLD)
            product = (bits >> S32) * size
        out[product >> S32] += 1


# Places in the running sums: 64 lanes of each in one array, so that the compiler sees by itself that
# they do not overlap. Those of a tile have 16 bits, those of all rows before it 64.
TP, FP, CONCORDANT, TIED, GP, GN, END = (LANES * i for i in range(7))


@_kernel
def _block(
    case: Any,  # noqa: ANN401
    kind: Any,  # noqa: ANN401
    losses: Any,  # noqa: ANN401
    cell: Any,  # noqa: ANN401
    n_cells: int,
    edges: Any,  # noqa: ANN401
    key: Any,  # noqa: ANN401
    offsets: Any,  # noqa: ANN401
    with_precision: bool,  # noqa: FBT001
    with_gap: bool,  # noqa: FBT001
) -> Any:  # noqa: ANN401
    """Return sums of ranking, losses and cells (rows) of 64 replicates (columns)."""
    words = np.empty(TILE * WORDS, np.uint64)
    weights = words.view(np.uint16).reshape(TILE, LANES)
    small, wide = np.zeros(END, np.uint16), np.zeros(END, np.int64)
    reach, precision = np.zeros(2 * LANES), np.zeros(LANES)
    as_float, q = np.empty((TILE, LANES)), losses.shape[1]
    part, total = np.zeros((q, LANES)), np.zeros((q, LANES))
    cells = np.zeros((n_cells, LANES), np.uint32)
    passed = np.zeros((edges.size if with_gap else 0, 2 * LANES), np.int64)
    split = False
    for s in range(edges.size - 1):
        for start in range(edges[s], edges[s + 1], TILE):
            m = min(TILE, edges[s + 1] - start)
            _draw(case, start, m, key, offsets, words, weights)
            split = _order(
                kind, start, m, weights, small, wide, reach, precision, with_precision, split
            )
            if q:
                _add_losses(losses, start, m, weights, as_float, part)
            if n_cells:
                _add_cells(cell, start, m, weights, cells)
        if q:  # in two steps, for the sake of the last digits
            for c in range(q):
                for l in range(LANES):
                    total[c, l] += part[c, l]
            part[:] = 0.0
        if with_gap:
            passed[s + 1] = wide[: 2 * LANES]
    order = np.empty((6, LANES))
    for r in range(4):
        for l in range(LANES):
            order[r, l] = wide[r * LANES + l]
    order[4] = precision
    order[5] = 0.0
    if with_gap:
        _largest_gap(case, kind, edges, key, offsets, passed, words, weights, order)
    counts = np.empty((n_cells, LANES))
    for c in range(n_cells):
        for l in range(LANES):
            counts[c, l] = cells[c, l]
    return order, total, counts


@_kernel
def _order(
    kind: Any,  # noqa: ANN401
    start: int,
    m: int,
    weights: Any,  # noqa: ANN401
    small: Any,  # noqa: ANN401
    wide: Any,  # noqa: ANN401
    reach: Any,  # noqa: ANN401
    precision: Any,  # noqa: ANN401
    with_precision: bool,  # noqa: FBT001
    split: bool,  # noqa: FBT001
) -> bool:
    """Add a tile to the sums of ranking. ``split``: a tie has begun in a tile before."""
    within = split
    for i in range(m):
        k, row = kind[start + i], weights[i]
        if k == ALONE_NEGATIVE:
            for l in range(LANES):
                small[CONCORDANT + l] += row[l] * small[TP + l]
            for l in range(LANES):
                small[FP + l] += row[l]
            continue
        place = TP if k == ALONE_POSITIVE else GP if k & 1 else GN
        for l in range(LANES):
            small[place + l] += row[l]
        if k == ALONE_POSITIVE:
            if with_precision:
                for l in range(LANES):
                    precision[l] += _precision(
                        row[l], small[TP + l], small[FP + l], reach[l], reach[LANES + l]
                    )
            continue
        within = True
        if k >= LAST_OF_TIE:
            if split:
                _flush(small, wide, reach)
                _close_wide(small, wide, reach, precision, with_precision)
            else:
                _close_small(small, reach, precision, with_precision)
            within = split = False
    _flush(small, wide, reach)
    return within


@_kernel
def _precision(p: Any, tp: Any, fp: Any, tp_before: float, all_before: float) -> float:  # noqa: ANN401
    """Precision at a score for each of its positives; whole numbers, so a total below 1 is 0."""
    above = tp_before + np.float64(np.int32(tp))
    labelled = all_before + np.float64(np.int32(tp) + np.int32(fp))
    return np.float64(np.int32(p)) * (above / max(labelled, 1.0))


@_kernel
def _close_small(small: Any, reach: Any, precision: Any, with_precision: bool) -> None:  # noqa: ANN401, FBT001
    """End a tie that lies within the tile."""
    for l in range(LANES):
        small[CONCORDANT + l] += small[GN + l] * small[TP + l]
    for l in range(LANES):
        small[TIED + l] += small[GN + l] * small[GP + l]
    for l in range(LANES):
        small[TP + l] += small[GP + l]
    for l in range(LANES):
        small[FP + l] += small[GN + l]
    if with_precision:
        for l in range(LANES):
            precision[l] += _precision(
                small[GP + l], small[TP + l], small[FP + l], reach[l], reach[LANES + l]
            )
    small[GP:END] = 0


@_kernel
def _close_wide(small: Any, wide: Any, reach: Any, precision: Any, with_precision: bool) -> None:  # noqa: ANN401, FBT001
    """End a tie that began in a tile before; the tile so far has been flushed."""
    for l in range(LANES):
        wide[CONCORDANT + l] += wide[GN + l] * wide[TP + l]
    for l in range(LANES):
        wide[TIED + l] += wide[GN + l] * wide[GP + l]
    for l in range(LANES):
        wide[TP + l] += wide[GP + l]
    for l in range(LANES):
        wide[FP + l] += wide[GN + l]
    if with_precision:
        for l in range(LANES):
            p, tp, fp = wide[GP + l], wide[TP + l], wide[FP + l]
            precision[l] += p * (tp / max(np.float64(tp + fp), 1.0))
    wide[GP:END] = 0
    for l in range(LANES):
        reach[l] = wide[TP + l]
    for l in range(LANES):
        reach[LANES + l] = wide[TP + l] + wide[FP + l]


@_kernel
def _flush(small: Any, wide: Any, reach: Any) -> None:  # noqa: ANN401
    """Move the sums of a tile, and a tie it leaves open, to those of all rows."""
    for l in range(LANES):
        wide[CONCORDANT + l] += np.int64(small[FP + l]) * wide[TP + l]
    for l in range(END):
        wide[l] += np.int64(small[l])
    small[:] = 0
    for l in range(LANES):
        reach[l] = wide[TP + l]
    for l in range(LANES):
        reach[LANES + l] = wide[TP + l] + wide[FP + l]


@_kernel
def _add_losses(losses: Any, start: int, m: int, weights: Any, as_float: Any, part: Any) -> None:  # noqa: ANN401
    for i in range(m):
        for l in range(LANES):
            as_float[i, l] = np.float64(np.int32(weights[i, l]))
    whole = m - m % 4
    for c in range(losses.shape[1]):
        to = part[c]
        for i in range(0, whole, 4):
            w, x, y, z = (
                losses[start + i, c],
                losses[start + i + 1, c],
                losses[start + i + 2, c],
                losses[start + i + 3, c],
            )
            a, b, d, e = as_float[i], as_float[i + 1], as_float[i + 2], as_float[i + 3]
            for l in range(LANES):
                to[l] += (a[l] * w + b[l] * x) + (d[l] * y + e[l] * z)
        for i in range(whole, m):
            w, a = losses[start + i, c], as_float[i]
            for l in range(LANES):
                to[l] += a[l] * w


@_kernel
def _add_cells(cell: Any, start: int, m: int, weights: Any, cells: Any) -> None:  # noqa: ANN401
    for i in range(m):
        to, row = cells[cell[start + i]], weights[i]
        for l in range(LANES):
            to[l] += np.uint32(row[l])


@_kernel
def _largest_gap(
    case: Any,  # noqa: ANN401
    kind: Any,  # noqa: ANN401
    edges: Any,  # noqa: ANN401
    key: Any,  # noqa: ANN401
    offsets: Any,  # noqa: ANN401
    passed: Any,  # noqa: ANN401
    words: Any,  # noqa: ANN401
    weights: Any,  # noqa: ANN401
    order: Any,  # noqa: ANN401
) -> None:
    """Find the largest gap, in pairs, now that the totals are known.

    Between two edges the gap cannot leave what all positives first or all negatives first would make
    of it. Weights are drawn again only where that exceeds the largest gap at any edge.
    """
    positives, negatives, gap = order[0], order[1], order[5]
    at = np.empty(LANES)
    for s in range(1, edges.size):
        for l in range(LANES):
            gap[l] = max(
                gap[l], abs(passed[s, l] * negatives[l] - passed[s, LANES + l] * positives[l])
            )
    for s in range(edges.size - 1):
        excess = -1.0
        for l in range(LANES):
            up = passed[s + 1, l] * negatives[l] - passed[s, LANES + l] * positives[l]
            down = passed[s + 1, LANES + l] * positives[l] - passed[s, l] * negatives[l]
            excess = max(excess, max(up, down) - gap[l])
        if excess <= 0.0:
            continue
        for l in range(LANES):
            at[l] = passed[s, l] * negatives[l] - passed[s, LANES + l] * positives[l]
        for start in range(edges[s], edges[s + 1], TILE):
            m = min(TILE, edges[s + 1] - start)
            _draw(case, start, m, key, offsets, words, weights)
            for i in range(m):
                _step(kind[start + i], weights[i], positives, negatives, at, gap)


@_kernel
def _step(k: int, row: Any, positives: Any, negatives: Any, at: Any, gap: Any) -> None:  # noqa: ANN401
    if k & 1:
        for l in range(LANES):
            at[l] += np.float64(np.int32(row[l])) * negatives[l]
    else:
        for l in range(LANES):
            at[l] -= np.float64(np.int32(row[l])) * positives[l]
    if k < TIED_NEGATIVE or k >= LAST_OF_TIE:
        for l in range(LANES):
            gap[l] = max(gap[l], abs(at[l]))


@_kernel
def _weigh(
    weights: Any,  # noqa: ANN401
    case: Any,  # noqa: ANN401
    positive: Any,  # noqa: ANN401
    last: Any,  # noqa: ANN401
    losses: Any,  # noqa: ANN401
    cell: Any,  # noqa: ANN401
    with_precision: bool,  # noqa: FBT001
    with_gap: bool,  # noqa: FBT001
    zero: Any,  # noqa: ANN401
    order: Any,  # noqa: ANN401
    totals: Any,  # noqa: ANN401
    cells: Any,  # noqa: ANN401
) -> None:
    """Add up under given weights, one replicate (row) after the other."""
    n = case.size
    for b in range(weights.shape[0]):
        weight = weights[b]
        tp, fp, concordant, tied, p, q, gap = zero, zero, zero, zero, zero, zero, zero
        precision = 0.0
        for i in range(n):
            w = weight[case[i]] + zero
            mine = w if positive[i] else zero
            p += mine
            q += w - mine
            if last[i]:
                concordant += tp * q
                tied += p * q
                tp += p
                fp += q
                if with_precision and tp > zero:
                    precision += p * (tp / (tp + fp))
                p, q = zero, zero
        if with_gap:
            gap = _gap_of_one(weight, case, positive, last, tp, fp, zero)
        order[b, 0], order[b, 1], order[b, 2] = tp, fp, concordant
        order[b, 3], order[b, 4], order[b, 5] = tied, precision, gap
        for i in range(cell.size):
            cells[b, cell[i]] += weight[case[i]]
        for i in range(n):
            for c in range(losses.shape[1]):
                totals[b, c] += weight[case[i]] * losses[i, c]


@_kernel
def _gap_of_one(
    weight: Any,  # noqa: ANN401
    case: Any,  # noqa: ANN401
    positive: Any,  # noqa: ANN401
    last: Any,  # noqa: ANN401
    positives: Any,  # noqa: ANN401
    negatives: Any,  # noqa: ANN401
    zero: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    tp, fp, gap = zero, zero, zero
    for i in range(case.size):
        w = weight[case[i]] + zero
        mine = w if positive[i] else zero
        tp += mine
        fp += w - mine
        if last[i]:
            gap = max(gap, abs(tp * negatives - fp * positives))
    return gap
