"""Selecting the best-scored: places, ties, populations, finances."""

import json

import numpy as np
import pytest

from credibly import DataError, FinancialPlan, ParameterError, Predictions, cost_benefit

COSTS = {"tp": -15, "fp": 4}


@pytest.fixture
def p():
    return Predictions.of([1, 1, 0, 1, 0, 0, 0, 0], score=[8, 7, 6, 5, 4, 3, 2, 1])


@pytest.fixture
def tied():
    return Predictions.of([1, 0, 0, 1, 0, 0], score=[2, 2, 2, 2, 1, 1], row=list("abcdef"))


@pytest.mark.parametrize(
    ("at", "selected", "threshold"),
    [
        (None, 4, 5), ("best", 4, 5), ("worst", 0, np.inf), ("50%", 4, 5), ("share=0.5", 4, 5), ("number=2", 2, 7),
        ("recall=1", 4, 5), ("recall=100%", 4, 5), ("threshold=6.5", 2, 6.5), ("0%", 0, np.inf), ("100 %", 8, 1),
    ],
)  # fmt: skip
def test_places(p, at, selected, threshold):
    q = cost_benefit(p, COSTS, at=at).point
    assert (q.selected, q.threshold) == (selected, threshold)


def test_the_worst_place_can_lie_anywhere(p):
    assert cost_benefit(p, {"tp": -1, "fp": 4}, at="worst").point.selected == 8


@pytest.mark.parametrize("unit", [1e-300, 1e-10, 1e-9, 1.0, 1e9, 1e300])
def test_the_unit_of_money_moves_no_place(p, unit):
    costs = {"tp": -unit, "fp": 4 * unit}
    ends = [cost_benefit(p, costs, at=at).point.selected for at in ("best", "worst")]
    assert ends == [2, 8]


@pytest.mark.parametrize(
    "at", ["20", "150%", "recall=2", "share=-1", "size=3", "number=x", "threshold=nan", "number=9"]
)
def test_refuses_other_places(p, at):
    with pytest.raises(ParameterError):
        cost_benefit(p, COSTS, at=at)


def test_a_part_of_a_tied_block_is_what_to_expect(tied):
    made = cost_benefit(tied, COSTS, at="number=2")
    assert (made.point.tp, made.point.fp, made.point.taken) == (1.0, 1.0, 0.5)
    assert made.point.profit == pytest.approx(11.0)
    assert [f.code for f in made.table.findings] == ["tied-scores"]
    with pytest.raises(ParameterError, match="4 cases share the last score"):
        made.selected_rows()
    drawn = made.selected_rows(rng=1)
    assert set(drawn) < set("abcd")
    assert len(drawn) == 2
    assert drawn.tolist() == made.selected_rows(rng=1).tolist()


def test_a_threshold_takes_a_tied_block_as_a_whole(tied):
    made = cost_benefit(tied, COSTS, at="threshold=2")
    assert made.point.selected == 4
    assert made.selected_rows().tolist() == list("abcd")


def test_only_sums_grow_with_the_population(p):
    """Weka's accuracy changes with the size of the population; a rate must not."""
    here, there = (cost_benefit(p, COSTS, population=n) for n in (None, 80_000))
    for name in ("accuracy", "recall", "precision", "lift", "share", "break_even", "threshold"):
        assert getattr(here.point, name) == pytest.approx(getattr(there.point, name)), name
    for name in ("tp", "fp", "fn", "tn", "profit", "random", "gain", "selected"):
        assert 10_000 * getattr(here.point, name) == pytest.approx(getattr(there.point, name)), name
    a, b = (r.table["profit"].interval for r in (here, there))
    assert (b.low, b.high) == pytest.approx((10_000 * a.low, 10_000 * a.high))


def test_prevalence_changes_what_a_selection_holds(p):
    q = cost_benefit(p, COSTS, at="threshold=5", prevalence=0.1, population=1000).point
    assert (q.tp, q.fp) == pytest.approx((100, 900 / 5))
    assert q.selected == pytest.approx(280)
    assert q.recall == 1
    assert q.profit == pytest.approx(1500 - 4 * 180)


