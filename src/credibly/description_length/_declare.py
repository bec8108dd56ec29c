"""How a coder is declared: one function that writes a fitted estimator as a message."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from credibly._core.errors import ParameterError
from credibly._core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from credibly.description_length.messages import Message
    from credibly.description_length.problem import Problem, Sent

    Write = Callable[[Any, Problem, Message], Sent]


@dataclass(frozen=True, slots=True, eq=False)
class Coder:
    """A way to describe theories of some kind so that they can be rebuilt from the message alone.

    Inputs, number of rows, classes and the kind of the theory are known on both sides and cost
    nothing.
    """

    name: str
    title: str
    describes: tuple[str, ...]
    write: Write = field(repr=False)
    cite: str
    doc: str = field(default="", repr=False)
    aliases: tuple[str, ...] = ()

    def __call__(self, model: Any, problem: Problem, message: Message) -> Sent:
        """Write the theory; return what the theory as sent says of each row."""
        return self.write(model, problem, message)


coders: Registry[Coder] = Registry("coder", "credibly.description_length")


def coder(
    title: str, *, describes: tuple[str | type, ...], cite: str, aliases: tuple[str, ...] = ()
) -> Callable[[Write], Coder]:
    """Declare the decorated function as the coder of fitted estimators of exactly these classes.

    It gets the estimator, the :class:`Problem` and a :class:`Message`. It writes to the message
    whatever the other side cannot know, and returns what the theory says of each row once its
    numbers are rounded as they were sent.
    """

    def declare(write: Write) -> Coder:
        paths = tuple(c if isinstance(c, str) else path_of(c) for c in describes)
        doc = inspect.getdoc(write) or ""
        return coders.add(Coder(write.__name__, title, paths, write, cite, doc, aliases))

    return declare


def path_of(of: type) -> str:
    """Return where a class is found by its users, without the private modules on the way.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> path_of(DecisionTreeClassifier)
    'sklearn.tree.DecisionTreeClassifier'
    """
    home = [part for part in of.__module__.split(".") if not part.startswith("_")]
    return ".".join([*home, of.__qualname__])


def coder_of(model: Any) -> Coder:
    """Find the coder by the exact class of an estimator; a subclass may do anything."""
    path = path_of(type(model))
    for each in coders:
        if path in each.describes:
            return each
    known = ", ".join(p.rpartition(".")[2] for each in coders for p in each.describes)
    raise ParameterError(
        f"There is no coder for {type(model).__name__}, so the length of its theory is unknown. "
        f"There are coders for {known}. code='prequential' needs none; a coder of your own is one "
        "function under credibly.description_length.coder."
    )


def check_choice(name: str, value: object, known: Iterable[object]) -> None:
    """Refuse an argument that is none of those known."""
    if value not in known:
        raise ParameterError(f"{name} must be {' or '.join(map(repr, known))}; got {value!r}.")
