"""Measures of how well scores order the cases."""

from __future__ import annotations

from functools import partial

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.names import Names
from credibly._core.parameters import WHOLE_OR_SHARE, above
from credibly.measures._declare import measure, ranking_measure
from credibly.measures._undefined import NO_POSITIVE, ONE_CLASS, Reason
from credibly.predictions.summaries import ClassScores, ScoreTable
from credibly.predictions.summaries.linear import ratio
from credibly.predictions.summaries.scores import OrderSums

HANLEY = "Hanley, J. A. & McNeil, B. J. (1982) The meaning and use of the area under a receiver operating characteristic (ROC) curve. Radiology 143, 29-36."
WITTEN = "Witten, I. H., Frank, E. & Hall, M. A. (2011) Data Mining: Practical Machine Learning Tools and Techniques, 3rd ed., sec. 5.7. Morgan Kaufmann."
MANNING = "Manning, C. D., Raghavan, P. & Schutze, H. (2008) Introduction to Information Retrieval, ch. 8. Cambridge University Press."
HAND_TILL = "Hand, D. J. & Till, R. J. (2001) A simple generalisation of the area under the ROC curve for multiple class classification problems. Machine Learning 45, 171-186."
HAND = "Hand, D. J. & Anagnostopoulos, C. (2014) A better Beta for the H measure of classification performance. Pattern Recognition Letters 40, 41-46."
KOLMOGOROV = (
    "Krzanowski, W. J. & Hand, D. J. (2009) ROC Curves for Continuous Data, ch. 2. Chapman & Hall."
)

TOO_FEW = Reason("there are fewer than k cases")
SINGLE_CLASS = Reason("there is a single class", lambda t: len(t.classes) == 1)
BEST_BEYOND = "the best precision beyond a recall depends on a few cases, which replicates only repeat; average_precision has an interval"
K_RULE = {"k": WHOLE_OR_SHARE}
interpolated_precision = partial(
    measure,
    range=(0, 1),
    best=1,
    undefined=NO_POSITIVE,
    cite=WITTEN,
    smooth=False,
    no_bootstrap=BEST_BEYOND,
)
first_cases = partial(measure, cite=WITTEN, smooth=False, constraints=K_RULE)


@ranking_measure(
    "Area under the ROC curve",
    area=(1, 0),
    chance=0.5,
    headline=4,
    reported=1,
    cite=HANLEY,
    aliases=Names(
        "c_statistic",
        texts="area under the curve, area under the ROC curve, c-index, Mann-Whitney",
        weka="ROC Area, Area_under_ROC",
        sklearn="roc_auc_score, roc_auc, roc_auc_ovr(average='macro'), roc_auc_ovr_weighted(average='weighted')",
        proc="auc",
        caret="ROC",
        yardstick="roc_auc, roc_aunu(average='macro'), roc_aunp(average='weighted')",
        evaluate="roc_auc",
    ),
)
def auc(o: OrderSums) -> Floats:
    r"""Chance that a positive case outscores a negative one, ties counting half.

    $\Pr(S_+ > S_-) + \tfrac12 \Pr(S_+ = S_-)$

    >>> auc(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
    0.875
    """
    return ratio(o.concordant + o.tied / 2, o.positives * o.negatives)


@ranking_measure(
    "Gini coefficient",
    area=(2, -1),
    range=(-1, 1),
    chance=0,
    cite=HAND_TILL,
    aliases=Names("somers_d, accuracy_ratio", yardstick="gain_capture"),
)
def gini(o: OrderSums) -> Floats:
    r"""Concordant minus discordant pairs, as a share of all pairs of a positive and a negative case.

    $2\,\mathrm{AUC} - 1$

    >>> gini(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
    0.75
    """
    return 2 * ratio(o.concordant + o.tied / 2, o.positives * o.negatives) - 1


