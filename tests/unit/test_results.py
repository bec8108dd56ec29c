"""Results: looked up by name, written as text, JSON, HTML and frames without loss."""

import json
import math
import sys
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

import credibly
from credibly import Estimate, Finding, Interval, Predictions, Table, evaluate
from credibly._core.text import interval_text, markdown_table, number_text, plain_table
from credibly.errors import ParameterError
from credibly.results.formats import json_ready

NAN, INF = float("nan"), float("inf")


def table(**more):
    p = Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0], probability=[0.9, 0.3, 0.4, 0.0])
    return evaluate(p, **more)


def test_a_table_gives_its_estimates_one_by_one():
    made = table()
    assert tuple(made) == made.estimates
    assert len(made) == len(made.estimates) > 20
    with pytest.raises(FrozenInstanceError):
        made.heading = ""


def test_looking_up():
    made = table(measures=["recall", "accuracy"])
    assert made["recall"].value == 0.5
    with pytest.raises(
        KeyError, match=r"'kappa' is not in this table\. Measures: accuracy, recall"
    ):
        made["kappa"]
    by_class = table(measures="recall", by="class")
    with pytest.raises(KeyError, match=r"'recall' occurs 2 times in this table.*where.*'class': 0"):
        by_class["recall"]
    assert [e.value for e in by_class.where(measure="recall", **{"class": np.int64(1)})] == [0.5]
    assert len(by_class.where(measure="recall", **{"class": 7})) == 0


def test_json_is_valid_and_exact():
    p = Predictions.of([1, 0, 0], label=[1, 0, 0], probability=[0.0, 0.1, 1 / 3], positive=1)
    made = evaluate(p)
    text = made.to_json()
    back = json.loads(text, parse_constant=lambda c: pytest.fail(f"{c} is no JSON"))
    assert back["schema_version"] == 1
    assert len(back["estimates"]) == len(made)
    for e, plain in zip(made.estimates, back["estimates"], strict=True):
        if math.isnan(e.value):
            assert plain["value"] is None
        elif math.isinf(e.value):
            assert plain["value"] in {"Infinity", "-Infinity"}
        else:
            assert plain["value"] == e.value  # to the last bit
        assert (plain["interval"] is None) == (e.interval is None)
        if e.interval:
            assert plain["interval"]["low"] == e.interval.low
        assert plain["findings"] == [f.to_dict() for f in e.findings]
    assert any(plain["value"] == "Infinity" for plain in back["estimates"])
    assert "\n" not in made.to_json(indent=None)


def test_json_ready():
    given = {1: (np.float64(0.1), np.int64(2), np.bool_(True), None, NAN, INF, -INF, "é", object)}
    assert json_ready(given) == {
        "1": [0.1, 2, True, None, None, "Infinity", "-Infinity", "é", "<class 'object'>"]
    }


def test_rows_are_flat_and_alike():
    made = table(by="class")
    rows = made.rows()
    assert len(rows) == len(made)
    assert len({tuple(r) for r in rows}) == 1
    assert all(not isinstance(v, dict | list | np.generic) for r in rows for v in r.values())
    first = next(r for r in rows if r["measure"] == "recall" and r["class"] == 1)
    assert (first["value"], first["n"], first["method"]) == (0.5, 2, "Wilson")
    assert first["low"] < 0.5 < first["high"]


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("by", [None, "class"])
def test_frames(backend, by):
    made = table(by=by)
    frame = made.frame(backend)
    assert type(frame).__module__.split(".")[0] == backend
    columns = {
        "pandas": lambda f: {c: f[c].tolist() for c in f.columns},
        "polars": lambda f: f.to_dict(as_series=False),
        "pyarrow": lambda f: f.to_pydict(),
    }[backend](frame)
    assert list(columns) == list(made.rows()[0])
    assert columns["measure"] == [e.measure for e in made.estimates]
    values = [e.value for e in made.estimates]
    assert np.array_equal(np.array(columns["value"], float), values, equal_nan=True)


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_an_empty_frame(backend):
    frame = Table("nothing", ()).frame(backend)
    assert frame.shape[0] == 0


def test_html_escapes_what_people_wrote():
    bad = "<script>alert(1)</script>"
    p = Predictions.of([bad, "b & c"], label=[bad, "b & c"], model=bad, fold=[bad, bad])
    for by in (None, "class", "fold"):
        made = evaluate(
            p, ["accuracy", "recall"], by=by, average=None if by == "class" else "macro"
        )
        html = made._repr_html_()
        assert "<script" not in html
        assert by is None or "&lt;script&gt;" in html
        assert html.count("<td") >= 2
    finding = replace(made, findings=(Finding("x", "note", bad),))
    assert "<script" not in finding._repr_html_()


