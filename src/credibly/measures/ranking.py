"""Measures of how well scores order the cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from credibly._core.parameters import SWITCH, above, one_of, up_to, whole
from credibly.measures._declare import measure
from credibly.summaries import ClassScores, ScoreTable
from credibly.summaries.counts import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

HANLEY = "Hanley, J. A. & McNeil, B. J. (1982) The meaning and use of the area under a receiver operating characteristic (ROC) curve. Radiology 143, 29-36."
WITTEN = "Witten, I. H., Frank, E. & Hall, M. A. (2011) Data Mining: Practical Machine Learning Tools and Techniques, 3rd ed., sec. 5.7. Morgan Kaufmann."
MANNING = "Manning, C. D., Raghavan, P. & Schutze, H. (2008) Introduction to Information Retrieval, ch. 8. Cambridge University Press."
MCCLISH = "McClish, D. K. (1989) Analyzing a portion of the ROC curve. Medical Decision Making 9, 190-195."
HAND_TILL = "Hand, D. J. & Till, R. J. (2001) A simple generalisation of the area under the ROC curve for multiple class classification problems. Machine Learning 45, 171-186."
HAND = "Hand, D. J. & Anagnostopoulos, C. (2014) A better Beta for the H measure of classification performance. Pattern Recognition Letters 40, 41-46."
KOLMOGOROV = (
    "Krzanowski, W. J. & Hand, D. J. (2009) ROC Curves for Continuous Data, ch. 2. Chapman & Hall."
)

ONE_CLASS = "every case is of one class"
NO_POSITIVE = "no case is positive"
TOO_FEW = "there are fewer than k cases"
K = {"k": whole(1)}


@measure(
    "Area under the ROC curve",
    reads=ScoreTable,
    range=(0, 1),
    best=1,
    chance=0.5,
    undefined=ONE_CLASS,
    cite=HANLEY,
    aliases=("c_index", "mann_whitney", "roc_auc"),
)
def auc(t: ScoreTable) -> Floats:
    r"""Chance that a positive case outscores a negative one, ties counting half.

    $\Pr(S_+ > S_-) + \tfrac12 \Pr(S_+ = S_-)$

    >>> auc(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
    0.875
    """
    o = t.order()
    return ratio(o.concordant + o.tied / 2, o.positives * o.negatives)


@measure(
    "Partial AUC",
    reads=ScoreTable,
    range=(0, 1),
    best=1,
    chance=0.5,
    undefined=ONE_CLASS,
    cite=MCCLISH,
    smooth=False,
    by_request=True,
    where={"limit": up_to(1), "axis": one_of("fpr", "tpr"), "corrected": SWITCH},
)
def partial_auc(
    t: ScoreTable, *, limit: float = 0.1, axis: str = "fpr", corrected: bool = True
) -> Floats:
    r"""Area under the ROC curve up to a false positive rate, or from a true positive rate on.

    $\int_0^{\text{limit}} \mathrm{TPR}\, d\mathrm{FPR}$ or $\int_{1 - \text{limit}}^1 (1 - \mathrm{FPR})\, d\mathrm{TPR}$.
    `corrected` stretches it so that chance gives 0.5 and a perfect ranking 1; without it the area
    itself is given.

    >>> partial_auc(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]), limit=0.5, corrected=False)
    0.375
    """
    tpr, fpr = ratio(t.tp, t.positives[..., None]), ratio(t.fp, t.negatives[..., None])
    start = np.zeros((*tpr.shape[:-1], 1))
    if axis == "fpr":
        area = _area_between(
            np.concatenate([start, fpr], -1), np.concatenate([start, tpr], -1), 0, limit
        )
    else:
        area = _area_between(
            np.concatenate([start, tpr], -1), np.concatenate([start + 1, 1 - fpr], -1), 1 - limit, 1
        )
    # Chance is the diagonal, of which either axis cuts off a triangle.
    by_chance = limit**2 / 2
    return (1 + (area - by_chance) / (limit - by_chance)) / 2 if corrected else area


def _area_between(x: Floats, y: Floats, low: float, high: float) -> Floats:
    """Area under the straight lines between points of rising x, cut at two values of x."""
    left, right = np.clip(x[..., :-1], low, high), np.clip(x[..., 1:], low, high)
    width = x[..., 1:] - x[..., :-1]
    slope = np.divide(np.diff(y, axis=-1), width, out=np.zeros_like(width), where=width > 0)
    middle = y[..., :-1] + slope * ((left + right) / 2 - x[..., :-1])
    return ((right - left) * middle).sum(axis=-1)


@measure(
    "Gini coefficient",
    reads=ScoreTable,
    range=(-1, 1),
    best=1,
    chance=0,
    undefined=ONE_CLASS,
    cite=HAND_TILL,
    aliases=("somers_d",),
)
def gini(t: ScoreTable) -> Floats:
    r"""Concordant minus discordant pairs, as a share of all pairs of a positive and a negative case.

    $2\,\mathrm{AUC} - 1$

    >>> gini(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
    0.75
    """
    return 2 * auc.formula(t) - 1


@measure(
    "Kolmogorov-Smirnov distance",
    reads=ScoreTable,
    range=(0, 1),
    best=1,
    chance=0,
    undefined=ONE_CLASS,
    cite=KOLMOGOROV,
    smooth=False,
)
def ks(t: ScoreTable) -> Floats:
    r"""Largest distance between the score distributions of the two classes.

    $\max_\tau |\mathrm{TPR}(\tau) - \mathrm{FPR}(\tau)|$

    >>> ks(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
    0.5
    """
    o = t.order()
    return ratio(o.largest_gap, o.positives * o.negatives)


@measure(
    "Average precision",
    reads=ScoreTable,
    range=(0, 1),
    best=1,
    undefined=NO_POSITIVE,
    cite=MANNING,
    aliases=("ap",),
)
def average_precision(t: ScoreTable) -> Floats:
    r"""Mean over the positive cases of the precision at their score: the step area under the precision-recall curve.

    $\sum_\tau (R_\tau - R_{\tau^+}) P_\tau$

    >>> average_precision(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
    0.8333333333333333
    """
    o = t.order()
    return ratio(o.precision, o.positives)


def _interpolated(t: ScoreTable, recalls: list[float]) -> Floats:
    """Mean over recalls of the best precision at that recall or beyond."""
    if not t.score.size:
        return np.full(t.positives.shape, np.nan)
    precision = ratio(t.tp, t.tp + t.fp)
    best_from_here = np.fmax.accumulate(precision[..., ::-1], axis=-1)[..., ::-1]
    reached = t.tp[..., None, :] >= np.asarray(recalls)[:, None] * t.positives[..., None, None] * (
        1 - 1e-12
    )
    first = reached.argmax(axis=-1)
    at = np.take_along_axis(best_from_here, first, axis=-1)
    return np.where(t.positives > 0, at.mean(axis=-1), np.nan)


@measure(
    "Three-point average precision",
    reads=ScoreTable,
    range=(0, 1),
    best=1,
    undefined=NO_POSITIVE,
    cite=WITTEN,
    aliases=("three_point_average_recall",),
    smooth=False,
)
def three_point_average_precision(t: ScoreTable) -> Floats:
    r"""Mean interpolated precision at recall 20 %, 50 % and 80 %.

    $\frac13 \sum_{r} \max_{R_\tau \ge r} P_\tau$

    >>> three_point_average_precision(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.7, 0.1]))
    0.8888888888888888
    """
    return _interpolated(t, [0.2, 0.5, 0.8])


@measure(
    "11-point average precision",
    reads=ScoreTable,
    range=(0, 1),
    best=1,
    undefined=NO_POSITIVE,
    cite=WITTEN,
    aliases=("eleven_point_average_recall",),
    smooth=False,
)
def eleven_point_average_precision(t: ScoreTable) -> Floats:
    r"""Mean interpolated precision at recall 0 %, 10 %, ... 100 %.

    $\frac1{11} \sum_{r} \max_{R_\tau \ge r} P_\tau$

    >>> eleven_point_average_precision(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.7, 0.1]))
    0.8484848484848484
    """
    return _interpolated(t, [i / 10 for i in range(11)])


def _positives_at(t: ScoreTable, k: int) -> Floats:
    """Expected weight of positives among the k best: a tied block at the cut gives its share."""
    if not t.score.size:
        return np.full(t.positives.shape, np.nan)
    selected = t.tp + t.fp
    i = (selected >= k * (1 - 1e-12)).argmax(axis=-1)[..., None]
    tp = np.take_along_axis(t.tp, i, -1)[..., 0]
    size = np.take_along_axis(t.pos + t.neg, i, -1)[..., 0]
    share = ratio(np.take_along_axis(t.pos, i, -1)[..., 0], size)
    over = np.take_along_axis(selected, i, -1)[..., 0] - k
    return np.where(selected[..., -1] >= k * (1 - 1e-12), tp - over * share, np.nan)


@measure(
    "Precision at k",
    reads=ScoreTable,
    range=(0, 1),
    best=1,
    undefined=TOO_FEW,
    cite=WITTEN,
    smooth=False,
    where=K,
)
def precision_at(t: ScoreTable, *, k: int) -> Floats:
    r"""Share of positives among the `k` best-scored cases; ties at the cut count by their expected value.

    $TP_k / k$

    >>> precision_at(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]), k=2)
    0.75
    """
    return _positives_at(t, k) / k


@measure(
    "Recall at k",
    reads=ScoreTable,
    range=(0, 1),
    best=1,
    undefined=f"{NO_POSITIVE}, or {TOO_FEW}",
    cite=WITTEN,
    smooth=False,
    where=K,
)
def recall_at(t: ScoreTable, *, k: int) -> Floats:
    r"""Share of all positives that are among the `k` best-scored cases.

    $TP_k / (TP + FN)$

    >>> recall_at(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]), k=2)
    0.75
    """
    return ratio(_positives_at(t, k), t.positives)


@measure(
    "Lift at k",
    reads=ScoreTable,
    range=(0, np.inf),
    best=np.inf,
    chance=1,
    undefined=f"{NO_POSITIVE}, or {TOO_FEW}",
    cite=WITTEN,
    smooth=False,
    where=K,
)
def lift_at(t: ScoreTable, *, k: int) -> Floats:
    r"""How many times more positives the `k` best-scored cases hold than as many cases taken at random.

    $(TP_k / k) / (P / n)$

    >>> lift_at(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]), k=2)
    1.5
    """
    return ratio(_positives_at(t, k) / k, ratio(t.positives, t.positives + t.negatives))


@measure("Concordant pairs", reads=ScoreTable, range=(0, np.inf), best=np.inf, cite=HANLEY)
def concordant_pairs(t: ScoreTable) -> Floats:
    """Pairs of a positive and a negative case in which the positive one has the larger score.

    >>> concordant_pairs(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
    3.0
    """
    return t.order().concordant


@measure("Discordant pairs", reads=ScoreTable, range=(0, np.inf), best=0, cite=HANLEY)
def discordant_pairs(t: ScoreTable) -> Floats:
    """Pairs of a positive and a negative case in which the negative one has the larger score.

    >>> discordant_pairs(Predictions.of([1, 0], score=[0.1, 0.9]))
    1.0
    """
    o = t.order()
    return np.maximum(o.positives * o.negatives - o.concordant - o.tied, 0.0)


@measure("Tied pairs", reads=ScoreTable, range=(0, np.inf), best=None, cite=HANLEY)
def tied_pairs(t: ScoreTable) -> Floats:
    """Pairs of a positive and a negative case with the same score.

    >>> tied_pairs(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
    1.0
    """
    return t.order().tied


@measure(
    "H measure",
    reads=ScoreTable,
    range=(0, 1),
    best=1,
    chance=0,
    undefined=ONE_CLASS,
    cite=HAND,
    smooth=False,
    where={"severity_ratio": above(0)},
)
def h_measure(t: ScoreTable, *, severity_ratio: float | None = None) -> Floats:
    r"""Saving of expected cost against the best rule that ignores the scores, over a Beta(2, b) belief about the costs.

    $1 - L / L_{\mathrm{max}}$ where the relative cost $c$ of a false positive follows Beta(2, 1 + 1/SR);
    the default severity ratio SR is $\pi_1 / \pi_0$, so that the belief peaks where the costs balance the classes.

    >>> h_measure(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
    0.5
    """
    if t.pos.ndim > 1:
        rows = zip(t.pos.reshape(-1, t.score.size), t.neg.reshape(-1, t.score.size), strict=True)
        each = [
            h_measure.formula(ScoreTable(t.score, p, q), severity_ratio=severity_ratio)
            for p, q in rows
        ]
        return np.array(each).reshape(t.pos.shape[:-1])
    if not (t.positives > 0 and t.negatives > 0):
        return np.asarray(np.nan)
    prior1 = float(t.positives / (t.positives + t.negatives))
    prior0 = 1 - prior1
    b = 1 + (prior0 / prior1 if severity_ratio is None else 1 / severity_ratio)
    fpr, tpr = _roc_hull(t)
    # The hull's segments are optimal in turn as the relative cost of a false positive falls from 1 to 0.
    gain1, gain0 = prior1 * np.diff(tpr), prior0 * np.diff(fpr)
    cut = np.concatenate([[1.0], gain1 / (gain0 + gain1), [0.0]])
    of_cost, of_rest = -np.diff(_beta_mean_below(cut, b)), -np.diff(_beta_rest_below(cut, b))
    loss = (prior0 * fpr * of_cost + prior1 * (1 - tpr) * of_rest).sum()
    trivial = prior0 * _beta_mean_below(prior1, b) + prior1 * (
        _beta_rest_below(1.0, b) - _beta_rest_below(prior1, b)
    )
    return np.asarray(1 - loss / trivial)


def _beta_mean_below(x: Floats | float, b: float) -> Floats:
    """Integral of c times the Beta(2, b) density up to x: 2 / (2 + b) of the Beta(3, b) distribution function."""
    return 2 / (2 + b) * _one_minus_power(x, b, b * x + b * (b + 1) / 2 * x**2)


def _beta_rest_below(x: Floats | float, b: float) -> Floats:
    """Integral of (1 - c) times the Beta(2, b) density up to x."""
    return b / (2 + b) * _one_minus_power(x, b + 1, (b + 1) * x)


def _one_minus_power(x: Floats | float, b: float, more: Floats | float) -> Floats:
    """Return 1 - (1 - x)^b (1 + more), by logarithms: rare classes make x tiny and the power almost 1."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(b * np.log1p(np.negative(x)) + np.log1p(more)))


def _roc_hull(t: ScoreTable) -> tuple[Floats, Floats]:
    """Corners of the convex hull of the ROC curve, from (0, 0) to (1, 1)."""
    last = t.hull()[1:] - 1
    fpr, tpr = (np.append(0.0, run[last] / run[-1]) for run in (t.fp, t.tp))
    return fpr, tpr


@measure(
    "Hand-Till AUC",
    reads=ClassScores,
    range=(0, 1),
    best=1,
    chance=0.5,
    undefined="some class has no case",
    cite=HAND_TILL,
    aliases=("multiclass_auc",),
)
def hand_till(t: ClassScores) -> Floats:
    r"""Mean over pairs of classes of how well the probabilities of the two separate them.

    $\frac{2}{k(k-1)} \sum_{i<j} \tfrac12 (A(i|j) + A(j|i))$

    >>> p = [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6], [0.3, 0.7, 0.0]]
    >>> hand_till(Predictions.of(["a", "b", "c", "c"], probability=p))
    0.7916666666666666
    """
    sizes = t.class_weights()
    k = sizes.size
    pairs = ratio(t.separations(), np.outer(sizes, sizes))
    apart = ~np.eye(k, dtype=bool)
    return ratio(pairs[apart].sum(), k * (k - 1))
