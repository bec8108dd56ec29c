"""Estimators that learn or decide by costs, around any classifier of scikit-learn's kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, cross_val_predict
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    has_fit_parameter,
    validate_data,
)

from credibly.decisions._declare import decision_rules
from credibly.decisions.cost_sensitive.weights import class_weights, training_costs
from credibly.decisions.problem import DecisionProblem
from credibly.errors import ParameterError
from credibly.predictions import Predictions

if TYPE_CHECKING:
    Array = NDArray[Any]


def _gives_probabilities(model: CostSensitiveClassifier) -> bool:
    return model.estimator is None or hasattr(model.estimator, "predict_proba")


@dataclass(eq=False, repr=False)
class CostSensitiveClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """What the estimators share: a classifier inside, costs, and labels as they come.

    ``costs`` are a :class:`~credibly.CostMatrix`, outcomes such as ``{"fn": 5, "fp": 1}`` (the last of
    the sorted classes is positive), or a table, rows actual, in the order of the sorted classes.
    """

    estimator: Any = None
    costs: Any = None

    def _prepare(self, X: Any, y: Any) -> tuple[Array, Array]:  # noqa: ANN401, N803
        """Check the training cases; return them with their classes as codes."""
        X, y = validate_data(self, X, y, accept_sparse=["csr"])  # noqa: N806
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"Costs distinguish classes, but there is only one class: {self.classes_[0]!r}."
            )
        self.costs_ = training_costs(self.costs, list(self.classes_))
        return X, codes

    def _weights(self, X: Array, codes: Array, given: Any) -> tuple[Array, Array]:  # noqa: ANN401, N803
        """Return the weight of each case and the sum of each class."""
        weight = _check_sample_weight(given, X)
        sizes = np.bincount(codes, weight, len(self.classes_))
        if (sizes > 0).sum() < 2:
            raise ValueError(
                "Costs distinguish classes, but only one class has cases with a weight above 0."
            )
        return weight, sizes

    def _inside(self) -> Any:  # noqa: ANN401
        return LogisticRegression() if self.estimator is None else clone(self.estimator)

    def _checked(self, X: Any) -> Array:  # noqa: ANN401, N803
        check_is_fitted(self)
        checked: Array = validate_data(self, X, accept_sparse=["csr"], reset=False)
        return checked

    def predict(self, X: Any) -> Array:  # noqa: ANN401, N803
        """Return the label of each case."""
        checked = self._checked(X)
        return np.asarray(self.estimator_.predict(checked))

    def __sklearn_tags__(self) -> Any:  # noqa: ANN401
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = get_tags(self._inside()).input_tags.sparse
        return tags


class ProbabilisticCostClassifier(CostSensitiveClassifier):
    """One that hands on the probabilities of the classifier inside."""

    @available_if(_gives_probabilities)
    def predict_proba(self, X: Any) -> Array:  # noqa: ANN401, N803
        """Return the probabilities of the classifier inside."""
        checked = self._checked(X)
        return np.asarray(self.estimator_.predict_proba(checked))


class CostWeightedClassifier(ProbabilisticCostClassifier):
    """Weight the training cases by what mistakes about them cost (Ting 2002).

    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]] * 10), np.array([0, 0, 1, 1] * 10)
    >>> CostWeightedClassifier(costs={"fn": 1, "fp": 10}).fit(X, y).class_weight_.tolist()
    [1.818..., 0.1818...]
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: ANN401, N803
        """Train the classifier inside on weighted cases."""
        X, codes = self._prepare(X, y)  # noqa: N806
        inside = self._inside()
        if not has_fit_parameter(inside, "sample_weight"):
            raise ValueError(
                f"{type(inside).__name__} does not take weights. Use CostResampledClassifier, "
                "which repeats cases instead."
            )
        weight, sizes = self._weights(X, codes, sample_weight)
        self.class_weight_ = class_weights(self.costs, list(self.classes_), sizes)
        weight = weight * self.class_weight_[codes]
        self.estimator_ = inside.fit(X, self.classes_[codes], sample_weight=weight)
        return self


