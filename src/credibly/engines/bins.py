"""Scores counted in bins on a grid, refined until the bins move no measure by more than the tolerance.

A bin is a piece of the line between neighbouring multiples of a power of two. Scaling by it, rounding
down and taking off a whole number are exact in every engine, so no rounding moves a case past another.
A multiple is at most 2**52: some engines round down to a whole number of 64 bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly.engines.query import CASES_COLUMN
from credibly.errors import DataError
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct, joint_codes, rows_by_code
from credibly.predictions.summaries.scores import BinBounds

if TYPE_CHECKING:
    from credibly.engines.query import Arrays, Counting
    from credibly.measures import Measure


# Bins of the first pass: whole numbers of 16 bits are counted without hashing.
FIRST_PASS_BINS = 1 << 15
REFINED_RANGES = 32  # pieces of the line that a refining query looks into
MAX_REFINED_BINS = 1 << 22  # bins that a refining query may return
MIN_CASES_PER_BIN = 2  # on average, from which on bins save anything
MAX_SUMMED_OUTCOMES = 4  # values of the truth, up to which bins are counted as rows pass by
MAX_MULTIPLE = 2.0**52  # multiples beyond this have no bins between them
LARGEST_POWER = 900  # of two, by which a score may be multiplied
LOW, HIGH, BIN = "credibly: low", "credibly: high", "credibly: bin"
ABOVE = "credibly: above"


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Counts of a score in bins.

    Where the one column of probabilities is about the other class, ``turned`` has one minus it counted.
    """

    counting: Counting
    role: str
    column: str
    first: float
    last: float
    scale: float
    turned: bool = False

    @classmethod
    def of(cls, counting: Counting, score: tuple[str, str]) -> Bins:
        """Lay a grid over the scores: from 0 to 1 for probabilities, else over their range."""
        role, column = score
        first, last = (0.0, 1.0) if role == "probability" else _range(counting, column)
        return cls(counting, role, column, first, last, _scale(first, last))

    @property
    def keys(self) -> list[str]:
        """Everything else that distinguishes rows."""
        numbers, labels = self.counting.columns
        named = [c for c in (*numbers, *labels, *self.counting.by) if c != self.column]
        return list(dict.fromkeys(named))

    def counts(self) -> Arrays:
        """Count the cases of each bin, in one pass over the rows."""
        import narwhals.stable.v2 as nw

        first = math.floor(self.first * self.scale)
        # One after the other: the sum of both numbers may not be a double.
        place = (self.place(self.scale) - float(first) - float(FIRST_PASS_BINS)).cast(nw.Int16)
        columns = self._grouped(self.valid(), [place.alias(BIN)])
        low, high = _ends(columns.pop(BIN).astype(np.float64) + FIRST_PASS_BINS + first, self.scale)
        low = low.clip(self.first, self.last)
        high = high.clip(low, self.last)
        if ABOVE in columns:  # a bin with the threshold in it was counted in two parts
            above, threshold = columns[ABOVE].astype(bool), float(self.counting.asked["threshold"])
            low = np.where(above, np.maximum(low, threshold), low)
            high = np.where(above, high, np.minimum(high, np.nextafter(threshold, -np.inf)))
        return columns | {LOW: low, HIGH: high}

    def refined(self, found: Arrays, heavy: Sequence[tuple[float, float]], scale: float) -> Arrays:
        """Count some pieces of the line again, on a finer grid or, beyond the finest, by score."""
        pieces = np.array(heavy)
        by_score = max(abs(self.first), abs(self.last)) * scale > MAX_MULTIPLE
        outcomes = None if by_score else self._outcomes(found)
        if outcomes is None or _cells(heavy, scale) > 2 * MAX_REFINED_BINS:
            more = self._again(pieces, None if by_score else scale)
        else:
            more = self._streamed(pieces, scale, outcomes)
        piece = np.searchsorted(pieces[:, 0], found[LOW], side="right") - 1
        kept = (piece < 0) | ~(found[LOW] <= pieces[piece, 1])  # what has no score has no place
        return {c: np.concatenate([found[c][kept], more[c]]) for c in found}

    def _again(self, pieces: Floats, scale: float | None) -> Arrays:
        """Have the engine group the scores of some pieces: by bin, or by distinct score."""
        import narwhals.stable.v2 as nw

        x = self.score()
        place = x if scale is None else self.place(scale).cast(nw.Int64)
        ends = [nw.col(LOW).min().alias(LOW), nw.col(LOW).max().alias(HIGH)]
        columns = [place.alias(BIN), x.alias(LOW)]
        more = self._grouped(self.valid().filter(self._inside(pieces)), columns, ends)
        del more[BIN]
        return more

    def _inside(self, pieces: Floats) -> Any:  # noqa: ANN401
        x = self.score()
        return reduce(or_, (x.is_between(low, high) for low, high in pieces.tolist()))

    def _outcomes(self, found: Arrays) -> NDArray[Any] | None:
        """Return the values of the truth, if they alone distinguish the rows of a bin and rows can be streamed."""
        counting = self.counting
        plain = counting.weight is None and counting.asked.get("threshold") is None
        if not plain or not counting.lazy.streams or len(self.keys) != 1:
            return None
        column = found[self.keys[0]]
        places = {value: i for i, value in enumerate(column.tolist())}
        few = len(places) <= MAX_SUMMED_OUTCOMES and all(value == value for value in places)
        return column[list(places.values())] if few else None

    def _streamed(self, pieces: Floats, scale: float, values: NDArray[Any]) -> Arrays:
        """Count the bins of some pieces here, as the rows pass by: many groups are slow in an engine."""
        import narwhals.stable.v2 as nw

        truth = nw.col(self.keys[0])
        code = nw.lit(len(values) - 1)
        for i, value in enumerate(values[:-1].tolist()):
            is_it = truth.is_null() if value is None else truth == value
            code = nw.when(is_it).then(nw.lit(i)).otherwise(code)
        first = np.floor(pieces[:, 0] * scale)
        sizes = np.floor(pieces[:, 1] * scale) - first + 1
        starts = np.append(0, np.cumsum(sizes)).astype(np.int64)
        counts = np.zeros(starts[-1] * len(values), np.int64)
        rows = self.valid().filter(self._inside(pieces))
        query = rows.select(self.score().alias(LOW), code.cast(nw.Int64).alias(BIN))
        for block in self.counting.lazy.blocks(query):
            x = block[LOW]
            piece = np.searchsorted(pieces[1:, 0], x, side="right")
            whole = np.where((x < 0) & (x * scale >= 0), -1, np.floor(x * scale))
            place = (whole - first[piece]).astype(np.int64) + starts[piece]
            np.add.at(counts, place * len(values) + block[BIN], 1)
        filled = np.flatnonzero(counts)
        place, outcome = np.divmod(filled, len(values))
        piece = np.searchsorted(starts, place, side="right") - 1
        low, high = _ends((place - starts[piece]).astype(np.float64) + first[piece], scale)
        low = low.clip(*pieces[piece].T)
        high = high.clip(low, pieces[piece, 1])
        return {self.keys[0]: values[outcome], CASES_COLUMN: counts[filled], LOW: low, HIGH: high}

    def score(self) -> Any:  # noqa: ANN401
        """Return the expression of the score of the positive class as a double."""
        import narwhals.stable.v2 as nw

        x = nw.col(self.column).cast(nw.Float64)
        return 1.0 - x if self.turned else x

    def place(self, scale: float) -> Any:  # noqa: ANN401
        """Return the expression of the bin of a score: its multiple of the grid, rounded down."""
        import narwhals.stable.v2 as nw

        x = self.score()
        place = (x * scale).floor()
        if scale >= 1:
            return place
        # A product below the smallest double is zero, be it of a negative score, or an error. Zero times
        # the score is of its type in every engine.
        zero = x * 0.0
        near = nw.when(x < 0.0).then(zero - 1.0).otherwise(zero)
        return nw.when(x.is_between(-1 / scale, 1 / scale, "left")).then(near).otherwise(place)

    def valid(self) -> Any:  # noqa: ANN401
        """Return the rows with a finite score."""
        # Between two numbers is neither NULL, NaN nor infinite, and quicker to tell than finite.
        return self.counting.lazy.frame.filter(self.score().is_between(self.first, self.last))

    def _grouped(self, frame: Any, columns: list[Any], ends: Sequence[Any] = ()) -> Arrays:  # noqa: ANN401
        """Count by the keys and the last-named bin, and by which side of the threshold a score is on."""
        keys, threshold = [*self.keys, BIN], self.counting.asked.get("threshold")
        if threshold is not None:
            columns = [*columns, (self.score() >= float(threshold)).alias(ABOVE)]
            keys.append(ABOVE)
        given = [*self.keys, *([self.counting.weight] if self.counting.weight else [])]
        return self.counting.count(frame.select(*given, *columns), keys, *ends)

    def with_missing(self, found: Arrays) -> Arrays:
        """Add the cases without a score, note infinite scores, and refuse probabilities outside 0 to 1."""
        import narwhals.stable.v2 as nw

        lazy, x = self.counting.lazy, self.score()
        total = self.counting.total()
        if total == float(found[CASES_COLUMN].sum()):
            return found
        known = lazy.frame.filter(~x.is_null() & ~x.is_nan())
        if self.role == "probability":
            outside = known.filter(x.is_finite() & ~x.is_between(0.0, 1.0))
            self.counting.refuse_outside(self.column, self.counting.total(outside))
        if infinite := self.counting.total(known.filter(~x.is_finite())):
            self.counting.note(f"{self.role} is infinite", infinite, total)
        missing = self._grouped(lazy.frame.filter(x.is_null() | x.is_nan()), [nw.lit(0).alias(BIN)])
        missing |= dict.fromkeys((LOW, HIGH), np.full(missing.pop(BIN).size, np.nan))
        return {c: np.concatenate([a, missing[c]]) for c, a in found.items()}

    def rows(self, found: Arrays) -> Arrays:
        """Return each bin as a score, with the piece of the line that overlapping bins share.

        Bins nest or are apart, but classes that share a bin need not share the lowest score in it.
        """
        low, high, piece = joined(found[LOW], found[HIGH])
        middle = (low + (high - low) / 2)[piece]
        ends = {LOW: low[piece], HIGH: high[piece]}
        ends[self.column] = 1 - middle if self.turned else middle
        return self.counting.sound({c: a for c, a in found.items() if c != ABOVE} | ends)

    def made(self, rows: Arrays) -> Predictions:
        """Turn bins into predictions, with the span of scores that each stands for."""
        p = self.counting.made({c: a for c, a in rows.items() if c not in {LOW, HIGH}})
        return replace(p, span=np.column_stack([rows[LOW], rows[HIGH]]), cache={})

    def made_and_slices(self, found: Arrays) -> tuple[Predictions, list[Predictions]]:
        """Turn bins into predictions, and these into slices where there are columns to slice by."""
        rows = self.rows(found)
        p, by = self.made(rows), [distinct(rows[c].astype(str)) for c in self.counting.by]
        slices = rows_by_code(joint_codes(by)) if by else []
        return p, [p.take(part) for part in slices] if len(slices) > 1 else [p]

    def about_the_other(self, found: Arrays) -> bool:
        """Whether the column holds probabilities of the negative class."""
        rows = self.rows(found)
        p = self.made(rows)
        if p.positive is None:
            return False
        return not np.array_equal(p.scores_of(p.positive, "bins"), rows[self.column])


