"""Frames taken apart into arrays, and put together again: the same library, names and types of columns."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly.predictions.labels import is_missing
from credibly.schemes.columns import NUMBER_KINDS, Nature, columns_of
from credibly.schemes.light_frame import Text

# Types, beside those of numbers, that are read back as they were written.
STORED_TYPES = {"Boolean", "String", "Categorical", "Enum"}


class MappedFrame:
    """Columns in files; their rows come back as a frame of the library that they came from."""

    def __init__(
        self,
        columns: list[NDArray[Any] | Text],
        library: str,
        types: list[dict[str, Any]],
        nature: Nature,
    ) -> None:
        self._columns = columns
        self._library = library
        self._types = types
        first = columns[0]
        self.shape = (len(first.codes if isinstance(first, Text) else first), len(columns))
        self.nature = nature

    def __getitem__(self, rows: NDArray[np.intp]) -> Any:
        block = self._one_block(rows) if self._library == "pandas" else None
        if block is not None:
            import pandas as pd

            return pd.DataFrame(block.T, columns=[t["name"] for t in self._types], copy=False)
        if self._library == "objects":
            made = np.empty((len(rows), len(self._columns)), object)
            for j, column in enumerate(self._columns):  # one after another: no second copy of all
                made[:, j] = _values(column, rows)
            return made
        taken = [_values(c, rows) for c in self._columns]
        if self._library == "pandas":
            return _pandas(taken, self._types)
        return _frame(taken, self._types, self._library)

    def _one_block(self, rows: NDArray[np.intp]) -> NDArray[Any] | None:
        """Return columns of one type of numbers below each other, as pandas itself would keep them."""
        first = self._columns[0]
        if isinstance(first, Text) or {t.get("type") for t in self._types} != {str(first.dtype)}:
            return None
        block = np.empty((self.shape[1], len(rows)), first.dtype)
        for j, column in enumerate(self._columns):
            block[j] = _values(column, rows)
        return block

    def all_rows(self) -> Any:
        """Return the whole frame."""
        return self[np.arange(self.shape[0])]


def _values(column: NDArray[Any] | Text, rows: NDArray[np.intp]) -> NDArray[Any]:
    taken = column[rows]
    return taken.values if isinstance(taken, Text) else np.asarray(taken)


def frame_apart(X: Any) -> tuple[list[NDArray[Any]], dict[str, Any]]:
    """Return columns of numbers or of text, and what makes a frame of them again."""
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True)
    library = str(frame.implementation)
    columns, types = [], []
    for name, values in zip(frame.columns, columns_of(X).values(), strict=True):
        series = frame.get_column(name)
        numbers = values.dtype.kind == "f" and not series.is_null().any()
        native = series.to_numpy() if numbers else values
        columns.append(native if native.dtype.kind in NUMBER_KINDS else values)
        if library == "pandas":
            kind = _type_in_pandas(series.to_native(), str(values.dtype))
        else:
            kind = _type(series)
        types.append({"name": name if isinstance(name, int) else str(name), **kind})
    return columns, {"library": library, "types": types}


def _type_in_pandas(series: Any, otherwise: str) -> dict[str, Any]:
    """Return what makes the type of a column; ``otherwise`` stands for one that pandas cannot read."""
    if str(series.dtype) == "category":
        return {"categories": series.cat.categories.tolist(), "ordered": bool(series.cat.ordered)}
    missing = series[series.isna()].head(1).tolist() if series.dtype == object else []
    first = next(iter(missing), None)
    na = {"na": True} if type(first).__name__ == "NAType" else {}
    kind = str(series.dtype) if _has_a_name(series.dtype) else otherwise
    return {"type": kind, "nan": isinstance(first, float), **na}


def _has_a_name(dtype: Any) -> bool:
    """Whether pandas makes a type of how it is written, which it does not for some of pyarrow's."""
    import pandas as pd

    with suppress(TypeError, NotImplementedError):
        return pd.api.types.pandas_dtype(str(dtype)) is not None
    return False


def _pandas(columns: list[NDArray[Any]], types: list[dict[str, Any]]) -> Any:
    import pandas as pd

    each = {j: _pandas_column(c, t) for j, (c, t) in enumerate(zip(columns, types, strict=True))}
    return pd.DataFrame(each, copy=False).set_axis([t["name"] for t in types], axis=1)


def _pandas_column(values: NDArray[Any], kind: dict[str, Any]) -> Any:
    import pandas as pd

    if "categories" in kind:
        made = pd.Categorical(values, categories=kind["categories"], ordered=kind["ordered"])
        return pd.Series(made)
    missing = pd.NA if "na" in kind else np.nan if kind["nan"] else None
    if missing is not None and values.dtype.kind == "O":
        values = np.array([missing if v is None else v for v in values], object)
    return pd.Series(values, dtype=values.dtype, copy=False).astype(kind["type"])


def _type(series: Any) -> dict[str, Any]:
    kind = type(series.dtype).__name__
    known = kind in STORED_TYPES or series.dtype.is_integer() or series.dtype.is_float()
    categories = {"categories": list(series.dtype.categories)} if kind == "Enum" else {}
    nulls = bool(series.is_null().any())
    return {"type": kind if known else "Float64", "nulls": nulls, **categories}


def _frame(columns: list[NDArray[Any]], types: list[dict[str, Any]], library: Any) -> Any:
    import narwhals.stable.v2 as nw

    each = {}
    for values, kind in zip(columns, types, strict=True):
        wanted = getattr(nw, kind["type"])
        typed = wanted(kind["categories"]) if "categories" in kind else wanted()
        given = _with_nulls(values, kind["type"]) if kind["nulls"] else values
        each[kind["name"]] = nw.new_series(kind["name"], given, typed, backend=library)
    return nw.from_dict(each).to_native()


def _with_nulls(values: NDArray[Any], kind: str) -> list[Any]:
    """Return a column with None where it has no value."""
    made = bool if kind == "Boolean" else int if "Int" in kind else lambda v: v
    return [None if is_missing(v) else made(v) for v in values.tolist()]
