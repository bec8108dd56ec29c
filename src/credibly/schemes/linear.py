"""Linear models."""

from __future__ import annotations

from typing import Any

from credibly._core.names import Names
from credibly.predictions.table import Task
from credibly.schemes._declare import scheme

NUMBERS_ONLY: tuple[Task, ...] = ("numeric",)


@scheme(
    "Logistic regression",
    tasks=("classification",),
    scale=True,
    cite="Cox, D. R. (1958) The regression analysis of binary sequences. Journal of the Royal Statistical Society B 20, 215-242.",
    aliases=Names(
        "logistic_regression, logreg", weka="Logistic", sklearn="LogisticRegression", caret="glm"
    ),
)
def logistic(task: Task) -> Any:  # noqa: ARG001
    """Model the log odds of the classes as linear, with a ridge penalty of strength 1/``C``.

    Columns are standardised within the training part, so that the penalty treats them alike.

    >>> from credibly.schemes import schemes
    >>> schemes["logistic"].make("classification", C=10)
    LogisticRegression(C=10, max_iter=1000)
    """
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000)


@scheme(
    "Linear regression",
    tasks=NUMBERS_ONLY,
    cite="Gauss, C. F. (1809) Theoria motus corporum coelestium. Perthes und Besser, Hamburg.",
    aliases=Names(
        "linear_regression", weka="LinearRegression", sklearn="LinearRegression", caret="lm"
    ),
)
def linear(task: Task) -> Any:  # noqa: ARG001
    """Fit a plane by least squares.

    >>> from credibly.schemes import schemes
    >>> schemes["linear"].make("numeric")
    LinearRegression()
    """
    from sklearn.linear_model import LinearRegression

    return LinearRegression()


@scheme(
    "Ridge regression",
    tasks=NUMBERS_ONLY,
    cite="Hoerl, A. E. & Kennard, R. W. (1970) Ridge regression: biased estimation for nonorthogonal problems. Technometrics 12, 55-67.",
    aliases=Names(sklearn="Ridge"),
)
def ridge(task: Task) -> Any:  # noqa: ARG001
    """Fit a plane by least squares plus ``alpha`` times the sum of squared slopes.

    Columns keep their scale; ``scale=True`` standardises them within the training part.

    >>> from credibly.schemes import schemes
    >>> schemes["ridge"].make("numeric", alpha=0.1)
    Ridge(alpha=0.1)
    """
    from sklearn.linear_model import Ridge

    return Ridge()


@scheme(
    "Lasso",
    tasks=NUMBERS_ONLY,
    scale=True,
    cite="Tibshirani, R. (1996) Regression shrinkage and selection via the lasso. Journal of the Royal Statistical Society B 58, 267-288.",
    aliases=Names(sklearn="Lasso"),
)
def lasso(task: Task) -> Any:  # noqa: ARG001
    """Fit a plane by least squares plus ``alpha`` times the sum of absolute slopes, on standardised columns.

    >>> from credibly.schemes import schemes
    >>> schemes["lasso"].make("numeric", alpha=0.5)
    Lasso(alpha=0.5)
    """
    from sklearn.linear_model import Lasso

    return Lasso()
