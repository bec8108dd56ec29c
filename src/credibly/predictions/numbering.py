"""Rows numbered by what they are of: a case, an independent unit, a repeat, a fold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import Indices
from credibly.predictions.labels import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from credibly.predictions.table import PredictionColumns


def _codes(column: NDArray[np.generic]) -> Indices:
    return distinct(column).codes.astype(np.intp, copy=False)


def case_numbers(p: PredictionColumns) -> Indices:
    """Return the number of the case of each row; where rows have no identifiers, each is a case."""
    return np.arange(p.n) if p.row is None else _codes(p.row)


def unit_numbers(p: PredictionColumns) -> Indices:
    """Return the number of the independent unit of each row: its group, its case if predicted repeatedly, or itself.

    >>> from credibly import Predictions
    >>> unit_numbers(Predictions.of([1, 0, 1], label=[1, 0, 0], group=["b", "a", "b"])).tolist()
    [1, 0, 1]
    """
    clusters = p.clusters
    return np.arange(p.n) if clusters is None else _codes(clusters)


def repeat_numbers(p: PredictionColumns) -> Indices:
    """Return the number of the repeat of each row; all are of the first where there are none."""
    return np.zeros(p.n, np.intp) if p.repeat is None else _codes(p.repeat)


def fold_numbers(p: PredictionColumns) -> Indices:
    """Return the number of the fold of each row; all are of the first where there are none."""
    return np.zeros(p.n, np.intp) if p.fold is None else _codes(p.fold)


def part_columns(p: PredictionColumns) -> list[str]:
    """Return the columns that number the parts of a resampling, as far as there are any."""
    return [c for c in ("repeat", "fold") if getattr(p, c) is not None]


def other_and_own(p: PredictionColumns) -> Iterator[tuple[Indices, Indices]]:
    """Yield of each fold of each repeat the rows of the others and its own.

    >>> from credibly import Predictions
    >>> p = Predictions.of([1, 0, 1], label=[1, 0, 0], fold=[0, 1, 1])
    >>> [(other.tolist(), own.tolist()) for other, own in other_and_own(p)]
    [([1, 2], [0]), ([0], [1, 2])]
    """
    repeat, fold = repeat_numbers(p), fold_numbers(p)
    for r, f in sorted({*zip(repeat.tolist(), fold.tolist(), strict=True)}):
        mine = repeat == r
        yield np.flatnonzero(mine & (fold != f)), np.flatnonzero(mine & (fold == f))
