"""How the evidence hangs together: declared by resamplings, kept with predictions, merged."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.model_selection import KFold, TimeSeriesSplit

import credibly
from credibly import DataError, Experiment
from credibly.engines import merge, summarise
from credibly.predictions import Design, Predictions
from credibly.predictions.parts import TIME_BLOCKS, time_blocks
from credibly.resampling import as_resampling, resamplings
from credibly.running import learning_curve, run_datasets

RNG = np.random.default_rng(1)
X = RNG.normal(size=(120, 2))
Y = (X[:, 0] + RNG.normal(size=120) > 0).astype(int)
COLUMNS = {"groups": np.arange(120) // 4, "time": np.arange(120), "fold": np.arange(120) % 3}


def drawn(rng):
    y = rng.integers(0, 2, 40)
    return rng.normal(y[:, None], 1, (40, 2)), y


@pytest.mark.parametrize("r", list(resamplings), ids=lambda r: r.name)
def test_what_a_resampling_promises_is_on_its_splits(r):
    splits = r.realise(X, Y, rng=1, **COLUMNS)
    assert splits.design.in_time == ("respects_time" in r.promises)
    assert splits.design.independent == ("independent" in r.promises)


@pytest.mark.parametrize(
    ("resampling", "design"),
    [
        ("10", Design()),
        ("subsets(parts=3, k=3)", Design(repeats="independent")),
        ("time_ordered(k=3)", Design(in_time=True)),
        (TimeSeriesSplit(3), Design(in_time=True)),
        (KFold(3), Design()),
        ([(np.arange(60), np.arange(60, 90)), (np.arange(90), np.arange(90, 120))], Design(in_time=True)),
        ([(np.arange(60), np.arange(60, 120))], Design()),
    ],
    ids=str,
)  # fmt: skip
def test_runs_files_and_experiments_keep_it(resampling, design, tmp_path):
    p = credibly.run("naive-bayes", X, Y, resampling=resampling, rng=1)
    assert p.design == design
    assert credibly.read(credibly.save(p, tmp_path / "p.parquet")).design == design
    e = Experiment(["naive-bayes"], {"a": (X, Y)}, resampling=resampling, rng=1)
    assert e.run(tmp_path / "e", n_jobs=1).predictions("a").design == design


def test_what_is_no_resampling_declares_it_too():
    assert run_datasets("naive-bayes", drawn, datasets=3, rng=1).design.independent
    curve = learning_curve("naive-bayes", X, Y, sizes=[0.5], resampling="time_ordered", rng=1)
    assert all(p.design.in_time for p in curve.predictions.values())


def test_other_times_than_the_order_of_rows():
    backwards = [(np.arange(60, 120), np.arange(30, 60)), (np.arange(30, 120), np.arange(30))]
    splits = as_resampling(backwards)
    assert not splits.realise(120).design.in_time
    assert splits.realise(120, time=-np.arange(120)).design.in_time


def test_nothing_is_known_of_columns_alone(tmp_path):
    p = credibly.run("naive-bayes", X, Y, resampling="time_ordered", rng=1)
    assert credibly.read(credibly.save(p, tmp_path / "p.csv")).design == Design()
    with pytest.raises(DataError, match="resampled, retrained, independent"):
        Design(repeats="many")


def test_an_engine_does_not_lose_it(tmp_path):
    p = credibly.run("naive-bayes", X, Y, resampling="time_ordered", rng=1)
    path = credibly.save(p, tmp_path / "p.parquet")
    with pytest.raises(DataError, match="in time order, which counting would lose"):
        summarise(path)


def test_it_is_no_part_of_the_fingerprint():
    p = Predictions.of([1, 0], label=[1, 1])
    assert replace(p, design=Design(in_time=True), cache={}).fingerprint == p.fingerprint


def test_merged_parts_claim_no_more_than_each():
    p = credibly.run("naive-bayes", X, Y, resampling="time_ordered(k=3)", rng=1)
    early, late = p.take(p.row < 75), p.take(p.row >= 75)
    whole = merge(early, late)
    assert whole.design.in_time
    np.testing.assert_array_equal(
        whole.truth, p.truth
    )  # in their order, not one row for equal ones
    assert whole.provenance == p.provenance
    other = credibly.run("naive-bayes", X, Y, resampling="3", rng=1)
    assert merge(early, other).design == Design(in_time=True)
    assert merge(early, other).provenance is None
    several = run_datasets("naive-bayes", drawn, datasets=3, rng=1)
    assert merge(several, several).design.independent
    assert not merge(several, replace(several, design=Design(), cache={})).design.independent


def test_blocks_of_time_are_stretches():
    n = 100
    p = Predictions.of(np.zeros(n), value=np.zeros(n), fold=np.arange(n) * 5 // n)
    np.testing.assert_array_equal(time_blocks(p), p.fold)
    assert (
        np.bincount(time_blocks(replace(p, fold=None, cache={}))).tolist()
        == [n // TIME_BLOCKS] * TIME_BLOCKS
    )
    later = np.argsort(
        -p.fold, kind="stable"
    )  # the order of test parts counts, not that of the table
    np.testing.assert_array_equal(time_blocks(p.take(later)), p.fold[later])


def test_blocks_that_share_a_group_are_one():
    n = 100
    group = np.arange(n) // 2
    p = Predictions.of(np.zeros(n), value=np.zeros(n), group=group)
    assert np.bincount(time_blocks(p)).tolist() == [20] * 5
    group[0], group[35], group[99], group[35 + 1] = 0, 0, 1000, 1000  # blocks 0, 1 and 4
    chained = replace(p, group=group, cache={})
    assert len(set(time_blocks(chained).tolist())) == 3
    assert len(set(time_blocks(replace(p, group=np.arange(n) % 7, cache={})).tolist())) == 1
