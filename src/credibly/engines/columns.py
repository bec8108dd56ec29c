"""Columns in memory, as an engine returned them, in the form of a reader's source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly.io._source import ColumnSource, Kind, Source, kind_of
from credibly.io.classes import is_real, is_whole
from credibly.predictions.labels import distinct, is_missing


class ArrayColumns(ColumnSource):
    """Named arrays; None, NaN or an empty text stands where a value is missing.

    >>> table = ArrayColumns("a table", {"y": np.array(["1", "", None], object)})
    >>> table.kind("y"), table.labels("y")
    ('whole', Labels(codes=array([ 0, -1, -1], dtype=int8), values=('1',)))
    """

    def __init__(
        self,
        where: str,
        columns: Mapping[str, NDArray[Any]],
        *,
        kept: Mapping[str, Any] = MappingProxyType({}),
        orders: Mapping[str, tuple[Any, ...]] = MappingProxyType({}),
    ) -> None:
        self.kept, self.orders = kept, orders
        given = {n: c if self.has_empty_class(n) else _without_empty(c) for n, c in columns.items()}
        super().__init__(where, given)

    def of_text(self, name: str) -> bool:
        """Whether a column has the type of text."""
        return any(isinstance(v, str) for v in self._columns[name].tolist())

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


class ColumnNames(Source):
    """The names of the columns of a lazy table, by which roles are assigned before any is read."""

    values_known = False

    def __init__(self, where: str, names: Sequence[str]) -> None:
        self.where, self.names = where, tuple(names)

    def kind(self, name: str) -> Kind:
        """Refuse: no value has been read yet."""
        raise NotImplementedError

    numbers = labels = kind  # type: ignore[assignment]


def _without_empty(column: NDArray[Any]) -> NDArray[Any]:
    """Write empty text and missing values as None, decimals as numbers."""
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
