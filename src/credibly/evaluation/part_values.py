"""A measure on many parts of the same rows at once.

A summary is a sum over cases, so the summaries of all parts are sums by part: one batch, to which the
formula is applied once. What reads the order of scores is asked part by part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import Floats, Indices
from credibly.intervals.influence import influence
from credibly.predictions import Predictions
from credibly.predictions.labels import MISSING, rows_by_code
from credibly.predictions.summaries import BinaryCounts, Counts, LossMoments

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.measures import Measure


def values_of_parts(
    m: Measure, p: Predictions, part: Indices, average: Average | None = None
) -> Floats:
    """Return the value of a measure on the rows of each part, by the number of the part.

    >>> from credibly.measures import accuracy
    >>> p = Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0])
    >>> values_of_parts(accuracy, p, np.array([0, 0, 1, 1])).tolist()
    [0.5, 1.0]
    """
    count = int(part.max(initial=-1)) + 1
    batch = None if average else _summaries(m, p, part, count)
    if batch is not None:
        return np.asarray(m.of_summary(batch), np.float64)
    values = np.full(count, np.nan)
    for rows in rows_by_code(part):
        values[part[rows[0]]] = m.on(p.take(rows), average)
    return values


def linear_values(
    m: Measure, p: Predictions, part: Indices, average: Average | None = None
) -> Floats:
    """Return the value on all rows, moved by the influence values of each part.

    On a few cases a ratio is far from that on many: the R2 of four is mostly negative, and F of cases none of
    which is positive is none. Seen from all cases a part moves it as it moves a mean.

    >>> from credibly.measures import kappa
    >>> p = Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0])
    >>> linear_values(kappa, p, np.array([0, 0, 1, 1])).tolist()
    [0.25, 0.75]
    """
    moved, weight = influence(m, p, average), p.weights
    if moved is None:
        return np.full(int(part.max(initial=-1)) + 1, np.nan)
    share = np.bincount(part, weight) / weight.sum()
    with np.errstate(invalid="ignore"):  # a number that no part has
        return np.asarray(m.on(p, average) + np.bincount(part, weight * moved) / share)


def _summaries(
    m: Measure, p: Predictions, part: Indices, count: int
) -> Counts | BinaryCounts | LossMoments | None:
    """Return the summaries of all parts as a batch, where they are sums of a few numbers."""
    if m.reads in {Counts, BinaryCounts} and p.truth.min(initial=0) != MISSING:
        k = len(p.classes)
        label = p.need("label", m.name)
        column = np.where(label == MISSING, k, label)
        cell = (part * k + p.truth.astype(np.intp)) * (k + 1) + column
        table = _sums(cell, p.weights, count * k * (k + 1)).reshape(count, k, k + 1)
        counts = Counts(table[..., :k], table[..., k], p.classes)
        return counts if m.reads is Counts else counts.binary(p.positive or 0)
    if m.loss is not None:
        losses = m.losses(p)
        if np.isfinite(losses).all():
            sums = [_sums(part, p.weights * column, count) for column in losses.T]
            return LossMoments.of_sums(_sums(part, p.weights, count), np.column_stack(sums))
    return None


def _sums(part: Indices, values: Floats, count: int) -> Floats:
    return np.bincount(part, values, count).astype(np.float64)
