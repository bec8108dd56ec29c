"""What each case adds to a logistic likelihood and to its derivatives, in one pass over logits."""

# ruff: noqa: ANN401 -- compiled functions take arrays of any kind

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from credibly._core.arrays import Floats
from credibly._kernels import kernel

BLOCK_FACTORS = 512  # as many numbers from 1 to 2 have a product that a double holds
# A sum of logarithms below which the product is too near 1 to take the logarithm of.
SMALL_LOG_SUM = 1.0
MAX_LOGIT = 700.0  # beyond it, the odds of one side are 0
# Of an exponential: 2 to the power of a whole number, times a series of what is left.
PER_LOG_2 = 1 / math.log(2)
LOG_2, REST_OF_LOG_2 = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")
C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13 = (1 / math.factorial(k) for k in range(2, 14))


class LikelihoodTerms(NamedTuple):
    """The log likelihood of some cases, the largest variance of one, and the residual and variance of each."""

    height: float
    largest: float
    residual: Floats
    variance: Floats


def likelihood_terms(
    z: Floats, events: Floats, total: Floats, *, compiled: bool
) -> LikelihoodTerms:
    """Compare logits with how many of the cases at each are events.

    >>> terms = likelihood_terms(np.zeros(1), np.ones(1), np.full(1, 4.0), compiled=False)
    >>> terms.residual, terms.variance
    (array([-1.]), array([1.]))
    """
    if compiled:
        residual, variance = np.empty((2, z.size))
        height, largest = _add_up(z, events, total, residual, variance)
        return LikelihoodTerms(height, largest, residual, variance)
    odds = np.exp(-np.abs(z))  # of the less likely
    share = 1 / (1 + odds)
    spread = odds * share * share
    fitted = np.where(z < 0, odds, 1.0) * share
    height = float(events @ z - total @ (np.maximum(z, 0.0) + np.log1p(odds)))
    return LikelihoodTerms(height, float(spread.max()), events - total * fitted, total * spread)


@kernel()
def _add_up(z: Any, events: Any, total: Any, residual: Any, variance: Any) -> tuple[float, float]:
    odds, bits = np.empty(BLOCK_FACTORS), np.empty(BLOCK_FACTORS, np.int64)
    height = largest = 0.0
    for start in range(0, z.size, BLOCK_FACTORS):
        end = min(start + BLOCK_FACTORS, z.size)
        some = slice(start, end)
        o, power = odds[: end - start], bits[: end - start]
        _exponentials(z[some], o, power)
        _scale(o, power.view(np.float64))
        height += _terms(z[some], events[some], total[some], o, residual[some], variance[some])
        height -= _logarithms(o, total[some])
        largest = max(largest, _largest(o))
    return height, largest


@kernel(fastmath={"contract", "reassoc"})
def _exponentials(z: Any, series: Any, power: Any) -> None:
    """Write exp(-|z|) as a number near 1 and the bits of a power of 2, so that several fit a vector."""
    for i in range(z.size):
        far = min(abs(z[i]), MAX_LOGIT)
        whole = np.floor(0.5 - far * PER_LOG_2)
        r = (-far - whole * LOG_2) - whole * REST_OF_LOG_2
        last = C8 + r * (C9 + r * (C10 + r * (C11 + r * (C12 + r * C13))))
        series[i] = 1 + r * (
            1 + r * (C2 + r * (C3 + r * (C4 + r * (C5 + r * (C6 + r * (C7 + r * last))))))
        )
        power[i] = (np.int64(whole) + 1023) << 52


@kernel()
def _scale(series: Any, power: Any) -> None:
    for i in range(series.size):
        series[i] *= power[i]


@kernel(fastmath={"contract", "reassoc"})
def _terms(z: Any, events: Any, total: Any, odds: Any, residual: Any, variance: Any) -> float:
    height = 0.0
    for i in range(z.size):
        share = 1 / (1 + odds[i])
        fitted = share if z[i] >= 0 else odds[i] * share
        residual[i] = events[i] - total[i] * fitted
        variance[i] = total[i] * (odds[i] * share * share)
        height += events[i] * z[i] - total[i] * max(z[i], 0.0)
    return height


@kernel()
def _largest(odds: Any) -> float:
    """Return the largest variance of a case, which is where odds are nearest to 1."""
    most = 0.0
    for i in range(odds.size):
        most = max(most, odds[i])
    return most / ((1 + most) * (1 + most))


@kernel(fastmath={"reassoc"})
def _logarithms(odds: Any, total: Any) -> float:
    """Add up the logarithms of 1 + odds; of places with one case each, one logarithm serves all."""
    product, alone = 1.0, 0
    for i in range(odds.size):
        product *= 1 + odds[i]
        alone += total[i] == 1.0
    found = math.log(product)
    if alone == odds.size and found >= SMALL_LOG_SUM:
        return found
    found = 0.0
    for i in range(odds.size):
        found += total[i] * math.log1p(odds[i])
    return found