@dataclass(eq=False, repr=False)
class CostResampledClassifier(ProbabilisticCostClassifier):
    """Draw the training cases, with replacement, as often as mistakes about them cost.

    For learners that take no weights. Each class is drawn by itself, to its share of the weights.

    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]] * 10), np.array([0, 0, 1, 1] * 10)
    >>> model = CostResampledClassifier(costs={"fn": 1, "fp": 10}, random_state=0).fit(X, y)
    >>> model.resampled_sizes_.tolist()
    [36, 4]
    """

    random_state: Any = None

    def fit(self, X: Any, y: Any) -> Self:  # noqa: ANN401, N803
        """Train the classifier inside on the drawn cases."""
        X, codes = self._prepare(X, y)  # noqa: N806
        rng = check_random_state(self.random_state)
        sizes = np.bincount(codes)
        weight = class_weights(self.costs, list(self.classes_), sizes)
        self.resampled_sizes_ = np.maximum(1, np.rint(sizes * weight)).astype(np.int64)
        rows = np.concatenate(
            [
                rng.choice(np.flatnonzero(codes == i), size)
                for i, size in enumerate(self.resampled_sizes_)
            ]
        )
        self.estimator_ = self._inside().fit(X[rows], self.classes_[codes[rows]])
        return self


class ExpectedCostClassifier(ProbabilisticCostClassifier):
    """Train as usual, and give each case the label that its probabilities make cheapest.

    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]] * 10), np.array([0, 0, 1, 1] * 10)
    >>> ExpectedCostClassifier(costs={"fn": 50, "fp": 1}).fit(X, y).predict([[1.0]]).tolist()
    [1]
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: ANN401, N803
        """Train the classifier inside."""
        X, codes = self._prepare(X, y)  # noqa: N806
        weights = {}
        if sample_weight is not None:
            weights["sample_weight"], _ = self._weights(X, codes, sample_weight)
        self.estimator_ = self._inside().fit(X, self.classes_[codes], **weights)
        return self

    def predict(self, X: Any) -> Array:  # noqa: ANN401, N803
        """Return the cheapest label of each case."""
        probability = self.predict_proba(X)
        return np.asarray(self.classes_[cheapest(probability, self.costs_)])


@dataclass(eq=False, repr=False)
class MetaCostClassifier(ProbabilisticCostClassifier):
    """Relabel the training cases by what many models together expect, then train one (Domingos 1999).

    Needs no probabilities at the end, and leaves one model that can be read. ``all_models`` lets models
    vote on cases that they were trained on too, as in the paper's parameter q.

    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]] * 10), np.array([0, 0, 1, 1] * 10)
    >>> model = MetaCostClassifier(costs={"fn": 50, "fp": 1}, random_state=0).fit(X, y)
    >>> model.relabelled_
    20
    """

    n_estimators: int = 10
    all_models: bool = True
    random_state: Any = None

    def fit(self, X: Any, y: Any) -> Self:  # noqa: ANN401, N803
        """Estimate probabilities by bagging, relabel, and train on the new labels."""
        X, codes = self._prepare(X, y)  # noqa: N806
        probability = self._bagged(X, codes)
        new = cheapest(probability, self.costs_)
        self.relabelled_ = int((new != codes).sum())
        labels = self.classes_[new]
        alike = (new == new[0]).all()  # of which no classifier learns anything
        inside = DummyClassifier(strategy="most_frequent") if alike else self._inside()
        self.estimator_ = inside.fit(X, labels)
        return self

    def _bagged(self, X: Array, codes: Array) -> Array:  # noqa: N803
        rng = check_random_state(self.random_state)
        n, k = len(codes), len(self.classes_)
        total, models = np.zeros((n, k)), np.zeros(n)
        for _ in range(self.n_estimators):
            rows = rng.choice(n, n)
            if len(np.unique(codes[rows])) < 2:  # nothing to learn from
                continue
            model = self._inside().fit(X[rows], self.classes_[codes[rows]])
            asked = np.ones(n, bool)
            if not self.all_models:
                asked[rows] = False
            seen = np.searchsorted(self.classes_, model.classes_)
            if asked.any():
                total[np.ix_(asked, seen)] += model.predict_proba(X[asked])
            models += asked
        shares = np.bincount(codes, minlength=k) / n  # of cases that no model may judge
        with np.errstate(invalid="ignore"):
            return np.where(models[:, None] > 0, total / models[:, None], shares)

    @available_if(_gives_probabilities)
    def predict_proba(self, X: Any) -> Array:  # noqa: ANN401, N803
        """Return the probabilities of the model that was trained on the new labels."""
        checked = self._checked(X)
        values = np.zeros((checked.shape[0], len(self.classes_)))
        seen = np.searchsorted(self.classes_, self.estimator_.classes_)
        values[:, seen] = self.estimator_.predict_proba(checked)
        return values


@dataclass(eq=False, repr=False)
class ThresholdClassifier(CostSensitiveClassifier):
    """Choose the threshold of a score inside the training part, by cross-validation.

    Every training case is scored by a model that has not seen it, ``rule`` chooses on these scores, and
    the model is then trained on all. What it costs must be judged on other cases. Probabilities are
    those of ``estimator_``; here they would contradict the labels.

    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]] * 10), np.array([0, 1, 0, 1] * 10)
    >>> model = ThresholdClassifier(costs={"fn": 5, "fp": 1}).fit(X, y)
    >>> model.predict([[0.0], [1.0]]).tolist()
    [0, 1]
    """

    rule: str = "minimum_cost"
    cv: int = 5
    random_state: Any = None

    def fit(self, X: Any, y: Any, groups: Any = None) -> Self:  # noqa: ANN401, N803
        """Score each training case out of its fold, choose the threshold, and train on all.

        Folds keep ``groups`` whole where they are given.
        """
        X, codes = self._prepare(X, y)  # noqa: N806
        if len(self.classes_) > 2:
            raise ValueError(
                f"Only binary classification is supported. The type of the target is multiclass ({len(self.classes_)} classes)."
            )
        smallest = int(np.bincount(codes).min())
        if smallest < 2:
            raise ValueError(
                "A class has 1 sample: choosing a threshold needs at least 2 of each class."
            )
        state = check_random_state(self.random_state)
        kind = StratifiedKFold if groups is None else StratifiedGroupKFold
        folds = kind(min(self.cv, smallest), shuffle=True, random_state=state)
        inside = self._inside()
        self.method_ = "predict_proba" if hasattr(inside, "predict_proba") else "decision_function"
        pairs = list(folds.split(X, codes, groups))
        made = cross_val_predict(inside, X, codes, cv=pairs, method=self.method_)
        score = made[:, 1] if made.ndim > 1 else made
        p = Predictions.of(codes, score=score, classes=[0, 1], positive=1)
        self.estimator_ = inside.fit(X, codes)
        problem = DecisionProblem(p, self.costs_)
        threshold = decision_rules.parse(self.rule)(problem).threshold
        if threshold is None:
            raise ParameterError(
                f"The rule {self.rule!r} does not choose a threshold; `credibly list decision-rules` shows which rules do."
            )
        self.threshold_ = threshold
        return self

    def decision_function(self, X: Any) -> Array:  # noqa: ANN401, N803
        """Return how far the score of each case lies above the threshold, at which it is positive."""
        checked = self._checked(X)
        made = getattr(self.estimator_, self.method_)(checked)
        below = np.nextafter(self.threshold_, -np.inf)  # so that the threshold itself is above 0
        return np.asarray((made[:, 1] if made.ndim > 1 else made) - below)

    def predict(self, X: Any) -> Array:  # noqa: ANN401, N803
        """Label positive from the threshold on."""
        positive = self.decision_function(X) > 0
        return np.asarray(self.classes_[positive.astype(np.int64)])

    def __sklearn_tags__(self) -> Any:  # noqa: ANN401
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def cheapest(probability: Array, costs: Array) -> Array:
    """Return the label of least expected cost; of equally cheap ones the last, as with a threshold."""
    expected = probability @ costs
    return np.asarray(expected.shape[1] - 1 - expected[:, ::-1].argmin(axis=1))
