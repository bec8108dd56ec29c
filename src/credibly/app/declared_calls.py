"""How a call of the JSON API is declared: one function gives its route, its checks and its description."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import or_
from types import NoneType
from typing import Any

from credibly._core.signatures import (
    VerbArgument,
    accepts,
    arguments_of,
    function_at,
    in_json,
    in_plain_words,
    in_words,
    members,
)
from credibly._core.text import shown
from credibly.errors import ParameterError

JSON_TYPE, CSV_TYPE, BINARY_TYPE = (
    "application/json",
    "text/csv; charset=utf-8",
    "application/octet-stream",
)
PARAMETER_TEXTS = {
    "id": "A set of predictions, by the id that it was given.",
    "positive": "The class that is looked for; by default that of the set.",
    "score": "The score of each case that is judged, where the set has several; by default the first.",
    "costs": "What each outcome (tp, fp, fn, tn) costs; a benefit is negative: {'tp': -15, 'fp': 0.8}.",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call returns when it is more than JSON."""

    body: Any = None
    media: str = JSON_TYPE
    file_name: str = ""


@dataclass(frozen=True)
class Call:
    """A declared call."""

    method: str
    path: str
    function: Callable[..., Any]
    verb: str = ""  # the public function of which it takes arguments
    takes: str = ""  # which, separated by spaces
    media: str = JSON_TYPE
    status: int = 200
    upload: bool = False
    quick: bool = False

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"{self.method} {self.path}"

    @property
    def title(self) -> str:
        """What it is called while it computes."""
        return self.function.__name__.replace("_", " ").capitalize()

    @property
    def doc(self) -> str:
        """What it does."""
        doc = inspect.getdoc(self.function) or ""
        return " ".join(doc.partition("\n\nParameters\n")[0].split())

    @cached_property
    def parameters(self) -> dict[str, VerbArgument]:
        """What it takes, each with a type that can be sent: its own arguments and those of the verb."""
        own = list(arguments_of(self.function).values())[2 if self.upload else 1 :]
        of_verb = arguments_of(function_at(self.verb)) if self.verb else {}
        found = [*own, *(of_verb[name] for name in self.takes.split())]
        return {a.name: _sendable(a) for a in found}

    def checked(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments if each is known, is what it should be, and none is missing."""
        wanted = self.parameters
        for name, value in given.items():
            if name not in wanted:
                has = ", ".join(wanted) or "nothing"
                raise ParameterError(
                    f"{self.name} takes {has}; got {name[:40]!r}.", asked=name, choices=wanted
                )
            hint = wanted[name].hint
            if not (accepts(hint, value) and _is_finite(value)):
                sent = [m for m in members(hint) if m is not NoneType]
                words = in_words(reduce(or_, sent))
                raise ParameterError(f"{self.name}: {name} must be {words}; got {shown(value)}.")
        missing = [name for name, each in wanted.items() if each.required and name not in given]
        if missing:
            raise ParameterError(f"{self.name} needs {', '.join(missing)}.")
        return dict(given)


CALLS: list[Call] = []


def _sendable(argument: VerbArgument) -> VerbArgument:
    text = in_plain_words(PARAMETER_TEXTS.get(argument.name, argument.text), {})
    return replace(argument, hint=in_json(argument.hint), text=text)


def _is_finite(value: object) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return False
    return True


def call(
    method: str,
    path: str,
    **about: Any,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function as a call.

    Its keyword-only arguments, and those that it takes of a public function, come from the path, the
    query or the JSON body. An ``upload`` gets the path of the file that was sent; a ``quick`` call does
    not wait for the calls that compute.
    """

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        CALLS.append(Call(method, path, function, **about))
        return function

    return declare
