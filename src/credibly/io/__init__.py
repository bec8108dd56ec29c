"""Predictions from files and frames, whatever wrote them.

>>> from credibly.io import readers
>>> [r.name for r in readers if ".csv" in r.suffixes]
['csv']
"""

from credibly.io._declare import Reader, reader, readers
from credibly.io.bundled import bundled, bundled_names
from credibly.io.cost_matrices import read_cost_matrix
from credibly.io.numbers import read_numbers
from credibly.io.reading import read
from credibly.io.saving import save

__all__ = [
    "Reader",
    "bundled",
    "bundled_names",
    "read",
    "read_cost_matrix",
    "read_numbers",
    "reader",
    "readers",
    "save",
]
