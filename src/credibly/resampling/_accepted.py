"""What is accepted as a resampling: names, numbers of folds, scikit-learn's splitters, index pairs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from credibly._core.arrays import Indices
from credibly.errors import DataError, ParameterError
from credibly.predictions.labels import distinct
from credibly.predictions.provenance import Design
from credibly.resampling._declare import Resampling, resamplings
from credibly.resampling._rows import Rows
from credibly.resampling._splits import SplitPlan

EXAMPLES = "'10x10' or 'folds(k=5)'"
_REPEATED_FOLDS = re.compile(
    r"(?:(\d+)\s*[x×]\s*)?(\d+)(?:[\s_-]*folds?)?(?:[\s_-]*(?:cv|cross[\s_-]?validation))?",
    re.IGNORECASE,
)


def as_resampling(given: object) -> Resampling:
    """Return the resampling that is meant.

    A name with arguments, ``"10x10"`` (ten repeats of ten folds), a number of folds, also as
    ``"5fold"`` or ``"10-fold cv"``, a scikit-learn splitter, or a list of training and test rows. Folds by a number keep groups whole where rows come
    in groups; those by name do not.

    >>> as_resampling("10x10"), as_resampling(5), as_resampling("holdout(test=0.25)")
    (folds(k=10, repeats=10), folds(k=5), holdout(test=0.25))
    >>> as_resampling("5fold"), as_resampling("10x10-fold cv")
    (folds(k=5), folds(k=10, repeats=10))
    >>> as_resampling([([0, 1], [2]), ([1, 2], [0])]).realise(3)[1].test
    array([0])
    """
    if isinstance(given, Resampling):
        return given
    if isinstance(given, str):
        return _named(given.strip())
    if isinstance(given, int | np.integer) and not isinstance(given, bool):
        return _folds(k=int(given))
    if hasattr(given, "split") and hasattr(given, "get_n_splits"):
        return Resampling(_Foreign(given), str(given), name=type(given).__name__)
    if isinstance(given, list | tuple):
        return Resampling(_Given(tuple(given)), "given splits", name="given_splits")
    raise ParameterError(
        f"{type(given).__name__} is not a resampling. Give a name such as 'folds(k=5)' or '10x10', "
        "a number of folds, a scikit-learn splitter, or a list of training and test rows."
    )


def _folds(**arguments: int) -> Resampling:
    return replace(resamplings["folds"](**arguments), with_groups="grouped_folds")


def _named(text: str) -> Resampling:
    folds = _REPEATED_FOLDS.fullmatch(text)
    if folds:
        repeats, k = folds.groups()
        arguments = {"k": int(k)} | ({"repeats": int(repeats)} if repeats else {})
        return _folds(**arguments)
    entry, arguments = resamplings.read(text, EXAMPLES)
    return entry(**arguments)


@dataclass(frozen=True, slots=True)
class _Foreign:
    """A splitter of scikit-learn or one that behaves like it; it sees no rows, only their number."""

    splitter: Any

    def __call__(self, rows: Rows) -> SplitPlan:
        empty = np.zeros((rows.n, 1))
        pairs = list(self.splitter.split(empty, rows.strata, rows.group))
        return _Given(tuple(pairs), getattr(self.splitter, "n_repeats", 1))(rows)


@dataclass(frozen=True, slots=True)
class _Given:
    """Training and test rows that the caller has chosen, in so many repeats.

    Training parts that hold rows several times are samples of a bootstrap, each a repeat of its own.
    """

    pairs: tuple[Any, ...]
    repeats: int = 1

    def __call__(self, rows: Rows) -> SplitPlan:
        if not self.pairs:
            raise DataError("The list of splits is empty.")
        parts = [_pair(p, i, rows.n) for i, p in enumerate(self.pairs)]
        drawn = any(np.unique(train).size < train.size for train, _ in parts)
        whole = len(parts) % self.repeats == 0
        folds = 1 if drawn else len(parts) // (self.repeats if whole else 1)
        return SplitPlan(
            len(parts),
            lambda i: parts[i][1],
            lambda i: parts[i][0],
            folds=folds,
            design=Design(in_time=_forward(parts, rows)),
        )


def _forward(parts: Sequence[tuple[Indices, Indices]], rows: Rows) -> bool:
    """Whether each of several splits tests what came after all that it trains on."""
    time = np.arange(rows.n) if rows.order is None else distinct(rows.order).codes
    return len(parts) > 1 and all(time[train].max() < time[test].min() for train, test in parts)


def _pair(pair: Any, i: int, n: int) -> tuple[Indices, Indices]:  # noqa: ANN401
    try:
        train, test = pair
    except (TypeError, ValueError):
        raise DataError(f"Split {i} is not a pair of training rows and test rows.") from None
    return _indices(train, f"The training part of split {i}", n), _indices(
        test, f"The test part of split {i}", n
    )


def _indices(given: object, name: str, n: int) -> Indices:
    """Return whole row numbers; a mask of True and False is turned into them."""
    array = np.asarray(given)
    if array.dtype.kind == "b" and array.shape == (n,):
        array = np.flatnonzero(array)
    if array.ndim != 1 or not array.size or array.dtype.kind not in "iu":
        raise DataError(f"{name} must be a list of row numbers, not an empty one.")
    low, high = int(array.min()), int(array.max())
    if low < 0 or high >= n:
        wrong = low if low < 0 else high
        raise DataError(f"{name} names the row {wrong}, but rows run from 0 to {n - 1}.")
    return array.astype(np.intp)
