"""How far an experiment is."""

from __future__ import annotations

from collections import Counter
from typing import Any

from credibly._core.findings import Finding
from credibly.results.result import Result


class Standing(Result):
    """The cells of each dataset and scheme by status, and who is at work."""

    folder: str
    counts: dict[tuple[str, str], Counter[str]]
    driver: int | None
    findings: tuple[Finding, ...] = ()

    json_keys = "folder total done missing driver rows findings"

    @property
    def done(self) -> int:
        """Cells that were fitted and judged."""
        return sum(c["done"] for c in self.counts.values())

    @property
    def missing(self) -> int:
        """Cells that have not been run."""
        return sum(c["missing"] for c in self.counts.values())

    @property
    def total(self) -> int:
        """All cells that the plan asks for."""
        return sum(c.total() for c in self.counts.values())

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat dictionary for each dataset and scheme."""
        return [
            {
                "dataset": dataset,
                "scheme": scheme,
                "done": c["done"],
                "failed": c.total() - c["done"] - c["missing"],
                "missing": c["missing"],
            }
            for (dataset, scheme), c in self.counts.items()
        ]

    def heading(self) -> str:
        """Say it in one line."""
        failed = self.total - self.done - self.missing
        parts = [f"{self.done:,} of {self.total:,} cells are done"]
        parts += [f"{failed:,} failed"] if failed else []
        parts += [f"{self.missing:,} are missing"] if self.missing else []
        parts += [f"process {self.driver} is running it"] if self.driver else []
        return f"{self.folder}: {', '.join(parts)}."
