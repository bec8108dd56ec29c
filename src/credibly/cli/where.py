"""The options that say what counts the predictions: memory for a small file, an engine for the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

if TYPE_CHECKING:
    from pathlib import Path

    from credibly.cli.columns import Columns
    from credibly.predictions import Predictions

WHERE = Group.create_ordered("Predictions that are many, or elsewhere")
LARGE = 256 << 20  # bytes of a file from which on an engine counts it


def _where(text: str) -> Parameter:
    return Parameter(group=WHERE, help=text, negative=())


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """What counts the predictions, and how exactly."""

    engine: Annotated[
        str | None,
        _where(
            "memory, or a name from `credibly list engines`; by the size of the files if not given. "
            "An engine leaves bad rows out and says so; a file read into memory is refused for them."
        ),
    ] = None
    connect: Annotated[
        str | None,
        _where("Address of a database, such as postgresql://user@host/name; FILE is its table."),
    ] = None
    exact: Annotated[
        bool, _where("Count by distinct score, not in bins with an error below --tolerance.")
    ] = False
    memory: Annotated[str | None, _where("What DuckDB may take before it spills, such as 2GB.")] = (
        None
    )
    spill: Annotated[str | None, _where("Folder for what does not fit into memory.")] = None
    threads: Annotated[int | None, _where("Threads of an engine.")] = None

    def predictions(self, file: Path, columns: Columns, measures: list[str]) -> Predictions:
        """Read a small file, or have the rest counted."""
        if self._is_small(file):
            return columns.read(file)
        from credibly.engines import summarise

        return summarise(str(file), measures=measures or None, **self.options(columns))

    def options(self, columns: Columns) -> dict[str, Any]:
        """Return the arguments of the verbs of `engines`."""
        own = {name: getattr(self, name) for name in self.__slots__}
        roles = {k: v for k, v in columns.options().items() if k != "format" and v is not None}
        return {**own, "engine": self.engine or "auto", **roles}

    def _is_small(self, file: Path) -> bool:
        if self.connect is not None or self.engine not in {None, "memory"}:
            return False
        if not file.exists() and any(c in str(file) for c in "*?["):
            return False
        return not file.is_dir() and (
            self.engine == "memory" or not file.is_file() or file.stat().st_size < LARGE
        )


HERE = Where()
