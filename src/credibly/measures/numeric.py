"""Measures of numeric prediction."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from credibly._core.arrays import Floats, dot
from credibly._core.names import Names
from credibly._core.parameters import between
from credibly._kernels.concordance import concordant_less_discordant
from credibly.measures._declare import mean_loss, measure, total_loss
from credibly.measures._errors import error_of, log_error, share_of_truth, summed, weighted_median
from credibly.measures._undefined import NO_CASES, Reason
from credibly.predictions import Predictions
from credibly.predictions.summaries import PairMoments, Pairs
from credibly.predictions.summaries.linear import ratio
from credibly.predictions.summaries.pairs import all_alike
from credibly.predictions.table import cached

WITTEN = "Witten, I. H., Frank, E. & Hall, M. A. (2011) Data Mining: Practical Machine Learning Tools and Techniques, 3rd ed., sec. 5.8. Morgan Kaufmann."
HYNDMAN = "Hyndman, R. J. & Koehler, A. B. (2006) Another look at measures of forecast accuracy. International Journal of Forecasting 22, 679-688."
KOENKER = "Koenker, R. & Bassett, G. (1978) Regression quantiles. Econometrica 46(1), 33-50."
KVALSETH = (
    "Kvalseth, T. O. (1985) Cautionary note about R2. The American Statistician 39(4), 279-285."
)
KENDALL = (
    "Kendall, M. G. (1945) The treatment of ties in ranking problems. Biometrika 33(3), 239-251."
)
SPEARMAN = "Spearman, C. (1904) The proof and measurement of association between two things. American Journal of Psychology 15, 72-101."
PEARSON = "Pearson, K. (1895) Notes on regression and inheritance in the case of two parents. Proceedings of the Royal Society 58, 240-242."
CONSTANT_TRUTH = Reason("the truth takes one value only", lambda s: ~s.varies()[0])
CONSTANT_VALUE = Reason("the prediction takes one value only", lambda s: ~s.varies()[1])
CONSTANT = (NO_CASES, CONSTANT_TRUTH, CONSTANT_VALUE)
MEAN_RIGHT = Reason(
    "the training mean is always right",
    cases=lambda p: (p.truth == p.baseline)[p.weights > 0].all(),
)
NO_LOGARITHM = Reason("a truth or prediction is -1 or less", lambda moments: moments.undefined > 0)
ZERO_MISSED = Reason("A truth of zero was missed", cases=lambda p: p.truth == 0)
VALUE_COLUMN = ("value",)
value_loss = partial(mean_loss, needs=VALUE_COLUMN)
correlation_measure = partial(measure, range=(-1, 1), best=1, chance=0, undefined=CONSTANT)
error_statistic = partial(measure, range=(0, np.inf), best=0, undefined=NO_CASES, smooth=False)


@value_loss(
    "Mean squared error",
    quick=lambda p: summed(p, "square"),
    cite=WITTEN,
    aliases=Names(texts="mean-squared error", sklearn="mean_squared_error, neg_mean_squared_error"),
)
def mse(p: Predictions) -> Floats:
    r"""Mean squared distance between prediction and truth.

    $\frac1n \sum (v - a)^2$

    >>> mse(Predictions.of([1.0, 2.0, 4.0], value=[1.0, 3.0, 2.0]))
    1.6666666666666667
    """
    return np.square(error_of(p))


@value_loss(
    "Root mean squared error",
    quick=lambda p: summed(p, "square"),
    link=np.sqrt,
    headline=2,
    reported=1,
    cite=WITTEN,
    aliases=Names(
        texts="root mean-squared error",
        weka="Root mean squared error",
        sklearn="root_mean_squared_error, neg_root_mean_squared_error",
        caret="RMSE",
        yardstick="rmse",
    ),
)
def rmse(p: Predictions) -> Floats:
    r"""Root of the mean squared distance between prediction and truth, in the units of the truth.

    $\sqrt{\frac1n \sum (v - a)^2}$

    >>> rmse(Predictions.of([1.0, 2.0, 4.0], value=[1.0, 3.0, 6.0]))
    1.2909944487358056
    """
    return np.square(error_of(p))


@value_loss(
    "Mean absolute error",
    quick=lambda p: summed(p, "distance"),
    headline=1,
    reported=2,
    cite=WITTEN,
    aliases=Names(
        texts="mean-absolute error",
        weka="Mean absolute error",
        sklearn="mean_absolute_error, neg_mean_absolute_error",
        caret="MAE",
        yardstick="mae",
    ),
)
def mae(p: Predictions) -> Floats:
    r"""Mean distance between prediction and truth.

    $\frac1n \sum |v - a|$

    >>> mae(Predictions.of([1.0, 2.0, 4.0], value=[1.0, 3.0, 2.0]))
    1.0
    """
    return np.abs(error_of(p))


@value_loss(
    "Bias",
    quick=lambda p: summed(p, "error"),
    range=(-np.inf, np.inf),
    cite=HYNDMAN,
    aliases=Names(
        "mean_error",
        yardstick="msd",
        differs={
            "msd": "yardstick subtracts the prediction from the truth, so the sign is the opposite"
        },
    ),
)
def bias(p: Predictions) -> Floats:
    r"""Mean of prediction minus truth: positive where too much is predicted.

    $\frac1n \sum (v - a)$

    >>> bias(Predictions.of([1.0, 2.0], value=[2.0, 2.0]))
    0.5
    """
    return error_of(p)


@error_statistic(
    "Median absolute error",
    cite=HYNDMAN,
    aliases=Names(sklearn="median_absolute_error, neg_median_absolute_error"),
)
def median_absolute_error(t: Pairs) -> Floats:
    """Median over the cases of the distance between prediction and truth.

    >>> median_absolute_error(Predictions.of([1.0, 2.0, 4.0], value=[1.0, 3.0, 2.0]))
    1.0
    """
    if not t.weight.size:
        return np.asarray(np.nan)
    if t.in_lanes:
        from credibly._kernels.rank_lanes import middle_places  # for replicates alone

        order = cached(t, "by error", lambda: np.argsort(t.errors()))
        low, high = (t.errors()[order[at]] for at in middle_places(t.lanes[order]))
        return low + (high - low) / 2
    return weighted_median(t.errors(), t.weight)


@error_statistic(
    "Largest error",
    cite=WITTEN,
    no_bootstrap="no replicate has an error larger than the largest one seen, so replicates cannot show how large it may become",
    aliases=Names(sklearn="max_error, neg_max_error"),
)
def max_error(t: Pairs) -> Floats:
    r"""Largest distance between prediction and truth.

    $\max |v - a|$

    >>> max_error(Predictions.of([1.0, 2.0, 4.0], value=[1.0, 3.0, 2.0]))
    2.0
    """
    plain = all_alike(t.weight) or (t.weight.ndim == 1 and t.weight.all())
    error = t.errors() if plain else np.where(t.weight != 0, t.errors(), -np.inf)
    largest = error.max(axis=-1, initial=-np.inf)
    return np.where(largest >= 0, largest, np.nan)


def _beside_baseline(p: Predictions, distance: Any) -> Floats:  # noqa: ANN401
    """Put the distance of the training mean beside that of the prediction."""
    mean = p.need("baseline", "a relative error")
    return np.column_stack([distance(error_of(p)), distance(mean - p.truth)])


def _relative(sums: Floats) -> Floats:
    """Divide the total of the predictions by that of the mean; one that no double holds tells nothing."""
    own, baseline = sums[..., 0], sums[..., 1]
    return np.where(np.isinf(baseline), np.nan, ratio(own, baseline))


@total_loss(
    "Relative squared error",
    needs=("value", "baseline"),
    combine=_relative,
    chance=1,
    undefined=(NO_CASES, MEAN_RIGHT),
    cite=WITTEN,
    aliases=Names(texts="relative-squared error"),
)
def rse(p: Predictions) -> Floats:
    r"""Squared error relative to that of always predicting the training mean.

    $\sum (v - a)^2 / \sum (\bar a_{\text{train}} - a)^2$

    >>> rse(Predictions.of([1.0, 3.0], value=[1.0, 2.0], baseline=2.0))
    0.5
    """
    return _beside_baseline(p, np.square)


@total_loss(
    "Root relative squared error",
    needs=("value", "baseline"),
    combine=lambda sums: np.sqrt(_relative(sums)),
    chance=1,
    undefined=(NO_CASES, MEAN_RIGHT),
    cite=WITTEN,
    aliases=Names(texts="root relative-squared error", weka="Root relative squared error"),
)
def rrse(p: Predictions) -> Floats:
    r"""Root of the squared error relative to that of always predicting the training mean.

    $\sqrt{\sum (v - a)^2 / \sum (\bar a_{\text{train}} - a)^2}$

    >>> rrse(Predictions.of([1.0, 3.0], value=[1.5, 2.5], baseline=2.0))
    0.5
    """
    return _beside_baseline(p, np.square)


@total_loss(
    "Relative absolute error",
    needs=("value", "baseline"),
    combine=_relative,
    chance=1,
    undefined=(NO_CASES, MEAN_RIGHT),
    cite=WITTEN,
    aliases=Names(texts="relative-absolute error", weka="Relative absolute error"),
)
def rae(p: Predictions) -> Floats:
    r"""Absolute error relative to that of always predicting the training mean.

    $\sum |v - a| / \sum |\bar a_{\text{train}} - a|$

    >>> rae(Predictions.of([1.0, 3.0], value=[1.0, 2.0], baseline=2.0))
    0.5
    """
    return _beside_baseline(p, np.abs)


@total_loss(
    "R squared about the training mean",
    needs=("value", "baseline"),
    combine=lambda sums: 1 - _relative(sums),
    range=(-np.inf, 1),
    best=1,
    chance=0,
    undefined=(NO_CASES, MEAN_RIGHT),
    cite=KVALSETH,
)
def r2_training_mean(p: Predictions) -> Floats:
    r"""Share of the squared error of the training mean that the predictions save.

    $1 - \sum (v - a)^2 / \sum (\bar a_{\text{train}} - a)^2$

    >>> r2_training_mean(Predictions.of([1.0, 3.0], value=[1.0, 2.0], baseline=2.0))
    0.5
    """
    return _beside_baseline(p, np.square)


@measure(
    "R squared about the test mean",
    range=(-np.inf, 1),
    best=1,
    chance=0,
    undefined=(NO_CASES, CONSTANT_TRUTH),
    headline=3,
    reported=4,
    cite=KVALSETH,
    aliases=Names(
        "coefficient_of_determination",
        sklearn="r2, r2_score",
        yardstick="rsq_trad",
        evaluate="r_squared",
        unlike={"Rsquared, rsq": "caret and yardstick give the squared correlation"},
    ),
)
def r2_test_mean(t: PairMoments) -> Floats:
    r"""Share of the variance of the truth, in these cases, that the predictions account for.

    $1 - \sum (v - a)^2 / \sum (\bar a - a)^2$

    >>> r2_test_mean(Predictions.of([1.0, 3.0], value=[1.0, 2.0]))
    0.5
    """
    return 1 - ratio(t.squared_error(), t.covariance()[..., 0, 0])


@correlation_measure(
    "Correlation",
    reported=3,
    cite=PEARSON,
    aliases=Names(
        "pearson",
        texts="correlation coefficient",
        weka="Correlation coefficient",
        scipy="pearsonr",
        evaluate="pearsonr",
        unlike={"Rsquared, rsq": "caret and yardstick give its square"},
    ),
)
def correlation(t: PairMoments) -> Floats:
    r"""Linear correlation of prediction and truth; blind to scale and shift.

    $S_{va} / \sqrt{S_v S_a}$

    >>> correlation(Predictions.of([1.0, 2.0, 3.0], value=[2.0, 4.0, 6.0]))
    1.0
    """
    c = t.covariance()
    spread = np.sqrt(c[..., 0, 0] * c[..., 1, 1])  # of the product, so that x with x gives 1
    return ratio(c[..., 0, 1], spread)


@correlation_measure(
    "Spearman's rank correlation",
    smooth=False,
    cite=SPEARMAN,
    aliases=Names("spearman_rho", scipy="spearmanr", evaluate="spearmanr"),
)
def spearman(t: Pairs) -> Floats:
    """Linear correlation of the ranks of prediction and truth; ties share their mean rank.

    >>> spearman(Predictions.of([1.0, 2.0, 3.0], value=[1.0, 10.0, 100.0]))
    1.0
    """
    if not t.truth.size or not t.varies().all():
        return np.full(t.weight.shape[:-1], np.nan)
    if t.in_lanes:
        both, spread_a, spread_b = t.rank_products()
    else:
        (a, spread_a), (b, spread_b) = (side.ranks(t.shares()) for side in t.rankings())
        alike = all_alike(t.weight)
        both = dot(a, b) if alike else np.einsum("...i,...i,...i->...", t.shares(), a, b)
    return ratio(both, np.sqrt(spread_a * spread_b))  # of the product, so that x with x gives 1


@correlation_measure(
    "Kendall's tau-b",
    smooth=False,
    cite=KENDALL,
    aliases=Names("kendall_tau, tau_b", scipy="kendalltau"),
)
def kendall(t: Pairs) -> Floats:
    r"""Concordant minus discordant pairs of cases, corrected for ties.

    $(C - D) / \sqrt{(n_0 - n_a)(n_0 - n_v)}$ with $n_0$ all pairs and $n_a$, $n_v$ those tied in truth or value

    >>> kendall(Predictions.of([1.0, 2.0, 3.0, 4.0], value=[1.0, 3.0, 2.0, 4.0]))
    0.6666666666666667
    """
    if not t.truth.size or not t.varies().all():
        return np.full(t.weight.shape[:-1], np.nan)
    if t.in_lanes:
        difference, *untied = t.balance()
    else:
        sides = truth, value = t.rankings()
        difference = concordant_less_discordant(truth.place, value.place, t.weight)
        untied = [side.untied(t.weight) for side in sides]
    return ratio(difference, np.sqrt(untied[0]) * np.sqrt(untied[1]))


@value_loss(
    "Mean absolute percentage error",
    quick=lambda p: summed(p, "share"),
    infinite=ZERO_MISSED,
    cite=HYNDMAN,
    aliases=Names(
        sklearn="mean_absolute_percentage_error, neg_mean_absolute_percentage_error",
        yardstick="mape",
        percent="mape",
    ),
)
def mape(p: Predictions) -> Floats:
    r"""Mean error as a share of the truth (0.1 is 10 %); infinite where a truth of zero is missed.

    $\frac1n \sum |v - a| / |a|$

    >>> mape(Predictions.of([2.0, 500.0], value=[2.5, 375.0]))
    0.25
    """
    return share_of_truth(p)


@value_loss("Root mean squared percentage error", link=np.sqrt, infinite=ZERO_MISSED, cite=HYNDMAN)
def rmspe(p: Predictions) -> Floats:
    r"""Root of the mean squared error as a share of the truth.

    $\sqrt{\frac1n \sum ((v - a) / a)^2}$

    >>> rmspe(Predictions.of([10.0, 500.0], value=[11.0, 450.0]))
    0.1
    """
    return np.square(share_of_truth(p))


@value_loss("Symmetric mean absolute percentage error", range=(0, 2), cite=HYNDMAN)
def smape(p: Predictions) -> Floats:
    r"""Mean error as a share of the mean size of truth and prediction.

    $\frac1n \sum 2 |v - a| / (|v| + |a|)$, 0 where both are zero

    >>> smape(Predictions.of([1.0, 0.0], value=[3.0, 0.0]))
    0.5
    """
    size = np.abs(p.need("value", "smape")) + np.abs(p.truth)
    return 2 * np.divide(np.abs(error_of(p)), size, out=np.zeros(p.n), where=size > 0)


@value_loss(
    "Root mean squared log error",
    link=np.sqrt,
    undefined=(NO_CASES, NO_LOGARITHM),
    cite=HYNDMAN,
    aliases=Names(
        sklearn="root_mean_squared_log_error, neg_root_mean_squared_log_error",
        unlike={
            "mean_squared_log_error, neg_mean_squared_log_error": "scikit-learn's is the square"
        },
    ),
)
def rmsle(p: Predictions) -> Floats:
    r"""Root of the mean squared difference of logarithms of one plus the number.

    $\sqrt{\frac1n \sum (\ln(1 + v) - \ln(1 + a))^2}$

    >>> rmsle(Predictions.of([0.0, 0.0], value=[0.0, 0.0]))
    0.0
    """
    return np.square(log_error(p))


@value_loss("Mean absolute log error", undefined=(NO_CASES, NO_LOGARITHM), cite=HYNDMAN)
def male(p: Predictions) -> Floats:
    r"""Mean distance between the logarithms of one plus the number.

    $\frac1n \sum |\ln(1 + v) - \ln(1 + a)|$

    >>> male(Predictions.of([0.0, 0.0], value=[0.0, 0.0]))
    0.0
    """
    return log_error(p)


@value_loss(
    "Pinball loss",
    cite=KOENKER,
    aliases=Names("quantile_loss", sklearn="mean_pinball_loss"),
    by_request=True,
    constraints={"quantile": between(0, 1)},
)
def pinball(p: Predictions, *, quantile: float = 0.5) -> Floats:
    r"""Mean loss of predicting a quantile: each unit too low costs `quantile`, each unit too high one minus it.

    $\frac1n \sum \max(q (a - v), (q - 1)(a - v))$

    >>> pinball(Predictions.of([1.0, 3.0], value=[2.0, 2.0]), quantile=0.9)
    0.5
    """
    short = p.truth - p.need("value", "pinball")
    return np.maximum(quantile * short, (quantile - 1) * short)


@value_loss(
    "Quantile coverage",
    range=(0, 1),
    best=None,
    cite=KOENKER,
    by_request=True,
    aliases=Names(unlike={"coverage": "of predicted quantiles, the share of cases below them"}),
)
def quantile_coverage(p: Predictions) -> Floats:
    r"""Share of the cases whose truth is at most the prediction: for a predicted quantile, its level.

    $\frac1n \sum [a \le v]$

    >>> quantile_coverage(Predictions.of([1.0, 3.0, 2.0, 5.0], value=[2.0, 2.0, 2.0, 2.0]))
    0.5
    """
    return (p.truth <= p.need("value", "quantile_coverage")).astype(np.float64)
