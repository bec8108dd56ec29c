"""The same predictions in every engine: identical counts, measures and intervals equal to 1e-12."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import credibly
from credibly import Predictions, evaluate
from credibly.engines import engines, summarise
from credibly.engines.findings import ENGINE
from engines.servers import (
    dask_table,
    duckdb_table,
    fill,
    java,
    pandas_table,
    polars_table,
    postgres,
    spark_session,
)

RNG = np.random.default_rng(7)
N = 4000
SCORE = np.round(RNG.beta(2, 2, N), 2)
YES = np.where(RNG.random(N) < SCORE, "yes", "no")
SHARES = np.round(RNG.dirichlet([1, 1, 1], N) * 20) / 20
SHARES[:, 2] = 1 - SHARES[:, 0] - SHARES[:, 1]
VALUE = np.round(RNG.normal(size=N), 1)


def in_order(places):
    """Categories whose order is not that of the alphabet."""
    return pd.Categorical.from_codes(places % 3, ["low", "mid", "high"], ordered=True)


TABLES = {
    "probabilities": {"truth": YES, "probability": SCORE},
    "scores and labels": {
        "truth": (YES == "yes").astype(int),
        "score": np.round(SCORE * 40 - 17) / 4,
        "label": (SCORE > 0.4).astype(int),
    },
    "three classes": {
        "truth": np.array(["a", "b", "c"])[
            [RNG.choice(3, p=s / s.sum()) for s in SHARES.clip(0, 1)]
        ],
        "p_a": SHARES[:, 0].clip(0, 1),
        "p_b": SHARES[:, 1].clip(0, 1),
        "p_c": SHARES[:, 2].clip(0, 1),
    },
    "numbers": {"truth": VALUE, "value": np.round(VALUE + RNG.normal(size=N) / 2, 1)},
    "groups": {"truth": YES, "probability": SCORE, "group": RNG.integers(0, 30, N)},
}
TYPED = {
    **TABLES,
    "ordered categories": {
        c: in_order(SHARES[:, i].argsort()) for i, c in enumerate(("truth", "label"))
    },
}  # by engines that know ordered categories
ENGINES = {
    "duckdb": duckdb_table,
    "polars": polars_table,
    "pandas": pandas_table,
    "dask": dask_table,
}


def same(a, b, tolerance=1e-12):
    return a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= tolerance * max(1, abs(a))


def check(p, columns):
    """Compare with the arrays themselves, every measure that applies."""
    there = credibly.read(pd.DataFrame(columns))
    assert p.cases == there.n == N
    if p.label is not None:
        mine, theirs = (credibly.predictions.summaries.Counts.of(q).matrix for q in (p, there))
        assert np.array_equal(mine, theirs)
    assert p.classes == there.classes
    here, memory = evaluate(p), evaluate(there)
    assert [e.measure for e in here.estimates] == [e.measure for e in memory.estimates]
    for mine, theirs in zip(here.estimates, memory.estimates, strict=True):
        assert same(mine.value, theirs.value), mine.measure
        assert mine.n == theirs.n
        assert (mine.interval is None) == (theirs.interval is None), mine.measure
        if mine.interval:
            assert same(mine.interval.low, theirs.interval.low, 1e-9), mine.measure
            assert same(mine.interval.high, theirs.interval.high, 1e-9), mine.measure
    assert here.heading == memory.heading


@pytest.mark.daily
@pytest.mark.parametrize("name", TYPED)
@pytest.mark.parametrize("engine", ENGINES)
def test_engines_count_as_arrays_do(engine, name):
    p = summarise(ENGINES[engine](TYPED[name]), exact=True)
    check(p, TYPED[name])
    assert p.findings[-1].code == "engine"


def test_spark_counts_as_arrays_do():
    with spark_session() as session:
        for columns in TABLES.values():
            rows = list(zip(*(np.asarray(c).tolist() for c in columns.values()), strict=True))
            check(summarise(session.createDataFrame(rows, list(columns)), exact=True), columns)
        columns = TABLES["probabilities"]
        rows = list(zip(*(c.tolist() for c in columns.values()), strict=True))
        bounded(summarise(session.createDataFrame(rows, list(columns)), tolerance=1e-6), columns)


@pytest.mark.thorough
def test_postgres_counts_as_arrays_do():
    with postgres() as server:
        for i, columns in enumerate(TABLES.values()):
            fill(server, f"t{i}", columns)
            check(summarise(f"t{i}", connect=server.address, exact=True), columns)
        bounded(summarise("t0", connect=server.address, tolerance=1e-6), TABLES["probabilities"])


def bounded(p, columns):
    memory = credibly.read(pd.DataFrame(columns))
    assert p.span is not None
    for name in ("auc", "average_precision", "ks", "brier", "log_loss"):
        e = evaluate(p, name)[name]
        assert abs(e.value - evaluate(memory, name)[name].value) <= e.bound + 1e-12
        assert e.bound <= 1e-6


@pytest.mark.parametrize("engine", ENGINES)
def test_bins_of_every_engine_keep_their_promise(engine):
    columns = TABLES["probabilities"]
    bounded(summarise(ENGINES[engine](columns), tolerance=1e-6), columns)


@pytest.mark.parametrize("engine", ENGINES)
def test_comparisons_curves_and_calibration_follow(engine):
    """Nothing but the counts is known, and everything else is the same."""
    columns = TABLES["probabilities"]
    p, there = summarise(ENGINES[engine](columns), exact=True), credibly.read(pd.DataFrame(columns))
    assert isinstance(p, Predictions)
    mine, theirs = (credibly.calibration(q) for q in (p, there))
    for a, b in zip(mine.table.estimates, theirs.table.estimates, strict=True):
        assert same(a.value, b.value, 1e-9), a.measure
    for kind in ("roc", "precision_recall", "lift"):
        a, b = (credibly.curve(kind, q) for q in (p, there))
        assert np.allclose(a.x, b.x, atol=1e-12)
        assert np.allclose(a.y, b.y, atol=1e-12)
    costs = credibly.CostMatrix.of([[0, 1], [5, 0]], classes=("no", "yes"))
    a, b = (evaluate(q, costs=costs)["average_cost"].value for q in (p, there))
    assert same(a, b)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", ["probabilities", "numbers"])
def test_rows_without_a_prediction_are_as_many_as_in_memory(engine, kind):
    """A row that an engine counted 50 times is 50 rows without a prediction, not one."""
    columns = dict(TABLES[kind])
    name = "probability" if kind == "probabilities" else "value"
    columns[name] = np.where(np.arange(N) % 9 == 0, np.nan, columns[name])

    def said(p):
        return [f.message for f in p.findings if f.code == "no-prediction"]

    there = said(summarise(ENGINES[engine](columns), exact=True))
    here = said(credibly.read(pd.DataFrame(columns)))
    assert there == here
    assert here[0].startswith(f"{len(range(0, N, 9)):,} of {N:,} rows have no prediction")


OURS = {
    "classes in order": {"y_true": ["low", "mid", "high", "high"], "label": ["low", "high", "mid", "high"], "classes": ["low", "mid", "high"]},
    "the positive class": {"y_true": ["no", "yes", "yes", "no"], "score": [0.9, 0.2, 0.4, 0.1], "positive": "no"},
    "numerals": {"y_true": ["1", "10", "2"], "label": ["1", "2", "2"]},
    "a class without a name": {"y_true": ["", "a", "a"], "label": ["", "", "a"]},
    "numbers like classes": {"y_true": [3.0, 3.0, 4.0], "value": [3.25, 3.5, 4.5]},
    "weights": {"y_true": [1, 0, 1], "label": [1, 1, 1], "sample_weight": [0.5, 1, 2], "weight_kind": "importance"},
}  # fmt: skip


@pytest.mark.parametrize("engine", [e.name for e in engines])
def test_files_of_ours_say_to_every_engine_what_they_say_to_memory(engine, tmp_path):
    if engine == "spark":
        java()
    for name, given in OURS.items():
        p = Predictions.of(**given)
        p = replace(p, findings=(ENGINE(done="Made", engine="a test", what=name),))
        (tmp_path / name).mkdir()
        parts = [credibly.save(p, tmp_path / name / f"{i}.parquet") for i in range(2)]
        for source, copies in ((parts[0], 1), (tmp_path / name, 2)):
            q = summarise(source, engine=engine)
            assert q.classes == p.classes, name
            assert q.positive == p.positive, name
            assert q.cases == copies * p.cases, name
            assert [f.message for f in q.findings[:-1]] == [f.message for f in p.findings], name
            there = evaluate(p.take(np.tile(np.arange(p.n), copies)), interval="none")
            found = {e.measure: e.value for e in evaluate(q, interval="none").all.estimates}
            for e in there.all.estimates:
                assert same(found[e.measure], e.value), (name, e.measure)
