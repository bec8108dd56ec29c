"""JSON: one object per line, or an array of objects."""

# The only text from outside in a statement is quoted.
# ruff: noqa: S608

from __future__ import annotations

import json
from pathlib import Path

from credibly.errors import DataError
from credibly.io._database import TableSource, connect, literal_path, quoted
from credibly.io._declare import reader
from credibly.io._files import is_gzipped, open_bytes, read_head

MAX_OBJECT_BYTES = 16_777_216
MAX_KEYS = 20_000
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@reader(
    "JSON lines",
    suffixes=(".jsonl", ".ndjson", ".json"),
    aliases=("jsonl", "ndjson"),
    resembles=lambda head: head.lstrip().startswith((b"{", b"[")),
)
def json_lines(path: Path) -> TableSource:
    r"""One JSON object per line, or an array of them, its keys the columns; also gzipped.

    Null or an absent key is missing.

    >>> file = folder / "p.jsonl"
    >>> _ = file.write_text('{"y": "no", "p_yes": 0.5}\n{"y": "yes", "p_yes": 0.75}\n')
    >>> read(file).probability.tolist()
    [0.5, 0.75]
    """
    import duckdb

    head = read_head(path, 64)
    _check_head(path, head)
    connection = connect(path)
    packed = "gzip" if is_gzipped(path) else "uncompressed"
    form = "array" if head.lstrip().startswith(b"[") else "newline_delimited"
    file = (
        f"read_json_objects({quoted(literal_path(path))}, format='{form}', "
        f"maximum_object_size={MAX_OBJECT_BYTES}, hive_partitioning=false, compression='{packed}')"
    )
    try:
        shapes = connection.execute(
            "SELECT json_keys(json) AS keys, count(*) FILTER (json_type(json) <> 'OBJECT') "
            f"FROM {file} GROUP BY keys"
        ).fetchall()
    except duckdb.Error as error:
        raise _first_bad_line(path, str(error)) from None
    if any(others for _, others in shapes):
        raise _first_bad_line(path, "")
    keys: set[str] = set()
    for more, _ in shapes:
        keys.update(more)
        if len(keys) > MAX_KEYS:
            raise DataError(
                f"{path.name} has more than {MAX_KEYS:,} different keys, each of which would be a column.",
                remedy="Write one key per column, and values as values.",
            )
    first = connection.execute(f"SELECT json_keys(json) FROM {file} LIMIT 1").fetchone()
    leading = first[0] if first else []
    names = [*leading, *sorted(keys - {*leading})]
    columns = [(name, f"(json ->> {_pointer(name)})", "VARCHAR") for name in names]
    return JsonSource(
        path, file, columns, lambda e: _first_bad_line(path, str(e)), connection=connection
    )


class JsonSource(TableSource):
    """Columns of JSON lines, in which quotes tell text from numbers."""

    def is_text(self, name: str) -> bool:
        """Whether every value there is stands in quotes."""
        of = f"json_type(json, {_pointer(name)})"
        there, text = self.run(
            f"SELECT count(*) FILTER ({of} <> 'NULL'), count(*) FILTER ({of} = 'VARCHAR') FROM {self.relation}"
        ).fetchone()
        return bool(there and there == text)


def _check_head(path: Path, head: bytes) -> None:
    if head.startswith(BYTE_ORDER_MARK):
        raise DataError(
            f"{path.name} starts with a byte order mark, which JSON forbids. Save it without one."
        )


def _pointer(name: str) -> str:
    """Write a key as a JSON pointer (RFC 6901), in which no key has a meaning of its own."""
    return quoted("/" + name.replace("~", "~0").replace("/", "~1"))


def _first_bad_line(path: Path, said: str) -> DataError:
    """Find the line that is not a JSON object; DuckDB's own count of lines is one off."""
    if "maximum_object_size" in said:
        msg = f"{path.name}: a line is longer than {MAX_OBJECT_BYTES:,} bytes. Is there one object per line?"
        return DataError(msg)
    with open_bytes(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_OBJECT_BYTES), b""), start=1):
            fault = _fault(line)
            if fault and not line.endswith(b"\n") and number > 1:
                msg = f"{path.name}, line {number}: the file ends in the middle of a line; it was cut off, or is still written."
                return DataError(msg, remedy="Delete the last line to read those before it.")
            if fault:
                shown = line[:80].decode("utf-8", "replace").strip()
                return DataError(f"{path.name}, line {number}: {fault}. The line: {shown}")
    msg = f"{path.name} cannot be read as JSON lines; DuckDB says: {said.splitlines()[0]}"
    return DataError(msg)


def _fault(line: bytes) -> str:
    if not line.strip():
        return ""
    try:
        found = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        return "the text is not UTF-8, which is expected. Save it as UTF-8"
    except (json.JSONDecodeError, RecursionError) as error:
        return f"this is not JSON ({getattr(error, 'msg', 'too deep').lower()})"
    return "" if isinstance(found, dict) else "a JSON object is expected"
