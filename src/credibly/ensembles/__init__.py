"""Several models as one: estimators that vote, combinations of given predictions, how they differ.

Names are resolved when first used, and scikit-learn is imported only for the estimators.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from credibly.ensembles._declare import Combination, Opinions, Verdict, combination, combinations

if TYPE_CHECKING:
    from credibly.ensembles.combining import combine
    from credibly.ensembles.differing import diversity
    from credibly.ensembles.growth import EnsembleCurve, ensemble_curve
    from credibly.schemes import AdaBoost, Bagging, reweighted, vote_weight

_HOMES = {
    "AdaBoost": "credibly.schemes",
    "Bagging": "credibly.schemes",
    "EnsembleCurve": "credibly.ensembles.growth",
    "combine": "credibly.ensembles.combining",
    "diversity": "credibly.ensembles.differing",
    "ensemble_curve": "credibly.ensembles.growth",
    "reweighted": "credibly.schemes",
    "vote_weight": "credibly.schemes",
}

__all__ = [
    "AdaBoost",
    "Bagging",
    "Combination",
    "EnsembleCurve",
    "Opinions",
    "Verdict",
    "combination",
    "combinations",
    "combine",
    "diversity",
    "ensemble_curve",
    "reweighted",
    "vote_weight",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    msg = f"module 'credibly.ensembles' has no attribute {name!r}"
    raise AttributeError(msg)
