"""What a worker does: it starts, carries out the tasks that it is sent, and ends with its driver."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from credibly.experiments.execution.sandbox import guarded
from credibly.experiments.execution.tasks import answer

if TYPE_CHECKING:
    from credibly.experiments.execution.tasks import FitAnswer, Task
    from credibly.experiments.plan.plan import FitLimits

POLL_SECONDS = 0.5  # seconds after which an orphan notices


def begin(driver: int) -> None:
    """Prepare a process that joblib has started on this machine.

    Ctrl-C, which a terminal sends to every process, is left to the driver. If that dies, so does
    this one: nobody would fetch what it computes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == driver:
            time.sleep(POLL_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def work(tasks: Sequence[Task], limits: FitLimits, *, apart: bool) -> list[FitAnswer]:
    """Carry out some tasks.

    ``apart`` has each fit in a process of its own, for limits and for schemes that crash.
    """
    with one_thread():
        return [guarded(t, limits) if apart else answer(t) for t in tasks]


def one_thread() -> AbstractContextManager[Any]:
    """Let numerical libraries use one thread: the workers are the parallelism, and sums stay the same.

    Most backends start their processes so; to look at all loaded libraries takes milliseconds.
    """
    from threadpoolctl import threadpool_limits

    told = os.environ.get("OMP_NUM_THREADS") == "1"
    return nullcontext() if told else threadpool_limits(limits=1)
