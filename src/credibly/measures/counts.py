"""Measures of the table of truth against predicted label."""

from __future__ import annotations

from functools import partial
from operator import attrgetter

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.names import Names
from credibly._core.parameters import above
from credibly.measures._declare import measure, proportion
from credibly.measures._undefined import (
    NO_CASES,
    NO_NEGATIVE,
    NO_POSITIVE,
    ONE_CLASS,
    Reason,
)
from credibly.predictions.summaries import BinaryCounts, Counts
from credibly.predictions.summaries.linear import ratio

WITTEN = "Witten, I. H., Frank, E. & Hall, M. A. (2011) Data Mining: Practical Machine Learning Tools and Techniques, 3rd ed., ch. 5. Morgan Kaufmann."
RIJSBERGEN = "van Rijsbergen, C. J. (1979) Information Retrieval, 2nd ed., ch. 7. Butterworths."
JACCARD = "Jaccard, P. (1912) The distribution of the flora in the alpine zone. New Phytologist 11, 37-50."
ALTMAN = "Altman, D. G. & Bland, J. M. (1994) Diagnostic tests 1 and 2. BMJ 308, 1552 and 309, 102."

NONE_LABELLED_POSITIVE = Reason("no case is labelled positive", lambda c: c.labelled_positive == 0)
NONE_EITHER = Reason("no case is positive or labelled positive", lambda c: c.positives + c.fp == 0)
NONE_LABELLED_NEGATIVE = Reason("no case is labelled negative", lambda c: c.labelled_negative == 0)
ALL_CASES = attrgetter("total")  # of which none counts twice
case_count = partial(measure, range=(0, np.inf), linear=True, most=ALL_CASES, cite=WITTEN)
share_of_cases = partial(proportion, undefined=NO_CASES)


@share_of_cases(
    "Accuracy",
    best=1,
    reported=1,
    cite=WITTEN,
    aliases=Names(
        "success_rate, acc",
        texts="success rate, accuracy",
        weka="Correctly Classified Instances, Percent_correct",
        sklearn="accuracy_score, accuracy",
        proc="accuracy",
        caret="Accuracy",
        yardstick="accuracy",
        percent="Correctly Classified Instances, Percent_correct",
    ),
)
def accuracy(c: Counts) -> tuple[Floats, Floats]:
    r"""Share of the cases that are labelled right.

    $\sum_i n_{ii} / n$

    >>> accuracy(Predictions.of(["a", "b", "b", "c"], label=["a", "b", "c", "c"]))
    0.75
    """
    return c.correct.sum(axis=-1), c.total


@share_of_cases(
    "Error rate",
    best=0,
    headline=1,
    cite=WITTEN,
    aliases=Names(
        "misclassification_rate",
        texts="error rate, 0-1 loss",
        weka="Incorrectly Classified Instances, Percent_incorrect",
        sklearn="zero_one_loss, hamming_loss",
        proc="1-accuracy",
        percent="Incorrectly Classified Instances, Percent_incorrect",
    ),
)
def error_rate(c: Counts) -> tuple[Floats, Floats]:
    r"""Share of the cases that are labelled wrong or not at all.

    $1 - \sum_i n_{ii} / n$

    >>> error_rate(Predictions.of(["a", "b", "b", "c"], label=["a", "b", "c", None]))
    0.5
    """
    return c.total - c.correct.sum(axis=-1), c.total


@share_of_cases(
    "Unclassified",
    best=0,
    cite=WITTEN,
    aliases=Names(
        "doubt_rate",
        weka="UnClassified Instances, Percent_unclassified",
        percent="UnClassified Instances, Percent_unclassified",
    ),
)
def unclassified_rate(c: Counts) -> tuple[Floats, Floats]:
    r"""Share of the cases for which no class was predicted.

    $n_{?} / n$

    >>> unclassified_rate(Predictions.of(["a", "b"], label=["a", None]))
    0.5
    """
    return c.doubt.sum(axis=-1), c.total


@share_of_cases(
    "Prevalence",
    best=None,
    linear=True,
    cite=ALTMAN,
    aliases=Names("base_rate", caret="Prevalence"),
)
def prevalence(c: BinaryCounts) -> tuple[Floats, Floats]:
    r"""Share of the cases that are positive, whatever was predicted.

    $(TP + FN) / n$

    >>> prevalence(Predictions.of([1, 0, 0, 0], label=[1, 1, 0, 0]))
    0.25
    """
    return c.positives, c.total


