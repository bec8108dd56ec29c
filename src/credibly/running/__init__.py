"""Run learning schemes on resampled data; the predictions are kept, so that everything can be judged later.

Names are resolved when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from credibly.running.final import FinalModel, final_model
    from credibly.running.growth import learning_curve, run_datasets
    from credibly.running.runs import run
    from credibly.running.tuning import nested

_HOMES = {
    "FinalModel": "final",
    "final_model": "final",
    "learning_curve": "growth",
    "nested": "tuning",
    "run": "runs",
    "run_datasets": "growth",
}

__all__ = ["FinalModel", "final_model", "learning_curve", "nested", "run", "run_datasets"]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    msg = f"module 'credibly.running' has no attribute {name!r}"
    raise AttributeError(msg)
