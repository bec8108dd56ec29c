"""Calls of the page, written as commands and as Python that give the same numbers."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from credibly.app.prediction_store import Kept

OPTIONS = {
    "measures": "measure",
    "thresholds": "tune-thresholds",
}  # called otherwise on the command line
VERBS = {
    "evaluate", "compare", "best-of", "curve", "cost-benefit", "check", "calibration", "recalibrate", "report", "slices",
}  # fmt: skip
ASIDE = {"ignore", "format"}  # what the command line has no option for, or does not need
OF_PAGES = {"id", "format", "model"}


def spelled(kept: Kept, call: str, given: Mapping[str, Any]) -> tuple[str, str]:
    """Return the command of a call and its Python; nothing for calls that no verb stands behind."""
    call = call.removesuffix("-sections")
    if call not in VERBS:
        return "", ""
    asked = {n: v for n, v in given.items() if n not in OF_PAGES and v is not None}
    read = {**_told(kept), **({"positive": asked.pop("positive")} if asked.get("positive") else {})}
    costs = asked.pop("costs", None)
    name = asked.pop("name", None) if call == "curve" else None
    words = ["credibly", call, *([name] if name else []), _file(kept)]
    words += [word for pair in read.items() if pair[0] not in ASIDE for word in _option(*pair)]
    words += [word for pair in asked.items() for word in _option(*pair)]
    words += [
        word for outcome, cost in (costs or {}).items() if cost for word in _cost(outcome, cost)
    ]
    arguments = [repr(name)] if name else []
    arguments += [f"{n}={v!r}" for n, v in asked.items()]
    arguments += [f"costs={costs!r}"] if costs else []
    python = f"credibly.{call.replace('-', '_')}({', '.join(['p', *arguments])})"
    return shlex.join(words), python


def reading(kept: Kept) -> str:
    """Return the Python that reads a set."""
    given = "".join(f", {name}={value!r}" for name, value in _told(kept).items())
    return f"p = credibly.read({kept.name!r}{given})"


def _told(kept: Kept) -> dict[str, Any]:
    """Return what reading was told, and the positive class, which is else asked for."""
    p = kept.opened.predictions
    told = dict(kept.options)
    if p is not None and p.positive is not None:
        told["positive"] = p.classes[p.positive]
    return told


def _file(kept: Kept) -> str:
    return f"./{kept.name}" if kept.name.startswith("-") else kept.name


def _option(name: str, value: object) -> Iterator[str]:
    """Write an option as the command line takes it.

    >>> list(_option("confidence_level", 0.9)), list(_option("positive", "-1")), list(_option("spread", True))
    (['--confidence-level', '0.9'], ['--positive=-1'], ['--spread'])
    """
    option = f"--{OPTIONS.get(name, name).replace('_', '-')}"
    if value is True:
        yield option
        return
    if value is False:
        return
    if isinstance(value, Mapping):
        value = [f"{key}={each}" for key, each in value.items()]
    text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    yield from [f"{option}={text}"] if text.startswith("-") else [option, text]


def _cost(outcome: str, cost: float) -> Iterator[str]:
    kind = "--cost" if cost > 0 else "--benefit"
    yield from (kind, f"{outcome}={abs(cost):.15g}")
