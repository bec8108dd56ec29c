"""Columns at hand, as an engine returned them: the form in which readers take them over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly.io._source import Source, kind_of, not_numbers
from credibly.io.classes import as_number, is_real, is_whole
from credibly.predictions.labels import Labels, distinct, encode, is_missing

if TYPE_CHECKING:
    from credibly.io._source import Kind

SHOWN = 5


class ArrayColumns(Source):
    """Named arrays; None, NaN or an empty text stands where a value is missing.

    >>> table = ArrayColumns("a table", {"y": np.array(["1", "", None], object)})
    >>> table.kind("y"), table.labels("y")
    ('whole', Labels(codes=array([ 0, -1, -1], dtype=int8), values=('1',)))
    """

    def __init__(self, where: str, columns: Mapping[str, NDArray[Any]]) -> None:
        self.where, self.names = where, tuple(columns)
        self._columns = {name: _without_empty(column) for name, column in columns.items()}

    def kind(self, name: str) -> Kind:
        """Say what the values of a column are."""
        column = self._columns[name]
        if column.dtype.kind in "biu":
            return "whole"
        if column.dtype.kind == "f":
            return kind_of(column[~np.isnan(column)])
        texts = [str(v) for v in distinct(column).values if v is not None]
        if not texts:
            return "empty"
        if all(map(is_whole, texts)):
            return "whole"
        return "number" if all(map(is_real, texts)) else "text"

    def numbers(self, name: str) -> Floats:
        """Return a column of numbers, or name the rows that are none."""
        column = self._columns[name]
        if column.dtype.kind in "biuf":
            return column.astype(np.float64)
        found = distinct(column)
        values = [np.nan if v is None else as_number(v) for v in found.values]
        bad = [i for i, v in enumerate(values) if v is None]
        if bad:
            rows = np.flatnonzero(np.isin(found.codes, bad))
            raise not_numbers(
                self.where, name, [(int(i), str(column[i])) for i in rows[:SHOWN]], rows.size
            )
        return np.array(values, np.float64)[found.codes]

    def labels(self, name: str) -> Labels:
        """Return the codes and the distinct values of a column."""
        return encode(self._columns[name], name)


class ColumnNames(Source):
    """The names of the columns of a lazy table, by which roles are assigned before any is read."""

    values_known = False

    def __init__(self, where: str, names: Sequence[str]) -> None:
        self.where, self.names = where, tuple(names)

    def kind(self, name: str) -> Kind:
        """Nothing is known of the values yet."""
        raise NotImplementedError

    numbers = labels = kind  # type: ignore[assignment]


def _without_empty(column: NDArray[Any]) -> NDArray[Any]:
    """Write empty text, and what a frame calls missing, as None; decimals as numbers."""
    if column.dtype.kind in "US":
        column = column.astype(object)
    if column.dtype.kind != "O":
        return column
    items = [None if is_missing(v) or v == "" else v for v in column.tolist()]
    if any(type(v).__name__ == "Decimal" for v in items):
        return np.array([np.nan if v is None else float(v) for v in items])
    made = np.empty(len(items), object)
    made[:] = items
    return made
