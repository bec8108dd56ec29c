"""By which columns cases can be sliced, and how many slices these make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.parameters import one_of, require
from credibly._core.words import several
from credibly.errors import DataError, ParameterError
from credibly.predictions.labels import shorten

if TYPE_CHECKING:
    from credibly.predictions.artifact import Predictions

CLASSES = ("class", "occurring_class")  # slices that show classes one by one
SLICES = ("model", "repeat", "fold", "part", "group", *CLASSES)
OTHER_COLUMNS = (
    "Any other column must be given with the predictions, such as columns={'site': ...}."
)
MOST_SLICES = 50_000
LISTED = 20
MOST_NUMBERS, FEWEST_CASES = 20, 5  # different ones, and cases of each, where numbers are slices


def asked_slices(
    p: Predictions, by: str | Sequence[str] | None, *, in_ranges: bool = False
) -> list[str]:
    """Return the columns to slice by, each of which must be there; any column of the cases serves.

    Numbers that are nearly all different serve only ``in_ranges``.

    >>> from credibly import Predictions
    >>> p = Predictions.of([1, 0], [1, 1], columns={"sex": ["f", "m"]})
    >>> asked_slices(p, "sex"), asked_slices(p, ["fold", "sex"]), asked_slices(p, None)
    (['sex'], ['fold', 'sex'], [])
    """
    if by is None:
        return []
    given = [by] if isinstance(by, str) else several(by, "by", "columns")
    remedy = f"Other columns: {shorten(p.columns.names, LISTED)}." if p.columns else OTHER_COLUMNS
    every = one_of(*SLICES, *p.columns)
    known = replace(every, text=one_of(*SLICES).text)
    asked = [str(require("by", name, known, remedy)) for name in given]
    for name in asked:
        if name not in SLICES and not in_ranges:
            _refuse_numbers(name, p.columns[name], p.cases)
    return asked


def _refuse_numbers(name: str, column: NDArray[Any], cases: float) -> None:
    """Refuse numbers that are nearly all different, of which every slice would be a few cases."""
    if column.dtype.kind not in "iuf":
        return
    different = len(np.unique(column))
    if different > MOST_NUMBERS and cases < FEWEST_CASES * different:
        raise ParameterError(
            f"{name!r} holds {different:,} different numbers in {cases:,.10g} cases, so that most slices "
            "would be a few cases.",
            remedy=f"Slice by ranges: give the predictions a column of them, such as pandas.cut(frame[{name!r}], 4).",
        )


def refuse_many(columns: Sequence[str], slices: int) -> None:
    """Refuse columns that hold a value of its own for nearly every case, before any slice is judged."""
    if slices > MOST_SLICES and not set(columns) <= set(SLICES):
        raise DataError(
            f"{', '.join(columns)} cut the cases into {slices:,} slices; at most {MOST_SLICES:,} can "
            "be evaluated at once. Round the numbers, or use columns with fewer values."
        )
