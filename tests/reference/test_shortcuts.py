"""Exact shortcuts against what they spare: a fit for every split."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from sklearn.base import clone
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from credibly import _kernels
from credibly.resampling import as_resampling
from credibly.running.shortcuts import _problem, shortcut_for, shortcuts
from credibly.schemes import FullBayes, outputs
from examples import examples

EQUAL = 1e-10

NUMBERS = [
    LinearRegression(),
    LinearRegression(fit_intercept=False),
    Ridge(alpha=2.5),
    Ridge(alpha=50, fit_intercept=False, solver="auto"),
    KNeighborsRegressor(n_neighbors=3),
    KNeighborsRegressor(weights="distance"),
    DummyRegressor(),
]
CLASSES = [
    GaussianNB(),
    GaussianNB(var_smoothing=0.1),
    LinearDiscriminantAnalysis(),
    LinearDiscriminantAnalysis(solver="lsqr"),
    QuadraticDiscriminantAnalysis(),
    FullBayes(),
    FullBayes(unbiased=True),
    KNeighborsClassifier(n_neighbors=4),
    KNeighborsClassifier(weights="distance", p=1),
    KNeighborsClassifier(algorithm="brute", metric="euclidean"),
    DummyClassifier(),
]
RESAMPLINGS = ["leave_one_out", "folds(k=4, repeats=3)", "folds(k=31)", "nested_cv(k=9, repeats=1)"]


def data(n=93, d=4, k=3, seed=0):
    """Return columns, class labels and numbers; the classes are text, and not in order of size."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, k, n)
    X = rng.normal(size=(n, d)) + rng.normal(size=(k, d))[codes] * 1.5
    X[:, 0] = 20 * X[:, 0] + 300
    return (
        X,
        np.array(["rye", "oats", "barley"])[codes],
        X @ rng.normal(size=d) + rng.normal(size=n),
    )


def classes_of(y):
    return None if y.dtype.kind == "f" else sorted(set(y.tolist()))


def predicted(output):
    return output.value if output.probability is None else output.probability


def answers_of(estimator, X, y, resampling="leave_one_out"):
    splits = as_resampling(resampling).realise(len(X), rng=1)
    run, why_not = shortcut_for(estimator, splits, X, y, classes_of(y))
    assert run is not None, why_not
    return run(), splits


def check_equal(estimator, X, y, resampling):
    """Compare every split that the shortcut vouches for, and return which it leaves to refitting."""
    answers, splits = answers_of(estimator, X, y, resampling)
    scale = np.abs(y).max() if y.dtype.kind == "f" else 1
    start = 0
    for split, refit in zip(splits, answers.refit, strict=True):
        part = slice(start, start := start + split.test.size)
        if not refit:
            model = clone(estimator).fit(X[split.train], y[split.train])
            truth = predicted(outputs(model, X[split.test], classes_of(y)))
            assert np.abs(predicted(answers.output)[part] - truth).max() <= EQUAL * scale
    return answers.refit


@pytest.mark.daily
@pytest.mark.parametrize("resampling", RESAMPLINGS)
@pytest.mark.parametrize("estimator", NUMBERS + CLASSES, ids=str)
def test_equals_refitting(estimator, resampling):
    X, labels, numbers = data()
    y = numbers if estimator in NUMBERS else labels
    if "lsqr" in str(estimator):
        X = (X - X.mean(axis=0)) / X.std(axis=0)  # it does neither, and may lose digits
    assert not check_equal(estimator, X, y, resampling).any()


def test_labels_are_those_of_refitting():
    X, y, _ = data()
    for estimator in CLASSES:
        answers, splits = answers_of(estimator, X, y)
        for i in np.flatnonzero(~answers.refit)[::7]:
            model = clone(estimator).fit(X[splits[i].train], y[splits[i].train])
            assert outputs(model, X[[i]], classes_of(y)).label == answers.output.label[i]


