"""Pictures of results, as data first."""

from credibly.plots._declare import Plot, plot, plots
from credibly.plots._reliability_display import ReliabilityDisplay
from credibly.plots.figure import Axis, Figure, Layer

__all__ = ["Axis", "Figure", "Layer", "Plot", "ReliabilityDisplay", "plot", "plots"]
