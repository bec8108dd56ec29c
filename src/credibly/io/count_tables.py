"""Tables of counts from files and frames, and files that look like one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly.errors import DataError, says
from credibly.io.square_tables import read_square_table, table_lines, with_whole_classes
from credibly.predictions import Design, Predictions
from credibly.predictions.column_names import NAMES, PREDICTED_NAMES, plain_name
from credibly.predictions.labelled_tables import LabelledTable, is_total, starting
from credibly.predictions.labels import is_missing, joint_codes
from credibly.predictions.numbers import is_number

if TYPE_CHECKING:
    from credibly.io._source import Source
    from credibly.io.roles import Roles
    from credibly.predictions.labelled_tables import Orientation

MAX_BYTES = 1 << 20  # of a file that is looked at
MAX_ROWS = 3_000  # of what is looked at: the cells of fifty classes, as a list
COUNT_COLUMNS = (
    "count", "counts", "n", "freq", "frequency", "frequencies", "cases", "number", "instances",
)  # fmt: skip
LABEL_COLUMNS = (*NAMES["label"], *PREDICTED_NAMES)
TRUTH_COLUMNS = (*NAMES["truth"], "reference")
NO_LABEL = "no label"
LIST_WIDTH = 3  # columns of a list of cells: actual, predicted, count
EITHER_WAY_REMEDY = says(
    "Set <matrix=True> to read it as counts, or <matrix=False> if its rows are cases."
)


def listed_cells(
    lines: Sequence[Sequence[Any]], orientation: Orientation | None, where: str = ""
) -> LabelledTable | None:
    """Return the table of a list of cells, such as actual, predicted, count: rows are actual classes.

    Of a table there is nothing: its rows and its columns have the same names.

    >>> table = listed_cells([["predicted", "actual", "n"], ["yes", "no", 5], ["no", "no", 7]], "actual")
    >>> table.rows, table.columns, table.values.tolist()
    (('no', 'yes'), ('no', 'yes'), [[7.0, 5.0], [0.0, 0.0]])
    """
    if not lines or any(len(line) != LIST_WIDTH for line in lines):
        return None
    header = [plain_name(str(name)) for name in lines[0][:2]]
    truths, labels = ([n in known for n in header] for known in (TRUTH_COLUMNS, LABEL_COLUMNS))
    turned = labels[0] > labels[1] or truths[1] > truths[0]
    straight = labels[1] > labels[0] or truths[0] > truths[1]
    told = truths[0] != truths[1] and labels[0] != labels[1]
    same = {*lines[0][1:]} == {line[0] for line in lines[1:]}
    if not told and (same or all(is_number(line[1]) for line in lines[1:])):
        return None
    turned = turned or (orientation == "predicted" and not straight)
    cells: dict[tuple[Any, Any], Any] = {}
    for line in lines[1:]:
        pair = (line[1], line[0]) if turned else (line[0], line[1])
        pair = pair[0], NO_LABEL if is_missing(pair[1]) or pair[1] == "" else pair[1]
        if pair in cells:
            raise DataError(
                starting(
                    where, f"the pair of actual {pair[0]!r} and predicted {pair[1]!r} occurs twice."
                )
            )
        cells[pair] = line[2]
    names = [*dict.fromkeys(a for a, _ in cells), *dict.fromkeys(p for _, p in cells)]
    columns = list(dict.fromkeys(names))
    rows = [c for c in columns if c != NO_LABEL]
    body = [[a, *(cells.get((a, p), 0) for p in columns)] for a in rows]
    return LabelledTable.of_lines([["", *columns], *body], where, "count")


def counted(p: Predictions) -> Predictions:
    """Say of predictions that they are counts of cases, which have no order and no names."""
    return replace(p, design=Design(counted=True), cache={})


def read_table(
    source: object, classes: Sequence[Any] | None, orientation: Orientation | None, positive: object
) -> Predictions:
    """Read a table with a row and a column for each class, or a list of its cells, from a file or a frame."""
    file = Path(source) if isinstance(source, str | PathLike) else None
    where = "" if file is None else f"{file.name}: "
    lines = _lines_of_frame(source) if file is None else table_lines(file, "count")
    listed = listed_cells(lines, orientation, where)
    if listed is not None:
        table: object = with_whole_classes(listed) if classes is None else listed
        orientation = "actual"
    else:
        table = source if file is None else read_square_table(file, classes, "count")
    return Predictions.from_counts(
        table, classes=classes, orientation=orientation, positive=positive
    )


def lines_of(source: object, most: int) -> list[list[Any]]:
    """Return header and rows of a text file or a frame of so many lines at most; nothing of anything else."""
    if isinstance(source, str | PathLike):
        file = Path(source)
        if not file.is_file() or file.stat().st_size > MAX_BYTES or _lines(file) > most:
            return []
        try:
            return table_lines(file)
        except DataError:
            return []
    return _lines_of_frame(source, most)


def _lines_of_frame(source: object, most: int = MAX_ROWS) -> list[list[Any]]:
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import NarwhalsError

    try:
        frame = nw.from_native(source, eager_only=True, pass_through=True)
    except NarwhalsError:  # the reader will say so
        return []
    if not isinstance(frame, nw.DataFrame) or len(frame) > most:
        return []
    return [[*frame.columns], *(list(row) for row in frame.rows())]


def _lines(file: Path) -> int:
    with file.open("rb") as lines:
        return sum(not line.isspace() for line in lines)


def refuse_table(source: object, opened: Source) -> None:
    """Refuse a table of counts that is about to be read as a few cases.

    Its first column holds the names of the other columns, and these hold whole numbers, which are no
    probabilities: rows of those sum to 1.
    """
    from credibly.io.weka import WekaSource

    # A header, a row for each class, and the totals: longer tables are cases. Printed ones have no columns.
    most = len(opened.names) + 2 if len(opened.names) > 1 else MAX_ROWS
    lines = [] if isinstance(opened, WekaSource) else lines_of(source, most)
    if not lines or not 2 < len(lines) <= len(lines[0]) + 2:
        return
    try:
        table = LabelledTable.of_lines(lines)
    except DataError:
        return
    rows, columns = (
        {str(n) for n in names if not is_total(n)} for names in (table.rows, table.columns)
    )
    whole = (table.values >= 0).all() and (table.values == np.rint(table.values)).all()
    if rows == columns and whole and (table.values.sum(axis=1) != 1).any():
        raise DataError(
            f"{opened.where} looks like a table of counts: its rows and its columns have the same names, "
            f"{', '.join(sorted(rows)[:6])}.",
            remedy=EITHER_WAY_REMEDY,
        )


def refuse_list(roles: Roles, columns: Mapping[str, Any]) -> None:
    """Refuse a list of counts that is about to be read as a few cases: each pair of truth and label stands once."""
    others = [c for c in roles.source.names if c not in roles.columns()]
    if {*roles.chosen} != {"truth", "label"} or len(others) != 1:
        return
    other = others[0]
    pairs = joint_codes([columns["y_true"], columns["label"]])
    if (
        plain_name(other) in COUNT_COLUMNS
        and np.unique(pairs).size == pairs.size
        and roles.source.kind(other) == "whole"
    ):
        raise DataError(
            f"{roles.source.where} looks like a table of counts: each pair of "
            f"{roles.chosen['truth']!r} and {roles.chosen['label']!r} occurs once, beside {other!r}.",
            remedy=EITHER_WAY_REMEDY,
        )
