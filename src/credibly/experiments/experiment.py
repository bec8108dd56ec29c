"""The experiment: schemes on datasets, resampled, kept in a folder."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from joblib import effective_n_jobs

from credibly._core.parameters import require, whole
from credibly._core.seeds import FIXED_SEED
from credibly._core.text import count
from credibly.experiments.caveats import about_changes
from credibly.experiments.execution.driver import Workers, backend as working_on
from credibly.experiments.execution.progress import watched
from credibly.experiments.execution.tasks import values_of
from credibly.experiments.plan.design import DEFAULT_RESAMPLING, design, refuse_missing_files
from credibly.experiments.plan.plan import Plan
from credibly.experiments.store.predictions import damaged, job_of, results_of
from credibly.experiments.store.provenance import facts_of_run
from credibly.experiments.store.removal import sweep
from credibly.experiments.store.schema import DATA_FOLDER
from credibly.experiments.store.store import Store
from credibly.running.assembly import predictions_of
from credibly.running.execution import check_jobs

if TYPE_CHECKING:
    from credibly.experiments.execution.forecast import Forecast
    from credibly.experiments.execution.tasks import FitAnswer, Task
    from credibly.experiments.plan.cells import ExperimentDesign
    from credibly.experiments.store.verification import Verification

FLUSH_SECONDS = 1.0  # between two writes: what the death of the driver can cost
FLUSH_ANSWERS = 500


class Experiment:
    """Schemes on datasets with the same resampling, every result kept in a folder that loses nothing.

    Running it again, or resuming after a crash, does exactly what is missing: a scheme, a dataset,
    a repeat or a measure that was added. What depends on changed data, parameters or package
    versions is another cell; nothing is mixed.

    Parameters
    ----------
    schemes
        As :func:`credibly.run` takes them; also ``{"scheme": "knn", "grid": {"k": [1, 5]}}`` for
        one scheme a combination, or ``"tune"`` in place of ``"grid"`` for one that chooses inside
        its training part.
    datasets
        Files, patterns such as ``"data/*.arff"``, bundled names, or dictionaries with ``data`` and
        the names of columns: ``target``, ``group``, ``weight``, ``time``, ``fold``, ``ignore``. A
        frame is ``{"name": {"data": frame, "target": "y"}}``; arrays are ``{"name": (X, y)}``, or
        ``{"name": {"data": (X, y), "group": array}}``.
    resampling
        As :func:`credibly.run` takes it; ten times ten folds by default, which keep groups
        whole where a dataset has them.
    measures
        Names of measures; a few by default. Others can be added later without fitting again.
    rng
        Seed of everything random; a fixed one by default.
    sizes
        Shares of the training part or numbers of rows, one or several, for learning curves. Where
        a dataset has too few rows for one, it goes without and a finding says so.
    limits
        ``{"seconds": 60, "memory": "2 GB"}`` for each fit.

    >>> import credibly, tempfile
    >>> experiment = credibly.Experiment(
    ...     ["zero-r", "knn(k=3)"], ["wine", "breast-cancer"], resampling="3", rng=1)
    >>> store = experiment.run(tempfile.mkdtemp(), n_jobs=1)
    >>> print(store.results())
    2 schemes on 2 datasets, 3 splits each: error_rate, auc, brier, kappa
    dataset        scheme    done    error_rate  auc     brier    kappa
    wine           zero-r    3 of 3  0.6011      0.5     0.2195   0
    wine           knn(k=3)  3 of 3  0.02825     0.9879  0.0213   0.9574
    breast-cancer  zero-r    3 of 3  0.3726      0.5     0.2338   0
    breast-cancer  knn(k=3)  3 of 3  0.04043     0.9798  0.03281  0.9128
    """

    folder: Path | None = None  # where it was run last

    def __init__(
        self,
        schemes: Any,  # noqa: ANN401
        datasets: Any,  # noqa: ANN401
        *,
        resampling: Any = None,  # noqa: ANN401
        measures: str | Sequence[str] | None = None,
        rng: int | np.random.Generator = FIXED_SEED,
        sizes: float | Sequence[float] = 1.0,
        limits: Mapping[str, Any] | None = None,
    ) -> None:
        given = {
            "schemes": schemes,
            "datasets": datasets,
            "resampling": resampling,
            "measures": measures,
            "rng": rng,
            "sizes": sizes,
            "limits": dict(limits or {}),
        }
        self.plan = Plan({k: v for k, v in given.items() if v is not None}, Path.cwd())

    def __repr__(self) -> str:
        plan = self.plan
        schemes, datasets = count(len(plan.schemes), "scheme"), count(len(plan.sources), "dataset")
        how = plan.resampling or DEFAULT_RESAMPLING
        return f"Experiment({schemes} on {datasets}, {how}, rng={plan.seed})"

    def _repr_html_(self) -> str:
        from credibly.results.notebook import page_html, table_html

        plan = self.plan
        facts = {
            "schemes": ", ".join(s.name for s in plan.schemes),
            "datasets": ", ".join(s.name for s in plan.sources),
            "resampling": str(plan.resampling),
            "measures": ", ".join(plan.measures or ()),
        }
        known = [[name, said] for name, said in facts.items() if said]
        state = "" if self.folder is None else Store(self.folder)._repr_html_()
        return page_html(repr(self), table_html(["", ""], known), state)

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Experiment:
        """Read a plan from a TOML file; an error names its line."""
        from credibly.experiments.plan.toml_file import read_plan

        return cls.of(read_plan(Path(path)))

    @classmethod
    def of(cls, plan: Plan) -> Experiment:
        """Return the experiment of a plan that was checked before."""
        experiment = cls.__new__(cls)
        experiment.plan = plan
        return experiment

    def run(
        self,
        folder: str | PathLike[str],
        *,
        n_jobs: int = -1,
        backend: Literal["loky", "dask", "ray", "spark"] = "loky",
        scheduler: str | None = None,
        progress: bool = True,
        retry_failed: bool = False,
    ) -> Store:
        """Do what the folder lacks, in worker processes, and return its store.

        Ctrl-C and errors leave everything that is done in the store.

        Parameters
        ----------
        folder
            Where everything is kept.
        n_jobs
            Worker processes; -1 for all cores.
        backend
            Processes here, or a cluster by way of joblib.
        scheduler
            Address of a Dask scheduler; a cluster of processes here by default.
        progress
            Show what is done.
        retry_failed
            Run again what failed before, or has predictions that cannot be read.
        """
        check_jobs(n_jobs)
        refuse_missing_files(self.plan, folder)
        self.folder = Path(folder)
        with Store.driving(folder) as store:
            sweep(store)
            made = design(self.plan, store.folder / DATA_FOLDER, store)
            _forget(store, made, retry_failed=retry_failed)
            known = store.statuses()
            options = {"n_jobs": n_jobs, "backend": backend, "scheduler": scheduler}
            changes = [f.to_dict() for f in about_changes(made, store)]
            run = store.begin(made, facts_of_run(self.plan.seed, **options, findings=changes))
            missing = [t for k, t in made.tasks.items() if k not in known]
            _fill_values(store, made)
            if missing:
                with working_on(backend, n_jobs, scheduler) as configured:
                    answers = Workers(n_jobs, self.plan.limits, configured).answers(missing)
                    if progress:
                        answers = watched(answers, made, known, effective_n_jobs(n_jobs))
                    _keep(store, run, made, answers)
                _fill_values(store, made)
            store.end(run)
        return Store(folder)

    def forecast(
        self,
        folder: str | PathLike[str] | None = None,
        *,
        n_jobs: int = -1,
        retry_failed: bool = False,
    ) -> Forecast:
        """Say how many fits there are and how long they may take, from a first fold of each; keep nothing.

        What ``folder`` has is not counted as left, nor what failed there unless ``retry_failed``.
        """
        from credibly.experiments.execution.forecast import forecast

        check_jobs(n_jobs)
        return forecast(self.plan, folder, n_jobs, retry_failed=retry_failed)

    def verify(
        self, folder: str | PathLike[str], *, cells: int = 20, rng: int | np.random.Generator
    ) -> Verification:
        """Compare the files of a folder with their sums, and fit a random sample of its cells again, bit for bit."""
        from credibly.experiments.store.verification import verify

        require("cells", cells, whole(0))
        return verify(self.plan, folder, cells=cells, rng=rng)


def _forget(store: Store, made: ExperimentDesign, *, retry_failed: bool) -> None:
    """Forget cells whose predictions are lost, and those that failed where they are to be tried again."""
    again = store.keys_in(damaged(store, thoroughly=retry_failed))
    if retry_failed:
        again |= {k for k, s in store.statuses().items() if s != "done" and k in made.tasks}
    store.forget(again)


def _keep(store: Store, run: int, made: ExperimentDesign, answers: Generator[FitAnswer]) -> None:
    """Write answers to the store every second, and what is left when the work ends or is stopped."""
    waiting: list[tuple[Task, FitAnswer]] = []
    last = time.monotonic()
    try:
        for each in answers:
            waiting.append((made.tasks[each.key], each))
            if time.monotonic() - last > FLUSH_SECONDS or len(waiting) >= FLUSH_ANSWERS:
                batch, waiting, last = waiting, [], time.monotonic()
                store.add(run, batch)
    finally:
        answers.close()
        if waiting:
            store.add(run, waiting)


def _fill_values(store: Store, made: ExperimentDesign) -> None:
    """Compute what is missing from the predictions that are kept.

    These are measures that were added to the plan, and values of fits that datasets share which differ
    in costs alone.
    """
    known = set(store.values())
    for note in made.datasets:
        keys = dict.fromkeys(c.key for c in made.cells if c.dataset == note.name)
        if not keys:
            continue
        setting = replace(made.tasks[next(iter(keys))].setting, costs=note.costs)
        wanted = [(m, note.facts["costs"]) for m in setting.measures]
        rows = [
            row
            for row in store.cells(keys)
            if row["file"] and any((row["id"], *w) not in known for w in wanted)
        ]
        if not rows:
            continue
        job = job_of([""], store, {"data": note.data, **note.facts})
        store.add_values(
            (row["id"], m, note.facts["costs"], v)
            for row, result in zip(rows, results_of(store, rows), strict=True)
            for m, v in values_of(predictions_of(job, [result]), setting).items()
        )
