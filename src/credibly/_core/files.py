"""How every file is written: beside its place, and put there when it is whole."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from stat import S_IMODE

from credibly.errors import DataError

PARTIAL_SUFFIX = ".part"  # of a file that is not complete yet
MAX_SHOWN_LETTERS = 200


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """Yield where to write: what is written takes the place of ``path`` once all went well.

    Else nothing is left of it, and what was there before stays. What a link leads to is written, not
    the link; a device or a pipe is written itself.
    """
    place = path.resolve()
    known = place.stat() if place.exists() else None  # which also tells a name that is too long
    if place.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if known is not None and not place.is_file():
        yield place
        return
    if known is not None and not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    part = place.with_name(f".{secrets.token_hex(8)}{PARTIAL_SUFFIX}")
    try:
        yield part
        if known is not None:
            with suppress(OSError):  # of a file of somebody else
                part.chmod(S_IMODE(known.st_mode))
        part.replace(place)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def written(path: str | PathLike[str]) -> Iterator[Path]:
    """Yield where to write, as :func:`beside` does, and say what the system refuses.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "a.txt")
    >>> with written(path) as part:
    ...     _ = part.write_text("all of it")
    >>> path.read_text()
    'all of it'
    """
    try:
        with beside(Path(path)) as part:
            yield part
    except OSError as error:
        raise cannot_be_written(path, error) from None


def cannot_be_written(path: str | PathLike[str], error: Exception) -> DataError:
    """Say why a file cannot be written, in one line."""
    name = str(path)
    shown = name if len(name) <= MAX_SHOWN_LETTERS else f"{name[:MAX_SHOWN_LETTERS]}..."
    why = str(getattr(error, "strerror", None) or error).split("\n", maxsplit=1)[0]
    return DataError(f"{shown} cannot be written: {why[:MAX_SHOWN_LETTERS].rstrip('.')}.")


def write_whole(path: str | PathLike[str], content: str | bytes) -> Path:
    """Write text, as UTF-8, or bytes."""
    with written(path) as part:
        part.write_bytes(content.encode() if isinstance(content, str) else content)
    return Path(path)


def write_new(path: Path, text: str) -> Path:
    """Write a new file; never overwrite one."""
    if path.is_file():
        raise DataError(
            f"{path} cannot be written: the file already exists.",
            remedy="Choose another name.",
        )
    return write_whole(path, text)
