"""Predictions where they live: counted by the engine that holds them, judged as if they were in memory.

>>> import duckdb
>>> from credibly.engines import summarise
>>> scores = duckdb.sql("SELECT i % 3 = 0 AS truth, (i % 7) / 8 AS probability FROM range(700) AS t(i)")
>>> summarise(scores, exact=True)
Predictions(14 rows, classes False, True (positive), columns: label, probability)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.engines._declare import Engine as Engine, engine as engine, engines as engines
    from credibly.engines.merge import merge as merge
    from credibly.engines.models import summarise_models as summarise_models
    from credibly.engines.slices import evaluate_slices as evaluate_slices
    from credibly.engines.summarise import summarise as summarise

lazy(
    __name__,
    {
        "_declare": "Engine engine engines",
        "merge": "merge",
        "models": "summarise_models",
        "slices": "evaluate_slices",
        "summarise": "summarise",
    },
)
