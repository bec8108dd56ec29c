"""Schemes that learn many times from drawn cases, and vote."""

from __future__ import annotations

from functools import partial
from typing import Any

from credibly._core.names import Names
from credibly._core.parameters import Rule, whole
from credibly.errors import CrediblyError
from credibly.predictions.table import Task
from credibly.schemes._declare import scheme


def _predicts_classes(given: object) -> bool:
    from numpy import zeros

    from credibly.schemes.choice import as_scheme
    from credibly.schemes.construction import build

    try:
        build(as_scheme(given), "classification", zeros((1, 1)))
    except CrediblyError:
        return False
    return True


ENSEMBLE_RULES = {
    "base": Rule(
        "a scheme that predicts classes, such as 'tree' or 'knn(k=3)'", _predicts_classes, "nosuch"
    ),
    "k": whole(1),
}
ensemble = partial(
    scheme,
    tasks=("classification",),
    encoding="none",
    takes_missing=True,
    renamed={"base": "estimator", "k": "n_estimators"},
    constraints=ENSEMBLE_RULES,
)


@ensemble(
    "Bagging",
    cite="Breiman, L. (1996) Bagging predictors. Machine Learning 24, 123-140.",
    aliases=Names(texts="Bagging", weka="Bagging", sklearn="BaggingClassifier", caret="treebag"),
)
def bagging(task: Task) -> Any:  # noqa: ARG001
    """Let ``k`` (25) models vote, which the scheme ``base`` (a tree) learns from bootstrap samples.

    ``voting="probability"`` averages their probabilities instead. The base encodes its own columns.

    >>> from credibly.schemes import schemes
    >>> schemes["bagging"].make("classification", base="knn(k=1)", k=11)
    Bagging(estimator='knn(k=1)', n_estimators=11)
    """
    from credibly.schemes._voting import Bagging

    return Bagging()


@ensemble(
    "AdaBoost by resampling",
    cite="Freund, Y. & Schapire, R. E. (1997) A decision-theoretic generalization of on-line learning and an application to boosting. Journal of Computer and System Sciences 55, 119-139.",
    aliases=Names(
        texts="AdaBoost",
        unlike={
            "AdaBoostM1, AdaBoostClassifier": "Weka and scikit-learn weight the cases; this "
            "scheme draws them"
        },
    ),
)
def adaboost(task: Task) -> Any:  # noqa: ARG001
    """Let ``k`` (50) models vote, each learnt by ``base`` (one split) from cases drawn by past errors.

    The weighted error gives the weight of a vote; for more than two classes as in SAMME. The base
    encodes its own columns.

    >>> from credibly.schemes import schemes
    >>> schemes["adaboost"].make("classification", base="svm(kernel='linear')", k=25)
    AdaBoost(estimator="svm(kernel='linear')", n_estimators=25)
    """
    from credibly.schemes._voting import AdaBoost

    return AdaBoost()
