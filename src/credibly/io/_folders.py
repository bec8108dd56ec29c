"""A folder of logs as one set of scored cases."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from credibly.errors import DataError, listed
from credibly.io._declare import HEAD_BYTES
from credibly.io._files import read_head
from credibly.io._logs import LogSource, ScoredLog

if TYPE_CHECKING:
    from credibly.io._declare import LogReader

MAX_FILES = 10_000
LOG_SUFFIXES = (".jsonl", ".json", ".eval", ".xml")  # how names of logs end


def open_folder(path: Path) -> LogSource:
    """Read all logs in a folder and the folders in it; what else is there is left alone."""
    from credibly.io._declare import LogReader, readers

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
    from credibly.io._declare import LogReader, readers

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
