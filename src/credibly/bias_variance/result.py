"""What a loss is made of, on average and case by case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly.predictions import Predictions
from credibly.results.estimate import Estimate
from credibly.results.estimates import Tabled
from credibly.results.formats import by_column, by_row, frame_of
from credibly.results.result import Result

if TYPE_CHECKING:
    from credibly.bias_variance._declare import Decomposition, Parts


class Setting(Result):
    """One model, or one value of the parameter: the loss of each case and its parts."""

    keys: Mapping[str, Any]
    row: NDArray[Any]
    predictions: Floats  # how many training sets predict each case
    parts: Parts

    json_keys = "*keys cases=rows"

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary per case."""
        own = {"row": self.row, "predictions": self.predictions, "loss": self.parts.loss}
        return [{**self.keys, **row} for row in by_row({**own, **self.parts.values})]


class BiasVariance(Tabled):
    """A decomposition of the loss of one or several models, or over the range of a parameter.

    ``table`` holds the averages with their intervals, ``settings`` the parts of each case, and
    ``predictions`` what both are made from.

    >>> import credibly
    >>> p = credibly.Predictions.of(
    ...     [1, 0, 1, 0], label=[1, 1, 1, 0], row=[0, 1, 0, 1], repeat=[0, 0, 1, 1])
    >>> result = credibly.bias_variance(p)
    >>> result["loss"].value, result["bias"].value, result["net_variance"].value
    (0.25, 0.25, 0.0)
    >>> result.settings[0].parts.loss.tolist()
    [0.0, 0.5]
    """

    decomposition: Decomposition
    settings: tuple[Setting, ...]
    predictions: Predictions
    parameters: tuple[str, ...] = ()

    def __getitem__(self, part: str) -> Estimate:
        return self.table[part]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What to know before believing the numbers."""
        return self.table.all_findings()

    def points(self, backend: Any = "pandas") -> Any:
        """Return loss and parts of each case as a frame."""
        return frame_of(by_column([row for s in self.settings for row in s.rows()]), backend)
