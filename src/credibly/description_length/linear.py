"""Codes for linear and logistic models."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import softmax

from credibly._core.arrays import Floats
from credibly.description_length._declare import coder
from credibly.description_length.gaussians import RISSANEN
from credibly.description_length.messages import Message
from credibly.description_length.problem import CodingProblem, Sent
from credibly.errors import ParameterError, says

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
