"""Schemes that describe each class by a Gaussian."""

from __future__ import annotations

from typing import Any

from credibly._core.names import Names
from credibly.predictions.table import Task
from credibly.schemes._declare import scheme

CLASSES: tuple[Task, ...] = ("classification",)


@scheme(
    "Naive Bayes",
    tasks=CLASSES,
    cite="John, G. H. & Langley, P. (1995) Estimating continuous distributions in Bayesian classifiers. UAI 11, 338-345.",
    aliases=Names(texts="naive Bayes", weka="NaiveBayes", sklearn="GaussianNB", caret="nb"),
)
def naive_bayes(task: Task) -> Any:  # noqa: ARG001
    """Describe each class by one Gaussian a column, as if the columns were independent.

    >>> from credibly.schemes import schemes
    >>> schemes["naive-bayes"].make("classification")
    GaussianNB()
    """
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


@scheme(
    "Full Bayes",
    tasks=CLASSES,
    cite="Zaki, M. J. & Meira, W. (2020) Data Mining and Machine Learning: Fundamental Concepts and Algorithms. 2nd ed. Cambridge University Press.",
)
def full_bayes(task: Task) -> Any:  # noqa: ARG001
    """Describe each class by one Gaussian with a full covariance matrix (divisor n).

    >>> from credibly.schemes import schemes
    >>> schemes["full-bayes"].make("classification", unbiased=True)
    FullBayes(unbiased=True)
    """
    from credibly.schemes._full_bayes import FullBayes

    return FullBayes()


@scheme(
    "Linear discriminant analysis",
    tasks=CLASSES,
    cite="Fisher, R. A. (1936) The use of multiple measurements in taxonomic problems. Annals of Eugenics 7, 179-188.",
    aliases=Names(sklearn="LinearDiscriminantAnalysis", caret="lda"),
)
def lda(task: Task) -> Any:  # noqa: ARG001
    """Describe each class by a Gaussian with a covariance matrix that all classes share.

    >>> from credibly.schemes import schemes
    >>> schemes["lda"].make("classification")
    LinearDiscriminantAnalysis()
    """
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return LinearDiscriminantAnalysis()
