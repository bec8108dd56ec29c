"""Counting rows between thresholds without sorting them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._kernels import kernel

SEARCH_CELLS = 4096


def rows_between(
    score: NDArray[np.float64], positive: NDArray[np.bool_], thresholds: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Count rows by the number of (rising, finite) thresholds that they reach and by class."""
    low, high = float(thresholds[0]), float(thresholds[-1])
    width = high - low
    # Without a finite scale every scan starts at the first threshold: slower, as right.
    scale = SEARCH_CELLS / width if SEARCH_CELLS / 1e308 < width < np.inf else 0.0
    # The first threshold that any score of a cell can fail to reach; the scan steps on from there.
    steps = (thresholds - low) * scale if scale else np.zeros(thresholds.size)
    edges = np.clip(steps, 0, SEARCH_CELLS - 1).astype(np.int64)
    first = np.searchsorted(edges, np.arange(SEARCH_CELLS)).astype(np.int64)
    counts: NDArray[np.int64] = _count(score, positive, thresholds, first, low, scale)
    return counts


@kernel()
def _count(score: Any, positive: Any, thresholds: Any, first: Any, low: float, scale: float) -> Any:  # noqa: ANN401
    m = thresholds.size
    counts = np.zeros((m + 1, 2), np.int64)
    for i in range(score.size):
        s = score[i]
        x = (s - low) * scale
        j = 0
        if x > 0.0:
            j = first[min(int(min(x, SEARCH_CELLS - 1.0)), SEARCH_CELLS - 1)]
        while j < m and thresholds[j] <= s:
            j += 1
        counts[j, np.intp(positive[i])] += 1
    return counts
