"""Sums of losses over cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from credibly.summaries.counts import ratio
from credibly.summaries.linear import Summary

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from credibly.predictions import Predictions

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LossMoments(Summary):
    """Weight, sum and sum of squares of one or several losses (last axis) over the cases.

    Infinite losses are counted apart from the sums, so that merging and unmerging stay exact.

    >>> import numpy as np
    >>> m = LossMoments.of_cases(np.array([[1.0], [np.inf]]), None)
    >>> m.mean, m.infinite
    (array([inf]), array([1.]))
    """

    weight: Floats
    total: Floats
    squares: Floats
    infinite: Floats

    takes: ClassVar[str] = "label"

    @classmethod
    def of(cls, p: Predictions, wanted_by: str = "LossMoments") -> LossMoments:
        """A loss must be named: measures call :meth:`of_cases` with theirs."""
        raise NotImplementedError

    @classmethod
    def of_cases(cls, losses: Floats, weight: Floats | None) -> LossMoments:
        """Sum the losses of cases (rows)."""
        with np.errstate(over="ignore", invalid="ignore"):
            if np.isfinite(losses.sum()):
                infinite = np.zeros(losses.shape[1])
            else:
                endless = np.isinf(losses)
                infinite = (endless if weight is None else endless * weight[:, None]).sum(
                    axis=0
                ) * 1.0
                losses = np.where(endless, 0.0, losses)
            if weight is None:
                total, squares = losses.sum(axis=0), np.einsum("ij,ij->j", losses, losses)
            else:
                total, squares = weight @ losses, weight @ np.square(losses)
        whole = float(len(losses)) if weight is None else weight.sum()
        return cls(np.asarray(whole), total, squares, infinite)

    @classmethod
    def missing(cls, p: Predictions) -> str:  # noqa: ARG003
        """Measures of losses name the columns they need themselves."""
        return ""

    @property
    def mean(self) -> Floats:
        """Mean of each loss; infinite if one case's is."""
        return np.where(self.infinite > 0, np.inf, ratio(self.total, self.weight[..., None]))

    @property
    def sum(self) -> Floats:
        """Sum of each loss; infinite if one case's is."""
        return np.where(self.infinite > 0, np.inf, self.total)
