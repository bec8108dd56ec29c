"""How many cases show a difference between two models: from a pilot of both, and beside every comparison."""

import numpy as np
import pytest

from credibly import DataError, Predictions, compare, detectable_difference
from credibly.intervals import power_of_mcnemar, power_of_two_means


def numbers(n=200, seed=0, **more):
    rng = np.random.default_rng(seed)
    old = rng.normal(size=n)
    return Predictions.of(
        outcome={"new": old + rng.normal(0.1, 0.6, n), "old": old}, better="higher", **more
    )


def test_means_are_planned_by_the_deviation_of_their_differences():
    p = numbers()
    deviation = (p.where(model="new").outcome - p.where(model="old").outcome).std(ddof=1)
    plan = detectable_difference(p, difference=0.05, power=0.9)
    assert power_of_two_means(0.05, deviation, n=plan.n).power >= 0.9
    assert power_of_two_means(0.05, deviation, n=plan.n - 1).power < 0.9
    assert power_of_two_means(plan.detectable, deviation, n=200).power == pytest.approx(
        0.9, abs=1e-6
    )


def test_proportions_are_planned_by_the_cases_that_flip():
    new, old = [1] * 80 + [0] * 20, [1] * 70 + [0] * 18 + [1] * 12
    plan = detectable_difference(Predictions.of(outcome={"new": new, "old": old}), difference=0.1)
    shares = (0.22 + 0.1) / 2, (0.22 - 0.1) / 2
    assert compare(Predictions.of(outcome={"new": new, "old": old})).test == "mcnemar"
    assert (
        power_of_mcnemar(*shares, n=plan.n).power
        >= 0.8
        > power_of_mcnemar(*shares, n=plan.n - 1).power
    )


def test_groups_are_what_is_counted():
    rng = np.random.default_rng(2)
    group = np.repeat(np.arange(40), 10)
    old = rng.normal(size=400)
    new = old + np.repeat(rng.normal(0.1, 0.5, 40), 10) + rng.normal(0, 0.1, 400)
    both = {"outcome": {"new": new, "old": old}, "better": "higher"}
    by_case = detectable_difference(Predictions.of(**both), difference=0.2)
    by_group = detectable_difference(Predictions.of(**both, group=group), difference=0.2)
    assert (by_group.unit, by_group.pilot_n, by_group.cases) == ("group", 40, 10 * by_group.n)
    assert by_group.cases > 4 * by_case.n
    assert by_group.detectable > 2 * by_case.detectable


def test_areas_are_planned_by_their_covariance():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 300)
    p, q = (Predictions.of(y, score=y + rng.normal(size=300)) for _ in range(2))
    plan = detectable_difference(p, q, "auc", difference=0.05)
    error = (plan.detectable / 2.8) * np.sqrt(300 / plan.n)  # 2.8 standard errors: 1.96 and 0.84
    assert plan.difference == pytest.approx(2.8 * error, rel=0.02)
    assert (np.diff(plan.differences) < 0).all()


def test_what_was_not_shown_comes_with_what_would_have_been():
    open_ = compare(numbers(12))
    assert not open_.rejected
    assert open_.detectable == pytest.approx(
        (2.20099 + 0.84162) * open_.parameters["standard_error"], rel=1e-5
    )
    assert "detectable" in str(open_)
    shown = compare(numbers(2000))
    assert shown.rejected
    assert shown.detectable is None
    assert "detectable" not in str(shown)


@pytest.mark.daily(alternative=["greater"])
@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
def test_a_margin_that_was_not_shown_comes_with_one_that_would_have_been(alternative):
    def equal(seed):
        first, second = np.random.default_rng(seed).normal(size=(2, 800))
        return Predictions.of(outcome={"new": first, "old": second}, better="higher")

    open_ = compare(equal(1), margin=0.001, alternative=alternative)
    assert "that equal models are within a margin of " in str(open_)
    shown = [
        compare(equal(seed), margin=open_.detectable, alternative=alternative).rejected
        for seed in range(100, 200)
    ]
    assert 0.68 < np.mean(shown) < 0.92


def test_a_permutation_test_says_what_it_would_have_shown():
    by_swaps, by_t = (compare(numbers(12), test=t) for t in ("permutation", "paired_losses"))
    assert not by_swaps.rejected
    assert by_swaps.detectable == pytest.approx(by_t.detectable, rel=0.15)


@pytest.mark.slow
def test_the_planned_number_has_the_power_that_was_asked_for():
    plan = detectable_difference(numbers(2000, 1), difference=0.1)
    found = [compare(numbers(plan.n, seed)).rejected for seed in range(10, 1010)]
    assert 0.76 < np.mean(found) < 0.84


def test_models_that_do_not_differ_need_a_difference():
    same = Predictions.of(outcome={"a": [0.5, 1.5, 2.0], "b": [1.5, 0.5, 2.0]}, better="higher")
    with pytest.raises(DataError, match="do not differ"):
        detectable_difference(same)
    assert "rough-pilot" in {f.code for f in detectable_difference(same, difference=0.1).findings}
