"""Weighted outcomes of cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from credibly._core.arrays import Floats
from credibly.predictions.lack import OUTCOMES
from credibly.predictions.summaries.linear import Summary

if TYPE_CHECKING:
    from credibly.predictions.artifact import Predictions
    from credibly.predictions.lack import Lack


@dataclass(frozen=True, slots=True, eq=False)
class Points(Summary):
    """Distinct outcomes in rising order, with their weight: for medians and other quantiles.

    >>> from credibly import Predictions
    >>> here, there = (Points.of(Predictions.of(outcome=[0.5, v])) for v in (0.25, 1.5))
    >>> (here + there).weight.tolist()
    [1.0, 2.0, 1.0]
    """

    value: Floats
    weight: Floats

    takes: ClassVar[str] = "outcome"

    @classmethod
    def reduced(cls, p: Predictions, wanted_by: str) -> Points:
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

    def _combined(self, other: Points, sign: int) -> Points:
        return _distinct(
            np.concatenate([self.value, other.value]),
            np.concatenate([self.weight, sign * other.weight]),
        )


def _distinct(value: Floats, weight: Floats) -> Points:
    found, place = np.unique(value, return_inverse=True)
    total = np.bincount(place, weight, found.size).astype(np.float64)
    there = total != 0
    return Points(found[there], total[there])
