"""The database of an experiment, read: what was planned, what is done, and its values."""

from __future__ import annotations

import json
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from credibly.experiments.plan.cells import Cell
from credibly.experiments.store import schema, seal
from credibly.experiments.store.schema import explained

if TYPE_CHECKING:
    import sqlite3

Method = TypeVar("Method", bound="Callable[..., Any]")


def reads(method: Method) -> Method:
    """Have what a method cannot read said in words."""

    @wraps(method)
    def explaining(self: Records, *given: object, **named: object) -> object:
        doubtful = self.state != "whole"
        with explained(self.folder, write=False, contents=doubtful):
            return method(self, *given, **named)

    return cast("Method", explaining)


class Records:
    """The tables of a folder, open for reading."""

    def __init__(self, folder: str | PathLike[str], *, write: bool = False) -> None:
        self.folder = Path(folder)
        with explained(self.folder, write=write):
            self.state = seal.state_of(self.folder / schema.DATABASE_FILE)
            self._database = schema.connect(self.folder, write=write, state=self.state)
        weakref.finalize(self, self._database.close)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    @reads
    def meta(self, name: str) -> Any:
        """Return what was noted under a name (the plan, its measures), or nothing."""
        row = self._one("SELECT value FROM meta WHERE name = ?", name)
        return None if row is None else json.loads(row[0])

    @reads
    def runs(self) -> list[dict[str, Any]]:
        """Return when and where the experiment was run: versions, hardware, seed, backend."""
        rows = self._all("SELECT id, started, ended, facts FROM run ORDER BY id")
        return [{"run": i, "started": s, "ended": e, **json.loads(f)} for i, s, e, f in rows]

    @reads
    def datasets(self) -> dict[str, dict[str, Any]]:
        """Return what is known of each dataset, with the error of one that cannot be used."""
        rows = self._all("SELECT name, data, error, facts FROM dataset ORDER BY rowid")
        return {n: {"data": d, "error": e, **json.loads(f)} for n, d, e, f in rows}

    @reads
    def wanted(self) -> list[Cell]:
        """Return the cells that the plan asks for, in its order."""
        query = "SELECT dataset, scheme, size, repeat, fold, key FROM wanted ORDER BY place"
        return [Cell(*row) for row in self._all(query)]

    @reads
    def former(self) -> dict[str, tuple[str, str]]:
        """Return dataset and scheme of cells that an earlier plan asked for, by key."""
        return {k: (d, s) for k, d, s in self._all("SELECT key, dataset, scheme FROM former")}

    @reads
    def statuses(self) -> dict[str, str]:
        """Return the status of every cell that has been run, by key."""
        return dict(self._all("SELECT key, status FROM cell"))

    @reads
    def values(self) -> dict[tuple[int, str, str], float]:
        """Return every value by the number of its cell, its measure and the costs it rests on."""
        rows = self._all("SELECT cell, measure, costs, value FROM value")
        return {(c, m, k): np.nan if v is None else v for c, m, k, v in rows}

    @reads
    def cells(self, keys: Iterable[str]) -> list[dict[str, Any]]:
        """Return all that is known of those of some cells that have been run, in the given order."""
        found = []
        for key in keys:
            cursor = self._database.execute("SELECT * FROM cell WHERE key = ?", (key,))
            row = cursor.fetchone()
            if row is not None:
                found.append(dict(zip((d[0] for d in cursor.description), row, strict=True)))
        return found

    @reads
    def files(self, without: Collection[str] = ()) -> set[str]:
        """Return the names of the files of predictions that some cell needs, except for those of some keys."""
        rows = self._all("SELECT key, file FROM cell")
        return {file for key, file in rows if key not in without} - {""}

    @reads
    def keys_in(self, files: set[str]) -> set[str]:
        """Return the keys of the cells whose predictions are in some files."""
        return {key for key, file in self._all("SELECT key, file FROM cell") if file in files}

    @reads
    def data(self, without: Collection[str] = ()) -> set[str]:
        """Return the fingerprints of the data that the plan, or some cell except for some keys, is about."""
        rows = self._all("SELECT key, data FROM cell UNION SELECT '', data FROM dataset")
        return {data for key, data in rows if key not in without} - {""}

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with explained(self.folder):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:  # a full disk has ended it already
                    self._database.execute("ROLLBACK")
                raise

    def _all(self, query: str) -> list[Any]:
        return self._database.execute(query).fetchall()

    def _one(self, query: str, *given: object) -> Any:
        return self._database.execute(query, given).fetchone()