def _scale(first: float, last: float) -> float:
    """Return the power of two by which scores are multiplied, so that bins fit 16 bits and products are exact."""
    half = last / 2 - first / 2  # the whole may be more than a double holds
    wanted = math.log2(FIRST_PASS_BINS) - 1 - math.log2(half) if half > 0 else LARGEST_POWER
    return min(2.0 ** math.floor(min(wanted, LARGEST_POWER)), finest(first, last))


def finest(first: float, last: float) -> float:
    """Return the largest power of two of which scores are exact multiples, once rounded down, everywhere."""
    largest = max(abs(first), abs(last))
    exact = (
        math.log2(MAX_MULTIPLE) - 1 - math.floor(math.log2(largest))
        if largest > 0
        else LARGEST_POWER
    )
    return float(2.0 ** min(exact, LARGEST_POWER))


def _ends(place: Floats, scale: float) -> tuple[Floats, Floats]:
    """Return the smallest and the largest number in some bins, which may begin or end beyond all doubles."""
    with np.errstate(over="ignore"):
        return place / scale, np.nextafter((place + 1) / scale, -np.inf)


def _range(counting: Counting, column: str) -> tuple[float, float]:
    """Return the smallest and the largest finite score; an engine may know them without looking."""
    import narwhals.stable.v2 as nw

    lazy, x = counting.lazy, nw.col(column).cast(nw.Float64)
    for frame in (lazy.frame, lazy.frame.filter(x.is_finite())):
        query = frame.select(x.min().alias(LOW), x.max().alias(HIGH))
        ends = [a[0] for a in lazy.collect(query).values()]
        if all(e is not None and math.isfinite(e) for e in ends):
            return float(ends[0]), float(ends[1])
    raise DataError(f"{lazy.where}: column {column!r} holds no finite score.")


