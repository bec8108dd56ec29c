"""Files that lie, are broken, or are hostile: a sentence, never a traceback, nothing on disk."""

import contextlib
import gzip
import os
import stat
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from credibly import CrediblyError, DataError
from credibly.io import read, reader, readers
from every.additions import example_runs

GOOD = "y,score\n1,0.5\n0,0.25\n"


@pytest.mark.parametrize(
    "name",
    [
        "a[1]*.csv",
        "q'uo\"te;DROP TABLE x.csv",
        "ünï.csv",
        "back\\slash.csv",
        "sp ace\n.csv",
        "a{b,c}.csv",
        "~x.csv",
        "a?b.csv",
        "a[b.csv",
        "year=2020.csv",
        "http:.csv",
        "-.csv",
        ".hidden.csv",
    ],
)
def test_file_names_are_data(write, name):
    write("y,score\n1,9\n0,9\n", "a1x.csv")
    assert read(write(GOOD, name)).score.tolist() == [0.5, 0.25]


def test_partition_like_folder(tmp_path):
    folder = tmp_path / "y=7"
    folder.mkdir()
    (folder / "p.csv").write_text(GOOD)
    pq.write_table(pa.table({"y": [1, 0], "score": [0.5, 0.25]}), folder / "p.parquet")
    for name in ("p.csv", "p.parquet"):
        assert read(folder / name).truth.tolist() == [1, 0]


@pytest.mark.parametrize(
    "name",
    ['qu"ote', "new\nline", "x;DROP TABLE loaded;--", "ünï ☃", "'", "c0", "a,b", " pad ", "\u2028"],
)
def test_column_names_are_data(write, name):
    quoted = '"' + name.replace('"', '""') + '"'
    assert read(write(f"y,{quoted}\n1,0.5\n0,0.25\n"), score=name).score.tolist() == [0.5, 0.25]


def test_thousands_of_columns(write):
    k = 3000
    header = ",".join(["y", "score", *(f"x{i}" for i in range(k))])
    rows = "".join(",".join(["1", "0.5", *["7"] * k]) + "\n" for _ in range(5))
    assert read(write(f"{header}\n{rows}")).n == 5


