import csv
import datetime as dt
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, strategies as st

from credibly import DataError, Predictions
from credibly.io import read, save
from credibly.io.classes import is_whole
from examples import examples

# No NUL, which is refused, no lone surrogates, which no file can hold, and no number.
TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8
)
LABEL = st.one_of(
    TEXT, st.sampled_from(['"', ",", "\n", "\r", " a", "a ", "'", ";", "#", "\\", "é", "NA"])
)


def is_real(text):
    try:
        float(text)
    except ValueError:
        return False
    return not is_whole(text)


@st.composite
def cases(draw):
    labels = draw(
        st.lists(LABEL, min_size=1, max_size=4, unique=True).filter(
            lambda v: not any(map(is_real, v))
        )
    )
    rows = draw(
        st.lists(st.tuples(*[st.sampled_from([*labels, None])] * 2), min_size=1, max_size=12)
    )
    truth, label = ([r[i] for r in rows] for i in (0, 1))
    seen = [v for v in (*truth, *label) if v is not None]
    if seen and all(map(is_whole, seen)):
        number = [[None if v is None else int(v) for v in column] for column in (truth, label)]
        return truth, label, *number
    return truth, label, truth, label


def check(path, wanted_truth, wanted_label):
    got = read(path, truth="truth", label="label")
    try:
        want = Predictions.of(wanted_truth, label=wanted_label)
    except ValueError:
        return
    assert got.fingerprint == want.fingerprint


@examples(30)
@given(cases())
def test_csv_and_parquet(case):
    truth, label, wanted_truth, wanted_label = case
    with tempfile.TemporaryDirectory() as folder:
        text, table = Path(folder, "p.csv"), Path(folder, "p.parquet")
        with text.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
            writer.writerow(["truth", "label"])
            writer.writerows(
                ["" if v is None else v for v in row] for row in zip(truth, label, strict=True)
            )
        pq.write_table(
            pa.table(
                {"truth": pa.array(truth, pa.string()), "label": pa.array(label, pa.string())}
            ),
            table,
        )
        check(text, wanted_truth, wanted_label)
        check(table, wanted_truth, wanted_label)


# Classes of every type, those among them that look like another one.
KINDS = {
    "text": st.sampled_from(["a", "b", "é", "yes", "no", "a b", "x_y"]),
    "numerals": st.sampled_from(["0", "1", "2", "-1", "10"]),
    "fractions as text": st.sampled_from(["0.5", "1.5", "1e3", "007", "1.0"]),
    "marks as text": st.sampled_from(["none", "missing", "None", "0"]),
    "truth as text": st.sampled_from(["True", "False", "true", "false"]),
    "dates": st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1)),
    "whole": st.integers(-5, 5),
    "64 bits": st.sampled_from([2**63, 2**63 + 1, 2**64 - 1, 5]),
    "64 bits with a sign": st.sampled_from([-5, 2**63, 2**63 - 1]),
    "truth values": st.booleans(),
}
DESCRIBING = [k for k in KINDS if not k.startswith("64 bits")]
NOT_IN_JSON = {"truth values", "64 bits with a sign"}  # written as text, read as such
NOT_IN_CSV = {"truth values", "numerals", "fractions as text", "marks as text"}


@st.composite
def predictions(draw, kind, described=("model", "group", "row")):
    values = draw(st.lists(KINDS[kind], min_size=2, max_size=3, unique_by=lambda v: str(v).lower()))
    n = draw(st.integers(2, 6))
    column = st.lists(st.sampled_from([*values, None]), min_size=n, max_size=n)
    truth = [*values, *draw(column)]
    rows = len(truth)
    given = {
        "label": [*draw(st.lists(st.sampled_from([*values, None]), min_size=rows, max_size=rows))]
    }
    if draw(st.booleans()):
        shares = np.array(draw(st.lists(st.integers(1, 9), min_size=rows * len(values), max_size=rows * len(values))), float).reshape(rows, -1)  # fmt: skip
        given["probability"] = shares / shares.sum(axis=1, keepdims=True)
    for name in described:
        if draw(st.booleans()):
            given[name] = [f"{i}" for i in range(rows)] if name == "row" else draw(st.lists(KINDS[draw(st.sampled_from(DESCRIBING))], min_size=rows, max_size=rows))  # fmt: skip
    return Predictions.of(truth, **given)


@pytest.mark.parametrize("kind", KINDS)
@examples(10)
@given(st.data())
def test_what_is_saved_as_parquet_has_the_same_fingerprint(kind, data):
    p = data.draw(predictions(kind))
    with tempfile.TemporaryDirectory() as folder:
        got = read(save(p, Path(folder, "p.parquet")))
    assert (got.classes, list(map(type, got.classes))) == (p.classes, list(map(type, p.classes)))
    assert got.fingerprint == p.fingerprint


@pytest.mark.parametrize(("suffix", "kind"), [(s, k) for s, no in (("jsonl", NOT_IN_JSON), ("csv", NOT_IN_CSV)) for k in KINDS if k not in no])  # fmt: skip
@examples(8)
@given(st.data())
def test_what_text_can_keep_has_the_same_fingerprint(suffix, kind, data):
    p = data.draw(predictions(kind, described=()))
    with tempfile.TemporaryDirectory() as folder:
        path = save(p, Path(folder, f"p.{suffix}"))
        positive = None if p.positive is None else p.classes[p.positive]
        got = read(path, positive=positive)
    assert got.classes == p.classes
    assert got.fingerprint == p.fingerprint


ORDERED = [["low", "mid", "high"], [3, 1, 2], ["1", "01"], ["NA", "y"], ["none", "x"], ["b", "a"]]


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
@pytest.mark.parametrize("classes", [*ORDERED, [0, 1], ["no", "yes"], [False, True]], ids=str)
@pytest.mark.parametrize("column", ["label", "score", "probability"])
def test_text_keeps_the_positive_class_and_the_order_of_all(suffix, classes, column, tmp_path):
    """An order of the alphabet, or yes for the positive class, was assumed of what had been saved otherwise."""
    rng = np.random.default_rng(6)
    truth = np.arange(12) % len(classes)
    said = {"score": rng.random(12), "probability": rng.dirichlet(np.ones(len(classes)), 12)}
    said["label"] = [classes[i] for i in rng.permutation(truth)]
    if len(classes) == 2 and suffix == "csv":  # one column, of the positive class
        said["probability"] = rng.random(12)
    for positive in classes if column != "score" or len(classes) == 2 else ():
        p = Predictions.of(
            [classes[i] for i in truth],
            classes=classes, positive=positive, **{column: said[column]},
        )  # fmt: skip
        got = read(save(p, tmp_path / f"p.{suffix}"))
        assert [str(c) for c in got.classes] == [str(c) for c in p.classes]
        assert got.positive == p.positive
        for name in ("truth", column):
            np.testing.assert_allclose(getattr(got, name), getattr(p, name), rtol=1e-12)


def test_classes_that_no_case_has_stay_classes(tmp_path):
    p = Predictions.of([0, 0, 1], label=[0, 1, 1], classes=[0, 1, 2])
    assert read(save(p, tmp_path / "p.csv")).classes == (0, 1, 2)


def test_text_has_no_class_without_a_name(tmp_path):
    p = Predictions.of(["", "b"], label=["b", "b"])
    assert read(save(p, tmp_path / "p.parquet")).fingerprint == p.fingerprint
    with pytest.raises(DataError, match="Save as Parquet"):
        save(p, tmp_path / "p.csv")
