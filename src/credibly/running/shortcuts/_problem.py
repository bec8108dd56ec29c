"""What a shortcut is given, and what it returns."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, Indices

if TYPE_CHECKING:
    from credibly.schemes import ModelOutput

    Mask = NDArray[np.bool_]


BATCH_NUMBERS = 2_000_000  # numbers that a batch of splits may hold at once
CACHED_NUMBERS = 200_000  # the same where they are read several times: these fit the cache
TIE_MARGIN = 1e-9  # classes whose probabilities differ by less could change places by rounding
# Rounding grows with the condition of the columns and with what a split takes away from them.
LARGEST_CONDITION = 1e4


class NoShortcutError(Exception):
    """A shortcut's reason for not serving; it never leaves this package."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutValues:
    """What a shortcut computed: numbers or class probabilities, and the splits that it cannot vouch for."""

    values: Floats
    doubtful: Mask
    why: str = ""
    votes: bool = False  # shares of counts: equal ones are equal, not close


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Predictions for the test rows of all splits, one split after the other.

    Where ``refit`` is true for a split, its rows must be predicted by refitting; ``why`` says for
    what reason.
    """

    output: ModelOutput
    refit: Mask
    why: str


@dataclass(frozen=True, eq=False)
class ShortcutProblem:
    """An estimator, its cases and the test rows of all splits, one after the other."""

    estimator: Any
    X: Floats
    y: NDArray[Any]  # numbers, or codes of classes
    k: int  # number of classes; 0 for numbers
    rows: Indices
    starts: Indices  # where each split begins in ``rows``, and the end

    @property
    def n(self) -> int:
        """Number of cases."""
        return len(self.X)

    @cached_property
    def sizes(self) -> Indices:
        """Size of each test part."""
        return np.diff(self.starts)

    @cached_property
    def split_of(self) -> Indices:
        """The split of each entry of ``rows``."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def one_by_one(self) -> bool:
        """Whether every test part is a single case."""
        return bool((self.sizes == 1).all())

    @cached_property
    def left(self) -> Floats:
        """Cases of each class in the training part of each split."""
        cells = np.bincount(
            self.split_of * self.k + self.y[self.rows], minlength=len(self.sizes) * self.k
        )
        every = np.bincount(self.y, minlength=self.k)
        return (every - cells.reshape(-1, self.k)).astype(np.float64)

    def take_defaults(self, *free: str) -> None:
        """Refuse unless every parameter but the named ones is at its default."""
        signature = inspect.signature(type(self.estimator)).parameters
        for name, value in self.estimator.get_params(deep=False).items():
            default = signature[name].default
            if name not in free and value is not default and value != default:
                raise NoShortcutError(f"{name}={value!r} is set")

    def refuse_large_means(self) -> None:
        """Refuse columns that lie so far from 0 that the digits of their spread are gone."""
        spread = self.X.std(axis=0)
        if (np.abs(self.X.mean(axis=0)) > LARGEST_CONDITION * spread)[spread > 0].any():
            raise NoShortcutError("a column's mean is very large beside its spread")

    def batches(self, width: int) -> Iterator[tuple[slice, slice]]:
        """Cut the splits, and their rows, so that a batch of rows times ``width`` stays small."""
        most = max(BATCH_NUMBERS // width, int(self.sizes.max()))
        first = 0
        while first < len(self.sizes):
            last = int(np.searchsorted(self.starts, self.starts[first] + most, "right")) - 1
            last = max(last, first + 1)
            yield slice(first, last), slice(int(self.starts[first]), int(self.starts[last]))
            first = last

    def of_one_size(self, width: int) -> Iterator[tuple[Indices, Indices]]:
        """Yield batches of splits that test as many rows, and where these stand in ``rows``, one row per split.

        A batch of rows times ``width`` stays in the cache.
        """
        for size in np.unique(self.sizes).tolist():
            alike = np.flatnonzero(self.sizes == size)
            most = max(1, CACHED_NUMBERS // (size * width))
            for first in range(0, alike.size, most):
                splits = alike[first : first + most]
                yield splits, self.starts[splits][:, None] + np.arange(size)

    def by_split(self, values: Floats, splits: slice) -> Floats:
        """Add up what a batch's rows hold within each split."""
        if self.one_by_one:
            return values
        return np.add.reduceat(values, self.starts[splits] - self.starts[splits.start])

    def to_rows(self, values: Floats, splits: slice, rows: slice) -> Floats:
        """Repeat what a batch's splits hold for each of their rows."""
        return values if self.one_by_one else values[self.split_of[rows] - splits.start]

    def moments_left(
        self, centred: Floats, left: Floats, splits: slice, rows: slice
    ) -> tuple[Floats, Floats]:
        """Return mean and variance of columns in the training parts of a batch, from what is tested.

        ``centred`` are values about their mean, 0 for cases that do not count.
        """
        tested, size = centred[self.rows[rows]], left[splits, None]
        mean = (centred.sum(axis=0) - self.by_split(tested, splits)) / size
        square = (np.square(centred).sum(axis=0) - self.by_split(tested**2, splits)) / size
        return mean, square - mean**2
