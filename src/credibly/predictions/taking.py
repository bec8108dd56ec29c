"""What is taken where predictions are wanted: predictions, or those of several models by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from credibly.errors import DataError, ParameterError, listed
from credibly.predictions.artifact import Predictions
from credibly.predictions.findings import TAKEN_AS_MODELS


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


def models_or_datasets(
    given: Predictions | Mapping[str, Predictions],
) -> Predictions | Mapping[str, Predictions]:
    """Return predictions by name joined as models where all hold the same cases; datasets as they are.

    >>> p = Predictions.of([1, 0, 1], label=[1, 0, 0])
    >>> models_or_datasets({"tree": p, "forest": Predictions.of([1, 0, 1], label=[1, 1, 1])})
    Predictions(6 rows, classes 0, 1 (positive), columns: label)
    >>> list(models_or_datasets({"here": p, "there": Predictions.of([1, 0, 0], label=[1, 1, 1])}))
    ['here', 'there']
    """
    if not isinstance(given, Mapping) or len(set(map(str, given))) < max(len(given), 2):
        return given
    if not all(isinstance(p, Predictions) for p in given.values()):
        return given
    try:
        made = Predictions.joined(given)
    except DataError:  # they hold other cases, or cannot be matched
        return given
    said = TAKEN_AS_MODELS(names=listed([*map(str, given)]))
    return replace(made, findings=(*made.findings, said))
