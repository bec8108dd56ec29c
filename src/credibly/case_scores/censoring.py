"""Inverse probability of censoring weights, and how each case moves what they weigh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._kernels.placements import falling_order

Places = NDArray[np.intp]


def in_order(values: Floats) -> tuple[Floats, Places]:
    """Return the distinct values, the lowest first, and the place of each case among them, in a third of the time of `np.unique`.

    >>> values, place = in_order(np.array([3.0, 1.0, 3.0]))
    >>> values.tolist(), place.tolist()
    ([1.0, 3.0], [1, 0, 1])
    """
    order, new = falling_order(-values)
    place = np.empty(values.size, np.intp)
    place[order] = np.cumsum(new) - 1
    return values[order[new]], place


@dataclass(frozen=True, slots=True, eq=False)
class Censoring:
    """The Kaplan-Meier estimate of still being watched, in which events at a time leave before those censored at it.

    ``watched`` has a value after each of the distinct ``times``, and 1 before them. ``place`` says which time each case has; there are
    none where the estimate is of other cases, whose chance is then treated as known.

    >>> c = Censoring.of(np.array([1.0, 2.0, 2.0, 3.0]), np.array([True, True, False, True]))
    >>> c.watched.tolist()
    [1.0, 1.0, 0.5, 0.5]
    """

    times: Floats
    watched: Floats
    step: Floats  # how much 1 / watched grows, as a logarithm, without a case that stays beyond each time
    drop: Floats  # and falls without one that is lost at it
    place: Places | None
    censored: NDArray[np.bool_]
    weight: Floats
    one: float  # the weight that leaving out a case takes away

    @classmethod
    def of(
        cls, time: Floats, event: NDArray[np.bool_], weight: Floats | None = None, one: float = 1.0, *, own: bool = True
    ) -> Censoring:  # fmt: skip
        """Estimate it from cases, which are judged themselves or not."""
        weight = np.ones(time.size) if weight is None else weight
        times, place = in_order(time)
        events = np.bincount(place, event * weight, times.size)
        lost = np.bincount(place, ~event * weight, times.size)
        at_risk = np.cumsum((events + lost)[::-1])[::-1] - events
        with np.errstate(all="ignore"):
            stay = np.where(at_risk > 0, 1 - lost / at_risk, 1.0)
            # Where a single case stays, nobody else's term comes later.
            left = at_risk - lost - one
            step = np.where(left > 0, np.log1p(one * lost / (at_risk * left)), 0.0)
            drop = np.where(left + one > 0, np.log1p(-one / at_risk), 0.0)
        watched = np.append(1.0, np.cumprod(stay))
        return cls(times, watched, step, drop, place if own else None, ~event, weight, one)

    def before(self, time: Floats | float) -> Places:
        """Return how many of the times lie before a time: G(t-) is ``watched`` there."""
        return np.searchsorted(self.times, time, "left")

    def through(self, time: Floats | float) -> Places:
        """Return how many of the times lie at or before a time: G(t) is ``watched`` there."""
        return np.searchsorted(self.times, time, "right")

    def moves(self, terms: Floats, at: Places, power: float = 1.0) -> Floats:
        """Return how a weighted sum of terms, each divided by a power of ``watched`` at its place, moves with each case, less the mean of that.

        This is exact: what leaving the case out changes by what it does to the weights of the others (the jackknife). Among few
        cases at risk a derivative says too little. Without a case that stays, more of those at risk are lost, so terms that come
        later weigh more; without one that is lost, they weigh less.
        """
        if self.place is None:
            return np.zeros(terms.size)
        grown = power * np.append(0.0, np.cumsum(self.step))
        more = np.expm1(grown)  # at each place, without a case that stays beyond it
        held = np.bincount(at, self.weight * terms, self.times.size + 1)
        near, all_near = np.cumsum(held * more)[self.place], np.cumsum(held)[self.place]
        gone = np.where(self.censored, power * self.drop[self.place], 0.0)
        far = np.expm1(grown[self.place] + gone) * (held.sum() - all_near)
        changed = (near + far) / self.one - terms * more[at]  # of all terms but its own
        return np.asarray(np.average(changed, weights=self.weight) - changed)
