"""Signs and ranks of differences: their exact distributions, ties and zeros included."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import ROUNDING, Floats
from credibly._kernels.placements import midranks
from credibly.intervals.quantiles import normal_tail

Zeros = Literal["drop", "pratt", "split"]
Method = Literal["auto", "exact", "normal"]

# Up to so many differences the distribution is enumerated; beyond, the normal is right to three digits.
MAX_EXACT_PAIRS = 500
# Differences are ties if they agree to this share of the largest value: 0.3 - 0.2 is 0.2 - 0.1.
MIN_SCALE = 1e-290  # below it, a share of a value underflows


@dataclass(frozen=True, slots=True)
class Tails:
    """Chances under no difference of a statistic as small, and as large, as the one that was seen."""

    below: float
    above: float

    def pvalue(self, alternative: str) -> float:
        """Return the p-value for an alternative; two sides are twice the smaller tail."""
        if alternative == "two-sided":
            return min(1.0, 2 * min(self.below, self.above))
        return self.above if alternative == "greater" else self.below


def without_rounding(a: Floats, b: Floats) -> Floats:
    """Return the differences, those equal except for rounding made equal.

    >>> np.unique(without_rounding(np.array([0.3, 0.2]), np.array([0.2, 0.1]))).size
    1
    """
    differences = a - b
    largest = max(np.abs(a).max(), np.abs(b).max())
    if largest < MIN_SCALE:
        return differences
    step = 2.0 ** math.floor(math.log2(largest * ROUNDING))  # a power of two divides exactly
    return np.round(differences / step) * step


def signed_ranks(differences: Floats, zeros: Zeros = "drop") -> tuple[Floats, NDArray[np.bool_]]:
    """Return the ranks of the sizes of the differences that are not zero, and which are positive.

    Wilcoxon drops zeros before ranking; Pratt ranks them too and drops them then. Demsar splits them:
    half of them are positive, and one is dropped if their number is odd.

    >>> ranks, positive = signed_ranks(np.array([0.0, 0.0, 0.0, 2.0, -3.0]), "split")
    >>> ranks.tolist(), positive.tolist()
    ([1.5, 1.5, 3.0, 4.0], [True, False, True, False])
    """
    moved = differences != 0
    if zeros == "split":
        nothing = np.flatnonzero(~moved)
        kept = np.delete(differences, nothing[: nothing.size % 2])
        first_half = np.cumsum(kept == 0) <= nothing.size // 2
        return midranks(np.abs(kept)), (kept > 0) | ((kept == 0) & first_half)
    if zeros == "drop":
        differences, moved = differences[moved], np.ones(moved.sum(), bool)
    return midranks(np.abs(differences))[moved], differences[moved] > 0


def rank_sum_distribution(ranks: Floats) -> Floats:
    """Return the chance of each sum of positive ranks, counted in halves, when every sign is a fair coin.

    It is the distribution given these very ranks, so ties need no approximation.

    >>> rank_sum_distribution(np.array([1.0, 2.0])).tolist()
    [0.25, 0.0, 0.25, 0.0, 0.25, 0.0, 0.25]
    """
    steps = np.rint(2 * ranks).astype(int)
    chances = np.zeros(steps.sum() + 1)
    chances[0] = 1.0
    reached = 0
    for step in np.sort(steps):
        # The right side is read before it is written.
        moved = chances[: reached + 1] / 2
        chances[: reached + 1] = moved
        chances[step : step + reached + 1] += moved
        reached += step
    return chances


def signed_rank_tails(
    ranks: Floats, positive: NDArray[np.bool_], method: Method = "auto", *, continuity: bool = True
) -> tuple[float, Tails, str]:
    """Return the sum of the positive ranks, its tails, and how they were computed."""
    total = float(ranks[positive].sum())
    if method == "exact" or (method == "auto" and ranks.size <= MAX_EXACT_PAIRS):
        chances = rank_sum_distribution(ranks)
        at = round(2 * total)
        return total, Tails(float(chances[: at + 1].sum()), float(chances[at:].sum())), "exact"
    mean, deviation = ranks.sum() / 2, math.sqrt((ranks**2).sum()) / 2
    # Sums move in steps of one where there are no ties: half a step belongs to each tail.
    half = 0.5 if continuity else 0.0
    below = normal_tail((mean - total - half) / deviation)
    above = normal_tail((total - half - mean) / deviation)
    how = "normal approximation" + (", continuity corrected" if continuity else "")
    return total, Tails(below, above), how


def sign_tails(positive: int, n: int) -> Tails:
    """Return the tails of the number of positive signs among ``n`` fair coins.

    >>> sign_tails(9, 10).pvalue("two-sided")
    0.021484375
    """
    from scipy.special import bdtr

    return Tails(float(bdtr(positive, n, 0.5)), float(bdtr(n - positive, n, 0.5)))


def walsh_averages(differences: Floats) -> Floats:
    """Return the sorted means of all pairs of differences, each with itself included."""
    first, second = np.triu_indices(differences.size)
    return np.sort((differences[first] + differences[second]) / 2)


def median_limits(
    ordered: Floats, chances: Floats, confidence_level: float
) -> tuple[float, float] | None:
    """Cut as many ordered values from either end as the distribution of a count allows.

    ``chances[i]`` is the chance that ``i`` of the values lie below the centre. There are no limits
    where even one may not be cut.
    """
    tail = (1 - confidence_level) / 2
    cut = int(np.searchsorted(np.cumsum(chances), tail * (1 - 1e-9)))
    return (float(ordered[cut - 1]), float(ordered[-cut])) if cut else None
