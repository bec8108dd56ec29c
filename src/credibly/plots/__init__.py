"""Pictures of results, as data first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.plots._declare import Plot as Plot, plot as plot, plots as plots
    from credibly.plots._reliability_display import ReliabilityDisplay as ReliabilityDisplay
    from credibly.plots.displays import (
        CostCurveDisplay as CostCurveDisplay,
        GainsDisplay as GainsDisplay,
        HullDisplay as HullDisplay,
        LiftDisplay as LiftDisplay,
    )
    from credibly.plots.figure import Axis as Axis, Figure as Figure, Layer as Layer

lazy(
    __name__,
    {
        "_declare": "Plot plot plots",
        "_reliability_display": "ReliabilityDisplay",
        "displays": "CostCurveDisplay GainsDisplay HullDisplay LiftDisplay",
        "figure": "Axis Figure Layer",
    },
)
