"""What to say where predictions are wanted and something else is given."""

from __future__ import annotations

from credibly.errors import ParameterError
from credibly.predictions.artifact import Predictions


def as_predictions(given: object, verb: str) -> Predictions:
    """Return predictions, or say what was given in their place."""
    if not isinstance(given, Predictions):
        raise ParameterError(
            f"{verb} takes Predictions; got {type(given).__name__}.",
            remedy=Predictions.instead_of(given),
        )
    return given
