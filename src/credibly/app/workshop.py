"""What Try schemes and Experiments work on: data, runs, and results that were opened."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credibly.app.prediction_store import UnknownSetError, new_id
from credibly.app.runs import RESULTS_FOLDER, Runs, made_by
from credibly.app.spelling import spelled_analysis

if TYPE_CHECKING:
    from credibly.app.data_files import DataFile
    from credibly.experiments import Analysis, Results

MAX_KEPT = 8  # of each kind


def is_experiment(path: Path) -> bool:
    """Whether this is the folder of an experiment."""
    from credibly.experiments.store.schema import DATABASE_FILE

    return (path / DATABASE_FILE).is_file()


@dataclass(frozen=True, slots=True)
class KeptResults:
    """Results of an experiment: those in a file that was sent, or a folder of the owner."""

    name: str
    held: Results | Path
    id: str = field(default_factory=new_id)


@dataclass(slots=True)
class Workshop:
    """Data, runs and results by id; the oldest go when there are too many."""

    runs: Runs = field(default_factory=Runs)
    _data: dict[str, DataFile] = field(default_factory=dict)
    _results: dict[str, KeptResults] = field(default_factory=dict)

    def keep_data(self, data: DataFile) -> DataFile:
        """Keep data; a file that runs may still need goes with the server."""
        self._data[data.id] = data
        return data

    def data(self, key: str) -> DataFile:
        """Return data by their id."""
        if key not in self._data:
            raise UnknownSetError("These data are not open any more. Open them again.")
        return self._data[key]

    def keep_results(self, name: str, held: Results | Path) -> KeptResults:
        """Keep results, in place of the oldest where there are too many."""
        kept = KeptResults(name, held)
        self._results[kept.id] = kept
        while len(self._results) > MAX_KEPT:
            del self._results[next(iter(self._results))]
        return kept

    def results(self) -> list[KeptResults]:
        """Return all results that were opened, the newest first."""
        return list(self._results.values())[::-1]

    def folders(self) -> set[Path]:
        """Return the folders of the owner that are open."""
        held = [each.held for each in self._results.values()]
        return {path for path in held if isinstance(path, Path)}

    def name_of(self, key: str) -> str:
        """Return what a run or results are called."""
        return self._results[key].name if key in self._results else self.runs[key].name

    def spelled(self, key: str, asked: dict[str, Any]) -> dict[str, list[str]]:
        """Write an analysis as commands and as Python."""
        if key in self._results:
            path, first = self.name_of(key), list[str]()
            reader = "Store" if isinstance(self._results[key].held, Path) else "read_results"
            subject = f"credibly.experiments.{reader}({path!r})"
        else:
            made = made_by(self.runs[key].plan)
            path, first, subject = RESULTS_FOLDER, [*made.shell], made.python
        return spelled_analysis(path, subject, first, asked)

    def analysis(self, key: str, asked: dict[str, Any]) -> tuple[Analysis, list[str]]:
        """Analyse a run or results, and return the measures that there are."""
        from credibly.experiments import Store, analyse

        held = self._results[key].held if key in self._results else self.runs[key].store
        if not isinstance(held, Path):
            return analyse(held, **asked), list(held.values)
        with closing(Store(held)) as store:
            return analyse(store, **asked), list(store.results().values)
