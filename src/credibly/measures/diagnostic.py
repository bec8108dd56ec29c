"""Ratios that say how far a label moves the odds of a class."""

from __future__ import annotations

from functools import partial

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.names import Names
from credibly.measures._declare import measure
from credibly.measures._undefined import ONE_CLASS, Reason
from credibly.measures.counts import NONE_LABELLED_NEGATIVE, NONE_LABELLED_POSITIVE
from credibly.predictions.summaries import BinaryCounts
from credibly.predictions.summaries.linear import ratio

SIMEL = "Simel, D. L., Samsa, G. P. & Matchar, D. B. (1991) Likelihood ratios with confidence: sample size estimation for diagnostic test studies. Journal of Clinical Epidemiology 44, 763-770."
GLAS = "Glas, A. S. et al. (2003) The diagnostic odds ratio: a single indicator of test performance. Journal of Clinical Epidemiology 56, 1129-1135."

NO_FALSE_ALARM = Reason("no negative case is labelled positive", lambda c: c.fp == 0)
NONE_REJECTED = Reason("no negative case is labelled negative", lambda c: c.tn == 0)
NONE_MISSED = Reason("every positive case is labelled positive", lambda c: c.tp == c.positives)
table_ratio = partial(measure, range=(0, np.inf), chance=1, stratified=True, by_request=True)


def _odds(top: Floats, bottom: Floats) -> Floats:
    """Divide, with infinity where something is divided by nothing."""
    return np.where((bottom == 0) & (top != 0), np.inf, ratio(top, bottom))


@table_ratio(
    "Positive likelihood ratio",
    best=np.inf,
    undefined=(*ONE_CLASS, NONE_LABELLED_POSITIVE, NO_FALSE_ALARM),
    cite=SIMEL,
    aliases=Names("lr_positive, lr_plus, plr", sklearn="positive_likelihood_ratio", proc="lr_pos"),
)
def positive_likelihood_ratio(c: BinaryCounts) -> Floats:
    r"""Factor by which the odds of the positive class change once a case is labelled positive.

    $\mathrm{TPR} / \mathrm{FPR}$; infinite if no negative case is labelled positive.

    >>> positive_likelihood_ratio(Predictions.of([1, 1, 0, 0, 0], label=[1, 0, 1, 0, 0]))
    1.5
    """
    return _odds(c.tp * c.negatives, c.fp * c.positives)


@table_ratio(
    "Negative likelihood ratio",
    best=0,
    undefined=(*ONE_CLASS, NONE_LABELLED_NEGATIVE, NONE_REJECTED),
    cite=SIMEL,
    aliases=Names(
        "lr_negative, lr_minus, nlr", sklearn="neg_negative_likelihood_ratio", proc="lr_neg"
    ),
)
def negative_likelihood_ratio(c: BinaryCounts) -> Floats:
    r"""Factor by which the odds of the positive class change once a case is labelled negative.

    $\mathrm{FNR} / \mathrm{TNR}$; infinite if no negative case is labelled negative.

    >>> negative_likelihood_ratio(Predictions.of([1, 1, 0, 0, 0], label=[1, 0, 1, 0, 0]))
    0.75
    """
    return _odds((c.positives - c.tp) * c.negatives, c.tn * c.positives)


@table_ratio(
    "Diagnostic odds ratio",
    best=np.inf,
    undefined=(
        *ONE_CLASS,
        NONE_LABELLED_POSITIVE,
        NONE_LABELLED_NEGATIVE,
        NO_FALSE_ALARM,
        NONE_MISSED,
    ),
    cite=GLAS,
    aliases=("dor",),
)
def diagnostic_odds_ratio(c: BinaryCounts) -> Floats:
    r"""Odds of being labelled positive in the positive class over those in the negative class.

    $TP \cdot TN / (FP \cdot FN)$: the positive over the negative likelihood ratio. It is infinite if one
    class is labelled without an error.

    >>> diagnostic_odds_ratio(Predictions.of([1, 1, 0, 0, 0], label=[1, 0, 1, 0, 0]))
    2.0
    """
    return _odds(c.tp * c.tn, c.fp * (c.positives - c.tp))
