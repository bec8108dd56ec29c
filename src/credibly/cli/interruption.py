"""Ctrl-C and SIGTERM while a command runs: what is temporary goes, what is done is kept."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import NoReturn

from credibly._core.findings import Finding
from credibly._core.interruption import DEFAULT_HANDLERS, SIGNAL_EXIT_BASE, leave


@contextmanager
def in_order() -> Iterator[None]:
    """Have signals raise an exception where the command is, as is up to the main thread."""
    if current_thread() is not main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in DEFAULT_HANDLERS}
    if before[signal.SIGINT] is leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if before[signal.SIGTERM] in {leave, signal.SIG_DFL}:
        signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end_if_interrupted(findings: Sequence[Finding]) -> None:
    """Go on with an interruption that a run has put off to keep what it had done."""
    from credibly.running.findings import INTERRUPTED

    if any(f.code == INTERRUPTED.code for f in findings):
        raise KeyboardInterrupt


def is_interruption(error: BaseException) -> bool:
    """Whether an error comes from Ctrl-C: a library that is being imported may make another of it."""
    found: BaseException | None = error
    while found is not None and not isinstance(found, KeyboardInterrupt):
        found = found.__cause__ or found.__context__
    return found is not None


def _stop(number: int, _: object) -> NoReturn:
    raise SystemExit(SIGNAL_EXIT_BASE + number)
