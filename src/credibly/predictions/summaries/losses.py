"""Sums of losses over cases, and weighted outcomes of cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from credibly._core.arrays import Floats, dot
from credibly.predictions.artifact import Predictions
from credibly.predictions.lack import OUTCOMES, Lack
from credibly.predictions.summaries.linear import Summary, ratio


@dataclass(frozen=True, slots=True, eq=False)
class LossMoments(Summary):
    """Weight and sum of one or several losses (last axis) over the cases.

    Infinite losses are counted apart from the sums, so that merging and unmerging stay exact.

    >>> import numpy as np
    >>> m = LossMoments.of_cases(np.array([[1.0], [np.inf]]), None)
    >>> m.mean, m.infinite
    (array([inf]), array([1.]))
    """

    weight: Floats
    total: Floats
    infinite: Floats
    minus_infinite: Floats
    undefined: Floats

    takes: ClassVar[str] = "label"

    @classmethod
    def reduced(cls, p: Predictions, wanted_by: str) -> LossMoments:
        """A loss must be named: measures call :meth:`of_cases` with theirs."""
        raise NotImplementedError

    @classmethod
    def of_cases(cls, losses: Floats, weight: Floats | None) -> LossMoments:
        """Sum the losses of cases (rows)."""
        up = down = unknown = np.zeros(losses.shape[1])
        with np.errstate(over="ignore", invalid="ignore"):
            total = _sum(losses, weight)
            if not np.isfinite(total).all():
                up, down = (_sum((losses == end) * 1.0, weight) for end in (np.inf, -np.inf))
                unknown = _sum(np.isnan(losses) * 1.0, weight)
                losses = np.where(np.isfinite(losses), losses, 0.0)
                total = _sum(losses, weight)
        whole = float(len(losses)) if weight is None else weight.sum()
        return cls(np.asarray(whole), total, up, down, unknown)

    @classmethod
    def of_sums(cls, weight: Floats, total: Floats) -> LossMoments:
        """Take weights and sums of finite losses made elsewhere, such as those of replicates."""
        nothing = np.zeros_like(total)
        return cls(weight, total, nothing, nothing, nothing)

    @classmethod
    def missing(cls, p: Predictions) -> Lack | None:  # noqa: ARG003
        """Measures of losses name the columns they need themselves."""
        return None

    @property
    def mean(self) -> Floats:
        """Mean of each loss; infinite if one case's is."""
        return self._endless(ratio(self.total, self.weight[..., None]))

    @property
    def sum(self) -> Floats:
        """Sum of each loss; infinite if one case's is."""
        return self._endless(self.total)

    def _endless(self, finite: Floats) -> Floats:
        if not any(map(np.count_nonzero, (self.infinite, self.minus_infinite, self.undefined))):
            return finite
        with np.errstate(invalid="ignore"):  # both ends: undefined
            end = np.where(self.infinite > 0, np.inf, 0.0) - np.where(
                self.minus_infinite > 0, np.inf, 0.0
            )
        return np.where(self.undefined > 0, np.nan, finite + end)


def _sum(losses: Floats, weight: Floats | None) -> Floats:
    if weight is not None:
        return dot(weight, losses.T)
    return np.array([column.sum() for column in losses.T])  # along memory: axis=0 is slower


@dataclass(frozen=True, slots=True, eq=False)
class DistinctOutcomes(Summary):
    """Distinct outcomes in rising order, with their weight: for medians and other quantiles.

    >>> from credibly import Predictions
    >>> here, there = (DistinctOutcomes.of(Predictions.of(outcome=[0.5, v])) for v in (0.25, 1.5))
    >>> (here + there).weight.tolist()
    [1.0, 2.0, 1.0]
    """

    value: Floats
    weight: Floats

    takes: ClassVar[str] = "outcome"

    @classmethod
    def reduced(cls, p: Predictions, wanted_by: str) -> DistinctOutcomes:
        """Collect the outcomes that are known and of some weight."""
        rows = p.known().of_weight()
        return _distinct(rows.need("outcome", wanted_by), rows.weights)

    @classmethod
    def missing(cls, p: Predictions) -> Lack | None:
        """Say what the predictions lack."""
        return None if p.outcome is not None else OUTCOMES

    def quantile(self, share: float) -> Floats:
        """Return the outcome below which this share of the weight lies; halfway between two if exactly there."""
        if not self.value.size:
            return np.full(self.weight.shape[:-1], np.nan)
        below = np.cumsum(self.weight, axis=-1)
        whole = below[..., -1:]
        low = (below < whole * share * (1 - 1e-12)).sum(axis=-1)
        high = (below <= whole * share * (1 + 1e-12)).sum(axis=-1)
        first, last = (self.value[np.minimum(i, self.value.size - 1)] for i in (low, high))
        return np.where(whole[..., 0] > 0, first + (last - first) / 2, np.nan)

    def _combined(self, other: DistinctOutcomes, sign: int) -> DistinctOutcomes:
        return _distinct(
            np.concatenate([self.value, other.value]),
            np.concatenate([self.weight, sign * other.weight]),
        )


def _distinct(value: Floats, weight: Floats) -> DistinctOutcomes:
    values, place = np.unique(value, return_inverse=True)
    total = np.bincount(place, weight, values.size).astype(np.float64)
    there = total != 0
    return DistinctOutcomes(values[there], total[there])
