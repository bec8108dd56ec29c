"""Averages over cases, with intervals that know of both: the cases, and the training sets they share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly.intervals.quantiles import two_sided
from credibly.intervals.standard_errors import on_scale
from credibly.predictions.labels import distinct
from credibly.results.interval import Interval

if TYPE_CHECKING:
    from credibly.bias_variance._declare import Decomposition
    from credibly.bias_variance.tables import Values, Votes


METHOD = "jackknife over cases and over training sets"
NO_VARIATION = "neither the cases nor the training sets show any variation in it"
ONE_CASE = "one case, or one group of cases, does not show how others vary"
TOO_FEW_CASES = "too few cases ({n}) differ from 0 to say how often that happens"
AT_MAXIMUM = "it has its largest possible value in every case, which gives an interval no width"
MIN_NONZERO_CASES = 5


@dataclass(frozen=True, slots=True, eq=False)
class CaseFacts:
    """What is known of the cases beside their predictions."""

    row: NDArray[np.generic]
    weight: Floats
    counted: bool = False  # whether a weight of 2 stands for two cases
    group: NDArray[np.generic] | None = None


@dataclass(frozen=True, slots=True)
class Average:
    """A mean over cases with its interval, or the reason for having none."""

    value: float
    interval: Interval | None
    why: str


def quantities(entry: Decomposition, table: Votes | Values) -> dict[str, Floats]:
    """Return loss, parts and, of labels, the agreement of two training sets, for each case."""
    parts = entry(table)
    columns = {"loss": parts.loss, **parts.values}
    agreement = getattr(table, "agreement", None)
    return columns if agreement is None else {**columns, "stability": agreement}


def averages(
    entry: Decomposition,
    table: Votes | Values,
    cases: CaseFacts,
    ranges: Mapping[str, tuple[float, float]],
    confidence_level: float,
) -> dict[str, Average]:
    """Average every quantity over the cases.

    Cases meet the same training sets, and training sets the same cases, so a mean varies with both. The
    variances of leaving out cases (or groups) and of leaving out training sets are added, which counts
    what a training set does to a single case twice: a little too much, never too little. Limits are set
    on a scale that keeps to the range.
    """
    columns = quantities(entry, table)
    each = np.stack(list(columns.values()), axis=1)
    mean = cases.weight @ each / cases.weight.sum()
    of_cases, n = _over_cases(each - mean, cases)
    of_sets, k = _over_sets(entry, table, cases, each, mean)
    made = {}
    for i, (name, column) in enumerate(columns.items()):
        half, why = _half_width(column, (of_cases[i], n), (of_sets[i], k), confidence_level)
        why = why or (AT_MAXIMUM if mean[i] in ranges[name] else "")
        limits = None if why else on_scale(float(mean[i]), half, *ranges[name])
        interval = (
            None if limits is None else Interval(*limits, confidence_level, METHOD, "training")
        )
        made[name] = Average(float(mean[i]), interval, why)
    return made


def _over_cases(residual: Floats, cases: CaseFacts) -> tuple[Floats, float]:
    """Return the variance of the means from case to case, and how many independent cases there are."""
    w = cases.weight
    if cases.group is not None:
        codes = distinct(cases.group).codes
        weighted = w[:, None] * residual
        sums = np.stack([np.bincount(codes, column) for column in weighted.T], axis=1)
        squares, n = (sums**2).sum(axis=0), float(codes.max() + 1)
    elif cases.counted:
        squares, n = w @ residual**2, float(w.sum())
    else:
        squares, n = w**2 @ residual**2, float(np.count_nonzero(w))
    return squares / w.sum() ** 2 * n / max(n - 1, 1), n


def _over_sets(
    entry: Decomposition, table: Votes | Values, cases: CaseFacts, each: Floats, mean: Floats
) -> tuple[Floats, int]:
    """Return the jackknife's variance of the means from training set to training set, and their number.

    Only the cases that a training set predicts change when it is left out.
    """
    k = table.training_sets
    left = np.empty((k, mean.size))
    for i in range(k):
        rows, smaller = table.without(i)
        change = np.stack(list(quantities(entry, smaller).values()), axis=1) - each[rows]
        left[i] = mean + cases.weight[rows] @ change / cases.weight.sum()
    return (k - 1) / k * ((left - left.mean(axis=0)) ** 2).sum(axis=0), k


def _half_width(
    column: Floats, cases: tuple[float, float], sets: tuple[float, float], confidence_level: float
) -> tuple[float, str]:
    """Return half of Student's interval, with Satterthwaite's degrees of freedom, or why there is none."""
    if cases[1] < 2:
        return 0.0, ONE_CASE
    variance = cases[0] + sets[0]
    if variance <= (1e-14 * np.abs(column).max()) ** 2:
        return 0.0, NO_VARIATION
    other = np.count_nonzero(column)
    if other < min(MIN_NONZERO_CASES, column.size):
        return 0.0, TOO_FEW_CASES.format(n=other)
    dof = variance**2 / sum(v**2 / (n - 1) for v, n in (cases, sets))
    return two_sided(confidence_level, dof) * math.sqrt(variance), ""
