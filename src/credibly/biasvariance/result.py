"""What a loss is made of, on average and case by case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from credibly._core.results import by_column, frame_of
from credibly._core.showing import Plotted

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from credibly._core.results import Estimate, Finding, Table
    from credibly.biasvariance._declare import Decomposition, Parts
    from credibly.predictions import Predictions

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """One model, or one value of the parameter: the loss of each case and its parts."""

    keys: Mapping[str, Any]
    row: NDArray[Any]
    predictions: Floats  # how many training sets predict each case
    parts: Parts

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary a case."""
        names = ("row", "predictions", "loss", *self.parts.values)
        columns = (self.row, self.predictions, self.parts.loss, *self.parts.values.values())
        listed = zip(*(c.tolist() for c in columns), strict=True)
        return [{**self.keys, **dict(zip(names, values, strict=True))} for values in listed]


@dataclass(frozen=True, slots=True, eq=False)
class BiasVariance(Plotted):
    """A decomposition of the loss of one or several models, or over the range of a parameter.

    ``table`` holds the averages with their intervals, ``settings`` the parts of each case, and
    ``predictions`` what both are made from.
    """

    decomposition: Decomposition
    table: Table
    settings: tuple[Setting, ...]
    predictions: Predictions
    parameters: tuple[str, ...] = ()

    def __getitem__(self, part: str) -> Estimate:
        return self.table[part]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What to know before believing the numbers."""
        return self.table.all_findings()

    def frame(self, backend: Any = "pandas") -> Any:
        """Return the averages as a frame, one row a part."""
        return self.table.frame(backend)

    def points(self, backend: Any = "pandas") -> Any:
        """Return loss and parts of each case as a frame."""
        return frame_of(by_column([row for s in self.settings for row in s.rows()]), backend)

    def to_dict(self) -> dict[str, Any]:
        """Return the averages and the findings, ready for JSON but for NaN and infinity."""
        return self.table.to_dict()

    def to_json(self, indent: int | None = 2) -> str:
        """Return the averages and the findings as JSON."""
        return self.table.to_json(indent)

    def __str__(self) -> str:
        return str(self.table)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.table._repr_html_()
