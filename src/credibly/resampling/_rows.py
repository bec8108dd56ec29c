"""What a resampling may look at: how many rows there are, their classes, groups, folds and times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, Indices
from credibly._core.text import count, some_rows
from credibly.errors import Argument, DataError, MissingColumnError, ParameterError, says
from credibly.predictions.labels import as_column, distinct, encode, is_missing
from credibly.predictions.numbers import weights


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """What a resampling may look at, and nothing else.

    >>> rows = Rows.of(4, ["no", "yes", "no", "yes"], groups=["a", "a", "b", "b"])
    >>> rows.strata, rows.group
    (array([0, 1, 0, 1]), array([0, 0, 1, 1]))
    """

    n: int
    strata: Indices | None = None
    group: Indices | None = None
    fold: NDArray[Any] | None = None
    order: NDArray[Any] | None = None
    weight: Floats | None = None  # how likely a row is to be drawn, beside others

    @classmethod
    def of(
        cls,
        n_or_X: object,  # noqa: N803
        y: object = None,
        *,
        groups: object = None,
        time: object = None,
        fold: object = None,
        weight: object = None,
    ) -> Rows:
        """Check what is known of the rows; classes and groups become whole numbers."""
        n = _size(n_or_X)
        return cls(
            n,
            None if y is None else _strata(_column(y, n, "y")),
            None if groups is None else _codes(_complete(groups, n, "groups")),
            None if fold is None else _complete(fold, n, "fold"),
            None if time is None else _complete(time, n, "time"),
            None if weight is None else weights(weight, n),
        )

    def need(self, column: str, owner: str) -> NDArray[Any]:
        """Return a column, or say how to give it."""
        found: NDArray[Any] | None = getattr(self, column)
        if found is None:
            what, argument = _COLUMN_WORDS[column]
            raise MissingColumnError(
                f"{owner} needs {what}.", remedy=says("Set {it}.", it=Argument(argument, ...))
            )
        return found


_COLUMN_WORDS = {
    "strata": ("the class of each row", "y"),
    "group": ("the group of each row", "groups"),
    "fold": ("a column that says in which fold each row is tested", "fold"),
    "order": ("the time of each row", "time"),
}


def _size(n_or_X: Any) -> int:  # noqa: ANN401, N803
    if isinstance(n_or_X, int | np.integer) and not isinstance(n_or_X, bool):
        n = int(n_or_X)
    elif hasattr(n_or_X, "shape") and n_or_X.shape:  # a sparse matrix has no len()
        n = int(n_or_X.shape[0])
    elif hasattr(n_or_X, "__len__"):
        n = len(n_or_X)
    else:
        raise ParameterError(
            f"Give the number of rows, or the rows themselves; got {type(n_or_X).__name__}."
        )
    if n < 1:
        raise DataError(f"There must be at least one row to resample; there are {n}.")
    return n


def _column(values: object, n: int, name: str) -> NDArray[Any]:
    array = as_column(values, name)
    if len(array) != n:
        raise DataError(f"{name} has {count(len(array), 'value')} but there are {count(n, 'row')}.")
    return array


def _complete(values: object, n: int, name: str) -> NDArray[Any]:
    """Return a column in which no value is missing."""
    array = _column(values, n, name)
    if array.dtype.kind == "O":
        missing = np.array([is_missing(v) for v in array.tolist()], bool)
    else:
        missing = np.not_equal(array, array)  # NaN and NaT differ from themselves
    if missing.any():
        bad = np.flatnonzero(missing)
        raise DataError(
            f"{name} is missing in {count(bad.size, 'row')}: {some_rows(bad)}. "
            "Remove these rows, or give each a value of its own."
        )
    return array


def _codes(array: NDArray[Any]) -> Indices:
    return distinct(array).codes.astype(np.intp)


def _strata(array: NDArray[Any]) -> Indices | None:
    """Return class codes, none for a numeric target: numbers with fractions, or many whole floats.

    Rows without a class form a class of their own.
    """
    if array.dtype.kind == "f":
        known = array[~np.isnan(array)]
        many = len(np.unique(known)) > max(20, len(known) ** 0.5)
        if known.size and ((known != np.rint(known)).any() or many):
            return None
    return _codes(encode(array, "y").codes)
