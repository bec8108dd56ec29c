"""What must hold of the influence values and intervals of every measure, naming none of them."""

from dataclasses import replace

import numpy as np
import pytest

from credibly import DataError, Predictions
from credibly.intervals._declare import EstimateRequest, interval_methods
from credibly.intervals.bootstrap import bootstrap
from credibly.intervals.influence import influence
from credibly.intervals.methods import interval_for
from credibly.intervals.standard_errors import standard_error
from credibly.predictions.summaries import BinaryCounts, Counts
from every.battery import CASES, VARIANTS, by_variant, cases_for

STEP = 1e-6
AVERAGES = ("macro", "micro", "weighted", "weighted_predicted")
with_arguments = by_variant(VARIANTS)


def weighted(case):
    weight = np.random.default_rng(5).random(case.n) + 0.5
    return case.once("influence", lambda: case.with_columns(sample_weight=weight))


def by_differences(value, p, rows):
    """The derivative by the weight of each row, from the definition."""
    found = []
    for i in rows:
        ends = []
        for sign in (1, -1):
            weight = p.weights.copy()
            weight[i] += sign * STEP
            ends.append(value(replace(p, weight=weight, cache={})))
        found.append((ends[0] - ends[1]) / (2 * STEP))
    return np.array(found)


def agree(values, value, p):
    rows = range(0, p.n, 5)
    expected = by_differences(value, p, rows)
    scale = max(np.abs(expected).max(), np.abs(values).max(), 1e-4)
    np.testing.assert_allclose(values[::5], expected, rtol=0, atol=2e-5 * scale)


@with_arguments
def test_influence_values_are_derivatives(m):
    tried = 0
    for case in cases_for(m, wholesome=True):
        p = weighted(case)
        values = influence(m, p)
        if case.perfect or values is None:
            continue
        tried += 1
        agree(values, m.value, p)
    assert tried or not m.smooth


@with_arguments
def test_influence_values_of_averages_are_derivatives(m):
    if not (m.smooth and m.class_wise):
        pytest.skip("not averaged over classes, or not smooth")
    p = weighted(next(c for c in CASES if c.name == "three classes"))
    for average in AVERAGES:
        values = influence(m, p, average)
        assert values is not None
        agree(values, lambda q, a=average: m.averaged(q, a), p)


@with_arguments
def test_a_measure_that_jumps_has_no_influence_values(m):
    if m.smooth:
        pytest.skip("smooth")
    for case in cases_for(m, wholesome=True):
        assert influence(m, weighted(case)) is None


@with_arguments
def test_default_interval_holds_its_value_and_keeps_to_the_range(m):
    for case in cases_for(m):
        p = case.predictions
        value = m.value(p)
        for level in (0.5, 0.95, 0.999):
            limits, why = interval_for(EstimateRequest(m, p, confidence_level=level, value=value))
            assert (limits is None) == bool(why)
            if limits is not None:
                assert m.range[0] <= limits.low <= value <= limits.high <= m.range[1]
                assert limits.low < limits.high
                assert limits.method
                assert limits.confidence_level == level


@with_arguments
def test_a_higher_level_gives_a_wider_interval(m):
    for case in cases_for(m, wholesome=True):
        p = case.predictions
        made = [
            interval_for(EstimateRequest(m, p, confidence_level=level, value=m.value(p)))[0]
            for level in (0.8, 0.99)
        ]
        if None not in made:
            assert made[1].low <= made[0].low
            assert made[0].high <= made[1].high


@with_arguments
def test_frequency_weights_are_repeated_rows(m):
    for case in cases_for(m, wholesome=True):
        copies = np.random.default_rng(6).integers(1, 4, case.n)
        short = case.with_columns(sample_weight=copies, weight_kind="frequency")
        long = case.rows(np.repeat(np.arange(case.n), copies))
        value = m.value(long)
        made = [interval_for(EstimateRequest(m, p, value=value))[0] for p in (short, long)]
        assert (made[0] is None) == (made[1] is None)
        if made[0] is not None:
            np.testing.assert_allclose(
                [made[0].low, made[0].high], [made[1].low, made[1].high], rtol=1e-6, atol=1e-9
            )


@with_arguments
def test_groups_of_one_case_are_cases(m):
    """With every case its own group, nothing differs."""
    for case in cases_for(m, wholesome=True):
        plain = case.predictions
        values = influence(m, plain)
        if values is None:
            continue
        grouped = case.with_columns(group=np.arange(case.n))
        found, expected = (standard_error(values, p, by_class=False) for p in (grouped, plain))
        assert found == expected


@with_arguments.in_turn("method", list(interval_methods))
def test_every_method_answers_or_refuses_in_words(method, m):
    for case in cases_for(m, wholesome=True)[:2]:
        p = case.predictions
        value = m.value(p)
        limits, why = interval_for(
            EstimateRequest(m, p, None, method.name, seed=1, replicates=50, value=value)
        )
        assert limits is not None or len(why) > 10
        if limits is not None:
            assert m.range[0] <= limits.low <= value <= limits.high <= m.range[1]
            assert limits.low < limits.high


def tried(interval):
    try:
        return interval(), ""
    except DataError as refused:
        return None, str(refused)


@with_arguments
def test_replicates_give_an_interval_around_the_value_or_a_reason(m):
    """Of its own kind, whichever that is: with skill and without, and where no replicate is as small."""
    for case in cases_for(m, wholesome=True)[:2]:
        for seed, level in ((1, 0.95), (2, 0.3)):
            drawn = bootstrap(case.predictions, m, replicates=40, rng=seed)
            limits, why = tried(lambda d=drawn, at=level: d.interval(m, confidence_level=at))
            if limits is None:
                assert (m.no_bootstrap or "vary") in why
                continue
            assert not m.no_bootstrap
            assert m.range[0] <= limits.low <= drawn.values[0] <= limits.high <= m.range[1]
            assert limits.low < limits.high


@with_arguments
def test_what_chance_lifts_jumps_and_starts_at_nothing(m):
    assert not m.lifted or (not m.smooth and m.range[0] == 0)
    assert not m.no_bootstrap or not m.smooth


@pytest.mark.thorough
@with_arguments
def test_tables_drawn_whole_spread_as_cases_drawn_one_by_one(m):
    if m.reads not in {Counts, BinaryCounts}:
        pytest.skip("reads no table of labels")
    rng = np.random.default_rng(6)
    truth = rng.integers(0, 3, 600)
    label = np.where(rng.random(600) < 0.7, truth, rng.integers(0, 3, 600))
    p = Predictions.of(truth, label=label, positive=1)
    singles = replace(p, group=np.arange(p.n), cache={})
    for average in (None, *(("macro",) if m.class_wise else ())):
        whole, each = (
            bootstrap(q, m, replicates=1500, rng=7, average=average).replicates
            for q in (p, singles)
        )
        assert np.std(whole) == pytest.approx(np.std(each), rel=0.12)
        assert np.mean(whole) == pytest.approx(np.mean(each), abs=5 * np.std(each) / 1500**0.5)