@ranking_measure(
    "Kolmogorov-Smirnov distance",
    chance=0,
    cite=KOLMOGOROV,
    smooth=False,
    lifted=True,
    aliases=Names("kolmogorov_smirnov"),
)
def ks(o: OrderSums) -> Floats:
    r"""Largest distance between the score distributions of the two classes.

    $\max_\tau |\mathrm{TPR}(\tau) - \mathrm{FPR}(\tau)|$

    >>> ks(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
    0.5
    """
    return ratio(o.largest_gap, o.positives * o.negatives)


@ranking_measure(
    "Average precision",
    undefined=NO_POSITIVE,
    reported=2,
    cite=MANNING,
    aliases=Names(
        "ap",
        texts="AUPRC",
        weka="PRC Area, Area_under_PRC",
        sklearn="average_precision_score, average_precision",
        yardstick="average_precision",
        unlike={
            "pr_auc, prAUC, prc_auc, auc_pr": "in yardstick and caret straight lines join the points"
        },
    ),
)
def average_precision(o: OrderSums) -> Floats:
    r"""Mean over the positive cases of the precision at their score: the step area under the precision-recall curve.

    $\sum_\tau (R_\tau - R_{\tau^+}) P_\tau$

    >>> average_precision(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
    0.8333333333333333
    """
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


@interpolated_precision(
    "Three-point average precision", aliases=Names(texts="three-point average recall")
)
def three_point_average_precision(t: ScoreTable) -> Floats:
    r"""Mean interpolated precision at recall 20 %, 50 % and 80 %.

    $\frac13 \sum_{r} \max_{R_\tau \ge r} P_\tau$

    >>> three_point_average_precision(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.7, 0.1]))
    0.8888888888888888
    """
    return _interpolated(t, [0.2, 0.5, 0.8])


@interpolated_precision(
    "11-point average precision",
    aliases=Names(
        texts="11-point average recall, eleven-point average recall, 11-point average precision"
    ),
)
def eleven_point_average_precision(t: ScoreTable) -> Floats:
    r"""Mean interpolated precision at recall 0 %, 10 %, ... 100 %.

    $\frac1{11} \sum_{r} \max_{R_\tau \ge r} P_\tau$

    >>> eleven_point_average_precision(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.7, 0.1]))
    0.8484848484848484
    """
    return _interpolated(t, [i / 10 for i in range(11)])


def _best(t: ScoreTable, k: float) -> Floats:
    """Return how many cases are the k best: below 1, a share of all."""
    return np.broadcast_to(k, t.positives.shape) if k >= 1 else k * (t.positives + t.negatives)


def _positives_at(t: ScoreTable, k: Floats) -> Floats:
    """Expected weight of positives among the k best: a tied block at the cut gives its share."""
    if not t.score.size:
        return np.full(t.positives.shape, np.nan)
    fp, tp = t.cuts()
    selected = tp + fp
    enough = k * (1 - 1e-12)
    i = (selected[..., 1:] >= enough[..., None]).argmax(axis=-1)[..., None]
    before, so_far = (np.take_along_axis(side, i, -1)[..., 0] for side in (tp, selected))
    pos, size = (np.take_along_axis(side, i, -1)[..., 0] for side in (t.pos, t.pos + t.neg))
    # From the cases above the block: the block itself may be so large that nothing is left of k.
    share = np.minimum(ratio(k - so_far, size), 1.0)
    return np.where(selected[..., -1] >= enough, before + share * pos, np.nan)


@first_cases(
    "Precision at k", range=(0, 1), best=1, undefined=TOO_FEW, aliases=Names("precision_at_k")
)
def precision_at(t: ScoreTable, *, k: float) -> Floats:
    r"""Share of positives among the `k` best-scored cases; ties at the cut count by their expected value.

    A `k` below 1 is a share of all cases: 0.01 for the best hundredth.

    $TP_k / k$

    >>> precision_at(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]), k=2)
    0.75
    """
    n = _best(t, k)
    return ratio(_positives_at(t, n), n)


