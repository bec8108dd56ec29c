"""Limits on the content of untrusted files, checked before any of it is loaded."""

# The only text from outside in a statement is quoted.
# ruff: noqa: S608

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from credibly.errors import DataError
from credibly.io._database import connect, literal_path, quoted
from credibly.io._declare import cannot_be_read
from credibly.io._files import ZIP_MAGIC, chunks, read_head
from credibly.io.parquet import MAGIC, check_ends

# Bytes of one value of a Parquet type once it is unpacked; of text, what points to it.
TYPE_BYTES = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 12, "FLOAT": 4, "DOUBLE": 8}
POINTER_BYTES = 16
NESTED_BYTES = (
    64  # of a value within a list, a structure or a map, which becomes an object of Python or text
)
TEXT_TYPES = {"varchar": "strlen", "blob": "octet_length"}  # and how long one is
BATCH_ROWS = 2048
# Reads no further than is asked, and takes no memory that nothing honest needs.
STEP_BY_STEP = "SET threads = 1; SET streaming_buffer_size = '1KB'; SET memory_limit = '500MB';"
DELIMITERS = b",;\t|"
ARFF_STARTS = (b"@", b"%")  # how its first line starts; each of its columns has a line


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """How much a file may hold once it is unpacked: beyond ``least``, so many ``times`` its own bytes at most.

    Honest files are packed to a fifth or a fiftieth; the time to read one is thus bounded by what was sent.
    """

    size: int = 1_000_000_000
    rows: int = 5_000_000
    columns: int = 10_000
    row_groups: int = 10_000
    least: int = 250_000_000
    times: int = 200

    def of(self, path: Path) -> ReadingLimits:
        """Return what a file of this size may hold."""
        most = max(self.least, self.times * path.stat().st_size)
        return replace(self, size=min(self.size, most))


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
    limits = limits.of(path)
    head = read_head(path, len(ZIP_MAGIC))
    if head == MAGIC:
        _check_parquet(path, limits)
    elif head == ZIP_MAGIC:
        _check_archive(path, limits)
    else:
        _check_text(path, limits)


def _check_archive(path: Path, limits: ReadingLimits) -> None:
    """Take what a zip says of itself, since nothing of it is unpacked to more than it says."""
    try:
        with ZipFile(path) as packed:
            parts = packed.infolist()
    except (BadZipFile, NotImplementedError, ValueError, struct.error):
        raise DataError(f"{path.name} is not a whole zip archive. Copy or save it again.") from None
    _refuse(path, "parts", len(parts), limits.columns)
    _refuse(path, "bytes", sum(part.file_size for part in parts), limits.size)


def _check_text(path: Path, limits: ReadingLimits) -> None:
    """Count bytes, lines and columns while unpacking."""
    size, ends, columns, first = 0, 0, 0, b""
    with closing(chunks(path)) as pieces:
        for chunk in pieces:
            if not first:
                first = next((line for line in chunk.splitlines() if line.strip()), b"")
                columns = 1 + max(first.count(d) for d in DELIMITERS)
            if first.lstrip().startswith(ARFF_STARTS):
                columns += chunk.lower().count(b"@attribute")
            size += len(chunk)
            ends += max(chunk.count(b"\n"), chunk.count(b"\r"))
            _refuse(path, "columns", columns, limits.columns)
            _refuse(path, "bytes", size, limits.size)
            _refuse(path, "rows", ends - 1, limits.rows)


