"""Distinct scores in falling order, and the sums that measures of ranking are made of."""

from __future__ import annotations

import math
import time
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._kernels import kernel
from credibly._kernels.threads import share, spread, together

ONE = np.uint64(1)
BYTE = np.uint64(255)
SIGN = np.uint64(1) << np.uint64(63)
KEY_BYTES = 8
ZERO = np.uint64(0)
SUMS = 6
BLOCK = 4096
TURNS = 5
MIN_SHARED_KEYS = 1 << 17  # keys that are sorted by all threads
MIN_SHARING_THREADS = 3  # from which sorting together is faster than each by itself
SAMPLES_PER_BUCKET = 64  # every so many keys choose what is sorted by whom
MIN_RADIX_KEYS = 4096  # with fewer, its counts of bytes cost more than a sort
LARGEST_AS_DOUBLE = 1.5  # keys of larger scores would be NaN
SEARCH_CELLS = 4096


def distinct_scores(
    score: NDArray[np.float64], positive: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32], tuple[float, ...]]:
    """Return distinct scores, largest first, the positive and negative rows at each, and sums over them.

    A finite double without its sign has 63 bits, so it shares a 64-bit key with the row's class and
    a plain sort of keys replaces the sort of an index. Negative scores are keyed apart. The sums are
    positives, negatives, concordant and tied pairs, precision over the positives, and the largest
    gap in pairs.
    """
    n, flags = score.size, positive.view(np.uint8)
    positives = int(np.count_nonzero(positive))
    keys = np.empty(n, np.uint64)
    pos, neg = np.empty((2, n), np.int32)  # one block, which the system hands out in large pages
    state = np.zeros(SUMS)
    halves = _sorted_halves(score, flags, keys)
    # Without negative scores the distinct ones overwrite keys that have been read.
    alone = halves[-1][0].size in {0, n}
    distinct = keys.view(np.float64) if alone else np.empty(n, np.float64)
    bits = distinct.view(np.uint64)
    m = 0
    for half, flip, sign in halves:
        m += _group(half, flip, sign, positives, n - positives, state, bits[m:], pos[m:], neg[m:])
    return distinct[:m], pos[:m], neg[:m], tuple(state.tolist())


def order_sums(score: NDArray[np.float64], positive: NDArray[np.bool_]) -> tuple[float, ...]:
    """Return the sums of :func:`distinct_scores` alone, in little more memory than that of the scores.

    The scores are overwritten.

    >>> order_sums(np.array([0.9, 0.4, 0.4, 0.1]), np.array([True, True, False, False]))
    (2.0, 2.0, 3.0, 1.0, 1.6666666666666665, 2.0)
    """
    n, flags, keys = score.size, positive.view(np.uint8), score.view(np.uint64)
    positives = int(np.count_nonzero(positive))
    within = not n or (score.min() >= 0.0 and score.max() < LARGEST_AS_DOUBLE)
    if not within or _radix_is_faster():
        keys = np.empty(n, np.uint64)
    halves = _sorted_halves(score, flags, keys, spare=False)
    state, nothing = np.zeros(SUMS), np.empty(0, np.int32)
    for half, flip, sign in halves:
        room = np.empty(0, np.uint64)
        _group(half, flip, sign, positives, n - positives, state, room, nothing, nothing)
    return tuple(state.tolist())


def _sorted_halves(
    score: NDArray[np.float64],
    flags: NDArray[np.uint8],
    keys: NDArray[np.uint64],
    *,
    spare: bool = True,
) -> list[tuple[NDArray[np.uint64], np.uint64, np.uint64]]:
    """Sort keys of all rows, or of scores from 0 up and of those below, with what turns them back.

    Without ``spare`` memory, numpy sorts them where they are.
    """
    if not _radix_is_faster() and _pack_as_doubles(score, flags, keys):
        doubles = keys.view(np.float64)
        _sort_shared(doubles) if spare and _worth_sharing(keys.size) else doubles.sort()
        return [(keys, SIGN, ZERO)]
    cut = keys.size - _pack(score, flags, keys)
    halves = keys[:cut], keys[cut:]
    sort = sort_keys if spare else np.ndarray.sort
    for half in halves:
        sort(half)
    return [(halves[0], ~ZERO, ZERO), (halves[1], ZERO, SIGN)]


