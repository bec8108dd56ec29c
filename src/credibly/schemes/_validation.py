"""What classifiers of our own share: checks before they learn or predict, in which a frame stays one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data

from credibly.schemes.columns import is_frame


class TextClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that takes text and missing values, and labels by its probabilities."""

    def __sklearn_tags__(self) -> Any:
        """Say that missing values and text are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class."""
        best = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])


def checked_training_part(
    classifier: Any, X: Any, y: Any, **options: Any
) -> tuple[Any, NDArray[Any]]:
    """Return inputs and targets as they may be learnt from; ``options`` are for arrays."""
    if is_frame(X):
        validate_data(classifier, X, skip_check_array=True)
        y = column_or_1d(y, warn=True)
        check_consistent_length(X, y)
    else:
        X, y = validate_data(classifier, X, y, dtype=None, **options)
    check_classification_targets(y)
    return X, y


def checked_inputs(classifier: Any, X: Any, **options: Any) -> Any:
    """Return inputs that have the columns of the training part."""
    if is_frame(X):
        return validate_data(classifier, X, reset=False, skip_check_array=True)
    return validate_data(classifier, X, reset=False, dtype=None, **options)
