"""What a public function says of its arguments, by its hints and its docstring: checks, command line, page and reference follow.

A hint says whether a value is of a type, what it takes in words, and the same for JSON.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from numbers import Integral, Real
from operator import or_
from os import PathLike
from types import ModuleType, NoneType, SimpleNamespace, UnionType
from typing import Annotated, Any, Literal, Union, Unpack, get_args, get_origin, get_type_hints

from credibly.errors import listed

TYPE_WORDS = {
    str: "text",
    float: "a number",
    int: "a whole number",
    bool: "True or False",
    PathLike: "a path",
    NoneType: "None",
    None: "None",
}
TEXT_TYPES = (str, bytes, bytearray)
LIST_TYPES = (list, tuple, Sequence, Iterable)
MAPPING_TYPES = (dict, Mapping)
JSON_TYPES = {str: "string", float: "number", int: "integer", bool: "boolean", NoneType: "null"}
REQUIRED = inspect.Parameter.empty
PARAMETERS_SECTION = re.compile(
    r"^Parameters\n-+\n(.*?)(?:\n(?=\S[^\n]*\n-+\n)|\n(?=>>> )|\Z)", re.S | re.M
)
PARAMETER_ENTRY = re.compile(r"^(\S.*)\n((?:[ ].*(?:\n|\Z)|\n)*)", re.M)
QUOTES = "\"'"
MARKUP = re.compile(r":\w+:`~?(?:[\w.]+\.)?(\w+)`|``([^`]+)``")


def hints_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the types of the parameters by name."""
    return {n: hint_of(function, n) for n in function.__annotations__ if n != "return"}


