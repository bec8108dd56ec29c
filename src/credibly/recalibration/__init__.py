"""Better probabilities from old ones: maps fitted on cases kept apart."""

from importlib import import_module

from credibly.recalibration._declare import (
    FittedMap,
    FittedRecalibration,
    Recalibration,
    recalibration,
    recalibrations,
)
from credibly.recalibration.recalibrating import Recalibrated, recalibrate

__all__ = [
    "FittedMap",
    "FittedRecalibration",
    "Recalibrated",
    "RecalibratedClassifier",
    "Recalibration",
    "recalibrate",
    "recalibration",
    "recalibrations",
]


def __getattr__(name: str) -> object:
    if name == "RecalibratedClassifier":  # which needs scikit-learn
        return import_module("credibly.recalibration._estimator").RecalibratedClassifier
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
