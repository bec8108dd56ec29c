"""How smooth statistics of calibration move with the weight of one event, or of one other case.

With sums over cases, the derivative of a sum by the weight of a case is what the case adds to it.
A maximised likelihood moves with a weight as if its coefficients stood still; the coefficients
themselves move by the inverse information times the score of the case, which is the sandwich.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly.calibration.logistic import ROWS_PER_BLOCK, expit, logit, recalibrated, softplus
from credibly.predictions.table import cached

if TYPE_CHECKING:
    from credibly.calibration.logistic import LogisticFit
    from credibly.calibration.outcomes import Outcomes

    Sides = tuple[Floats, Floats]

DEVIANCES = ("deviance_of_prevalence", "deviance_as_given", "deviance")
COMPLEX_STEP = 1e-30  # its square is 0 beside 1


def of_bias(o: Outcomes) -> Sides:
    """Differentiate the mean of the probability less the outcome."""
    p, mean = o.probability, o.mean(o.probability) - o.prevalence
    return (p - 1 - mean) / o.n, (p - mean) / o.n


def of_coefficient(which: int, slope: float | None = None) -> Callable[[Outcomes], Sides]:
    """Differentiate the intercept (0) or slope (1) of the recalibration line."""

    def slopes(o: Outcomes) -> Sides:
        fit = recalibrated(o, slope=slope)
        inside, x = _logits(o)
        first, second = fit.covariance[which]
        event, other = np.empty((2, x.size))
        for rows in _in_cache(x.size):
            fitted = expit(fit.intercept + fit.slope * x[rows])
            moved = first + second * x[rows]
            event[rows] = moved * (1 - fitted)
            other[rows] = -moved * fitted
        return _of_those(inside, event, other)

    return slopes


def of_likelihoods(formula: Callable[[LogisticFit], float]) -> Callable[[Outcomes], Sides]:
    """Differentiate a formula of the deviances of prevalence, of probabilities as given and of the line.

    It moves with the weight of a case by what the case adds to each of them and to the cases, times the
    slopes of the formula.
    """

    def slopes(o: Outcomes) -> Sides:
        fit = recalibrated(o)
        inside, x = _logits(o)
        prevalence = logit(np.array([o.inside().prevalence]))
        whole, given, line = (2 * _slope(formula, fit, name) for name in DEVIANCES)
        of_given, of_line = _costs(o, x, fit)
        # Of a case without the event; the loss of an event is less by its logits.
        level = _slope(formula, fit, "n") + whole * softplus(prevalence)
        event, other = np.empty((2, x.size))
        for rows in _in_cache(x.size):
            other[rows] = level + given * of_given[rows] + line * of_line[rows]
            logits = (given + line * fit.slope) * x[rows] + line * fit.intercept
            event[rows] = other[rows] - (whole * prevalence + logits)
        return _of_those(inside, event, other)

    return slopes


def _costs(o: Outcomes, x: Floats, fit: LogisticFit) -> Sides:
    """Return the loss of a case without the event, as given and on the line; three formulas read it."""
    return cached(o, _costs, lambda: (softplus(x), softplus(fit.intercept + fit.slope * x)))


def _in_cache(n: int) -> Iterator[slice]:
    """Yield so many rows at a time that what is made of them stays in the cache."""
    return (slice(start, start + ROWS_PER_BLOCK) for start in range(0, n, ROWS_PER_BLOCK))


def _logits(o: Outcomes) -> tuple[NDArray[np.bool_], Floats]:
    """Say which probabilities have a logit, and return it; 0 for the others, which move no fit."""
    x = o.logits
    inside = np.isfinite(x)
    return inside, x if inside.all() else np.where(inside, x, 0.0)


def _of_those(inside: NDArray[np.bool_], event: Floats, other: Floats) -> Sides:
    if inside.all():
        return event, other
    return np.where(inside, event, 0.0), np.where(inside, other, 0.0)


def _slope(formula: Callable[[LogisticFit], float], fit: LogisticFit, name: str) -> float:
    """Differentiate by one number of a fit, with a complex step (see `intervals/influence.py`)."""
    moved = replace(fit, **{name: getattr(fit, name) + COMPLEX_STEP * 1j})
    return formula(moved).imag / COMPLEX_STEP


def of_skill(o: Outcomes) -> Sides:
    """Differentiate one less the Brier score as a share of the uncertainty."""
    p, prevalence, brier = o.probability, o.prevalence, o.brier
    uncertainty = prevalence * (1 - prevalence)

    def side(loss: Floats, happened: int) -> Floats:
        of_uncertainty = (1 - 2 * prevalence) * (happened - prevalence)
        return -(loss - brier - brier / uncertainty * of_uncertainty) / (uncertainty * o.n)

    return side((1 - p) ** 2, 1), side(p**2, 0)
