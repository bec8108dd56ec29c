"""Conservative z: how far two estimates from halves that share no case lie apart.

Halves leave less than half of the cases to train on, so their estimates vary more than that of all
cases: the interval errs on the wide side (Nadeau & Bengio, 2003, section 4.2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from credibly._core.arrays import Floats, Indices
from credibly.errors import says
from credibly.evaluation._declare import EstimateAnswer, estimator
from credibly.evaluation.nested_estimators import (
    GROWS,
    IN_GROUPS,
    inner_repeats,
    refusal,
    undefined,
)
from credibly.evaluation.part_values import values_of_parts
from credibly.intervals._declare import EstimateRequest, RefusalError
from credibly.intervals.case_moves import CaseMoves
from credibly.intervals.folds import NADEAU
from credibly.intervals.generalization import wide_limits
from credibly.intervals.standard_errors import unit_of
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct, joint_codes
from credibly.predictions.lack import Lack
from credibly.predictions.parts import all_rows, are_inner
from credibly.predictions.table import cached
from credibly.results.interval import Interval


@dataclass(frozen=True, slots=True, eq=False)
class PairedRows:
    """All rows of paired subsampling: the number of the test part of each, and what the parts are of.

    ``half`` numbers the halves of each part, those of a pair one after the other; it is -1 of a part
    of all cases. Pairs of which a half is missing are left out.
    """

    rows: Predictions
    part: Indices
    half: Indices

    @classmethod
    def of(cls, p: Predictions) -> PairedRows | None:
        """Read predictions with those of halves; nothing if no pair of them is whole."""
        return cached(p, "paired rows", lambda: _paired_rows(p))

    def values(self, q: EstimateRequest) -> HalvesValues:
        """Return the values on all test parts."""
        every = values_of_parts(q.measure, self.rows, self.part, q.average)
        return HalvesValues(every, self.half)


def _paired_rows(p: Predictions) -> PairedRows | None:
    every = all_rows(p)
    inner = are_inner(every.need("part", "conservative_z"))
    repeat = np.asarray(every.need("repeat", "conservative_z")).astype(np.int64)
    half = np.where(inner, repeat - repeat[inner].min(), -1)
    case = distinct(every.need("row", "conservative_z")).codes
    use = ~inner
    for pair in np.unique(half[inner] // 2):
        first, second = (np.unique(case[half == 2 * pair + side]) for side in (0, 1))
        if first.size and second.size and not np.intersect1d(first, second).size:
            use |= (half // 2 == pair) & inner
    rows = np.flatnonzero(use)
    if not inner[rows].any():
        return None
    fold = every.need("fold", "conservative_z")
    rows = rows[np.lexsort((case[rows], fold[rows], repeat[rows]))]
    columns = [distinct(c[rows]) for c in (repeat, fold)]
    part = distinct(joint_codes(columns)).codes.astype(np.intp)
    of_part = np.empty(int(part.max()) + 1, np.int64)
    of_part[part] = half[rows]
    return PairedRows(every.take(rows), part, of_part)


@dataclass(frozen=True, slots=True, eq=False)
class HalvesValues:
    """Values on the test parts of all cases and of halves."""

    every: Floats
    half: Indices

    def __sub__(self, other: HalvesValues) -> HalvesValues:
        """Return the differences between two models on the same splits."""
        return HalvesValues(self.every - other.every, self.half)

    @property
    def of_all(self) -> Floats:
        """The values on test parts of all cases."""
        return self.every[self.half < 0]

    @property
    def undefined(self) -> int:
        """How many test parts have no finite value."""
        return int((~np.isfinite(self.every)).sum())

    @property
    def error(self) -> float:
        """The root of half the mean square of how far the means of two halves are apart."""
        mine = self.half >= 0
        codes = distinct(self.half[mine]).codes
        means = np.bincount(codes, self.every[mine]) / np.bincount(codes)
        apart = means[::2] - means[1::2]
        unit = unit_of(apart)  # squares fit a double
        return unit * math.sqrt(float(np.square(apart / unit).mean()) / 2)

    @property
    def pairs(self) -> int:
        """How many pairs of halves there are."""
        return len(np.unique(self.half[self.half >= 0])) // 2


def lacks_halves(p: Predictions) -> Lack | None:
    """Say what predictions lack for conservative z."""
    lack = Lack("part", says("the halves of <resampling='paired_subsampling'>"))
    repeats = inner_repeats(p)
    if repeats is None or np.isin(repeats, p.need("repeat", "conservative_z")).any():
        return lack
    return None if PairedRows.of(p) is not None else lack


@estimator("Conservative z", cite=NADEAU, needs=lacks_halves, leads=True)
def conservative_z(q: EstimateRequest) -> EstimateAnswer:
    """Mean over the test parts of all cases, with an error seen between halves that share no case.

    Its interval is about this way of learning with new training sets, and wide: halves train on less.
    """
    p = q.measure.view(q.predictions, q.average)
    rows = PairedRows.of(p)
    if rows is None:
        return EstimateAnswer(math.nan, None, "no pair of halves is whole")
    values = rows.values(q)
    if values.undefined:
        return undefined(q, values.undefined, values.every.size)
    value = float(values.of_all.mean())
    limits, why = _interval(q, rows, values, value)
    return EstimateAnswer(value, limits, why, tuple(values.of_all.tolist()))


def _interval(
    q: EstimateRequest, found: PairedRows, values: HalvesValues, value: float
) -> tuple[Interval | None, str]:
    if why := refusal(q, found.rows) or (IN_GROUPS if found.rows.grouping is not None else ""):
        return None, why
    moves = CaseMoves.of(q.measure, found.rows, q.average)
    if q.measure.mean or (moves is not None and moves.grows):
        return None, GROWS
    freedom = max(float(q.predictions.cases) - 1, 1.0)
    method = f"conservative z, {values.pairs} pairs of halves"
    try:
        request = replace(q, value=value)
        return wide_limits(request, values.error, freedom, method, by_cases=False), ""
    except RefusalError as refused:
        return None, refused.args[0]
