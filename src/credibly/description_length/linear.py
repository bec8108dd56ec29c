"""Codes for linear and logistic models."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import logsumexp, softmax

from credibly._core.arrays import Floats
from credibly.description_length._declare import coder
from credibly.description_length.messages import Message
from credibly.description_length.problem import CodingProblem, Sent
from credibly.errors import ParameterError, says

RISSANEN = "Rissanen, J. (1983) A universal prior for integers and estimation by minimum description length. Annals of Statistics 11, 416-431."


@coder("Naive Bayes", describes=("sklearn.naive_bayes.GaussianNB",), cite=RISSANEN)
def naive_bayes(model: Any, problem: CodingProblem, message: Message) -> Sent:
    r"""Send the class shares, and a spread and a mean for each class and column.

    Each number is sent to within its standard error, which takes about $\tfrac12 \log_2 n$ bits.

    >>> import credibly
    >>> X, y = [[1, 5], [2, 5], [3, 5], [4, 5]], list("aabb")
    >>> [part.name for part in credibly.mdl("naive-bayes", X, y)["naive-bayes"].parts]
    ['distributions', 'moments', 'labels']
    """
    share = message.shares("distributions", model.class_prior_, problem.n)
    used = np.flatnonzero(problem.spread > 0)  # a constant column tells no classes apart
    density = np.log(np.tile(share, (problem.n, 1)))
    for c in range(problem.k):
        n = _cases(share[c], problem)
        for j in used:
            wide = message.scale("moments", np.sqrt(model.var_[c, j]), problem.spread[j], n)
            away = model.theta_[c, j] - problem.centre[j]
            mean = problem.centre[j] + message.real("moments", away, wide / np.sqrt(n))
            density[:, c] -= ((problem.matrix[:, j] - mean) / wide) ** 2 / 2 + np.log(wide)
    return Sent(probability=_posterior(density, problem))


@coder("Full Bayes", describes=("credibly.schemes.FullBayes",), cite=RISSANEN)
def full_bayes(model: Any, problem: CodingProblem, message: Message) -> Sent:
    r"""Send the class shares, and for each class its mean and its covariance matrix.

    Of a covariance matrix $L D L^T$, the spread of each column given those before it ($D$) and the
    slopes on these ($L$) are sent, so that it is one whatever the rounding. The mean is sent in the
    same coordinates, in which its errors are independent.

    >>> import credibly
    >>> X, y = [[1, 5], [2, 3], [4, 5], [3, 1], [4, 4], [6, 3]], list("aaabbb")
    >>> [part.name for part in credibly.mdl("full-bayes", X, y)["full-bayes"].parts]
    ['distributions', 'moments', 'labels']
    """
    share = message.shares("distributions", model.priors_, problem.n)
    used = np.flatnonzero(problem.spread > 0)
    density = np.log(np.tile(share, (problem.n, 1)))
    away = (problem.matrix - problem.centre)[:, used]
    for c in range(problem.k):
        n = _cases(share[c], problem)
        root = np.linalg.cholesky(model.covariances_[c][np.ix_(used, used)])
        slopes, middle = root / np.diag(root), (model.means_[c] - problem.centre)[used]
        wide = np.empty(used.size)
        new = np.empty_like(away)  # what each column adds to those before it
        for i, j in enumerate(used):
            wide[i] = message.scale("moments", root[i, i], problem.spread[j], n)
            new[:, i] = away[:, i]
            for h in range(i):
                slope = message.real("moments", slopes[i, h], wide[i] / wide[h] / np.sqrt(n))
                new[:, i] -= slope * new[:, h]
                middle[i] -= slope * middle[h]
        centre = [
            message.real("moments", middle[i], wide[i] / np.sqrt(n)) for i in range(used.size)
        ]
        density[:, c] -= (((new - centre) / wide) ** 2 / 2 + np.log(wide)).sum(axis=1)
    return Sent(probability=_posterior(density, problem))


def _cases(share: float, problem: CodingProblem) -> float:
    """Return how many cases of a class there are, as both sides know it."""
    return max(1.0, share * problem.n)


def _posterior(log_density: Floats, problem: CodingProblem) -> Floats:
    share = np.exp(log_density - logsumexp(log_density, axis=1, keepdims=True))
    return problem.smoothed(share)


MAX_DIFFERENCE = 1e-6  # how far probabilities of another solver may be from the formula's


@coder(
    "Linear model",
    describes=tuple(
        f"sklearn.linear_model.{name}"
        for name in ("LinearRegression", "Ridge", "Lasso", "ElasticNet")
    ),
    cite=RISSANEN,
)
def linear(model: Any, problem: CodingProblem, message: Message) -> Sent:
    """Send the spread of the residuals, the mean, and a slope for each column that varies.

    Each slope is sent to within the standard error that it would have by itself; 0 costs one bit.

    >>> import credibly
    >>> found = credibly.mdl("linear", [[1], [2], [3], [4]], [1.1, 1.9, 3.2, 3.9])
    >>> [part.name for part in found["linear"].parts]
    ['moments', 'coefficients', 'residuals']
    """
    spread = problem.send_spread(np.ravel(model.predict(problem.X)), message)
    level = float(np.ravel(model.intercept_)[0] + problem.centre @ np.ravel(model.coef_))
    unit = spread / np.sqrt(problem.n)
    value = _plane(level, np.ravel(model.coef_), unit, problem, message)
    return Sent(value=value, spread=spread)


@coder(
    "Logistic model",
    describes=(
        "sklearn.linear_model.LogisticRegression",
        "sklearn.discriminant_analysis.LinearDiscriminantAnalysis",
    ),
    cite=RISSANEN,
)
def logistic(model: Any, problem: CodingProblem, message: Message) -> Sent:
    """Send, for each class but the first, the log odds against it in the middle and their slopes.

    >>> import credibly
    >>> found = credibly.mdl("logistic", [[1], [2], [3], [4]], list("abab"))
    >>> [part.name for part in found["logistic"].parts]
    ['coefficients', 'labels']
    """
    slopes, level = np.atleast_2d(model.coef_), np.ravel(model.intercept_)
    if len(slopes) > 1:
        slopes, level = slopes[1:] - slopes[0], level[1:] - level[0]
    level = level + slopes @ problem.centre
    exact = (problem.matrix - problem.centre) @ slopes.T + level
    if np.abs(_shares(exact) - model.predict_proba(problem.X)).max() > MAX_DIFFERENCE:
        raise ParameterError(
            f"{type(model).__name__} with these settings does not compute probabilities from one "
            "linear function per class, so there is no coder for it.",
            remedy=says("<code='prequential'> needs none."),
        )
    unit = 2 / np.sqrt(problem.n)  # the standard error where both classes are as likely
    each = [
        _plane(each, slope, unit, problem, message)
        for each, slope in zip(level, slopes, strict=True)
    ]
    return Sent(probability=problem.smoothed(_shares(np.column_stack(each))))


def _plane(
    level: float, slopes: Floats, unit: float, problem: CodingProblem, message: Message
) -> Floats:
    """Send a linear function of the columns by its value in their middle and its slopes."""
    value = np.full(problem.n, message.real("coefficients", level, unit))
    for j in np.flatnonzero(problem.spread > 0):
        slope = message.real("coefficients", slopes[j], unit / problem.spread[j])
        value += slope * (problem.matrix[:, j] - problem.centre[j])
    return value


def _shares(odds: Floats) -> Floats:
    """Return the probabilities of all classes from log odds against the first."""
    shares: Floats = softmax(np.column_stack([np.zeros(len(odds)), odds]), axis=1)
    return shares
