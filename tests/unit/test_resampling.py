"""Resamplings one by one: what they refuse, what they accept, what scikit-learn makes of them."""

import subprocess
import sys
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn import model_selection as sk
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from credibly import DataError, ParameterError
from credibly.errors import MissingColumnError
from credibly.resampling import (
    Rows,
    as_resampling,
    bootstrap,
    fold_column,
    folds,
    grouped_folds,
    holdout,
    leave_one_group_out,
    leave_one_out,
    leave_pair_out,
    repeated_holdout,
    resubstitution,
    subsets,
    three_way,
    time_ordered,
    weka_folds,
)
from credibly.resampling._splits import Splits

X, Y = load_iris(return_X_y=True)
HALVES = [0] * 5 + [1] * 5


def rows_tested(splits):
    return [s.test.tolist() for s in splits]


# --- errors


@pytest.mark.parametrize(
    ("call", "columns", "message"),
    [
        (
            "folds(k=11)",
            {},
            "11 folds need at least 11 rows; there are 10 rows. Ask for fewer, such as resampling=5, or for 'loo'.",
        ),
        ("folds(k=11)", {"y": list("aaabbbbbbb")}, "Ask for fewer, such as resampling=3"),
        ("weka_folds(k=11)", {}, "11 folds need at least 11 rows"),
        ("subsets(parts=4, k=3)", {}, "4 parts of 3 folds need at least 12 rows"),
        (
            "grouped_folds(k=3)",
            {"groups": HALVES},
            "3 folds need at least 3 groups; there are 2 groups. Ask for fewer, such as resampling=2",
        ),
        ("leave_one_group_out", {"groups": ["a"] * 10}, "at least 2 groups; there is 1 group"),
        ("leave_pair_out", {"y": ["a"] * 10}, "pairs the rows of two classes; there is 1 class"),
        ("leave_pair_out", {"y": list("aabbcaabbc")}, "two classes; there are 3 classes"),
        ("fold_column", {"fold": [1] * 10}, "at least 2 folds; the column holds one value"),
        ("time_ordered(k=10)", {}, r"time_ordered\(k=10, gap=0\) needs 11 blocks"),
        ("time_ordered(k=2, gap=3)", {}, "with more than 3 rows in the first; 10 rows"),
        ("time_ordered(k=2)", {"time": HALVES}, "10 rows of 2 different times do not give them"),
        ("bootstrap(stratified=True)", {"y": list("abcdefghij")}, "every class has 1"),
        ("folds", {"y": [1, 2]}, "y has 2 values but there are 10 rows"),
        ("folds", {"groups": [1, 2]}, "groups has 2 values but there are 10 rows"),
        (
            "grouped_folds",
            {"groups": [1, 2, np.nan] + [4] * 7},
            r"groups is missing in 1 row: row 2",
        ),
        ("grouped_folds", {"groups": ["a", None] * 5}, r"groups is missing in 5 rows"),
        ("grouped_folds", {"groups": ["a", pd.NA] * 5}, r"groups is missing in 5 rows"),
        ("fold_column", {"fold": [None] * 10}, "fold is missing in 10 rows"),
        (
            "time_ordered",
            {"time": np.array(["NaT", "2020-01-01"] * 5, "datetime64[D]")},
            "time is missing in 5 rows",
        ),
        ("folds", {"y": [["a", "b"]] * 10}, "y must be one column"),
    ],
)
def test_what_the_rows_do_not_allow(call, columns, message):
    with pytest.raises(DataError, match=message):
        as_resampling(call).realise(10, rng=1, **columns)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("grouped_folds", r"grouped_folds needs the group of each row. Set groups=\.\.\."),
        ("leave_one_group_out", "needs the group of each row"),
        ("leave_pair_out", r"leave_pair_out needs the class of each row. Set y=\.\.\."),
        ("fold_column", r"a column that says in which fold each row is tested. Set fold=\.\.\."),
    ],
)
def test_what_is_missing(call, message):
    with pytest.raises(MissingColumnError, match=message):
        as_resampling(call).realise(10, rng=1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("folds(k=1)", "folds: k must be a whole number of at least 2; got 1"),
        ("1", "folds: k must be a whole number of at least 2; got 1"),
        (1, "k must be a whole number"),
        ("0x10", "repeats must be a whole number of at least 1"),
        ("holdout(test=1)", "holdout: test must be a number between 0 and 1; got 1"),
        ("holdout(test=0)", "test must be a number between 0 and 1; got 0"),
        ("three_way(test=0.5, validation=0.5)", "leaves no row to train on"),
        ("flods", "There is no resampling 'flods'. Did you mean folds"),
        ("folds(k=", "Cannot read"),
        (True, "bool is not a resampling"),
        (2.5, "float is not a resampling"),
        (None, "NoneType is not a resampling"),
    ],
)
def test_what_is_no_resampling(given, message):
    with pytest.raises(ParameterError, match=message):
        as_resampling(given).realise(10, rng=1)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "The list of splits is empty"),
        ([([0], [10])], "The test part of split 0 names the row 10, but rows run from 0 to 9"),
        ([([0], [1]), ([-1], [1])], "The training part of split 1 names the row -1"),
        ([([0], [])], "The test part of split 0 must be a list of row numbers, not an empty one"),
        ([([0.5], [1])], "must be a list of row numbers"),
        ([[0]], "Split 0 is not a pair"),
        ([3], "Split 0 is not a pair"),
    ],
)
def test_lists_that_are_no_splits(pairs, message):
    with pytest.raises(DataError, match=message):
        as_resampling(pairs).realise(10)


