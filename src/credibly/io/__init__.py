"""Predictions from files and frames, whatever wrote them.

What a small evaluation does not need is imported when first used.

>>> from credibly.io import readers
>>> [r.name for r in readers if ".csv" in r.suffixes]
['csv']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from credibly.io._declare import Reader, reader, readers
from credibly.io.bundled import bundled, bundled_costs, bundled_names, bundled_options
from credibly.io.reading import read

if TYPE_CHECKING:
    from credibly.io.cost_matrices import read_cost_matrix
    from credibly.io.numbers import read_numbers
    from credibly.io.saving import save

_HOMES = {
    "read_cost_matrix": "cost_matrices",
    "read_numbers": "numbers",
    "save": "saving",
}

__all__ = [
    "Reader",
    "bundled",
    "bundled_costs",
    "bundled_names",
    "bundled_options",
    "read",
    "read_cost_matrix",
    "read_numbers",
    "reader",
    "readers",
    "save",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"credibly.io.{_HOMES[name]}"), name)
    msg = f"module 'credibly.io' has no attribute {name!r}"
    raise AttributeError(msg)
