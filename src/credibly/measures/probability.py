"""Losses of predicted probabilities."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.names import Names
from credibly._core.parameters import between
from credibly._kernels import worth_compiling
from credibly.measures._declare import mean_loss, total_loss
from credibly.measures._undefined import NO_CASES, Reason
from credibly.predictions import Predictions
from credibly.predictions.summaries import LossMoments
from credibly.predictions.summaries.linear import ratio
from credibly.predictions.table import LOSS_SUMS, cached

BRIER = "Brier, G. W. (1950) Verification of forecasts expressed in terms of probability. Monthly Weather Review 78(1), 1-3."
GOOD = "Good, I. J. (1952) Rational decisions. Journal of the Royal Statistical Society B 14(1), 107-114."
GNEITING = "Gneiting, T. & Raftery, A. E. (2007) Strictly proper scoring rules, prediction, and estimation. JASA 102, 359-378."
EPSTEIN = "Epstein, E. S. (1969) A scoring system for probability forecasts of ranked categories. Journal of Applied Meteorology 8, 985-987."
WEKA = "Frank, E., Hall, M. A. & Witten, I. H. (2016) The WEKA Workbench. Morgan Kaufmann. (Weka prints these for classifiers as mean absolute error and so on.)"
DEBRAY = "Debray, T. P. A. et al. (2017) A guide to systematic review and meta-analysis of prediction model performance. BMJ 356, i6460."
TJUR = "Tjur, T. (2009) Coefficients of determination in logistic regression models. The American Statistician 63, 366-372."
CLIP_RULE = {"clip": between(0, 0.5, ends=True)}
ZERO_PROBABILITY = Reason(
    "An outcome that occurred had a predicted probability of exactly 0",
    cases=lambda p: truth_probability(p) == 0,
)
NO_EVENT_EXPECTED = Reason(
    "no positive case is expected",
    cases=lambda p: not (p.weights * p.probabilities_of(positive_place(p))).any(),
)
NO_POSITIVE = Reason("no case is positive", cases=lambda p: not p.weights[happened(p)].any())
NO_NEGATIVE = Reason("no case is negative", cases=lambda p: not p.weights[~happened(p)].any())
BASELINE_RIGHT = Reason(
    "the baseline is never wrong", cases=lambda p: (p.baseline == outcomes(p))[p.weights > 0].all()
)
probability_loss = partial(mean_loss, needs=("probability",))
relative_loss = partial(
    total_loss,
    needs=("probability", "baseline"),
    chance=1,
    undefined=(NO_CASES, BASELINE_RIGHT),
    cite=WEKA,
)


def positive_place(p: Predictions) -> int:
    """Return the place of the positive class among the classes; of one class against the rest, the second."""
    return p.positive if p.positive is not None else 1


def happened(p: Predictions) -> NDArray[np.bool_]:
    """Return whether each case is positive."""
    return np.asarray(p.truth == positive_place(p))


def truth_probability(p: Predictions, clip: float = 0) -> Floats:
    """Return the probability that each case's actual class was given, but at least ``clip``."""
    values = cached(
        p, "truth_probability", lambda: _of_truth(p, p.need("probability", "this loss"))
    )
    return np.maximum(values, clip) if clip else values


def _of_truth(p: Predictions, q: Floats) -> Floats:
    if q.ndim == 1:
        found = q - (p.truth != p.positive)  # q or q - 1: subtracting beats choosing
        return np.abs(found, out=found)
    return np.take_along_axis(q, p.truth[:, None].astype(np.intp), axis=1)[:, 0]


def _summed(p: Predictions, which: str, times: float = 1.0) -> LossMoments | None:
    """Return moments of a loss of two classes from the sums that one pass makes for all such losses."""
    q, place = p.probability, p.positive
    sums = LOSS_SUMS.get(p)
    if sums is None:
        if q is None or q.ndim > 1 or p.weight is not None or not worth_compiling(p.n):
            return None
        from credibly._kernels.losses import truth_probability_sums

        sums = truth_probability_sums(np.ascontiguousarray(q), p.truth == place)
        LOSS_SUMS.put(p, sums)
    finite = np.array([getattr(sums, which) * times])
    infinite = np.array([sums.zeros if which == "logarithm" else 0.0])
    return LossMoments(np.asarray(p.cases), finite, infinite, *np.zeros((2, 1)))


