"""Student's t: quantiles and tails, exact, where books print tables.

What intervals ask for is computed in plain Python: importing scipy takes longer than a small command.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

from credibly.errors import ParameterError
from credibly.intervals.quantiles import Tails, beyond, degrees, normal_tail, one_tail

MANY = 1000.0  # degrees of freedom from which the expansion about the normal is exact to 1e-15
SMALL, LARGE, FEW = 5e-5, 0.495, 0.3  # tails and degrees of freedom that are left to scipy
MOST = 1e5  # degrees of freedom up to which a tail is added up here
SQUARED = 1e-100, 1e100  # sizes of values whose squares are doubles


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
    if SQUARED[0] <= abs(t) <= SQUARED[1] and FEW <= dof <= MOST:
        above = _tail_beyond(abs(t), dof)
        return tails * (above if t > 0 else 1 - above)
    from scipy.special import stdtr

    return float(tails * stdtr(dof, -t))


def _quantile(tail: float, dof: float) -> float:
    """Return the value that is exceeded with a probability: Newton's steps from the expansion."""
    if dof == math.inf:
        return -NormalDist().inv_cdf(tail)
    if not (SMALL <= tail <= LARGE and dof >= FEW):
        from scipy.special import stdtrit

        return -float(stdtrit(dof, tail))
    guess = _expansion(-NormalDist().inv_cdf(tail), dof)
    if dof >= MANY:
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
