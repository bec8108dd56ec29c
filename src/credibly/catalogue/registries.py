"""The registries by the names of their kinds."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from credibly._core.declared import Registry
from credibly._core.keywords import OTHER_KEYWORDS
from credibly._core.lazy import exported
from credibly.errors import UnknownNameError

ROOT = Path(__file__).parents[1]


def _homes() -> dict[str, str]:
    """Return the registries by name, with the package that exports each: measures first, then by name.

    Packages are read and not imported, since helps name the kinds. One that exports no registry keeps it
    to itself: nobody asks for a shortcut or a renderer by name.
    """
    found: dict[str, str] = {}
    for file in sorted(ROOT.glob("**/__init__.py")):
        package = ".".join(("credibly", *file.parent.relative_to(ROOT).parts))
        for name, home in exported(file.read_text("utf-8")).items():
            if name.endswith("s") and _is_registry(name, home):
                found.setdefault(name, package)
    return dict(sorted(found.items(), key=lambda kind: (kind[0] != "measures", kind[0])))


def _is_registry(name: str, home: str) -> bool:
    """Whether a module makes a registry of this name, which is the plural of its kind."""
    source = _source(home)
    kind = f'"{name[:-1].replace("_", " ")}"'
    return (
        kind in source and re.search(rf"^{name}\b.*\(\s*{kind}", source, re.MULTILINE) is not None
    )


@cache
def _source(module: str) -> str:
    file = ROOT.joinpath(*module.split(".")[1:]).with_suffix(".py")
    return file.read_text("utf-8") if file.exists() else ""


HOMES = _homes()
KINDS = ", ".join(sorted(name.replace("_", "-") for name in HOMES))


def is_kind(word: str) -> bool:
    """Whether a word names a kind, in the singular or the plural, also as other libraries call it."""
    return _plural(word) in HOMES


def _plural(kind: str) -> str:
    """Return the name of a kind, or of that which other libraries call so."""
    name = kind.replace("-", "_").replace(" ", "_")
    name = name if name.endswith("s") else f"{name}s"
    others = {k: OTHER_KEYWORDS.get(k, "").split() for k in HOMES} | {"comparisons": ["tests"]}
    here = [k for k, called in others.items() if {name, name[:-1]} & {*called}]
    return here[0] if here and name not in HOMES else name


def registry_of(kind: str) -> Registry[Any]:
    """Return the registry of a kind, in the singular or the plural."""
    plural = _plural(kind)
    if not is_kind(kind):
        raise UnknownNameError(
            f"There is no kind {kind!r} to list; kinds: {KINDS}.",
            asked=plural,
            choices=HOMES,
        )
    registry: Registry[Any] = getattr(import_module(HOMES[plural]), plural)
    return registry
