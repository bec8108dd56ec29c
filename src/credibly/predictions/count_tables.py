"""Tables of counts: how many cases of each class got each label, in any of the forms in which they come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.words import count, shown
from credibly.errors import DataError, ParameterError, says
from credibly.predictions.labelled_tables import (
    LabelledTable,
    check_orientation,
    is_number,
    is_total,
    starting,
)
from credibly.predictions.labels import as_array, as_label, as_labels, shorten

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from credibly.predictions.labelled_tables import Orientation

FORMS = (
    "A table of counts is a list of rows, an array, a frame with a column for each class, a mapping "
    "such as {('yes', 'no'): 5} or {'yes': {'no': 5}}"
)


def count_columns(
    table: object, classes: Sequence[Any] | None, orientation: Orientation
) -> dict[str, Any]:
    """Return the arguments of :meth:`Predictions.of` for a table of counts: a row for each cell that is not empty."""
    check_orientation(orientation)
    names = None if classes is None else as_labels(classes, "classes")
    labelled = labelled_table(table, names)
    if orientation == "predicted":
        labelled = labelled.turned()
    _refuse_no_counts(labelled)
    labelled = labelled.without_totals(names or ())
    labelled.check_names()
    names = tuple(as_label(c, "each class") for c in labelled.rows) if names is None else names
    counts = labelled.ordered(names)
    if not counts.any():
        raise DataError(starting(labelled.where, "all counts are 0, so there is nothing to judge."))
    actual, predicted = np.nonzero(counts)
    return {
        "y_true": [names[i] for i in actual],
        "label": [names[i] for i in predicted],
        "sample_weight": counts[actual, predicted],
        "weight_kind": "frequency",
        "classes": names,
    }


def _refuse_no_counts(table: LabelledTable) -> None:
    """Refuse what is no number of cases, and say where it stands; rows are actual classes."""
    values = table.values
    bad = ~(np.isfinite(values) & (values >= 0) & (values == np.rint(values)))
    for i, j in np.argwhere(bad)[:1]:
        what = f"actual {table.rows[i]!r}, predicted {table.columns[j]!r}"
        raise DataError(
            starting(
                table.where,
                f"counts are whole numbers from 0 on; that of {what} is {values[i, j]:g}.",
            ),
            remedy="Multiply shares by the number of cases." if 0 < values[i, j] < 1 else "",
        )


def labelled_table(table: object, classes: tuple[Any, ...] | None) -> LabelledTable:
    """Take a table in any form; one without names has those of ``classes``, in their order."""
    if isinstance(table, LabelledTable):
        return table
    if isinstance(table, Mapping):
        return _of_mapping(table)
    if hasattr(table, "columns") or hasattr(table, "column_names"):
        return _of_frame(table, classes)
    cells = _cells(table)
    if cells and any(isinstance(c, str) and not is_number(c) for c in cells[0]):
        return LabelledTable.of_lines(cells, noun="count")
    return _bare(cells, classes)


def _cells(table: object) -> list[list[Any]]:
    """Return the cells of a list of rows."""
    if not isinstance(table, Sequence | np.ndarray) or isinstance(table, str | bytes):
        raise ParameterError(f"{FORMS}; got {shown(table)}.")
    if isinstance(table, np.ndarray):
        return _rows(as_array(table, "matrix"))
    if not all(
        isinstance(row, Sequence | np.ndarray) and not isinstance(row, str) for row in table
    ):
        raise ParameterError(f"{FORMS}; got {shown(table)}.")
    return [list(row) for row in table]


def _rows(array: NDArray[Any]) -> list[list[Any]]:
    if array.ndim != 2:
        raise DataError(
            f"A table of counts has rows and columns; this one has the shape {array.shape}."
        )
    cells: list[list[Any]] = array.tolist()
    return cells


def _bare(cells: list[list[Any]], classes: tuple[Any, ...] | None) -> LabelledTable:
    """Take numbers without names."""
    wide = sorted({len(row) for row in cells})
    size = f"{count(len(cells), 'row')} and {' or '.join(map(str, wide)) or 'no'} columns"
    if wide != [len(cells)]:
        raise DataError(
            f"A table of counts is square, with a row and a column for each class; this one has {size}.",
            remedy="Name the rows and columns if some of them hold totals.",
        )
    if classes is None:
        raise DataError(
            f"Nothing names the classes of a table of {size}.",
            remedy=says("Set <classes=...>, in the order of the rows and columns."),
        )
    if len(classes) != len(cells):
        raise DataError(
            f"A table of {size} is not one of the {count(len(classes), 'class')} {shorten(classes)}."
        )
    header = ["", *classes]
    return LabelledTable.of_lines(
        [header, *([c, *row] for c, row in zip(classes, cells, strict=True))], noun="count"
    )


def _of_mapping(given: Mapping[Any, Any]) -> LabelledTable:
    """Take a mapping of pairs, or of mappings; what is not there is 0."""
    nested: dict[Any, dict[Any, Any]] = {}
    for key, value in given.items():
        if isinstance(value, Mapping):
            nested[key] = dict(value)
        elif isinstance(key, tuple) and len(key) == 2:
            nested.setdefault(key[0], {})[key[1]] = value
        else:
            raise ParameterError(f"{FORMS}; got {shown({key: value})}.")
    across = [c for row in nested.values() for c in row]
    names = [c for c in dict.fromkeys([*nested, *across]) if not is_total(c)]
    rows = [*names, *(c for c in nested if c not in names)]
    columns = [*names, *(c for c in dict.fromkeys(across) if c not in names)]
    lines = [[name, *(nested.get(name, {}).get(c, 0) for c in columns)] for name in rows]
    return LabelledTable.of_lines([["", *columns], *lines], noun="count")


def _of_frame(frame: Any, classes: tuple[Any, ...] | None) -> LabelledTable:  # noqa: ANN401
    """Take a frame: its first column, where that holds text, or its index names the rows; else ``classes``."""
    import narwhals.stable.v2 as nw

    try:
        taken = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise ParameterError(f"{FORMS}; got {type(frame).__name__}.") from None
    names = list(taken.columns)
    columns: list[list[Any]] = [taken.get_column(c).to_list() for c in names]
    index = nw.maybe_get_index(taken)
    if names and not taken.get_column(names[0]).dtype.is_numeric():
        rows, names, columns = columns[0], names[1:], columns[1:]
    elif index is not None and ({*index.tolist()} & {*names} or index.dtype.kind not in "iu"):
        rows = index.tolist()
    elif len(names) == len(taken) and {*map(str, classes or names)} == {*map(str, names)}:
        rows = names  # which stand in the order of the columns
    else:
        return _bare([list(row) for row in zip(*columns, strict=True)], classes)
    lines = [list(line) for line in zip(rows, *columns, strict=True)]
    return LabelledTable.of_lines([["", *names], *lines], noun="count")
