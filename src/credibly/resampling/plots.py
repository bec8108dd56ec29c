"""Pictures of splits: which rows are trained and tested on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Indices
from credibly.errors import DataError
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct, joint_codes
from credibly.predictions.numbering import case_numbers
from credibly.predictions.parts import TRAINING_PARTS, all_rows
from credibly.predictions.plots import one_model
from credibly.resampling._splits import Split, SplitPlan, Splits
from credibly.results.figure import Axis, Figure, Layer
from credibly.results.plot import plot_kind

MAX_SPLITS = 25
MAX_ROWS = 300  # of the width of a picture
UNUSED, ONCE, AGAIN, VALIDATION, TEST = range(5)
PARTS = {
    TEST: "test",
    ONCE: "training",
    AGAIN: "training, several times",
    VALIDATION: "validation",
}


def _splits_of(p: Predictions, model: str | None = None) -> Splits:
    """Read off predictions which rows were tested in each fold, and trained on where that is kept."""
    every = all_rows(one_model(p, model))
    columns = [c for c in (every.repeat, every.fold) if c is not None]
    if not columns:
        raise DataError("These predictions do not say in which fold each row was tested.")
    codes = joint_codes([distinct(c) for c in columns])
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes))
    place = case_numbers(every)
    part = np.array([""] * every.n if every.part is None else [str(v).lower() for v in every.part])
    train, validation = np.isin(part, TRAINING_PARTS), part == "validation"
    test = ~train & ~validation

    def rows(which: NDArray[np.bool_], i: int) -> Indices:
        mine = order[ends[i - 1] if i else 0 : ends[i]]
        return np.sort(place[mine[which[mine]]])

    plan = SplitPlan(
        ends.size,
        lambda i: rows(test, i),
        lambda i: rows(train, i),
        (lambda i: rows(validation, i)) if validation.any() else None,
        folds=1 if every.fold is None else len(distinct(every.fold).values),
    )
    return Splits(int(place.max()) + 1, plan, resampling="the folds of predictions")


@plot_kind("Folds", of=Splits, prepare={Predictions: _splits_of})
def folds(splits: Splits, *, sort: bool = False) -> Figure:
    """Which rows each split trains on, tunes on and tests; a bar for each run of rows of one kind.

    Rows stand in the order in which they were given or, with ``sort``, in that in which they are
    tested. Of predictions, training rows are drawn where they are kept.

    >>> import credibly
    >>> from credibly.resampling import folds
    >>> figure = credibly.plot(folds(k=3).realise(9, rng=1))
    >>> figure.y.categories, figure.series()
    (('fold 1', 'fold 2', 'fold 3'), ['test', 'training'])
    """
    shown = [splits[i] for i in range(min(len(splits), MAX_SPLITS))]
    names = _names(shown)
    step = -(-splits.n // MAX_ROWS)
    order = _as_tested(shown, splits.n) if sort else np.arange(splits.n)
    runs = [
        (kind, name, left * step, min(right * step, splits.n))
        for name, split in zip(names, shown, strict=True)
        for kind, left, right in _runs(_kinds(split, splits.n)[order[::step]])
    ]
    layers = []
    for kind, part in PARTS.items():
        mine = [r for r in runs if r[0] == kind]
        if mine:
            _, y, left, right = zip(*mine, strict=True)
            layers.append(Layer.of("bars", x=left, y=y, right=right, series=part))
    few = "" if len(shown) == len(splits) else f"the first {len(shown)} of {len(splits):,} splits"
    thin = "" if step == 1 else f"one of {step} rows"
    alone = f"drawn: {layers[0].columns['series'][0]} rows" if len(layers) == 1 else ""
    test = splits.test_sizes
    if not layers:
        raise DataError("These splits train and test on no rows.")
    return Figure(
        "",
        Axis("row, in the order tested" if sort else "row", (0.0, float(splits.n))),
        Axis("split", categories=tuple(names)),
        tuple(layers),
        f"{len(splits)} splits of {splits.n:,} rows by {splits.resampling}, of which each tests "
        f"{test.min():,} to {test.max():,}.",
        subtitle="; ".join(t for t in (splits.resampling, few, thin, alone) if t),
    )


def _as_tested(shown: list[Split], n: int) -> Indices:
    """Return the rows in the order of the first split that tests them, those never tested last."""
    first = np.full(n, len(shown))
    for i, split in reversed(list(enumerate(shown))):
        first[split.test] = i
    return np.argsort(first, kind="stable")


def _names(shown: list[Split]) -> list[str]:
    repeats, folds = ({getattr(s, what) for s in shown} for what in ("repeat", "fold"))
    if len(folds) > 1 and len(repeats) > 1:
        return [f"repeat {s.repeat + 1}, fold {s.fold + 1}" for s in shown]
    return [f"fold {s.fold + 1}" if len(folds) > 1 else f"split {s.repeat + 1}" for s in shown]


def _kinds(split: Split, n: int) -> NDArray[np.int8]:
    """Return what becomes of each row."""
    kind = np.minimum(np.bincount(split.train, minlength=n), AGAIN).astype(np.int8)
    for part, code in ((split.validation, VALIDATION), (split.test, TEST)):
        if part is not None:
            kind[part] = code
    return kind


def _runs(kind: NDArray[np.int8]) -> Iterator[tuple[int, int, int]]:
    """Yield the kind, the first row and the end of each run of rows that are of one kind."""
    edges = [0, *(np.flatnonzero(np.diff(kind)) + 1).tolist(), len(kind)]
    for left, right in pairwise(edges):
        if kind[left] != UNUSED:
            yield int(kind[left]), left, right
