"""Plain columns of numbers in Parquet files: written whole or not at all, read many at once."""

# Statements are put together from our own names and from quoted literals only.
# ruff: noqa: S608

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from errno import EIO
from functools import cache, lru_cache
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.files import beside
from credibly.errors import DataError
from credibly.io._database import literal_path, quoted


def write_columns(path: Path, columns: Mapping[str, NDArray[Any]], *, summed: bool = False) -> Path:
    """Write numbers under plain names; after a crash the file is there as a whole or not at all.

    The name of one that is ``summed`` ends in the sum of its bytes; the path is returned. What the system
    or the engine cannot do is an :class:`OSError`.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "a.parquet")
    >>> _ = write_columns(file, {"x": np.array([1.5, np.nan]), "n": np.array([1, 2])})
    >>> read_columns([file])["x"].tolist()
    [1.5, nan]
    """
    import duckdb

    connection = _connection()
    try:
        connection.register("columns", dict(columns))
        with beside(path) as part:
            copied = f"COPY (SELECT * FROM columns) TO {quoted(str(part))}"
            connection.execute(f"{copied} (FORMAT parquet, USE_TMP_FILE false)")
            synced(part)
            made = path.with_stem(f"{path.stem}-{sum_of(part)}") if summed else path
        if made != path:
            path.replace(made)
        synced(path.parent)
    except (duckdb.Error, OSError) as error:
        why = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise OSError(EIO, f"{path.name} cannot be written: {why}") from error
    else:
        return made
    finally:
        connection.unregister("columns")


def read_columns(paths: Sequence[Path]) -> dict[str, NDArray[Any]]:
    """Read files that have the same columns, one below the other."""
    import duckdb

    listed = ", ".join(quoted(literal_path(p)) for p in paths)
    query = f"SELECT * FROM read_parquet([{listed}])"
    try:
        found = _connection().execute(query).fetchnumpy()
    except duckdb.Error as error:
        raise DataError(f"The predictions cannot be read: {str(error).splitlines()[0]}") from error
    # DuckDB takes NaN of an array for nothing at all, and gives it back masked.
    return {name: np.ma.filled(column, np.nan) for name, column in found.items()}


def sum_of(path: Path) -> str:
    """Return the sum of the bytes of a file, which is read once as long as it is not written to."""
    about = path.stat()
    return _sum(path, about.st_ino, about.st_size, about.st_mtime_ns)


@lru_cache(maxsize=4096)
def _sum(path: Path, *_: int) -> str:
    with path.open("rb") as file:
        return file_digest(file, lambda: blake2b(digest_size=16)).hexdigest()


def synced(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@cache
def _connection() -> Any:  # noqa: ANN401
    """A database in memory, kept because opening one takes longer than writing a file."""
    import duckdb

    return duckdb.connect(":memory:", config={"threads": 1, "preserve_insertion_order": True})
