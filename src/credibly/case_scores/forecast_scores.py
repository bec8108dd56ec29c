"""Scores of forecasts of a distribution."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from credibly._core.arrays import UNIT_RANGE, Floats
from credibly._core.names import Names
from credibly._core.parameters import NUMBER, SWITCH, between
from credibly.case_scores._declare import case_score
from credibly.case_scores.forecast_forms import Form, Quantiles
from credibly.case_scores.forecasts import HUB_LEVELS, Forecasts

GNEITING = "Gneiting, T. & Raftery, A. E. (2007) Strictly proper scoring rules, prediction, and estimation. Journal of the American Statistical Association 102, 359-378."
BRACHER = "Bracher, J., Ray, E. L., Gneiting, T. & Reich, N. G. (2021) Evaluating epidemic forecasts in an interval format. PLoS Computational Biology 17, e1008618."
DAWID = "Dawid, A. P. & Sebastiani, P. (1999) Coherent dispersion criteria for optimal experimental design. Annals of Statistics 27, 65-81."
KOENKER = "Koenker, R. & Bassett, G. (1978) Regression quantiles. Econometrica 46, 33-50."
BRIER = "Brier, G. W. (1950) Verification of forecasts expressed in terms of probability. Monthly Weather Review 78, 1-3."
MISSING = "its truth or its forecast is missing"
FAIR_MISSING = "its truth or its forecast is missing, or there is a single member"
LEVEL_RULE = {"level": between(0, 1)}
ENDLESS: dict[str, Any] = {"range": (-np.inf, np.inf), "best": -np.inf}
forecast_score = partial(
    case_score, range=(0.0, np.inf), best=0.0, needs="number", undefined=MISSING, cite=GNEITING
)


def _ends(form: Form, level: float) -> tuple[Floats, Floats]:
    """Return the ends of the central interval."""
    low, high = (1 - level) / 2, (1 + level) / 2
    return form.quantile(low), form.quantile(high)


def _pinball(form: Form, y: Floats, level: float) -> Floats:
    away = y - form.quantile(level)
    return np.maximum(level * away, (level - 1) * away)


@forecast_score(
    "Continuous ranked probability score",
    undefined=FAIR_MISSING,
    constraints={"fair": SWITCH},
    aliases=Names("fair_crps(fair=True)"),
)
def crps(f: Forecasts, *, fair: bool = False) -> Floats:
    r"""Squared distance between the distribution and the truth, over all thresholds; the absolute error of a single number.

    $\int (F(x) - [y \le x])^2 dx$. Of named distributions by closed forms; of an ensemble its own distribution (``fair``: without
    what few members cost, Ferro 2014); of quantiles twice the mean pinball loss, which is the weighted interval score.

    >>> from credibly import forecasts
    >>> forecasts([1.0], members=[[0.0, 2.0]]).scored("crps").outcome.tolist()
    [0.5]
    >>> forecasts([1.0], members=[[0.0, 2.0]]).scored("fair_crps").outcome.tolist()
    [0.0]
    """
    return f.each(lambda form, y: form.crps(y, fair=fair))


@forecast_score(
    "Log score", **ENDLESS, needs="density", aliases=Names("logs, negative_log_likelihood")
)
def log_score(f: Forecasts) -> Floats:
    r"""Negative logarithm of the density at the truth, of counts of its probability.

    >>> from credibly import forecasts
    >>> forecasts([0.0], distribution="normal", parameters={"mean": 0, "sd": 1}).scored("log_score").outcome.round(4).tolist()
    [0.9189]
    """
    return f.each(lambda form, y: -form.log_density(y))


@forecast_score(
    "Dawid-Sebastiani score",
    **ENDLESS,
    needs="moments",
    cite=DAWID,
    undefined=f"{MISSING}, or its variance is 0",
    aliases=Names("dss"),
)
def dawid_sebastiani(f: Forecasts) -> Floats:
    r"""Score of mean and variance alone: $(y - \mu)^2 / \sigma^2 + \log \sigma^2$.

    The variance of an ensemble is that of a sample, as in scoringrules; R's dss_sample divides by the number of members.

    >>> from credibly import forecasts
    >>> forecasts([2.0], distribution="normal", parameters={"mean": 0, "sd": 1}).scored("dss").outcome.tolist()
    [4.0]
    """

    def score(form: Form, y: Floats) -> Floats:
        mean, variance = form.moments()
        known = np.where(variance > 0, variance, np.nan)
        return (y - mean) ** 2 / known + np.log(known)

    return f.each(score)


@forecast_score("Weighted interval score", cite=BRACHER, aliases=Names("wis"))
def weighted_interval_score(f: Forecasts) -> Floats:
    """Mean of interval scores and of the absolute error of the median, weighted so that it approaches the CRPS.

    It is twice the mean pinball loss over the levels that were forecast; for other forecasts over the 23 levels of forecast hubs.

    >>> from credibly import forecasts
    >>> forecasts([3.0], quantiles=[[1.0, 2.0, 4.0]], levels=[0.1, 0.5, 0.9]).scored("wis").outcome.round(4).tolist()
    [0.5333]
    """

    def score(form: Form, y: Floats) -> Floats:
        levels = form.levels if isinstance(form, Quantiles) else HUB_LEVELS
        return 2 * np.mean([_pinball(form, y, float(level)) for level in levels], axis=0)

    return f.each(score)


@forecast_score(
    "Interval score", constraints=LEVEL_RULE, least="interval_width", aliases=Names("winkler_score")
)
def interval_score(f: Forecasts, *, level: float = 0.9) -> Floats:
    """Width of the central interval, and 2 / (1 - level) times how far the truth lies outside.

    >>> from credibly import forecasts
    >>> forecasts([5.0], quantiles=[[1.0, 4.0]], levels=[0.25, 0.75]).scored("interval_score(level=0.5)").outcome.tolist()
    [7.0]
    """

    def score(form: Form, y: Floats) -> Floats:
        low, high = _ends(form, level)
        return high - low + 2 / (1 - level) * (np.maximum(low - y, 0) + np.maximum(y - high, 0))

    return f.each(score)


@forecast_score(
    "Coverage of the central interval", range=UNIT_RANGE, best=1, constraints=LEVEL_RULE
)
def interval_holds(f: Forecasts, *, level: float = 0.9) -> Floats:
    """Whether the central interval contains the truth; calibrated forecasts do so as often as the level says.

    >>> from credibly import forecasts
    >>> forecasts([5.0, 2.0], quantiles=[[1.0, 4.0]] * 2, levels=[0.25, 0.75]).scored("interval_holds(level=0.5)").outcome.tolist()
    [0.0, 1.0]
    """

    def score(form: Form, y: Floats) -> Floats:
        low, high = _ends(form, level)
        return np.where(np.isnan(y), np.nan, (low <= y) & (y <= high))

    return f.each(score)


@forecast_score("Width of the central interval", constraints=LEVEL_RULE)
def interval_width(f: Forecasts, *, level: float = 0.9) -> Floats:
    """How wide the central interval is: of two forecasts that cover as often as they say, the narrower is better.

    >>> from credibly import forecasts
    >>> forecasts([5.0], quantiles=[[1.0, 4.0]], levels=[0.25, 0.75]).scored("interval_width(level=0.5)").outcome.tolist()
    [3.0]
    """
    return f.each(lambda form, y: np.subtract(*_ends(form, level)[::-1]) + 0 * y)


@forecast_score(
    "Pinball loss of a quantile",
    cite=KOENKER,
    constraints=LEVEL_RULE,
    shown=False,
    aliases=Names("quantile_score"),
)
def quantile_loss(f: Forecasts, *, level: float = 0.5) -> Floats:
    """Loss of one quantile: what lies above costs ``level``, what lies below 1 - ``level`` for each unit.

    >>> from credibly import forecasts
    >>> forecasts([5.0], quantiles=[[1.0, 4.0]], levels=[0.25, 0.75]).scored("quantile_loss(level=0.75)").outcome.tolist()
    [0.75]
    """
    return f.each(lambda form, y: _pinball(form, y, level))


@forecast_score("Squared error of the mean", needs="moments")
def mean_forecast_error(f: Forecasts) -> Floats:
    """Squared distance between the mean of the distribution and the truth.

    >>> from credibly import forecasts
    >>> forecasts([1.0], members=[[0.0, 4.0]]).scored("mean_forecast_error").outcome.tolist()
    [1.0]
    """
    return f.each(lambda form, y: (form.moments()[0] - y) ** 2)


@forecast_score(
    "Brier score of a threshold",
    range=UNIT_RANGE,
    needs="place",
    cite=BRIER,
    shown=False,
    constraints={"threshold": NUMBER},
)
def threshold_brier(f: Forecasts, *, threshold: float = 0.0) -> Floats:
    """Squared distance between the predicted probability of at most the threshold and whether that happened.

    >>> from credibly import forecasts
    >>> forecasts([1.0], members=[[0.0, 4.0]]).scored("threshold_brier(threshold=2)").outcome.tolist()
    [0.25]
    """
    return f.each(
        lambda form, y: np.where(
            np.isnan(y), np.nan, (form.at_most(threshold) - (y <= threshold)) ** 2
        )
    )


@forecast_score(
    "Energy score", undefined=FAIR_MISSING, needs="vector", constraints={"fair": SWITCH}
)
def energy_score(f: Forecasts, *, fair: bool = False) -> Floats:
    """The continuous ranked probability score of vectors, with distances between them; of ensembles.

    >>> from credibly import forecasts
    >>> forecasts([[0.0, 0.0]], members=[[[3.0, 4.0], [3.0, 4.0]]]).scored("energy_score").outcome.tolist()
    [5.0]
    """
    return f.each(lambda form, y: form.energy(y, fair=fair))
