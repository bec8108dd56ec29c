"""Every format gives the predictions that the same arrays give."""

import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from credibly import DataError, Predictions
from credibly.io import read, readers
from every.additions import example_runs

TRUTH = ["yes", "no", "yes", None, "no"]
LABEL = ["yes", "no", "no", "yes", None]
P_YES = [0.75, 0.25, 0.5, 1.0, 0.0]
WEIGHT = [1.0, 2.0, 0.5, 1.0, 3.0]
FOLD = [0, 0, 1, 1, 1]
MODEL = ["a b", "a b", "c", "c", "c"]
COLUMNS = {
    "truth": TRUTH,
    "label": LABEL,
    "p_yes": P_YES,
    "p_no": [1 - p for p in P_YES],
    "weight": WEIGHT,
    "fold": FOLD,
    "model": MODEL,
    "row": [10, 11, 12, 13, 14],
    "n_train": [50, 50, 60, 60, 60],
    "baseline_yes": [0.5, 0.5, 0.25, 0.25, 0.25],
    "baseline_no": [0.5, 0.5, 0.75, 0.75, 0.75],
}


@pytest.fixture
def want():
    return Predictions.of(
        TRUTH,
        label=LABEL,
        probability=np.column_stack([COLUMNS["p_no"], P_YES]),
        sample_weight=WEIGHT,
        fold=FOLD,
        model=np.array(MODEL),
        row=COLUMNS["row"],
        n_train=COLUMNS["n_train"],
        baseline=np.column_stack([COLUMNS["baseline_no"], COLUMNS["baseline_yes"]]),
    )


def delimited(separator, end="\n"):
    rows = zip(*COLUMNS.values(), strict=True)
    lines = [separator.join(COLUMNS)]
    lines += [separator.join("" if v is None else str(v) for v in row) for row in rows]
    return end.join(lines) + end


@pytest.mark.daily
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_csv(write, same, want, separator, end):
    same(read(write(delimited(separator, end))), want)


def test_csv_with_byte_order_mark_and_blank_lines(write, same, want):
    same(read(write("\ufeff\n" + delimited(",") + "\n\n")), want)


def test_tsv(write, same, want):
    same(read(write(delimited("\t"), "p.tsv")), want)


@pytest.mark.parametrize("name", ["p.csv.gz", "p.csv"])
def test_gzipped_csv(write, same, want, name):
    same(read(write(gzip.compress(delimited(",").encode()), name)), want)


def json_lines():
    rows = zip(*COLUMNS.values(), strict=True)
    return "".join(json.dumps(dict(zip(COLUMNS, r, strict=True))) + "\n" for r in rows)


@pytest.mark.parametrize("name", ["p.jsonl", "p.ndjson"])
def test_json_lines(write, same, want, name):
    same(read(write(json_lines(), name)), want)
    same(read(write(gzip.compress(json_lines().encode()), name + ".gz")), want)


def test_json_lines_keys_may_be_absent_and_odd(write, same):
    path = write('{"a/b":"x","$s~":1}\n{"$s~":2, "later":"k"}\n{"a/b":"y","$s~":3}\n', "p.jsonl")
    got = read(path, truth="a/b", score="$s~", positive="x", group="later")
    assert got.group.tolist() == [None, "k", None]
    same(
        got,
        Predictions.of(
            ["x", None, "y"], score=[1, 2, 3], positive="x", group=np.array([None, "k", None])
        ),
    )


def test_parquet(tmp_path, same, want):
    pq.write_table(pa.table(COLUMNS), tmp_path / "p.parquet")
    same(read(tmp_path / "p.parquet"), want)


def test_parquet_dictionary_and_row_groups(tmp_path, same, want):
    columns = {**COLUMNS, "truth": pa.array(TRUTH).dictionary_encode()}
    pq.write_table(pa.table(columns), tmp_path / "p.parquet", row_group_size=2)
    same(read(tmp_path / "p.parquet"), want)


def test_parquet_names_differ_by_case_and_are_odd(tmp_path, same):
    table = pa.table({"Y": ["a", "b"], "y": ["b", "a"], 'q";DROP\n': [0.5, 1.5], "n": [[1], [2]]})
    pq.write_table(table, tmp_path / "p.parquet")
    got = read(tmp_path / "p.parquet", truth="Y", label="y", score='q";DROP\n', positive="b")
    same(got, Predictions.of(["a", "b"], label=["b", "a"], score=[0.5, 1.5], positive="b"))


