"""Experiments: many schemes on many datasets, kept in a folder that loses nothing.

Names are resolved when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from credibly.experiments.analysing import analyse
    from credibly.experiments.analysis import Analysis
    from credibly.experiments.experiment import Experiment
    from credibly.experiments.importing import from_table, read_results
    from credibly.experiments.results import Results
    from credibly.experiments.sklearn_results import from_cross_validate, from_grid_search
    from credibly.experiments.store import Store
    from credibly.experiments.weka_results import from_weka

_HOMES = {
    "Analysis": "analysis",
    "Experiment": "experiment",
    "Results": "results",
    "Store": "store",
    "analyse": "analysing",
    "from_cross_validate": "sklearn_results",
    "from_grid_search": "sklearn_results",
    "from_table": "importing",
    "from_weka": "weka_results",
    "read_results": "importing",
}

__all__ = [
    "Analysis",
    "Experiment",
    "Results",
    "Store",
    "analyse",
    "from_cross_validate",
    "from_grid_search",
    "from_table",
    "from_weka",
    "read_results",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    msg = f"module 'credibly.experiments' has no attribute {name!r}"
    raise AttributeError(msg)
