"""The command line: `credibly VERB ...`, the same verbs as in Python."""

from __future__ import annotations

import os
import sys
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from itertools import dropwhile
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cyclopts import App, Group

MAX_NAME_LETTERS = 200  # of a file name in a message
SUCCESS, DATA_ERROR, USAGE_ERROR, INTERRUPTED_CODE = 0, 1, 2, 130
# For reports to repeat.
TYPED_ARGUMENTS: ContextVar[tuple[str, ...]] = ContextVar("typed", default=())

HELP_OPTIONS = {"--help", "-h"}


def main(argv: list[str] | None = None) -> int:
    """Run a command and return its exit code: 0 fine, 1 something wrong with the data, 2 with the call.

    A command that judges, such as ``gate``, returns its own above these.
    """
    tokens = list(sys.argv[1:] if argv is None else argv)
    if tokens == ["--version"]:  # needs neither the commands nor what they import
        from credibly import __version__

        print(__version__)
        return SUCCESS
    from credibly.cli.surface import as_option
    from credibly.errors import surface

    TYPED_ARGUMENTS.set(tuple(tokens))
    debug = "--debug" in tokens
    # A lone dash is no option but the file that is piped in.
    tokens = ["/dev/stdin" if t == "-" else t for t in tokens if t != "--debug"]
    if tokens[:1] == ["help"]:
        tokens = [*tokens[1:], "--help"]
    app = build(tokens)
    known = cache(lambda: options_of(app, tokens))
    with surface(lambda argument: as_option(argument, known())):
        return _run(app, tokens, debug=debug)


def _run(app: App, tokens: list[str], *, debug: bool) -> int:
    from cyclopts import CycloptsError

    from credibly.cli.interruption import in_order, is_interruption
    from credibly.errors import CrediblyError, ParameterError

    try:
        with in_order():
            code = _called(app, tokens)
        sys.stdout.flush()
    except CycloptsError as error:
        from credibly.cli.surface import refusal

        complain(refusal(error))
        return USAGE_ERROR
    except CrediblyError as error:
        if debug:
            raise
        complain(str(error))
        return USAGE_ERROR if isinstance(error, ParameterError) else DATA_ERROR
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED_CODE
    except Exception as error:
        if debug:
            raise
        if is_interruption(error):
            complain("interrupted")
            return INTERRUPTED_CODE
        complain(_unforeseen(error))
        return DATA_ERROR
    else:
        return code if isinstance(code, int) else SUCCESS
    return SUCCESS


def _called(app: App, tokens: list[str]) -> object:
    chain, command = called_by(app, tokens)
    named = [t for t in tokens if t not in HELP_OPTIONS]
    if tokens and (named == tokens or (named and not chain and not named[0].startswith("-"))):
        return _answered(app, named)
    everything = "--all" in tokens
    if chain:
        from credibly.cli.help import print_help

        print_help(command, chain, everything=everything)
    else:
        from credibly.cli.overview import print_overview

        print_overview(app, everything=everything)
    return SUCCESS


def _answered(app: App, tokens: list[str]) -> object:
    """Run a command, whose options may go by the names that other libraries have, as in Python."""
    from cyclopts import UnknownOptionError

    try:
        return app(tokens, exit_on_error=False, print_error=False, result_action="return_value")
    except UnknownOptionError as error:
        from credibly.cli.surface import renamed

        if not (own := renamed(error, tokens)):
            raise
    return _answered(app, own)


def build(tokens: Sequence[str] | None = None) -> App:
    """Make the application out of the modules of `commands`, which import what they need when called.

    If tokens are given, only the command that they call has its options, which are read off the
    functions that it calls; others would cost the time of importing theirs.
    """
    from cyclopts import Parameter

    from credibly import __version__
    from credibly.cli import commands
    from credibly.cli.command_groups import LOOK_UP
    from credibly.cli.options import Command

    app = Command(
        name="credibly",
        help="Decide whether to believe a learned model.",
        version=__version__,
        suppress_keyboard_interrupt=False,  # it is for `main` to say so
        default_parameter=Parameter(
            json_list=False, json_dict=False
        ),  # files may be called [a].csv
    )
    for flag in ("--help", "--version"):  # below the commands
        app[flag].group = LOOK_UP
    names = {m.name.replace("_", "-"): m.name for m in iter_modules(commands.__path__)}
    words = None if tokens is None else list(dropwhile(lambda t: t.startswith("-"), tokens))
    asked = {n: m for n, m in names.items() if words and words[0] == n}
    for name, module in (asked or names).items():
        found = import_module(f"{commands.__name__}.{module}")
        under = getattr(found, "subcommands", dict)
        _add(app, name, found.command, under, words, group=found.GROUP)
    return app


def _add(
    app: App,
    name: str,
    function: Callable[..., int | None],
    subcommands: Callable[[], Mapping[str, Callable[..., int | None]]],
    words: list[str] | None,
    group: Group | None = None,
) -> None:
    """Add a command, and those under it, to an application: in full if the words call it."""
    from credibly.cli.options import Command, as_command

    if words is not None and words[:1] != [name]:
        text = (function.__doc__ or "").split("\n\n")[0]
        app.command(Command(name=name, help=text, group=group))
        return
    rest = None if words is None else words[1:]
    under = subcommands()
    if not under:
        app.command(as_command(function), name=name, help_epilogue="", group=group)
        return
    own = Command(name=name, help_epilogue="", group=group)
    for each, called in under.items():
        _add(own, each, called, dict, rest)
    if not rest or rest[0] not in under:
        own.default(as_command(function))
    app.command(own)


def typed() -> str:
    """Return the command that is running, as it was typed."""
    from shlex import join

    return join(["credibly", *TYPED_ARGUMENTS.get()])


def called_by(app: App, tokens: Sequence[str]) -> tuple[list[str], App]:
    """Return the names of the command that tokens call, which may be one below another, and the command."""
    chain: list[str] = []
    for token in tokens:
        if token.startswith("-") or token not in app:
            break
        chain.append(token)
        app = app[token]
    return chain, app


def options_of(app: App, tokens: Sequence[str]) -> frozenset[str]:
    """Return the names of the options, with dashes, of the command that the tokens call."""
    _, called = called_by(app, tokens)
    arguments = called.assemble_argument_collection() if called is not app else ()
    return frozenset(name for argument in arguments for name in argument.names)


def _unforeseen(error: Exception) -> str:
    """Say what the system refuses, and of which file; the rest is a fault of ours."""
    if not isinstance(error, OSError):
        return f"unexpected {type(error).__name__}: {error}. Run the command again with --debug and report what it prints."
    why = error.strerror or str(error)
    if error.filename is None:  # of files, the name is known; what is left has no room
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return f"the output cannot be written: {why}."
    name = str(error.filename)
    shown = name if len(name) <= MAX_NAME_LETTERS else f"{name[:MAX_NAME_LETTERS]}..."
    return f"{shown} cannot be read or written: {why}."


def complain(message: str) -> None:
    """Print an error where errors belong."""
    from credibly.cli.terminal import print_text

    print_text(f"credibly: {message}", sys.stderr)
