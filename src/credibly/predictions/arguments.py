"""What is taken where predictions are wanted: predictions, or those of several models by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import ParamSpec, TypeVar

from credibly.errors import DataError, OneModel, ParameterError, listed, says
from credibly.predictions.artifact import Predictions
from credibly.predictions.findings import TAKEN_AS_MODELS

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C")


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


def refuse_several_models(p: Predictions, said: str) -> None:
    """Say that predictions of several models are too many, and how to select one."""
    if len(names := p.model_names) > 1:
        raise ParameterError(said, remedy=says("Select one with {one}.", one=OneModel.of(names)))


def for_each_model(
    collect: Callable[[tuple[str, ...], tuple[R, ...]], C],
) -> Callable[[Callable[P, R]], Callable[P, R | C]]:
    """Let a verb about one model answer for each of several; what else is predictions is split alike."""

    def declare(verb: Callable[P, R]) -> Callable[P, R | C]:
        signature = inspect.signature(verb)

        @wraps(verb)
        def answered(*args: P.args, **kwargs: P.kwargs) -> R | C:
            given = signature.bind(*args, **kwargs)
            first = next(iter(given.arguments))
            whole = as_predictions(given.arguments[first], verb.__name__)
            names = whole.model_names
            made = []
            for name in names if len(names) > 1 else ():
                one = signature.bind(*args, **kwargs)
                one.arguments |= {n: _of_model(v, name) for n, v in one.arguments.items()}
                made.append(verb(*one.args, **one.kwargs))
            return collect(tuple(map(str, names)), tuple(made)) if made else verb(*args, **kwargs)

        return answered

    return declare


def _of_model(given: object, name: object) -> object:
    """Return the predictions of one model out of those of several; all else stays what it is."""
    if isinstance(given, Mapping) and any(isinstance(p, Predictions) for p in given.values()):
        given = Predictions.joined(given)
    several = isinstance(given, Predictions) and given.model is not None
    return given.where(model=name) if several and isinstance(given, Predictions) else given


def models_or_datasets(given: object, verb: str) -> Predictions | Mapping[str, Predictions]:
    """Return predictions by name joined as models where all hold the same cases; datasets as they are.

    >>> p = Predictions.of([1, 0, 1], label=[1, 0, 0])
    >>> models_or_datasets({"tree": p, "forest": Predictions.of([1, 0, 1], label=[1, 1, 1])}, "evaluate")
    Predictions(6 rows by tree, forest, classes 0, 1 (positive), columns: label)
    >>> list(models_or_datasets({"here": p, "there": Predictions.of([1, 0, 0], label=[1, 1, 1])}, "evaluate"))
    ['here', 'there']
    """
    if not isinstance(given, Mapping):
        return as_predictions(given, verb)
    held = [isinstance(p, Predictions) for p in given.values()]
    if not any(held):
        return as_predictions(given, verb)
    if not all(held) or len(set(map(str, given))) < max(len(given), 2):
        return given
    try:
        predictions = Predictions.joined(given)
    except DataError:  # they hold other cases, or cannot be matched
        return given
    finding = TAKEN_AS_MODELS(names=listed([*map(str, given)]))
    return replace(predictions, findings=(*predictions.findings, finding))
