"""Weighted points of truth and prediction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from credibly.summaries.linear import Summary

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from credibly.predictions import Predictions

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs(Summary):
    """Distinct (truth, value) points with their weight: for ranks, medians and correlations.

    No smaller than the data where all points differ.

    >>> from credibly import Predictions
    >>> Pairs.of(Predictions.of([1.0, 1.0, 2.0], value=[3.0, 3.0, 4.0])).weight.tolist()
    [2.0, 1.0]
    """

    truth: Floats
    value: Floats
    weight: Floats

    takes: ClassVar[str] = "value"

    @classmethod
    def of(cls, p: Predictions, wanted_by: str = "Pairs") -> Pairs:
        """Collect the points of known truth."""
        value = p.need("value", wanted_by)
        known = ~np.isnan(p.truth)
        return _distinct(p.truth[known], value[known], p.weights[known])

    @classmethod
    def missing(cls, p: Predictions) -> str:
        """Say what the predictions lack."""
        return "" if p.value is not None else "value"

    @property
    def total(self) -> Floats:
        """Weight of all points."""
        return np.asarray(self.weight.sum(axis=-1))

    def _combined(self, other: Pairs, sign: int) -> Pairs:
        return _distinct(
            np.concatenate([self.truth, other.truth]),
            np.concatenate([self.value, other.value]),
            np.concatenate([self.weight, sign * other.weight]),
        )


def _distinct(truth: Floats, value: Floats, weight: Floats) -> Pairs:
    if not truth.size:
        return Pairs(truth, value, weight)
    order = np.lexsort((value, truth))
    t, v = truth[order], value[order]
    new = np.flatnonzero(np.concatenate([[True], (t[1:] != t[:-1]) | (v[1:] != v[:-1])]))
    w = np.add.reduceat(weight[order], new)
    keep = w != 0
    return Pairs(t[new][keep], v[new][keep], w[keep])
