"""Plug-ins: modules of other installed packages that declare things, listed in the group of entry points ``credibly.plugins``.

They are imported when a registry is listed, or asked for a name that Credibly itself does not have, and not before.
"""

from __future__ import annotations

import os  # and not pathlib, which nothing else would import at the start
import sys
import warnings
from contextlib import suppress
from importlib import import_module

ENTRY_POINT_GROUP = "credibly.plugins"
failures: dict[str, str] = {}  # what went wrong, by the name of the plug-in
_loaded = False


def load_plugins() -> None:
    """Import the modules of all plug-ins; one that fails is warned of and leaves the others alone."""
    global _loaded  # noqa: PLW0603
    if _loaded:
        return
    if _are_there():
        _import_all()
    _loaded = True  # only now: another thread must not see half of the entries


def _are_there() -> bool:
    """Whether some package on the path has plug-ins: importing what reads metadata takes ten times as long."""
    for folder in sys.path:
        with suppress(OSError):
            for name in os.listdir(folder or "."):  # noqa: PTH208
                if name.endswith((".dist-info", ".egg-info")) and _declares(folder, name):
                    return True
    return False


def _declares(folder: str, info: str) -> bool:
    try:
        with open(f"{folder}/{info}/entry_points.txt", "rb") as file:  # noqa: PTH123
            return f"[{ENTRY_POINT_GROUP}]".encode() in file.read()
    except OSError:
        return False


def _import_all() -> None:
    from importlib.metadata import entry_points

    try:
        points = tuple(entry_points(group=ENTRY_POINT_GROUP))
    except Exception as error:  # a damaged file of any package on the path
        _failing("entry points", error)
        return
    for point in points:
        try:
            import_module(point.module)
        except (Exception, SystemExit) as error:
            _failing(point.name, error)


def _failing(name: str, error: BaseException) -> None:
    if name not in failures:
        failures[name] = f"{type(error).__name__}: {error}"
        warnings.warn(_failed(name), RuntimeWarning, stacklevel=5)


def _failed(name: str) -> str:
    return f"The plug-in {name!r} cannot be imported ({failures[name]})."


def failure_text() -> str:
    """Say which plug-ins cannot be imported, after an error that may be due to it; else nothing."""
    return "".join(f" {_failed(name)}" for name in failures)
