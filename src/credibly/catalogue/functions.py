"""Public functions, which are found and shown as entries are."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from inspect import getdoc, isfunction, unwrap
from typing import Any

from credibly._core.names import name_key
from credibly._core.search_names import search_names_of
from credibly.catalogue.registries import HOMES

FUNCTION_KIND = "function"


@dataclass(frozen=True, slots=True)
class Function:
    """A public function by the name under which it is called."""

    name: str
    doc: str
    aliases: tuple[str, ...] = ()


def functions() -> list[Function]:
    """Return the public functions, then those of the packages that hold them or what has a name."""
    found = _public("credibly")
    homes = [f.__module__ for f in found] + list(HOMES.values())
    for package in dict.fromkeys(".".join(home.split(".")[:2]) for home in homes):
        found |= {f: name for f, name in _public(package).items() if f not in found}
    return [Function(name, getdoc(f) or "", tuple(search_names_of(f))) for f, name in found.items()]


def functions_called(name: str) -> list[Function]:
    """Return the functions of a name, with or without their package.

    >>> [f.name for f in functions_called("learning-curve")]
    ['running.learning_curve']
    """
    key = name_key(name)
    known = functions()
    own = [f for f in known if key in {name_key(f.name), last_word(f.name)}]
    return own or [f for f in known if key in map(name_key, f.aliases)]


def last_word(name: str) -> str:
    """Return the key of a function's name without its package."""
    return name_key(name.rpartition(".")[2])


def _public(package: str) -> dict[Any, str]:
    module = import_module(package)
    inside = package.partition(".")[2]
    named = {n: unwrap(getattr(module, n)) for n in getattr(module, "__all__", ())}
    return {f: f"{inside}.{n}" if inside else n for n, f in named.items() if isfunction(f)}
