"""Tables of what many training sets predict for the same cases.

Both are sums over training sets, so leaving one of them out is a subtraction; what is left then holds the
sums alone, and no single predictions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.text import count, some_rows
from credibly.errors import DataError, says
from credibly.predictions.labels import MISSING, align, as_array, as_column, encode, shorten
from credibly.predictions.numbers import sums_to_one, within_unit

if TYPE_CHECKING:
    Codes = NDArray[np.intp]

MIN_PREDICTIONS = 2  # of a case; with fewer, nothing can be said of their variance
SUM_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """How often training sets give each label to each case, beside the probabilities of its truth.

    >>> votes = Votes.of([[1, 1, -1, 1]], truth=[[0.2, 0.8]], classes=[-1, 1])
    >>> votes.shares.tolist(), votes.loss.round(12).tolist()
    ([[0.25, 0.75]], [0.35])
    """

    labels: Codes  # one row per case and one column per training set; -1 where it does not predict the case
    counts: Floats  # one column per class
    truth: Floats
    classes: tuple[Any, ...]

    @classmethod
    def of(
        cls,
        labels: object,
        truth: object,
        classes: Sequence[Any] | None = None,
    ) -> Votes:
        """Read labels, one row per case and one column per training set, and the truth of each case.

        ``truth`` is the observed label of each case, or one column of probabilities a class in the
        order of ``classes``. A missing label is that of a training set which does not predict the case.
        """
        wide = _wide(labels, "labels")
        given = encode(wide.ravel(), "labels")
        known = None if np.asarray(truth).ndim > 1 else encode(as_column(truth, "truth"), "truth")
        seen = {*given.values, *(() if known is None else known.values)}
        names = tuple(sorted(seen) if classes is None else classes)
        places = align(given, names, "labels").astype(np.intp).reshape(wide.shape)
        if known is None:
            return cls.counted(places, class_probabilities(truth, len(wide), names), names)
        codes = align(known, names, "truth")
        if len(codes) != len(wide) or (codes == MISSING).any():
            raise DataError(
                f"truth must hold the label of each of {count(len(wide), 'case')}; it has {int((codes != MISSING).sum())}."
            )
        return cls.counted(places, np.eye(len(names))[codes], names)

    @classmethod
    def counted(cls, labels: Codes, truth: Floats, classes: tuple[Any, ...]) -> Votes:
        """Count labels, given as places in ``classes``."""
        counts = np.stack([(labels == c).sum(axis=1) for c in range(len(classes))], axis=1)
        _refuse_single(counts.sum(axis=1))
        return cls(labels, counts.astype(np.float64), truth, classes)

    @property
    def training_sets(self) -> int:
        """How many training sets there are."""
        return self.labels.shape[1]

    @property
    def count(self) -> Floats:
        """How many of them predict each case."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def shares(self) -> Floats:
        """The share of training sets that give each label."""
        return self.counts / self.count[:, None]

    @property
    def main(self) -> Floats:
        """Weights of the most frequent label of each case: all on one, or equal among those that tie."""
        return _top(self.counts)

    @property
    def best(self) -> Floats:
        """Weights of the most probable truth of each case, likewise."""
        return _top(self.truth)

    @property
    def loss(self) -> Floats:
        """The probability that label and truth differ."""
        return np.asarray(1 - (self.truth * self.shares).sum(axis=1))

    @property
    def agreement(self) -> Floats:
        """The probability that two of the training sets give a case the same label."""
        m = self.count
        return np.asarray((self.counts * (self.counts - 1)).sum(axis=1) / (m * (m - 1)))

    def without(self, training_set: int) -> tuple[Codes, Votes]:
        """Leave a training set out: the cases that it can be spared for, and their table without it."""
        given = self.labels[:, training_set]
        rows = np.flatnonzero((given != MISSING) & (self.count > MIN_PREDICTIONS))
        counts = self.counts[rows]
        counts[np.arange(rows.size), given[rows]] -= 1
        return rows, Votes(self.labels[:0], counts, self.truth[rows], self.classes)

    def signs(self) -> Values:
        """Return the labels of two classes as the numbers -1 and +1."""
        if len(self.classes) != 2:
            raise DataError(
                f"Only the labels of two classes can be written as -1 and +1; there are {len(self.classes)}: {shorten(self.classes)}.",
                remedy=says("Set <loss='domingos'> or another decomposition of the zero-one loss."),
            )
        numbers = np.where(self.labels == MISSING, np.nan, 2.0 * self.labels - 1)
        mean = self.truth[:, 1] - self.truth[:, 0]
        noise = 4 * self.truth[:, 0] * self.truth[:, 1]
        return Values.measured(numbers[:, :, None], mean[:, None], noise)


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """Numbers that training sets predict for each case, beside mean and variance of its truth.

    A case may have several numbers, such as the probabilities of the classes; squares are then summed.

    >>> values = Values.of([[1.0, 3.0]], truth=[1.0], noise=0.5)
    >>> values.mean.tolist(), values.variance.tolist(), values.loss.tolist()
    ([[2.0]], [1.0], [2.5])
    """

    values: Floats  # by case, training set and number; NaN where it does not predict the case
    truth: Floats  # by case and number
    noise: Floats
    count: Floats
    mean: Floats
    variance: Floats  # mean squared distance from the mean
    error: Floats  # mean squared distance from the truth's mean

    @classmethod
    def of(cls, values: object, truth: object, noise: object = 0.0) -> Values:
        """Read numbers, one row per case and one column per training set, and the mean of each case's truth.

        ``noise`` is the variance of the truth about its mean. NaN is the prediction of a training set
        which does not predict the case.
        """
        wide = _wide(values, "values").astype(np.float64)
        mean = np.asarray(truth, np.float64)
        spread = np.broadcast_to(np.asarray(noise, np.float64), mean.shape[:1])
        if mean.shape != (len(wide),) or not np.isfinite(mean).all():
            raise DataError(
                f"truth must be one finite number for each of {count(len(wide), 'case')}."
            )
        if np.isinf(wide).any():
            raise DataError(
                f"values are infinite in {some_rows(np.flatnonzero(np.isinf(wide).any(axis=1)))}."
            )
        if not (np.isfinite(spread) & (spread >= 0)).all():
            raise DataError(
                "noise is a variance: a finite number of at least 0, one for all cases or one per case."
            )
        return cls.measured(wide[:, :, None], mean[:, None], spread)

    @classmethod
    def measured(cls, values: Floats, truth: Floats, noise: Floats) -> Values:
        """Measure where the predictions of each case lie, and how far from each other and the truth."""
        there = ~np.isnan(values[:, :, 0])
        m = there.sum(axis=1).astype(np.float64)
        _refuse_single(m)
        given = np.where(there[:, :, None], values, 0.0)
        mean = given.sum(axis=1) / m[:, None]

        def distance(centre: Floats) -> Floats:
            square = ((given - centre[:, None]) ** 2).sum(axis=2)
            return np.asarray((square * there).sum(axis=1) / m)

        return cls(values, truth, noise, m, mean, distance(mean), distance(truth))

    @property
    def training_sets(self) -> int:
        """How many training sets there are."""
        return self.values.shape[1]

    @property
    def bias_squared(self) -> Floats:
        """Squared distance of the mean prediction from the mean of the truth."""
        return np.asarray(((self.mean - self.truth) ** 2).sum(axis=1))

    @property
    def loss(self) -> Floats:
        """Expected squared distance of prediction and truth."""
        return self.error + self.noise

    def without(self, training_set: int) -> tuple[Codes, Values]:
        """Leave a training set out: the cases that it can be spared for, and their table without it."""
        given = self.values[:, training_set]
        rows = np.flatnonzero(~np.isnan(given[:, 0]) & (self.count > MIN_PREDICTIONS))
        m, x = self.count[rows], given[rows]
        gap = ((x - self.mean[rows]) ** 2).sum(axis=1)
        far = ((x - self.truth[rows]) ** 2).sum(axis=1)
        left = Values(
            self.values[:0],
            self.truth[rows],
            self.noise[rows],
            m - 1,
            self.mean[rows] - (x - self.mean[rows]) / (m - 1)[:, None],
            np.maximum(m * self.variance[rows] - gap * m / (m - 1), 0) / (m - 1),
            np.maximum(m * self.error[rows] - far, 0) / (m - 1),
        )
        return rows, left


