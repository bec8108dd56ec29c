"""Sums of numbers under random signs: what a permutation test of two models is made of.

Swapping what two models say of a case turns the sign of the case's difference. The sign of a case in a
permutation is a bit of a hash of (seed, block of 64 permutations, case) and of nothing else, so the
order of the cases, blocks and threads do not matter.
"""

# ruff: noqa: ANN401 -- compiled functions take arrays of any kind

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credibly._core.arrays import Floats
from credibly._kernels import kernel, worth_compiling
from credibly._kernels.draws import key_of
from credibly._kernels.poisson_lanes import GOLD, LANES, U64, mix
from credibly._kernels.threads import spread, together

SIGNS = 3  # what the hash is for, beside the Poisson and the multinomial weights
DRAWS_A_ROW = 100  # draws that cost the twin what a row costs in a sort
PART = 1 << 18  # rows of a task
PIECE = 1 << 14  # rows added up by themselves, for the sake of the last digits


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
    starts = range(0, numbers.size, PART)
    blocks = range(-(-count // LANES))
    compiled = worth_compiling(numbers.size * count // DRAWS_A_ROW)
    add = _add_block if compiled else _added
    out = np.zeros((max(1, len(starts)), len(blocks), LANES))

    def run(task: tuple[int, int]) -> None:
        block, start = task
        rows = slice(start, start + PART)
        key = U64(key_of(seed, SIGNS, block))
        add(numbers[rows], cases[rows], key, out[start // PART, block])

    spread(run, product(blocks, starts), large=compiled)
    return out.sum(axis=0).ravel()[:count]


def random_signs(case: NDArray[Any], *, seed: int, permutation: int) -> NDArray[np.bool_]:
    """Return which cases are swapped in one permutation, as `signed_sums` does.

    >>> random_signs(np.arange(3), seed=1, permutation=0).tolist()
    [True, False, True]
    """
    block, lane = divmod(permutation, LANES)
    words = mix.plain(U64(key_of(seed, SIGNS, block)) + case.astype(np.uint64) * GOLD)
    return (words >> U64(lane)) & U64(1) == 1


def _added(values: Floats, case: NDArray[np.uint64], key: np.uint64, out: Floats) -> None:
    """The twin of the kernel: as many bits as lanes, times the values, a piece at a time."""
    out[:] = 0.0
    for start in range(0, values.size, PIECE):
        part = values[start : start + PIECE]
        words = mix.plain(key + case[start : start + PIECE] * GOLD)
        bits = np.unpackbits(words.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
        out += part.sum() - 2 * (part @ bits)


@kernel()
def _add_block(values: Any, case: Any, key: Any, out: Any) -> None:
    """Add up 64 permutations side by side."""
    one = U64(1)
    total = np.zeros(LANES)
    part = np.zeros(LANES)
    for lane in range(LANES):
        total[lane] = 0.0
    for start in range(0, values.size, PIECE):
        for lane in range(LANES):
            part[lane] = 0.0
        whole = 0.0
        for i in range(start, min(start + PIECE, values.size)):
            z = mix(key + case[i] * GOLD)
            v = values[i]
            whole += v
            for lane in range(LANES):
                part[lane] += v * np.float64(np.int64((z >> U64(lane)) & one))
        for lane in range(LANES):
            total[lane] += whole - 2.0 * part[lane]
    for lane in range(LANES):
        out[lane] = total[lane]


# --- what swapping does to areas -----------------------------------------------------------------


def swapped_pairs(ranks: NDArray[np.int64], positive: NDArray[np.bool_]) -> Floats:
    """Return twice how many more entries of the other class a case beats by its first rank than by its second.

    ``ranks`` holds twice the midranks of two models, whose entries are put into one row.

    >>> ranks = np.array([[2, 4, 6], [2, 6, 4]])
    >>> swapped_pairs(ranks, np.array([False, True, True])).tolist()
    [0.0, 0.0, 0.0]
    """
    n = positive.size
    large = worth_compiling(ranks.size)
    # Of each model and class, the entries at each rank; then, of each rank, twice the entries of
    # negatives below it, and of positives above it.
    held, other = np.zeros((2, 2, 2 * n + 2), np.int32), np.empty((2, 2 * n + 2), np.int64)
    gap = np.empty(n)

    def count(i: int) -> None:
        if large:
            _count_ranks(ranks[i], positive, held[i])
        else:
            for side in range(2):
                held[i, side] = np.bincount(ranks[i, positive == side], minlength=2 * n + 2)

    def add_up(side: int) -> None:
        way = slice(None, None, -1 if side else 1)
        first, second, out = held[0, side, way], held[1, side, way], other[side, way]
        if large:
            _add_up(first, second, out)
        else:
            both = np.add(first, second, dtype=np.int64)
            np.subtract(2 * np.cumsum(both), both, out=out)

    def add(start: int) -> None:
        rows = slice(start, start + PIECE)
        of_other = np.where(positive[rows], 0, 2 * n + 2)
        first, second = (other.ravel().take(of_other + ranks[i, rows]) for i in range(2))
        gap[rows] = first - second

    with together(large=large):
        spread(count, range(2), large=large)
        spread(add_up, range(2), large=large)
        spread(add, range(0, n, PIECE), large=large)
    return gap


@kernel()
def _count_ranks(ranks: Any, positive: Any, held: Any) -> None:
    for i in range(ranks.size):
        held[np.int64(positive[i]), ranks[i]] += 1


@kernel()
def _add_up(first: Any, second: Any, out: Any) -> None:
    """Write twice the sum up to each place, of which what stands there counts once."""
    total = np.int64(0)
    for i in range(first.size):
        here = np.int64(first[i]) + np.int64(second[i])
        out[i] = 2 * total + here
        total += here
