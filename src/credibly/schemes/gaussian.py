"""Schemes that describe each class by a distribution: Gaussians of numbers, shares of values."""

from __future__ import annotations

from typing import Any

from credibly._core.names import Names
from credibly.predictions.table import Task
from credibly.schemes._declare import scheme

CLASSES_ONLY: tuple[Task, ...] = ("classification",)


@scheme(
    "Naive Bayes",
    tasks=CLASSES_ONLY,
    cite="John, G. H. & Langley, P. (1995) Estimating continuous distributions in Bayesian classifiers. UAI 11, 338-345.",
    aliases=Names(texts="naive Bayes", weka="NaiveBayes", sklearn="GaussianNB", caret="nb"),
)
def naive_bayes(task: Task) -> Any:  # noqa: ARG001
    """Describe each class by one Gaussian per column, as if the columns were independent.

    >>> from credibly.schemes import schemes
    >>> schemes["naive-bayes"].make("classification")
    GaussianNB()
    """
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


@scheme(
    "Naive Bayes by counting",
    tasks=CLASSES_ONLY,
    encoding="none",
    takes_missing=True,
    cite="Mitchell, T. M. (1997) Machine Learning, sec. 6.9. McGraw-Hill.",
    aliases=Names(sklearn="CategoricalNB"),
)
def nominal_bayes(task: Task) -> Any:  # noqa: ARG001
    """Multiply the shares that a case's values have in each class; ``laplace`` is added to each count.

    Columns of numbers have a normal density in each class; missing values are left out.

    >>> from credibly.schemes import schemes
    >>> schemes["nominal-bayes"].make("classification", laplace=1)
    NominalBayes(laplace=1)
    """
    from credibly.schemes._nominal_bayes import NominalBayes

    return NominalBayes()


@scheme(
    "Full Bayes",
    tasks=CLASSES_ONLY,
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
    tasks=CLASSES_ONLY,
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
