"""Bare numbers from the columns of a file, such as the values of schemes by fold or dataset."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from credibly._core.errors import MissingColumnError, did_you_mean
from credibly.io._declare import open_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray


def read_values(
    path: Path,
    columns: Sequence[str],
    format_name: str | None = None,
    *,
    names: str | None = None,
) -> dict[str, NDArray[Any]]:
    r"""Return columns of numbers by their names, NaN where one is empty, and one of ``names``.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "values.csv")
    >>> _ = path.write_text("a,b\n0.8,0.7\n0.9,0.6\n")
    >>> {name: values.tolist() for name, values in read_values(path, ["a", "b"]).items()}
    {'a': [0.8, 0.9], 'b': [0.7, 0.6]}
    """
    source = open_path(path, format_name)
    with closing(source):
        labels = [names] if names else []
        for name in [*columns, *labels]:
            if name not in source.names:
                raise MissingColumnError(
                    f"{source.where} has no column {name!r}; it has: {', '.join(source.names)}.{did_you_mean(name, source.names)}"
                )
        source.load(list(columns), labels)
        found: dict[str, NDArray[Any]] = {name: source.numbers(name) for name in columns}
        return found | {name: source.column(name) for name in labels}
