"""Run a plan: do what is missing in its folder, and keep each answer as it comes."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING

from joblib import effective_n_jobs

from credibly.experiments.caveats import about_changes
from credibly.experiments.execution.driver import Workers, backend
from credibly.experiments.execution.progress import watched
from credibly.experiments.execution.tasks import values_of
from credibly.experiments.plan.design import design, refuse_missing_files
from credibly.experiments.store.predictions import damaged, job_of, results_of
from credibly.experiments.store.provenance import facts_of_run
from credibly.experiments.store.removal import sweep
from credibly.experiments.store.schema import DATA
from credibly.experiments.store.store import Store
from credibly.running.assembly import predictions_of

if TYPE_CHECKING:
    from credibly.experiments.execution.tasks import FitAnswer, Task
    from credibly.experiments.plan.cells import ExperimentDesign
    from credibly.experiments.plan.plan import Plan

FLUSH_SECONDS = 1.0  # between two writes: what the death of the driver can cost
FLUSH_ANSWERS = 500


def run_plan(
    plan: Plan,
    folder: str | PathLike[str],
    *,
    n_jobs: int,
    backend_name: str,
    scheduler: str | None,
    progress: bool,
    retry_failed: bool,
) -> Store:
    """Do what the folder lacks. Ctrl-C and errors leave everything that is done in the store."""
    refuse_missing_files(plan, folder)
    with Store.driving(folder) as store:
        sweep(store)
        made = design(plan, store.folder / DATA, store)
        _forget(store, made, retry_failed=retry_failed)
        known = store.statuses()
        options = {"n_jobs": n_jobs, "backend": backend_name, "scheduler": scheduler}
        changes = [f.to_dict() for f in about_changes(made, store)]
        run = store.begin(made, facts_of_run(plan.seed, **options, findings=changes))
        missing = [t for k, t in made.tasks.items() if k not in known]
        _fill_values(store, made)
        if missing:
            with backend(backend_name, n_jobs, scheduler) as configured:
                workers = Workers(n_jobs, plan.limits, configured)
                answers = workers.answers(missing)
                with watched(made, known, effective_n_jobs(n_jobs), show=progress) as seen:
                    _keep(store, run, made, seen(answers))
            _fill_values(store, made)
        store.end(run)
    return Store(folder)


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
