"""Forms of measures: of ranks, proportions, means and totals of losses, and how each is declared."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.declared import Declarator
from credibly.measures._declare import Measure, measures
from credibly.measures._undefined import NO_CASES, ONE_CLASS, Reason
from credibly.predictions.summaries import (
    Counts,
    LossMoments,
    ScoreTable,
    Summary,
)
from credibly.predictions.summaries.linear import ratio

if TYPE_CHECKING:
    Loss = Callable[..., Floats]
    Parts = Callable[..., tuple[Floats, Floats]]


@dataclass(frozen=True, eq=False, kw_only=True)
class RankingMeasure(Measure):
    """A measure whose function reads :class:`OrderSums` and nothing else, so that replicates need no table."""

    reads: type[Summary] = ScoreTable
    range: tuple[float, float] = (0, 1)
    best: float | None = 1
    undefined: str | Reason | Iterable[Reason] = ONE_CLASS
    of_order: ClassVar[bool] = True

    def formula(self, summary: ScoreTable, **arguments: object) -> Floats:
        """Read the sums of the order."""
        return super().formula(summary.order_sums(), **arguments)


@dataclass(frozen=True, eq=False, kw_only=True)
class Proportion(Measure):
    """A measure whose function returns a part and its whole, and which thereby has a proportion's interval."""

    range: tuple[float, float] = (0, 1)

    @property
    def parts(self) -> Parts:
        """The part and the whole."""
        return self.function

    @property
    def nonlinear(self) -> bool:
        """Whether its whole are the cases of a class, and not all."""
        return super().nonlinear and self.reads is not Counts

    def formula(self, summary: Summary, **_: object) -> Floats:
        """Divide the part by the whole."""
        return ratio(*self.function(summary))


@dataclass(frozen=True, eq=False, kw_only=True)
class LossMeasure(Measure):
    """A measure whose function says what each case costs; its arguments go into the summary."""

    reads: type[Summary] = LossMoments
    range: tuple[float, float] = (0, np.inf)
    best: float | None = 0
    undefined: str | Reason | Iterable[Reason] = NO_CASES

    @property
    def loss(self) -> Loss:
        """What each case costs."""
        return self.function


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanLoss(LossMeasure):
    """The mean of a loss, passed through ``link``.

    It is a ``share`` where the loss of a case is 0 or 1, and then has the interval of a proportion.
    """

    link: Callable[[Floats], Floats] | None = None
    share: bool = False

    @property
    def nonlinear(self) -> bool:
        """Whether the mean is not shown as it is."""
        return super().nonlinear and self.link is not None

    @property
    def share_below(self) -> float | None:
        """The share of the cases that lie below it, where it is a quantile."""
        return None

    @property
    def parts(self) -> Parts | None:
        """The sum of a loss of 0 or 1, and all cases."""
        return (lambda moments: (moments.sum[..., 0], moments.weight)) if self.share else None

    def formula(self, summary: LossMoments, **_: object) -> Floats:
        """Link the mean."""
        mean = summary.mean[..., 0]
        return mean if self.link is None else self.link(mean)


@dataclass(frozen=True, eq=False, kw_only=True)
class TotalLoss(LossMeasure):
    """A function of the sums of losses, one column or several: of the first by itself."""

    combine: Callable[[Floats], Floats] = lambda sums: sums[..., 0]

    def formula(self, summary: LossMoments, **_: object) -> Floats:
        """Combine the sums."""
        return self.combine(summary.sum)


ranking_measure = Declarator(RankingMeasure, measures)


proportion = Declarator(Proportion, measures)


mean_loss = Declarator(MeanLoss, measures)


total_loss = Declarator(TotalLoss, measures)
