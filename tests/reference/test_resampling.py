"""Splits, fingerprints and findings about them against slow obvious twins."""

import hashlib
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from credibly import DataError
from credibly.resampling import as_resampling, folds, time_ordered
from credibly.resampling._equal_rows import equal_rows
from credibly.resampling.caveats import (
    about_classes,
    about_duplicates,
    about_groups,
    about_overlap,
)
from examples import examples

MASK = 2**64 - 1
module = sys.modules[about_classes.__module__]  # which a function of its name hides


@st.composite
def cut_rows(draw):
    """Rows with classes and groups, and splits that train on the rest or on chosen rows."""
    n = draw(st.integers(2, 12))
    strata = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    group = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    seed = draw(st.integers(0, 99))
    if draw(st.booleans()):
        splits = folds(k=draw(st.integers(2, n)), stratified=False).realise(n, rng=seed)
    else:
        part = st.lists(st.integers(0, n - 1), min_size=1, max_size=n)
        pairs = draw(st.lists(st.tuples(part, part.map(lambda p: sorted(set(p)))), min_size=1))
        splits = as_resampling(pairs).realise(n)
    return splits, codes(strata), codes(group)


def codes(values):
    return np.unique(values, return_inverse=True)[1].astype(np.intp)


def said(findings):
    return {f.code: f.message for f in findings}


def slow_sharing(splits, values):
    return sum(bool({values[i] for i in s.train} & {values[i] for i in s.test}) for s in splits)


@given(cut_rows())
def test_shared_groups_and_rows(case):
    splits, _, group = case
    for found, code, values in (
        (about_groups(splits, group), "groups-split", group),
        (about_overlap(splits), "tested-on-training-rows", range(splits.n)),
    ):
        shared = slow_sharing(splits, values)
        assert (code in said(found)) == (shared > 0)
        if shared:
            assert said(found)[code].startswith(f"In {shared} of ")


@given(cut_rows())
def test_absent_classes(case):
    splits, strata, _ = case
    k = strata.max() + 1
    found = said(about_classes(splits, strata, classes=["a", "b", "c"]))
    if k == 1:
        assert list(found) == ["one-class"]
        return
    untrained = [sum(c not in strata[s.train] for s in splits) for c in range(k)]
    untested = [sum(c not in strata[s.test] for s in splits) for c in range(k)]
    assert ("class-absent-from-training" in found) == any(untrained)
    if any(untrained):
        text = found["class-absent-from-training"]
        assert f"in up to {max(untrained)} split" in text
        for name, absent in zip("abc", untrained, strict=False):
            assert (f"'{name}'" in text) == (absent > 0)
    large = all(s.test.size >= k for s in splits)
    assert ("class-absent-from-test" in found) == (any(untested) and large)


@given(cut_rows())
def test_batches_of_splits_change_nothing(case):
    splits, strata, group = case
    whole = [*about_groups(splits, group), *about_classes(splits, strata)]
    size, module.ROWS_PER_BATCH = module.ROWS_PER_BATCH, 1
    try:
        assert [*about_groups(splits, group), *about_classes(splits, strata)] == whole
    finally:
        module.ROWS_PER_BATCH = size


values = st.sampled_from([0.0, -0.0, 1.0, 2.5, float("nan")])


@given(
    st.integers(1, 4).flatmap(
        lambda d: st.lists(st.lists(values, min_size=d, max_size=d), min_size=1, max_size=9)
    )
)
def test_equal_rows(rows):
    keys = [tuple("missing" if v != v else v for v in row) for row in rows]
    places = {}
    slow = [places.setdefault(key, len(places)) for key in keys]
    fast = equal_rows(np.array(rows)).tolist()
    assert len(set(fast)) == len(places)
    assert len(set(zip(slow, fast, strict=True))) == len(places)


@given(cut_rows())
def test_duplicates(case):
    splits, _, group = case
    X = np.column_stack([group, group**2])
    found = about_duplicates(splits, X)
    copies = splits.n - len(set(group.tolist()))
    assert bool(found) == (copies > 0 and slow_sharing(splits, group) > 0)


# --- fingerprints


def slow_mix(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def slow_fingerprint(splits):
    numbers = [splits.n, len(splits)]
    for parts in ([s.test for s in splits], [s.train for s in splits]):
        numbers += [sum(slow_mix(int(row)) for row in part) & MASK for part in parts]
    told = b"".join(number.to_bytes(8, "little") for number in numbers)
    return hashlib.sha256(told).hexdigest()[:16]


@given(cut_rows())
def test_fingerprints(case):
    splits, _, _ = case
    assert splits.fingerprint == slow_fingerprint(splits)


# --- time


@examples(200)
@given(
    st.lists(st.integers(0, 12), min_size=4, max_size=40),
    st.integers(1, 4),
    st.integers(0, 3),
    st.none() | st.integers(1, 9),
)
def test_time(times, k, gap, window):
    """Blocks start at the first new time at or behind each k-th part of the rows."""
    n = len(times)
    rows = sorted(range(n), key=lambda i: times[i])
    starts = [i for i in range(n) if i == 0 or times[rows[i]] > times[rows[i - 1]]] + [n]
    cuts = [min(s for s in starts if s >= round(j * n / (k + 1))) for j in range(1, k + 1)] + [n]
    bound = (
        time_ordered(k=k, gap=gap) if window is None else time_ordered(k=k, gap=gap, window=window)
    )
    if any(a >= b for a, b in pairwise(cuts)) or cuts[0] <= gap:
        with pytest.raises(DataError, match="blocks of different times"):
            bound.realise(n, time=times)
        return
    for i, split in enumerate(bound.realise(n, time=times)):
        older = rows[: cuts[i] - gap]
        assert split.train.tolist() == (older if window is None else older[-window:])
        assert split.test.tolist() == rows[cuts[i] : cuts[i + 1]]