def class_probabilities(given: object, n: int, classes: Sequence[Any], positive: int = 1) -> Floats:
    """Check known probabilities of the classes; one column is about the positive of two classes."""
    p = np.array(as_array(given, "truth"), np.float64)
    if p.ndim == 1 and len(classes) == 2:
        columns = [1 - p, p] if positive == 1 else [p, 1 - p]
        p = np.stack(columns, axis=1)
    if p.shape != (n, len(classes)):
        raise DataError(
            f"truth must hold {count(n, 'row')} and one column for each of {count(len(classes), 'class')}; its shape is {p.shape}."
        )
    if np.isnan(p).any():
        raise DataError(
            f"truth is missing in {some_rows(np.flatnonzero(np.isnan(p).any(axis=1)))}."
        )
    within_unit(p, SUM_TOLERANCE, "truth")
    sums_to_one(p, SUM_TOLERANCE, "truth")
    return p


def _wide(given: object, name: str) -> NDArray[Any]:
    try:
        wide = as_array(given, name)
    except DataError:
        wide = np.empty(0)
    if wide.dtype.kind in "US":
        wide = np.array(given, object)  # as it was given: numpy writes a missing label as text
    if wide.ndim != 2 or not wide.size:
        raise DataError(
            f"{name} must have one row per case and one column per training set; the shape is {wide.shape}."
        )
    return wide


def _refuse_single(predictions: Floats) -> None:
    few = np.flatnonzero(predictions < MIN_PREDICTIONS)
    if few.size:
        raise DataError(
            f"Each case needs the predictions of at least {MIN_PREDICTIONS} training sets; there are fewer for {count(few.size, 'case')}: {some_rows(few)}."
        )


def _top(weights: Floats) -> Floats:
    """Share a weight of 1 among the largest numbers of each row; ties share it equally."""
    largest = weights == weights.max(axis=1, keepdims=True)
    return np.asarray(largest / largest.sum(axis=1, keepdims=True))
