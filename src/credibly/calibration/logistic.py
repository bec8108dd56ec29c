"""Logistic recalibration: the line that takes the logit of a probability to the logit of what happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.keeping import kept

if TYPE_CHECKING:
    from credibly.calibration.outcomes import Outcomes


STEPS = 100
CLOSE, NEAR = 1e-13, 1e-8
SEPARATED = 1e-12  # variance left at every case when a fit runs away


@dataclass(frozen=True, slots=True)
class LogisticFit:
    """Intercept and slope on the logit scale with standard errors; deviances before, after and without scores.

    Everything is NaN where there is no fit: one class alone, one probability alone, or classes that
    some probability separates.
    """

    intercept: float
    slope: float
    intercept_error: float
    slope_error: float
    deviance: float
    deviance_as_given: float
    deviance_of_prevalence: float
    n: float


def logit(p: Floats) -> Floats:
    """Return log(p / (1 - p)).

    >>> logit(np.array([0.5])).tolist()
    [0.0]
    """
    with np.errstate(divide="ignore"):
        return np.log(p) - np.log1p(-p)


def recalibrated(outcomes: Outcomes, *, slope: float | None = None) -> LogisticFit:
    """Fit intercept and slope, or the intercept alone for a given slope, by maximum likelihood.

    Probabilities of exactly 0 or 1 have no logit and are left out.
    """
    return kept(outcomes, ("line", slope), lambda: _line(outcomes.inside(), slope))


def _line(o: Outcomes, slope: float | None) -> LogisticFit:
    x = logit(o.probability)
    columns = np.column_stack([np.ones(x.size), x])[:, : 2 if slope is None else 1]
    offset = np.zeros(x.size) if slope is None else slope * x
    nothing = LogisticFit(*(np.nan,) * 8)
    if o.one_class or (slope is None and not x[-1] > x[0]):
        return nothing
    start = np.array([0.0, 1.0])[: columns.shape[1]]
    found = _newton(columns, offset, o.events, o.total, start)
    if found is None:
        return nothing
    beta, information = found
    error = np.sqrt(np.diag(np.linalg.inv(information)))
    prevalence = np.full(x.size, logit(np.array([o.prevalence]))[0])
    return LogisticFit(
        float(beta[0]),
        float(beta[1]) if slope is None else slope,
        float(error[0]),
        float(error[1]) if slope is None else 0.0,
        _deviance(columns @ beta + offset, o),
        _deviance(x, o),
        _deviance(prevalence, o),
        o.n,
    )


def fit_columns(columns: Floats, events: Floats, total: Floats) -> tuple[Floats, Floats] | None:
    """Fit a logistic regression on given columns; its coefficients and information, if there is a fit."""
    if not 0 < events.sum() < total.sum() or np.linalg.matrix_rank(columns) < columns.shape[1]:
        return None
    start = np.zeros(columns.shape[1])
    return _newton(columns, np.zeros(len(columns)), events, total, start)


def _newton(
    columns: Floats, offset: Floats, events: Floats, total: Floats, beta: Floats
) -> tuple[Floats, Floats] | None:
    """Climb to the maximum of a concave likelihood, with shorter steps where a full one overshoots."""

    def likelihood(b: Floats) -> float:
        z = columns @ b + offset
        return float(events @ z - total @ np.logaddexp(0.0, z))

    height, before = likelihood(beta), np.inf
    for _ in range(STEPS):
        fitted = expit(columns @ beta + offset)
        slope = columns.T @ (events - total * fitted)
        spread = fitted * (1 - fitted)
        if spread.max() < SEPARATED:
            return None
        information = columns.T @ (columns * (total * spread)[:, None])
        if np.linalg.cond(information) > 1 / SEPARATED:
            return None
        step = np.linalg.solve(information, slope)
        ahead = likelihood(beta + step)
        while ahead < height - 1e-9 * abs(height) and np.abs(step).max() > 1e-14:
            step = step / 2
            ahead = likelihood(beta + step)
        beta, height = beta + step, ahead
        size = float(np.abs(step).max()) / max(1.0, float(np.abs(beta).max()))
        # Steps shrink quadratically until rounding stops them.
        if size <= CLOSE or (size <= NEAR and size >= before / 2):
            return beta, information
        before = size
    return None


def _deviance(z: Floats, o: Outcomes) -> float:
    return float(-2 * (o.events @ z - o.total @ np.logaddexp(0.0, z)))


def expit(z: Floats) -> Floats:
    """Return the probability that belongs to a logit.

    >>> expit(np.array([0.0])).tolist()
    [0.5]
    """
    from scipy.special import expit as inverse

    return np.asarray(inverse(z))
