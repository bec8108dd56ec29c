"""Is one model really better? Tests of differences that know how the evidence was made.

A comparison declares what it reads, what it is about, its null hypothesis and its assumptions;
`comparisons/_declare.py` adds the words and makes two one-sided tests of a margin. `compare` gathers the
evidence, chooses the test by how it was made, and says why.

- **Evidence** has a type for each way in which numbers come about: models on the same cases (`Cases`), on
  other ones (`Samples`), on some of the same (`Overlap`), one model and a value (`Single`); values over
  folds that overlap (`FoldValues`), over data sets of one kind that share no case (`IndependentValues`),
  over independent pairs (`PairedValues`), over datasets (`DatasetTable`), or nothing but means and
  variances (`Moments`), or but how often only one model errs (`Discordant`, which stands for rows). What cannot be compared is refused where evidence is made.
- **Equal is equal**: identical models give a difference of 0 and p = 1 in every two-sided test. A
  difference without variation is refused, not called certain; one that is the same in every fold is judged
  by its sign, as often as test cases are others, and where that is too seldom it is marked as untestable,
  never as a tie.
- **Several**: p-values of all pairs are adjusted (`multiplicity.py`); schemes over datasets are ranked, the
  best first (`ranking.py`).
- **The best of several** (`best_of`): the choice is made again in bootstrap samples, or in folds, and judged on
  cases that had no say in it (`repeated_choices.py`). Whoever shows the best of many gets its price from there.
- False alarms and power of every registered comparison are simulated in `tests/simulation`; the
  documentation shows the table, the naive tests included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.comparisons._declare import (
        Comparison as Comparison,
        Outcome as Outcome,
        TestRequest as TestRequest,
        comparison as comparison,
        comparisons as comparisons,
    )
    from credibly.comparisons.area_correlations import correlation_of_areas as correlation_of_areas
    from credibly.comparisons.benchmark_results import (
        Benchmarks as Benchmarks,
        ModelStanding as ModelStanding,
        NoWorse as NoWorse,
        TaskDifference as TaskDifference,
    )
    from credibly.comparisons.best_of import BestOf as BestOf, Candidate as Candidate
    from credibly.comparisons.cases import (
        Areas as Areas,
        Cases as Cases,
        Overlap as Overlap,
        Samples as Samples,
        Single as Single,
    )
    from credibly.comparisons.discordant import Discordant as Discordant
    from credibly.comparisons.evidence import (
        DatasetTable as DatasetTable,
        FoldTable as FoldTable,
        FoldValues as FoldValues,
        IndependentValues as IndependentValues,
        Moments as Moments,
        PairedValues as PairedValues,
    )
    from credibly.comparisons.multiplicity import (
        Adjustment as Adjustment,
        adjust as adjust,
        adjustment as adjustment,
        adjustments as adjustments,
    )
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
    from credibly.comparisons.several_tests import SeveralTests as SeveralTests
    from credibly.comparisons.wins import (
        WinsTiesLosses as WinsTiesLosses,
        wins_ties_losses as wins_ties_losses,
    )

lazy(__name__)
