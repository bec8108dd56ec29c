"""Carry out tasks here, in worker processes or on a cluster; what is done is never lost."""

from __future__ import annotations

from collections.abc import Container, Generator, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from numbers import Integral
from typing import TYPE_CHECKING, Any

from credibly._core.progress import track
from credibly._core.text import beginning
from credibly.errors import ParameterError
from credibly.resampling._splits import others
from credibly.running.tasks import (
    ALL_ROWS_PLACE,
    Job,
    TaskResult,
    judged_rows,
    run_task,
    times_trained,
)

if TYPE_CHECKING:
    from credibly.resampling import Split

    Place = tuple[int, int]  # which scheme, which split
    Task = tuple[int, int, Split, bool]  # and whether it trains on all that is not tested

SHARED_ATTEMPTS = 2  # after these, each missing task runs in a process of its own
# Pieces into which the share of a worker is cut: what a crash or Ctrl-C can cost.
CHUNKS_PER_WORKER = 16
WORKER_DIED = "the worker process died"
# Joblib's backends on this machine.
LOCAL_BACKENDS = {"Loky", "Multiprocessing", "Sequential", "Threading"}


def execute(
    job: Job, wanted: list[Place], n_jobs: int | None, *, progress: bool
) -> tuple[dict[Place, TaskResult], bool]:
    """Run the tasks; return whether they were interrupted. The tasks of a worker that dies are repeated."""
    import joblib

    check_jobs(n_jobs)
    done: dict[Place, TaskResult] = {}
    workers = joblib.effective_n_jobs(n_jobs)
    results: Iterator[TaskResult] = (run_task(job, s, p, job.split(p)) for s, p in wanted)
    if workers > 1 or _configured():
        results = _in_parallel(job, wanted, n_jobs, workers, done)
    shown = track(results, len(wanted), "fits") if progress else results
    try:
        for result in shown:
            done[result.scheme, result.place] = result
    except KeyboardInterrupt:
        return done, True
    return done, False


def check_jobs(n_jobs: object) -> None:
    """Refuse what is not a number of processes to joblib."""
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or n_jobs == 0):
        raise ParameterError(
            f"The number of jobs must be at least 1, or -1 for all cores (-2 for all but one); got {n_jobs!r}."
        )


def _configured() -> bool:
    """Whether joblib.parallel_config names a backend beyond this machine, whatever its size."""
    from joblib.parallel import get_active_backend

    return type(get_active_backend()[0]).__name__.removesuffix("Backend") not in LOCAL_BACKENDS


def _in_parallel(
    job: Job, wanted: list[Place], n_jobs: int | None, workers: int, done: Container[Place]
) -> Iterator[TaskResult]:
    """Yield results as they come. After a crash, repeat the missing tasks in smaller pieces.

    Tasks return their errors, so an exception here comes from the workers themselves.
    """
    from joblib import delayed

    broken = ""
    for attempt in range(SHARED_ATTEMPTS):
        missing = [p for p in wanted if p not in done]
        if not missing:
            return
        size = max(1, len(missing) // (workers * CHUNKS_PER_WORKER)) if attempt == 0 else 1
        chunks = [missing[i : i + size] for i in range(0, len(missing), size)]
        calls = (delayed(_run_chunk)(*_sent(job, chunk)) for chunk in chunks)
        try:
            for results in as_they_come(calls, n_jobs):
                yield from results
        except Exception as error:
            broken = beginning(f"the workers broke down: {type(error).__name__}: {error}")
    for place in wanted:
        if place not in done:
            yield _lost(job, *place, broken) if _configured() else _alone(job, place)


def as_they_come(calls: Iterable[Any], n_jobs: int | None) -> Generator[Any]:
    """Yield the results of joblib's calls in any order.

    A backend that gives all results at once, as those of Ray and Spark do, gets a few calls at a time.
    """
    from joblib import Parallel, effective_n_jobs
    from joblib.parallel import get_active_backend

    if get_active_backend()[0].supports_return_generator:
        yield from Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)(calls)
        return
    waiting = iter(calls)
    while few := list(islice(waiting, effective_n_jobs(n_jobs))):
        yield from Parallel(n_jobs=n_jobs, batch_size=1)(few)


def _alone(job: Job, place: Place) -> TaskResult:
    """Run one task in a worker of its own, so that one that kills its worker harms no other.

    Not in loky's reusable workers: those belong to joblib, which would go on with ours afterwards.
    """
    from joblib.externals.loky import ProcessPoolExecutor

    try:
        with ProcessPoolExecutor(max_workers=1) as worker:
            results: list[TaskResult] = worker.submit(_run_chunk, *_sent(job, [place])).result()
    except Exception as error:
        return _lost(job, *place, beginning(f"{WORKER_DIED}: {type(error).__name__}: {error}"))
    return results[0]


def _sent(job: Job, chunk: Iterable[Place]) -> tuple[Job, list[Task]]:
    """Return what a worker needs: the data, which joblib keeps in shared memory, and rows by number.

    A training part that is all that is not tested need not be sent.
    """
    splits = job.known_splits
    tasks = []
    for scheme, place in chunk:
        split = job.split(place)
        rest = splits.trains_on_the_rest and place != ALL_ROWS_PLACE
        tasks.append(
            (scheme, place, replace(split, train=split.train[:0]) if rest else split, rest)
        )
    lean = replace(job.data, X=None) if job.data.light is not None and all(job.named) else job.data
    return replace(job, splits=None, data=lean), tasks


def _run_chunk(job: Job, tasks: list[Task]) -> list[TaskResult]:
    """Run some tasks in a worker, each with one thread: the workers are the parallelism."""
    from threadpoolctl import threadpool_limits

    done = []
    with threadpool_limits(limits=1):
        for scheme, place, split, rest in tasks:
            whole = replace(split, train=others(split.test, job.data.n)) if rest else split
            done.append(run_task(job, scheme, place, whole))
    return done


def _lost(job: Job, scheme: int, place: int, error: str) -> TaskResult:
    split = job.split(place)
    rows = judged_rows(job, split)
    times = times_trained(split, rows, job.data.n)
    return TaskResult.of(scheme, place, split, rows, times, error=error)
