"""Learning schemes: estimators by name, by path or as objects, and what they predict.

Names are resolved when first used, and scikit-learn is imported only to build an estimator.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from credibly.schemes._declare import SchemeEntry, scheme, schemes

if TYPE_CHECKING:
    from credibly.schemes._full_bayes import FullBayes
    from credibly.schemes._one_r import OneR
    from credibly.schemes._voting import AdaBoost, Bagging, reweighted, vote_weight
    from credibly.schemes.building import build, seeded
    from credibly.schemes.choosing import Scheme, as_scheme, as_schemes
    from credibly.schemes.columns import take_rows
    from credibly.schemes.predicting import Output, fitted, outputs

_HOMES = {
    "AdaBoost": "_voting",
    "Bagging": "_voting",
    "FullBayes": "_full_bayes",
    "OneR": "_one_r",
    "Output": "predicting",
    "Scheme": "choosing",
    "as_scheme": "choosing",
    "as_schemes": "choosing",
    "build": "building",
    "fitted": "predicting",
    "outputs": "predicting",
    "reweighted": "_voting",
    "seeded": "building",
    "take_rows": "columns",
    "vote_weight": "_voting",
}

__all__ = [
    "AdaBoost",
    "Bagging",
    "FullBayes",
    "OneR",
    "Output",
    "Scheme",
    "SchemeEntry",
    "as_scheme",
    "as_schemes",
    "build",
    "fitted",
    "outputs",
    "reweighted",
    "scheme",
    "schemes",
    "seeded",
    "take_rows",
    "vote_weight",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    msg = f"module 'credibly.schemes' has no attribute {name!r}"
    raise AttributeError(msg)
