"""Pictures of results, as data first: what stands in other packages, under one name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.calibration._display import ReliabilityDisplay as ReliabilityDisplay
    from credibly.curves._displays import (
        CostCurveDisplay as CostCurveDisplay,
        GainsDisplay as GainsDisplay,
        HullDisplay as HullDisplay,
        LiftDisplay as LiftDisplay,
    )
    from credibly.results.figure import Axis as Axis, Figure as Figure, Layer as Layer
    from credibly.results.plot import (
        Plot as Plot,
        plot as plot,
        plot_kind as plot_kind,
        plots as plots,
    )

lazy(__name__)
