"""The mean of a measure over the folds of a resampling, about new training sets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from credibly._core.doors import door
from credibly.errors import DataError, says
from credibly.intervals._declare import FOLDS_ALIKE, EstimateRequest, RefusalError, interval_method
from credibly.intervals.means import MeanEstimate, MeanMethod, mean_interval
from credibly.measures import Measure, measures
from credibly.measures._causes import why_undefined
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct
from credibly.predictions.lack import lack_of
from credibly.predictions.numbering import part_columns
from credibly.predictions.parts import size_ratio
from credibly.results.about import About
from credibly.results.interval import Interval

NADEAU = "Nadeau, C. & Bengio, Y. (2003) Inference for the generalization error. Machine Learning 52, 239-281."
STUDENT = "Student (1908) The probable error of a mean. Biometrika 6, 1-25."


@door
def fold_mean(
    predictions: Predictions,
    measure: str | Measure,
    *,
    confidence_level: float = 0.95,
    method: MeanMethod = "corrected",
) -> MeanEstimate:
    """Return the mean of a measure over folds (and repeats), with an interval that knows they overlap.

    How much they overlap, the size of a test part over that of its training part, is read from the
    predictions: ``n_train`` says the latter. Independent data sets do not: theirs is Student's
    interval of the mean over data sets, whatever the ``method``. This is the interval as it was
    published; :func:`credibly.evaluate` gives one that also holds on small data unless asked for it.

    >>> from credibly import Predictions
    >>> p = Predictions.of([1, 0] * 10, label=[1, 0, 0, 0] * 5, fold=[0] * 10 + [1] * 10, n_train=10)
    >>> round(fold_mean(p, "error_rate").mean, 3)
    0.25
    """
    p = predictions.known()
    if len(p.model_names) > 1:
        raise DataError("These predictions are by several models: select one.")
    columns = part_columns(p)
    if "fold" not in columns:
        lack_of("fold").refuse(p, "A mean over folds")
    m = measures.parse(measure)
    parts = [part for _, part in p.groups(columns)]
    values = [m.value(part) for part in parts]
    undefined = int(np.isnan(values).sum())
    if undefined:
        raise DataError(
            f"{m.title} is undefined in {undefined} of {len(values)} folds: {why_undefined(m, parts)}."
        )
    apart = p.design.independent and p.repeat is not None
    if apart:
        repeat = distinct(np.array([part.need("repeat", "data sets")[0] for part in parts])).codes
        values = (np.bincount(repeat, values) / np.bincount(repeat)).tolist()
    mean = mean_interval(
        values,
        confidence_level=confidence_level,
        method="t" if apart else method,
        test_train_ratio=size_ratio(parts) if method == "corrected" and not apart else None,
        independent=apart,
    )
    about: About = "datasets" if apart else mean.interval.about
    return replace(mean, interval=replace(mean.interval.within(*m.range), about=about))


@interval_method("Corrected resampled t", cite=NADEAU, over_folds=True)
def corrected(q: EstimateRequest) -> Interval:
    """Student's interval of a mean over folds, with a variance that allows for shared training cases."""
    return _over_folds(q, "corrected")


@interval_method("Student's t over folds", cite=STUDENT, over_folds=True)
def t(q: EstimateRequest) -> Interval:
    """Student's interval of a mean over folds as if they were independent: mostly too narrow."""
    return _over_folds(q, "t")


def _over_folds(q: EstimateRequest, method: MeanMethod) -> Interval:
    if len(q.values) < 2:
        raise RefusalError(says("it is not a mean over folds; use <estimate='fold_mean'>"))
    interval, why = interval_over_folds(
        q.values,
        q.ratio,
        method=method,
        confidence_level=q.confidence_level,
        within=q.measure.range,
    )
    if interval is None:
        raise RefusalError(why)
    return interval


def interval_over_folds(
    values: Sequence[float],
    ratio: float | None,
    *,
    method: MeanMethod = "corrected",
    confidence_level: float = 0.95,
    within: tuple[float, float] = (-math.inf, math.inf),
) -> tuple[Interval | None, str]:
    """Return the interval of a mean over folds, cut at the ends of its range, or why there is none.

    ``ratio`` is the size of a test part over that of its training part.

    >>> made, _ = interval_over_folds([0.9, 0.8, 0.7, 0.8], 1 / 3, within=(0, 1))
    >>> round(made.low, 4), round(made.high, 4)
    (0.6015, 0.9985)
    >>> interval_over_folds([0.9, 0.9], 1)
    (None, 'the folds show no variation in it, so its uncertainty cannot be estimated')
    """
    if len(values) < 2:
        return None, "one fold shows no variation"
    if method == "corrected" and ratio is None:
        return None, says("the size of the training parts (<n_train=...>) is not known")
    ratio = ratio if method == "corrected" else None
    try:
        interval = mean_interval(
            values, confidence_level=confidence_level, method=method, test_train_ratio=ratio
        ).interval
    except DataError:
        return None, "the measure is not finite in some folds"
    if interval.low == interval.high:
        return None, FOLDS_ALIKE
    return interval.within(*within), ""