def test_nothing_is_written(write, tmp_path, monkeypatch):
    path = write(GOOD)
    monkeypatch.chdir(tmp_path)
    read(path)
    read(path.name)
    with pytest.raises(DataError):
        read(write("y,score\n1\n", "bad.csv"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.csv", "p.csv"]


def test_the_database_prints_nothing(write):
    """Where no file is run, as by ``python -c``, it would show how far it is."""
    from credibly.io._database import connect

    setting = "SELECT current_setting('enable_progress_bar')"
    assert connect(write(GOOD)).execute(setting).fetchone() == (False,)


def test_the_database_reads_no_other_file(write):
    import duckdb

    from credibly.io._database import connect

    other = write(GOOD, "other.csv")
    connection = connect(write(GOOD))
    for statement in (
        f"FROM read_csv('{other}')",
        f"COPY (SELECT 1) TO '{other}.out'",
        "SET enable_external_access = true",
        "INSTALL httpfs",
        "ATTACH 'x.db'",
    ):
        with pytest.raises(duckdb.Error):
            connection.execute(statement)


# Paths


def test_missing_file(write):
    path = write(GOOD, "predictions.csv")
    with pytest.raises(DataError, match=r"There is no file .*Did you mean predictions\.csv\?"):
        read(path.with_name("prediction.csv"))
    with pytest.raises(DataError, match="does not exist"):
        read(path.parent / "nowhere" / "p.csv")


def test_folder(tmp_path):
    with pytest.raises(DataError, match="is a folder"):
        read(tmp_path)


def test_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(DataError, match="not a regular file"):
        read(tmp_path / "pipe.csv")


@pytest.mark.parametrize("name", ["a\0b.csv", "x" * 5000 + ".csv"])
def test_impossible_names(name):
    with pytest.raises(DataError, match=r"cannot be opened|no file"):
        read(name)


def test_name_that_is_not_utf8(tmp_path):
    path = os.fsencode(tmp_path / "p") + b"\xff.csv"
    with open(path, "w") as file:  # noqa: PTH123
        file.write(GOOD)
    with pytest.raises(DataError, match="cannot be opened"):
        read(os.fsdecode(path))


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_permission_as_user(write):
    path = write(GOOD)
    path.chmod(0)
    with pytest.raises(DataError, match="permission denied"):
        read(path)
    path.chmod(stat.S_IRWXU)


def test_permission(write, monkeypatch):
    from pathlib import Path

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    path = write(GOOD)
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DataError, match="permission denied"):
        read(path)


def test_unknown_ending(message):
    said = message("a line without a separator\n" * 2, "p.dat")
    assert "The format of p.dat is not clear from its name" in said
    assert "Set format=... to one of " in said
    assert "csv, tsv" in said


@pytest.mark.parametrize(
    ("start", "what"),
    [(b"PK\x03\x04xxxx", "zip"), (b"SQLite format 3\0", "SQLite"), (b"ARROW1\0\0", "Arrow")],
)
def test_foreign_files(message, start, what):
    assert what in message(start + b"\0" * 50, "p.csv")


def test_unknown_format(message):
    assert "There is no reader 'stata'" in message(GOOD, format="stata")


class OfALibraryError(Exception):
    pass


@pytest.mark.parametrize(
    "error",
    [OfALibraryError("byte 7\nand more"), KeyError("x"), AssertionError(), RecursionError()],
)
def test_what_the_library_of_a_reader_raises_is_said_in_our_words(write, error):
    def fails(path):
        """A format whose library has errors of its own."""
        raise error

    reader("Odd", suffixes=(".odd",))(fails)
    try:
        with pytest.raises(
            DataError, match=rf"p\.odd cannot be read as Odd \({type(error).__name__}"
        ):
            read(write("x", "p.odd"))
    finally:
        readers.remove("fails")


# The file that the docstring of a reader writes, cut off and with bytes changed.


@pytest.mark.daily(times=[1])
@pytest.mark.parametrize("times", [1, 8])
@pytest.mark.parametrize("name", readers.names())
def test_damaged_files_of_every_reader(name, times, tmp_path):
    (tmp_path / "whole").mkdir()
    example_runs(readers[name], "read", folder=tmp_path / "whole", read=read)
    rng = np.random.default_rng(times)
    for file in [f for f in (tmp_path / "whole").rglob("*") if f.is_file()]:
        whole, path = file.read_bytes(), tmp_path / file.name
        damaged = [whole[:cut] for cut in rng.integers(1, len(whole), times)]
        for _ in range(times):
            spoiled = np.frombuffer(whole, np.uint8).copy()
            spoiled[rng.integers(0, spoiled.size, 3)] = rng.integers(0, 256, 3)
            damaged.append(spoiled.tobytes())
        for content in damaged:
            path.write_bytes(content)
            with contextlib.suppress(CrediblyError):
                read(path)


# Content of text files


def test_empty(message):
    assert "p.csv is empty" in message("")
    assert "nothing but empty lines" in message("\n\n \n")
    assert "p.jsonl is empty" in message("", "p.jsonl")
    assert "has columns and no rows" in message("y,score\n")
    assert "has columns and no rows" in message("y,score")
    assert "has columns and no rows" in message("actual,predicted\n")
    assert "has columns and no rows" in message("actual,p_a,p_b\n")


def test_one_column(message):
    assert "identifies it as the label, score" in message("y\n1\n0\n")


def test_one_row(write):
    assert read(write("y,score\n1,0.5\n")).n == 1


def test_ragged(message):
    said = message("y,score\n1,0.5\n0,0.25,7\n")
    assert said.startswith("p.csv, line 3: 3 fields where the header names 2 columns.")
    assert "'0,0.25,7'" in said
    assert "line 4: 1 field where" in message("y,score\n1,2\n0,3\n1\n0,4\n")
    assert "decimals with a point" in message("y,score\na,0,5\n")


def test_comment_like_lines_are_data(write, message):
    assert read(write("y,score\n#a,1\nb,2\n"), positive="b").classes == ("#a", "b")
    assert "line 3: 1 field" in message("y,score\n1,2\n# a comment\n")


def test_bad_numbers(message):
    said = message("y,score\n1,0.5\n0,NA\n1,x\n")
    assert "p.csv: column 'score' is not a number in 1 row: line 4 ('x') of the file." in said
    assert "Write decimals with a point" in message('y,score\n1,"0,5"\n0,"0,25"\n')
    many = message("y,score\n" + "1,x\n" * 1000)
    assert "in 1,000 rows: lines 2 ('x'), 3 ('x'), 4 ('x'), 5 ('x'), 6 ('x') and 995 more" in many
    assert "'" + "z" * 40 + "...'" in message(f"y,score\n1,{'z' * 500}\n")


@pytest.mark.parametrize("text", ["inf", "-Infinity", "1e999"])
def test_numbers_that_are_not_finite_are_named(message, text):
    said = message(f"y,score\n1,0.5\n0,{text}\n")
    assert "score is not a finite number in 1 row: line 3" in said


@pytest.mark.parametrize("text", ["nan", "NaN", "", " "])
def test_missing_numbers_are_no_predictions(write, text):
    assert read(write(f"y,score\n1,0.5\n0,{text}\n")).gaps.tolist() == [False, True]


def test_quotes(message, write):
    assert "line 3: a quoted field does not end" in message('y,score\n1,2\n0,"3\n')
    assert "a quoted field does not end" in message('y,score\n1,"2"x\n')
    assert "line 3: a quoted field does not end" in message('y,label\n1,2\n0, "3\n1,2\n')
    literal = '5" x,2\n6" x,"3\n1,2\n'  # an even number of quotes, one of them open
    assert "line 3: a quoted field does not end" in message("y,label\n" + literal)
    assert "line 1: a quoted field does not end" in message('y,"score\n1,2\n')
    got = read(write('y,label\na,5" disk\nb,"a"'))
    assert got.classes == ('5" disk', "a", "b")
    got = read(write('"y","score"\n"a, ""b""\nc","1"\nd,"2"\n'), positive="d")
    assert got.classes == ('a, "b"\nc', "d")


def test_mixed_line_ends(message):
    assert "line endings or quotes of different kinds" in message("y,score\na,1\r\nb,2\nc,3\r\n")


def test_nul_bytes(message):
    assert "NUL byte in line 3" in message(b"y,score\na,1\nb\0c,2\n")
    far = b"y,label\n" + b"a,b\n" * 50_000 + b"a\0b,c\n"
    assert "column 'y' holds a NUL byte, as in 'a\\x00b'" in message(far)


def test_encodings(message, write):
    rows = "y,score\na,1\nné,2\n"
    taken = read(write(rows.encode("cp1252")), positive="a")
    assert taken.classes == ("a", "né")
    assert "was read as Windows-1252" in next(
        f.message for f in taken.findings if f.code == "encoding-taken"
    )
    far = rows.encode("latin-1") + b"a,1\n" * 600_000 + "né,2\n".encode("latin-1")
    assert read(write(far), positive="a").n == 600_003
    for encoding in ("utf-16", "utf-32"):  # which have a byte order mark
        marked = read(write(rows.encode(encoding)), positive="a")
        assert marked.classes == ("a", "né")
        assert "encoding-taken" not in {f.code for f in marked.findings}
    for encoding in ("utf-16-be", "utf-16-le"):
        assert "UTF-8" in message(GOOD.encode(encoding))
    assert "not text in UTF-8, UTF-16 or Windows-1252: byte 0x81 in line 2" in message(
        b"y,score\na\x81,1\n"
    )
    assert "starts as text in UTF-16 does" in message(b"\xff\xfea\0,\0b")
    line = '{"y": 1, "score": 2}\n{"y": 0, "score": 1}\n'
    assert read(write(line.encode("utf-16"), "p.jsonl")).n == 2


def test_broken_gzip(message):
    packed = gzip.compress(("y,score\n" + "1,0.5\n" * 50_000).encode())
    assert "cannot be unpacked" in message(packed[: len(packed) // 2], "p.csv.gz")
    spoiled = bytearray(packed)
    spoiled[len(packed) // 2] ^= 0xFF
    assert "cannot be unpacked" in message(bytes(spoiled), "p.csv.gz")
    rows = '{"y": 1, "score": 0.5}\n' * 50_000
    assert "cannot be unpacked" in message(gzip.compress(rows.encode())[:200], "p.jsonl.gz")
    arff = "@relation r\n@attribute y {a}\n@data\n" + "a\n" * 50_000
    assert "cannot be unpacked" in message(gzip.compress(arff.encode())[:100], "p.arff.gz")


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("last", [False, True])
def test_long_line(message, packed, last):
    content = b"y,score\na,1\n" + b"x" * 3_000_000 + b",3\n" + (b"" if last else b"c,2\n")
    content = gzip.compress(content, 1) if packed else content
    said = message(content, "p.csv.gz" if packed else "p.csv")
    assert "line 3: the line is longer than 2,000,000 bytes" in said


def test_long_quoted_row(message):
    content = b'y,score\na,1\n"' + (b"x" * 999 + b"\n") * 3000 + b'",3\n'
    assert "p.csv, line 3" in message(content)


@pytest.mark.slow
def test_very_long_line_costs_little(tmp_path):
    import resource

    path = tmp_path / "p.csv"
    with path.open("wb") as file:
        file.write(b"y,score\na,1\n")
        for _ in range(300):
            file.write(b"x" * 1_000_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    with pytest.raises(DataError, match="longer than"):
        read(path)
    assert time.process_time() - start < 2
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


# JSON lines


def test_json_lines_faults(message):
    good = '{"y": 1, "score": 2}\n'
    assert "p.jsonl, line 3: this is not JSON" in message(good * 2 + "nonsense\n", "p.jsonl")
    assert "line 2: this is not JSON" in message(good + '{"y": 1, "score":\n', "p.jsonl")
    assert "line 2: the file ends in the middle" in message(good + '{"y": 1, "sco', "p.jsonl")
    assert "line 2: a JSON object is expected" in message(good + "[1, 2]\n", "p.jsonl")
    assert "not JSON" in message('[{"y": 1}, {"y":', "p.json")
    assert "a JSON object is expected" in message("[1, 2]", "p.json")
    assert "byte order mark" in message("\ufeff" + good, "p.jsonl")
    latin = good.encode() + '{"y": "é"}\n'.encode("latin-1")
    assert "line 2: the text is not UTF-8" in message(latin, "p.jsonl")
    long = good.encode() + b'{"y": "' + b"x" * 40_000_000 + b'", "score": 1}\n'
    assert "a line is longer than 16,777,216 bytes" in message(long, "p.jsonl")
    assert "row 1 ('x')" in message(good + '{"y": 1, "score": "x"}\n', "p.jsonl")
    assert "row 1 (inf)" in message(good + '{"y": 1, "score": Infinity}\n', "p.jsonl")
    nested = '{"y": ' + "[" * 100_000 + "]" * 100_000 + ', "score": 1}\n'
    assert "score is about one class" in message(nested + good, "p.jsonl")
    deep = good + '{"y": ' + "[" * 100_000 + "]" * 100_000 + "}\n"
    assert "score is about one class" in message(deep, "p.jsonl")


# Parquet


@pytest.fixture
def parquet(tmp_path):
    y = np.arange(2000) % 2
    pq.write_table(pa.table({"y": y, "score": y * 1.5}), tmp_path / "whole.parquet")
    return (tmp_path / "whole.parquet").read_bytes()


def test_parquet_cut_off(message, parquet):
    for size in (6, 100, len(parquet) // 2, len(parquet) - 2):
        assert "it was cut off" in message(parquet[:size], "p.parquet")
    assert "it was cut off" in message(b"PAR1PAR1", "p.parquet")


def test_parquet_that_is_none(message):
    assert "p.parquet is not a Parquet file: it starts with b'y,sc'" in message(GOOD, "p.parquet")


@pytest.mark.daily(seed=range(8))
@pytest.mark.parametrize("seed", range(30))
def test_parquet_spoiled(write, parquet, seed):
    rng = np.random.default_rng(seed)
    spoiled = bytearray(parquet)
    for place in rng.integers(4, len(parquet) - 8, 20):
        spoiled[place] ^= int(rng.integers(1, 256))
    with contextlib.suppress(CrediblyError):  # what happens to be readable is read
        read(write(bytes(spoiled), "p.parquet"))


def test_parquet_types_that_are_no_numbers(tmp_path):
    path = tmp_path / "p.parquet"
    pq.write_table(pa.table({"y": [1, 0], "score": pa.array([1, 2], pa.date32())}), path)
    with pytest.raises(
        DataError, match=r"'score' is not a number in 2 rows: rows 0 \('1970-01-02'\)"
    ):
        read(path)
    pq.write_table(pa.table({"y": [1.5, 0], "score": [1, 2]}), path)
    with pytest.raises(DataError, match="not whole"):
        read(path)
    pq.write_table(pa.table({"y": [1, 0], "score": [[1], [2]]}), path)
    with pytest.raises(DataError, match=r"row.* 0 \('\[1\]'\)"):
        read(path)


def test_parquet_without_rows(tmp_path):
    pq.write_table(
        pa.table({"y": pa.array([], pa.int64()), "score": pa.array([], pa.float64())}),
        tmp_path / "p.parquet",
    )
    with pytest.raises(DataError, match="no rows"):
        read(tmp_path / "p.parquet")
