"""Measures of a part of the ROC curve, or of one place on it."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from credibly._core.arrays import ROUNDING, Floats, dot
from credibly._core.names import Names
from credibly._core.parameters import Rule, between, up_to
from credibly.measures._declare import measure
from credibly.measures._undefined import ONE_CLASS
from credibly.predictions.summaries import ScoreTable
from credibly.predictions.summaries.linear import ratio

MCCLISH = "McClish, D. K. (1989) Analyzing a portion of the ROC curve. Medical Decision Making 9, 190-195."
PEPE = "Pepe, M. S. (2003) The Statistical Evaluation of Medical Tests for Classification and Prediction, ch. 4 and 5. Oxford University Press."

RATES_RULE = Rule(
    "None, or two rates from 0 to 1, the lower one first",
    lambda v: (
        v is None
        or (
            isinstance(v, tuple | list)
            and len(v) == 2
            and all(isinstance(rate, int | float) for rate in v)
            and 0 <= v[0] < v[1] <= 1
        )
    ),
    (0.5, 0.2),
)
Range = tuple[float, float] | None
rate_at_a_point = partial(
    measure, range=(0, 1), best=1, undefined=ONE_CLASS, cite=PEPE, smooth=False, by_request=True
)


def _from_start(limit: float, axis: str, between: Range) -> tuple[float, float]:
    """Return the range as distances from where the axis starts: no false positive, or all positives found."""
    if between is None:
        return 0.0, limit
    return between if axis == "fpr" else (1 - between[1], 1 - between[0])


def _whole(
    classes: int,  # noqa: ARG001
    *,
    limit: float = 0.1,
    axis: str = "fpr",
    corrected: bool = True,  # noqa: ARG001
    between: Range = None,
) -> dict[str, tuple[float, float]]:
    """Along the whole axis it is the area under the curve, corrected or not."""
    return {"area": (1.0, 0.0)} if _from_start(limit, axis, between) == (0, 1) else {}


def _stretch(low: float, high: float) -> float:
    """Chance is the diagonal, of which either axis cuts off a strip."""
    return 1 / ((high - low) * (1 - (high + low) / 2))


def _partial_slopes(
    t: ScoreTable,
    *,
    limit: float = 0.1,
    axis: str = "fpr",
    corrected: bool = True,
    between: Range = None,
) -> tuple[Floats, Floats]:
    """Differentiate by the weight of a positive and of a negative case at each score.

    The other axis is the same with classes and order exchanged.
    """
    low, high = _from_start(limit, axis, between)
    step = slice(None, None, -1 if axis == "tpr" else 1)
    up, along = (t.neg[step], t.pos[step]) if axis == "tpr" else (t.pos, t.neg)
    lifted, shifted = _slopes_to(up, along, high)
    if low > 0:
        before = _slopes_to(up, along, low)
        lifted, shifted = lifted - before[0], shifted - before[1]
    scale = _stretch(low, high) / 2 if corrected else 1.0
    pos, neg = (shifted[step], lifted[step]) if axis == "tpr" else (lifted, shifted)
    return pos * scale, neg * scale


def _slopes_to(pos: Floats, neg: Floats, limit: float) -> tuple[Floats, Floats]:
    """Differentiate the area up to a share of the negative cases.

    A positive case lifts the curve from its score on; a negative one shifts it to the right. Each
    then takes its share from the whole. A jump right at the limit counts half, as from either side.
    """
    positives, negatives = pos.sum(), neg.sum()
    width, height = neg / negatives, pos / positives
    right = np.cumsum(width)
    inside = np.where(right < limit, 1.0, np.where(right > limit, 0.0, 0.5))
    wide = width > 0
    inside[wide] = np.clip((limit - right[wide]) / width[wide] + 1, 0, 1)
    climbed = np.cumsum(inside * height)
    reached = climbed[-1]
    lifted = width * inside**2 / 2 + np.maximum(limit - right, 0)
    shifted = height * inside**2 / 2 + reached - climbed
    area = float(dot(lifted, height))
    return (lifted - area) / positives, (limit * reached - area - shifted) / negatives


@measure(
    "Partial AUC",
    range=(0, 1),
    best=1,
    chance=0.5,
    undefined=ONE_CLASS,
    cite=MCCLISH,
    slopes=_partial_slopes,
    among=_whole,
    by_request=True,
    constraints={"limit": up_to(1), "between": RATES_RULE},
    aliases=Names(
        "pauc",
        proc="partial.auc",
        differs={"partial.auc": "pROC gives the uncorrected area by default"},
    ),
)
def partial_auc(
    t: ScoreTable,
    *,
    limit: float = 0.1,
    axis: Literal["fpr", "tpr"] = "fpr",
    corrected: bool = True,
    between: Range = None,
) -> Floats:
    r"""Area under the ROC curve up to a false positive rate, from a true positive rate on, or between two rates.

    $\int_0^{\text{limit}} \mathrm{TPR}\, d\mathrm{FPR}$ or $\int_{1 - \text{limit}}^1 (1 - \mathrm{FPR})\, d\mathrm{TPR}$;
    `between` two rates of the axis takes the place of `limit`. `corrected` stretches it so that chance
    gives 0.5 and a perfect ranking 1 (McClish); without it the area itself is given. A range of
    specificities from $a$ to $b$ is one of false positive rates from $1 - b$ to $1 - a$.

    >>> partial_auc(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]), limit=0.5, corrected=False)
    0.375
    >>> partial_auc(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]), between=(0.5, 1))
    1.0
    """
    low, high = _from_start(limit, axis, between)
    tpr, fpr = _rates(t)
    if axis == "fpr":
        area = _area_between(fpr, tpr, low, high)
    else:
        area = _area_between(tpr, 1 - fpr, 1 - high, 1 - low)
    by_chance = (high - low) * (high + low) / 2
    value = (1 + (area - by_chance) * _stretch(low, high)) / 2 if corrected else area
    return np.where(t.positives * t.negatives > 0, value, np.nan)  # also where there is no case


def _rates(t: ScoreTable) -> tuple[Floats, Floats]:
    """Return the true and the false positive rate from the highest score on, after nothing."""
    tpr, fpr = (
        np.concatenate([np.zeros((*side.shape[:-1], 1)), ratio(side, total[..., None])], -1)
        for side, total in ((t.tp, t.positives), (t.fp, t.negatives))
    )
    return tpr, fpr


def _area_between(x: Floats, y: Floats, low: float, high: float) -> Floats:
    """Area under the straight lines between points of rising x, cut at two values of x."""
    left, right = np.clip(x[..., :-1], low, high), np.clip(x[..., 1:], low, high)
    width = x[..., 1:] - x[..., :-1]
    slope = np.divide(np.diff(y, axis=-1), width, out=np.zeros_like(width), where=width > 0)
    middle = y[..., :-1] + slope * ((left + right) / 2 - x[..., :-1])
    return ((right - left) * middle).sum(axis=-1)


@rate_at_a_point(
    "Recall at a specificity",
    aliases=("sensitivity_at_specificity",),
    constraints={"specificity": between(0, 1, ends=True)},
)
def recall_at_specificity(t: ScoreTable, *, specificity: float = 0.9) -> Floats:
    """Height of the ROC curve where a given share of the negative cases is labelled negative.

    Between two distinct scores the curve is a straight line; where it rises, its upper end counts.

    >>> recall_at_specificity(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]), specificity=0.75)
    0.75
    """
    tpr, fpr = _rates(t)
    return _height(fpr, tpr, 1 - specificity)


def _height(x: Floats, y: Floats, wanted: float) -> Floats:
    """Height at some x of the straight lines between points that rise on both axes; the upper of several."""
    place = np.count_nonzero(x <= wanted + ROUNDING, axis=-1, keepdims=True) - 1
    after = np.minimum(place + 1, x.shape[-1] - 1)
    (left, right), (start, end) = (
        [np.take_along_axis(side, at, -1)[..., 0] for at in (place, after)] for side in (x, y)
    )
    step = np.divide(wanted - left, right - left, out=np.zeros_like(left), where=right > left)
    height = start + np.clip(step, 0, 1) * (end - start)
    return np.where(np.isnan((x + y).sum(axis=-1)), np.nan, height)


@rate_at_a_point(
    "Specificity at a recall",
    aliases=("specificity_at_sensitivity",),
    constraints={"recall": between(0, 1, ends=True)},
)
def specificity_at_recall(t: ScoreTable, *, recall: float = 0.9) -> Floats:
    """Share of the negative cases labelled negative where a given share of the positive ones is found.

    Between two distinct scores the ROC curve is a straight line; where several points have this recall,
    the one of the fewest false positives counts.

    >>> specificity_at_recall(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]), recall=0.75)
    0.75
    """
    tpr, fpr = _rates(t)
    return _height(1 - tpr[..., ::-1], 1 - fpr[..., ::-1], 1 - recall)
