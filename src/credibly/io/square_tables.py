"""Square tables from text files: a labelled CSV, what Weka prints, or numbers without names."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from os import PathLike
from pathlib import Path
from typing import Any

from credibly._core.text import count
from credibly.errors import DataError, says
from credibly.io._files import Utf8Copy, check_file, guessed_encoding, marked_encoding
from credibly.io.classes import is_whole
from credibly.io.delimited import read_header
from credibly.predictions.labelled_tables import (
    LabelledTable,
    is_total,
    is_undecided,
)
from credibly.predictions.labels import as_labels
from credibly.predictions.numbers import is_number

MAX_BYTES = 50_000_000  # bytes; a thousand classes need a tenth of it
NUMBER_LINE = re.compile(r"\s*[-+.\d][-+.\deE]*(\s+[-+.\deE]+)*\s*")
CLASSIFIED_AS = "<-- classified as"
PRINTED_ROW = re.compile(r"(?P<numbers>[\d\s.]+)\|\s*\S+ = (?P<name>.*)")


def read_square_table(
    path: str | PathLike[str], classes: Sequence[Any] | None, noun: str
) -> LabelledTable:
    """Read a table with a row and a column for each class; ``noun`` is what its numbers are.

    Classes that are all whole numbers are numbers. What has no names has those of ``classes``.
    """
    file = Path(path)
    lines = table_lines(file, noun)
    if all(is_number(cell) for cell in lines[0]):
        lines = _named(lines, file, classes, noun)
    elif len(lines) == len(lines[0]) + 1 and all(
        is_number(cell) for line in lines[1:] for cell in line
    ):
        raise DataError(
            f"{file.name} names its columns and not its rows, which hold {noun}s alone.",
            remedy="Put the actual class of each row into a column before the others.",
        )
    table = LabelledTable.of_lines(lines, f"{file.name}: ", noun)
    return table if classes is not None else with_whole_classes(table)


def with_whole_classes(table: LabelledTable) -> LabelledTable:
    """Return a table whose classes are whole numbers, if all of them are text that reads as one."""
    named = (*table.rows, *table.columns)
    classes = [n for n in named if not is_total(n) and not is_undecided(n)]
    if not all(is_whole(n) and "." not in str(n) for n in classes):
        return table
    rows, columns = (
        tuple(int(n) if n in classes else n for n in side) for side in (table.rows, table.columns)
    )
    return replace(table, rows=rows, columns=columns)


def table_lines(file: Path, noun: str = "number") -> list[list[Any]]:
    """Return the cells of a file, its header first if it has one."""
    check_file(file)
    if file.stat().st_size > MAX_BYTES:
        raise DataError(
            f"{file.name} has more than {MAX_BYTES:,} bytes, which is too many for a table of {noun}s."
        )
    encoding = marked_encoding(file) or guessed_encoding(file)
    copy = Utf8Copy(file, encoding) if encoding else None
    file = copy.path if copy else file
    _, delimiter, skip = read_header(file, ",;\t|")  # which also checks that this is text
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{file.name} is not text in UTF-8. Save it as UTF-8.") from None
    if CLASSIFIED_AS in text:
        return _printed_by_weka(text)
    if _is_bare(text):
        return _rows_of_weka(file, text)
    rest = "".join(text.splitlines(keepends=True)[skip:])
    try:
        lines = list(csv.reader(io.StringIO(rest, newline=""), delimiter=delimiter))
        return _without_empty([r for r in lines if any(map(str.strip, r))])
    except csv.Error as error:
        raise DataError(f"{file.name} cannot be read as CSV: {error}.") from None


def _without_empty(lines: list[list[str]]) -> list[list[str]]:
    """Leave out the columns at the end of every line that hold nothing, as spreadsheets write them."""
    while lines and all(len(line) == len(lines[0]) and not line[-1].strip() for line in lines):
        lines = [line[:-1] for line in lines]
    return lines


def _is_bare(text: str) -> bool:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return first.lstrip().startswith(("%", "[")) or NUMBER_LINE.fullmatch(first) is not None


def _rows_of_weka(file: Path, text: str) -> list[list[Any]]:
    """Read the rows of numbers that follow their size, or stand in brackets, or alone."""
    lines = [s for line in text.splitlines() if (s := line.partition("%")[0].strip())]
    if lines and lines[0].startswith("["):
        return [row.split() for row in " ".join(lines).strip("[] ").split(";")]
    rows = [line.split() for line in lines]
    if all(len(row) == len(rows) for row in rows):
        return rows
    size = rows.pop(0) if rows else []
    if [str(len(rows)), str(len(rows))] != size:
        raise DataError(
            f"{file.name} says that its matrix has the size {' x '.join(size)} "
            f"and has {count(len(rows), 'row')} after that."
        )
    return rows


def _printed_by_weka(text: str) -> list[list[Any]]:
    """Read the last confusion matrix of Weka's output, which prints that of training data first."""
    after = text.rpartition(CLASSIFIED_AS)[2].splitlines()[1:]
    own = takewhile(lambda line: "|" in line, after)
    found = [m for line in own if (m := PRINTED_ROW.fullmatch(line.strip()))]
    names = [m["name"].strip() for m in found]
    return [["", *names], *([n, *m["numbers"].split()] for n, m in zip(names, found, strict=True))]


def _named(
    rows: list[list[Any]], file: Path, classes: Sequence[Any] | None, noun: str
) -> list[list[Any]]:
    if classes is None:
        raise DataError(
            f"{file.name} holds only numbers and no class names.",
            remedy=says(
                "Set <classes=...> in the order of its rows, which for Weka is that in which they are declared."
            ),
        )
    names = as_labels(classes)
    if len(rows) != len(names):
        raise DataError(
            f"{file.name} has {count(len(rows), 'row')} of {noun}s and there are "
            f"{count(len(names), 'class')}."
        )
    return [["", *names], *([name, *row] for name, row in zip(names, rows, strict=True))]
