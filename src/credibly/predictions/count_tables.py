"""Tables of counts: how many cases of each class got each label, in any of the forms in which they come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly.errors import DataError
from credibly.predictions.labelled_tables import (
    LabelledTable,
    is_undecided,
    labelled_table,
    starting,
)
from credibly.predictions.labels import as_label, as_labels

if TYPE_CHECKING:
    from credibly.predictions.labelled_tables import Orientation


def count_columns(
    table: object, classes: Sequence[Any] | None, orientation: Orientation | None
) -> dict[str, Any]:
    """Return the arguments of :meth:`Predictions.of` for a table of counts: a row for each cell that is not empty."""
    names = None if classes is None else as_labels(classes, "classes")
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
