"""The calls of the JSON API: each is one function here, which gives its route, its checks and its description."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import or_
from pathlib import Path
from types import NoneType
from typing import Any

from credibly._core.hints import accepts, in_json, in_words, members
from credibly._core.verbs import VerbArgument, arguments_of, function_at, in_plain_words
from credibly._core.words import shown
from credibly.app.session import Session, plain_label, reading_options
from credibly.errors import ParameterError
from credibly.io import bundled

READ = "credibly.io.read:read"
COST_BENEFIT = "credibly.decisions.cost_benefit:cost_benefit"
JSON, CSV = "application/json", "text/csv; charset=utf-8"
TEXTS = {
    "id": "A set of predictions, by the id that it was given.",
    "costs": "What each outcome (tp, fp, fn, tn) costs; a benefit is negative: {'tp': -15, 'fp': 0.8}.",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call returns when it is more than JSON that went well."""

    body: Any = None
    status: int = 200
    media: str = JSON
    file_name: str = ""


@dataclass(frozen=True)
class Call:
    """A declared call."""

    method: str
    path: str
    function: Callable[..., Any]
    verb: str = ""  # the public function of which it takes arguments
    takes: str = ""  # which, separated by spaces
    media: str = JSON
    status: int = 200
    upload: bool = False
    quick: bool = False

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"{self.method} {self.path}"

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
    text = in_plain_words(TEXTS.get(argument.name, argument.text), {})
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
    **about: Any,  # noqa: ANN401
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


@call("POST", "/api/predictions", upload=True, status=201, verb=READ, takes="format")
def upload(session: Session, file: Path, *, name: str = "upload", **options: Any) -> Answer:  # noqa: ANN401
    """Open the file in the body: CSV, TSV, JSON lines, Parquet, ARFF or Weka's predictions; text also gzipped.

    Roles of columns are guessed and said. If they cannot be, `problem` says why: tell them by a call of roles.

    Parameters
    ----------
    name
        What to call the file; its ending tells the format.
    """
    asked = reading_options(**options)
    return Answer(session.keep_upload(file, plain_label(name), asked).to_dict(), 201)


@call("POST", "/api/example", status=201)
def example(session: Session, *, name: str) -> Answer:
    """Open predictions that come with Credibly.

    Parameters
    ----------
    name
        campaign or breast-cancer.
    """
    return Answer(session.keep_file(bundled(name), {}, name).to_dict(), 201)


@call(
    "POST",
    "/api/roles",
    verb=READ,
    takes="ignore positive classes threshold weight_kind tolerance format",
)
def roles(
    session: Session,
    *,
    id: str,  # noqa: A002
    roles: dict[str, str | list[str]] | None = None,
    **options: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Read a set again with these roles of its columns in place of the earlier ones; others are guessed.

    Parameters
    ----------
    roles
        The column of each role, such as {'truth': 'y'}.
    """
    return session.read_again(id, reading_options(roles, **options)).to_dict()


@call("GET", "/api/predictions", quick=True)
def listed(session: Session) -> Any:  # noqa: ANN401
    """List the sets that are open."""
    return {"sets": [kept.to_dict(page_data=False) for kept in session.store.all()]}


@call("GET", "/api/predictions/{id}", quick=True)
def found(session: Session, *, id: str) -> Any:  # noqa: A002, ANN401
    """Return a set: its columns, their roles, findings, and the data (`scene`) that the page draws."""
    return session.store[id].to_dict()


@call("DELETE", "/api/predictions/{id}", status=204, quick=True)
def forget(session: Session, *, id: str) -> Answer:  # noqa: A002
    """Close a set."""
    session.store.forget(id)
    return Answer(status=204)


@call(
    "POST",
    "/api/evaluate",
    verb="credibly.evaluation.evaluate:evaluate",
    takes="measures by average interval confidence_level rng",
)
def evaluate(session: Session, *, id: str, **options: Any) -> Any:  # noqa: A002, ANN401
    """Estimate measures, as `credibly.evaluate`."""
    from credibly.evaluation import evaluate

    return evaluate(session.store[id].predictions, **options)


@call(
    "POST",
    "/api/cost-benefit",
    verb=COST_BENEFIT,
    takes="at population prevalence confidence_level rng",
)
def cost_benefit(
    session: Session,
    *,
    id: str,  # noqa: A002
    costs: dict[str, float] | None = None,
    **options: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Say what selecting the cases of the highest scores brings, as `credibly.cost_benefit`."""
    from credibly.decisions import cost_benefit

    return cost_benefit(session.store[id].predictions, costs, **options)


@call("POST", "/api/selection", media=CSV, verb=COST_BENEFIT, takes="at prevalence")
def selection(
    session: Session,
    *,
    id: str,  # noqa: A002
    costs: dict[str, float] | None = None,
    model: str | None = None,
    rng: int = 0,
    **options: Any,  # noqa: ANN401
) -> Answer:
    """Write the selected cases, the highest score first, as CSV that can be opened again.

    Parameters
    ----------
    model
        Which model, where there are several.
    rng
        Seed that draws among cases of the last score.
    """
    from credibly.app.selected_rows import list_of
    from credibly.decisions import cost_benefit

    made = cost_benefit(session.store[id].predictions, costs, **options)
    return Answer(list_of(made.selected(model, rng=rng)), 200, CSV, "selected.csv")


@call(
    "POST",
    "/api/compare",
    verb="credibly.comparisons.compare:compare",
    takes="measure test margin correction confidence_level rng",
)
def compare(session: Session, *, id: str, **options: Any) -> Any:  # noqa: A002, ANN401
    """Test whether one model of a set is really better than another, as `credibly.compare`."""
    from credibly.comparisons.compare import compare

    return compare(session.store[id].predictions, **options)


@call(
    "POST",
    "/api/best-of",
    verb="credibly.comparisons.best_of:best_of",
    takes="measure method thresholds average confidence_level replicates rng",
)
def best_of(session: Session, *, id: str, **options: Any) -> Any:  # noqa: A002, ANN401
    """Estimate how good the best model of a set really is, as `credibly.best_of`."""
    from credibly.comparisons.best_of import best_of

    return best_of(session.store[id].predictions, **options)


@call("POST", "/api/curve", verb="credibly.curves.curve:curve", takes="name by prevalence")
def curve(session: Session, *, id: str, **options: Any) -> Any:  # noqa: A002, ANN401
    """Draw curves, as `credibly.curve`."""
    from credibly.curves import curve

    return curve(predictions=session.store[id].predictions, **options)


@call("GET", "/api/progress", quick=True)
def progress(session: Session) -> Any:  # noqa: ANN401
    """Say what is being computed and for how many seconds."""
    return {"work": session.work()}
