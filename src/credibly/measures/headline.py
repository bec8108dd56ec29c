"""The few measures that are shown where nobody asked for particular ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from credibly.measures._declare import Measure, measures
from credibly.predictions.summaries import BinaryCounts

if TYPE_CHECKING:
    from credibly.predictions.table import Task

PANEL = "headline"  # what they are called together


def asks_panel(measures: object) -> bool:
    """Whether the measures for a first look are asked for, by the name of all of them.

    >>> asks_panel("headline"), asks_panel(["headline"]), asks_panel(["auc"])
    (True, True, False)
    """
    listed = measures if isinstance(measures, list | tuple) else [measures]
    return len(listed) == 1 and isinstance(listed[0], str) and listed[0] == PANEL


def first_measures(task: Task, *, positive: bool = False) -> tuple[str, ...]:
    """Return the names of the measures for a first look, those of one class only where one is the positive.

    >>> first_measures("classification")
    ('error_rate', 'auc', 'brier', 'kappa')
    >>> first_measures("classification", positive=True)
    ('error_rate', 'recall', 'precision', 'auc', 'brier', 'kappa')
    """
    found = (m for m in measures if m.headline and m.task == task)
    shown = [m for m in found if positive or m.reads is not BinaryCounts]
    return tuple(m.name for m in sorted(shown, key=lambda m: m.headline))


def class_measures() -> tuple[str, ...]:
    """Return the names of the measures that a first look shows of each class, as classification reports do.

    >>> class_measures()
    ('precision', 'recall', 'fbeta')
    """
    shown = (m for m in measures if m.reported and m.reads is BinaryCounts)
    return tuple(m.name for m in sorted(shown, key=lambda m: m.reported))


def reported_measures(provided: Iterable[str]) -> list[Measure]:
    """Return the measures of a report about such columns of predictions, the main one of each first.

    >>> [m.name for m in reported_measures(["value"])]
    ['rmse', 'mae', 'correlation', 'r2_test_mean']
    >>> [m.name for m in reported_measures(["probability"])]
    ['auc', 'average_precision', 'brier', 'log_loss']
    """
    shown = sorted((m for m in measures if m.reported), key=lambda m: m.reported)
    taken = {"probability": {"score", "probability"}}  # which are scores as well
    found = (m for column in provided for m in shown if m.takes in taken.get(column, {column}))
    return list(dict.fromkeys(found))
