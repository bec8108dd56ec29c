"""Columns as people hand them over, checked and copied: where rows come from, what they weigh, what is not used."""

from __future__ import annotations

import re
from collections.abc import (
    Collection,
    Hashable,
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    Sequence,
    Set as AbstractSet,
    ValuesView,
)
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import MAX_EXACT_WHOLE, Floats
from credibly._core.findings import Finding
from credibly._core.parameters import one_of, require
from credibly._core.text import count, shown, some_rows
from credibly.errors import (
    DataError,
    ParameterError,
    UnknownNameError,
    says,
)
from credibly.predictions.column_names import NAMES, split_prefix
from credibly.predictions.findings import (
    COLUMNS_BY_POSITION,
    UNUSED_COLUMNS,
    WEIGHT_KIND,
)
from credibly.predictions.labels import (
    as_array,
    as_column,
    dates_as_text,
    distinct,
    is_missing,
    joint_codes,
    starts_of_runs,
)
from credibly.predictions.numbers import (
    copied,
    finite,
    for_each,
    frozen,
    same_length,
)

if TYPE_CHECKING:
    from credibly.predictions.table import PredictionColumns, WeightKind

VIEW_TYPES = (KeysView, ItemsView, ValuesView)  # of a dictionary, in its order
MAX_LISTED = 6  # columns that are named
LET_PREDICT = (
    "Let the fitted model predict: credibly.Predictions.from_estimator(model, X_test, y_test)."
)
MAX_DENSITY = 32  # times as many numbers as rows, up to which counting beats sorting


class DesignColumns(TypedDict, total=False):
    """Where each row of predictions comes from."""

    row: object
    model: object
    repeat: object
    fold: object
    part: object
    group: object
    time: object


DESIGN_COLUMNS = tuple(DesignColumns.__annotations__)


def refuse_strange_column(column: str, others: Iterable[str]) -> None:
    """Refuse a name that neither a role has nor one of the other columns."""
    if column not in NAMES:
        raise UnknownNameError(
            f"The predictions have no column {column[:60]!r}.",
            asked=column,
            choices=dict.fromkeys([*others, *DESIGN_COLUMNS]),
        )


def fingerprint_of(columns: Mapping[str, Any]) -> str:
    """Return a hash of columns and facts, in their order; what is not there does not count."""
    digest = blake2b(digest_size=16)
    for name, part in columns.items():
        if part is None:
            continue
        digest.update(name.encode())
        if isinstance(part, np.ndarray):
            plain = canonical(part)
            digest.update(f"{plain.dtype.kind}{plain.shape}".encode())
            digest.update(np.ascontiguousarray(plain).view(np.uint8).data)
        else:
            digest.update(repr(part).encode())
    return digest.hexdigest()


def kind_of_weights(
    w: Floats, kind: Literal["frequency", "importance"] | None
) -> tuple[WeightKind, list[Finding]]:
    """Return what weights stand for, and say so where it was not told."""
    if kind is None:
        return "importance", [WEIGHT_KIND()]
    kind = require("weight_kind", kind, one_of("frequency", "importance"))
    if kind == "frequency" and not (w == np.rint(w)).all():
        bad = np.flatnonzero(w != np.rint(w))
        raise DataError(
            f"Frequency weights are whole numbers, unlike {count(bad.size, 'row')}: "
            f"{some_rows(bad)}.",
            remedy=says("Set <weight_kind='importance'>."),
        )
    if kind == "frequency" and w.sum() >= MAX_EXACT_WHOLE:
        raise DataError(
            f"Frequency weights count cases, which is exact only up to {MAX_EXACT_WHOLE:.0e}; "
            f"these sum to {w.sum():.3g}.",
            remedy=says("Set <weight_kind='importance'>."),
        )
    return kind, []


def training_size(given: object, n: int) -> Floats:
    """Return the size of the training part of each row."""
    size = finite(np.atleast_1d(as_array(given, "n_train")), "n_train", shared=True)
    if size.size not in {1, n} or (size < 0).any():
        raise DataError(
            f"n_train must be one number from 0 up, or one per row; it has {count(size.size, 'value')}."
        )
    return for_each(size, n)


