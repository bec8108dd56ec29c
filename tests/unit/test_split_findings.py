"""What is said about splits before numbers that rest on them are believed."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.model_selection import KFold, ShuffleSplit

from credibly.resampling import (
    as_resampling,
    bootstrap,
    doubts,
    folds,
    grouped_folds,
    leave_one_group_out,
    leave_one_out,
    leave_pair_out,
    resubstitution,
)
from credibly.resampling._equal_rows import by_chance, equal_rows

ROWS = [[1.0, 5.0], [2.0, 0.0], [1.0, 5.0], [0.0, 0.0], [2.0, 0.0], [0.0, 5.0]]
N = 60
Y = np.arange(N) % 2
GROUP = np.arange(N) // 4


def codes_of(found):
    return [f.code for f in found]


def test_sound_splits_raise_no_doubt():
    X = np.arange(2.0 * N).reshape(N, 2)
    assert doubts(folds(k=5).realise(N, Y, rng=1), strata=Y, X=X) == ()
    splits = grouped_folds(k=5).realise(N, Y, groups=GROUP, rng=1)
    assert doubts(splits, strata=Y, group=GROUP, X=X) == ()


def test_findings_of_the_splits_come_first():
    y = np.array([0] * 57 + [1] * 3)
    found = doubts(folds(k=6).realise(N, y, rng=1), strata=y, classes=["no", "yes"])
    assert codes_of(found) == ["class-smaller-than-folds", "class-absent-from-test"]
    assert "The class 'yes' is absent from the test part in up to 3 splits of 6" in found[1].message


@pytest.mark.parametrize(
    ("splits", "expected"),
    [
        (leave_one_out.realise(N), ["small-folds", "groups-split"]),
        (leave_pair_out.realise(N, Y), ["groups-split"]),
        (leave_one_group_out.realise(N, groups=GROUP), ["small-folds"]),
        (resubstitution.realise(N), ["tested-on-training-rows"]),
        (bootstrap.realise(N, rng=1), ["groups-split"]),
        (as_resampling(KFold(5)).realise(N), []),
        (
            as_resampling(ShuffleSplit(3, test_size=0.4, random_state=1)).realise(N),
            ["groups-split"],
        ),
        (as_resampling([(range(30), range(29, N))]).realise(N), ["tested-on-training-rows"]),
    ],
    ids=lambda s: getattr(s, "resampling", None),
)
def test_each_kind_of_splits(splits, expected):
    assert codes_of(doubts(splits, strata=Y, group=GROUP)) == expected


def test_one_class():
    (said,) = doubts(folds(k=5).realise(N, rng=1), strata=np.zeros(N, int))
    assert (said.code, said.severity) == ("one-class", "problem")


def test_a_class_that_is_trained_on_nowhere():
    y = np.array([0] * 30 + [1] * 29 + [2])
    found = doubts(folds(k=5).realise(N, y, rng=1), strata=y)
    assert codes_of(found) == [
        "class-smaller-than-folds",
        "class-absent-from-training",
        "class-absent-from-test",
    ]
    assert "1 class is absent from the training part in up to 1 split of 5" in found[1].message


def test_rounded_measurements_are_not_called_copies():
    """Iris has one pair of equal flowers in 150, which tenths of a centimetre explain."""
    from sklearn.datasets import load_iris

    X = load_iris().data
    apart = folds(k=10).realise(150, rng=1)
    (said,) = doubts(apart, X=X)
    assert (said.code, said.severity) == ("equal-rows", "note")
    assert "1 of 150 (1 pair, where chance alone gives about 1.5)" in said.message
    assert "Remove the copies" not in said.action
    twice = doubts(folds(k=10).realise(180, rng=1), X=np.concatenate([X, X[:30]]))
    assert "duplicates-across-parts" in {f.code for f in twice}


@pytest.mark.parametrize(
    "made",
    [
        lambda rng: rng.normal(size=(300, 4)).round(1),
        lambda rng: (rng.normal(size=(300, 1)) + 0.3 * rng.normal(size=(300, 4))).round(1),
        lambda rng: (rng.random((200, 8)) < 0.3) * 1.0,
        lambda rng: ((rng.random((300, 1)) < 0.5) ^ (rng.random((300, 12)) < 0.1)) * 1,
        lambda rng: np.array([["low", "mid", "high"][i] for i in rng.integers(0, 3, 900)]).reshape(
            300, 3
        ),
    ],
)
def test_rows_that_are_drawn_independently_are_not_called_copies(made):
    for seed in range(30):
        chance = by_chance(made(np.random.default_rng(seed)))
        assert chance.enough, chance


@pytest.mark.parametrize("digits", [2, 6])
def test_a_few_copies_of_precise_rows_are_found(digits):
    for seed in range(30):
        X = np.random.default_rng(seed).normal(size=(200, 4)).round(digits)
        assert not by_chance(np.concatenate([X, X[:4]])).enough


def test_copies_of_rows():
    X = np.arange(2.0 * N).reshape(N, 2)
    X[1] = X[0]
    apart = as_resampling([(range(1, N), [0]), (range(10, N), [0, 1])]).realise(N)
    (said,) = [f for f in doubts(apart, X=X) if f.code != "small-folds"]
    assert said.code == "duplicates-across-parts"
    assert said.message.startswith(
        "Duplicate rows: 1 of 60 (1 pair, where chance alone gives about 0). In 1 of 2 splits, "
    )


@pytest.mark.parametrize(
    "made",
    [
        np.array,
        pd.DataFrame,
        lambda rows: pd.DataFrame(rows).astype({0: "Int64", 1: "category"}),
        lambda rows: pd.DataFrame(rows, columns=["a", "a"]),
        lambda rows: pl.DataFrame(rows, orient="row"),
        lambda rows: pa.table({"a": [r[0] for r in rows], "b": [str(r[1]) for r in rows]}),
        sparse.csr_matrix,
        sparse.coo_array,
        lambda rows: np.array(rows).astype(int),
        lambda rows: np.array(rows).astype(str),
        lambda rows: np.array(rows, object),
        lambda rows: np.array(rows)[:, :, None],
        lambda rows: rows,
    ],
)
def test_equal_rows_in_whatever_they_come(made):
    codes = equal_rows(made(ROWS))
    assert codes[0] == codes[2]
    assert codes[1] == codes[4]
    assert len(set(codes.tolist())) == 4


def test_missing_values_are_equal():
    frame = pd.DataFrame({"a": [None, np.nan, "x"], "b": [np.nan, np.nan, 1.0]})
    codes = equal_rows(frame.iloc[[0, 0, 2]])
    assert codes[0] == codes[1] != codes[2]


def test_columns_are_told_apart():
    assert len(set(equal_rows([[1, 2], [2, 1]]).tolist())) == 2
    assert len(set(equal_rows(sparse.csr_matrix([[1, 0], [0, 1], [0, 0]])).tolist())) == 3


def test_a_million_rows():
    n = 1_000_000
    rng = np.random.default_rng(1)
    splits = folds(k=5).realise(n, rng=1)
    y, group = rng.integers(0, 3, n), np.arange(n) // 2
    found = doubts(splits, strata=y, group=group, X=rng.random((n, 2)))
    assert codes_of(found) == ["groups-split"]
