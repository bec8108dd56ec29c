"""One curve out of the curves of several folds, with their spread."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.text import shown
from credibly.curves._declare import curves as all_curves
from credibly.curves.result import Band, Curve, Curves
from credibly.errors import DataError, ParameterError, says
from credibly.intervals.findings import DEPENDENT_FOLDS
from credibly.intervals.quantiles import student_quantile
from credibly.predictions.labels import distinct

Average = Literal["vertical", "horizontal", "threshold"]
_Banded = Callable[[Floats, Floats], Band]
_Mean = tuple[Floats, Floats, Floats | None, Band]
GRID_POINTS = 101


@door
def average_curves(
    curves: Curves | Sequence[Curve],
    how: Average = "vertical",
    *,
    thresholds: Sequence[float] | None = None,
    confidence_level: float = 0.95,
    test_train_ratio: float | None = None,
    data_sets: Sequence[object] | None = None,
    points: int = GRID_POINTS,
) -> Curve:
    """Average curves of folds: at equal x, y or threshold. The curves themselves stay in ``parts``.

    Parameters
    ----------
    curves
        Of one model and kind, one per fold.
    how
        ``"vertical"`` takes the mean of y at equal x: for a ROC curve, at an equal share of false
        alarms. ``"horizontal"`` takes the mean of x at equal y: what an equal share of hits costs in
        false alarms. ``"threshold"`` takes the mean of the points that a threshold leads to, which
        asks that scores of different folds mean the same.
    thresholds
        Those to average at; spread as the scores are by default.
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
    >>> mean = average_curves(curve(p, "roc", by="fold"))
    >>> round(mean.at(0.5), 3), len(mean.parts)
    (0.667, 3)
    """
    parts = tuple(getattr(curves, "curves", curves))
    if len(parts) < 2:
        raise DataError("An average needs the curves of at least two folds.")
    if thresholds is not None and how != "threshold":
        raise ParameterError(says("<thresholds=...> goes with an average at equal threshold."))
    banded = partial(_band, level=confidence_level, ratio=test_train_ratio, data_sets=data_sets)
    if how == "vertical":
        x, y, cut, band = _vertical(parts, points, banded)
    elif how == "horizontal":
        x, y, cut, band = _horizontal(parts, points, banded)
    else:
        x, y, cut, band = _by_threshold(parts, points, thresholds, banded)
    low, high = (
        np.clip(side, *all_curves.parse(parts[0].name).range) for side in (band.low, band.high)
    )
    return replace(
        parts[0],
        x=x,
        y=y,
        threshold=cut,
        keys=_shared_keys(parts),
        band=replace(band, low=low, high=high),
        numbers={n: float(np.mean([c.numbers[n] for c in parts])) for n in parts[0].numbers},
        beside=_beside(parts),
        intervals={},
        findings=_dependent() if test_train_ratio is None and data_sets is None else (),
        drawn="line",
        parts=parts,
        estimate="fold_mean" if data_sets is None else "dataset_mean",
    )


def _beside(parts: tuple[Curve, ...]) -> dict[str, tuple[Floats, Floats]]:
    """Return the lines to compare with, where they have their corners at the same places in all folds."""
    made = {}
    for name, (x, _) in parts[0].beside.items():
        each = [c.beside.get(name) for c in parts]
        same = [y for found in each if found and np.array_equal(found[0], x) for y in [found[1]]]
        if len(same) == len(parts):
            made[name] = (x, np.mean(same, axis=0))
    return made


def _band(
    x: Floats, ys: Floats, *, level: float, ratio: float | None, data_sets: Sequence[object] | None
) -> Band:
    """Return a band about new training sets or, over the means of data sets that share no case, new ones."""
    if data_sets is not None:
        code, ratio = distinct(np.asarray(data_sets)).codes, None
        ys = np.array([ys[code == i].mean(axis=0) for i in range(int(code.max()) + 1)])
    k = len(ys)
    half = student_quantile(1 - level, k - 1, tails=2) * ys.std(axis=0, ddof=1)
    mean, half = ys.mean(axis=0), half * math.sqrt(1 / k + (ratio or 0.0))
    return Band(
        x,
        mean - half,
        mean + half,
        level,
        f"{'corrected t' if ratio else 't'} over {k} curves",
        simultaneous=False,
        about="training" if data_sets is None else "datasets",
    )


def _vertical(parts: tuple[Curve, ...], points: int, banded: _Banded) -> _Mean:
    """Return the mean of y at equal x."""
    x = np.linspace(max(c.x[0] for c in parts), min(c.x[-1] for c in parts), points)
    ys = np.array([c.at(x) for c in parts])
    return x, ys.mean(axis=0), None, banded(x, ys)


def _by_threshold(
    parts: tuple[Curve, ...], points: int, thresholds: Sequence[float] | None, banded: _Banded
) -> _Mean:
    """Return the mean of the points that each threshold leads to."""
    if any(c.threshold is None for c in parts):
        raise ParameterError(
            f"The curve {parts[0].name} has no thresholds to average at: use 'vertical'."
        )
    cut = _common_thresholds(parts, points) if thresholds is None else _falling(thresholds)
    each = [_at_threshold(c, cut) for c in parts]
    xs, ys = (np.array(side) for side in zip(*each, strict=True))
    if xs.mean(axis=0)[0] > xs.mean(axis=0)[-1]:
        xs, ys, cut = xs[:, ::-1], ys[:, ::-1], cut[::-1]
    x = xs.mean(axis=0)
    return x, ys.mean(axis=0), cut, banded(x, ys)


def _horizontal(parts: tuple[Curve, ...], points: int, banded: _Banded) -> _Mean:
    """Return the mean of x at equal y, and the limits of x as limits of y."""
    falls = [bool((np.diff(c.y) <= 0).all()) for c in parts]
    if not all(falls) and not all((np.diff(c.y) >= 0).all() for c in parts):
        raise ParameterError(
            f"The curve {parts[0].name} both rises and falls, so it has several x at one y: use 'vertical'."
        )
    sign = -1 if all(falls) else 1
    low, high = (pick(sign * c.y[end] for c in parts) for pick, end in ((max, 0), (min, -1)))
    level = np.linspace(low, high, points)
    # Of several points at one y the first: backwards it is the last, which is what is taken.
    xs = np.array([np.interp(-level, -sign * c.y[::-1], c.x[::-1]) for c in parts])
    band, y = banded(sign * level, xs), sign * level
    x = xs.mean(axis=0)
    # What is right of the mean by x is below a rising curve, and above a falling one.
    left, right = (np.maximum.accumulate(side) for side in (band.low, band.high))
    ends = np.interp(x, right, y), np.interp(x, left, y)
    low_y, high_y = ends if sign > 0 else ends[::-1]
    method = f"{band.method}, of x at equal y"
    return x, y, None, replace(band, x=x, low=low_y, high=high_y, method=method)


def _dependent() -> tuple[Finding, ...]:
    return (
        DEPENDENT_FOLDS(
            what="The folds are",
            so="the band is too narrow",
            instead="Give the size of the training parts (n_train) to widen it accordingly.",
        ),
    )


def _shared_keys(parts: tuple[Curve, ...]) -> dict[str, object]:
    """Return what tells the average from others, which is no fold or repeat."""
    first = {k: v for k, v in parts[0].keys.items() if k not in {"repeat", "fold"}}
    return {k: v for k, v in first.items() if all(c.keys.get(k) == v for c in parts)}


def _common_thresholds(parts: tuple[Curve, ...], points: int) -> Floats:
    """Return falling thresholds that are spread as the scores of all curves together are."""
    each = [c.threshold for c in parts if c.threshold is not None]
    scores = np.concatenate([t[np.isfinite(t)] for t in each])
    inner = np.quantile(scores, np.linspace(1, 0, points - 1), method="inverted_cdf")
    return np.concatenate([[np.inf], np.unique(inner)[::-1]])


def _falling(thresholds: Sequence[float]) -> Floats:
    """Return thresholds of one's own, each once, the highest first."""
    try:
        cut = np.unique(np.asarray(thresholds, np.float64))[::-1]
    except (TypeError, ValueError):
        cut = np.array([])
    if not cut.size or np.isnan(cut).any():
        raise ParameterError(
            says(
                "<thresholds=...> are numbers, at least one; got {given}.", given=shown(thresholds)
            )
        )
    return cut


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
