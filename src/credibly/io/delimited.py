"""Comma- and tab-separated text."""

from __future__ import annotations

import csv as csv_module
import io
import re
from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

import numpy as np

from credibly._core.text import count
from credibly.errors import DataError
from credibly.io._database import TableSource, literal_path, quoted
from credibly.io._declare import reader
from credibly.io._files import chunks, is_gzipped, open_bytes, read_head

# Bytes of a line; DuckDB refuses longer ones, or above 32 MB loses the last.
MAX_LINE_BYTES = 2_000_000
READ_BYTES = 65_536
DELIMITERS = ",;\t|"
QUOTE, SPACE = b'" '
BOM = b"\xef\xbb\xbf"


def looks_delimited(head: bytes) -> bool:
    r"""Whether a file starts with two lines of text that the same separator divides, as often in each.

    >>> looks_delimited(b"y,p\nyes,0.9\n"), looks_delimited(b"Dear Sir,\nwe write\n")
    (True, False)
    """
    text = head.removeprefix(BOM).decode("utf-8", errors="ignore")
    lines = [line for line in text.splitlines() if line.strip()][:2]
    if b"\0" in head or len(lines) < 2 or text.lstrip()[:1] in {"{", "[", "<"}:
        return False
    counts = [tuple(line.count(d) for d in DELIMITERS) for line in lines]
    return counts[0] == counts[1] and any(counts[0])


@reader(
    "Comma-separated values",
    suffixes=(".csv", ".txt"),
    resembles=looks_delimited,
    is_text=True,
)
def csv(path: Path) -> TableSource:
    r"""Text with a header, fields separated by comma, semicolon, tab or bar; also gzipped.

    Fields may stand in double quotes; an empty field is missing. Text that is neither
    UTF-8 nor has a byte order mark is read as Windows-1252, with a caution. Where fields are not
    separated by commas, numbers may have a decimal comma (0,75); percentages (75 %) are shares.

    >>> file = folder / "p.csv"
    >>> _ = file.write_text('actual;predicted\n"sun; rain";sun\nsun;\n')
    >>> read(file)
    Predictions(2 rows, classes 'sun', 'sun; rain', columns: label)
    """
    return open_delimited(path, DELIMITERS)


@reader("Tab-separated values", suffixes=(".tsv", ".tab"), is_text=True)
def tsv(path: Path) -> TableSource:
    r"""Text with a header, fields separated by tabs; also gzipped.

    >>> file = folder / "p.tsv"
    >>> _ = file.write_text("y\tscore\n1\t0.5\n0\t0.25\n")
    >>> read(file)
    Predictions(2 rows, classes 0, 1 (positive), columns: score)
    """
    return open_delimited(path, "\t")


def open_delimited(path: Path, delimiters: str, *, padded: bool = False) -> TableSource:
    """Read the header ourselves, so that nothing about the file is left to be sniffed.

    ``padded`` lets a short row stand, its last columns empty.
    """
    head = _decoded(read_head(path, MAX_LINE_BYTES), path)
    has_quotes = _check_lines(path)
    names, delimiter, skip = _header(head, path, delimiters)
    if has_quotes and not _quotes_are_regular(path, delimiter):
        _refuse_open_quote(path, delimiter)
    columns = [(name, f"c{i}", "VARCHAR") for i, name in enumerate(names)]
    listed = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(names)))
    # Parallel reading cuts the file at line ends and errs where one stands inside quotes.
    packed = is_gzipped(path)
    parallel = "false" if packed or has_quotes else "true"
    relation = (
        f"read_csv({quoted(literal_path(path))}, auto_detect=false, delim={quoted(delimiter)}, "
        f"""quote='"', escape='"', header=true, skip={skip}, columns={{{listed}}}, nullstr='', """
        f"max_line_size={MAX_LINE_BYTES + READ_BYTES}, null_padding={str(padded).lower()}, strict_mode=true, "
        f"hive_partitioning=false, parallel={parallel}, "
        f"compression={quoted('gzip' if packed else 'none')})"
    )
    return TableSource(
        path,
        relation,
        columns,
        lambda e: _explain(e, path, len(names)),
        decimal_comma=delimiter != ",",
        lines=lambda rows: _lines(path, delimiter, rows),
    )


def _lines(path: Path, delimiter: str, rows: Sequence[int]) -> list[int]:
    """Return the lines of a file in which some rows end, counted from 1: empty ones are no rows, and a row may take several."""
    with open_bytes(path) as binary:
        text = io.TextIOWrapper(binary, encoding="utf-8-sig", errors="replace", newline="")
        records = csv_module.reader(text, delimiter=delimiter, skipinitialspace=True)
        ends = (records.line_num for record in records if record)
        upto = list(islice(ends, max(rows) + 2))  # the header first
    return [upto[row + 1] for row in rows] if len(upto) == max(rows) + 2 else []


def read_header(path: Path, delimiters: str) -> tuple[list[str], str, int]:
    """Return the column names, the delimiter and the number of empty lines before them."""
    return _header(_decoded(read_head(path, MAX_LINE_BYTES), path), path, delimiters)


