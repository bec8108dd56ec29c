"""Hulls of parts of the cases, from which the page computes how far its best threshold may be off."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._kernels.hull import upper_hull
from credibly.app.arrays import packed
from credibly.decisions import decision_rules
from credibly.decisions.draws import subsamples, units_of
from credibly.decisions.problem import REPEATED_CASES, DecisionProblem
from credibly.decisions.uncertainty import MIN_UNITS, PART_EXPONENT, unit_name
from credibly.predictions.summaries import ScoreTable

HULL_SEED, HULL_REPLICATES = 1, 500


def parts_of(problem: DecisionProblem, table: ScoreTable) -> dict[str, Any]:
    """Return the corners of the hull of each part, as cuts of the whole and counts of the part.

    Whatever the costs, the best place of a part is one of its corners, so that these few numbers give
    the limits of ``decide(rule="minimum_cost", rng=1)`` for every cost matrix.
    """
    _, n = units_of(problem)
    m = round(n**PART_EXPONENT)
    stated: dict[str, Any] = {"size": m, "of": n, "unit": unit_name(problem)}
    stated["rate"] = decision_rules["minimum_cost"].rate
    if problem.repeated or n < MIN_UNITS:
        few = f"subsampling needs at least {MIN_UNITS} cases (or groups); there are {n}"
        return stated | {"why": REPEATED_CASES if problem.repeated else few}
    place = np.searchsorted(-table.score, -problem.scores())
    positive = problem.cases.truth == problem.cases.positive
    corners = [
        _corners(place[rows], positive[rows], weight)
        for rows, weight in subsamples(problem, m, seed=HULL_SEED, replicates=HULL_REPLICATES)
    ]
    cut, tp, fp = (np.concatenate(column) for column in zip(*corners, strict=True))
    starts = np.concatenate([[0], np.cumsum([c[0].size for c in corners])])
    columns = {"starts": starts, "cut": cut, "tp": tp, "fp": fp}
    return stated | {"why": ""} | {name: packed(column) for name, column in columns.items()}


def _corners(
    place: NDArray[np.int64], positive: NDArray[np.bool_], weight: NDArray[np.float64]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the corners of one part: the cut of the whole, and the part's counts up to it."""
    order = np.argsort(place, kind="stable")
    place, weight = place[order], weight[order]
    last = np.append(np.flatnonzero(np.diff(place)), place.size - 1)
    tp, fp = (
        np.concatenate([[0.0], np.cumsum(weight * side[order])[last]])
        for side in (positive, ~positive)
    )
    at = upper_hull(fp, tp, times=HULL_REPLICATES)
    return np.concatenate([[0], place[last] + 1])[at], tp[at], fp[at]
