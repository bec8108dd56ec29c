"""How far an experiment is."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from credibly._core.findings import Finding
from credibly.experiments.store.lock import driver_of
from credibly.results.result import Result

if TYPE_CHECKING:
    from credibly.experiments.store.store import Store


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


def standing(store: Store) -> Standing:
    """Count the cells of an experiment."""
    r = store.results()
    counts: dict[tuple[str, str], Counter[str]] = {}
    for dataset, scheme, status in zip(r.dataset, r.scheme, r.status, strict=True):
        counts.setdefault((dataset, scheme), Counter())[status] += 1
    changes = (Finding(**f) for run in store.runs()[-1:] for f in run.get("findings", ()))
    findings = (*r.findings, *r.failures(), *changes)
    return Standing(str(store.folder), counts, driver_of(store.folder), findings)
