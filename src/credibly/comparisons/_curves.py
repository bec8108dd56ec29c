"""Venkatraman's statistics of two ROC curves, for many permutations at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats

if TYPE_CHECKING:
    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

MAX_CELLS = 2_000_000  # numbers in a table of permutations


def blocks(permutations: int, width: int) -> Iterator[int]:
    """Yield how many permutations to make at a time, so that their table stays small.

    >>> list(blocks(5, 1_000_000))
    [2, 2, 1]
    """
    most = max(1, MAX_CELLS // width)
    while permutations > 0:
        yield min(most, permutations)
        permutations -= most


# --- the same cases ---------------------------------------------------------------------------


def paired_statistics(ranks: Ints, positive: Bools) -> Floats:
    """Return twice the difference of the errors of two models, summed over all ranks to start at.

    ``ranks`` holds twice the midranks: permutation, model, case.
    """
    first, second = (missed_below(ranks[:, model], positive) for model in (0, 1))
    return 2 * np.abs(first - second).sum(axis=1)


def missed_below(twice: Ints, positive: Bools) -> Floats:
    """Return how many positive cases are among the x lowest, for x = 1 to n, ties evenly mixed.

    A tie spreads its positive cases over as many places as it has cases.

    >>> missed_below(np.array([[2, 5, 5]]), np.array([False, True, False])).tolist()
    [[0.0, 0.5, 1.0]]
    """
    count, n = twice.shape
    places = 2 * n + 1
    cell = twice + places * np.arange(count)[:, None]
    size = np.bincount(cell.ravel(), minlength=count * places)
    held = np.bincount(cell[:, positive].ravel(), minlength=count * places)
    shares = np.repeat(held / np.maximum(size, 1), size).reshape(count, n)
    return np.cumsum(shares, axis=1)


# --- other cases ------------------------------------------------------------------------------


def unpaired_statistics(codes: Ints, truths: list[Bools], share: float) -> Floats:
    """Return the areas between the curves of errors of two samples, over the share below.

    ``codes`` says where cases stand among all places in order: permutation, cases of both samples.
    """
    size = int(codes.max()) + 1
    samples = np.split(codes, [truths[0].size], axis=1)
    curves = [_curve(c, t, share, size) for c, t in zip(samples, truths, strict=True)]
    grid = np.sort(np.concatenate([below for below, _ in curves], axis=1), axis=1)
    first, second = (_interpolated(grid, below, missed) for below, missed in curves)
    return _area_of_size(grid, 2 * (first - second))


def _curve(codes: Ints, positive: Bools, share: float, size: int) -> tuple[Floats, Floats]:
    """Return the share below each place, and of it the positive cases; equal points do no harm."""
    count = len(codes)
    cell = codes + size * np.arange(count)[:, None]
    weight = np.where(positive, share / positive.sum(), (1 - share) / (~positive).sum())
    curves = []
    for each in (weight, weight * positive):
        sums = np.bincount(cell.ravel(), np.tile(each, count), minlength=count * size)
        running = np.cumsum(sums.reshape(count, size), axis=1)
        curves.append(np.concatenate([np.zeros((count, 1)), running], axis=1))
    below, missed = curves
    return below / below[:, -1:], missed


def _interpolated(grid: Floats, x: Floats, y: Floats) -> Floats:
    """Interpolate row by row; rows are set side by side, two apart, so that one pass serves all."""
    apart = 2.0 * np.arange(len(x))[:, None]
    return np.interp((grid + apart).ravel(), (x + apart).ravel(), y.ravel()).reshape(grid.shape)


def _area_of_size(x: Floats, y: Floats) -> Floats:
    """Integrate the size of broken lines, which may cross zero within a piece."""
    a, b, width = y[:, :-1], y[:, 1:], np.diff(x, axis=1)
    total = np.abs(a) + np.abs(b)
    crossing = np.divide(a**2 + b**2, total, out=np.zeros_like(total), where=total > 0)
    return (width * np.where(a * b < 0, crossing, total) / 2).sum(axis=1)
