"""Columns of a file that are judged: labels, scores and probabilities of classes, predicted numbers, and outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.errors import DataError, ParameterError, listed, says
from credibly.io.classes import (
    agree,
    class_columns,
    every_class,
    is_real,
    missing_marks,
    refuse_real,
    typed,
    without_marks,
)
from credibly.io.findings import MISSING_AS_TEXT
from credibly.io.guesses import check_numbers, check_predicted
from credibly.io.role_assignment import settle_probability
from credibly.predictions.column_names import (
    BETTER_COLUMN,
    HIGHEST_COLUMN,
    LOWEST_COLUMN,
    OUTCOME_NAME_COLUMN,
    WEIGHT_KIND,
)
from credibly.predictions.labels import Labels, as_labels, likely_positive, shorten
from credibly.predictions.numbers import are_passes
from credibly.predictions.outcomes import is_pass_or_fail
from credibly.predictions.predicted_columns import marked_missing

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
            f"{source.where} holds outcomes of several kinds: {column!r} is {listed(map(str, said), most=MAX_SHOWN_VALUES)}.",
            remedy="Read those of one kind at a time, from a file of their own.",
        )
    return next(iter(said), None)


def named_outcomes(source: Source, roles: Roles, bounds: object) -> dict[str, Any]:
    """Return what the mean of outcomes is called, where the file says so, and its ends: of a case the score may reach further."""
    if OUTCOME_NAME_COLUMN not in roles.telling:
        return {}
    name = _of_all(source, OUTCOME_NAME_COLUMN, source.labels(OUTCOME_NAME_COLUMN).values)
    ends = {"bounds": _reach(source, roles)} if bounds is None else {}
    return {"outcome_name": str(name or ""), **ends}


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
    if bounds is None and OUTCOME_NAME_COLUMN not in roles.telling:
        bounds = _reach(source, roles)
    told = {"better": better or _direction(source, roles), "bounds": bounds}
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


def class_prediction(
    source: Source,
    roles: Roles,
    classes: Sequence[Any] | None,
    positive: object,
    threshold: float | None,
) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """Return the arguments of :meth:`Predictions.of` for classes."""
    check_numbers(roles)
    found, marked = _labels(source, roles, classes)
    known = list(dict.fromkeys(v for labels in found.values() for v in labels.values))
    order = _order(source, roles, classes, known)
    settle_probability(roles, known if order is None else order, known)
    check_predicted(roles)
    columns: dict[str, Any] = {"y_true": found["truth"], "classes": order, "threshold": threshold}
    # As the file writes it: 2.0 is the class 2, once its column is read as whole numbers.
    if isinstance(positive, str):
        positive = typed(positive, known if order is None else order)
    columns["positive"] = positive
    if "label" in found:
        columns["label"] = found["label"]
    if "score" in roles.chosen:
        columns["score"] = source.numbers(str(roles.chosen["score"]))
    if "probability" in roles.chosen:
        columns |= _probability(source, roles, known, order, positive)
    if "baseline" in roles.chosen:
        columns["baseline"] = _baseline(source, roles, known, columns)
    return columns, (*marked, *_missing_looking(source, roles, found))


def _labels(
    source: Source, roles: Roles, classes: Sequence[Any] | None
) -> tuple[dict[str, Labels], tuple[Finding, ...]]:
    used: list[str] = [r for r in ("truth", "label") if r in roles.chosen]
    text = [source.is_text(str(roles.chosen[r])) for r in used]
    raw = [source.labels(str(roles.chosen[r])) for r in used]
    marked: tuple[Finding, ...] = ()
    for i, role in enumerate(used):
        column = str(roles.chosen[role])
        named = source.order(column) if classes is None else classes
        findings, raw[i] = marked_missing(raw[i], named, f"{source.where}: column {column!r}")
        marked += findings
    raw[0] = raw[0] if text[0] else without_marks(raw[0])
    refuse_empty(source, raw[0].codes.size)
    found: dict[str, Labels] = dict(zip(used, agree(raw, text), strict=True))
    for (role, labels), told in zip(found.items(), text, strict=True):
        if not told:
            refuse_real(labels, str(roles.chosen[role]), source.where)
    return found, marked


def _order(
    source: Source, roles: Roles, classes: Sequence[Any] | None, known: list[Any]
) -> list[Any] | None:
    """Return the classes in the order that the user or the file gives."""
    told = None if classes is None else as_labels(classes)
    given = told if told is not None else source.order(str(roles.chosen["truth"]))
    return [typed(c, known) for c in given] if given is not None else None


def _probability(
    source: Source, roles: Roles, known: list[Any], order: list[Any] | None, positive: object
) -> dict[str, Any]:
    spec = roles.chosen["probability"]
    if isinstance(spec, str):
        return {"probability": source.numbers(spec)}
    matched = class_columns(spec, known, order, "probability")
    names = every_class(matched, known, order, "probability")
    if len(matched) == 1 and len(names) == 2:
        about, column = next(iter(matched.items()))
        p = source.numbers(column)
        if positive is None or str(positive) == str(about):
            return {"probability": p, "positive": about}
        both = [p if c == about else 1 - p for c in names]
        return {"probability": np.column_stack(both), "classes": names}
    matrix = np.column_stack([source.numbers(matched[c]) for c in names])
    return {"probability": matrix, "classes": names}


def _baseline(source: Source, roles: Roles, known: list[Any], columns: Mapping[str, Any]) -> Floats:
    """Return the training part's share of each class, one row per case."""
    spec = roles.chosen["baseline"]
    order = columns["classes"]
    if not isinstance(spec, str):
        matched = class_columns(spec, known, order, "baseline")
    else:
        names = order if order is not None else sorted(known)
        about = columns["positive"] if columns["positive"] is not None else likely_positive(names)
        if len(names) != 2 or about is None:
            raise DataError(
                says(
                    "<baseline=> is one column, {column!r}, but the classes are {classes}.",
                    column=spec,
                    classes=shorten(names),
                ),
                remedy=says(
                    "Name one column per class or, for two classes, the positive class with <positive=...>."
                ),
            )
        matched = {typed(about, names): spec}
    names = every_class(matched, known, order, "baseline")
    shares = {c: source.numbers(column) for c, column in matched.items()}
    if len(shares) < len(names):
        shares |= {c: 1 - next(iter(shares.values())) for c in names if c not in shares}
    return np.column_stack([shares[c] for c in names])


def _missing_looking(
    source: Source, roles: Roles, found: Mapping[str, Labels]
) -> tuple[Finding, ...]:
    """Say when a class is called like a missing value, which some programs write as text."""
    findings = []
    for role, labels in found.items():
        for mark in missing_marks(labels):
            rows = int((labels.codes == labels.values.index(mark)).sum())
            findings.append(
                MISSING_AS_TEXT(
                    column=f"{source.where}: column {roles.chosen[role]!r}",
                    what="the class ",
                    marks=repr(mark),
                    rows=count(rows, "row"),
                    so="which may stand for a missing value",
                    remedy="Leave a missing label empty.",
                )
            )
    return tuple(findings)
