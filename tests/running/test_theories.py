"""What is counted of fitted models, by hand; and what stands beside it."""

import math

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeClassifier

import credibly
from credibly import DataError, evaluate, mdl
from credibly.running import final_model, run, theory_size, theory_sizes
from credibly.schemes import schemes

X, Y = load_iris(return_X_y=True)


def size_of(scheme, X=X, y=Y):
    return theory_size(final_model(scheme, X, y, rng=1).estimator)


def test_trees_are_counted_node_by_node():
    model = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y)
    t = model.tree_

    def walk(node):
        if t.children_left[node] < 0:
            return 1, 0
        (a, b), (c, d) = walk(t.children_left[node]), walk(t.children_right[node])
        return a + c, 1 + b + d

    size = theory_size(model)
    assert (size.rules, size.conditions) == walk(0)
    assert (size.models, size.numbers, size.cases) == (1, 0, 0)


@pytest.mark.parametrize(
    ("scheme", "wanted"),
    [
        (
            "naive-bayes",
            {"numbers": 3 * 4 * 2 + 2},
        ),  # a mean and a variance of each column and class
        ("full-bayes", {"numbers": 3 * (4 + 10) + 2}),
        ("nominal-bayes", {"numbers": 3 * 4 * 2 + 2}),
        ("logistic", {"numbers": 3 * 5}),
        ("knn", {"cases": 150}),
        ("zero-r", {"rules": 1, "numbers": 2}),
    ],
)
def test_what_is_known_of_a_scheme(scheme, wanted):
    size = size_of(scheme)
    assert {p: getattr(size, p) for p in ("rules", "conditions", "numbers", "cases")} == {
        "rules": 0, "conditions": 0, "numbers": 0, "cases": 0, **wanted,
    }  # fmt: skip


def test_one_rule_is_counted_by_its_buckets():
    model = final_model("one-r", X, Y).estimator
    assert size_of("one-r").rules == len(model.rule_.cuts) + 1
    text = np.array([["a"], ["b"], ["c"], ["a"]], object)
    assert size_of("one-r", text, [0, 1, 1, 0]).rules == 3
    assert size_of("nominal-bayes", text, [0, 1, 1, 0]).numbers == 2 * 2 + 1


def test_ensembles_are_the_sum_of_their_members():
    model = final_model("forest(trees=5)", X, Y, rng=1).estimator
    size = theory_size(model)
    assert size.models == 5
    assert size.rules == sum(m.tree_.n_leaves for m in model.estimators_)
    assert size_of("bagging(k=3)").models == 3
    boosted = size_of("boosting(max_iter=2)")
    assert boosted.models == 6  # a tree for each class and round
    assert boosted.rules - boosted.conditions == 6  # a tree has one leaf more than conditions


@pytest.mark.filterwarnings("ignore:Stochastic Optimizer")  # what it learnt does not matter
def test_networks_and_what_nobody_can_count():
    net = MLPClassifier((3,), max_iter=1, random_state=0).fit(X[:, :2], Y)
    assert theory_size(net).numbers == (2 * 3 + 3) + (3 * 3 + 3)
    unknown = theory_size(object(), "oracle")
    assert unknown.name == "oracle"
    assert math.isnan(unknown.total)


@pytest.mark.parametrize("entry", list(schemes), ids=lambda e: e.name)
def test_every_scheme_by_name_is_counted(entry):
    task = entry.tasks[0]
    data = (X, Y) if task == "classification" else load_diabetes(return_X_y=True)
    size = theory_size(final_model(entry.name, *data, rng=1).estimator)
    assert size.total > 0
    assert size.models >= 1


def test_errors_are_those_of_a_run():
    found = theory_sizes(["tree", "zero-r"], X, Y, resampling="3", rng=1, progress=False)
    p = run(["tree", "zero-r"], X, Y, resampling="3", rng=1, progress=False)
    table = evaluate(p, "error_rate", estimate="fold_mean")
    for size, error in found:
        assert error.value == table.where(model=size.name)[0].value
    assert found.rows()[0]["total"] == found.sizes[0].total
    figure = credibly.plot(found)
    assert figure.y.categories[0].startswith("zero-r: ")
    alone = theory_sizes("zero-r", *load_diabetes(return_X_y=True), resampling="3", rng=1)
    assert alone.errors[0].measure == "mae"


@pytest.mark.parametrize("verb", [mdl, final_model])
def test_what_an_estimator_refuses_is_said_of_the_data(verb):
    X = np.random.default_rng(3).normal(size=(12, 2))
    X[2, 1] = np.inf
    with pytest.raises(DataError, match="tree cannot be fitted: Input X contains infinity"):
        verb("tree", X, np.arange(12) % 2, rng=1)