@kernel()
def _pack_as_doubles(score: Any, positive: Any, keys: Any) -> bool:  # noqa: ANN401
    """Key rows so that keys, read as doubles, rise where scores fall; true if all are from 0 to 1.5.

    They sort faster than whole numbers do, but the keys of larger scores would be NaN.
    """
    bits = score.view(np.uint64)
    for first in range(0, score.size, BLOCK):
        outside = 0
        for i in range(first, min(first + BLOCK, score.size)):
            outside += not 0.0 <= score[i] < LARGEST_AS_DOUBLE
            keys[i] = SIGN | (bits[i] << ONE) | np.uint64(positive[i])
        if outside:
            return False
    return True


@kernel()
def _pack(score: Any, positive: Any, keys: Any) -> int:  # noqa: ANN401
    """Key the rows so that rising keys are falling scores; those below zero stand at the end."""
    n = score.size
    bits = score.view(np.uint64)
    front, back = 0, n
    for i in range(n):
        key = (bits[i] << ONE) | np.uint64(positive[i])
        if score[i] >= 0.0:  # minus zero too: its sign is shifted out
            keys[front] = ~key
            front += 1
        else:
            back -= 1
            keys[back] = key
    return n - back


@kernel(error_model="numpy")
def _group(
    keys: Any,  # noqa: ANN401
    flip: Any,  # noqa: ANN401
    sign: Any,  # noqa: ANN401
    positives: int,
    negatives: int,
    state: Any,  # noqa: ANN401
    distinct: Any,  # noqa: ANN401
    pos: Any,  # noqa: ANN401
    neg: Any,  # noqa: ANN401
) -> int:
    """Collapse sorted keys into distinct scores and add to ``state`` what their order comes to.

    Without room for the distinct scores, the sums alone are made.
    """
    keep = np.int64(pos.size > 0)
    tp, fp, concordant = state[0], state[1], state[2]
    tied, precision, gap = state[3], state[4], state[5]
    m = i = 0
    while i < keys.size:
        key = keys[i] ^ flip
        bits = key >> ONE
        y = np.int64(key & ONE)
        p, q = y, 1 - y
        i += 1
        while i < keys.size and (keys[i] ^ flip) >> ONE == bits:
            y = np.int64((keys[i] ^ flip) & ONE)
            p += y
            q += 1 - y
            i += 1
        if keep:
            distinct[m] = bits | sign
            pos[m] = p
            neg[m] = q
            m += 1
        concordant += tp * q
        tied += p * q
        tp += p
        fp += q
        # No branch on p: whether it is zero cannot be foretold, and a wrong guess costs more.
        precision += p * (tp / (tp + fp))
        gap = max(gap, abs(tp * negatives - fp * positives))
    state[:] = tp, fp, concordant, tied, precision, gap
    return m


def sort_keys(keys: NDArray[np.uint64], *, ordered: int = 0) -> NDArray[np.uint64]:
    """Sort in place by whichever of two sorts is faster on this processor.

    By the last ``ordered`` bits, such as the number of a row, keys stand in order already.
    """
    lowest = None if keys.size < MIN_RADIX_KEYS or not _radix_is_faster() else ordered // 8
    if _worth_sharing(keys.size):
        _sort_shared(keys, lowest)
    elif lowest is None:
        keys.sort()
    else:
        keys[:] = _radix(keys, np.empty_like(keys), lowest)
    return keys


def _worth_sharing(n: int) -> bool:
    return n >= MIN_SHARED_KEYS and share() >= MIN_SHARING_THREADS


