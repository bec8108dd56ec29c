"""Predictions made of the columns of a source, each by the role that it was given or found to have."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.text import in_lines, lower_first, several
from credibly.errors import Argument, DataError, MissingColumnError, VerbName, says
from credibly.io._declare import open_source
from credibly.io._files import spooled
from credibly.io._source import Source
from credibly.io.case_columns import case_columns, named_columns
from credibly.io.count_tables import refuse_list, refuse_table
from credibly.io.guesses import other_kind
from credibly.io.judged_columns import (
    class_prediction,
    kind_of_weights,
    named_outcomes,
    numeric_prediction,
    outcomes,
    told_beside,
)
from credibly.io.role_assignment import assign, settle_task
from credibly.io.roles import Roles, UnnamedColumnError, columns_of, existing
from credibly.predictions import Predictions
from credibly.predictions.column_names import CLASSES_COLUMN, POSITIVE_COLUMN
from credibly.predictions.columns import DESIGN_COLUMNS
from credibly.predictions.exchange import SPAN_COLUMNS
from credibly.predictions.table import NUMBER_COLUMNS

DEFAULT_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class ReadPredictions:
    """Predictions with the columns that were there and those that each role was taken from."""

    predictions: Predictions
    columns: tuple[str, ...]
    roles: dict[str, list[str]]
    guessed: Mapping[str, Any] = field(default_factory=dict)  # what their values alone said


def read_roles(source: object, asked: Mapping[str, Any], **told: Any) -> ReadPredictions:  # noqa: ANN401
    """Read predictions by the roles of columns; where there are none, say of which other kind they look to be."""
    try:
        return _read_roles(source, asked, **told)
    except (MissingColumnError, DataError) as error:
        if isinstance(error, UnnamedColumnError) and error.clear:
            raise
        named = any(column is not None for column in asked.values())
        kind = None if named else other_kind(source, told.get("format"))
        if kind is None:
            raise
        title, verb = lower_first(kind.title), VerbName(kind.function.__name__)
        remedy = says("It looks like another kind of prediction ({it}): use {verb}.", it=title, verb=verb)  # fmt: skip
        raise type(error)(error.found, remedy=remedy) from None


def _read_roles(
    source: object,
    asked: Mapping[str, Any],
    *,
    positive: object = None,
    classes: Sequence[Any] | None = None,
    threshold: float | None = None,
    weight_kind: Literal["frequency", "importance"] | None = None,
    ignore: Sequence[str] = (),
    tolerance: float | None = None,
    matrix: bool | None = None,
    format: str | None = None,  # noqa: A002
    columns: Sequence[str] | None = None,
    better: Literal["higher", "lower"] | None = None,
    bounds: Sequence[float] | None = None,
    percent: bool = False,
    by_values: Sequence[Argument] = (),
    at_once: bool = False,
) -> ReadPredictions:
    """Read predictions as :func:`read` does, with the roles in ``asked``; say which were found."""
    with (
        spooled(source) as here,
        closing(open_source(here, format)) as opened,
        in_lines(opened.lines),
    ):
        _hide(opened, ignore)
        asked = {**opened.roles, **{role: c for role, c in asked.items() if c is not None}}
        named = opened.roles or any(asked.get(c) is not None for c in NUMBER_COLUMNS)
        unsure = matrix is None and not named
        if unsure:
            refuse_table(here, opened)
        roles = assign(opened, asked, threshold=threshold is not None, positive=positive)
        roles.by_values = by_values
        beside = None if columns is None else named_columns(opened, columns)
        numbers, labels = roles.to_load()
        opened.load(numbers, [*labels, *roles.identifying(), *(beside or ())])
        settle_task(roles, of_classes=any(x is not None for x in (classes, positive, threshold)))
        said: tuple[Finding, ...] = ()
        named, told = named_outcomes(opened, roles, bounds), kind_of_weights(opened, roles)
        if "outcome" in roles.chosen:
            found = outcomes(opened, roles, better, bounds)
        elif "value" in roles.chosen:
            found = numeric_prediction(opened, roles)
        else:
            found, said = _of_classes(opened, roles, classes, positive, threshold, percent=percent)
        if unsure:
            refuse_list(roles, found)
        found |= _rows(opened, roles)
        said = (*roles.doubts(), *said)
        if at_once or here is not source:  # standard input, which cannot be read again
            beside = list(dict.fromkeys(opened.names))
        others = case_columns(opened, here, format, beside, roles.columns())
        span = opened.pair(SPAN_COLUMNS) if opened.kept.get("binned") else None
        opened.close()  # which gives memory back, before columns are copied
        nearest = next(t for t in (tolerance, opened.tolerance, DEFAULT_TOLERANCE) if t is not None)
        kind = weight_kind or opened.kept.get("weight_kind") or told
        predictions = Predictions.of(**found, columns=others, weight_kind=kind, tolerance=nearest)
    predictions = _as_kept(replace(predictions, **named), opened, roles, said, span)
    chosen = {role: columns_of(c) for role, c in roles.chosen.items()}
    return ReadPredictions(predictions, opened.names, chosen)


def _as_kept(
    predictions: Predictions,
    opened: Source,
    roles: Roles,
    said: tuple[Finding, ...],
    span: Floats | None,
) -> Predictions:
    """Return predictions with what a file of ours says of itself, or with what reading another file found."""
    if opened.kept:
        from credibly.io.save import restore

        return restore(predictions, opened.kept, span)
    findings = (*said, *roles.finding(), *roles.unused(), *opened.findings)
    return replace(predictions, findings=(*predictions.findings, *findings))


def _of_classes(
    source: Source,
    roles: Roles,
    classes: Sequence[Any] | None,
    positive: object,
    threshold: float | None,
    *,
    percent: bool,
) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """Return the truth and what was predicted, of the classes that were named or that the file has kept."""
    if classes is None:
        classes = source.kept.get("classes") or _told_classes(source, roles)
    if positive is None:
        positive = source.kept.get("positive", told_beside(source, roles, POSITIVE_COLUMN))
    found, findings = class_prediction(source, roles, classes, positive, threshold)
    if percent and "probability" in found:
        found["probability"] = found["probability"] / 100
    return found, findings


def _told_classes(source: Source, roles: Roles) -> list[Any] | None:
    """Return the classes in the order that a column of ours tells."""
    said = told_beside(source, roles, CLASSES_COLUMN)
    with suppress(TypeError, ValueError):
        classes = json.loads(said)
        return classes if isinstance(classes, list) else None
    return None


def _hide(source: Source, ignore: Sequence[str]) -> None:
    """Give no role to a column that is to be ignored."""
    aside = several(ignore, "ignore", "names of columns")
    source.hidden |= {existing(source, "ignore", name) for name in aside}


def _rows(source: Source, roles: Roles) -> dict[str, Any]:
    """Return what describes a row beside its truth and prediction."""
    roles.take_identifier()
    given: dict[str, Any] = {
        role: source.column(str(roles.chosen[role]))
        for role in DESIGN_COLUMNS
        if role in roles.chosen
    }
    for role, argument in (("weight", "sample_weight"), ("n_train", "n_train")):
        if role in roles.chosen:
            given[argument] = source.numbers(str(roles.chosen[role]))
    return given
