"""Values as JSON and frames can hold them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from credibly._core.text import number_text
from credibly.errors import ParameterError, says

SCHEMA_VERSION = 1
SCALARS = frozenset({float, int, str, bool, type(None)})


def plain(value: Any) -> Any:  # noqa: ANN401
    """Return results as dictionaries, arrays as lists and numbers of numpy as Python's.

    >>> plain({"a": (1, 2)})
    {'a': [1, 2]}
    """
    if value is None or isinstance(value, str | float | int):
        return value
    if isinstance(value, tuple | list):
        return list(value) if _are_scalars(value) else [plain(v) for v in value]
    if isinstance(value, dict | Mapping):
        return {k: plain(v) for k, v in value.items()}
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    return value.tolist() if hasattr(value, "tolist") else value


def _are_scalars(values: Iterable[object]) -> bool:
    """Whether nothing in a list needs a look of its own: a table of many classes has millions of numbers."""
    return SCALARS.issuperset(map(type, values))


def plain_scalar(value: object) -> object:
    """Turn a numpy scalar into Python's."""
    item: Callable[[], object] | None = getattr(value, "item", None)
    return item() if item is not None else value


def by_row(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one dictionary per row from arrays by name.

    >>> import numpy as np
    >>> by_row({"x": np.array([1.0, 2.0]), "y": np.array([3, 4])})
    [{'x': 1.0, 'y': 3}, {'x': 2.0, 'y': 4}]
    """
    listed = zip(*(c.tolist() for c in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in listed]


def by_column(rows: list[dict[str, Any]], names: Iterable[str] = ()) -> dict[str, list[Any]]:
    """Return the columns of rows; ``names`` are the columns where there is no row.

    >>> by_column([{"x": 1.0, "y": 3.0}, {"x": 2.0}])
    {'x': [1.0, 2.0], 'y': [3.0, nan]}
    """
    found = dict.fromkeys(k for row in rows for k in row) or names
    return {k: [row.get(k, math.nan) for row in rows] for k in found}


def frame_of(columns: dict[str, list[Any]], backend: Any) -> Any:  # noqa: ANN401
    """Return columns as a frame of ``backend`` (pandas, polars, pyarrow)."""
    import narwhals.stable.v2 as nw

    try:
        return nw.from_dict(columns, backend=backend).to_native()
    except ImportError:
        raise ParameterError(
            f"A frame of {backend} needs that package: pip install {backend}.",
            remedy=says(
                "Or name another with <backend='pandas'>, <backend='polars'> or <backend='pyarrow'>; "
                "rows() needs none."
            ),
        ) from None


def json_ready(value: object) -> Any:  # noqa: ANN401
    """Replace what JSON lacks: NaN becomes null, an infinity the string "Infinity" or "-Infinity".

    >>> json_ready({"a": [1.5, float("nan"), float("-inf")]})
    {'a': [1.5, None, '-Infinity']}
    """
    value = plain_scalar(value) if not isinstance(value, dict | list | tuple) else value
    if isinstance(value, dict):
        return {str(k): json_ready(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        whole = {float}.issuperset(map(type, value)) and all(map(math.isfinite, value))
        return list(value) if whole else [json_ready(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return str(value)


def json_text(value: object, indent: int | None = 2) -> str:
    """Write JSON with full precision; NaN is ``null``, infinities are strings. A list of values is one line.

    >>> print(json_text({"counts": [[5, 1], [2, float("nan")]]}))
    {
      "counts": [
        [5, 1],
        [2, null]
      ]
    }
    """
    ready = json_ready(value)
    return _line(ready) if indent is None else _lines(ready, "\n", " " * indent)


_line = json.JSONEncoder(ensure_ascii=False).encode


def _lines(value: Any, end: str, indent: str) -> str:  # noqa: ANN401
    """Write a value over lines, the last of which begins as ``end`` does."""
    if not isinstance(value, dict | list) or (isinstance(value, list) and _are_scalars(value)):
        return _line(value)
    start = end + indent
    if isinstance(value, list):
        return f"[{start}{f',{start}'.join(_lines(v, start, indent) for v in value)}{end}]"
    items = (f"{_line(k)}: {_lines(v, start, indent)}" for k, v in value.items())
    return f"{{{start}{f',{start}'.join(items)}{end}}}" if value else "{}"


def cell_text(value: object) -> str:
    """Write a value of a row for people.

    >>> cell_text(0.66666), cell_text(None), cell_text("tree"), cell_text(True)
    ('0.6667', '', 'tree', 'True')
    """
    if isinstance(value, float):
        return number_text(value)
    return "" if value is None else str(value)


Column = str | Callable[[Any], str] | list[str]  # of a table of things


def table_of(
    items: Iterable[Any], columns: Mapping[str, Column]
) -> tuple[list[str], list[list[str]]]:
    """Return header and body of a table of things: by title, the attribute, the function or the texts it shows.

    >>> table_of([2 + 1j], {"": ["z"], "real": "real", "size": lambda z: f"{abs(z):.1f}"})
    (['', 'real', 'size'], [['z', '2', '2.2']])
    """
    things = list(items)
    return list(columns), list(
        map(list, zip(*(_shown(c, things) for c in columns.values()), strict=True))
    )


def _shown(column: Column, things: list[Any]) -> list[str]:
    if isinstance(column, list):
        return column
    return [cell_text(getattr(t, column)) if isinstance(column, str) else column(t) for t in things]
