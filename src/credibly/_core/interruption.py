"""Ctrl-C and SIGTERM before a command has begun: there is nothing to finish, so the process just ends.

An exception would surface in the middle of some import, as a page of it or as an error of its own. This
module imports next to nothing, since it can help only from when it is there.
"""

from __future__ import annotations

import os
import signal

SIGNAL_EXIT_BASE = 128  # what a shell adds to the number of a signal
DEFAULT_HANDLERS = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}


def leave_at_once() -> None:
    """End on a signal with one line; signals that the parent process ignores or handles stay so."""
    for number, usual in DEFAULT_HANDLERS.items():
        if signal.getsignal(number) is usual:
            signal.signal(number, leave)


def leave(number: int, _: object) -> None:
    """End without another step."""
    if number == signal.SIGINT:
        os.write(2, b"credibly: interrupted\n")
    os._exit(SIGNAL_EXIT_BASE + number)
