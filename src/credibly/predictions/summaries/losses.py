"""Sums of losses over cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from credibly._core.arrays import Floats
from credibly.predictions.summaries.linear import Summary, ratio

if TYPE_CHECKING:
    from credibly.predictions.artifact import Predictions
    from credibly.predictions.lack import Lack


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
        return weight @ losses
    return np.array([column.sum() for column in losses.T])  # along memory: axis=0 is slower
