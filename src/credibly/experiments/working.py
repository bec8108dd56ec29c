"""What a worker does with the tasks that it is sent."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from credibly.experiments.guarding import guarded
from credibly.experiments.tasks import answer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from credibly.experiments.plans import Limits
    from credibly.experiments.tasks import Answer, Task

PATIENCE = 0.5  # seconds after which an orphan notices


def work(tasks: Sequence[Task], limits: Limits, driver: int, *, apart: bool) -> list[Answer]:
    """Carry out some tasks, each with one thread: the workers are the parallelism.

    ``apart`` has each fit in a process of its own, for limits and for schemes that crash.
    """
    from threadpoolctl import threadpool_limits

    if driver == os.getppid():
        _end_with(driver)
    with threadpool_limits(limits=1), _uninterrupted():
        return [guarded(t, limits) if apart else answer(t) for t in tasks]


@cache
def _end_with(driver: int) -> None:
    """End this process soon after its parent has died: nobody would fetch what it computes."""

    def watch() -> None:
        while os.getppid() == driver:
            time.sleep(PATIENCE)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Leave Ctrl-C, which a terminal sends to every process, to the driver."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