@pytest.mark.parametrize("r", [folds(k=2), holdout, leave_one_out, bootstrap, repeated_holdout])
def test_one_row_is_not_enough(r):
    with pytest.raises(DataError, match="at least 2 rows; there is 1 row"):
        r.realise(1, rng=1)


def test_few_rows():
    with pytest.raises(DataError, match="three_way needs at least 3 rows; there are 2"):
        three_way.realise(2, rng=1)
    with pytest.raises(DataError, match="at least 3 rows, or there is nothing to train on"):
        leave_pair_out.realise(2, ["a", "b"])
    split = three_way.realise(3, rng=1)[0]
    assert sorted([*split.train, *split.validation, *split.test]) == [0, 1, 2]
    assert holdout(test=0.01).realise(5, rng=1)[0].test.size == 1
    assert holdout(test=0.99).realise(5, rng=1)[0].train.size == 1


@pytest.mark.parametrize("rows", [0, -3, [], np.empty((0, 2))])
def test_no_rows(rows):
    with pytest.raises(DataError, match="at least one row to resample"):
        folds.realise(rows, rng=1)


def test_rows_are_given_by_number_or_as_they_are():
    for rows in (150, np.int64(150), X, pd.DataFrame(X), sparse.csr_matrix(X), X.tolist()):
        assert folds.realise(rows, rng=1).n == 150
    for rows in (None, object(), True):
        with pytest.raises(ParameterError, match="Give the number of rows"):
            folds.realise(rows, rng=1)


# --- rows


def test_targets_that_are_classes_and_those_that_are_not():
    assert Rows.of(3, [True, False, True]).strata.tolist() == [1, 0, 1]
    assert Rows.of(3, ["b", None, "b"]).strata.tolist() == [1, 0, 1]
    assert Rows.of(3, [2.0, 1.0, 2.0]).strata.tolist() == [1, 0, 1]
    assert Rows.of(3, [0.5, 1.0, 2.0]).strata is None
    assert Rows.of(100, np.arange(100.0)).strata is None
    assert Rows.of(100, np.arange(100)).strata.max() == 99
    assert Rows.of(3, pd.Series(["a", "b", "a"], dtype="category")).strata.tolist() == [0, 1, 0]


# --- one by one


def test_five_by_two():
    splits = as_resampling("5x2").realise(X, Y, rng=1)
    assert [(s.repeat, s.fold) for s in splits] == [(r, f) for r in range(5) for f in range(2)]
    assert {s.test.size for s in splits} == {75}
    for a, b in zip(splits[::2], splits[1::2], strict=True):
        np.testing.assert_array_equal(a.train, b.test)


def test_repeats_differ():
    splits = folds(k=2, repeats=20).realise(30, rng=1)
    assert len({tuple(s.test) for s in splits}) == 40


