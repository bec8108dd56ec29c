"""What computations return: results with one contract, estimates and tables of them, figures as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly._core.results import Finding as Finding
    from credibly.results.figure import Axis as Axis, Figure as Figure, Layer as Layer
    from credibly.results.interval import Interval as Interval
    from credibly.results.plot import (
        Plot as Plot,
        plot as plot,
        plot_kind as plot_kind,
        plots as plots,
    )
    from credibly.results.result import Plotted as Plotted, Result as Result
    from credibly.results.table import Estimate as Estimate, Table as Table, Tabled as Tabled

lazy(
    __name__,
    {
        "credibly._core.results": "Finding",
        "figure": "Axis Figure Layer",
        "interval": "Interval",
        "plot": "Plot plot plot_kind plots",
        "result": "Plotted Result",
        "table": "Estimate Table Tabled",
    },
)