def outcomes(p: Predictions) -> Floats:
    """Return a one in the column of the actual class and zeros elsewhere."""
    return (p.truth[:, None] == np.arange(len(p.classes))).astype(np.float64)


def _distances(p: Predictions, distance: Any) -> Floats:  # noqa: ANN401
    """Return the mean over classes of the distance between probability and outcome."""
    q = p.need("probability", "this loss")
    if q.ndim == 1:  # both classes miss by as much
        return np.asarray(distance(1 - truth_probability(p)))
    return np.asarray(distance(q - outcomes(p)).mean(axis=1))


def minus_log(x: Floats, log: Any = np.log) -> Floats:  # noqa: ANN401
    """Return -log x, infinite at zero without a warning."""
    with np.errstate(divide="ignore"):
        logs = np.asarray(log(x))
    return np.negative(logs, out=logs)


@mean_loss(
    "Brier score",
    needs=("probability", "positive"),
    range=(0, 1),
    headline=5,
    reported=3,
    cite=BRIER,
    aliases=Names(
        "brier_binary",
        texts="Brier score, probability score",
        sklearn="brier_score_loss, neg_brier_score",
        yardstick="brier_class",
        evaluate="brier_score",
        differs={
            "brier_class": "of more than two classes, yardstick gives half the quadratic loss",
            "brier_score_loss": "of more than two classes, scikit-learn gives the quadratic loss",
        },
    ),
    quick=lambda p: _summed(p, "square"),
)
def brier(p: Predictions) -> Floats:
    r"""Mean squared distance between the probability of the positive class and what happened (0 or 1).

    $\frac1n \sum (p_+ - d)^2$; half the quadratic loss.

    >>> brier(Predictions.of([1, 0], probability=[0.75, 0.5]))
    0.15625
    """
    error = p.probabilities_of(positive_place(p)) - happened(p)
    return np.square(error, out=error)


@probability_loss(
    "Quadratic loss",
    range=(0, 2),
    cite=BRIER,
    aliases=Names("brier_multiclass", texts="quadratic loss function"),
    quick=lambda p: _summed(p, "square", 2),
)
def quadratic_loss(p: Predictions) -> Floats:
    r"""Mean over the cases of the squared distance between all class probabilities and what happened.

    $\frac1n \sum \sum_j (p_j - a_j)^2$; twice the Brier score for two classes.

    >>> quadratic_loss(Predictions.of([1, 0], probability=[0.75, 0.5]))
    0.3125
    """
    return len(p.classes) * _distances(p, np.square)


@probability_loss(
    "Informational loss (bits)",
    infinite=ZERO_PROBABILITY,
    cite=GOOD,
    aliases=Names(
        texts="informational loss function",
        weka="Class complexity | scheme, SF_mean_scheme_entropy",
        differs={
            "Class complexity | scheme": "Weka prints the sum, then the mean, and counts a probability of 0 as 1074 bits"
        },
    ),
    quick=lambda p, clip=0: None if clip else _summed(p, "logarithm", 1 / np.log(2)),
    constraints=CLIP_RULE,
)
def informational_loss(p: Predictions, *, clip: float = 0) -> Floats:
    r"""Mean number of bits needed to tell the actual class, given the probabilities.

    $-\frac1n \sum \log_2 p_{\text{actual}}$; infinite if a class that happened was given probability 0.
    `clip` raises smaller probabilities to it.

    >>> informational_loss(Predictions.of([1, 0], probability=[0.5, 0.75]))
    1.5
    """
    return minus_log(truth_probability(p, clip), np.log2)