def test_swapped_roles():
    a, b = holdout(swapped=True).realise(30, rng=1)
    np.testing.assert_array_equal(a.train, b.test)
    np.testing.assert_array_equal(a.test, b.train)
    assert (a.fold, b.fold) == (0, 1)


def test_subsets_are_independent():
    splits = subsets(parts=3, k=4).realise(X, Y, rng=1)
    used = [{*splits[4 * i].train, *splits[4 * i].test} for i in range(3)]
    assert sum(map(len, used)) == len(set.union(*used)) == 150
    for s in splits:
        assert {*s.train, *s.test} == used[s.repeat]


def test_every_pair_of_the_two_classes():
    y = np.array([0, 1, 1, 0, 1])
    pairs = {tuple(s.test) for s in leave_pair_out.realise(5, y)}
    assert pairs == {(i, j) for i in range(5) for j in range(5) if y[i] < y[j]}
    assert "pairs" in leave_pair_out.realise(5, y).promises


def test_a_bootstrap_that_draws_every_row_is_drawn_anew():
    splits = bootstrap(replicates=300).realise(2, rng=1)
    assert {s.test.size for s in splits} == {1}
    assert {tuple(s.train) for s in splits} == {(0, 0), (1, 1)}
    (said,) = splits.findings
    assert said.code == "bootstrap-redrawn"
    assert "probability 0.5" in said.message
    assert not bootstrap.realise(150, rng=1).findings


def test_a_stratified_bootstrap_keeps_the_classes():
    for s in bootstrap(replicates=20, stratified=True).realise(X, Y, rng=1):
        assert np.bincount(Y[s.train]).tolist() == [50, 50, 50]


def test_time():
    time = np.array(["2024-03-01", "2024-01-01", "2024-02-01", "2024-01-01"], "datetime64[D]")
    (split,) = time_ordered(k=1).realise(4, time=time)
    assert split.train.tolist() == [1, 3]
    assert split.test.tolist() == [2, 0]
    assert rows_tested(time_ordered(k=3).realise(8)) == rows_tested(
        time_ordered(k=3).realise(8, time=range(8))
    )


def test_a_window_of_the_larows_tested():
    splits = time_ordered(k=4, window=3, gap=1).realise(15)
    assert [s.train.tolist() for s in splits] == [[0, 1], [2, 3, 4], [5, 6, 7], [8, 9, 10]]


def test_equal_times_are_never_parted():
    splits = time_ordered(k=2).realise(9, time=[0, 0, 0, 0, 1, 1, 1, 2, 2])
    assert [(s.train.size, s.test.size) for s in splits] == [(4, 3), (7, 2)]


def test_folds_of_a_small_class_are_noted():
    y = [0] * 27 + [1] * 3
    for r in (folds, weka_folds, subsets(parts=1)):
        (said,) = r.realise(30, y, rng=1).findings
        assert said.code == "class-smaller-than-folds"
        assert "1 class of 2 has fewer rows than there are folds (10)" in said.message
        assert "the smallest has 3 rows" in said.message
    assert not folds(k=3).realise(30, y, rng=1).findings
    assert not folds(stratified=False).realise(30, y, rng=1).findings


def test_leaving_one_out_cannot_be_stratified():
    (said,) = leave_one_out.realise(10, HALVES).findings
    assert (said.code, said.severity) == ("not-stratified", "note")
    assert not leave_one_out.realise(10, np.linspace(0.1, 1, 10)).findings


def test_resampling_needs_numpy_alone():
    code = "from credibly.resampling import folds, doubts; doubts(folds.realise(50, rng=1))"
    code += "; import sys; print(*{m.partition('.')[0] for m in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"scipy", "sklearn", "pandas", "numba"} & set(done.stdout.split())


def test_groups_are_spread_over_the_folds_at_least_as_well_as_by_scikit_learn():
    """By its own criterion, the mean over classes of the spread of their shares."""
    rng = np.random.default_rng(1)
    ours, theirs = [], []
    for seed in range(60):
        groups = np.repeat(np.arange(40), rng.zipf(1.8, 40).clip(1, 40))
        lean = rng.random(40)
        y = (rng.random(groups.size) < lean[groups]).astype(int)
        k = int(rng.integers(2, 9))
        splitter = sk.StratifiedGroupKFold(k, shuffle=True, random_state=seed)
        for made, splits in (
            (ours, grouped_folds(k=k).realise(groups.size, y, groups=groups, rng=seed)),
            (theirs, as_resampling(splitter).realise(groups.size, y, groups=groups)),
        ):
            table = np.array([np.bincount(y[t], minlength=2) for t in splits.tests()])
            made.append((table / table.sum(axis=0)).std(axis=0).mean())
    assert np.mean(ours) < np.mean(theirs)
    assert np.mean(np.array(ours) <= np.array(theirs) + 1e-12) > 0.7


