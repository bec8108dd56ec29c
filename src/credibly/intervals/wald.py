"""Wald intervals of one cross-validation: about the models that were fitted, on new cases.

They take the cases as independent, as the pooled ones do, and say nothing of learning again: the spread
of the losses within folds, or of all of them, over the number of cases.
"""

from __future__ import annotations

import math

import numpy as np

from credibly._core.arrays import Indices
from credibly.errors import says
from credibly.intervals._declare import CASES_ALIKE, EstimateRequest, RefusalError, interval_method
from credibly.intervals.case_moves import CaseMoves
from credibly.intervals.quantiles import two_sided
from credibly.intervals.standard_errors import on_scale
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct
from credibly.results.interval import Interval

BAYLE = "Bayle, P., Bayle, A., Janson, L. & Mackey, L. (2020) Cross-validation confidence intervals for test error. NeurIPS 33, 16339-16350."


@interval_method("Wald within folds", cite=BAYLE)
def within_fold(q: EstimateRequest) -> Interval:
    """Normal interval about the models of the folds, from the spread of losses within each fold.

    For a measure that is not a mean of losses, influence values take their place.
    """
    moves, fold = _moves(q), _folds(q.predictions)
    size = np.bincount(fold, moves.weight)
    if size.min() < 2:
        raise RefusalError("a fold of a single case shows no variation")
    within = float(np.average(moves.spread(fold)))
    return _wald(q, within / float(size.sum()), "within folds")


@interval_method("Wald of all pairs", cite=BAYLE)
def all_pairs(q: EstimateRequest) -> Interval:
    """Normal interval about the models of the folds, from the spread of all losses about their mean.

    For a measure that is not a mean of losses, influence values take their place.
    """
    moves, fold = _moves(q), _folds(q.predictions)
    size = float(moves.weight.sum())
    spread = float(moves.spread(np.zeros_like(fold))[0]) * (size - 1) / size
    return _wald(q, spread / size, "of all pairs")


def _moves(q: EstimateRequest) -> CaseMoves:
    p = q.predictions
    if p.unshared is not None or p.grouping is not None or p.in_time:
        raise RefusalError("it is for cases that are independent and predicted once")
    if p.weight_kind == "importance":
        raise RefusalError("it counts cases, and these have importance weights")
    found = CaseMoves.of(q.measure, p, q.average)
    if found is None:
        raise RefusalError("it is not smooth in the case weights, so influence values do not apply")
    # Class by class they are scaled by the size of the class: here one scale serves all cases.
    size = np.bincount(found.strata, found.weight)
    scale = size.sum() / size[found.strata]
    return CaseMoves(found.moves * scale, np.zeros_like(found.strata), found.weight, counted=True)


def _folds(p: Predictions) -> Indices:
    if p.fold is None:
        raise RefusalError(says("it is for the folds of a cross-validation (<fold=...>)"))
    return distinct(p.fold).codes.astype(np.intp)


def _wald(q: EstimateRequest, variance: float, how: str) -> Interval:
    low, high = q.measure.range
    if not variance > 0 or not low < q.value < high:
        raise RefusalError(CASES_ALIKE)
    error = math.sqrt(variance)
    ends = on_scale(q.value, error * two_sided(q.confidence_level, math.inf), low, high)
    return Interval(*ends, q.confidence_level, f"Wald {how}", standard_error=error)
