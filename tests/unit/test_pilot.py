"""Plans from a pilot: the interval of so many more cases, and what more repeats cannot bring."""

import json

import numpy as np
import pytest

import credibly
from credibly import DataError, ParameterError, Predictions, evaluate, sample_size
from credibly.intervals import proportion_methods
from credibly.intervals.generalization import widening
from credibly.measures import measures
from credibly.predictions.summaries import BinaryCounts


def scored(n, seed, **columns):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return Predictions.of(y, score=rng.normal(y, 1), **columns)


def width(p, measure):
    limits = evaluate(p, measure).estimates[0].interval
    return limits.high - limits.low


def test_a_proportion_is_planned_by_its_own_interval():
    p = Predictions.of([1, 0] * 50, label=[1, 0] * 45 + [0, 1] * 5)
    plan = sample_size(p, "accuracy", 0.05)

    def wide(n):
        low, high = proportion_methods["wilson"].limits(0.9 * n, n, 0.95)
        return high - low

    assert wide(plan.n) <= 0.05 < wide(plan.n - 1)
    assert plan.assured_n == plan.n


@pytest.mark.parametrize("measure", ["auc", "mcc", "ap"])
def test_as_many_copies_of_the_pilot_have_the_width(measure):
    """The pilot nine times over is nine times as many cases that vary just as much."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 400)
    s = rng.normal(1.5 * y, 1)
    p = Predictions.of(y, score=s, threshold=0.75)
    nine = Predictions.of(np.tile(y, 9), score=np.tile(s, 9), threshold=0.75)
    plan = sample_size(p, measure, width(nine, measure))
    assert plan.n == pytest.approx(9 * 400, rel=0.03)
    assert sample_size(p, measure, plan.pilot_width).n == pytest.approx(400, rel=0.01)


SHARES = [m.name for m in measures if m.parts is not None and m.reads is BinaryCounts]


@pytest.mark.parametrize("measure", SHARES)
def test_a_share_of_some_cases_is_planned_by_how_many_they_are(measure):
    """Of a recall only the positive cases count, and nine copies of the pilot have nine times as many."""
    rng = np.random.default_rng(6)
    y = rng.random(600) < 0.08
    label = np.where(rng.random(600) < 0.25, ~y, y)
    pilot, nine = (Predictions.of(np.tile(y, k), label=np.tile(label, k)) for k in (1, 9))
    plan = sample_size(pilot, measure, width(nine, measure))
    assert plan.n == plan.cases == pytest.approx(9 * 600, abs=2)
    assert sample_size(pilot, measure, plan.pilot_width).n == pytest.approx(600, abs=2)


def test_groups_are_counted_with_their_own_freedom():
    """Each pilot group five times: copies vary less by the divisor, 12/11 beside 60/59, and t has five times the freedom."""
    pilot = scored(120, 3)
    chance = 1 / (1 + np.exp(-pilot.score))
    p, many = (
        Predictions.of(
            np.tile(pilot.truth, k), probability=np.tile(chance, k), group=np.arange(120 * k) // 10
        )
        for k in (1, 5)
    )
    plan = sample_size(p, "brier", width(many, "brier"))
    assert (plan.unit, plan.pilot_n) == ("group", 12)
    assert plan.n == pytest.approx(60 * (12 / 11) / (60 / 59), abs=1)
    # Where the larger error of an area follows from its value, it has no divisor and no freedom.
    assert sample_size(p, "auc", width(many, "auc")).n == pytest.approx(60, abs=1)
    assert plan.cases == 10 * plan.n
    assert plan.assured_n > plan.n
    assert [f.code for f in plan.findings] == ["small-pilot"]


def test_moments_are_counted_in_time_order():
    plan = sample_size(scored(300, 4, time=np.arange(300)), "auc", 0.05)
    assert (plan.unit, plan.pilot_n) == ("moment", 300)


def resampled(resampling, n=90, seed=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = (X[:, 0] + rng.normal(size=n) > 0).astype(int)
    return credibly.run("naive-bayes", X, y, resampling=resampling, rng=1)


def test_repeats_cannot_lower_what_cases_vary():
    p = resampled("10x5")
    plan = sample_size(p, "brier", 0.02)
    assert sum(plan.parts.values()) == pytest.approx(1)
    assert plan.parts["cases"] > 0.5 > plan.parts["splits"]
    assert plan.repeats is None  # no number of them does
    assert 0.02 < plan.width_with_endless_repeats < plan.pilot_width
    assert plan.n > 90
    assert "More repeats of the same cases cannot" in str(plan)


def test_the_part_of_the_splits_is_what_moves_from_repeat_to_repeat():
    """By an analysis of variance of the losses of cases over repeats, written out."""
    p = resampled("8x4")
    plan = sample_size(p, "brier", 0.02)
    loss = (p.probability_matrix("a test")[:, 1] - (p.truth == p.positive)) ** 2
    table = np.empty((8, 90))
    table[p.repeat, p.row] = loss
    moved = table.var(axis=0, ddof=1).sum()
    between = np.square(table - table.mean()).sum(axis=1).mean() * 90 / 89 - moved
    ratio = plan.parts["splits"] / plan.parts["cases"]
    assert ratio == pytest.approx(moved / 8 / between, rel=0.02)


def test_of_a_single_cross_validation_repeats_can_at_best_show_that_learning_is_stable():
    p = resampled("5")
    plan = sample_size(p, "brier", width(p, "brier") * 0.9)
    assert plan.repeats is None  # it does not show how many would do
    factor = widening(p, measures["brier"])
    assert 1 < factor < 1.25
    assert dict(plan.parts) == pytest.approx({"cases": factor**-2, "training sets": 1 - factor**-2})
    over_cases = evaluate(p, "brier", estimate="pooled")["brier"].interval
    assert plan.width_with_endless_repeats == pytest.approx(
        over_cases.high - over_cases.low, rel=0.05
    )


def test_repeats_average_out_what_splits_add_to_areas():
    p = resampled("2x5")
    plan = sample_size(p, "auc", width(p, "auc") * 0.98)
    assert plan.repeats > 2
    assert plan.width_with_endless_repeats <= plan.width < plan.pilot_width
    assert set(plan.parts) == {"cases and training sets", "splits"}


def test_groups_left_out_one_by_one_are_the_only_folds():
    rng = np.random.default_rng(8)
    group = np.arange(60) // 10
    X = rng.normal(size=(60, 2)) + rng.normal(size=(6, 2))[group]
    y = (X[:, 0] + rng.normal(size=60) > 0).astype(int)
    p = credibly.run("naive-bayes", X, y, groups=group, resampling="leave_one_group_out", rng=1)
    mean = evaluate(p, "brier", estimate="fold_mean")["brier"].interval
    assert mean.method.endswith("5 degrees of freedom") or mean.degrees_of_freedom == 5
    plan = sample_size(p, "brier", 0.05)
    assert (plan.unit, plan.pilot_n) == ("group", 6)
    assert plan.width_with_endless_folds is None
    assert plan.width_with_endless_repeats is None


def test_what_cannot_be_planned_says_why():
    p = scored(50, 6)
    with pytest.raises(DataError, match="grows with the number of cases"):
        sample_size(Predictions.of(p.truth, label=p.truth[::-1]), "false_positives", 1)
    with pytest.raises(DataError, match="no interval"):
        sample_size(p, "ks", 0.1)
    with pytest.raises(ParameterError, match="width"):
        sample_size(p, "auc", 0)
    both = Predictions.joined({"a": p, "b": p})
    with pytest.raises(ParameterError, match="one model"):
        sample_size(both, "auc", 0.1)


def test_it_is_a_result_with_a_picture():
    plan = sample_size(scored(80, 7), "auc", 0.1)
    kept = json.loads(plan.to_json())
    assert kept["n"] == plan.n
    assert kept["parts"] == {"cases": 1.0}
    at = np.interp(plan.n, plan.sizes, plan.widths)
    assert at == pytest.approx(0.1, rel=0.02)
    assert plan.plot().x.logarithmic


@pytest.mark.thorough
def test_the_number_that_pilots_name_gives_the_width():
    """Of a hundred pilots the assured number gives the width in about ninety, the plain one in half."""
    true = np.median([width(scored(1500, 1000 + i), "auc") for i in range(20)])
    plans = [sample_size(scored(150, i), "auc", true) for i in range(100)]
    named = np.array([plan.n for plan in plans])
    assert np.median(named) == pytest.approx(1500, rel=0.05)
    assert np.mean([plan.assured_n >= 1500 for plan in plans]) > 0.8
