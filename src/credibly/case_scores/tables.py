"""Kinds of prediction in tables: which columns each has, and how they are recognised.

A kind is declared by what reads it: a public function of a file or a frame, whose arguments are columns. Its keyword
``recognise`` looks at a table that nobody has described yet and returns these arguments, or nothing if this is another kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import field
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from numpy.typing import NDArray

from credibly._core.declared import Declared, Registry
from credibly._core.signatures import arguments_of, members
from credibly._core.text import lower_first
from credibly.case_scores._declare import Evidence
from credibly.case_scores.beside import OtherNames
from credibly.errors import CrediblyError, MissingColumnError, ParameterError
from credibly.io._declare import open_source
from credibly.io._files import read_head
from credibly.io._source import Source
from credibly.io.numbers import check_columns, columns_in
from credibly.io.roles import found_columns
from credibly.predictions.column_names import NAMES, plain_name

# Which do not say what is predicted.
BESIDE = {"row", "time", *OtherNames.__annotations__}
NOT_COLUMNS = ("source", "format", "distribution", "columns")
COLUMNS_TYPES = (Sequence[str], Mapping[str, str])  # what names several columns
NUMBER = re.compile(r"\d*\.?\d+(?:[eE][-+]?\d+)?")
MAX_COLUMNS = 60  # columns whose values are looked at
HEAD, MAX_LINES = 65_536, 20  # of a file that is looked at: bytes, and lines of them
Columns = dict[str, Any]
F = TypeVar("F", bound=Callable[..., Evidence])


class FilePart(NamedTuple):
    """What a file of its own holds of a kind: how its lines show that, and what is to be added to it."""

    name: str
    fits: Callable[[Sequence[Sequence[str]]], bool]  # the fields of its first lines
    waiting: str


class FilesApart(NamedTuple):
    """Parts of a kind in files of their own, which say something only together: one of the first part, and others by their names."""

    read: Callable[..., Evidence]
    first: FilePart
    other: FilePart


class TableKind(Declared[..., Evidence]):
    """A kind of prediction in a table, which its function reads: the arguments that are columns are its roles."""

    recognise: Callable[[Source], Columns | None] = field(repr=False)
    apart: FilesApart | None = None
    cite: str = ""

    def columns_in(self, table: Source) -> Columns | None:
        """Return the columns of a table that holds this kind; nothing of another one."""
        try:
            return self.recognise(table)
        except CrediblyError:  # a column is not what its name says
            return None

    def needed_in(self, table: Source) -> Columns:
        """Return the columns of a table that must hold this kind."""
        found = self.columns_in(table)
        if found is None:
            raise MissingColumnError(
                f"{table.where} does not hold {lower_first(self.title)}.",
                remedy=found_columns(table),
            )
        return found

    @property
    def roles(self) -> dict[str, bool]:
        """What a column can be, and whether several columns can be that together."""
        held = {n: members(a.hint) for n, a in arguments_of(self.function).items()}
        several = {name: bool({*COLUMNS_TYPES} & {*hints}) for name, hints in held.items()}
        return {
            n: many
            for n, many in several.items()
            if (many or str in held[n]) and n not in NOT_COLUMNS
        }


table_kinds: Registry[TableKind] = Registry(
    "kind of table", "credibly.case_scores", ending="_tables", use="{name}(file)"
)


def table_kind(
    title: str, recognise: Callable[[Source], Columns | None], apart: FilesApart | None = None
) -> Callable[[F], F]:
    """Declare the decorated function as what reads a kind of prediction from a table; it stays a function.

    Where no columns are named, or needed ones are not, it recognises them.
    """

    def declare(function: F) -> F:
        arguments = signature(function).parameters.values()
        needed = {a.name for a in arguments if a.default is a.empty and a.kind is not a.VAR_KEYWORD}
        needed -= {"source"}

        @wraps(function)
        def read(source: object, *columns: Any, **named: Any) -> Evidence:  # noqa: ANN401
            known = {name for name, given in named.items() if given is not None} - BESIDE
            missing = needed - known
            if not columns and (missing or not known):
                with closing(open_source(source, named.get("format"))) as table:
                    found = kind.needed_in(table) if missing else kind.columns_in(table)
                named = {**(found or {}), **named}
            return function(source, *columns, **named)

        name = function.__name__.removeprefix("read_")
        kind = TableKind(read, title, name=name, recognise=recognise, apart=apart)
        table_kinds.add(kind)
        return cast("F", read)

    return declare


def recognised(table: Source) -> tuple[TableKind, Columns] | None:
    """Return the kind of prediction that a table holds, and its columns, if it is one of these."""
    found = ((kind, kind.columns_in(table)) for kind in table_kinds)
    return next(((kind, columns) for kind, columns in found if columns), None)


def part_in(path: Path) -> tuple[TableKind, FilePart] | None:
    """Return the kind of which a file holds a part, and which, if it holds one."""
    text = read_head(path, HEAD).decode("utf-8", errors="replace")
    lines = [line.split() for line in text.splitlines()[:-1][:MAX_LINES] if line.strip()]
    kinds = ((kind, part) for kind in table_kinds for part in (kind.apart or ())[1:])
    return next((found for found in kinds if lines and found[1].fits(lines)), None)


def one_called(table: Source, names: Sequence[str]) -> str | None:
    """Return the one column that is called so."""
    found = [c for c in table.names if plain_name(c) in names]
    return found[0] if len(found) == 1 else None


def truth_in(table: Source) -> str | None:
    """Return the column that is called like a truth."""
    return one_called(table, NAMES["truth"])


def flags_in(table: Source, columns: Sequence[str]) -> list[str]:
    """Return those of the columns that hold nothing but 0 and 1."""
    looked = [c for c in columns if c in table.names][:MAX_COLUMNS]
    table.load([], looked)
    known = {"0", "1", "0.0", "1.0", "false", "true"}
    return [
        c
        for c in looked
        if {str(v).lower() for v in table.labels(c).values} <= known and table.labels(c).values
    ]


def number_in(column: str) -> float | None:
    """Return the number that the name of a column says.

    >>> number_in("q0.05"), number_in("survival_12"), number_in("risk")
    (0.05, 12.0, None)
    """
    match = NUMBER.search(column)
    return float(match[0]) if match else None


def as_they_are(table: Source, columns: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return columns without a declared type: numbers where all values are numbers, else labels."""
    check_columns(table, columns)
    table.load([], list(columns))
    fractions = [c for c in columns if table.kind(c) == "number"]
    return columns_in(table, fractions, [c for c in columns if c not in fractions])


