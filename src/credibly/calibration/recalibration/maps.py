"""Maps from probabilities to probabilities that fit outcomes better."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, dot
from credibly._core.names import Names
from credibly._core.parameters import Rule, above, whole
from credibly._kernels.isotonic import with_one_more
from credibly.calibration.groups import grouped, most_groups
from credibly.calibration.logistic import expit, fit_lines, recalibrated
from credibly.calibration.outcomes import Outcomes, logit
from credibly.calibration.recalibration._declare import FittedMap, recalibration
from credibly.errors import DataError, says

OHRN = "Ohrn, A. (1999) Discernibility and Rough Sets in Medicine, sec. 7.4.4 (after S. Vinterbo and L. Ohno-Machado). NTNU."
COX = "Cox, D. R. (1958) Two further applications of a model for binary regression. Biometrika 45, 562-565."
PLATT = "Platt, J. C. (1999) Probabilistic outputs for support vector machines. In Advances in Large Margin Classifiers, 61-74. MIT Press."
GUO = "Guo, C., Pleiss, G., Sun, Y. & Weinberger, K. Q. (2017) On calibration of modern neural networks. ICML, 1321-1330."
KULL = "Kull, M., Silva Filho, T. & Flach, P. (2017) Beta calibration. AISTATS, 623-631."
ZADROZNY = "Zadrozny, B. & Elkan, C. (2001) Obtaining calibrated probability estimates from decision trees and naive Bayesian classifiers. ICML, 609-616."
ZADROZNY_2002 = "Zadrozny, B. & Elkan, C. (2002) Transforming classifier scores into accurate multiclass probability estimates. KDD, 694-699."
CESTNIK = "Cestnik, B. (1990) Estimating probabilities: a crucial task in machine learning. ECAI, 147-149."
VOVK = "Vovk, V., Petej, I. & Fedorova, V. (2015) Large-scale probabilistic predictors with and without guarantees of validity. NeurIPS 28."

POSITIVE_OR_NONE = Rule("None, or greater than 0", lambda v: v is None or above(0).accepts(v), 0)
ABOVE_ZERO, BELOW_ONE = np.finfo(np.float64).tiny, np.nextafter(1.0, 0.0)
# Logarithms of the scales between which a temperature is looked for.
MIN_LOG_SCALE, MAX_LOG_SCALE = -10.0, 10.0


# --- lines ------------------------------------------------------------------------------------


@recalibration("Linear tilt", cite=OHRN, aliases=("tilt",), constraints={"groups": whole(2)})
def linear_tilt(o: Outcomes, *, groups: int = 10) -> FittedMap:
    r"""Line through the points of the calibration plot by least squares, each group counting the same.

    $\gamma(p) = a + b p$, cut at 0 and 1, which ties all cases beyond.
    """
    points = grouped(o, min(groups, most_groups(o)))
    if len(points) < 2:
        raise DataError("A line needs at least two groups of cases with different probabilities.")
    x, y = points.predicted, points.observed
    slope = float((x - x.mean()) @ y / ((x - x.mean()) @ (x - x.mean())))
    return FittedMap.of(_tilted, intercept=float(y.mean() - slope * x.mean()), slope=slope)


def _tilted(p: Floats, *, intercept: float, slope: float) -> Floats:
    return np.clip(intercept + slope * p, 0.0, 1.0)


@recalibration("Shift of the logit", cite=COX, aliases=("intercept_only",))
def shift(o: Outcomes) -> FittedMap:
    r"""Add one number to all logits, so that the mean probability becomes the share of events.

    $\operatorname{logit} \gamma(p) = a + \operatorname{logit} p$
    """
    moved = recalibrated(_with_logits(o), slope=1.0).intercept
    return _line(moved, 1.0)


@recalibration(
    "Logistic recalibration",
    cite=PLATT,
    aliases=("platt", "sigmoid"),
)
def logistic(o: Outcomes, *, smoothed: bool = True) -> FittedMap:
    r"""Logistic regression of the outcomes on the logit of the probability.

    $\operatorname{logit} \gamma(p) = a + b \operatorname{logit} p$. `smoothed` moves outcomes towards
    each other as Platt does, so that there is a line even where a probability separates the classes.
    """
    o = _with_logits(o)
    fit = recalibrated(_smoothed(o) if smoothed else o)
    return _line(fit.intercept, fit.slope)


def _smoothed(o: Outcomes) -> Outcomes:
    """Count an event as if one more case had been seen on either side."""
    events = float(o.events.sum())
    up, down = (events + 1) / (events + 2), 1 / (o.n - events + 2)
    return Outcomes(o.probability, o.events * up + (o.total - o.events) * down, o.total)


def _line(intercept: float, slope: float) -> FittedMap:
    if np.isnan(intercept):
        raise DataError(
            "No line can be fitted: all probabilities are equal, they are all 0 or 1, or they separate the classes.",
            remedy=says("Set <method='isotonic'> or <method='histogram'>."),
        )
    return FittedMap.of(_on_logits, intercept=intercept, slope=slope)


def _on_logits(p: Floats, *, intercept: float, slope: float) -> Floats:
    return expit(intercept + slope * logit(np.clip(p, ABOVE_ZERO, BELOW_ONE)))


def _with_logits(o: Outcomes) -> Outcomes:
    """Leave out 0 and 1, which have no logit; if nothing else is left, take the nearest number that has one."""
    inside = o.inside()
    if inside.probability.size:
        return inside
    return Outcomes(np.clip(o.probability, 1 - BELOW_ONE, BELOW_ONE), o.events, o.total)


@recalibration("Beta calibration", cite=KULL)
def beta(o: Outcomes) -> FittedMap:
    r"""Logistic regression of the outcomes on the logarithms of the probability and of its complement.

    $\operatorname{logit} \gamma(p) = c + a \ln p - b \ln(1 - p)$ with $a, b \ge 0$, so that it does not
    fall. Where a probability separates the classes, outcomes are smoothed as in `logistic`.
    """
    o = _with_logits(o)
    fitted_map = _rising_beta(o) or _rising_beta(_smoothed(o))
    if fitted_map is None:
        raise DataError(
            "No beta map can be fitted on these probabilities.",
            remedy=says("Set <method='isotonic'>."),
        )
    return fitted_map


def _rising_beta(o: Outcomes) -> FittedMap | None:
    """Fit with coefficients of at least 0: one below is set to 0, and the others are fitted again."""
    p = o.probability
    lines = np.stack([np.ones(p.size), np.log(p), -np.log1p(-p)])
    for used in ([0, 1], [0], [1], []):
        fit = _fit(lines[[0, *(1 + i for i in used)]], o)
        if fit is None and used != [0, 1]:
            return None  # separated; with both, two probabilities alone may be too few
        if fit is not None and (fit[0][1:] >= 0).all():
            slopes = dict(zip(used, fit[0][1:].tolist(), strict=True))
            c, a, b = float(fit[0][0]), slopes.get(0, 0.0), slopes.get(1, 0.0)
            return FittedMap.of(_beta, a=a, b=b, c=c)
    return None


def _fit(lines: Floats, o: Outcomes) -> tuple[Floats, Floats] | None:
    return fit_lines(lambda rows: lines[:, rows], o, len(lines))


def _beta(p: Floats, *, a: float, b: float, c: float) -> Floats:
    inside = np.clip(p, ABOVE_ZERO, BELOW_ONE)
    return expit(c + a * np.log(inside) - b * np.log1p(-inside))


@recalibration("Temperature scaling", cite=GUO, joint=True)
def temperature(matrix: Floats, truth: NDArray[Any], weight: Floats) -> FittedMap:
    r"""Raise the probabilities of all classes to one power, and scale them to sum to one.

    $\gamma_k(p) \propto p_k^{1/T}$, by maximum likelihood; T above 1 takes back overconfidence. Where
    the most probable class is always right, outcomes are smoothed as in `logistic`.
    """
    from scipy.optimize import brentq

    logs = np.log(np.maximum(matrix, ABOVE_ZERO))
    share = np.eye(matrix.shape[1])[truth]

    def slope(log_scale: float) -> float:
        foretold = _cooled(matrix, scale=float(np.exp(log_scale)))
        return float(dot(weight, ((share - foretold) * logs).sum(axis=1)))

    if slope(MAX_LOG_SCALE) >= 0:
        doubt = 1 / (weight.sum() + 2)
        share = (1 - doubt) * share + doubt / matrix.shape[1]
    # Where probabilities say nothing about the classes, the best is to make them all but equal.
    found = (
        brentq(slope, MIN_LOG_SCALE, MAX_LOG_SCALE, xtol=1e-14)
        if slope(MIN_LOG_SCALE) > 0 > slope(MAX_LOG_SCALE)
        else MIN_LOG_SCALE
    )
    scale = float(np.exp(found))
    return FittedMap(FittedMap.of(_cooled, scale=scale).function, {"temperature": 1 / scale})


def _cooled(matrix: Floats, *, scale: float) -> Floats:
    z = scale * np.log(np.maximum(matrix, ABOVE_ZERO))
    z = np.exp(z - z.max(axis=1, keepdims=True))
    return z / z.sum(axis=1, keepdims=True)


@recalibration(
    "Laplace smoothing",
    cite=CESTNIK,
    joint=True,
    aliases=Names("m_estimate", texts="Laplace estimator"),
    constraints={"m": POSITIVE_OR_NONE, "cases": POSITIVE_OR_NONE},
)
def laplace(
    matrix: Floats,
    truth: NDArray[Any],
    weight: Floats,
    *,
    m: float | None = None,
    cases: float | None = None,
    prior: Literal["uniform", "observed"] = "uniform",
) -> FittedMap:
    r"""Treat probabilities as shares of some cases, and add cases that are spread over the classes.

    $\gamma_k(p) = (n p_k + m \pi_k) / (n + m)$: no class is left without a probability. `m` is the number
    of classes by default, so that one case is added to each (Laplace); $\pi$ is uniform, or the
    classes as they were `observed`. The number of `cases` $n$ is by default the one that makes the
    outcomes most likely, at most the number that it is fitted on.
    """
    k, total = matrix.shape[1], float(weight.sum())
    added = float(k if m is None else m)
    observed = np.bincount(truth, weight, k)
    shares = np.full(k, 1 / k) if prior == "uniform" else (observed + 1) / (total + k)
    if cases is None:
        given = matrix[np.arange(len(truth)), truth]
        mixed = _best_mixture(given, shares[truth], weight, added / (total + added))
        cases = added * (1 - mixed) / mixed
    return FittedMap.of(_with_added, cases=float(cases), m=added, prior=shares)


def _best_mixture(given: Floats, prior: Floats, weight: Floats, least: float) -> float:
    """Return the weight of the prior, from the least on, under which the outcomes are most likely."""
    from scipy.optimize import brentq

    def slope(mixed: float) -> float:
        return float(dot(weight, (prior - given) / ((1 - mixed) * given + mixed * prior)))

    if slope(least) <= 0:
        return least
    return float(brentq(slope, least, 1 - least, xtol=1e-14)) if slope(1 - least) < 0 else 1 - least


def _with_added(matrix: Floats, *, cases: float, m: float, prior: Floats) -> Floats:
    return (cases * matrix + m * prior) / (cases + m)


# --- steps ------------------------------------------------------------------------------------


@recalibration("Isotonic regression", cite=ZADROZNY_2002)
def isotonic(o: Outcomes) -> FittedMap:
    """The rising shares that fit the outcomes best, joined by straight lines; flat stretches tie cases."""
    fitted = o.isotonic_shares
    step = np.flatnonzero(np.diff(fitted) != 0)
    ends = np.unique(np.concatenate([[0], step, step + 1, [fitted.size - 1]])).astype(np.intp)
    return FittedMap.of(_joined, places=o.probability[ends], heights=fitted[ends])


def _joined(p: Floats, *, places: Floats, heights: Floats) -> Floats:
    return np.interp(p, places, heights)


@recalibration(
    "Histogram binning", cite=ZADROZNY, aliases=("binning",), constraints={"groups": whole(1)}
)
def histogram(o: Outcomes, *, groups: int = 10) -> FittedMap:
    """The share of events in each of some groups of equal size; all cases of a group are tied."""
    wanted = min(groups, most_groups(o))
    made = grouped(o, wanted, remainder="spread")
    last = np.cumsum(made.total)
    before = np.cumsum(o.total) - o.total
    first = np.searchsorted(before, last[:-1] - 1e-9 * o.n)
    edges = (o.probability[first - 1] + o.probability[first]) / 2  # half way between two groups
    return FittedMap.of(_stepped, edges=edges, heights=made.observed)


def _stepped(p: Floats, *, edges: Floats, heights: Floats) -> Floats:
    return heights[np.searchsorted(edges, p, side="right")]


@recalibration("Venn-Abers prediction", cite=VOVK, aliases=("ivap",))
def venn_abers(o: Outcomes) -> FittedMap:
    r"""Two isotonic regressions combined, one with the case itself as an event and one with it as none.

    $p_1 / (1 - p_0 + p_1)$, which lies between the two. One of the two is calibrated, however few the
    cases.
    """
    every = np.arange(2 * o.probability.size + 1)
    low, high = (with_one_more(o.events, o.total, every, happened) for happened in (0, 1))
    fitted_map = FittedMap.of(_looked_up, places=o.probability, heights=high / (1 - low + high))
    return FittedMap(fitted_map.function, {**fitted_map.parameters, "low": low, "high": high})


def _looked_up(p: Floats, *, places: Floats, heights: Floats) -> Floats:
    """Heights stand for before the first place, at it, between it and the second, and so on."""
    at = np.searchsorted(places, p)
    same = places[np.minimum(at, places.size - 1)] == p
    return heights[2 * at + (same & (at < places.size))]
