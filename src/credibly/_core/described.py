"""What all declared things with parameters share: arguments given in part, written and read as calls."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, Self

from credibly._core.parameters import check_arguments, read_parameters, write_call

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from credibly._core.parameters import Parameter, Rule


class Described(Protocol):
    """A declared thing: its name, its parameters, those that are set, and what it says of itself."""

    @property
    def name(self) -> str:
        """Key under which it is found."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What it can be given."""

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What it was given."""

    @property
    def doc(self) -> str:
        """Its description."""


class Declared:
    """Ways of a declared thing, for dataclasses that are one."""

    __slots__ = ()

    @property
    def call(self: Described) -> str:
        """Its name with the arguments that were given and can be written: ``fbeta(beta=2)``."""
        given = {k: v for k, v in self.arguments.items() if _is_literal(v)}
        return write_call(self.name, given)

    @property
    def summary(self: Described) -> str:
        """The first sentence of its description."""
        return self.doc.strip().split("\n")[0]

    def given(self, **arguments: object) -> Self:
        """Return the same with some of its parameters set."""
        entry: Any = self
        checked = check_arguments(entry.name, entry.parameters, arguments)
        made: Self = replace(entry, arguments={**entry.arguments, **checked})
        return made


def described_by(
    function: Callable[..., Any], where: Mapping[str, Rule] | None = None
) -> dict[str, Any]:
    """Return what a function says of the thing that it declares: name, parameters and description.

    >>> def halves(cases: int): "Divide by two."
    >>> described_by(halves)
    {'name': 'halves', 'parameters': (), 'doc': 'Divide by two.'}
    """
    return {
        "name": function.__name__,
        "parameters": read_parameters(function, where or {}),
        "doc": inspect.getdoc(function) or "",
    }


def _is_literal(value: object) -> bool:
    """Whether a call with this argument can be written down and read again."""
    if isinstance(value, tuple):
        return all(map(_is_literal, value))
    return value is None or isinstance(value, int | float | str)
