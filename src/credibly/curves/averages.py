"""One curve out of the curves of several folds, with their spread."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.doors import check_confidence, door
from credibly._core.findings import Finding
from credibly._core.parameters import one_of, require
from credibly.curves._declare import curves as all_curves
from credibly.curves.result import Band, Curve, Curves
from credibly.errors import DataError, ParameterError
from credibly.intervals.findings import DEPENDENT_FOLDS
from credibly.intervals.quantiles import student_quantile
from credibly.predictions.labels import distinct

Average = Literal["vertical", "threshold"]
POINTS = 101
FEWEST = 2


@door
def average_curves(
    curves: Curves | Sequence[Curve],
    how: Average = "vertical",
    *,
    confidence_level: float = 0.95,
    test_train_ratio: float | None = None,
    data_sets: Sequence[object] | None = None,
    points: int = POINTS,
) -> Curve:
    """Average curves of folds: of equal x, or of equal threshold. The curves themselves stay in ``parts``.

    Parameters
    ----------
    curves
        Of one model and kind, one a fold.
    how
        ``"vertical"`` takes the mean of y at equal x: for a ROC curve, at an equal share of false
        alarms. ``"threshold"`` takes the mean of the points that a threshold leads to, which asks that
        scores of different folds mean the same.
    confidence_level
        Of the band, which is about new training sets.
    test_train_ratio
        Cases of a test part over those of its training part; widens the band for what folds share.
    data_sets
        The data set that each curve is of, where these share no case; the band is then about new ones.
    points
        How many points to give.

    >>> from credibly import Predictions, curve
    >>> p = Predictions.of([1, 0, 1, 0, 1, 0], score=[3, 1, 1, 3, 2, 1], fold=[0, 0, 1, 1, 2, 2])
    >>> mean = average_curves(curve("roc", p, by="fold"))
    >>> round(mean.at(0.5), 3), len(mean.parts)
    (0.667, 3)
    """
    check_confidence(confidence_level)
    parts = tuple(getattr(curves, "curves", curves))
    if len(parts) < FEWEST:
        raise DataError("An average needs the curves of at least two folds.")
    require("average", how, one_of("vertical", "threshold"))
    if how == "vertical":
        low, high = max(c.x[0] for c in parts), min(c.x[-1] for c in parts)
        x, cut = np.linspace(low, high, points), None
        ys = np.array([c.at(x) for c in parts])
    else:
        cut = _common_thresholds(parts, points)
        xs, ys = (
            np.array(side) for side in zip(*(_at_threshold(c, cut) for c in parts), strict=True)
        )
        x = xs.mean(axis=0)
    band = (
        _band(x, ys, confidence_level, test_train_ratio)
        if data_sets is None
        else _band_of_data_sets(x, ys, confidence_level, data_sets)
    )
    low, high = (
        np.clip(side, *all_curves.parse(parts[0].name).range) for side in (band.low, band.high)
    )
    return replace(
        parts[0],
        x=x,
        y=ys.mean(axis=0),
        threshold=cut,
        keys=_shared_keys(parts),
        band=replace(band, low=low, high=high),
        numbers={n: float(np.mean([c.numbers[n] for c in parts])) for n in parts[0].numbers},
        beside={},
        findings=_dependent() if test_train_ratio is None and data_sets is None else (),
        drawn="line",
        parts=parts,
        estimate="fold_mean" if data_sets is None else "dataset_mean",
    )


def _band_of_data_sets(
    x: Floats, ys: Floats, confidence_level: float, data_sets: Sequence[object]
) -> Band:
    """Return a band over the mean curves of data sets that share no case."""
    code = distinct(np.asarray(data_sets)).codes
    means = np.array([ys[code == i].mean(axis=0) for i in range(int(code.max()) + 1)])
    return replace(_band(x, means, confidence_level, None), about="datasets")


def _band(x: Floats, ys: Floats, confidence_level: float, test_train_ratio: float | None) -> Band:
    k = len(ys)
    factor = 1 / k + (test_train_ratio or 0.0)
    half = student_quantile(1 - confidence_level, k - 1, tails=2) * ys.std(axis=0, ddof=1)
    mean, half = ys.mean(axis=0), half * math.sqrt(factor)
    made = "corrected t" if test_train_ratio else "t"
    return Band(
        x,
        mean - half,
        mean + half,
        confidence_level,
        f"{made} over {k} curves",
        simultaneous=False,
        about="training",
    )


def _dependent() -> tuple[Finding, ...]:
    return (
        DEPENDENT_FOLDS(
            what="The folds are",
            so="the band is too narrow",
            instead="Give the size of the training parts (n_train), and it is widened by it.",
        ),
    )


def _shared_keys(parts: tuple[Curve, ...]) -> dict[str, object]:
    """Return what tells the average from others, which is no fold or repeat."""
    first = {k: v for k, v in parts[0].keys.items() if k not in {"repeat", "fold"}}
    return {k: v for k, v in first.items() if all(c.keys.get(k) == v for c in parts)}


def _common_thresholds(parts: tuple[Curve, ...], points: int) -> Floats:
    """Return falling thresholds that are spread as the scores of all curves together are."""
    each = [c.threshold for c in parts]
    if any(t is None for t in each):
        raise ParameterError(
            f"The curve {parts[0].name} has no thresholds to average at: ask for 'vertical'."
        )
    scores = np.concatenate([t[np.isfinite(t)] for t in each if t is not None])
    inner = np.quantile(scores, np.linspace(1, 0, points - 1), method="inverted_cdf")
    return np.concatenate([[np.inf], np.unique(inner)[::-1]])


def _at_threshold(c: Curve, cut: Floats) -> tuple[Floats, Floats]:
    """Return the points of a curve at which the scores that reach each cut are positive."""
    assert c.threshold is not None  # noqa: S101
    rising = c.threshold if c.threshold[0] <= c.threshold[-1] else c.threshold[::-1]
    # The smallest threshold of the curve that is not below the cut decides alike.
    place = np.searchsorted(rising, cut, side="left")
    if rising is not c.threshold:
        place = rising.size - 1 - place
    place = np.clip(place, 0, rising.size - 1)
    return c.x[place], c.y[place]
