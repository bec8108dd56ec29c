"""The score up to which conformal predictions go: a rank among the scores of cases whose truth is known."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from credibly._core.arrays import Floats

SUM_ROUNDING = 1e-12  # how near two sums of weights are the same


def rank_of(n: int, level: Fraction) -> int:
    """Return which of n scores, in rising order, is the threshold; more than n if there are too few.

    >>> [rank_of(n, Fraction("0.9")) for n in (8, 9, 99, 100)]
    [9, 9, 90, 91]
    """
    return math.ceil((n + 1) * level)


def exact(level: float) -> Fraction:
    """Return a level as people write it: 0.9 is nine tenths.

    >>> exact(0.9), exact(0.95)
    (Fraction(9, 10), Fraction(19, 20))
    """
    return Fraction(repr(float(level)))


def threshold(scores: Floats, level: Fraction) -> float:
    """Return the score up to which things are predicted: infinite if there are too few.

    >>> threshold(np.array([0.3, 0.1, 0.2]), Fraction("0.5")), threshold(np.array([0.3]), Fraction("0.9"))
    (0.2, inf)
    """
    rank = rank_of(scores.size, level)
    return float(np.partition(scores, rank - 1)[rank - 1]) if rank <= scores.size else math.inf


def weighted_thresholds(scores: Floats, weights: Floats, new: Floats, level: Fraction) -> Floats:
    """Return for the weight of each new case the score up to which things are predicted; with equal weights it is `threshold`.

    >>> weighted_thresholds(np.array([0.3, 0.1, 0.2]), np.ones(3), np.array([1.0, 5.0]), Fraction("0.5"))
    array([0.2, inf])
    """
    order = np.argsort(scores)
    reached = np.cumsum(weights[order])
    wanted = float(level) * (reached[-1] + new)
    # Rounding must not ask for one more case where sums are equal.
    place = np.searchsorted(reached, wanted * (1 - SUM_ROUNDING), side="left")
    return np.append(scores[order], math.inf)[place]
