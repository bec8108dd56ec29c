"""Credibly: decide whether to believe a learned model."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from credibly._core.errors import CrediblyError, DataError, ParameterError
    from credibly._core.results import Estimate, Finding, Interval, Table
    from credibly.checks import check
    from credibly.comparisons.comparing import compare
    from credibly.comparisons.result import Comparisons, TestResult
    from credibly.curves import Curve, Curves, curve
    from credibly.evaluation import evaluate, expected_loss
    from credibly.io import read, save
    from credibly.plots import plot
    from credibly.predictions import CostMatrix, Predictions
    from credibly.recalibration import recalibrate
    from credibly.reliability import calibration
    from credibly.reports import report
    from credibly.running import run

__version__ = "0.1.0"

# Where each public name lives. They are imported when first used, so that `import credibly`
# costs next to nothing.
_HOMES = {
    "Comparisons": "credibly.comparisons.result",
    "CostMatrix": "credibly.predictions",
    "CrediblyError": "credibly._core.errors",
    "Curve": "credibly.curves",
    "Curves": "credibly.curves",
    "DataError": "credibly._core.errors",
    "Estimate": "credibly._core.results",
    "Finding": "credibly._core.results",
    "Interval": "credibly._core.results",
    "ParameterError": "credibly._core.errors",
    "Predictions": "credibly.predictions",
    "Table": "credibly._core.results",
    "TestResult": "credibly.comparisons.result",
    "calibration": "credibly.reliability",
    "check": "credibly.checks",
    "compare": "credibly.comparisons.comparing",
    "curve": "credibly.curves",
    "evaluate": "credibly.evaluation",
    "expected_loss": "credibly.evaluation",
    "plot": "credibly.plots",
    "read": "credibly.io",
    "recalibrate": "credibly.recalibration",
    "report": "credibly.reports",
    "run": "credibly.running",
    "save": "credibly.io",
}

__all__ = [
    "Comparisons",
    "CostMatrix",
    "CrediblyError",
    "Curve",
    "Curves",
    "DataError",
    "Estimate",
    "Finding",
    "Interval",
    "ParameterError",
    "Predictions",
    "Table",
    "TestResult",
    "calibration",
    "check",
    "compare",
    "curve",
    "evaluate",
    "expected_loss",
    "plot",
    "read",
    "recalibrate",
    "report",
    "run",
    "save",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    msg = f"module 'credibly' has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
