"""Bad input where predictions live: clear errors, and nothing left out in silence."""

import os
import subprocess
import time
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import credibly
from credibly import DataError, ParameterError, Predictions, evaluate, read
from credibly.cli import main
from credibly.engines import engines, summarise
from credibly.engines._tables import EngineLimits
from credibly.engines.files import Files
from credibly.errors import MissingColumnError
from engines.servers import fill, postgres

N = 2000
RNG = np.random.default_rng(1)
GOOD = pd.DataFrame({"truth": RNG.integers(0, 2, N), "score": RNG.random(N)})


@pytest.fixture
def folder(tmp_path):
    for i in range(3):
        GOOD.to_parquet(tmp_path / f"part{i}.parquet")
    return tmp_path


# --- files ----------------------------------------------------------------------------------------


def test_a_truncated_file_is_named(folder):
    path = folder / "part1.parquet"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(DataError, match=r"part1.parquet is an incomplete Parquet file"):
        summarise(folder)


def test_a_file_that_is_damaged_inside_is_named(folder):
    path = folder / "part1.parquet"
    damaged = bytearray(path.read_bytes())
    damaged[4:2000] = bytes(1996)
    path.write_bytes(damaged)
    with pytest.raises(DataError, match=r"part1\.parquet"):
        summarise(folder, exact=True)


def test_columns_that_differ_between_files_are_named(folder):
    GOOD.rename(columns={"score": "points"}).to_parquet(folder / "part2.parquet")
    with pytest.raises(
        DataError, match=r"part2.parquet has no column 'score', which part0.parquet"
    ):
        summarise(folder)
    GOOD.astype({"score": str}).to_parquet(folder / "part2.parquet")
    with pytest.raises(
        DataError, match=r"Column 'score' holds varchar in part2.parquet and numbers"
    ):
        summarise(folder)


def test_whole_numbers_and_doubles_go_together(folder):
    GOOD.astype({"score": "float32", "truth": "int8"}).to_parquet(folder / "part2.parquet")
    assert summarise(folder, exact=True).cases == 3 * N


def test_what_is_no_table_is_refused(tmp_path):
    with pytest.raises(DataError, match="No file matches"):
        summarise(tmp_path / "*.parquet")
    with pytest.raises(DataError, match="no file that ends in"):
        summarise(tmp_path)
    with pytest.raises(DataError, match="There is no file"):
        summarise(tmp_path / "nothing.parquet")
    (tmp_path / "a.csv").write_text("truth,score\n1,2\n")
    GOOD.to_parquet(tmp_path / "b.parquet")
    with pytest.raises(DataError, match="several kinds"):
        summarise(tmp_path)
    with pytest.raises(ParameterError, match="got list"):
        summarise([1, 2])


def test_folders_of_text_files_are_read_as_one_text_file(tmp_path):
    """Labels such as 007 stay names, 1.0 is 1, and an empty field is missing: as in one small file."""
    head, rows = "truth,probability,label\n", ["007,0.25,x", "008,0.5,007", ",0.75,008"]
    for i, row in enumerate(rows):
        (tmp_path / f"{i}.csv").write_text(head + row.replace(",x", ",") + "\n")
    (tmp_path / "one.csv.all").write_text(head + "\n".join(rows).replace(",x", ",") + "\n")
    p = summarise(tmp_path, exact=True, positive="008")
    q = credibly.read(tmp_path / "one.csv.all", positive="008", format="csv")
    assert p.classes == q.classes == ("007", "008")
    assert evaluate(p, "accuracy")["accuracy"].value == evaluate(q, "accuracy")["accuracy"].value


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_folders_named_by_values_are_columns(tmp_path, engine):
    for land in ("de", "fr"):
        (tmp_path / f"country={land}").mkdir()
        GOOD.to_parquet(tmp_path / f"country={land}" / "a.parquet")
    table = credibly.engines.evaluate_slices(tmp_path, ["country"], "auc", engine=engine)
    assert [e.keys["country"] for e in table.estimates] == ["de", "fr"]


# --- limits ---------------------------------------------------------------------------------------


