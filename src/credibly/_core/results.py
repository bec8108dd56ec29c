"""What a reader should know before believing a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from credibly._core.display import Printed

Severity = Literal["problem", "caution", "note"]


@dataclass(frozen=True, slots=True)
class Finding(Printed):
    """Something a reader should know before believing a number."""

    code: str
    severity: Severity
    message: str
    action: str = ""

    def to_dict(self) -> dict[str, str]:
        """Return the fields by name."""
        return {name: getattr(self, name) for name in ("code", "severity", "message", "action")}

    def __str__(self) -> str:
        return f"{self.severity}: {self.message} {self.action}".rstrip()
