"""Excel workbooks, read row by row: values alone, nothing is computed and no macro is run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from credibly.errors import DataError, ParameterError
from credibly.io._database import TableSource, connect
from credibly.io._declare import cannot_be_read, reader
from credibly.io._files import ZIP_MAGIC
from credibly.io.findings import SHEET_TAKEN

MAX_CELLS = 20_000_000
# How the first names of a workbook start.
EXCEL_MEMBERS = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/")
ERROR_CELLS = frozenset({"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"})

Row = tuple[Any, ...]


def is_workbook(head: bytes) -> bool:
    """Whether a file starts as a workbook does, which is a zip with parts of known names."""
    return head[30:].startswith(EXCEL_MEMBERS)


@reader(
    "Excel workbook",
    suffixes=(".xlsx", ".xlsm"),
    aliases=("xlsx",),
    begins=(ZIP_MAGIC,),
    recognise=is_workbook,
)
def excel(path: Path) -> TableSource:
    """The first sheet that holds a table of several columns, its first row the names; needs ``pip install 'credibly[excel]'``.

    Formulas count by the values that were saved with them; cells that are empty or hold an error such as
    #N/A are missing.

    >>> from openpyxl import Workbook
    >>> book, file = Workbook(), folder / "p.xlsx"
    >>> for row in [("y", "score"), ("no", 0.25), ("yes", 0.75)]:
    ...     book.active.append(row)
    >>> book.save(file)
    >>> read(file, positive="yes").score.tolist()
    [0.25, 0.75]
    """
    titles, title, columns = _read(path)
    connection = connect(path)
    connection.register(
        "sheet", {f"c{i}": np.array(column, object) for i, column in enumerate(columns.values())}
    )
    named = [(name, f"c{i}", "VARCHAR") for i, name in enumerate(columns)]
    damaged = partial(cannot_be_read, path, "Excel workbook")
    source = TableSource(path, "sheet", named, damaged, connection=connection, decimal_comma=True)
    if len(titles) > 1:
        source.where = f"sheet {title!r} of {path.name}"
        source.findings = (SHEET_TAKEN(sheet=title, sheets=len(titles)),)
    return source


def _read(path: Path) -> tuple[list[str], str, dict[str, list[str | None]]]:
    """Return the titles of all sheets, and that and the columns of the one that is taken."""
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise ParameterError(
            "An Excel workbook needs openpyxl: pip install 'credibly[excel]'. Or save it as CSV."
        ) from None
    with path.open("rb") as file:
        book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
        return [sheet.title for sheet in book.worksheets], *_first_table(book, path)


def _first_table(book: Any, path: Path) -> tuple[str, dict[str, list[str | None]]]:  # noqa: ANN401
    """Return the title and the columns of the first sheet that holds rows of several columns, or else of one."""
    narrow = None
    for sheet in book.worksheets:
        sheet.reset_dimensions()  # what a sheet says of its size is often wrong
        columns = _table(sheet.iter_rows(values_only=True), path)
        if any(columns.values()):
            if len(columns) > 1:
                return sheet.title, columns
            narrow = narrow or (sheet.title, columns)
    if narrow is not None:
        return narrow
    raise DataError(f"{path.name} holds no sheet with a row of names and rows of values.")


def _table(rows: Iterable[Row], path: Path) -> dict[str, list[str | None]]:
    """Return the columns; rows and columns without anything are left out, however many there are."""
    filled = (_shortened(row) for row in rows)
    whole = (row for row in filled if row)
    names = [_text(cell) or "" for cell in next(whole, ())]
    _check_names(names, path)
    columns: list[list[str | None]] = [[] for _ in names]
    for n, row in enumerate(_within(whole, len(names), path)):
        for column, cell in zip(columns, row, strict=True):
            column.append(_text(cell))
        if n * len(names) > MAX_CELLS:
            raise DataError(
                f"{path.name} holds more than {MAX_CELLS:,} cells. Save it as CSV or Parquet."
            )
    return dict(zip(names, columns, strict=True))


def _within(rows: Iterable[Row], width: int, path: Path) -> Iterator[Row]:
    """Yield rows as wide as the names are many."""
    for row in rows:
        if len(row) > width:
            raise DataError(
                f"{path.name}: a row has {len(row)} cells where the first one names {width} columns. "
                "Give every column a name, and keep notes on another sheet."
            )
        yield row + (None,) * (width - len(row))


def _shortened(row: Row) -> Row:
    """Leave out the empty cells at the end."""
    width = next((i for i in range(len(row), 0, -1) if row[i - 1] is not None), 0)
    return row[:width]


def _check_names(names: list[str], path: Path) -> None:
    bad = next((n for i, n in enumerate(names) if not n.strip() or n in names[:i]), None)
    if bad is not None:
        what = f"two columns are called {bad!r}" if bad.strip() else "a column has no name"
        raise DataError(f"{path.name}: {what}. Give each column its own name in the first row.")


def _text(cell: object) -> str | None:
    """Write a cell as it would be saved in a text file; an error of a formula says nothing.

    >>> [_text(cell) for cell in (0.25, 3, True, "#N/A", datetime(2020, 1, 2), datetime(2020, 1, 2, 3, 4))]
    ['0.25', '3', 'True', None, '2020-01-02', '2020-01-02 03:04:00']
    """
    if isinstance(cell, datetime):
        return str(cell.date() if cell.time() == time() else cell)
    return None if cell is None or cell in ERROR_CELLS else str(cell)
