"""Costs are written in one way at every door, in any of their forms."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import credibly
from credibly import CostMatrix
from credibly.decisions import expected_costs
from credibly.decisions.cost_sensitive import training_costs
from credibly.errors import CrediblyError

P = credibly.Predictions.of(
    ["no", "yes", "no", "yes", "yes", "no"],
    probability=[0.2, 0.9, 0.6, 0.4, 0.8, 0.1],
    positive="yes",
)
MATRIX = CostMatrix([[0, 1], [5, 0]], classes=["no", "yes"])
FORMS = {
    "outcomes": {"fn": 5, "fp": 1},
    "capitals": {"FN": 5, "FP": 1},
    "whole words": {"False negatives": 5, "false_positive": 1},
    "words of other fields": {"miss": 5, "false alarms": 1},
    "rows": [[0, 1], [5, 0]],
    "named rows": [["", "no", "yes"], ["no", 0, 1], ["yes", 5, 0]],
    "array": np.array([[0.0, 1.0], [5.0, 0.0]]),
    "pairs": {("yes", "no"): 5, ("no", "yes"): 1},
    "nested": {"yes": {"no": 5}, "no": {"yes": 1}},
    "pandas": pd.DataFrame([[0, 5], [1, 0]], index=["yes", "no"], columns=["yes", "no"]),
    "polars": pl.DataFrame({"actual": ["no", "yes"], "no": [0, 5], "yes": [1, 0]}),
}
DOORS = {
    "evaluate": lambda costs: credibly.evaluate(P, "average_cost", costs=costs),
    "decide": lambda costs: credibly.decide(P, costs),
    "cost_benefit": lambda costs: credibly.cost_benefit(P, costs),
    "expected_costs": lambda costs: expected_costs(P, costs),
    "check": lambda costs: credibly.check(P, costs=costs),
    "report": lambda costs: credibly.report(P, costs=costs, command="the same"),
    "training": lambda costs: training_costs(costs, ["no", "yes"]).tolist(),
}


def text(found):
    return found if isinstance(found, list) else found.to_json()


@pytest.mark.daily
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("door", DOORS)
def test_every_door_takes_every_form(door, form):
    assert text(DOORS[door](FORMS[form])) == text(DOORS[door](MATRIX))


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([[0, 1], [5]], "square"),
        ([[0, 1, 1], [5, 0, 1], [1, 1, 0]], "not one of the 2 classes"),
        ({"loss": 5}, "'loss' is not one of them"),
        (5, "A table of costs is"),
        ({"yes": {"maybe": 1}}, "maybe"),
        ([["", "no", "yes"], ["no", 0, "x"], ["yes", 5, 0]], "cost in row 'no', column 'yes'"),
    ],
)
def test_what_is_no_cost_is_refused_alike(door, costs, message):
    with pytest.raises(CrediblyError, match=message):
        DOORS[door](costs)


def test_a_positive_class_is_asked_for_where_it_would_help():
    two = credibly.Predictions.of(["a", "b"], label=["a", "a"])
    three = credibly.Predictions.of(["a", "b", "c"], label=["a", "a", "c"])
    with pytest.raises(CrediblyError, match=r"Set positive=\.\.\., or give all costs"):
        credibly.evaluate(two, "average_cost", costs={"fn": 5})
    with pytest.raises(CrediblyError, match="Give all costs") as refused:
        credibly.evaluate(three, "average_cost", costs={"fn": 5})
    assert "positive=" not in str(refused.value)
