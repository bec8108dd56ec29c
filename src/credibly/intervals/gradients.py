"""Derivatives of a formula by each number of its summary, at any size of any of them.

The imaginary part of f(x + ih) is h f'(x): nothing is subtracted, so nothing is lost, and the step may
be as small as need be (Squire, W. & Trapp, G. (1998) Using complex variables to estimate derivatives of
real functions. SIAM Review 40, 110-112). Each step is a share of the number that it moves: a rare class
has its own scale, whatever the number of all cases.

That takes a formula that computes with complex numbers as with real ones. One that takes an absolute
value, say, does not, so real steps in the same call check the result; where they disagree, differences
take its place.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from credibly._core.arrays import Floats

    Formula = Callable[[Any], NDArray[Any]]

BATCH = 1 << 19  # numbers moved at a time: what stays in the cache
STEP = 2.0**-40  # of a number: its square is below rounding, which is all that such a step costs
DIFFERENCE = 2.0**-10  # the same for differences of fourth order: truncation and rounding are 1e-12
CHECK = 2.0**-22  # the same for the check, small enough to stay within what a formula is made for
DISAGREEMENT = 1e-4  # between complex and real steps, far above what either loses


def gradient(formula: Formula, summary: Any, sizes: Mapping[str, Any]) -> dict[str, Floats]:  # noqa: ANN401
    """Differentiate a formula by the numbers in some fields of a summary.

    ``sizes`` names the fields and says how large each of their numbers is; where it is zero, how
    large it might be.

    >>> from credibly.measures import fbeta
    >>> from credibly.predictions.summaries import BinaryCounts
    >>> rare = BinaryCounts.of_outcomes(tp=12, fp=9, fn=8, tn=1e9)
    >>> found = gradient(fbeta.of_summary, rare, {"tp": 12, "fn": 8, "tn": 1e9})
    >>> {name: round(float(slope), 9) for name, slope in found.items()}  # 2 (fn + fp) / 41^2, -2 tp / 41^2
    {'tp': 0.020226056, 'fn': -0.014277216, 'tn': 0.0}
    """
    point = _Point.of(formula, summary, sizes)
    slopes = point.by_complex_steps()
    return point.by_field(point.by_differences() if slopes is None else slopes)


@dataclass(frozen=True, slots=True, eq=False)
class _Point:
    """Where a formula is differentiated: its numbers in one row, and how large each of them is."""

    formula: Formula
    summary: Any
    shapes: dict[str, tuple[int, ...]]
    numbers: Floats
    size: Floats

    @classmethod
    def of(cls, formula: Formula, summary: Any, sizes: Mapping[str, Any]) -> _Point:  # noqa: ANN401
        held = {name: np.asarray(getattr(summary, name), np.float64) for name in sizes}
        size = [np.broadcast_to(np.abs(s), held[n].shape).ravel() for n, s in sizes.items()]
        return cls(
            formula,
            summary,
            {name: field.shape for name, field in held.items()},
            np.concatenate([field.ravel() for field in held.values()]),
            np.concatenate(size),
        )

    def by_field(self, row: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Cut rows of numbers (last axis) into the fields they belong to."""
        cuts = np.cumsum([int(np.prod(shape)) for shape in self.shapes.values()])[:-1]
        parts = zip(self.shapes.items(), np.split(row, cuts, axis=-1), strict=True)
        return {name: part.reshape((*row.shape[:-1], *shape)) for (name, shape), part in parts}

    def values(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Apply the formula to a batch of summaries with these numbers."""
        return self.formula(replace(self.summary, **self.by_field(rows)))

    def batches(self) -> Iterator[NDArray[np.intp]]:
        """Yield which numbers to move at a time."""
        n = self.numbers.size
        for first in range(0, n, rows := max(1, BATCH // max(n, 1))):
            yield np.arange(first, min(first + rows, n))

    def by_complex_steps(self) -> Floats | None:
        """Return all slopes, or nothing where the formula turns out not to be made for it."""
        found = np.zeros(self.numbers.size)
        # Of irregular length: no formula stays as it is when all its numbers move like this.
        direction = np.cos(1 + 2.4 * np.arange(found.size)) * self.size * (self.numbers != 0)
        for which in self.batches():
            rows = np.tile(self.numbers.astype(np.complex128), (which.size + 3, 1))
            rows[np.arange(which.size), which] += 1j * STEP * self.size[which]
            rows[-2] += CHECK * direction
            rows[-1] -= CHECK * direction
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error", np.exceptions.ComplexWarning)
                    values = np.asarray(self.values(rows))
            except (TypeError, ValueError, np.exceptions.ComplexWarning):
                return None  # what only real numbers can be put through
            moved = np.where(np.isfinite(values[:-3]), values[:-3].imag, np.nan)
            found[which] = moved / (STEP * self.size[which])
        return found if _agree(found * direction, values[-3:].real) else None

    def by_differences(self) -> Floats:
        """Return all slopes from central differences of fourth order."""
        found = np.zeros(self.numbers.size)
        for which in self.batches():
            ends = []
            for steps in (1, -1, 2, -2):
                rows = np.tile(self.numbers, (which.size, 1))
                rows[np.arange(which.size), which] += steps * DIFFERENCE * self.size[which]
                ends.append(np.asarray(self.values(rows)))
            near, far = ends[0] - ends[1], ends[2] - ends[3]
            found[which] = (8 * near - far) / (12 * DIFFERENCE * self.size[which])
        return found


def _agree(moves: Floats, ends: Floats) -> bool:
    """Whether real steps up or down move a formula as its slopes say; at the end of a range one may not."""
    here, up, down = ends.tolist()
    scale = abs(here) + float(np.abs(moves).sum())
    apart = np.abs(np.array([up - here, here - down]) / CHECK - moves.sum())
    return not (apart > DISAGREEMENT * scale).all()
