"""Rows as they are judged: numbered, and with what becomes of cases without a label."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from credibly._core.findings import Finding
from credibly._core.text import some_have
from credibly.errors import ParameterError
from credibly.evaluation.findings import UNCLASSIFIED, UNCLASSIFIED_LEFT_OUT
from credibly.predictions import Predictions
from credibly.predictions.findings import NO_PREDICTION
from credibly.predictions.labels import MISSING, as_label
from credibly.predictions.parts import places


def resolve_unclassified(p: Predictions, unclassified: object) -> tuple[Predictions, list[Finding]]:
    """Give undecided cases the default class, if one is named, and say what was done."""
    unclassified = as_label(unclassified, "unclassified")
    default = [i for i, c in enumerate(p.classes) if str(unclassified) == str(c)]
    if unclassified not in ("error", "exclude") and not default:
        raise ParameterError(
            f"unclassified must be 'error', 'exclude' or a class; got {unclassified!r}.",
            asked=str(unclassified),
            choices=("error", "exclude", *map(str, p.classes)),
        )
    if p.label is None or not (p.label == MISSING).any():
        return p, []
    n = p.take(p.label == MISSING).cases
    cases = some_have(n, p.cases, "case")
    said_before = any(f.code == NO_PREDICTION.code for f in p.findings)
    if unclassified == "error" and said_before and p.gaps[p.label == MISSING].all():
        return p, []
    if unclassified == "error":
        return p, [UNCLASSIFIED(cases=cases, treated="such cases count as errors")]
    if unclassified == "exclude":
        return p, [UNCLASSIFIED_LEFT_OUT(cases=cases)]
    label = np.where(p.label == MISSING, default[0], p.label)
    seen = None if p.seen is None else resolve_unclassified(p.seen, unclassified)[0]
    finding = UNCLASSIFIED(
        cases=cases, treated=f"such cases get the default class {p.classes[default[0]]!r}"
    )
    return replace(p, label=label, seen=seen, cache={}), [finding]


def decided(p: Predictions) -> Predictions:
    """Leave out cases without a label."""
    if p.label is None or not (p.label == MISSING).any():
        return p
    return p.take(p.label != MISSING)


def numbered(p: Predictions) -> Predictions:
    """Number rows that have no identifier, so that findings about a part can name them.

    Not those of several repeats, which may be of the same cases.
    """
    if p.row is not None or p.repeats > 1:
        return p
    seen = None if p.seen is None else replace(p.seen, row=places(p.seen, p.n))
    return replace(p, row=places(p), seen=seen)