def test_html_of_a_long_table_is_cut():
    estimates = tuple(
        Estimate("m", "M", 0.5, None, "why", 1, "higher", keys={"fold": i}) for i in range(250)
    )
    html = Table("many", estimates)._repr_html_()
    assert html.count("<tr>") == 2 + 200
    assert "<summary>Rows 21 to 200 of 250; .frame() has them all</summary>" in html
    assert "<details" not in Table("few", estimates[:25])._repr_html_()


def test_a_prompt_in_a_terminal_leads_with_the_meaning_within_its_width(monkeypatch):
    made = table(measures=["accuracy", "recall"])
    assert repr(made) == str(made)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "50")
    shown = repr(made)
    assert max(map(len, shown.splitlines())) <= 50
    assert " ".join(shown.split("\n\n")[0].split("\n")) == made.meaning()
    assert "Recall" in shown


def test_what_other_libraries_have_is_pointed_out():
    made = table()
    with pytest.raises(
        AttributeError, match=r"no attribute 'to_csv'. Use .frame\(\).to_csv\(...\)\."
    ):
        made.to_csv("a.csv")
    with pytest.raises(AttributeError, match=r"no attribute 'nothing'$"):
        _ = made.nothing
    assert not hasattr(made, "_repr_png_")
    with pytest.raises(AttributeError, match=r"It is the measure accuracy: credibly\.evaluate"):
        _ = credibly.accuracy_score
    with pytest.raises(AttributeError, match=r"Try credibly\.search\('no_such_thing'\)\."):
        _ = credibly.no_such_thing


def test_html_tells_findings_of_one_kind_once_and_folds_notes():
    said = [Finding("few", "caution", f"Few of {c}.", "Ask for more.") for c in "abc"]
    said += [Finding(f"kind-{i}", "note", f"Note {i}.") for i in range(3)]
    said += [Finding("worst", "problem", "All is lost.")]
    html = Table("h", (), tuple(said))._repr_html_()
    assert html.count("<li") == 5
    places = [html.index(s) for s in ("All is lost.", "Few of a.", "2 more like this", "3 notes")]
    assert places == sorted(places)


def test_a_number_with_its_interval_is_a_line_in_a_notebook():
    e = table(measures="recall")["recall"]
    assert "<table" not in e._repr_html_() + e.interval._repr_html_()
    assert "<strong>Recall 0.500 [0.095, 0.905]</strong>" in e._repr_html_()
    assert "95 % interval about this model on new cases: Wilson." in e._repr_html_()
    assert repr(e) == str(e)


def test_text_fits_and_says_all():
    made = table().all
    text = str(made)
    assert text == repr(made)
    lines = text.splitlines()
    assert lines[0] == made.meaning()
    assert lines[1] == "4 cases, 2 classes: 0 and 1 (positive)"
    body = lines[2 : 3 + len(made)]
    assert max(map(len, body)) <= 140
    assert "95 % interval" in body[0]
    assert any(line.startswith("Accuracy") for line in body)
    wide = str(table(by="class", measures=["recall", "precision"]))
    assert "measure \\ class" in wide
    assert [line.split()[0] for line in wide.splitlines()[1:4]] == [
        "measure",
        "Recall",
        "Precision",
    ]
    assert "99 % interval" in str(table(measures="accuracy", confidence_level=0.99))


def test_many_columns_stand_below_each_other():
    y = np.arange(40) % 10
    made = evaluate(Predictions.of(y, label=y), "recall", by="class")
    assert str(made).splitlines()[1].split()[:2] == ["class", "measure"]
    assert len(str(made).splitlines()) >= 12


def test_findings_are_said_once():
    said = Finding("c", "caution", "Watch out.", "Do this.")
    estimates = [Estimate("m", "M", NAN, None, "why", 1, "higher", findings=(said,))] * 2
    made = Table("h", tuple(estimates), (said,))
    assert made.all_findings() == (said,)
    assert str(made).count("caution: Watch out. Do this.") == 1
    assert str(Finding("c", "note", "Only this.")) == "note: Only this."


