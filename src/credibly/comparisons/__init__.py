"""Is one model really better? Tests of differences that know how the evidence was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.comparisons._declare import (
        Asked as Asked,
        Comparison as Comparison,
        Outcome as Outcome,
        comparison as comparison,
        comparisons as comparisons,
    )
    from credibly.comparisons.cases import (
        Areas as Areas,
        Cases as Cases,
        Overlap as Overlap,
        Samples as Samples,
        Single as Single,
    )
    from credibly.comparisons.evidence import (
        DatasetTable as DatasetTable,
        FoldTable as FoldTable,
        FoldValues as FoldValues,
        IndependentValues as IndependentValues,
        Moments as Moments,
        PairedValues as PairedValues,
    )
    from credibly.comparisons.multiplicity import adjust as adjust, adjustments as adjustments
    from credibly.comparisons.ranking import (
        RankedPair as RankedPair,
        Ranking as Ranking,
        rank_schemes as rank_schemes,
    )
    from credibly.comparisons.result import (
        Assumption as Assumption,
        Comparisons as Comparisons,
        TestResult as TestResult,
    )
    from credibly.comparisons.wins import (
        WinsTiesLosses as WinsTiesLosses,
        wins_ties_losses as wins_ties_losses,
    )

lazy(
    __name__,
    {
        "_declare": "Asked Comparison Outcome comparison comparisons",
        "cases": "Areas Cases Overlap Samples Single",
        "evidence": "DatasetTable FoldTable FoldValues IndependentValues Moments PairedValues",
        "multiplicity": "adjust adjustments",
        "ranking": "RankedPair Ranking rank_schemes",
        "result": "Assumption Comparisons TestResult",
        "wins": "WinsTiesLosses wins_ties_losses",
    },
)