def design_columns(design: Mapping[str, object], n: int) -> dict[str, Any]:
    """Copy the columns that say where rows come from."""
    columns = {}
    for name, given in design.items():
        if given is None:
            continue
        # One value may stand for all rows, such as model="forest"; it is kept once.
        alone = isinstance(given, str | int)
        array = dates_as_text(as_column([given] if alone else given, name))
        array = np.broadcast_to(array, n) if alone else copied(array)
        same_length(array, n, name)
        if array.dtype.kind == "O":
            _refuse_containers(array, name)
        if name == "time":
            _refuse_missing_times(array)
        columns[name] = frozen(array)
    return columns


def _refuse_missing_times(column: NDArray[Any]) -> None:
    """Refuse rows without a time of observation: they have no place in the order."""
    missing = [i for i, value in enumerate(column.tolist()) if is_missing(value)]
    if missing:
        raise DataError(
            f"time is missing in {count(len(missing), 'row')} ({some_rows(missing)}).",
            remedy="Leave out these rows, or the column.",
        )


def _refuse_containers(column: NDArray[Any], name: str) -> None:
    """Refuse what cannot distinguish rows, such as lists."""
    try:
        dict.fromkeys(column[starts_of_runs(column)].tolist())
    except Exception:  # of a type of others
        raise DataError(f"{name} must hold text or numbers; got {shown(column[0])}.") from None


def refuse_duplicate_rows(p: PredictionColumns) -> None:
    """A case is predicted once by a model in a fold; twice is a faulty join or export."""
    if p.row is None:
        return
    told = [c for c in (p.model, p.repeat, p.fold, p.part, p.row) if c is not None]
    code = joint_codes(map(distinct, told))
    if code.size and (last := int(code.max())) < MAX_DENSITY * code.size:
        there = np.zeros(last + 1, bool)
        there[code] = True
        if np.count_nonzero(there) == code.size:
            return
    _, first, counts = np.unique(code, return_index=True, return_counts=True)
    if (counts > 1).any():
        twice = p.row[first[counts > 1]]
        occur = "occurs" if len(twice) == 1 else "occur"
        raise DataError(
            f"{count(len(twice), 'row id')} {occur} more than once within a model and fold: "
            f"{some_rows(twice, identified=True)}. Give each repetition its own repeat or fold, or remove the copies."
        )


def canonical(column: NDArray[Any]) -> NDArray[Any]:
    """Return the column as every container would have given it: numpy's widths are not data."""
    if column.dtype.kind in "OU":
        column = np.array(column.tolist())  # as wide as its longest text; numbers become numbers
    if column.dtype.kind == "O":
        return column.astype(str)
    if column.dtype.kind == "f":
        return column + 0.0  # -0 is 0
    return column.astype(np.int64) if column.dtype.kind in "iu" else column


def at_hand(values: object, name: str) -> object:
    """Return what can be read only once as a list; what has no order is refused.

    >>> at_hand(map(str, range(2)), "y_true"), at_hand({1: "a"}.values(), "y_true")
    (['0', '1'], ['a'])
    """
    if values is None or type(values) is np.ndarray:  # most are, and it is the quickest to see
        return values
    if hasattr(values, "predict"):
        raise ParameterError(
            f"{name} is a {type(values).__name__}, not its predictions.", remedy=LET_PREDICT
        )
    if isinstance(values, AbstractSet) and not isinstance(values, VIEW_TYPES):
        raise DataError(
            f"{name} is a set, which has no order: its values cannot be matched with rows.",
            remedy="Give a list or an array.",
        )
    return list(values) if isinstance(values, (Iterator, *VIEW_TYPES)) else values


