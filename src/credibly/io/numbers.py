"""Bare columns of a file: numbers beside its predictions, or the values of schemes by fold or dataset."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from credibly.errors import MissingColumnError, ParameterError, says
from credibly.io._declare import open_path
from credibly.io._source import Source
from credibly.io.roles import found_columns


def read_numbers(
    path: str | PathLike[str],
    names: Sequence[str] = (),
    *,
    labels: Sequence[str] = (),
    format: str | None = None,  # noqa: A002
) -> dict[str, NDArray[Any]]:
    r"""Read columns of numbers by name, in the order of the rows, and beside them those of ``labels``.

    A file with one column needs no names.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "parcels.csv")
    >>> _ = file.write_text("truth,distance\n1,2.5\n0,30\n")
    >>> read_numbers(file, ["distance"])["distance"].tolist()
    [2.5, 30.0]
    """
    with closing(open_path(Path(fspath(path)), format)) as source:
        if not (names or labels):
            names = [_only_column(source)]
        return columns_in(source, names, labels)


def column_names(path: str | PathLike[str], format: str | None = None) -> frozenset[str]:  # noqa: A002
    """Return the names of the columns of a file."""
    with closing(open_path(Path(fspath(path)), format)) as source:
        return frozenset(map(str, source.names))


def columns_in(
    source: Source, numbers: Sequence[str], labels: Sequence[str]
) -> dict[str, NDArray[Any]]:
    """Return columns of numbers, and others as they are, of an open source."""
    check_columns(source, (*numbers, *labels))
    plain = [name for name in numbers if name not in labels]
    source.load(plain, list(labels))
    columns: dict[str, NDArray[Any]] = {name: source.column(name) for name in labels}
    return columns | {name: source.numbers(name) for name in plain}


def check_columns(source: Source, names: Sequence[str]) -> None:
    """Say which of the columns is not there."""
    for name in names:
        if name not in source.names:
            raise MissingColumnError(
                f"There is no column {name!r} in {source.where}.",
                asked=name,
                choices=source.names,
                remedy=found_columns(source),
            )


def _only_column(source: Source) -> str:
    if len(source.names) != 1:
        raise ParameterError(
            f"{source.where} has several columns, and you named none.",
            remedy=says("Set <column=...>. {columns}", columns=found_columns(source)),
        )
    return str(source.names[0])
