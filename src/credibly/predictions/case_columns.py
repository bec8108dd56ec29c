"""Columns of cases beside truth and prediction, to slice by: kept where they are until one is used."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.parameters import one_of, require
from credibly._core.text import one_or_several, shown
from credibly.errors import DataError, ParameterError, listed
from credibly.predictions.labels import as_column, dates_as_text, is_missing, shorten
from credibly.predictions.numbers import frozen, same_length

Column = NDArray[Any]


def _nothing(name: str) -> Column:
    raise KeyError(name)


@dataclass(frozen=True, slots=True, eq=False)
class CaseColumns(Mapping[str, Column]):
    """Columns by name, each of which ``read`` returns when it is asked for.

    ``written`` are those that go along where predictions are written; the others are written under the
    name of their role, or belong to data that stand elsewhere. ``roles`` are columns that hold truth, predictions
    and the like themselves.

    >>> columns = CaseColumns.of({"sex": ["f", "m", None]}, 3)
    >>> columns.take(np.array([2, 0]))["sex"].tolist()
    [None, 'f']
    """

    names: tuple[str, ...] = ()
    read: Callable[[str], Column] = _nothing
    written: tuple[str, ...] = ()
    roles: frozenset[str] = frozenset()

    __eq__, __hash__ = object.__eq__, object.__hash__  # to compare them all would read them all

    @classmethod
    def of(cls, given: Any, n: int) -> CaseColumns:  # noqa: ANN401
        """Take the columns of a mapping, which are copied, or of a frame, of which a view is kept."""
        if isinstance(given, CaseColumns):  # whose length is known when one is read
            return given
        if not isinstance(given, Mapping):
            return of_frame(given, n)
        columns = {str(name): plain_column(values, str(name)) for name, values in given.items()}
        for name, column in columns.items():
            same_length(column, n, name)
        return cls(tuple(columns), columns.__getitem__, tuple(columns))

    def __getitem__(self, name: str) -> Column:
        if name not in self.names:
            raise KeyError(name)
        return self.read(name)

    def __contains__(self, name: object) -> bool:
        return name in self.names  # without reading it

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"CaseColumns({', '.join(self.names)})"

    @property
    def free(self) -> tuple[str, ...]:
        """Those that say something of the cases beside truth and prediction."""
        return tuple(n for n in self.names if n not in self.roles)

    def take(self, rows: Any) -> CaseColumns:  # noqa: ANN401
        """Return the same columns of some rows."""
        return replace(self, read=partial(_taken, self, rows)) if self else self

    def unwritten(self) -> CaseColumns:
        """Return the same columns, none of which is written with predictions."""
        return replace(self, written=())


NO_COLUMNS = CaseColumns()


def stacked(parts: Sequence[CaseColumns]) -> CaseColumns:
    """Return the columns that all parts have, the rows of one below those of the other.

    >>> a, b = CaseColumns.of({"x": [1], "y": [2]}, 1), CaseColumns.of({"x": [3]}, 1)
    >>> stacked([a, b])["x"].tolist(), list(stacked([a, b]))
    ([1, 3], ['x'])
    """
    names = tuple(n for n in parts[0] if all(n in part for part in parts))
    written = tuple(n for n in names if all(n in part.written for part in parts))
    roles = frozenset().union(*(part.roles for part in parts))
    return (
        CaseColumns(names, partial(_stacked, tuple(parts)), written, roles) if names else NO_COLUMNS
    )


def of_frame(frame: object, n: int) -> CaseColumns:
    """Return the columns of a frame; what happens to the frame afterwards does not change them."""
    import narwhals.stable.v2 as nw

    try:
        taken = nw.from_native(frame, eager_only=True, pass_through=False)  # type: ignore[call-overload]
    except TypeError:
        raise ParameterError(
            f"columns must be a dictionary of columns by name, or a frame; got {shown(frame)}."
        ) from None
    keys = {str(key): key for key in taken.columns}
    # The one kind that can be written to: its copies share memory.
    if taken.implementation.is_pandas():
        taken = nw.from_native(taken.to_native().copy(deep=False), eager_only=True)
    same_length(np.empty(len(taken)), n, "columns")
    return CaseColumns(tuple(keys), partial(_of_frame, taken, keys), tuple(keys))


def named_attributes(X: Any) -> CaseColumns:  # noqa: ANN401, N803
    """Return the columns of what a model predicts from, to slice by, if they have names.

    They belong to the data, so they are not written with predictions.
    """
    named = hasattr(X, "columns") or hasattr(X, "column_names")
    try:
        return of_frame(X, len(X)).unwritten() if named else NO_COLUMNS
    except ParameterError:
        return NO_COLUMNS


def plain_column(values: object, name: str) -> Column:
    """Return a column that can be sliced by: dates as text, and None for whatever is missing.

    >>> plain_column(np.array(["2024-01-31", "NaT"], "datetime64[D]"), "day").tolist()
    ['2024-01-31', None]
    """
    array = dates_as_text(as_column(values, name)).copy()
    if array.dtype.kind == "O" and not {*map(type, array.flat)} <= {str, int, bool}:
        array[:] = [None if is_missing(v) else v for v in array.tolist()]
    return frozen(array)


def _taken(columns: CaseColumns, rows: Any, name: str) -> Column:  # noqa: ANN401
    return frozen(columns[name][rows])


def _stacked(parts: tuple[CaseColumns, ...], name: str) -> Column:
    found = [part[name] for part in parts]
    if len({column.dtype.kind for column in found}) > 1:
        found = [column.astype(object) for column in found]
    return frozen(np.concatenate(found))


def _of_frame(frame: Any, keys: Mapping[str, Any], name: str) -> Column:  # noqa: ANN401
    import narwhals.stable.v2 as nw

    series = frame.get_column(keys[name])
    if isinstance(series.dtype, nw.Categorical | nw.Enum):
        series = series.cast(nw.String)
    missing = np.asarray(series.is_null().to_numpy(), bool)
    if not missing.any():
        return plain_column(series.to_numpy(), name)
    column = np.full(missing.size, None, object)  # numbers beside gaps stay what they are
    column[~missing] = dates_as_text(series.filter(~series.is_null()).to_numpy()).tolist()
    return plain_column(column, name)


CLASS_SLICES = ("class", "occurring_class")  # slices that show classes one by one
SLICES = ("model", "repeat", "fold", "part", "group", *CLASS_SLICES)
OTHER_COLUMNS = (
    "Any other column must be given with the predictions, such as columns={'site': ...}."
)
MAX_SLICES = 50_000
MAX_LISTED = 20
MAX_NUMBERS, MIN_CASES = 20, 5  # different ones, and cases of each, where numbers are slices


def asked_slices(
    columns: CaseColumns, by: str | Sequence[str] | None, cases: float = math.inf
) -> list[str]:
    """Return the columns to slice by, each of which must be there; any column of the cases serves.

    Numbers that are nearly all different among so many ``cases`` do not.

    >>> from credibly import Predictions
    >>> p = Predictions.of([1, 0], [1, 1], columns={"sex": ["f", "m"]})
    >>> [asked_slices(p.columns, by) for by in ("sex", ["fold", "sex"], None)]
    [['sex'], ['fold', 'sex'], []]
    """
    if by is None:
        return []
    given = one_or_several(by, "by", "columns")
    own = shorten(columns.names, MAX_LISTED)
    every, of_all = one_of(*SLICES, *columns), one_of(*SLICES).text
    known = replace(every, text=f"a column of the cases ({own})" if columns else of_all)
    remedy = (
        f"Predictions themselves are sliced by {listed(SLICES, 'or')}."
        if columns
        else OTHER_COLUMNS
    )
    asked = [str(require("by", name, known, remedy)) for name in given]
    for name in asked:
        if name not in SLICES:
            _refuse_numbers(name, columns[name], cases)
    return asked


def _refuse_numbers(name: str, column: NDArray[Any], cases: float) -> None:
    """Refuse numbers that are nearly all different, of which every slice would be a few cases."""
    if column.dtype.kind not in "iuf":
        return
    different = len(np.unique(column))
    if different > MAX_NUMBERS and cases < MIN_CASES * different:
        raise ParameterError(
            f"{name!r} holds {different:,} different numbers in {cases:,.10g} cases, so that most slices "
            "would be a few cases.",
            remedy="Slice by a column of ranges in its place, such as four of them.",
        )


def refuse_many(columns: Sequence[str], slices: int) -> None:
    """Refuse columns that hold a value of its own for nearly every case, before any slice is judged."""
    if slices > MAX_SLICES and not set(columns) <= set(SLICES):
        raise DataError(
            f"{', '.join(columns)} cut the cases into {slices:,} slices; at most {MAX_SLICES:,} can "
            "be evaluated at once. Round the numbers, or use columns with fewer values."
        )
