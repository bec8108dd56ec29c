"""Predictions where they live: counted by the engine that holds them, judged as if they were in memory.

Cases that are equal in all columns that have a role are one row with a frequency, and everything above
summaries takes such rows as it takes cases. So `engines` needs one query, a GROUP BY, and no code for any
measure: `Counting` assigns roles by the names of columns, groups, and hands the distinct rows to the reader
that files go through. narwhals is the one interface; counts are cast to 64 bits before and after they are
summed, and floats are summed by engines for losses alone.

- **Bins** (`engines/bins.py`) are pieces of the line between multiples of a power of two, which every
  engine computes exactly. A row of bins carries the `span` of scores it stands for, and
  `predictions/summaries/scores.py:BinBounds` says from the counts what the order inside can add at least
  and at most. `evaluation/bounds.py` evaluates the same formula at both ends; the bound is a field of the
  estimate. `refine` counts again, on a finer grid, what lies in the pieces that matter.
- **Exact sums** beside bins: sums of losses (one pass, additive, saved) and of the order (scores sorted in
  place) are kept with the predictions and read instead of the bins.
- **Merging** joins spans that overlap, so parts need not share a grid.
- **The bootstrap** of rows with frequencies draws a multinomial over the rows.
- **An engine** is a declared function that opens files (`engines/embedded.py`, `others.py`); what it
  complains about is said in one place (`Lazy.explained`), with the file that is damaged found by reading
  each.

>>> import duckdb
>>> from credibly.engines import summarise
>>> scores = duckdb.sql("SELECT i % 3 = 0 AS truth, (i % 7) / 8 AS probability FROM range(700) AS t(i)")
>>> summarise(scores, exact=True)
Predictions(14 rows, classes False, True (positive), columns: label, probability)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.engines._declare import Engine as Engine, engine as engine, engines as engines
    from credibly.engines._tables import EngineLimits as EngineLimits, Lazy as Lazy
    from credibly.engines.files import Files as Files
    from credibly.engines.merge import merge as merge
    from credibly.engines.models import summarise_models as summarise_models
    from credibly.engines.slices import evaluate_slices as evaluate_slices
    from credibly.engines.summarise import summarise as summarise

lazy(__name__)
