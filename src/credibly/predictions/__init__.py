"""The one artifact: what was observed and what was predicted, row by row."""

from credibly.predictions.artifact import Predictions
from credibly.predictions.cost_matrix import CostMatrix, RowCosts
from credibly.predictions.provenance import Fit, Provenance

__all__ = ["CostMatrix", "Fit", "Predictions", "Provenance", "RowCosts"]
