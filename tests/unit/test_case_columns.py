"""Columns beside truth and prediction: any of them can be sliced by, whatever became of the rows."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st

import credibly
from credibly import Predictions, curve, evaluate, read
from credibly.cli import main
from credibly.errors import DataError, ParameterError
from credibly.gaps.slices import affordable_slices
from credibly.io import case_columns
from examples import examples

RNG = np.random.default_rng(7)
N = 120
Y = RNG.integers(0, 2, N)
P = np.clip(0.3 * Y + 0.7 * RNG.random(N), 0, 1)
SEX = RNG.choice(["f", "m"], N)
SITE = RNG.integers(0, 3, N)
FRAME = pd.DataFrame({"y": Y, "p": P, "sex": SEX, "site": SITE})


def by_hand(rows):
    return float(evaluate(Predictions.of(Y[rows], P[rows]), "auc")["auc"])


def values(p, by="sex", measure="auc"):
    return {tuple(e.keys[c] for c in [by]): float(e) for e in evaluate(p, measure, by=by)}


EXPECTED = {("f",): by_hand(SEX == "f"), ("m",): by_hand(SEX == "m")}


@pytest.fixture
def folder(tmp_path):
    FRAME.to_csv(tmp_path / "p.csv", index=False)
    FRAME.to_parquet(tmp_path / "p.parquet")
    pl.DataFrame(FRAME).write_ndjson(tmp_path / "p.jsonl")
    return tmp_path


def made(folder):
    plain = Predictions.of(Y, P, columns={"sex": SEX, "site": SITE})
    yield plain
    yield Predictions.of(Y, P, columns=FRAME[["sex", "site"]])
    for source in (FRAME, pl.DataFrame(FRAME), pl.DataFrame(FRAME).to_arrow()):
        yield read(source)
    yield read(pl.DataFrame(FRAME).lazy(), columns=["sex", "site"])
    for name in ("p.csv", "p.parquet", "p.jsonl"):
        yield read(folder / name)
        yield read(folder / name, columns=["sex", "site"])
    yield read(read(FRAME).frame())
    yield read(read(FRAME).frame("polars"))
    yield read(credibly.save(plain, folder / "saved.parquet"))
    yield read(credibly.save(plain, folder / "saved.csv"))
    yield pickle.loads(pickle.dumps(read(folder / "p.csv")))
    yield pickle.loads(pickle.dumps(read(FRAME)))


def test_every_way_in_keeps_the_columns_and_the_fingerprint(folder):
    bare = Predictions.of(Y, P).fingerprint
    for p in made(folder):
        assert values(p) == pytest.approx(EXPECTED)
        assert p.fingerprint == bare
        both = evaluate(p, "accuracy", by=["sex", "site"])
        assert [(e.keys["sex"], e.keys["site"]) for e in both] == [
            (s, i) for s in "fm" for i in range(3)
        ]
        assert [f.code for f in both.findings].count("many-slices") == 1


@examples(20)
@given(rows=st.lists(st.integers(0, N - 1), min_size=1, max_size=40, unique=True))
def test_columns_follow_their_rows(rows):
    p = read(FRAME)
    places = np.array(rows)
    assert p[places].columns["sex"].tolist() == SEX[places].tolist()
    assert p[places][::2].columns["site"].tolist() == SITE[places][::2].tolist()
    mask = np.isin(np.arange(N), rows)
    assert p[mask].columns["sex"].tolist() == SEX[mask].tolist()


def test_rows_without_a_truth_or_of_training_parts_take_their_values_along():
    truth = np.where(np.arange(N) % 5 == 0, np.nan, Y)
    p = Predictions.of(truth, probability=P, columns={"sex": SEX})
    known = ~np.isnan(truth)
    assert values(p)["f",] == pytest.approx(by_hand(known & (SEX == "f")))
    part = np.where(np.arange(N) < 40, "train", "test")
    q = Predictions.of(Y, P, part=part, columns={"sex": SEX})
    assert values(q)["m",] == pytest.approx(by_hand((part == "test") & (SEX == "m")))
    parts = evaluate(q, "auc", by=["part", "sex"])
    assert {(e.keys["part"], e.keys["sex"]): float(e) for e in parts}["train", "f"] == (
        pytest.approx(by_hand((part == "train") & (SEX == "f")))
    )
    assert q.where(sex="f").n == int(((part == "test") & (SEX == "f")).sum())


def test_models_share_the_columns_of_the_one_that_has_them():
    row = np.arange(N) + 1000
    back = np.arange(N)[::-1]
    a = Predictions.of(Y, P, row=row, columns={"sex": SEX})
    b = Predictions.of(Y[back], 1 - P[back], row=row[back])
    table = evaluate({"a": a, "b": b}, "auc", by="sex")
    found = {(e.keys["model"], e.keys["sex"]): float(e) for e in table}
    for (sex,), value in EXPECTED.items():
        assert found["a", sex] == pytest.approx(value)
        assert found["b", sex] == pytest.approx(1 - value)


def test_a_frame_that_is_changed_later_changes_nothing():
    frame = FRAME.copy()
    p, q = read(frame), Predictions.of(Y, P, columns=frame)
    frame["sex"] = "x"
    frame.loc[:, "site"] = 9
    assert values(p) == pytest.approx(EXPECTED)
    assert q.columns["site"].tolist() == SITE.tolist()


def test_a_file_that_is_changed_later_is_not_read_again(folder):
    p = read(folder / "p.csv")
    (folder / "p.csv").write_text("y,p,sex\n1,0.5,f\n")
    with pytest.raises(DataError, match=r"p\.csv has changed since its predictions were read"):
        evaluate(p, "auc", by="sex")


def test_missing_values_are_a_slice_of_their_own():
    kind = [None, 1.5, 2.0] * (N // 3)
    for given_as in ({"kind": kind}, pd.DataFrame({"kind": kind}), pl.DataFrame({"kind": kind})):
        table = evaluate(Predictions.of(Y, P, columns=given_as), "accuracy", by="kind")
        keys = [e.keys["kind"] for e in table]
        assert sum(k is None or k != k for k in keys) == 1
        assert {e.n for e in table} == {N / 3}


def test_curves_are_sliced_by_any_column_too():
    drawn = curve("roc", read(FRAME), by="sex")
    assert [c.keys["sex"] for c in drawn.curves] == ["f", "m"]


def test_what_models_predict_from_can_be_sliced_by_and_is_not_written():
    from sklearn.tree import DecisionTreeClassifier

    X = FRAME[["p", "site"]]
    tree = DecisionTreeClassifier(max_depth=2).fit(X, Y)
    p = Predictions.from_estimator(tree, X, Y)
    run = credibly.run("zero-r", X, Y, resampling=3)
    for q in (p, run):
        assert {
            e.keys["site"]: e.n for e in evaluate(q, "accuracy", by="site", estimate="pooled")
        } == {i: float((i == SITE).sum()) for i in range(3)}
        assert "site" not in q.frame()


def test_names_that_are_not_there_are_told_from_those_that_are():
    with pytest.raises(
        ParameterError, match=r"column of the cases \('y', 'p', 'sex', .*Did you mean sex\?"
    ):
        evaluate(read(FRAME), "auc", by="sexe")
    with pytest.raises(ParameterError, match="Other columns of the cases go into columns="):
        Predictions.of(Y, P, sex=SEX)
    with pytest.raises(DataError, match="sex has 3 rows but truth has 120"):
        Predictions.of(Y, P, columns={"sex": SEX[:3]})
    with pytest.raises(ParameterError, match="columns must be a dictionary of columns"):
        Predictions.of(Y, P, columns=5)


def test_the_command_line_slices_small_files_in_memory(folder, capsys, monkeypatch):
    for file in ("p.csv", "p.parquet"):
        assert (
            main(["evaluate", str(folder / file), "--by", "sex", "--measure", "auc", "--json"]) == 0
        )
        found = json.loads(capsys.readouterr().out)
        assert {(e["sex"],): e["value"] for e in found["estimates"]} == pytest.approx(EXPECTED)
    with (folder / "p.csv").open() as sent:
        monkeypatch.setattr("sys.stdin", sent)
        asked = ["evaluate", "-", "--format", "csv", "--by", "sex", "--measure", "auc", "--json"]
        assert main(asked) == 0
    found = json.loads(capsys.readouterr().out)
    assert {(e["sex"],): e["value"] for e in found["estimates"]} == pytest.approx(EXPECTED)


def test_a_column_that_is_sliced_by_is_not_called_unused():
    p = read(FRAME)
    assert [f.message for f in p.findings if f.code == "unused-columns"] == ["Not used: columns 'sex', 'site'."]  # fmt: skip
    for by, said in (("sex", ["Not used: column 'site'."]), (["sex", "site"], [])):
        found = evaluate(p, "auc", by=by).findings
        assert [f.message for f in found if f.code == "unused-columns"] == said


def test_numbers_that_are_nearly_all_different_are_no_slices():
    p = Predictions.of(Y, P, columns={"age": np.sqrt(np.arange(N)), "year": np.arange(N) % 4})
    with pytest.raises(
        ParameterError, match=r"'age' holds 120 different numbers.*column of ranges"
    ):
        evaluate(p, by="age")
    with pytest.raises(ParameterError, match="120 different numbers"):
        curve(p, "roc", by="age")
    assert len(evaluate(p, "auc", by="year")) == 4


def test_columns_that_are_asked_for_one_after_the_other_are_read_in_few_passes(
    tmp_path, monkeypatch
):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.integers(0, 5, (20, 100)), columns=[f"x{i}" for i in range(100)])
    frame["truth"], frame["label"] = np.resize([0, 1], 20), np.resize([0, 1, 1], 20)
    frame.to_csv(tmp_path / "wide.csv", index=False)
    p = read(tmp_path / "wide.csv")
    passes = []
    plain = case_columns.open_path
    monkeypatch.setattr(case_columns, "open_path", lambda *a: passes.append(a) or plain(*a))
    assert p.columns["x99"].tolist() == frame["x99"].tolist()
    assert len(passes) == 1
    for name in frame:
        assert p.columns[name].tolist() == frame[name].tolist()
    assert len(passes) < 12
    assert affordable_slices(p, "error_rate") is None  # nobody asked for a search of so many
