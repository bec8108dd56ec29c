"""Calls about a study: a set of predictions, the class that is looked for, and the score of its cases."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from credibly._core.signatures import function_at, hints_of
from credibly.app.declared_calls import call
from credibly.app.prediction_store import Kept
from credibly.app.session import Session
from credibly.case_scores._declare import Evidence
from credibly.predictions import Predictions

Act = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Study:
    """What a call is about."""

    session: Session
    id: str
    positive: str | None = None
    score: str | None = None

    @property
    def kept(self) -> Kept:
        """The set as it is kept."""
        return self.session.store[self.id]

    @property
    def predictions(self) -> Predictions:
        """The predictions, or the chosen score of each case."""
        return self.session.subject(self.id, self.positive, self.score)

    @property
    def evidence(self) -> Evidence | None:
        """What the cases are scored by, if they are."""
        return self.kept.opened.evidence

    @property
    def view(self) -> tuple[str | None, str | None]:
        """What is looked at."""
        return self.positive, self.score


def study_call(name: str, takes: str = "", *, verb: str = "", **about: Any) -> Callable[[Act], Act]:
    """Declare a call about a study; its own arguments are keyword-only, those of a public function follow.

    The function has the name of the call unless ``verb`` names another. One that takes ``costs`` is sent
    them as a dictionary of outcomes.
    """
    own = takes.split()
    of = _place(verb or name) if own else ""

    def declare(act: Act) -> Act:
        def asked(
            session: Session,
            *,
            id: str,
            positive: str | None = None,
            score: str | None = None,
            **options: Any,
        ) -> Any:
            return act(Study(session, id, positive, score), **options)

        named = [p for p in inspect.signature(act).parameters.values() if p.kind is p.KEYWORD_ONLY]
        hints = {p.name: hints_of(act)[p.name] for p in named}
        if "costs" in own:
            named.append(inspect.Parameter("costs", inspect.Parameter.KEYWORD_ONLY, default=None))
            hints["costs"] = dict[str, float] | None
        mine = inspect.signature(asked)
        *first, rest = mine.parameters.values()
        asked.__signature__ = mine.replace(parameters=[*first, *named, rest])  # type: ignore[attr-defined]
        asked.__annotations__ |= hints
        asked.__name__, asked.__doc__ = act.__name__, act.__doc__
        taken = " ".join(each for each in own if each != "costs")
        call("POST", f"/api/{name}", verb=of, takes=taken, **about)(asked)
        return asked

    return declare


def _place(verb: str) -> str:
    """Where the public function is."""
    return f"credibly:{verb.replace('-', '_')}"


def verb_call(name: str, takes: str) -> None:
    """Declare a call that asks the public function of its name about the predictions of a study."""
    function = function_at(_place(name))

    def act(study: Study, **options: Any) -> Any:
        return function(study.predictions, **options)

    first = (inspect.getdoc(function) or "").partition(".")[0]
    act.__name__ = function.__name__
    act.__doc__ = f"{first}, as `credibly.{function.__name__}`."
    study_call(name, takes)(act)
