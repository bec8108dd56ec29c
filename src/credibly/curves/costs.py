"""Curves of what mistakes cost when classes and costs are not those of the test cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.names import Names
from credibly._core.parameters import NUMBER, Rule, above, whole
from credibly.curves._declare import Points, curve_kind
from credibly.curves.result import Curve
from credibly.curves.thresholds import rates, thresholds
from credibly.errors import ParameterError
from credibly.predictions.summaries import ScoreTable
from credibly.predictions.summaries.linear import ratio

if TYPE_CHECKING:
    Lines = dict[str, tuple[Floats, Floats]]

DRUMMOND = "Drummond, C. & Holte, R. C. (2006) Cost curves: an improved method for visualizing classifier performance. Machine Learning 65, 95-130."
VICKERS = "Vickers, A. J. & Elkin, E. B. (2006) Decision curve analysis: a novel method for evaluating prediction models. Medical Decision Making 26, 565-574."
WITTEN = "Witten, I. H., Frank, E. & Hall, M. A. (2011) Data Mining: Practical Machine Learning Tools and Techniques, 3rd ed., sec. 5.7. Morgan Kaufmann."
HILDEN = "Hilden, J. (1991) The area under the ROC curve and its competitors. Medical Decision Making 11, 95-101."

ENDS = np.array([0.0, 1.0])
REPLICATE_POINTS = 201
NUMBERS_PER_BLOCK = 1 << 22
CUT_RULE = Rule(
    "a number, or None for the best threshold everywhere",
    lambda v: v is None or NUMBER.accepts(v),
    "all",
)


@door
def probability_cost(
    prevalence: ArrayLike, *, false_negative: ArrayLike = 1, false_positive: ArrayLike = 1
) -> Floats:
    """Return the share of the positive class in what all mistakes could cost: the x of a cost curve.

    With equal costs it is the prevalence.

    >>> float(probability_cost(0.2, false_negative=5, false_positive=1))
    0.5555555555555556
    """
    p = np.asarray(prevalence, np.float64)
    costs = np.asarray(np.broadcast_arrays(false_negative, false_positive), np.float64)
    if not ((p >= 0) & (p <= 1)).all():
        raise ParameterError(f"prevalence must be a number from 0 to 1; got {prevalence!r}.")
    if not (np.isfinite(costs) & (costs >= 0)).all() or not costs.any(axis=0).all():
        raise ParameterError("Costs of mistakes must be finite, not negative, and not all 0.")
    return ratio(p * costs[0], p * costs[0] + (1 - p) * costs[1])


@door
def normalised_cost(
    probability_cost: ArrayLike, *, false_positive_rate: ArrayLike, false_negative_rate: ArrayLike
) -> Floats:
    """Return what a classifier costs, as a share of what being wrong everywhere would.

    >>> float(normalised_cost(0.5, false_positive_rate=0.1, false_negative_rate=0.3))
    0.2
    """
    pc = np.asarray(probability_cost, np.float64)
    return np.asarray(
        np.asarray(false_negative_rate) * pc + np.asarray(false_positive_rate) * (1 - pc)
    )


@door
def operating_range(
    *, false_positive_rate: float, false_negative_rate: float
) -> tuple[float, float]:
    """Return where on a cost curve a classifier beats always saying negative and always saying positive.

    Empty, with the first above the second, for one that is worse than chance.

    >>> operating_range(false_positive_rate=0.25, false_negative_rate=0.25)
    (0.25, 0.75)
    """
    fpr, fnr = false_positive_rate, false_negative_rate
    return float(ratio(fpr, fpr + 1 - fnr)), float(ratio(1 - fpr, 1 - fpr + fnr))


@door
def cost_line(*, false_positive_rate: float, false_negative_rate: float, model: str = "") -> Curve:
    """Return the cost curve of one classifier of known error rates: a straight line.

    >>> cost_line(false_positive_rate=0.1, false_negative_rate=0.3).at(0.5)
    0.2
    """
    low, high = operating_range(
        false_positive_rate=false_positive_rate, false_negative_rate=false_negative_rate
    )
    return Curve(
        name="cost",
        title=cost.title,
        x=ENDS,
        y=np.array([false_positive_rate, false_negative_rate], np.float64),
        threshold=None,
        x_title=cost.x_title,
        y_title=cost.y_title,
        keys={"model": model} if model else {},
        numbers={"operating_from": low, "operating_to": high},
        beside=_trivial(None),
    )


def _envelope(t: ScoreTable, cut: float | None) -> Points:
    """Return the cheapest threshold everywhere, or the line of one threshold."""
    fpr, tpr = rates(t)
    if cut is not None:
        # As many of the falling scores as reach the cut are positive.
        at = np.searchsorted(-t.score, -cut, side="right")
        ends = np.stack([fpr[..., at], 1 - tpr[..., at]], axis=-1)
        return Points(ENDS, ends, np.full(2, float(cut)))
    if fpr.ndim > 1:
        return _envelopes(fpr, tpr)
    corners = t.hull()
    x0, y0 = fpr[corners], tpr[corners]
    right, up = np.diff(x0), np.diff(y0)
    # Two neighbours on the hull cost the same where their edge is a line of equal cost.
    x = np.concatenate([[0.0], right / (right + up), [1.0]])
    best = np.append(np.arange(corners.size), corners.size - 1)
    y = (1 - y0[best]) * x + x0[best] * (1 - x)
    return Points(x, y, thresholds(t)[corners][best])


def _envelopes(fpr: Floats, tpr: Floats) -> Points:
    """Return the envelope of each replicate at evenly spread x."""
    x = np.linspace(0, 1, REPLICATE_POINTS)
    y = np.empty((fpr.shape[0], x.size))
    step = max(1, NUMBERS_PER_BLOCK // (fpr.shape[1] * 8))
    for start in range(0, fpr.shape[0], step):
        some = slice(start, start + step)
        for i, pc in enumerate(x):
            y[some, i] = ((1 - tpr[some]) * pc + fpr[some] * (1 - pc)).min(axis=-1)
    return Points(x, y)


def _trivial(t: ScoreTable | None, *, threshold: float | None = None) -> Lines:
    lines = {"always negative": (ENDS, ENDS), "always positive": (ENDS, ENDS[::-1])}
    if t is not None and threshold is not None:
        best = _envelope(t, None)
        lines["best threshold everywhere"] = (best.x, best.y)
    return lines


def _ranges(t: ScoreTable, *, threshold: float | None = None) -> dict[str, float]:
    x, y, _ = _envelope(t, threshold)
    if threshold is None:
        low, high = x[1], x[-2]
    else:
        low, high = operating_range(false_positive_rate=y[0], false_negative_rate=y[1])
    area = float(((y[1:] + y[:-1]) / 2 * np.diff(x)).sum())
    return {"operating_from": float(low), "operating_to": float(high), "mean_cost": area}


@curve_kind(
    "Cost curve",
    x_title="probability cost",
    y_title="normalised expected cost",
    cite=DRUMMOND,
    aliases=Names(texts="cost curve", weka="Cost curve"),
    range=(0, 1),
    numbers=_ranges,
    beside=_trivial,
    constraints={"threshold": CUT_RULE},
)
def cost(t: ScoreTable, *, threshold: float | None = None) -> Points:
    r"""Expected cost, as a share of the largest possible, for every mix of classes and costs.

    $\min_\tau\; \mathrm{FNR}_\tau\, x + \mathrm{FPR}_\tau (1 - x)$ with
    $x = \pi_1 c_{fn} / (\pi_1 c_{fn} + \pi_0 c_{fp})$. The lower envelope over all thresholds, which are
    chosen on these cases and therefore flatter; with `threshold`, the line of that one. The threshold
    beside a point is the best one from there on.

    >>> c = curve(Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1]), "cost")
    >>> c.x.tolist(), c.y.tolist()
    ([0.0, 0.0, 0.5, 1.0, 1.0], [0.0, 0.0, 0.25, 0.0, 0.0])
    """
    return _envelope(t, threshold)


@curve_kind(
    "Error curve",
    x_title="probability of the positive class",
    y_title="expected error rate",
    cite=WITTEN,
    aliases=Names(texts="error curve"),
    range=(0, 1),
    numbers=_ranges,
    beside=_trivial,
    constraints={"threshold": CUT_RULE},
)
def error(t: ScoreTable, *, threshold: float | None = None) -> Points:
    r"""Expected error rate for every share of positives: the cost curve of equal costs.

    $\min_\tau\; \mathrm{FNR}_\tau\, \pi + \mathrm{FPR}_\tau (1 - \pi)$

    >>> p = Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1])
    >>> curve(p, "error", threshold=3).at([0, 0.5, 1]).tolist()
    [0.5, 0.5, 0.5]
    """
    return _envelope(t, threshold)


def total_of(c: Mapping[str, float], tp: Floats, fp: Floats, p: Floats, n: Floats) -> Floats:
    """Add up the costs of the four outcomes."""
    return np.asarray(c["tp"] * tp + c["fp"] * fp + c["fn"] * (p - tp) + c["tn"] * (n - fp))


def _random(t: ScoreTable, **arguments: float) -> Lines:
    x, y, _ = total_cost.function(t, **arguments)
    return {"random": (x[[0, -1]], y[[0, -1]])}


def _cheapest(t: ScoreTable, **arguments: float) -> dict[str, float]:
    x, y, _ = total_cost.function(t, **arguments)
    best = int(np.argmin(-y if arguments.get("benefit") else y))
    return {"best_size": float(x[best]), "best_total": float(y[best])}


@curve_kind(
    "Total cost by sample size",
    x_title="cases labelled positive",
    y_title="total",
    cite=WITTEN,
    numbers=_cheapest,
    beside=_random,
    constraints={
        "tp": NUMBER,
        "fp": NUMBER,
        "fn": NUMBER,
        "tn": NUMBER,
        "population": Rule(
            "None, or greater than 0", lambda v: v is None or above(0).accepts(v), 0
        ),
    },
)
def total_cost(
    t: ScoreTable,
    *,
    tp: float = 0,
    fp: float = 1,
    fn: float = 1,
    tn: float = 0,
    benefit: bool = False,
    population: float | None = None,
) -> Points:
    r"""Total cost of labelling so many cases of the largest scores positive.

    $c_{tp} \mathrm{TP} + c_{fp} \mathrm{FP} + c_{fn} \mathrm{FN} + c_{tn} \mathrm{TN}$; with `benefit`,
    what is gained. `population` scales the cases to so many.

    >>> p = Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1])
    >>> curve(p, "total_cost", tp=-15, fp=0.8, fn=0, benefit=True).y.tolist()
    [0.0, 15.0, 14.2, 29.2, 28.4]
    """
    fpr, tpr = rates(t)
    positives, negatives = t.positives[..., None], t.negatives[..., None]
    if population is not None:
        scale = population / (positives + negatives)
        positives, negatives = positives * scale, negatives * scale
    right, wrong = tpr * positives, fpr * negatives
    costs = {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
    total = total_of(costs, right, wrong, positives, negatives)
    return Points(right + wrong, 0 - total if benefit else total, thresholds(t))


def _treat(t: ScoreTable, *, points: int = 99) -> Lines:
    odds, x = _odds(points)
    share = float(ratio(t.positives, t.positives + t.negatives))
    return {"treat all": (x, share - (1 - share) * odds), "treat none": (x, np.zeros(x.size))}


def _odds(points: int) -> tuple[Floats, Floats]:
    x = np.arange(1, points + 1) / (points + 1)
    return x / (1 - x), x


@curve_kind(
    "Decision curve",
    x_title="threshold probability",
    y_title="net benefit",
    cite=VICKERS,
    aliases=Names("decision_curve, decision_curve_analysis"),
    needs=("probability",),
    beside=_treat,
    falls=True,
    constraints={"points": whole(2)},
)
def net_benefit(t: ScoreTable, *, points: int = 99) -> Points:
    r"""True positives minus false ones, weighed as the threshold probability weighs them, per case.

    $\frac{\mathrm{TP}}{n} - \frac{\mathrm{FP}}{n} \cdot \frac{p_t}{1 - p_t}$ where cases of probability
    $p_t$ and more are treated.

    >>> c = curve(Predictions.of([1, 0, 1, 0], probability=[0.9, 0.6, 0.4, 0.2]), "net_benefit")
    >>> c.at(0.5), c.at(0.8)
    (0.0, 0.25)
    """
    odds, x = _odds(points)
    fpr, tpr = rates(t)
    at = np.searchsorted(-t.score, -x, side="right")
    total = (t.positives + t.negatives)[..., None]
    right = tpr[..., at] * t.positives[..., None]
    wrong = fpr[..., at] * t.negatives[..., None]
    y = ratio(right - wrong * odds, total)
    return Points(x, y, x)


@curve_kind(
    "ROC curve on scaled axes",
    x_title="share of the cost that false positives cause",
    y_title="share of the cost that true positives save",
    cite=HILDEN,
    range=(0, np.inf),
    course="rising",
    constraints={"fn": above(0), "fp": above(0)},
)
def scaled_roc(t: ScoreTable, *, fn: float = 1, fp: float = 1) -> Points:
    r"""ROC curve with each axis stretched by what its class can cost per case, so that lines of equal cost have slope 1.

    $(\pi_0 c_{fp}\, \mathrm{FPR}, \pi_1 c_{fn}\, \mathrm{TPR})$; the best threshold lies farthest up
    and left.

    >>> c = curve(Predictions.of([1, 0, 0, 0], score=[4, 3, 2, 1]), "scaled_roc", fn=5)
    >>> c.x.tolist()[-1], c.y.tolist()[-1]
    (0.75, 1.25)
    """
    fpr, tpr = rates(t)
    share = ratio(t.positives, t.positives + t.negatives)[..., None]
    return Points((1 - share) * fp * fpr, share * fn * tpr, thresholds(t))
