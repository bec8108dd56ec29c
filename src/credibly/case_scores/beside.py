"""What is known of cases beside what is predicted of them: stated once for every kind of prediction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly.errors import DataError, ParameterError, says
from credibly.predictions.columns import is_reordered
from credibly.predictions.findings import REORDERED_INDEX

WeightKind = Annotated[
    Literal["frequency", "importance"] | None,
    "Whether weights count cases (``frequency``) or matter (``importance``, the default).",
]


class GivenColumns(TypedDict, total=False):
    """What functions take of cases, which may count unequally."""

    row: Annotated[Sequence[Any] | None, "Identifiers of the cases."]
    group: Annotated[Sequence[Any] | None, "Groups of cases that belong together."]
    columns: Annotated[Mapping[str, Any] | None, "Other columns of the cases, to slice by."]
    sample_weight: Annotated[Sequence[float] | None, "How much each case counts."]
    weight_kind: WeightKind


class OtherNames(TypedDict, total=False):
    """What functions that read a table take of its cases, which may count unequally."""

    group: Annotated[str | None, "The column of groups of cases that belong together."]
    columns: Annotated[
        Sequence[str] | None,
        "Other columns of the cases, to slice by; all others by default, where a row is a case.",
    ]
    format: Annotated[str | None, "The format of the file, if its suffix does not show it."]
    weight: Annotated[str | None, "The column of how much each case counts."]
    weight_kind: WeightKind


def given_columns(**columns: object) -> dict[str, Any]:
    """Return what was given of the cases: rows, groups, weights, times, other columns."""
    if not isinstance(columns.get("columns", {}), Mapping | None):
        raise ParameterError(says("<columns> is a dictionary of columns by name."))
    return {name: given for name, given in columns.items() if given is not None}


def each_column(beside: Mapping[str, Any], change: Any) -> dict[str, Any]:  # noqa: ANN401
    """Change every column alike, such as by taking some cases, or by repeating all.

    >>> each_column({"group": ["a", "b"], "weight_kind": "frequency"}, lambda c: c[::-1])
    {'group': array(['b', 'a'], dtype='<U1'), 'weight_kind': 'frequency', 'columns': {}}
    """
    made = {c: v if isinstance(v, str) else change(np.asarray(v)) for c, v in beside.items() if c != "columns"}  # fmt: skip
    columns = beside.get("columns") or {}
    return {**made, "columns": {c: change(np.asarray(v)) for c, v in columns.items()}}


def for_each_model(beside: Mapping[str, Any], models: Sequence[str], n: int) -> dict[str, Any]:
    """Repeat what is known of n cases for every model.

    >>> for_each_model({"group": ["a", "b"]}, ["tree", "forest"], 2)["model"].tolist()
    ['tree', 'tree', 'forest', 'forest']
    """
    k = len(models)
    made = each_column(beside, lambda column: np.tile(column, k))
    if k > 1:
        made.setdefault("row", np.tile(np.arange(n), k))
        made["model"] = np.repeat(np.array(models, object), n)
    return made


def alike_within(told: Mapping[str, Any], case: NDArray[Any], cases: Sequence[str]) -> dict[str, Any]:  # fmt: skip
    """Return what the rows of a long table say of each case; another column that differs within a case says nothing of it.

    >>> told = {"columns": {"site": np.array(["x", "x", "y"]), "grade": np.array([1, 2, 1])}}
    >>> alike_within(told, np.array(["q1", "q1", "q2"]), ["q2", "q1"])
    {'columns': {'site': array(['y', 'x'], dtype='<U1')}}
    """
    place = {c: i for i, c in enumerate(cases)}
    known = [(place[c], i) for i, c in enumerate(map(str, case.tolist())) if c in place]
    of, rows = np.array(known, np.intp).reshape(-1, 2).T
    first = np.full(len(cases), -1)
    first[of[::-1]] = rows[::-1]
    lacking = bool((first < 0).any())

    def of_case(column: NDArray[Any]) -> NDArray[Any] | None:
        return None if lacking or (column[rows] != column[first][of]).any() else column[first]

    made = each_column(told, of_case)
    columns = {c: v for c, v in made.pop("columns").items() if v is not None}
    for name, column in made.items():
        if column is None:
            raise DataError(f"The rows of a case differ in their {name}, or a case has none.")
    return {**made, **({"columns": columns} if columns else {})}


def other_order(beside: object, given: Mapping[str, object]) -> tuple[Finding, ...]:
    """Doubt columns of pandas whose index is that of another in another order."""
    return tuple(REORDERED_INDEX(it=name) for name, c in given.items() if is_reordered(c, beside))
