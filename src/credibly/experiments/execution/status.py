"""How far an experiment is."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from credibly._core.display import Printed
from credibly._core.results import Finding
from credibly._core.text import plain_table
from credibly.experiments.store.lock import driver_of
from credibly.results.formats import SCHEMA_VERSION

if TYPE_CHECKING:
    from credibly.experiments.store.store import Store


@dataclass(frozen=True, slots=True, eq=False)
class Standing(Printed):
    """The cells of each dataset and scheme by status, and who is at work."""

    folder: str
    counts: dict[tuple[str, str], Counter[str]]
    driver: int | None
    findings: tuple[Finding, ...] = ()

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

    def to_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        return {
            "folder": self.folder,
            "total": self.total,
            "done": self.done,
            "missing": self.missing,
            "driver": self.driver,
            "rows": self.rows(),
            "findings": [f.to_dict() for f in self.findings],
        }

    def to_json(self, indent: int | None = 2) -> str:
        """Return JSON."""
        whole = {"schema_version": SCHEMA_VERSION, **self.to_dict()}
        return json.dumps(whole, indent=indent, ensure_ascii=False)

    def heading(self) -> str:
        """Say it in one line."""
        failed = self.total - self.done - self.missing
        parts = [f"{self.done:,} of {self.total:,} cells are done"]
        parts += [f"{failed:,} failed"] if failed else []
        parts += [f"{self.missing:,} are missing"] if self.missing else []
        parts += [f"process {self.driver} is at work"] if self.driver else []
        return f"{self.folder}: {', '.join(parts)}."

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Return header and body of the table as people read it."""
        rows = self.rows()
        header = ["dataset", "scheme", "done", "failed", "missing"]
        return header, [[str(row[h]) for h in header] for row in rows]

    def __str__(self) -> str:
        notes = [f"  {f}" for f in self.findings]
        return "\n".join([self.heading(), plain_table(*self.cells()), *notes])


def standing(store: Store) -> Standing:
    """Count the cells of an experiment."""
    r = store.results()
    counts: dict[tuple[str, str], Counter[str]] = {}
    for dataset, scheme, status in zip(r.dataset, r.scheme, r.status, strict=True):
        counts.setdefault((dataset, scheme), Counter())[status] += 1
    changes = (Finding(**f) for run in store.runs()[-1:] for f in run.get("findings", ()))
    said = (*r.findings, *r.failures(), *changes)
    return Standing(str(store.folder), counts, driver_of(store.folder), said)