def test_the_random_sample_is_of_the_same_size(p):
    q = cost_benefit(p, COSTS, at="50%").point
    assert q.random == pytest.approx(0.5 * (3 * 15 - 5 * 4))
    assert q.gain == q.profit - q.random


def test_rows_may_bring_different_sums(p):
    worth = np.array([-30.0, 0, 0, -1, 0, 0, 0, 0])
    made = cost_benefit(p, {"tp": worth, "fp": 4}, at="best")
    assert made.point.selected == 1
    assert made.point.profit == 30
    assert made.curve()["profit"].tolist() == [0, 30, 30, 26, 27, 23, 19, 15, 11]


@pytest.mark.parametrize(("outcome", "expected"), [("fp", 45.0), ("tp", -4 / 3), ("tn", 41 / 4)])
def test_at_the_break_even_cost_nothing_is_left(p, outcome, expected):
    here = cost_benefit(p, COSTS, at="number=4")
    found = here.break_even_cost(outcome)
    assert found == pytest.approx(expected)
    there = cost_benefit(p, {**COSTS, outcome: found}, at="number=4")
    assert there.point.profit == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("place", ["number=4", "25%", "best", "threshold=2"])
def test_at_the_prices_of_the_table_nothing_is_left(p, place):
    here = cost_benefit(p, COSTS, at=place)
    at = f"number={here.point.selected:g}"
    even = {e.measure: e.value for e in here.table.estimates}
    for prices in (
        {**COSTS, "tp": -even["break_even_benefit"]},
        {**COSTS, "fp": even["break_even_cost"]},
        {"tp": COSTS["tp"] + even["spare"], "fp": COSTS["fp"] + even["spare"]},
    ):
        if not np.isnan(list(prices.values())).any():
            assert cost_benefit(p, prices, at=at).point.profit == pytest.approx(0, abs=1e-9)


def test_the_interval_of_a_price_is_that_of_leaving_out_one_case_at_a_time():
    rng = np.random.default_rng(4)
    truth = np.arange(300) % 3 == 0
    p = Predictions.of(truth.astype(int), score=truth + rng.normal(size=300))
    made = cost_benefit(p, COSTS, at="threshold=0.5").table
    selected = p.score >= 0.5
    hit, miss = selected & truth, selected & ~truth
    profit = -COSTS["tp"] * hit - COSTS["fp"] * miss
    others = 1 - np.eye(300)
    prices = {
        "break_even_benefit": COSTS["fp"] * (others @ miss) / (others @ hit),
        "break_even_cost": -COSTS["tp"] * (others @ hit) / (others @ miss),
        "spare": (others @ profit) / (others @ selected),
    }
    for name, values in prices.items():
        error = np.sqrt(299 / 300 * np.square(values - values.mean()).sum())
        limits = made[name].interval
        assert (limits.high - limits.low) / 2 == pytest.approx(1.968 * error, rel=0.01)


def test_what_is_not_selected_has_no_price(p):
    nobody = cost_benefit(p, COSTS, at="number=0").table
    assert np.isnan([nobody[n].value for n in ("break_even_benefit", "spare")]).all()
    assert {"no-price"} <= {f.code for f in nobody.all_findings()}
    worth = cost_benefit(p, {"tp": -np.arange(8.0), "fp": 1}, at="best").table
    assert "break_even_cost" not in {e.measure for e in worth.estimates}


def test_the_break_even_cost_is_that_of_one_outcome(p):
    with pytest.raises(ParameterError, match="An outcome must be one of"):
        cost_benefit(p, COSTS).break_even_cost("mail")
    with pytest.raises(ParameterError, match="the same cost in every row"):
        cost_benefit(p, {"tp": -np.arange(8.0), "fp": 1}).break_even_cost()


