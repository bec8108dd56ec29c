"""The options that say what counts the predictions: memory for a small file, an engine for the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from credibly._core.errors import ParameterError
from credibly.cli.columns import many

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
            self._check()
            return columns.read(file)
        from credibly.engines import summarise

        return summarise(str(file), measures=measures or None, **self.options(columns))

    def _check(self) -> None:
        """Refuse limits that would be refused for a large file."""
        if (self.memory, self.spill, self.threads) != (None, None, None):
            from credibly.engines._declare import Limits

            Limits(memory=self.memory, spill=self.spill, threads=self.threads)

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


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class WideTable:
    """One table with a column for each model, which an engine counts together."""

    models: Annotated[
        str | None,
        _where("Columns of several models in one table, such as tree=p_tree,forest=p_forest."),
    ] = None
    models_give: Annotated[
        Literal["probability", "score", "label", "value"], _where("What those columns hold.")
    ] = "probability"
    bins: Annotated[
        int | None,
        _where("Count scores in so many bins a model; what that may move is said."),
    ] = None

    def read(self, file: Path, columns: Columns, where: Where) -> dict[str, Predictions]:
        """Have the columns counted, case by case together."""
        from credibly.engines import summarise_models

        asked = where.options(columns)
        if self.models_give in asked:
            raise ParameterError(
                f"models names the columns of {self.models_give} of each model: leave out {self.models_give}=... ."
            )
        if asked.pop("exact") and self.bins is not None:
            raise ParameterError("Exact counts have no bins: leave out exact or bins=... .")
        role: str = self.models_give
        roles = {name: {role: column} for name, column in self._columns().items()}
        return summarise_models(str(file), roles, bins=self.bins, **asked)

    def _columns(self) -> dict[str, str]:
        pairs = [part.partition("=") for part in many(self.models) or ()]
        found = {name.strip(): column.strip() for name, _, column in pairs}
        if not all(found.values()) or len(found) < len(pairs):
            raise ParameterError(
                f"models must give each model its column once, such as tree=p_tree,forest=p_forest; got {self.models!r}."
            )
        if len(found) < 2:
            raise ParameterError(
                f"A comparison needs two models: models must name at least two; got {self.models!r}."
            )
        return found


HERE, LONG = Where(), WideTable()
