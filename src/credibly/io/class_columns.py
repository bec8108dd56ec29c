"""Predictions of classes from the columns of a file: labels, scores, probabilities and shares of classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.errors import DataError, says
from credibly.io.classes import (
    agree,
    class_columns,
    every_class,
    missing_marks,
    refuse_real,
    typed,
    without_marks,
)
from credibly.io.findings import MISSING_AS_TEXT
from credibly.io.guesses import check_numbers, check_predicted
from credibly.io.number_columns import refuse_empty
from credibly.io.role_assignment import settle_probability
from credibly.predictions.labels import Labels, as_labels, likely_positive, shorten
from credibly.predictions.predicted_columns import marked_missing

if TYPE_CHECKING:
    from credibly.io._source import Source
    from credibly.io.roles import Roles


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
