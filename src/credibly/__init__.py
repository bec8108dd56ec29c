"""Credibly: decide whether to believe a learned model.

Start with predictions, then ask of them; each verb has its own help, such as ``help(credibly.evaluate)``:

    p = credibly.Predictions.of(y_true, y_pred)      # or credibly.read("predictions.csv")
    p = credibly.Predictions.from_estimator(model, X_test, y_test)
    p = credibly.run("tree", X, y)                   # data and no model yet
    credibly.evaluate(p)                             # how good is it?
    credibly.compare({"a": p, "b": q})               # is one really better?
    credibly.calibration(p)                          # can its probabilities be believed?
    credibly.decide(p, {"fn": 5, "fp": 1})           # which threshold?
    credibly.check(p)                                # is the evaluation itself in order?
    credibly.report(p).save("report.html")           # everything on one page

``credibly.search("words")`` finds the rest.
"""

from __future__ import annotations

from credibly._core.lazy import lazy

TYPE_CHECKING = False  # what typing says too, after a dozen imports

if TYPE_CHECKING:
    from credibly._core.findings import Finding as Finding
    from credibly.bias_variance import BiasVariance as BiasVariance, bias_variance as bias_variance
    from credibly.calibration import calibration as calibration
    from credibly.calibration.recalibration import recalibrate as recalibrate
    from credibly.case_scores import (
        conformal as conformal,
        forecasts as forecasts,
        label_sets as label_sets,
        prediction_sets as prediction_sets,
        rankings as rankings,
        read_forecasts as read_forecasts,
        read_label_sets as read_label_sets,
        read_prediction_sets as read_prediction_sets,
        read_rankings as read_rankings,
        read_survival as read_survival,
        survival as survival,
    )
    from credibly.catalogue import search as search, show as show
    from credibly.checks import check as check
    from credibly.comparisons.benchmark_results import Benchmarks as Benchmarks
    from credibly.comparisons.benchmarks import benchmarks as benchmarks
    from credibly.comparisons.best_of import BestOf as BestOf, best_of as best_of
    from credibly.comparisons.compare import compare as compare
    from credibly.comparisons.flips import Flips as Flips, flips as flips
    from credibly.comparisons.gate import gate as gate
    from credibly.comparisons.gate_result import Gate as Gate, GateError as GateError
    from credibly.comparisons.pair_plan import (
        PairPlan as PairPlan,
        detectable_difference as detectable_difference,
    )
    from credibly.comparisons.result import Comparisons as Comparisons, TestResult as TestResult
    from credibly.curves import (
        Curve as Curve,
        Curves as Curves,
        Hull as Hull,
        curve as curve,
        hull as hull,
    )
    from credibly.decisions import (
        CostBenefit as CostBenefit,
        Decision as Decision,
        FinancialPlan as FinancialPlan,
        cost_benefit as cost_benefit,
        decide as decide,
    )
    from credibly.description_length import (
        DescriptionLengths as DescriptionLengths,
        clustering_mdl as clustering_mdl,
        mdl as mdl,
    )
    from credibly.engines import merge as merge, summarise as summarise
    from credibly.errors import (
        CrediblyError as CrediblyError,
        DataError as DataError,
        ParameterError as ParameterError,
    )
    from credibly.evaluation import (
        PilotPlan as PilotPlan,
        WorstCases as WorstCases,
        at_k as at_k,
        attempts as attempts,
        evaluate as evaluate,
        expected_loss as expected_loss,
        sample_size as sample_size,
        worst_cases as worst_cases,
    )
    from credibly.experiments import Experiment as Experiment
    from credibly.gaps import Slices as Slices, slices as slices
    from credibly.intervals.side_by_side import interval as interval
    from credibly.io import read as read, save as save
    from credibly.judges import (
        Agreement as Agreement,
        CorrectedRate as CorrectedRate,
        FewLabels as FewLabels,
        agreement as agreement,
        corrected_rate as corrected_rate,
        few_labels as few_labels,
    )
    from credibly.plots import plot as plot
    from credibly.predictions import (
        CostMatrix as CostMatrix,
        Predictions as Predictions,
        RowCosts as RowCosts,
    )
    from credibly.reports import report as report
    from credibly.results.estimate import Estimate as Estimate
    from credibly.results.interval import Interval as Interval
    from credibly.results.table import Table as Table
    from credibly.running import Scorer as Scorer, run as run, scorer as scorer

__version__ = "0.1.0"

lazy(__name__)
