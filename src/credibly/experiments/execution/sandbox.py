"""Fits in a process of their own, which is ended when it takes too long and may die without harm.

A worker keeps one such process and sends it task after task. Because it is another process, the
time limit holds for code that ignores signals, and a crash costs one fit, not the worker.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from credibly._core.text import count
from credibly.experiments.execution.tasks import FitAnswer, Task, answer, failed
from credibly.experiments.store.data import DamagedDataError

if TYPE_CHECKING:
    from credibly.experiments.plan.plan import FitLimits

MAX_ATTEMPTS = 2  # a process may be ended from outside; one that dies again dies of its task
IDLE_SECONDS = 60  # without a task, after which it ends: joblib keeps its workers longer
STARTED, FITTED = b"started", b"fitted"  # between them the clock runs
STANDARD_ERROR = 2
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
THREAD_LOCAL = threading.local()  # a process for each thread of a worker


def guarded(task: Task, limits: FitLimits) -> FitAnswer:
    """Carry out a task within limits."""
    for _ in range(MAX_ATTEMPTS):
        guard = _guard(limits)
        try:
            return guard.ask(task)
        except TimeoutError:
            guard.end()
            allowed = count(limits.seconds or 0, "second")
            return failed(task, "timeout", f"It took longer than {allowed}.")
        except (EOFError, ConnectionError):
            code = guard.end()
    how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
    maybe = " Perhaps it needed more memory than the limit." if limits.memory else ""
    return failed(task, "died", f"The process of the fit ended {how}, twice.{maybe}")


def _guard(limits: FitLimits) -> Sandbox:
    guard: Sandbox | None = getattr(THREAD_LOCAL, "guard", None)
    if guard is None or guard.limits != limits or not guard.alive:
        if guard is not None:
            guard.end()
        guard = THREAD_LOCAL.guard = Sandbox(limits)
    return guard


class Sandbox:
    """A process that carries out tasks, seen from the worker that keeps it."""

    def __init__(self, limits: FitLimits) -> None:
        self.limits = limits
        paths = os.pathsep.join(p for p in sys.path if p)
        self._pipe, theirs = Pipe()
        asked = [str(theirs.fileno()), str(limits.memory or 0)]
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603  (ourselves)
                [sys.executable, "-m", "credibly.experiments.execution.sandbox", *asked],
                stdin=subprocess.DEVNULL,
                stdout=STANDARD_ERROR,  # what a scheme prints is no answer of ours
                env={**os.environ, **ONE_THREAD, "PYTHONPATH": paths},
                pass_fds=[theirs.fileno()],
            )

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def ask(self, task: Task) -> FitAnswer:
        """Send a task and wait for its answer; what comes before and after the fit has no limit."""
        self._pipe.send_bytes(_dumps(task))
        said = self._receive(None)
        while said in {STARTED, FITTED}:
            said = self._receive(self.limits.seconds if said == STARTED else None)
        made: FitAnswer | DamagedDataError = pickle.loads(said)  # noqa: S301
        if isinstance(made, DamagedDataError):
            raise made
        return made

    def _receive(self, seconds: float | None) -> bytes:
        if not self._pipe.poll(seconds):
            raise TimeoutError
        return self._pipe.recv_bytes()

    def end(self) -> int:
        """End the process, whatever it does, and return its exit code."""
        self._process.kill()
        self._pipe.close()
        return self._process.wait()


def end_guard() -> None:
    """End the process that this thread keeps."""
    guard: Sandbox | None = getattr(THREAD_LOCAL, "guard", None)
    if guard is not None:
        guard.end()
        THREAD_LOCAL.guard = None


def _dumps(task: Task) -> bytes:
    """Write a task so that classes of a notebook go with it; joblib brings what that takes."""
    try:
        import cloudpickle
    except ImportError:
        from joblib.externals import cloudpickle
    return bytes(cloudpickle.dumps(task))


def serve(pipe: Connection, memory: int) -> None:
    """Carry out tasks until there are none."""
    _die_with_parent()
    if memory:
        _take_buffers()
    while pipe.poll(IDLE_SECONDS):
        try:
            task: Task = pickle.loads(pipe.recv_bytes())  # noqa: S301
        except EOFError:
            return
        try:
            made: FitAnswer | DamagedDataError = answer(task, _limited(pipe, memory))
        except DamagedDataError as error:  # which is no fault of the scheme
            made = error
        pipe.send_bytes(pickle.dumps(made))


@contextmanager
def _limited(pipe: Connection, memory: int) -> Iterator[None]:
    """Tell the worker when a fit begins and when it has ended, and bound its memory in between."""
    pipe.send_bytes(STARTED)
    if memory:
        _bound_memory(_used_memory() + memory)
    try:
        yield
    finally:
        if memory:
            _bound_memory(None)
    pipe.send_bytes(FITTED)


def _bound_memory(size: int | None) -> None:
    """Let the process have so many bytes; mapped files do not count."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most if size is None else size, most))


def _take_buffers() -> None:
    """Have numpy's and scipy's linear algebra take their buffers, which count for no fit.

    Where there is no memory for them, OpenBLAS asks again for ever, or ends the process.
    """
    import numpy as np
    from scipy.linalg.blas import dgemm
    from scipy.linalg.lapack import dpotrf

    matrix = np.eye(200)  # smaller ones need none
    np.linalg.cholesky(matrix @ matrix)
    dpotrf(dgemm(1.0, matrix, matrix))


def _used_memory() -> int:
    with open("/proc/self/status") as file:  # noqa: PTH123
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmData"))


def _die_with_parent() -> None:
    """Ask the kernel to end this process with the one that keeps it, even in the middle of C code."""
    import ctypes
    import signal

    set_death_signal = 1
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])), int(sys.argv[2]))
