"""The studies of earlier starts: names and fingerprints in a private file of the user, never data."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credibly._core.files import beside

if TYPE_CHECKING:
    from credibly.app.prediction_store import Kept

MAX_RECENT = 12
MAX_BYTES = 1_000_000
TEXT_FIELDS = ("name", "about", "fingerprint", "day")


def recent_file() -> Path:
    """Return where this user's programs keep what they remember."""
    states = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(states, "credibly", "recent.json")


@dataclass(frozen=True, slots=True)
class RecentStudies:
    """What was opened: how files, columns and classes are called, how many cases there were, and when.

    >>> RecentStudies(Path("nowhere")).all()
    []
    """

    path: Path

    def all(self) -> list[dict[str, Any]]:
        """Return the studies, the newest first; entries that cannot be read are left out."""
        try:
            with self.path.open("rb") as file:
                found = json.loads(file.read(MAX_BYTES))
        except (OSError, ValueError, RecursionError):
            return []
        return (
            [each for each in found if _is_study(each)][:MAX_RECENT]
            if isinstance(found, list)
            else []
        )

    def add(self, kept: Kept) -> None:
        """Remember a set, in place of one of the same name."""
        about = kept.to_dict()
        made = {name: about[name] for name in ("name", "about", "fingerprint", "options")}
        made["day"] = date.today().isoformat()
        others = [each for each in self.all() if each["name"] != kept.name]
        with suppress(OSError):  # a disk that is full, or a home that is nobody's
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with beside(self.path) as part:
                part.touch(mode=0o600)
                part.write_text(json.dumps([made, *others][:MAX_RECENT]), encoding="utf-8")

    def forget(self) -> None:
        """Remember nothing any more."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


def _is_study(each: object) -> bool:
    """Whether this is what :meth:`RecentStudies.add` writes."""
    return (
        isinstance(each, dict)
        and all(isinstance(each.get(name), str) for name in TEXT_FIELDS)
        and isinstance(each.get("options"), dict)
    )
