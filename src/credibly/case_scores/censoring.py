"""Inverse probability of censoring weights, and how each case moves what they weigh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats

Places = NDArray[np.intp]


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
    step: Floats  # Greenwood's steps
    left: Floats  # how many are watched on after each time
    place: Places | None
    censored: NDArray[np.bool_]

    @classmethod
    def of(cls, time: Floats, event: NDArray[np.bool_], *, own: bool = True) -> Censoring:
        """Estimate it from cases, which are judged themselves or not."""
        times, place = np.unique(time, return_inverse=True)
        events = np.bincount(place, event, times.size)
        lost = np.bincount(place, ~event, times.size)
        at_risk = np.cumsum((events + lost)[::-1])[::-1] - events
        with np.errstate(all="ignore"):
            stay = np.where(at_risk > 0, 1 - lost / at_risk, 1.0)
            step = np.where(at_risk > lost, lost / (at_risk * (at_risk - lost)), 0.0)
        watched = np.append(1.0, np.cumprod(stay))
        left = np.asarray(at_risk - lost, np.float64)
        return cls(times, watched, step, left, place if own else None, ~event)

    def before(self, time: Floats | float) -> Places:
        """Return how many of the times lie before a time: G(t-) is ``watched`` there."""
        return np.searchsorted(self.times, time, "left")

    def through(self, time: Floats | float) -> Places:
        """Return how many of the times lie at or before a time: G(t) is ``watched`` there."""
        return np.searchsorted(self.times, time, "right")

    def moves(self, terms: Floats, at: Places, power: float = 1.0) -> Floats:
        """Return the derivative by the weight of each case of a sum of terms, each divided by a power of ``watched`` at its place.

        The logarithm of ``watched`` falls where a case is censored and rises where it stays while others are: by the terms
        that come later, both are sums over the times.
        """
        if self.place is None:
            return np.zeros(terms.size)
        held = np.bincount(at, terms, self.times.size + 1)
        later = held.sum() - np.cumsum(held)[:-1]  # the terms that look beyond each time
        stayed = np.append(0.0, np.cumsum(self.step * later))
        with np.errstate(all="ignore"):
            fell = np.where(self.left > 0, later / self.left, 0.0)
        at_risk = self.place + self.censored
        return -power * (stayed[at_risk] - np.where(self.censored, fell[self.place], 0.0))
