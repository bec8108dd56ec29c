"""Sums of numbers under random signs: what a permutation test of two models is made of.

Swapping what two models say of a case turns the sign of the case's difference. The sign of a case in a
permutation is a bit of a hash of (seed, block of 64 permutations, case) and of nothing else, so the
order of the cases, blocks and threads do not matter.
"""

# ruff: noqa: ANN401 -- compiled functions take arrays of any kind

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credibly._core.arrays import Floats
from credibly._kernels import kernel, worth_compiling
from credibly._kernels.draws import key_of
from credibly._kernels.placements import falling_order
from credibly._kernels.poisson_lanes import GOLD, LANES, U64, mix
from credibly._kernels.threads import spread, together

BITS = U64(1) << np.arange(LANES, dtype=np.uint64)
SIGN_STREAM = 3  # what the hash is for, beside the Poisson and the multinomial weights
DRAWS_PER_SORTED_ROW = 100  # draws that cost the twin what a row costs in a sort
ROWS_PER_TASK = 1 << 18
ROWS_PER_BLOCK = 1 << 14  # rows added up by themselves, to keep the last digits


def signed_sums(
    values: ArrayLike, case: ArrayLike | None = None, *, seed: int, count: int
) -> Floats:
    """Return the sums of the values under ``count`` sets of random signs.

    Rows that have the same ``case``, such as the number of their group, have the same sign. Whole
    numbers are added exactly up to 2^53.

    >>> signed_sums([1.0, 2.0, 4.0], seed=1, count=4).tolist()
    [-3.0, 7.0, -5.0, 5.0]
    """
    numbers = np.ascontiguousarray(values, np.float64)
    rows = np.arange(numbers.size) if case is None else case
    cases = np.ascontiguousarray(rows, np.int64).view(np.uint64)
    starts = range(0, numbers.size, ROWS_PER_TASK)
    blocks = range(-(-count // LANES))
    compiled = worth_compiling(numbers.size * count // DRAWS_PER_SORTED_ROW)
    add = _add_block if compiled else _added
    out = np.zeros((max(1, len(starts)), len(blocks), LANES))

    def run(task: tuple[int, int]) -> None:
        block, start = task
        rows = slice(start, start + ROWS_PER_TASK)
        key = U64(key_of(seed, SIGN_STREAM, block))
        add(numbers[rows], cases[rows], key, BITS, out[start // ROWS_PER_TASK, block])

    spread(run, product(blocks, starts), large=compiled)
    return out.sum(axis=0).ravel()[:count]


def random_signs(case: NDArray[Any], *, seed: int, permutation: int) -> NDArray[np.bool_]:
    """Return which cases are swapped in one permutation, as `signed_sums` does.

    >>> random_signs(np.arange(3), seed=1, permutation=0).tolist()
    [True, False, True]
    """
    block, lane = divmod(permutation, LANES)
    words = mix.plain(U64(key_of(seed, SIGN_STREAM, block)) + case.astype(np.uint64) * GOLD)
    return (words >> U64(lane)) & U64(1) == 1


def _added(
    values: Floats, case: NDArray[np.uint64], key: np.uint64, _: NDArray[np.uint64], out: Floats
) -> None:
    """The twin of the kernel: as many bits as lanes, times the values, a piece at a time."""
    out[:] = 0.0
    for start in range(0, values.size, ROWS_PER_BLOCK):
        part = values[start : start + ROWS_PER_BLOCK]
        words = mix.plain(key + case[start : start + ROWS_PER_BLOCK] * GOLD)
        bits = np.unpackbits(words.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
        out += part.sum() - 2 * (part @ bits)


@kernel()
def _add_block(values: Any, case: Any, key: Any, bits: Any, out: Any) -> None:
    """Add up 64 permutations side by side."""
    total = np.zeros(LANES)
    part = np.zeros(LANES)
    for lane in range(LANES):
        total[lane] = 0.0
    for start in range(0, values.size, ROWS_PER_BLOCK):
        for lane in range(LANES):
            part[lane] = 0.0
        whole = 0.0
        for i in range(start, min(start + ROWS_PER_BLOCK, values.size)):
            z = mix(key + case[i] * GOLD)
            v = values[i]
            whole += v
            for lane in range(LANES):
                part[lane] += v if z & bits[lane] else 0.0  # a mask of the vector registers
        for lane in range(LANES):
            total[lane] += whole - 2.0 * part[lane]
    for lane in range(LANES):
        out[lane] = total[lane]


# --- what swapping does to areas -----------------------------------------------------------------


def swapped_pairs(
    scores: Sequence[Floats], positive: NDArray[np.bool_]
) -> tuple[Floats, tuple[int, int]]:
    """Return twice how many more entries of the other class a case beats by its first rank than by its second.

    Entries are the ranks of two models, put into one row. Also, of each model by itself, twice the pairs in
    order, ties half.

    >>> scores = np.array([[0.1, 0.2, 0.3], [0.1, 0.3, 0.2]])
    >>> gap, twice = swapped_pairs(scores, np.array([False, True, True]))
    >>> gap.tolist(), twice
    ([0.0, 0.0, 0.0], (4, 4))
    """
    n = positive.size
    large = worth_compiling(2 * n)
    orders: list[tuple[Any, Any]] = [((), ())] * 2
    # Of each model and class, the entries at each place (the sum of where a tie begins and ends); then, of
    # each place, twice the entries of negatives below it, and of positives above it.
    held, other = np.zeros((2, 2, 2 * n), np.int32), np.empty((2, 2 * n), np.int64)
    twice, beaten = np.empty(2, np.int64), np.empty((2, n))

    def rank(i: int) -> None:
        orders[i] = falling_order(scores[i], times=2)
        twice[i] = (_count if large else _counted)(*orders[i], positive, held[i])

    def add_up(side: int) -> None:
        way = slice(None, None, 1 if side else -1)
        first, second, out = held[0, side, way], held[1, side, way], other[1 - side, way]
        if large:
            _add_up(first, second, out)
        else:
            both = np.add(first, second, dtype=np.int64)
            np.subtract(2 * np.cumsum(both), both, out=out)

    def beat(task: tuple[int, int]) -> None:
        i, start = task
        if large:
            _write(*orders[i], start, min(start + part, n), positive, other, beaten[i])
        else:
            _written(*orders[i], positive, other, beaten[i])

    with together(large=large):
        spread(rank, range(2), large=large)
        spread(add_up, range(2), large=large)
        part = ROWS_PER_TASK // 4 if large else n
        spread(beat, product(range(2), range(0, n, part)), large=large)
    return np.subtract(*beaten), (int(twice[0]), int(twice[1]))


def _counted(order: Any, new: Any, positive: Any, held: Any) -> int:
    first = np.flatnonzero(new)
    ends = np.append(first[1:], order.size)
    pos = np.add.reduceat(positive[order], first, dtype=np.int64)
    neg = ends - first - pos
    held[0, first + ends - 1], held[1, first + ends - 1] = neg, pos
    return int(pos @ (2 * (neg.sum() - np.cumsum(neg)) + neg))


@kernel()
def _count(order: Any, new: Any, positive: Any, held: Any) -> int:
    """Write how many of each class are tied at each place; return twice the pairs in order, ties half."""
    n = order.size
    tp = twice = i = 0
    while i < n:
        start = i
        p = 0
        while True:
            p += int(positive[order[i]])
            i += 1
            if i == n or new[i]:
                break
        q = i - start - p
        held[0, start + i - 1] = q
        held[1, start + i - 1] = p
        twice += q * (2 * tp + p)
        tp += p
    return twice


@kernel()
def _add_up(first: Any, second: Any, out: Any) -> None:
    """Write twice the sum up to each place, of which what stands there counts once."""
    total = np.int64(0)
    for i in range(first.size):
        here = np.int64(first[i]) + np.int64(second[i])
        out[i] = 2 * total + here
        total += here


def _written(order: Any, new: Any, positive: Any, other: Any, out: Any) -> None:
    first = np.flatnonzero(new)
    ends = np.append(first[1:], order.size)
    place = np.repeat(first + ends - 1, ends - first)
    out[order] = other[positive[order].astype(int), place]


@kernel()
def _write(order: Any, new: Any, start: int, end: int, positive: Any, other: Any, out: Any) -> None:
    """Write what is beaten, by case, of ties that begin in a part."""
    i = start
    while i < end and not new[i]:
        i += 1
    while i < end:
        first = i
        i += 1
        while i < order.size and not new[i]:
            i += 1
        for j in range(first, i):
            out[order[j]] = other[np.int64(positive[order[j]]), first + i - 1]
