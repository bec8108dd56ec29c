"""Columns of several models, and numbers as people write them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from credibly import Predictions, compare, evaluate, read
from credibly.errors import DataError, MissingColumnError, ParameterError

WIDE = "id,died,site,a,b\n7,yes,N,0.9,1.0\n8,no,S,0.4,0.0\n9,yes,N,0.3,1.0\n10,no,S,0.2,1.0\n"


def test_columns_of_models_are_read_together(write):
    p = read(write(WIDE), truth="died", models=["a", "b"])
    assert p.model.tolist() == ["a"] * 4 + ["b"] * 4
    assert p.probability.tolist() == [
        0.9,
        0.4,
        0.3,
        0.2,
        1,
        0,
        1,
        1,
    ]  # b too, though all are 0 or 1
    assert [f.code for f in p.findings].count("predictions-taken") == 1
    assert evaluate(p, "auc", by="site").where(model="a", site="N")
    assert compare(p, measure="auc").names == ("a", "b")


def test_a_mapping_names_the_models(write):
    p = read(write(WIDE), truth="died", models={"first": "a", "second": "b"})
    assert list(dict.fromkeys(p.model.tolist())) == ["first", "second"]
    assert read(write(WIDE), truth="died", models=["a", "b"], only_model="b").n == 4


@pytest.mark.parametrize(
    ("content", "role"),
    [
        ("y,m,n\nyes,yes,no\nno,no,no\n", "label"),
        ("y,m,n\n1,1,0\n0,0,0\n", "label"),
        ("y,m,n\n1,0.5,0\n0,0.25,1\n", "probability"),
        ("y,m,n\n1,-3.5,0\n0,0.25,1\n", "score"),
        ("y,m,n\n1.5,3,0\n0,0.25,1\n", "value"),
    ],
)
def test_values_decide_what_models_hold(write, content, role):
    p = read(write(content), models=["m", "n"])
    assert role in p.provides
    assert role in read(write(content), y_pred="m").provides
    frame = pd.read_csv(write(content))
    assert read(frame, models=["m", "n"]).provides == p.provides
    assert Predictions.of(frame["y"], {"m": frame["m"], "n": frame["n"]}).provides == p.provides


def test_predictions_are_named_once(write):
    with pytest.raises(ParameterError, match="models= and probability= both name"):
        read(write(WIDE), truth="died", models=["a", "b"], probability="a")
    with pytest.raises(MissingColumnError, match="no column 'c' for models="):
        read(write(WIDE), truth="died", models=["a", "c"])


@pytest.mark.parametrize("models", [[], ["a", "a"]])
def test_each_model_has_its_column_once(write, models):
    with pytest.raises(ParameterError, match="names the column of each model once"):
        read(write(WIDE), truth="died", models=models)


def test_models_hold_one_kind(message):
    said = message(WIDE, truth="died", models=["a", "site"])
    assert "column 'site' holds text and 'a' numbers" in said


def test_a_frame_of_models_is_told_from_one_of_classes():
    frame = pd.DataFrame({"x": [0.9, 0.1], "y": [0.8, 0.3], "z": [1.0, 0.0]})
    assert set(Predictions.of(["yes", "no"], frame).model) == {"x", "y", "z"}
    named = pd.DataFrame({"yes": [0.9, 0.1], "no": [0.1, 0.9]})
    assert Predictions.of(["yes", "no"], named).model is None
    assert set(Predictions.of(["yes", "no"], frame[["x", "y"]]).model) == {"x", "y"}


@pytest.mark.parametrize(
    ("asked", "suggested"),
    [({}, "truth='died'"), ({"truth": "died"}, "models=['a', 'b']")],
)
def test_what_is_missing_is_suggested_by_its_values(message, write, asked, suggested):
    assert suggested in message(WIDE, **asked)
    with pytest.raises(MissingColumnError) as caught:
        read(pd.read_csv(write(WIDE)), **asked)
    assert suggested in str(caught.value)


def test_decimal_commas_where_fields_are_not_separated_by_them(write):
    p = read(write("y;p;size\nja;0,75;1.234,5\nnein;0,25;2\n"), positive="ja")
    assert p.probability.tolist() == [0.75, 0.25]
    assert p.columns["size"].tolist() == [1234.5, 2]
    assert [f.code for f in p.findings if "0,75" in f.message] == ["numbers-as-written"]
    numbers = read(write("actual;predicted\n1.234,5;1200\n2,5;3,25\n"))
    np.testing.assert_array_equal(numbers.truth, [1234.5, 2.5])
    np.testing.assert_array_equal(numbers.value, [1200, 3.25])


def test_percentages_are_shares(write):
    assert read(write("y,p\n1,75%\n0,5 %\n")).probability.tolist() == [0.75, 0.05]


@pytest.mark.parametrize("mixed", ["0,75\n0;0.5", "75%\n0;0,5", "1,234.5\n0;1"])
def test_numbers_written_in_two_ways_are_refused(message, mixed):
    assert "is not a number" in message(f"y;p\n1;{mixed}\n")


def test_numbers_beyond_one_may_be_percentages():
    with pytest.raises(DataError, match="If these are percentages, read them with percent=True"):
        Predictions.of([1, 0], probability=[75, 20])
    with pytest.raises(DataError) as caught:
        Predictions.of([1, 0], probability=[1.5, 0.2])
    assert "percentages" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "asked", "task"),
    [
        ("outcome,prob\nYes,0.9\nNo,0.2\n", {}, "classification"),
        ("outcome,p_0,p_1\n1,0.1,0.9\n0,0.8,0.2\n", {}, "classification"),
        ("outcome,y_pred\n1,1\n0,1\n", {"matrix": False}, "classification"),
        ("outcome,a,b\nyes,0.9,0.5\nno,0.2,0.1\n", {"models": ["a", "b"]}, "classification"),
        ("outcome,seconds\n1,3.5\n0,2.5\n", {}, "outcome"),
        ("outcome,seconds\npass,3.5\nfail,2.5\n", {}, "outcome"),
        ("passed,prediction\nyes,Paris\nno,Rome\n", {}, "outcome"),
    ],
)
def test_a_column_called_outcome_is_what_happened_where_something_predicts_it(
    write, content, asked, task
):
    assert read(write(content), **asked).task == task


def test_several_columns_of_classes_that_agree_with_the_truth_are_taken_as_models(write):
    rows = [f"{t},{a},{b},{t if i % 3 else 'x'},{'xyz'[i % 3]}" for i, (t, a, b) in enumerate(zip("xyz" * 20, "xyy" * 20, "zyz" * 20, strict=True))]  # fmt: skip
    p = read(write("truth,a,b,c,d\n" + "\n".join(rows)))
    assert p.model_names == ("a", "b", "c", "d")
    assert "Guessed columns by their values" in p.findings[0].message
    still = [
        f"{t},{t},{'zzx'[i % 3]}" for i, t in enumerate("xyz" * 20)
    ]  # the last column is no better than chance
    with pytest.raises(MissingColumnError, match="label='a'"):
        read(write("truth,a,site\n" + "\n".join(still)))


def drawn(n=300):
    rng = np.random.default_rng(4)
    sick = rng.random(n) < 0.4
    risk = np.clip(30 * sick + rng.normal(40, 12, n), 0, 100)
    price = rng.normal(2e5, 5e4, n)
    sexes = rng.choice(["f", "m"], n)
    return {
        "patients": {"sex": sexes, "age": rng.integers(20, 90, n), "sick": np.where(sick, "ja", "nein"),
                     "nurse": risk, "machine": np.clip(risk + rng.normal(0, 5, n), 0, 100)},
        "decided": {"sick": np.where(sick, "ja", "nein"), "treated": np.where(risk > 55, "a", "b"), "risk": risk},
        "houses": {"town": sexes, "area": rng.normal(100, 20, n), "price": price,
                   "linear": price + rng.normal(0, 2e4, n), "forest": price + rng.normal(0, 1e4, n)},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("table", "truth", "predicted"),
    [
        ("patients", "sick", "models=['nurse', 'machine']"),
        ("decided", "sick", "score='risk'"),  # which was made of the risk is no truth
        ("houses", "price", "models=['linear', 'forest']"),
    ],
)
def test_columns_that_go_together_are_suggested(table, truth, predicted):
    """The truth is what scores distinguish, or numbers that others repeat; not what merely has two values."""
    frame = pd.DataFrame(drawn()[table])
    with pytest.raises(MissingColumnError) as said:
        read(frame)
    assert f"truth={truth!r}" in str(said.value)
    with pytest.raises(MissingColumnError) as said:
        read(frame, truth=truth)
    assert predicted in str(said.value)