@examples(30)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(8, 40),
    d=st.integers(1, 5),
    spoil=st.sampled_from(["", "rounded", "dependent", "scaled", "shifted", "outlier", "repeated"]),
    resampling=st.sampled_from(["leave_one_out", "folds(k=3, repeats=2)"]),
    estimator=st.sampled_from(range(len(NUMBERS + CLASSES))),
)
def test_never_vouches_for_anything_else(seed, n, d, spoil, resampling, estimator):
    """Whatever is spoilt, a split is either equal to refitting or left to it."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    if spoil == "rounded":
        X = np.round(X)
    if spoil == "dependent":
        X[:, 0] = X[:, -1] + 10.0 ** rng.uniform(-9, 0) * X[:, 0]
    if spoil == "scaled":
        X = X * 10.0 ** rng.uniform(-4, 4, d)
    if spoil == "shifted":
        X = X + 10.0 ** rng.uniform(0, 7)
    if spoil == "outlier":
        X[0] *= 10.0 ** rng.uniform(1, 6)
    if spoil == "repeated":
        X[: n // 2] = X[0]
    chosen = (NUMBERS + CLASSES)[estimator]
    labels = np.array(["rye", "oats", "barley"])[rng.integers(0, 3, n)]
    numbers = X.sum(axis=1) / np.abs(X).max() + rng.normal(size=n)
    y = numbers if chosen in NUMBERS else labels
    check_equal(chosen, X, y, resampling)


@pytest.mark.parametrize("estimator", [LinearRegression(), Ridge(alpha=2.5)], ids=str)
def test_compiled_systems_equal_refitting(monkeypatch, estimator):
    monkeypatch.setattr(_kernels, "COMPILE_FROM", 0)
    X, _, y = data(d=25)
    assert not check_equal(estimator, X, y, "nested_cv(k=9, repeats=2)").any()
    X[:40, 0] = X[:40, 1]
    X[40:, 0] = X[40:, 1] + np.r_[np.zeros(52), 1]  # one case tells two columns apart
    refit = check_equal(estimator, X, y, "nested_cv(k=9, repeats=2)")
    assert refit.any() == isinstance(estimator, LinearRegression)


def test_batches_do_not_change_anything(monkeypatch):
    X, y, _ = data()
    for estimator in (
        GaussianNB(),
        KNeighborsClassifier(n_neighbors=4),
        LinearDiscriminantAnalysis(),
    ):
        whole, _ = answers_of(estimator, X, y, "folds(k=4, repeats=3)")
        monkeypatch.setattr(_problem, "BATCH_NUMBERS", 100)
        monkeypatch.setattr(_problem, "CACHED_NUMBERS", 100)
        cut, _ = answers_of(estimator, X, y, "folds(k=4, repeats=3)")
        monkeypatch.undo()
        assert np.array_equal(whole.output.probability, cut.output.probability)


def test_frames_and_given_splits_are_taken():
    X, _, y = data()
    frame = pd.DataFrame(X, columns=list("abcd"))
    splits = as_resampling("folds(k=5)").realise(len(X), rng=1)
    pairs = as_resampling([(s.train, s.test) for s in splits]).realise(len(X))
    ours = shortcut_for(LinearRegression(), splits, X, y)[0]().output.value
    assert np.array_equal(shortcut_for(LinearRegression(), pairs, frame, y)[0]().output.value, ours)


# --- what is left to refitting ----------------------------------------------------------------


def refused(estimator, X, y, resampling="leave_one_out", **more):
    """Return the reason of a shortcut that serves no split at all."""
    splits = as_resampling(resampling).realise(len(X), rng=1)
    run, why_not = shortcut_for(estimator, splits, X, y, classes_of(y), **more)
    if run is not None:
        answers = run()
        assert answers.refit.all()
        return answers.why
    return why_not


class Lookalike(LinearRegression):
    """A subclass, which may predict anything."""


@pytest.mark.parametrize(
    ("estimator", "why"),
    [
        (Lookalike(), "no shortcut for Lookalike"),
        (LinearRegression(positive=True), "positive=True is set"),
        (Ridge(solver="sag"), "solver='sag' is set"),
        (Ridge(alpha=np.array([1.0])), "one penalty per target"),
        (KNeighborsRegressor(metric="chebyshev"), "metric='chebyshev' is set"),
        (KNeighborsRegressor(weights=lambda d: 1 / (1 + d)), "weights are a function"),
        (DummyRegressor(strategy="median"), "strategy='median' is set"),
    ],
    ids=lambda part: part if isinstance(part, str) else type(part).__name__,
)
def test_unknown_parameters_are_refused(estimator, why):
    X, _, y = data()
    assert why in refused(estimator, X, y)


@pytest.mark.parametrize(
    ("estimator", "why"),
    [
        (GaussianNB(priors=[0.2, 0.3, 0.5]), "priors=[0.2, 0.3, 0.5] is set"),
        (LinearDiscriminantAnalysis(solver="eigen"), "solver='eigen' is set"),
        (LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1), "shrinkage=0.1 is set"),
        (QuadraticDiscriminantAnalysis(reg_param=0.1), "reg_param=0.1 is set"),
        (DummyClassifier(strategy="uniform", random_state=0), "strategy='uniform' is set"),
    ],
    ids=str,
)
def test_unknown_parameters_of_classifiers_are_refused(estimator, why):
    X, y, _ = data()
    assert why in refused(estimator, X, y)


def test_what_the_columns_must_be():
    X, _, y = data()
    gap = X.copy()
    gap[3, 1] = np.nan
    line = LinearRegression()
    assert "not all finite" in refused(line, gap, y)
    assert "not all finite" in refused(line, pd.DataFrame({"t": ["a", "b"] * 46 + ["c"]}), y)
    assert "double precision" in refused(line, X.astype(np.float32), y)
    assert "several columns" in refused(line, X, np.column_stack([y, y]))
    assert "weights" in refused(line, X, y, sample_weight=np.ones(len(y)))


def test_what_the_splits_must_be():
    X, _, y = data()
    assert "not all that is not tested" in refused(
        LinearRegression(), X, y, "bootstrap(replicates=3)"
    )
    half = as_resampling([(np.arange(40), np.arange(40, 60))]).realise(len(X))
    assert shortcut_for(LinearRegression(), half, X, y)[0] is None


def test_dependent_columns_are_refitted():
    X, _, y = data()
    double = np.column_stack([X, X[:, 0] + X[:, 1]])
    assert "dependent" in refused(LinearRegression(), double, y)
    assert "dependent" in refused(LinearRegression(), X[:4], y[:4])
    assert not answers_of(Ridge(alpha=1e3), double, y)[0].refit.any()


def test_a_column_that_one_case_makes_is_refitted_for_that_case():
    X, _, y = data()
    X[:, 1] = 0
    X[17, 1] = 1
    answers, _ = answers_of(LinearRegression(), X, y)
    assert np.flatnonzero(answers.refit).tolist() == [17]
    assert "dependent" in answers.why


def test_singular_scatter_is_refitted():
    X, y, _ = data()
    double = np.column_stack([X, X[:, 0] - X[:, 1]])
    for estimator in (LinearDiscriminantAnalysis(), FullBayes(), QuadraticDiscriminantAnalysis()):
        assert "singular" in refused(estimator, double, y)
    flat = X.copy()
    flat[:, 2] = np.where(y == "rye", 1.0, 2.0)
    assert "singular" in refused(LinearDiscriminantAnalysis(), flat, y)
    assert "singular" in refused(FullBayes(), flat, y)


def test_scatter_below_the_tolerance_of_the_estimator_is_refitted():
    """Quadratic discriminants refuse an eigenvalue below `tol`, linear ones drop directions."""
    X, y, _ = data()
    small = X.copy()
    small[:, 1] *= 1e-3
    assert "singular" in refused(QuadraticDiscriminantAnalysis(), small, y)
    assert not answers_of(FullBayes(), small, y)[0].refit.any()
    in_line = X + np.outer(
        np.where(y == "rye", 1.0, np.where(y == "oats", 2.0, 3.0)), [1e6, 0, 0, 0]
    )
    assert "singular" in refused(LinearDiscriminantAnalysis(), in_line, y)


def test_a_class_with_one_case_is_refitted_when_that_case_is_tested():
    X, y, _ = data()
    y = y.copy()
    y[y == "oats"] = "rye"
    y[5] = "oats"
    for estimator in (GaussianNB(), DummyClassifier()):
        refit = check_equal(estimator, X, y, "leave_one_out")
        assert refit[5]
        assert refit.sum() < 10 or isinstance(estimator, GaussianNB)
    assert "singular" in refused(FullBayes(), X, y)


def test_ties_at_the_last_neighbour_are_refitted():
    X = np.array([[0.0], [1], [2], [4], [8], [16]])
    y = np.array(["a", "b", "a", "b", "a", "b"])
    answers, _ = answers_of(KNeighborsClassifier(n_neighbors=1), X, y)
    assert np.flatnonzero(answers.refit).tolist() == [1]  # 0 and 2 are equally far from 1
    assert "equally far" in answers.why
    assert answers_of(KNeighborsClassifier(n_neighbors=6), X, y)[0].refit.all()


def test_neighbours_in_large_test_parts_are_refitted_unless_repeats_share_them():
    X, y, _ = data()
    one = KNeighborsClassifier(n_neighbors=3)
    assert "costs the same" in refused(one, X, y, "folds(k=3)")
    assert not answers_of(one, X, y, "folds(k=3, repeats=5)")[0].refit.all()


def test_columns_far_from_zero_are_refitted():
    X, y, _ = data()
    assert "mean is very large" in refused(GaussianNB(), X + 1e8, y)


def test_equal_classes_are_refitted():
    """Where two classes mirror each other, rounding would choose the label."""
    X = np.array([[-3.0], [-2], [-1], [0], [1], [2], [3]])
    y = np.array(["a", "a", "a", "c", "b", "b", "b"])
    answers, _ = answers_of(LinearDiscriminantAnalysis(), X, y)
    assert answers.refit[3]


def test_every_shortcut_serves_classes_that_are_compared_with_refitting():
    from importlib import import_module

    compared = {type(estimator) for estimator in NUMBERS + CLASSES}
    for each in shortcuts:
        assert each.doc
        for name in each.applies_to:
            home, _, class_name = name.rpartition(".")
            served = getattr(import_module(home), class_name)
            where = "NUMBERS or CLASSES of tests/reference/test_shortcuts.py"
            assert served in compared, f"Add a {class_name} to {where}."
