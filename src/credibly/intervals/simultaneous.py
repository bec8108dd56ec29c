"""Many limits and p-values at once: what the smallest of all p-values is by chance (max-T).

Westfall, P. H. & Young, S. S. (1993) Resampling-based multiple testing. Wiley.
"""

from __future__ import annotations

import math

import numpy as np

from credibly._core.arrays import Floats


def tail_for(smallest: Floats, level: float) -> float:
    """Return what may lie beyond each limit so that all of them hold together.

    ``smallest`` are the smallest of all two-sided p-values in replicates in which nothing differs.

    >>> round(tail_for(np.linspace(0.001, 1, 1000), 0.95), 4)
    0.025
    """
    place = min(max(int((1 - level) * (smallest.size + 1)), 1), smallest.size) - 1
    return float(np.partition(smallest, place)[place]) / 2


def adjusted_pvalue(pvalue: float, smallest: Floats) -> float:
    """Return how often chance alone gives a smallest p-value that small, never less than the p-value itself.

    >>> round(adjusted_pvalue(0.01, np.linspace(0.001, 1, 1000) / 10), 3)
    0.101
    """
    if math.isnan(pvalue):
        return math.nan
    return max(float((1 + (smallest <= pvalue).sum()) / (1 + smallest.size)), pvalue)
