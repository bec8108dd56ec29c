"""How much less schemes err on rows that they were fitted to, as a run finds, and what follows from it."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from credibly import compare, evaluate, run
from credibly.comparisons.over_cases import RATIO_FACTOR
from credibly.intervals.widening import (
    CLASSIFICATION_FACTOR,
    of_choices,
    of_training,
    seen_choices,
    widening,
    widening_by_fit,
    widening_of_linear,
)
from credibly.measures import measures
from credibly.predictions.provenance import Provenance

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
    assert compare(lda, other, "fbeta").parameters["widened"] == 1.3 * RATIO_FACTOR
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


def stumps(n, columns, seed):
    """Return columns of which each says a little, and what they say: which one a stump cuts is chance."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, columns))
    return X, (X.sum(axis=1) + 2 * rng.standard_normal(n) > 0).astype(int)


def test_instability_is_the_jackknife_of_losses_between_models_of_folds():
    X, y = stumps(90, 3, 4)
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    p = run({"it": stump}, X, y, resampling="folds(k=6)", rng=1)
    fold = np.empty(len(y), int)
    fold[p.row] = p.fold
    losses, held = np.full((6, len(y)), np.nan), np.empty(len(y))
    for f in range(6):
        q = stump.fit(X[fold != f], y[fold != f]).predict_proba(X)[:, 1]
        losses[f, fold != f] = 2 * np.square(q - y)[fold != f]
        held[fold == f] = 2 * np.square(q - y)[fold == f]
    expected = 5 * np.mean([np.var(losses[fold[i] != np.arange(6), i]) for i in range(90)])
    assert p.provenance.instability["it"] == pytest.approx(expected / held.var())
    assert seen_choices(p) == pytest.approx(np.sqrt(1 + expected / held.var() / 2))
    # Folds that agree show nothing: two cuts that are as good are charged for.
    least = np.sqrt(1 + (6 - 1) / (np.pi * np.sqrt(2 * 6 - 3)))
    assert of_choices(p) == pytest.approx(max(seen_choices(p), least))
    assert widening(p, measures["error_rate"]) >= of_choices(p)


def test_models_of_a_bootstrap_of_holdouts_and_of_time_are_not_compared():
    X, y = stumps(60, 3, 4)
    for way in ("holdout", "bootstrap(replicates=3)", "time_ordered(k=3)"):
        assert not run("tree", X, y, resampling=way, rng=1).provenance.instability
    shown = run(["tree", "zero-r"], X, y, rng=1).provenance
    assert shown.instability.keys() <= {"tree", "zero-r"}
    assert shown.of("tree").instability.keys() == {"tree"}


def test_choices_that_change_between_folds_widen_limits_and_are_said():
    X, y = stumps(90, 5, 5)
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    p = run({"it": stump}, X, y, rng=1)
    times = seen_choices(p)
    assert times > CLASSIFICATION_FACTOR
    table = evaluate(p, ["error_rate", "auc"])
    (said,) = (f for f in table.all_findings() if f.code == "choices-change")
    assert f"{times:.2f}" in said.message
    assert "folds(k=10)" not in said.action
    assert all(f"{times:.3g} times" in table[m].interval.method for m in ("error_rate", "auc"))
    alone = evaluate(run({"it": stump}, X, y, resampling="leave_one_out"), "error_rate")
    (said,) = (f for f in alone.all_findings() if f.code == "choices-change")
    assert "folds(k=10)" in said.action
    other = run({"other": stump}, X[:, 2:] + X[:, :3] ** 3, y, rng=1)
    own, both = compare(p, other, "error_rate"), (p, other)
    wrong = [(q.label != q.truth).astype(float) for q in both]
    squares = [np.square(w - w.mean()).sum() for w in wrong]
    apart = wrong[0] - wrong[1]
    added = sum((of_choices(q) ** 2 - 1) * s for q, s in zip(both, squares, strict=True))
    expected = np.sqrt(1 + added / np.square(apart - apart.mean()).sum())
    assert own.parameters["widened"] == pytest.approx(
        max(expected, min(1.3, widening_by_fit(*both)))
    )


@pytest.mark.parametrize("k", [5, 10])
def test_the_variance_of_a_mean_over_folds_that_choose_is_as_derived(k):
    """Two choices as good as one another, in normal losses: the formula of `intervals.widening`, and half of the jackknife."""
    rng = np.random.default_rng(k)
    losses = rng.standard_normal((200_000, 2, k)) * np.sqrt(k)
    rest = losses.sum(axis=2, keepdims=True) - losses
    taken = rest.argmin(axis=1)
    value = np.take_along_axis(losses, taken[:, None], 1)[:, 0].mean(axis=1)
    grown = (k - 1) / (np.pi * np.sqrt(2 * k - 3))
    assert value.var() == pytest.approx(1 + grown, rel=0.01)
    apart = np.mean(taken[:, 0] != taken[:, 1])
    assert apart == pytest.approx(np.arccos((k - 2) / (k - 1)) / np.pi, rel=0.02)
    assert (k - 1) * apart / 2 == pytest.approx(grown, rel=0.06)


def test_what_a_model_says_of_its_own_rows_is_kept_and_told():
    """A single cut is said where folds agree on it; votes that may all be missing leave no log loss an interval."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(90, 3))
    y = (X[:, 0] + rng.normal(size=90) > 0).astype(int)
    schemes = {
        "cut": DecisionTreeClassifier(max_depth=1, random_state=0),
        "near": KNeighborsClassifier(1),
        "votes": KNeighborsClassifier(15),
        "line": LogisticRegression(),
    }
    p = run(schemes, X, y, rng=1, progress=False)
    made = p.provenance
    assert (made.different["cut"], made.different["near"], made.impossible) == (
        2,
        2,
        {"near": True},
    )
    table = evaluate(p, "log_loss", estimate="fold_mean")
    (said,) = (f for f in table.all_findings() if f.code == "one-choice")
    assert "(cut)" in said.message
    shown = evaluate(p.where(model="cut"), ["f1", "error_rate"])
    assert "a single cut" in shown["f1"].why_no_interval
    assert shown["error_rate"].interval is not None
    pair = {name: p.where(model=name) for name in ("cut", "line")}
    codes = [{f.code for f in compare(pair, m).findings} for m in ("f1", "error_rate")]
    assert ["one-choice" in each for each in codes] == [True, False]
    why = {str(e.keys["model"]): e.why_no_interval for e in table.estimates}
    assert "steps of 1/15" in why["votes"]
    assert not why["line"]
    again = Provenance.from_json(made.to_json())
    assert (again.different, again.impossible) == (made.different, made.impossible)
    trained = replace(p.where(model="line"), provenance=replace(made, impossible={"line": True}), cache={})  # fmt: skip
    assert (
        "fitted to"
        in evaluate(trained, "log_loss", estimate="fold_mean")["log_loss"].why_no_interval
    )
    assert evaluate(trained, "log_loss(clip=0.001)", estimate="fold_mean").estimates[0].interval
