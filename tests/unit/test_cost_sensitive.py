"""Estimators that learn by costs: scikit-learn's contract, and what each is for."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from credibly import CostMatrix, DataError, ParameterError
from credibly.decisions.cost_sensitive import (
    CostResampledClassifier,
    CostWeightedClassifier,
    ExpectedCostClassifier,
    MetaCostClassifier,
    ThresholdClassifier,
    class_weights,
    cost_weighted_roc,
)

COSTS = {"fn": 10, "fp": 1}
EVERY = [
    CostWeightedClassifier(GaussianNB()),
    CostResampledClassifier(GaussianNB(), random_state=0),
    ExpectedCostClassifier(GaussianNB()),
    MetaCostClassifier(GaussianNB(), n_estimators=3, random_state=0),
    ThresholdClassifier(GaussianNB(), cv=2, random_state=0),
]


@pytest.mark.daily
@parametrize_with_checks(EVERY)
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(1)
    y = (rng.random(2000) < 0.3).astype(int)
    X = rng.normal(1.2 * y[:, None], 1, (2000, 3))
    return X[:1000], y[:1000], X[1000:], y[1000:]


def cost(model, data):
    X, y, X_test, y_test = data
    label = model.fit(X, y).predict(X_test)
    return 10 * ((y_test == 1) & (label == 0)).mean() + ((y_test == 0) & (label == 1)).mean()


@pytest.mark.parametrize(
    "make",
    [
        lambda: CostWeightedClassifier(costs=COSTS),
        lambda: CostResampledClassifier(costs=COSTS, random_state=0),
        lambda: ExpectedCostClassifier(costs=COSTS),
        lambda: MetaCostClassifier(costs=COSTS, random_state=0),
        lambda: ThresholdClassifier(costs=COSTS, random_state=0),
        lambda: ThresholdClassifier(LinearSVC(), costs=COSTS, random_state=0),
    ],
)
def test_each_costs_less_than_a_learner_that_knows_no_costs(make, data):
    assert cost(make(), data) < 0.75 * cost(LogisticRegression(), data)


def test_weights_of_two_classes_are_the_costs_of_their_mistakes():
    weights = class_weights({"fn": 5, "fp": 1}, [0, 1], [70, 30])
    assert weights[1] / weights[0] == pytest.approx(5)
    assert weights @ [70, 30] == pytest.approx(100)


def test_weights_of_several_classes_are_tings():
    """Rows sum to 3, 8 and 1; by hand over 10, 20 and 30 cases: 60 / (30 + 160 + 30)."""
    costs = CostMatrix.of([[0, 1, 2], [3, 0, 5], [1, 0, 0]], list("abc"))
    assert class_weights(costs, list("abc"), [10, 20, 30]).tolist() == pytest.approx(
        [3 * 60 / 220, 8 * 60 / 220, 60 / 220]
    )


def test_a_benefit_for_being_right_counts_against_the_mistake():
    assert class_weights({"tp": -9, "fn": 1, "fp": 1}, [0, 1], [1, 1])[1] == pytest.approx(20 / 11)


def test_weighting_is_fitting_repeated_cases(data):
    X, y, X_test, _ = data
    model = CostWeightedClassifier(GaussianNB(), costs={"fn": 3, "fp": 1}).fit(X, y)
    copies = np.where(y == 1, 3, 1)
    repeated = GaussianNB().fit(np.repeat(X, copies, axis=0), np.repeat(y, copies))
    np.testing.assert_allclose(
        model.predict_proba(X_test), repeated.predict_proba(X_test), rtol=1e-9
    )


def test_expected_costs_move_the_threshold(data):
    X, y, X_test, _ = data
    model = ExpectedCostClassifier(costs=COSTS).fit(X, y)
    chance = model.predict_proba(X_test)[:, 1]
    assert model.predict(X_test).tolist() == (chance >= 1 / 11).astype(int).tolist()


def test_resampling_serves_learners_without_weights(data):
    X, y, _, _ = data
    with pytest.raises(ValueError, match=r"does not take weights\. Use CostResampledClassifier"):
        CostWeightedClassifier(KNeighborsClassifier(), costs=COSTS).fit(X, y)
    model = CostResampledClassifier(KNeighborsClassifier(), costs=COSTS, random_state=0).fit(X, y)
    share = 10 * y.sum() / (10 * y.sum() + (1 - y).sum())
    assert model.resampled_sizes_[1] == round(1000 * share)


def test_metacost_relabels_towards_the_dear_class(data):
    X, y, _, _ = data
    model = MetaCostClassifier(GaussianNB(), costs=COSTS, all_models=False, random_state=0).fit(
        X, y
    )
    assert model.relabelled_ > 100
    everything = MetaCostClassifier(GaussianNB(), costs={"fn": 1e9, "fp": 1}, random_state=0)
    assert everything.fit(X, y).predict(X).tolist() == [1] * len(X)
    assert everything.predict_proba(X)[:, 1].tolist() == [1.0] * len(X)


def test_the_threshold_is_chosen_out_of_the_folds(data):
    """A memoriser scores its own cases without error; out of the folds it does not."""
    X, y, _, _ = data
    tree = DecisionTreeClassifier(min_samples_leaf=2, random_state=0)
    model = ThresholdClassifier(tree, costs=COSTS, random_state=0).fit(X, y)
    assert 0 <= model.threshold_ <= 0.5
    recall = ThresholdClassifier(costs=COSTS, rule="fixed_recall(recall=0.9)", random_state=0)
    label = recall.fit(X, y).predict(X)
    assert label[y == 1].mean() == pytest.approx(0.9, abs=0.03)


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({"fn": 5, "fp": 0}, "cost no more than being right"),
        ([[0, 1, 2], [1, 0, 1], [1, 1, 0]], "not one of the 2 classes"),
        (CostMatrix.of([[0, 1], [1, 0]], ["a", "b"]), "has no class 0"),
    ],
)
def test_refuses_costs_that_do_not_fit(costs, message):
    with pytest.raises(DataError, match=message):
        CostWeightedClassifier(costs=costs).fit([[0.0], [1.0]], [0, 1])


def test_refuses_a_rule_without_a_threshold():
    model = ThresholdClassifier(rule="given_labels")
    with pytest.raises((DataError, ParameterError)):
        model.fit([[0.0], [1.0]] * 4, [0, 1] * 4)


def test_probabilities_are_there_where_the_learner_has_them():
    assert not hasattr(CostWeightedClassifier(LinearSVC()), "predict_proba")
    assert hasattr(CostWeightedClassifier(), "predict_proba")


class TestRoc:
    def test_a_learner_without_scores_gets_points(self, data):
        X, y, X_test, y_test = data
        roc = cost_weighted_roc(LinearSVC(), X, y, X_test, y_test, ratios=[0.1, 0.3, 1, 3, 10])
        assert roc.x.size == 7
        assert (np.diff(roc.x) >= 0).all()
        assert (np.diff(roc.y) >= 0).all()
        assert roc.at(0.3) > 0.8

    def test_resampling_serves_too(self, data):
        X, y, X_test, y_test = data
        model = CostResampledClassifier(KNeighborsClassifier(15), random_state=0)
        roc = cost_weighted_roc(model, X, y, X_test, y_test, ratios=[0.1, 1, 10])
        assert roc.y[1] < roc.y[-2]
        assert model.costs is None

    @pytest.mark.parametrize(("y", "ratios"), [([0, 0], [1]), ([0, 1], [0]), ([0, 1], [np.inf])])
    def test_refuses(self, y, ratios):
        with pytest.raises(DataError):
            cost_weighted_roc(GaussianNB(), [[0.0], [1.0]], y, [[0.0], [1.0]], y, ratios=ratios)
