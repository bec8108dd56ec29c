"""Calls that compute: what each is doing and since when, and how it is stopped.

A call computes in a thread. Like Ctrl-C on the command line, stopping it raises an exception there, at
the next step of Python; a call that waits for its turn just leaves the queue.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, get_ident
from typing import Any, TypeVar

from credibly.app.prediction_store import new_id
from credibly.errors import CrediblyError, UnknownNameError

T = TypeVar("T")
UNINTERRUPTIBLE = ("<frozen importlib", str(Path(find_spec("numba").origin).parent))  # type: ignore[union-attr, arg-type]


class StoppedError(CrediblyError):
    """A computation that somebody stopped."""


class TooLongError(CrediblyError):
    """A computation that took longer than is allowed."""


class UnknownJobError(UnknownNameError):
    """A computation that is over, or never was."""


class _Interrupt(BaseException):
    """Raised in the thread that computes."""


@dataclass(slots=True)
class PendingCall:
    """One call while it waits and computes."""

    what: str
    id: str = field(default_factory=new_id)
    since: float = field(default_factory=time.monotonic)
    began: float | None = None  # when its turn came
    why: CrediblyError | None = None  # it is to stop
    _thread: int | None = None
    _lock: Lock = field(default_factory=Lock)

    def stop(self, why: CrediblyError) -> None:
        """Let it end with this error; the first reason stays."""
        self.why = self.why or why

    def check(self) -> None:
        """Raise the error with which it is to end, if it is to end."""
        if self.why is not None:
            raise self.why

    def run(self, function: Callable[[], T]) -> T:
        """Compute in this thread, until the end or until :meth:`interrupt`."""
        try:
            self.began = time.monotonic()
            self._thread = get_ident()
            self.check()
            return function()
        except _Interrupt:
            self.check()
            raise
        finally:
            while self._thread is not None:
                try:
                    self._leave()
                except _Interrupt:
                    continue

    def interrupt(self) -> bool:
        """Interrupt the thread that computes; False if none does yet.

        Call it again until the thread has ended: an exception that meets a destructor is lost.
        """
        with self._lock:
            if self._thread is not None and not _must_finish(self._thread):
                _raise_in(self._thread, _Interrupt)
            return self.began is not None

    def _leave(self) -> None:
        """Let nothing reach the thread any more: it will serve other calls."""
        with self._lock:
            _raise_in(get_ident(), None)
            self._thread = None


def _must_finish(thread: int) -> bool:
    """Whether a thread imports or compiles: what is left half done there stays broken for every later call.

    >>> _must_finish(get_ident())
    False
    """
    frame = sys._current_frames().get(thread)  # noqa: SLF001
    while frame is not None:
        if frame.f_code.co_filename.startswith(UNINTERRUPTIBLE):
            return True
        frame = frame.f_back
    return False


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    raised = None if kind is None else ctypes.py_object(kind)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


CURRENT_JOB: ContextVar[PendingCall | None] = ContextVar("the job of this call", default=None)


@dataclass(slots=True)
class Jobs:
    """The jobs by id."""

    _all: dict[str, PendingCall] = field(default_factory=dict)

    @contextmanager
    def started(self, what: str) -> Iterator[PendingCall]:
        """List a job while it lasts."""
        job = PendingCall(what)
        self._all[job.id] = job
        before = CURRENT_JOB.set(job)
        try:
            yield job
        finally:
            CURRENT_JOB.reset(before)
            del self._all[job.id]

    def __getitem__(self, key: str) -> PendingCall:
        try:
            return self._all[key]
        except KeyError:
            raise UnknownJobError(
                "This computation is already over, so there is nothing to stop."
            ) from None

    def told(self) -> list[dict[str, Any]]:
        """Return what is being done and since when."""
        now = time.monotonic()
        return [
            {"id": job.id, "what": job.what, "seconds": now - job.since}
            for job in list(self._all.values())
        ]


@contextmanager
def doing(what: str) -> Iterator[None]:
    """Note what the job of this call is doing, for the page that waits."""
    job = CURRENT_JOB.get()
    if job is None:
        yield
        return
    before, job.what = job.what, what
    try:
        yield
    finally:
        job.what = before
