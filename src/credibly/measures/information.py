"""Measures in bits against what was known before, and of regions of classes."""

from __future__ import annotations

from functools import partial

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.names import Names
from credibly._core.parameters import between
from credibly.measures._declare import mean_loss, total_loss
from credibly.measures._undefined import ENDLESS_BOTH_WAYS, NO_CASES, Reason
from credibly.measures.probability import (
    CLIP_RULE,
    WEKA,
    ZERO_PROBABILITY,
    minus_log,
    truth_probability,
)
from credibly.predictions import Predictions
from credibly.predictions.summaries.linear import ratio
from credibly.predictions.table import cached

KONONENKO = "Kononenko, I. & Bratko, I. (1991) Information-based evaluation criterion for classifier's performance. Machine Learning 6, 67-80."
LEVEL_RULE = {"level": between(0, 1, ends=True)}
NO_SHARE = Reason(
    "A class happened that had no share in the training part",
    cases=lambda p: _prior_of_truth(p) == 0,
)
ONLY_SHARE = Reason(
    "The only class of the training part was given a probability below 1",
    cases=lambda p: _prior_of_truth(p) == 1,
)
UNHEARD_OF = Reason(
    "a class happened that had neither a share in the training part nor a probability",
    lambda moments: moments.undefined > 0,
)
CERTAIN = Reason(
    "the class shares of the training part leave nothing to predict",
    cases=lambda p: (_prior_of_truth(p) == 1)[p.weights > 0].all(),
)
NO_SHARE_AT_ALL = Reason(
    "a class happened that had no share in the training part",
    cases=lambda p: (_prior_of_truth(p) == 0)[p.weights > 0].any(),
)
information_gain = partial(
    mean_loss,
    needs=("probability", "baseline"),
    range=(-np.inf, np.inf),
    best=np.inf,
    chance=0,
    undefined=(NO_CASES, UNHEARD_OF, ENDLESS_BOTH_WAYS),
    constraints=CLIP_RULE,
)
region_measure = partial(
    mean_loss, needs=("probability",), range=(0, 1), cite=WEKA, constraints=LEVEL_RULE
)


def _prior_of_truth(p: Predictions) -> Floats:
    prior = p.need("baseline", "an information score")
    return np.take_along_axis(prior, p.truth[:, None].astype(np.intp), axis=1)[:, 0]


@mean_loss(
    "Class complexity, order 0 (bits)",
    needs=("baseline",),
    best=None,
    infinite=NO_SHARE,
    cite=WEKA,
    aliases=Names(
        weka="Class complexity | order 0, SF_mean_prior_entropy",
        differs={"Class complexity | order 0": "Weka prints the sum, then the mean"},
    ),
)
def class_complexity_order_0(p: Predictions) -> Floats:
    r"""Mean number of bits needed to tell the actual class from the class shares of the training part alone.

    $-\frac1n \sum \log_2 \pi_{\text{actual}}$

    >>> class_complexity_order_0(Predictions.of([1, 0], label=[1, 0], baseline=[0.5, 0.5]))
    1.0
    """
    return minus_log(_prior_of_truth(p), np.log2)


@information_gain(
    "Complexity improvement (bits)",
    infinite=(ZERO_PROBABILITY, NO_SHARE),
    cite=WEKA,
    aliases=Names(
        weka="Complexity improvement (Sf), SF_mean_entropy_gain",
        differs={
            "Complexity improvement (Sf)": "Weka prints the sum, then the mean, and counts a probability of 0 as 1074 bits"
        },
    ),
)
def complexity_improvement(p: Predictions, *, clip: float = 0) -> Floats:
    r"""Mean number of bits that the predicted probabilities save over the class shares of the training part.

    $\frac1n \sum \log_2 (p_{\text{actual}} / \pi_{\text{actual}})$

    >>> complexity_improvement(Predictions.of([1, 1], probability=[1.0, 0.5], baseline=[0.5, 0.5]))
    0.5
    """
    order_0 = minus_log(_prior_of_truth(p), np.log2)
    return order_0 - minus_log(truth_probability(p, clip), np.log2)


