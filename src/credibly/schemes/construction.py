"""From a chosen scheme to an estimator that is ready to fit on a training part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from credibly.errors import ParameterError
from credibly.predictions.table import Task
from credibly.schemes._declare import PREDICTED_WORDS, schemes
from credibly.schemes.columns import nature_of

if TYPE_CHECKING:
    from credibly.schemes._declare import SchemeEntry
    from credibly.schemes.choice import Scheme
    from credibly.schemes.columns import Nature


def build(scheme: Scheme, task: Task, X: Any, seed: int | None = None) -> Any:
    """Return an unfitted estimator for a task and the columns of X.

    A given estimator is cloned. That of a named scheme gets a pipeline in front where the columns
    need one: what it learns (means, categories, scales) it learns when fitted, from the training
    part. Parameters called ``random_state`` that were left open take the seed.

    >>> import numpy as np
    >>> from credibly.schemes import as_scheme
    >>> build(as_scheme("naive-bayes"), "classification", np.ones((3, 2)))
    GaussianNB()
    """
    if not scheme.entry:
        from sklearn.base import clone

        _check_task(scheme, task)
        return seeded(clone(scheme.estimator), seed)
    entry = schemes[scheme.entry]
    parameters = dict(scheme.parameters)
    scale = bool(parameters.pop("scale", entry.scale))
    estimator = entry.make(task, **parameters)
    return seeded(_with_preprocessing(entry, estimator, nature_of(X), scale=scale), seed)


def seeded(estimator: Any, seed: int | None, *, every: bool = False) -> Any:
    """Set each ``random_state`` that was left open, or ``every`` one, and return the estimator.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> seeded(DecisionTreeClassifier(), 7)
    DecisionTreeClassifier(random_state=7)
    """
    if seed is None:
        return estimator
    open_ones = [
        name
        for name, value in estimator.get_params(deep=True).items()
        if (every or value is None) and name.rpartition("__")[2] == "random_state"
    ]
    return (
        estimator.set_params(**dict.fromkeys(open_ones, seed % 2**32)) if open_ones else estimator
    )


def _with_preprocessing(entry: SchemeEntry, estimator: Any, columns: Nature, *, scale: bool) -> Any:
    """Put in front of the estimator what these columns and the scheme ask for."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    steps: list[Any] = []
    if entry.encoding != "none" and not columns.sparse and not columns.plain:
        from credibly.schemes._encoding import Encoder

        steps.append(Encoder(entry.encoding, text=columns.text, keep_missing=entry.takes_missing))
    if scale:
        steps.append(StandardScaler(with_mean=not columns.sparse))
    return make_pipeline(*steps, estimator) if steps else estimator


def _check_task(scheme: Scheme, task: Task) -> None:
    from sklearn.base import is_classifier, is_regressor

    wrong = is_regressor if task == "classification" else is_classifier
    if wrong(scheme.estimator):
        other = "numbers" if task == "classification" else "classes"
        raise ParameterError(
            f"{scheme.name} predicts {other}, and the target holds {PREDICTED_WORDS[task]}."
        )
