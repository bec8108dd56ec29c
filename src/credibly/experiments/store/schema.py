"""The tables of a store, and what is wrong with one."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from credibly.errors import CrediblyError, DataError

if TYPE_CHECKING:
    from credibly.experiments.store.seal import State

DATABASE_FILE = "experiment.sqlite"
DATA_FOLDER, PREDICTIONS_FOLDER = "data", "predictions"  # folders beside it
BUSY_SECONDS = 30.0  # seconds to wait for a reader

# What the system, and not the contents, may keep a database from: permissions, locks, space and the like.
ENVIRONMENT_ERRORS = re.compile(
    "SQLITE_(PERM|BUSY|LOCKED|NOMEM|READONLY|INTERRUPT|IOERR|FULL|CANTOPEN|CONSTRAINT)"
)
# Of what a text should say.
DAMAGE_ERRORS = (KeyError, IndexError, TypeError, ValueError, AttributeError)

SCHEMA_VERSION = 2  # of these tables
TABLES = """
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
    -- What cells were called by the last plan that asked for them.
    CREATE TABLE former (key TEXT PRIMARY KEY, dataset TEXT NOT NULL, scheme TEXT NOT NULL);
"""


class DamagedStoreError(DataError):
    """The database of an experiment is not what was written."""


@contextmanager
def explained(folder: Path, *, write: bool = True, contents: bool = False) -> Iterator[None]:
    """Turn what the system or the database says into an error that says what to do.

    Where ``contents`` are in doubt, so is what follows from them.
    """
    try:
        yield
    except CrediblyError:
        raise
    except sqlite3.Error as error:
        if _is_damage(error):
            raise damaged(folder, f"SQLite finds {error}") from error
        raise _unusable(folder, error, write=write) from error
    except OSError as error:
        raise _unusable(folder, error, write=write) from error
    except DAMAGE_ERRORS as error:
        if not contents:
            raise
        raise damaged(folder, f"its content is invalid ({type(error).__name__})") from error


def _unusable(folder: Path, error: Exception, *, write: bool) -> DataError:
    if not write:
        return DataError(f"{folder} cannot be read: {error}.")
    return DataError(
        f"{folder} cannot be used to store an experiment: {error}. What was stored before is "
        "intact; check that there is space and that you may write there, then resume."
    )


def damaged(folder: Path, what: str) -> DamagedStoreError:
    """Return an error about a database that cannot be trusted."""
    msg = (
        f"{folder / DATABASE_FILE} is damaged: {what}. Nothing was changed: the files in {PREDICTIONS_FOLDER} and {DATA_FOLDER} are "
        f"as they were. Restore {DATABASE_FILE} from a copy, or run the plan elsewhere."
    )
    return DamagedStoreError(msg)


def _is_damage(error: sqlite3.Error) -> bool:
    name = getattr(error, "sqlite_errorname", None)  # Python's own complaints of text have none
    return name in {None, "SQLITE_IOERR_SHORT_READ"} or not ENVIRONMENT_ERRORS.match(str(name))


def connect(folder: Path, *, write: bool, state: State = "unknown") -> sqlite3.Connection:
    """Open the database of a folder; only who may write creates it.

    One that is not as it was sealed is looked through first, and so is one that a killed driver left to
    another.
    """
    path = folder / DATABASE_FILE
    _refuse_nothing(folder, path, write=write)
    mode = "rwc" if write else "ro"
    try:
        database = _opened(path, f"mode={mode}")
    except sqlite3.OperationalError:
        if write:
            raise
        # A reader needs files beside it, unless nobody writes.
        database = _opened(path, "immutable=1")
    try:
        if state == "changed" or (write and state == "unknown"):
            _look_through(database, folder, sealed=state == "changed")
        _prepare(database, folder, write=write, state=state)
    except BaseException:
        database.close()
        raise
    return database


def _look_through(database: sqlite3.Connection, folder: Path, *, sealed: bool) -> None:
    (page,) = database.execute("PRAGMA page_size").fetchone()
    if sealed and (folder / DATABASE_FILE).stat().st_size % page:
        raise damaged(folder, "it is cut short")
    (said,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if said != "ok":
        raise damaged(folder, f"SQLite finds {said.replace(chr(10), ' ')}")


def _refuse_nothing(folder: Path, path: Path, *, write: bool) -> None:
    """Refuse an empty database, or none, beside the files of an experiment: a new one would lose them."""
    if path.exists() and path.stat().st_size:
        return
    there = [
        f
        for each in (PREDICTIONS_FOLDER, DATA_FOLDER)
        if (folder / each).is_dir()
        for f in (folder / each).iterdir()
    ]
    if there:
        raise damaged(folder, "it is empty" if path.exists() else "it is not there")
    if not write:
        raise DataError(f"There is no experiment in {folder}.")


def _opened(path: Path, how: str) -> sqlite3.Connection:
    database = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}", uri=True, timeout=BUSY_SECONDS, isolation_level=None
    )
    try:
        database.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.Error:
        database.close()
        raise
    return database


def _prepare(database: sqlite3.Connection, folder: Path, *, write: bool, state: State) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if bool(version) != bool(tables) or (state == "changed" and version != SCHEMA_VERSION):
        raise damaged(folder, "it does not have the tables of an experiment")
    if not version and not write:  # a driver was ended before it had written anything
        raise DataError(f"There is no experiment in {folder} yet.")
    if version not in (0, SCHEMA_VERSION):
        age, remedy = (
            ("a newer", "Update Credibly to read it.")
            if version > SCHEMA_VERSION
            else ("an older", "Run the plan again, into another folder.")
        )
        raise DataError(
            f"{folder} was written by {age} version of Credibly: its store has version "
            f"{version}, and this one reads {SCHEMA_VERSION}.",
            remedy=remedy,
        )
    if write:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = ON")
        if not version:
            database.executescript(
                f"BEGIN; {TABLES} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT"
            )
