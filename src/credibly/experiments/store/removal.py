"""Remove from the folder of an experiment what its plan no longer asks for."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import closing
from os import PathLike
from pathlib import Path
from typing import Any

from credibly._core.text import count
from credibly.errors import DataError
from credibly.experiments.store.schema import DATA_FOLDER, PREDICTIONS_FOLDER
from credibly.experiments.store.store import Store
from credibly.results.result import Result

# Cells of folders that did not keep the names of earlier plans.
UNKNOWN_NAMES = ("not known", "not known")


class Tidied(Result, eq=True):
    """What was removed, or would be: results of cells by dataset and scheme, files, bytes on the disk."""

    kinds: Mapping[tuple[str, str], int]
    files: int
    size: int
    dry_run: bool = False

    json_keys = "cells=removed files bytes=size rows"

    @property
    def removed(self) -> int:
        """Number of cells."""
        return sum(self.kinds.values())

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat dictionary for each dataset and scheme."""
        return [{"dataset": d, "scheme": s, "cells": n} for (d, s), n in self.kinds.items()]

    def heading(self) -> str:
        """Say it in one line."""
        verb = "Would remove" if self.dry_run else "Removed"
        return f"{verb} {count(self.removed, 'cell')} and {count(self.files, 'file')}, {self.size:,} bytes."


def collect(folder: str | PathLike[str], *, dry_run: bool = False) -> Tidied:
    """Forget cells that the plan in force does not ask for, and remove files that no cell needs.

    A ``dry_run`` says what that would be, and removes nothing.
    """
    with closing(Store(folder)) as store:  # raises where there is none, rather than making one
        if dry_run:
            return _tidied(store, dry_run=True)
    with Store.driving(folder) as store:
        return _tidied(store, dry_run=False)


def _tidied(store: Store, *, dry_run: bool) -> Tidied:
    known = store.datasets().items()
    unread = [name for name, facts in known if "rows" not in facts and facts["data"]]
    if unread:
        raise DataError(
            f"The results of {', '.join(unread)}, which cannot be used, would be lost. Fix the data and resume first."
        )
    wanted = {c.key for c in store.wanted()}
    old = [key for key in store.statuses() if key not in wanted]
    called = store.former()
    kinds = Counter(called.get(key, UNKNOWN_NAMES) for key in old)
    sizes = [f.stat().st_size for path in _leftover(store, set(old)) for f in _files(path)]
    removal = Tidied(dict(sorted(kinds.items())), len(sizes), sum(sizes), dry_run)
    if not dry_run:
        store.forget(old)
        sweep(store)
    return removal


def sweep(store: Store) -> None:
    """Remove files that no cell needs, such as those of a killed driver.

    Where the database is not what was written, it may not name all that is needed: they stay.
    """
    if store.state == "changed":
        return
    for path in _leftover(store):
        if path.is_file():
            path.unlink()
        else:
            shutil.rmtree(path)


def _leftover(store: Store, without: Collection[str] = ()) -> list[Path]:
    """Return files and folders that no cell needs, except for some cells."""
    needed = {PREDICTIONS_FOLDER: store.files(without), DATA_FOLDER: store.data(without)}
    return [
        p
        for f, names in needed.items()
        for p in (store.folder / f).iterdir()
        if p.name not in names
    ]


def _files(path: Path) -> list[Path]:
    return [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