def _check_parquet(path: Path, limits: ReadingLimits) -> None:
    """Take the sizes that the file declares, since readers rely on them; measure those that it does not declare.

    A value that is repeated takes a few bytes in the file, however often, so that values are counted.
    """
    import duckdb

    check_ends(path)
    file = quoted(literal_path(path))
    connection = connect(path, settings=STEP_BY_STEP)
    try:
        (groups,) = connection.execute(
            f"SELECT num_row_groups FROM parquet_file_metadata({file})"
        ).fetchone()
        _refuse(path, "row groups", groups, limits.row_groups)
        (columns,) = connection.execute(f"SELECT count(*) FROM parquet_schema({file})").fetchone()
        _refuse(path, "columns", columns - 1, limits.columns)
        chunks = connection.execute(
            "SELECT type, sum(greatest(num_values, row_group_num_rows)), sum(total_uncompressed_size), "
            "coalesce(sum(row_group_num_rows) FILTER (column_id = 0), 0), "
            "contains(path_in_schema, ', ') AS nested "
            f"FROM parquet_metadata({file}) GROUP BY type, nested"
        ).fetchall()
        n_rows = sum(int(rows) for *_, rows, _ in chunks)
        _refuse(path, "rows", n_rows, limits.rows)
        counted = sum(
            int(n) * (NESTED_BYTES if nested else TYPE_BYTES.get(of, POINTER_BYTES))
            for of, n, *_, nested in chunks
        )
        said = sum(int(size) for *_, size, _, _ in chunks)
        _refuse(path, "bytes", max(counted, said), limits.size)
        for size in _text_sizes(connection, file, (limits.size - counted) / max(n_rows, 1)):
            _refuse(path, "bytes", counted + size, limits.size)
    except duckdb.OutOfMemoryException:
        _refuse(path, "bytes", limits.size + 1, limits.size)
    except duckdb.Error as error:
        raise cannot_be_read(path, "Parquet", error) from None
    finally:
        connection.close()


def _text_sizes(connection: Any, file: str, share: float) -> Iterator[int]:  # noqa: ANN401
    """Yield how long the texts are together, up to more and more rows, if those of one take more than its share."""
    table = f"read_parquet({file}, hive_partitioning=false)"
    types = connection.sql(f"FROM {table} LIMIT 0").types
    places = [f"c{i}" for i in range(len(types))]
    lengths = [s for of, place in zip(types, places, strict=True) if (s := _length(of, place))]
    if not lengths:
        return
    named = f"{table} AS file({', '.join(places)})"
    length = " + ".join(lengths)
    if not connection.execute(f"SELECT 1 FROM {named} WHERE {length} > {share} LIMIT 1").fetchone():
        return
    found = connection.execute(f"SELECT {length} FROM {named}")
    size = 0
    while rows := found.fetchmany(BATCH_ROWS):
        size += sum(length for (length,) in rows)
        yield size


def _length(of: Any, value: str, depth: int = 0) -> str:  # noqa: ANN401
    """Return SQL for the length of the texts in a value of a DuckDB type, none of which it writes out; "" without texts."""
    if of.id in TEXT_TYPES:
        return f"coalesce({TEXT_TYPES[of.id]}({value}), 0)"
    if of.id == "map":
        keys, values = (_in_list(part, f"map_{name}s({value})", depth) for name, part in zip(("key", "value"), (of.children[0][1], of.children[1][1]), strict=True))  # fmt: skip
        return " + ".join(part for part in (keys, values) if part)
    if of.id in {"list", "array"}:
        return _in_list(of.children[0][1], value, depth)
    parts = of.children if of.id == "struct" else []
    inner = (
        _length(part, f"struct_extract({value}, {quoted(name)})", depth) for name, part in parts
    )
    return " + ".join(part for part in inner if part)


def _in_list(of: Any, values: str, depth: int) -> str:  # noqa: ANN401
    """Return SQL for the length of the texts of a list."""
    each = f"v{depth}"
    inner = _length(of, each, depth + 1)
    return inner and f"coalesce(list_sum(list_transform({values}, lambda {each}: {inner})), 0)"


def _refuse(path: Path, what: str, found: float, most: int) -> None:
    if found > most:
        raise DataError(
            f"{path.name} holds more {what} than allowed here: at most {most:,}. Keep only the "
            "columns and rows that matter, or use the command line."
        )
