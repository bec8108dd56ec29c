"""Predictions from files and frames, whatever wrote them.

>>> from credibly.io import readers
>>> [r.name for r in readers if ".csv" in r.suffixes]
['csv']
"""

from credibly.io._declare import Reader, reader, readers
from credibly.io.cost_matrices import read_cost_matrix
from credibly.io.reading import read
from credibly.io.saving import save

__all__ = ["Reader", "read", "read_cost_matrix", "reader", "readers", "save"]
