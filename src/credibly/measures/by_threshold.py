"""Measures of labels at every threshold of a score: the running sums of a table of scores are tables of labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import ROUNDING, Floats, Indices
from credibly.errors import DataError, ParameterError, says
from credibly.measures._declare import Measure
from credibly.predictions import Predictions
from credibly.predictions.summaries import BinaryCounts, Counts, ScoreTable


def at_thresholds(
    m: Measure,
    table: ScoreTable,
    classes: tuple[object, object] = ("rest", "class"),
    place: NDArray[np.intp] | None = None,
) -> Floats:
    """Return a measure of labels where cases are positive from each score of a table on.

    ``classes`` are the negative and the positive one, for measures that read them by name; of a batch of
    tables, ``place`` is the only score of each that is asked for.

    >>> from credibly import Predictions
    >>> from credibly.measures import measures
    >>> from credibly.predictions.summaries import ScoreTable
    >>> p = Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1])
    >>> at_thresholds(measures["precision"], ScoreTable.of(p)).round(3).tolist()
    [1.0, 0.5, 0.667, 0.5]
    """
    cells = table.decisions(place)
    if m.reads is BinaryCounts:
        return m.of_summary(cells)
    return m.of_summary(replace(cells.table(), classes=classes))


def best_threshold(m: Measure, table: ScoreTable, p: Predictions) -> float:
    """Return the threshold at which a measure of labels is best."""
    values = at_thresholds(m, table, names_of_both(p))
    return float(table.score[best_places(m, values)])


def best_places(m: Measure, values: Floats) -> Indices:
    """Return where values are best: the first place of those that differ by rounding alone, what is undefined is worst."""
    gain = np.where(np.isnan(values), -np.inf, values if m.direction == "higher" else -values)
    highest = gain.max(axis=-1, keepdims=True)
    rounding = np.where(np.isfinite(highest), ROUNDING * np.abs(highest), 0.0)
    return np.asarray((gain >= highest - rounding).argmax(axis=-1))


def names_of_both(p: Predictions) -> tuple[object, object]:
    """Return the negative and the positive one of two classes."""
    if p.positive is None or len(p.classes) != 2:
        raise DataError(
            "A threshold needs two classes and a positive one.", remedy=says("Set <positive=...>.")
        )
    return p.classes[1 - p.positive], p.classes[p.positive]


def refuse_unlabelled(m: Measure) -> None:
    """Refuse to choose a threshold by a measure that does not read labels, or has no better end."""
    if m.reads not in {BinaryCounts, Counts} or m.direction == "neither":
        raise ParameterError(
            f"A threshold is chosen by a measure of two-class labels, such as f1; got {m.call!r}."
        )
