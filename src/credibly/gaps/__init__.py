"""Slices of the cases and gaps between them: a gap is a function of two or more summaries.

The summary of a slice is the summary with the weights of all other cases zero, so every measure has its value, its
influence values and its interval there without a line of code of its own (`sides.py`). What is asked of slices
follows from these.

- **A contrast** (`sides.py`) is one value less another, or as a multiple of it. Its limits come of those of both
  values (MOVER), so it is as good with few cases as the interval of the measure is.
- **All together** (`SharedReplicates`): replicates weigh independent units, whole groups, the same for all
  slices and measures, and say how small the smallest of all p-values is by chance (max-T). Each limit is taken at the
  level that makes all of them hold.
- **A gap** is the largest of all differences between two slices, by one measure or by several. Its limits are the largest
  of the limits of all pairs: what holds for all pairs holds for the one that is the farthest apart. Gaps with names
  (`parities.py`) state their measures.
- **A search** (`cuts.py`) has the slices by every column and by columns together for its family. Numbers are
  cut at quantiles of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.gaps._declare import Gap as Gap, gap_kind as gap_kind, gaps as gaps
    from credibly.gaps.means import mean_over_slices as mean_over_slices
    from credibly.gaps.result import (
        GapEstimate as GapEstimate,
        SliceContrast as SliceContrast,
        SliceEstimate as SliceEstimate,
        Slices as Slices,
    )
    from credibly.gaps.slices import slices as slices

lazy(__name__)
