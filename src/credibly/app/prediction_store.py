"""The sets of predictions that a server keeps: a few, in memory, under names that cannot be guessed."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.text import count
from credibly.app.preview import MAX_COUNTED_VALUES
from credibly.app.surface import on_page, without_folders
from credibly.app.upload_folder import discard_upload
from credibly.case_scores.tables import table_kinds
from credibly.errors import DataError, UnknownNameError, surface
from credibly.evaluation import estimators
from credibly.io import bundled_costs
from credibly.io.bundled import DEMO_FOLDER
from credibly.io.roles import PREDICTION_ROLES
from credibly.predictions import Predictions
from credibly.results.formats import json_ready

if TYPE_CHECKING:
    from credibly.app.uploads import Opened
    from credibly.case_scores._declare import Evidence

CONFIDENCE_LEVELS = (0.8, 0.9, 0.95, 0.99)
# Ways to sum up folds that a reader may ask for.
OFFERED_ESTIMATES = ("fold_mean", "pooled", "repeat_mean")
# Roles of columns that rows show as they were read, under other names.
READ_ROLES = ("truth", "models", "row", "model", "baseline", "n_train", *PREDICTION_ROLES)
MAX_SETS = 8
MAX_REMEMBERED = 200
MAX_BYTES = 1_000_000_000  # of all sets together
TEXT_SIZE_FACTOR = 8  # times the bytes of a reference: what a short text takes


class UnknownSetError(UnknownNameError):
    """A set that is not kept, or no longer."""


@dataclass(frozen=True, slots=True)
class MadeBy:
    """What makes a set of the user's data: commands, and Python."""

    shell: tuple[str, ...]
    python: str


@dataclass(frozen=True, slots=True)
class Kept:
    """One set: what was opened, how it was asked to be read, and what the page shows of it."""

    id: str
    name: str
    path: Path
    ours: bool  # a file in our temporary folder, which goes with the set
    options: dict[str, Any]
    opened: Opened
    joined: Mapping[str, Kept] = field(default_factory=dict)  # by model, where several were joined
    made_by: MadeBy | None = None  # where no file of theirs holds it

    @property
    def problem(self) -> str:
        """Why there are no predictions yet, as the page says it."""
        with surface(on_page):
            folder = self.path.absolute().parent
            return without_folders(str(self.opened.problem), {folder})

    @property
    def predictions(self) -> Predictions:
        """The predictions, or why there are none yet; what is computed from them goes with who asks."""
        p = self.opened.predictions
        if p is None:
            raise DataError(self.opened.problem)
        return replace(p, cache=dict(p.cache))

    @property
    def is_own(self) -> bool:
        """Whether these are predictions in one file of the user."""
        is_ours = self.path.parent == DEMO_FOLDER
        return self.opened.predictions is not None and not self.joined and not is_ours

    @property
    def beside(self) -> tuple[str, ...]:
        """The columns of the file that have no role, which can be sliced by."""
        return self._without(self.opened.roles)

    @property
    def with_rows(self) -> tuple[str, ...]:
        """The columns of the file that are shown with the rows: all but those that are shown as they were read."""
        return self._without(READ_ROLES)

    def _without(self, roles: Iterable[str]) -> tuple[str, ...]:
        p = self.opened.predictions
        used = {column for role in roles for column in self.opened.roles.get(role, ())}
        return () if p is None else tuple(name for name in p.columns if name not in used)

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        p = self.opened.predictions
        columns = [] if p is None else [getattr(p, each.name) for each in fields(p)]
        arrays = [column for column in columns if isinstance(column, np.ndarray)]
        return sum(a.nbytes * (TEXT_SIZE_FACTOR if a.dtype.hasobject else 1) for a in arrays)

    def to_dict(self) -> dict[str, Any]:
        """Return what a client may know, which leaves out where the file is."""
        p = self.opened.predictions
        told: dict[str, Any] = {
            "id": self.id,
            "name": self.name,
            "rows": None if p is None else p.n,
            "columns": self.opened.columns,
            "roles": self.opened.roles,
            "options": self.options,
            "suggested": self.opened.suggested,
            "files": [each.name for each in self.joined.values()],
            "classes": self.opened.classes,
            "positive": None if p is None or p.positive is None else p.classes[p.positive],
            "findings": [] if p is None else [f.to_dict() for f in p.findings],
            "problem": self.problem or None,
            "waits": bool(self.opened.part and not self.joined),
            "levels": CONFIDENCE_LEVELS,
            "kind": self.opened.kind,
            "kinds": {k.name: {"title": k.title, "roles": k.roles} for k in table_kinds},
            **_scored(self.opened.evidence),
            **described(p),
            "case_columns": self.beside,
        }
        start = bundled_costs(self.path)
        told["start"] = {} if start is None else {"costs": start}
        return json_ready(told)


