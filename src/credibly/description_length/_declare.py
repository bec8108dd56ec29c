"""How a coder is declared: one function that writes a fitted estimator as a message."""

from __future__ import annotations

from typing import Any

from credibly._core.declared import Declarator, DeclaredFunction, Registry
from credibly.description_length.messages import Message
from credibly.description_length.problem import CodingProblem, Sent
from credibly.errors import ParameterError, says


class Coder(DeclaredFunction[[Any, CodingProblem, Message], Sent]):
    """A way to describe theories of some kind so that they can be rebuilt from the message alone.

    Inputs, number of rows, classes and the kind of the theory are known on both sides and cost
    nothing. The function gets a fitted estimator of exactly one of the classes that it ``describes``,
    the :class:`CodingProblem` and a :class:`Message`. It writes to the message whatever the other side
    cannot know, and returns what the theory says of each row once its numbers are rounded as they
    were sent.
    """

    describes: tuple[str | type, ...]
    cite: str

    def __post_init__(self) -> None:
        """Write classes as where they are found."""
        super().__post_init__()
        paths = (c if isinstance(c, str) else path_of(c) for c in self.describes)
        self._set(describes=tuple(paths))


coders: Registry[Coder] = Registry("coder", "credibly.description_length")
coder = Declarator(Coder, coders)


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
    known = ", ".join(str(p).rpartition(".")[2] for each in coders for p in each.describes)
    raise ParameterError(
        f"There is no coder for {type(model).__name__}, so the length of its theory is unknown. "
        f"Coders exist for {known}.",
        remedy=says(
            "<code='prequential'> needs none; a coder of your own is one function under "
            "credibly.description_length.coder."
        ),
    )