def is_reordered(column: object, beside: object) -> bool:
    """Whether a series of pandas has the index of another in another order, so that rows may not belong together.

    >>> import pandas as pd
    >>> y = pd.Series([1, 0, 1])
    >>> is_reordered(y[::-1], y), is_reordered(y.set_axis([7, 8, 9]), y), is_reordered([1, 0, 1], y)
    (True, False, False)
    """
    one: Any = getattr(column, "index", None)
    other: Any = getattr(beside, "index", None)
    if not hasattr(one, "equals") or not hasattr(other, "equals") or len(one) != len(other):
        return False
    if one.equals(other):
        return False
    try:
        return bool(one.sort_values().equals(other.sort_values()))
    except TypeError:  # labels that cannot be compared
        return False


def stated_order(*columns: object) -> tuple[Any, ...] | None:
    """Return the categories of the first ordered categorical, which say more than the alphabet.

    >>> import pandas as pd
    >>> size = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    >>> stated_order(["low"], pd.Series(["mid", "low"], dtype=size))
    ('low', 'mid', 'high')
    """
    for column in columns:
        kind: Any = getattr(column, "dtype", None)
        if getattr(kind, "ordered", False) or type(kind).__name__ == "Enum":
            return tuple(kind.categories)  # of polars, an Enum is ordered
    return None


def by_class(table: Any, classes: Sequence[Any]) -> tuple[Any, tuple[Finding, ...]]:  # noqa: ANN401
    """Return the columns of a frame in the order of the classes that they name, and what was taken without a name.

    >>> import pandas as pd
    >>> by_class(pd.DataFrame({"p_b": [0.9], "p_a": [0.1]}), ("a", "b"))[0].columns.tolist()
    ['p_a', 'p_b']
    """
    names: Any = getattr(table, "column_names", getattr(table, "columns", ()))
    wanted = list(map(str, classes))
    if len(names) != len(wanted) or not all(isinstance(name, Hashable) for name in names):
        return table, ()
    texts = [str(name) for name in names]
    called = dict(zip(texts, names, strict=True))
    for rests in ((rest := [split_prefix(text)[1] for text in texts]), [r.strip() for r in rest]):
        if set(called) != set(wanted):
            called = dict(zip(rests, names, strict=True))
    if set(called) == set(wanted):
        order = [called[name] for name in wanted]
        if order == list(names):
            return table, ()
        return (table.select(order) if hasattr(table, "select") else table[order]), ()
    if _numbered(texts):
        return table, ()
    if set(called) & set(wanted):
        lacking = next(name for name in wanted if name not in called)
        raise DataError(
            f"Probabilities have no column for the class {shown(lacking)}, but {columns_text(texts)}.",
            remedy="Call every column like its class.",
        )
    return table, (COLUMNS_BY_POSITION(columns=columns_text(texts), first=shown(wanted[0])),)


def _numbered(names: Sequence[str]) -> bool:
    """Whether names count columns from 0 or 1 on, as those do that were made of an array.

    >>> _numbered(["p0", "p1"]), _numbered(["p1", "p2"]), _numbered(["p2", "p1"])
    (True, True, False)
    """
    ends = [re.search(r"[0-9]*$", name) for name in names]
    numbers = [end[0] for end in ends if end]
    return any(numbers == [str(start + i) for i in range(len(names))] for start in (0, 1))


def columns_text(columns: Sequence[str], most: int = MAX_LISTED) -> str:
    """Write the names of columns, the first few of many.

    >>> columns_text(["sex"]), columns_text(["sex", "age"])
    ("column 'sex'", "columns 'sex', 'age'")
    """
    listed = ", ".join(repr(c) if c.strip() else "without a name" for c in columns[:most])
    more = f" ... ({len(columns)} in all)" if len(columns) > most else ""
    return f"column{'s' if len(columns) > 1 else ''} {listed}{more}"


def unused_columns(columns: list[str]) -> tuple[Finding, ...]:
    """Say which columns were left aside; nothing where there are none."""
    if not columns:
        return ()
    finding = UNUSED_COLUMNS(columns=columns_text(columns), first=columns[0])
    return (replace(finding, data={"columns": columns}),)


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
