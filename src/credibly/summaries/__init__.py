"""Summaries: linear in the case weights, so they add, subtract and batch; a measure is a function of one."""

from credibly.summaries.counts import BinaryCounts, Counts
from credibly.summaries.linear import Summary
from credibly.summaries.losses import LossMoments
from credibly.summaries.pairs import PairMoments, Pairs
from credibly.summaries.scores import ClassScores, ScoreTable

__all__ = [
    "BinaryCounts",
    "ClassScores",
    "Counts",
    "LossMoments",
    "PairMoments",
    "Pairs",
    "ScoreTable",
    "Summary",
]
