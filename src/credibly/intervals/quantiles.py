"""Quantiles and tails of the normal, of chi-square and of a fair coin: exact, where books print tables; and roots.

A tail is the probability beyond a value: above it, or with ``tails=2`` further out on either side.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Literal

from credibly._core.parameters import above, between, one_of, require
from credibly.errors import ParameterError

FEW_DISCORDANT = 25  # below, the test is exact; from there on what was seen counts half
MOST_ADDED = 1000  # throws of which chances are added up one by one
Tails = Literal[1, 2]


def normal_quantile(tail: float, *, tails: Tails = 1) -> float:
    """Return the value that a standard normal number exceeds with probability ``tail``.

    >>> round(normal_quantile(0.05), 6), round(normal_quantile(0.05, tails=2), 6)
    (1.644854, 1.959964)
    """
    return -NormalDist().inv_cdf(one_tail(tail, tails))


def normal_tail(value: float, *, tails: Tails = 1) -> float:
    """Return the probability that a standard normal number lies beyond ``value``.

    >>> round(normal_tail(1.96), 6), round(1 - normal_tail(1.65, tails=2), 6)
    (0.024998, 0.901057)
    """
    value = beyond(value, tails)
    return tails * math.erfc(value / math.sqrt(2)) / 2


def chi_square_quantile(tail: float, dof: float) -> float:
    """Return the value that chi-square with ``dof`` degrees of freedom exceeds with probability ``tail``.

    >>> round(chi_square_quantile(0.05, 1), 6), round(normal_quantile(0.05, tails=2) ** 2, 6)
    (3.841459, 3.841459)
    """
    from scipy.special import gammainccinv

    half = require("dof", dof, above(0)) / 2
    return float(2 * gammainccinv(half, one_tail(tail, 1)))


def chi_square_tail(value: float, dof: float) -> float:
    """Return the probability that chi-square with ``dof`` degrees of freedom exceeds ``value``.

    >>> round(chi_square_tail(3.841459, 1), 6)
    0.05
    """
    from scipy.special import gammaincc

    half = require("dof", dof, above(0)) / 2
    return float(gammaincc(half, max(_number("value", value), 0.0) / 2))


def one_tail(tail: float, tails: Tails) -> float:
    """Check a tail and return what of it lies above."""
    return float(require("tail", tail, between(0, 1)) / require("tails", tails, one_of(1, 2)))


def beyond(value: float, tails: Tails) -> float:
    """Both tails lie beyond the size of a value, whatever its sign."""
    number = _number("value", value)
    return abs(number) if require("tails", tails, one_of(1, 2)) == 2 else number


def _number(name: str, value: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number):
        raise ParameterError(f"{name} must be a number; got {value!r}.")
    return number


def degrees(dof: float) -> float:
    """Check degrees of freedom, which may be infinite."""
    return math.inf if dof == math.inf else float(require("dof", dof, above(0)))


def discordant_tails(
    first: float, second: float, *, half: bool | None = None
) -> tuple[float, float]:
    """Return the chances that as few, and as many, of the cases would count for the first.

    ``half`` counts what was seen half (mid-p); by default from 25 cases on.

    >>> discordant_tails(15, 5)
    (0.9940910339355469, 0.020694732666015625)
    >>> discordant_tails(900, 600)[1] < 1e-13
    True
    """
    n = int(first + second)
    taken = (n >= FEW_DISCORDANT if half is None else half) * _exactly(int(first), n) / 2
    return _at_most(int(first), n) - taken, _at_most(int(second), n) - taken


def _exactly(heads: int, n: int) -> float:
    chance = math.lgamma(n + 1) - math.lgamma(heads + 1) - math.lgamma(n - heads + 1)
    return math.exp(chance - n * math.log(2))


def _at_most(heads: int, n: int) -> float:
    """Return the chance of at most so many heads in n throws."""
    if n > MOST_ADDED:
        from scipy.special import bdtr

        return float(bdtr(heads, n, 0.5))
    ways = total = 1
    for k in range(heads):
        ways = ways * (n - k) // (k + 1)
        total += ways
    return total / 2**n


def root(
    increasing: Callable[[float], float], low: float, high: float, *, halvings: int = 200
) -> float:
    """Return where a function passes zero: halve the bracket until its ends are neighbours, or that often.

    Importing scipy's root finders would take longer than all the rest.

    >>> root(lambda x: x - 1.5, 0.0, 2.0)
    1.5
    """
    for _ in range(halvings):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if increasing(middle) < 0 else (low, middle)
    return (low + high) / 2