def joined(low: Floats, high: Floats) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """Join intervals that overlap, and say to which joined one each belongs.

    >>> joined(np.array([0.0, 5.0, 1.0]), np.array([2.0, 6.0, 3.0]))
    (array([0., 5.]), array([3., 6.]), array([0, 1, 0]))
    """
    order = np.argsort(low, kind="stable")
    reach = np.maximum.accumulate(high[order])
    new = np.concatenate([[True], ~(low[order][1:] <= reach[:-1])])  # NaN overlaps nothing
    first = np.flatnonzero(new)
    piece = np.empty(low.size, np.intp)
    piece[order] = np.cumsum(new) - 1
    last = np.append(first[1:], low.size) - 1
    return low[order][first], reach[last], piece


def refine(
    bins: Bins, columns: Arrays, measures: Sequence[Measure], tolerance: float
) -> Predictions | None:
    """Count the heaviest bins again, until no measure of ranking is off by more than the tolerance in any slice.

    Return nothing where that takes nearly as many bins as there are cases: they had better be counted
    by score.
    """
    from credibly.evaluation.bounds import error_bound

    cases = float(columns[CASES_COLUMN].sum())
    if columns[LOW].size * MIN_CASES_PER_BIN > cases and math.isfinite(tolerance):
        return None
    scale, ranking = bins.scale, [m for m in measures if m.of_order]
    p, slices = bins.made_and_slices(columns)
    while p.positive is not None:
        off = [q for q in slices if any((error_bound(m, q) or 0.0) > tolerance for m in ranking)]
        matter = [_heavy(q, tolerance, ranking) for q in off]
        heavy = _few(np.concatenate([ends for ends, _ in matter])) if matter else []
        if not heavy:
            break
        share = max(share for _, share in matter)
        finer = math.ceil(math.log2(max(2.0, 2 * share / max(tolerance, 1e-300))))
        whole = [(heavy[0][0], heavy[-1][1])]
        if _cells(whole, scale) * 2.0**finer <= MAX_REFINED_BINS:
            heavy = whole  # one piece is found faster than which of many
        cells = _cells(heavy, scale)
        times = 2.0 ** max(
            1, min(finer, 20, math.floor(math.log2(max(2.0, MAX_REFINED_BINS / cells))))
        )
        if cells * times * MIN_CASES_PER_BIN > cases:
            return None
        scale *= times
        columns = bins.refined(columns, heavy, scale)
        p, slices = bins.made_and_slices(columns)
    return p


