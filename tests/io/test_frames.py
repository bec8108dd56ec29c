import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from credibly import DataError, ParameterError, Predictions
from credibly.engines import summarise
from credibly.io import read, save

COLUMNS = {
    "truth": ["yes", "no", None, "yes"],
    "predicted": ["yes", None, "no", "no"],
    "score": [0.5, -1.0, 2.0, 3.5],
    "fold": [0, 0, 1, 1],
    "weight": [1, 2, 3, 4],
}
FRAMES = [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table]


@pytest.fixture
def want():
    return Predictions.of(
        COLUMNS["truth"],
        label=COLUMNS["predicted"],
        score=COLUMNS["score"],
        fold=COLUMNS["fold"],
        sample_weight=COLUMNS["weight"],
    )


@pytest.mark.parametrize("frame", FRAMES)
def test_frames(frame, same, want):
    same(read(frame(COLUMNS)), want)


@pytest.mark.parametrize(
    "truth",
    [
        pd.Categorical(COLUMNS["truth"]),
        np.array(COLUMNS["truth"], object),
        pd.array(COLUMNS["truth"], dtype="string"),
        pd.array(COLUMNS["truth"], dtype=pd.ArrowDtype(pa.string())),
        ["yes", "no", "", "yes"],
    ],
)
def test_pandas_texts(same, want, truth):
    same(read(pd.DataFrame({**COLUMNS, "truth": truth})), want)


def test_polars_and_arrow_categories(same, want):
    categorical = pl.Series(COLUMNS["truth"], dtype=pl.Categorical)
    same(read(pl.DataFrame({**COLUMNS, "truth": categorical})), want)
    encoded = pa.array(COLUMNS["truth"]).dictionary_encode()
    same(read(pa.table({**COLUMNS, "truth": encoded})), want)


@pytest.mark.parametrize(
    "truth",
    [
        pd.Categorical(["mid", "low", None], ["low", "mid", "high"], ordered=True),
        pl.Series(["mid", "low", None], dtype=pl.Enum(["low", "mid", "high"])),
    ],
)
def test_ordered_categories_give_the_order_of_classes(truth, same):
    frame = pd.DataFrame if isinstance(truth, pd.Categorical) else pl.DataFrame
    got = read(frame({"truth": truth, "label": ["low", "low", "high"]}))
    want = Predictions.of(
        ["mid", "low", None], label=["low", "low", "high"], classes=["low", "mid", "high"]
    )
    same(got, want)


@pytest.mark.parametrize(
    "truth",
    [
        pd.array([1, None, 0], dtype="Int64"),
        [1.0, np.nan, 0.0],
        pd.Categorical([1, None, 0]),
    ],
)
def test_whole_numbers_with_missing_values(truth, same):
    got = read(pd.DataFrame({"y": truth, "score": pd.array([1, 2, 3], dtype="Float64")}))
    same(got, Predictions.of([1, None, 0], score=[1, 2, 3]))


@pytest.mark.parametrize("truth", [pd.array([True, None, False], dtype="boolean")])
def test_truth_values(truth, same):
    got = read(pd.DataFrame({"y": truth, "score": [1, 2, 3]}))
    same(got, Predictions.of([True, None, False], score=[1, 2, 3]))
    same(read(pl.DataFrame({"y": [True, None, False], "score": [1, 2, 3]})), got)


def test_whole_and_text_become_text(same):
    got = read(pl.DataFrame({"truth": [1, 2], "label": ["1", "unknown"]}))
    same(got, Predictions.of(["1", "2"], label=["1", "unknown"]))


def test_numeric_frame(same):
    got = read(pd.DataFrame({"y": [1.5, 2.0], "y_pred": [1, 2]}))
    same(got, Predictions.of([1.5, 2.0], value=[1.0, 2.0]))
    decimals = pa.table({"y": pa.array([1, 2], pa.decimal128(5, 2)), "value": [0.5, 2.5]})
    same(read(decimals, truth="y", value="value"), Predictions.of([1.0, 2.0], value=[0.5, 2.5]))