def test_several_models_stand_side_by_side(p):
    both = Predictions.of(
        np.tile(p.truth, 2),
        score=np.concatenate([p.score, -p.score]),
        model=np.repeat(["up", "down"], p.n),
        row=np.tile(np.arange(p.n), 2),
    )
    made = cost_benefit(both, COSTS)
    assert [(q.model, q.selected) for q in made.points] == [("up", 4), ("down", 8)]
    assert made.selected_rows("up").tolist() == [0, 1, 2, 3]
    taken = made.selected("down")
    assert set(taken.model) == {"down"}
    assert taken.score.tolist() == sorted(taken.score, reverse=True)
    assert sorted(taken.row) == sorted(made.selected_rows("down"))
    assert made.at("number=1").points[1].profit == -4
    assert {r["model"] for r in made.table.rows()} == {"up", "down"}
    with pytest.raises(ParameterError, match="Name one of the models up, down"):
        made.selected_rows()
    with pytest.raises(ParameterError, match="several models"):
        _ = made.point


def test_the_result_is_json(p):
    made = json.loads(cost_benefit(p, COSTS).to_json())
    assert made["points"][0]["profit"] == 41.0
    assert made["confusion_matrix"]["counts"] == [[4.0, 1.0], [0.0, 3.0]]


def test_the_matrix_is_in_the_order_of_the_classes():
    p = Predictions.of(["a", "b", "b"], score=[3, 2, 1], positive="a")
    made = cost_benefit(p, COSTS, at="number=2")
    assert made.to_dict()["confusion_matrix"]["counts"] == [[1.0, 0.0], [1.0, 1.0]]


def test_the_cross_fitted_profit_is_less_hopeful():
    rng = np.random.default_rng(0)
    p = Predictions.of(rng.permutation([0, 1] * 60), score=rng.normal(size=120))
    made = cost_benefit(p, {"tp": -1, "fp": 1}, rng=1)
    assert made.table["cross_fitted_profit"].value < made.table["profit"].value
    assert "cross_fitted_profit" not in {e.measure for e in made.at("20%").table.estimates}


class TestFinancialPlan:
    def test_pays_after_some_uses(self, p):
        result = cost_benefit(p, COSTS, population=800)  # 4100, and selecting all 2500
        plan = FinancialPlan(data_gathering=1000, model_building=500, use=1, uses=2)
        judged = plan.judge(result)
        assert judged["net_profit"].value == 2 * (4100 - 800) - 1500
        assert judged["net_advantage"].value == 2 * (1600 - 800) - 1500
        assert judged["break_even_uses"].value == 1500 / 800
        whole = result.table["profit"].interval
        assert judged["net_profit"].interval.low == pytest.approx(2 * (whole.low - 800) - 1500)

    def test_never_pays_where_a_use_costs_more_than_it_brings(self, p):
        judged = FinancialPlan(attribute_acquisition=3).judge(cost_benefit(p, COSTS))
        assert np.isnan(judged["break_even_uses"].value)
        assert judged.findings[0].code == "never-pays"

    @pytest.mark.parametrize("given", [{"use": -1}, {"uses": 0}, {"model_building": float("nan")}])
    def test_refuses(self, given):
        with pytest.raises(ParameterError, match="must be a number from 0 up"):
            FinancialPlan(**given)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: cost_benefit([1]), "takes Predictions"),
        (lambda p: cost_benefit(p, COSTS, population=0), "population must be"),
        (lambda p: cost_benefit(p, {"fn": 0, "fp": 0}), "All costs are zero"),
        (lambda p: cost_benefit(p, COSTS, prevalence=1), "between 0 and 1"),
        (lambda p: cost_benefit(Predictions.of([0, 1], label=[0, 1]), COSTS), "needs a score"),
    ],
)
def test_refuses(p, make, message):
    with pytest.raises((DataError, ParameterError), match=message):
        make(p)


def test_several_places_stand_side_by_side(p):
    made = cost_benefit(p, COSTS, at=["25%", "number=4"])
    assert [q.at for q in made.points] == ["25%", "number=4"]
    for place in ("25%", "number=4"):
        alone = cost_benefit(p, COSTS, at=place)
        (profit,) = made.table.where(measure="profit", at=place)
        assert profit.value == alone.point.profit
        assert profit.interval == alone.table["profit"].interval
    assert made.meaning().startswith("Profit is highest at number=4: 41 [")
    assert len(made.plot().layers[-1].columns["x"]) == 2
    with pytest.raises(ParameterError, match=r"25%, number=4\). Choose one with at="):
        made.selected_rows()
