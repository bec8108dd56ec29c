"""How the cases behind predictions hang together: declared by a resampling, read by all that judges them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from credibly._core.errors import DataError
from credibly.predictions.labels import distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from credibly.predictions import Predictions

Repeats = Literal["resampled", "retrained", "independent"]
BLOCKS = 5  # of cases in the order of time


@dataclass(frozen=True, slots=True)
class Design:
    """How cases hang together, as far as it is known; nothing is known of columns from elsewhere.

    ``repeats`` says what one repeat has to do with the next: the same cases are split anew
    (``"resampled"``), the same cases are judged after learning from a training set of its own
    (``"retrained"``), or each is a data set of its own (``"independent"``). ``in_time`` says that
    training parts are older than what they are tested on, and that rows stand in the order of time.

    >>> Design(repeats="independent").independent, Design().independent
    (True, False)
    >>> Design.merged([Design(in_time=True), Design(repeats="independent")])
    Design(repeats='resampled', in_time=True)
    """

    repeats: Repeats = "resampled"
    in_time: bool = False

    def __post_init__(self) -> None:
        if self.repeats not in get_args(Repeats):
            raise DataError(
                f"repeats must be one of {', '.join(get_args(Repeats))}; got {self.repeats!r}."
            )

    @property
    def independent(self) -> bool:
        """Whether each repeat is a data set of its own."""
        return self.repeats == "independent"

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
            repeats.pop() if len(repeats) == 1 else "resampled", any(d.in_time for d in known)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return every field by name."""
        return asdict(self)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any] | None) -> Design:
        """Read what :meth:`to_dict` returns; nothing is known of what was saved without it."""
        return cls(**(given or {}))


UNKNOWN = Design()


def time_blocks(p: Predictions) -> NDArray[np.intp]:
    """Return the block of each case where cases follow one another in time.

    They are cut into five stretches of equal size: what happens in one has little to do with the next
    if they are long. (In simulations more and shorter stretches hold the truth far too rarely where
    neighbours are much alike.) Stretches that share a group are one block.

    >>> from credibly import Predictions
    >>> p = Predictions.of([1] * 10, label=[1] * 10, fold=[1] * 5 + [0] * 5)
    >>> time_blocks(p).tolist()
    [2, 3, 3, 4, 4, 0, 0, 1, 1, 2]
    """
    fold = np.zeros(p.n, np.intp) if p.fold is None else distinct(p.fold).codes
    block = np.empty(p.n, np.intp)
    block[np.argsort(fold, kind="stable")] = np.arange(p.n) * BLOCKS // max(p.n, 1)
    return block if p.group is None else _joined(block, distinct(p.group).codes)


def _joined(block: NDArray[np.intp], group: NDArray[Any]) -> NDArray[np.intp]:
    """Make one of the blocks that share a group, and of all that these share groups with."""
    shares = np.zeros((int(group.max()) + 1, BLOCKS), bool)
    shares[group, block] = True
    linked = shares.T @ shares  # blocks with a group in common
    for _ in range(BLOCKS):
        linked = linked @ linked
    return linked.argmax(axis=1)[block]
