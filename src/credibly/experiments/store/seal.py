"""A seal on the database of an experiment: whether it is as the last driver left it.

The database itself has no sums: a byte that flips in a value makes another value. A driver breaks the
seal before it writes and seals again when it has ended, so one that was killed leaves none.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from credibly.io._column_files import sum_of, synced

SEAL_FILE = "seal.json"

State = Literal["whole", "unknown", "changed"]


def state_of(database: Path) -> State:
    """Say whether a database is as it was sealed; nothing is known of one that is not, or is in use."""
    sealed = _read(database)
    if not sealed or not database.exists():
        return "unknown"
    if sum_of(database) == sealed:
        return "whole"
    return "changed" if _read(database) == sealed else "unknown"  # a driver may have come


def unseal(database: Path) -> None:
    """Take the seal off: what comes next changes the database."""
    database.with_name(SEAL_FILE).unlink(missing_ok=True)


def seal(database: Path) -> None:
    """Note the sum of a database that nobody writes to any more."""
    beside = database.with_name(f"{SEAL_FILE}.part")
    beside.write_text(json.dumps({database.name: sum_of(database)}))
    synced(beside)
    beside.replace(database.with_name(SEAL_FILE))


def _read(database: Path) -> str:
    try:
        noted = json.loads(database.with_name(SEAL_FILE).read_bytes())
    except (OSError, ValueError):
        return ""
    return str(noted.get(database.name, "")) if isinstance(noted, dict) else ""