@probability_loss(
    "Log loss (nats)",
    infinite=ZERO_PROBABILITY,
    reported=4,
    cite=GOOD,
    aliases=Names(
        "cross_entropy, negative_log_likelihood",
        sklearn="log_loss, neg_log_loss",
        caret="logLoss, mnLogLoss",
        yardstick="mn_log_loss",
    ),
    quick=lambda p, clip=0: None if clip else _summed(p, "logarithm"),
    constraints=CLIP_RULE,
)
def log_loss(p: Predictions, *, clip: float = 0) -> Floats:
    r"""Mean negative natural logarithm of the predicted probability of the actual class.

    $-\frac1n \sum \ln p_{\text{actual}}$; infinite if a class that happened was given probability 0.
    `clip` raises smaller probabilities to it.

    >>> log_loss(Predictions.of([1, 0], probability=[0.5, 0.5]))
    0.6931471805599453
    """
    return minus_log(truth_probability(p, clip))


@probability_loss("Spherical score", range=(0, 1), best=1, cite=GNEITING)
def spherical_score(p: Predictions) -> Floats:
    r"""Mean probability of the actual class over the length of the vector of probabilities.

    $\frac1n \sum p_{\text{actual}} / \sqrt{\sum_j p_j^2}$

    >>> spherical_score(Predictions.of([1, 0], probability=[0.6, 0.4]))
    0.8320502943378436
    """
    q = truth_probability(p)
    if p.need("probability", "spherical_score").ndim == 1:
        return q / np.sqrt(q * q + np.square(1 - q))
    return q / np.sqrt(np.square(p.probability_matrix("spherical_score")).sum(axis=1))


@probability_loss(
    "Ranked probability score",
    range=(0, 1),
    cite=EPSTEIN,
    by_request=True,
    aliases=Names("ranked_probability_score"),
)
def rps(p: Predictions) -> Floats:
    r"""Mean squared distance between cumulative probabilities and outcomes, for ordered classes.

    $\frac1n \sum \frac{1}{k-1} \sum_{m<k} (\sum_{j \le m} p_j - a_j)^2$; the order is that of `classes`.

    >>> p = Predictions.of(["low"], probability=[[0.2, 0.5, 0.3]], classes=["low", "mid", "high"])
    >>> round(rps(p), 12)
    0.365
    """
    gap = np.cumsum(p.probability_matrix("rps") - outcomes(p), axis=1)[:, :-1]
    return np.square(gap).mean(axis=1)


@probability_loss(
    "Mean absolute error of probabilities",
    range=(0, 1),
    cite=WEKA,
    quick=lambda p: _summed(p, "distance"),
    aliases=Names(
        weka="Mean absolute error (classes)",
        unlike={"Mean absolute error": "of classes, Weka prints it under this name"},
    ),
)
def probability_mae(p: Predictions) -> Floats:
    r"""Mean over cases and classes of the distance between probability and outcome.

    $\frac{1}{nk} \sum \sum_j |p_j - a_j|$

    >>> probability_mae(Predictions.of([1, 0], probability=[0.75, 0.25]))
    0.25
    """
    return _distances(p, np.abs)


@probability_loss(
    "Root mean squared error of probabilities",
    range=(0, 1),
    link=np.sqrt,
    cite=WEKA,
    quick=lambda p: _summed(p, "square"),
    aliases=Names(
        weka="Root mean squared error (classes)",
        unlike={"Root mean squared error": "of classes, Weka prints it under this name"},
    ),
)
def probability_rmse(p: Predictions) -> Floats:
    r"""Root of the mean over cases and classes of the squared distance between probability and outcome.

    $\sqrt{\frac{1}{nk} \sum \sum_j (p_j - a_j)^2}$

    >>> probability_rmse(Predictions.of([1, 0], probability=[0.75, 0.25]))
    0.25
    """
    return _distances(p, np.square)


def _beside_baseline(p: Predictions, distance: Any) -> Floats:  # noqa: ANN401
    """Put the distance of the training part's class shares beside that of the probabilities."""
    a = outcomes(p)
    sides = (p.probability_matrix("a relative error"), p.need("baseline", "a relative error"))
    return np.column_stack([distance(side - a).mean(axis=1) for side in sides])


