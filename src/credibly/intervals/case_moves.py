"""What each case adds to a measure, as a loss adds to its mean: variances of values on parts of the cases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import Floats, Indices
from credibly.intervals.influence import influence
from credibly.intervals.standard_errors import by_class, grows
from credibly.predictions import Predictions
from credibly.predictions.numbers import effective_sizes

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.measures import Measure

IMPORTANCE = "importance"


@dataclass(frozen=True, slots=True, eq=False)
class CaseMoves:
    """What each row adds to a measure, as a loss adds to its mean: in its stratum, with its weight.

    Of a mean they are the losses themselves, less their mean; else the influence values of the rows
    times the weight of their stratum. A measure that compares classes has these as strata.
    """

    moves: Floats
    strata: Indices
    weight: Floats
    counted: bool  # whether a weight counts cases, and does not say how much one matters

    @classmethod
    def of(cls, m: Measure, p: Predictions, average: Average | None = None) -> CaseMoves | None:
        """Return the moves of rows, or nothing where the measure has no influence values."""
        values = influence(m, p, average)
        if values is None:
            return None
        strata = np.zeros(p.n, np.intp)
        if by_class(m, p, average=average):
            strata = p.truth.astype(np.intp)
        size = np.bincount(strata, p.weights)
        return cls(values * size[strata], strata, p.weights, p.weight_kind != IMPORTANCE)

    @property
    def grows(self) -> bool:
        """Whether the measure grows with the number of cases, as a count does: else influence values add up to 0."""
        return grows(self.moves / np.bincount(self.strata, self.weight)[self.strata], self.weight)

    def __sub__(self, other: CaseMoves) -> CaseMoves:
        """Return the moves of a difference between models on the same rows."""
        return replace(self, moves=self.moves - other.moves)

    def divided(self, unit: float) -> CaseMoves:
        """Return the moves in a unit."""
        return replace(self, moves=self.moves / unit)

    @property
    def freedom(self) -> float:
        """One less than there are cases; of cases that matter unequally, than as many equal ones are worth."""
        cases = self.weight.sum() if self.counted else effective_sizes(self.weight)[0]
        return max(float(cases) - 1, 1.0)

    def of_groups(self, cell: Indices, group: Indices) -> tuple[Floats, float, float]:
        """Return how many groups each cell holds, and the variance of what a group adds to a value on a cell.

        Cells are equally good samples of all groups, so the variance is the mean over them. What a group
        adds is as a share of the cell: twice as much where the cell is half as large. Satterthwaite's
        degrees of freedom, from the spread of the squares, say how well the variance is known.
        """
        size = np.bincount(self.strata, self.weight)
        share = self.weight * self.moves / size[self.strata]
        key = cell * (int(group.max()) + 1) + group
        there = np.flatnonzero(np.bincount(key))
        sums = np.bincount(key, share)[there]
        of_cell = there // (int(group.max()) + 1)
        scale = size.sum() / np.bincount(cell, self.weight)
        groups = np.bincount(of_cell).astype(np.float64)
        added = sums * scale[of_cell]
        apart = added - (np.bincount(of_cell, added) / groups)[of_cell]
        squares = np.bincount(of_cell, np.square(apart))
        spread = np.bincount(of_cell, apart**4) - squares**2 / groups
        if not (known := (groups > 1) & (squares > 0)).any():
            return groups, 0.0, 1.0
        variance = float((squares[known] / (groups[known] - 1)).mean())
        varied = known & (spread > 0)
        freedom = np.minimum(2 * squares[varied] ** 2 / spread[varied], groups[varied] - 1)
        return groups, variance, float(freedom.mean()) if varied.any() else float(groups[0]) - 1

    def take(self, rows: Indices) -> CaseMoves:
        """Return the moves of some rows."""
        return replace(
            self, moves=self.moves[rows], strata=self.strata[rows], weight=self.weight[rows]
        )

    def spread(self, part: Indices) -> Floats:
        """Return the variance of the moves within each part, with divisor n - 1."""
        if not part.any() and (self.weight == 1).all():
            return np.array([self.moves.var(ddof=1)])
        size, moves, weight = np.bincount(part, self.weight), self.moves, self.weight
        with np.errstate(all="ignore"):
            mean = np.bincount(part, weight * moves) / size
            squares = np.square(moves - mean[part])
            if self.counted:
                return np.asarray(np.bincount(part, weight * squares) / (size - 1))
            n = np.bincount(part)
            total = np.bincount(part, weight**2 * squares) / np.bincount(part, weight**2)
            return np.asarray(total * n / (n - 1))

    def factor(self, part: Indices, count: int) -> Floats:
        """Return what the variance of a case is multiplied with to be that of the mean over a part."""
        size = np.bincount(part, self.weight, count)
        with np.errstate(all="ignore"):
            if self.counted:
                return np.asarray(1 / size)
            return np.asarray(np.bincount(part, self.weight**2, count) / size**2)

    def variance(self, part: Indices) -> Floats:
        """Return the variance of the value on each part, from the spread of the cases within it.

        Of a measure that compares classes it is the sum over them; a part may hold a single case of
        a class, so the spread within a class is that of all parts together.
        """
        if not self.strata.any():
            return self.spread(part) * self.factor(part, int(part.max()) + 1)
        return self.pooled_variance(part)

    def pooled_variance(self, part: Indices) -> Floats:
        """Return the same with the spread of all rows of a stratum."""
        strata, count = int(self.strata.max()) + 1, int(part.max()) + 1
        cells = self.factor(part * strata + self.strata, count * strata).reshape(count, strata)
        return np.asarray(cells @ self.spread(self.strata))