def test_names_that_are_no_text(same):
    got = read(pd.DataFrame([[0, 0.5], [1, 0.75]]), truth="0", score="1")
    same(got, Predictions.of([0, 1], score=[0.5, 0.75]))


def test_dates_describe_rows():
    frame = pl.DataFrame({"y": [0, 1], "score": [0.1, 0.2], "group": ["2020-01-01", "2020-01-02"]})
    frame = frame.with_columns(pl.col("group").str.to_date())
    assert read(frame).group.tolist() == ["2020-01-01", "2020-01-02"]


def test_missing_score_is_no_prediction():
    p = read(pl.DataFrame({"y": [0, 1], "score": [0.5, None]}))
    assert p.gaps.tolist() == [False, True]
    assert (
        "1 of 2 rows has no prediction" in {f.code: f.message for f in p.findings}["no-prediction"]
    )


def test_text_that_is_no_number():
    with pytest.raises(DataError, match=r"the pandas frame: column 'score' .* row 1 \('NA'\)"):
        read(pd.DataFrame({"y": [0, 1], "score": ["0.5", "NA"]}))


def test_duplicate_names():
    with pytest.raises(DataError, match="Give each column its own name"):
        read(pd.DataFrame([[1, 2]], columns=["a", "a"]))


@pytest.mark.parametrize("what", [{"y": [1]}, [1, 2], 3, None, np.zeros(3)])
def test_what_is_no_frame(what):
    with pytest.raises(ParameterError, match="takes the path of a file, or a frame"):
        read(what)


def test_format_is_for_files():
    with pytest.raises(ParameterError, match="format= is for files"):
        read(pd.DataFrame(COLUMNS), format="csv")


DAYS = [dt.date(2020, 1, 1), dt.date(2020, 1, 2), None, dt.date(2020, 1, 1)]
TIMES = [None if d is None else dt.datetime(d.year, d.month, d.day) for d in DAYS]
DATED = {
    "array of days": lambda d: np.array(d, "M8[D]"),
    "array of nanoseconds": lambda d: np.array(d, "M8[ns]"),
    "list": list,
    "list of times": lambda d: TIMES,
    "pandas": lambda d: pd.Series(pd.to_datetime(d)),
}


@pytest.mark.parametrize("kind", DATED)
def test_dates_are_labels_in_arrays(kind):
    column = DATED[kind](DAYS)
    p = Predictions.of(column, label=column, group=column, positive=dt.date(2020, 1, 2))
    assert p.classes == ("2020-01-01", "2020-01-02")
    assert (p.truth.tolist(), p.positive) == ([0, 1, -1, 0], 1)
    assert p.group.tolist() == ["2020-01-01", "2020-01-02", None, "2020-01-01"]


@pytest.mark.daily
@pytest.mark.parametrize("column", [DAYS, TIMES], ids=["days", "times"])
@pytest.mark.parametrize("suffix", ["parquet", "csv", "frame", "engine"])
def test_dates_are_labels_in_files(tmp_path, column, suffix):
    frame = pl.DataFrame({"truth": column, "label": column, "group": column})
    path = tmp_path / "p.parquet"
    frame.write_parquet(path)
    if suffix == "csv":
        path = tmp_path / "p.csv"
        frame.with_columns(pl.all().cast(pl.Date)).write_csv(path)
    p = read(frame) if suffix == "frame" else summarise(path) if suffix == "engine" else read(path)
    assert p.classes == ("2020-01-01", "2020-01-02")
    if suffix != "engine":
        assert p.fingerprint == Predictions.of(DAYS, label=DAYS, group=DAYS).fingerprint
    assert read(save(p, tmp_path / "again.parquet")).fingerprint == p.fingerprint


@pytest.mark.parametrize("frame", FRAMES)
def test_percentages_of_a_frame_are_shares_as_in_a_file(frame):
    p = read(frame({"y": [1, 0, 1], "p": ["90 %", "n/a", "20.5%"]}), truth="y", probability="p")
    assert np.array_equal(p.probability, [0.9, np.nan, 0.205], equal_nan=True)
    with pytest.raises(DataError, match="is not a number"):
        read(frame({"y": [1, 0, 1], "p": ["90 %", "0.2", "20 %"]}), truth="y", probability="p")
