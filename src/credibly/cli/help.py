"""The help of a command on one screen: what it does, examples, the options that most people need, the names of the rest."""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, Literal, get_args, get_origin

from cyclopts import App
from cyclopts.argument import Argument

from credibly._core.grouping import grouped
from credibly._core.layout import folded, terminal_width, within
from credibly._core.signatures import members
from credibly.cli.options import COLUMNS, DATA, LATE_PLACE
from credibly.errors import listed

SCREEN_LINES = 40
MAX_EXAMPLES = 3  # that are shown on it
SHORT_CHOICES = 20  # letters of choices that stand beside the name of their option
# how soon what only this command takes is described, beside the second option of each group
DEFAULT_PLACE = 1
CLAUSE_END = re.compile(r"; |\. (?=[A-Z])")  # the end of the first clause
TYPE_NAMES: dict[Any, str] = {str: "TEXT", int: "N", float: "NUMBER", Path: "FILE"}


def print_help(app: App, called: Sequence[str], *, everything: bool) -> None:
    """Print what a command is for and what it takes: on one screen, unless everything is asked for."""
    found = app.assemble_argument_collection() if app.default_command else ()
    arguments = [a for a in found if a.name != "*"]  # a group, of which each stands for itself
    options = [a for a in arguments if not _is_word(a)]
    ranked = sorted(options, key=lambda a: (not a.required, _need(app, a)))
    page = list(_page(app, called, arguments))
    for left in range(len(ranked) + 1):
        if everything or len(page) <= SCREEN_LINES:
            break
        page = list(_page(app, called, arguments, ranked[len(ranked) - left :], brief=True))
    print("\n".join(page))


def _page(
    app: App,
    called: Sequence[str],
    arguments: Sequence[Argument],
    named: Sequence[Argument] = (),
    *,
    brief: bool = False,
) -> Iterator[str]:
    """Yield the lines of a help; of some options only the names, and in brief only what is needed first."""
    width = terminal_width()
    commands = {name: app[name] for name in sorted(app) if not name.startswith("-")}
    name = " ".join(("credibly", *called))
    for start, usage in zip(("Usage:", "      "), _usages(arguments, commands), strict=False):
        yield from folded(f"{start} {name} {usage}".rstrip(), width)
    yield ""
    text = (app.help or "").partition("\n\nParameters\n")[0]
    yield from flowing(_in_brief(text) if brief else text, width).rstrip().split("\n")
    rows = {"Commands": [[n, (c.help or "").partition("\n\n")[0]] for n, c in commands.items()]}
    for title, group in grouped((_title(a), a) for a in _in_order(arguments)).items():
        rows[title] = [[_spelled(a), _told(a, brief=brief)] for a in group if a not in named]
    for title, each in rows.items():
        if each:
            yield ""
            yield from folded(title, width)
            yield from rows_text(each).split("\n")
    if named:
        yield ""
        known = [a.name for a in arguments if a in named and _need(app, a) < LATE_PLACE]
        others = len(named) - len(known)
        text = listed([*known, *([f"{others} others"] if others else [])])
        yield from folded(f"More: {text}; see `{name} --help --all`.", width)


def _need(app: App, argument: Argument) -> int:
    """Return how soon something is described."""
    needs: dict[str, int] = getattr(app.default_command, "need", {})
    return needs.get(argument.field_info.name, DEFAULT_PLACE)


def rows_text(rows: Iterable[Sequence[str]]) -> str:
    """Write what is typed, and what it is for beside it."""
    return within(terminal_width())(["", ""], [[f"  {typed}", said] for typed, said in rows])


def _in_order(arguments: Sequence[Argument]) -> list[Argument]:
    """Put what is typed without a name first, and the other groups in their order."""
    return sorted(arguments, key=lambda a: (0,) if _is_word(a) else (1, _group(a).sort_key or ()))


def _usages(arguments: Sequence[Argument], commands: Collection[str]) -> Iterator[str]:
    """Yield how a command is called, with one of its commands or without."""
    words = [(_spelled(a), a.required) for a in arguments if _is_word(a)]
    if commands:
        yield "COMMAND ..."
    if not commands or any(required for _, required in words):
        needed = [f"{a.name} {_value(a)}" for a in arguments if not _is_word(a) and a.required]
        options = [] if all(map(_is_word, arguments)) else ["[OPTIONS]"]
        yield " ".join((*(w if must else f"[{w}]" for w, must in words), *needed, *options))


