"""Sums of numbers under random signs: what a permutation test of two models is made of.

Swapping what two models say of a case turns the sign of the case's difference. The sign of a case in a
permutation is a bit of a hash of (seed, block of 64 permutations, case) and of nothing else, so the
order of the cases, blocks and threads do not matter.
"""

# ruff: noqa: ANN401 -- compiled functions take arrays of any kind

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credibly._core.arrays import Floats
from credibly._kernels import kernel, worth_compiling
from credibly._kernels.draws import key_of
from credibly._kernels.poisson_lanes import GOLD, LANES, U64, mix
from credibly._kernels.threads import spread

SIGNS = 3  # what the hash is for, beside the Poisson and the multinomial weights
DRAWS_A_ROW = 100  # draws that cost the twin what a row costs in a sort
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
    blocks = range(-(-count // LANES))
    compiled = worth_compiling(numbers.size * count // DRAWS_A_ROW)
    add = _add_block if compiled else _added
    out = np.empty((len(blocks), LANES))

    def run(block: int) -> None:
        add(numbers, cases, U64(key_of(seed, SIGNS, block)), out[block])

    spread(run, blocks, large=compiled)
    return out.ravel()[:count]


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
