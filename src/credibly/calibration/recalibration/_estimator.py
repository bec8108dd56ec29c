"""A classifier with its recalibration, as scikit-learn knows them."""

# ruff: noqa: N803, N806, ANN401  (X is the field's name for what a model learns from)

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import check_cv
from sklearn.utils import assert_all_finite, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    column_or_1d,
    has_fit_parameter,
    indexable,
    validate_data,
)

from credibly._core.arrays import Floats
from credibly.calibration.recalibration._declare import FittedRecalibration, recalibrations
from credibly.errors import DataError
from credibly.schemes import outputs, take_rows

MAX_SCORE = 30.0  # beyond it, the logistic function has no more digits


class RecalibratedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose probabilities pass through a map fitted on cases kept apart from its fit.

    Inner folds: the map is fitted on the probabilities of cases that the model of their fold did not
    see, and the model itself on all cases. Inside a resampling both happen in the training part alone.

    Parameters
    ----------
    estimator
        Any classifier; a logistic regression by default. Wrap one that is fitted already into
        scikit-learn's ``FrozenEstimator``; then the cases given to ``fit`` serve the map alone.
    method
        A name from ``credibly list recalibrations``, such as ``"isotonic"`` or ``"histogram(groups=5)"``.
    cv
        The inner folds, as scikit-learn's ``cv``.

    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = RecalibratedClassifier(GaussianNB(), "isotonic").fit(X[::2], y[::2])
    >>> model.predict_proba(X[1::2]).shape
    (284, 2)
    """

    classes_: NDArray[Any]
    recalibration_: FittedRecalibration
    scale_: float
    scored_: bool

    def __init__(self, estimator: Any = None, method: str = "logistic", *, cv: Any = 5) -> None:
        self.estimator = estimator
        self.method = method
        self.cv = cv

    def fit(self, X: Any, y: ArrayLike, sample_weight: Any = None) -> RecalibratedClassifier:
        """Fit the map on inner folds, and the classifier on all cases."""
        entry = recalibrations.parse(self.method)
        base = self._base()
        y = column_or_1d(y, warn=True)
        assert_all_finite(y, input_name="y")
        check_classification_targets(y)
        X, y = indexable(np.asarray(X) if isinstance(X, list) else X, y)
        validate_data(self, X=X, skip_check_array=True)
        weight = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        self.classes_, codes = np.unique(y, return_inverse=True)
        raw = np.zeros((len(codes), len(self.classes_)))
        for train, rest in check_cv(self.cv, codes, classifier=True).split(X, codes):
            model = self._fitted(base, X, y, weight, train)
            raw[rest] = self._outputs(model, take_rows(X, rest))
        self.scale_ = max(1.0, float(np.abs(raw).max(initial=0.0)) / MAX_SCORE)
        self.recalibration_ = entry.fitted(self._probabilities(raw), codes, weight)
        self.estimator_ = self._fitted(base, X, y, weight, np.arange(len(codes)))
        return self

    def _base(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def _fitted(self, base: Any, X: Any, y: Any, weight: Any, rows: NDArray[np.intp]) -> Any:
        keywords = {}
        if weight is not None and has_fit_parameter(base, "sample_weight"):
            keywords["sample_weight"] = weight[rows]
        return clone(base).fit(take_rows(X, rows), y[rows], **keywords)

    def _outputs(self, model: Any, X: Any) -> Floats:
        """Return probabilities, or logits made of decision values, one column per class."""
        classes = list(self.classes_)
        self.scored_ = not hasattr(model, "predict_proba")
        output = outputs(model, X, classes)
        if output.probability is not None and not self.scored_:
            return output.probability
        values = np.asarray(model.decision_function(X), np.float64)
        if values.ndim == 1:
            values = np.column_stack([np.zeros(len(values)), values])
        if values.shape[1] != len(classes):
            raise DataError(
                "A classifier without probabilities must see every class in every inner fold."
            )
        return values

    def _probabilities(self, raw: Floats) -> Floats:
        """Turn logits into probabilities; their scale is for the map to find."""
        if not self.scored_:
            return raw
        odds = np.exp((raw - raw.max(axis=1, keepdims=True)) / self.scale_)
        return odds / odds.sum(axis=1, keepdims=True)

    def predict_proba(self, X: Any) -> Floats:
        """Return recalibrated probabilities, one column per class."""
        check_is_fitted(self)
        return self.recalibration_(self._probabilities(self._outputs(self.estimator_, X)))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class."""
        check_is_fitted(self)
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def __sklearn_tags__(self) -> Any:
        """Take over what the classifier says of its input."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = get_tags(self._base()).input_tags.sparse
        return tags
