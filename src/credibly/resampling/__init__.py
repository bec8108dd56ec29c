"""Resamplings: rules that cut rows into training and test parts, each declared once.

>>> from credibly.resampling import folds, resamplings
>>> folds(k=10, repeats=10).realise(150, rng=1)
<100 splits of 150 rows by folds(k=10, repeats=10), seed 1>
>>> sorted(resamplings["loo"].promises)
['covers', 'disjoint']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy
from credibly.resampling._declare import resamplings as resamplings

if TYPE_CHECKING:
    from credibly.resampling._accepted import as_resampling as as_resampling
    from credibly.resampling._declare import (
        PROMISES as PROMISES,
        Resampling as Resampling,
        resampling as resampling,
    )
    from credibly.resampling._rows import Rows as Rows
    from credibly.resampling._splits import Plan as Plan, Split as Split, Splits as Splits
    from credibly.resampling.findings import doubts as doubts

lazy(
    __name__,
    {
        "_accepted": "as_resampling",
        "_declare": "PROMISES Resampling resampling resamplings",
        "_rows": "Rows",
        "_splits": "Plan Split Splits",
        "findings": "doubts",
    },
    resamplings,
)
