"""Columns of a file that play no part in an evaluation, and how they are named in a sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from credibly._core.findings import Finding
from credibly.predictions.findings import UNUSED_COLUMNS

LISTED = 6


def columns_text(columns: Sequence[str], most: int = LISTED) -> str:
    """Write the names of columns, the first few of many.

    >>> columns_text(["sex"]), columns_text(["sex", "age"])
    ("column 'sex'", "columns 'sex', 'age'")
    """
    listed = ", ".join(repr(c) for c in columns[:most])
    more = f" ... ({len(columns)} in all)" if len(columns) > most else ""
    return f"column{'s' if len(columns) > 1 else ''} {listed}{more}"


def unused_columns(columns: list[str]) -> tuple[Finding, ...]:
    """Say which columns were left aside; nothing where there are none."""
    if not columns:
        return ()
    said = UNUSED_COLUMNS(columns=columns_text(columns))
    return (replace(said, data={"columns": columns}),)


def unused_but(found: Iterable[Finding], used: Collection[str]) -> tuple[Finding, ...]:
    """Return findings in which a column that is used after all, such as to slice by, is not called unused.

    >>> [f.message for f in unused_but(unused_columns(["sex", "age"]), ["age"])]
    ["Not used: column 'sex'."]
    """
    return tuple(
        one
        for f in found
        for one in (
            unused_columns([c for c in f.data["columns"] if c not in used])
            if f.code == UNUSED_COLUMNS.code and "columns" in f.data
            else (f,)
        )
    )
