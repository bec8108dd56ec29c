"""The one artifact: what was observed and what was predicted, row by row."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from credibly.predictions.artifact import Predictions
from credibly.predictions.cost_matrix import CostMatrix, RowCosts
from credibly.predictions.design import Design

if TYPE_CHECKING:
    from credibly.predictions.provenance import Fit, Provenance

__all__ = ["CostMatrix", "Design", "Fit", "Predictions", "Provenance", "RowCosts"]


def __getattr__(name: str) -> object:
    if name in {"Fit", "Provenance"}:  # of runs alone: a file of predictions has none
        return getattr(import_module("credibly.predictions.provenance"), name)
    msg = f"module 'credibly.predictions' has no attribute {name!r}"
    raise AttributeError(msg)