def _information(p: Predictions, clip: float) -> Floats:
    predicted, prior = truth_probability(p, clip), _prior_of_truth(p)
    with np.errstate(divide="ignore", invalid="ignore"):
        useful = np.log2(predicted) - np.log2(prior)
        misleading = np.log2(1 - prior) - np.log2(1 - predicted)
        return np.where(predicted >= prior, useful, misleading)


@information_gain(
    "Information score (bits)",
    infinite=(NO_SHARE, ONLY_SHARE),
    cite=KONONENKO,
    aliases=Names(
        "kononenko_bratko",
        weka="K&B Information Score, KB_mean_information",
        differs={"K&B Information Score": "Weka prints the sum, then the mean"},
    ),
)
def information_score(p: Predictions, *, clip: float = 0) -> Floats:
    r"""Mean information in bits that a prediction gives about the actual class; negative where it misleads.

    $\log_2 p - \log_2 \pi$ if $p \ge \pi$, else $\log_2 (1 - \pi) - \log_2 (1 - p)$, for the actual class.

    >>> information_score(Predictions.of([1, 1], probability=[1.0, 0.5], baseline=[0.5, 0.5]))
    0.5
    """
    return _information(p, clip)


@total_loss(
    "Relative information score",
    needs=("probability", "baseline"),
    range=(-np.inf, np.inf),
    best=np.inf,
    chance=0,
    combine=lambda sums: ratio(sums[..., 0], sums[..., 1]),
    undefined=(NO_CASES, CERTAIN, NO_SHARE_AT_ALL),
    infinite=ONLY_SHARE,
    cite=WEKA,
    constraints=CLIP_RULE,
    aliases=Names(
        weka="K&B Relative Info Score, KB_relative_information",
        percent="K&B Relative Info Score, KB_relative_information",
    ),
)
def relative_information_score(p: Predictions, *, clip: float = 0) -> Floats:
    r"""Information score as a share of the bits needed from the class shares of the training part alone.

    >>> relative_information_score(Predictions.of([1, 1], probability=[1.0, 0.5], baseline=[0.5, 0.5]))
    0.5
    """
    return np.column_stack([_information(p, clip), minus_log(_prior_of_truth(p), np.log2)])


def _region(p: Predictions, level: float) -> Floats:
    """Mark, case by case, the most probable classes that together reach the level."""
    return cached(p, ("region", level), lambda: _marked(p.probability_matrix("coverage"), level))


def _marked(q: Floats, level: float) -> Floats:
    order = np.argsort(-q, axis=1, kind="stable")
    ranked = np.take_along_axis(q, order, axis=1)
    before = np.cumsum(ranked, axis=1) - ranked
    inside = np.zeros(q.shape)
    # Rounding must not admit a class when those before it add up to the level.
    np.put_along_axis(inside, order, (before < level - 1e-12).astype(np.float64), axis=1)
    return inside


@region_measure(
    "Coverage of cases",
    share=True,
    best=1,
    aliases=Names(
        weka="Coverage of cases (0.95 level), Coverage of cases, Coverage_of_Test_Cases_By_Regions",
        percent="Coverage of cases (0.95 level), Coverage_of_Test_Cases_By_Regions",
    ),
)
def coverage(p: Predictions, *, level: float = 0.95) -> Floats:
    """Share of the cases whose actual class is among the most probable ones that together reach `level`.

    >>> coverage(Predictions.of([1, 0, 0], probability=[0.97, 0.9, 0.96]))
    0.6666666666666666
    """
    place = p.truth[:, None].astype(np.intp)
    return np.take_along_axis(_region(p, level), place, axis=1)[:, 0]


@region_measure(
    "Mean relative region size",
    aliases=Names(
        weka="Mean rel. region size (0.95 level), Mean rel. region size, Size_of_Predicted_Regions",
        percent="Mean rel. region size (0.95 level), Size_of_Predicted_Regions",
    ),
)
def mean_region_size(p: Predictions, *, level: float = 0.95) -> Floats:
    """Mean share of the classes that is needed for their probabilities to reach `level`.

    >>> mean_region_size(Predictions.of([1, 0, 0], probability=[0.97, 0.9, 0.96]))
    0.6666666666666666
    """
    return _region(p, level).mean(axis=1)
