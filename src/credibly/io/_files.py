"""Files as they lie on the disk: whether they can be opened, their bytes, unpacked where they are gzipped, and their encoding."""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO, cast

from credibly._core.layout import in_terminal
from credibly.errors import DataError

CHUNK_BYTES = 1 << 20
STANDARD_INPUT = {"-", "/dev/stdin"}
GZIP_MAGIC = b"\x1f\x8b"
ZIP_MAGIC = b"PK\x03\x04"  # how a zip starts
UNPACKING_ERRORS = (EOFError, zlib.error, gzip.BadGzipFile)
# what spreadsheets write in Western Europe; Latin-1 differs in control codes alone
WINDOWS_ENCODING = "cp1252"
BYTE_ORDER_MARKS = {  # the longer ones first, of which a shorter one is the start
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


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


def marked_encoding(path: Path) -> str:
    """Return the encoding that a byte order mark states; nothing for UTF-8 and for what is not text."""
    head = read_head(path, len(codecs.BOM_UTF32_LE))
    return next((name for mark, name in BYTE_ORDER_MARKS.items() if head.startswith(mark)), "")


def guessed_encoding(path: Path) -> str:
    """Return Windows-1252 if a text is not UTF-8 but could be that; else nothing, for readers to judge."""
    return (
        WINDOWS_ENCODING if not _decodes(path, "utf-8") and _decodes(path, WINDOWS_ENCODING) else ""
    )


def _decodes(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        with closing(chunks(path)) as pieces:
            for chunk in pieces:
                if encoding == WINDOWS_ENCODING and b"\0" in chunk:
                    return False
                decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


class Utf8Copy:
    """A copy of a text in UTF-8, of the same name, for as long as somebody needs it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "p.csv")
    ...     _ = file.write_text("größe", encoding="utf-16")
    ...     copy = Utf8Copy(file, marked_encoding(file))
    >>> copy.path.name, copy.path.read_text(encoding="utf-8")
    ('p.csv', 'größe')
    """

    def __init__(self, path: Path, encoding: str) -> None:
        """Write the copy."""
        from shutil import rmtree  # which few need, as the two below
        from tempfile import mkdtemp
        from weakref import finalize

        folder = mkdtemp(prefix="credibly-")
        self._remove = finalize(self, rmtree, folder, ignore_errors=True)
        self.path = Path(folder, path.name.removesuffix(".gz"))
        with closing(chunks(path)) as pieces, self.path.open("wb") as out:
            try:
                out.writelines(_in_utf8(pieces, encoding))
            except UnicodeDecodeError as error:
                raise DataError(
                    f"{path.name} starts as text in {encoding.upper()} does, but is not: {error.reason}. Save it as UTF-8."
                ) from None


def _in_utf8(pieces: Iterable[bytes], encoding: str) -> Iterable[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)()
    for piece in pieces:
        yield decoder.decode(piece).encode("utf-8")
    yield decoder.decode(b"", final=True).encode("utf-8")


def is_standard_input(source: object) -> bool:
    """Whether a source is what is piped in."""
    return isinstance(source, str | PathLike) and fspath(source) in STANDARD_INPUT


@contextmanager
def spooled(source: object) -> Iterator[object]:
    """Write standard input, asked for as ``-``, to a file that goes with the reading: readers look twice."""
    if not is_standard_input(source):
        yield source
        return
    import sys
    from shutil import copyfileobj
    from tempfile import TemporaryDirectory

    if sys.stdin is None or in_terminal(sys.stdin):
        raise DataError(
            "There is nothing to read on standard input. Send it a file: credibly evaluate - < FILE."
        )
    with TemporaryDirectory(prefix="credibly-") as folder:
        path = Path(folder, "standard input")
        try:
            with path.open("wb") as file:
                copyfileobj(sys.stdin.buffer, file, CHUNK_BYTES)
        except OSError as error:
            raise DataError(
                f"Standard input cannot be kept in {folder}: {error.strerror or error}."
            ) from None
        yield path
