"""Doors: public functions that say which of their arguments is not what their signature says."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, partial, wraps
from numbers import Real
from os import PathLike
from pathlib import PurePath
from typing import Any, Literal, ParamSpec, TypeVar, cast, get_args, get_origin

from credibly._core.declared import Declared
from credibly._core.keywords import OF_ARRAYS, OTHER_KEYWORDS, own_keywords
from credibly._core.parameters import Rule, require, rule_of_choice
from credibly._core.signatures import accepts, hint_of, hints_of, in_words, keyword_hints, members
from credibly._core.text import shown
from credibly.errors import (
    ArgumentName,
    CrediblyError,
    ParameterError,
    UnknownArgumentError,
    listed,
    says,
)

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

MAX_NAMED = 5  # arguments that an error lists
FOREIGN_ERRORS = (
    TypeError,
    ValueError,
    AttributeError,
    LookupError,
    ArithmeticError,
    RecursionError,
)


def door(function: Callable[P, R]) -> Callable[P, R]:
    """Refuse what the signature of the decorated function rules out.

    A choice (``Literal``) and a confidence level are checked before the function begins. Any other wrong
    argument would end in whatever error the first line raises that cannot use it: then the hints say which
    one it was. Errors that a function raises itself are kept; errors that no argument explains are
    passed on. Keywords by which other libraries call an argument are taken for it
    (``credibly._core.keywords``).

    >>> @door
    ... def halve(number: float): return number / 2
    >>> halve("a lot")
    Traceback (most recent call last):
    ...
    credibly.errors.ParameterError: halve: number must be a number; got 'a lot'.
    >>> @door
    ... def rounded(number: float, to: Literal["next", "nearest"] = "next"): return round(number)
    >>> rounded(2.5, to="nearst")
    Traceback (most recent call last):
    ...
    credibly.errors.ParameterError: to must be one of 'next', 'nearest'; got 'nearst'. Did you mean nearest?
    """
    signature = inspect.signature(function)
    named = frozenset(signature.parameters)
    check = _checker(function)
    keywords = cache(lambda: _keywords(function, signature))

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        if not named.issuperset(kwargs):
            known = keywords()
            open_ended = any(
                q.kind is q.VAR_KEYWORD and not _typed(function, q)
                for q in signature.parameters.values()
            )
            made: Any = own_keywords(function.__name__, known, kwargs, open_ended=open_ended)
            kwargs = made
        for name, value in (*zip(signature.parameters, args, strict=False), *kwargs.items()):
            check(name, value)
        try:
            return function(*args, **kwargs)
        except CrediblyError:
            raise
        except FOREIGN_ERRORS as error:
            try:
                given = signature.bind(*args, **kwargs).arguments
            except TypeError:
                _refuse_first(function, signature, args)
                _refuse_twice(function, signature, args, kwargs)
                _refuse_places(function, signature, args)
                _refuse_missing(function, signature, args, kwargs)
                raise error from None
            hints = hints_of(function)
            for name, value in given.items():
                if name in hints:
                    _check(function, signature.parameters[name], hints[name], value)
            raise

    return checked


def in_order(first: Any, second: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Return what is judged before the name of what is made of it, whichever was given first.

    >>> in_order("roc", [1, 2]), in_order([1, 2], "roc")
    (([1, 2], 'roc'), ([1, 2], 'roc'))
    """
    named = isinstance(first, str | Declared) and not isinstance(second, str | Declared)
    return (second, first) if named else (first, second)


def checked_fields(cls: type[T]) -> type[T]:
    """Say which field the hints of a dataclass rule out, where one cannot be made."""
    init: Any = cls.__init__
    init.__name__ = cls.__name__  # for the sentence
    cls.__init__ = door(init)  # type: ignore[method-assign]
    return cls


def _refuse_first(
    function: Callable[..., Any], signature: inspect.Signature, args: tuple[Any, ...]
) -> None:
    """Say what the first argument must be, where it is wrong and others are too many because of it."""
    first = next(iter(signature.parameters.values()))
    if args and first.name in (hints := hints_of(function)):
        _check(function, first, hints[first.name], args[0])


