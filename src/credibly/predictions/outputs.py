"""What one model gives and another lacks: a column that is missing in all rows of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.text import some_have, some_rows
from credibly.errors import DataError, MissingColumnError, says
from credibly.predictions.labels import ABSENT, MISSING, as_column, distinct
from credibly.predictions.numbers import missing_rows, same_length
from credibly.predictions.table import cached

if TYPE_CHECKING:
    from credibly.predictions.table import PredictionColumns

    Rows = NDArray[np.bool_]

# By which two probabilities must differ to say that one class is more probable.
EQUALLY_PROBABLE = 1e-9
MAY_BE_ABSENT = ("label", "score", "probability")  # of a model that others stand beside


def rows_without(column: NDArray[Any], model: object) -> Rows:
    """Say which rows belong to a model that fills a prediction column in none of its rows.

    >>> rows_without(np.array([np.nan, np.nan, np.nan, 0.5]), ["a", "a", "b", "b"]).tolist()
    [True, True, False, False]
    """
    if column.dtype.kind != "f":
        return np.asarray(column == ABSENT)
    return _of_models_without(missing_rows([column], len(column)), model)


def _of_models_without(missing: Rows, model: object) -> Rows:
    if model is None or not missing.any():
        return np.zeros(missing.size, bool)
    named = as_column([model] * missing.size if isinstance(model, str | int) else model, "model")
    same_length(named, missing.size, "model")
    codes = distinct(named).codes
    return np.asarray((np.bincount(codes, ~missing) == 0)[codes])


def lacking_rows(p: PredictionColumns, column: str) -> Rows | None:
    """Return the rows of models that lack a column while others have it; none where nobody does."""
    array = getattr(p, column) if column in MAY_BE_ABSENT else None
    if p.model is None or array is None:
        return None
    rows = cached(p, ("without", column), lambda: rows_without(array, p.model))
    return rows if rows.any() and not rows.all() else None


def models_without(p: PredictionColumns, column: str) -> tuple[Any, ...]:
    """Return the names of these models."""
    rows = lacking_rows(p, column)
    if p.model is None or rows is None:
        return ()
    named = p.model[rows]
    return cached(p, ("lacking", column), lambda: distinct(named).values)


def absent_among(p: PredictionColumns, rows: NDArray[Any] | slice) -> list[str]:
    """Return the columns that none of the models of some rows has."""
    without = {c: found[rows] for c in MAY_BE_ABSENT if (found := lacking_rows(p, c)) is not None}
    return [c for c, part in without.items() if part.size and part.all()]


def gaps_of(p: PredictionColumns, columns: Sequence[str]) -> Rows:
    """Say in which rows a number is missing that their model gives elsewhere."""
    found = np.zeros(p.n, bool)
    for c in columns:
        column = getattr(p, c)
        rows = None if column is None else missing_rows([column], p.n)
        if rows is not None and rows.any():
            without = lacking_rows(p, c)
            found |= rows if without is None else rows & ~without
    return found


def refuse_gaps(gaps: Rows, wanted_by: str) -> None:
    """What reads numbers must have left out the rows without one."""
    if gaps.any():
        rows = np.flatnonzero(gaps)
        raise DataError(
            says(
                "{who} needs a prediction in every row; {rows} none: {named}.",
                who=wanted_by,
                rows=some_have(rows.size, gaps.size, "row"),
                named=some_rows(rows),
            ),
            remedy="Leave them out: predictions.scored().",
        )


def refuse_lacking(wanted_by: str, what: str, names: tuple[Any, ...]) -> None:
    """What reads a column of all rows must not mix models with those that have none."""
    raise MissingColumnError(
        says(
            "{who} needs {what}, which {models} {lack}.",
            who=wanted_by,
            what=what,
            models=", ".join(map(str, names)),
            lack="lacks" if len(names) == 1 else "lack",
        ),
        remedy="Evaluate only the other models, or use a measure that all of them support.",
    )


def columns_and_gaps(
    columns: dict[str, Any], missing: dict[str, Rows], model: object
) -> tuple[dict[str, Any], Rows]:
    """Tell models that lack a column from rows without a prediction; return which rows are these.

    A model with scores or probabilities and without a single label is not undecided: it has no labels.
    """
    label, gaps = columns.get("label"), np.zeros(len(columns["truth"]), bool)
    given: list[str] = [c for c in ("score", "probability") if c in columns]
    without = {c: _of_models_without(missing.get(c, gaps), model) for c in given}
    for c, rows in missing.items():
        gaps = gaps | (rows & ~without[c])
    if label is not None and given:
        known = ~np.logical_and.reduce(list(without.values()))
        absent = _of_models_without(label == MISSING, model) & known
        if absent.any():
            label = np.where(absent, ABSENT, label).astype(label.dtype)
            label.flags.writeable = False
    # What no model has at all is no column, where something else is left.
    empty = [
        c
        for c, rows in without.items()
        if rows.size and rows.all() and (label is not None or len(given) > 1)
    ]
    kept = {c: a for c, a in columns.items() if c not in empty}
    if label is None or (label.size and (label == ABSENT).all()):
        return {**kept, "label": None}, gaps
    return {**kept, "label": label}, gaps


def not_most_probable(probability: NDArray[np.float64], label: NDArray[Any]) -> Rows:
    """Say which rows have a label that is not their most probable class; a tie has several.

    >>> not_most_probable(np.array([[0.5, 0.5], [0.9, 0.1], [0.2, 0.8]]), np.array([1, 1, -1]))
    array([False,  True, False])
    """
    own = np.take_along_axis(probability, np.maximum(label, 0)[:, None], 1)[:, 0]
    return np.asarray((label >= 0) & (own < probability.max(axis=1, initial=0) - EQUALLY_PROBABLE))


def certain_rows(p: PredictionColumns) -> Rows:
    """Say which rows give some class a probability of exactly 0 or 1."""
    shares = np.asarray(p.probability)
    return np.asarray(((shares <= 0) | (shares >= 1)).reshape(p.n, -1).any(axis=1))


def filled(columns: Sequence[NDArray[Any] | None], sizes: Sequence[int]) -> list[NDArray[Any]]:
    """Write down for models that lack a prediction column that it is absent.

    >>> filled([None, np.array([0.5])], [2, 1])
    [array([nan, nan]), array([0.5])]
    """
    there = next(c for c in columns if c is not None)
    nothing = np.nan if there.dtype.kind == "f" else ABSENT
    return [
        np.full((n, *there.shape[1:]), nothing, there.dtype) if c is None else c
        for c, n in zip(columns, sizes, strict=True)
    ]
