"""Pictures of results, as data first."""

from credibly.plots._declare import Plot, plot, plots
from credibly.plots._reliability_display import ReliabilityDisplay
from credibly.plots.displays import CostCurveDisplay, GainsDisplay, HullDisplay, LiftDisplay
from credibly.plots.figure import Axis, Figure, Layer

__all__ = [
    "Axis",
    "CostCurveDisplay",
    "Figure",
    "GainsDisplay",
    "HullDisplay",
    "Layer",
    "LiftDisplay",
    "Plot",
    "ReliabilityDisplay",
    "plot",
    "plots",
]
