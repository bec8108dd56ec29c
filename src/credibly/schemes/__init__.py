"""Learning schemes: estimators by name, by path or as objects, and what they predict.

scikit-learn is imported only to build an estimator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.schemes._declare import (
        SchemeEntry as SchemeEntry,
        scheme as scheme,
        schemes as schemes,
    )
    from credibly.schemes._full_bayes import FullBayes as FullBayes
    from credibly.schemes._nominal_bayes import NominalBayes as NominalBayes
    from credibly.schemes._one_r import OneR as OneR
    from credibly.schemes._probability_tree import ProbabilityTree as ProbabilityTree
    from credibly.schemes._voting import (
        AdaBoost as AdaBoost,
        Bagging as Bagging,
        reweighted as reweighted,
        vote_weight as vote_weight,
    )
    from credibly.schemes.candidate_splits import (
        CandidateSplits as CandidateSplits,
        candidate_splits as candidate_splits,
    )
    from credibly.schemes.choice import (
        Scheme as Scheme,
        as_scheme as as_scheme,
        as_schemes as as_schemes,
    )
    from credibly.schemes.columns import take_rows as take_rows
    from credibly.schemes.construction import build as build, seeded as seeded
    from credibly.schemes.prediction import (
        ModelOutput as ModelOutput,
        fitted as fitted,
        fitted_alone as fitted_alone,
        outputs as outputs,
    )

lazy(__name__)
