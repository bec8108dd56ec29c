"""What to say where predictions are wanted and something else is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.errors import ParameterError

if TYPE_CHECKING:
    from credibly.predictions.artifact import Predictions


def instead_of(given: object) -> str:
    """Say how to come by predictions to whoever has something else."""
    if hasattr(given, "best_score_"):
        return (
            "best_score_ was measured on the data that chose it, so it is too good to be reported. "
            "Give the search object to credibly.run as a scheme, and use the predictions."
        )
    return (
        "Make them with credibly.read(file or frame, truth=..., ...) or "
        "credibly.Predictions.of(y_true, ...)."
    )


def as_predictions(given: object, verb: str) -> Predictions:
    """Return predictions, or say what was given in their place."""
    from credibly.predictions.artifact import Predictions

    if not isinstance(given, Predictions):
        raise ParameterError(
            f"{verb} takes Predictions; got {type(given).__name__}.", remedy=instead_of(given)
        )
    return given
