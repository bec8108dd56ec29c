"""Where each case stands among those of the other class: for DeLong's method and for Hand and Till's."""

# ruff: noqa: ANN401 -- compiled functions take arrays of any kind

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credibly._core.arrays import Floats, dot
from credibly._kernels import kernel, worth_compiling
from credibly._kernels.threads import spread

SIGN = np.uint64(1) << np.uint64(63)
ZERO = np.uint64(0)
NO_CODES, NO_WEIGHTS = np.zeros(0, np.int64), np.zeros(0)
MAX_INSERTION_RUN = 64  # rows with the same leading bits that are sorted by insertion
CASES_PER_BLOCK = 1 << 16  # cases whose placements, of some models, fit the cache
PIECE = 1 << 10  # cases whose placements, of some models, stay in the nearest cache
PARTS = 8  # of the cases of a model, which idle threads help to place
COLUMNS_PER_BLOCK, ROWS_PER_BLOCK = 8, 4096
# Values that are distinguished without a sort, in a hash table that fits the cache.
MAX_HASHED_VALUES, SLOT_BITS = 1 << 14, 16
HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)


def placements(
    scores: Iterable[ArrayLike],
    positive: ArrayLike,
    weight: ArrayLike | None = None,
) -> tuple[Floats, Floats, Floats]:
    """Return the AUC of each model and the placements of the positive and of the negative cases.

    ``scores`` has a row for each model. The placement of a positive case is the share of negative
    cases below it, that of a negative case the share of positive cases above it, ties half; the AUC
    is the mean of either. With ``weight`` (such as how often each case occurs) shares and means are
    of weight. Scores are any finite numbers. NaN where a class is missing.

    >>> auc, above, below = placements([[0.9, 0.4, 0.4, 0.1]], [True, True, False, False])
    >>> auc.tolist(), above.tolist(), below.tolist()
    ([0.875], [[1.0, 0.75]], [[0.75, 1.0]])
    """
    truth = np.asarray(positive, np.bool_)
    matrix = [np.asarray(row, np.float64) for row in scores]
    if any(row.shape != truth.shape for row in matrix):
        raise ValueError(
            f"scores must be finite, with a row for each model and {truth.size} columns."
        )
    positives = int(np.count_nonzero(truth))
    auc, placed = np.empty(len(matrix)), np.empty((len(matrix), truth.size))
    compiled = worth_compiling(placed.size)

    def by_class(column: Floats) -> Floats:
        if not compiled:
            return np.concatenate([column[truth], column[~truth]])
        _part_by_class(column, truth, positives, out := np.empty(truth.size))
        return out

    weights = None if weight is None else by_class(np.asarray(weight, np.float64))

    def run(i: int) -> None:
        if not np.isfinite([matrix[i].min(initial=0.0), matrix[i].max(initial=0.0)]).all():
            raise ValueError("scores must be finite.")
        auc[i] = _place(by_class(matrix[i]), positives, weights, placed[i], compiled=compiled)

    spread(run, range(len(matrix)), large=compiled)
    return auc, placed[:, :positives], placed[:, positives:]


def delong_covariance(
    above: Floats,
    below: Floats,
    positive_weight: ArrayLike | None = None,
    negative_weight: ArrayLike | None = None,
) -> Floats:
    """Return the covariance matrix of the AUCs of models from their `placements` (DeLong et al. 1988).

    The divisors are one less than the number of cases of each class. Weights must be those of the
    placements and count how often a case occurs: the result is then that of the repeated rows. NaN
    where a class has fewer than two cases.

    >>> _, above, below = placements([[0.9, 0.4, 0.4, 0.1]], [True, True, False, False])
    >>> delong_covariance(above, below)
    array([[0.03125]])
    """
    return _covariance(above, positive_weight) + _covariance(below, negative_weight)


