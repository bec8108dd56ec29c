"""Measures of how far truth and predicted label depend on each other, over the whole table."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.names import Names
from credibly.measures._declare import measure
from credibly.measures._undefined import (
    NO_CASES,
    ONE_CLASS,
    Reason,
)
from credibly.measures.counts import NONE_LABELLED_NEGATIVE, NONE_LABELLED_POSITIVE
from credibly.predictions.summaries import BinaryCounts, Counts
from credibly.predictions.summaries.linear import ratio

POWERS = "Powers, D. M. W. (2011) Evaluation: from precision, recall and F-measure to ROC, informedness, markedness and correlation. Journal of Machine Learning Technologies 2(1), 37-63."
BRODERSEN = "Brodersen, K. H. et al. (2010) The balanced accuracy and its posterior distribution. ICPR, 3121-3124."
KUBAT = "Kubat, M., Holte, R. C. & Matwin, S. (1998) Machine learning for the detection of oil spills in satellite radar images. Machine Learning 30, 195-215."
YOUDEN = "Youden, W. J. (1950) Index for rating diagnostic tests. Cancer 3(1), 32-35."
GORODKIN = "Gorodkin, J. (2004) Comparing two K-category assignments by a K-category correlation coefficient. Computational Biology and Chemistry 28, 367-374."
YULE = "Yule, G. U. (1900) On the association of attributes in statistics. Philosophical Transactions of the Royal Society A 194, 257-319."
BYRT = "Byrt, T., Bishop, J. & Carlin, J. B. (1993) Bias, prevalence and kappa. Journal of Clinical Epidemiology 46, 423-429."
COHEN = "Cohen, J. (1968) Weighted kappa. Psychological Bulletin 70(4), 213-220."
SINGLE_CLASS = Reason("there is a single class", lambda c: len(c.classes) == 1)
EMPTY_CLASS = Reason("some class has no case", lambda c: (c.actual == 0).any(axis=-1))
CONSTANT_TRUTH = Reason("every case is of one class", lambda c: (c.actual > 0).sum(axis=-1) <= 1)
CONSTANT_LABEL = Reason(
    "every case gets the same label, or none",
    lambda c: (c.predicted > 0).sum(axis=-1) + (c.doubt.sum(axis=-1) > 0) <= 1,
)
association = partial(measure, range=(-1, 1), best=1, chance=0)


@association(
    "Youden's J",
    undefined=ONE_CLASS,
    cite=YOUDEN,
    aliases=Names(
        "informedness, bookmaker",
        texts="Youden's index",
        proc="youden",
        yardstick="j_index",
        differs={"youden": "pROC gives sensitivity plus specificity, without taking 1 away"},
    ),
)
def youden(c: BinaryCounts) -> Floats:
    r"""Sensitivity plus specificity minus one: how far a label depends on the class.

    $\mathrm{TPR} + \mathrm{TNR} - 1$

    >>> youden(Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0]))
    0.5
    """
    return ratio(c.tp, c.positives) + ratio(c.tn, c.negatives) - 1


@association("Markedness", undefined=(NONE_LABELLED_POSITIVE, NONE_LABELLED_NEGATIVE), cite=POWERS)
def markedness(c: BinaryCounts) -> Floats:
    r"""How far a predicted label, of either class, can be trusted.

    $\mathrm{PPV} + \mathrm{NPV} - 1$

    >>> markedness(Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0]))
    0.6666666666666665
    """
    return ratio(c.tp, c.labelled_positive) + ratio(c.tn, c.labelled_negative) - 1


@measure(
    "Balanced accuracy",
    range=(0, 1),
    best=1,
    undefined=EMPTY_CLASS,
    mean_of="recall",
    reported=2,
    cite=BRODERSEN,
    aliases=Names(
        sklearn="balanced_accuracy_score, balanced_accuracy",
        caret="Balanced Accuracy, Mean_Balanced_Accuracy(average='macro')",
        yardstick="bal_accuracy",
        differs={
            "bal_accuracy": "of more than two classes, yardstick averages sensitivity and specificity of each class against the rest"
        },
    ),
)
def balanced_accuracy(c: Counts) -> Floats:
    r"""Mean over the classes of the share labelled right.

    $\frac{1}{k} \sum_i n_{ii} / n_{i\cdot}$

    >>> balanced_accuracy(Predictions.of([1, 0, 0, 0], label=[1, 1, 0, 0]))
    0.8333333333333333
    """
    return ratio(c.correct, c.actual).mean(axis=-1)


@measure(
    "G-mean",
    range=(0, 1),
    best=1,
    undefined=EMPTY_CLASS,
    cite=KUBAT,
    aliases=("geometric_mean",),
)
def g_mean(c: Counts) -> Floats:
    r"""Geometric mean over the classes of the share labelled right.

    $(\prod_i n_{ii} / n_{i\cdot})^{1/k}$

    >>> g_mean(Predictions.of([1, 1, 1, 1, 0, 0, 0, 0], label=[1, 0, 0, 0, 0, 0, 0, 0]))
    0.5
    """
    # A root of each: the product over many classes is too small for a double.
    return (ratio(c.correct, c.actual) ** (1 / c.matrix.shape[-1])).prod(axis=-1)


def of_others(numbers: Floats) -> Floats:
    """Return the sum of all other numbers beside each (last axis), without subtracting it from the whole.

    >>> of_others(np.array([1e-20, 2.0, 3.0])).tolist()
    [5.0, 3.0, 2.0]
    """
    nothing = np.zeros((*numbers.shape[:-1], 1), numbers.dtype)
    before = np.cumsum(numbers[..., :-1], axis=-1)
    after = np.cumsum(numbers[..., :0:-1], axis=-1)[..., ::-1]
    return np.concatenate([nothing, before], axis=-1) + np.concatenate([after, nothing], axis=-1)


@association(
    "Matthews correlation",
    undefined=(CONSTANT_TRUTH, CONSTANT_LABEL),
    reported=6,
    cite=GORODKIN,
    aliases=Names(
        "phi",
        texts="Matthews correlation coefficient",
        weka="MCC, Matthews_correlation",
        sklearn="matthews_corrcoef",
        yardstick="mcc",
        evaluate="matthews_correlation",
    ),
)
def mcc(c: Counts) -> Floats:
    r"""Correlation of truth and label over the cases, for any number of classes.

    $(n \sum_i n_{ii} - \sum_i n_{i\cdot} n_{\cdot i}) / \sqrt{(n^2 - \sum_i n_{i\cdot}^2)(n^2 - \sum_i n_{\cdot i}^2)}$

    >>> mcc(Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0]))
    0.5773502691896258
    """
    # Shares, not counts: products of counts outgrow what a double holds exactly. Sums over the other
    # classes, not differences from the whole: beside a large class those of a small one would vanish.
    matrix, doubt = ratio(c.matrix, c.total[..., None, None]), ratio(c.doubt, c.total[..., None])
    elsewhere = 1 - np.eye(matrix.shape[-1])
    right = np.diagonal(matrix, axis1=-2, axis2=-1)
    missed = (matrix * elsewhere).sum(axis=-1) + doubt
    mistaken = (matrix * elsewhere).sum(axis=-2)
    rejected = ((of_others(matrix) + doubt[..., None]) * elsewhere).sum(axis=-2)
    together = (right * rejected - missed * mistaken).sum(axis=-1)
    actual, predicted, undecided = right + missed, right + mistaken, doubt.sum(axis=-1)
    spread = (actual * of_others(actual)).sum(axis=-1)
    spread_predicted = (predicted * (of_others(predicted) + undecided[..., None])).sum(axis=-1)
    spread_predicted = spread_predicted + undecided * predicted.sum(axis=-1)
    return ratio(together, np.sqrt(spread * spread_predicted))


@association(
    "Yule's Q",
    undefined="the cases that have a label are all positive or all negative, in truth or by label",
    cite=YULE,
    by_request=True,
)
def yule_q(c: BinaryCounts) -> Floats:
    r"""Association of truth and label: the odds ratio, stretched to lie between -1 and 1.

    $(TP \cdot TN - FP \cdot FN) / (TP \cdot TN + FP \cdot FN)$

    >>> yule_q(Predictions.of([1, 1, 1, 0, 0, 0], label=[1, 1, 0, 0, 0, 1]))
    0.6
    """
    along, across = c.tp * c.tn, c.fp * c.fn
    return ratio(along - across, along + across)


@association(
    "Kappa",
    undefined="chance alone would agree on every case",
    headline=6,
    reported=7,
    cite=COHEN,
    aliases=Names(
        "quadratic_kappa(weights='quadratic'), linear_kappa(weights='linear')",
        texts="Kappa statistic, Cohen's kappa, Cohen kappa",
        weka="Kappa statistic",
        sklearn="cohen_kappa_score",
        caret="Kappa",
        yardstick="kap",
        unlike={"weighted_kappa": "the weights are linear or quadratic, which must be stated"},
    ),
)
def kappa(c: Counts, *, weights: Literal["linear", "quadratic"] | None = None) -> Floats:
    r"""Agreement of label and truth beyond what the margins give by chance.

    $1 - \sum_{ij} w_{ij} n_{ij} / \sum_{ij} w_{ij} e_{ij}$ with $e_{ij} = n_{i\cdot} n_{\cdot j} / n$ and
    $w_{ij} = [i \ne j]$, $|i - j|$ (linear) or $(i - j)^2$ (quadratic).

    >>> kappa(Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0]))
    0.5
    """
    k = c.matrix.shape[-1]
    apart = np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(np.float64)
    disagreement = {None: np.sign(apart), "linear": apart, "quadratic": apart**2}[weights]
    # An undecided case agrees with nothing: it is as far off as its class can be.
    worst = disagreement.max(axis=-1)
    observed = (disagreement * c.matrix).sum(axis=(-1, -2)) + (worst * c.doubt).sum(axis=-1)
    by_chance = (disagreement * c.expected()).sum(axis=(-1, -2))
    by_chance = by_chance + ratio((worst * c.actual).sum(axis=-1) * c.doubt.sum(axis=-1), c.total)
    return 1 - ratio(observed, by_chance)


@measure(
    "Prevalence- and bias-adjusted kappa",
    range=(-1, 1),
    best=1,
    linear=True,
    undefined=(NO_CASES, SINGLE_CLASS),
    cite=BYRT,
    by_request=True,
    aliases=("bennett_s", "brennan_prediger"),
)
def pabak(c: Counts) -> Floats:
    r"""Agreement of label and truth beyond that of guessing every class equally often.

    $(k p_o - 1) / (k - 1)$ with the share $p_o$ that is labelled right and $k$ classes: kappa as it
    would be if all classes were equally frequent, in truth and by label.

    >>> pabak(Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0]))
    0.5
    """
    k = len(c.classes)
    return ratio(k * ratio(c.correct.sum(axis=-1), c.total) - 1, k - 1)