def test_too_little_room_to_spill_is_said(tmp_path):
    score = np.random.default_rng(2).random(400_000)
    rows = pd.DataFrame({"truth": np.arange(400_000) % 2, "score": score})
    rows.to_parquet(tmp_path / "p.parquet")
    lazy = engines["duckdb"](Files.of(tmp_path / "p.parquet"), EngineLimits(memory="20MB"))
    full = duckdb.IOException("could not write: No space left on device")
    assert "spill=..." in str(lazy.explain(full))
    lazy.close()
    with pytest.raises(DataError, match=r"needs more space than memory='2MB' and the spill folder"):
        summarise(tmp_path / "p.parquet", exact=True, memory="2MB", threads=1)
    with pytest.raises(ParameterError, match="threads must be a whole number of at least 1"):
        summarise(tmp_path / "p.parquet", threads=0)
    with pytest.raises(ParameterError, match="not a size"):
        summarise(tmp_path / "p.parquet", memory="much")
    with pytest.raises(ParameterError, match="is not a folder"):
        summarise(tmp_path / "p.parquet", spill=str(tmp_path / "nowhere"))


def test_a_full_disk_to_spill_to_is_said(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(small)]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("a small disk can be mounted by root alone")
    try:
        score = np.random.default_rng(2).random(1_000_000)
        pd.DataFrame({"truth": np.arange(score.size) % 2, "score": score}).to_parquet(
            tmp_path / "p.parquet"
        )
        with pytest.raises(DataError, match="needs more space than memory='30MB'") as raised:
            summarise(
                tmp_path / "p.parquet", exact=True, memory="30MB", spill=str(small), threads=1
            )
        assert str(small) in str(raised.value)
        assert list(small.iterdir()) == []
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_nothing_is_left_in_the_spill_folder(folder, tmp_path):
    spill = tmp_path / "spill"
    spill.mkdir()
    summarise(folder, exact=True, memory="50MB", spill=str(spill))
    assert list(spill.iterdir()) == []


def test_an_engine_may_read_its_files_and_nothing_else(folder, tmp_path):
    lazy = engines["duckdb"](Files.of(folder / "part0.parquet"), EngineLimits())
    with pytest.raises(duckdb.PermissionException):
        lazy.frame.to_native().query("v", f"FROM '{folder}/part1.parquet'").fetchall()
    lazy.close()


# --- values ---------------------------------------------------------------------------------------

SPOILT = [0.5, None, np.nan, np.inf, -np.inf, 0.25, 0.75, 0.75]
KNOWN = [1, 0, 1, 0, 1, 0, 1, 0]
TABLES = {
    "duckdb": lambda: duckdb.sql(
        "SELECT * FROM (VALUES (1, 0.5::DOUBLE), (0, NULL), (1, 'nan'::DOUBLE), (0, 'inf'::DOUBLE), "
        "(1, '-inf'::DOUBLE), (0, 0.25), (1, 0.75), (0, 0.75)) AS t(truth, score)"
    ),
    "polars": lambda: pl.DataFrame({"truth": KNOWN, "score": SPOILT}, strict=False).lazy(),
}


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("engine", TABLES)
def test_infinite_scores_are_left_out_and_missing_ones_stay(engine, exact):
    p = summarise(TABLES[engine](), tolerance=None if exact else 1e-6)
    assert p.cases == 6
    assert p.scored().cases == 4
    assert evaluate(p, "auc")["auc"].value == pytest.approx(0.625, abs=1e-6)
    said = " ".join(f.message for f in p.findings if f.code == "left-out-rows")
    assert "infinite in 2 rows of 8" in said


def test_labels_that_are_none_of_the_classes_are_left_out_and_counted():
    rows = duckdb.sql(
        "SELECT * FROM (VALUES ('a','a'), ('b','?'), ('x','b'), ('b','b')) AS t(truth, label)"
    )
    p = summarise(rows, exact=True, classes=["a", "b"])
    assert p.cases == 2
    said = [f.message for f in p.findings if f.code == "left-out-rows"]
    assert said == [
        "Truth is not one of the classes in 1 row of 4: these rows were left out.",
        "Label is not one of the classes in 1 row of 4: these rows were left out.",
    ]


