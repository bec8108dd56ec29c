"""Experiments: many schemes on many datasets, kept in a folder that loses nothing.

Names are resolved when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from credibly.experiments.results import Results

_HOMES = {
    "Results": "results",
}

__all__ = [
    "Results",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    msg = f"module 'credibly.experiments' has no attribute {name!r}"
    raise AttributeError(msg)
