"""The folder of uploads: private, gone with the server, and removed by the next one if it was killed."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "credibly-app-"


@contextmanager
def upload_folder() -> Iterator[Path]:
    """Make a folder that only this user can read, and remove those that killed servers have left.

    >>> with upload_folder() as folder:
    ...     folder.is_dir()
    True
    >>> folder.exists()
    False
    """
    for each in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        _remove_if_left(each)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        held = _locked(folder)
        if held is None or folder.exists():  # else another server took it for one that was left
            break
        os.close(held)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if held is not None:
            os.close(held)


def discard_upload(path: Path) -> None:
    """Remove an upload, and the folder that holds it alone."""
    path.unlink(missing_ok=True)
    with suppress(OSError):  # it holds something else
        path.parent.rmdir()


def _remove_if_left(folder: Path) -> None:
    """Remove a folder of this user whose server does not run any more; it ran if it held the lock."""
    with suppress(OSError):
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            return
        held = _locked(folder)
        if held is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(held)


def _locked(folder: Path) -> int | None:
    """Lock a folder until the process ends, however it ends; None where it is locked or cannot be."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # Windows
        return None
    held = os.open(folder, os.O_RDONLY)
    try:
        flock(held, LOCK_EX | LOCK_NB)
    except OSError:
        os.close(held)
        return None
    return held
