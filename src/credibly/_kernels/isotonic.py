"""Isotonic regression of event shares: pool adjacent violators, once or for many simulated outcomes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._kernels import worth_compiling

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def isotonic(events: Floats, total: Floats) -> Floats:
    """Return the rising shares that fit events out of totals best; places are already in order.

    >>> isotonic(np.array([1.0, 0.0, 1.0]), np.ones(3)).tolist()
    [0.5, 0.5, 1.0]
    """
    pool = _compiled() if worth_compiling(events.size) else _pool
    fitted = np.empty(events.size)
    pool(np.asarray(events, np.float64), np.asarray(total, np.float64), fitted)
    return fitted


def simulated(
    probability: Floats, total: Floats, at: NDArray[np.intp], seed: int, count: int
) -> Floats:
    """Return isotonic fits at some places (columns) of outcomes drawn from the probabilities (rows).

    Outcomes of a replicate depend on the seed and its number alone. Whole numbers are drawn one by
    one; other totals as their nearest whole number, then scaled.
    """
    rng = np.random.default_rng(seed)
    whole = np.maximum(np.rint(total), 1).astype(np.int64)
    share = total / whole
    ones = bool((whole == 1).all())
    pool = _compiled() if worth_compiling(probability.size) else _pool
    fitted, kept = np.empty(probability.size), np.empty((count, at.size))
    for row in kept:
        if ones:
            events = (rng.random(probability.size) < probability) * share
        else:
            events = rng.binomial(whole, probability) * share
        pool(events, total, fitted)
        row[:] = fitted[at]
    return kept


@cache
def _compiled() -> Any:  # noqa: ANN401
    from numba import njit

    return njit(nogil=True, cache=True)(_pool)


def _pool(events: Any, total: Any, fitted: Any) -> None:  # noqa: ANN401
    """Keep blocks of rising shares; a new place joins the last block while that would not rise."""
    n = events.size
    first = np.empty(n, np.int64)
    up, weight = np.empty(n), np.empty(n)
    m = 0
    for i in range(n):
        first[m], up[m], weight[m] = i, events[i], total[i]
        # Compare shares crosswise: no division, and a total of zero joins its neighbour.
        while m > 0 and up[m - 1] * weight[m] >= up[m] * weight[m - 1]:
            m -= 1
            up[m] += up[m + 1]
            weight[m] += weight[m + 1]
        m += 1
    end = n
    for b in range(m - 1, -1, -1):
        share = up[b] / weight[b] if weight[b] > 0 else np.nan
        for i in range(first[b], end):
            fitted[i] = share
        end = first[b]
