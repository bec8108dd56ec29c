"""Carry out tasks here, in worker processes or on a cluster; what is done is never lost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from credibly._core.progress import track
from credibly.running.tasks import Job, Result, judged_rows, run_task, times_trained

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Place = tuple[int, int]  # which scheme, which split

ATTEMPTS = 3
CHUNKS = 4  # tasks sent to a worker at a time: a worker's share, cut into this many pieces
DIED = "the worker process died"


@dataclass(slots=True)
class Done:
    """The results so far, and whether somebody stopped the run."""

    results: dict[Place, Result] = field(default_factory=dict)
    interrupted: bool = False


def execute(job: Job, wanted: list[Place], n_jobs: int | None, *, progress: bool) -> Done:
    """Run the tasks; a worker that dies costs a repetition of what it had not handed over."""
    import joblib

    done = Done()
    workers = joblib.effective_n_jobs(n_jobs)
    results: Iterator[Result] = (run_task(job, *place) for place in wanted)
    if workers > 1 or _configured():
        results = _in_parallel(job, wanted, n_jobs, workers, done)
    shown = track(results, len(wanted), "fits") if progress else results
    try:
        for result in shown:
            done.results[result.scheme, result.place] = result
    except KeyboardInterrupt:
        done.interrupted = True
    return done


def _configured() -> bool:
    """Whether the caller chose a backend with joblib.parallel_config."""
    from joblib.parallel import get_active_backend

    return type(get_active_backend()[0]).__name__ not in {"LokyBackend", "SequentialBackend"}


def _in_parallel(
    job: Job, wanted: list[Place], n_jobs: int | None, workers: int, done: Done
) -> Iterator[Result]:
    """Hand results over as they come. After a crash, repeat what is missing in smaller pieces."""
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    for attempt in range(ATTEMPTS):
        missing = [p for p in wanted if p not in done.results]
        if not missing:
            return
        size = max(1, len(missing) // (workers * CHUNKS)) if attempt == 0 else 1
        chunks = [missing[i : i + size] for i in range(0, len(missing), size)]
        parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
        try:
            for results in parallel(delayed(_run_chunk)(job, chunk) for chunk in chunks):
                yield from results
        except (TerminatedWorkerError, BrokenPipeError, EOFError):
            continue
    for place in wanted:
        if place not in done.results:
            yield _lost(job, *place)


def _run_chunk(job: Job, chunk: Iterable[Place]) -> list[Result]:
    """Run some tasks in a worker, each with one thread: the workers are the parallelism."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        return [run_task(job, *place) for place in chunk]


def _lost(job: Job, scheme: int, place: int) -> Result:
    split = job.split(place)
    rows = judged_rows(job, split)
    facts: dict[str, Any] = {"rows": rows, "times": times_trained(split, rows, job.data.n)}
    return Result(scheme, place, split.repeat, split.fold, len(split.train), error=DIED, **facts)
