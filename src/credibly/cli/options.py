"""Options that are read off the signatures and docstrings of public functions."""

from __future__ import annotations

import csv
import inspect
import re
from collections.abc import Callable, Mapping
from copy import copy
from functools import cache
from pathlib import Path
from types import NoneType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Self,
    Union,
    get_args,
    get_origin,
)

from cyclopts import App, ArgumentCollection, Group, Parameter

from credibly._core.signatures import (
    LIST_TYPES,
    VerbArgument,
    arguments_of,
    function_at,
    in_plain_words,
    members,
    texts_of,
)

# In the order in which a help shows them.
COLUMNS = Group.create_ordered("Columns of the file (guessed if their names are clear)")
DATA = Group.create_ordered("Columns of the data; all others are inputs")
HOW = Group.create_ordered("How to train and resample")
WHAT = Group.create_ordered("What to report")
COSTS = Group.create_ordered("What mistakes cost")
OUTPUT = Group.create_ordered("Output")
WHERE = Group.create_ordered("Very many predictions, or predictions in a database")
PLAIN_TYPES = (str, int, float, bool, Path)
SENTENCE_END = re.compile(r"(?<=\.)\s+(?=[A-Z`:])")  # the first one is the help
LATE_PLACE = 100  # the place from which on options are described that few people need
SEVERAL_HELP = "Separate several with commas."

OUTPUT_OPTION = Parameter(name=["--output", "-o"], group=OUTPUT)  # the file that a command writes


class Option(NamedTuple):
    """An argument of a function as an option: what cyclopts takes, and what becomes of what it reads."""

    parameter: inspect.Parameter
    read: Callable[[Any], Any] | None


class Options(dict[str, Any]):
    """What was given of the options of a public function, by the names of its arguments.

    A subclass names the function, and states what differs on the command line. What was not given is
    not held, so that the options can be passed on as they are.
    """

    verb: ClassVar[str]
    takes: ClassVar[str] = ""  # arguments, separated by spaces; if none are named, all others than
    leave_out: ClassVar[str | None] = None  # by default the first, which the command reads itself
    words: ClassVar[str] = ""  # arguments that are typed without their names, in this order
    group: ClassVar[Group] = WHAT
    elsewhere: ClassVar[Mapping[str, Group]] = {}  # arguments that stand in another group
    # Of options that are not called as their arguments are.
    names: ClassVar[Mapping[str, str]] = {"n_jobs": "jobs", "measures": "measure"}
    says: ClassVar[Mapping[str, str]] = {}  # help that differs from what the docstring says
    defaults: ClassVar[Mapping[str, Any]] = {}
    reads: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}  # what becomes of a text
    # arguments that a help describes before others, in this order
    first: ClassVar[str | None] = None

    @classmethod
    def described(cls) -> list[Option]:
        """Return the options, made from the arguments of the function."""
        found = arguments_of(function_at(cls.verb))
        first = "" if cls.words else next(iter(found), "")
        aside = (first if cls.leave_out is None else cls.leave_out).split()
        taken = cls.takes.split() or [n for n in found if n not in aside]
        taken.sort(key=lambda name: name not in cls.words.split())
        spelled = {name: option_name(cls.names.get(name, name)) for name in taken}
        return [cls._option(found[name], spelled) for name in taken]

    @classmethod
    def _option(cls, argument: VerbArgument, spelled: Mapping[str, str]) -> Option:
        name = argument.name
        kind, read = option_type(argument.hint)
        told = SENTENCE_END.split(argument.text)[0] + (
            f" {SEVERAL_HELP}" if read in SPLITTING_CONVERTERS else ""
        )
        if name in cls.reads:
            read = cls.reads[name]
            kind = list[str] if read is calls else str
        default = cls.defaults.get(name, argument.default)
        default = None if default == () else default
        help_text = in_plain_words(cls.says.get(name, told), spelled)
        group = cls.elsewhere.get(name, cls.group)
        about = Parameter(name=spelled[name], group=group, negative=(), help=help_text)
        form, is_word = inspect.Parameter, name in cls.words.split()
        about = Parameter(help=help_text) if is_word else about
        hint: Any = kind if default is not None else kind | None
        place = form.POSITIONAL_OR_KEYWORD if is_word else form.KEYWORD_ONLY
        parameter = inspect.Parameter(name, place, default=default)
        return Option(parameter.replace(annotation=Annotated[hint, about]), read)

    @classmethod
    def need(cls, options: list[Option]) -> dict[str, int]:
        """Return how soon a help describes each option: as they stand, or others behind the first."""
        names = [each.parameter.name for each in options]
        first = names if cls.first is None else cls.first.split()
        return {n: first.index(n) if n in first else LATE_PLACE + i for i, n in enumerate(names)}

    @classmethod
    def taken_from(cls, flat: dict[str, Any], options: list[Option]) -> Self:
        """Take these options out of those of a command, and read their texts."""
        made = cls()
        for parameter, read in options:
            value = flat.pop(parameter.name, cls.defaults.get(parameter.name))
            if read is not None and isinstance(value, str | list):
                value = read(value)
            if value is not None:
                made[parameter.name] = value
        return made


class Command(App):
    """A command whose options are read off its function once: to do so takes longer than most commands."""

    known: ClassVar[dict[object, ArgumentCollection]] = {}

    def assemble_argument_collection(self, **how: Any) -> ArgumentCollection:  # noqa: ANN401
        """Return the options without what was typed."""
        key = (self.default_command, *how.items())
        if key not in self.known:
            self.known[key] = super().assemble_argument_collection(**how)
        fresh = self.known[key].copy()
        fresh[:] = map(copy, fresh)
        copies = dict(zip(map(id, self.known[key]), fresh, strict=True))
        for argument in fresh:
            argument.tokens = []
            argument.children = argument.children.copy()
            argument.children[:] = [copies[id(child)] for child in argument.children]
        return fresh


