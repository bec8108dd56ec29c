"""What cases matter has no unit: decisions tell sums over them in cases."""

import numpy as np
import pytest

from credibly import Predictions, cost_benefit, decide, evaluate, read, save

RNG = np.random.default_rng(11)
TRUTH = RNG.integers(0, 2, 80)
SCORE = np.clip(0.5 + 0.2 * (2 * TRUTH - 1) + RNG.normal(size=80) * 0.3, 0.01, 0.99).round(2)
WEIGHT = RNG.gamma(1, 1, 80)
COSTS = {"tp": -15, "fp": 4, "fn": 1}


def of(unit, **more):
    given = {"sample_weight": WEIGHT * unit, "weight_kind": "importance", **more}
    return Predictions.of(TRUTH, probability=SCORE, **given)


def limits(table):
    rows = {}
    for e in table:
        ends = (np.nan, np.nan) if e.interval is None else (e.interval.low, e.interval.high)
        rows[e.measure, *map(str, e.keys.values())] = (e.value, *ends)
    return rows


def same(mine, theirs):
    assert list(mine) == list(theirs)
    for key in mine:
        assert mine[key] == pytest.approx(theirs[key], rel=1e-9, nan_ok=True), key


@pytest.mark.parametrize("unit", [1000.0, 1e-6])
@pytest.mark.parametrize("at", ["best", "25%", "number=20", "recall=0.8", "threshold=0.4"])
def test_cost_benefit_is_about_cases(at, unit):
    mine, other = (cost_benefit(of(u), COSTS, at=at) for u in (unit, 1.0))
    same(limits(mine.table), limits(other.table))
    assert mine.point.population == pytest.approx(80)
    assert mine.point.profit == pytest.approx(mine.table["profit"].value)


@pytest.mark.parametrize("unit", [1000.0, 1e-6])
def test_decide_tells_in_cases_what_evaluate_averages(unit):
    made, plain = decide(of(unit), COSTS), decide(of(1.0), COSTS)
    same(limits(made.table), limits(plain.table))
    labelled = Predictions.of(
        TRUTH, label=made.labels, sample_weight=WEIGHT * unit, weight_kind="importance"
    )
    found = evaluate(labelled, ["total_cost", "average_cost"], costs=COSTS)
    assert made.table["total_cost"].value == pytest.approx(80 * found["average_cost"].value)
    # As counts and every other measure, a total of evaluate is what the measure itself says of the weights.
    total = WEIGHT.sum() * unit * found["average_cost"].value
    assert found["total_cost"].value == pytest.approx(total)


def test_a_capacity_is_one_of_cases():
    few = [decide(of(u), COSTS, rule="capacity(number=20)") for u in (1.0, 1000.0)]
    assert np.array_equal(*(d.labels for d in few))


def test_weights_of_repeated_cases_keep_their_unit():
    again = {"row": np.arange(80) // 2, "repeat": np.arange(80) % 2}
    truth = np.repeat(TRUTH[:40], 2)

    def cases(unit):
        weight = np.repeat(WEIGHT[:40], 2) * unit
        return Predictions.of(
            truth, probability=SCORE, sample_weight=weight, weight_kind="importance", **again
        )

    mine, other = (cost_benefit(cases(u), COSTS, at="25%") for u in (1000.0, 1.0))
    assert mine.point.population == pytest.approx(40)
    same(limits(mine.table), limits(other.table))


@pytest.mark.parametrize("truth", [[0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 1.0]])
def test_numbers_that_were_saved_are_read_as_numbers(truth, tmp_path):
    p = Predictions.of(truth, value=[0.5, -1.25, 2.5, 0.0])
    assert read(save(p, tmp_path / "p.parquet")).fingerprint == p.fingerprint
