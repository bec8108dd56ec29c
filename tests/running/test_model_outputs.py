"""A model's label is what the model says, and what one model lacks is missing for that model alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

import credibly
from credibly.app.page_data import page_data
from credibly.decisions.cost_sensitive import ExpectedCostClassifier
from credibly.ensembles import combine
from credibly.resampling import folds

CANCER = load_breast_cancer(return_X_y=True)
SMALL = CANCER[0][::3, :6], CANCER[1][::3]
WHOLE = np.round(CANCER[0][::3, :3] / [4, 5, 30]), CANCER[1][::3]  # few values: ties abound


def own_labels(estimator, X, y, splits):
    """Fit as scikit-learn would, and ask the models themselves."""
    made = np.empty(len(y), y.dtype)
    for split in splits:
        made[split.test] = (
            clone(estimator).fit(X[split.train], y[split.train]).predict(X[split.test])
        )
    return made


DECIDING = {
    "costs": ExpectedCostClassifier(
        DecisionTreeClassifier(max_depth=3, random_state=0), {"fp": 10, "fn": 1}
    ),
    "threshold": make_pipeline(
        StandardScaler(), FixedThresholdClassifier(LogisticRegression(), threshold=0.9)
    ),
    "svm": make_pipeline(StandardScaler(), SVC(probability=True, random_state=0)),
    "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
    "forest": RandomForestClassifier(4, max_depth=2, random_state=0),
    "knn": KNeighborsClassifier(4),
    "weighted knn": KNeighborsClassifier(4, weights="distance"),
    "bayes": GaussianNB(),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "linear": make_pipeline(StandardScaler(), LinearSVC(random_state=0)),
}


@pytest.mark.daily
@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("name", DECIDING)
@pytest.mark.parametrize("data", [SMALL, WHOLE], ids=["small", "ties"])
@pytest.mark.parametrize("positive", [0, 1])
@pytest.mark.parametrize("exact_shortcuts", [True, False])
def test_labels_are_those_of_the_model(name, data, positive, exact_shortcuts):
    X, y = data
    splits = folds(k=5).realise(len(y), y, rng=1)
    p = credibly.run(
        {name: DECIDING[name]}, X, y, resampling=5, rng=1, positive=positive,
        exact_shortcuts=exact_shortcuts,
    )  # fmt: skip
    said = np.empty(len(y), y.dtype)
    said[p.row] = np.array(p.classes)[p.label]
    assert (said == own_labels(DECIDING[name], X, y, splits)).all()


def test_labels_that_are_not_the_most_probable_class_are_counted():
    p = credibly.run(
        {"costs": DECIDING["costs"], "tree": DECIDING["tree"]}, *SMALL, resampling=5, rng=1
    )
    (said,) = [f for f in p.findings if f.code == "labels-differ"]
    most = p.probability >= 0.5
    differ = int(((p.label == 1) != most)[p.model == "costs"].sum())
    assert differ > 0
    assert f"{differ} of {len(SMALL[1])}" in said.message
    assert "costs" in said.message
    assert "tree" not in said.message


MIXED = {
    "rf": RandomForestClassifier(10, random_state=0),
    "svm": LinearSVC(),
    "ridge": RidgeClassifier(),
}


def test_each_model_keeps_what_it_has():
    p = credibly.run({"rf": MIXED["rf"], "svm": SVC()}, *SMALL, resampling=5, rng=1)
    alone = credibly.run({"rf": MIXED["rf"]}, *SMALL, resampling=5, rng=1)
    parts = {k["model"]: part for k, part in p.groups(["model"])}
    assert parts["rf"].provides == ("label", "probability")
    assert parts["svm"].provides == ("label", "score")
    assert np.array_equal(parts["rf"].probability, alone.probability)
    table = credibly.evaluate(p, ["auc", "brier"], estimate="pooled")
    found = {(e.measure, e.keys["model"]): e for e in table.estimates}
    single = credibly.evaluate(alone, ["auc", "brier"], estimate="pooled")
    assert found["auc", "rf"].value == single["auc"].value
    assert found["brier", "rf"].value == single["brier"].value
    assert found["auc", "svm"].value > 0.5
    lacking = found["brier", "svm"]
    assert np.isnan(lacking.value)
    assert [f.code for f in lacking.findings] == ["missing-output"]
    assert "svm" in lacking.findings[0].message


def test_a_model_of_labels_alone_takes_nothing_from_others():
    p = credibly.run(
        {"rf": MIXED["rf"], "svm": SVC()}, *load_iris(return_X_y=True), resampling=3, rng=1
    )
    parts = {k["model"]: part for k, part in p.groups(["model"])}
    assert parts["svm"].provides == ("label",)
    assert parts["rf"].probability.shape == (150, 3)
    table = credibly.evaluate(p, "auc", estimate="pooled")
    values = {e.keys["model"]: e.value for e in table.estimates}
    assert values["rf"] > 0.9
    assert np.isnan(values["svm"])


class Hard(GaussianNB):
    """One that has labels and nothing else."""

    predict_proba = property()


@pytest.fixture(scope="module")
def mixed():
    models = {"rf": MIXED["rf"], "nb": GaussianNB(), "ridge": MIXED["ridge"], "hard": Hard()}
    return credibly.run(models, *SMALL, resampling=5, rng=1)


def left_out_of(result):
    return sorted(f.message.split()[0] for f in result.findings if f.code == "missing-output")


DOORS = {
    "curve of scores": (lambda p: credibly.curve("roc", p), ["hard"]),
    "curve of probabilities": (lambda p: credibly.curve("margin", p), ["hard", "ridge"]),
    "hull": (credibly.hull, ["hard"]),
    "compare": (lambda p: credibly.compare(p, measure="auc"), ["hard"]),
    "compare two": (lambda p: credibly.compare(p, measure="brier"), ["hard", "ridge"]),
    "decide": (lambda p: credibly.decide(p, {"fn": 5, "fp": 1}).table, ["hard", "ridge"]),
    "cost_benefit": (lambda p: credibly.cost_benefit(p, {"tp": -5, "fp": 1}).table, ["hard"]),
}


@pytest.mark.parametrize("door", DOORS)
def test_what_needs_more_than_a_model_has_leaves_that_model_out_and_says_so(door, mixed):
    make, expected = DOORS[door]
    assert left_out_of(make(mixed)) == expected


def test_other_doors_take_models_with_different_outputs(mixed):
    assert credibly.check(mixed).findings
    assert "hard" in credibly.report(mixed).markdown()
    assert [m["name"] for m in page_data(mixed)["models"]] == ["rf", "nb", "ridge"]
    made = combine(mixed, "vote")
    assert "ridge" in made.lacking("probability")


def test_two_models_of_which_one_lacks_the_output_are_not_compared(mixed):
    pair = mixed.take(np.isin(mixed.model, ["rf", "hard"]))
    with pytest.raises(credibly.CrediblyError, match="which hard lacks"):
        credibly.compare(pair, measure="auc")
    assert credibly.compare(pair).measure == "error_rate"


def test_what_reads_a_column_of_all_rows_names_the_models_that_lack_it(mixed):
    with pytest.raises(credibly.CrediblyError, match="probability, which hard, ridge lack"):
        mixed.need("probability", "this")
    with pytest.raises(credibly.CrediblyError, match="of one kind, which hard, ridge lack"):
        mixed.scores_of(1, "this")


@pytest.mark.parametrize("name", ["p.parquet", "p.csv", "p.jsonl"])
def test_saving_keeps_what_is_missing(name, mixed, tmp_path):
    credibly.save(mixed, tmp_path / name)
    again = credibly.read(tmp_path / name)
    assert again.fingerprint == mixed.fingerprint
    assert again.lacking("probability") == ("hard", "ridge")


def test_missing_in_some_rows_of_a_model_is_no_prediction():
    columns = {"model": list("aabb"), "label": [1, 0, 1, 0]}
    p = credibly.Predictions.of([1, 0, 1, 0], score=[0.5, None, None, None], **columns)
    assert p.gaps.tolist() == [False, True, False, False]
    assert p.lacking("score") == ("b",)
    parts = {k["model"]: part.provides for k, part in p.groups(["model"])}
    assert parts == {"a": ("label", "score"), "b": ("label",)}


def test_models_without_labels_are_not_undecided():
    p = credibly.Predictions.of(
        [1, 0, 1, 0],
        probability=[0.5, 0.2, None, None],
        score=[None, None, 3, 4],
        model=list("aabb"),
    )
    assert p.lacking("label") == ("b",)
    parts = [part.provides for _, part in p.groups(["model"])]
    assert parts == [("label", "probability"), ("score",)]
    assert not p.gaps.any()


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_labels_known_to_be_the_most_probable_class_are():
    """Of every classifier of scikit-learn that is asked only once."""
    from sklearn.utils import all_estimators

    from credibly.schemes.prediction import labels_most_probable

    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (120, 3)).astype(float), rng.integers(0, 3, 120)
    tried = 0
    for _, kind in all_estimators("classifier"):
        try:
            model = kind()
        except TypeError:  # it needs others
            continue
        if labels_most_probable(model):
            model.fit(X, y)
            tried += 1
            assert (model.predict(X) == model.classes_[model.predict_proba(X).argmax(axis=1)]).all()
    assert tried >= 5


def test_merging_keeps_what_each_model_has(mixed):
    alone = {k["model"]: part for k, part in mixed.groups(["model"])}
    made = credibly.merge(alone["rf"], alone["ridge"], alone["hard"])
    assert made.lacking("probability") == ("hard", "ridge")
    assert made.lacking("score") == ("hard", "rf")
    table = credibly.evaluate(made, "auc", estimate="pooled")
    values = {e.keys["model"]: e.value for e in table.estimates}
    before = credibly.evaluate(mixed, "auc", estimate="pooled")
    assert values["rf"] == pytest.approx(before.where(model="rf")[0].value, abs=1e-12)
    assert np.isnan(values["hard"])
    with pytest.raises(credibly.CrediblyError, match="Only one of these summaries has the column"):
        credibly.merge(alone["rf"], replace(alone["rf"], probability=None, cache={}))
