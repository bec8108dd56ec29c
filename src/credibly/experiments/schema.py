"""The tables of a store, and how those of older versions are brought up to date."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from credibly._core.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path

NAME = "experiment.sqlite"
PATIENCE = 30.0  # seconds to wait for a reader

# Each script brings a store from the version of its place to the next; a new one is all of them.
SCRIPTS = (
    """
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE run (id INTEGER PRIMARY KEY, started TEXT NOT NULL, ended TEXT, facts TEXT NOT NULL);
    CREATE TABLE dataset (
        name TEXT PRIMARY KEY, data TEXT NOT NULL, error TEXT NOT NULL, facts TEXT NOT NULL);
    CREATE TABLE wanted (
        place INTEGER PRIMARY KEY, dataset TEXT NOT NULL, scheme TEXT NOT NULL, size REAL NOT NULL,
        repeat INTEGER NOT NULL, fold INTEGER NOT NULL, key TEXT NOT NULL);
    CREATE TABLE cell (
        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, run INTEGER NOT NULL REFERENCES run(id),
        data TEXT NOT NULL, repeat INTEGER NOT NULL, fold INTEGER NOT NULL,
        status TEXT NOT NULL, error TEXT NOT NULL, trace TEXT NOT NULL, warned TEXT NOT NULL,
        n_train INTEGER NOT NULL, n_test INTEGER NOT NULL, validation INTEGER NOT NULL,
        fit_seconds REAL NOT NULL, predict_seconds REAL NOT NULL,
        source TEXT NOT NULL, baseline TEXT NOT NULL, file TEXT NOT NULL);
    CREATE TABLE value (
        cell INTEGER NOT NULL REFERENCES cell(id) ON DELETE CASCADE,
        measure TEXT NOT NULL, costs TEXT NOT NULL, value REAL,
        PRIMARY KEY (cell, measure, costs)) WITHOUT ROWID;
    """,
    # What cells were called by the last plan that asked for them.
    "CREATE TABLE former (key TEXT PRIMARY KEY, dataset TEXT NOT NULL, scheme TEXT NOT NULL)",
)


def connect(folder: Path, *, write: bool) -> sqlite3.Connection:
    """Open the database of a folder; only who may write creates it or brings it up to date."""
    path = folder / NAME
    if not write and not path.exists():
        msg = f"There is no experiment in {folder}."
        raise DataError(msg)
    mode = "rwc" if write else "ro"
    try:
        database = _opened(path, f"mode={mode}")
    except sqlite3.OperationalError:
        if write:
            raise
        database = _opened(
            path, "immutable=1"
        )  # a reader needs files beside it, unless nobody writes
    _migrate(database, folder, write=write)
    return database


def _opened(path: Path, how: str) -> sqlite3.Connection:
    database = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}", uri=True, timeout=PATIENCE, isolation_level=None
    )
    try:
        database.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.Error:
        database.close()
        raise
    return database


def _migrate(database: sqlite3.Connection, folder: Path, *, write: bool) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version > len(SCRIPTS):
        msg = (
            f"{folder} was written by a newer Credibly: its store has version {version}, and this one "
            f"knows {len(SCRIPTS)}. Update Credibly to read it."
        )
        raise DataError(msg)
    if write:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = ON")
        for i in range(version, len(SCRIPTS)):
            script = f"BEGIN; {SCRIPTS[i]}; PRAGMA user_version = {i + 1}; COMMIT"
            database.executescript(script)
    elif version < len(SCRIPTS):
        msg = f"{folder} was written by an older Credibly. `credibly experiment resume` brings it up to date."
        raise DataError(msg)