def _refuse_twice(
    function: Callable[..., Any],
    signature: inspect.Signature,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> None:
    """Say which argument is given by place and by name."""
    placed = [*zip(signature.parameters, args, strict=False)]
    for name, value in placed:
        if name in kwargs:
            raise UnknownArgumentError(
                f"{function.__name__} got {name} twice: {shown(value)} by position, and {name}=.",
                remedy=f"It takes {listed([*signature.parameters][: len(placed)])} in this order.",
            )


def _refuse_places(
    function: Callable[..., Any], signature: inspect.Signature, args: tuple[Any, ...]
) -> None:
    """Say which arguments go by name, where more are given by place than a function takes."""
    parameters = [p for n, p in signature.parameters.items() if n not in {"self", "cls"}]
    given = len(args) - (len(signature.parameters) - len(parameters))
    placed = [p.name for p in parameters if p.kind in {p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD}]
    if given <= len(placed) or any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return
    rest = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    # What stands for one that is given by position already is not to be given as well.
    rest = [n for n in rest if not {*placed} & {*OTHER_KEYWORDS.get(n, "").split()}]
    example = ", ".join([*placed, *(f"{name}=..." for name in rest[: given - len(placed)])])
    raise UnknownArgumentError(
        f"{function.__name__} takes {listed(placed) if placed else 'nothing'} by position; got {given} arguments.",
        remedy=f"Save the result: {function.__name__}(...).save({str(args[-1])!r})."
        if isinstance(args[-1], str | PathLike) and PurePath(args[-1]).suffix
        else f"Name the others, such as {function.__name__}({example}); it takes {', '.join(rest[:MAX_NAMED])}.",
    )


def _refuse_missing(
    function: Callable[..., Any],
    signature: inspect.Signature,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> None:
    """Say which arguments are missing, and what the first of them is."""
    rest = [*signature.parameters.values()][len(args) :]
    variable = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    missing = [
        p.name
        for p in rest
        if p.default is p.empty and p.kind not in variable and p.name not in kwargs
    ]
    if missing:
        needed = [
            n
            for n, p in signature.parameters.items()
            if p.default is p.empty and p.kind not in variable and n not in {"self", "cls"}
        ]
        order = f"It takes {listed(needed)}, in this order. " if len(args) > 1 else ""
        asked = needed[0] if order else missing[0]
        raise UnknownArgumentError(
            f"{function.__name__} needs {listed(missing)}.",
            remedy=OF_ARRAYS.get(missing[0], order + _about(function, asked)),
        )


def _about(function: Callable[..., Any], name: str) -> str:
    """Say what an argument is, by the first sentence about it; nothing where none is."""
    from credibly._core.signatures import in_plain_words, texts_of

    about = in_plain_words(texts_of(inspect.getdoc(function) or "").get(name, ""), {})
    return f"{name}: {about.partition('. ')[0].rstrip('.')}." if about else ""


def _keywords(function: Callable[..., Any], signature: inspect.Signature) -> list[str]:
    """Return the names of what a function takes by keyword, in their order."""
    known: list[str] = []
    for name, q in signature.parameters.items():
        if q.kind is q.VAR_KEYWORD:
            known += _typed(function, q)
        elif q.kind is not q.VAR_POSITIONAL and name not in {"self", "cls"}:
            known.append(name)
    return known


def _typed(function: Callable[..., Any], q: inspect.Parameter) -> dict[str, Any]:
    return keyword_hints(hint_of(function, q.name))


def _check(
    function: Callable[..., Any],
    parameter: inspect.Parameter,
    hint: Any,  # noqa: ANN401
    value: Any,  # noqa: ANN401
) -> None:
    if parameter.kind is parameter.VAR_POSITIONAL:
        given = [(parameter.name, hint, v) for v in value]
    elif parameter.kind is parameter.VAR_KEYWORD:
        known = keyword_hints(hint)
        given = [(name, known.get(name, Any if known else hint), v) for name, v in value.items()]
    else:
        given = [] if value is parameter.default else [(parameter.name, hint, value)]
    for name, wanted, each in given:
        if not accepts(wanted, each):
            kinds = members(wanted)
            raise ParameterError(
                says(
                    "{owner}: {name} must be {wanted}; got {given}.",
                    owner=function.__name__,
                    name=ArgumentName(name),
                    wanted=in_words(wanted),
                    given=shown(each),
                ),
                asked=each,
                choices=[str(c) for k in kinds if get_origin(k) is Literal for c in get_args(k)],
                remedy=" ".join(k.instead_of(each) for k in kinds if hasattr(k, "instead_of"))
                or _about(function, name),
            )


def _checker(function: Callable[..., Any]) -> Callable[[str, Any], None]:
    """Return what refuses a value of an argument before a function begins."""
    rule_of = cache(partial(_choice, function))

    def check(name: str, value: object) -> None:
        if name == "confidence_level":
            check_confidence(value)
        elif (rule := rule_of(name)) is not None:
            require(name, value, rule)

    return check


def _choice(function: Callable[..., Any], name: str) -> Rule | None:
    """Return the rule of an argument that is a choice.

    Only a type that may be one is looked up: some types import what a small evaluation does without.
    """
    text = str(function.__annotations__.get(name, "")).removesuffix(" | None")
    maybe = text.isidentifier() or "Literal" in text
    return rule_of_choice(hint_of(function, name)) if maybe else None


def check_confidence(level: object) -> None:
    """Refuse a confidence level outside (0, 1).

    >>> check_confidence(95)
    Traceback (most recent call last):
    ...
    credibly.errors.ParameterError: confidence_level must lie between 0 and 1; got 95. Did you mean 0.95?
    """
    if isinstance(level, Real) and 0 < cast("float", level) < 1:
        return
    raise ParameterError(
        says(
            "<confidence_level> must lie between 0 and 1; got {level}.{hint}",
            level=shown(level),
            hint=_level_hint(level),
        )
    )


def _level_hint(level: object) -> str:
    given = str(level) if isinstance(level, str | Real) else ""
    try:
        number = float(given.strip("% "))
    except ValueError:
        return ""
    number = number / 100 if 1 < number < 100 else number
    return f" Did you mean {number:g}?" if 0 < number < 1 else ""
