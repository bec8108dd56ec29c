"""Predictions where they live: counted by the engine that holds them, judged as if they were in memory.

>>> import duckdb
>>> from credibly.engines import summarise
>>> scores = duckdb.sql("SELECT i % 3 = 0 AS truth, (i % 7) / 8 AS probability FROM range(700) AS t(i)")
>>> summarise(scores, exact=True)
Predictions(14 rows, classes False, True (positive), columns: label, probability)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from credibly.engines._declare import Engine, engine, engines

if TYPE_CHECKING:
    from credibly.engines.merging import merge
    from credibly.engines.models import summarise_models
    from credibly.engines.slices import evaluate_slices
    from credibly.engines.summarising import summarise

_HOMES = {
    "evaluate_slices": "slices",
    "merge": "merging",
    "summarise": "summarising",
    "summarise_models": "models",
}

__all__ = [
    "Engine",
    "engine",
    "engines",
    "evaluate_slices",
    "merge",
    "summarise",
    "summarise_models",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"credibly.engines.{_HOMES[name]}"), name)
    msg = f"module 'credibly.engines' has no attribute {name!r}"
    raise AttributeError(msg)
