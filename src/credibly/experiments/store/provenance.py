"""Where and with what an experiment was run."""

from __future__ import annotations

import os
import platform
import sys
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from credibly.running.assembly import versions_of

if TYPE_CHECKING:
    from credibly.schemes import Scheme

# What decides on the numbers, and so is part of the key of a cell.
DECISIVE_PACKAGES = ("credibly", "numpy", "scipy", "scikit-learn")
OTHER_PACKAGES = ("joblib", "duckdb", "dask", "distributed")


@cache
def _decisive() -> dict[str, str]:
    return versions_of(DECISIVE_PACKAGES)


def versions_for(scheme: Scheme) -> dict[str, str]:
    """Return the versions of the packages on which the fits of a scheme depend."""
    home = type(scheme.estimator).__module__.partition(".")[0]
    own = {} if scheme.entry or home in {"sklearn", "credibly"} else versions_of([home])
    return _decisive() | own


def facts_of_run(seed: int, **options: object) -> dict[str, Any]:
    """Return versions, hardware and options of the run that starts now."""
    return {
        "seed": seed,
        "versions": {
            "python": platform.python_version(),
            **versions_of((*DECISIVE_PACKAGES, *OTHER_PACKAGES)),
        },
        "machine": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory": _memory(),
        "system": platform.platform(),
        "host": platform.node(),
        "pid": os.getpid(),
        "command": sys.argv,
        **options,
    }


def _processor() -> str:
    with suppress(OSError), open("/proc/cpuinfo") as file:  # noqa: PTH123
        for line in file:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor()


def _memory() -> int | None:
    """Bytes of memory, where the system tells."""
    with suppress(AttributeError, ValueError, OSError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return None