@first_cases(
    "Recall at k",
    range=(0, 1),
    best=1,
    undefined=(NO_POSITIVE, TOO_FEW),
    aliases=Names("recall_at_k"),
)
def recall_at(t: ScoreTable, *, k: float) -> Floats:
    r"""Share of all positives that are among the `k` best-scored cases.

    A `k` below 1 is a share of all cases: 0.01 for the best hundredth.

    $TP_k / (TP + FN)$

    >>> recall_at(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]), k=2)
    0.75
    """
    return ratio(_positives_at(t, _best(t, k)), t.positives)


@first_cases(
    "Lift at k",
    range=(0, np.inf),
    best=np.inf,
    chance=1,
    undefined=(NO_POSITIVE, TOO_FEW),
    aliases=Names(
        "lift_at_k",
        texts="lift factor",
        unlike={
            "lift": "at a given number of cases; `credibly curve lift` shows it at all of them"
        },
    ),
)
def lift_at(t: ScoreTable, *, k: float) -> Floats:
    r"""How many times more positives the `k` best-scored cases hold than as many cases taken at random.

    A `k` below 1 is a share of all cases: 0.01 for the best hundredth.

    $(TP_k / k) / (P / n)$

    >>> lift_at(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]), k=2)
    1.5
    >>> lift_at(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]), k=0.25)
    2.0
    """
    n = _best(t, k)
    prevalence = ratio(t.positives, t.positives + t.negatives)
    return ratio(ratio(_positives_at(t, n), n), prevalence)


def _all_pairs(t: ScoreTable) -> Floats:
    return np.asarray(t.positives * t.negatives)


pair_count = partial(ranking_measure, range=(0, np.inf), undefined=(), most=_all_pairs, cite=HANLEY)


@pair_count("Concordant pairs", best=np.inf)
def concordant_pairs(o: OrderSums) -> Floats:
    """Pairs of a positive and a negative case in which the positive one has the larger score.

    >>> concordant_pairs(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
    3.0
    """
    return o.concordant


@pair_count("Discordant pairs", best=0)
def discordant_pairs(o: OrderSums) -> Floats:
    """Pairs of a positive and a negative case in which the negative one has the larger score.

    >>> discordant_pairs(Predictions.of([1, 0], score=[0.1, 0.9]))
    1.0
    """
    rest = np.asarray(o.positives * o.negatives - o.concordant - o.tied)
    return rest - np.minimum(rest.real, 0.0)


@pair_count("Tied pairs", best=None)
def tied_pairs(o: OrderSums) -> Floats:
    """Pairs of a positive and a negative case with the same score.

    >>> tied_pairs(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
    1.0
    """
    return o.tied


@measure(
    "H measure",
    range=(0, 1),
    best=1,
    chance=0,
    undefined=ONE_CLASS,
    cite=HAND,
    smooth=False,
    lifted=True,
    constraints={"severity_ratio": above(0)},
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


def _of_two(classes: int) -> dict[str, tuple[float, float]]:
    """The mean over one pair of classes is the area under their curve."""
    return {"area": (1.0, 0.0)} if classes == 2 else {}


@measure(
    "Hand-Till AUC",
    range=(0, 1),
    among=_of_two,
    best=1,
    chance=0.5,
    undefined=(SINGLE_CLASS, Reason("some class has no case")),
    cite=HAND_TILL,
    aliases=Names("multiclass_auc", sklearn="roc_auc_ovo", proc="multiclass.roc"),
)
def hand_till(t: ClassScores) -> Floats:
    r"""Mean over pairs of classes of how well the probabilities of the two separate them.

    $\frac{2}{k(k-1)} \sum_{i<j} \tfrac12 (A(i \mid j) + A(j \mid i))$

    >>> p = [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6], [0.3, 0.7, 0.0]]
    >>> hand_till(Predictions.of(["a", "b", "c", "c"], probability=p))
    0.7916666666666666
    """
    sizes = t.class_weights()
    k = sizes.size
    pairs = ratio(t.separations(), np.outer(sizes, sizes))
    apart = ~np.eye(k, dtype=bool)
    return ratio(pairs[apart].sum(), k * (k - 1))
