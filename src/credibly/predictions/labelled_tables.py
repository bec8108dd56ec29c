"""Square tables with a row and a column for each class, as they are printed: labelled, with totals or without."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.text import count, shown
from credibly.errors import DataError, ParameterError, listed, says
from credibly.predictions.labels import as_array, as_label, as_labels, shorten
from credibly.predictions.numbers import is_number

Orientation = Literal["actual", "predicted"]

UNDECIDED_NAMES = frozenset({"no label", "unclassified", "undecided", "?"})
PREDICTED_NAMES = frozenset({"predicted", "prediction", "predictions", "pred"})
TOTAL_NAMES = frozenset({"total", "totals", "sum", "sums", "all", "margin", "margins"})


def check_orientation(orientation: object) -> None:
    """Refuse an orientation that does not say what the rows of a table are."""
    if orientation not in ("actual", "predicted"):
        raise DataError(
            f"orientation says what the rows are: 'actual' or 'predicted'; got {shown(orientation)}."
        )


@dataclass(frozen=True, slots=True, eq=False)
class LabelledTable:
    """Numbers by the names of their row and column; ``where`` is what complaints start with.

    >>> table = LabelledTable.of_lines([["", "a", "b"], ["b", "1", "2"], ["a", "3", "4"]])
    >>> table.rows, table.ordered(["a", "b"]).tolist()
    (('b', 'a'), [[3.0, 4.0], [1.0, 2.0]])
    """

    rows: tuple[Any, ...]
    columns: tuple[Any, ...]
    values: Floats
    where: str = ""
    corner: str = ""  # what the rows are called

    @classmethod
    def of_lines(
        cls, lines: Sequence[Sequence[Any]], where: str = "", noun: str = "number"
    ) -> LabelledTable:
        """Take a header that names the columns, and lines that start with the name of their row."""
        across = tuple(_stripped(c) for c in lines[0][1:])
        down = tuple(_stripped(line[0]) for line in lines[1:])
        for name, line in zip(down, lines[1:], strict=True):
            if len(line) - 1 != len(across):
                raise DataError(
                    starting(
                        where,
                        f"the row {name!r} has {len(line) - 1} {noun}s; {len(across)} are expected, "
                        f"one for each of {shorten(across)}.",
                    )
                )
        values = [
            [_number(cell, starting(where, f"the {noun} in row {name!r}, column {c!r}"))
             for cell, c in zip(line[1:], across, strict=True)]
            for name, line in zip(down, lines[1:], strict=True)
        ]  # fmt: skip
        table = np.array(values, float).reshape(len(down), len(across))
        return cls(down, across, table, where, str(lines[0][0] or "").strip())

    def turned(self) -> LabelledTable:
        """Return the table with its rows as columns."""
        return LabelledTable(self.columns, self.rows, self.values.T, self.where)

    def of_actual_rows(self, orientation: Orientation | None, noun: str) -> LabelledTable:
        """Return the table with actual classes in its rows, unless that cannot be known."""
        if orientation is not None:
            check_orientation(orientation)
        elif (re.findall(r"\w+", self.corner.lower()) or [""])[0] in PREDICTED_NAMES:
            raise DataError(
                starting(
                    self.where,
                    f"the rows are called {self.corner!r}, but rows are actual classes unless "
                    "you say otherwise.",
                ),
                remedy=says(
                    "Set <orientation='predicted'> if they are predicted ones, else <orientation='actual'>."
                    if noun == "count"
                    else "Exchange rows and columns if they are predicted ones, else call them actual."
                ),
            )
        return self.turned() if orientation == "predicted" else self

    def check_names(self) -> None:
        """Refuse a class that names a row or a column but not both, or one of them twice."""
        pairs = ((self.rows, self.columns, "row"), (self.columns, self.rows, "column"))
        for names, others, this in pairs:
            for name in names:
                if names.count(name) > 1:
                    raise DataError(
                        starting(self.where, f"the class {name!r} names a {this} twice.")
                    )
                if name not in others:
                    raise DataError(
                        starting(
                            self.where,
                            f"the class {name!r} names a {this} "
                            f"but no {'column' if this == 'row' else 'row'} "
                            f"(rows: {shorten(self.rows)}; columns: {shorten(self.columns)}).",
                        ),
                        asked=str(name),
                        choices=map(str, others),
                        remedy="Every class names one row and one column.",
                    )

    def ordered(self, classes: Sequence[Any]) -> Floats:
        """Return the numbers in the order of these classes, which must be those of the table.

        A class that is a number may be written as text.
        """
        self.check_names()
        for names, others, what in (
            (classes, self.rows, "has no row and column for the class {!r}"),
            (self.rows, classes, "has a row {!r}, which is not one of the classes"),
        ):
            texts = [str(c) for c in others]
            for name in names:
                if str(name) not in texts:
                    raise DataError(
                        starting(
                            self.where,
                            f"the table {what.format(name)} "
                            f"(rows: {shorten(self.rows)}; classes: {shorten(classes)}).",
                        ),
                        asked=str(name),
                        choices=texts,
                    )
        places = [[str(c) for c in names] for names in (self.rows, self.columns)]
        down, across = ([names.index(str(c)) for c in classes] for names in places)
        return self.values[np.ix_(down, across)]

    def without_totals(self, classes: Sequence[Any] = ()) -> LabelledTable:
        """Leave out the row and the column of totals, if they fit; what ``classes`` names is no total."""
        table = self.without_total_row(classes).turned()
        return table.without_total_row(classes, "row").turned()

    def without_total_row(self, classes: Sequence[Any], summed: str = "column") -> LabelledTable:
        """Leave out the row of totals, each of one that is ``summed``, if they fit."""
        total = [is_total(name) and name not in classes for name in self.rows]
        if not any(total):
            return self
        kept = ~np.array(total)
        sums = self.values[kept].sum(axis=0)
        for told in self.values[~kept]:
            for j in np.flatnonzero(told != sums)[:1]:
                name = self.columns[j]
                what = "all counts" if is_total(name) else f"the {summed} {name!r}"
                raise DataError(
                    starting(
                        self.where,
                        f"the total of {what} is said to be {told[j]:,.10g}, but the counts sum "
                        f"to {sums[j]:,.10g}.",
                    ),
                    remedy=says(
                        "Correct one of them; a class with the name of a total must be listed in <classes=...>."
                    ),
                )
        rows = tuple(name for name, left in zip(self.rows, kept, strict=True) if left)
        return replace(self, rows=rows, values=self.values[kept])


def starting(where: str, sentence: str) -> str:
    """Start a sentence with where it holds, or with a capital.

    >>> starting("", "the table ..."), starting("t.csv: ", "the table ...")
    ('The table ...', 't.csv: the table ...')
    """
    return where + sentence if where else sentence[:1].upper() + sentence[1:]


def is_total(name: object) -> bool:
    """Whether a row or a column of this name holds the sums of the others.

    >>> is_total("Total"), is_total("tot"), is_total(3)
    (True, False, False)
    """
    return isinstance(name, str) and name.strip().lower() in TOTAL_NAMES


def is_undecided(name: object) -> bool:
    """Whether a column of this name holds the cases that got no label."""
    return name is None or (isinstance(name, str) and name.strip().lower() in UNDECIDED_NAMES)


def _stripped(name: object) -> Any:  # noqa: ANN401
    return name.strip() if isinstance(name, str) else name


def _number(cell: Any, what: str) -> float:  # noqa: ANN401
    if not is_number(cell):
        raise DataError(f"{what} is not a number: {shown(cell, 40)}.")
    return float(cell)


def _forms(noun: str) -> str:
    outcomes = "outcomes such as {'fn': 5, 'fp': 1}, " if noun == "cost" else ""
    return (
        f"A table of {noun}s is {outcomes}a list of rows, an array, a frame with a column for each class, a "
        "mapping such as {('yes', 'no'): 5} or {'yes': {'no': 5}}"
    )


def labelled_table(
    table: object, classes: tuple[Any, ...] | None, noun: str = "number"
) -> LabelledTable:
    """Take a table in any form; one without names has those of ``classes``, in their order."""
    if isinstance(table, LabelledTable):
        return table
    if isinstance(table, Mapping):
        return _of_mapping(table, noun)
    if hasattr(table, "columns") or hasattr(table, "column_names"):
        return _of_frame(table, classes, noun)
    cells = _cells(table, noun)
    if cells and any(isinstance(c, str) and not is_number(c) for c in cells[0]):
        return LabelledTable.of_lines(cells, noun=noun)
    return _bare(cells, classes, noun)


def _cells(table: object, noun: str) -> list[list[Any]]:
    """Return the cells of a list of rows."""
    if not isinstance(table, Sequence | np.ndarray) or isinstance(table, str | bytes):
        raise ParameterError(f"{_forms(noun)}; got {shown(table)}.")
    if isinstance(table, np.ndarray):
        return _rows(as_array(table, "matrix"), noun)
    if not all(
        isinstance(row, Sequence | np.ndarray) and not isinstance(row, str) for row in table
    ):
        raise ParameterError(f"{_forms(noun)}; got {shown(table)}.")
    return [list(row) for row in table]


def _rows(array: NDArray[Any], noun: str) -> list[list[Any]]:
    if array.ndim != 2:
        raise DataError(
            f"A table of {noun}s has rows and columns; this one has the shape {array.shape}."
        )
    cells: list[list[Any]] = array.tolist()
    return cells


def _bare(cells: list[list[Any]], classes: tuple[Any, ...] | None, noun: str) -> LabelledTable:
    """Take numbers without names."""
    wide = sorted({len(row) for row in cells})
    size = (
        f"{count(len(cells), 'row')} and {listed(map(str, wide), 'or') if wide else 'no'} columns"
    )
    if wide != [len(cells)]:
        raise DataError(
            f"A table of {noun}s is square, with a row and a column for each class; this one has {size}.",
            remedy="Name the rows and columns if some of them hold totals.",
        )
    if classes is None:
        raise DataError(
            f"The classes of a table of {size} have no names.",
            remedy=says("Set <classes=...>, in the order of the rows and columns."),
        )
    if len(classes) != len(cells):
        raise DataError(
            f"A table of {size} is not one of the {count(len(classes), 'class')} {shorten(classes)}."
        )
    header = ["", *classes]
    return LabelledTable.of_lines(
        [header, *([c, *row] for c, row in zip(classes, cells, strict=True))], noun=noun
    )


def _of_mapping(given: Mapping[Any, Any], noun: str) -> LabelledTable:
    """Take a mapping of pairs, or of mappings; what is not there is 0."""
    nested: dict[Any, dict[Any, Any]] = {}
    for key, value in given.items():
        if isinstance(value, Mapping):
            nested[key] = dict(value)
        elif isinstance(key, tuple) and len(key) == 2:
            nested.setdefault(key[0], {})[key[1]] = value
        else:
            raise ParameterError(f"{_forms(noun)}; got {shown({key: value})}.")
    across = [c for row in nested.values() for c in row]
    found = dict.fromkeys([*nested, *across])
    names = [c for c in found if not is_total(c) and not (is_undecided(c) and c not in nested)]
    rows = [*names, *(c for c in nested if c not in names)]
    columns = [*names, *(c for c in dict.fromkeys(across) if c not in names)]
    lines = [[name, *(nested.get(name, {}).get(c, 0) for c in columns)] for name in rows]
    return LabelledTable.of_lines([["", *columns], *lines], noun=noun)


def _of_frame(
    frame: Any,  # noqa: ANN401
    classes: tuple[Any, ...] | None,
    noun: str,
) -> LabelledTable:
    """Take a frame: its first column, where that holds text, or its index names the rows; else ``classes``."""
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import NarwhalsError

    try:
        taken = nw.from_native(frame, eager_only=True)
        names = list(taken.columns)
    except TypeError:
        raise ParameterError(f"{_forms(noun)}; got {type(frame).__name__}.") from None
    except NarwhalsError as error:
        raise DataError(f"The frame cannot be read: {' '.join(str(error).split())}.") from None
    columns: list[list[Any]] = [taken.get_column(c).to_list() for c in names]
    index = nw.maybe_get_index(taken)
    named, corner = {*map(str, names)}, ""
    if names and (
        not taken.get_column(names[0]).dtype.is_numeric()
        or (len(taken) == len(names) - 1 and {*map(str, columns[0])} == named - {str(names[0])})
    ):
        corner, rows, names, columns = str(names[0]), columns[0], names[1:], columns[1:]
    elif index is not None and _names_rows(index, named):
        corner, rows = str(index.name or ""), index.tolist()
    elif len(names) == len(taken) and {*map(str, classes or names)} == {*map(str, names)}:
        rows = names  # which stand in the order of the columns
    else:
        return _bare([list(row) for row in zip(*columns, strict=True)], classes, noun)
    across = {str(c): c for c in names}
    lines = [[across.get(str(row), row), *line] for row, *line in zip(rows, *columns, strict=True)]
    return LabelledTable.of_lines([[corner, *names], *lines], noun=noun)


def _names_rows(index: Any, columns: set[str]) -> bool:  # noqa: ANN401
    """Whether an index holds names, and does not just count the rows."""
    texts = [*map(str, index.tolist())]
    if index.dtype.kind not in "iu" or {*texts} == columns:
        return True
    return bool({*texts} & columns) and texts != [*map(str, range(len(texts)))]


def count_columns(
    table: object, classes: Sequence[Any] | None, orientation: Orientation | None
) -> dict[str, Any]:
    """Return the arguments of :meth:`Predictions.of` for a table of counts: a row for each cell that is not empty."""
    names = None if classes is None else as_labels(classes)
    labelled = labelled_table(table, names, "count").of_actual_rows(orientation, "count")
    _refuse_no_counts(labelled)
    labelled, undecided = _without_undecided(labelled.without_totals(names or ()))
    down, across = (
        tuple(as_label(c, "each class") for c in side) for side in (labelled.rows, labelled.columns)
    )
    labelled = replace(labelled, rows=down, columns=across)
    labelled.check_names()
    names = down if names is None else names
    counts = np.column_stack([labelled.ordered(names), [undecided.get(str(c), 0.0) for c in names]])
    if not counts.any():
        raise DataError(starting(labelled.where, "all counts are 0, so there is nothing to judge."))
    actual, predicted = np.nonzero(counts)
    labels = (*names, None)
    return {
        "y_true": [names[i] for i in actual],
        "label": [labels[i] for i in predicted],
        "sample_weight": counts[actual, predicted],
        "weight_kind": "frequency",
        "classes": names,
    }


def _without_undecided(table: LabelledTable) -> tuple[LabelledTable, dict[str, float]]:
    """Set apart the column of cases without a label, which is not a class: how many there are in each row."""
    apart = [is_undecided(c) and c not in table.rows for c in table.columns]
    kept = ~np.array(apart, bool)
    columns = tuple(c for c, aside in zip(table.columns, apart, strict=True) if not aside)
    beside = table.values[:, ~kept].sum(axis=1).tolist()
    found = dict(zip(map(str, table.rows), beside, strict=True))
    return replace(table, columns=columns, values=table.values[:, kept]), found


def _refuse_no_counts(table: LabelledTable) -> None:
    """Refuse what is not a number of cases, and say where it stands; rows are actual classes."""
    values = table.values
    bad = ~(np.isfinite(values) & (values >= 0) & (values == np.rint(values)))
    for i, j in np.argwhere(bad)[:1]:
        what = f"actual {table.rows[i]!r}, predicted {table.columns[j]!r}"
        raise DataError(
            starting(
                table.where,
                f"counts must be whole numbers of at least 0; that of {what} is {values[i, j]:g}.",
            ),
            remedy="Multiply shares by the number of cases." if 0 < values[i, j] < 1 else "",
        )
