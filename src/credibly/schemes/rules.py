"""Rules that look at one column, or at none."""

from __future__ import annotations

from typing import Any

from credibly._core.names import Names
from credibly.predictions.table import Task
from credibly.schemes._declare import scheme


@scheme(
    "Zero rule",
    encoding="none",
    takes_missing=True,
    cite="Witten, I. H., Frank, E., Hall, M. A. & Pal, C. J. (2017) Data Mining: Practical Machine Learning Tools and Techniques. 4th ed. Morgan Kaufmann.",
    aliases=Names(texts="majority class", weka="ZeroR", sklearn="DummyClassifier, DummyRegressor"),
)
def zero_r(task: Task) -> Any:
    """Predict the class frequencies, or the mean, of the training part for every case.

    >>> from credibly.schemes import schemes
    >>> schemes["zero-r"].make("numeric").fit([[1], [2]], [3, 5]).predict([[0]])
    array([4.])
    """
    from sklearn.dummy import DummyClassifier, DummyRegressor

    return (
        DummyClassifier(strategy="prior")
        if task == "classification"
        else DummyRegressor(strategy="mean")
    )


@scheme(
    "One rule",
    tasks=("classification",),
    encoding="none",
    takes_missing=True,
    cite="Holte, R. C. (1993) Very simple classification rules perform well on most commonly used datasets. Machine Learning 11, 63-91.",
    aliases=Names(texts="1R", weka="OneR"),
)
def one_r(task: Task) -> Any:  # noqa: ARG001
    """Predict from the values of the one column that makes the fewest errors on the training part.

    Numbers are cut into buckets that each hold at least ``min_bucket`` cases of their most common
    class; a missing value is a value of its own.

    >>> from credibly.schemes import schemes
    >>> rule = schemes["one-r"].make("classification", min_bucket=2)
    >>> rule.fit([[1, 5], [2, 5], [3, 5], [4, 5]], ["a", "a", "b", "b"]).predict([[1.4, 0], [9, 0]])
    array(['a', 'b'], dtype='<U1')
    """
    from credibly.schemes._one_r import OneR

    return OneR()
