"""Predictions of several models for the same cases, put together as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import of_models
from credibly._core.text import count, shown, some_rows
from credibly.errors import DataError, OneModel, ParameterError, says
from credibly.predictions.case_columns import CaseColumns, stacked
from credibly.predictions.findings import ALIGNED_BY_POSITION
from credibly.predictions.numbers import column_of
from credibly.predictions.outcomes import of_one_score, reach_of
from credibly.predictions.outputs import MAY_BE_ABSENT, filled
from credibly.predictions.parts import all_rows
from credibly.predictions.provenance import Design, merged

if TYPE_CHECKING:
    from credibly.predictions.table import PredictionColumns

NAMED_REMEDY = "Models are joined on the same cases. Judge other cases by themselves."
SHARED_FACTS = ("task", "classes", "positive", "better", "bounds", "weight_kind")
SHARED_COLUMNS = (
    "truth",
    "value",
    "outcome",
    "weight",
    "repeat",
    "fold",
    "part",
    "group",
    "time",
    "baseline",
    "n_train",
)


def joined(models: Mapping[str, PredictionColumns]) -> PredictionColumns:
    """Put the predictions of several models together, each under its name; refuse other cases."""
    if not models:
        raise ParameterError("There are no models to join.")
    parts = {str(name): _of_one_model(str(name), p) for name, p in models.items()}
    first, *others = parts
    for name in others:
        _refuse_other(parts[first], parts[name], first, name)
    each = list(parts.values())
    by_place = [ALIGNED_BY_POSITION()] if others and any(p.row is None for p in each) else []
    columns: dict[str, Any] = {
        c: np.concatenate([getattr(p, c) for p in each]) for c in SHARED_COLUMNS if _has(each[0], c)
    }
    columns |= _outputs(each)
    return replace(
        each[0],
        **columns,
        bounds=reach_of(each),
        row=np.concatenate([np.arange(p.n) if p.row is None else p.row for p in each]),
        model=np.repeat(list(parts), [p.n for p in each]),
        findings=(*of_models({name: p.findings for name, p in parts.items()}), *by_place),
        provenance=merged([p.provenance for p in each]),
        design=Design.merged(p.design for p in each),
        columns=_case_columns(each),
        cache={},
    )


def _has(p: PredictionColumns, column: str) -> bool:
    return getattr(p, column) is not None


def _of_one_model(name: str, given: PredictionColumns) -> PredictionColumns:
    if not hasattr(given, "provides"):
        raise ParameterError(f"{name} must be Predictions; got {shown(given)}.")
    p = all_rows(given)
    if p.span is not None or p.design.counted:
        raise DataError(f"{name} holds counts, which cannot be matched case by case.")
    if len(p.model_names) > 1:
        raise DataError(
            f"{name} already holds the predictions of several models.",
            remedy=says("Select one with {one}.", one=OneModel.of(p.model_names)),
        )
    return p


def _outputs(parts: Sequence[PredictionColumns]) -> dict[str, Any]:
    """Return the columns of predictions, missing in all rows of a model that lacks one."""
    made = {}
    for name in MAY_BE_ABSENT:
        columns = [getattr(p, name) for p in parts]
        if name == "probability" and len({c.ndim for c in columns if c is not None}) > 1:
            columns = [
                c if c is None or c.ndim > 1 else _of_each_class(c, p)
                for c, p in zip(columns, parts, strict=True)
            ]
        if any(c is not None for c in columns):
            made[name] = np.concatenate(filled(columns, [p.n for p in parts]))
    return made


def _of_each_class(probability: NDArray[Any], p: PredictionColumns) -> NDArray[Any]:
    each = [column_of(probability, i, p.positive) for i in range(len(p.classes))]
    return np.column_stack(each)


def _case_columns(parts: Sequence[PredictionColumns]) -> CaseColumns:
    """Return the columns of the cases; predictions that came without any have those of the others."""
    donor = next((p for p in parts if p.columns), parts[0])
    return stacked([p.columns or donor.columns.take(_places(donor, p)) for p in parts])


def _places(donor: PredictionColumns, p: PredictionColumns) -> NDArray[np.intp]:
    """Return where the cases of one stand among those of the other."""
    if donor.row is None or p.row is None:
        return np.arange(p.n)
    place = {row: i for i, row in reversed(list(enumerate(donor.row.tolist())))}
    return np.array([place[row] for row in p.row.tolist()], np.intp)


def _refuse_other(first: PredictionColumns, other: PredictionColumns, a: str, b: str) -> None:
    """Refuse predictions of other cases, or of another kind."""
    for name in SHARED_FACTS:
        mine, theirs = getattr(first, name), getattr(other, name)
        if mine != theirs and not (name == "bounds" and of_one_score(first, other)):
            raise DataError(
                f"{a} and {b} differ in {name.replace('_', ' ')} ({mine!r} and {theirs!r}).",
                remedy=says("Set the same for both when you make them."),
            )
    for name in SHARED_COLUMNS:
        if _has(first, name) != _has(other, name):
            has, lacks = (a, b) if _has(first, name) else (b, a)
            raise DataError(f"{has} has the column {name}, which {lacks} lacks.")
    _refuse_other_cases(first, other, a, b)


def _refuse_other_cases(first: PredictionColumns, other: PredictionColumns, a: str, b: str) -> None:
    if first.row is None or other.row is None:
        if first.n != other.n:
            sizes = f"{a} has {count(first.n, 'row')} and {b} {count(other.n, 'row')}"
            raise DataError(f"{sizes}, so they are not for the same cases.", remedy=NAMED_REMEDY)
        differ = np.flatnonzero(
            ~np.isclose(first.truth, other.truth, rtol=0, atol=0, equal_nan=True)
        )
    elif np.array_equal(first.row, other.row) and np.array_equal(first.truth, other.truth):
        return  # without a look at each
    else:
        truths = [
            dict(zip(row.tolist(), p.truth.tolist(), strict=True))
            for row, p in ((first.row, first), (other.row, other))
        ]
        mine, theirs = truths
        same = {
            r for r in mine.keys() & theirs.keys() if mine[r] == theirs[r] or mine[r] != mine[r]
        }
        differ = np.array(sorted((mine.keys() | theirs.keys()) - same, key=str))
    if differ.size:
        raise DataError(
            f"{a} and {b} are not for the same cases: {count(differ.size, 'row')} "
            f"{'differs' if differ.size == 1 else 'differ'} in what was observed, or "
            f"stand in one of them alone: {some_rows(differ, identified=first.row is not None)}.",
            remedy=NAMED_REMEDY,
        )
