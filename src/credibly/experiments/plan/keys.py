"""The keys of a plan, and what may stand under each of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from credibly.errors import Argument, listed


@dataclass(frozen=True, slots=True)
class KeyRule:
    """What a key wants, in words, and whether a value is that."""

    words: str
    fits: Callable[[Any], bool]


def _are_texts(value: Any) -> bool:  # noqa: ANN401
    listed = isinstance(value, Iterable) and not isinstance(value, str | Mapping)
    return listed and all(isinstance(v, str) for v in value)


def _one_of(*texts: str) -> KeyRule:
    return KeyRule(listed(map(repr, texts), "or"), lambda v: isinstance(v, str) and v in texts)


def as_key(argument: Argument) -> str:
    """Write an argument that a sentence names as a key of a plan.

    >>> from credibly.errors import Argument
    >>> as_key(Argument("target", ...)), as_key(Argument("task", "numeric")), as_key(Argument("group"))
    ('target = "..."', 'task = "numeric"', 'group')
    """
    value = "..." if argument.value is ... else argument.value
    return argument.name if value is None else f"{argument.name} = {json.dumps(value)}"


ANY = KeyRule("", lambda _: True)  # what it may be is known to what reads it
TEXT = KeyRule("a text", lambda v: isinstance(v, str))
TEXTS = KeyRule("a list of texts", _are_texts)
TEXT_OR_TEXTS = KeyRule("a text or a list of texts", lambda v: isinstance(v, str) or _are_texts(v))
TABLE = KeyRule("a table, such as {key = value}", lambda v: isinstance(v, Mapping))
VALUES = KeyRule(
    "an array, a list or a column of a frame, with one value per row",
    lambda v: hasattr(v, "__len__") and not isinstance(v, str | Mapping),
)
CLASS = KeyRule(
    "a text, a number or a boolean", lambda v: not isinstance(v, list | tuple | Mapping)
)

# What may be known of a row beside inputs and target.
ROW_COLUMNS = ("group", "weight", "time", "fold")
FRAME_ROLES = {**dict.fromkeys(("target", *ROW_COLUMNS), TEXT), "ignore": TEXTS}
ROLES = {**FRAME_ROLES, "missing": TEXTS, "format": TEXT}
JUDGED = {
    "positive": CLASS,
    "task": _one_of("classification", "numeric"),
    "weight_kind": _one_of("frequency", "importance"),
    "costs": ANY,
}
PLAN = {
    "schemes": ANY,
    "datasets": ANY,
    "resampling": ANY,
    "measures": TEXT_OR_TEXTS,
    "rng": ANY,
    "sizes": ANY,
    "limits": TABLE,
}
SCHEME = {
    "scheme": ANY,
    "name": TEXT,
    "grid": TABLE,
    "tune": TABLE,
    "inner": ANY,
    "measure": TEXT,
}
DATASET = {"data": ANY, "name": TEXT, **JUDGED}
LIMITS = {"seconds": ANY, "memory": ANY}
