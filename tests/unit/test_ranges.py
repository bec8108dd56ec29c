"""Intervals keep to the range of what they bound, at every door."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import credibly
from credibly import CostMatrix, Experiment, Predictions, compare, evaluate
from credibly.calibration import interval_coverage
from credibly.comparisons import FoldTable, FoldValues, PairedValues, comparisons
from credibly.experiments import analyse
from credibly.intervals import fold_mean
from credibly.measures import measures

RNG = np.random.default_rng(1)
X = RNG.normal(size=(60, 3))
Y = (X[:, 0] + 0.3 * RNG.normal(size=60) > 0).astype(int)
COSTS = CostMatrix.binary(fp=1, fn=5)


@cache
def learned():
    return credibly.run(["tree", "naive-bayes"], X, Y, resampling="10", rng=1, positive=1)


def of(costs, name):
    return measures[name].given(costs=costs)


@pytest.mark.parametrize(
    ("costs", "mean", "total"),
    [
        (COSTS, (0, 5), (0, np.inf)),
        (CostMatrix.binary(fp=1, fn=5, tp=-3), (-3, 5), (-np.inf, np.inf)),
        (CostMatrix.binary(tp=-3, tn=-1), (-3, 0), (-np.inf, 0)),
    ],
)
def test_costs_set_the_range_of_what_is_made_of_them(costs, mean, total):
    assert of(costs, "average_cost").range == mean
    assert of(costs, "total_cost").range == total
    for name in ("average_cost", "total_cost"):
        assert of(costs, name).direction == "lower"
        assert of(costs, name).best == of(costs, name).range[0]
    assert measures["average_cost"].range == (-np.inf, np.inf)


@pytest.mark.parametrize("estimate", ["fold_mean", "pooled"])
def test_no_interval_of_any_measure_leaves_its_range(estimate):
    """An average cost of 0.35 had [-0.19, 0.89], where nothing can be gained."""
    seen = 0
    for model in ("tree", "naive-bayes"):
        p = learned().take(learned().model == model)
        for e in evaluate(p, costs=COSTS, estimate=estimate).estimates:
            m = measures.parse(e.measure)
            low, high = of(COSTS, m.name).range if "cost" in m.name else m.range
            if e.interval is not None:
                assert low <= e.interval.low <= e.value <= e.interval.high <= high, e.measure
                seen += e.interval.low == low or e.interval.high == high
    assert seen or estimate == "pooled"


def test_nor_does_the_function_of_means_over_folds():
    p = learned().take(learned().model == "tree")
    for name in ("error_rate", "kappa", "brier"):
        low, high = measures[name].range
        limits = fold_mean(replace(p, model=None), name, confidence_level=0.9999).interval
        assert low <= limits.low < limits.high <= high
        assert fold_mean(replace(p, model=None), name, method="t").interval.high <= high


def test_nor_do_experiments(tmp_path):
    sources = [
        {"data": (X, Y), "name": "d", "costs": [[0, 1], [5, 0]]},
        {"data": (-X, Y), "name": "e", "costs": [[0, 1], [5, -2]]},
    ]
    e = Experiment(
        ["tree", "naive-bayes"], sources, resampling="10", measures=["average_cost"], rng=1
    )
    store = e.run(tmp_path / "e", n_jobs=1)
    analysis = analyse(store, confidence_level=0.9999)
    for dataset, low in (("d", 0), ("e", -2)):
        for x in analysis.estimates.where(dataset=dataset, estimate="fold_mean"):
            assert x.interval.low == low
            assert x.interval.high <= 5
    assert all(
        -2 <= o.interval.low < o.interval.high <= 5 for o in analysis.overviews if o.interval
    )
    older = replace(store.results(), ranges={})
    assert older.range_of("d", "average_cost") == (-np.inf, np.inf)


@pytest.mark.parametrize("test", ["paired_t", "corrected_resampled_t", "unpaired_t"])
def test_differences_of_values_keep_to_what_is_possible(test):
    folds = FoldTable(np.array([[1.0, 0.0], [0.9, 0.9]]), ("a", "b"), "accuracy", "higher", 1.0)
    limits = compare(folds, test=test).confidence_interval
    assert (limits.low, limits.high) == (-1, 1)
    bounded = FoldTable(folds.table, ("a", "b"), "value", "lower", 1.0, within=(0, 5))
    limits = compare(bounded, test=test).confidence_interval
    assert test == "unpaired_t" or (limits.low, limits.high) == (-5, 5)


def test_differences_of_cases_and_from_a_value():
    # Twelve cases: of fewer, too many replicates lack a class for a level of 99.9 %.
    truth = [1, 0, 1, 0, 1, 0] * 2
    a = Predictions.of(truth, probability=[0.9, 0.1, 0.8, 0.6, 0.7, 0.3] * 2)
    b = Predictions.of(truth, probability=[0.1, 0.9, 0.6, 0.2, 0.4, 0.5] * 2)
    for name in ("auc", "brier", "kappa", "accuracy"):
        low, high = measures[name].range
        for entry in ("influence", "bootstrap"):
            result = compare(a, b, name, test=entry, confidence_level=0.999, rng=1)
            limits = result.confidence_interval
            assert limits is None or low - high <= limits.low <= limits.high <= high - low
    limits = compare(a, measure="brier", against=0.9, confidence_level=0.999).confidence_interval
    assert -0.9 <= limits.low <= limits.high <= 1 - 0.9
    named = comparisons["paired_t"](PairedValues([1, 0], [0.5, 0.9], measure_name="mcc"))
    assert named.confidence_interval.high == 2
    free = comparisons["paired_t"](FoldValues([1, 0], [0.5, 0.9]))
    assert free.confidence_interval.high > 2


def test_profits_keep_to_what_cases_can_bring():
    p = Predictions.of([1, 0, 0, 0, 1, 0], score=[0.9, 0.8, 0.3, 0.2, 0.1, 0.4])
    made = credibly.cost_benefit(p, {"fn": 5, "fp": 1}, confidence_level=0.999)
    for e in made.table.estimates:
        if e.interval is not None:
            low, high = (-30, 0) if "profit" in e.measure else (-30, 30)
            assert low <= e.interval.low <= e.value <= e.interval.high <= high, e.measure
    (profit,) = made.table.where(measure="profit")
    assert profit.interval.high == 0


def test_the_mean_width_of_prediction_intervals_is_not_negative():
    y = np.zeros(3)
    found = interval_coverage(y, [0, 0, -5.0], [0.1, 0, 5.0], nominal=0.9)
    assert found.width_interval.low == 0