@pytest.mark.daily
@pytest.mark.parametrize("engine", ["duckdb", "polars"])
@pytest.mark.parametrize("tolerance", [None, 0.05])
@pytest.mark.parametrize(
    "roles",
    [
        {"probability": "p"},
        {"probability": "p", "label": "l"},
        {"score": "p", "threshold": 0.3},
        {"probability": "p", "weight": "w", "weight_kind": "frequency"},
    ],
    ids=lambda roles: "-".join(roles),
)
def test_a_case_without_a_prediction_is_judged_as_in_memory(tmp_path, engine, tolerance, roles):
    rng = np.random.default_rng(1)
    n = 120_000 if tolerance else 300
    yes = rng.random(n) < 0.3
    p = np.where(rng.random(n) < 0.1, np.nan, rng.random(n).round(5))
    columns = {"y": np.where(yes, "yes", "no"), "p": p, "w": rng.integers(0, 4, n)}
    frame = pd.DataFrame(columns | {"l": np.where(rng.random(n) < 0.4, "yes", "no")})
    frame.to_parquet(path := tmp_path / "a.parquet")
    names = ["error_rate", "unclassified_rate", "recall", "auc"]
    asked = {"truth": "y", "positive": "yes", **roles}
    counted = summarise(path, engine=engine, tolerance=tolerance, measures=names, **asked)
    assert (counted.span is not None) == bool(tolerance)
    values = [[e.value for e in evaluate(q, names)] for q in (counted, read(path, **asked))]
    assert values[0][:3] == pytest.approx(values[1][:3], rel=1e-12)
    assert values[0][3] == pytest.approx(values[1][3], abs=tolerance or 1e-12)


@pytest.mark.parametrize("bad", [np.nan, np.inf, None])
def test_columns_named_after_the_classes_are_left_out_where_one_holds_no_number(bad):
    p = np.random.default_rng(3).dirichlet([1, 1, 1], 300)
    columns = {f"p_{c}": p[:, i].astype(object) for i, c in enumerate("abc")}
    columns["p_b"][7] = bad
    frame = pd.DataFrame({"truth": list("abc") * 100, **columns, "note": ["x"] * 300})
    frame = frame.astype(dict.fromkeys(columns, float))
    counted = summarise(duckdb.from_df(frame))
    assert counted.cases == 299
    assert any("in 1 row of 300: these rows were left out" in f.message for f in counted.findings)
    rest = credibly.read(frame.drop(index=7))
    assert evaluate(counted, "log_loss")["log_loss"].value == pytest.approx(
        evaluate(rest, "log_loss")["log_loss"].value, rel=1e-12
    )


@pytest.mark.daily(name=['p"yes', "select"])
@pytest.mark.parametrize("name", ["p.yes", 'p"yes', "p'yes", "a b", "p;yes", "select", "日本"])
def test_columns_of_any_name(tmp_path, name):
    rows = pd.DataFrame({"tr.uth": [0, 1, 1, 0] * 20, name: [0.1, 0.8, 0.3, 0.4] * 20, "x.y": 1})
    rows.to_parquet(tmp_path / "a.parquet")
    rows.to_parquet(tmp_path / "b.parquet")
    for source in (duckdb.from_df(rows), tmp_path / "a.parquet", tmp_path):
        for how in ({"exact": True}, {"tolerance": 0.1}):
            p = summarise(source, truth="tr.uth", score=name, **how)
            assert evaluate(p, "auc")["auc"].value == pytest.approx(0.75)
    sliced = credibly.engines.evaluate_slices(tmp_path, ["x.y"], "auc", truth="tr.uth", score=name)
    assert len(sliced.estimates) == 1


def test_too_many_slices_are_refused_before_any_is_judged(monkeypatch):
    monkeypatch.setattr("credibly.predictions.case_columns.MAX_SLICES", 100)
    rows = duckdb.from_df(GOOD.assign(v=[f"case {i}" for i in range(N)]))
    with pytest.raises(DataError, match="v cut the cases into 2,000 slices; at most 100"):
        credibly.engines.evaluate_slices(rows, ["v"], "auc")


def test_a_table_without_predictions_lists_its_own_columns():
    rows = duckdb.from_df(pd.DataFrame({"y": [0, 1] * 10, "speed": [1.0, 2.0] * 10}))
    with pytest.raises(MissingColumnError, match=r"Its columns: y, speed\."):
        summarise(rows, truth="y")


def test_names_that_would_become_the_same_are_refused():
    rows = pd.DataFrame({"truth": [0, 1], "a.b": [0.1, 0.2], "a\u00b7b": [0.1, 0.2]})
    with pytest.raises(DataError, match="cannot be distinguished from others"):
        summarise(duckdb.from_df(rows), score="a.b")


