"""How sentences name arguments on the command line: as options."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import import_module
from pkgutil import iter_modules
from shlex import quote
from typing import TYPE_CHECKING

from credibly._core.keywords import OTHER_KEYWORDS, in_place_of
from credibly.errors import (
    Argument,
    ArgumentName,
    OneModel,
    VerbName,
    did_you_mean,
    in_python,
    listed,
    says,
)

if TYPE_CHECKING:
    from cyclopts import CycloptsError, UnknownOptionError
    from cyclopts.argument import Argument as Typed

MIN_SHARED_START = 3  # letters at least that a command and what was typed for it share,
MIN_TYPO_LIKENESS = 0.85  # of a word that is a command with a slip of the hand
MAX_DIFFERENT_END = 2  # and those at the end in which they may differ
OUTCOME_COSTS = {"tp", "fp", "fn", "tn"}
NUMBER_WORDS = {float: "a number", int: "a whole number"}
OTHER_NAMES = {"sample_weight": "weight"}  # of arguments that arrays and columns of files go by


def as_option(argument: Argument, known: Collection[str]) -> str:
    """Write an argument as an option if the running command has it, else as Python does; one that a
    sentence names beside what it says is then said to be Python's.

    >>> from credibly.errors import Argument
    >>> known = {"--by", "--weight-kind", "--independent"}
    >>> as_option(Argument("weight_kind", "frequency"), known), as_option(Argument("by", ["a", "b"]), known)
    ('--weight-kind frequency', '--by a,b')
    >>> as_option(Argument("independent", True), known), as_option(Argument("base", "tree"), known)
    ('--independent', "base='tree'")
    >>> as_option(Argument("features"), known)
    'features= in Python'

    What outcomes cost and what classes cost are two options:

    >>> as_option(Argument("costs", {"fn": 5, "fp": 1}), {"--cost"})
    '--cost fn=5 --cost fp=1'
    >>> as_option(Argument("costs", {"a": {"b": 1}, "b": {"a": 5}}), {"--cost"})
    '--cost-matrix FILE'
    """
    if isinstance(argument, VerbName):
        return f"credibly {argument.name.removeprefix('read_').replace('_', '-')}"
    if argument.name == "costs" and "--cost" in known:
        return _as_costs(argument.value)
    if isinstance(argument, OneModel) and "--only-model" in known:
        return f"--only-model {quote(str(argument.value))}"
    name = f"--{OTHER_NAMES.get(argument.name, argument.name).replace('_', '-')}"
    value = argument.value
    if name not in known:
        apart = " in Python" if value is None and not isinstance(argument, ArgumentName) else ""
        return in_python(argument) + apart
    if value is False:
        return f"{name}=false"
    if isinstance(value, list | tuple):
        value = ",".join(map(str, value))
    shown = "" if value is None or value is True or value is ... else quote(str(value))
    return f"{name} {shown}".rstrip()


def _as_costs(value: object) -> str:
    if not isinstance(value, Mapping):
        return "--cost OUTCOME=AMOUNT or --cost-matrix FILE"
    if any(isinstance(cost, Mapping) for cost in value.values()):
        return "--cost-matrix FILE"
    return " ".join(f"--cost {outcome}={cost}" for outcome, cost in value.items())


def refusal(error: CycloptsError) -> str:
    """Write what is wrong with the call; an argument that was left out is called missing."""
    from cyclopts import (
        ArgumentOrderError,
        CoercionError,
        MissingArgumentError,
        RepeatArgumentError,
        UnknownCommandError,
        UnknownOptionError,
        UnusedCliTokensError,
    )

    if isinstance(error, UnknownCommandError) and not error.command_chain:
        word = (error.unused_tokens or [""])[0]
        how = _misspelt(word) or _commands_for(word) or _commands_like(word)
        return f"Unknown command: {word}. {how}See `credibly --help`."
    called = " ".join(("credibly", *(error.command_chain or ())))
    if isinstance(error, UnknownOptionError):
        how = _instead(error) or _kind_first(error) or f"See `{called} --help --all`."
        return f"Unknown option: {_typed_option(error)}. {how}"
    if isinstance(error, UnusedCliTokensError):
        return (
            f"`{called}` does not take {listed(error.unused_tokens or [])}. See `{called} --help`."
        )
    typed = error.argument
    if isinstance(error, CoercionError) and typed is not None and error.target_type in NUMBER_WORDS:
        got = "" if error.token is None else f"; got {error.token.value!r}"
        return f"{_missing(typed)} takes {NUMBER_WORDS[error.target_type]}{got}."
    if isinstance(error, ArgumentOrderError):
        before = error.prior_positional_or_keyword_supplied_as_keyword_arguments
        options = listed(str(each.tokens[0].keyword) for each in before)
        return f"Write what {options} says in its place, without the option. See `{called} --help`."
    if isinstance(error, RepeatArgumentError):
        option = error.token.keyword
        return f"{option} was given more than once. Where it takes several values, separate them with commas: {option} A,B."
    if type(error) is not MissingArgumentError or typed is None:
        return str(error)
    what = f"a value of {error.keyword}" if error.keyword else _missing(typed)
    about = (typed.parameter.help or "").rstrip(".")
    return f"Missing {what}: {about}. See `{called} --help`."


def _command_names() -> list[str]:
    from credibly.cli import commands

    return [m.name.replace("_", "-") for m in iter_modules(commands.__path__)]


def _misspelt(word: str) -> str:
    """Offer the command that a word nearly spells, before anything is loaded that has other names."""
    from difflib import get_close_matches

    alike = [name for name in _command_names() if name[:1] == word[:1]]
    near = get_close_matches(word, alike, 1, MIN_TYPO_LIKENESS)
    return f"Did you mean {near[0]}? " if near else ""


def _commands_for(name: str) -> str:
    """Say how things that go by the name of a command that is none are asked for, or all of a kind."""
    from credibly.catalogue.registries import HOMES, is_kind, registry_of

    if is_kind(name):
        return f"Use `credibly list {registry_of(name).kind}s` for their names. "
    known = [r for r in map(registry_of, HOMES) if r.typed and name in r]
    known = [r for r in known if r[name].name == name] or known
    texts = [f"`{r.command(name)}` for the {r.kind} {r[name].name}" for r in known]
    return f"Use {listed(texts, 'or')}. " if texts else ""


def _commands_like(word: str) -> str:
    """Offer the commands that begin like a word, that other libraries call so, or that it nearly spells."""
    from credibly.catalogue.functions import functions_called

    names = _command_names()
    alike = [
        n
        for n in names
        if n.startswith(word[: max(MIN_SHARED_START, len(word) - MAX_DIFFERENT_END)])
    ]
    elsewhere = [f.name.replace("_", "-") for f in functions_called(word)]
    if found := alike or [n for n in elsewhere if n in names]:
        return f"Did you mean {listed(found, 'or')}? "
    if word in {"help", "version"}:
        return f"Use `credibly --{word}`. "
    near = did_you_mean(word, names).strip()
    return f"{near} " if near else f"Try `credibly search {word}`. "


def renamed(error: UnknownOptionError, tokens: list[str]) -> list[str]:
    """Return what was typed with the one option of the command that another library calls so; else nothing."""
    typed, known = _typed_option(error), _own_options(error)
    places = [i for i, t in enumerate(tokens) if t.partition("=")[0] == typed]
    if len(known) != 1 or len(places) != 1 or known[0] in {t.partition("=")[0] for t in tokens}:
        return []
    (i,) = places
    return [*tokens[:i], known[0] + tokens[i].removeprefix(typed), *tokens[i + 1 :]]


def _typed_option(error: UnknownOptionError) -> str:
    return (error.token.keyword or error.token.value).partition("=")[0]


def _own_options(error: UnknownOptionError) -> list[str]:
    """Return the options of the command that go by this name elsewhere."""
    word = _typed_option(error).lstrip("-").replace("-", "_")
    known = [name for argument in error.argument_collection for name in argument.names]
    own = {n for n, others in OTHER_KEYWORDS.items() if word in others.split()}
    return [n for n in known if n.lstrip("-").replace("-", "_") in own]


def _instead(error: UnknownOptionError) -> str:
    """Say which options of the command serve for one that other libraries have, or for an outcome."""
    word = _typed_option(error).lstrip("-").replace("-", "_")
    if found := _own_options(error):
        return f"Use {listed(found, 'or')}."
    known = [name for argument in error.argument_collection for name in argument.names]
    if word in OUTCOME_COSTS and "--cost" in known:
        return f"Use --cost {word}=AMOUNT."
    how = str(says(in_place_of(word, [n.lstrip("-").replace("-", "_") for n in known])))
    return how or did_you_mean(_typed_option(error), known).strip()


def _kind_first(error: UnknownOptionError) -> str:
    """Name the kinds of a command that takes one before its options."""
    if len(chain := error.command_chain or ()) != 1:
        return ""
    module = import_module(f"credibly.cli.commands.{chain[0].replace('-', '_')}")
    kinds = [*getattr(module, "subcommands", dict)()]
    return f"Name one of these first: {listed(kinds, 'or')}." if kinds else ""


def _missing(typed: Typed) -> str:
    """Write what is typed in its place as the usage does, and an option with its short name."""
    if typed.field_info.is_positional:
        return typed.name.lstrip("-").replace("-", "_").upper()
    name, *short = typed.names
    return f"{name} ({', '.join(short)})" if short else name