def test_groups_of_equal_size_are_dealt_evenly():
    splits = grouped_folds(k=5).realise(100, groups=np.arange(100) // 4, rng=1)
    assert {s.test.size for s in splits} == {20}
    repeats = grouped_folds(k=5, repeats=4).realise(100, groups=np.arange(100) // 4, rng=1)
    assert (
        len({frozenset(map(tuple, rows_tested(repeats[i : i + 5]))) for i in range(0, 20, 5)}) == 4
    )


def test_many_groups_need_no_exchange():
    groups = np.arange(6000) // 2
    y = np.random.default_rng(1).integers(0, 2, 6000)
    sizes = [
        (t.size, y[t].sum())
        for t in grouped_folds(k=3).realise(6000, y, groups=groups, rng=1).tests()
    ]
    assert np.ptp(sizes, axis=0).max() <= 2


# --- memory and fingerprints


def test_leave_one_out_of_many_rows_needs_little_memory():
    tracemalloc.start()
    splits = leave_one_out.realise(100_000)
    assert splits[99_999].train.size == 99_999
    for i, _ in enumerate(splits):
        if i == 50:
            break
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20e6  # one training part is 0.8 MB; all of them would be 80 GB


def test_the_same_splits_have_the_same_fingerprint_however_they_were_made():
    pairs = [
        (leave_one_out.realise(150), sk.LeaveOneOut()),
        (folds(k=5).realise(150, rng=1), list(folds(k=5).seeded(1).split(X))),
    ]
    for ours, others in pairs:
        assert ours.fingerprint == as_resampling(others).realise(150).fingerprint
    groups = np.arange(150) % 7
    assert (
        leave_one_group_out.realise(150, groups=groups).fingerprint
        == as_resampling(sk.LeaveOneGroupOut()).realise(150, groups=groups).fingerprint
    )


def test_a_fingerprint_is_stable():
    """A change would make saved predictions look as if they came from other splits."""
    assert leave_one_out.realise(10).fingerprint == "ec81be0533e0511a"


def test_a_fingerprint_tells_training_parts_apart():
    a, b, c = ([([0, 1], [3])], [([0, 2], [3])], [([0, 1, 1], [3])])
    prints = {as_resampling(p).realise(4).fingerprint for p in (a, b, c)}
    assert len(prints) == 3


# --- scikit-learn


@pytest.mark.parametrize(
    "r",
    [
        folds(k=5),
        folds(k=3, repeats=2),
        repeated_holdout(repeats=3),
        bootstrap(replicates=3),
        weka_folds(k=3),
    ],
)
def test_scikit_learn_takes_them(r):
    cv = r.seeded(1)
    scores = sk.cross_val_score(GaussianNB(), X, Y, cv=cv)
    assert scores.size == cv.get_n_splits(X, Y)
    by_hand = [GaussianNB().fit(X[a], Y[a]).score(X[b], Y[b]) for a, b in cv.split(X, Y)]
    np.testing.assert_array_equal(scores, by_hand)


def test_a_search_takes_them():
    cv = folds(k=3).seeded(1)
    search = sk.GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}, cv=cv)
    assert "cv=folds(k=3).seeded(1)" in repr(search)
    twin = clone(search)
    assert repr(twin.cv) == repr(cv)
    given = sk.GridSearchCV(GaussianNB(), search.param_grid, cv=list(cv.split(X, Y)))
    np.testing.assert_array_equal(
        twin.fit(X, Y).cv_results_["mean_test_score"],
        given.fit(X, Y).cv_results_["mean_test_score"],
    )


def test_grouped_splitters_get_their_groups():
    groups = np.arange(150) % 10
    scores = sk.cross_val_score(GaussianNB(), X, Y, groups=groups, cv=leave_one_group_out)
    assert scores.size == 10