@pytest.mark.parametrize(
    ("truth", "label"),
    [
        ([True, False, None], [True, True, False]),
        ([1, 0, None], [1, 1, 0]),
        ([1.0, 0.0, None], [1, 1, 0]),
        ([2**60, 2**60 + 1, None], [2**60, 2**60, 2**60 + 1]),
        ([0, 1, 1], [0, 1, None]),
    ],
)
def test_parquet_types(tmp_path, same, truth, label):
    pq.write_table(pa.table({"truth": truth, "label": label}), tmp_path / "p.parquet")
    as_given = np.array([t if t is not None else None for t in truth], object)
    want = (
        Predictions.of(as_given, label=label)
        if 2**60 not in truth
        else Predictions.of([0, 1, None], label=[0, 0, 1], classes=[0, 1])
    )
    got = read(tmp_path / "p.parquet")
    if 2**60 in truth:
        assert got.classes == (2**60, 2**60 + 1)
        assert got.truth.tolist() == [0, 1, -1]
    else:
        same(got, want)


def test_format_by_content_not_by_name(tmp_path, write, same, want):
    pq.write_table(pa.table(COLUMNS), tmp_path / "p.csv")
    same(read(tmp_path / "p.csv"), want)
    same(read(write(delimited(","), "p.data"), format="csv"), want)
    same(read(write(json_lines(), "p.txt"), format="jsonl"), want)


def test_numeric(write, same):
    want = Predictions.of([1.5, np.nan, 3], value=[1, 2.5, 4], baseline=[2, 2, 2.5])
    path = write("actual,predicted,baseline\n1.5,1,2\n,2.5,2\n3,4,2.5\n")
    same(read(path), want)
    same(read(path, truth="actual", value="predicted", baseline="baseline"), want)


@pytest.mark.parametrize("entry", readers, ids=lambda entry: entry.name)
def test_every_reader_shows_an_example_that_runs(entry, tmp_path):
    assert entry.title
    example_runs(entry, "read(", read=read, folder=tmp_path)  # to which it writes its file


def test_nothing_heavy_is_imported_before_use():
    import subprocess
    import sys

    code = "import credibly.io, sys; list(credibly.io.readers); print([m for m in ('duckdb', 'narwhals', 'pandas') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_only_needed_columns_are_converted(write):
    path = write("y,s,junk\n1,0.5,x\n0,0.25,y\n")
    assert read(path, truth="y", score="s").n == 2


def test_file_order_is_kept(write):
    n = 30_000
    rows = "".join(f"{i % 2},{i}\n" for i in range(n))
    np.testing.assert_array_equal(read(write("y,score\n" + rows)).score, np.arange(n))


@pytest.mark.slow
def test_line_breaks_in_quotes_across_the_buffers_of_the_database(tmp_path):
    # DuckDB 1.5 misreads these when it reads in parallel.
    values = ["a", '"b\nc"', '"d,e\n\n,1\n"', '"long\n' + "x" * 40 + '"']
    n = 3_000_000
    pick = np.random.default_rng(0).integers(0, 4, n)
    with (tmp_path / "p.csv").open("w") as file:
        file.write("y,score\n")
        file.writelines(f"{values[k]},{i}\n" for i, k in enumerate(pick.tolist()))
    got = read(tmp_path / "p.csv", label="y", truth="y", row="score", score=None)
    assert got.n == n
    np.testing.assert_array_equal(got.row, np.arange(n))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("predictions", "y,p\nyes,0.75\nno,0.25\n"),
        ("predictions.dat", "y\tp\nyes\t0.75\nno\t0.25\n"),
        ("predictions", '{"y": "yes", "p": 0.75}\n{"y": "no", "p": 0.25}\n'),
        ("predictions.json", '[{"y": "yes", "p": 0.75},\n {"y": "no", "p": 0.25}]'),
    ],
)
def test_a_name_that_does_not_say_the_format_leaves_it_to_the_content(tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text)
    p = read(file)
    assert p.probability.tolist() == [0.75, 0.25]
    told = {f.code for f in p.findings}
    assert ("format-taken" in told) == (not name.endswith(".json"))


@pytest.mark.daily
@pytest.mark.parametrize("mark", ["NA", "n/a", "NaN", ""])
@pytest.mark.parametrize("way", ["{:.0f} %", "0,{:.0f}", "0.{:.0f}"])
def test_a_missing_number_stands_among_numbers_however_they_are_written(tmp_path, mark, way):
    path = tmp_path / "p.csv"
    cells = [*map(way.format, (90, 20, 80, 10)), mark]
    path.write_text("y;p\n" + "".join(f"{y};{c}\n" for y, c in zip("10100", cells, strict=True)))
    p = read(path, truth="y", probability="p")
    assert np.array_equal(p.probability, [0.9, 0.2, 0.8, 0.1, np.nan], equal_nan=True)


def test_the_cells_that_are_no_numbers_are_named_alone(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("y;p\n1;90 %\n0;20 %\n1;many\n")
    with pytest.raises(DataError, match=r"not a number in 1 row: line 4 \('many'\)"):
        read(path, truth="y", probability="p")
