"""Which cases make a slice: by the values of columns, and by ranges of numbers chosen without outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.text import number_text
from credibly.errors import ParameterError, says
from credibly.predictions import Predictions
from credibly.predictions.identifiers import is_identifier
from credibly.predictions.labels import Labels, distinct, joint_codes, rows_by_code
from credibly.predictions.parts import each_once

MAX_VALUES = 30  # of a column that is searched; numbers are cut into ranges
MAX_SLICED_NUMBERS = 8  # different numbers that are slices themselves
MAX_CANDIDATES = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """The cases of a slice, by the values that they share."""

    keys: dict[str, Any]
    rows: NDArray[np.intp]


def cuts_by(p: Predictions, columns: Sequence[str], ranges: int | None = None) -> list[Cut]:
    """Return the slices that columns make together, in the order of their values; many numbers are cut into ranges.

    >>> p = Predictions.of([1, 0, 1], [1, 1, 1], columns={"sex": ["f", "m", "f"]})
    >>> [(c.keys, c.rows.tolist()) for c in cuts_by(p, ["sex"], 4)]
    [({'sex': 'f'}, [0, 2]), ({'sex': 'm'}, [1])]
    """
    if not columns:
        raise ParameterError(says("<by=...> names no column."))
    return _crossed({c: _slices_of(p, c, ranges) for c in columns})


def _slices_of(p: Predictions, column: str, ranges: int | None) -> Labels:
    values = p.values_of(column, says("<by={c}>", c=column))
    cut = in_ranges(values, ranges) if ranges and column in p.columns else None
    return distinct(values) if cut is None else cut


def _crossed(found: dict[str, Labels]) -> list[Cut]:
    return [
        Cut({c: f.values[int(f.codes[rows[0]])] for c, f in found.items()}, rows)
        for rows in rows_by_code(joint_codes(found.values()))
    ]


def candidates(p: Predictions, columns: Sequence[str], ways: int, ranges: int) -> list[Cut]:
    """Return the slices by each column, and by up to so many columns together, each set of cases once."""
    found = {c: _slices_of(p, c, ranges) for c in columns}
    seen: set[bytes] = set()
    made: list[Cut] = []
    for size in range(1, ways + 1):
        for chosen in combinations(found, size):
            for cut in _crossed({c: found[c] for c in chosen}):
                key = cut.rows.tobytes()
                if cut.rows.size < p.n and key not in seen:
                    seen.add(key)
                    made.append(cut)
            if len(made) > MAX_CANDIDATES:
                raise ParameterError(
                    f"{len(found)} columns make more than {MAX_CANDIDATES:,} slices.",
                    remedy=says("Name fewer columns with <by=...>, or set <ways=1>."),
                )
    return made


def searchable(p: Predictions, columns: Sequence[str] | None = None) -> list[str]:
    """Return the columns whose values can be searched: of all but identifiers where none are named.

    >>> p = Predictions.of([1, 0] * 15, [1, 1] * 15, columns={"customer": range(30), "sex": ["f", "m"] * 15})
    >>> searchable(p), searchable(p, ["customer"])
    (['sex'], ['customer'])
    """
    if columns is None:
        once = each_once(p).columns
        columns = [c for c in once.free if not is_identifier(c, once[c])]
    return [c for c in columns if in_ranges(p.columns[c], 1) is not None]


def in_ranges(column: NDArray[Any], ranges: int) -> Labels | None:
    """Return the values of a column as slices: numbers by quantiles; nothing where there are too many.

    >>> in_ranges(np.arange(100.0), 2).values  # and for numbers that are missing
    ('up to 49.5', 'over 49.5', None)
    >>> in_ranges(np.array(["a", "b"]), 2).values
    ('a', 'b')
    """
    numeric = column.dtype.kind in "iuf"
    labels = distinct(column)
    if not numeric or len(labels.values) <= MAX_SLICED_NUMBERS:
        return labels if len(labels.values) <= MAX_VALUES else None
    known = np.isfinite(column)
    inner = np.arange(1, ranges) / ranges
    edges = (
        np.unique(np.quantile(column[known], inner)) if known.any() and ranges > 1 else np.empty(0)
    )
    codes = np.where(known, np.searchsorted(edges, column, side="left"), edges.size + 1)
    written = [number_text(float(e)) for e in edges]
    names = [
        "all" if not written else f"up to {written[0]}" if i == 0
        else f"over {written[-1]}" if i == len(written) else f"over {written[i - 1]} to {written[i]}"
        for i in range(len(written) + 1)
    ]  # fmt: skip
    return Labels(codes, (*names, None))
