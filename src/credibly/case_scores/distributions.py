"""Named distributions that a forecast may be, each with its continuous ranked probability score in closed form.

Each is one of scipy's laws: its function returns the score of the standard law (location 0, scale 1), because the score of
another location and scale is that of ``(y - location) / scale``, times the scale.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from credibly._core.arrays import Floats
from credibly._core.declared import Declarator, DeclaredFunction, Registry

JORDAN = "Jordan, A., Krüger, F. & Lerch, S. (2019) Evaluating probabilistic forecasts with scoringRules. Journal of Statistical Software 90 (12)."
GNEITING = "Gneiting, T., Raftery, A. E., Westveld, A. H. & Goldman, T. (2005) Calibrated probabilistic forecasting using ensemble model output statistics. Monthly Weather Review 133, 1098-1118."
HALF_DISTANCE_STEPS = np.linspace(-3.6, 3.6, 101)
WEI = "Wei, W. & Held, L. (2014) Calibration tests for count data. TEST 23, 787-805."


class Standard(NamedTuple):
    """Which of scipy's laws it is: its shapes, and how the standard law is moved and stretched."""

    shapes: tuple[Floats, ...] = ()
    location: Any = 0.0
    scale: Any = 1.0


class Distribution(DeclaredFunction[..., Floats]):
    """A distribution with parameters, of which its function returns the score of the standard law."""

    law: str  # its name in scipy.stats
    standard: Callable[..., Standard]
    above: Mapping[str, float]  # what parameters must exceed
    cite: str = JORDAN
    discrete: bool = False

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The names of its parameters."""
        return tuple(inspect.signature(self.standard).parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        return _known_as, (self.name,)  # another process knows it by its name


distributions: Registry[Distribution] = Registry("distribution", "credibly.case_scores")
distribution = Declarator(Distribution, distributions)


def _known_as(name: str) -> Distribution:
    return distributions[name]


def _density(z: Floats) -> Floats:
    return np.exp(-z * z / 2) / math.sqrt(2 * math.pi)


@distribution("Normal", law="norm", above={"sd": 0}, cite=GNEITING,
              standard=lambda mean, sd: Standard((), mean, sd))  # fmt: skip
def normal(z: Floats) -> Floats:
    """The normal distribution by its mean and standard deviation.

    >>> normal(np.array([0.0])).round(4).tolist()
    [0.2337]
    """
    return z * (2 * special.ndtr(z) - 1) + 2 * _density(z) - 1 / math.sqrt(math.pi)


@distribution("Lognormal", law="lognorm", above={"log_sd": 0},
              standard=lambda log_mean, log_sd: Standard((log_sd,), 0.0, np.exp(log_mean)))  # fmt: skip
def lognormal(z: Floats, sd: Floats) -> Floats:
    """The distribution of a number whose logarithm is normal, by mean and standard deviation of the logarithm.

    >>> lognormal(np.array([1.0]), np.array([1.0])).round(4).tolist()
    [0.3986]
    """
    logarithm = np.log(np.maximum(z, 0))
    below = special.ndtr(logarithm / sd)
    beyond = special.ndtr(logarithm / sd - sd) - special.ndtr(-sd / math.sqrt(2))
    return z * (2 * below - 1) - 2 * np.exp(sd**2 / 2) * beyond


@distribution("Student's t", law="t", above={"freedom": 1, "scale": 0},
              standard=lambda freedom, location, scale: Standard((freedom,), location, scale))  # fmt: skip
def student_t(z: Floats, freedom: Floats) -> Floats:
    """Student's t by its degrees of freedom, location and scale.

    >>> student_t(np.array([0.0]), np.array([5.0])).round(4).tolist()
    [0.2586]
    """
    beta = special.beta(0.5, freedom / 2)
    density = (1 + z * z / freedom) ** (-(freedom + 1) / 2) / (np.sqrt(freedom) * beta)
    spread = 2 * np.sqrt(freedom) / (freedom - 1) * special.beta(0.5, freedom - 0.5) / beta**2
    pulled = 2 * density * (freedom + z * z) / (freedom - 1)
    return z * (2 * special.stdtr(freedom, z) - 1) + pulled - spread


@distribution("Gamma", law="gamma", above={"shape": 0, "rate": 0},
              standard=lambda shape, rate: Standard((shape,), 0.0, 1 / rate))  # fmt: skip
def gamma(z: Floats, shape: Floats) -> Floats:
    """The gamma distribution by its shape and rate.

    >>> gamma(np.array([1.0]), np.array([1.0])).round(4).tolist()
    [0.2358]
    """
    at = np.maximum(z, 0)
    pulled = shape * (2 * special.gammainc(shape + 1, at) - 1)
    return z * (2 * special.gammainc(shape, at) - 1) - pulled - 1 / special.beta(0.5, shape)


@distribution("Exponential", law="expon", above={"rate": 0},
              standard=lambda rate: Standard((), 0.0, 1 / rate))  # fmt: skip
def exponential(z: Floats) -> Floats:
    """The exponential distribution by its rate.

    >>> exponential(np.array([1.0])).round(4).tolist()
    [0.2358]
    """
    return np.abs(z) + 2 * np.expm1(-np.maximum(z, 0)) + 0.5


@distribution("Laplace", law="laplace", above={"scale": 0},
              standard=lambda location, scale: Standard((), location, scale))  # fmt: skip
def laplace(z: Floats) -> Floats:
    """The double exponential distribution by its location and scale.

    >>> laplace(np.array([0.0])).tolist()
    [0.25]
    """
    return np.abs(z) + np.exp(-np.abs(z)) - 0.75


@distribution("Logistic", law="logistic", above={"scale": 0},
              standard=lambda location, scale: Standard((), location, scale))  # fmt: skip
def logistic(z: Floats) -> Floats:
    """The logistic distribution by its location and scale.

    >>> logistic(np.array([0.0])).round(4).tolist()
    [0.3863]
    """
    return z - 2 * special.log_expit(z) - 1


@distribution("Uniform", law="uniform", above={"width": 0},
              standard=lambda low, width: Standard((), low, width))  # fmt: skip
def uniform(z: Floats) -> Floats:
    """The uniform distribution by its lower end and its width.

    >>> uniform(np.array([0.5, 2.0])).round(4).tolist()
    [0.0833, 1.3333]
    """
    inside = np.clip(z, 0, 1)
    return np.abs(z - inside) + inside**2 - inside + 1 / 3


@distribution("Poisson", law="poisson", above={"mean": 0}, discrete=True, cite=WEI,
              standard=lambda mean: Standard((mean,)))  # fmt: skip
def poisson(y: Floats, mean: Floats) -> Floats:
    """The Poisson distribution of a count by its mean.

    >>> poisson(np.array([2.0]), np.array([2.0])).round(4).tolist()
    [0.2965]
    """
    below = np.floor(y)
    reached = np.where(y < 0, 0.0, special.pdtr(np.maximum(below, 0), mean))
    at = np.exp(
        special.xlogy(np.maximum(below, 0), mean) - mean - special.gammaln(np.maximum(below, 0) + 1)
    )
    spread = mean * (special.ive(0, 2 * mean) + special.ive(1, 2 * mean))
    return (y - mean) * (2 * reached - 1) + 2 * mean * np.where(y < 0, 0.0, at) - spread


@distribution("Negative binomial", law="nbinom", above={"size": 0, "mean": 0}, discrete=True, cite=WEI,
              standard=lambda size, mean: Standard((size, size / (size + mean))))  # fmt: skip
def negative_binomial(y: Floats, size: Floats, share: Floats) -> Floats:
    """The negative binomial distribution of a count by its size (dispersion) and mean; its variance is mean + mean² / size.

    >>> negative_binomial(np.array([2.0]), np.array([5.0]), np.array([0.5])).round(4).tolist()
    [1.1264]
    """
    below, mean = np.floor(y), size * (1 - share) / share
    reached = np.where(y < 0, 0.0, special.betainc(size, np.maximum(below, 0) + 1, share))
    # One more success that is waited for, and the count one lower: nothing is below 0.
    more = np.where(below < 1, 0.0, special.betainc(size + 1, np.maximum(below, 1), share))
    return y * (2 * reached - 1) - mean * (2 * more - 1) - half_distance(size, mean)


def half_distance(size: Floats, mean: Floats) -> Floats:
    r"""Return half the mean distance between two such counts, by their characteristic function.

    $\frac{1}{2 \pi} \int_0^\infty (1 - (1 + A w(u))^{-r}) / u^2 du$ with $w = u^2 / (1 + u^2)$, by steps whose width doubles exponentially at both
    ends: right to 11 digits. The closed form is hypergeometric, of which scipy loses digits where the mean is 10,000, and all of them with sizes in the thousands.
    """
    more = mean / size
    a = 4 * more * (1 + more)
    start, total = 1 / np.sqrt(1 + size * a), np.zeros(np.broadcast(size, mean).shape)
    for t in HALF_DISTANCE_STEPS.tolist():
        u = start * math.exp(math.pi / 2 * math.sinh(t))
        total -= np.expm1(-size * np.log1p(a / (1 + 1 / (u * u)))) * math.cosh(t) / u
    return total * (HALF_DISTANCE_STEPS[1] - HALF_DISTANCE_STEPS[0]) / 4
