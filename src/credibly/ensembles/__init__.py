"""Several models as one: estimators that vote, combinations of given predictions, how they differ.

scikit-learn is imported only for the estimators.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.ensembles._declare import (
        Combination as Combination,
        Opinions as Opinions,
        Verdict as Verdict,
        combination as combination,
        combinations as combinations,
    )
    from credibly.ensembles.combine import combine as combine
    from credibly.ensembles.diversity import diversity as diversity
    from credibly.ensembles.ensemble_curve import (
        EnsembleCurve as EnsembleCurve,
        ensemble_curve as ensemble_curve,
    )
    from credibly.schemes import (
        AdaBoost as AdaBoost,
        Bagging as Bagging,
        reweighted as reweighted,
        vote_weight as vote_weight,
    )

lazy(
    __name__,
    {
        "_declare": "Combination Opinions Verdict combination combinations",
        "combine": "combine",
        "diversity": "diversity",
        "ensemble_curve": "EnsembleCurve ensemble_curve",
        "credibly.schemes": "AdaBoost Bagging reweighted vote_weight",
    },
)
