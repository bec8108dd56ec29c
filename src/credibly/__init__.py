"""Credibly: decide whether to believe a learned model."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # what typing says too, after a dozen imports

if TYPE_CHECKING:
    from credibly._core.errors import CrediblyError, DataError, ParameterError
    from credibly._core.results import Estimate, Finding, Interval, Table
    from credibly.biasvariance import BiasVariance, bias_variance
    from credibly.checks import check
    from credibly.comparisons.comparing import compare
    from credibly.comparisons.result import Comparisons, TestResult
    from credibly.curves import Curve, Curves, Hull, curve, hull
    from credibly.decisions import CostBenefit, Decision, FinancialPlan, cost_benefit, decide
    from credibly.description_length import DescriptionLengths, clustering_mdl, mdl
    from credibly.engines import merge, summarise
    from credibly.evaluation import evaluate, expected_loss
    from credibly.experiments import Experiment
    from credibly.io import read, save
    from credibly.plots import plot
    from credibly.predictions import CostMatrix, Predictions, RowCosts
    from credibly.recalibration import recalibrate
    from credibly.reliability import calibration
    from credibly.reports import report
    from credibly.running import run

__version__ = "0.1.0"

# Where each public name lives. They are imported when first used, so that `import credibly`
# costs next to nothing.
_HOMES = {
    "BiasVariance": "credibly.biasvariance",
    "Comparisons": "credibly.comparisons.result",
    "CostBenefit": "credibly.decisions",
    "CostMatrix": "credibly.predictions",
    "CrediblyError": "credibly._core.errors",
    "Curve": "credibly.curves",
    "Curves": "credibly.curves",
    "DataError": "credibly._core.errors",
    "Decision": "credibly.decisions",
    "DescriptionLengths": "credibly.description_length",
    "Estimate": "credibly._core.results",
    "Experiment": "credibly.experiments",
    "FinancialPlan": "credibly.decisions",
    "Finding": "credibly._core.results",
    "Hull": "credibly.curves",
    "Interval": "credibly._core.results",
    "ParameterError": "credibly._core.errors",
    "Predictions": "credibly.predictions",
    "RowCosts": "credibly.predictions",
    "Table": "credibly._core.results",
    "TestResult": "credibly.comparisons.result",
    "bias_variance": "credibly.biasvariance",
    "calibration": "credibly.reliability",
    "check": "credibly.checks",
    "clustering_mdl": "credibly.description_length",
    "compare": "credibly.comparisons.comparing",
    "cost_benefit": "credibly.decisions",
    "curve": "credibly.curves",
    "decide": "credibly.decisions",
    "evaluate": "credibly.evaluation",
    "expected_loss": "credibly.evaluation",
    "hull": "credibly.curves",
    "mdl": "credibly.description_length",
    "merge": "credibly.engines",
    "plot": "credibly.plots",
    "read": "credibly.io",
    "recalibrate": "credibly.recalibration",
    "report": "credibly.reports",
    "run": "credibly.running",
    "save": "credibly.io",
    "summarise": "credibly.engines",
}

__all__ = [
    "BiasVariance",
    "Comparisons",
    "CostBenefit",
    "CostMatrix",
    "CrediblyError",
    "Curve",
    "Curves",
    "DataError",
    "Decision",
    "DescriptionLengths",
    "Estimate",
    "Experiment",
    "FinancialPlan",
    "Finding",
    "Hull",
    "Interval",
    "ParameterError",
    "Predictions",
    "RowCosts",
    "Table",
    "TestResult",
    "bias_variance",
    "calibration",
    "check",
    "clustering_mdl",
    "compare",
    "cost_benefit",
    "curve",
    "decide",
    "evaluate",
    "expected_loss",
    "hull",
    "mdl",
    "merge",
    "plot",
    "read",
    "recalibrate",
    "report",
    "run",
    "save",
    "summarise",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    msg = f"module 'credibly' has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
