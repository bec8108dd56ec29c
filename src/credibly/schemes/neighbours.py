"""Schemes that compare a case with those of the training part."""

from __future__ import annotations

from typing import Any

from credibly._core.names import Names
from credibly.predictions.table import Task
from credibly.schemes._declare import scheme


@scheme(
    "Nearest neighbours",
    scale=True,
    renamed={"k": "n_neighbors"},
    aliases=Names(
        "nearest-neighbours, k-nn",
        texts="nearest neighbors classifier",
        weka="IBk",
        sklearn="KNeighborsClassifier, KNeighborsRegressor",
        caret="knn",
    ),
    cite="Cover, T. & Hart, P. (1967) Nearest neighbor pattern classification. IEEE Transactions on Information Theory 13, 21-27.",
)
def knn(task: Task) -> Any:
    """Let the ``k`` nearest cases of the training part vote, or take the mean of their values.

    Columns are standardised within the training part; ``scale=False`` leaves them as they are.

    >>> from credibly.schemes import schemes
    >>> schemes["knn"].make("numeric", k=3)
    KNeighborsRegressor(n_neighbors=3)
    """
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

    return KNeighborsClassifier() if task == "classification" else KNeighborsRegressor()


@scheme(
    "Support vector machine",
    scale=True,
    aliases=Names(
        texts="support vector machine", weka="SMO", sklearn="SVC, SVR", caret="svmRadial"
    ),
    cite="Cortes, C. & Vapnik, V. (1995) Support-vector networks. Machine Learning 20, 273-297.",
)
def svm(task: Task) -> Any:
    """Separate the classes by the widest margin, in the space of a ``kernel`` (Gaussian by default).

    It gives scores for two classes and labels for more, no probabilities. Columns are standardised
    within the training part.

    >>> from credibly.schemes import schemes
    >>> schemes["svm"].make("classification", kernel="linear")
    SVC(kernel='linear')
    """
    from sklearn.svm import SVC, SVR

    return SVC() if task == "classification" else SVR()
