"""Kinds of prediction whose measures are means over cases: sets of labels, rankings, forecasts, times to an event.

What is predicted for a case is neither a class nor a number, but every measure of the field is a mean over cases
of a score of each: a mean is linear in the case weights, so under the one rule nothing is missing once each case has its
score. A declared *case score* turns a kind of evidence into one number per case (and model); these are outcomes, for which
`evaluate`, `compare`, `slices`, `gate`, `check`, `plot`, `report`, engines and the page have all they need. A kind of prediction is therefore
one class of evidence and the scores that read it, and no other package knows of it.

- **Sets of labels** (`label_sets.py`, `set_scores.py`): what is asked of each label or of all labels pooled is a two-class
  question with one row for each case and label, whose rows belong together by case: `LabelSets.cells` are such
  predictions. Averages over the labels are functions of as many summaries (`gaps.mean_over_slices`).
- **Sets of classes** (`prediction_sets.py`, `coverage_scores.py`): whether a set holds the true class, and how large it is. `conformal.py`
  makes such sets, and intervals (which are forecasts of two quantiles), from cases kept apart.
- **Rankings** (`rankings.py`, `ranking_scores.py`): a case is a query. Documents of the same score stand in falling order of
  their identifiers, as in trec_eval; documents that nobody judged are not relevant, and counted.
- **Forecasts** (`forecasts.py`, `forecast_scores.py`, `forecast_tables.py`): a form of forecast (a named distribution, members, quantiles,
  vectors) says what it has; a score says what it needs. `distributions.py` declares families. Skill is a ratio of two means: its influence
  values are outcomes as well (`Evidence.skill`).
- **Times to an event** (`survival.py`, `survival_scores.py`, `censoring.py`): concordance, areas and means weighted against censoring are means
  over cases to first order only, so the score of a case is the value plus its influence, through the censoring weights as well.

- **What is known of cases** (`beside.py`): identifiers, groups, weights and other columns are stated once for all kinds, and for the tables
  that they are read from.
- **Tables** (`tables.py`, and a module `..._tables.py` for each kind): which columns a file of such predictions has, and how it is recognised.
  What else a kind shows beside its scores, `Evidence.details` yields; reports and the page know no kind by its name.

A score that is not defined for a case is NaN: the case is left out, and a finding says how many were and why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.case_scores._declare import (
        CaseScore as CaseScore,
        case_score as case_score,
        case_scores as case_scores,
    )
    from credibly.case_scores.class_tables import (
        read_label_sets as read_label_sets,
        read_prediction_sets as read_prediction_sets,
    )
    from credibly.case_scores.conformal import conformal as conformal
    from credibly.case_scores.conformal_result import Conformal as Conformal
    from credibly.case_scores.conformal_scores import (
        ConformalScore as ConformalScore,
        conformal_score as conformal_score,
        conformal_scores as conformal_scores,
    )
    from credibly.case_scores.distributions import (
        Distribution as Distribution,
        distribution as distribution,
        distributions as distributions,
    )
    from credibly.case_scores.forecast_tables import read_forecasts as read_forecasts
    from credibly.case_scores.forecasts import Forecasts as Forecasts, forecasts as forecasts
    from credibly.case_scores.label_sets import LabelSets as LabelSets, label_sets as label_sets
    from credibly.case_scores.prediction_sets import (
        PredictionSets as PredictionSets,
        prediction_sets as prediction_sets,
    )
    from credibly.case_scores.ranking_tables import read_rankings as read_rankings
    from credibly.case_scores.rankings import Rankings as Rankings, rankings as rankings
    from credibly.case_scores.survival import Survival as Survival, survival as survival
    from credibly.case_scores.survival_tables import read_survival as read_survival
    from credibly.case_scores.tables import (
        TableKind as TableKind,
        table_kind as table_kind,
        table_kinds as table_kinds,
    )

lazy(__name__)
