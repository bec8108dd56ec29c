"""The one artifact: what was observed and what was predicted, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.predictions.artifact import Predictions as Predictions
    from credibly.predictions.cost_matrix import CostMatrix as CostMatrix, RowCosts as RowCosts
    from credibly.predictions.design import Design as Design
    from credibly.predictions.provenance import Fit as Fit, Provenance as Provenance

lazy(
    __name__,
    {
        "artifact": "Predictions",
        "cost_matrix": "CostMatrix RowCosts",
        "design": "Design",
        "provenance": "Fit Provenance",
    },
)
