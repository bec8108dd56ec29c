"""One driver a folder: a lock that dies with its process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from credibly.errors import DataError

LOCK_FILE = "driver.lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other drivers out of a folder, also those on this machine that start a moment later.

    The system gives the lock back when the process ends, however it ends, so none is ever stale.
    """
    from fcntl import LOCK_EX, LOCK_NB, flock

    with (folder / LOCK_FILE).open("a+") as file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            raise DataError(
                f"Another process, {driver_of(folder) or 'unknown'}, is running the experiment in {folder}. "
                "Wait for it, stop it, or choose another folder."
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
        file.truncate(0)


def driver_of(folder: Path) -> int | None:
    """Return the process that runs the experiment in a folder, if there is one."""
    from fcntl import LOCK_NB, LOCK_SH, flock

    with suppress(FileNotFoundError), (folder / LOCK_FILE).open() as file:
        try:
            flock(file, LOCK_SH | LOCK_NB)
        except BlockingIOError:
            text = file.read()
            return int(text) if text.isdigit() else None
    return None