@pytest.mark.parametrize("engine", [duckdb.from_df, lambda frame: pl.from_pandas(frame).lazy()])
def test_counts_in_messages_are_of_cases(engine):
    rows = pd.DataFrame({"truth": [0, 1] * 50, "probability": [0.0, 1.0] * 48 + [1.0, 0.0] * 2})
    (e,) = evaluate(summarise(engine(rows)), "log_loss").estimates
    assert "4 cases cost infinitely much." in e.findings[0].message
    with pytest.raises(DataError, match=r"'probability' is outside 0 to 1 in 50 rows"):
        summarise(engine(rows.assign(probability=[0.5, 7.0] * 50)))


def test_an_unknown_truth_is_counted_as_in_memory():
    rows = duckdb.sql(
        "SELECT * FROM (VALUES (1, 0.5), (NULL, 0.1), (NULL, 0.1), (0, 0.2)) AS t(truth, score)"
    )
    table = evaluate(summarise(rows, exact=True), "auc")
    assert "The truth is missing in 2 rows of 4" in " ".join(f.message for f in table.findings)


def test_nothing_that_can_be_judged_is_an_error():
    with pytest.raises(DataError, match="holds a prediction"):
        summarise(duckdb.sql("SELECT 1 AS truth, NULL::DOUBLE AS score"), exact=True)
    with pytest.raises(DataError, match="no finite score"):
        summarise(duckdb.sql("SELECT 1 AS truth, 'nan'::DOUBLE AS score"), tolerance=1e-6)


def test_probabilities_outside_their_range_are_refused():
    rows = duckdb.sql("SELECT i % 2 AS truth, i / 2.0 AS probability FROM range(5) AS t(i)")
    with pytest.raises(DataError, match="outside"):
        summarise(rows, exact=True)
    with pytest.raises(DataError, match="outside 0 to 1 in 2 rows"):
        summarise(rows, tolerance=1e-6)


def test_counts_beyond_32_bits_are_added_up():
    """Three rows, each of two thousand million cases: a sum of 32 bits would overflow."""
    rows = duckdb.sql(
        "SELECT truth, score, CAST(2000000000 AS INTEGER) AS n FROM "
        "(VALUES (1, 0.5), (1, 0.5), (0, 0.5), (0, 0.25)) AS t(truth, score)"
    )
    for tolerance in (None, 1e-6):
        p = summarise(rows, weight="n", weight_kind="frequency", tolerance=tolerance)
        assert p.cases == 8_000_000_000
        assert p.weight.max() == 4_000_000_000
        assert evaluate(p, "auc")["auc"].value == 0.75


def test_decimals_are_the_doubles_nearest_to_them():
    """0.1 as a decimal of 20 places and as a double are one score, in every way of counting."""
    values = ["0.1", "0.30000000000000000000", "0.7", "0.1"]
    rows = duckdb.sql(
        f"SELECT * FROM (VALUES {', '.join(f'({i % 2}, {v}::DECIMAL(30,20))' for i, v in enumerate(values))}) AS t(truth, score)"
    )
    p = summarise(rows, exact=True)
    assert sorted(set(p.score.tolist())) == [0.1, 0.3, 0.7]
    frame = pl.DataFrame({"truth": [0, 1, 0, 1], "score": [Decimal(v) for v in values]}).lazy()
    assert sorted(set(summarise(frame, exact=True).score.tolist())) == [0.1, 0.3, 0.7]


def test_minus_zero_is_zero_and_neighbours_are_apart():
    near = float(np.nextafter(0.5, 1))
    frame = pl.DataFrame({"truth": [1, 0, 1, 0], "score": [-0.0, 0.0, 0.5, near]})
    for p in (summarise(frame.lazy(), exact=True), summarise(frame.lazy(), tolerance=1e-9)):
        expected = credibly.measures.auc(Predictions.of([1, 0, 1, 0], score=[0.0, 0.0, 0.5, near]))
        assert evaluate(p, "auc", interval="none")["auc"].value == expected


def test_importance_weights_keep_every_case():
    rows = pd.DataFrame({"truth": [1, 0, 1, 0], "score": [3, 3, 2, 1], "w": [0.5, 1.5, 1, 2.5]})
    p = summarise(rows, weight="w")
    q = Predictions.of(rows["truth"], score=rows["score"], sample_weight=rows["w"])
    mine, theirs = (evaluate(x, "auc")["auc"] for x in (p, q))
    assert (mine.value, mine.interval) == (theirs.value, theirs.interval)


