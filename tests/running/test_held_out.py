"""Every verb judges the rows that a model has not seen, and says what it left out."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from credibly import compare, cost_benefit, curve, decide, evaluate, hull, merge, run
from credibly.curves.tables import threshold_table
from credibly.measures import error_rate

X, Y = (part[:200] for part in load_breast_cancer(return_X_y=True))
SCHEMES = ["naive-bayes", "tree(max_depth=2)"]
COSTS = {"fn": 5, "fp": 1}


@pytest.fixture(scope="module", params=["bootstrap(replicates=12)", "three_way"])
def made(request):
    return run(SCHEMES, X[:, :5], Y, resampling=request.param, rng=1)


def codes(findings):
    return [f.code for f in findings]


def held_out(p):
    """The same rows without what the models have seen."""
    return replace(p, seen=None, cache={})


def test_some_rows_are_seen(made):
    assert made.n
    assert set(made.part.tolist()) == {"test"}
    assert "test" not in made.seen.part.tolist()


def test_compare(made):
    found, want = compare(made, measure="error_rate"), compare(held_out(made), measure="error_rate")
    assert found.values == want.values
    assert found.n == want.n
    assert codes(found.findings).count("left-out") == 1
    assert "left-out" not in codes(want.findings)


def test_compare_with_a_value(made):
    first = made.take(made.model == "naive-bayes")
    found = compare(first, measure="accuracy", against=0.8)
    assert found.values == compare(held_out(first), measure="accuracy", against=0.8).values
    assert "left-out" in codes(found.findings)


def test_a_bootstrap_overlaps_by_the_distinct_rows_of_its_samples():
    """A sample of n holds 0.632 n distinct rows, so test over training size is 0.368 / 0.632."""
    p = run(SCHEMES, X[:, :5], Y, resampling="bootstrap(replicates=12)", rng=1)
    rows = p.take(p.model == "naive-bayes")
    train = (rows.seen.repeat >= 0).sum()  # not that on all rows
    test = rows.n
    found = compare(p, measure="error_rate", test="corrected_resampled_t")
    assert found.n == 12
    assert found.parameters["test_train_ratio"] == pytest.approx(test / train, rel=1e-12)


def test_curves(made):
    found, want = curve("roc", made), curve("roc", held_out(made))
    for a, b in zip(found.values(), want.values(), strict=True):
        assert a.numbers == b.numbers
        np.testing.assert_array_equal(a.y, b.y)
    assert "left-out" in codes(found.findings)
    assert hull(made).area == hull(held_out(made)).area
    assert "left-out" in codes(hull(made).findings)
    first = made.take(made.model == "naive-bayes")
    assert threshold_table(first).columns["tp"][-1] == pytest.approx(
        first.weights[first.truth == 1].sum()
    )
    parts = {k["part"] for c in curve("roc", made, by="part").values() for k in [c.keys]}
    assert parts == {"test", *made.seen.part.tolist()}


def test_costs_and_rates_are_about_the_same_rows(made):
    first = made.take(made.model == "naive-bayes")
    kept = held_out(first)
    found = decide(first, COSTS)
    assert len(found.labels) == kept.n
    assert "left-out" in codes(found.table.findings)
    matrix = found.counts.matrix
    assert found.table["total_cost"].value == pytest.approx(5 * matrix[1, 0] + matrix[0, 1])
    pooled = [e.value for e in found.table.estimates if e.measure == "recall"]
    assert pytest.approx(matrix[1, 1] / matrix[1].sum()) in pooled


def test_costs_by_row_follow_their_rows(made):
    first = made.take(made.model == "naive-bayes")
    amount = np.arange(first.n) + 1.0
    found = decide(first, {"fn": amount, "fp": 1.0})
    want = decide(held_out(first), {"fn": amount, "fp": 1.0})
    assert found.table["total_cost"].value == want.table["total_cost"].value


def test_profit(made):
    found, want = (cost_benefit(p, {"tp": -15, "fp": 4}) for p in (made, held_out(made)))
    assert [p.profit for p in found.points] == [p.profit for p in want.points]
    assert "left-out" in codes(found.table.findings)


def test_slices_of_fits_are_about_new_cases():
    p = run("naive-bayes", X[:, :5], Y, resampling="bootstrap(replicates=4)", rng=1)
    found = evaluate(p, "error_rate", by="repeat")
    assert [e.keys["repeat"] for e in found.estimates] == [0, 1, 2, 3]
    assert "left-out" in codes(found.findings)
    assert {e.keys["fold"] for e in evaluate(p, "error_rate", by="fold").estimates} == {0}
    every = evaluate(p, "error_rate", by=["part", "repeat"]).estimates
    assert -1 in {e.keys["repeat"] for e in every}


@pytest.mark.parametrize(
    ("resampling", "models"), [("3x4", 12), ("5", 5), ("bootstrap(replicates=7)", 7)]
)
def test_as_many_models_as_fits_are_pooled(resampling, models):
    p = run("naive-bayes", X[:, :5], Y, resampling=resampling, rng=1)
    (said,) = [f for f in evaluate(p, "error_rate").findings if f.code == "pooled-folds"]
    assert said.message.startswith(
        f"Pooled values join cases of {models} folds, each predicted by its own fitted model"
    )


@pytest.mark.parametrize("resampling", ["3x3", "bootstrap(replicates=5)", "three_way"])
def test_merged_parts_count_every_case_once(resampling):
    """Cases of different parts are different ones, whatever their rows are called."""
    halves = [slice(0, 100), slice(100, 200)]
    parts = [run("naive-bayes", X[h, :5], Y[h], resampling=resampling, rng=1) for h in halves]
    merged = merge(*parts)
    assert merged.cases == pytest.approx(sum(p.cases for p in parts))
    sizes = [p.weights.sum() for p in parts]
    want = np.average([error_rate(p) for p in parts], weights=sizes)
    assert error_rate(merged) == pytest.approx(want, rel=1e-12)
    assert merged.seen is None or merged.seen.cases == sum(p.seen.cases for p in parts)
    apart, together = ((evaluate(p, "error_rate", estimate="pooled")["error_rate"].interval) for p in (parts[0], merged))  # fmt: skip
    assert together.high - together.low < apart.high - apart.low
