"""The options that say what counts the predictions: memory for a small file, an engine for the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from credibly.cli.options import WHERE, Options
from credibly.errors import Argument, ParameterError, Sentence, says
from credibly.predictions import Predictions

if TYPE_CHECKING:
    from credibly.cli.columns import Columns

FILE_OPTIONS = {"format", "matrix", "orientation"}  # what is for files that are read whole
LARGE_FILE = 256 << 20  # bytes of a file from which on an engine counts it


class CountingEngine(Options):
    """What counts the predictions, and how exactly."""

    verb = "credibly.engines.summarise:summarise"
    takes = "engine connect exact memory spill threads"
    group = WHERE
    first = ""
    defaults = {"engine": None}
    says = {
        "engine": "memory, or a name from ``credibly list engines``; chosen by the size of the "
        "files by default. An engine leaves out bad rows and says so; a file with bad rows that is read into memory is refused.",
        "connect": "Address of a database, such as postgresql://user@host/name; FILE is its table.",
        "exact": "Count by distinct score, not in bins with an error below --tolerance.",
    }

    def keeps_rows(self, file: Path, columns: Columns) -> bool:
        """Whether a file is read into memory."""
        return bool(columns.get("matrix")) or self._is_small(file)

    def predictions(
        self, file: Path, columns: Columns, measures: list[str] | None, by: Sequence[str] = ()
    ) -> Predictions:
        """Read a small file, or have the rest counted, in slices by columns if there are any."""
        if self.keeps_rows(file, columns):
            self._check()
            return columns.read(file)
        from credibly.engines import summarise

        return summarise(str(file), measures=measures, by=by, **self.options(columns))

    def _check(self) -> None:
        """Refuse limits that would be refused for a large file."""
        limits = {k: v for k, v in self.items() if k in {"memory", "spill", "threads"}}
        if limits:
            from credibly.engines._tables import EngineLimits

            EngineLimits(**limits)

    def options(self, columns: Columns) -> dict[str, Any]:
        """Return the arguments of the verbs of `engines`."""
        if columns.get("matrix"):
            raise ParameterError(
                says("<matrix=True> says that the file is counted already: no engine is needed.")
            )
        for name in ("only_model", "models", "y_pred"):
            if name in columns:
                raise ParameterError(
                    says(
                        "{it} is for files that are read into memory, and this one is counted by an engine.",
                        it=Argument(name),
                    ),
                    remedy=says("Set <engine='memory'> if it fits."),
                )
        return {**self, **{k: v for k, v in columns.items() if k not in FILE_OPTIONS}}

    def _is_small(self, file: Path) -> bool:
        engine = self.get("engine")
        if "connect" in self or engine not in {None, "memory"}:
            return False
        if not file.exists() and any(c in str(file) for c in "*?["):
            return False
        if file.is_dir():
            from credibly.io._declare import holds_logs

            return holds_logs(file)
        return engine == "memory" or not file.is_file() or file.stat().st_size < LARGE_FILE


class WideTable(Options):
    """One table with a column for each model, which an engine counts together."""

    verb = "credibly.cli.counting_engine:read_models"
    leave_out = "file columns counting models"
    group = WHERE
    first = ""


def read_models(
    file: Path,
    columns: Columns,
    counting: CountingEngine,
    models: Mapping[str, str],
    *,
    models_give: Literal["probability", "score", "label", "value"] = "probability",
    bins: int | None = None,
) -> dict[str, Predictions]:
    """Have the columns of several models counted, case by case together.

    Parameters
    ----------
    models
        Columns of several models in one table, by the names of the models.
    models_give
        What the columns of --models hold.
    bins
        Number of bins of scores per model; the output says how far they may move a measure.
    """
    from credibly.engines import summarise_models

    asked = counting.options(columns)
    role: str = models_give
    if role in asked:
        raise ParameterError(
            f"models names the columns of {role} of each model.",
            remedy=Sentence("Leave out ", Argument(role), "."),
        )
    if asked.pop("exact", False) and bins is not None:
        raise ParameterError(
            "Exact counts do not use bins.", remedy=says("Leave out <exact=True> or <bins=...>.")
        )
    roles = {name: {role: column} for name, column in models.items()}
    return summarise_models(str(file), roles, bins=bins, **asked)
