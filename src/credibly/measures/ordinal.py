"""Measures of ordered classes, in the order of `classes`: how many classes a label lies from the truth."""

from __future__ import annotations

from functools import partial

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.names import Names
from credibly._core.parameters import whole
from credibly.measures._declare import measure, proportion
from credibly.measures._undefined import NO_CASES, Reason
from credibly.predictions.summaries import Counts
from credibly.predictions.summaries.linear import ratio

BACCIANELLA = "Baccianella, S., Esuli, A. & Sebastiani, F. (2009) Evaluation measures for ordinal regression. ISDA, 283-287."
GAUDETTE = "Gaudette, L. & Japkowicz, N. (2009) Evaluation methods for ordinal classification. Canadian AI, 207-210."
EMPTY_CLASS = Reason("a class has no cases", lambda c: (c.actual == 0).any(axis=-1))


def _apart(k: int) -> Floats:
    """Return how many classes lie between actual (row) and predicted (column) class."""
    return np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(np.float64)


def _distances(c: Counts) -> Floats:
    """Return the sum of distances by actual class; a case without a label lies as far off as a label can."""
    apart = _apart(len(c.classes))
    return (c.matrix * apart).sum(axis=-1) + c.doubt * apart.max(axis=-1, initial=0)


def _farthest(classes: int) -> dict[str, tuple[float, float]]:
    """From the first class to the last."""
    return {"range": (0.0, max(classes - 1.0, 1.0))}


distance_of_classes = partial(measure, range=(0, np.inf), among=_farthest, best=0, by_request=True)


@distance_of_classes(
    "Mean class error",
    linear=True,
    undefined=NO_CASES,
    cite=GAUDETTE,
    aliases=Names("mean_absolute_class_error", texts="MAE of classes"),
)
def class_error(c: Counts) -> Floats:
    r"""Mean number of classes that a label lies from the truth, for ordered classes.

    $\frac1n \sum_{ij} n_{ij} |i - j|$; the order is that of `classes`.

    >>> class_error(Predictions.of(["low", "high"], label=["mid", "low"], classes=["low", "mid", "high"]))
    1.5
    """
    return ratio(_distances(c).sum(axis=-1), c.total)


@distance_of_classes(
    "Mean class error, each class alike",
    undefined=(NO_CASES, EMPTY_CLASS),
    cite=BACCIANELLA,
    aliases=Names("macro_averaged_mean_absolute_error"),
)
def macro_class_error(c: Counts) -> Floats:
    r"""Mean over the actual classes of the mean number of classes that a label lies from the truth.

    $\frac1k \sum_i \frac{1}{n_i} \sum_j n_{ij} |i - j|$; the order is that of `classes`.

    >>> macro_class_error(Predictions.of([1, 1, 1, 2], label=[1, 1, 1, 1]))
    0.5
    """
    return ratio(_distances(c), c.actual).mean(axis=-1)


@proportion(
    "Within so many classes",
    best=1,
    undefined=NO_CASES,
    by_request=True,
    constraints={"distance": whole(1)},
    cite=GAUDETTE,
    aliases=Names("within_one, adjacent_accuracy, off_by_one_accuracy"),
)
def within_classes(c: Counts, *, distance: int = 1) -> tuple[Floats, Floats]:
    r"""Share of the cases whose label lies at most so many classes from the truth, for ordered classes.

    $\frac1n \sum_{|i - j| \le d} n_{ij}$; the order is that of `classes`.

    >>> within_classes(Predictions.of([1, 2, 3, 4], label=[2, 2, 1, 4]))
    0.75
    """
    near = _apart(len(c.classes)) <= distance
    return (c.matrix * near).sum(axis=(-1, -2)), c.total
