"""A logistic likelihood and its derivatives, in one pass over the cases."""

# ruff: noqa: ANN401 -- compiled functions take arrays of any kind

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from credibly._core.arrays import Floats
from credibly._kernels import kernel
from credibly._kernels.losses import BLOCK_FACTORS, SMALL_LOG_SUM

NO_OFFSET = np.zeros(0)
# A sum of logarithms below which the product is too near 1 to take the logarithm of.
MAX_LOGIT = 700.0  # beyond it, the odds of one side are 0
# Of an exponential: 2 to the power of a whole number, times a series of what is left.
PER_LOG_2 = 1 / math.log(2)
LOG_2, REST_OF_LOG_2 = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")
C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13 = (1 / math.factorial(k) for k in range(2, 14))


class Likelihood(NamedTuple):
    """A log likelihood of some cases with its derivatives, and the largest variance of one case."""

    height: float
    slope: Floats
    information: Floats
    spread: float


def likelihood_of(
    lines: Floats, offset: Floats, beta: Floats, events: Floats, total: Floats, *, compiled: bool
) -> Likelihood:
    """Compare logits, the sum of lines times coefficients, with how many of the cases at each are events.

    What is to be added to the logits may be left out.

    >>> found = likelihood_of(
    ...     np.ones((1, 2)), NO_OFFSET, np.zeros(1), np.ones(2), np.full(2, 4.0), compiled=False)
    >>> found.slope, found.information
    (array([-2.]), array([[2.]]))
    """
    if compiled:
        slope, information = np.zeros(beta.size), np.zeros((beta.size, beta.size))
        x, more = np.ascontiguousarray(lines), np.ascontiguousarray(offset)
        height, largest = _add_up(x, more, beta, events, total, slope, information)
        return Likelihood(height, slope, information, largest)
    z = beta @ lines + offset if offset.size else beta @ lines
    odds = np.exp(-np.abs(z))  # of the less likely
    share = 1 / (1 + odds)
    spread = odds * share * share
    fitted = np.where(z < 0, odds, 1.0) * share
    height = float(events @ z - total @ (np.maximum(z, 0.0) + np.log1p(odds)))
    slope = lines @ (events - total * fitted)
    return Likelihood(height, slope, (lines * (total * spread)) @ lines.T, float(spread.max()))


@kernel()
def _add_up(
    lines: Any, offset: Any, beta: Any, events: Any, total: Any, slope: Any, information: Any
) -> tuple[float, float]:
    room, bits = np.empty((4, BLOCK_FACTORS)), np.empty(BLOCK_FACTORS, np.int64)
    height = largest = 0.0
    for start in range(0, events.size, BLOCK_FACTORS):
        size = min(BLOCK_FACTORS, events.size - start)
        some = slice(start, start + size)
        z, odds, power = room[0][:size], room[1][:size], bits[:size]
        residual, variance = room[2][:size], room[3][:size]
        z[:] = 0.0
        for k in range(beta.size):
            _add_line(lines[k][some], beta[k], z)  # a row, which is known to be contiguous
        _add_line(offset[some], 1.0, z)
        _exponentials(z, odds, power)
        _scale(odds, power.view(np.float64))
        height += _terms(z, events[some], total[some], odds, residual, variance)
        height -= _logarithms(odds, total[some])
        largest = max(largest, _largest(odds))
        for k in range(beta.size):
            slope[k] += _product(lines[k][some], residual)
            z[:] = lines[k][some] * variance
            for j in range(k + 1):
                information[k, j] += _product(lines[j][some], z)
    for k in range(beta.size):
        for j in range(k):
            information[j, k] = information[k, j]
    return height, largest


@kernel(fastmath={"contract"})
def _add_line(x: Any, times: float, z: Any) -> None:
    for i in range(x.size):  # an offset may be left out
        z[i] += times * x[i]


@kernel(fastmath={"contract", "reassoc"})
def _product(x: Any, z: Any) -> float:
    total = 0.0
    for i in range(z.size):
        total += x[i] * z[i]
    return total


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
