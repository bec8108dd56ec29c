"""What is asked of a fitted estimator, and how it is said."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, VotingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from credibly import DataError, ParameterError
from credibly.schemes import fitted, outputs

X = np.array([[0.0], [1], [2], [3], [4], [5]])
TWO = np.array(["no", "no", "yes", "no", "yes", "yes"])
THREE = np.array(["a", "a", "b", "b", "c", "c"])


def test_probabilities_first():
    out = outputs(GaussianNB().fit(X, TWO), X, ["no", "yes"])
    assert out.source == "probability"
    assert out.probability.shape == (6, 2)
    assert out.label.tolist() == GaussianNB().fit(X, TWO).predict(X).tolist()


def test_classes_that_the_training_part_lacks_get_none():
    model = GaussianNB().fit(X[2:], THREE[2:])
    out = outputs(model, X, ["a", "b", "c"])
    assert (out.probability[:, 0] == 0).all()
    assert np.array_equal(out.probability[:, 1:], model.predict_proba(X))


def test_columns_follow_the_order_of_the_classes():
    model = GaussianNB().fit(X, TWO)
    out = outputs(model, X, ["yes", "no"])
    assert np.array_equal(out.probability, model.predict_proba(X)[:, ::-1])


def test_a_score_of_two_classes_is_about_the_second():
    model = SVC().fit(X, TWO)
    out = outputs(model, X, ["no", "yes"])
    assert out.source == "decision_function"
    assert np.array_equal(out.score, model.decision_function(X))
    assert out.label.tolist() == model.predict(X).tolist()
    turned = outputs(model, X, ["yes", "no"])
    assert np.array_equal(turned.score, -out.score)
    assert turned.label.tolist() == out.label.tolist()


def test_scores_of_more_classes_are_no_probabilities():
    out = outputs(LinearSVC().fit(X, THREE), X, ["a", "b", "c"])
    assert out.source == "label"
    assert out.probability is None
    assert out.score is None
    absent = outputs(LinearSVC().fit(X[2:], THREE[2:]), X, ["a", "b", "c"])
    assert absent.source == "label"


@pytest.mark.parametrize("in_a_pipeline", [False, True])
def test_votes_are_shared(in_a_pipeline):
    voters = [("t", DecisionTreeClassifier()), ("k", KNeighborsClassifier(1)), ("g", GaussianNB())]
    vote = VotingClassifier([*voters, ("x", "drop")], voting="hard", weights=[1, 1, 2, 9])
    model = (make_pipeline(StandardScaler(), vote) if in_a_pipeline else vote).fit(X, THREE)
    out = outputs(model, X, ["a", "b", "c"])
    assert out.source == "votes"
    assert np.allclose(out.probability.sum(axis=1), 1)
    assert set(np.round(4 * out.probability).ravel()) <= {0, 1, 2, 3, 4}
    alike = [(name, e) for name, e in voters]
    plain = VotingClassifier(alike, voting="hard").fit(X, THREE)
    assert outputs(plain, X, ["a", "b", "c"]).label.tolist() == plain.predict(X).tolist()


def test_labels_last():
    class Bare:
        def predict(self, X):
            return np.full(len(X), "yes")

    out = outputs(Bare(), X, ["no", "yes"])
    assert out.source == "label"
    assert out.label.tolist() == ["yes"] * 6


def test_numbers_without_classes():
    out = outputs(LinearRegression().fit(X, X.ravel()), X)
    assert out.source == "value"
    assert np.allclose(out.value, X.ravel())


def test_weights_reach_the_last_step():
    weight = np.array([1.0, 1, 1, 1, 1, 9])
    alone = fitted("line", LinearRegression(), X, X.ravel() ** 2, weight)
    piped = make_pipeline(StandardScaler(), LinearRegression())
    both = fitted("line", piped, X, X.ravel() ** 2, weight)
    assert np.allclose(alone.predict(X), both.predict(X))
    assert not np.allclose(alone.predict(X), LinearRegression().fit(X, X.ravel() ** 2).predict(X))
    with pytest.raises(ParameterError, match="knn cannot be fitted with weights"):
        fitted("knn", KNeighborsClassifier(), X, TWO, weight)


def test_a_given_estimator_is_not_fitted_itself():
    given = GaussianNB()
    fitted("mine", given, X, TWO)
    assert not hasattr(given, "classes_")


@pytest.mark.parametrize("kind", [pd.DataFrame, lambda c: np.array(list(c.values()), object).T])
def test_text_in_an_estimator_of_numbers_names_scheme_and_columns(kind):
    frame = kind({"age": [1, 2, 3, 4], "town": ["Bern", "Rome", "Bern", "Rome"]})
    name = "town" if isinstance(frame, pd.DataFrame) else "column 1"
    with pytest.raises(DataError, match=f"mine takes numbers only, and {name} holds text"):
        fitted("mine", LogisticRegression(), frame, [0, 1, 0, 1])


def test_categories_that_an_estimator_takes_are_not_called_text():
    town, grade = ["Bern", "Rome"] * 20, pd.Categorical(["a", "b", "b", "a"] * 10)
    frame = pd.DataFrame({"town": town, "grade": grade, "age": np.arange(40)})
    y = np.arange(40) % 2
    forest = HistGradientBoostingClassifier(categorical_features="from_dtype", max_iter=2)
    assert fitted("mine", forest, frame[["grade", "age"]], y).n_iter_ == 2
    with pytest.raises(
        DataError, match="mine does not take all columns: town holds text; grade holds categories"
    ):
        fitted("mine", forest, frame, y)
    with pytest.raises(DataError, match="mine takes numbers only, and grade holds categories"):
        fitted("mine", LogisticRegression(), frame[["grade", "age"]], y)


def test_other_errors_of_an_estimator_pass_through():
    with pytest.raises(ValueError, match="n_neighbors"):
        fitted("mine", KNeighborsClassifier(0), X, TWO)