@dataclass(slots=True)
class PredictionStore:
    """The sets by id; those not used for longest go when there are too many or they take too much."""

    most: int = MAX_SETS
    room: int = MAX_BYTES
    _kept: dict[str, Kept] = field(default_factory=dict)
    _gone: dict[str, str] = field(default_factory=dict)  # the names of those that made room
    _lock: Lock = field(default_factory=Lock)

    def add(self, kept: Kept) -> Kept:
        """Keep a set, in place of the one with the same id."""
        with self._lock:
            self._kept.pop(kept.id, None)
            self._kept[kept.id] = kept
            while len(self._kept) > 1 and self._full():
                self._discard_oldest()
        return kept

    def _discard_oldest(self) -> None:
        kept = self._kept.pop(next(iter(self._kept)))
        self._gone[kept.id] = kept.name
        while len(self._gone) > MAX_REMEMBERED:
            del self._gone[next(iter(self._gone))]
        _discard(kept)

    def _full(self) -> bool:
        sizes = [kept.size for kept in self._kept.values()]
        return len(sizes) > self.most or sum(sizes) > self.room

    def __getitem__(self, key: str) -> Kept:
        with self._lock:
            if key in self._kept:
                self._kept[key] = self._kept.pop(key)  # what was used last goes last
                return self._kept[key]
        if key in self._gone:
            raise UnknownSetError(
                f"{self._gone[key]} was closed to make room for newer files. Open it again."
            )
        raise UnknownSetError(
            f"There is no set of predictions {key[:40]!r}: it was closed, or the server was "
            "restarted. Open the file again."
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
        discard_upload(kept.path)


def _scored(evidence: Evidence | None) -> dict[str, Any]:
    """Return the scores that cases can be judged by, and whether there is more to see of their kind."""
    if evidence is None:
        return {"scores": [], "details": False}
    scores = [
        {"call": s.call, "name": s.name, "title": s.title, "numbers": s.numbers}
        for s in evidence.defined()
    ]
    return {"scores": scores, "details": next(evidence.details(), None) is not None}


def described(p: Predictions | None) -> dict[str, Any]:
    """Return what decides which screens can be shown of predictions.

    >>> made = described(Predictions.of([1, 0, 1], score=[0.9, 0.2, 0.5]))
    >>> made["task"], made["models"], made["provides"], made["about"], made["spread"]
    ('classification', ['model'], ('score',), '3 cases', '1: 2, 0: 1')
    """
    if p is None:
        return {"task": None, "models": [], "provides": [], "estimates": [], "cases": "", "about": "", "spread": "", "unlabelled": 0, "fingerprint": None}  # fmt: skip
    models = [str(m) for m in p.model_names] or ["model"]
    several = [f"{len(models)} models"] if len(models) > 1 else []
    ways = [
        (e.name, e.title) for e in estimators if e.name in OFFERED_ESTIMATES and e.needs(p) is None
    ]
    return {
        "task": p.task,
        "models": models,
        "provides": p.provides,
        "estimates": [("auto", "the usual estimate"), *ways] if len(ways) > 1 else [],
        "cases": (cases := _sized(p, len(models))),
        "about": ", ".join([cases, *several]),
        "spread": _spread(p, len(models)),
        "unlabelled": _unlabelled(p),
        "fingerprint": p.fingerprint,
    }


def _spread(p: Predictions, models: int) -> str:
    """Say how many of the cases that are judged each class has."""
    if p.task != "classification":
        return ""
    if len(p.classes) > MAX_COUNTED_VALUES:
        return f"{len(p.classes):,} classes"
    counts = np.bincount(p.truth[p.truth >= 0], minlength=len(p.classes)) // models
    order = np.argsort(-counts, kind="stable")
    return ", ".join(f"{p.classes[i]}: {counts[i]:,}" for i in order)


def _unlabelled(p: Predictions) -> int:
    """Count the rows whose truth is unknown."""
    if p.task == "outcome":
        return 0
    return int((np.isnan(p.truth) if p.task == "numeric" else p.truth < 0).sum())


def _sized(p: Predictions, models: int) -> str:
    """Say how many cases there are, and what they weigh if that is something else."""
    text = count(p.n // models, "case")
    if p.given_kind != "importance":
        return text
    return f"{text} that weigh {p.weights.sum() / models:,.6g} together"
