"""How much less schemes err on rows that they were fitted to, as a run finds, and what follows from it."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import LinearSVC

from credibly import compare, evaluate, run
from credibly.comparisons.over_cases import RATIO
from credibly.intervals.widening import (
    of_training,
    widening,
    widening_by_fit,
    widening_of_linear,
)
from credibly.measures import measures

NUMBERS = load_diabetes(return_X_y=True)
CLASSES = load_breast_cancer(return_X_y=True)


def by_hand(estimator, X, y, p, losses, method):
    """Fit the first split again, and compare its own rows with the same rows held out."""
    fold = np.empty(len(y), int)
    fold[p.row] = p.fold
    train = np.flatnonzero(fold != 0)
    splits = [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(fold.max() + 1)]
    held = cross_val_predict(estimator, X, y, cv=splits, method=method)
    own = getattr(estimator.fit(X[train], y[train]), method)(X[train])
    return 1 - losses(own, y[train]).sum() / losses(held[train], y[train]).sum()


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(
    ("estimator", "data", "losses", "method"),
    [
        (LinearRegression(), NUMBERS, lambda v, y: (v - y) ** 2, "predict"),
        (LinearDiscriminantAnalysis(), CLASSES, lambda q, y: 2 * (q[:, 1] - y) ** 2, "predict_proba"),
        (LinearSVC(random_state=1, dual=False), CLASSES, lambda v, y: v != y, "predict"),
    ],
)  # fmt: skip
def test_it_is_the_loss_on_own_rows_beside_that_of_the_same_rows_held_out(
    estimator, data, losses, method, exact
):
    p = run({"it": estimator}, *data, exact_shortcuts=exact)
    found = p.provenance.overfitting["it"]
    assert found == pytest.approx(by_hand(estimator, *data, p, losses, method), abs=1e-9)


def test_what_follows_its_rows_closely_gets_the_whole_factor_and_what_is_linear_less():
    X, y = CLASSES[0][:, :3], CLASSES[1]
    p = run({"lda": LinearDiscriminantAnalysis(), "near": KNeighborsClassifier(1)}, X, y)
    linear = 2 * 4 / len(y)
    lda, near = (p.where(model=name) for name in ("lda", "near"))
    assert p.provenance.overfitting["near"] == 1
    error_rate = measures["error_rate"]
    assert widening(lda, error_rate) < 1.1 < 1.25 < widening(near, error_rate)
    assert widening_by_fit(lda, near) == widening_by_fit(near) == 1 + linear + 4 * (1 - linear)
    assert compare(p, measure="error_rate").parameters["widened"] == 1.3
    other = run({"other": LinearDiscriminantAnalysis()}, CLASSES[0][:, 3:6], y)
    for measure, factor in (("error_rate", widening_by_fit), ("brier", widening_of_linear)):
        assert compare(lda, other, measure).parameters["widened"] == factor(lda, other) < 1.1
    assert widening_of_linear(lda, other) == of_training(linear) < widening_by_fit(lda, other)
    assert widening_of_linear(lda, near) == np.inf
    assert compare(lda, other, "fbeta").parameters["widened"] == 1.3 * RATIO
    shown = {
        e.keys["model"]: e.interval.method
        for e in evaluate(p, "error_rate", estimate="fold_mean").estimates
    }
    assert "1.02 times" in shown["lda"] or "1.01 times" in shown["lda"]


def test_numbers_are_widened_by_what_follows_from_normal_errors():
    X, y = NUMBERS
    p = run({"line": LinearRegression()}, X[:100], y[:100])
    q = run({"near": KNeighborsRegressor(1)}, X[:100], y[:100])
    own, linear = p.provenance.overfitting["line"], 2 * (X.shape[1] + 1) / 100
    assert q.provenance.overfitting["near"] == 1
    assert widening(p, measures["mse"]) == of_training(max(own, linear))
    assert widening(q, measures["mae"]) == of_training(1.0)
    assert widening(p, measures["r2"]) == pytest.approx(
        min(1.25 / np.sqrt(1 - X.shape[1] / 100), widening_by_fit(p))
    )


class OnlyNewRows(ClassifierMixin, BaseEstimator):
    """Refuses to predict rows that it was fitted to."""

    def fit(self, X, y):
        self.classes_, self.known_ = np.unique(y), {row.tobytes() for row in X}
        return self

    def predict(self, X):
        if any(row.tobytes() in self.known_ for row in X):
            raise ValueError("I know this row.")
        return np.full(len(X), self.classes_[0])


def test_a_model_that_cannot_predict_its_own_rows_is_judged_all_the_same():
    p = run({"it": OnlyNewRows()}, *CLASSES)
    assert not p.provenance.failed
    assert not p.provenance.overfitting
    assert widening_by_fit(p) == np.inf


def test_nothing_is_found_where_samples_are_drawn_with_replacement():
    p = run("naive-bayes", *CLASSES, resampling="bootstrap(replicates=3)")
    assert not p.provenance.overfitting
