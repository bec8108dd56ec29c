"""Hand tasks to workers and take their answers; a worker that dies costs a repetition, nothing else."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from credibly.errors import DataError, ParameterError, listed
from credibly.experiments.execution.sandbox import end_guard, guarded
from credibly.experiments.execution.tasks import FitAnswer, Task, answer
from credibly.experiments.execution.worker import begin, one_thread, work
from credibly.experiments.plan.plan import FitLimits
from credibly.experiments.store.data import DamagedDataError
from credibly.running.execution import as_they_come

CHUNK_SECONDS = 0.25  # of fitting that are sent together: what the death of a worker can cost
MAX_CHUNK = 50
NO_LIMITS = FitLimits()
# Breakdowns in a row without a single answer, after which something else is wrong.
MAX_BREAKDOWNS = 5


@dataclass(slots=True)
class Workers:
    """How tasks are carried out: ``n_jobs`` processes here, or a backend of joblib's on a cluster."""

    n_jobs: int = -1
    limits: FitLimits = NO_LIMITS
    configured: bool = False
    pace: dict[tuple[str, str], float] = field(default_factory=dict)
    breakdowns: list[str] = field(default_factory=list)

    def answers(self, tasks: Sequence[Task]) -> Generator[FitAnswer]:
        """Yield the answer of each task as it comes, in any order."""
        import joblib

        if joblib.effective_n_jobs(self.n_jobs) == 1 and not self.configured:
            yield from self._here(tasks)
            return
        missing = {t.key: t for t in tasks}
        idle = 0
        while missing:
            idle += 1
            try:
                for answered in self._there(list(missing.values())):
                    for each in answered:
                        idle = 0
                        if missing.pop(each.key, None) is not None:
                            yield each
            except DamagedDataError:  # which no repetition mends
                raise
            except Exception as error:  # tasks return their errors: this one is the workers' own
                self.breakdowns.append(f"{type(error).__name__}: {error}")
                if idle >= MAX_BREAKDOWNS:
                    raise DataError(
                        f"The workers failed {MAX_BREAKDOWNS} times in a row without a result, most recently with {self.breakdowns[-1][:300]}"
                    ) from error

    def _here(self, tasks: Sequence[Task]) -> Iterator[FitAnswer]:
        try:
            with one_thread():
                for task in tasks:
                    yield guarded(task, self.limits) if self.limits else answer(task)
        finally:
            end_guard()

    def _there(self, tasks: Sequence[Task]) -> Iterator[list[FitAnswer]]:
        """Send chunks; after a breakdown every fit gets a process of its own, so that it harms no other."""
        from joblib import delayed

        apart = bool(self.limits or self.breakdowns)
        calls = (delayed(work)(chunk, self.limits, apart=apart) for chunk in self._chunks(tasks))
        answers = as_they_come(calls, self.n_jobs)
        kinds = {t.key: kind_of(t) for t in tasks}
        try:
            for answered in answers:
                for a in answered:
                    if a.status != "done":  # its time is not known
                        continue
                    self.pace[kinds[a.key]] = a.result.fit_seconds + a.result.predict_seconds
                yield answered
        finally:
            answers.close()

    def _chunks(self, tasks: Sequence[Task]) -> Iterator[list[Task]]:
        """Cut the tasks of a scheme on a dataset into pieces of about equal time, as times become known."""
        left = deque(tasks)
        while left:
            kind = kind_of(left[0])
            pace = self.pace.get(kind)
            size = 1 if pace is None else int(CHUNK_SECONDS / (pace + 1e-3))
            chunk = [left.popleft()]
            while left and len(chunk) < min(size, MAX_CHUNK) and kind_of(left[0]) == kind:
                chunk.append(left.popleft())
            yield chunk


def kind_of(task: Task) -> tuple[str, str]:
    """Return what tasks that take about equally long share."""
    return task.setting.data, task.scheme.name


@contextmanager
def backend(name: str, n_jobs: int, scheduler: str | None) -> Iterator[bool]:
    """Make joblib send its work to a backend; tell whether that is one beyond this machine's own."""
    import joblib

    ours: dict[str, Any] = {}
    with ExitStack() as stack:
        if name == "loky":
            ours = {"inner_max_num_threads": 1, "initializer": begin, "initargs": (os.getpid(),)}
        elif name == "dask":
            _dask(n_jobs, scheduler, stack)
        else:
            _register(name)
        with joblib.parallel_config(name, **ours):
            yield name != "loky"


def _dask(n_jobs: int, scheduler: str | None, stack: ExitStack) -> None:
    """Connect to a scheduler, or start a cluster of processes here."""
    try:
        import distributed
    except ImportError:
        raise ParameterError(
            "The backend dask needs the package distributed: pip install 'credibly[dask]'."
        ) from None
    import joblib

    dask: Any = distributed  # which has no types
    here = {"threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    if scheduler is None:
        workers = joblib.effective_n_jobs(n_jobs)
        scheduler = stack.enter_context(dask.LocalCluster(n_workers=workers, **here))
    stack.enter_context(dask.Client(scheduler))


BACKEND_REGISTRATIONS = {
    "ray": ("ray.util.joblib", "register_ray"),
    "spark": ("joblibspark", "register_spark"),
}


def _register(name: str) -> None:
    """Tell joblib of a backend that another package brings."""
    from importlib import import_module

    if name not in BACKEND_REGISTRATIONS:
        raise ParameterError(
            f"backend must be {listed(['loky', 'dask', *BACKEND_REGISTRATIONS], 'or')}; got {name!r}."
        )
    module, function = BACKEND_REGISTRATIONS[name]
    try:
        getattr(import_module(module), function)()
    except ImportError:
        raise ParameterError(
            f"The backend {name} needs the package {module.partition('.')[0]}, which is not installed."
        ) from None
