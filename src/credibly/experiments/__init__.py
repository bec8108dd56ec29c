"""Experiments: many schemes on many datasets, kept in a folder that loses nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.experiments.analysis.analyse import analyse as analyse
    from credibly.experiments.analysis.result import Analysis as Analysis
    from credibly.experiments.analysis.results import Results as Results
    from credibly.experiments.experiment import Experiment as Experiment
    from credibly.experiments.importers.sklearn_results import (
        from_cross_validate as from_cross_validate,
        from_grid_search as from_grid_search,
    )
    from credibly.experiments.importers.tables import (
        from_table as from_table,
        read_results as read_results,
    )
    from credibly.experiments.importers.weka_results import from_weka as from_weka
    from credibly.experiments.store.store import Store as Store

lazy(
    __name__,
    {
        "analysis.analyse": "analyse",
        "analysis.result": "Analysis",
        "analysis.results": "Results",
        "experiment": "Experiment",
        "importers.sklearn_results": "from_cross_validate from_grid_search",
        "importers.tables": "from_table read_results",
        "importers.weka_results": "from_weka",
        "store.store": "Store",
    },
)