@share_of_cases(
    "Selection rate",
    best=None,
    by_request=True,
    cite=ALTMAN,
    aliases=Names(
        "predicted_positive_rate", caret="Detection Prevalence", yardstick="detection_prevalence"
    ),
)
def selection_rate(c: BinaryCounts) -> tuple[Floats, Floats]:
    r"""Share of the cases that are labelled positive, whatever they are.

    $(TP + FP) / n$

    >>> selection_rate(Predictions.of([1, 0, 0, 0], label=[1, 1, 0, 0]))
    0.5
    """
    return c.labelled_positive, c.total


@proportion(
    "Recall",
    best=1,
    undefined=NO_POSITIVE,
    headline=2,
    reported=4,
    cite=RIJSBERGEN,
    aliases=Names(
        "tpr, hit_rate",
        texts="recall, sensitivity, TP rate, true positive rate",
        weka="TP Rate, Recall, True_positive_rate, IR_recall",
        sklearn="recall_score, recall, recall_macro(average='macro'), recall_micro(average='micro'), recall_weighted(average='weighted')",
        proc="sensitivity, tpr, recall",
        caret="Sensitivity, Recall, Sens, Mean_Sensitivity(average='macro'), Mean_Recall(average='macro')",
        yardstick="sens, sensitivity, recall",
        unlike={"coverage": "what one text book calls the recall of a class"},
    ),
)
def recall(c: BinaryCounts) -> tuple[Floats, Floats]:
    r"""Share of the positive cases that are labelled positive.

    $TP / (TP + FN)$

    >>> recall(Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0]))
    0.5
    """
    return c.tp, c.positives


@proportion(
    "Specificity",
    best=1,
    undefined=NO_NEGATIVE,
    cite=ALTMAN,
    aliases=Names(
        "tnr, selectivity",
        texts="specificity, TN rate, true negative rate",
        weka="True_negative_rate",
        proc="specificity, tnr",
        caret="Specificity, Spec, Mean_Specificity(average='macro')",
        yardstick="spec, specificity",
    ),
)
def specificity(c: BinaryCounts) -> tuple[Floats, Floats]:
    r"""Share of the negative cases that are labelled negative.

    $TN / (TN + FP)$

    >>> specificity(Predictions.of([1, 0, 0, 0], label=[1, 1, 0, 0]))
    0.6666666666666666
    """
    return c.tn, c.negatives


@proportion(
    "False positive rate",
    best=0,
    undefined=NO_NEGATIVE,
    cite=WITTEN,
    aliases=Names(
        "fpr, false_alarm_rate",
        texts="FP rate, fallout, false alarm rate, false positive rate",
        weka="FP Rate, False_positive_rate",
        proc="fpr, 1-specificity",
    ),
)
def false_positive_rate(c: BinaryCounts) -> tuple[Floats, Floats]:
    r"""Share of the negative cases that are labelled positive.

    $FP / (TN + FP)$

    >>> false_positive_rate(Predictions.of([1, 0, 0, 0], label=[1, 1, 0, 0]))
    0.3333333333333333
    """
    return c.fp, c.negatives


@proportion(
    "False negative rate",
    best=0,
    undefined=NO_POSITIVE,
    cite=WITTEN,
    aliases=Names(
        "fnr, miss_rate",
        texts="FN rate",
        weka="False_negative_rate",
        proc="fnr, 1-sensitivity, 1-tpr",
    ),
)
def false_negative_rate(c: BinaryCounts) -> tuple[Floats, Floats]:
    r"""Share of the positive cases that are not labelled positive.

    $FN / (TP + FN)$

    >>> false_negative_rate(Predictions.of([1, 1, 1, 0], label=[1, 1, 0, 0]))
    0.3333333333333333
    """
    return c.positives - c.tp, c.positives


@proportion(
    "Precision",
    best=1,
    undefined=NONE_LABELLED_POSITIVE,
    headline=3,
    reported=3,
    cite=RIJSBERGEN,
    aliases=Names(
        texts="precision, positive predictive value",
        weka="Precision, IR_precision",
        sklearn="precision_score, precision, precision_macro(average='macro'), precision_micro(average='micro'), precision_weighted(average='weighted')",
        proc="ppv, precision",
        caret="Pos Pred Value, posPredValue, Precision, Mean_Precision(average='macro'), Mean_Pos_Pred_Value(average='macro')",
        yardstick="ppv, precision",
        unlike={"fallout": "the column of Weka's threshold curves is one minus this value"},
    ),
)
def precision(c: BinaryCounts) -> tuple[Floats, Floats]:
    r"""Share of the cases labelled positive that are positive.

    $TP / (TP + FP)$

    >>> precision(Predictions.of([1, 1, 0, 0], label=[1, 1, 1, 0]))
    0.6666666666666666
    """
    return c.tp, c.labelled_positive


