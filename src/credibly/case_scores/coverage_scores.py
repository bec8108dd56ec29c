"""Scores of sets of classes."""

from __future__ import annotations

from functools import partial

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.names import Names
from credibly.case_scores._declare import case_score
from credibly.case_scores.prediction_sets import UNKNOWN_TRUTH, PredictionSets

VOVK = (
    "Vovk, V., Gammerman, A. & Shafer, G. (2005) Algorithmic learning in a random world. Springer."
)
SADINLE = "Sadinle, M., Lei, J. & Wasserman, L. (2019) Least ambiguous set-valued classifiers with bounded error levels. Journal of the American Statistical Association 114, 223-234."
NO_TRUTH = "the true class is not known"
set_score = partial(case_score, range=(0, 1), best=1, cite=VOVK)


def _where_known(s: PredictionSets, values: Floats) -> Floats:
    """Return a number for each case of each model, none where the truth is not known."""
    return np.where(s.truth == UNKNOWN_TRUTH, np.nan, values).ravel()


@set_score("Coverage", undefined=NO_TRUTH, aliases=Names("coverage_of_sets"))
def set_coverage(s: PredictionSets) -> Floats:
    """Whether the set contains the true class, which should happen as often as its level states, and not more often.

    >>> from credibly import prediction_sets
    >>> prediction_sets(["a", "b"], [["a", "b"], ["a"]]).scored("set_coverage").outcome.tolist()
    [1.0, 0.0]
    """
    return _where_known(s, s.held.astype(float))


@case_score(
    "Size of the set",
    range=(0, np.inf),
    upto="n_classes",
    best=0,
    cite=SADINLE,
    aliases=Names("mean_set_size, efficiency"),
)
def set_size(s: PredictionSets) -> Floats:
    """How many classes the set holds: of sets with the same coverage, smaller ones say more.

    >>> from credibly import prediction_sets
    >>> prediction_sets(["a", "b"], [["a", "b"], ["a"]]).scored("set_size").outcome.tolist()
    [2.0, 1.0]
    """
    return s.sizes.astype(float).ravel()


@set_score("Sets of one class")
def single_sets(s: PredictionSets) -> Floats:
    """Whether the set holds one class, so that there is nothing left to decide.

    >>> from credibly import prediction_sets
    >>> prediction_sets(["a", "b"], [["a", "b"], ["a"]]).scored("single_sets").outcome.tolist()
    [0.0, 1.0]
    """
    return (s.sizes == 1).astype(float).ravel()


@set_score("Sets of the true class alone", undefined=NO_TRUTH)
def true_single_sets(s: PredictionSets) -> Floats:
    """Whether the set holds the true class and no other.

    >>> from credibly import prediction_sets
    >>> prediction_sets(["a", "b"], [["a"], ["a"]]).scored("true_single_sets").outcome.tolist()
    [1.0, 0.0]
    """
    return _where_known(s, (s.held & (s.sizes == 1)).astype(float))


@set_score("Empty sets", best=0)
def empty_sets(s: PredictionSets) -> Floats:
    """Whether the set holds no class at all, and so cannot be right.

    >>> from credibly import prediction_sets
    >>> prediction_sets(["a", "b"], [["a"], []]).scored("empty_sets").outcome.tolist()
    [0.0, 1.0]
    """
    return (s.sizes == 0).astype(float).ravel()
