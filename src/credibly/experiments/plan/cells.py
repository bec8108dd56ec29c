"""The cells that a plan comes to, and what is noted of its datasets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from credibly.predictions import CostMatrix

if TYPE_CHECKING:
    from credibly.experiments.execution.tasks import Task


@dataclass(frozen=True, slots=True)
class Cell:
    """One place in the grid of an experiment, and the key under which its result is kept."""

    dataset: str
    scheme: str
    size: float
    repeat: int
    fold: int
    key: str


@dataclass(frozen=True, slots=True, eq=False)
class DatasetNote:
    """What the store notes of a dataset; one that cannot be used has its error, and data if some are kept."""

    name: str
    data: str = ""
    error: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    costs: CostMatrix | None = None

    def known(self) -> dict[str, Any]:
        """Return it as the store does."""
        return {"data": self.data, "error": self.error, **self.facts}


@dataclass(frozen=True, slots=True, eq=False)
class ExperimentDesign:
    """All cells of an experiment, and a task for each key; two names of the same fit share one."""

    notes: dict[str, Any]
    datasets: list[DatasetNote]
    cells: list[Cell]
    tasks: dict[str, Task]
    mended: dict[str, str]  # datasets whose kept data were damaged and are kept again, and how