def test_a_missing_column_is_named():
    with pytest.raises(MissingColumnError, match=r"Did you mean 'scores'|identifies it as the"):
        summarise(duckdb.sql("SELECT 1 AS truth, 2 AS other"))


# --- connections ----------------------------------------------------------------------------------


def test_a_database_that_cannot_be_reached_is_said_without_its_password():
    pytest.importorskip("ibis")
    pytest.importorskip("psycopg")
    with pytest.raises(DataError, match="cannot be reached") as raised:
        summarise("t", connect="postgresql://me" + ":secret@127.0.0.1:1/nothing")
    assert "secret" not in str(raised.value)
    with pytest.raises(ParameterError, match="is not an address"):
        summarise("t", connect="nothing")


def test_a_lost_connection_is_said():
    from credibly.engines.counting import counted
    from credibly.engines.others import connect
    from credibly.engines.query import Counting

    with postgres() as server:
        fill(server, "rows", {"truth": GOOD["truth"].to_numpy(), "score": GOOD["score"].to_numpy()})
        with pytest.raises(DataError, match=r"has no table 'row'. Did you mean rows"):
            connect(server.address, "row")
        counting = Counting.of(connect(server.address, "rows"), {})
        server.stop("immediate")
        with pytest.raises(DataError, match="the connection was lost; postgres says"):
            counted(counting, None, None, exact=True)
        counting.lazy.close()


@pytest.mark.thorough
def test_a_connection_that_is_lost_while_a_query_runs_is_said():
    import threading

    import psycopg

    with postgres() as server:
        fill(server, "rows", {"truth": GOOD["truth"].to_numpy(), "score": GOOD["score"].to_numpy()})
        with psycopg.connect(server.address, autocommit=True) as other:
            # Each row takes its time, so that the query runs for minutes.
            slowly = "SELECT truth, score FROM rows WHERE pg_sleep(0.05) IS NOT NULL"
            other.execute(f"CREATE VIEW slow AS {slowly}")
            running = (
                "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() "
                "AND backend_type = 'client backend' AND now() - query_start > interval '0.3 s'"
            )

            def end():
                while not (found := other.execute(running).fetchall()):
                    time.sleep(0.01)
                for (pid,) in found:
                    other.execute("SELECT pg_terminate_backend(%s)", [pid])

            killer = threading.Thread(target=end, daemon=True)
            killer.start()
            begin = time.monotonic()
            with pytest.raises(DataError, match="the connection was lost; postgres says"):
                summarise("slow", connect=server.address, exact=True)
            assert time.monotonic() - begin < 0.05 * len(GOOD)
            killer.join()


@pytest.mark.parametrize("missing", ["1,", "1,nan"])
def test_rows_without_a_score_are_no_predictions_in_a_file_and_in_a_folder(tmp_path, missing):
    file = tmp_path / "a.csv"
    file.write_text(f"y,s\n1,0.9\n0,0.2\n1,0.4\n0,0.6\n{missing}\n")
    alone, counted = read(file, truth="y", score="s"), summarise(tmp_path, truth="y", score="s")
    assert evaluate(alone, "auc")["auc"].value == evaluate(counted, "auc")["auc"].value == 0.75
    for p in (alone, counted):
        assert "1 of 5 rows has no prediction" in str(p.findings)


@pytest.mark.parametrize("bad", ["1,inf", "maybe,0.5"])
def test_bad_rows_are_refused_in_one_file_and_left_out_of_a_folder(tmp_path, capsys, bad):
    file = tmp_path / "a.csv"
    file.write_text(f"y,s\n1,0.9\n0,0.2\n1,0.4\n0,0.6\n{bad}\n")
    roles = ["--truth", "y", "--score", "s", "--classes", "0,1", "--positive", "1"]
    asked = [*roles, "--measure", "auc"]
    assert main(["evaluate", str(file), *asked]) == 1
    assert "line 6" in capsys.readouterr().err
    assert main(["evaluate", str(tmp_path), *asked]) == 0
    assert "in 1 row of 5: these rows were left out." in capsys.readouterr().out
