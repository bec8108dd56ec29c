"""How a reader is declared, and how the one for a file, or for each log in a folder, is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credibly._core.declared import Declarator, DeclaredFunction, Registry
from credibly.errors import CrediblyError, DataError, ParameterError, listed, says
from credibly.io._files import (
    ZIP_MAGIC,
    Utf8Copy,
    check_file,
    guessed_encoding,
    is_folder,
    marked_encoding,
    read_head,
)
from credibly.io._source import Source
from credibly.io.findings import ENCODING_TAKEN, FORMAT_TAKEN

if TYPE_CHECKING:
    from credibly.io._logs import LogSource, ScoredLog

HEAD_BYTES = 4096
BLANKS = b"\xef\xbb\xbf \t\r\n"  # also the mark of an encoding
MAX_MESSAGE_LETTERS = 200  # letters of what another library says
MAX_FILES = 10_000  # in a folder
LOG_SUFFIXES = (".jsonl", ".json", ".eval", ".xml")  # how names of logs end

# What a file may be that no reader reads, by its first bytes.
FOREIGN_FORMATS = {
    ZIP_MAGIC: "a zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"ARROW1": "an Arrow (Feather) file",
    b"SQLite format 3": "an SQLite database",
    b"\x89HDF": "an HDF5 file",
    b"(\xb5/\xfd": "compressed with zstandard",
    b"BZh": "compressed with bzip2",
    b"\xfd7zXZ": "compressed with xz",
    b"\x80\x04\x95": "a Python pickle",
    b"\x80\x05\x95": "a Python pickle",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class FileFormat:
    """How a file is known as one of a format by its first bytes, whatever its name.

    All files of the format begin, after blanks, as one of ``begins``, and have what it ``holds`` among their
    first bytes; where that may be another format, ``recognise`` looks at the first bytes of those that do.
    """

    begins: tuple[bytes, ...] = ()
    holds: tuple[bytes, ...] = ()
    recognise: Callable[[bytes], bool] | None = None
    suffixes: tuple[str, ...] = ()

    def recognises(self, head: bytes) -> bool:
        """Whether a file with these first bytes is of this format."""
        if self.begins and not head.lstrip(BLANKS).startswith(self.begins):
            return False
        if self.recognise is not None:
            return self.recognise(head)
        return bool(self.begins or self.holds) and all(mark in head for mark in self.holds)


class Reader(FileFormat, DeclaredFunction[[Path], Source]):
    """A format that :func:`credibly.read` understands.

    What ``recognise`` says goes before the suffix, so that a file with a wrong name is still read as what
    it is. ``resembles`` looks at the first bytes where the name says nothing.

    >>> readers["tsv"].title, readers["tsv"].suffixes
    ('Tab-separated values', ('.tsv', '.tab'))
    """

    resembles: Callable[[bytes], bool] | None = None
    is_text: bool = False  # in any encoding, unlike JSON

    def open(self, path: Path) -> Source:
        """Open a file."""
        return self(path)


class LogReader(FileFormat, DeclaredFunction[[Path], list[Any]]):
    """A format of logs of scored cases, of which a folder may hold many files."""

    def open(self, path: Path) -> Source:
        """Open a file."""
        from credibly.io._logs import LogSource

        return LogSource(path.name, self.title, self(path))


readers: Registry[Reader | LogReader] = Registry("reader", "credibly.io", first="delimited")
reader = Declarator(Reader, readers)
log_reader = Declarator(LogReader, readers)


def open_path(path: Path, format_name: str | None = None) -> Source:
    """Open a file with the reader that its content, its suffix or ``format_name`` calls for, or a folder of logs."""
    if format_name is None and is_folder(path):
        return open_folder(path)
    check_file(path)
    if encoding := marked_encoding(path):
        copy = Utf8Copy(path, encoding)
        return _kept(_open_text(copy.path, format_name), copy)
    return _open_text(path, format_name)


def _open_text(path: Path, format_name: str | None) -> Source:
    head = read_head(path, HEAD_BYTES)
    if not head:
        raise DataError(
            f"{path.name} is empty. A file of predictions needs a header and at least one row."
        )
    named = _named_reader(path, head) if format_name is None else readers[format_name]
    if named is not None:
        return _opened(named, path)
    reader = _resembling(path, head)
    opened = _opened(reader, path)
    opened.findings = (*opened.findings, FORMAT_TAKEN(file=path.name, title=reader.title))
    return opened


def _opened(each: Reader | LogReader, path: Path) -> Source:
    """Open a file with a reader; translate a library's error about a damaged file into ours."""
    if isinstance(each, Reader) and each.is_text and (encoding := guessed_encoding(path)):
        copy = Utf8Copy(path, encoding)
        opened = _kept(_opened(each, copy.path), copy)
        opened.findings = (*opened.findings, ENCODING_TAKEN(file=path.name))
        return opened
    try:
        return each.open(path)
    except (CrediblyError, MemoryError):
        raise
    except Exception as error:  # formats are large, and so is what a damaged file provokes
        raise cannot_be_read(path, each.title, error) from error