def test_results_are_plain_values():
    interval = Interval(0.1, 0.9, 0.95, "Wilson")
    assert interval.to_dict() == {
        "low": 0.1,
        "high": 0.9,
        "confidence_level": 0.95,
        "method": "Wilson",
        "about": "cases",
    }
    e = Estimate("fbeta(beta=2)", "F-measure", 0.5, interval, "", 10, "higher", average="macro")
    assert e.name == "F-measure (beta=2, macro)"
    assert str(e) == "F-measure (beta=2, macro) 0.500 [0.100, 0.900]"
    assert e.to_dict()["why_no_interval"] is None
    with pytest.raises((FrozenInstanceError, AttributeError)):
        e.value = 1.0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (NAN, "undefined"),
        (INF, "infinite"),
        (-INF, "-infinite"),
        (0.0, "0"),
        (-0.0, "0"),
        (1e-17, "0"),
        (1.0, "1"),
        (1234567.0, "1,234,567"),
        (0.123456, "0.1235"),
        (-0.123456, "-0.1235"),
        (12.3456, "12.35"),
        (12345.678, "12,346"),
        (1.23456e-7, "1.235e-07"),
        (1.23456e20, "1.235e+20"),
        (0.1, "0.1"),
    ],
)
def test_numbers_as_text(value, text):
    assert number_text(value) == text


@pytest.mark.parametrize(
    ("limits", "value", "text"),
    [
        ((0.70, 0.90), 0.8, "0.800 [0.700, 0.900]"),
        ((0.7991, 0.8009), 0.8, "0.80000 [0.79910, 0.80090]"),
        ((1200.0, 4800.0), 3000.0, "3,000 [1,200, 4,800]"),
        ((0.5, 0.5), 0.5, "0.5000 [0.5000, 0.5000]"),
        ((0.1, INF), 0.25, "0.25 [0.1, infinite)"),
        ((-INF, 0.3), 0.25, "0.25 (-infinite, 0.3]"),
        ((2e199, 3e199), 2.5e199, "2.5e+199 [2e+199, 3e+199]"),
        ((2e-196, 3e-196), 2.5e-196, "2.5e-196 [2e-196, 3e-196]"),
    ],
)
def test_intervals_as_text(limits, value, text):
    assert interval_text(value, Interval(*limits, 0.95, "x")) == text


def test_tables_as_text():
    assert plain_table(["a", "b"], [["long", "1"], ["x", "22"]]) == "a     b\nlong  1\nx     22"
    assert markdown_table(["a|b"], [["x\ny"], ["\\"]]) == "| a\\|b |\n| --- |\n| x y |\n| \\\\ |"


def test_a_measure_is_found_by_every_name_it_was_asked_by():
    made = table(measures=["f1", "fbeta(beta=2)", "sensitivity"])
    assert made["f1"] is made["fbeta"]
    assert made["f1(beta=2)"] is made["fbeta(beta=2)"] is not made["f1"]
    sensitivity, recall = (made.where(measure=name).estimates for name in ("sensitivity", "recall"))
    assert sensitivity == recall != ()
    numeric = evaluate(Predictions.of([1.0, 2.0, 4.0], value=[1.0, 2.5, 3.5]), ["r2"])
    assert numeric["r2"].value == numeric.estimates[0].value
    with pytest.raises(KeyError, match="not in this table"):
        made["r2"]


def test_a_frame_without_its_package_says_what_to_install(monkeypatch):
    p = Predictions.of([1, 1, 0, 0, 0], score=[5, 1, 2, 3, 0])
    models = {"a": p, "b": Predictions.of([1, 1, 0, 0, 0], score=[1, 5, 2, 0, 3])}
    results = [
        evaluate(p, "auc"),
        credibly.curve("roc", p),
        credibly.compare(models, measure="auc"),
        credibly.decide(p),
        credibly.hull(models),
    ]
    monkeypatch.setitem(sys.modules, "pandas", None)
    for result in results:
        with pytest.raises(ParameterError, match=r"pip install pandas\. Or name another"):
            result.frame()
        assert result.frame("pyarrow").num_rows > 0


def test_an_estimate_is_a_number_and_an_interval_two():
    e = table(measures="recall")["recall"]
    assert float(e) == e.value == 0.5
    assert (f"{e:.2f}", f"{e:>6.1%}") == ("0.50", " 50.0%")
    assert f"{e}" == str(e)
    low, high = e.interval
    assert (low, high) == (e.interval.low, e.interval.high)
    assert low in e.interval
    assert high + 1e-9 not in e.interval


def test_a_name_keeps_the_brackets_of_its_arguments():
    p = Predictions.of([1, 0, 1, 0], score=[0.9, 0.4, 0.3, 0.2])
    (estimate,) = evaluate(p, "partial_auc(between=(0.1, 0.5))").estimates
    assert estimate.name == "Partial AUC (between=(0.1, 0.5))"
