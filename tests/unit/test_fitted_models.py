"""Fitted models of scikit-learn: their predictions, joined by name, and measures as scorers."""

import pickle
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from sklearn import metrics
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from credibly import (
    DataError,
    ParameterError,
    Predictions,
    calibration,
    check,
    compare,
    cost_benefit,
    decide,
    evaluate,
    plot,
    read,
    report,
    save,
    scorer,
)
from credibly.measures import measures

Y = np.arange(90) % 3
X = np.random.default_rng(3).normal(Y[:, None], 1, (90, 2))
TWO = np.where(Y == 0, "cat", "dog")
FIT, TEST = slice(0, 60), slice(60, 90)


def auc_of(p):
    return evaluate(p, "auc")["auc"].value


def test_a_threshold_makes_the_labels():
    X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
    model = LogisticRegression().fit(X, y)
    low = Predictions.from_estimator(model, X, y, threshold=0.01)
    assert low.label.tolist() == [1, 1, 1, 1]


def test_probabilities_and_labels_are_those_of_the_model():
    model = LogisticRegression().fit(X[FIT], Y[FIT])
    p = Predictions.from_estimator(model, X[TEST], Y[TEST])
    np.testing.assert_array_equal(p.probability, model.predict_proba(X[TEST]))
    np.testing.assert_array_equal(p.label, model.predict(X[TEST]))


@pytest.mark.parametrize("model", [LogisticRegression(), LinearSVC()])
def test_the_second_class_is_positive_and_said_unless_one_is_named(model):
    model.fit(X[FIT], TWO[FIT])
    p = Predictions.from_estimator(model, X[TEST], TWO[TEST])
    assert p.classes[p.positive] == "dog"
    assert [f.code for f in p.findings] == ["positive-class"]
    expected = metrics.roc_auc_score(TWO[TEST] == "dog", model.decision_function(X[TEST]))
    assert auc_of(p) == pytest.approx(expected)
    cat = Predictions.from_estimator(model, X[TEST], TWO[TEST], pos_label="cat")
    assert (cat.classes[cat.positive], cat.findings) == ("cat", ())
    assert auc_of(cat) == pytest.approx(expected)


def test_numbers_pipelines_searches_and_classes_that_training_lacked():
    numbers = Predictions.from_estimator(LinearRegression().fit(X, X[:, 0]), X, X[:, 0])
    assert numbers.task == "numeric"
    search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}, cv=2).fit(X, Y)
    assert Predictions.from_estimator(search, X, Y).provides == ("label", "probability")
    model = GaussianNB().fit(X[Y < 2], Y[Y < 2])
    p = Predictions.from_estimator(model, X, Y)
    assert p.classes == (0, 1, 2)
    assert not p.probability[:, 2].any()
    with pytest.raises(ParameterError, match=r"GaussianNB is not fitted\. Call \.fit"):
        Predictions.from_estimator(GaussianNB(), X, Y)


def test_several_models_by_name_lack_what_they_lack():
    models = {"svc": LinearSVC(), "tree": DecisionTreeClassifier(max_depth=2)}
    for model in models.values():
        model.fit(X[FIT], TWO[FIT])
    p = Predictions.from_estimator(models, X[TEST], TWO[TEST], positive="dog")
    assert p.lacking("probability") == ("svc",)
    assert p.lacking("score") == ("tree",)
    alone = Predictions.from_estimator(models["tree"], X[TEST], TWO[TEST], positive="dog")
    (same,) = evaluate(p, "accuracy").where(model="tree")
    assert same.value == evaluate(alone, "accuracy")["accuracy"].value
    assert compare(p, measure="accuracy").names == ("svc", "tree")


