"""Files as they lie on the disk: whether they can be opened, and their bytes, unpacked where they are gzipped."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from credibly.errors import DataError

CHUNK_BYTES = 1 << 20
GZIP_MAGIC = b"\x1f\x8b"
ZIP_MAGIC = b"PK\x03\x04"  # how a zip starts
UNPACKING_ERRORS = (EOFError, zlib.error, gzip.BadGzipFile)


def check_file(path: Path) -> None:
    """Refuse a path that cannot be opened; suggest the nearest name if the file does not exist."""
    try:
        if path.is_dir():
            raise DataError(f"{path} is a folder. Give one file of predictions.")
        if not path.exists():
            raise _no_such_file(path)
        if not path.is_file():
            raise DataError(f"{path} is not a regular file. Copy its content into a file first.")
        str(path.absolute()).encode()  # a name that is not UTF-8 cannot be handed on
        with path.open("rb"):
            pass
    except PermissionError:
        raise DataError(
            f"{path} cannot be read: permission denied. Change its permissions or copy it."
        ) from None
    except (OSError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{str(path)[:200]!r} cannot be opened: {_reason(error)}.") from None


def is_folder(path: Path) -> bool:
    """Whether this is a folder; what cannot be a name of any is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _no_such_file(path: Path) -> DataError:
    from difflib import get_close_matches

    folder = path.parent
    if re.match(r"[a-z][a-z0-9+]+:/", str(path)):
        return DataError(f"{path} is an address, and files are read from this machine alone. Download it first.")  # fmt: skip
    if not folder.is_dir():
        return DataError(f"There is no file {path}: the folder {folder} does not exist.")
    beside = [p for p, _ in zip(folder.iterdir(), range(10_000), strict=False)]
    # The ending makes all of them alike.
    near = get_close_matches(path.stem, [p.stem for p in beside], 3)
    choices = [p.name for p in beside if p.stem in near]
    return DataError(f"There is no file {path}.", asked=path.name, choices=choices)


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)


def is_gzipped(path: Path) -> bool:
    """Say whether a file is gzipped, whatever its name says."""
    with path.open("rb") as file:
        return file.read(len(GZIP_MAGIC)) == GZIP_MAGIC


@contextmanager
def open_bytes(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading, unpacking it on the way when it is gzipped; one that is damaged is refused."""
    try:
        with gzip.open(path) if is_gzipped(path) else path.open("rb") as file:
            yield cast("BinaryIO", file)
    except UNPACKING_ERRORS as error:
        raise DataError(
            f"{path.name} cannot be unpacked: {_reason(error)}. Write or copy it again."
        ) from None


def chunks(path: Path) -> Generator[bytes]:
    """Yield what a file holds in pieces; who stops early must close it, or the file stays open."""
    with open_bytes(path) as file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk


def read_head(path: Path, size: int) -> bytes:
    """Return the first bytes of a file, of what it holds when it is gzipped."""
    with open_bytes(path) as file:
        return file.read(size)
