"""The folder of an experiment: what is done, its values, and every prediction.

``experiment.sqlite`` knows the plan and the cells, ``predictions`` holds Parquet files with the
predictions of the cells, ``data`` the datasets as plain arrays. A file of predictions is complete
before a row of the database names it, and rows of a batch come in one transaction, so whatever is
in the store is whole. Only one process, the driver, writes.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import astuple
from datetime import UTC, datetime
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from credibly._core.findings import Finding
from credibly.errors import DataError
from credibly.experiments.analysis.results import WHOLE_TRAINING_PART, Results, failures_stay
from credibly.experiments.caveats import about_datasets, about_outputs
from credibly.experiments.execution.tasks import FitAnswer, Task
from credibly.experiments.findings import CHANGED_STORE
from credibly.experiments.plan.cells import ExperimentDesign
from credibly.experiments.plan.plan import Plan
from credibly.experiments.store import lock, schema, seal
from credibly.experiments.store.lock import driver_of
from credibly.experiments.store.predictions import (
    PLAIN_FIELDS,
    read_predictions,
    write_predictions,
)
from credibly.experiments.store.records import Records, reads
from credibly.experiments.store.schema import DATA_FOLDER, PREDICTIONS_FOLDER, explained
from credibly.experiments.store.status import Standing
from credibly.predictions import CostMatrix, Design, Predictions
from credibly.results.formats import json_ready

CHANGED_FINDING = CHANGED_STORE(store=schema.DATABASE_FILE, seal=seal.SEAL_FILE)


class Store(Records):
    """A folder with the results of an experiment, open for reading; :meth:`driving` also writes.

    >>> import credibly, tempfile
    >>> experiment = credibly.Experiment(["zero-r", "naive-bayes"], ["iris"], resampling="3", rng=1)
    >>> store = experiment.run(tempfile.mkdtemp(), n_jobs=1)
    >>> store.results()
    2 schemes on 1 dataset, 3 splits each: error_rate, auc, brier, kappa
    >>> store.predictions("iris", "naive-bayes")
    Predictions(150 rows by naive-bayes, classes 'setosa', 'versicolor', 'virginica', columns: label, probability)
    """

    @classmethod
    @contextmanager
    def of_earlier_runs(cls, folder: str | PathLike[str] | None) -> Iterator[Store | None]:
        """Open a folder to read, where it is one of an experiment."""
        if folder is None or not (Path(folder) / schema.DATABASE_FILE).exists():
            yield None
            return
        with closing(cls(folder)) as store:
            yield store

    @classmethod
    @contextmanager
    def driving(cls, folder: str | PathLike[str]) -> Iterator[Store]:
        """Open a folder, or make one, for the one process that writes."""
        home = Path(folder)
        with ExitStack() as stack:
            with explained(home):
                for each in (home, home / DATA_FOLDER, home / PREDICTIONS_FOLDER):
                    each.mkdir(parents=True, exist_ok=True)
                stack.enter_context(lock.locked(home))
                store = cls(home, write=True)
                if store.state != "changed":
                    seal.unseal(home / schema.DATABASE_FILE)
            stack.callback(store.close_and_seal)
            yield store

    def close_and_seal(self) -> None:
        """Close the database as a driver does: whoever opens it next can tell that it is whole."""
        path = self.folder / schema.DATABASE_FILE
        with suppress(sqlite3.Error, OSError):  # a full disk keeps no seal, and nothing is lost
            (busy, *_) = self._one("PRAGMA wal_checkpoint(TRUNCATE)")
            self.close()
            if not busy and self.state != "changed":
                seal.seal(path)
        self.close()

    def __repr__(self) -> str:
        return f"Store({str(self.folder)!r})"

    def _repr_html_(self) -> str:
        return self.standing()._repr_html_()

    def standing(self) -> Standing:
        """Count the cells of each dataset and scheme by status, and say who is at work."""
        r = self.results()
        counts: dict[tuple[str, str], Counter[str]] = {}
        for dataset, scheme, status in zip(r.dataset, r.scheme, r.status, strict=True):
            counts.setdefault((dataset, scheme), Counter())[status] += 1
        changes = (Finding(**f) for run in self.runs()[-1:] for f in run.get("findings", ()))
        findings = (*r.findings, *r.failures(), *changes)
        return Standing(str(self.folder), counts, driver_of(self.folder), findings)

    @reads
    def plan(self) -> Plan:
        """Return the plan that is in force."""
        return Plan.from_dict(self._kept_plan())

    def _kept_plan(self) -> Any:
        kept = self.meta("plan")
        if kept is None:
            raise DataError(f"{self.folder} has no plan: no experiment has been run there.")
        return kept

    @reads
    def results(self) -> Results:
        """Return one row for each cell that the plan asks for, those not run yet included."""
        self._kept_plan()
        measures: list[str] = self.meta("measures") or []
        cursor = self._database.execute(
            """SELECT w.dataset, w.scheme, w.size, w.repeat, w.fold, coalesce(c.error, '') error,
                      coalesce(c.status, 'missing') status, c.n_train, c.n_test, c.fit_seconds,
                      c.predict_seconds, c.id, d.facts
               FROM wanted w JOIN dataset d ON d.name = w.dataset LEFT JOIN cell c ON c.key = w.key
               WHERE w.repeat >= 0 AND w.fold >= 0 ORDER BY w.place"""
        )
        rows = cursor.fetchall()
        names = [name for name, *_ in cursor.description]
        columns: dict[str, Any] = {n: [row[i] for row in rows] for i, n in enumerate(names)}
        ids, texts = columns.pop("id"), columns.pop("facts")
        values = self.values()
        facts = {text: json.loads(text) for text in dict.fromkeys(texts)}
        cells = [(i, facts[text]["costs"]) for i, text in zip(ids, texts, strict=True)]
        failed = sum(status not in {"missing", "done"} for status in columns["status"])
        return Results.of(
            **columns,
            values={m: [values.get((i, m, c), np.nan) for i, c in cells] for m in measures},
            resampling=self.meta("resampling") or "",
            findings=(*self._findings(), *failures_stay(failed)),
            ranges={d: _ranges(facts[t]) for d, t in zip(columns["dataset"], texts, strict=True)},
            design=Design.merged(Design.from_dict(of.get("design")) for of in facts.values()),
        )

    def _findings(self) -> tuple[Finding, ...]:
        known = self.datasets()
        said = (Finding(**f) for f in self.meta("findings") or ())
        outputs = self._all(
            """SELECT DISTINCT w.dataset, w.scheme, c.source FROM wanted w JOIN cell c ON c.key = w.key
               WHERE c.status = 'done' ORDER BY w.place"""
        )
        lacking = about_outputs(outputs, known, self.meta("measures") or [])
        changed = (CHANGED_FINDING,) if self.state == "changed" else ()
        return (*changed, *about_datasets(known), *said, *lacking)

    @reads
    def predictions(
        self,
        dataset: str,
        scheme: str | Sequence[str] | None = None,
        size: float = WHOLE_TRAINING_PART,
    ) -> Predictions:
        """Return the predictions of some schemes, or of all, for a dataset.

        ``size`` chooses a point of a learning curve; without it, whole training parts.
        """
        return read_predictions(self, dataset, scheme, size)

    # ---- what the driver writes

    def begin(self, design: ExperimentDesign, facts: Mapping[str, Any]) -> int:
        """Note the plan as the one in force, and that a run of it has started; return its number.

        A dataset that cannot be used now stays known by the data that it had before.
        """
        before = {name: facts["data"] for name, facts in self.datasets().items()}
        with self._transaction() as write:
            write.execute("DELETE FROM dataset")
            write.execute(
                """INSERT OR REPLACE INTO former
                   SELECT key, dataset, scheme FROM wanted WHERE key IN (SELECT key FROM cell)"""
            )
            write.execute("DELETE FROM wanted")
            for name, value in design.notes.items():
                write.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, _json(value)))
            datasets = [
                (d.name, d.data or before.get(d.name, ""), d.error, _json(d.facts))
                for d in design.datasets
            ]
            write.executemany("INSERT INTO dataset VALUES (?, ?, ?, ?)", datasets)
            places = [(i, *astuple(c)) for i, c in enumerate(design.cells)]
            write.executemany("INSERT INTO wanted VALUES (?, ?, ?, ?, ?, ?, ?)", places)
            made = write.execute(
                "INSERT INTO run VALUES (NULL, ?, NULL, ?)", (_now(), _json(facts))
            )
            return int(made.lastrowid or 0)

    def end(self, run: int) -> None:
        """Note that a run has come to its end."""
        with self._transaction() as write:
            write.execute("UPDATE run SET ended = ? WHERE id = ?", (_now(), run))

    def add(self, run: int, answers: Sequence[tuple[Task, FitAnswer]]) -> None:
        """Keep answers: their predictions in files that are whole, then all their rows at once."""
        with explained(self.folder):
            (first,) = self._one("SELECT coalesce(max(id), 0) + 1 FROM cell")
            numbered = [(first + i, t, a) for i, (t, a) in enumerate(answers)]
            files = write_predictions(self.folder / PREDICTIONS_FOLDER, numbered)
            with self._transaction() as write:
                cells = [_row(i, run, t, a, files.get(i, "")) for i, t, a in numbered]
                write.executemany(_insertion(cells[0]), cells)
                self._insert_values(
                    (i, m, digest_of(t.setting.costs), v)
                    for i, t, a in numbered
                    for m, v in a.values.items()
                )

    def add_values(self, values: Iterable[tuple[int, str, str, float]]) -> None:
        """Keep values (of a cell, by a measure, under costs) that were computed from kept predictions."""
        with self._transaction():
            self._insert_values(values)

    def _insert_values(self, values: Iterable[tuple[int, str, str, float]]) -> None:
        rows = ((i, m, c, None if np.isnan(v) else float(v)) for i, m, c, v in values)
        self._database.executemany("INSERT OR REPLACE INTO value VALUES (?, ?, ?, ?)", rows)

    def forget(self, keys: Iterable[str]) -> None:
        """Remove cells; their predictions stay in files until no cell of a file is left."""
        with self._transaction() as write:
            gone = [(k,) for k in keys]
            write.executemany("DELETE FROM cell WHERE key = ?", gone)
            write.executemany("DELETE FROM former WHERE key = ?", gone)


def _row(i: int, run: int, task: Task, answer: FitAnswer, file: str) -> dict[str, Any]:
    r = answer.result
    return {name: getattr(r, name) for name in PLAIN_FIELDS} | {
        "id": i,
        "key": task.key,
        "run": run,
        "data": Path(task.setting.data).name,
        "status": answer.status,
        "warned": _json(r.warned),
        "n_test": r.n_test,
        "source": "" if r.output is None else r.output.source,
        "baseline": _json(None if r.baseline is None else r.baseline.tolist()),
        "file": file,
    }


def _insertion(row: Mapping[str, Any]) -> str:
    values = ", ".join(f":{name}" for name in row)
    return f"INSERT INTO cell ({', '.join(row)}) VALUES ({values})"  # noqa: S608


def _ranges(facts: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """Return the ends of each measure on a dataset, as far as a run has noted them."""
    return {m: (float(low), float(high)) for m, (low, high) in facts.get("ranges", {}).items()}


def digest_of(costs: CostMatrix | None) -> str:
    """Return a text that differs where costs differ; none for none."""
    if costs is None:
        return ""
    return blake2b(repr((costs.classes, costs.values.tolist())).encode(), digest_size=8).hexdigest()


def _json(value: object) -> str:
    return json.dumps(json_ready(value), ensure_ascii=False)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
