"""Resamplings: rules that cut rows into training and test parts, each declared once.

>>> from credibly.resampling import folds, resamplings
>>> folds(k=10, repeats=10).realise(150, rng=1)
<100 splits of 150 rows by folds(k=10, repeats=10), seed 1>
>>> sorted(resamplings["loo"].promises)
['covers', 'disjoint']
"""

from credibly.resampling._declare import PROMISES, Resampling, resampling, resamplings
from credibly.resampling._reading import as_resampling
from credibly.resampling._rows import Rows
from credibly.resampling._splits import Plan, Split, Splits
from credibly.resampling.findings import doubts

__all__ = [
    "PROMISES",
    "Plan",
    "Resampling",
    "Rows",
    "Split",
    "Splits",
    "as_resampling",
    "doubts",
    "resampling",
    "resamplings",
]


def __getattr__(name: str) -> Resampling:
    if not name.startswith("_") and name in resamplings:
        return resamplings[name]
    msg = f"module 'credibly.resampling' has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted([*__all__, *resamplings.names()])