def _covariance(placed: Floats, weight: ArrayLike | None) -> Floats:
    """Return the covariance of means of placements, in blocks that fit a cache."""
    m, n = placed.shape
    weights = None if weight is None else np.asarray(weight, np.float64)
    total = float(n) if weights is None else float(weights.sum())
    if not total > 1:
        return np.full((m, m), np.nan)
    # From near their means: what is left of these is taken off at the end.
    about = placed[:, :PIECE].mean(axis=1)
    sums, grams = (
        np.zeros((-(-n // CASES_PER_BLOCK), m)),
        np.zeros((-(-n // CASES_PER_BLOCK), m, m)),
    )
    compiled = worth_compiling(placed.size)
    add_up = _add_products if compiled else _products

    def run(block: int) -> None:
        rows = slice(block * CASES_PER_BLOCK, (block + 1) * CASES_PER_BLOCK)
        each = NO_WEIGHTS if weights is None else weights[rows]
        sums[block], grams[block] = add_up(placed[:, rows], about, each)

    spread(run, range(len(grams)), large=compiled)
    off = sums.sum(axis=0)
    return (grams.sum(axis=0) - np.outer(off, off) / total) / (total - 1) / total


def _products(placed: Floats, about: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Return the sum of each row, and of each product of two rows."""
    part = placed - about[:, None]
    scaled = part * weight if weight.size else part
    return scaled.sum(axis=1), scaled @ part.T


@kernel(fastmath={"reassoc", "contract"})
def _add_products(placed: Any, about: Any, weight: Any) -> Any:
    """The same a few columns at a time, without BLAS, whose calls from many threads wait for one another."""
    m, n = placed.shape
    sums, gram = np.zeros(m), np.zeros((m, m))
    part, scaled = np.empty((m, PIECE)), np.empty((m, PIECE))
    for start in range(0, n, PIECE):
        size = min(PIECE, n - start)
        for i in range(m):
            total = 0.0
            for k in range(size):
                part[i, k] = scaled[i, k] = placed[i, start + k] - about[i]
            for k in range(min(size, weight.size)):  # or there are none
                scaled[i, k] *= weight[start + k]
            for k in range(size):
                total += scaled[i, k]
            sums[i] += total
            for j in range(i + 1):
                total = 0.0
                for k in range(size):
                    total += scaled[i, k] * part[j, k]
                gram[i, j] += total
    for i in range(m):
        for j in range(i):
            gram[j, i] = gram[i, j]
    return sums, gram


def pairwise_separations(
    probability: ArrayLike, truth: ArrayLike, weight: ArrayLike | None = None
) -> Floats:
    """Return, in row i and column j, the weight of pairs in which a case of class i gets the larger
    probability of class i than a case of class j, ties half.

    ``probability`` has a column for each class and ``truth`` holds codes of classes.

    >>> pairwise_separations([[0.8, 0.2], [0.3, 0.7], [0.3, 0.7]], [0, 0, 1]).tolist()
    [[2.0, 1.5], [1.5, 0.5]]
    """
    matrix, codes = np.asarray(probability, np.float64), np.asarray(truth, np.int64)
    weights = None if weight is None else np.asarray(weight, np.float64)
    n, k = matrix.shape
    if codes.shape != (n,) or (n and not 0 <= codes.min() <= codes.max() < k):
        raise ValueError(f"truth must hold {n} codes of classes from 0 to {k - 1}.")
    wins = np.zeros((k, k))
    compiled = worth_compiling(matrix.size)
    for start in range(0, k, COLUMNS_PER_BLOCK):
        columns = _columns(matrix[:, start : start + COLUMNS_PER_BLOCK])

        def run(i: int, columns: Floats = columns, start: int = start) -> None:
            row = wins[start + i]
            row[:] = _separate(columns[i], codes, weights, start + i, k, compiled=compiled)

        spread(run, range(len(columns)), large=compiled)
    return wins


def _columns(matrix: Floats) -> Floats:
    """Return columns one after the other, copied a few rows at a time to stay in the cache."""
    out = np.empty(matrix.shape[::-1])
    for start in range(0, len(matrix), ROWS_PER_BLOCK):
        out[:, start : start + ROWS_PER_BLOCK] = matrix[start : start + ROWS_PER_BLOCK].T
    return out


def falling_order(
    score: ArrayLike, *, times: int = 1
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the rows in falling order of score, and which differ in score from the one before.

    Rows of the same score stay in their order. Where that is the smaller part of what will be compiled,
    ``times`` says how many times as much work there is.

    >>> order, new = falling_order([0.1, 0.9, 0.1])
    >>> order.tolist(), new.tolist()
    ([1, 0, 2], [True, True, False])
    """
    s = np.ascontiguousarray(score, np.float64)
    return _falling_order(s, compiled=worth_compiling(times * s.size))


def twice_midranks(score: ArrayLike) -> NDArray[np.int64]:
    """Return twice the midranks, whole numbers: the sum of first and last place of each tie.

    >>> twice_midranks(np.array([0.1, 0.7, 0.7])).tolist()
    [2, 5, 5]
    """
    order, new = falling_order(score)
    ranks = np.empty(order.size, np.int64)
    if worth_compiling(order.size):
        _write_midranks(order, new, ranks)
        return ranks
    first = np.flatnonzero(new)
    stop = np.append(first[1:], order.size)
    ranks[order] = np.repeat(2 * order.size + 1 - first - stop, stop - first)
    return ranks


def midranks(values: ArrayLike) -> Floats:
    """Rank values from 1 upwards, ties sharing the middle of their ranks.

    >>> midranks(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    return twice_midranks(values) / 2


@kernel()
def _write_midranks(order: Any, new: Any, ranks: Any) -> None:
    n = order.size
    start = 0
    while start < n:
        stop = start + 1
        while stop < n and not new[stop]:
            stop += 1
        for i in range(start, stop):
            ranks[order[i]] = 2 * n + 1 - start - stop
        start = stop


def _falling_order(s: Floats, *, compiled: bool) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    if compiled and s.size:
        found = _sorted_by_keys(s)
        if found is not None:
            return found
    order = np.argsort(-s, kind="stable")
    ranked = s[order]
    return order, np.append(np.ones(min(s.size, 1), np.bool_), ranked[1:] != ranked[:-1])


def _sorted_by_keys(s: Floats) -> tuple[NDArray[np.int64], NDArray[np.bool_]] | None:
    """Sort numbers that hold the leading bits of a score and its row: a sort without an index.

    Scores that share these bits are put in order afterwards; None if those are too many.
    """
    row_bits = max(1, (s.size - 1).bit_length())
    keys, _ = _sorted_keys(s, NO_CODES, row_bits)
    # Rows overwrite keys that have been read.
    order, new = keys.view(np.int64), np.empty(s.size, np.bool_)
    return (order, new) if _unpack(s, keys, np.uint64(row_bits), order, new) else None


def _sorted_keys(s: Floats, codes: NDArray[Any], bits: int) -> tuple[NDArray[np.uint64], bool]:
    """Return sorted keys of falling scores with codes (or rows) in the last bits, and whether exact."""
    from credibly._kernels.order import sort_keys

    ends = (np.array([s.max(), s.min()]) + 0.0).view(np.uint64)  # minus zero becomes zero
    low, high = (ends ^ np.where(ends & SIGN, ZERO, ~SIGN)).tolist()
    span = max(1, (high - low).bit_length())
    keys = np.empty(s.size, np.uint64)
    _pack(s, codes, np.uint64(low), np.uint64(64 - span), np.uint64(bits), keys)
    return sort_keys(keys, ordered=0 if codes.size else bits), span + bits <= 64


def _place(
    score: Floats, positives: int, weight: Floats | None, out: Floats, *, compiled: bool
) -> float:
    """Write the placements of a model, positive cases first, and return its AUC."""
    n = score.size
    if not 0 < positives < n:
        return _none(out)
    if weight is None and compiled and (twice := _place_values(score, positives, out)):
        return twice / (2 * positives * (n - positives))
    order, new = _falling_order(score, compiled=compiled)
    if weight is None and compiled:
        return _place_in_parts(order, new, positives, out) / (2 * positives * (n - positives))
    w = np.ones(n) if weight is None else weight
    first = np.flatnonzero(new)
    mine = np.where(order < positives, w[order], 0.0)
    pos, neg = (np.add.reduceat(side, first) for side in (mine, w[order] - mine))
    tp, fp = np.cumsum(pos), np.cumsum(neg)
    if not (tp[-1] > 0 and fp[-1] > 0):
        return _none(out)
    size = np.diff(first, append=n)
    above = np.repeat((tp - pos / 2) / tp[-1], size)
    below = np.repeat((fp[-1] - fp + neg / 2) / fp[-1], size)
    out[order] = np.where(order < positives, below, above)
    return float(dot(out[:positives], w[:positives]) / tp[-1])


def _place_values(score: Floats, positives: int, out: Floats) -> int:
    """Write the placements of scores that take few values, without a sort; 0 if there are many.

    Return twice the pairs in order, ties half.
    """
    place = np.empty(score.size, np.uint16)
    values, sizes = (
        np.zeros(MAX_HASHED_VALUES, np.uint64),
        np.zeros((MAX_HASHED_VALUES, 2), np.int64),
    )
    slots = np.full(1 << SLOT_BITS, -1, np.int32)
    few = _find_values(score, positives, slots, values, sizes, place)
    if few < 0:
        return 0
    falling = np.argsort(-values[:few].view(np.float64))
    pos, neg = sizes[falling].T
    tp, fp = np.cumsum(pos), np.cumsum(neg)
    sides = 2 * (score.size - positives - fp) + neg, 2 * tp - pos
    placed = np.empty((2, few))
    placed[0, falling] = sides[0] / (2.0 * (score.size - positives))
    placed[1, falling] = sides[1] / (2.0 * positives)
    np.take(placed[0], place[:positives], out=out[:positives])
    np.take(placed[1], place[positives:], out=out[positives:])
    return int(pos @ sides[0])


@kernel()
def _find_values(
    score: Any, positives: int, slots: Any, values: Any, sizes: Any, place: Any
) -> int:
    """Number the values as they come, by a table of their bits, and count both classes at each.

    Return how many values there are, or -1 if there is no room for more.
    """
    bits = score.view(np.uint64)
    few = 0
    for i in range(bits.size):
        b = ZERO if bits[i] == SIGN else bits[i]  # minus zero is zero
        slot = np.int64((b * HASH_FACTOR) >> np.uint64(64 - SLOT_BITS))
        while slots[slot] >= 0 and values[slots[slot]] != b:
            slot = (slot + 1) % slots.size
        if slots[slot] < 0:
            if few == values.size:
                return -1
            slots[slot] = few
            values[few] = b
            few += 1
        place[i] = slots[slot]
        sizes[slots[slot], np.int64(i >= positives)] += 1
    return few


@kernel()
def _part_by_class(column: Any, positive: Any, positives: int, out: Any) -> None:
    """Write what belongs to positive cases first, each class in its order."""
    at = np.array([positives, 0])
    for i in range(column.size):
        mine = np.int64(positive[i])
        out[at[mine]] = column[i]
        at[mine] += 1


def _none(out: Floats) -> float:
    out[:] = np.nan
    return np.nan


def _separate(
    score: Floats,
    truth: NDArray[np.int64],
    weight: Floats | None,
    own: int,
    k: int,
    *,
    compiled: bool,
) -> Floats:
    """Return a row of `pairwise_separations`."""
    if not score.size:
        return np.zeros(k)
    if weight is None and compiled:
        bits = max(1, (k - 1).bit_length())
        keys, exact = _sorted_keys(score, truth, bits)
        if exact:
            twice = np.zeros(k, np.int64)
            _separated(keys, np.uint64(bits), own, twice)
            return twice / 2
    order, new = _falling_order(score, compiled=compiled)
    w = np.ones(score.size) if weight is None else weight
    codes, w = truth[order], w[order]
    above = np.concatenate([[0.0], np.where(codes == own, w, 0.0).cumsum()])
    first = np.flatnonzero(new)
    size = np.diff(first, append=score.size)
    middle = np.repeat((above[first] + above[first + size]) / 2, size)
    return np.bincount(codes, w * middle, k).astype(np.float64)


@kernel()
def _pack(s: Any, codes: Any, low: Any, shift: Any, code_bits: Any, keys: Any) -> None:
    """Write the leading bits of how far a score is below the largest, then its code or row."""
    bits = s.view(np.uint64)
    for i in range(s.size):
        b = ZERO if bits[i] == SIGN else bits[i]  # minus zero is zero
        falling = b if b & SIGN else b ^ ~SIGN
        code = np.uint64(codes[i]) if codes.size else np.uint64(i)
        keys[i] = ((((falling - low) << shift) >> code_bits) << code_bits) | code


@kernel()
def _unpack(s: Any, keys: Any, row_bits: Any, order: Any, new: Any) -> bool:
    """Write the rows in order and which are new scores, sorting runs with the same leading bits."""
    n = keys.size
    mask = (np.uint64(1) << row_bits) - np.uint64(1)
    i = 0
    while i < n:
        lead = keys[i] >> row_bits
        order[i] = keys[i] & mask
        new[i] = True
        start = i
        i += 1
        mixed = False
        while i < n and keys[i] >> row_bits == lead:
            order[i] = keys[i] & mask
            differs = s[order[i]] != s[order[i - 1]]
            new[i] = differs
            mixed |= differs
            i += 1
        if mixed:
            if i - start > MAX_INSERTION_RUN:
                return False
            for a in range(start + 1, i):
                row = order[a]
                b = a - 1
                while b >= start and s[order[b]] < s[row]:
                    order[b + 1] = order[b]
                    b -= 1
                order[b + 1] = row
            for a in range(start + 1, i):
                new[a] = s[order[a]] != s[order[a - 1]]
    return True


def _place_in_parts(
    order: NDArray[np.int64], new: NDArray[np.bool_], positives: int, out: Floats
) -> int:
    """Write placements from counts; the rows of positive cases are the first. Return twice the pairs."""
    n = order.size
    ends = [n * i // PARTS for i in range(1, PARTS)]
    starts = [0, *(end + int(np.argmax(new[end:])) if new[end:].any() else n for end in ends), n]
    parts = [slice(*pair) for pair in pairwise(starts)]
    held = (int(np.count_nonzero(order[part] < positives)) for part in parts)
    tp = list(accumulate(held, initial=0))
    twice = np.zeros(PARTS, np.int64)

    def run(i: int) -> None:
        above = tp[i], parts[i].start - tp[i]
        twice[i] = _count_placed(order[parts[i]], new[parts[i]], *above, positives, out)

    spread(run, range(PARTS), large=True)
    return int(twice.sum())


@kernel()
def _count_placed(order: Any, new: Any, tp: int, fp: int, positives: int, out: Any) -> int:
    """Place cases below ``tp`` positive and ``fp`` negative ones."""
    negatives = out.size - positives
    wholes = np.array([2.0 * positives, 2.0 * negatives])
    twice = i = 0
    while i < order.size:
        start = i
        p = 0
        while True:
            p += order[i] < positives
            i += 1
            if i == order.size or new[i]:
                break
        q = i - start - p
        below, above = 2 * (negatives - fp) - q, 2 * tp + p
        twice += p * below
        for j in range(start, i):
            mine = np.int64(order[j] < positives)  # computed with, as a branch would be guessed
            out[order[j]] = np.float64(above + mine * (below - above)) / wholes[mine]
        tp += p
        fp += q
    return twice


@kernel()
def _separated(keys: Any, code_bits: Any, own: int, twice: Any) -> None:
    """Add up, by class, twice the own cases above each case, ties half."""
    n = keys.size
    mask = (np.uint64(1) << code_bits) - np.uint64(1)
    above = i = 0
    while i < n:
        start = i
        lead = keys[i] >> code_bits
        within = 0
        while i < n and keys[i] >> code_bits == lead:
            within += np.int64(keys[i] & mask) == own
            i += 1
        for j in range(start, i):
            twice[np.int64(keys[j] & mask)] += 2 * above + within
        above += within
