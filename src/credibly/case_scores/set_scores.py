"""Scores of cases with any number of labels each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.names import Names
from credibly._kernels.rows import count_true
from credibly.case_scores._declare import case_score
from credibly.case_scores.label_sets import LabelSets
from credibly.predictions.summaries.linear import ratio

TSOUMAKAS = "Tsoumakas, G., Katakis, I. & Vlahavas, I. (2010) Mining multi-label data. In Data Mining and Knowledge Discovery Handbook, 667-685. Springer."
SCHAPIRE = "Schapire, R. E. & Singer, Y. (2000) BoosTexter: a boosting-based system for text categorization. Machine Learning 39, 135-168."
NONE_TRUE, NONE_PREDICTED = "no label is true", "no label is predicted"
PAIRS_PER_BLOCK = 1 << 22  # pairs of labels that are compared at a time
label_score = partial(
    case_score, reads=LabelSets, range=(0, 1), best=1, needs="label", cite=TSOUMAKAS
)
rank_score = partial(
    case_score,
    reads=LabelSets,
    range=(0, 1),
    best=0,
    needs="score",
    undefined=NONE_TRUE,
    cite=SCHAPIRE,
)


def _both(s: LabelSets) -> Floats:
    return count_true(s.truth & s.predicted).astype(float)


@label_score("Subset accuracy", aliases=Names("exact_match"))
def subset_accuracy(s: LabelSets) -> Floats:
    """Whether the predicted labels are exactly the true ones.

    >>> from credibly import label_sets
    >>> label_sets([[1, 0], [1, 1]], [[1, 0], [1, 0]]).scored("subset_accuracy").outcome.tolist()
    [1.0, 0.0]
    """
    return (count_true(s.truth != s.predicted) == 0).astype(float)


@label_score("Hamming loss", best=0)
def hamming_loss(s: LabelSets) -> Floats:
    """Share of the labels that are predicted wrong.

    >>> from credibly import label_sets
    >>> label_sets([[1, 0], [1, 1]], [[1, 0], [1, 0]]).scored("hamming_loss").outcome.tolist()
    [0.0, 0.5]
    """
    return count_true(s.truth != s.predicted) / s.n_labels


@label_score("Jaccard index of a case", undefined="no label is true or predicted")
def case_jaccard(s: LabelSets) -> Floats:
    """Labels that are true and predicted, as a share of those that are either.

    >>> from credibly import label_sets
    >>> label_sets([[1, 0], [1, 1]], [[1, 0], [1, 0]]).scored("case_jaccard").outcome.tolist()
    [1.0, 0.5]
    """
    return ratio(_both(s), count_true(s.truth | s.predicted))


@label_score("Precision of a case", undefined=NONE_PREDICTED)
def case_precision(s: LabelSets) -> Floats:
    """Share of the predicted labels that are true.

    >>> from credibly import label_sets
    >>> label_sets([[1, 0], [1, 1]], [[1, 1], [1, 0]]).scored("case_precision").outcome.tolist()
    [0.5, 1.0]
    """
    return ratio(_both(s), count_true(s.predicted))


@label_score("Recall of a case", undefined=NONE_TRUE)
def case_recall(s: LabelSets) -> Floats:
    """Share of the true labels that are predicted.

    >>> from credibly import label_sets
    >>> label_sets([[1, 0], [1, 1]], [[1, 1], [1, 0]]).scored("case_recall").outcome.tolist()
    [1.0, 0.5]
    """
    return ratio(_both(s), count_true(s.truth))


@label_score("F1 of a case", undefined="no label is true or predicted")
def case_f1(s: LabelSets) -> Floats:
    """Harmonic mean of precision and recall of the labels of a case.

    >>> from credibly import label_sets
    >>> label_sets([[1, 0], [1, 1]], [[1, 0], [1, 0]]).scored("case_f1").outcome.round(3).tolist()
    [1.0, 0.667]
    """
    return ratio(2 * _both(s), count_true(s.truth) + count_true(s.predicted))


def _scores(s: LabelSets) -> Floats:
    assert s.score is not None  # noqa: S101  (it is what these scores need)
    return s.score


def _by_pairs(s: LabelSets, of: Callable[[np.ndarray, np.ndarray], Floats]) -> Floats:
    """Compare every label of a case with every other, a few cases at a time; the first of a pair is the second axis."""
    score = _scores(s)
    step = max(1, PAIRS_PER_BLOCK // max(score.shape[1] ** 2, 1))
    parts = [slice(i, i + step) for i in range(0, len(score), step)]
    made = [of(s.truth[r], score[r, None, :] >= score[r, :, None]) for r in parts]
    return np.concatenate(made) if made else np.empty(0)


@rank_score(
    "Label ranking loss",
    undefined="all labels are true, or none",
    aliases=Names(sklearn="label_ranking_loss"),
)
def ranking_loss(s: LabelSets) -> Floats:
    """Share of the pairs of a true and a false label that are not in order; ties are not.

    >>> from credibly import label_sets
    >>> label_sets([[1, 0, 0]], score=[[0.5, 0.9, 0.1]]).scored("ranking_loss").outcome.tolist()
    [0.5]
    """

    def lost(truth: np.ndarray, as_high: np.ndarray) -> Floats:
        wrong = (as_high & truth[:, :, None] & ~truth[:, None, :]).sum(axis=(1, 2))
        return ratio(wrong, truth.sum(axis=1) * (~truth).sum(axis=1))

    return _by_pairs(s, lost)


@rank_score(
    "Label ranking average precision",
    best=1,
    aliases=Names("lrap", sklearn="label_ranking_average_precision_score"),
)
def label_ranking_average_precision(s: LabelSets) -> Floats:
    """Mean over the true labels of the share of true ones among all that score as high.

    >>> from credibly import label_sets
    >>> label_sets([[1, 0, 0]], score=[[0.5, 0.9, 0.1]]).scored("lrap").outcome.tolist()
    [0.5]
    """

    def precise(truth: np.ndarray, as_high: np.ndarray) -> Floats:
        among = ratio((as_high & truth[:, None, :]).sum(axis=2), as_high.sum(axis=2))
        return ratio((among * truth).sum(axis=1), truth.sum(axis=1))

    return _by_pairs(s, precise)


@rank_score("Coverage error", range=(0, np.inf), upto="n_labels")
def coverage_error(s: LabelSets) -> Floats:
    """How far down the ranking of labels one must go to have all that are true.

    >>> from credibly import label_sets
    >>> label_sets([[1, 0, 0]], score=[[0.5, 0.9, 0.1]]).scored("coverage_error").outcome.tolist()
    [2.0]
    """

    def deep(truth: np.ndarray, as_high: np.ndarray) -> Floats:
        depth = np.where(truth, as_high.sum(axis=2), 0).max(axis=1, initial=0).astype(float)
        return np.where(truth.any(axis=1), depth, np.nan)

    return _by_pairs(s, deep)


@rank_score("One-error")
def one_error(s: LabelSets) -> Floats:
    """Whether the label with the highest score is false; for ties, the share that is.

    >>> from credibly import label_sets
    >>> label_sets([[1, 0, 0]], score=[[0.5, 0.9, 0.1]]).scored("one_error").outcome.tolist()
    [1.0]
    """
    score = _scores(s)
    top = score == score.max(axis=1, keepdims=True)
    share = (top & ~s.truth).sum(axis=1) / top.sum(axis=1)
    return np.where(s.truth.any(axis=1), share, np.nan)