def _kept(source: Source, copy: Utf8Copy) -> Source:
    """Let a source keep the file that it reads."""
    source.copy = copy
    return source


def cannot_be_read(path: Path, title: str, error: Exception) -> DataError:
    """Say that a file is not of its presumed format, with the message of the library that read it."""
    text = next(iter(str(error).strip().splitlines()), "")[:MAX_MESSAGE_LETTERS].rstrip(".")
    what = f"{type(error).__name__}{text and f': {text}'}"
    return DataError(
        f"{path.name} cannot be read as {title} ({what}).",
        remedy="Write or copy it again, or save it in another format, such as CSV.",
    )


def open_source(source: object, format_name: str | None = None) -> Source:
    """Open a file by its path, or a frame; what is open stays so."""
    if isinstance(source, Source):
        return source
    if isinstance(source, str | PathLike):
        return open_path(Path(source), format_name)
    if format_name is not None:
        raise ParameterError(
            says("<format=> is for files; got it with {kind}.", kind=type(source).__name__)
        )
    from credibly.io.frames import open_frame

    return open_frame(source)


def _named_reader(path: Path, head: bytes) -> Reader | LogReader | None:
    for each in readers:
        if each.recognises(head):
            return each
    for magic, what in FOREIGN_FORMATS.items():
        if head.startswith(magic):
            raise DataError(
                f"{path.name} is {what}, which is not read. Save the predictions as CSV or Parquet."
            )
    suffixes = [s.lower() for s in path.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    for each in readers:
        if suffixes and suffixes[-1] in each.suffixes:
            return each
    return None


def _resembling(path: Path, head: bytes) -> Reader:
    """Return the reader for a file whose content, not its name, shows its format."""
    for each in readers:
        if isinstance(each, Reader) and each.resembles is not None and each.resembles(head):
            return each
    known = sorted({s for each in readers for s in each.suffixes})
    names = [each.name for each in readers]
    raise DataError(
        f"The format of {path.name} is not clear from its name or content; known endings: {', '.join(known)}.",
        choices=names,
        remedy=says("Set <format=...> to one of {names}.", names=", ".join(names)),
    )


def open_folder(path: Path) -> LogSource:
    """Read all logs in a folder and the folders in it; what else is there is left alone."""
    from credibly.io._logs import LogSource

    logs: list[ScoredLog] = []
    formats: dict[str, None] = {}
    kinds = [r for r in readers if isinstance(r, LogReader)]
    for file in _files(path):
        if _is_empty(file):
            raise DataError(
                f"{file.name} is empty: the log was cut off, or the run has not finished.",
                remedy="Wait for the run to end, or remove the file from the folder.",
            )
        reader = _reader_of(file, kinds)
        if reader is not None:
            made = reader(file)
            for log in made:
                log.model = log.model or _named_by_folder(file, path)
            logs += made
            formats[reader.title] = None
    if not logs:
        known = listed([r.title for r in kinds])
        raise DataError(
            f"{path} is a folder without a readable log: {known}.",
            remedy="Give one file of predictions.",
        )
    _join_runs(logs)
    return LogSource(path.name or str(path), ", ".join(formats), logs)


def holds_logs(path: Path) -> bool:
    """Whether a folder holds a log."""
    kinds = [r for r in readers if isinstance(r, LogReader)]
    return any(_is_empty(file) or _reader_of(file, kinds) is not None for file in _files(path))


def _files(path: Path) -> list[Path]:
    files = list(islice((p for p in path.rglob("*") if p.is_file()), MAX_FILES + 1))
    if len(files) > MAX_FILES:
        raise DataError(f"{path} holds more than {MAX_FILES:,} files. Give a smaller folder.")
    return sorted(files)


def _is_empty(file: Path) -> bool:
    return file.suffix in LOG_SUFFIXES and not file.stat().st_size


def _reader_of(file: Path, kinds: list[LogReader]) -> LogReader | None:
    try:
        head = read_head(file, HEAD_BYTES)
    except (OSError, DataError):
        return None
    return next((r for r in kinds if r.recognises(head)), None)


def _named_by_folder(file: Path, path: Path) -> str | None:
    """Name a model by its folder in the folder that was given, as harnesses do."""
    inside = file.relative_to(path).parts
    return inside[0] if len(inside) > 1 else None


def _join_runs(logs: list[ScoredLog]) -> None:
    """Number the runs of the same model on the same task as further epochs."""
    last: dict[tuple[str, str | None], int] = {}
    for log in logs:
        key = log.task, log.model
        start = last.get(key, 0)
        for row in log.rows:
            row.repeat += start
        last[key] = max(row.repeat for row in log.rows) + 1 if log.rows else start
