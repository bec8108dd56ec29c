"""Every door that takes predictions, found where it is registered, and what each says about some.

A verb added to the package, a plot, a kind of curve, a command or a call of the page is tried by being
there. If it must be told more than its predictions, ``NEEDED`` says how.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import json
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

import numpy as np

import credibly
import credibly.engines
from cli.calls import SERVES
from credibly import CrediblyError, Predictions
from credibly._core.findings import findings
from credibly._core.signatures import function_at
from credibly.app.declared_calls import Answer
from credibly.app.openapi import CALLS
from credibly.app.session import Session
from credibly.cli import build, commands, main, options_of
from credibly.curves import curves
from credibly.plots import Figure, plots
from credibly.reports.report import Report
from credibly.results.formats import json_ready

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

COSTS = {"fn": 5, "fp": 1}
# What a door needs beside predictions, by the name of its parameter.
NEEDED: dict[str, Any] = {
    "name": "roc", "costs": COSTS, "rng": 1, "measure": "error_rate", "width": 0.1, "replicates": 50, "k": 1,
}  # fmt: skip
VERBS = (credibly, credibly.engines)  # where commands have theirs
COSTLY = {"decide", "cost_benefit"}  # which may be asked without costs, and then say little


def shows(verb: Callable[..., Any]) -> bool:
    """Whether a verb answers about the cases: not with predictions that it made or changed, nor with a file."""
    answer = str(inspect.signature(verb).return_annotation)
    held = getattr(inspect.unwrap(verb).__globals__.get(answer), "__dataclass_fields__", ())
    return answer not in {"Predictions", "Path"} and "predictions" not in held


def undeclared(told: Any) -> set[str]:
    """Return the codes of findings in plain data that are not declared, or not with that severity."""
    if isinstance(told, list):
        return {code for part in told for code in undeclared(part)}
    if not isinstance(told, dict):
        return set()
    if {"code", "severity", "message"} <= told.keys():
        code = told["code"]
        known = code in findings and findings[code].severity == told["severity"]
        return set() if known else {code}
    return undeclared(list(told.values()))


@dataclass(frozen=True)
class Door:
    """A way to look at predictions."""

    name: str
    look: Callable[[Predictions, Path], Any]

    def __call__(self, p: Predictions, folder: Path) -> Any:
        """Return all that it says, as plain data; a refusal is its sentence."""
        try:
            told = plain(self.look(p, folder))
        except CrediblyError as error:
            return f"refused: {error}"
        except TypeError as error:
            advice = "Where it must be told more than predictions, add it to NEEDED of this file"
            raise AssertionError(f"{self.name}: {error}. {advice}.") from error
        assert not undeclared(told), "add it to the module findings of the package that finds it"
        return told

    def __repr__(self) -> str:
        return self.name


def plain(thing: Any) -> Any:
    """Turn a result into dictionaries, lists and numbers."""
    if isinstance(thing, Figure):
        return {
            "layers": [{k: list(v) for k, v in m.columns.items()} for m in thing.layers],
            "alt": thing.alt,
        }
    if isinstance(thing, Report):
        return json.loads(thing.json())
    if hasattr(thing, "to_json"):
        return json.loads(thing.to_json())
    if hasattr(thing, "to_dict"):
        return json_ready(thing.to_dict())
    if is_dataclass(thing) and not isinstance(thing, type):
        return {f.name: plain(getattr(thing, f.name)) for f in fields(thing) if f.name != "cache"}
    if isinstance(thing, np.ndarray):
        return thing.tolist()
    if isinstance(thing, dict):
        return {str(k): plain(v) for k, v in thing.items()}
    return [plain(v) for v in thing] if isinstance(thing, list | tuple) else thing


def every() -> list[Door]:
    """Return all doors that show something."""
    return [*_verbs(), *_plots(), *_commands(), *_calls()]


def _arguments(function: Callable[..., Any]) -> dict[str, Any]:
    """Return what is needed, and a seed and few replicates where they are taken."""
    wanted = inspect.signature(function).parameters.values()
    return {
        q.name: NEEDED[q.name]
        for q in wanted
        if q.name in NEEDED and (q.default is q.empty or q.name in {"rng", "measure", "replicates"})
    }


def _verbs() -> Iterator[Door]:
    for name in credibly.__all__:
        verb = getattr(credibly, name)
        if not inspect.isfunction(inspect.unwrap(verb)):
            continue
        first = [
            q.name
            for q in inspect.signature(verb).parameters.values()
            if "Predictions" in str(q.annotation) or (name, q.name) == ("compare", "a")
        ]
        if first and shows(verb):
            more = _arguments(verb) | ({"costs": COSTS} if name in COSTLY else {})
            yield Door(
                f"verb {name}",
                lambda p, _, verb=verb, more=more, first=first[0]: verb(**{first: p, **more}),
            )


def _plots() -> Iterator[Door]:
    for entry in plots:
        if Predictions in (*entry.types, *entry.prepare):
            takes = [
                *entry.options,
                *inspect.signature(entry.prepare.get(Predictions, lambda: 0)).parameters,
            ]
            wanted = {
                "rng": 1,
                "replicates": 50,
                **({"costs": COSTS} if entry.name in COSTLY else {}),
            }
            more = {k: v for k, v in wanted.items() if k in takes}
            yield Door(
                f"plot {entry.name}",
                lambda p, _, name=entry.name, more=more: credibly.plot(p, name, **more),
            )
    for kind in curves:
        yield Door(f"plot {kind.name}", lambda p, _, name=kind.name: credibly.plot(p, name))


def _commands() -> Iterator[Door]:
    for module in iter_modules(commands.__path__):
        command = import_module(f"{commands.__name__}.{module.name}").command
        name = module.name.replace("_", "-")
        verb = next((getattr(p, module.name) for p in VERBS if module.name in p.__all__), None)
        if name in SERVES or (inspect.isfunction(verb) and not shows(verb)):
            continue
        if not {"file", "files"} & set(inspect.signature(command).parameters):
            continue
        tokens = ["roc"] if module.name in {"curve", "plot"} else []
        options = ["--cost", "fn=5", "--cost", "fp=1"] if module.name in COSTLY else []
        yield Door(
            f"command {name}",
            lambda p, folder, name=name, tokens=tokens, options=options: _typed(
                [name, *tokens], p, folder, options
            ),
        )


@cache
def _known(command: str) -> Collection[str]:
    return options_of(build([command]), [command])


def _typed(start: list[str], p: Predictions, folder: Path, options: list[str]) -> Any:
    """Run a command on a saved file and return what it prints and writes."""
    known = _known(start[0])
    options = [*options, *(["--rng", "1"] if "--rng" in known else [])]
    options += ["--json"] if "--json" in known else []
    path = credibly.save(p, folder / "predictions.parquet")
    if start[0] in {"report", "plot"}:
        options = [*options, "-o", str(folder / "written.json")]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*start, str(path), *options])
    written = folder / "written.json"
    text = written.read_text() if written.exists() else out.getvalue()
    return {"code": code, "said": err.getvalue(), "text": _read(text)}


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _calls() -> Iterator[Door]:
    for call in CALLS:
        known = {"id", *NEEDED}
        if not {"id", "positive"} <= call.parameters.keys():  # about no predictions of classes
            continue
        if call.verb and not shows(function_at(call.verb)):
            continue
        if any(q.required and name not in known for name, q in call.parameters.items()):
            continue
        name = f"call {call.path.replace('/{id}', ' by id') if '{id}' in call.path else call.path}"
        yield Door(name, lambda p, folder, call=call: _served(call, p, folder))


def _served(call: Any, p: Predictions, folder: Path) -> Any:
    session = Session()
    kept = session.keep_file(credibly.save(p, folder / "predictions.parquet"), {})
    wanted = call.parameters
    more = {n: NEEDED[n] for n in wanted if n in NEEDED and (wanted[n].required or n != "name")}
    made = call.function(session, id=kept.id, **more)
    made = made.body if isinstance(made, Answer) else made
    return {k: v for k, v in made.items() if k != "id"} if isinstance(made, dict) else made
