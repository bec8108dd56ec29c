"""Pages of the reference about Python, one for each package, and about the command line, one for each group."""

from __future__ import annotations

import io
import os
import re
from collections import defaultdict
from contextlib import redirect_stdout
from dataclasses import fields, is_dataclass
from importlib import import_module
from inspect import cleandoc, isfunction
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from credibly_markup import heading, indented, inline, table

if TYPE_CHECKING:
    from collections.abc import Iterator

VERBS = ("run", "evaluate", "compare", "decide", "report")  # what everyone needs, in this order
LEAVE_OUT = (
    "set_fit_request, set_score_request",  # scikit-learn's own, which it documents itself
    "takes, missing, per_class",  # said once, at Summary
)
RESULTS = ("credibly._core.findings", "credibly.results")


# --- Python -----------------------------------------------------------------------------------


def packages() -> Iterator[Any]:
    """Yield the packages that say what is public in them, and such packages inside them, in order."""
    import credibly

    for found in iter_modules(credibly.__path__, "credibly."):
        package = import_module(found.name)
        if hasattr(package, "__all__"):
            yield package
            inner = iter_modules(package.__path__, f"{found.name}.")
            modules = [import_module(m.name) for m in inner if "._" not in m.name]
            yield from (m for m in modules if hasattr(m, "__all__"))


def public_things() -> dict[str, list[tuple[str, Any]]]:
    """Return by package what is to be documented, each thing once, by the shortest name that it has."""
    import credibly
    from credibly import errors

    short = set(credibly.__all__)
    places: dict[str, list[tuple[str, Any]]] = defaultdict(list)
    seen: set[int] = set()
    for package in packages():
        for name in package.__all__:
            thing = getattr(package, name)
            if (isinstance(thing, type) or isfunction(thing)) and id(thing) not in seen:
                seen.add(id(thing))
                path = f"credibly.{name}" if name in short else f"{package.__name__}.{name}"
                places[package.__name__.split(".")[1]].append((path, thing))
    for name, thing in vars(errors).items():
        if _is_error(thing):
            path = f"credibly.{name}" if name in short else f"credibly.errors.{name}"
            places["errors"].append((path, thing))
    told = {path for things in places.values() for path, _ in things}
    for name in sorted(n for n in short if f"credibly.{n}" not in told):
        thing = getattr(credibly, name)
        places[thing.__module__.split(".")[1]].append((f"credibly.{name}", thing))
    return dict(places)


def python_pages() -> dict[str, str]:
    """Return a page for each package, what is used by everyone first, and the page that lists them."""
    made = {}
    rows = []
    for package, things in sorted(public_things().items()):
        module = import_module(f"credibly.{package}")
        about = cleandoc(module.__doc__ or "").split("\n")[0]
        things.sort(key=lambda found: (found[0].count("."), isinstance(found[1], type)))
        names = ", ".join(_linked(path, thing) for path, thing in things if path.count(".") == 1)
        rows.append((f":doc:`{package} <python-{package}>`", inline(about), names))
        made[f"python-{package}.rst"] = "\n".join(
            [
                heading(f"credibly.{package}", "="),
                inline(about) + "\n",
                *(documented(path, thing) for path, thing in things),
            ]
        )
    made["python.rst"] = "\n".join(
        [
            heading("Python", "="),
            "Everything below ``credibly`` is imported when it is first used. Results are frozen: they "
            "are read, not changed.\n",
            verbs_table(),
            heading("By package", "-"),
            table(("package", "what it holds", "in ``credibly`` itself"), rows, widths="20 40 40"),
            ".. toctree::\n   :hidden:\n",
            *(f"   {name.removesuffix('.rst')}" for name in made),
            "",
        ]
    )
    return made


def verbs_table() -> str:
    """Write a table of the public functions: the verbs that everyone needs, then the others."""
    import credibly

    rest = [n for n in credibly.__all__ if n.islower() and n not in VERBS]
    rows = [
        (f":func:`credibly.{n}`", inline(cleandoc(getattr(credibly, n).__doc__).split("\n")[0]))
        for n in (*VERBS, *rest)
    ]
    return table(("verb", "what it does"), rows, widths="30 70")


def _linked(path: str, thing: object) -> str:
    return f":{'class' if isinstance(thing, type) else 'func'}:`~{path}`"


def _is_error(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, Exception)


def fields_of(cls: Any) -> str:
    rows = [(f"``{f.name}``", f"``{f.type}``") for f in fields(cls) if f.name != "cache"]
    return table(("field", "type"), rows)


def documented(path: str, thing: object) -> str:
    if not isinstance(thing, type):
        return f".. autofunction:: {path}\n"
    if _is_error(thing):
        return f".. autoexception:: {path}()\n   :show-inheritance:\n"
    # Made by Credibly, not by its users: the fields matter, not how to construct one.
    leave_out = LEAVE_OUT[:1] if thing.__name__ == "Summary" else LEAVE_OUT
    made = f".. autoclass:: {path}()\n   :members:\n   :exclude-members: {', '.join(leave_out)}\n"
    result = thing.__module__.startswith(RESULTS) and is_dataclass(thing)
    return made + ("\n" + indented(fields_of(thing)) + "\n" if result else "")


# --- the command line -------------------------------------------------------------------------


def command_line_pages() -> dict[str, str]:
    """Return what ``--help --all`` prints in 80 columns, on a page for each group of commands."""
    from credibly import cli

    app = cli.build()

    def help_of(tokens: list[str]) -> str:
        out = io.StringIO()
        with redirect_stdout(out), patch.dict(os.environ, COLUMNS="80"):
            cli.main([*tokens, "--help", "--all"])
        return out.getvalue().rstrip()

    groups: dict[str, list[str]] = defaultdict(list)
    for name in (name for name in app if not name.startswith("-")):
        groups[str(getattr(app[name].group[0], "name", app[name].group[0]))].append(name)
    made = {}
    for group in sorted(groups, key=lambda name: name != "Start with"):
        names, parts = groups[group], [heading(group, "=")]
        below = [(n, sub) for n in names for sub in app[n] if not sub.startswith("-")]
        for tokens in sorted([*((n,) for n in names), *below]):
            shown = indented(help_of(list(tokens)))
            title = heading(f"credibly {' '.join(tokens)}", "-")
            parts += [
                f".. _command-{'-'.join(tokens)}:\n",
                title,
                ".. code-block:: text\n",
                shown,
                "",
            ]
        made[f"command-line-{re.sub(r'[^a-z]+', '-', group.lower())}.rst"] = "\n".join(parts)
    made["command-line.rst"] = "\n".join(
        [
            heading("Command line", "="),
            "What ``credibly --help --all`` and ``credibly COMMAND --help --all`` print. The exit status is 0 when all "
            "went well, 1 when something is wrong with the data and 2 when something is wrong with the "
            "call.\n",
            ".. code-block:: text\n",
            indented(help_of([])),
            "\n.. toctree::\n   :maxdepth: 2\n",
            *(f"   {name.removesuffix('.rst')}" for name in made),
            "",
        ]
    )
    return made
