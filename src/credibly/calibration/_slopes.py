"""How smooth statistics of calibration move with the weight of one event, or of one other case.

With sums over cases, the derivative of a sum by the weight of a case is what the case adds to it.
A maximised likelihood moves with a weight as if its coefficients stood still; the coefficients
themselves move by the inverse information times the score of the case, which is the sandwich.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import Floats
from credibly.calibration.logistic import expit, logit, recalibrated

if TYPE_CHECKING:
    from credibly.calibration.logistic import LogisticFit
    from credibly.calibration.outcomes import Outcomes

    Sides = tuple[Floats, Floats]


def of_bias(o: Outcomes) -> Sides:
    """Differentiate the mean of the probability less the outcome."""
    p, mean = o.probability, o.mean(o.probability) - o.prevalence
    return (p - 1 - mean) / o.n, (p - mean) / o.n


def of_coefficient(which: int, slope: float | None = None) -> Callable[[Outcomes], Sides]:
    """Differentiate the intercept (0) or slope (1) of the recalibration line."""

    def slopes(o: Outcomes) -> Sides:
        fit = recalibrated(o, slope=slope)
        inside = (o.probability > 0) & (o.probability < 1)
        x = np.where(inside, logit(np.where(inside, o.probability, 0.5)), 0.0)
        columns = np.column_stack([np.ones(x.size), x])[:, : 2 if slope is None else 1]
        fitted = expit(fit.intercept + fit.slope * x)
        weight = np.where(inside, o.total * fitted * (1 - fitted), 0.0)
        if np.isnan(fit.intercept):
            return fitted, fitted
        moved = np.linalg.solve(columns.T @ (columns * weight[:, None]), columns.T)[which] * inside
        return moved * (1 - fitted), -moved * fitted

    return slopes


def of_likelihoods(
    value: Callable[[LogisticFit, Sides, Sides, Sides], Sides],
) -> Callable[[Outcomes], Sides]:
    """Differentiate a function of the deviances of prevalence, of probabilities as given and of the line.

    ``value`` gets what a case (event, other) adds to each of the three.
    """

    def slopes(o: Outcomes) -> Sides:
        fit = recalibrated(o)
        inside = (o.probability > 0) & (o.probability < 1)
        x = logit(np.where(inside, o.probability, 0.5))
        prevalence = np.full(x.size, logit(np.array([o.inside().prevalence]))[0])
        added = [_deviances(z) for z in (prevalence, x, fit.intercept + fit.slope * x)]
        event, other = value(fit, *added)
        return np.where(inside, event, 0.0), np.where(inside, other, 0.0)

    return slopes


def _deviances(z: Floats) -> Sides:
    return 2 * np.logaddexp(0.0, -z), 2 * np.logaddexp(0.0, z)


def of_r2(fit: LogisticFit, nothing: Sides, given: Sides, line: Sides) -> Sides:  # noqa: ARG001
    """Differentiate Nagelkerke's R2, a ratio of shares of likelihood."""
    n, most = fit.n, fit.deviance_of_prevalence
    gained = most - fit.deviance_as_given
    part, whole = -np.expm1(-gained / n), -np.expm1(-most / n)

    def side(base: Floats, own: Floats) -> Floats:
        of_part = np.exp(-gained / n) * (base - own - gained / n) / n
        of_whole = np.exp(-most / n) * (base - most / n) / n
        return (of_part - part / whole * of_whole) / whole

    return side(nothing[0], given[0]), side(nothing[1], given[1])


def of_d(fit: LogisticFit, nothing: Sides, given: Sides, line: Sides) -> Sides:  # noqa: ARG001
    """Differentiate the discrimination index."""
    value = (fit.deviance_of_prevalence - fit.deviance_as_given - 1) / fit.n
    event, other = ((a - b - value) / fit.n for a, b in zip(nothing, given, strict=True))
    return event, other


def of_q(fit: LogisticFit, nothing: Sides, given: Sides, line: Sides) -> Sides:
    """Differentiate the quality index."""
    total = fit.deviance_of_prevalence - 2 * fit.deviance_as_given + fit.deviance
    sides = zip(nothing, given, line, strict=True)
    event, other = ((a - 2 * b + c - (total + 1) / fit.n) / fit.n for a, b, c in sides)
    return event, other


def of_skill(o: Outcomes) -> Sides:
    """Differentiate one less the Brier score as a share of the uncertainty."""
    p, prevalence, brier = o.probability, o.prevalence, o.brier
    uncertainty = prevalence * (1 - prevalence)

    def side(loss: Floats, happened: int) -> Floats:
        of_uncertainty = (1 - 2 * prevalence) * (happened - prevalence)
        return -(loss - brier - brier / uncertainty * of_uncertainty) / (uncertainty * o.n)

    return side((1 - p) ** 2, 1), side(p**2, 0)
