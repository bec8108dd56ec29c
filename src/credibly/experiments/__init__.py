"""Experiments: many schemes on many datasets, kept in a folder that loses nothing.

Names are resolved when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from credibly.experiments.analysing import analyse
    from credibly.experiments.analysis import Analysis
    from credibly.experiments.results import Results

_HOMES = {
    "Analysis": "analysis",
    "Results": "results",
    "analyse": "analysing",
}

__all__ = [
    "Analysis",
    "Results",
    "analyse",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    msg = f"module 'credibly.experiments' has no attribute {name!r}"
    raise AttributeError(msg)
