"""How the cases behind predictions hang together: declared by a resampling, read by all that judges them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from credibly.errors import DataError

Repeats = Literal["resampled", "retrained", "independent", "asked_again"]


@dataclass(frozen=True, slots=True)
class Design:
    """How cases hang together, as far as it is known; nothing is known of columns from elsewhere.

    ``repeats`` says what one repeat has to do with the next: the same cases are split again
    (``"resampled"``), the same cases are judged after learning from a training set of its own
    (``"retrained"``), each is a data set of its own (``"independent"``), or the same model is asked the
    same cases again (``"asked_again"``: the epochs of outcomes). ``in_time`` says that
    training parts are older than what they are tested on, and that rows stand in the order of time.
    ``counted`` says that rows are the cells of a table of counts, whose cases have no order and no names.

    >>> Design(repeats="independent").independent, Design().independent
    (True, False)
    >>> Design.merged([Design(in_time=True), Design(repeats="independent")])
    Design(repeats='resampled', in_time=True, counted=False)
    """

    repeats: Repeats = "resampled"
    in_time: bool = False
    counted: bool = False

    def __post_init__(self) -> None:
        if self.repeats not in get_args(Repeats):
            raise DataError(
                f"repeats must be one of {', '.join(get_args(Repeats))}; got {self.repeats!r}.",
                asked=self.repeats,
                choices=get_args(Repeats),
            )

    @property
    def independent(self) -> bool:
        """Whether each repeat is a data set of its own."""
        return self.repeats == "independent"

    @property
    def fits(self) -> tuple[str, ...]:
        """The columns that distinguish the fitted models of a resampling."""
        return ("fold",) if self.repeats == "asked_again" else ("repeat", "fold")

    @classmethod
    def promised(cls, promises: Iterable[str]) -> Design:
        """Return what follows from the promises of a resampling."""
        made = set(promises)
        return cls("independent" if "independent" in made else "resampled", "respects_time" in made)

    @classmethod
    def merged(cls, designs: Iterable[Design]) -> Design:
        """Return what holds of rows of several designs: what one of them cannot vouch for, none can."""
        known = list(designs)
        repeats = {d.repeats for d in known}
        return cls(
            repeats.pop() if len(repeats) == 1 else "resampled",
            any(d.in_time for d in known),
            any(d.counted for d in known),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return every field by name."""
        return asdict(self)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any] | None) -> Design:
        """Read what :meth:`to_dict` returns; nothing is known of what was saved without it."""
        return cls(**(given or {}))


UNKNOWN = Design()
