"""Doors: public functions that say which of their arguments is not what their signature says."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from numbers import Integral, Real
from os import PathLike
from types import NoneType, SimpleNamespace, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from credibly._core.errors import CrediblyError, ParameterError, shown

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

WORDS = {
    str: "text",
    float: "a number",
    int: "a whole number",
    bool: "True or False",
    PathLike: "a path",
    NoneType: "None",
    None: "None",
}
FOREIGN = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError)
TEXT = (str, bytes, bytearray)
LISTS = (list, tuple, Sequence, Iterable)


def door(function: Callable[P, R]) -> Callable[P, R]:
    """Say which argument the hints of the decorated function rule out, where one ended it.

    A wrong argument would else end in whatever error the first line raises that cannot use it. What a
    function says itself stands; errors that no argument explains are passed on.

    >>> @door
    ... def halve(number: float): return number / 2
    >>> halve("a lot")
    Traceback (most recent call last):
    ...
    credibly.errors.ParameterError: halve: number must be a number; got 'a lot'.
    """
    signature = inspect.signature(function)

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except CrediblyError:
            raise
        except FOREIGN as error:
            try:
                given = signature.bind(*args, **kwargs).arguments
            except TypeError:  # what Python says of arguments that are missing or too many stands
                raise error from None
            hints = hints_of(function)
            for name, value in given.items():
                if name in hints:
                    _check(function.__name__, signature.parameters[name], hints[name], value)
            raise

    return checked


def hints_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the types of the parameters; one that is known to type checkers alone takes everything."""
    where = getattr(inspect.unwrap(function), "__globals__", {})
    found: dict[str, Any] = {}
    for name, hint in function.__annotations__.items():
        told = SimpleNamespace(__annotations__={name: hint})
        try:
            found |= get_type_hints(told, where, include_extras=True)
        except NameError:
            found[name] = Any
    return {name: hint for name, hint in found.items() if name != "return"}


def checked_fields(cls: type[T]) -> type[T]:
    """Say which field the hints of a dataclass rule out, where one cannot be made."""
    init: Any = cls.__init__
    init.__name__ = cls.__name__  # for the sentence
    cls.__init__ = door(init)  # type: ignore[method-assign]
    return cls


def _check(owner: str, parameter: inspect.Parameter, hint: Any, value: Any) -> None:  # noqa: ANN401
    if parameter.kind is parameter.VAR_POSITIONAL:
        given = [(parameter.name, v) for v in value]
    elif parameter.kind is parameter.VAR_KEYWORD:
        given = list(value.items())
    else:
        given = [] if value is parameter.default else [(parameter.name, value)]
    for name, each in given:
        if not accepts(hint, each):
            raise ParameterError(
                f"{owner}: {name} must be {in_words(hint)}; got {shown(each)}.{_advice(hint, each)}"
            )


def accepts(hint: Any, value: Any) -> bool:  # noqa: ANN401
    """Whether a value is of a type; types that cannot be told at run time take everything.

    >>> accepts(float | None, 3), accepts(int, True), accepts(Sequence[str], "abc")
    (True, False, False)
    """
    origin, inside = get_origin(hint), get_args(hint)
    if hint is Any or hint is object:
        return True
    if origin is Annotated:
        return accepts(inside[0], value)
    if origin in {Union, UnionType}:
        return any(accepts(each, value) for each in inside)
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
    if kind in LISTS:
        return _is_list(value, ordered=kind is not Iterable) and _holds(inside, value)
    if kind is Mapping or kind is dict:
        each = inside[1] if inside else Any
        return isinstance(value, Mapping) and all(accepts(each, v) for v in value.values())
    plain = isinstance(kind, type) and not getattr(kind, "_is_protocol", False)
    return not plain or isinstance(value, kind)


def _is_list(value: Any, *, ordered: bool) -> bool:  # noqa: ANN401
    if isinstance(value, (*TEXT, Mapping)) or getattr(value, "ndim", 1) == 0:
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
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return in_words(inside[0])
    if origin in {Union, UnionType}:
        each = list(dict.fromkeys(map(in_words, inside)))
        return " or ".join(filter(None, [", ".join(each[:-1]), each[-1]]))
    if origin is Literal:
        return " or ".join(map(repr, inside))
    if origin is Callable:
        return "a function"
    if origin in {Mapping, dict}:
        return f"a dictionary of {in_words(inside[1])}"
    if origin in LISTS:
        return f"a list of {in_words(inside[0])}"
    kind = origin or hint
    return WORDS.get(kind, "anything" if kind is Any else getattr(kind, "__name__", str(kind)))


def _advice(hint: Any, value: object) -> str:  # noqa: ANN401
    """Return what the types that would have been right say to whoever has something else."""
    kinds = get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)
    told = [k.instead_of(value) for k in kinds if hasattr(k, "instead_of")]
    return "".join(f" {t}" for t in told)


def check_confidence(level: object) -> None:
    """Refuse a confidence level outside (0, 1).

    >>> check_confidence(95)
    Traceback (most recent call last):
    ...
    credibly.errors.ParameterError: confidence_level must lie between 0 and 1; got 95. Did you mean 0.95?
    """
    if isinstance(level, Real) and 0 < float(level) < 1:
        return
    raise ParameterError(
        f"confidence_level must lie between 0 and 1; got {shown(level)}.{_level_hint(level)}"
    )


def _level_hint(level: object) -> str:
    given = str(level) if isinstance(level, str | Real) else ""
    try:
        number = float(given.strip("% "))
    except ValueError:
        return ""
    number = number / 100 if 1 < number < 100 else number
    return f" Did you mean {number:g}?" if 0 < number < 1 else ""
