"""What tests keep by hand for each declared thing, and what they say where something new is missing."""

from __future__ import annotations

import doctest
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FORGIVEN = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS  # as where pytest runs them


def example_runs(entry: Any, shows: str = "", **names: Any) -> None:
    """The docstring of a declared thing shows how it is used, and what is printed below is what comes."""
    test = doctest.DocTestParser().get_doctest(entry.doc, names, entry.name, None, None)
    assert any(shows in e.source for e in test.examples), (
        f"Show in the docstring of {entry.name} how it is used, behind >>>, "
        f"by {shows or entry.name!r} and the names {sorted(names)}."
    )
    said: list[str] = []
    doctest.DocTestRunner(optionflags=FORGIVEN).run(test, out=said.append)
    assert not said, "".join(said)


class ByHand(dict[Any, Any]):
    """A table by the name of a declared thing; ``advice`` says what to add for a name, and where."""

    def __init__(self, advice: str, entries: Mapping[Any, Any]) -> None:
        super().__init__(entries)
        self.advice = advice

    def __missing__(self, name: object) -> Any:
        pytest.fail(self.advice.format(name=getattr(name, "__name__", name)))

    def check_complete(self, names: Iterable[object]) -> None:
        """Fail where a thing is missing, or where one is left over."""
        wanted = list(names)
        missing = [self.advice.format(name=n) for n in wanted if n not in self]
        left = [
            f"Nothing is called {n} any more: remove it there." for n in self if n not in wanted
        ]
        if missing or left:
            pytest.fail("\n".join([*missing, *left]))