@proportion(
    "Negative predictive value",
    best=1,
    undefined=NONE_LABELLED_NEGATIVE,
    cite=ALTMAN,
    aliases=Names(
        "npv",
        texts="negative predictive value",
        proc="npv",
        caret="Neg Pred Value, negPredValue, Mean_Neg_Pred_Value(average='macro')",
        yardstick="npv",
    ),
)
def negative_predictive_value(c: BinaryCounts) -> tuple[Floats, Floats]:
    r"""Share of the cases labelled negative that are negative.

    $TN / (TN + FN)$

    >>> negative_predictive_value(Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0]))
    0.6666666666666666
    """
    return c.tn, c.labelled_negative


@case_count(
    "True positives",
    best=np.inf,
    aliases=Names("tp", texts="true positives", weka="Num_true_positives", proc="tp"),
)
def true_positives(c: BinaryCounts) -> Floats:
    """Weight of the positive cases that are labelled positive.

    >>> true_positives(Predictions.of([1, 1, 0, 0], label=[1, 0, 1, 0]))
    1.0
    """
    return c.tp


@case_count(
    "False positives",
    best=0,
    aliases=Names("fp", texts="false positives", weka="Num_false_positives", proc="fp"),
)
def false_positives(c: BinaryCounts) -> Floats:
    """Weight of the negative cases that are labelled positive.

    >>> false_positives(Predictions.of([1, 1, 0, 0], label=[1, 0, 1, 0]))
    1.0
    """
    return c.fp


@case_count(
    "True negatives",
    best=np.inf,
    aliases=Names("tn", texts="true negatives", weka="Num_true_negatives", proc="tn"),
)
def true_negatives(c: BinaryCounts) -> Floats:
    """Weight of the negative cases that are labelled negative.

    >>> true_negatives(Predictions.of([1, 0, 0, 0], label=[1, 0, 1, 0]))
    2.0
    """
    return c.tn


@case_count(
    "False negatives",
    best=0,
    aliases=Names("fn", texts="false negatives", weka="Num_false_negatives", proc="fn"),
)
def false_negatives(c: BinaryCounts) -> Floats:
    """Weight of the positive cases that are labelled negative or not at all.

    >>> false_negatives(Predictions.of([1, 1, 0, 0], label=[1, 0, 1, 0]))
    1.0
    """
    return np.asarray(c.positives - c.tp)


@measure(
    "F-measure",
    range=(0, 1),
    best=1,
    undefined=NONE_EITHER,
    reported=5,
    cite=RIJSBERGEN,
    aliases=Names(
        "f1, f_score, f2(beta=2), f05(beta=0.5)",
        texts="F-measure",
        weka="F-Measure",
        sklearn="f1_score, f1, fbeta_score, f1_macro(average='macro'), f1_micro(average='micro'), f1_weighted(average='weighted')",
        evaluate="f1",
        caret="F1, F_meas, Mean_F1(average='macro')",
        yardstick="f_meas",
    ),
    constraints={"beta": above(0)},
)
def fbeta(c: BinaryCounts, *, beta: float = 1) -> Floats:
    r"""Weighted harmonic mean of precision and recall; recall counts `beta` times as much.

    $(1 + \beta^2) TP / ((1 + \beta^2) TP + \beta^2 FN + FP)$

    >>> fbeta(Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0]))
    0.6666666666666666
    """
    square = float(min(beta, 1e100)) ** 2  # beyond it recall is all that counts
    return ratio((1 + square) * c.tp, square * c.positives + c.labelled_positive)


@proportion(
    "Jaccard index",
    best=1,
    undefined=NONE_EITHER,
    by_request=True,
    cite=JACCARD,
    aliases=Names(
        "critical_success_index, threat_score, intersection_over_union, iou",
        sklearn="jaccard_score, jaccard, jaccard_macro(average='macro'), jaccard_micro(average='micro'), jaccard_weighted(average='weighted')",
    ),
)
def jaccard(c: BinaryCounts) -> tuple[Floats, Floats]:
    r"""Positive cases labelled positive, as a share of all that are either.

    $TP / (TP + FP + FN)$

    >>> jaccard(Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0]))
    0.5
    """
    return c.tp, c.positives + c.fp


@measure(
    "Sensitivity x specificity",
    range=(0, 1),
    best=1,
    undefined=ONE_CLASS,
    cite=WITTEN,
)
def sensitivity_times_specificity(c: BinaryCounts) -> Floats:
    r"""Product of the shares of positive and of negative cases that are labelled right.

    $TP / (TP + FN) \cdot TN / (TN + FP)$

    >>> sensitivity_times_specificity(Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0]))
    0.5
    """
    return ratio(c.tp, c.positives) * ratio(c.tn, c.negatives)
