"""An estimate by few labels, rectified by what a judge says of all cases, with its standard error.

All of it is written in moves: how far the estimate moves with the weight of one case. The estimate is

    t(labelled by truth) - weight (t(labelled by judge) - t(all by judge)),

and a case moves it by the same combination of its influence values. Angelopoulos, A. N., Duchi, J. C. &
Zrnic, T. (2023) PPI++: efficient prediction-powered inference. arXiv:2311.01453; with probabilities of being
labelled: Zrnic, T. & Candes, E. J. (2024) Active statistical inference. ICML, arXiv:2403.03208.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, dot
from credibly.errors import DataError, says
from credibly.predictions.labels import distinct

# A value by some rows with weights, and how it moves with the weight of each of them.
Statistic = Callable[[NDArray[np.bool_], Floats], tuple[float, Floats]]


@dataclass(frozen=True, slots=True)
class LabelledSample:
    """Which cases were labelled and how they were chosen.

    ``probability`` is that of being labelled. Where labelled cases were ``counted`` it is their share in
    each ``stratum``; otherwise each case was chosen by its own probability.
    """

    labelled: NDArray[np.bool_]
    weight: Floats
    probability: Floats
    stratum: NDArray[np.intp]
    counted: bool
    group: NDArray[np.intp] | None = None

    @classmethod
    def of(
        cls,
        labelled: NDArray[np.bool_],
        weight: Floats,
        probability: Floats | None,
        stratum: NDArray[Any] | None,
        group: NDArray[Any] | None,
    ) -> LabelledSample:
        """Count the labelled cases of each stratum, unless probabilities are given."""
        found = None if stratum is None else distinct(stratum)
        codes = np.zeros(labelled.size, np.intp) if found is None else found.codes.astype(np.intp)
        groups = None if group is None else distinct(group).codes.astype(np.intp)
        if probability is not None:
            return cls(labelled, weight, probability, codes, counted=False, group=groups)
        sizes, chosen = np.bincount(codes), np.bincount(codes, labelled)
        if (chosen < 2).any():
            which = "" if found is None else f" in {found.values[int(np.argmin(chosen))]!r}"
            raise DataError(
                f"{'No case' if chosen.min() < 1 else 'A single case'} is labelled{which}; "
                "an interval needs at least two.",
                remedy=says(
                    "Label more cases{join}.", join="" if found is None else ", or join strata"
                ),
            )
        return cls(labelled, weight, (chosen / sizes)[codes], codes, counted=True, group=groups)

    @property
    def n(self) -> int:
        """How many cases are labelled."""
        return int(self.labelled.sum())

    @property
    def plain(self) -> bool:
        """Whether the labelled cases are a simple random sample."""
        return self.counted and not self.stratum.any()

    @property
    def freedom(self) -> float:
        """Degrees of freedom of a variance that the labelled cases show."""
        if self.group is not None:
            return float(np.unique(self.group[self.labelled]).size - 1)
        if self.counted:
            return float(self.n - self.stratum.max() - 1)
        w = (self.weight / self.probability)[self.labelled]
        return max(float(w.sum() ** 2 / dot(w, w)) - 1, 1.0)

    def centred(self, values: Floats) -> Floats:
        """Return values of labelled cases without the mean of their stratum; 0 for the other cases."""
        rows, codes = self.labelled, self.stratum[self.labelled]
        made = np.zeros(rows.size)
        made[rows] = values[rows]
        if self.counted:
            made[rows] -= (np.bincount(codes, values[rows]) / np.bincount(codes))[codes]
        return made


@dataclass(frozen=True, slots=True)
class Rectified:
    """An estimate, its standard error, and what more labels would do to it.

    ``weight`` is how much of the judge's difference is taken, as in PPI++: between 0 and 1.
    """

    value: float
    error: float
    weight: float
    from_labels: float  # the part of the variance that falls in proportion to the number of labels


@dataclass(frozen=True, slots=True)
class JudgedMoves:
    """A statistic by the truth and by the judge, with how each case moves it."""

    sample: LabelledSample
    by_truth: float
    by_judge_labelled: float
    by_judge: float
    truth: Floats
    judge_labelled: Floats
    judge: Floats

    @classmethod
    def of(cls, sample: LabelledSample, truth: Statistic, judge: Statistic) -> JudgedMoves:
        """Compute the statistic on the labelled cases, by both, and by the judge on all cases."""
        rows = sample.labelled
        inverse = (sample.weight / sample.probability)[rows]
        value, slopes = truth(rows, inverse)
        seen, judged = judge(rows, inverse)
        everything = np.ones(rows.size, bool)
        on_all, all_slopes = judge(everything, sample.weight)
        moves = np.zeros((2, rows.size))
        moves[0, rows], moves[1, rows] = slopes * inverse, judged * inverse
        return cls(sample, value, seen, on_all, moves[0], moves[1], all_slopes * sample.weight)

    @property
    def share(self) -> float:
        """The share of cases that are not labelled, which turns a weight into that of PPI++."""
        return 1 - self.sample.n / self.sample.labelled.size

    def tuned_weight(self) -> float:
        """Return the weight of the smallest variance, between 0 and 1."""
        s, p = self.sample, self.sample.probability
        a, b = s.centred(self.truth), s.centred(self.judge_labelled)
        shared = float(dot(a * b, 1 - p))
        on_all = self.judge
        if s.counted:
            on_all = on_all - (np.bincount(s.stratum, on_all) / np.bincount(s.stratum))[s.stratum]
        n = on_all.size
        own = float(dot(np.square(on_all), 1 / p - 1)) * n / (n - 1)
        return min(max(shared / own * self.share, 0.0), 1.0) if own > 0 else 0.0

    def at(self, weight: float) -> Rectified:
        """Return the estimate with a weight of the judge."""
        s = self.sample
        of_all = weight / self.share if self.share else 0.0
        value = self.by_truth - of_all * (self.by_judge_labelled - self.by_judge)
        own = self.truth - of_all * self.judge_labelled
        moved = own + of_all * self.judge
        if s.counted:
            sizes = np.bincount(s.stratum)
            level = (np.bincount(s.stratum, own) / sizes)[s.stratum]
            moved = s.centred(own) + level + of_all * self.judge
            cell = 2 * s.stratum + s.labelled
            inside, n = (
                np.bincount(cell, moved, 2 * sizes.size),
                np.bincount(cell, minlength=2 * sizes.size),
            )
            mean = (inside / np.maximum(n, 1))[cell]
            stretched = np.sqrt(n / np.maximum(n - 1, 1))[cell]
            between = (np.bincount(s.stratum, moved) / sizes)[s.stratum]
            moved = (moved - mean) * stretched + between
        else:
            moved = moved * math.sqrt(s.n / (s.n - 1))
        if s.group is not None:
            by_group: Floats = np.bincount(s.group, moved).astype(np.float64)
            moved = by_group * math.sqrt((s.freedom + 1) / max(s.freedom, 1.0))
        from_labels = float(np.square(s.centred(own)).sum())
        return Rectified(value, math.sqrt(float(dot(moved, moved))), weight, from_labels)

    def labels_to_halve(self, found: Rectified) -> int | None:
        """Return how many labels bring the standard error to half of what it is, if these cases can."""
        spare = found.from_labels - (1 - 0.5**2) * found.error**2
        if spare <= 0:
            return None
        needed = math.ceil(self.sample.n * found.from_labels / spare)
        return needed if needed <= self.sample.labelled.size else None

    def with_all_labelled(self) -> float:
        """Return the standard error if every case were labelled, as far as the labelled ones tell."""
        s = self.sample
        a = np.where(s.labelled, self.truth, 0.0)
        return math.sqrt(float(dot(np.square(a), s.probability)))


def mean_of(values: Floats) -> Statistic:
    """Return the weighted mean as a statistic.

    >>> value, slopes = mean_of(np.array([1.0, 0.0, 2.0]))(np.array([True, False, True]), np.ones(2))
    >>> value, slopes.tolist()
    (1.5, [-0.25, 0.25])
    """

    def statistic(rows: NDArray[np.bool_], weights: Floats) -> tuple[float, Floats]:
        chosen, total = values[rows], float(weights.sum())
        mean = float(dot(chosen, weights)) / total
        return mean, (chosen - mean) / total

    return statistic
