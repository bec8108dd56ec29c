"""What a resampling makes of a given number of rows: sizes, iterations, overlap, inclusion."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from credibly.errors import CrediblyError
from credibly.resampling._rows import Rows
from credibly.resampling._splits import Splits

MAX_CELLS = 20_000_000  # rows times splits that are looked at
MAX_LOOKED_AT = 100


@dataclass(frozen=True, slots=True)
class Shape:
    """Splits in numbers; sizes from the smallest to the largest that was seen."""

    splits: int | None = None
    train: tuple[int, int] | None = None
    test: tuple[int, int] | None = None
    overlap: float | None = None  # share of the rows of a training part that are in another
    inclusion: float | None = None  # probability that a row is in a training part


def shape_of(
    cut: Callable[..., Splits], n: int, inclusion: Callable[[int], float] | None = None
) -> Shape:
    """Return the shape of how ``n`` rows are cut: two classes, groups of five, ten folds, in order.

    It is empty where so few rows cannot be resampled like this.

    >>> from credibly.resampling import folds
    >>> shape_of(folds.cut, 150).train
    (135, 135)
    """
    row = np.arange(n)
    rows = Rows.of(n, row % 2, groups=row // 5, fold=row % 10)
    try:
        splits = cut(rows, rng=1)
    except CrediblyError:
        return Shape()
    looked = min(len(splits), MAX_LOOKED_AT, 2 + MAX_CELLS // n)
    seen = [splits[i] for i in np.linspace(0, len(splits) - 1, looked).astype(int)]
    included = np.zeros((len(seen), n), np.float32)
    for part, split in zip(included, seen, strict=True):
        part[split.train] = 1
    distinct = included.sum(axis=1, dtype=np.float64)
    shared = (included @ included.T) / distinct[:, None]
    return Shape(
        len(splits),
        _range(split.train.size for split in seen),
        _range(split.test.size for split in seen),
        float(shared[~np.eye(looked, dtype=bool)].mean()) if looked > 1 else None,
        inclusion(n) if inclusion else float(distinct.mean() / n),
    )


def _range(sizes: Iterable[int]) -> tuple[int, int]:
    every = list(sizes)
    return min(every), max(every)
