"""How much a file may hold, checked before any of it is loaded: for files that nobody vouches for."""

# The only text from outside in a statement is quoted.
# ruff: noqa: S608

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from credibly.errors import DataError
from credibly.io._database import connect, literal_path, quoted
from credibly.io._files import chunks, read_head
from credibly.io.parquet import MAGIC, cannot_be_read, check_ends

DELIMITERS = b",;\t|"
ARFF = (b"@", b"%")  # how its first line starts; each of its columns has a line


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """How much a file may hold once it is unpacked."""

    size: int = 1_000_000_000
    rows: int = 5_000_000
    columns: int = 10_000


def check_limits(path: Path, limits: ReadingLimits) -> None:
    r"""Refuse a file that holds more, looking at no more of it than is allowed.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "p.csv")
    >>> _ = path.write_text("y,score\n1,0.5\n0,0.25\n")
    >>> check_limits(path, ReadingLimits(rows=1))
    Traceback (most recent call last):
    ...
    credibly.errors.DataError: p.csv holds more rows than allowed here: at most 1. ...
    """
    if read_head(path, len(MAGIC)) == MAGIC:
        _check_parquet(path, limits)
    else:
        _check_text(path, limits)


def _check_text(path: Path, limits: ReadingLimits) -> None:
    """Count bytes, lines and columns while unpacking."""
    size, ends, columns, first = 0, 0, 0, b""
    with closing(chunks(path)) as pieces:
        for chunk in pieces:
            if not first:
                first = next((line for line in chunk.splitlines() if line.strip()), b"")
                columns = 1 + max(first.count(d) for d in DELIMITERS)
            if first.lstrip().startswith(ARFF):
                columns += chunk.lower().count(b"@attribute")
            size += len(chunk)
            ends += max(chunk.count(b"\n"), chunk.count(b"\r"))
            _refuse(path, "columns", columns, limits.columns)
            _refuse(path, "bytes", size, limits.size)
            _refuse(path, "rows", ends - 1, limits.rows)


def _check_parquet(path: Path, limits: ReadingLimits) -> None:
    """Take what the file says of itself; it is read by what it says."""
    import duckdb

    check_ends(path)
    file = quoted(literal_path(path))
    connection = connect(path)
    try:
        (columns,) = connection.execute(f"SELECT count(*) FROM parquet_schema({file})").fetchone()
        _refuse(path, "columns", columns - 1, limits.columns)
        size, rows = connection.execute(
            "SELECT coalesce(sum(total_uncompressed_size), 0), "
            "coalesce(sum(row_group_num_rows) FILTER (column_id = 0), 0) "
            f"FROM parquet_metadata({file})"
        ).fetchone()
    except duckdb.Error as error:
        raise cannot_be_read(error, path) from None
    finally:
        connection.close()
    _refuse(path, "bytes", size, limits.size)
    _refuse(path, "rows", rows, limits.rows)


def _refuse(path: Path, what: str, found: float, most: int) -> None:
    if found > most:
        raise DataError(
            f"{path.name} holds more {what} than allowed here: at most {most:,}. Keep only the "
            "columns and rows that matter, or use the command line."
        )
