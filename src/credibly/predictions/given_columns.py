"""Columns as people hand them over: read once, without an order, or with an index of their own."""

from __future__ import annotations

from collections.abc import (
    Hashable,
    ItemsView,
    Iterator,
    KeysView,
    Sequence,
    Set as AbstractSet,
    ValuesView,
)
from typing import Any

import numpy as np

from credibly.errors import DataError

VIEWS = (KeysView, ItemsView, ValuesView)  # of a dictionary, in its order


def at_hand(values: object, name: str) -> object:
    """Return what can be read only once as a list; what has no order is refused.

    >>> at_hand(map(str, range(2)), "y_true"), at_hand({1: "a"}.values(), "y_true")
    (['0', '1'], ['a'])
    """
    if values is None or type(values) is np.ndarray:  # most are, and it is the quickest to see
        return values
    if isinstance(values, AbstractSet) and not isinstance(values, VIEWS):
        raise DataError(
            f"{name} is a set, which has no order: its values cannot be matched with rows.",
            remedy="Give a list or an array.",
        )
    return list(values) if isinstance(values, (Iterator, *VIEWS)) else values


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


def by_class(table: Any, classes: Sequence[Any]) -> Any:  # noqa: ANN401
    """Return the columns of a frame in the order of the classes, where they are called like these.

    >>> import pandas as pd
    >>> by_class(pd.DataFrame({"b": [0.9], "a": [0.1]}), ("a", "b")).columns.tolist()
    ['a', 'b']
    """
    names: Any = getattr(table, "column_names", getattr(table, "columns", ()))
    called = {str(name): name for name in names if isinstance(name, Hashable)}
    wanted = list(map(str, classes))
    if len(called) != len(names) or sorted(called) != sorted(wanted) or list(called) == wanted:
        return table
    order = [called[name] for name in wanted]
    return table.select(order) if hasattr(table, "select") else table[order]
