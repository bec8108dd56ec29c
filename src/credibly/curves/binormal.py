"""The binormal ROC curve: smooth, from two numbers and their covariance."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.doors import check_confidence, door
from credibly.curves._declare import curves
from credibly.curves.bands import BandRequest, band_method, counts_independent
from credibly.curves.curve import summarise
from credibly.curves.result import Band, Curve
from credibly.errors import DataError
from credibly.intervals.quantiles import normal_quantile
from credibly.predictions import Predictions
from credibly.predictions.summaries import ScoreTable
from credibly.results.interval import Interval

MA_HALL = "Ma, G. & Hall, W. J. (1993) Confidence bands for receiver operating characteristic curves. Medical Decision Making 13, 191-197."

MAX_CATEGORIES = 20
MIN_CATEGORIES = 3
MAX_STEPS = 200


@dataclass(frozen=True, slots=True, eq=False)
class Binormal:
    r"""A smooth ROC curve of two numbers, with their covariance.

    $\mathrm{TPR} = \Phi(a + b\,\Phi^{-1}(\mathrm{FPR}))$. The covariance is that of independent cases:
    NaN, and there is no interval, where they come in groups or with importance weights.
    """

    a: float
    b: float
    covariance: Floats
    log_likelihood: float
    categories: int

    @property
    def area(self) -> float:
        r"""Area under the curve, $\Phi(a / \sqrt{1 + b^2})$."""
        from scipy.special import ndtr

        return float(ndtr(self.a / math.hypot(1, self.b)))

    @property
    def standard_error(self) -> float:
        """Standard error of the area, by the derivatives of its formula; NaN without a covariance."""
        z, error = self._deviate()
        return math.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) * error

    def _deviate(self) -> tuple[float, float]:
        """Return the normal deviate of the area, and its standard error."""
        length = math.hypot(1, self.b)
        slope = np.array([1 / length, -self.a * self.b / length**3])
        return self.a / length, math.sqrt(slope @ self.covariance @ slope)

    def interval(self, confidence_level: float = 0.95) -> Interval:
        """Return limits of the area, set on its normal deviate so that they stay between 0 and 1."""
        from scipy.special import ndtr

        check_confidence(confidence_level)
        if np.isnan(self.covariance).any():
            raise DataError(
                "The binormal limits are for independent cases, not for groups or weights: "
                "evaluate the auc instead, whose interval allows for them."
            )
        z, error = self._deviate()
        half = normal_quantile(1 - confidence_level, tails=2) * error
        low, high = float(ndtr(z - half)), float(ndtr(z + half))
        return Interval(low, high, confidence_level, "binormal, maximum likelihood")

    def at(self, false_positive_rate: Floats) -> Floats:
        """Return the true positive rate at false positive rates."""
        from scipy.special import ndtr, ndtri

        return np.asarray(ndtr(self.a + self.b * ndtri(np.asarray(false_positive_rate))))

    def curve(self, points: int = 201) -> Curve:
        """Return it as a curve."""
        x = np.linspace(0, 1, points)
        kind = curves["roc"]
        return Curve(
            "roc", "Binormal ROC curve", x, self.at(x), None, kind.x_title, kind.y_title,
            numbers={"auc": self.area, "a": self.a, "b": self.b},
        )  # fmt: skip


@door
def binormal(predictions: Predictions) -> Binormal:
    """Fit a binormal ROC curve by maximum likelihood on grouped ranks.

    Scores count by their order alone. Neighbouring ones are grouped into at most 20 categories, and the
    cut points between these are estimated with the two numbers (Dorfman and Alf).

    >>> from credibly import Predictions
    >>> p = Predictions.of([0] * 50 + [1] * 50, score=[1] * 30 + [2] * 15 + [3] * 5 + [1] * 5 + [2] * 15 + [3] * 30)
    >>> fit = binormal(p)
    >>> round(fit.a, 3), round(fit.b, 3), round(fit.area, 3)
    (1.535, 1.0, 0.861)
    """
    table = summarise(curves["roc"], predictions, {})
    assert isinstance(table, ScoreTable)  # noqa: S101
    neg, pos = _categories(table)
    if neg.size < MIN_CATEGORIES or _degenerate(neg, pos):
        raise DataError(
            "A binormal curve needs scores of at least three levels on which the two classes "
            "overlap; these do not, so no curve fits best."
        )
    fit = _fitted(neg, pos)
    return (
        fit if counts_independent(predictions) else replace(fit, covariance=np.full((2, 2), np.nan))
    )


def _categories(t: ScoreTable) -> tuple[Floats, Floats]:
    """Group neighbouring scores, smallest first, into categories that hold about as many cases each."""
    weight = (t.pos + t.neg)[::-1].astype(np.float64)
    middle = weight.cumsum() - weight / 2
    place = np.minimum(middle / weight.sum() * MAX_CATEGORIES, MAX_CATEGORIES - 1).astype(int)
    if t.score.size <= MAX_CATEGORIES:
        place = np.arange(t.score.size)
    place = np.unique(place, return_inverse=True)[1]
    neg, pos = (np.bincount(place, side[::-1]).astype(np.float64) for side in (t.neg, t.pos))
    return neg, pos


def _degenerate(neg: Floats, pos: Floats) -> bool:
    """Whether the likelihood has no largest value inside: a curve that runs along the sides."""
    inner = np.flatnonzero((neg > 0) & (pos > 0))
    return inner.size < MIN_CATEGORIES - 1


def _fitted(neg: Floats, pos: Floats) -> Binormal:
    """Climb the likelihood by Fisher scoring, halving steps that go down."""
    from scipy.special import ndtri

    below = (neg.cumsum()[:-1] + 0.5) / (neg.sum() + 1)
    cuts = np.maximum.accumulate(ndtri(below) + 1e-6 * np.arange(below.size))
    theta = np.concatenate([[1.0, 1.0], cuts])
    value, score, information = _likelihood(theta, neg, pos)
    for _ in range(MAX_STEPS):
        step = np.linalg.solve(information, score)
        while True:
            new = _likelihood(theta + step, neg, pos)
            if new[0] >= value - 1e-9 or np.abs(step).max() < 1e-12:
                break
            step = step / 2
        theta, (value, score, information) = theta + step, new
        if np.abs(step).max() < 1e-10:
            break
    else:
        raise DataError("The binormal fit did not converge: too few cases overlap.")
    covariance: Floats = np.linalg.inv(information)[:2, :2].astype(np.float64)
    return Binormal(float(theta[0]), float(theta[1]), covariance, float(value), neg.size)


def _likelihood(theta: Floats, neg: Floats, pos: Floats) -> tuple[float, Floats, Floats]:
    """Return the log likelihood, its derivatives and the information."""
    from scipy.special import ndtr

    a, b, cuts = theta[0], theta[1], theta[2:]
    if b <= 0 or (np.diff(cuts) <= 0).any():
        return -np.inf, theta, np.eye(theta.size)
    edges = np.concatenate([[-np.inf], cuts, [np.inf]])
    moved = b * edges - a
    chances = np.concatenate([np.diff(ndtr(edges)), np.diff(ndtr(moved))])
    counts = np.concatenate([neg, pos])
    if (chances <= 0).any():
        return -np.inf, theta, np.eye(theta.size)
    plain, shifted = (np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) for z in (edges, moved))
    k = neg.size
    slopes = np.zeros((2 * k, theta.size))
    slopes[k:, 0] = -np.diff(shifted)
    slopes[k:, 1] = np.diff(shifted * np.where(np.isfinite(edges), edges, 0.0))
    for i in range(k - 1):  # the upper edge of category i is the lower one of the next
        slopes[i, 2 + i], slopes[i + 1, 2 + i] = plain[i + 1], -plain[i + 1]
        slopes[k + i, 2 + i], slopes[k + i + 1, 2 + i] = b * shifted[i + 1], -b * shifted[i + 1]
    totals = np.repeat([neg.sum(), pos.sum()], k)
    score = slopes.T @ (counts / chances)
    information = (slopes.T * (totals / chances)) @ slopes
    return float(counts @ np.log(chances)), score, information


@band_method("Working and Hotelling, binormal", cite=MA_HALL, only=("roc",))
def working_hotelling(w: BandRequest) -> Band:
    r"""Limits of the whole binormal curve: on normal deviates it is a straight line, and gets a line's band.

    $a + b z \pm \sqrt{\chi^2_2}\, s(z)$. It holds as far as the binormal model does.
    """
    from scipy.special import ndtr, ndtri

    w.refuse_dependent("working_hotelling")
    fit = binormal(w.predictions)
    x = np.linspace(0, 1, 201)
    z = ndtri(x[1:-1])
    spread = np.sqrt(
        fit.covariance[0, 0] + 2 * z * fit.covariance[0, 1] + z**2 * fit.covariance[1, 1]
    )
    half = math.sqrt(-2 * math.log(1 - w.confidence_level)) * spread
    low, high = (ndtr(fit.a + fit.b * z + side * half) for side in (-1, 1))
    low = np.concatenate([[0.0], low, low[-1:]])
    high = np.concatenate([high[:1], high, [1.0]])
    return w.band(x, low, high, "Working and Hotelling, binormal", whole=True)
