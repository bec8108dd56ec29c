"""What should be known of splits before a number that rests on them is believed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.errors import count
from credibly._core.results import Finding
from credibly.predictions.labels import shorten
from credibly.resampling._splits import mixed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from credibly.resampling._splits import Splits

    Indices = NDArray[np.intp]
    Hashes = NDArray[np.uint64]

SMALL = 10  # rows in a test part below which its own figures say little
BATCH = 1_000_000  # test rows that are counted at once


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
    found = [*splits.findings, *about_sizes(splits)]
    overlap = about_overlap(splits)
    found += overlap
    if strata is not None:
        found += about_classes(splits, strata, classes)
    if not overlap:  # or else copies and groups are shared as a matter of course
        found += about_groups(splits, group) if group is not None else []
        found += about_duplicates(splits, X) if X is not None else []
    return tuple(found)


def about_sizes(splits: Splits) -> list[Finding]:
    """Say that test parts are too small to be judged one by one.

    >>> from credibly.resampling import folds
    >>> [f.code for f in about_sizes(folds(k=10).realise(50, rng=1))]
    ['small-folds']
    """
    if len(splits) < 2 or "pairs" in splits.promises:
        return []
    smallest = int(splits.test_sizes.min())
    if smallest >= SMALL:
        return []
    said = Finding(
        "small-folds",
        "note",
        f"The smallest of {count(len(splits), 'test part')} has {count(smallest, 'row')}: measures of "
        "single parts vary wildly or are undefined.",
        "Pool the predictions of all parts, or use fewer folds.",
    )
    return [said]


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
    said = Finding(
        "tested-on-training-rows",
        "problem",
        f"{count(shared, 'split')} of {len(splits)} test on rows that were trained on: the figures say "
        "how well a model fits, not how well it predicts.",
        "Use cross-validation, a holdout or the bootstrap.",
    )
    return [said]


def about_classes(splits: Splits, strata: Indices, classes: Sequence[Any] = ()) -> list[Finding]:
    """Say which classes are absent from training or test parts.

    >>> from credibly.resampling import fold_column
    >>> splits = fold_column.realise(4, fold=[0, 0, 1, 1])
    >>> [f.code for f in about_classes(splits, np.array([0, 0, 1, 1]))]
    ['class-absent-from-training', 'class-absent-from-test']
    """
    k = int(strata.max()) + 1
    if k < 2:
        said = Finding(
            "one-class",
            "problem",
            "Every row is of the same class: there is nothing to tell apart.",
            "Check the target column.",
        )
        return [said]
    untrained, untested = np.zeros(k, int), np.zeros(k, int)
    for train, test in _class_counts(splits, strata, k):
        untrained += (train == 0).sum(axis=0)
        untested += (test == 0).sum(axis=0)
    found = []
    if untrained.any():
        found.append(
            Finding(
                "class-absent-from-training",
                "problem",
                f"{_absent(untrained, classes)} from the training part in up to "
                f"{count(int(untrained.max()), 'split')} of {len(splits)}: a model cannot predict "
                "what it has not seen.",
                "Use stratified splits, fewer folds, or leave out classes of a row or two.",
            )
        )
    if untested.any() and splits.test_sizes.min() >= k:  # a smaller part cannot hold every class
        found.append(
            Finding(
                "class-absent-from-test",
                "caution",
                f"{_absent(untested, classes)} from the test part in up to "
                f"{count(int(untested.max()), 'split')} of {len(splits)}: measures by class are "
                "undefined there.",
                "Pool the predictions of all parts, use stratified splits or fewer folds.",
            )
        )
    return found


def _absent(absent: Indices, classes: Sequence[Any]) -> str:
    which = np.flatnonzero(absent)
    one = which.size == 1
    if not len(classes):
        return f"{count(which.size, 'class')} {'is' if one else 'are'} absent"
    names = shorten([classes[i] for i in which.tolist()])
    return f"The class {names} is absent" if one else f"The classes {names} are absent"


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
    said = Finding(
        "groups-split",
        "problem",
        f"{count(shared, 'split')} of {len(splits)} train on some rows of a group and test on others, "
        "so the model is judged on what it has partly seen.",
        "Use grouped_folds or leave_one_group_out.",
    )
    return [said]


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
    said = Finding(
        "duplicates-across-parts",
        "caution",
        f"{count(copies, 'row')} of {splits.n:,} repeat the features of another, and "
        f"{count(shared, 'split')} of {len(splits)} test on features that were trained on.",
        "Remove the copies, or give the copies of a case the same group.",
    )
    return [said]


# --- counting, without training parts where the splits train on the rest --------------------------


def _batches(splits: Splits) -> Iterator[tuple[Indices, Indices, int]]:
    """Put the test rows of many splits together: rows, the split of each, and how many splits."""
    tests: list[Indices] = []
    size = 0
    for i, test in enumerate(splits.tests(), 1):
        tests.append(test)
        size += test.size
        if size >= BATCH or i == len(splits):
            which = np.repeat(np.arange(len(tests)), [t.size for t in tests])
            yield np.concatenate(tests), which, len(tests)
            tests, size = [], 0


def _class_counts(splits: Splits, strata: Indices, k: int) -> Iterator[tuple[Indices, Indices]]:
    """Count the classes of training and test parts, one row a split."""
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


# --- equal rows ------------------------------------------------------------------------------------


def equal_rows(X: Any) -> Indices:  # noqa: ANN401, N803
    """Return a code for each row, shared by rows with equal values; missing equals missing.

    Takes arrays, frames of pandas, polars or pyarrow, and sparse matrices. Rows are told apart by 64
    bits of hash, so among a million rows two different ones are confused once in forty million times.

    >>> equal_rows([[1, 2], [3, 4], [1, 2]]).tolist()
    [1, 0, 1]
    """
    hashes = _of_sparse(X.tocsr()) if hasattr(X, "tocsr") else _of_columns(X)
    return np.unique(hashes, return_inverse=True)[1].astype(np.intp)


def _of_columns(X: Any) -> Hashes:  # noqa: ANN401, N803
    total = np.zeros(1, np.uint64)
    for j, column in enumerate(_columns(X)):
        total = total + mixed(_bits(column) + mixed(np.array([j], np.uint64)))
    return total


def _of_sparse(X: Any) -> Hashes:  # noqa: ANN401, N803
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    there = X.data != 0
    hashes = mixed(_bits(X.data) + mixed(X.indices.astype(np.uint64)))
    total = np.zeros(X.shape[0], np.uint64)
    np.add.at(total, rows[there], hashes[there])
    return total


def _columns(X: Any) -> Iterator[NDArray[Any]]:  # noqa: ANN401, N803
    if hasattr(X, "iloc"):
        return (np.asarray(X.iloc[:, j]) for j in range(X.shape[1]))
    if hasattr(X, "columns"):
        return (np.asarray(c) for c in getattr(X, "get_columns", lambda: X.columns)())
    array = np.asarray(X)
    return iter(array.reshape(len(array), -1).T)


def _bits(column: NDArray[Any]) -> Hashes:
    """Return 64 bits for each value, equal for equal values."""
    if column.dtype.kind == "f":
        values = column.astype(np.float64) + 0.0  # minus zero becomes zero
        values[np.isnan(values)] = np.nan  # one of the many NaNs
        return values.view(np.uint64)
    if column.dtype.kind in "iubmM":
        return column.astype(np.int64).view(np.uint64)
    texts: dict[str, int] = {}
    return np.array([texts.setdefault(str(v), len(texts)) for v in column.tolist()], np.uint64)
