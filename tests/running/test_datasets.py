"""Data from files, frames and by name."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.datasets import load_digits

from credibly import CrediblyError, DataError, Experiment, decide, evaluate, run
from credibly.errors import MissingColumnError, ParameterError
from credibly.io.datasets import datasets, read_data, read_inputs

FRAME = pd.DataFrame(
    {
        "id": [7, 8, 9, 10],
        "x": [1.5, None, 3.0, 4.0],
        "town": ["a", "b", None, "a"],
        "nothing": [None] * 4,
        "y": ["no", "yes", "no", "yes"],
    }
)


@pytest.mark.parametrize("name", [each.name for each in datasets])
def test_bundled_sets_have_a_target_and_names(name):
    data = read_data(name)
    assert data.X.shape == (len(data.y), len(data.names))
    assert data.X.dtype.kind == "f"


def test_digits_are_scikit_learns():
    data = read_data("digits", "class")
    X, y = load_digits(return_X_y=True)
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.y, y)


def test_frames_and_files_give_the_same(tmp_path):
    FRAME.to_csv(tmp_path / "d.csv", index=False)
    FRAME.drop(columns="nothing").to_parquet(tmp_path / "d.parquet")
    sources = [FRAME, pl.from_pandas(FRAME), tmp_path / "d.csv", str(tmp_path / "d.parquet")]
    for source in sources:
        data = read_data(source, "y", ignore=["id"], group=None)
        assert data.names == ("x", "town")
        assert data.X[0].tolist() == [1.5, "a"]
        assert np.isnan(data.X[1, 0])
        assert data.X[2, 1] is None
        assert data.y.tolist() == ["no", "yes", "no", "yes"]
    assert "empty-columns" in {f.code for f in read_data(FRAME, "y").findings}


def test_a_nominal_attribute_written_in_numbers_is_text(tmp_path):
    path = tmp_path / "d.arff"
    path.write_text(
        "@relation r\n@attribute a {1,2}\n@attribute b numeric\n@attribute c {0,1}\n@data\n1,2,0\n2,?,1\n"
    )
    data = read_data(path)
    assert data.X[:, 0].tolist() == ["1", "2"]
    assert data.target == "c"
    assert data.y.tolist() == ["0", "1"]


def test_columns_with_a_role_are_no_inputs():
    frame = pd.DataFrame({"g": list("aabb"), "w": [1, 2, 1, 2], "t": [1, 2, 3, 4], "f": [0, 1, 0, 1], "x": [1.0, 2, 3, 4], "y": [0, 1, 0, 1]})  # fmt: skip
    data = read_data(frame, "y", group="g", weight="w", time="t", fold="f")
    assert data.names == ("x",)
    assert data.columns["groups"].tolist() == list("aabb")
    assert data.columns["sample_weight"].tolist() == [1, 2, 1, 2]
    p = run("zero-r", data.X, data.y, resampling="fold_column", **data.columns)
    assert p.fold[np.argsort(p.row)].tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("source", "options", "error", "said"),
    [
        (FRAME, {"target": "z"}, MissingColumnError, "no column 'z' for target= in the pandas"),
        (FRAME, {}, MissingColumnError, "Which column of the pandas frame should be predicted"),
        (FRAME, {"target": "y", "group": "twn"}, MissingColumnError, "Did you mean town"),
        (FRAME[["y"]], {"target": "y"}, DataError, "no column left to learn from"),
        (FRAME[["nothing", "y"]], {"target": "y"}, DataError, "Every input column .* is empty"),
        (FRAME, {"target": "y", "format": "csv"}, ParameterError, "format= is for files"),
        ("wein", {}, DataError, "no bundled set called 'wein'.* Did you mean wine"),
        (3, {}, ParameterError, "frame"),
    ],
)
def test_what_cannot_be_read_is_said(source, options, error, said):
    with pytest.raises(error, match=said):
        read_data(source, **options)


def test_marks_of_missing_values(tmp_path):
    path = tmp_path / "d.csv"
    rows = ["1,red,NA,yes", "NA,None,?,no", "2.5,NA,null,yes", "?,blue,,?", "None,NA,N/A,no"]
    path.write_text("x,colour,empty,y\n" + "\n".join(rows) + "\n")
    found = read_data(path, "y")
    assert found.names == ("x", "colour")
    assert np.isnan(found.X[:, 0].astype(float)).tolist() == [False, True, False, True, True]
    assert found.X[:, 1].tolist() == ["red", "None", None, "blue", None]
    assert found.y.tolist() == ["yes", "no", "yes", None, "no"]
    said = [f.message for f in found.findings if f.code == "missing-as-text"]
    assert "The column 'colour' holds 'NA' in 2 rows, taken as missing." in said
    assert "The column 'y' holds '?' in 1 row, taken as missing." in said
    named = read_data(path, "y", missing=["red"])
    assert named.X[:, named.names.index("colour")].tolist() == [None, "None", "NA", "blue", "NA"]
    assert named.X[:, 0].tolist() == ["1", "NA", "2.5", "?", "None"]


@pytest.mark.parametrize("kind", ["boolean", "string", "Int64"])
def test_a_target_with_gaps_as_pandas_writes_them(kind):
    values = {"boolean": [True, pd.NA, False], "string": ["a", pd.NA, "b"], "Int64": [1, pd.NA, 0]}
    y = pd.Series(values[kind] * 4, dtype=kind)
    p = run("zero-r", np.ones((12, 1)), y, resampling=2, rng=1)
    assert sorted(p.row.tolist()) == [0, 2, 3, 5, 6, 8, 9, 11]
    said = next(f for f in p.findings if f.code == "missing-targets")
    assert said.message == "The target of 4 rows of 12 is missing: they were left out."


def test_columns_of_the_same_name_are_refused(tmp_path):
    """All but the last were lost without a word."""
    path = tmp_path / "d.csv"
    path.write_text("a,a,b,y\n" + "1,2,3,no\n4,5,6,yes\n" * 5)
    for read in (lambda: read_data(path, "y"), lambda: read_inputs(path)):
        with pytest.raises(DataError, match="has 2 columns called 'a'"):
            read()
    assert read_data(path, "y", ignore=["a"]).names == ("b",)
    arff = tmp_path / "d.arff"
    twice = "@attribute y {no,yes}\n" * 2
    arff.write_text(f"@relation r\n@attribute x numeric\n{twice}@data\n1,no,no\n2,yes,yes\n")
    with pytest.raises(DataError, match="2 columns called 'y'"):
        read_data(arff)


@pytest.mark.parametrize("names", [["a", "a"], [7, "7"]])
def test_columns_of_the_same_name_in_a_frame(names):
    frame = pd.DataFrame(np.ones((12, 2)), columns=names)
    y = np.arange(12) % 2
    with pytest.raises(DataError, match=f"X has 2 columns called '{names[0]}'"):
        run("zero-r", frame, y, rng=1)
    with pytest.raises(DataError, match=f"'{names[0]}'.* Give each .*its own name"):
        read_data(frame.assign(y=y), "y")
    table = pa.table([[1.0] * 12, [2.0] * 12], names=["a", "a"])
    with pytest.raises(DataError, match="X has 2 columns called 'a'"):
        run("zero-r", table, y, rng=1)


def test_columns_called_like_our_attributes():
    names = ["nature", "column_names", "columns", "codes"]
    frame = pd.DataFrame({n: np.arange(12) % 5 for n in names})
    p = run("naive-bayes", frame, np.arange(12) % 2, rng=1, resampling="2")
    assert p.n == 12


@pytest.mark.parametrize("numbers", [np.arange(5.5, 17.5), np.arange(5, 17)])
def test_times_that_are_numbers_are_ordered_as_such(numbers, tmp_path):
    """As text, 10.5 comes before 5.5, and models were trained on what came after their tests."""
    frame = pd.DataFrame({"x": range(12), "t": numbers, "y": [0, 1] * 6})
    frame.to_csv(tmp_path / "d.csv", index=False)
    how = {"resampling": "time_ordered(k=3)", "rng": 1}
    want = run("zero-r", frame[["x"]], frame["y"], time=numbers, **how)
    read = read_data(tmp_path / "d.csv", "y", time="t")
    objects = numbers.astype(object)
    for time in (read.time, objects):
        assert run("zero-r", frame[["x"]], frame["y"], time=time, **how).row.tolist() == want.row.tolist()  # fmt: skip
    given = {"file": {"data": tmp_path / "d.csv", "target": "y", "time": "t"}}
    store = Experiment("zero-r", given, **how).run(tmp_path / "kept", n_jobs=1, progress=False)
    assert sorted(store.predictions("file").row) == sorted(want.row)


@pytest.fixture
def commas():
    """Decimal commas, of which some repeat and one is missing, dates as text, and real categories."""
    return pd.DataFrame(
        {
            "price": [None if i == 3 else f"{i // 10},{i % 7} EUR" for i in range(40)],
            "day": [f"2024-01-{1 + i % 25:02}" for i in range(40)],
            "serial": [f"A-{i:03}" for i in range(40)],
            "town": ["Bern", "Rome", "Oslo", "Kiel"] * 10,
            "y": ["no", "yes"] * 20,
        }
    )


def test_text_with_another_value_in_most_rows(commas, tmp_path):
    """Which is no category, though it may stand for numbers."""
    commas.to_csv(tmp_path / "d.csv", sep=";", index=False)
    read = read_data(tmp_path / "d.csv", "y")
    frames = [run("zero-r", f, commas["y"], rng=1) for f in (commas.drop(columns="y"), pl.from_pandas(commas.drop(columns="y")))]  # fmt: skip
    store = Experiment("zero-r", {"d": {"data": tmp_path / "d.csv", "target": "y"}}, rng=1).run(
        tmp_path / "kept", n_jobs=1, progress=False
    )
    for findings in (read.findings, *(p.findings for p in frames), store.predictions("d").findings):
        (many,) = [f for f in findings if f.code == "many-categories"]
        assert "1 input holds text with a different value in most rows: 'price'." in many.message
        assert "Named schemes ignore such text." in many.message
        assert many.action.endswith("or turn decimal commas into numbers first.")
        (dates,) = [f for f in findings if f.code == "dates-as-days"]
        assert "day" in dates.message
        (unique,) = [f for f in findings if f.code == "identifier"]
        assert "serial" in unique.message
        assert "Turn decimal commas" not in unique.action


def test_text_of_few_values_or_in_few_rows(commas):
    half = pd.DataFrame({"t": [f"v{i % 20}" for i in range(40)]})
    few = commas[["price"]].head(19)
    for frame in (half, few, commas[["town"]]):
        p = run("zero-r", frame, np.arange(len(frame)) % 2, rng=1, resampling="2")
        assert not {"many-categories", "identifier"} & {f.code for f in p.findings}


def churn(n=600, seed=1):
    """A file as people have it: a day of signing up that matters, a name that does not, two numbers."""
    rng = np.random.default_rng(seed)
    day = rng.integers(0, 900, n)
    x = rng.normal(size=(n, 2))
    churned = rng.random(n) < 1 / (1 + np.exp(-(x[:, 0] + (day - 450) / 200)))
    since = (np.datetime64("2021-01-01") + day).astype(str)
    names = [f"customer {k}" for k in rng.integers(0, 5 * n, n)]
    columns = {"since": since, "name": names, "a": x[:, 0], "b": x[:, 1]}
    return pd.DataFrame(columns), np.where(churned, "yes", "no"), day


def written(frame, how):
    days = pd.to_datetime(frame["since"]).dt
    return frame.assign(since=days.strftime(how))


@pytest.mark.parametrize("scheme", ["logistic", "tree(max_depth=4)", "naive-bayes", "forest"])
@pytest.mark.daily(scheme=["naive-bayes", "tree(max_depth=4)"])
def test_dates_are_days_and_names_are_nothing(scheme):
    frame, y, day = churn()
    p = run(scheme, frame, y, resampling=5, rng=1)
    by_hand = run(scheme, frame[["a", "b"]].assign(since=day)[["since", "a", "b"]], y, resampling=5, rng=1)  # fmt: skip
    found = evaluate(p, "auc", estimate="pooled")["auc"].value
    assert found == pytest.approx(
        evaluate(by_hand, "auc", estimate="pooled")["auc"].value, abs=1e-9
    )
    codes = {f.code for f in p.findings}
    assert {"dates-as-days", "many-categories"} <= codes


@pytest.mark.parametrize(
    "how", ["%d.%m.%Y", "%Y/%m/%d", "%m/%d/%Y", "%d/%m/%Y", "%Y-%m-%d 06:30:00"]
)
def test_dates_are_read_as_they_are_written(how):
    frame, y, _ = churn(200)
    plain, other = (
        run("logistic", f, y, resampling=5, rng=1) for f in (frame, written(frame, how))
    )
    np.testing.assert_allclose(plain.probability, other.probability, atol=1e-9)


def test_text_of_an_array_is_doubted_like_that_of_a_frame():
    frame, y, _ = churn(200)
    by_name = run("logistic", frame, y, resampling=5, rng=1)
    plain = run("logistic", frame.to_numpy(object), y, resampling=5, rng=1)
    assert plain.fingerprint == by_name.fingerprint
    assert {f.code for f in plain.findings} == {f.code for f in by_name.findings}


def test_nothing_but_names_is_nothing_to_learn_from():
    frame, y, _ = churn(200)
    with pytest.raises(CrediblyError, match="nothing to learn from: name"):
        run("logistic", frame[["name"]], y, resampling=5, rng=1)


CONTEXTS = [each for each in datasets if each.costs]
SHARES = {
    "loans": 1 / 7, "oil-slicks": 0.06, "load-peaks": 1 / 10, "machine-faults": 0.05,
    "estrus": 1 / 30, "fraud": 0.01,
}  # fmt: skip


@pytest.mark.parametrize("entry", CONTEXTS, ids=lambda e: e.name)
def test_contexts_are_what_they_say(entry):
    """The share that is told, the same rows every time, and costs for which the trivial rules are not best."""
    data, again = read_data(entry.name), read_data(entry.name)
    np.testing.assert_array_equal(data.X, again.X)
    np.testing.assert_array_equal(data.y, again.y)
    costs = entry.cost_matrix()
    wanted = entry.positive or costs.classes[-1]
    assert (data.y == wanted).mean() == pytest.approx(SHARES[entry.name], rel=0.2)
    assert set(costs.classes) == set(data.y)
    assert data.positive == (entry.positive or None)
    # The mistake that matters costs more than any other.
    missed = max(costs.cost(wanted, c) for c in costs.classes)
    others = [costs.cost(a, b) for a in costs.classes for b in costs.classes if a != wanted]
    assert missed > 2 * max(others)
    p = run(
        "logistic", data.X, data.y, resampling="3", rng=1, positive=data.positive, progress=False
    )
    cost = decide(p, costs).table["average_cost"]
    assert cost.value < min(cost.baselines.values())


def test_the_null_rule_of_estrus_is_right_nearly_always():
    data = read_data("estrus")
    assert (data.y == "not in estrus").mean() == pytest.approx(29 / 30, abs=0.005)


def test_sets_without_costs_say_so():
    with pytest.raises(DataError, match="There are no costs"):
        datasets["iris"].cost_matrix()
    assert "costs" not in datasets["iris"].facts()
    assert "default called paid: 5000" in datasets["loans"].facts()["costs"]
