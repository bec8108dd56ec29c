r"""How the sizes of the classes move a value by way of what is learned of them.

A training set with more cases of a class labels more cases so, and these very cases are counted in the value: both move F, recall or the mean
of recalls. Folds that keep the shares of the classes do not show it. But a model that says how probable each class is, and labels the
most probable one, follows the sizes in a known way: by Bayes' rule, one more among $n_c$ cases of class $c$ moves the logarithm of its odds
against the others by $1 / n_c$. So a case has, beside its influence value, $D_c / n_c$ for its own class, where $D_c$ says how the value moves as the log odds of
class $c$ do at all cases; it is seen between one standard error of these odds more and less. That is derived and has no constant. The error rate has none of
this to first order: labelling the most probable class is what makes it least.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import Floats
from credibly.intervals.influence import MAX_CLASSES, influence
from credibly.predictions import Predictions
from credibly.predictions.outputs import not_most_probable
from credibly.predictions.summaries import BinaryCounts, Counts
from credibly.predictions.table import cached

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.measures import Measure


def learned_influence(m: Measure, p: Predictions, average: Average | None = None) -> Floats | None:
    """Return the influence values of cases on what was learned from others and judged by these; nothing where there are none.

    >>> from credibly.measures import fbeta
    >>> p = Predictions.of([1, 1, 1, 0, 0, 0], probability=[0.9, 0.6, 0.4, 0.6, 0.2, 0.1])
    >>> influence(fbeta, p).round(3).tolist(), learned_influence(fbeta, p).round(3).tolist()
    ([0.111, 0.111, -0.111, -0.111, 0.0, 0.0], [0.257, 0.257, 0.035, -0.257, -0.146, -0.146])
    """
    values = influence(m, p, average)
    if values is None or not (m.nonlinear and m.reads in {Counts, BinaryCounts}):
        return values
    for size, codes, more, fewer, step in cached(p, learned_influence, lambda: _relabelled(p)):
        moved = (m.on(more, average) - m.on(fewer, average)) / (2 * step)
        if math.isfinite(moved):
            values = values + moved * (codes / size - 1 / p.weights.sum())
    return values


def _relabelled(p: Predictions) -> list[tuple[float, Floats, Predictions, Predictions, float]]:
    """Return each class with its weight, which cases are its own, and labels with its odds one standard error up and down."""
    label = p.label
    if p.probability is None or label is None or len(p.classes) > MAX_CLASSES or not p.gapless:
        return []
    share, rows = p.probability_matrix("learned shares"), np.arange(p.n)
    if min(p.truth.min(), label.min()) < 0 or not_most_probable(share, label).any():
        return []
    sizes, made = np.bincount(p.truth, p.weights, len(p.classes)), []
    for i in np.flatnonzero((sizes > 0) & (sizes < sizes.sum())).tolist():
        part = sizes[i] / sizes.sum()
        step = math.sqrt((1 - part) / (part * p.cases))
        changed = []
        for times in (math.exp(step), math.exp(-step)):
            moved = share.copy()
            moved[:, i] *= times
            kept = moved[rows, label] >= moved.max(axis=1)
            labels = np.where(kept, label, moved.argmax(axis=1)).astype(label.dtype)
            changed.append(replace(p, label=labels, cache={}))
        made.append((float(sizes[i]), (p.truth == i).astype(np.float64), *changed, step))
    return made