def _sort_shared(keys: NDArray[Any], lowest: int | None = None) -> None:
    """Sort pieces, then what falls between some of their keys: each a piece to a thread."""
    number = share()
    edges = np.linspace(0, keys.size, number + 1).astype(int).tolist()
    pieces = [slice(*edge) for edge in pairwise(edges)]
    spare = np.empty_like(keys)
    cuts = np.zeros((number, number + 1), np.int64)

    def sort_piece(i: int) -> None:
        _sort_into(spare[pieces[i]], keys[pieces[i]], lowest)

    def sort_between(j: int) -> None:
        parts = [spare[p][slice(*cuts[i, j : j + 2])] for i, p in enumerate(pieces)]
        _sort_into(keys[stops[j] : stops[j + 1]], np.concatenate(parts), lowest)

    with together(large=True):
        spread(sort_piece, range(number), large=True)
        some = np.sort(
            np.concatenate(
                [spare[p][SAMPLES_PER_BUCKET // 2 :: SAMPLES_PER_BUCKET] for p in pieces]
            )
        )
        ends = some[np.linspace(0, some.size, number, endpoint=False).astype(int)[1:]]
        for cut, piece in zip(cuts, pieces, strict=True):
            cut[1:-1], cut[-1] = np.searchsorted(spare[piece], ends), piece.stop - piece.start
        stops = cuts.sum(axis=0)
        spread(sort_between, range(number), large=True)


def _sort_into(out: NDArray[Any], keys: NDArray[Any], lowest: int | None) -> None:
    """Write sorted keys, and use the room of the unsorted ones."""
    if lowest is None:
        out[:] = keys
        out.sort()
    else:
        out[:] = _radix(keys, out, lowest)


@cache
def _radix_is_faster() -> bool:
    """Try both once: numpy's vector sort is the best there is on some processors and
    five times slower than a radix sort on others that report the same instructions.
    """
    trial = np.random.default_rng(0).integers(0, 2**63, 1 << 16, dtype=np.uint64)
    _radix(trial[:2].copy(), np.empty(2, np.uint64), 0)
    sorts: tuple[Any, ...] = (np.sort, lambda k: _radix(k.copy(), np.empty_like(k), 0))
    best = [math.inf, math.inf]
    for _ in range(TURNS):  # in turn, and the best of each: a busy machine must not decide
        for i, sort in enumerate(sorts):
            start = time.perf_counter()
            sort(trial)
            best[i] = min(best[i], time.perf_counter() - start)
    return best[1] < best[0]


@kernel()
def _radix(keys: Any, spare: Any, lowest: int) -> Any:  # noqa: ANN401
    """Sort by one byte at a time, from the lowest that matters, skipping bytes that all keys share."""
    n = keys.size
    starts = np.zeros((KEY_BYTES, 256), np.int64)
    for i in range(n):
        k = keys[i]
        for d in range(lowest, KEY_BYTES):
            starts[d, (k >> np.uint64(8 * d)) & BYTE] += 1
    source, target = keys, spare
    for d in range(lowest, KEY_BYTES):
        shift = np.uint64(8 * d)
        place = starts[d]
        if place[(source[0] >> shift) & BYTE] == n:
            continue
        so_far = 0
        for b in range(256):
            here = place[b]
            place[b] = so_far
            so_far += here
        for i in range(n):
            k = source[i]
            b = (k >> shift) & BYTE
            target[place[b]] = k
            place[b] += 1
        source, target = target, source
    return source


def rows_between(
    score: NDArray[np.float64], positive: NDArray[np.bool_], thresholds: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Count rows by the number of (rising, finite) thresholds that they reach and by class."""
    low, high = float(thresholds[0]), float(thresholds[-1])
    width = high - low
    # Without a finite scale every scan starts at the first threshold, which is slower and counts the same.
    scale = SEARCH_CELLS / width if SEARCH_CELLS / 1e308 < width < np.inf else 0.0
    # The first threshold that any score of a cell can fail to reach; the scan steps on from there.
    steps = (thresholds - low) * scale if scale else np.zeros(thresholds.size)
    edges = np.clip(steps, 0, SEARCH_CELLS - 1).astype(np.int64)
    first = np.searchsorted(edges, np.arange(SEARCH_CELLS)).astype(np.int64)
    counts: NDArray[np.int64] = _count(score, positive, thresholds, first, low, scale)
    return counts


@kernel()
def _count(score: Any, positive: Any, thresholds: Any, first: Any, low: float, scale: float) -> Any:  # noqa: ANN401
    m = thresholds.size
    counts = np.zeros((m + 1, 2), np.int64)
    for i in range(score.size):
        s = score[i]
        x = (s - low) * scale
        j = 0
        if x > 0.0:
            j = first[min(int(min(x, SEARCH_CELLS - 1.0)), SEARCH_CELLS - 1)]
        while j < m and thresholds[j] <= s:
            j += 1
        counts[j, np.intp(positive[i])] += 1
    return counts
