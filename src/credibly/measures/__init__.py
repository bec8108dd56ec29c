"""Measures: each declared once, in the module of its family, and found here by name.

>>> from credibly.measures import auc, measures
>>> auc([0, 1, 1], [0.2, 0.1, 0.9])
0.5
>>> measures["kappa"].range
(-1.0, 1.0)
"""

from __future__ import annotations

from credibly._core.lazy import lazy
from credibly.measures._declare import (
    Measure as Measure,
    mean_loss as mean_loss,
    measure as measure,
    measures as measures,
    proportion as proportion,
    ranking_measure as ranking_measure,
    total_loss as total_loss,
)

lazy(__name__, measures)
