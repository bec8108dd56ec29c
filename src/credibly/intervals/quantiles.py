"""Quantiles and tails of the normal, of Student's t, of chi-square and of a fair coin: exact, where books print tables.

A tail is the probability beyond a value: above it, or with ``tails=2`` further out on either side. What intervals
ask of Student's t is computed in plain Python, and so are roots: importing scipy takes longer than a small command.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist
from typing import Literal

from credibly._core.parameters import above, between, one_of, require
from credibly.errors import ParameterError

FEW_DISCORDANT = 25  # below, the test is exact; from there on what was seen counts half
MAX_ADDED_TERMS = 1000  # throws whose probabilities are added up one by one
# Degrees of freedom from which the expansion about the normal is exact to 1e-15.
LARGE_FREEDOM = 1000.0
# Beyond which Student's t is left to scipy.
SMALL_TAIL, LARGE_TAIL, SMALL_FREEDOM = 5e-5, 0.495, 0.3
MAX_SUMMED_FREEDOM = 1e5  # degrees of freedom up to which a tail of Student's t is added up here
SAFE_TO_SQUARE = 1e-100, 1e100  # sizes of values whose squares are doubles
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
    if n > MAX_ADDED_TERMS:
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

    >>> root(lambda x: x - 1.5, 0.0, 2.0)
    1.5
    """
    for _ in range(halvings):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if increasing(middle) < 0 else (low, middle)
    return (low + high) / 2


@lru_cache(maxsize=4096)
def two_sided(confidence_level: float, dof: float) -> float:
    """Return t such that Student's t lies within -t and t with the given probability.

    >>> round(two_sided(0.95, 9), 12), round(two_sided(0.95, math.inf), 12)
    (2.262157162798, 1.95996398454)
    """
    return _quantile((1 - confidence_level) / 2, dof)


def student_quantile(tail: float, dof: float, *, tails: Tails = 1) -> float:
    """Return the value that Student's t with ``dof`` degrees of freedom exceeds with probability ``tail``.

    >>> round(student_quantile(0.025, 9), 6), round(student_quantile(0.05, 9, tails=2), 6)
    (2.262157, 2.262157)
    """
    one = one_tail(tail, tails)
    value = _quantile(one, degrees(dof))
    if not math.isfinite(value) or value * (0.5 - one) < 0:
        raise ParameterError(
            f"Student's t with {dof:g} degrees of freedom has no quantile in doubles at the tail {tail:g}."
        )
    return value


def student_tail(value: float, dof: float, *, tails: Tails = 1) -> float:
    """Return the probability that Student's t with ``dof`` degrees of freedom lies beyond ``value``.

    >>> round(student_tail(2.262157, 9, tails=2), 6)
    0.05
    """
    if degrees(dof) == math.inf:
        return normal_tail(value, tails=tails)
    t = beyond(value, tails)
    if (
        SAFE_TO_SQUARE[0] <= abs(t) <= SAFE_TO_SQUARE[1]
        and SMALL_FREEDOM <= dof <= MAX_SUMMED_FREEDOM
    ):
        above = _tail_beyond(abs(t), dof)
        return tails * (above if t > 0 else 1 - above)
    from scipy.special import stdtr

    return float(tails * stdtr(dof, -t))


def _quantile(tail: float, dof: float) -> float:
    """Return the value that is exceeded with a probability: Newton's steps from the expansion."""
    if dof == math.inf:
        return -NormalDist().inv_cdf(tail)
    if not (SMALL_TAIL <= tail <= LARGE_TAIL and dof >= SMALL_FREEDOM):
        from scipy.special import stdtrit

        return -float(stdtrit(dof, tail))
    guess = _expansion(-NormalDist().inv_cdf(tail), dof)
    if dof >= LARGE_FREEDOM:
        return guess
    low, high = 0.0, math.inf
    t = guess
    for _ in range(100):
        excess = _tail_beyond(t, dof) - tail
        low, high = (t, high) if excess > 0 else (low, t)
        step = t + excess / student_density(t, dof)  # Newton's, unless it leaves what is known
        new = step if low < step < high else (low + high) / 2 if high < math.inf else 2 * t
        if abs(new - t) <= 1e-15 * t:
            break
        t = new
    return t


def _expansion(z: float, dof: float) -> float:
    """Cornish and Fisher's expansion of t about the normal quantile (Abramowitz & Stegun 26.7.5)."""
    z2 = z * z
    terms = (
        z * (z2 + 1) / 4,
        z * (5 * z2**2 + 16 * z2 + 3) / 96,
        z * (3 * z2**3 + 19 * z2**2 + 17 * z2 - 15) / 384,
        z * (79 * z2**4 + 776 * z2**3 + 1482 * z2**2 - 1920 * z2 - 945) / 92160,
    )
    return z + sum(term / dof ** (i + 1) for i, term in enumerate(terms))


def student_density(t: float, dof: float) -> float:
    """Return the height of the density at a value."""
    constant = _half_step(dof / 2) - math.log(dof * math.pi) / 2
    return math.exp(constant - (dof + 1) / 2 * math.log1p(t * t / dof))


def _tail_beyond(t: float, dof: float) -> float:
    """Probability that t is exceeded: half of I_x(dof / 2, 1 / 2) at x = dof / (dof + t^2)."""
    a, b, x, rest = dof / 2, 0.5, dof / (dof + t * t), t * t / (dof + t * t)
    front = math.exp(
        _half_step(a) - math.lgamma(b) - a * math.log1p(t * t / dof) + b * math.log(rest)
    )
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a / 2
    return 0.5 - front * _fraction(rest, b, a) / b / 2


def _half_step(a: float) -> float:
    """Return log gamma(a + 1 / 2) - log gamma(a): by its series where both are large and their digits would cancel."""
    if a < 50:
        return math.lgamma(a + 0.5) - math.lgamma(a)
    return math.log(a) / 2 - (1 / 8 - (1 / 192 - 1 / (640 * a * a)) / (a * a)) / a


def _fraction(x: float, a: float, b: float) -> float:
    """Lentz's evaluation of the continued fraction of the incomplete beta function (DLMF 8.17.22)."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    total = d
    for m in range(1, 10_000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + step * d)
            c = 1 + step / c
            total *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return total
