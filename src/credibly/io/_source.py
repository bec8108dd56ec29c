"""What a reader returns: named columns, each read when it is needed and as the type that is needed."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.text import count, some_rows
from credibly.errors import DataError
from credibly.io.classes import MISSING_MARKS, as_number, whole_if_all
from credibly.predictions.labels import MISSING, Labels, encode, is_missing

# 0,75 and 1.234,5 where a comma separates decimals; 75% and 75,5 % where it does.
WRITTEN_NUMBER = re.compile(
    r"\s*(?P<whole>[+-]?(?:\d{1,3}(?:\.\d{3})+|\d*))(?P<rest>[.,]\d+)?\s*(?P<percent>%?)\s*",
    re.ASCII,
)

DASHES = frozenset(
    {"-", "\u2013", "\u2014"}
)  # for no number in tables that people type; a class may be a minus
CLASS_COLUMNS = {"truth", "label"}  # of a file of ours
MAX_SHOWN_ROWS = 5  # rows that a message names
GROUPED_NUMBER = re.compile(r"\s*[+-]?\d{1,3}(,\d{3})+(\.\d*)?\s*", re.ASCII)  # 1,234,567.8

Kind = Literal["empty", "whole", "number", "text"]


class Source(ABC):
    """The columns of one file or frame.

    ``where`` is what messages call it. A source of text gives every label as text; what is a whole
    number is decided over all label columns together (see :mod:`credibly.io.classes`).
    """

    where: str
    names: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    tolerance: float | None = None
    missing_marks: frozenset[str] = MISSING_MARKS | DASHES  # of numbers
    decimal_comma: bool = False  # whether numbers may be written with one
    hidden: frozenset[str] = frozenset()  # columns whose names must not be taken for a role
    scores: frozenset[str] = frozenset()  # columns of how cases did, which describe no case
    copy: object = None  # of the file in another encoding, which must stay while it is read
    values_known: bool = True  # not before an engine has counted
    kept: Mapping[str, Any] = MappingProxyType({})  # what a file of ours says of itself
    orders: Mapping[str, tuple[Any, ...]] = MappingProxyType({})  # of ordered categories
    roles: Mapping[str, str] = MappingProxyType({})  # columns whose role the format itself states
    directions: Mapping[str, str] = MappingProxyType({})  # of columns, which way is better

    def load(self, numbers: Sequence[str], labels: Sequence[str]) -> None:  # noqa: B027
        """Read these columns in one pass; a source that has them at hand does nothing."""

    def lines(self, rows: Sequence[int]) -> Sequence[int]:  # noqa: ARG002
        """Return the lines of a file of text in which rows stand; nothing of other files."""
        return ()

    def close(self) -> None:  # noqa: B027
        """Give back what was loaded."""

    @abstractmethod
    def kind(self, name: str) -> Kind:
        """Say what the values of a column are: all whole, all numbers, or other text."""

    @abstractmethod
    def numbers(self, name: str) -> Floats:
        """Return a column of numbers, NaN where it is empty."""

    @abstractmethod
    def labels(self, name: str) -> Labels:
        """Return the codes and the distinct values of a column, -1 where it is empty."""

    def meant(self, texts: Iterable[str]) -> dict[str, float | None]:
        """Return the number that people mean by each text: NaN for a mark of a missing one, nothing where it is none."""
        return {text: self.meaning(text) for text in texts}

    def meaning(self, text: str) -> float | None:
        """Return the number that people mean by one text."""
        number = as_written(text, decimal_comma=self.decimal_comma)
        return math.nan if number is None and self.is_mark(text) else number

    def is_mark(self, text: str) -> bool:
        """Whether a text stands for a number that is missing."""
        return bool({text.strip(), text.strip().lower()} & self.missing_marks)

    def pair(self, names: tuple[str, str]) -> Floats:
        """Return two columns of numbers side by side."""
        return np.column_stack([self.numbers(name) for name in names])

    def is_text(self, name: str) -> bool:
        """Whether what reads as a whole number in this column is text all the same, as the file says.

        In a file of ours, text is text, unless its classes are none.
        """
        classes = self.kept.get("classes", ()) if name in CLASS_COLUMNS else [""]
        return any(isinstance(c, str) for c in classes) and bool(self.kept) and self.of_text(name)

    def of_text(self, name: str) -> bool:  # noqa: ARG002
        """Whether a column has the type of text."""
        return False

    def has_empty_class(self, name: str) -> bool:
        """Whether a class of a file of ours is called by the empty text; a missing one is NULL there."""
        return name in CLASS_COLUMNS and "" in self.kept.get("classes", ())

    def order(self, name: str) -> tuple[Any, ...] | None:
        """Return every value a column may take, in order, if the source declares it."""
        return self.orders.get(name)

    def column(self, name: str) -> NDArray[Any]:
        """Return a column as it is, for where a row comes from."""
        labels = self.labels(name) if self.is_text(name) else whole_if_all(self.labels(name))
        if (labels.codes == MISSING).any():
            return np.array([*labels.values, None], object)[labels.codes]
        return np.array(labels.values)[labels.codes]


class ColumnSource(Source):
    """Columns that are at hand."""

    def __init__(self, where: str, columns: Mapping[str, NDArray[Any]]) -> None:
        self.where = where
        self.names = tuple(columns)
        self._columns = columns

    def _known(self, name: str) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        column = self._columns[name]
        if column.dtype.kind == "f":
            missing = np.isnan(column)
        else:
            missing = np.array([is_missing(v) for v in column.tolist()], bool)
        return column[~missing], missing

    def kind(self, name: str) -> Kind:
        """Say what the values of a column are."""
        return kind_of(self._known(name)[0])

    def numbers(self, name: str) -> Floats:
        """Return a column of numbers, or name the rows that are none."""
        return known_numbers(*self._known(name), self.where, name)

    def labels(self, name: str) -> Labels:
        """Return the codes and the distinct values of a column."""
        values, missing = self._known(name)
        return encode(values, name).among(missing)


def known_numbers(
    values: NDArray[Any], missing: NDArray[np.bool_], where: str, name: str
) -> Floats:
    """Return known values as numbers beside NaN for the missing ones, or name the rows that are none."""
    out = np.full(missing.size, np.nan)
    try:
        out[~missing] = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        rows = zip(np.flatnonzero(~missing).tolist(), values.tolist(), strict=True)
        bad = [(row, str(v)) for row, v in rows if as_number(v) is None]
        raise not_numbers(where, name, bad[:MAX_SHOWN_ROWS], len(bad)) from None
    return out


def kind_of(values: NDArray[Any]) -> Kind:
    """Return the kind of known values of one type; anything but a number is text."""
    if not values.size:
        return "empty"
    if values.dtype.kind in "biu":
        return "whole"
    if values.dtype.kind == "f":
        return "whole" if (values == np.rint(values)).all() else "number"
    return "text"


def as_written(text: str, *, decimal_comma: bool) -> float | None:
    """Return the number that people mean by text which no program takes for one; nothing if it is none.

    >>> as_written("0,75", decimal_comma=True), as_written("1.234,5", decimal_comma=True)
    (0.75, 1234.5)
    >>> as_written("75 %", decimal_comma=False), as_written("0,75", decimal_comma=False)
    (0.75, None)
    """
    match = WRITTEN_NUMBER.fullmatch(text)
    if not match or not (match["whole"].strip("+-") or match["rest"]):
        return None
    whole, rest, percent = match["whole"], match["rest"] or "", match["percent"]
    comma = rest.startswith(",")
    if (comma and not decimal_comma) or not (comma or percent) or ("." in whole and not comma):
        return None
    number = float(f"{whole.replace('.', '')}{rest.replace(',', '.')}")
    return number / 100 if percent else number


def not_numbers(where: str, name: str, bad: Iterable[tuple[int, str]], total: int) -> DataError:
    """Name the rows of a column that should hold numbers and do not."""
    shown = [(row, text if len(text) <= 40 else text[:40] + "...") for row, text in bad]
    rows = some_rows([(row, repr(text)) for row, text in shown], total=total)
    first = shown[0][1].strip()
    hint = "Leave missing numbers empty, or name another column."
    whole, comma, rest = first.partition(",")
    if GROUPED_NUMBER.fullmatch(first):
        plain = first.replace(",", "")
        hint = f"Write numbers without separators of thousands: {plain}, not {first}."
    elif comma and (whole + rest).lstrip("+-").isdigit():
        hint = "Write decimals with a point, not with a comma."
    msg = f"{where}: column {name!r} is not a number in {count(total, 'row')}: {rows}. {hint}"
    return DataError(msg)