def _is_word(argument: Argument) -> bool:
    """Whether it is typed without its name."""
    return argument.index is not None


def _group(argument: Argument) -> Any:  # noqa: ANN401
    """Return the heading that it stands under; another group may only check what is given together."""
    return argument.parameter.group[0]  # type: ignore[index]


def _title(argument: Argument) -> str:
    named = _group(argument).name
    return "Arguments" if _is_word(argument) else "Options" if named == "Parameters" else named


def _spelled(argument: Argument) -> str:
    """Write how something is typed: ``FILE``, ``OTHERS...``, ``--rng N``."""
    if _is_word(argument):
        many = argument.field_info.kind is inspect.Parameter.VAR_POSITIONAL or _is_list(argument)
        return argument.name.lstrip("-").replace("-", "_").upper() + ("..." if many else "")
    return f"{', '.join(argument.names)} {_value(argument)}".rstrip()


def _is_list(argument: Argument) -> bool:
    return any(get_origin(kind) in {list, tuple} for kind in members(argument.hint))


def _choices(argument: Argument) -> list[str]:
    return [str(c) for m in members(argument.hint) if get_origin(m) is Literal for c in get_args(m)]


def _value(argument: Argument) -> str:
    """Write what stands after the name of an option."""
    if choices := _choices(argument):
        shown = "|".join(choices)
        return shown if len(shown) <= SHORT_CHOICES else "CHOICE"
    kinds = [kind for kind in members(argument.hint) if kind not in {bool, type(None)}]
    if kinds == [str] and _group(argument) in {COLUMNS, DATA}:
        return "COLUMN"
    return "|".join(
        " ".join(TYPE_NAMES[k] for k in get_args(kind))
        if get_origin(kind) in {list, tuple}
        else TYPE_NAMES[kind]
        for kind in kinds
    )


def _told(argument: Argument, *, brief: bool) -> str:
    """Say what an option is for, and its default."""
    text = argument.parameter.help or ""
    if brief:
        text = CLAUSE_END.split(text)[0].removesuffix(".") + "."
    choices = _choices(argument)
    if len("|".join(choices)) > SHORT_CHOICES:
        text += f" Choices: {', '.join(choices)}."
    default = _shown_default(argument.field_info.default)
    return f"{text} [default: {default}]" if default else text


def _shown_default(default: object) -> str:
    """Write a default as it is typed; what leaves an option out is not worth a word."""
    if isinstance(default, list | tuple):
        return ",".join(map(str, default))
    is_unset = default is None or default is False or default is inspect.Parameter.empty
    return "" if is_unset else str(default)


def _in_brief(text: str) -> str:
    """Keep what a command does, and the first calls; what else is indented, such as a plan, stands whole."""
    first, *others = text.split("\n\n")
    lines = "\n\n".join((first, *(part for part in others if "\n  " in part))).split("\n")
    calls = [line for line in lines if line.startswith("  credibly ")]
    return "\n".join(line for line in lines if line not in calls[MAX_EXAMPLES:])


def flowing(text: str, width: int) -> str:
    r"""Join the lines of paragraphs, which fold where a terminal ends; examples are folded below themselves.

    >>> print(flowing("One\nsentence.\n\nFor instance:\n  credibly run data.csv --seed 1", 24))
    One sentence.
    <BLANKLINE>
    For instance:
      credibly run data.csv
          --seed 1
    """
    lines: list[str] = []
    for line in text.split("\n"):
        if (
            line.startswith(" ")
            or not line
            or not lines
            or not lines[-1]
            or lines[-1].startswith(" ")
        ):
            lines.append(line)
        else:
            lines[-1] += f" {line}"
    return "\n".join(part for line in lines for part in _wrapped(line, width))


def _wrapped(line: str, width: int) -> Iterable[str]:
    indent = len(line) - len(line.lstrip())
    below = " " * (indent + 4 if indent else 0)
    return wrap(
        line, width, subsequent_indent=below, break_on_hyphens=False, break_long_words=False
    ) or [""]
