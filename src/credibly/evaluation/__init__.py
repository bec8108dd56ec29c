"""From predictions to a table of estimates.

- **Estimates** (`evaluation/fold_estimators.py`, `bootstrap_estimators.py`) are functions of predictions alone,
  so a saved run gives the same numbers. `headline_estimate` names the one that stands for predictions wherever one
  number is shown: decisions, reports, checks and the demonstration ask it. Cases in the order of time
  have long-run variances (`intervals/long_run.py`). Independent data sets have a mean with a plain t.
- **A bootstrap** records three kinds of rows: those out of the sample (`part` test), those in it (`part`
  train, weighted by how often they were drawn), and those of the model fitted on all rows (`repeat` -1).
  The first are what is judged, the others `seen`: out-of-bag is the value of all cases pooled, each
  counting once. .632+ takes the value without information from the product of the margins, which for
  classes is one copy of the predictions per class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.evaluation._declare import (
        EstimateAnswer as EstimateAnswer,
        Estimator as Estimator,
        estimator as estimator,
        estimators as estimators,
    )
    from credibly.evaluation.attempts import at_k as at_k, attempts as attempts
    from credibly.evaluation.evaluate import evaluate as evaluate
    from credibly.evaluation.expectation import expected_loss as expected_loss
    from credibly.evaluation.pilot import PilotPlan as PilotPlan, sample_size as sample_size
    from credibly.evaluation.trivial_rules import (
        Baseline as Baseline,
        baseline as baseline,
        baselines as baselines,
    )
    from credibly.evaluation.worst_cases import WorstCases as WorstCases, worst_cases as worst_cases

lazy(__name__)
