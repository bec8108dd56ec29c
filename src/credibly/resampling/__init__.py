"""Resamplings: rules that cut rows into training and test parts, each declared once.

A `Resampling` is a rule with its arguments; cutting `Rows` (number, classes, groups, times, folds, weights,
and nothing else) gives `Splits`. A declared function returns a `SplitPlan`: the number of splits and the test
rows of each, and its training rows only if these are not simply the rest. So splits are made when asked
for, in any order (each repeat has a seed of its own), findings and fingerprints of what trains on the rest
never touch a training part, and leave-one-out of many rows takes the memory of one split. A fingerprint
adds up a hash of each row, so the order of the rows in a part does not matter. Promises (disjoint, covers,
stratified, respects groups, respects time, independent, pairs) travel with the splits and are checked on
every entry.

**How the evidence hangs together** is a `Design` (`predictions/provenance.py`): what repeats have to do with
each other (the same cases split again, the same test cases after learning again, or data sets of their own)
and whether cases follow one another in time. It follows from the promises of a resampling, or is seen in
given splits; `run` and experiments put it on the predictions, Parquet keeps it, `merge` keeps what every
part can vouch for. Estimates, tests, curves, checks and sentences read it there and nowhere else. Nothing
is known of columns from elsewhere, which are taken as resampled.

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
    from credibly.resampling._splits import Split as Split, SplitPlan as SplitPlan, Splits as Splits
    from credibly.resampling.caveats import doubts as doubts

lazy(__name__, resamplings)
