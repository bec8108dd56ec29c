"""Predictions as plain columns, under names by which they are read again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.words import count
from credibly.predictions.column_names import BETTER, CALLED, HIGHEST, LOWEST
from credibly.predictions.columns import DESIGN_COLUMNS
from credibly.predictions.labels import distinct
from credibly.predictions.parts import whole

if TYPE_CHECKING:
    from credibly.predictions.artifact import Predictions

LISTED = 8  # classes that are named
SPAN = ("span_low", "span_high")  # of bins of scores, in files of ours


def columns_of(p: Predictions, *, every: bool = False) -> dict[str, NDArray[Any]]:
    """Return one plain array a column, under names that :func:`credibly.read` recognises.

    With ``every``, other columns of the cases stand behind them.

    >>> from credibly import Predictions
    >>> p = Predictions.of(["no", "yes"], probability=[0.25, 0.5], fold=[0, 1])
    >>> list(columns_of(p))
    ['truth', 'label', 'p_yes', 'fold']
    """
    p = whole(p)
    others = p.columns.written if every else ()
    columns: dict[str, NDArray[Any]] = {}
    if p.task != "outcome":  # which have none
        columns["truth"] = _written(p, p.truth)
    if p.label is not None:
        columns["label"] = _written(p, p.label)
    if p.score is not None:
        columns["score"] = p.score
    if p.probability is not None and p.probability.ndim == 1 and p.positive is not None:
        columns[f"p_{p.classes[p.positive]}"] = p.probability
    elif p.probability is not None:
        columns |= _by_class("p", p, p.probability)
    plain = ("value", "outcome", "weight", *DESIGN_COLUMNS)
    columns |= {c: a for c in plain if (a := getattr(p, c)) is not None}
    if p.baseline is not None and p.task == "classification":
        columns |= _by_class("baseline", p, p.baseline)
    elif p.baseline is not None:
        columns["baseline"] = p.baseline
    if p.n_train is not None:
        columns["n_train"] = p.n_train
    columns |= {} if p.span is None else dict(zip(SPAN, p.span.T.copy(), strict=True))
    columns |= _of_every_outcome(p) if every else {}
    columns |= {c: p.columns[c] for c in others if c not in columns}
    return {n: np.array(a, object) if a.dtype.kind == "U" else a for n, a in columns.items()}


def _of_every_outcome(p: Predictions) -> dict[str, NDArray[Any]]:
    """Return which way outcomes are better and how far they reach, in columns that any format can hold."""
    low, high = p.bounds or (None, None)
    said = {BETTER: p.better, LOWEST: low, HIGHEST: high, CALLED: p.outcome_name or None}
    return {name: np.full(p.n, each) for name, each in said.items() if each is not None}


def _by_class(prefix: str, p: Predictions, matrix: NDArray[Any]) -> dict[str, NDArray[Any]]:
    return {f"{prefix}_{c}": np.ascontiguousarray(matrix[:, i]) for i, c in enumerate(p.classes)}


def _written(p: Predictions, codes: NDArray[Any]) -> NDArray[Any]:
    """Return classes in place of codes, nothing where one is missing."""
    if p.task == "numeric":
        return codes
    names = np.array(p.classes)
    if codes.min(initial=0) < 0 or names.dtype.kind == "f":  # which 64 bits with a sign become
        return np.array([*p.classes, None, None], object)[codes]  # missing, or absent altogether
    return names[codes]


def in_a_line(p: Predictions) -> str:
    """Say how many cases there are, of which classes.

    >>> from credibly import Predictions
    >>> in_a_line(Predictions.of(["no", "yes"], probability=[0.25, 0.5]))
    '2 cases, 2 classes: no and yes (positive)'
    """
    models = len(set(p.model.tolist())) if p.model is not None else 1
    cases = count(p.cases, "case")
    noun = "outcome" if p.task == "outcome" else "prediction"
    if models > 1:
        made = p.n if p.repeated and p.weight_kind != "frequency" else p.cases
        cases = f"{count(made, noun)} by {models} models"
    if models == 1 and p.repeated and p.row is not None:
        cases = f"{p.n:,} {noun}s of {count(len(distinct(p.row).values), 'case')}"
    if p.task == "numeric":
        return f"{cases}, numeric prediction"
    if p.task == "outcome":
        kind = p.kind_of_outcome
        return f"{cases}, {kind.removeprefix('outcomes').lstrip(':, ') if noun in cases else kind}"
    mark = {p.positive: " (positive)"} if p.has_positive else {}
    names = [f"{c}{mark.get(i, '')}" for i, c in enumerate(p.classes)]
    listed = " and ".join(names) if len(names) <= 2 else ", ".join(names[:LISTED])
    more = " ..." if len(names) > LISTED else ""
    return f"{cases}, {count(len(names), 'class')}: {listed}{more}"
