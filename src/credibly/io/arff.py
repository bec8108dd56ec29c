"""ARFF, the attribute-relation files of Weka."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.text import count
from credibly.errors import DataError
from credibly.io._declare import reader
from credibly.io._files import open_bytes
from credibly.io._source import MAX_SHOWN_ROWS, Kind, Source, not_numbers
from credibly.io.classes import as_number, is_whole
from credibly.predictions.labels import Labels, encode, shorten

MAX_LINE_BYTES = 16_777_216
WEIGHT_COLUMN = "instance weight"
NUMERIC_TYPES = {"numeric", "real", "integer"}
QUOTED_WORD = r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\""
ATTRIBUTE = re.compile(
    rf"@attribute\s+(?:{QUOTED_WORD}|([^\s{{]+))\s*(.*)", re.IGNORECASE | re.DOTALL
)
FIELD = re.compile(rf"\s*(?:{QUOTED_WORD}|([^,'\"]*?))\s*(?:,|$)", re.DOTALL)
SPARSE_ITEM = re.compile(rf"\s*(\d{{1,9}})\s+(?:{QUOTED_WORD}|([^\s,'\"]+))\s*(?:,|$)", re.DOTALL)
INSTANCE_WEIGHT = re.compile(r"^(.*?)[,\s]\s*\{([^{}\s,]+)\}$", re.DOTALL)
SPARSE_WEIGHT = re.compile(r"^(\{.*\})\s*,?\s*\{([^{}\s,]+)\}$", re.DOTALL)
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
OMITTED = object()  # what a sparse row leaves out

Cell = Any  # text, None where missing, or OMITTED


@dataclass(slots=True)
class Attribute:
    """A declared column: its values if nominal, else its type."""

    name: str
    of: str
    values: tuple[str, ...] = ()


@dataclass(slots=True)
class Content:
    """Everything in an ARFF file, with the line of each row for messages."""

    attributes: list[Attribute] = field(default_factory=list)
    rows: list[list[Cell]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


@reader(
    "ARFF",
    suffixes=(".arff",),
    is_text=True,
    recognise=lambda head: re.search(rb"^\s*@relation\s", head, re.I | re.M) is not None,
)
def arff(path: Path) -> ArffSource:
    r"""Weka's attribute-relation format: dense and sparse rows, case weights, also gzipped.

    A ``?`` is missing; the values of a nominal attribute give the order of the classes.

    >>> file = folder / "p.arff"
    >>> header = "@relation r\n@attribute class {low,mid,high}\n@attribute label {low,mid,high}\n"
    >>> _ = file.write_text(header + "@data\nmid,low\n?,high\n")
    >>> read(file).classes
    ('low', 'mid', 'high')
    """
    return ArffSource(path, parse(path))


class ArffSource(Source):
    """The columns of an ARFF file."""

    def __init__(self, path: Path, content: Content) -> None:
        self.where = path.name
        self._content = content
        self.names = tuple(a.name for a in content.attributes)

    def _cells(self, name: str) -> list[Cell]:
        place, attribute = self.names.index(name), self._attribute(name)
        cells = [row[place] for row in self._content.rows]
        if not any(c is OMITTED for c in cells):
            return cells
        if attribute.of not in {"nominal", *NUMERIC_TYPES}:
            line = self._content.lines[cells.index(OMITTED)]
            raise DataError(
                f"{self.where}, line {line}: a sparse row leaves out {name!r}, a {attribute.of} "
                "attribute, which has no zero. Write it out in every row."
            )
        zero = attribute.values[0] if attribute.of == "nominal" else "0"
        return [zero if c is OMITTED else c for c in cells]

    def _attribute(self, name: str) -> Attribute:
        return self._content.attributes[self.names.index(name)]

    def kind(self, name: str) -> Kind:
        """Say what the values are; a nominal attribute is never a number."""
        cells = [c for c in self._cells(name) if c is not None]
        if not cells:
            return "empty"
        if self._attribute(name).of not in NUMERIC_TYPES:
            return "text"
        return "whole" if all(is_whole(c) for c in cells) else "number"

    def numbers(self, name: str) -> Floats:
        """Return a column of numbers, or name the rows that are none."""
        cells = self._cells(name)
        try:
            return np.array([np.nan if c is None else float(c) for c in cells])
        except ValueError:
            bad = [(i, c) for i, c in enumerate(cells) if c is not None and as_number(c) is None]
            raise not_numbers(self.where, name, bad[:MAX_SHOWN_ROWS], len(bad)) from None

    def labels(self, name: str) -> Labels:
        """Return the codes and the values that occur."""
        cells = self._cells(name)
        self._check_declared(name, cells)
        missing = np.array([c is None or c == "" for c in cells], bool)
        known = np.array([c for c in cells if c is not None and c != ""], object)
        return encode(known, name).among(missing)

    def _check_declared(self, name: str, cells: list[Cell]) -> None:
        attribute = self._attribute(name)
        if attribute.of != "nominal":
            return
        strangers = set(cells) - {*attribute.values, None}
        if strangers:
            row = next(i for i, c in enumerate(cells) if c in strangers)
            raise DataError(
                f"{self.where}, line {self._content.lines[row]}: {cells[row]!r} is not one of "
                f"the values declared for {name!r}: {shorten(attribute.values)}."
            )

    def order(self, name: str) -> tuple[Any, ...] | None:
        """Return the declared values of a nominal attribute."""
        attribute = self._attribute(name)
        return attribute.values if attribute.of == "nominal" else None


def parse(path: Path) -> Content:
    """Parse header and rows; weights, where cases have some, are one column more."""
    content = Content()
    # A fault in the middle must not leave the file open.
    with closing(numbered_lines(path)) as lines:
        for number, line in lines:
            lower = line.lower()
            if lower.startswith("@attribute"):
                content.attributes.append(_attribute(line, path, number))
            elif lower.startswith("@data"):
                break
            elif not lower.startswith("@relation"):
                found = f"@attribute or @data is expected; found {line[:60]!r}."
                raise DataError(f"{path.name}, line {number}: {found}")
        else:
            raise DataError(
                f"{path.name} has no @data section: the file is cut off, or is not an ARFF file."
            )
        weights = [_row(content, line, path, number) for number, line in lines]
    if any(weights):
        content.attributes.append(Attribute(WEIGHT_COLUMN, "numeric"))
        for row, weight in zip(content.rows, weights, strict=True):
            row.append(weight or "1")
    return content


def numbered_lines(path: Path) -> Generator[tuple[int, str], None, None]:
    """Yield the lines that hold something, stripped, with their numbers."""
    with open_bytes(path) as file:
        for number, raw in enumerate(iter(lambda: file.readline(MAX_LINE_BYTES), b""), start=1):
            if len(raw) == MAX_LINE_BYTES:
                raise DataError(
                    f"{path.name}, line {number}: the line is longer than {MAX_LINE_BYTES:,} bytes."
                )
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            except UnicodeDecodeError as error:
                raise DataError(
                    f"{path.name} is not text in UTF-8, UTF-16 or Windows-1252: byte "
                    f"0x{raw[error.start]:02x} in line {number}. Save it as UTF-8."
                ) from None
            if line and not line.startswith("%"):
                yield number, line


def _attribute(line: str, path: Path, number: int) -> Attribute:
    match = ATTRIBUTE.fullmatch(line)
    if match is None:
        raise DataError(
            f"{path.name}, line {number}: this attribute cannot be read: {line[:60]!r}."
        )
    name = _word(match[1], match[2], match[3])
    of = match[4].strip()
    if of.startswith("{"):
        inside = of[1:].rpartition("}")[0]
        values = [v for v in split_fields(inside, path, number) if v is not None]
        return Attribute(name, "nominal", tuple(values))
    word = of.split()[0].lower() if of.split() else ""
    if word in {*NUMERIC_TYPES, "string", "date"}:
        return Attribute(name, word)
    raise DataError(
        f"{path.name}, line {number}: attribute {name!r} has the type {of[:40]!r}, which is not read."
    )


def _word(single: str | None, double: str | None, bare: str | None) -> str:
    """Return a word without its quotes and escapes."""
    if bare is not None:
        return bare
    return unescaped((single if single is not None else double) or "")


def unescaped(text: str) -> str:
    """Return what stands between quotes without its escapes."""
    return re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), text, flags=re.DOTALL)


def split_fields(line: str, path: Path, number: int) -> list[Cell]:
    """Split a row at commas outside quotes, or at blanks when there is no comma."""
    if "'" not in line and '"' not in line:
        bare = line.partition("%")[0].strip()
        parts = bare.split(",") if "," in bare else bare.split()
        return [None if p.strip() == "?" else p.strip() for p in parts]
    cells: list[Cell] = []
    place = 0
    while place < len(line):
        match = FIELD.match(line, place)
        if match is None or match.end() == place:
            raise DataError(
                f"{path.name}, line {number}: a quote is not closed, or text follows it: {line[:60]!r}."
            )
        cells.append(None if match[3] == "?" else _word(match[1], match[2], match[3]))
        place = match.end()
    return cells


def _row(content: Content, line: str, path: Path, number: int) -> str | None:
    """Add the values of a line, and return the weight of its case, if it has one."""
    weight = None
    sparse = line.startswith("{")
    if line.endswith("}"):
        match = (SPARSE_WEIGHT if sparse else INSTANCE_WEIGHT).match(line)
        if match is not None:
            line, weight = match[1].rstrip().rstrip(","), match[2]
    size = len(content.attributes)
    cells = _sparse(line, size, path, number) if sparse else split_fields(line, path, number)
    if len(cells) != size:
        raise DataError(
            f"{path.name}, line {number}: {count(len(cells), 'value')} where "
            f"{count(size, 'attribute')} are declared. The line: {line[:60]!r}"
        )
    content.rows.append(cells)
    content.lines.append(number)
    return weight


def _sparse(line: str, size: int, path: Path, number: int) -> list[Cell]:
    """Read ``{index value, ...}``, which leaves out what is zero or the first nominal value."""
    cells: list[Cell] = [OMITTED] * size
    inside, place = line[1:-1].strip(), 0
    while place < len(inside):
        match = SPARSE_ITEM.match(inside, place)
        if match is None or int(match[1]) >= size or not line.endswith("}"):
            raise DataError(
                f"{path.name}, line {number}: this sparse row cannot be read: {line[:60]!r}."
            )
        cells[int(match[1])] = None if match[4] == "?" else _word(match[2], match[3], match[4])
        place = match.end()
    return cells
