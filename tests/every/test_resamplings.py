"""Every resampling keeps what it promises, on rows of many kinds and with many arguments."""

import ast
import copy
import pickle
import re
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest

import credibly.resampling as module
from credibly import ParameterError
from credibly.resampling import PROMISES, Rows, as_resampling, resamplings
from each import Each
from every.additions import example_runs

EVERY = list(resamplings)
CANDIDATES = (False, True, 0, 0.2, 0.5, 2, 3, 5)


def variants(r, most=None):
    """Return a resampling as it is and with so many of the candidates that each parameter accepts."""
    made = [r]
    for q in r.parameters:
        fitting = [c for c in CANDIDATES if q.rule.accepts(c) and c is not q.default]
        made += [r(**{q.name: c}) for c in fitting[:most]]
    return made


@dataclass(frozen=True)
class Data:
    """Columns of rows, as a user has them."""

    y: np.ndarray
    groups: np.ndarray
    time: np.ndarray
    fold: np.ndarray
    name: str

    @property
    def columns(self):
        return {"y": self.y, "groups": self.groups, "time": self.time, "fold": self.fold}

    @property
    def n(self):
        return len(self.y)


def data(seed, n, rare):
    """Rows in no order: a rare class, uneven groups, times that tie, four folds."""
    rng = np.random.default_rng(seed)
    shuffle = rng.permutation(n)
    sizes = rng.integers(1, 6, n)
    groups = np.repeat(np.arange(n), sizes)[:n]
    return Data(
        np.where(np.arange(n) < rare, "yes", "no")[shuffle],
        np.char.add("town ", groups.astype(str))[shuffle],
        rng.permutation(np.arange(n) * 2 // 3) / 7,
        np.array(list("abcd"))[np.arange(n) % 4][rng.permutation(n)],
        f"rows {seed}",
    )


BATTERY = [data(1, 150, 50), data(2, 143, 11), data(3, 150, 75), data(4, 167, 3)]
VARIANTS = [v for r in EVERY for v in variants(r)]

by_name = Each("r", EVERY)
FIRST = {v.call for r in EVERY for v in variants(r, 1)}
with_arguments = Each("r", VARIANTS, lambda r: r.call, later=lambda r: r.call not in FIRST)


def realised(r, rows, seed=1):
    return r.realise(rows.n, rng=seed, **rows.columns)


def some(splits):
    """Look at no more than two hundred splits, the first and the last among them."""
    return [splits[i] for i in np.unique(np.linspace(0, len(splits) - 1, 200).astype(int))]


def judged(splits):
    """Look at the same number of splits that are judged: promises are about these."""
    places = np.array(splits.judged)
    return [splits[i] for i in places[np.unique(np.linspace(0, len(places) - 1, 200).astype(int))]]


# --- what a declaration says


def test_there_are_resamplings():
    assert len(EVERY) >= 15
    assert {p for r in EVERY for p in r.promises} == set(PROMISES)


@by_name
def test_is_described(r):
    assert r.name.isidentifier()
    assert r.title
    assert r.summary.endswith(".")
    assert re.search(r"\b(19|20)\d\d\b", r.cite), "a reference has a year"
    assert r.promises <= set(PROMISES)


@by_name
def test_worked_example_runs(r):
    example_runs(r, r.name, **{r.name: r})


@by_name
def test_is_found_by_every_name(r):
    for name in (r.name, *r.aliases):
        assert resamplings[name] is r
        assert as_resampling(name.replace("_", "-")).name == r.name
    assert getattr(module, r.name) is r
    assert r.name in dir(module)


@by_name
def test_parameters_refuse_what_their_rule_refuses(r):
    for q in r.parameters:
        with pytest.raises(ParameterError, match=f"{r.name}: {q.name} must be"):
            r(**{q.name: q.rule.broken_by})
        assert q.default is None or q.rule.accepts(q.default)
    with pytest.raises(ParameterError, match="has no parameter 'nonsense'"):
        r(nonsense=1)


@with_arguments
def test_its_call_reads_back(r):
    back = as_resampling(r.call)
    assert (back.name, back.arguments) == (r.name, r.arguments)
    assert ast.literal_eval(repr(dict(r.arguments))) == r.arguments
    assert repr(r) == r.call
    assert repr(r.seeded(7)) == f"{r.call}.seeded(7)"


@with_arguments
def test_copies_and_pickles_are_the_same(r):
    for twin in (copy.deepcopy(r.seeded(3)), pickle.loads(pickle.dumps(r.seeded(3)))):
        assert repr(twin) == repr(r.seeded(3))
        assert twin.function is r.function


# --- what holds of all splits


@with_arguments.in_turn("rows", BATTERY)
def test_splits_are_rows(r, rows):
    splits = realised(r, rows)
    assert splits.n == rows.n
    assert splits.resampling == r.call
    assert splits.promises == r.promises
    places = set()
    for s in some(splits):
        for part in (s.train, s.test, *([] if s.validation is None else [s.validation])):
            assert part.size
            assert part.dtype.kind == "i"
            assert 0 <= part.min() <= part.max() < rows.n
        assert np.unique(s.test).size == s.test.size
        places.add((s.repeat, s.fold))
    assert len(places) == len(some(splits))


@with_arguments
def test_any_split_can_be_asked_for_first(r):
    rows = BATTERY[0]
    splits, again = realised(r, rows), realised(r, rows)
    for i in [len(splits) - 1, 0, len(splits) // 2]:
        a, b = splits[i], again[i - len(again)]
        assert (a.repeat, a.fold) == (b.repeat, b.fold)
        np.testing.assert_array_equal(a.train, b.train)
        np.testing.assert_array_equal(a.test, b.test)
    with pytest.raises(IndexError, match="There are"):
        _ = splits[len(splits)]
    for test, split in zip(splits.tests(), splits[:3], strict=False):
        np.testing.assert_array_equal(test, split.test)
    assert splits.test_sizes[0] == splits[0].test.size


@with_arguments
def test_only_the_seed_matters(r):
    rows = BATTERY[0]
    one = realised(r, rows)
    assert one.fingerprint == realised(r, rows).fingerprint
    assert one.fingerprint == realised(r, rows, np.int64(1)).fingerprint
    assert (one.seed is None) == (not r.random)
    if r.random:
        assert one.fingerprint != realised(r, rows, 2).fingerprint
        with pytest.raises(ParameterError, match=r"is random\. Set rng="):
            r.realise(rows.n, **rows.columns)
    else:
        assert one.fingerprint == r.realise(rows.n, **rows.columns).fingerprint


@by_name
def test_columns_are_left_as_they_are(r):
    rows = BATTERY[1]
    before = copy.deepcopy(rows.columns)
    realised(r, rows).fingerprint  # noqa: B018
    for name, column in rows.columns.items():
        np.testing.assert_array_equal(column, before[name])


@with_arguments
def test_is_a_splitter_of_scikit_learn(r):
    rows = BATTERY[2]
    X = np.zeros((rows.n, 2))
    if r.name == "fold_column":  # a splitter cannot be given one
        with pytest.raises(ValueError, match=r"Set fold=\.\.\."):
            list(r.seeded(1).split(X, rows.y, rows.groups))
        return
    bound = r.seeded(1)
    splits = r.realise(X, rows.y, groups=rows.groups, rng=1)
    expected = [splits[i] for i in splits.judged[:5]]
    assert bound.get_n_splits(X, rows.y, rows.groups) == len(splits.judged)
    assert r.get_n_splits(X, rows.y, rows.groups) == len(splits.judged)
    for (train, test), split in zip(bound.split(X, rows.y, rows.groups), expected, strict=False):
        np.testing.assert_array_equal(train, split.train)
        np.testing.assert_array_equal(test, split.test)


@by_name
def test_a_numeric_target_is_taken(r):
    """It is not stratified by, and what needs classes says so."""
    rows = BATTERY[0]
    target = np.linspace(0.5, 9.5, rows.n)
    columns = {**rows.columns, "y": target}
    if "pairs" in r.promises:
        with pytest.raises(ValueError, match="needs the class of each row"):
            r.realise(rows.n, rng=1, **columns)
        return
    assert len(r.realise(rows.n, rng=1, **columns)) > 0


@with_arguments
def test_a_listing_knows_its_shape(r):
    told = r.columns(150)
    splits = r.cut(
        Rows.of(150, np.arange(150) % 2, groups=np.arange(150) // 5, fold=np.arange(150) % 10), 1
    )
    assert told["splits"] == len(splits)
    assert told["train"][0] <= splits[0].train.size <= told["train"][1]
    assert 0 < told["inclusion"] <= 1
    assert told["overlap"] is None or 0 <= told["overlap"] <= 1


# --- the promises


def is_disjoint(splits, rows):
    return all(
        not np.isin(s.test, s.train).any()
        and (s.validation is None or not np.isin(s.validation, [*s.train, *s.test]).any())
        for s in some(splits)
    )


def covers(splits, rows):
    if len(splits) > 20_000:  # all pairs of rows, say
        return False
    tested, within = Counter(), Counter()
    for split in (splits[i] for i in splits.judged):
        tested.update(split.test.tolist())
        within.update((split.repeat, row) for row in split.test.tolist())
    return len(tested) == rows.n and len(set(tested.values())) == 1 and max(within.values()) == 1


def is_stratified(splits, rows):
    """Rounded down or up: less than a row from the share, where the share is of the whole fold."""
    _, codes = np.unique(rows.y, return_inverse=True)
    sizes = np.bincount(codes)
    seen = judged(splits)
    counts = np.array([np.bincount(codes[s.test], minlength=sizes.size) for s in seen])
    folds = sum(s.repeat == seen[0].repeat for s in seen)
    if "covers" in splits.promises:
        return all(
            (np.ptp(counts[i : i + folds], axis=0) <= 1).all() for i in range(0, len(counts), folds)
        )
    share = counts.sum(axis=1, keepdims=True) * sizes / rows.n
    return (np.abs(counts - share) < 1).all()


def respects_groups(splits, rows):
    return all(not set(rows.groups[s.test]) & set(rows.groups[s.train]) for s in some(splits))


def respects_time(splits, rows):
    return all(rows.time[s.train].max() < rows.time[s.test].min() for s in some(splits))


def is_pairs(splits, rows):
    return all(s.test.size == 2 and set(rows.y[s.test]) == {"no", "yes"} for s in some(splits))


def is_independent(splits, rows):
    """Of one repeat nothing can be said."""
    held = {}
    for s in splits[: splits._plan.folds * 4]:
        held.setdefault(s.repeat, set()).update(s.train.tolist(), s.test.tolist())
    return len(held) > 1 and sum(map(len, held.values())) == len(set().union(*held.values()))


KEPT = {
    "disjoint": is_disjoint,
    "covers": covers,
    "stratified": is_stratified,
    "respects_groups": respects_groups,
    "respects_time": respects_time,
    "independent": is_independent,
    "pairs": is_pairs,
}


def test_every_promise_is_checked():
    assert set(KEPT) == set(PROMISES)


@with_arguments.in_turn("rows", BATTERY)
def test_promises_are_kept(r, rows):
    for seed in (1, 2):
        splits = realised(r, rows, seed)
        for promise in r.promises:
            assert KEPT[promise](splits, rows), promise


@by_name
def test_what_is_not_promised_is_not_kept_either(r):
    """Or else a promise was forgotten, or its check cannot fail."""
    for promise in sorted(set(PROMISES) - r.promises - {"stratified"}):
        assert not all(KEPT[promise](realised(r, rows), rows) for rows in BATTERY), promise


@by_name
def test_a_switch_takes_its_promise_back(r):
    if any(q.name == "stratified" for q in r.parameters) and "stratified" in r.promises:
        assert "stratified" not in r(stratified=False).promises
        assert "stratified" in r(stratified=False)(stratified=True).promises
        kept = [
            is_stratified(realised(r(stratified=False), rows, s), rows)
            for rows in BATTERY
            for s in range(5)
        ]
        assert not all(kept)


@pytest.mark.thorough
@by_name
def test_every_row_has_the_same_chance_to_be_tested(r):
    """Wherever it stands: within five standard errors of a share, over many seeds."""
    rows = BATTERY[1]
    if not r.random:
        return
    # Groups are few ways to fill a fold; of rows, a share of a tenth is more than five errors.
    seeds = 600 if "respects_groups" in r.promises else 300
    tested = np.zeros(rows.n)
    for seed in range(seeds):
        tested[realised(r, rows, seed)[0].test] += 1
        if "respects_groups" in r.promises and tested.all():
            break
    share = tested.sum() / rows.n / seeds
    error = np.sqrt(share * (1 - share) / seeds)
    if "respects_groups" in r.promises:  # large groups are placed first, and not by chance alone
        assert (tested > 0).all()
        return
    assert np.abs(tested / seeds - share).max() < 5 * error
