"""Weighted points of truth and prediction."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from threading import get_ident
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, dot
from credibly._kernels import worth_compiling
from credibly._kernels.moments import pair_moments
from credibly._kernels.placements import falling_order
from credibly.predictions.artifact import Predictions
from credibly.predictions.lack import Lack, lack_of
from credibly.predictions.summaries.linear import Summary, ratio
from credibly.predictions.table import cached


@dataclass(frozen=True, slots=True, eq=False)
class PointRanks:
    """The places of points among the distinct values of a column, and how to add up over each.

    Where the points stand in order, or none tie, there is nothing to move or to add.
    """

    place: NDArray[np.intp]
    order: NDArray[np.intp] | None
    starts: NDArray[np.intp] | None

    @classmethod
    def of(cls, column: Floats) -> PointRanks:
        """Sort a column, unless it is sorted."""
        ordered = bool((column[1:] >= column[:-1]).all())
        often = column.size.bit_length()  # as in the count of discordant pairs
        if not ordered and worth_compiling(often * column.size):
            order, new = falling_order(np.negative(column), times=often)
        else:
            order = np.arange(column.size) if ordered else np.argsort(column)
            ascending = column[order]
            new = np.concatenate([[True], ascending[1:] != ascending[:-1]])
        place, tied = np.empty(column.size, np.intp), not new.all()
        place[order] = np.cumsum(new) - 1 if tied else np.arange(column.size)
        return cls(place, None if ordered else order, np.flatnonzero(new) if tied else None)

    def sizes(self, weight: Floats) -> Floats:
        """Return the weight of each distinct value."""
        moved = weight
        if self.order is not None and weight.strides[-1]:  # else all are the same number
            moved = np.take(weight, self.order, axis=-1)
        return moved if self.starts is None else np.add.reduceat(moved, self.starts, axis=-1)

    def ranks(self, weight: Floats) -> tuple[Floats, Floats]:
        """Return the mean rank of each point less that of all, and the spread of the ranks.

        Every point stands for its share of the largest weight in rows. The mean of all is half of the
        weight, so a column that is constant has ranks of exactly zero.
        """
        middle: Floats
        if self.starts is None and all_alike(weight):
            # Each counts once, so that places are ranks.
            middle = np.subtract(self.place, (self.place.size - 1) / 2, dtype=np.float64)
            return middle, np.asarray(dot(middle, middle))
        size = self.sizes(weight)
        middle = np.cumsum(size, axis=-1)
        middle -= middle[..., -1:] / 2 + size / 2
        spread = np.einsum("...i,...i,...i->...", size, middle, middle)
        if self.order is None and self.starts is None:
            return middle, spread
        return np.take(middle, self.place, axis=-1), spread

    def new(self) -> NDArray[np.bool_]:
        """Say which of the points, in order, differ from the one before."""
        flags = np.ones(self.place.size, bool)
        if self.starts is not None:
            flags[:] = False
            flags[self.starts] = True
        return flags

    def untied(self, weight: Floats) -> Floats:
        """Return the weight of pairs with different values."""
        if self.starts is None and all_alike(weight):
            n = self.place.size
            return np.asarray(n * (n - 1) / 2 * weight[0] ** 2)
        size = self.sizes(weight)
        return np.asarray((size * (size.sum(axis=-1, keepdims=True) - size)).sum(axis=-1) / 2)


@dataclass(frozen=True, slots=True, eq=False)
class Pairs(Summary):
    """(Truth, value) points with their weight: for ranks, medians and largest errors.

    As many as there are cases, in their order; those of merged summaries are distinct.

    >>> from credibly import Predictions
    >>> here, there = (Pairs.of(Predictions.of([1.0, 2.0], value=[3.0, v])) for v in (4.0, 5.0))
    >>> (here + there).weight.tolist()
    [2.0, 1.0, 1.0]
    """

    truth: Floats
    value: Floats
    weight: Floats
    cache: dict[str, Any] = field(default_factory=dict, repr=False)

    takes: ClassVar[str] = "value"

    @classmethod
    def reduced(cls, p: Predictions, wanted_by: str) -> Pairs:
        """Collect the points of known truth and some weight."""
        rows = p.known().scored().of_weight()
        value = rows.need("value", wanted_by)
        weight = np.broadcast_to(1.0, rows.n) if rows.weight is None else rows.weight
        return cls(rows.truth, value, weight)

    @classmethod
    def missing(cls, p: Predictions) -> Lack | None:
        """Say what the predictions lack."""
        return None if p.value is not None else lack_of("value")

    @property
    def total(self) -> Floats:
        """Weight of all points."""
        return np.asarray(self.weight.sum(axis=-1))

    def varies(self) -> NDArray[np.bool_]:
        """Whether truth and value take more than one value each."""
        sides = self.truth, self.value
        return cached(
            self, "varies", lambda: np.array([np.ptp(side, axis=-1) > 0 for side in sides])
        )

    def shares(self) -> Floats:
        """Return the weights as shares of the largest one, so that their cubes fit a double."""
        if all_alike(self.weight):
            return np.broadcast_to(1.0, self.weight.shape)
        return self.weight / self.weight.max(axis=-1, keepdims=True)

    def errors(self) -> Floats:
        """Return the distance of each value from its truth."""
        return cached(self, "errors", self._errors)

    def _errors(self) -> Floats:
        gap = self.value - self.truth
        return np.abs(gap, out=gap)

    def rankings(self) -> tuple[PointRanks, PointRanks]:
        """Return the places of the points by truth and by value; sorted once for all measures."""
        sides = self.truth, self.value
        return cached(self, "rankings", lambda: (PointRanks.of(sides[0]), PointRanks.of(sides[1])))

    @property
    def in_lanes(self) -> bool:
        """Whether the points stand in the order of their truth, with whole weights of 64 replicates."""
        return self.weight.dtype.kind == "u"

    @property
    def lanes(self) -> NDArray[np.uint16]:
        """The weights of 64 replicates, a column for each."""
        weight: NDArray[Any] = self.weight
        return weight.T

    def rank_products(self) -> Floats:
        """Return, for replicates in lanes, the sums of products of the ranks: both, truth's and value's."""
        from credibly._kernels.rank_lanes import rank_products  # for replicates alone

        truth, value = self.rankings()
        order = np.arange(self.truth.size) if value.order is None else value.order
        return rank_products(self.lanes, order, value.new(), truth.new(), self._room())

    def balance(self) -> Floats:
        """Return, for replicates in lanes, concordant less discordant pairs, and those untied in either."""
        from credibly._kernels.rank_lanes import balance

        truth, value = self.rankings()
        return balance(self.lanes, truth.place, value.place, self._room())

    def _room(self) -> NDArray[np.int32]:
        """Return memory that each thread uses again for its next replicates: new pages cost more than sums."""
        rows = 2 * self.truth.size + 1
        return cached(
            self, f"room {get_ident()}", lambda: np.empty((rows, len(self.weight)), np.int32)
        )

    def _combined(self, other: Pairs, sign: int) -> Pairs:
        return _distinct(
            np.concatenate([self.truth, other.truth]),
            np.concatenate([self.value, other.value]),
            np.concatenate([self.weight, sign * other.weight]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class PairMoments(Summary):
    """Weight, sums and sums of products of truth and value, measured from an origin in units of their own.

    The origin, near their means, keeps products from cancelling; the units, powers of two, keep
    squares of very large or small numbers within what a double holds. Merging moves the other's
    moments to this one's.

    >>> from credibly import Predictions
    >>> PairMoments.of(Predictions.of([1.0, 3.0], value=[2.0, 2.0])).covariance().tolist()
    [[0.0625, 0.0], [0.0, 0.0]]
    """

    weight: Floats
    sums: Floats
    products: Floats
    origin: Floats
    unit: Floats

    takes: ClassVar[str] = "value"

    @classmethod
    def reduced(cls, p: Predictions, wanted_by: str) -> PairMoments:
        """Sum over the points of known truth; one without weight must not choose the units."""
        p = p.known().scored().of_weight()
        total = float(p.n if p.weight is None else p.weight.sum())
        if not total:
            return cls(np.asarray(0.0), np.zeros(2), np.zeros((2, 2)), np.zeros(2), np.ones(2))
        columns = p.truth, p.need("value", wanted_by)
        placed = [_placed(c, p.weight, total) for c in columns]
        unit, origin = np.array(placed).T
        sums, products = pair_moments(*columns, p.weight, unit, origin)
        return cls(np.asarray(total), sums, products, origin, unit)

    @classmethod
    def missing(cls, p: Predictions) -> Lack | None:
        """Say what the predictions lack."""
        return Pairs.missing(p)

    def covariance(self) -> Floats:
        """Return the covariance matrix (divisor: the weight) of truth and value, each in its unit."""
        mean = ratio(self.sums, self.weight[..., None])
        square = ratio(self.products, self.weight[..., None, None])
        return square - mean[..., :, None] * mean[..., None, :]

    def varies(self) -> NDArray[np.bool_]:
        """Whether truth and value take more than one value each."""
        return np.diagonal(self.covariance(), axis1=-2, axis2=-1).T > 0

    def squared_error(self) -> Floats:
        """Return the mean squared difference of value and truth, in squared units of the truth."""
        to_truth = np.array([-1.0, self.unit[1] / self.unit[0]])
        apart = to_truth @ self.origin
        gap = ratio(self.sums @ to_truth, self.weight)
        return ratio(to_truth @ self.products @ to_truth, self.weight) + 2 * apart * gap + apart**2

    def _combined(self, other: PairMoments, sign: int) -> PairMoments:
        scale = other.unit / self.unit
        move = other.origin * scale - self.origin
        sums, products = other.sums * scale, other.products * np.outer(scale, scale)
        outer = np.outer(move, sums)
        moved = products + outer + outer.T + other.weight * np.outer(move, move)
        return PairMoments(
            np.asarray(self.weight + sign * other.weight),
            self.sums + sign * (sums + other.weight * move),
            self.products + sign * moved,
            self.origin,
            self.unit,
        )


def all_alike(weight: Floats) -> bool:
    """Whether one number stands in the place of the weights of all points."""
    return weight.ndim == 1 and not weight.strides[0]


def _placed(column: Floats, weight: Floats | None, total: float) -> tuple[float, float]:
    """Return a power of two that no number exceeds, and the mean in this unit.

    It lies within the points: a constant is then its own origin, to the last digit.
    """
    low, high = float(column.min()), float(column.max())
    unit = math.ldexp(1.0, min(max(math.frexp(max(-low, high) or 1.0)[1], -1021), 1023))
    return unit, min(max(_sum(column, weight, unit) / total, low / unit), high / unit)


def _sum(column: Floats, weight: Floats | None, unit: float) -> float:
    """Add up a column in its unit; first as it is, which seldom outgrows a double."""
    with np.errstate(over="ignore", invalid="ignore"):
        found = float(column.sum() if weight is None else dot(weight, column))
    return found / unit if math.isfinite(found) else _sum(column / unit, weight, 1.0)


def _distinct(truth: Floats, value: Floats, weight: Floats) -> Pairs:
    if not truth.size:
        return Pairs(truth, value, weight)
    order = _order(truth, value)
    t, v, w = truth[order], value[order], weight[order]
    new = np.concatenate([[True], (t[1:] != t[:-1]) | (v[1:] != v[:-1])])
    if not new.all():
        t, v, w = t[new], v[new], np.add.reduceat(w, np.flatnonzero(new))
    keep = w != 0
    return Pairs(t, v, w) if keep.all() else Pairs(t[keep], v[keep], w[keep])


def _order(truth: Floats, value: Floats) -> NDArray[np.intp]:
    """Sort points by truth, then value; only those that share a truth are looked at twice."""
    order = np.argsort(truth)
    sorted_truth = truth[order]
    equal = np.concatenate([[False], sorted_truth[1:] == sorted_truth[:-1], [False]])
    shared = equal[1:] | equal[:-1]
    rows = order[shared]
    order[shared] = rows[np.lexsort((value[rows], truth[rows]))]
    return order
