"""Columns of a file or a frame that have no role: kept to slice by, and read when one is used."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from credibly._core.text import several
from credibly.errors import CrediblyError, DataError
from credibly.io._declare import open_path
from credibly.io._source import ColumnSource, Source
from credibly.io.frames import FrameSource
from credibly.io.roles import existing
from credibly.predictions.case_columns import NO_COLUMNS, CaseColumns, of_frame, plain_column
from credibly.predictions.column_names import names_a_role

MAX_AT_ONCE = 64  # columns that are read in one pass


@dataclass(frozen=True, slots=True)
class FileColumns:
    """A file whose columns are read when they are asked for, as long as it stays what it was."""

    path: Path
    format: str | None
    stamp: tuple[int, int]
    names: tuple[str, ...]
    found: dict[str, NDArray[Any]] = field(default_factory=dict)

    def __call__(self, name: str) -> NDArray[Any]:
        """Read a column, once; who asks for one after the other gets more and more in one pass over the file."""
        if name not in self.found:
            if not self.path.is_file() or stamp_of(self.path) != self.stamp:
                raise DataError(
                    f"{self.path.name} has changed since its predictions were read, so its column "
                    f"{name!r} may be of other cases. Read it again."
                )
            first, most = self.names.index(name), min(max(1, len(self.found)), MAX_AT_ONCE)
            ahead = [n for n in self.names[first : first + most] if n not in self.found]
            with closing(open_path(self.path, self.format)) as source:
                source.load([], ahead)
                self.found[name] = case_column(source, name)
                for other in ahead[1:]:
                    with suppress(CrediblyError):  # nobody asked for it yet
                        self.found[other] = case_column(source, other)
        return self.found[name]


def stamp_of(path: Path) -> tuple[int, int]:
    """Return what changes when a file is written to."""
    about = path.stat()
    return about.st_size, about.st_mtime_ns


def case_column(source: Source, name: str) -> NDArray[Any]:
    """Return a column with its own values: whole numbers, numbers, or text."""
    fractions = source.kind(name) == "number"
    return plain_column(source.numbers(name) if fractions else source.column(name), name)


def named_columns(source: Source, columns: Sequence[str] | None) -> list[str]:
    """Return the columns that were asked for by name, which are read with the others."""
    asked = several([] if columns is None else columns, "columns", "names of columns")
    return [existing(source, "columns", name) for name in asked]


def case_columns(
    source: Source,
    here: object,
    format_name: str | None,
    asked: list[str] | None,
    taken: Collection[str],
) -> CaseColumns:
    """Return columns to slice by: those that were asked for, or all of what can be read again.

    Those that are ``taken`` for a role, or named like one, are not written a second time.
    """
    if asked is not None:
        made = {name: case_column(source, name) for name in asked}
        columns = CaseColumns(tuple(made), made.__getitem__)
    elif isinstance(source, FrameSource) and source.at_hand is not None:
        columns = of_frame(source.at_hand, len(source.at_hand))
    elif isinstance(source, ColumnSource):
        at_hand = {name: case_column(source, name) for name in source.names}
        columns = CaseColumns(tuple(at_hand), at_hand.__getitem__)
    elif isinstance(here, str | PathLike):
        path = Path(here).absolute()
        columns = CaseColumns(
            source.names, FileColumns(path, format_name, stamp_of(path), source.names)
        )
    else:
        return NO_COLUMNS
    roles = frozenset(n for n in columns if n in taken or names_a_role(n))
    free = tuple(n for n in columns if n not in roles)
    return CaseColumns(columns.names, columns.read, free, roles | source.scores)
