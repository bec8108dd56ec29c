"""Columns of numbers that are judged: predicted ones beside the true ones, and outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly.errors import DataError, ParameterError, listed, says
from credibly.io.classes import is_real, without_marks
from credibly.predictions.column_names import (
    BETTER_COLUMN,
    HIGHEST_COLUMN,
    LOWEST_COLUMN,
    OUTCOME_NAME_COLUMN,
    WEIGHT_KIND,
)
from credibly.predictions.numbers import are_passes
from credibly.predictions.outcomes import is_pass_or_fail

if TYPE_CHECKING:
    from credibly.io._source import Source
    from credibly.io.roles import Roles

MAX_SHOWN_VALUES = 4  # values of a column that should be of one


def numeric_prediction(source: Source, roles: Roles) -> dict[str, Any]:
    """Return predicted numbers beside the true ones, and the mean of the training part if it is there."""
    baseline = roles.chosen.get("baseline")
    if baseline is not None and not isinstance(baseline, str):
        raise ParameterError(
            says(
                "<baseline=> is one column, the mean of the training part, when numbers are predicted."
            )
        )
    truth = _true_numbers(source, str(roles.chosen["truth"]))
    refuse_empty(source, truth.size)
    columns: dict[str, Any] = {
        "y_true": truth,
        "value": source.numbers(str(roles.chosen["value"])),
    }
    if baseline is not None:
        columns["baseline"] = source.numbers(baseline)
    return columns


def _direction(source: Source, roles: Roles) -> object:
    """Return which way of the outcome is better, where its format or a column says so."""
    spec = roles.chosen["outcome"]
    stated = source.directions.get(spec) if isinstance(spec, str) else None
    if stated or BETTER_COLUMN not in roles.telling:
        return stated
    return _of_all(source, BETTER_COLUMN, source.labels(BETTER_COLUMN).values)


def _reach(source: Source, roles: Roles) -> tuple[float, float] | None:
    """Return the lowest and the highest outcome that there can be, where columns say so."""
    if not {LOWEST_COLUMN, HIGHEST_COLUMN}.issubset(roles.telling):
        return None
    ends = {
        name: np.unique(source.numbers(name)).tolist() for name in (LOWEST_COLUMN, HIGHEST_COLUMN)
    }
    low, high = (_of_all(source, *end) for end in ends.items())
    return low, high


def _of_all(source: Source, column: str, said: Sequence[Any]) -> Any:  # noqa: ANN401
    """Return the one thing that a column says of every outcome."""
    if len(said) > 1:
        raise DataError(
            f"{source.where} holds outcomes of several kinds: {column!r} is {listed(map(str, said[:MAX_SHOWN_VALUES]))}.",
            remedy="Read those of one kind at a time, from a file of their own.",
        )
    return next(iter(said), None)


def name_of_outcomes(source: Source, roles: Roles) -> str:
    """Return what the mean of outcomes is called, where the file says so."""
    if OUTCOME_NAME_COLUMN not in roles.telling:
        return ""
    return str(
        _of_all(source, OUTCOME_NAME_COLUMN, source.labels(OUTCOME_NAME_COLUMN).values) or ""
    )


def kind_of_weights(source: Source, roles: Roles) -> Any:  # noqa: ANN401
    """Return what weights stand for, where a file of ours says so in a column beside them."""
    said = told_beside(source, roles, WEIGHT_KIND)
    return said if said in {"frequency", "importance"} else None


def told_beside(source: Source, roles: Roles, column: str) -> Any:  # noqa: ANN401
    """Return what a column of ours says of all rows, if it says one thing."""
    said = source.labels(column).values if column in roles.telling else ()
    return said[0] if len(said) == 1 else None


def outcomes(source: Source, roles: Roles, better: object, bounds: object) -> dict[str, Any]:
    """Return outcomes, by the name of the model where each has a column of its own."""
    spec = roles.chosen["outcome"]
    for column in {*roles.telling} - {
        BETTER_COLUMN,
        LOWEST_COLUMN,
        HIGHEST_COLUMN,
        OUTCOME_NAME_COLUMN,
        WEIGHT_KIND,
    }:  # by which metric cases were scored
        _of_all(source, column, source.labels(column).values)
    told = {
        "better": better or _direction(source, roles),
        "bounds": _reach(source, roles) if bounds is None else bounds,
    }
    if isinstance(spec, str):
        return {"outcome": _outcome(source, spec), **told}
    if "model" in roles.chosen:
        raise ParameterError(
            says("<outcome=> names a column for each model, and <model=> a column of their names."),
            remedy=says(
                "Name one column of outcomes, or set <ignore={it}>.", it=roles.chosen["model"]
            ),
        )
    named = spec if isinstance(spec, Mapping) else {name: name for name in spec}
    return {"outcome": {str(model): _outcome(source, c) for model, c in named.items()}, **told}


def _outcome(source: Source, column: str) -> NDArray[Any]:
    """Return one column of outcomes: words and truth values for pass and fail as they are, all else as numbers."""
    if source.kind(column) == "text" and all(map(is_pass_or_fail, source.labels(column).values)):
        return source.column(column)
    values = _true_numbers(source, column)
    refuse_empty(source, values.size)
    if are_passes(values) and all(
        isinstance(v, bool | np.bool_) for v in source.labels(column).values
    ):
        return np.array([False, True, None], object)[
            np.where(np.isnan(values), 2, values).astype(int)
        ]
    return values


def _true_numbers(source: Source, column: str) -> NDArray[np.float64]:
    """Return the true numbers, NaN also where a mark such as NA stands for a missing one."""
    try:
        return source.numbers(column)
    except DataError:
        labels = source.labels(column)
        found = without_marks(labels, is_real)
        if found is labels:
            raise
        return np.array([*map(float, found.values), np.nan])[found.codes]


def refuse_empty(source: Source, rows: int) -> None:
    """Refuse a source that has columns and no rows."""
    if not rows:
        raise DataError(f"{source.where} has columns and no rows. There is nothing to evaluate.")
