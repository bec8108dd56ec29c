"""Means over slices: macro averages, as functions of as many summaries as there are slices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from credibly._core.arrays import Floats, dot
from credibly._core.doors import check_confidence
from credibly._core.parameters import one_of, require
from credibly.errors import MAX_LISTED, listed
from credibly.gaps.cuts import Cut, cuts_by
from credibly.gaps.result import slice_name
from credibly.gaps.sides import SharedReplicates, Side
from credibly.intervals._declare import EstimateRequest
from credibly.intervals.quantiles import two_sided
from credibly.measures import Measure, measures
from credibly.predictions import Predictions
from credibly.predictions.case_columns import asked_slices
from credibly.results.estimate import Estimate
from credibly.results.interval import Interval

SliceWeights = Literal["slice", "positives"]
LIMITS_OF_SLICES = "limits of all slices"


def mean_over_slices(
    p: Predictions,
    measure: str | Measure,
    by: str,
    *,
    weights: SliceWeights = "slice",
    confidence_level: float = 0.95,
) -> Estimate:
    """Average a measure over slices that each count the same (macro), or as often as they have positive cases (weighted).

    The influence value of a case is the weighted sum of those that it has in the slices, so cases that reach over several slices,
    such as all labels of a case, are kept whole. If the value of one slice is undefined, so is the mean.

    >>> columns = {"label": ["red", "red", "round", "round"]}
    >>> p = Predictions.of([1, 0, 1, 1], label=[1, 1, 1, 0], columns=columns, group=[0, 1, 0, 1])
    >>> mean_over_slices(p, "recall", "label").value
    0.75
    """
    check_confidence(confidence_level)
    require("weights", weights, one_of("slice", "positives"))
    m = measures.parse(measure).about(p)
    known = p.known().of_weight()
    cuts = cuts_by(known, asked_slices(known.columns, by, known.cases))
    shared = SharedReplicates(known, 1, 1)
    sides = [shared.side(EstimateRequest(m, known.take(c.rows)), c.rows) for c in cuts]
    values = np.array([s.value for s in sides])
    counts, moved = _weights(known, cuts, shared, weights)
    total = counts.sum()
    value = float(values @ counts / total) if total else math.nan
    why = "" if total else "no case is positive, so that no slice counts"
    blank = [slice_name(c.keys) for c, v in zip(cuts, values, strict=True) if math.isnan(v)]
    interval = None
    if blank:
        why = f"it is not defined in {listed(blank, most=MAX_LISTED)}"
    elif total:
        found = _limits(sides, counts / total, (values - value) @ moved / total, confidence_level)
        interval, why = (found, "") if isinstance(found, Interval) else (None, found)
    average = "macro" if weights == "slice" else "weighted"
    text = "" if interval else why
    return Estimate(
        m.call, m.title, value, interval, text, known.cases, m.direction, average=average
    )


def _weights(
    p: Predictions, cuts: Sequence[Cut], shared: SharedReplicates, weights: SliceWeights
) -> tuple[Floats, Floats]:
    """Return how much each slice counts, and how far each unit moves that."""
    if weights == "slice":
        return np.ones(len(cuts)), np.zeros((len(cuts), shared.units))
    hits = np.where(p.truth == p.positive, p.weights, 0.0)
    own = np.array([np.bincount(shared.codes[c.rows], hits[c.rows], shared.units) for c in cuts])
    return own.sum(axis=1), own


def _limits(sides: Sequence[Side], shares: Floats, beside: Floats, level: float) -> Interval | str:
    """Return the interval of a weighted mean of values, or why there is none.

    Its limits come from those of every value, as those of a difference do (MOVER): a value that rests on three cases is as
    uncertain as its own interval says, however little these vary. ``beside`` is how units move the mean through the shares.
    """
    tail = (1 - level) / 2
    held = [s.limits(tail) for s in sides]
    if lacking := [each for each in held if isinstance(each, str)]:
        return lacking[0]
    moves = [np.zeros(beside.size) if s.moves is None else s.moves for s in sides]
    apart = shares[:, None] * np.array(moves)
    spread = apart @ apart.T
    norms = np.sqrt(np.diag(spread))
    alike = np.divide(spread, np.outer(norms, norms), out=np.eye(shares.size), where=np.outer(norms, norms) > 0)  # fmt: skip
    whole, z = apart.sum(axis=0) + beside, two_sided(level, max(beside.size - 1, 1))
    more = max(float(dot(whole, whole) - spread.sum()), 0.0) * z**2
    far = shares[:, None] * np.array([s.reach(tail) for s in sides])
    cases = np.maximum([s.basis for s in sides], 2.0)
    reached = _leant_less(far, z * norms * np.sqrt(cases / (cases - 1)), alike)
    below, above = np.sqrt(np.maximum(np.einsum("is,ij,js->s", reached, alike, reached), 0) + more)
    value = float(shares @ [s.value for s in sides])
    low, high = sides[0].asked.measure.range
    how, n = f"{LIMITS_OF_SLICES} (MOVER)", whole.size
    error = math.sqrt(n / (n - 1) * float(dot(whole, whole))) if n > 1 else None
    ends = max(value - float(below), low), min(value + float(above), high)
    return Interval(*ends, level, how, standard_error=error)


def _leant_less(far: Floats, own: Floats, alike: Floats) -> Floats:
    """Return how far each value reaches towards the limits of a mean, raised to its own error by the share that others have.

    Limits of a share of few cases lean towards 1/2: on the other side they are nearer than its error says. That is right
    where the mean moves with this value alone. The more other values move the mean, the more its own error counts.
    """
    along = np.einsum("ij,js->is", alike, far)
    size = np.sqrt(np.maximum(np.einsum("is,is->s", far, along), 0))
    alone = np.clip(np.divide(along, size, out=np.ones_like(far), where=size > 0), 0, 1) ** 2
    return np.asarray(np.maximum(far, np.sqrt(alone * far**2 + (1 - alone) * own[:, None] ** 2)))
