"""Logistic recalibration: the line that takes the logit of a probability to the logit of what happened."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import Floats, dot
from credibly._kernels import worth_compiling
from credibly._kernels.logistic import NO_OFFSET, Likelihood, likelihood_of
from credibly.calibration.outcomes import Outcomes, logit
from credibly.predictions.table import cached

if TYPE_CHECKING:
    from collections.abc import Callable

    Lines = Callable[[slice], Floats]  # of some rows, one for each coefficient


MAX_STEPS = 100
# Sizes of steps: converged, the last one, and one after which steps shrink quadratically.
CONVERGED_STEP, LAST_STEP, SHORT_STEP = 1e-13, 1e-8, 0.1
ROWS_PER_BLOCK = 1 << 13  # cases added up at a time
# Cases, of which so many neighbours are put together to find where to begin.
MIN_GROUPED_CASES, GROUPED_CASES = 1 << 16, 1 << 5
FIRST_STEP = 1e-3  # more than the first step from there is long
PASSES_PER_FIT = 8
SEPARATION_VARIANCE = 1e-12  # variance left at every case when a fit runs away


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
    covariance: Floats  # of intercept and slope; a given slope has none


def recalibrated(outcomes: Outcomes, *, slope: float | None = None) -> LogisticFit:
    """Fit intercept and slope, or the intercept alone for a given slope, by maximum likelihood.

    Probabilities of exactly 0 or 1 have no logit and are left out.
    """
    return cached(outcomes, ("line", slope), lambda: _line(outcomes.inside(), slope))


def _line(o: Outcomes, slope: float | None) -> LogisticFit:
    x = o.logits
    nothing = LogisticFit(*(np.nan,) * 8, np.full((2, 2), np.nan))
    if o.one_class or (slope is None and not x[-1] > x[0]):
        return nothing

    def lines(rows: slice) -> Floats:
        return np.stack([np.ones(x[rows].size), x[rows]])[: 2 if slope is None else 1]

    start = np.array([0.0, 1.0] if slope is None else [0.0])
    found = _newton(lines, o, start, offset=NO_OFFSET if slope is None else slope * x)
    if found is None:
        return nothing
    beta, top = found
    spread = np.zeros((2, 2))
    spread[: beta.size, : beta.size] = np.linalg.inv(top.information)
    error = np.sqrt(np.diag(spread))
    prevalence = logit(np.array([o.prevalence]))
    return LogisticFit(
        float(beta[0]),
        float(beta[1]) if slope is None else slope,
        float(error[0]),
        float(error[1]),
        -2 * top.height,
        cached(o, "deviance", lambda: float(-2 * (dot(o.events, x) - dot(o.total, softplus(x))))),
        float(-2 * (o.events.sum() * prevalence - o.n * softplus(prevalence))[0]),
        o.n,
        spread,
    )


def fit_lines(lines: Lines, o: Outcomes, coefficients: int) -> tuple[Floats, Floats] | None:
    """Fit a logistic regression on given lines: coefficients and their information, if there is a fit."""
    if o.one_class:
        return None
    found = _newton(lines, o, np.zeros(coefficients))
    return None if found is None else (found[0], found[1].information)


def _newton(
    lines: Lines, o: Outcomes, beta: Floats, offset: Floats = NO_OFFSET
) -> tuple[Floats, Likelihood] | None:
    """Find the maximum of a concave likelihood, of many cases from where groups of neighbours have it."""
    before = np.inf
    if o.events.size >= MIN_GROUPED_CASES:
        rough = _climb(*_neighbours(lines, o, offset), beta)
        if rough is not None:
            beta, before = rough[0], FIRST_STEP
    return _climb(lines, o, offset, beta, before)


def _neighbours(lines: Lines, o: Outcomes, offset: Floats) -> tuple[Lines, Outcomes, Floats]:
    """Put neighbouring cases together, as if all of them stood where the middle one of them does."""
    middle = slice(GROUPED_CASES // 2, None, GROUPED_CASES)
    x, first = lines(middle), np.arange(0, o.total.size, GROUPED_CASES)
    events, total = (np.add.reduceat(c, first)[: x.shape[1]] for c in (o.events, o.total))
    alike = replace(o, probability=o.probability[middle], events=events, total=total, cache={})
    return lambda rows: x[:, rows], alike, offset[middle]


def _climb(
    lines: Lines, o: Outcomes, offset: Floats, beta: Floats, before: float = np.inf
) -> tuple[Floats, Likelihood] | None:
    """Climb to the maximum, with shorter steps where a full one overshoots; ``before`` was the size of one."""
    here = likelihood(lines, o, offset, beta)
    for _ in range(MAX_STEPS):
        if (
            here.spread < SEPARATION_VARIANCE
            or np.linalg.cond(here.information) > 1 / SEPARATION_VARIANCE
        ):
            return None
        step = np.linalg.solve(here.information, here.slope)
        lowest = here.height - 1e-9 * abs(here.height)
        here = likelihood(lines, o, offset, beta + step)
        while here.height < lowest and np.abs(step).max() > 1e-14:
            step = step / 2
            here = likelihood(lines, o, offset, beta + step)
        beta = beta + step
        size = float(np.abs(step).max()) / max(1.0, float(np.abs(beta).max()))
        # Steps shrink quadratically, so that the next is foreseen, until rounding stops them.
        foreseen = size * (size / before) ** 2 if before < SHORT_STEP else np.inf
        if (
            foreseen <= CONVERGED_STEP / 100
            or size <= CONVERGED_STEP
            or (size <= LAST_STEP and size >= before / 2)
        ):
            return beta, here
        before = size
    return None


def likelihood(lines: Lines, o: Outcomes, offset: Floats, beta: Floats) -> Likelihood:
    """Add up over the cases, some at a time: their lines are made for each pass and stay in the cache."""
    compiled = worth_compiling(o.events.size * PASSES_PER_FIT)
    found = [
        likelihood_of(
            lines(rows), offset[rows], beta, o.events[rows], o.total[rows], compiled=compiled
        )
        for start in range(0, o.events.size, ROWS_PER_BLOCK)
        for rows in [slice(start, start + ROWS_PER_BLOCK)]
    ]
    heights, slopes, information, spreads = zip(*found, strict=True)
    return Likelihood(sum(heights), sum(slopes), sum(information), max(spreads))


def softplus(z: Floats) -> Floats:
    """Return log(1 + exp(z)): less the log of the probability that something does not happen.

    >>> softplus(np.array([-800.0, 0.0, 800.0])).round(3).tolist()
    [0.0, 0.693, 800.0]
    """
    small = np.negative(np.abs(z))
    small = np.log1p(np.exp(small, out=small), out=small)
    return np.add(small, np.maximum(z, 0.0), out=small)


def expit(z: Floats) -> Floats:
    """Return the probability that belongs to a logit.

    >>> expit(np.array([0.0])).tolist()
    [0.5]
    """
    from scipy.special import expit as inverse

    return np.asarray(inverse(z))