def _cells(pieces: Sequence[tuple[float, float]], scale: float) -> float:
    """Return how many bins some pieces of the line have."""
    return sum(high * scale - low * scale for low, high in pieces) + len(pieces)


def _heavy(p: Predictions, tolerance: float, ranking: Sequence[Measure]) -> tuple[Floats, float]:
    """Return the ends of the bins that matter, and how much they may move a measure."""
    p = p.scored()
    b = BinBounds.of(p)
    sums = b.table.order_sums()
    pairs, positives = (
        max(float(sums.positives * sums.negatives), 1.0),
        max(float(sums.positives), 1.0),
    )
    hidden = b.pairs / (2 * pairs)
    if any(m.name not in {"auc", "ks"} for m in ranking):
        hidden = np.maximum(hidden, (b.most_precision - b.least_precision) / positives)
    falling = np.argsort(-hidden)
    left = hidden.sum() - np.cumsum(hidden[falling])
    matters = np.zeros(hidden.size, bool)
    matters[falling[: int(np.searchsorted(-left, -tolerance / 2)) + 1]] = True
    matters &= hidden > 0
    matters |= (b.largest_gap - sums.largest_gap) / pairs > tolerance
    assert p.span is not None  # noqa: S101
    ends = p.span[np.isin(p.scores_of(p.positive or 0, "bins"), b.table.score[matters])]
    return ends, float(hidden[matters].sum())


def _few(ends: Floats) -> list[tuple[float, float]]:
    """Join intervals across the smallest gaps until few are left."""
    ends = ends[ends[:, 0] < ends[:, 1]]
    if not len(ends):
        return []
    low, high, _ = joined(ends[:, 0], ends[:, 1])
    gaps = low[1:] / 2 - high[:-1] / 2  # the whole may be more than a double holds
    if low.size > REFINED_RANGES:
        wide = np.sort(np.argsort(-gaps)[: REFINED_RANGES - 1])
        low, high = np.append(low[0], low[wide + 1]), np.append(high[wide], high[-1])
    return list(zip(low.tolist(), high.tolist(), strict=True))
