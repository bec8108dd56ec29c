"""Names under which people look for a thing: stated where it is declared, told where such a name is used.

>>> class Box(Hinting):
...     @search_names({"savefig, write_image": ".save('box.png')"})
...     def save(self, path): ...
>>> Box().savefig
Traceback (most recent call last):
...
AttributeError: 'Box' object has no attribute 'savefig'. Use .save('box.png').
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from credibly._core.names import name_key
from credibly.errors import no_attribute

F = TypeVar("F", bound=Callable[..., Any])
ATTRIBUTE = "__search_names__"


def search_names(names: Mapping[str, str]) -> Callable[[F], F]:
    """State names, separated by commas, that a function or method is looked for by, and what to use instead."""

    def declare(function: F) -> F:
        told = {each.strip(): how for some, how in names.items() for each in some.split(",")}
        setattr(function, ATTRIBUTE, told)
        return function

    return declare


def search_names_of(thing: object) -> dict[str, str]:
    """Return the names that a function is looked for by, with what to use.

    >>> from credibly import evaluate
    >>> search_names_of(evaluate)["classification_report"]
    "evaluate(p, by='class')"
    """
    verb = getattr(thing, "__wrapped__", thing)  # of a package that has a verb of its name
    found: dict[str, str] = getattr(verb, ATTRIBUTE, {})
    return found


def what_to_use(name: str, things: Mapping[str, object]) -> str:
    """Return what to use where one of some functions is looked for by a name; nothing if none is."""
    key = name_key(name)
    for thing in things.values():
        for each, how in search_names_of(thing).items():
            if name_key(each) == key:
                return how
    return ""


@cache
def _of_class(kind: type) -> dict[str, object]:
    return {n: v for c in reversed(kind.__mro__) for n, v in vars(c).items() if search_names_of(v)}


def _written_otherwise(name: str, thing: object) -> str:
    """Return the attribute that is called so except for case and underscores."""
    key = name_key(name).replace("_", "")
    own = (n for n in dir(thing) if not n.startswith("_"))
    return next((f".{n}" for n in own if name_key(n).replace("_", "") == key), "")


class Hinting:
    """What says, of an attribute that it lacks, under which name it has it."""

    __slots__ = ()

    def _instead_of(self, name: str) -> str:  # noqa: ARG002
        """Return what to use instead of an attribute that the thing does not have."""
        return ""

    if not TYPE_CHECKING:  # to whom every attribute would be there

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401
            """Refuse an attribute; this is asked for those alone that are not there."""
            kind = type(self)
            how = ""
            if not name.startswith("_"):
                how = what_to_use(name, _of_class(kind)) or self._instead_of(name)
                how = how or _written_otherwise(name, self)
            msg = f"{kind.__name__!r} object has no attribute {name!r}"
            raise no_attribute(f"{msg}. Use {how}." if how else msg, name, self)
