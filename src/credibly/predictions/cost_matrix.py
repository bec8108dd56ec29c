"""What each kind of mistake costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from credibly._core.errors import DataError, did_you_mean
from credibly.predictions.labels import shorten
from credibly.predictions.numbers import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True, eq=False)
class CostMatrix:
    """Costs by actual (row) and predicted (column) class; benefits are negative costs.

    >>> CostMatrix.of([[0, 1], [5, 0]], classes=["good", "bad"]).cost("bad", "good")
    5.0
    >>> CostMatrix.of([[0, 5], [1, 0]], ["good", "bad"], orientation="predicted").cost("bad", "good")
    5.0
    """

    classes: tuple[Any, ...]
    values: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        values: ArrayLike,
        classes: Sequence[Any],
        *,
        orientation: Literal["actual", "predicted"] = "actual",
    ) -> CostMatrix:
        """Check a square table; ``orientation`` says what its rows are."""
        try:
            matrix = np.array(values, np.float64)
        except (TypeError, ValueError):
            msg = f"A cost matrix is a table of numbers; got {values!r:.100}."
            raise DataError(msg) from None
        names = tuple(classes)
        if matrix.ndim != 2 or matrix.shape != (len(names), len(names)):
            msg = (
                f"A cost matrix for the classes {shorten(names)} needs {len(names)} rows and "
                f"{len(names)} columns; this one has the shape {matrix.shape}."
            )
            raise DataError(msg)
        if len(set(names)) != len(names):
            msg = f"The cost matrix names a class twice: {shorten(names)}."
            raise DataError(msg)
        if not np.isfinite(matrix).all():
            i, j = np.argwhere(~np.isfinite(matrix))[0]
            msg = f"The cost of {names[i]!r} taken for {names[j]!r} is {matrix[i, j]}."
            raise DataError(msg)
        if orientation not in {"actual", "predicted"}:
            msg = (
                f"orientation says what the rows are: 'actual' or 'predicted'; got {orientation!r}."
            )
            raise DataError(msg)
        return cls(names, frozen(matrix if orientation == "actual" else matrix.T.copy()))

    def cost(self, actual: object, predicted: object) -> float:
        """Return the cost of taking a case of one class for another."""
        return float(self.values[self.classes.index(actual), self.classes.index(predicted)])

    def aligned(self, classes: Sequence[Any]) -> NDArray[np.float64]:
        """Return the costs in the order of ``classes``, which it must all name."""
        place = {c: i for i, c in enumerate(self.classes)}
        place |= {str(c): i for c, i in place.items()}
        order = []
        for c in classes:
            found = place.get(c, place.get(str(c)))
            if found is None:
                hint = did_you_mean(str(c), map(str, self.classes))
                msg = f"The cost matrix has no class {c!r}; it names {shorten(self.classes)}.{hint}"
                raise DataError(msg)
            order.append(found)
        return self.values[np.ix_(order, order)]

    def __repr__(self) -> str:
        return f"CostMatrix({self.values.tolist()}, classes={list(self.classes)})"
