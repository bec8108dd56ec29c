"""What columns beside the predictions can do to every door: parts, groups of all cases, absent classes."""

from __future__ import annotations

import json
import math
from itertools import combinations

import numpy as np
import pytest

from credibly import (
    CrediblyError,
    DataError,
    Predictions,
    best_of,
    calibration,
    check,
    compare,
    cost_benefit,
    decide,
    evaluate,
    flips,
    gate,
    read,
    recalibrate,
    report,
    save,
    slices,
)
from credibly.calibration import class_calibration

COSTS = {"fn": 5, "fp": 1}
TRUTH = np.tile([1, 0, 1, 0, 0], 8)
PROBABILITY = np.clip(0.3 * TRUTH + np.linspace(0, 0.7, 40)[::-1], 0.01, 0.99)
BESIDE = {
    "row": np.arange(40),
    "model": np.repeat(["a", "b"], 20),
    "repeat": np.zeros(40, int),
    "fold": np.arange(40) % 4,
    "group": np.arange(40) // 2,
}
SOME = [c for size in range(3) for c in combinations(BESIDE, size)]


@pytest.mark.parametrize("beside", SOME, ids="+".join)
def test_parts_are_shown_whatever_columns_there_are(beside):
    part = np.where(np.arange(40) % 3 == 0, "train", "test")
    p = Predictions.of(TRUTH, probability=PROBABILITY, part=part, **{c: BESIDE[c] for c in beside})
    found = evaluate(p, "accuracy", by=["part"])
    for e in found.estimates:
        if e.keys.get("estimate", "pooled") == "pooled":
            rows = part == e.keys["part"]
            if "model" in e.keys:
                rows &= BESIDE["model"] == e.keys["model"]
            assert e.value == np.mean((PROBABILITY[rows] >= 0.5) == TRUTH[rows])


def test_rows_without_names_are_called_by_their_place_in_what_was_given():
    part = ["train", "train", "test", "test", "test"]
    p = Predictions.of([1, 0, 1, 0, 1], probability=[0.9, 0.1, 0.8, 0.3, 0], part=part)
    [said] = evaluate(p, "log_loss")["log_loss"].findings
    assert "(row 4" in said.message


@pytest.mark.daily
@pytest.mark.parametrize("classes", [["0", "1"], [0, 1], ["no", "yes"], ["b", "a", "c"]])
@pytest.mark.parametrize("occurs", [0, 1])
@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl"])
def test_probabilities_of_a_class_that_does_not_occur_are_kept(classes, occurs, ending, tmp_path):
    q = np.full((3, len(classes)), 1 / len(classes))
    p = Predictions.of(
        [classes[occurs]] * 3,
        label=[classes[occurs]] * 3,
        probability=q if len(classes) > 2 else q[:, 1],
        classes=classes,
        positive=classes[1],
    )
    path = save(p, tmp_path / f"p.{ending}")
    told = {} if ending == "parquet" else {"classes": p.classes, "positive": classes[1]}
    found = read(path, **told)
    assert found.provides == p.provides
    if ending == "parquet":
        assert found.fingerprint == p.fingerprint


@pytest.mark.parametrize("verb", [decide, cost_benefit])
def test_cases_of_one_group_cannot_be_left_out_when_choosing(verb):
    p = Predictions.of(TRUTH, score=PROBABILITY, group=np.zeros(40))
    [honest] = [e for e in verb(p, COSTS, rng=1).table.estimates if "cross_fitted" in e.measure]
    assert math.isnan(honest.value)
    assert [f.code for f in honest.findings] == ["choice-not-repeated"]


def test_thresholds_are_found_on_parts_of_cases_where_these_are_predicted_repeatedly():
    p = Predictions.of(
        np.tile(TRUTH, 2),
        score=np.r_[PROBABILITY, PROBABILITY[::-1]],
        row=np.tile(np.arange(40), 2),
        repeat=np.repeat([0, 1], 40),
    )
    assert " of 40 cases," in str(decide(p, COSTS, rng=1).to_dict())


