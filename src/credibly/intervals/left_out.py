r"""How a function of sums of losses moves when a case, or a group, is left out: exactly, for a summary less a case is a summary.

Influence values are the derivative by the weight of a case. Where one case carries much of a sum that others are divided by, as one large value
does of a correlation or of R2, the derivative sees too little of what the measure would be without it. What is seen is the change on the scale of
the range, so that limits of measures that say the same, such as R2, the relative squared error and its root, say the same. Tables of labels have cases
added to them instead, which do as much; there, leaving cases out as well would only be wider.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import ROUNDING, Floats
from credibly.intervals._declare import RefusalError
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct
from credibly.predictions.summaries import LossMoments, PairMoments

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.measures import Measure

MOST_LEFT_OUT = 1 << 14  # cases or groups that move it most: the derivative serves the others
LITTLE_LEFT = 1e-6  # of a sum: what is left is then summed anew, as differences lose the digits
LITTLE_GONE = 1e-6  # of every sum: the derivative is as good, and differences lose digits
MOST_SUMMED_ANEW = 64  # cases or groups: of a sum of squares one at most leaves so little


class OneCaseDecidesError(RefusalError):
    """Without one of the cases, or groups, a measure is undefined, or at an end of its range."""

    def __init__(self, *, defined: bool) -> None:
        super().__init__("without one of the cases it is undefined or at an end of its range")
        self.defined = defined  # without each


def leaves_out(m: Measure, p: Predictions, average: Average | None = None) -> bool:
    """Whether cases are left out exactly: of ratios and other functions of several sums, unless cases are in time order."""
    several = m.reads in {LossMoments, PairMoments} and m.power is None and not m.stratified
    return several and m.nonlinear and not (average or p.in_time)


def left_out(m: Measure, p: Predictions, slopes: Floats) -> Floats:
    """Return influence values that add up, over each case or group, to what leaving it out changes, as if that were linear.

    >>> from credibly.intervals.influence import influence
    >>> from credibly.measures import measures
    >>> p, m = Predictions.of([1.0, 2, 3, 4, 50], value=[1.0, 3, 2, 5, 30]), measures["correlation"]
    >>> slopes = influence(m, p)
    >>> [float(values[-1].round(3)) for values in (slopes, left_out(m, p, slopes))]
    [0.003, 0.011]
    """
    if not slopes.any():
        return slopes
    counted = p.weights
    if p.clusters is None and p.weight_kind != "importance":
        counted = np.minimum(counted, 1.0)  # one of as many as a row stands for
    unit = None if p.clusters is None else distinct(p.clusters).codes
    size, linear = _summed(counted, unit), _summed(counted * slopes, unit)
    chosen = np.flatnonzero(size)
    if chosen.size > MOST_LEFT_OUT:
        chosen = np.argpartition(np.abs(linear), -MOST_LEFT_OUT)[-MOST_LEFT_OUT:]
    rows, places = chosen, None
    if unit is not None:
        place = np.full(size.size, -1)
        place[chosen] = np.arange(chosen.size)
        rows = np.flatnonzero(place[unit] >= 0)
        places = place[unit[rows]]
    whole: LossMoments | PairMoments = m.summarise(p)  # type: ignore[assignment]
    added = _added(m, p if rows.size == p.n else p.take(rows), whole, counted[rows])
    rest = {name: getattr(whole, name) - _summed(each, places) for name, each in added.items()}
    others = replace(whole, **rest)
    here, without = float(m.of_summary(whole)), np.array(m.of_summary(others), float)
    left = _share_left(whole, others)
    for i in _hardly_left(left):
        remaining = p.weights.copy()
        own = rows[[i]] if places is None else rows[places == i]
        remaining[own] -= counted[own]
        without[i] = _value_anew(m, p, remaining)
    changed = _on_scale(m, here, without)
    if not np.isfinite(changed).all():
        raise OneCaseDecidesError(defined=not np.isnan(without).any())
    exact = changed * (1 - size[chosen] / float(whole.weight))
    moved = slopes.copy()
    more = np.where(1 - left > LITTLE_GONE, (exact - linear[chosen]) / size[chosen], 0.0)
    moved[rows] += more if places is None else more[places]
    return moved


def _share_left(whole: LossMoments | PairMoments, others: LossMoments | PairMoments) -> Floats:
    """Return what share of a sum is left without each case or group: of the sum that it is most of.

    >>> whole, others = (LossMoments.of_sums(np.ones(n), np.array(t)) for n, t in ((1, [1e9]), (2, [[5.0], [9e8]])))
    >>> _share_left(whole, others).tolist()
    [5e-09, 0.9]
    """
    held, left = (np.abs(_spread(each)) for each in (whole, others))
    share = np.divide(left, held, out=np.ones_like(left), where=held > 0)
    return np.asarray(share.min(axis=-1))


def _hardly_left(share: Floats) -> NDArray[np.intp]:
    """Return the cases or groups without which hardly anything is left of a sum: those that leave least come first.

    >>> _hardly_left(np.array([0.9, 5e-9, 1e-10])).tolist()
    [2, 1]
    """
    order = np.argsort(share, kind="stable")[:MOST_SUMMED_ANEW]
    return order[share[order] < LITTLE_LEFT]


def _spread(summary: LossMoments | PairMoments) -> Floats:
    """Return the sums that a case may be nearly all of: of losses, or of squares about the mean."""
    if isinstance(summary, LossMoments):
        return summary.total
    squares = np.diagonal(summary.covariance(), axis1=-2, axis2=-1)
    return np.asarray(squares * summary.weight[..., None])


def _value_anew(m: Measure, p: Predictions, remaining: Floats) -> float:
    """Return the measure on cases with the weight that remains of each, if any does."""
    there = remaining > 0
    kept = p.take(there)
    if not kept.n:
        return math.nan
    if kept.weight is not None:
        kept = replace(kept, weight=remaining[there], cache={})
    return float(m.of_summary(m.summarise(kept)))


def _added(
    m: Measure, p: Predictions, whole: LossMoments | PairMoments, counted: Floats
) -> dict[str, Floats]:
    """Return what each row adds to the numbers of a summary."""
    if isinstance(whole, LossMoments):
        return {"weight": counted, "total": counted[:, None] * m.losses(p)}
    columns = p.truth, p.need("value", "leaving out a case")
    points = np.column_stack(columns) / whole.unit - whole.origin
    weighed = counted[:, None] * points
    return {
        "weight": counted,
        "sums": weighed,
        "products": weighed[:, :, None] * points[:, None, :],
    }


def _summed(each: Floats, unit: NDArray[np.intp] | None) -> Floats:
    """Add up the rows of each unit; without units each row is one."""
    if unit is None:
        return each
    columns = each.reshape(len(each), -1).T
    sums = np.column_stack([np.bincount(unit, column).astype(float) for column in columns])
    return sums.reshape(len(sums), *each.shape[1:])


def _on_scale(m: Measure, here: float, without: Floats) -> Floats:
    """Return how far apart values are on the scale of the range, in units of the value that is there."""
    ends = [end for end in m.range if math.isfinite(end)]
    if not ends:
        return here - without
    with np.errstate(all="ignore"):
        apart = sum(
            math.copysign(1, here - end) * np.log((here - end) / _from_end(without, here, end))
            for end in ends
        )
        return np.asarray(apart / sum(1 / abs(np.float64(here - end)) for end in ends))


def _from_end(without: Floats, here: float, end: float) -> Floats:
    """Return how far values are from an end of the range; nothing where only rounding keeps them from it."""
    nothing = ROUNDING * max(abs(end), abs(here - end))
    return np.where(np.abs(without - end) <= nothing, 0.0, without - end)
