"""What each label must be expected to cost, and the lift chart in numbers of responses."""

import json

import numpy as np
import pytest
from hypothesis import given, strategies as st

import credibly
from credibly import CostMatrix, CrediblyError, DataError, ParameterError, Predictions, RowCosts
from credibly.decisions import expected_costs

MATRIX = CostMatrix([[0, 1, 1], [10, 0, 1], [1, 1, 0]], classes=list("abc"))


def test_one_case_of_the_text_book():
    """Witten, Frank & Hall sec. 5.7: a is the most probable class, and b the cheapest label."""
    found = expected_costs([0.6, 0.3, 0.1], MATRIX)
    assert found.costs.tolist() == [pytest.approx([3.1, 0.7, 0.9])]
    assert found.rows()[0]["label"] == "b"


@given(st.lists(st.tuples(*[st.floats(0.01, 1)] * 3), min_size=1, max_size=6))
def test_sums_over_classes(raw):
    p = np.array(raw) / np.sum(raw, axis=1, keepdims=True)
    found = expected_costs(p, MATRIX)
    for i, case in enumerate(p):
        for j in range(3):
            by_hand = sum(case[k] * MATRIX.values[k, j] for k in range(3))
            assert found.costs[i, j] == pytest.approx(by_hand)
        assert found.costs[i, found.labels[i]] == found.costs[i].min()


def test_what_is_decided_is_what_decide_decides():
    rng = np.random.default_rng(1)
    p = Predictions.of(rng.integers(0, 2, 60), probability=rng.random(60).round(1))
    for costs in ({"fn": 5, "fp": 1}, RowCosts.binary(fn=rng.random(60), fp=1.0)):
        made = credibly.decide(p, costs)
        found = expected_costs(p, costs)
        assert found.labels.tolist() == made.labels.tolist()
        assert found.threshold == made.threshold


def test_cases_of_unknown_truth_and_without_a_prediction():
    p = Predictions.of(
        [None, None, "no"], probability=[0.9, np.nan, 0.1], classes=["no", "yes"],
        positive="yes", row=["x", "y", "z"],
    )  # fmt: skip
    found = expected_costs(p, {"fn": 5, "fp": 1})
    assert [(r["row"], r["label"]) for r in found.rows()] == [("x", "yes"), ("z", "no")]
    assert found.plot().subtitle.startswith("dashed: yes is cheaper from 0.1667 upwards")
    assert json.loads(found.to_json())["cases"][0]["cost_no"] == pytest.approx(4.5)


def test_many_cases_are_told_in_part():
    found = expected_costs(np.tile([0.5, 0.3, 0.2], (100, 1)), MATRIX)
    assert "... and 80 more rows" in str(found)
    assert len(found.rows()) == 100
    assert found.plot().subtitle == "the first 25 of 100 cases"


def test_what_stands_for_several_cases_or_a_share_of_one_is_averaged_so():
    costs = {"fn": 5, "fp": 1}
    counted = Predictions.of(
        [1, 0], probability=[0.9, 0.2], sample_weight=[30, 10], weight_kind="frequency"
    )
    assert expected_costs(counted, costs).heading.startswith("Expected cost of each label, 40 cases in 2 rows")  # fmt: skip
    assert expected_costs(counted, costs).mean == pytest.approx((30 * 0.1 + 10 * 0.8) / 40)
    repeated = Predictions.of(
        [1, 0, 1], probability=[0.9, 0.2, 0.7], row=[1, 2, 1], repeat=[0, 0, 1]
    )
    found = expected_costs(repeated, costs)
    assert found.cases == 2
    assert found.mean == pytest.approx(((0.1 + 0.3) / 2 + 0.8) / 2)


def test_cases_of_one_name_are_drawn_apart():
    p = Predictions.of(
        list("abca"), probability=np.full((4, 3), 1 / 3), model=list("mmnn"), row=[1, 2, 1, 2]
    )
    names = expected_costs(p, MATRIX).plot().y.categories
    assert names == ("m, 1", "m, 2", "n, 1", "n, 2")


@pytest.mark.parametrize(
    ("cases", "costs", "error"),
    [
        ([0.5, np.nan], {"fn": 1, "fp": 1}, DataError),
        ([0.5], {"fn": 1, "fp": 1}, DataError),
        ([0.2, 0.2], {"fn": 1, "fp": 1}, DataError),
        ("probable", None, ParameterError),
        (Predictions.of([1.0], value=[2.0]), None, ParameterError),
        (Predictions.of([1, 0], score=[2, 3]), {"fn": 1, "fp": 1}, CrediblyError),
    ],
)
def test_what_has_no_probabilities_is_refused(cases, costs, error):
    with pytest.raises(error):
        expected_costs(cases, costs)


def mail_out():
    """A million households of which a thousand answer, in three groups by score."""
    size, answers = np.array([100_000, 300_000, 600_000]), np.array([400, 400, 200])
    return Predictions.of(
        [1] * 3 + [0] * 3, score=[3, 2, 1] * 2,
        sample_weight=[*answers, *(size - answers)], weight_kind="frequency",
    )  # fmt: skip


def test_lift_chart_of_the_mail_out():
    """Witten, Frank & Hall fig. 5.1 and its scenarios: 400 of 100,000, 800 of 400,000, 1,000 of all."""
    figure = credibly.plot(mail_out(), "lift_chart", mark="number=400000, 10%, 100%")
    marks = figure.layers[-2].columns
    assert marks["x"] == [100_000, 400_000, 1_000_000]
    assert marks["y"] == pytest.approx([400, 800, 1_000])
    assert marks["lift"] == pytest.approx([4, 2, 1])
    chance = next(f for f in figure.layers if f.emphasis == "dashed").columns
    assert (chance["x"], chance["y"]) == ([0, 1_000_000], [0, 1_000])
    assert figure.layers[-1].columns["text"][0] == "400 of 100,000"
    assert not figure.findings


def test_lift_chart_of_another_population():
    p = Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1])
    figure = credibly.plot(p, "lift_chart", population=1000, prevalence=0.1, mark="100%")
    assert figure.layers[-2].columns["y"] == pytest.approx([100])
    with pytest.raises(ParameterError, match="takes a place"):
        credibly.plot(p, "lift_chart", mark="somewhere")


def test_the_mean_is_that_of_cases():
    p = Predictions.of(
        [0, 1], probability=[0.1, 0.9], sample_weight=[3, 1], weight_kind="frequency"
    )
    assert expected_costs(p, {"fn": 5, "fp": 1}).mean == pytest.approx((3 * 0.5 + 0.1) / 4)
