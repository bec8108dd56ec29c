"""Arguments that come as JSON: checked against the hints of a function, and described by them."""

from __future__ import annotations

import inspect
import sys
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from credibly._core.errors import ParameterError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PLAIN = {str: "string", float: "number", int: "integer", bool: "boolean", NoneType: "null"}
LARGEST = sys.float_info.max
WORDS = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}


def keywords(function: Callable[..., Any]) -> dict[str, dict[str, Any]]:
    """Return the JSON schema of each keyword-only argument, with ``required`` where it has no default.

    >>> def call(p, *, at: Annotated[str, "Where to operate."], level: float = 0.95): ...
    >>> keywords(call)["at"]
    {'type': 'string', 'description': 'Where to operate.', 'required': True}
    >>> keywords(call)["level"]
    {'type': 'number', 'default': 0.95, 'required': False}
    """
    hints = get_type_hints(function, include_extras=True)
    found = {}
    for name, p in inspect.signature(function).parameters.items():
        if p.kind is inspect.Parameter.KEYWORD_ONLY:
            required = p.default is inspect.Parameter.empty
            default = {} if required or p.default is None else {"default": p.default}
            found[name] = {**schema(hints[name]), **default, "required": required}
    return found


def schema(hint: Any) -> dict[str, Any]:  # noqa: ANN401
    """Write a type hint as JSON schema.

    >>> schema(list[str] | None)
    {'anyOf': [{'type': 'array', 'items': {'type': 'string'}}, {'type': 'null'}]}
    """
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return {**schema(inside[0]), "description": inside[1]}
    if origin in {Union, UnionType}:
        return {"anyOf": [schema(each) for each in inside]}
    if origin is Literal:
        return {"type": "string", "enum": list(inside)}
    if origin is list:
        return {"type": "array", "items": schema(inside[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema(inside[1])}
    return {"type": PLAIN[hint]} if hint in PLAIN else {}


def checked(call: str, wanted: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments if each is known, is what it should be, and none is missing.

    >>> def call(p, *, at: str, level: float = 0.95): ...
    >>> checked("call", keywords(call), {"at": "best", "level": "high"})
    Traceback (most recent call last):
    ...
    credibly.errors.ParameterError: call: level must be a number; got 'high'.
    """
    for name, value in given.items():
        if name not in wanted:
            raise ParameterError(
                f"{call} takes {', '.join(wanted) or 'nothing'}; got {name[:40]!r}.{did_you_mean(name, wanted)}"
            )
        if not fits(value, wanted[name]):
            raise ParameterError(
                f"{call}: {name} must be {_words(wanted[name])}; got {_short(value)}."
            )
    missing = [name for name, each in wanted.items() if each["required"] and name not in given]
    if missing:
        raise ParameterError(f"{call} needs {', '.join(missing)}.")
    return dict(given)


def fits(value: object, wanted: Mapping[str, Any]) -> bool:
    """Say whether a value is what a schema of ours describes.

    >>> fits([1.0, 2], {"type": "array", "items": {"type": "number"}}), fits(True, {"type": "number"})
    (True, False)
    """
    if "anyOf" in wanted:
        return any(fits(value, each) for each in wanted["anyOf"])
    match wanted.get("type"), value:
        case (None, _) | ("null", None) | ("boolean", bool()):
            return True
        case ("string", str()):
            return "enum" not in wanted or value in wanted["enum"]
        case ("integer", int()):
            return not isinstance(value, bool)
        case ("number", int() | float()):
            return not isinstance(value, bool) and abs(value) <= LARGEST
        case ("array", list()):
            return all(fits(each, wanted["items"]) for each in value)
        case ("object", dict()):
            return all(fits(each, wanted["additionalProperties"]) for each in value.values())
    return False


def _words(wanted: Mapping[str, Any]) -> str:
    if "anyOf" in wanted:
        return " or ".join(dict.fromkeys(_words(each) for each in wanted["anyOf"]))
    if "enum" in wanted:
        return f"one of {', '.join(wanted['enum'])}"
    inside = wanted.get("items") or wanted.get("additionalProperties")
    word = WORDS[wanted["type"]]
    return f"{word} whose values are {_words(inside)}" if inside else word


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "..."