def test_cross_val_predict_takes_what_covers():
    predicted = sk.cross_val_predict(GaussianNB(), X, Y, cv=folds(k=5).seeded(1))
    assert (predicted == Y).mean() > 0.9


@pytest.mark.parametrize(
    "splitter",
    [
        sk.StratifiedKFold(3, shuffle=True, random_state=1),
        sk.KFold(4),
        sk.ShuffleSplit(3, random_state=1),
        sk.TimeSeriesSplit(4),
        sk.PredefinedSplit(np.arange(150) % 3),
    ],
    ids=lambda s: type(s).__name__,
)
def test_their_splitters_are_taken(splitter):
    r = as_resampling(splitter)
    splits = r.realise(X, Y)
    assert splits.resampling == type(splitter).__name__
    assert not splits.promises
    for ours, (train, test) in zip(splits, splitter.split(X, Y), strict=True):
        np.testing.assert_array_equal(ours.train, train)
        np.testing.assert_array_equal(ours.test, test)


def test_masks_are_taken_as_rows():
    mask = np.arange(10) < 3
    (split,) = as_resampling([(~mask, mask)]).realise(10)
    assert split.test.tolist() == [0, 1, 2]


def test_a_splitter_without_a_seed_says_what_to_do():
    with pytest.raises(ParameterError, match=r"folds\(k=5\).seeded\(1\)"):
        next(folds(k=5).split(X, Y))
    assert folds(k=5).get_n_splits(X, Y) == 5
    assert resubstitution.get_n_splits(None, Y) == 1


def test_what_splits_say_of_themselves():
    splits = folds(k=3).realise(12, rng=1)
    assert isinstance(splits, Splits)
    assert repr(splits) == "<3 splits of 12 rows by folds(k=3), seed 1>"
    assert repr(leave_one_out.realise(3)) == "<3 splits of 3 rows by leave_one_out>"
    assert splits.trains_on_the_rest
    assert not bootstrap.realise(12, rng=1).trains_on_the_rest
    assert [s.fold for s in splits[1:]] == [1, 2]
    assert fold_column.realise(2, fold=["x", "y"])[-1].fold == 1


def test_a_bootstrap_draws_rows_by_their_weights():
    """Algorithm 22.5 of Zaki & Meira: with replacement, each row as often as it weighs."""
    weight = np.array([1.0, 2.0, 0.0, 5.0, 2.0])
    splits = bootstrap(replicates=2000).realise(5, weight=weight, rng=1)
    times = np.array([np.bincount(s.train, minlength=5) for s in splits])
    share = weight / weight.sum()
    error = np.sqrt(5 * share * (1 - share) / 2000)
    assert (np.abs(times.mean(axis=0) - 5 * share) <= 4 * error).all()
    assert times[:, 2].sum() == 0
    assert all(2 in s.test for s in splits)
    assert all(not set(s.train) & set(s.test) for s in splits)


def test_weights_within_classes():
    y = ["a"] * 4 + ["b"] * 4 + ["c"] * 2
    weight = [0, 1, 1, 0, 5, 0, 5, 5, 0, 0]
    for s in bootstrap(replicates=50, stratified=True).realise(10, y, weight=weight, rng=2):
        assert np.bincount(s.train // 4, minlength=3).tolist() == [4, 4, 2]
        assert set(s.train) <= {1, 2, 4, 6, 7, 8, 9}


def test_weights_where_they_cannot_be():
    with pytest.raises(ParameterError, match="draws no rows by weight=; bootstrap does"):
        folds.realise(4, weight=[1, 1, 1, 1], rng=1)
    with pytest.raises(DataError, match="negative"):
        bootstrap.realise(2, weight=[1, -1], rng=1)
    with pytest.raises(DataError, match="has 1 row"):
        bootstrap.realise(2, weight=[1], rng=1)


@pytest.mark.parametrize(
    "said", ["5fold", "5-fold", "5 folds", "5-fold CV", "5_fold", "5-fold cross-validation", "5cv"]
)
def test_folds_are_read_as_people_write_them(said):
    assert as_resampling(said).call == as_resampling(5).call
    assert as_resampling(f"3x{said}").call == as_resampling("3x5").call