@relative_loss(
    "Relative absolute error of probabilities",
    combine=lambda sums: ratio(sums[..., 0], sums[..., 1]),
    aliases=Names(
        weka="Relative absolute error (classes)",
        percent="Relative absolute error (classes)",
        unlike={
            "Relative absolute error": "of classes, Weka prints it under this name, as a percentage"
        },
    ),
)
def probability_rae(p: Predictions) -> Floats:
    r"""Absolute error of the probabilities relative to that of the class shares in the training part.

    $\sum \sum_j |p_j - a_j| / \sum \sum_j |\pi_j - a_j|$

    >>> probability_rae(Predictions.of([1, 0], probability=[0.75, 0.25], baseline=[0.5, 0.5]))
    0.5
    """
    return _beside_baseline(p, np.abs)


@relative_loss(
    "Root relative squared error of probabilities",
    combine=lambda sums: np.sqrt(ratio(sums[..., 0], sums[..., 1])),
    aliases=Names(
        weka="Root relative squared error (classes)",
        percent="Root relative squared error (classes)",
        unlike={
            "Root relative squared error": "of classes, Weka prints it under this name, as a percentage"
        },
    ),
)
def probability_rrse(p: Predictions) -> Floats:
    r"""Root of the squared error of the probabilities relative to that of the class shares in the training part.

    $\sqrt{\sum \sum_j (p_j - a_j)^2 / \sum \sum_j (\pi_j - a_j)^2}$

    >>> probability_rrse(Predictions.of([1, 0], probability=[0.75, 0.25], baseline=[0.5, 0.5]))
    0.5
    """
    return _beside_baseline(p, np.square)


@mean_loss(
    "Bias of probabilities",
    needs=("probability", "positive"),
    range=(-1, 1),
    best=0,
    undefined=NO_CASES,
    cite=DEBRAY,
    by_request=True,
    aliases=("calibration_in_the_large_difference",),
)
def probability_bias(p: Predictions) -> Floats:
    r"""Mean probability of the positive class less the share of positive cases: above 0, too many were expected.

    $\frac1n \sum (p_+ - d)$

    >>> probability_bias(Predictions.of([1, 0, 0, 0], probability=[0.75, 0.5, 0.5, 0.25]))
    0.25
    """
    return p.probabilities_of(positive_place(p)) - happened(p)


@total_loss(
    "Observed over expected events",
    needs=("probability", "positive"),
    combine=lambda sums: ratio(sums[..., 0], sums[..., 1]),
    best=1,
    undefined=(NO_CASES, NO_EVENT_EXPECTED),
    cite=DEBRAY,
    by_request=True,
    aliases=("oe_ratio", "observed_expected_ratio"),
)
def observed_over_expected(p: Predictions) -> Floats:
    r"""Number of positive cases over the sum of their probabilities: above 1, too few were expected.

    $\sum d / \sum p_+$. The interval allows for both sums of new cases; one that takes the expected
    number as known is wider, because cases of higher probability are positive more often.

    >>> observed_over_expected(Predictions.of([1, 0, 0, 0], probability=[0.75, 0.5, 0.5, 0.25]))
    0.5
    """
    return np.column_stack([happened(p), p.probabilities_of(positive_place(p))])


@total_loss(
    "Discrimination slope",
    needs=("probability", "positive"),
    range=(-1, 1),
    best=1,
    chance=0,
    combine=lambda sums: ratio(sums[..., 0], sums[..., 1]) - ratio(sums[..., 2], sums[..., 3]),
    undefined=(NO_POSITIVE, NO_NEGATIVE),
    cite=TJUR,
    stratified=True,
    by_request=True,
    aliases=("tjur_r2", "yates_slope"),
)
def discrimination_slope(p: Predictions) -> Floats:
    r"""Mean probability of the positive cases less that of the negative ones.

    $\bar p_{+ \mid +} - \bar p_{+ \mid -}$. The difference between two models is the integrated
    discrimination improvement.

    >>> discrimination_slope(Predictions.of([1, 0, 0, 1], probability=[0.75, 0.5, 0.25, 0.75]))
    0.375
    """
    q, positive = p.probabilities_of(positive_place(p)), happened(p)
    return np.column_stack([q * positive, positive, q * ~positive, ~positive])
