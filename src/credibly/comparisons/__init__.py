"""Is one model really better? Tests of differences that know how the evidence was made."""

from credibly.comparisons._declare import Asked, Comparison, Outcome, comparison, comparisons
from credibly.comparisons.cases import Areas, Cases, Overlap, Samples, Single
from credibly.comparisons.evidence import DatasetTable, FoldValues, Moments, PairedValues
from credibly.comparisons.result import Assumption, Comparisons, TestResult

__all__ = [
    "Areas",
    "Asked",
    "Assumption",
    "Cases",
    "Comparison",
    "Comparisons",
    "DatasetTable",
    "FoldValues",
    "Moments",
    "Outcome",
    "Overlap",
    "PairedValues",
    "Samples",
    "Single",
    "TestResult",
    "comparison",
    "comparisons",
]
