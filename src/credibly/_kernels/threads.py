"""How many threads the kernels of this process share: the habits of BLAS and OpenMP, not of ``n_jobs``.

Kernels are serial and release Python's lock; blocks of replicates, models or classes are shared out to
threads that end with the call, so that a fork finds none of them. What a block computes does not depend on
who computes it, so any number of threads gives the same digits.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar, copy_context
from typing import TYPE_CHECKING, TypeVar

from credibly.errors import ParameterError

if TYPE_CHECKING:
    from concurrent.futures import Executor

T = TypeVar("T")

OWN_VARIABLE = "CREDIBLY_NUM_THREADS"
OTHER_VARIABLES = "NUMBA_NUM_THREADS", "OMP_NUM_THREADS"


class _Budget:
    """The threads that are lent to calls of this process, beside those in which the calls are made."""

    def __init__(self) -> None:
        self.lock, self.lent = threading.Lock(), 0


_budget = _Budget()
_allowed: ContextVar[int | None] = ContextVar("threads that a caller allows", default=None)
_helping: ContextVar[tuple[Executor, int] | None] = ContextVar("helpers", default=None)
_beside: ContextVar[int] = ContextVar("tasks that run side by side, this one among them", default=1)


def _forget() -> None:
    """Start with no threads in a child process, whose parent may have forked while it computed."""
    global _budget  # noqa: PLW0603
    _budget = _Budget()
    _helping.set(None)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def limit() -> int:
    """Return how many threads may compute at once in this process.

    It is the first of ``CREDIBLY_NUM_THREADS``, ``NUMBA_NUM_THREADS`` and ``OMP_NUM_THREADS`` that is set
    (joblib and Dask set the last two for their workers), one in other child processes, and else the
    number of processors that this process may use.
    """
    allowed = _allowed.get()
    return _limit_of_process() if allowed is None else allowed


def _limit_of_process() -> int:
    own = os.environ.get(OWN_VARIABLE, "")
    if own and not (own.isdecimal() and int(own) > 0):
        raise ParameterError(f"{OWN_VARIABLE} must be a whole number from 1 on; got {own!r}.")
    for text in (own, *(os.environ.get(name, "") for name in OTHER_VARIABLES)):
        outermost = text.split(",")[0]  # OpenMP takes a number for each level of nesting
        if outermost.isdecimal() and int(outermost) > 0:
            return int(outermost)
    from multiprocessing import parent_process

    if parent_process() is not None:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share() -> int:
    """Return how many threads fall to this task, if all that run beside it take as many."""
    return max(1, limit() // _beside.get())


@contextmanager
def at_most(n_threads: int | None) -> Iterator[None]:
    """Let the kernels that are called within share so many threads; None leaves the limit as it is."""
    token = _allowed.set(_allowed.get() if n_threads is None else n_threads)
    try:
        yield
    finally:
        _allowed.reset(token)


@contextmanager
def _helpers() -> Iterator[tuple[Executor | None, int]]:
    """Give what computes beside this thread: the helpers of the call that this one is part of, or new ones."""
    shared = _helping.get()
    if shared is not None:
        yield shared
        return
    with _budget.lock:
        number = max(0, limit() - 1 - _budget.lent)
        _budget.lent += number
    try:
        if not number:
            yield None, 0
            return
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(number) as pool:  # it starts a thread when there is a task for it
            token = _helping.set((pool, number))
            try:
                yield pool, number
            finally:
                _helping.reset(token)
    finally:
        with _budget.lock:
            _budget.lent -= number


@contextmanager
def together(*, large: bool) -> Iterator[None]:
    """Keep the threads of large computations that follow one another, instead of starting new ones for each."""
    with _helpers() if large else nullcontext():
        yield


def spread(run: Callable[[T], object], tasks: Iterable[T], *, large: bool) -> None:
    """Run all tasks, those of a large computation in as many threads as are free.

    A task may spread tasks of its own, and whoever is idle then helps with these. The first task is run
    by the caller.
    """
    left = deque(tasks)

    def work(*first: T) -> None:
        try:
            for task in first:
                run(task)
            while (taken := _take(left)) is not None:
                run(*taken)
        except BaseException:
            left.clear()
            raise

    if not large or len(left) < 2:
        return work()
    first = left.popleft()
    with _helpers() as (pool, number):
        token = _beside.set(_beside.get() * min(len(left) + 1, number + 1))
        joined = []
        if pool is not None:
            # A thread does not inherit how warnings are treated, nor whose helper it is.
            contexts = [copy_context() for _ in range(min(number, len(left)))]
            joined = [pool.submit(context.run, work) for context in contexts]
        try:
            work(first)
        finally:
            _beside.reset(token)
            for helper in [h for h in joined if not h.cancel()]:
                helper.result()
    return None


def kept_by_thread(make: Callable[[], T]) -> Callable[[], T]:
    """Return what gives each thread its own of something, such as room that is used again."""
    own = threading.local()

    def mine() -> T:
        if not hasattr(own, "made"):
            own.made = make()
        made: T = own.made
        return made

    return mine


def _take(left: deque[T]) -> tuple[T] | None:
    """Take a task, unless another thread has taken the last one."""
    try:
        return (left.popleft(),)
    except IndexError:
        return None
