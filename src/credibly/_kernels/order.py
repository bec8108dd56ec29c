"""Distinct scores in falling order, and the sums that measures of ranking are made of."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

ONE = np.uint64(1)
BYTE = np.uint64(255)
SIGN = np.uint64(1) << np.uint64(63)
DIGITS = 8


def distinct_scores(
    score: NDArray[np.float64], positive: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32]]:
    """Return distinct scores, largest first, with the number of positive and negative rows at each.

    A finite double without its sign has 63 bits, so it shares a 64-bit key with the row's class and
    a plain sort of keys replaces the sort of an index. Negative scores are keyed apart.
    """
    keys = np.empty(score.size, np.uint64)
    negatives = _pack(score, positive, keys)
    split = score.size - negatives
    above, below = sort_keys(keys[:split]), sort_keys(keys[split:])
    pos, neg = np.empty(score.size, np.int32), np.empty(score.size, np.int32)
    distinct = np.empty(score.size, np.float64) if negatives else keys.view(np.float64)
    m = _group(above, below, distinct.view(np.uint64), pos, neg)
    return distinct[:m], pos[:m], neg[:m]


@njit(nogil=True, cache=True)  # type: ignore[untyped-decorator]
def _pack(score: Any, positive: Any, keys: Any) -> int:  # noqa: ANN401
    """Key the rows so that rising keys are falling scores; those below zero stand at the end."""
    n = score.size
    bits = score.view(np.uint64)
    front, back = 0, n
    for i in range(n):
        b = bits[i]
        if score[i] >= 0.0:  # minus zero too: its sign is shifted out
            keys[front] = ~((b << ONE) | np.uint64(positive[i]))
            front += 1
        else:
            back -= 1
            keys[back] = (b << ONE) | np.uint64(positive[i])
    return n - back


@njit(nogil=True, cache=True)  # type: ignore[untyped-decorator]
def _group(above: Any, below: Any, distinct: Any, pos: Any, neg: Any) -> int:  # noqa: ANN401
    """Collapse sorted keys into distinct scores; ``distinct`` may share memory with ``above``."""
    m = 0
    i = 0
    while i < above.size:
        bits = (~above[i]) >> ONE
        p = 0
        start = i
        while i < above.size and (~above[i]) >> ONE == bits:
            p += np.int64(~above[i] & ONE)
            i += 1
        distinct[m] = bits
        pos[m] = p
        neg[m] = i - start - p
        m += 1
    i = 0
    while i < below.size:
        bits = below[i] >> ONE
        p = 0
        start = i
        while i < below.size and below[i] >> ONE == bits:
            p += np.int64(below[i] & ONE)
            i += 1
        distinct[m] = bits | SIGN
        pos[m] = p
        neg[m] = i - start - p
        m += 1
    return m


def sort_keys(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Sort in place by whichever of two sorts is faster on this processor."""
    if keys.size < 50_000 or not _radix_is_faster():
        keys.sort()
    else:
        keys[:] = _radix(keys, np.empty_like(keys))
    return keys


@cache
def _radix_is_faster() -> bool:
    """Try both once: numpy's vector sort is the best there is on some processors and
    five times slower than a radix sort on others that report the same instructions.
    """
    trial = np.random.default_rng(0).integers(0, 2**63, 1 << 16, dtype=np.uint64)
    _radix(trial[:2].copy(), np.empty(2, np.uint64))
    seconds = []
    for sort in (np.sort, lambda k: _radix(k.copy(), np.empty_like(k))):
        start = time.perf_counter()
        sort(trial)
        sort(trial)
        seconds.append(time.perf_counter() - start)
    return seconds[1] < seconds[0]


@njit(nogil=True, cache=True)  # type: ignore[untyped-decorator]
def _radix(keys: Any, spare: Any) -> Any:  # noqa: ANN401
    """Sort by one byte at a time, lowest first, skipping bytes that all keys share."""
    n = keys.size
    starts = np.zeros((DIGITS, 256), np.int64)
    for i in range(n):
        k = keys[i]
        for d in range(DIGITS):
            starts[d, (k >> np.uint64(8 * d)) & BYTE] += 1
    source, target = keys, spare
    for d in range(DIGITS):
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


@njit(nogil=True, cache=True)  # type: ignore[untyped-decorator]
def order_sums(pos: Any, neg: Any, positives: float, negatives: float) -> tuple[float, ...]:  # noqa: ANN401
    """Return concordant and tied weight, sum of precision over positives and largest gap."""
    tp = fp = concordant = tied = precision = gap = 0.0
    for i in range(pos.size):
        p, q = float(pos[i]), float(neg[i])
        concordant += tp * q
        tied += p * q
        tp += p
        fp += q
        if p > 0.0:
            precision += p * tp / (tp + fp)
        gap = max(gap, abs(tp * negatives - fp * positives))
    return concordant, tied, precision, gap