def _header(text: str, path: Path, delimiters: str) -> tuple[list[str], str, int]:
    lines = io.StringIO(text, newline="")  # which ends lines as DuckDB does
    skip = start = 0
    for line in lines:
        if line.strip(" \t\r\n"):
            break
        skip, start = skip + 1, start + len(line)
    else:
        raise DataError(f"{path.name} holds nothing but empty lines.")
    rest = text[start:]
    outside = _outside_quotes(rest)
    delimiter = max(delimiters, key=outside.count)
    try:
        names = next(csv_module.reader(io.StringIO(rest, newline=""), delimiter=delimiter))
    except csv_module.Error as error:
        raise DataError(f"{path.name}: the header cannot be read: {error}.") from None
    return names, delimiter, skip


def _outside_quotes(text: str) -> str:
    """Return what stands outside quotes in the first record, which may hold quoted line ends."""
    outside = []
    for piece in text.split('"')[::2]:
        end = re.search(r"[\r\n]", piece)
        outside.append(piece[: end.start()] if end else piece)
        if end:
            break
    return "".join(outside)


def _decoded(head: bytes, path: Path) -> str:
    if b"\0" in head[:READ_BYTES]:
        line = head[: head.index(b"\0")].count(b"\n") + 1
        raise DataError(
            f"{path.name} holds a NUL byte in line {line}: it is not a text file, or its text is "
            "not UTF-8. Save it as UTF-8."
        )
    try:
        return head.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if len(head) - error.start < 4 and len(head) == MAX_LINE_BYTES:  # a letter cut by the limit
            return head[: error.start].decode("utf-8-sig")
        line = head[: error.start].count(b"\n") + 1
        raise DataError(
            f"{path.name} is not text in UTF-8, UTF-16 or Windows-1252: byte 0x{head[error.start]:02x} in "
            f"line {line}. Save it as UTF-8."
        ) from None


def _check_lines(path: Path) -> bool:
    """Refuse a line without end before memory is spent on it; say whether there are quotes."""
    line, length, has_quotes = 1, 0, False
    with closing(chunks(path)) as pieces:
        for chunk in pieces:
            has_quotes = has_quotes or b'"' in chunk
            ends = [i for end in b"\n\r" for i in (chunk.find(end), chunk.rfind(end)) if i >= 0]
            # The first line end of a chunk closes the line that runs into it.
            if length + min(ends, default=len(chunk)) > MAX_LINE_BYTES:
                raise DataError(
                    f"{path.name}, line {line}: the line is longer than {MAX_LINE_BYTES:,} bytes. "
                    "Is this a text file with one row per line?"
                )
            length = len(chunk) - max(ends) - 1 if ends else length + len(chunk)
            line += chunk.count(b"\n")
    return has_quotes


def _quotes_are_regular(path: Path, delimiter: str) -> bool:
    """Check quickly that every quote that opens starts a field and that the last one closes.

    DuckDB loses, without a word, all that follows a quote that is never closed.
    """
    starts = np.frombuffer(delimiter.encode() + b'\n\r"', np.uint8)
    before, quotes = b"\n\n", 0
    with closing(chunks(path)) as pieces:
        for chunk in pieces:
            both = np.frombuffer(before + chunk.removeprefix(BOM if not quotes else b""), np.uint8)
            found = np.flatnonzero(both[2:] == QUOTE) + 2
            opening = found[quotes % 2 :: 2]
            spaced = (both[opening - 1] == SPACE) & np.isin(both[opening - 2], starts[:-1])
            if not (np.isin(both[opening - 1], starts) | spaced).all():
                return False
            before, quotes = both[-2:].tobytes(), quotes + found.size
    return quotes % 2 == 0


def _refuse_open_quote(path: Path, delimiter: str) -> None:
    """Read every record slowly and say where one starts that does not end."""
    with open_bytes(path) as binary:
        text = io.TextIOWrapper(binary, encoding="utf-8", errors="replace", newline="")
        records = csv_module.reader(text, delimiter=delimiter, strict=True, skipinitialspace=True)
        start = 1
        try:
            for _ in records:
                start = records.line_num + 1
        except csv_module.Error:
            raise DataError(
                f"{path.name}, line {start}: a quoted field does not end where it should. "
                "Double a quote inside a field, and close every quote."
            ) from None


def _explain(error: Exception, path: Path, columns: int) -> DataError:
    """Turn what DuckDB says about a text file into a sentence."""
    said = str(error)
    line = re.search(r"CSV Error on Line: (\d+)", said)
    place = f"{path.name}, line {line[1]}" if line else path.name
    shown = re.search(r"Original Line:[ \n]*(.{0,80})", said)
    match = re.search(r"Expected Number of Columns: \d+ Found: (\d+)", said)
    if match:
        what = (
            f"{count(int(match[1]), 'field')} where the header names {count(columns, 'column')}. "
            "Quote a field that holds the separator; write decimals with a point"
        )
    elif "unterminated quote" in said:
        what = "a quoted field does not end where it should. Double a quote inside a field"
    elif "unicode" in said.lower():
        what = "the text is not UTF-8. Save it as UTF-8"
    elif "state machine" in said:
        what = "line endings or quotes of different kinds are mixed. Write the file again"
    elif "aximum line size" in said:
        what = f"a row is longer than {MAX_LINE_BYTES:,} bytes. Is a quote left open"
    else:
        what = said.split("\n", maxsplit=1)[0].removeprefix("Invalid Input Error: ").rstrip(".")
    text = f" The line: {shown[1].strip()!r}" if shown and line else ""
    msg = f"{place}: {what}.{text}"
    return DataError(msg)