@cache
def as_command(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Return a function as cyclopts takes it: each `Options` among its parameters becomes options.

    What else it takes has the help that its own docstring states; beside options it stands among what
    to report or, if it is a file, in the output. Of one whose options hold words, these are all that
    is typed without a name.
    """
    texts = texts_of(inspect.getdoc(function) or "")
    groups: dict[str, tuple[type[Options], list[Option]]] = {}
    parameters: list[inspect.Parameter] = []
    need: dict[str, int] = {}
    taken = inspect.signature(function, eval_str=True).parameters.values()
    beside = any(_is_options(p) for p in taken)
    for p in taken:
        if _is_options(p):
            options = p.annotation.described()
            groups[p.name] = p.annotation, options
            parameters += [each.parameter for each in options]
            need |= p.annotation.need(options)
        else:
            parameters.append(p.replace(annotation=_described(p, texts.get(p.name, ""), beside)))

    words = [n for kind, _ in groups.values() for n in kind.words.split()]

    def command(*given: object, **flat: Any) -> int | None:  # noqa: ANN401
        if words:
            given, flat = (), flat | dict(zip(words, given, strict=False))
        if (picture := getattr(flat.get("output"), "picture", None)) is not None:
            from credibly.results.figure import format_of

            format_of(
                picture
            )  # a file that cannot be written is reported before anything is computed
        taken = {name: kind.taken_from(flat, options) for name, (kind, options) in groups.items()}
        return function(*given, **taken, **flat)

    command.__doc__ = inspect.getdoc(function)
    command.__name__ = function.__name__
    command.__module__ = function.__module__
    parameters.sort(key=lambda p: p.kind)
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.need = need  # type: ignore[attr-defined]
    return command


def _is_options(p: inspect.Parameter) -> bool:
    return isinstance(p.annotation, type) and issubclass(p.annotation, Options)


def _described(p: inspect.Parameter, text: str, beside: bool) -> Any:  # noqa: ANN401, FBT001
    """Give a parameter of a command the help that its docstring has and, beside options, a group."""
    if not text:
        return p.annotation
    about = Parameter(negative=(), help=in_plain_words(text, {}))
    if beside and p.kind is p.KEYWORD_ONLY and get_origin(p.annotation) is not Annotated:
        group = OUTPUT if Path in members(p.annotation) else WHAT
        return Annotated[p.annotation, Parameter(group=group), about]
    return Annotated[p.annotation, about]


def option_name(name: str) -> str:
    """Spell the name of an argument as an option."""
    return f"--{name.replace('_', '-')}"


def option_type(hint: Any) -> tuple[Any, Callable[[Any], Any] | None]:  # noqa: ANN401
    """Return what is typed for an argument, and what becomes of the text.

    >>> from collections.abc import Sequence
    >>> option_type(float | None), option_type(str | Sequence[str])[1].__name__
    ((<class 'float'>, None), 'one_or_many')
    """
    kinds = [m for m in members(hint) if m is not NoneType]
    lists = [m for m in kinds if get_origin(m) in LIST_TYPES]
    if lists and get_origin(lists[0]) is tuple and ... not in get_args(lists[0]):
        return lists[0], None  # so many words
    if lists == [list[str]]:  # one that is given again and again
        return list[str], None
    if lists:
        inside = members(get_args(lists[0])[0])
        if all(m in {int, float} for m in inside):
            return str, numbers
        if not all(m in PLAIN_TYPES or m is Any for m in inside):  # names that may have arguments
            return list[str], calls
        return str, one_or_many if str in kinds else many
    plain = [m for m in kinds if m in PLAIN_TYPES or get_origin(m) is Literal]
    return (Union[tuple(plain)] if plain else str), None  # noqa: UP007


def many(text: str | None) -> list[str] | None:
    """Split a list at its commas; a name that has one itself stands in double quotes.

    >>> many("a, b"), many('"a, b",c'), many(None)
    (['a', 'b'], ['a, b', 'c'], None)
    """
    if text is None:
        return None
    parts = next(csv.reader([text], skipinitialspace=True), [])
    return [part.strip() for part in parts if part.strip()]


def numbers(text: str | None) -> list[int | float | str] | None:
    """Read numbers with commas between; anything else stays as it is, for the function to refuse.

    >>> numbers("0.1, 1.0, 50, all")
    [0.1, 1.0, 50, 'all']
    """
    return None if text is None else [_number(part) for part in many(text) or ()]


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def one_or_many(text: str) -> str | list[str] | None:
    """Split a list at its commas; one name stays a text.

    >>> one_or_many("a"), one_or_many("a,b"), one_or_many('"a,b"')
    ('a', ['a', 'b'], 'a,b')
    """
    if text and "," not in text:
        return text
    found = many(text)
    return found[0] if found and len(found) == 1 and text.startswith('"') else found


def calls(texts: list[str] | None) -> list[str] | None:
    """Split lists at the commas outside brackets.

    >>> calls(["auc, fbeta(beta=2)", "kappa"]), calls(None)
    (['auc', 'fbeta(beta=2)', 'kappa'], None)
    """
    from credibly._core.parameters import split_calls

    return [call for text in texts or () for call in split_calls(text)] or None


SPLITTING_CONVERTERS = {many, numbers, one_or_many, calls}
