"""Reading a file that nobody vouches for: in a process of its own, with little memory and time.

A file can be made to exhaust what reads it, or to crash it. Then a process ends that has nothing
else to do, and the server says so.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credibly.app.surface import without_folders
from credibly.errors import CrediblyError, DataError, Sentence
from credibly.io import bundled_options
from credibly.io._declare import open_path
from credibly.io._limits import ReadingLimits, check_limits
from credibly.io.read import read_roles
from credibly.io.roles import assign, columns_of
from credibly.predictions import Predictions
from credibly.predictions.column_names import NAMES

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from threading import Event

MEMORY = 8 << 30  # bytes, or half of what the machine has
PATIENCE, GLANCE = 30.0, 0.2  # seconds
SPEED = 3_000_000  # bytes that are surely read in another second
FEW = 2_000  # columns and classes that a page can offer to choose from


@dataclass(frozen=True, slots=True)
class Opened:
    """What was found in a file: predictions, or the columns and why they are no predictions yet."""

    predictions: Predictions | None
    columns: tuple[str, ...]
    roles: dict[str, list[str]] = field(default_factory=dict)
    problem: str = ""
    classes: tuple[Any, ...] = ()


def open_here(path: Path, options: dict[str, Any]) -> Opened:
    """Read a file in this process; ``options`` are those of :func:`credibly.read`."""
    options = bundled_options(path) | options
    roles = {name: options[name] for name in options if name in NAMES}
    others = {name: options[name] for name in options if name not in NAMES}
    found = read_roles(path, roles, **others)
    classes = found.predictions.classes[:FEW]
    return Opened(found.predictions, found.columns[:FEW], found.roles, classes=classes)


def open_apart(
    path: Path, name: str, options: dict[str, Any], limits: ReadingLimits, ended: Event
) -> Opened:
    """Read a file in another process, until ``ended``; in what is said of it, it is called ``name``."""
    ours, theirs = _processes().Pipe(duplex=False)
    process = _processes().Process(
        target=_read_and_send, args=(theirs, path, options, limits), daemon=True
    )
    process.start()
    theirs.close()
    try:
        found = _answer(ours, path, ended)
    finally:
        ours.close()
        process.kill()
        process.join()
    if isinstance(found, CrediblyError):
        found.found, found.remedy = (_renamed(s, path, name) for s in (found.found, found.remedy))
        raise found
    return _called(found, path, name)


def _answer(pipe: Connection, path: Path, ended: Event) -> Opened | CrediblyError:
    """Wait for what the other process has found, but not for ever."""
    patience = PATIENCE + path.stat().st_size / SPEED
    until = time.monotonic() + patience
    while not pipe.poll(GLANCE):
        if ended.is_set():
            return DataError(f"{path.name} was not read: the server is stopping.")
        if time.monotonic() > until:
            return DataError(
                f"{path.name} took longer than {patience:.0f} seconds to read. Keep only the columns and rows that matter."
            )
    try:
        found: Opened | CrediblyError = pipe.recv()
    except EOFError:
        return DataError(
            f"{path.name} cannot be read: it is damaged, or needs too much memory. Write it again."
        )
    return found


@cache
def _processes() -> Any:  # noqa: ANN401
    """Processes that start fast, by a copy of one that has imported what reading needs."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["duckdb", __name__])
    return context


def _read_and_send(
    pipe: Connection, path: Path, options: dict[str, Any], limits: ReadingLimits
) -> None:
    with pipe:
        pipe.send(_read(path, options, limits))


def _read(path: Path, options: dict[str, Any], limits: ReadingLimits) -> Opened | CrediblyError:
    with suppress(ImportError):  # not on every system
        import resource

        most = min(MEMORY, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    try:
        check_limits(path, limits)
        try:
            return open_here(path, options)
        except CrediblyError as error:
            return _half_open(path, options, error.sentence)
    except MemoryError:
        return DataError(f"{path.name} needs too much memory. Keep only the columns that matter.")
    except CrediblyError as error:
        return error
    except Exception as error:  # whatever a hostile file may provoke
        return DataError(f"{path.name} cannot be read: {type(error).__name__}: {error}")


def _half_open(path: Path, options: dict[str, Any], problem: str) -> Opened:
    """Return what helps to tell the roles: the columns, those that are clear, and the classes."""
    with closing(open_path(path, options.get("format"))) as source:
        columns = source.names[:FEW]
        try:
            source.hidden |= {*options.get("ignore", ())}
            found = assign(source, {name: options.get(name) for name in NAMES})
            source.load(*found.to_load())
            truth = source.labels(str(found.chosen["truth"]))
        except CrediblyError:
            return Opened(None, columns, problem=problem)
        roles = {role: columns_of(spec) for role, spec in found.chosen.items()}
        return Opened(None, columns, roles, problem, tuple(truth.values[:FEW]))


def _called(found: Opened, here: Path, name: str) -> Opened:
    """Call a file by the name its owner gave it."""
    p = found.predictions
    if p is not None:
        said = tuple(replace(f, message=_renamed(f.message, here, name)) for f in p.findings)
        p = replace(p, findings=said)
    return replace(found, predictions=p, problem=_renamed(found.problem, here, name))


def _renamed(text: str, here: Path, name: str) -> Sentence:
    parts = Sentence(text).parts
    return Sentence(*(_under(p, here, name) if isinstance(p, str) else p for p in parts))


def _under(text: str, here: Path, name: str) -> str:
    """Write the name that a file was given in place of where it is."""
    return without_folders(text, {here.absolute().parent}).replace(here.name, name)
