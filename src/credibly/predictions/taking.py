"""What to say where predictions are wanted and something else is given."""

from __future__ import annotations

from collections.abc import Mapping

from credibly.errors import ParameterError
from credibly.predictions.artifact import Predictions


def as_predictions(given: object, verb: str) -> Predictions:
    """Return predictions, those of several models by name joined; or say what was given in their place."""
    if isinstance(given, Mapping) and any(isinstance(p, Predictions) for p in given.values()):
        return Predictions.joined(given)
    if not isinstance(given, Predictions):
        raise ParameterError(
            f"{verb} takes Predictions; got {type(given).__name__}.",
            remedy=Predictions.instead_of(given),
        )
    return given
