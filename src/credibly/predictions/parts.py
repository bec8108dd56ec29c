"""Which rows count: those that a model was neither trained nor tuned on, and every case once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from credibly.predictions.case_columns import stacked
from credibly.predictions.labels import Labels, all_differ, distinct, joint_codes
from credibly.predictions.numbering import fold_numbers
from credibly.predictions.numbers import frozen
from credibly.predictions.table import PLACES, cached

if TYPE_CHECKING:
    from credibly.predictions.table import PredictionColumns

P = TypeVar("P", bound="PredictionColumns")
ALL_CASES = -1  # the repeat of the fit on all cases beside those of a bootstrap
TIME_BLOCKS = 5  # of cases in the order of time
TRAINING_PARTS = ("train", "training", "learn", "learning")
SEEN_PARTS = (*TRAINING_PARTS, "tuning", "development", "validation")
# Predictions of further fits, which say how far those of the others may be off.
INNER_PART = "inner"
UNJUDGED_PARTS = (*SEEN_PARTS, INNER_PART)  # what is not judged


def places(p: PredictionColumns, start: int = 0) -> NDArray[np.intp]:
    """Return where each row stood among all that were given, as far as it is known.

    >>> from credibly import Predictions
    >>> p = Predictions.of([1, 0, 1], label=[1, 0, 0], part=["train", "test", "test"])
    >>> places(p).tolist(), places(p.seen, p.n).tolist()
    ([1, 2], [0])
    """
    known = PLACES.get(p)
    return np.arange(start, start + p.n) if known is None else known


def numbered(p: P) -> P:
    """Return the rows with their places as identifiers, which they keep where others are left out."""
    seen = None if p.seen is None else replace(p.seen, row=frozen(places(p.seen, p.n)), cache={})
    return replace(p, row=frozen(places(p)), seen=seen, cache=p.found_complete)


def are_inner(part: NDArray[Any]) -> NDArray[np.bool_]:
    """Say of each row whether it is of an inner split."""
    labels = distinct(part)
    return np.array([str(v).lower() == INNER_PART for v in labels.values], bool)[labels.codes]


def judged_and_seen(
    parts: Labels,
) -> tuple[NDArray[np.bool_] | slice, NDArray[np.bool_] | slice] | None:
    """Return the rows that are judged, by their parts, and those that models have seen or that are of inner splits.

    Nothing is returned where all rows are of one kind: all of them are judged. Rows that stand together are a slice, which copies nothing.
    """
    seen = np.array([str(v).lower() in UNJUDGED_PARTS for v in parts.values], bool)[parts.codes]
    judged = seen.size - int(np.count_nonzero(seen))
    if judged in {0, seen.size}:
        return None
    return (~seen, seen) if seen[:judged].any() else (slice(judged), slice(judged, None))


def with_shared_weights(p: P) -> P:
    """Share the weight of a case among its predictions, where its model predicts it repeatedly."""
    p = as_given(p)
    times = times_predicted(p)
    if times is None:
        return p
    full = frozen(p.weights)
    return replace(
        p,
        weight=frozen(full / times),
        weight_kind="importance",
        unshared=full,
        unshared_kind=p.weight_kind,
        cache={},
    )


def in_cases(p: P) -> P:
    """Return the rows with importance weights that add up to the number of cases.

    Their unit has no meaning, so sums over them are expressed in cases.

    >>> from credibly import Predictions
    >>> p = Predictions.of([1, 0], label=[1, 0], sample_weight=[30, 10], weight_kind="importance")
    >>> in_cases(p).weight.tolist()
    [1.5, 0.5]
    """
    if p.weight is None or p.weight_kind != "importance" or not p.weight.any():
        return p
    unit = float(p.weight.sum()) / p.cases
    if unit == 1:
        return p
    unshared = p.unshared
    if unshared is not None and p.unshared_kind == "importance":
        unshared = frozen(unshared / unit)
    return replace(p, weight=frozen(p.weight / unit), unshared=unshared, cache={})


def times_predicted(p: PredictionColumns) -> NDArray[np.float64] | None:
    """Return how often the case of each row is predicted by its model; none if all are once."""
    if p.row is None or all_differ(p.row):
        return None
    code = distinct(p.row).codes.astype(np.int64)
    if p.model is not None:
        code += (int(code.max(initial=0)) + 1) * distinct(p.model).codes
    times = np.bincount(code)[code].astype(np.float64)
    return None if times.max() == 1 else times


def as_given(p: P) -> P:
    """Return the rows with the weights that were given, although cases are predicted repeatedly."""
    if p.unshared is None:
        return p
    weight = None if p.unshared_kind == "none" else p.unshared
    return replace(
        p, weight=weight, weight_kind=p.unshared_kind, unshared=None, unshared_kind="none", cache={}
    )


def all_rows(p: P) -> P:
    """Return all rows, those that models have seen after the others, with the weights as they were given.

    This is what is saved, and what slices by part are made of; it is not for judging.
    """
    p = as_given(p)
    if p.seen is None:
        return p
    columns: dict[str, Any] = {
        f.name: frozen(np.concatenate([array, getattr(p.seen, f.name)]))
        for f in fields(p)
        if isinstance(array := getattr(p, f.name), np.ndarray)
    }
    cases = stacked([p.columns, p.seen.columns])
    return replace(p, **columns, columns=cases, seen=None, cache={})


def with_distinct_sizes(p: P) -> P:
    """Return the rows with the number of distinct training rows, where these are known.

    The sample of a bootstrap holds rows several times; how far training parts overlap depends on
    the distinct ones, which its run predicts as well.
    """
    if p.seen is None or p.n_train is None:
        return p
    rows = all_rows(p)
    told = [c for c in (rows.model, rows.repeat, rows.fold) if c is not None]
    train = np.asarray(rows.part).astype(str) == "train"
    fit = joint_codes(map(distinct, told)) if told else np.zeros(rows.n, np.int64)
    known = np.bincount(fit, train)[fit][: p.n]
    return replace(p, n_train=np.where(known > 0, known, p.n_train), cache={})


def has_training_rows(p: PredictionColumns) -> bool:
    """Whether some row is known to be of a training part."""
    if p.part is None:
        return False
    parts = p.part
    return cached(
        p,
        "training rows",
        lambda: any(str(v).lower() in TRAINING_PARTS for v in distinct(parts).values),
    )


def size_ratio(parts: Sequence[PredictionColumns]) -> float | None:
    """Return the size of all test parts over that of all training parts; none where it is not known.

    Of k folds it is 1 / (k - 1), also where these are not all of one size.

    >>> from credibly import Predictions
    >>> folds = [Predictions.of([1] * n, label=[1] * n, n_train=10 - n) for n in (3, 3, 4)]
    >>> size_ratio(folds)
    0.5
    """
    trained = [float(part.n_train.mean()) for part in parts if part.n_train is not None]
    if not trained or len(trained) < len(parts):
        return None
    return sum(map(_rows_meant, parts)) / sum(trained)


def _rows_meant(part: PredictionColumns) -> float:
    """Return how many rows there were before equal ones were counted."""
    full = part.weight if part.unshared is None else part.unshared
    kind = part.weight_kind if part.unshared is None else part.unshared_kind
    return part.n if full is None or kind != "frequency" else float(full.sum())


def cluster_count(p: PredictionColumns) -> int:
    """Return how many clusters have a case of some weight; 0 where rows are independent.

    >>> from credibly import Predictions
    >>> cluster_count(Predictions.of([1, 0, 1], label=[1, 0, 0], group=["x", "x", "y"], sample_weight=[1, 2, 0]))
    1
    """
    clusters = p.clusters
    return 0 if clusters is None else len(distinct(clusters[p.weights > 0]).values)


def time_steps(p: PredictionColumns) -> NDArray[np.intp]:
    """Return the moment at which each row was observed, numbered from 0.

    The column of times gives it. Without one, folds and in them rows follow one another, and a case
    that is predicted repeatedly stands where it does first.

    >>> from credibly import Predictions
    >>> time_steps(Predictions.of([1, 0, 1], label=[1, 0, 0], time=["2024-05", "2024-04", "2024-05"])).tolist()
    [1, 0, 1]
    """
    if p.time is not None:
        return distinct(p.time).codes.astype(np.intp)
    fold = fold_numbers(p)
    step = np.empty(p.n, np.intp)
    step[np.argsort(fold, kind="stable")] = np.arange(p.n)
    if p.row is None or all_differ(p.row):
        return step
    case = distinct(p.row).codes
    first = np.full(int(case.max()) + 1, p.n)
    np.minimum.at(first, case, step)
    return distinct(first[case]).codes.astype(np.intp)


def time_blocks(p: PredictionColumns) -> NDArray[np.intp]:
    """Return the block of each case where cases follow one another in time.

    They are cut into five stretches of equal size: what happens in one has little to do with the next
    if they are long. Cases of one moment are of one block, and stretches that share a group are too.

    >>> from credibly import Predictions
    >>> p = Predictions.of([1] * 10, label=[1] * 10, fold=[1] * 5 + [0] * 5)
    >>> time_blocks(p).tolist()
    [2, 3, 3, 4, 4, 0, 0, 1, 1, 2]
    """
    steps = time_steps(p)
    size = np.bincount(steps)
    block = ((np.cumsum(size) - size) * TIME_BLOCKS // max(p.n, 1))[steps]
    return block if p.group is None else _joined(block, distinct(p.group).codes)


def _joined(block: NDArray[np.intp], group: NDArray[Any]) -> NDArray[np.intp]:
    """Make one of the blocks that share a group, and of all that these share groups with."""
    shares = np.zeros((int(group.max()) + 1, TIME_BLOCKS), bool)
    shares[group, block] = True
    linked = shares.T @ shares  # blocks with a group in common
    for _ in range(TIME_BLOCKS):
        linked = linked @ linked
    return linked.argmax(axis=1)[block]


def each_once(p: P) -> P:
    """Return the first prediction of each case: repeats are not more cases."""
    if p.row is None or p.repeat is None:
        return p
    rows = distinct(p.row)
    once = len(rows.values) == p.n
    return p if once else p.take(np.unique(rows.codes, return_index=True)[1])
