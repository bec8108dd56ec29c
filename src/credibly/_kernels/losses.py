"""Sums of losses in one pass: of the probability that the actual class was given, and of errors of numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._kernels import ErrorSums, LossSums, kernel

ERRORS_PER_BLOCK = 1 << 12  # errors added up by themselves: for the cache, and for the last digits
BLOCK_FACTORS = 512  # as many numbers from 1 to 2 have a product that a double holds
# A block's log loss below which its product is too near 1 to take the logarithm of.
SMALL_LOG_SUM = 1.0
# Mantissas from here to its double are nearest to 1.
BITS_OF_ROOT_HALF = np.array([math.sqrt(0.5)]).view(np.int64)[0]
SMALLEST_NORMAL = 2.0**-1022


def truth_probability_sums(
    probability: NDArray[np.float64], positive: NDArray[np.bool_]
) -> LossSums:
    """Sum losses of the probability of the positive class.

    >>> sums = truth_probability_sums(np.array([0.5, 0.5, 1.0]), np.array([True, False, False]))
    >>> [round(x, 12) for x in sums]
    [2.0, 1.5, 1.38629436112, 1.0]
    """
    blocks = np.empty((len(LossSums._fields), -(-probability.size // BLOCK_FACTORS)))
    _sum_blocks(probability, positive.view(np.uint8), blocks)
    return LossSums(*(math.fsum(row) for row in blocks))


@kernel()
def _sum_blocks(probability: Any, positive: Any, blocks: Any) -> None:  # noqa: ANN401
    n = probability.size
    q = np.empty(BLOCK_FACTORS)
    for b in range(blocks.shape[1]):
        first = b * BLOCK_FACTORS
        size = min(BLOCK_FACTORS, n - first)
        here = q[:size]
        _take(probability[first : first + size], positive[first : first + size], here)
        blocks[0, b], blocks[1, b] = _powers(here)
        blocks[3, b] = _without_zeros(here) if _below_normal(here) else 0
        logs = _log_by_items(here) if _below_normal(here) else _log_of_product(here)
        blocks[2, b] = logs if logs >= SMALL_LOG_SUM else _log_near_one(here)


@kernel()
def _take(probability: Any, positive: Any, q: Any) -> None:  # noqa: ANN401
    for i in range(q.size):
        other = 1.0 - probability[i]
        q[i] = probability[i] if positive[i] else other


@kernel(fastmath={"reassoc"})
def _powers(q: Any) -> tuple[float, float]:  # noqa: ANN401
    missed = squared = 0.0
    for i in range(q.size):
        gap = 1.0 - q[i]
        missed += gap
        squared += gap * gap
    return missed, squared


@kernel()
def _below_normal(q: Any) -> int:  # noqa: ANN401
    """Count numbers whose bits do not give their exponent."""
    count = 0
    for i in range(q.size):
        count += q[i] < SMALLEST_NORMAL
    return count


@kernel()
def _without_zeros(q: Any) -> int:  # noqa: ANN401
    """Put 1 in the place of zeros, and count them."""
    zeros = 0
    for i in range(q.size):
        zeros += q[i] == 0.0
        q[i] = 1.0 if q[i] == 0.0 else q[i]
    return zeros


@kernel(fastmath={"reassoc"})
def _log_of_product(q: Any) -> float:  # noqa: ANN401
    """Add exponents and multiply mantissas: one logarithm serves the block."""
    bits = q.view(np.int64)
    exponents, product = np.int64(0), 1.0
    mantissa = np.empty(BLOCK_FACTORS)
    mantissa_bits = mantissa.view(np.int64)
    for i in range(q.size):
        exponent = (bits[i] - BITS_OF_ROOT_HALF) >> 52
        exponents += exponent
        mantissa_bits[i] = bits[i] - (exponent << 52)
    for i in range(q.size):
        product *= mantissa[i]
    return -(math.log(product) + exponents * math.log(2.0))


@kernel()
def _log_near_one(q: Any) -> float:  # noqa: ANN401
    """Multiply what numbers close to 1 lack, which keeps the digits that their product loses."""
    a = b = c = d = 0.0
    whole = q.size - q.size % 4
    for i in range(0, whole, 4):
        x, y, z, w = q[i] - 1.0, q[i + 1] - 1.0, q[i + 2] - 1.0, q[i + 3] - 1.0
        a += x + a * x
        b += y + b * y
        c += z + c * z
        d += w + d * w
    for i in range(whole, q.size):
        x = q[i] - 1.0
        a += x + a * x
    return -(math.log1p(a) + math.log1p(b) + math.log1p(c) + math.log1p(d))


@kernel()
def _log_by_items(q: Any) -> float:  # noqa: ANN401
    total = 0.0
    for i in range(q.size):
        total -= math.log(q[i])
    return total


def error_sums(truth: NDArray[np.float64], value: NDArray[np.float64]) -> ErrorSums:
    """Sum losses of predicted numbers.

    >>> error_sums(np.array([1.0, 2.0]), np.array([2.0, 1.0]))
    ErrorSums(error=0.0, square=2.0, distance=2.0, share=1.5)
    """
    blocks = np.empty((-(-truth.size // ERRORS_PER_BLOCK), len(ErrorSums._fields)))
    _sum_errors(truth, value, blocks)
    return ErrorSums(*(math.fsum(column) for column in blocks.T))


@kernel()
def _sum_errors(truth: Any, value: Any, blocks: Any) -> None:  # noqa: ANN401
    for b in range(blocks.shape[0]):
        first, last = b * ERRORS_PER_BLOCK, min((b + 1) * ERRORS_PER_BLOCK, truth.size)
        blocks[b] = _add_errors(truth[first:last], value[first:last])


@kernel(fastmath={"reassoc"}, error_model="numpy")
def _add_errors(truth: Any, value: Any) -> tuple[float, float, float, float]:  # noqa: ANN401
    total = square = distance = share = 0.0
    for i in range(truth.size):
        error = value[i] - truth[i]
        total += error
        square += error * error
        distance += abs(error)
        share += abs(error / truth[i])
    return total, square, distance, share