class ReadTable:
    """The columns of a table that have a role, and what it says of the cases beside them.

    ``beside`` has their rows, groups and weights, and the columns without a role, which cases can be sliced by.
    """

    def __init__(
        self,
        source: object,
        numbers: Sequence[str],
        others: Mapping[str, Any],
        **labels: str | None,
    ) -> None:
        """Read columns of numbers, and labels by their roles; ``others`` are `beside.OtherNames`."""
        self.named = {r: c for r, c in {**labels, "group": others.get("group")}.items() if c}
        weight, columns = others.get("weight"), others.get("columns")
        roles = [*dict.fromkeys(self.named.values())]
        with closing(open_source(source, others.get("format"))) as table:
            self.where = table.where
            self.held = columns_in(table, [*numbers, *([weight] if weight else [])], roles)
            free = [c for c in table.names if c not in self.held] if columns is None else columns
            rest = [c for c in dict.fromkeys(free) if c not in table.hidden]
            kept = {"columns": as_they_are(table, rest)} if rest else {}
        known = {
            "sample_weight": weight and self.held[weight],
            "weight_kind": others.get("weight_kind"),
        }
        self.beside: dict[str, Any] = {
            **{r: self.role(r) for r in ("row", "group") if r in self.named},
            **{name: value for name, value in known.items() if value is not None},
            **kept,
        }

    def __getitem__(self, column: str) -> Any:  # noqa: ANN401
        return self.held[column]

    def role(self, name: str) -> Any:  # noqa: ANN401
        """Return the column of a role."""
        return self.held[self.named[name]]

    def matrix(self, columns: Sequence[str]) -> Any:  # noqa: ANN401
        """Return columns side by side."""
        import numpy as np

        if not columns:
            raise ParameterError("No column of predictions is named.")
        return np.column_stack([self.held[c] for c in columns])
