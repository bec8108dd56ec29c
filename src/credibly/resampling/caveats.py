"""What should be known of splits before a number that rests on them is believed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from credibly._core.arrays import Indices
from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.predictions.labels import shorten
from credibly.resampling._equal_rows import by_chance, equal_rows
from credibly.resampling._splits import Splits
from credibly.resampling.findings import (
    CLASS_ABSENT_FROM_TEST,
    CLASS_ABSENT_FROM_TRAINING,
    DUPLICATES_ACROSS_PARTS,
    EQUAL_ROWS,
    GROUPS_SPLIT,
    ONE_CLASS,
    SMALL_FOLDS,
    TESTED_ON_TRAINING_ROWS,
)

MIN_TEST_ROWS = 10  # of a test part; with fewer, its own figures say little
ROWS_PER_BATCH = 1_000_000  # test rows that are counted at once


def doubts(
    splits: Splits,
    *,
    strata: Indices | None = None,
    classes: Sequence[Any] = (),
    group: Indices | None = None,
    X: object = None,  # noqa: N803
) -> tuple[Finding, ...]:
    """Return every finding about splits that classes, groups and features give rise to.

    ``strata`` and ``group`` hold codes from 0 up, as in :class:`~credibly.resampling.Rows`.

    >>> from credibly.resampling import folds
    >>> [f.code for f in doubts(folds(k=2).realise(40, rng=1), group=np.arange(40) // 2)]
    ['groups-split']
    """
    findings = [*splits.findings, *about_sizes(splits)]
    overlap = about_overlap(splits)
    findings += overlap
    if strata is not None:
        findings += about_classes(splits, strata, classes)
    if not overlap:  # or else copies and groups are shared as a matter of course
        findings += about_groups(splits, group) if group is not None else []
        findings += about_duplicates(splits, X) if X is not None else []
    return tuple(findings)


def about_sizes(splits: Splits) -> list[Finding]:
    """Say that test parts are too small to be judged one by one.

    >>> from credibly.resampling import folds
    >>> [f.code for f in about_sizes(folds(k=10).realise(50, rng=1))]
    ['small-folds']
    """
    if len(splits) < 2 or "pairs" in splits.promises:
        return []
    smallest = int(splits.test_sizes.min())
    if smallest >= MIN_TEST_ROWS:
        return []
    parts = count(len(splits), "test part")
    return [SMALL_FOLDS(parts=parts, rows=count(smallest, "row"))]


def about_overlap(splits: Splits) -> list[Finding]:
    """Say that rows are trained on and tested on in the same split.

    >>> from credibly.resampling import resubstitution
    >>> [f.code for f in about_overlap(resubstitution.realise(4))]
    ['tested-on-training-rows']
    """
    if "disjoint" in splits.promises:
        return []
    shared = _sharing(splits, np.arange(splits.n))
    if not shared:
        return []
    return [TESTED_ON_TRAINING_ROWS(shared=shared, splits=count(len(splits), "split"))]


def about_classes(splits: Splits, strata: Indices, classes: Sequence[Any] = ()) -> list[Finding]:
    """Say which classes are absent from training or test parts.

    >>> from credibly.resampling import fold_column
    >>> splits = fold_column.realise(4, fold=[0, 0, 1, 1])
    >>> [f.code for f in about_classes(splits, np.array([0, 0, 1, 1]))]
    ['class-absent-from-training', 'class-absent-from-test']
    """
    k = int(strata.max()) + 1
    if k < 2:
        return [ONE_CLASS()]
    untrained, untested = np.zeros(k, int), np.zeros(k, int)
    for train, test in _class_counts(splits, strata, k):
        untrained += (train == 0).sum(axis=0)
        untested += (test == 0).sum(axis=0)
    findings = []
    if untrained.any():
        findings.append(CLASS_ABSENT_FROM_TRAINING(**_absent(untrained, classes, splits)))
    if untested.any() and splits.test_sizes.min() >= k:  # a smaller part cannot hold every class
        findings.append(CLASS_ABSENT_FROM_TEST(**_absent(untested, classes, splits)))
    return findings


def _absent(absent: Indices, classes: Sequence[Any], splits: Splits) -> dict[str, object]:
    which = np.flatnonzero(absent)
    names = shorten([classes[i] for i in which.tolist()]) if len(classes) else ""
    if which.size == 1:
        text = f"The class {names} is absent" if names else "1 class is absent"
    else:
        text = f"The classes {names} are absent" if names else f"{which.size} classes are absent"
    return {"absent": text, "most": count(int(absent.max()), "split"), "splits": len(splits)}


def about_groups(splits: Splits, group: Indices) -> list[Finding]:
    """Say that rows of a group are in a training part and in its test part.

    >>> from credibly.resampling import fold_column
    >>> splits = fold_column.realise(4, fold=[0, 1, 0, 1])
    >>> [f.code for f in about_groups(splits, np.array([0, 0, 1, 1]))]
    ['groups-split']
    """
    shared = 0 if "respects_groups" in splits.promises else _sharing(splits, group)
    if not shared:
        return []
    return [GROUPS_SPLIT(shared=shared, splits=count(len(splits), "split"))]


def about_duplicates(splits: Splits, X: object) -> list[Finding]:  # noqa: N803
    """Say that rows with equal features are in a training part and in its test part.

    >>> from credibly.resampling import fold_column
    >>> splits = fold_column.realise(4, fold=[0, 1, 0, 1])
    >>> [f.code for f in about_duplicates(splits, [[1, 2], [1, 2], [3, 4], [5, 6]])]
    ['duplicates-across-parts']
    """
    codes = equal_rows(X)
    copies = codes.size - int(codes.max()) - 1
    shared = _sharing(splits, codes) if copies else 0
    if not shared:
        return []
    chance = by_chance(X)
    kind = EQUAL_ROWS if chance.enough else DUPLICATES_ACROSS_PARTS
    rows = f"{copies:,} of {splits.n:,} ({chance})"
    return [kind(copies=rows, shared=shared, splits=count(len(splits), "split"))]


# --- counting, without training parts where the splits train on the rest --------------------------


def _batches(splits: Splits) -> Iterator[tuple[Indices, Indices, int]]:
    """Put the test rows of many splits together: rows, the split of each, and how many splits."""
    tests: list[Indices] = []
    size = 0
    for i, test in enumerate(splits.tests(), 1):
        tests.append(test)
        size += test.size
        if size >= ROWS_PER_BATCH or i == len(splits):
            which = np.repeat(np.arange(len(tests)), [t.size for t in tests])
            yield np.concatenate(tests), which, len(tests)
            tests, size = [], 0


def _class_counts(splits: Splits, strata: Indices, k: int) -> Iterator[tuple[Indices, Indices]]:
    """Count the classes of training and test parts, one row per split."""
    if not splits.trains_on_the_rest:
        for split in splits:
            train = np.bincount(strata[split.train], minlength=k)
            yield train[None], np.bincount(strata[split.test], minlength=k)[None]
        return
    everything = np.bincount(strata, minlength=k)
    for rows, which, m in _batches(splits):
        test = np.bincount(which * k + strata[rows], minlength=m * k).reshape(m, k)
        yield everything - test, test


def _sharing(splits: Splits, codes: Indices) -> int:
    """Count the splits whose training and test part share a code."""
    sizes = np.bincount(codes)
    if not splits.trains_on_the_rest:
        return sum(_share(split.train, split.test, codes, sizes.size) for split in splits)
    shared = 0
    for rows, which, _ in _batches(splits):
        # A code is shared where some of its rows are tested and some are not.
        cell, tested = np.unique(which * sizes.size + codes[rows], return_counts=True)
        cut = cell[tested < sizes[cell % sizes.size]] // sizes.size
        shared += np.unique(cut).size
    return shared


def _share(train: Indices, test: Indices, codes: Indices, size: int) -> bool:
    seen = np.zeros(size, bool)
    seen[codes[train]] = True
    return bool(seen[codes[test]].any())
