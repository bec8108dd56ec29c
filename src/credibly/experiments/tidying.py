"""Remove from the folder of an experiment what its plan no longer asks for."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from credibly._core.errors import DataError, count
from credibly.experiments.kept_predictions import DATA, PREDICTIONS
from credibly.experiments.store import Store

if TYPE_CHECKING:
    from os import PathLike


@dataclass(frozen=True, slots=True)
class Tidied:
    """What was removed: results of cells, files, and bytes on the disk."""

    cells: int
    files: int
    size: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name."""
        return {"cells": self.cells, "files": self.files, "bytes": self.size}

    def __str__(self) -> str:
        return f"Removed {count(self.cells, 'cell')} and {count(self.files, 'file')}, {self.size:,} bytes."


def collect(folder: str | PathLike[str]) -> Tidied:
    """Forget cells that the plan in force does not ask for, and remove files that no cell needs."""
    Store(folder).close()  # raises where there is none, rather than making one
    with Store.driving(folder) as store:
        known = store.datasets().items()
        unread = [name for name, facts in known if "rows" not in facts and facts["data"]]
        if unread:
            msg = f"The results of {', '.join(unread)}, which cannot be used, would be lost. Mend the data and resume first."
            raise DataError(msg)
        wanted = {c.key for c in store.wanted()}
        old = [key for key in store.statuses() if key not in wanted]
        store.forget(old)
        files, size = sweep(store)
        return Tidied(len(old), files, size)


def sweep(store: Store) -> tuple[int, int]:
    """Remove files that no cell needs, such as those of a killed driver; return their number and size."""
    needed = store.files()
    left = [p for p in (store.folder / PREDICTIONS).iterdir() if p.name not in needed]
    data = store.data()
    left += [p for p in (store.folder / DATA).iterdir() if p.name not in data]
    files = size = 0
    for path in left:
        parts = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
        files += len(parts)
        size += sum(p.stat().st_size for p in parts)
        if path.is_file():
            path.unlink()
        else:
            shutil.rmtree(path)
    return files, size
