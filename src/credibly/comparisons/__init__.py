"""Is one model really better? Tests of differences that know how the evidence was made."""

from credibly.comparisons._declare import Asked, Comparison, Outcome, comparison, comparisons
from credibly.comparisons.cases import Areas, Cases, Overlap, Samples, Single
from credibly.comparisons.evidence import (
    DatasetTable,
    FoldTable,
    FoldValues,
    IndependentValues,
    Moments,
    PairedValues,
)
from credibly.comparisons.multiplicity import adjust, adjustments
from credibly.comparisons.ranking import RankedPair, Ranking, rank_schemes
from credibly.comparisons.result import Assumption, Comparisons, TestResult
from credibly.comparisons.wins import WinsTiesLosses, wins_ties_losses

__all__ = [
    "Areas",
    "Asked",
    "Assumption",
    "Cases",
    "Comparison",
    "Comparisons",
    "DatasetTable",
    "FoldTable",
    "FoldValues",
    "IndependentValues",
    "Moments",
    "Outcome",
    "Overlap",
    "PairedValues",
    "RankedPair",
    "Ranking",
    "Samples",
    "Single",
    "TestResult",
    "WinsTiesLosses",
    "adjust",
    "adjustments",
    "comparison",
    "comparisons",
    "rank_schemes",
    "wins_ties_losses",
]