def test_cases_are_matched_by_row_and_others_refused():
    a = Predictions.of([1, 0, 1], [1, 0, 0], row=["x", "y", "z"])
    b = Predictions.of([1, 1, 0], [1, 1, 1], row=["z", "x", "y"])
    both = Predictions.joined({"a": a, "b": b})
    assert not both.findings or both.findings == a.findings
    by_place = Predictions.joined({"a": a, "b": Predictions.of([1, 0, 1], [1, 0, 0])})
    assert "aligned-by-position" in [f.code for f in by_place.findings]
    assert [e.value for e in evaluate(both, "accuracy").estimates] == pytest.approx([2 / 3, 2 / 3])
    for other, said in [
        (Predictions.of([1, 0], [1, 0]), "a has 3 rows and b 2 rows"),
        (Predictions.of([1, 0, 0], [1, 0, 0], row=["x", "y", "z"]), "not for the same cases.*z"),
        (Predictions.of([1.5, 0, 0], [1, 0, 0]), "differ in task"),
        (
            Predictions.of([1, 0, 1], [1, 0, 0], fold=[1, 1, 2]),
            "b has the column fold, which a lacks",
        ),
    ]:
        with pytest.raises(DataError, match=said):
            Predictions.joined({"a": a, "b": other})
    with pytest.raises(DataError, match="already holds"):
        Predictions.joined({"one": both})
    with pytest.raises(ParameterError, match="no models"):
        Predictions.joined({})


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("auc", "roc_auc_ovr"),
        ("accuracy", "accuracy"),
        ("log_loss", "neg_log_loss"),
        ("f1", "f1_macro"),
    ],
)
def test_scorers_agree_with_those_of_scikit_learn(name, theirs):
    both = {"ours": scorer(name), "theirs": theirs}
    found = cross_validate(GaussianNB(), X, Y, cv=3, scoring=both)
    np.testing.assert_allclose(found["test_ours"], found["test_theirs"])


def test_a_scorer_is_the_measure_with_the_sign_that_scikit_learn_wants():
    model = LinearRegression().fit(X, X[:, 0] + Y)
    p = Predictions.from_estimator(model, X, X[:, 0] + Y)
    assert scorer("mse")(model, X, X[:, 0] + Y) == -measures["mse"](p)
    assert pickle.loads(pickle.dumps(scorer("mse"))) == scorer("mse")
    search = GridSearchCV(
        DecisionTreeClassifier(), {"max_depth": [1, 3]}, scoring=scorer("kappa"), cv=3
    )
    assert search.fit(X, Y).best_score_ > 0
    with pytest.raises(ParameterError, match="no better direction"):
        scorer(next(m.name for m in measures if m.direction == "neither"))


def test_verbs_take_models_by_name_and_evaluate_datasets_too(tmp_path):
    y, rng = np.arange(40) % 2, np.random.default_rng(1)
    models = {n: Predictions.of(y, probability=rng.random(40), row=range(40)) for n in "ab"}
    both = Predictions.joined(models)
    costs = {"fn": 5, "fp": 1}
    for verb in (partial(decide, costs=costs), partial(cost_benefit, costs=costs), check, compare):
        assert str(verb(models)) == str(verb(both))
    assert list(report(models).to_dict()) == list(report(both).to_dict())
    assert plot(models, "roc").spec() == plot(both, "roc").spec()
    assert read(save(models, tmp_path / "p.parquet")).fingerprint == both.fingerprint
    assert str(calibration(models)) == str(calibration(both))
    table = evaluate(models, "auc")
    assert "taken-as-models" in [f.code for f in table.findings]
    assert table.estimates == evaluate(both, "auc").estimates
    assert {e.keys["model"] for e in table} == {"a", "b"}
    numbered = {n: replace(p, row=p.row + 40 * (n == "b")) for n, p in models.items()}
    table = evaluate(numbered, "auc")
    assert table.where(dataset="mean over datasets")
    assert "same-cases" not in [f.code for f in table.findings]
    unlike = {"a": models["a"], "b": replace(models["b"], fold=np.arange(40) % 5)}
    assert "same-cases" in [f.code for f in evaluate(unlike, "auc", estimate="pooled").findings]
    apart = {"a": models["a"], "b": Predictions.of(1 - y, probability=rng.random(40))}
    assert "same-cases" not in [f.code for f in evaluate(apart, "auc").findings]
