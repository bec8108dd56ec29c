"""Sums and sums of products of two columns, measured from an origin in units of their own, in one pass; medians."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from credibly._core.arrays import Floats, dot
from credibly._kernels import kernel, worth_compiling

CELL_BITS = 16  # leading bits of a number by which those near the middle are found
ROWS_PER_BLOCK = 1 << 14  # rows added up by themselves: for the cache, and for the last digits


def pair_moments(
    first: Floats, second: Floats, weight: Floats | None, unit: Floats, origin: Floats
) -> tuple[Floats, Floats]:
    """Return the sums of both columns, and the matrix of the sums of their products.

    >>> pair_moments(np.array([1.0, 3.0]), np.array([2.0, 2.0]), None, np.ones(2), np.array([2.0, 0.0]))
    (array([0., 4.]), array([[2., 0.],
           [0., 8.]]))
    """
    if weight is None and worth_compiling(first.size):
        blocks = np.empty((-(-first.size // ROWS_PER_BLOCK), 5))
        _sum_blocks(first, second, unit, origin, blocks)
        found = blocks.tolist()
    else:
        found, (p, q), (a, b) = [], (1 / unit).tolist(), origin.tolist()
        for start in range(0, first.size, ROWS_PER_BLOCK):
            rows = slice(start, start + ROWS_PER_BLOCK)
            u, v = first[rows] * p - a, second[rows] * q - b
            wu, wv = (u, v) if weight is None else (u * weight[rows], v * weight[rows])
            found.append([wu.sum(), wv.sum(), dot(wu, u), dot(wu, v), dot(wv, v)])
    x, y, xx, xy, yy = map(math.fsum, zip(*found, strict=True))
    return np.array([x, y]), np.array([[xx, xy], [xy, yy]])


@kernel()
def _sum_blocks(first: Any, second: Any, unit: Any, origin: Any, blocks: Any) -> None:  # noqa: ANN401
    for b in range(blocks.shape[0]):
        start, end = b * ROWS_PER_BLOCK, min((b + 1) * ROWS_PER_BLOCK, first.size)
        blocks[b] = _sum(first[start:end], second[start:end], unit, origin)


@kernel(fastmath={"reassoc"})
def _sum(first: Any, second: Any, unit: Any, origin: Any) -> Any:  # noqa: ANN401
    """Add up rows; units are powers of two, so their inverses are exact."""
    p, q, a, b = 1 / unit[0], 1 / unit[1], origin[0], origin[1]
    x = y = xx = xy = yy = 0.0
    for i in range(first.size):
        u, v = first[i] * p - a, second[i] * q - b
        x += u
        y += v
        xx += u * u
        xy += u * v
        yy += v * v
    return x, y, xx, xy, yy


def middle_two(values: Floats) -> Floats:
    """Return the two values in the middle of numbers from 0 on, which are the same one if there is a middle one.

    >>> middle_two(np.array([3.0, 1.0, 2.0, 7.0])).tolist()
    [2.0, 3.0]
    """
    at = [(values.size - 1) // 2, values.size // 2]
    if worth_compiling(values.size):
        bits = (values + 0.0).view(np.uint64)  # ordered as the numbers are
        shift = max(0, int(bits.max()).bit_length() - CELL_BITS)
        cells = np.zeros(1 << CELL_BITS, np.int64)
        _count_cells(bits, np.uint64(shift), cells)
        up_to = np.cumsum(cells)
        low, high = np.searchsorted(up_to, at, side="right")
        near = bits[((bits >> np.uint64(shift)) == low) | ((bits >> np.uint64(shift)) == high)]
        if near.size < values.size // 2:
            values, at = near.view(np.float64), [i - int(up_to[low - 1] if low else 0) for i in at]
    low, high = at
    placed = np.partition(values, high)  # for one place it is twice as fast as for two
    return np.array([placed[high] if low == high else placed[:high].max(), placed[high]])


@kernel()
def _count_cells(bits: Any, shift: Any, cells: Any) -> None:  # noqa: ANN401
    for i in range(bits.size):
        cells[bits[i] >> shift] += 1
