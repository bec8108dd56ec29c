"""Displays that scikit-learn's users know how to call."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.svm import LinearSVC

import credibly
from credibly import ParameterError, Predictions
from credibly.plots import CostCurveDisplay, GainsDisplay, HullDisplay, LiftDisplay

X, Y = make_classification(120, random_state=1)
MODEL = LogisticRegression().fit(X, Y)
EVERY = [LiftDisplay, GainsDisplay, CostCurveDisplay, HullDisplay]


@pytest.mark.parametrize("display", EVERY)
def test_ways_to_make_one_agree(display):
    import matplotlib.pyplot as plt

    ax = plt.figure().subplots()
    score = MODEL.predict_proba(X)[:, 1]
    given = display.from_predictions(Y, score, ax=ax)
    asked = display.from_estimator(MODEL, X, Y)
    assert given.ax_ is ax
    assert given.figure_ is ax.figure
    assert asked.ax_ is not ax
    for side in ("x", "y") if display is not HullDisplay else ("slopes",):
        np.testing.assert_array_equal(getattr(given.result_, side), getattr(asked.result_, side))
    again = plt.figure().subplots()
    assert given.plot(again).ax_ is again


@pytest.mark.parametrize("display", EVERY)
def test_of_cross_validation(display):
    kept = {"return_estimator": True, "return_indices": True}
    results = cross_validate(LogisticRegression(), X, Y, cv=3, **kept)
    shown = display.from_cv_results(results, X, Y)
    assert shown.figure_ is not None
    if display is not HullDisplay:
        assert list(shown.result_) == [0, 1, 2]
    with pytest.raises(ParameterError, match="return_estimator=True"):
        display.from_cv_results({"test_score": [1]}, X, Y)


def test_curves_are_those_of_the_library():
    score = MODEL.predict_proba(X)[:, 1]
    expected = credibly.curve("lift", Predictions.of(Y, score=score))
    np.testing.assert_array_equal(LiftDisplay.from_estimator(MODEL, X, Y).result_.y, expected.y)


def test_the_other_class_may_be_positive():
    words = np.where(Y, "yes", "no")
    model = LinearSVC(random_state=1).fit(X, words)
    one = GainsDisplay.from_estimator(model, X, words, pos_label="no")
    other = GainsDisplay.from_predictions(words, -model.decision_function(X), pos_label="no")
    np.testing.assert_array_equal(one.result_.y, other.result_.y)


def test_more_than_two_classes_are_refused():
    model = LogisticRegression().fit(X, np.arange(120) % 3)
    with pytest.raises(ParameterError, match="has 3"):
        LiftDisplay.from_estimator(model, X, Y)


def test_weights_count():
    weight = np.where(Y, 2.0, 1.0)
    score = MODEL.predict_proba(X)[:, 1]
    shown = GainsDisplay.from_predictions(Y, score, sample_weight=weight)
    expected = credibly.curve("gains", Predictions.of(Y, score=score, sample_weight=weight))
    np.testing.assert_array_equal(shown.result_.x, expected.x)
