"""Summaries: linear in the case weights, so they add, subtract and batch; a measure is a function of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.predictions.summaries.counts import BinaryCounts as BinaryCounts, Counts as Counts
    from credibly.predictions.summaries.linear import Summary as Summary
    from credibly.predictions.summaries.losses import (
        DistinctOutcomes as DistinctOutcomes,
        LossMoments as LossMoments,
    )
    from credibly.predictions.summaries.pairs import PairMoments as PairMoments, Pairs as Pairs
    from credibly.predictions.summaries.scores import (
        ClassScores as ClassScores,
        ScoreTable as ScoreTable,
    )

lazy(__name__)
