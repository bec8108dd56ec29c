"""Columns of numbers and of text in a quarter of the room that an array of objects takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A column of text: places among its values, of which the last stands for what is missing.

    >>> Text(np.array([1, 0, 2]), np.array(["a", "b", None])).values.tolist()
    ['b', 'a', None]
    """

    codes: NDArray[Any]
    known: NDArray[Any]

    @classmethod
    def of(cls, values: NDArray[Any]) -> Text:
        """Sort the values out; None stands for what is missing.

        >>> Text.of(np.array(["b", None, "a", "b"])).codes.tolist()
        [1, 2, 0, 1]
        """
        listed = values.tolist()
        known = sorted(set(listed) - {None})
        place = {v: i for i, v in enumerate(known)} | {None: len(known)}
        return cls(np.array([place[v] for v in listed], np.int32), np.array([*known, None], object))

    @property
    def present(self) -> NDArray[np.intp]:
        """The places of the values that are there."""
        return np.flatnonzero(np.bincount(np.asarray(self.codes), minlength=len(self.known)))

    @property
    def values(self) -> NDArray[Any]:
        """The column itself."""
        return np.asarray(self.known[np.asarray(self.codes)])

    def __getitem__(self, rows: Any) -> Text:
        return Text(np.asarray(self.codes[rows]), self.known)


class LightFrame:
    """Columns by their names: a frame that needs no library of frames.

    >>> frame = LightFrame({"x": np.array([1.0, 2]), "town": Text(np.array([0, 1]), np.array(["Bern", None]))})
    >>> frame.shape, np.asarray(frame[[1]]).tolist()
    ((2, 2), [[2.0, None]])
    """

    def __init__(self, columns: Mapping[str, Floats | Text]) -> None:
        self.columns = dict(columns)
        first = next(iter(self.columns.values()))
        rows = len(first.codes) if isinstance(first, Text) else len(first)
        self.shape = (rows, len(self.columns))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: Any) -> LightFrame:
        """Return some rows."""
        return LightFrame({n: c[rows] for n, c in self.columns.items()})

    def items(self) -> list[tuple[str, NDArray[Any]]]:
        """Return the names, and columns of floats or of text with None where it is missing."""
        return [
            (n, c.values if isinstance(c, Text) else np.asarray(c, np.float64))
            for n, c in self.columns.items()
        ]

    def get_columns(self) -> list[NDArray[Any]]:
        """Return the columns as numbers that are equal where values are; frames of polars have it, too."""
        return [np.asarray(c.codes if isinstance(c, Text) else c) for c in self.columns.values()]

    def objects(self, rows: NDArray[np.intp]) -> NDArray[Any]:
        """Return some rows as an array of objects."""
        made = np.empty((len(rows), self.shape[1]), object)
        for j, column in enumerate(self.columns.values()):
            part = column[rows]
            made[:, j] = part.values if isinstance(part, Text) else part
        return made

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001
        """Return an array of objects, for those who know nothing else."""
        if copy is False:
            raise ValueError("A light frame keeps columns apart; as an array it is a copy.")
        whole = self.objects(np.arange(len(self)))
        return whole if dtype is None else whole.astype(dtype)
