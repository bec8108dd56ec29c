"""The columns of what a scheme learns from: arrays, sparse matrices and frames alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, is_masked_array
from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.errors import DataError, ParameterError, listed
from credibly.predictions.identifiers import MIN_IDENTIFIER_ROWS, is_identifier
from credibly.predictions.labels import as_array, is_missing
from credibly.schemes.dates import order_of_dates
from credibly.schemes.findings import DATES_AS_DAYS, IDENTIFIER, MANY_CATEGORIES
from credibly.schemes.light_frame import LightFrame, Text

NUMBER_KINDS = "biuf"  # kinds of numpy arrays that hold numbers
MAX_LISTED = 10
TEXT_LEFT_OUT = "Named schemes ignore such text."
DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+\s*")
DECIMAL_COMMA_REMEDY = "Turn decimal commas into numbers first."


def as_features(X: Any) -> Any:
    """Return a frame, a sparse matrix or an array with one row per case; lists become arrays.

    >>> as_features([[1, 2], [3, 4]]).shape
    (2, 2)
    """
    if isinstance(X, str | PathLike):
        raise ParameterError(
            f"X holds the data themselves; got the file {str(X)!r}.",
            remedy=f"Read it first: pandas.read_csv({str(X)!r}); y may be the name of a column.",
        )
    if hasattr(X, "collect") and not hasattr(X, "shape"):
        X = X.collect()  # a lazy frame
    if is_frame(X):
        # Columns of a pandas frame are attributes as well, under any name.
        refuse_repeated(X.column_names if hasattr(type(X), "column_names") else X.columns, "X")
    elif not hasattr(X, "tocsr"):
        numeric = is_masked_array(X) and X.dtype.kind in "biu"
        X = as_array(X, "X")
        X = X.astype(np.float64) if numeric and X.dtype.kind == "O" else X
    if len(X.shape) != 2:
        raise DataError(
            f"X must have rows and columns; its shape is {X.shape}. For one column: X.reshape(-1, 1)."
        )
    if 0 in X.shape:
        raise DataError(
            f"X has {X.shape[0]} rows and {X.shape[1]} columns; there is nothing to learn from."
        )
    return X.tocsr() if hasattr(X, "tocsr") else X


def refuse_repeated(names: Iterable[object], where: str) -> None:
    """Refuse columns of the same name, since all but one would be lost."""
    for name, times in Counter(map(str, names)).items():
        if times > 1:
            raise DataError(f"{where} has {times} columns called {name!r}. Give each its own name.")


def take_rows(X: Any, rows: NDArray[Any]) -> Any:
    """Return some rows of a frame, an array or a sparse matrix, in the kind it has.

    >>> import polars as pl
    >>> take_rows(pl.DataFrame({"a": [1, 2, 3]}), np.array([2, 0]))["a"].to_list()
    [3, 1]
    """
    if _is_of_a_library(X):
        import narwhals.stable.v2 as nw

        return nw.from_native(X, eager_only=True)[rows.tolist(), :].to_native()
    return X[rows]


def columns_of(
    X: Any,
    text: Collection[str] | None = None,
    only: str | None = None,
) -> dict[str, NDArray[Any]]:
    """Return each column: numbers as floats with NaN where missing, the rest as text or None.

    ``text`` names the columns to read as text; without it the values decide. ``only`` asks for one.

    >>> columns_of(np.array([[1, "a"], [None, "b"]], dtype=object))
    {'column 0': array([ 1., nan]), 'column 1': array(['a', 'b'], dtype=object)}
    """
    if isinstance(X, LightFrame):
        raw = {n: values for n, values in X.items() if only in (None, n)}
        if text is not None and all(n in text for n, v in raw.items() if v.dtype.kind == "O"):
            return raw  # each was read before
    elif is_frame(X):
        import narwhals.stable.v2 as nw

        frame = nw.from_native(X, eager_only=True)
        raw = {
            str(name): _values(frame.get_column(name))
            for name in frame.columns
            if only in (None, str(name))
        }
    else:
        names = [f"column {j}" for j in range(X.shape[1])]
        raw = {name: X[:, j] for j, name in enumerate(names) if only in (None, name)}
    return {n: _column(v, n, None if text is None else n in text) for n, v in raw.items()}


def light_frame(X: Any, text: Collection[str] | None = None) -> LightFrame:
    """Return each column as numbers or as text that is sorted out; ``text`` as for :func:`columns_of`.

    >>> light_frame(np.array([[1, "a"], [None, "b"]], dtype=object)).columns["column 1"].codes
    array([0, 1], dtype=int32)
    """
    if isinstance(X, LightFrame):
        return X
    columns = columns_of(X, text).items()
    return LightFrame({n: Text.of(c) if c.dtype.kind == "O" else c for n, c in columns})


def light_if_text(X: Any) -> LightFrame | None:
    """Return a light frame of what holds text; nothing for numbers."""
    if hasattr(X, "tocsr") or (not is_frame(X) and X.dtype.kind in NUMBER_KINDS):
        return None
    light = light_frame(X)
    return light if nature_of(light).text else None


def plain_matrix(X: Any) -> Floats | None:
    """Return the numbers of an array or frame that holds nothing but numbers, none missing; else none.

    >>> plain_matrix(np.array([[1, 2]]))
    array([[1., 2.]])
    >>> plain_matrix(np.array([[1, np.nan]])) is None
    True
    """
    if hasattr(X, "tocsr"):
        return None
    if isinstance(X, np.ndarray) and X.dtype.kind in NUMBER_KINDS:
        matrix = np.asarray(X, np.float64)
    else:
        columns = list(columns_of(X).values())
        if any(c.dtype.kind != "f" for c in columns):
            return None
        matrix = np.column_stack(columns)
    return matrix if np.isfinite(matrix).all() else None


@dataclass(frozen=True, slots=True)
class Nature:
    """What a scheme has to know of the columns before it sees a row."""

    plain: bool  # numbers alone, none missing
    text: tuple[str, ...] = ()
    sparse: bool = False


def nature_of(X: Any) -> Nature:
    """Look at all rows, unless X already says what they are.

    >>> nature_of(np.array([[1, "a"], [None, "b"]], dtype=object))
    Nature(plain=False, text=('column 1',), sparse=False)
    """
    if hasattr(X, "nature") and not is_frame(X):  # which may have a column of that name
        known: Nature = X.nature
        return known
    if isinstance(X, LightFrame):
        return Nature(
            plain=False, text=tuple(n for n, c in X.columns.items() if isinstance(c, Text))
        )
    rows = as_features(X)
    if hasattr(rows, "tocsr") or plain_matrix(rows) is not None:
        sparse = hasattr(rows, "tocsr")
        return Nature(plain=not sparse, sparse=sparse)
    texts = (name for name, values in columns_of(rows).items() if values.dtype.kind != "f")
    return Nature(plain=False, text=tuple(texts))


def declared_categories(X: Any) -> list[str]:
    """Return the names of the columns that a frame calls categories, which some estimators take.

    >>> import pandas as pd
    >>> declared_categories(pd.DataFrame({"town": ["a"], "grade": pd.Categorical(["b"])}))
    ['grade']
    """
    if not _is_of_a_library(X):
        return []
    import narwhals.stable.v2 as nw

    schema = nw.from_native(X, eager_only=True).schema
    return [str(n) for n, of in schema.items() if isinstance(of, nw.Categorical | nw.Enum)]


def _has_decimal_commas(values: NDArray[Any]) -> bool:
    """Whether numbers are written with a comma, by the first of them."""
    return all(DECIMAL_COMMA.fullmatch(str(v)) for v in values[:MAX_LISTED].tolist())


def doubtful_columns(columns: Mapping[str, NDArray[Any]], how: str) -> tuple[Finding, ...]:
    """Warn of columns that hold another value in every row, and of text that does so in most rows.

    ``how`` says how a column is left out.

    >>> columns = {"id": np.arange(30), "age": np.arange(30) // 2, "income": np.arange(30) / 7}
    >>> [f.message.partition(",")[0] for f in doubtful_columns(columns, "with ignore=...")]
    ['1 input looks like an identifier']
    """
    dates = [n for n, values in columns.items() if _are_dates(values)]
    others = {n: values for n, values in columns.items() if n not in dates}
    unique = [n for n, values in others.items() if is_identifier(n, values)]
    texts = [n for n, values in others.items() if n not in unique and _mostly_differ(values)]
    findings = []
    if dates:
        findings.append(DATES_AS_DAYS(inputs=_inputs(dates, "holds", "hold"), named=_named(dates)))
    if unique:
        look = _inputs(unique, "looks like an identifier", "look like identifiers")
        written = any(columns[n].dtype.kind not in NUMBER_KINDS for n in unique)
        commas = any(_has_decimal_commas(columns[n]) for n in unique)
        text = (f" {TEXT_LEFT_OUT}" if written else "") + (
            f" {DECIMAL_COMMA_REMEDY}" if commas else ""
        )
        findings.append(IDENTIFIER(inputs=look, named=_named(unique), how=how, text=text))
    if texts:
        inputs = _inputs(texts, "holds", "hold")
        findings.append(MANY_CATEGORIES(inputs=inputs, named=_named(texts), how=how))
    return tuple(findings)


def _inputs(names: list[str], one: str, several: str) -> str:
    return f"{count(len(names), 'input')} {one if len(names) == 1 else several}"


def doubtful_columns_of(X: Any) -> tuple[Finding, ...]:
    """Warn of such columns of a frame, and of those of text in an array, which have no names."""
    if isinstance(X, np.ndarray) and X.dtype.kind in "OU":
        texts = {f"column {j}": X[:, j] for j in range(X.shape[1])}
        some = {n: c for n, c in texts.items() if any(isinstance(v, str) for v in c.tolist())}
        return doubtful_columns(some, "of X")
    if not _is_of_a_library(X):
        return ()
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True)
    each = {str(name): frame.get_column(name) for name in frame.columns}
    kinds = (nw.String, nw.Categorical, nw.Enum)
    plain = {n: s for n, s in each.items() if s.dtype.is_integer() or s.dtype in kinds}
    return doubtful_columns({n: s.to_numpy() for n, s in plain.items()}, "of X")


def _named(columns: list[str]) -> str:
    return listed(map(repr, columns), most=MAX_LISTED)


def _mostly_differ(values: NDArray[Any]) -> bool:
    """Whether there are more texts than half of the rows: numbers or dates, rather than categories."""
    if values.dtype.kind in NUMBER_KINDS:
        return False
    known = [v for v in values.tolist() if isinstance(v, str)]
    return mostly_differ(len(set(known)), len(known))


def mostly_differ(distinct: int, rows: int) -> bool:
    """Whether texts differ in so many rows that they are not categories."""
    return rows >= MIN_IDENTIFIER_ROWS and distinct > rows / 2


def _are_dates(values: NDArray[Any]) -> bool:
    """Whether all that is known are different dates, written as text."""
    if values.dtype.kind in NUMBER_KINDS:
        return False
    known = [v for v in set(values.tolist()) if not is_missing(v)]
    texts = [v for v in known if isinstance(v, str)]
    return len(texts) == len(known) > 1 and order_of_dates(texts) is not None


def is_frame(X: object) -> bool:
    """Whether this is a frame of pandas, polars, pyarrow or another that narwhals reads, or a light one."""
    return isinstance(X, LightFrame) or _is_of_a_library(X)


def _is_of_a_library(X: object) -> bool:
    from narwhals.stable.v2.dependencies import is_into_dataframe

    return bool(is_into_dataframe(X))


def _values(series: Any) -> NDArray[Any]:
    """Return a frame's column as numpy's numbers or as objects."""
    import narwhals.stable.v2 as nw

    if series.dtype.is_temporal():
        raise DataError(
            f"The column {series.name!r} holds dates or times; turn it into numbers first."
        )
    if series.dtype.is_numeric():
        return np.asarray(series.cast(nw.Float64).to_numpy(), np.float64)
    values = np.empty(len(series), object)
    values[:] = series.to_list()
    return values


def _column(values: NDArray[Any], name: str, is_text: bool | None) -> NDArray[Any]:  # noqa: FBT001
    """Return numbers as floats, anything else as text with None for what is missing."""
    if values.dtype.kind in NUMBER_KINDS and not is_text:
        return np.asarray(values, np.float64)
    if is_text is not False and _is_clean(values):
        return values
    items = _with_none(values.tolist())
    known = [v for v in items if v is not None]
    if is_text is None:
        is_text = not all(isinstance(v, int | float) for v in known)
    if not is_text:
        return _numbers(items, name)
    odd = next((v for v in known if not isinstance(v, str | int | float)), None)
    if odd is not None:
        raise DataError(
            f"{name} holds {type(odd).__name__} values; a column holds numbers or text."
        )
    out = np.empty(len(items), object)
    out[:] = [None if v is None else str(v) for v in items]
    return out


def _with_none(listed: list[Any]) -> list[Any]:
    """Write what is missing as None, and numpy's values as Python's own."""
    if set(map(type, listed)) <= {str, int, float, bool, type(None)}:
        return [None if v != v else v for v in listed]
    items = (v.item() if isinstance(v, np.generic) else v for v in listed)
    return [None if is_missing(v) else v for v in items]


def _is_clean(values: NDArray[Any]) -> bool:
    """Whether a column holds texts, and None where one is missing; what is met first tells most others."""
    if values.dtype.kind != "O" or not all(isinstance(v, str | None) for v in values[:1]):
        return False
    listed = values.tolist()
    return set(map(type, listed)) <= {str, type(None)} and any(v is not None for v in listed)


def _numbers(items: list[Any], name: str) -> Floats:
    try:
        return np.array([np.nan if v is None else v for v in items], np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"{name} holds numbers in the training part and something else here: {error}."
        ) from None
