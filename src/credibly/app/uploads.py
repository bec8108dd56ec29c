"""Reading an untrusted file: in a process of its own, with little memory and time.

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
from typing import TYPE_CHECKING, Any, TypeVar

from credibly._core.signatures import arguments_of
from credibly.app.surface import without_folders
from credibly.case_scores.tables import part_in, recognised, table_kinds
from credibly.errors import Argument, CrediblyError, DataError, Sentence, listed
from credibly.io import bundled_options
from credibly.io._declare import open_path
from credibly.io._limits import ReadingLimits, check_limits
from credibly.io.bundled import DEMO_FOLDER
from credibly.io.read import reading
from credibly.io.role_assignment import assign
from credibly.io.roles import columns_of
from credibly.predictions import Predictions
from credibly.predictions.column_names import NAMES

T = TypeVar("T")

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from threading import Event

    from credibly.case_scores._declare import Evidence
    from credibly.case_scores.tables import TableKind

MAX_MEMORY = 8 << 30  # bytes, or half of what the machine has
READ_SECONDS, POLL_SECONDS = 30.0, 0.2
BYTES_PER_SECOND = 3_000_000  # bytes that are surely read in another second
MAX_CHOICES = 2_000  # columns and classes that a page can offer to choose from
PREDICTIONS_KIND = "predictions"  # of classes, numbers and outcomes: no other kind
# What is said of how to read predictions, not which column is which.
READ_PARAMETERS = (
    "ignore positive classes threshold weight_kind tolerance format percent complete better"
)


@dataclass(frozen=True, slots=True)
class Opened:
    """The content of a file: predictions, or the columns and why they are not predictions yet."""

    predictions: Predictions | None
    columns: tuple[str, ...]
    roles: dict[str, list[str]] = field(default_factory=dict)
    problem: str = ""
    classes: tuple[Any, ...] = ()
    suggested: dict[str, Any] = field(default_factory=dict)  # roles that the values of columns gave
    kind: str = ""  # of the table, where it holds something else than classes, numbers or outcomes
    evidence: Evidence | None = None  # of which the predictions are one score of each case
    part: tuple[str, str] | None = (
        None  # a kind whose parts are files of their own, and which part it is
    )


def open_here(path: Path, options: dict[str, Any]) -> Opened:
    """Read a file in this process; ``options`` are those of :func:`credibly.read`."""
    options = bundled_options(path) | options
    found = reading(path, **options)
    classes = found.predictions.classes[:MAX_CHOICES]
    columns = found.columns[:MAX_CHOICES]
    return Opened(
        found.predictions, columns, found.roles, classes=classes, suggested=dict(found.guessed)
    )


def open_or_ask(path: Path, options: dict[str, Any]) -> Opened:
    """Read a file; where names do not tell its columns, their values may, and else the page asks."""
    of_kind = part_in(path) if path.is_file() else None  # what is no file is refused below
    if of_kind:
        whole, part = of_kind
        return Opened(None, (), problem=part.waiting, part=(whole.name, part.name))
    kind, columns = _kind_of(path, options)
    if kind is not None:
        return _open_kind(path, options, kind, columns)
    told = {name: value for name, value in options.items() if name != "kind"}
    while True:
        try:
            found = open_here(path, told)
        except CrediblyError as error:
            more = {n: v for n, v in _suggested(error).items() if n not in told}
            told |= more
            if more:
                continue
            found = _half_open(path, told, error.sentence)
        beyond = {name: value for name, value in told.items() if name not in options}
        return replace(found, suggested={**found.suggested, **beyond})


def _kind_of(path: Path, options: dict[str, Any]) -> tuple[TableKind | None, dict[str, Any]]:
    """Return the kind of table that was named, or that is recognised where nothing was said, and its columns."""
    asked = options.get("kind")
    if asked == PREDICTIONS_KIND or (
        asked is None and any(role in options for role in (*NAMES, "models"))
    ):
        return None, {}
    if path.parent == DEMO_FOLDER:  # of ours, which is known
        return None, {}
    told = {n: v for n, v in options.items() if n not in ("kind", *READ_PARAMETERS.split())}
    if asked is not None and told:
        return table_kinds[asked], told
    with closing(open_path(path, options.get("format"))) as source:
        found = recognised(source) if asked is None else None
        if asked is not None:
            return table_kinds[asked], table_kinds[asked].columns_in(source) or {}
    return found or (None, {})


def _open_kind(
    path: Path, options: dict[str, Any], kind: TableKind, columns: dict[str, Any]
) -> Opened:
    """Read a table of a kind: its cases have several scores, the first of which is looked at first."""
    with closing(open_path(path, options.get("format"))) as source:
        names = source.names[:MAX_CHOICES]
    said = {n: v for n, v in {"kind": kind.name, **columns}.items() if n not in options}
    roles = {r: columns_of(spec) for r, spec in columns.items() if r in kind.roles}
    opened = Opened(None, names, roles, suggested=said, kind=kind.name)
    given = {"format": options["format"]} if "format" in options else {}
    try:
        evidence = kind.function(path, **columns, **given)
        return replace(
            opened, predictions=evidence.scored(evidence.defined()[0]), evidence=evidence
        )
    except CrediblyError as error:
        return replace(opened, problem=error.sentence)
    except TypeError:  # what it cannot do without was not said
        needed = [n for n, a in arguments_of(kind.function).items() if a.required and n != "source"]
        missing = listed([n for n in needed if n not in columns])
        return replace(opened, problem=f"The columns are not known yet: {missing}.")


def _suggested(error: CrediblyError) -> dict[str, Any]:
    """Return the columns that an error offers by their values."""
    offered = (p for p in Sentence(error.remedy).parts if isinstance(p, Argument))
    named = {a.name: a.value for a in offered if isinstance(a.value, str)}
    models = {"models": named["models"].split(",")} if "models" in named else {}
    return models | {name: column for name, column in named.items() if name in NAMES}


def read_parts(path: Path, options: dict[str, Any]) -> Evidence:
    """Read the first part of a kind with the others, by their names."""
    apart = table_kinds[options["kind"]].apart
    assert apart is not None  # noqa: S101  (files that wait for others are of such a kind)
    return apart.read(path, {name: Path(other) for name, other in options["others"].items()})


def open_apart(
    path: Path, name: str, options: dict[str, Any], limits: ReadingLimits, ended: Event
) -> Opened:
    """Read a file in another process, until ``ended``; messages call it ``name``."""
    found = work_apart(open_or_ask, path, name, options, limits, ended)
    return _called(found, path, name)


def work_apart(
    work: Callable[[Path, dict[str, Any]], T],
    path: Path,
    name: str,
    options: dict[str, Any],
    limits: ReadingLimits,
    ended: Event,
) -> T:
    """Do something with a file in another process."""
    ours, theirs = _processes().Pipe(duplex=False)
    process = _processes().Process(
        target=_read_and_send, args=(theirs, work, path, options, limits), daemon=True
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
        found.found, found.remedy = (renamed(s, path, name) for s in (found.found, found.remedy))
        raise found
    return found


def _answer(pipe: Connection, path: Path, ended: Event) -> Any:  # noqa: ANN401
    """Wait for what the other process has found, but not for ever."""
    patience = READ_SECONDS + path.stat().st_size / BYTES_PER_SECOND
    until = time.monotonic() + patience
    while not pipe.poll(POLL_SECONDS):
        if ended.is_set():
            return DataError(f"{path.name} was not read: the server is stopping.")
        if time.monotonic() > until:
            return DataError(
                f"{path.name} took longer than {patience:.0f} seconds to read. Keep only the columns and rows that matter."
            )
    try:
        found = pipe.recv()
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
    pipe: Connection,
    work: Callable[[Path, dict[str, Any]], T],
    path: Path,
    options: dict[str, Any],
    limits: ReadingLimits,
) -> None:
    with pipe, suppress(BrokenPipeError):  # the server has ended
        pipe.send(_done(work, path, options, limits))


def _done(
    work: Callable[[Path, dict[str, Any]], T],
    path: Path,
    options: dict[str, Any],
    limits: ReadingLimits,
) -> T | CrediblyError:
    with suppress(ImportError):  # not on every system
        import resource

        most = min(MAX_MEMORY, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    try:
        check_limits(path, limits)
        return work(path, options)
    except MemoryError:
        return DataError(f"{path.name} needs too much memory. Keep only the columns that matter.")
    except CrediblyError as error:
        return error
    except Exception as error:  # a hostile file may provoke anything
        return DataError(f"{path.name} cannot be read: {type(error).__name__}: {error}")


def _half_open(path: Path, options: dict[str, Any], problem: str) -> Opened:
    """Return what helps to tell the roles: the columns, those that are clear, and the classes."""
    with closing(open_path(path, options.get("format"))) as source:
        columns = source.names[:MAX_CHOICES]
        try:
            models = [*options.get("models", ())]
            source.hidden |= {*options.get("ignore", ()), *models}
            found = assign(source, {name: options.get(name) for name in NAMES})
            source.load(*found.to_load())
            truth = source.labels(columns_of(found.chosen["truth"])[0])
        except (CrediblyError, KeyError):  # outcomes come without a truth
            told = {r: columns_of(options[r]) for r in (*NAMES, "models") if options.get(r)}
            return Opened(None, columns, told, problem)
        roles = {role: columns_of(spec) for role, spec in found.chosen.items()}
        roles |= {"models": models} if models else {}
        return Opened(None, columns, roles, problem, tuple(truth.values[:MAX_CHOICES]))


def _called(found: Opened, here: Path, name: str) -> Opened:
    """Call a file by the name its owner gave it."""
    p = found.predictions
    if p is not None:
        said = tuple(replace(f, message=renamed(f.message, here, name)) for f in p.findings)
        p = replace(p, findings=said)
    return replace(found, predictions=p, problem=renamed(found.problem, here, name))


def renamed(text: str, here: Path, name: str) -> Sentence:
    """Call a file by the name its owner gave it."""
    parts = Sentence(text).parts
    return Sentence(*(_under(p, here, name) if isinstance(p, str) else p for p in parts))


def _under(text: str, here: Path, name: str) -> str:
    """Write the name that a file was given in place of where it is."""
    return without_folders(text, {here.absolute().parent}).replace(here.name, name)
