"""What is saved comes back: the same fingerprint from every format, everything from Parquet."""

from dataclasses import replace

import duckdb
import numpy as np
import pytest

import credibly
from credibly import DataError, ParameterError, Predictions
from credibly.predictions import Fit, Provenance

RNG = np.random.default_rng(0)
N = 40
SHARES = RNG.dirichlet([1, 1, 1], N)
PLAIN = {
    "three classes": Predictions.of(
        RNG.integers(0, 3, N),
        probability=SHARES,
        row=np.arange(N),
        model=["a", "b"] * (N // 2),
        fold=RNG.integers(0, 3, N),
        part="test",
        baseline=SHARES[0],
        n_train=30,
    ),
    "numbers": Predictions.of(RNG.random(N), value=RNG.random(N), baseline=0.5, group=["x"] * N),
    "a positive class": Predictions.of(
        ["mal", "ben"] * (N // 2), probability=RNG.random(N), positive="mal"
    ),
    "missing": Predictions.of([1, 0, None], label=[None, 0, 1]),
}
TYPED = {
    "frequency weights": Predictions.of(
        [1, 0], label=[1, 1], sample_weight=[2, 3], weight_kind="frequency"
    ),
    "truth and false": Predictions.of([True, False], score=[0.25, 0.5]),
    "order": Predictions.of(["low", "high"], label=["low", None], classes=["low", "mid", "high"]),
    "quotes": Predictions.of(['a"', "b'"], probability=[[0.25, 0.75], [1, 0]]),
}
PROVENANCE = Provenance("folds(k=3)", "s", "d", 7, {"a": "A()"}, {"numpy": "2"}, (Fit("a", 0, 1, 30, 10),))  # fmt: skip


@pytest.mark.daily
@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
@pytest.mark.parametrize("name", PLAIN)
def test_columns_come_back_from_every_format(name, suffix, tmp_path):
    path = credibly.save(PLAIN[name], tmp_path / f"p.{suffix}")
    assert credibly.read(path).fingerprint == PLAIN[name].fingerprint


@pytest.mark.parametrize("name", [*PLAIN, *TYPED])
def test_parquet_keeps_everything(name, tmp_path):
    p = replace({**PLAIN, **TYPED}[name], provenance=PROVENANCE)
    back = credibly.read(credibly.save(p, tmp_path / "p.parquet"))
    assert back.fingerprint == p.fingerprint
    assert back.findings == p.findings
    assert back.provenance == PROVENANCE


def test_provenance_is_not_part_of_the_fingerprint():
    p = PLAIN["numbers"]
    assert replace(p, provenance=PROVENANCE, cache={}).fingerprint == p.fingerprint


def test_what_cannot_be_written_is_said(tmp_path):
    p = PLAIN["missing"]
    with pytest.raises(ParameterError, match=r"saved as .parquet.*got 'p.xlsx'"):
        credibly.save(p, tmp_path / "p.xlsx")
    with pytest.raises(DataError, match=r"the folder .*nowhere does not exist"):
        credibly.save(p, tmp_path / "nowhere" / "p.csv")
    cases = Predictions.of(["a", "A"], probability=[[0.5, 0.5], [0.5, 0.5]])
    with pytest.raises(DataError, match="differ only in upper and lower case"):
        credibly.save(cases, tmp_path / "p.parquet")


@pytest.mark.parametrize(
    "kept", ["no json", "[1]", '{"findings": [{"x": 1}]}', '{"provenance": 3}']
)
def test_damaged_metadata_is_said(kept, tmp_path):
    path = tmp_path / "p.parquet"
    duckdb.execute(
        f"COPY (SELECT 1 AS truth, 1 AS label) TO '{path}' (FORMAT parquet, KV_METADATA {{credibly: '{kept}'}})"
    )
    with pytest.raises(DataError, match="'credibly'"):
        credibly.read(path)


class _WithoutWidgets:
    """A database in a notebook that cannot draw progress: it refuses to be told to draw none."""

    def __init__(self, connection):
        self.connection = connection

    def __getattr__(self, name):
        return getattr(self.connection, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def execute(self, statement, *more):
        if "progress_bar" in statement:
            raise duckdb.InvalidInputException("Could not change the progress bar setting")
        return self.connection.execute(statement, *more)


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_files_are_written_and_read_in_a_notebook_without_widgets(tmp_path, monkeypatch, ending):
    real = duckdb.connect
    monkeypatch.setattr(duckdb, "connect", lambda *a, **k: _WithoutWidgets(real(*a, **k)))
    p = Predictions.of(["no", "yes"], probability=[0.25, 0.75])
    credibly.save(p, tmp_path / f"p.{ending}")
    assert credibly.read(tmp_path / f"p.{ending}").fingerprint == p.fingerprint