def keyword_hints(hint: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the types of further keywords by name, as far as the hint of them tells.

    >>> from typing import TypedDict
    >>> class Look(TypedDict, total=False):
    ...     dark: bool
    >>> keyword_hints(Unpack[Look]), keyword_hints(Any)
    ({'dark': <class 'bool'>}, {})
    """
    if get_origin(hint) is not Unpack:
        return {}
    return get_type_hints(get_args(hint)[0], include_extras=True)


def first_hint(function: Callable[..., Any]) -> Any:  # noqa: ANN401
    """Return the type of what a function takes first; anything, where it does not say.

    >>> def halve(number: float, *, times: int = 1): ...
    >>> first_hint(halve)
    <class 'float'>
    """
    first = next(iter(inspect.signature(function).parameters), "")
    return hint_of(function, first)


def hint_of(function: Callable[..., Any], name: str) -> Any:  # noqa: ANN401
    """Return the type of a parameter; one that is not stated, or to type checkers alone, takes everything."""
    if name not in function.__annotations__:
        return Any
    where = getattr(inspect.unwrap(function), "__globals__", {})
    told = SimpleNamespace(__annotations__={name: function.__annotations__[name]})
    try:
        return get_type_hints(told, where, include_extras=True)[name]
    except NameError:
        return Any


def members(hint: Any) -> list[Any]:  # noqa: ANN401
    """Return the types that a union is made of; another type is alone.

    >>> members(Annotated[int | str, "Such."] | None)
    [<class 'int'>, <class 'str'>, <class 'NoneType'>]
    """
    if get_origin(hint) is Annotated:
        return members(get_args(hint)[0])
    if get_origin(hint) in {Union, UnionType}:
        return [m for each in get_args(hint) for m in members(each)]
    return [hint]


def accepts(hint: Any, value: Any) -> bool:  # noqa: ANN401
    """Whether a value is of a type; types that cannot be checked at run time accept everything.

    >>> accepts(float | None, 3), accepts(int, True), accepts(Sequence[str], "abc")
    (True, False, False)
    """
    if len(members(hint)) > 1 or get_origin(hint) is Annotated:
        return any(accepts(each, value) for each in members(hint))
    origin, inside = get_origin(hint), get_args(hint)
    if hint is Any or hint is object:
        return True
    if origin is Literal:
        return any(type(value) is type(each) and value == each for each in inside)
    if hint in {float, int, bool, str, None, NoneType}:
        return _is_plain(hint, value)
    return _is_made_of(origin or hint, inside, value)


def _is_plain(hint: Any, value: Any) -> bool:  # noqa: ANN401
    if hint in {None, NoneType}:
        return value is None
    if getattr(value, "ndim", None) == 0:  # numpy's numbers, and arrays of one
        value = value.item()
    if hint in {str, bool}:
        return isinstance(value, hint)
    if isinstance(value, bool) or not isinstance(value, Integral if hint is int else Real):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def _is_made_of(kind: Any, inside: tuple[Any, ...], value: Any) -> bool:  # noqa: ANN401
    if kind is Callable:
        return callable(value)
    if kind in LIST_TYPES:
        return _is_list(value, ordered=kind is not Iterable) and _holds(inside, value)
    if kind in MAPPING_TYPES:
        each = inside[1] if inside else Any
        return isinstance(value, Mapping) and all(accepts(each, v) for v in value.values())
    plain = isinstance(kind, type) and not getattr(kind, "_is_protocol", False)
    return not plain or isinstance(value, kind)


def _is_list(value: Any, *, ordered: bool) -> bool:  # noqa: ANN401
    if isinstance(value, (*TEXT_TYPES, Mapping)) or getattr(value, "ndim", 1) == 0:
        return False
    return all(hasattr(value, name) for name in ("__iter__", *(["__getitem__"] if ordered else [])))


def _holds(inside: tuple[Any, ...], value: Any) -> bool:  # noqa: ANN401
    """Whether each element is of a type; what can be read only once is taken at its word."""
    if not inside or inside[0] in {Any, object} or not hasattr(value, "__len__"):
        return True
    return all(accepts(inside[0], v) for v in value)


def in_words(hint: Any) -> str:  # noqa: ANN401
    """Say what a type takes.

    >>> in_words(str | Sequence[str] | None)
    'text, a list of text or None'
    """
    if len(members(hint)) > 1 or get_origin(hint) is Annotated:
        each = list(dict.fromkeys(map(in_words, members(hint))))
        return listed(each, "or")
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Literal:
        return listed(map(repr, inside), "or")
    if origin is Callable:
        return "a function"
    if origin in MAPPING_TYPES:
        content = "" if inside[1:] in {(), (Any,), (object,)} else f" of {in_words(inside[1])}"
        return f"a dictionary{content}"
    if origin in LIST_TYPES:
        return f"a list of {in_words(inside[0])}"
    kind = origin or hint
    return TYPE_WORDS.get(kind, "anything" if kind is Any else getattr(kind, "__name__", str(kind)))


def in_json(hint: Any) -> Any:  # noqa: ANN401
    """Return what of a type can be sent as JSON; nothing of it is None.

    >>> in_json(str | Sequence[str | complex] | complex), in_json(complex)
    (str | list[str], None)
    """
    found = [_in_json(member) for member in members(hint)]
    kept = [member for member in found if member is not None]
    return reduce(or_, kept) if kept else None


def _in_json(hint: Any) -> Any:  # noqa: ANN401
    origin, inside = get_origin(hint), get_args(hint)
    if hint in JSON_TYPES or origin is Literal:
        return hint
    if hint is Any or hint is object:
        return str | float | bool | None
    if origin in LIST_TYPES or origin in MAPPING_TYPES:
        is_mapping = origin in MAPPING_TYPES
        each: Any = in_json(inside[-1 if is_mapping else 0])
        if each is None:
            return None
        return dict[str, each] if is_mapping else list[each]
    return None


def json_schema(hint: Any) -> dict[str, Any]:  # noqa: ANN401
    """Write a type that can be sent as JSON as a schema.

    >>> json_schema(list[str] | None)
    {'anyOf': [{'type': 'array', 'items': {'type': 'string'}}, {'type': 'null'}]}
    """
    if len(members(hint)) > 1:
        return {"anyOf": [json_schema(each) for each in members(hint)]}
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"type": "string", "enum": list(inside)}
    if origin is list:
        return {"type": "array", "items": json_schema(inside[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": json_schema(inside[1])}
    return {"type": JSON_TYPES[hint]}


@dataclass(frozen=True, slots=True)
class VerbArgument:
    """One argument of a public function: its type, its default and what the docstring says of it."""

    name: str
    hint: Any
    default: Any
    text: str

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is REQUIRED


def function_at(path: str) -> Callable[..., Any]:
    """Import a function by its place; a package that has the name of its verb stands for it.

    >>> function_at("credibly._core.signatures:function_at").__name__
    'function_at'
    """
    module, _, names = path.partition(":")
    found: Any = import_module(module)
    for name in names.split("."):
        found = getattr(found, name)
    return found.__wrapped__ if isinstance(found, ModuleType) else found


def arguments_of(function: Callable[..., Any]) -> dict[str, VerbArgument]:
    """Describe the arguments of a function, those of ``**columns: Unpack[...]`` by their own names.

    >>> def halve(number: float, *, times: int = 1):
    ...     '''Halve a number.
    ...
    ...     Parameters
    ...     ----------
    ...     number
    ...         What is halved.
    ...     times
    ...         How often,
    ...         one after the other.
    ...     '''
    >>> arguments_of(halve)["times"]
    VerbArgument(name='times', hint=<class 'int'>, default=1, text='How often, one after the other.')
    """
    texts, hints = texts_of(inspect.getdoc(function) or ""), hints_of(function)
    found = {}
    for name, p in inspect.signature(function).parameters.items():
        hint = hints.get(name, Any)
        if p.kind is p.VAR_KEYWORD:
            for key, each in keyword_hints(hint).items():
                shared = next(
                    (t for t in getattr(each, "__metadata__", ()) if isinstance(t, str)), ""
                )
                found[key] = VerbArgument(key, each, None, texts.get(key, shared))
        elif name != "self" and p.kind is not p.VAR_POSITIONAL:
            found[name] = VerbArgument(name, hint, p.default, texts.get(name, ""))
    return found


def texts_of(doc: str) -> dict[str, str]:
    r"""Return what the section of parameters says of each.

    >>> texts_of("Do it.\n\nParameters\n----------\na, b\n    Two\n    numbers.\n\n>>> 1\n1")
    {'a': 'Two numbers.', 'b': 'Two numbers.'}
    """
    section = PARAMETERS_SECTION.search(doc)
    return {
        name.strip().lstrip("*"): " ".join(text.split())
        for names, text in PARAMETER_ENTRY.findall(section[1] if section else "")
        for name in names.split(",")
    }


def in_plain_words(text: str, names: Mapping[str, str]) -> str:
    """Write what a docstring says for people who do not call Python, with their names of arguments.

    >>> in_plain_words('``"oob"`` needs ``rng``; see ``credibly list estimators``.', {"rng": "--rng"})
    'oob needs --rng; see `credibly list estimators`.'
    >>> in_plain_words('With ``by="fold"``.', {"by": "--by"})
    'With --by fold.'
    """

    def plain(found: re.Match[str]) -> str:
        if found[1]:
            return found[1]
        code = found[2]
        if code.startswith("credibly "):
            return f"`{code}`"
        name, sign, value = code.partition("=")
        if sign and name in names:
            return f"{names[name]} {value.strip(QUOTES)}"
        return names.get(code, code.strip('"') if code.startswith('"') else code)

    return MARKUP.sub(plain, text)
