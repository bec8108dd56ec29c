"""What a public function says of its arguments: command line, page and reference are made from it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Unpack, get_args, get_origin

from credibly._core.hints import hints_of

REQUIRED = inspect.Parameter.empty
PARAMETERS_SECTION = re.compile(
    r"^Parameters\n-+\n(.*?)(?:\n(?=\S[^\n]*\n-+\n)|\n(?=>>> )|\Z)", re.S | re.M
)
PARAMETER_ENTRY = re.compile(r"^(\S.*)\n((?:[ ].*(?:\n|\Z)|\n)*)", re.M)
QUOTES = "\"'"
MARKUP = re.compile(r":\w+:`~?(?:[\w.]+\.)?(\w+)`|``([^`]+)``")


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
    """Import a function by its place.

    >>> function_at("credibly._core.verbs:function_at").__name__
    'function_at'
    """
    module, _, names = path.partition(":")
    found: Any = import_module(module)
    for name in names.split("."):
        found = getattr(found, name)
    return found


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
        if p.kind is p.VAR_KEYWORD and get_origin(hint) is Unpack:
            for key, each in inspect.get_annotations(get_args(hint)[0], eval_str=True).items():
                found[key] = VerbArgument(key, each, None, texts.get(key, ""))
        elif name != "self" and p.kind not in {p.VAR_KEYWORD, p.VAR_POSITIONAL}:
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
