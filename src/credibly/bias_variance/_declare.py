"""How a decomposition is declared: once, with the loss that its parts add up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.declared import Declarator, Parametrised, ReadingRegistry
from credibly._core.text import lower_first
from credibly.bias_variance.tables import Values, Votes
from credibly.errors import ParameterError

Takes = Literal["label", "number", "probability", "probabilities"]
TABLE_KINDS = {"label": "labels", "number": "numbers"}  # all others are of probabilities
NOISE = "noise"
SUM_ROUNDING = 1e-9  # how far rounding may take the sum of the parts from the loss, relative to it


class Part(NamedTuple):
    """A part of a loss; one with the sign 0 stands beside the sum."""

    title: str
    sign: int = 1
    range: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The loss of each case and what it is made of.

    >>> from credibly.bias_variance import Votes, decompositions
    >>> parts = decompositions["webb"](Votes.of([["a", "a", "b", "a"]], ["b"]))
    >>> parts.loss.tolist(), parts["bias"].tolist(), parts["variance"].tolist()
    ([0.75], [0.75], [0.0])
    """

    loss: Floats
    values: Mapping[str, Floats]

    def __getitem__(self, name: str) -> Floats:
        return self.values[name]


class Decomposition(Parametrised[..., tuple["Floats", ...]]):
    """A way to take the expected loss of a case apart: its function returns the parts in their order.

    A part called ``noise`` is left out where the truth is known from observations alone, and is then
    held by the first of the others.

    ``takes`` says what of the predictions it looks at: labels, numbers, the probability of the positive
    one of two classes, or the probabilities of all classes.
    """

    loss: str
    takes: Takes
    parts: Mapping[str, Part]
    cite: str
    loss_range: tuple[float, float] = (0.0, 1.0)

    @property
    def identity(self) -> str:
        """What its parts add up to, in words; nothing where they do not."""
        terms = [
            f"{'-' if p.sign < 0 else '+'} {lower_first(p.title)}"
            for p in self.parts.values()
            if p.sign
        ]
        return f"{self.loss} = {' '.join(terms).removeprefix('+ ')}" if terms else ""

    @property
    def beside(self) -> tuple[str, ...]:
        """The parts that are shown beside the sum."""
        return tuple(name for name, p in self.parts.items() if not p.sign)

    def facts(self) -> dict[str, Any]:
        """Return what people ask of it, by name."""
        return {
            "loss": self.loss,
            "identity": self.identity or "its parts do not add up",
            "parts": [name.replace("_", " ") for name in self.parts],
        }

    def __call__(self, table: Votes | Values) -> Parts:
        """Take the loss of each case apart; what does not add up is refused."""
        read = self._read(table)
        values = self.function(read, **self.arguments)
        parts = Parts(read.loss, dict(zip(self.parts, values, strict=True)))
        total = sum(self.parts[name].sign * value for name, value in parts.values.items())
        gap = np.abs(total - parts.loss) > SUM_ROUNDING * np.maximum(1, parts.loss)
        if self.identity and gap.any():
            raise ParameterError(
                f"The parts of {self.name} do not add up to the loss in {int(gap.sum())} cases: check its formula and signs."
            )
        return parts

    def _read(self, table: Votes | Values) -> Votes | Values:
        """Return the kind of table that the formula is about; labels become -1 and +1 for numbers."""
        if self.takes == "number" and isinstance(table, Votes):
            return table.signs()
        wanted = Votes if self.takes == "label" else Values
        if not isinstance(table, wanted):
            raise ParameterError(
                f"{self.name} is about a table of {TABLE_KINDS.get(self.takes, 'probabilities')} ({wanted.__name__}); got {type(table).__name__}."
            )
        return table


decompositions: ReadingRegistry[Decomposition] = ReadingRegistry(
    "decomposition", "credibly.bias_variance"
)
decomposition = Declarator(Decomposition, decompositions)
