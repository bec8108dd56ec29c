"""Measures: each declared once, in the module of its family, and found here by name.

>>> from credibly.measures import auc, measures
>>> auc([0, 1, 1], [0.2, 0.1, 0.9])
0.5
>>> measures["kappa"].range
(-1.0, 1.0)
"""

from credibly.measures._declare import Measure, mean_loss, measure, measures, proportion, total_loss

__all__ = ["Measure", "mean_loss", "measure", "measures", "proportion", "total_loss"]


def __getattr__(name: str) -> Measure:
    if not name.startswith("_") and name in measures:
        return measures[name]
    msg = f"module 'credibly.measures' has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted([*__all__, *measures.names()])
