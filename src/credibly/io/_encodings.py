"""Text that is not UTF-8: recognised by its byte order mark, or else read as Windows-1252."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from credibly.errors import DataError
from credibly.io._files import chunks, read_head

# what spreadsheets write in Western Europe; Latin-1 differs in control codes alone
WINDOWS_ENCODING = "cp1252"
BYTE_ORDER_MARKS = {  # the longer ones first, of which a shorter one is the start
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


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