def test_reports_put_one_kind_of_estimate_side_by_side():
    """One model of folds, one of which every case was left out."""
    p = Predictions.of(
        np.tile(TRUTH, 2),
        probability=np.r_[PROBABILITY, PROBABILITY[::-1]],
        model=np.repeat(["b", "a"], 40),
        row=np.tile(np.arange(40), 2),
        fold=np.r_[np.arange(40) // 10, np.arange(40)],
        n_train=np.repeat([30, 39], 40),
    )
    shown = json.loads(report(p).json())["evaluation"]["estimates"]
    assert {e.get("estimate", "pooled") for e in shown} == {"pooled"}
    pooled = evaluate(p, "accuracy", estimate="pooled").estimates
    assert [e["value"] for e in shown if e["measure"] == "accuracy"] == [e.value for e in pooled]


@pytest.mark.parametrize("largest", [2.0**53, 1e18, 1e30])
def test_frequencies_beyond_what_doubles_count_are_refused(largest):
    with pytest.raises(DataError, match="count cases"):
        Predictions.of([1, 0], label=[1, 0], sample_weight=[1, largest], weight_kind="frequency")


def test_a_positive_class_is_not_asked_for_where_it_is_given():
    p = Predictions.of([0, 1, 2], probability=np.eye(3), positive=2)
    with pytest.raises(DataError, match="Give all costs as a table: costs="):
        decide(p, COSTS)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_calibration_of_classes_without_cases_is_refused_before_it_divides():
    nothing = [math.nan] * 3
    p = Predictions.of(
        [0, 0], probability=[nothing, [0.4, 0.1, 0.5]], sample_weight=[1, 0],
        weight_kind="frequency", classes=[0, 1, 2],
    )  # fmt: skip
    with pytest.raises(DataError, match="at least two cases"):
        class_calibration(p)


def _odd() -> dict[str, dict[str, object]]:
    """Return columns of 40 cases, of which each design is odd in another way."""
    fold, place = {"fold": np.arange(40) % 4, "n_train": [30] * 40}, np.arange(40)
    huge = 1e200 * (1 + place % 7)
    seen = {"part": np.where(place % 5 == 0, "train", "test")}
    heavy = {"sample_weight": 1e85 * (1 + place % 3), "weight_kind": "importance"}
    half = {"sample_weight": TRUTH * 2.0, "weight_kind": "importance"}
    missing = {"probability": np.where(place % 6 == 1, np.nan, PROBABILITY)}
    given = {"y_true": TRUTH, "probability": PROBABILITY}
    return {
        "seen by the model": {**given, **seen, **fold},
        "seen by the model, without folds": {**given, **seen},
        "numbers too large to be squared": {"y_true": huge, "value": huge[::-1], **fold},
        "numbers too large to be squared, without folds": {"y_true": huge, "value": huge[::-1]},
        "weights too large to be squared": {**given, **heavy, **fold},
        "weights too large to be squared, in groups over time": {
            **given,
            **heavy,
            "time": place,
            "group": place % 8,
        },
        "a class of no weight": {**given, **half, **fold},
        "without some predictions": {**given, **missing, **seen},
    }


DOORS = {
    "evaluate": lambda p: evaluate(p["a"]),
    "evaluate by shop": lambda p: evaluate(p["a"], by="shop"),
    "slices": lambda p: slices(p["a"], rng=1, replicates=99),
    "check": check,
    "compare": compare,
    "compare average precision": lambda p: compare(p, measure="average_precision"),
    "flips": flips,
    "gate": gate,
    "best_of": lambda p: best_of(p, rng=1, replicates=99),
    "recalibrate": lambda p: recalibrate(p["a"], rng=1, replicates=20, folds=2),
    "decide": lambda p: decide(p["a"], COSTS, rng=1, replicates=20),
    "calibration": lambda p: calibration(p["a"]),
}


@pytest.mark.parametrize("design", _odd())
@pytest.mark.parametrize("door", DOORS)
def test_a_door_answers_about_odd_rows_or_says_why_not(door, design):
    columns = _odd()[design]
    told = next(c for c in ("probability", "value") if c in columns)
    predicted = {"a": columns[told], "b": np.roll(columns[told], 3)}
    shop = {"columns": {"shop": np.arange(40) % 2}}
    models = {n: Predictions.of(**{**columns, told: c}, **shop) for n, c in predicted.items()}
    try:
        found = DOORS[door](models)
    except CrediblyError as refusal:
        found = refusal
    assert isinstance(found, CrediblyError) or json.loads(found.to_json())


@pytest.mark.parametrize(
    "lacking",
    [
        {"sample_weight": [0, 0, 1, 1, 1, 2], "weight_kind": "frequency"},
        {"y_true": [None, None, 1, 0, 1, 0]},
        {"a": [math.nan, 0.1, 0.9, 0.1, 0.9, 0.1]},
        {"part": ["train", "train", *["test"] * 4]},
    ],
)
def test_cases_keep_their_places_where_rows_before_them_do_not_count(lacking):
    columns = {"y_true": [1, 0, 1, 0, 1, 0], "a": [0.9, 0.1, 0.9, 0.1, 0.9, 0.1]} | lacking
    a, b = columns.pop("a"), [0.9, 0.1, 0.2, 0.1, 0.9, 0.8]
    models = {k: Predictions.of(probability=p, **columns) for k, p in {"a": a, "b": b}.items()}
    assert flips(models, measure="brier").gained == (2, 5)
