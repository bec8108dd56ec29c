"""The sets of predictions that a server keeps: a few, in memory, under names that cannot be guessed."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from credibly._core.errors import DataError, UnknownNameError
from credibly._core.results import json_ready

if TYPE_CHECKING:
    from pathlib import Path

    from credibly.app.reading import Opened
    from credibly.predictions import Predictions

MOST = 8


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
    scene: dict[str, Any] | None = None
    problem: str = ""

    @property
    def predictions(self) -> Predictions:
        """The predictions, or why there are none yet."""
        if self.opened.predictions is None:
            raise DataError(self.problem)
        return self.opened.predictions

    def to_dict(self, *, scene: bool = True) -> dict[str, Any]:
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
        return {**json_ready(told), **({"scene": self.scene} if scene else {})}  # type: ignore[dict-item]


@dataclass(slots=True)
class Shelf:
    """The sets by id, the oldest first; the oldest goes when there are too many."""

    most: int = MOST
    _kept: dict[str, Kept] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def add(self, kept: Kept) -> Kept:
        """Keep a set, in place of the one with the same id."""
        with self._lock:
            self._kept[kept.id] = kept
            while len(self._kept) > self.most:
                _discard(self._kept.pop(next(iter(self._kept))))
        return kept

    def __getitem__(self, key: str) -> Kept:
        with self._lock:
            if key in self._kept:
                return self._kept[key]
        msg = (
            f"There is no set of predictions {key[:40]!r}: it was replaced by newer ones, or belongs "
            "to an earlier start of the server. Open the file again."
        )
        raise UnknownSetError(msg)

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
