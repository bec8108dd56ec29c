"""The sets of predictions that a server keeps: a few, in memory, under names that cannot be guessed."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly.errors import DataError, UnknownNameError
from credibly.predictions import Predictions
from credibly.results.formats import json_ready

if TYPE_CHECKING:
    from credibly.app.uploads import Opened

MOST = 8
ROOM = 1_000_000_000  # bytes of all sets together
TEXT = 8  # times the bytes of a reference: what a short text takes


class UnknownSetError(UnknownNameError):
    """A set that is not kept, or no longer."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One set: what was opened, how it was asked to be read, and what the page shows of it."""

    id: str
    name: str
    path: Path
    ours: bool  # a file in our temporary folder, which goes with the set
    options: dict[str, Any]
    opened: Opened
    page_data: dict[str, Any] | None = None
    problem: str = ""

    @property
    def predictions(self) -> Predictions:
        """The predictions, or why there are none yet; what is computed from them goes with who asks."""
        p = self.opened.predictions
        if p is None:
            raise DataError(self.problem)
        return replace(p, cache=dict(p.cache))

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        p = self.opened.predictions
        columns = [] if p is None else [getattr(p, each.name) for each in fields(p)]
        arrays = [column for column in columns if isinstance(column, np.ndarray)]
        held = sum(a.nbytes * (TEXT if a.dtype.hasobject else 1) for a in arrays)
        return held + _characters(self.page_data)

    def to_dict(self, *, page_data: bool = True) -> dict[str, Any]:
        """Return what a client may know, which leaves out where the file is."""
        p = self.opened.predictions
        told: dict[str, Any] = {
            "id": self.id,
            "name": self.name,
            "rows": None if p is None else p.n,
            "columns": self.opened.columns,
            "roles": self.opened.roles,
            "options": self.options,
            "classes": self.opened.classes,
            "positive": None if p is None or p.positive is None else p.classes[p.positive],
            "findings": [] if p is None else [f.to_dict() for f in p.findings],
            "problem": self.problem or None,
        }
        return {**json_ready(told), **({"scene": self.page_data} if page_data else {})}  # type: ignore[dict-item]


@dataclass(slots=True)
class PredictionStore:
    """The sets by id, the oldest first; the oldest go when there are too many or they take too much."""

    most: int = MOST
    room: int = ROOM
    _kept: dict[str, Kept] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def add(self, kept: Kept) -> Kept:
        """Keep a set, in place of the one with the same id."""
        with self._lock:
            self._kept.pop(kept.id, None)
            self._kept[kept.id] = kept
            while len(self._kept) > 1 and self._full():
                _discard(self._kept.pop(next(iter(self._kept))))
        return kept

    def _full(self) -> bool:
        sizes = [kept.size for kept in self._kept.values()]
        return len(sizes) > self.most or sum(sizes) > self.room

    def __getitem__(self, key: str) -> Kept:
        with self._lock:
            if key in self._kept:
                return self._kept[key]
        raise UnknownSetError(
            f"There is no set of predictions {key[:40]!r}: it was replaced by newer ones, or the "
            "server was restarted. Open the file again."
        )

    def all(self) -> list[Kept]:
        """Return every set."""
        with self._lock:
            return list(self._kept.values())

    def forget(self, key: str) -> None:
        """Let go of a set and of the file it was uploaded as."""
        kept = self[key]
        with self._lock:
            self._kept.pop(key, None)
        _discard(kept)


def new_id() -> str:
    """Return a name that cannot be guessed."""
    return secrets.token_urlsafe(16)


def _discard(kept: Kept) -> None:
    if kept.ours:
        kept.path.unlink(missing_ok=True)


def _characters(told: object) -> int:
    """Return how long the texts of a page's data are together.

    >>> _characters({"score": {"type": "u1", "data": "AQID"}, "names": ["a", 1.0]})
    7
    """
    if isinstance(told, dict):
        return sum(map(_characters, told.values()))
    if isinstance(told, list):
        return sum(map(_characters, told))
    return len(told) if isinstance(told, str) else 0
