"""Slopes of formulas by the numbers of a summary.

Formulas are differentiated with complex steps. The imaginary part of f(x + ih) is h f'(x): nothing is
subtracted, so nothing is lost, and the step may be as small as need be (Squire, W. & Trapp, G. (1998)
Using complex variables to estimate derivatives of real functions. SIAM Review 40, 110-112). Each step is a share of the number that it moves: a rare class
has its own scale, whatever the number of all cases.

That takes a formula that computes with complex numbers as with real ones. One that takes an absolute
value, say, does not, so real steps in the same call check the result; where they disagree, differences
take its place.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.cache import cached

Formula = Callable[[Any], Floats]

BATCH = 1 << 19  # numbers moved at a time: what stays in the cache
STEP = 2.0**-40  # of a number: its square is below rounding, which is all that such a step costs
DIFFERENCE = 2.0**-10  # the same for differences of fourth order: truncation and rounding are 1e-12
CHECK = 2.0**-22  # the same for the check, small enough to stay within what a formula is made for
DISAGREEMENT = 1e-4  # between complex and real steps, far above what either loses


def gradient(
    formula: Formula,
    summary: Any,  # noqa: ANN401
    sizes: Mapping[str, float],
    *,
    from_zero: bool = True,
) -> dict[str, Floats]:
    """Differentiate a formula by the numbers in some fields of a summary.

    ``sizes`` names the fields, and says how large a number is that is zero and so has no size of its
    own; where numbers have no zero of their own, how large any is.

    >>> from credibly.measures import fbeta
    >>> from credibly.predictions.summaries import BinaryCounts
    >>> rare = BinaryCounts.of_outcomes(tp=12, fp=9, fn=8, tn=1e9)
    >>> found = gradient(fbeta.of_summary, rare, dict.fromkeys(("tp", "fn", "tn"), 1e9))
    >>> {name: round(float(slope), 9) for name, slope in found.items()}  # 2 (fn + fp) / 41^2, -2 tp / 41^2
    {'tp': 0.020226056, 'fn': -0.014277216, 'tn': 0.0}
    """
    return Point.of(summary, sizes, from_zero=from_zero).gradient(formula)


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """Where formulas are differentiated: the numbers of a summary in one row, and how large each is."""

    summary: Any
    fields: dict[str, tuple[slice, tuple[int, ...]]]  # the place of each in the row, and its shape
    numbers: Floats
    size: Floats
    cache: dict[Any, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, summary: Any, sizes: Mapping[str, float], *, from_zero: bool = True) -> Point:  # noqa: ANN401
        """Put some numbers of a summary into one row; those of zero have the sizes that are given."""
        places, end = {}, 0
        for name in sizes:
            shape = np.shape(getattr(summary, name))
            start, end = end, end + math.prod(shape)
            places[name] = slice(start, end), shape
        numbers, size = np.empty(end), np.empty(end)
        for name, (place, shape) in places.items():
            numbers[place].reshape(shape)[...] = getattr(summary, name)
            size[place] = sizes[name]
        if from_zero:
            size = np.where(numbers != 0, np.abs(numbers), size)
        return cls(summary, places, numbers, size)

    def gradient(self, formula: Formula) -> dict[str, Floats]:
        """Differentiate a formula by each number, and return the slopes by field."""
        slopes = self._by_complex_steps(formula)
        return self._by_field(self._by_differences(formula) if slopes is None else slopes)

    def _by_field(self, row: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Cut rows of numbers (last axis) into the fields they belong to."""
        ahead = row.shape[:-1]
        return {n: row[..., place].reshape(ahead + s) for n, (place, s) in self.fields.items()}

    def _holding(self, rows: NDArray[Any]) -> Any:  # noqa: ANN401
        """Return a batch of summaries with these numbers."""
        return replace(self.summary, **self._by_field(rows))

    def _batches(self) -> Iterator[NDArray[np.intp]]:
        """Yield which numbers to move at a time."""
        n = self.numbers.size
        for first in range(0, n, rows := max(1, BATCH // max(n, 1))):
            yield np.arange(first, min(first + rows, n))

    def _moved(self, which: NDArray[np.intp]) -> Any:  # noqa: ANN401
        """Return summaries of which each has one number moved; then as it is, and all moved up and down."""
        rows = np.empty((which.size + 3, self.numbers.size), np.complex128)
        rows[:] = self.numbers
        rows[np.arange(which.size), which] += 1j * STEP * self.size[which]
        rows[-2] += CHECK * self._direction()
        rows[-1] -= CHECK * self._direction()
        return self._holding(rows)

    def _direction(self) -> Floats:
        def made() -> Floats:
            # Of irregular length: no formula stays as it is when all its numbers move like this.
            irregular = np.cos(1 + 2.4 * np.arange(self.numbers.size))
            return np.asarray(irregular * self.size * (self.numbers != 0))

        return cached(self, "direction", made)

    def _by_complex_steps(self, formula: Formula) -> Floats | None:
        """Return all slopes, or nothing where the formula turns out not to be made for it."""
        found, steps = np.zeros(self.numbers.size), STEP * self.size
        for which in self._batches():
            batch = (
                cached(self, "moved", lambda: self._moved(which))  # noqa: B023  (which is all)
                if which.size == found.size
                else self._moved(which)
            )
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error", np.exceptions.ComplexWarning)
                    values = np.asarray(formula(batch))
            except (TypeError, ValueError, np.exceptions.ComplexWarning):
                return None  # what only real numbers can be put through
            moved = np.where(np.isfinite(values[:-3]), values[:-3].imag, np.nan)
            found[which] = moved / steps[which]
        return found if _agree(found * self._direction(), values[-3:].real) else None

    def _by_differences(self, formula: Formula) -> Floats:
        """Return all slopes from central differences of fourth order."""
        found = np.zeros(self.numbers.size)
        for which in self._batches():
            ends = []
            for steps in (1, -1, 2, -2):
                rows = np.tile(self.numbers, (which.size, 1))
                rows[np.arange(which.size), which] += steps * DIFFERENCE * self.size[which]
                ends.append(np.asarray(formula(self._holding(rows))))
            near, far = ends[0] - ends[1], ends[2] - ends[3]
            found[which] = (8 * near - far) / (12 * DIFFERENCE * self.size[which])
        return found


def _agree(moves: Floats, ends: Floats) -> bool:
    """Whether real steps up or down move a formula as its slopes say; at the end of a range one may not."""
    here, up, down = ends.tolist()
    moved, scale = float(moves.sum()), abs(here) + float(np.abs(moves).sum())
    apart = (abs(step / CHECK - moved) for step in (up - here, here - down))
    return not all(each > DISAGREEMENT * scale for each in apart)
