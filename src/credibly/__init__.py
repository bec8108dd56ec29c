"""Credibly: decide whether to believe a learned model."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from credibly._core.errors import CrediblyError, DataError, ParameterError
    from credibly._core.results import Estimate, Finding, Interval, Table
    from credibly.curves import Curve, Curves, Hull, curve, hull
    from credibly.decisions import CostBenefit, Decision, FinancialPlan, cost_benefit, decide
    from credibly.evaluation import evaluate, expected_loss
    from credibly.io import read
    from credibly.predictions import CostMatrix, Predictions, RowCosts

__version__ = "0.1.0"

# Where each public name lives. They are imported when first used, so that `import credibly`
# costs next to nothing.
_HOMES = {
    "CostBenefit": "credibly.decisions",
    "CostMatrix": "credibly.predictions",
    "CrediblyError": "credibly._core.errors",
    "Curve": "credibly.curves",
    "Curves": "credibly.curves",
    "DataError": "credibly._core.errors",
    "Decision": "credibly.decisions",
    "Estimate": "credibly._core.results",
    "FinancialPlan": "credibly.decisions",
    "Finding": "credibly._core.results",
    "Hull": "credibly.curves",
    "Interval": "credibly._core.results",
    "ParameterError": "credibly._core.errors",
    "Predictions": "credibly.predictions",
    "RowCosts": "credibly.predictions",
    "Table": "credibly._core.results",
    "cost_benefit": "credibly.decisions",
    "curve": "credibly.curves",
    "decide": "credibly.decisions",
    "evaluate": "credibly.evaluation",
    "expected_loss": "credibly.evaluation",
    "hull": "credibly.curves",
    "read": "credibly.io",
}

__all__ = [
    "CostBenefit",
    "CostMatrix",
    "CrediblyError",
    "Curve",
    "Curves",
    "DataError",
    "Decision",
    "Estimate",
    "FinancialPlan",
    "Finding",
    "Hull",
    "Interval",
    "ParameterError",
    "Predictions",
    "RowCosts",
    "Table",
    "cost_benefit",
    "curve",
    "decide",
    "evaluate",
    "expected_loss",
    "hull",
    "read",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    msg = f"module 'credibly' has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
