"""Runs of schemes on data that the page asked for: each is an experiment in a folder of the server.

A run is a process of its own that keeps what is done in the store of its experiment, so that it can be
stopped at any time and continued. What may be run is said by name: schemes of the registry with their
parameters, resamplings of the registry, and data that the server itself keeps.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credibly.app.prediction_store import MadeBy, UnknownSetError, new_id
from credibly.app.spelling import running
from credibly.errors import DataError, ParameterError
from credibly.resampling import as_resampling
from credibly.schemes import as_scheme, schemes

if TYPE_CHECKING:
    from credibly.app.data_files import DataFile
    from credibly.experiments.execution.forecast import Forecast

# In the folder of a run.
RESULTS_FOLDER = "results"  # where commands that the page shows keep an experiment
PLAN_FILE, STORE_FOLDER, TROUBLE_FILE = "plan.json", "store", "trouble.txt"
MAX_SCHEMES = 30
MAX_TEXT_LETTERS = 200
FIT_SECONDS = 600  # that one fit may take
QUICK_SECONDS = 60  # that a fit may take when it is only timed
END_SECONDS = 5.0  # seconds in which a process that is asked to end does so


class RunningError(ParameterError):
    """Something that cannot be done while a run is under way."""


def registered(text: str) -> str:
    """Return a scheme as it is called, if it is one of the registry; no path of code is taken.

    >>> registered("tree( max_depth = 3 )")
    'tree(max_depth=3)'
    >>> registered("os:system(command='x')")
    Traceback (most recent call last):
    ...
    credibly.errors.ParameterError: "os:system(command='x')" is not the name of a scheme ...
    """
    if ":" in text or len(text) > MAX_TEXT_LETTERS:
        raise ParameterError(
            f"{text[:MAX_TEXT_LETTERS]!r} is not the name of a scheme with its parameters.",
            choices=[each.name for each in schemes],
            remedy="Name a scheme such as tree(max_depth=3); classes by their path are for the command line.",
        )
    scheme = as_scheme(text)
    entry = schemes[scheme.entry]
    entry.make(entry.tasks[0], **{k: v for k, v in scheme.parameters.items() if k != "scale"})
    return scheme.name


def plan_of(
    data: Sequence[DataFile],
    names: Sequence[str],
    *,
    resampling: str | None,
    rng: int,
    **columns: Any,  # noqa: ANN401
) -> dict[str, Any]:
    """Return what an experiment is asked to do, checked; ``columns`` are those of a single dataset."""
    if not data:
        raise ParameterError("No data are given. Open a file or a bundled dataset.")
    if not 0 < len(names) <= MAX_SCHEMES:
        raise ParameterError(f"Choose between 1 and {MAX_SCHEMES} schemes; got {len(names)}.")
    if resampling is not None:
        as_resampling(resampling[:MAX_TEXT_LETTERS])
    told = {name: value for name, value in columns.items() if value not in (None, "", [])}
    if len(data) > 1 and told:
        raise ParameterError(
            "Columns can only be named for one dataset at a time. Choose one dataset."
        )
    return {
        "schemes": [registered(name) for name in names],
        "datasets": _datasets(data, told),
        "rng": rng,
        "limits": {"seconds": FIT_SECONDS},
        **({} if resampling is None else {"resampling": resampling}),
    }


def _datasets(data: Sequence[DataFile], told: Mapping[str, Any]) -> dict[str, Any]:
    """Return where each dataset is and the roles of its columns; a bundled one knows its own target."""
    made: dict[str, Any] = {}
    for each in data:
        name = each.name if each.name not in made else f"{each.name} ({len(made) + 1})"
        if isinstance(each.source, str):
            more = {n: v for n, v in told.items() if n != "target"}
        else:
            more = {"target": each.target, **told}
        made[name] = {"data": str(each.source), **more}
    return made


def made_by(plan: Mapping[str, Any], dataset: str = "", file: str = "") -> MadeBy:
    """Return what makes the same store from the data of the user, or a file of the predictions of one dataset."""
    told = plan["datasets"]
    own = {n: {**d, "data": n} if Path(d["data"]).is_absolute() else d for n, d in told.items()}
    given = {n: v for n, v in plan.items() if n not in ("datasets", "limits")}
    given["datasets"] = {dataset: own[dataset]} if dataset else own
    asked = ", ".join(f"{n}={v!r}" for n, v in given.items())
    python = f"credibly.Experiment({asked}).run({RESULTS_FOLDER!r})"
    shell = running(given, RESULTS_FOLDER)
    if not dataset:
        return MadeBy((*shell,), python)
    words = ["credibly", "experiment", "export", RESULTS_FOLDER, "--predictions", dataset]
    exported = shlex.join([*words, "-o", file])
    return MadeBy((*shell, exported), f"{python}.predictions({dataset!r})")


def forecast(plan: Mapping[str, Any]) -> Forecast:
    """Say how long a plan may take, from a first fold of each scheme."""
    from credibly.experiments import Experiment

    timed = {**plan, "limits": {"seconds": QUICK_SECONDS}}
    return Experiment(**timed).forecast(n_jobs=_jobs())


def _jobs() -> int:
    return max(1, (os.cpu_count() or 1) // 2)


@dataclass(slots=True)
class Run:
    """One run: its plan, its folder and, while it is under way, its process."""

    name: str
    folder: Path
    plan: dict[str, Any]
    id: str = field(default_factory=new_id)
    process: subprocess.Popen[bytes] | None = None
    # When its first new fit was seen, and how many there were.
    seen: tuple[float, int] | None = None

    @property
    def store(self) -> Path:
        """Where what is done is kept."""
        return self.folder / STORE_FOLDER

    @property
    def running(self) -> bool:
        """Whether its process is at work."""
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Do what is missing, in a process that ends with this one."""
        (self.folder / TROUBLE_FILE).unlink(missing_ok=True)
        asked = {**self.plan, "n_jobs": _jobs()}
        (self.folder / PLAN_FILE).write_text(json.dumps(asked), encoding="utf-8")
        self.seen = None
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "credibly.app.experiment_process", str(self.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            start_new_session=True,
        )

    def stop(self) -> None:
        """End its process; what is done stays."""
        process = self.process
        if process is None:
            return
        if process.poll() is None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(END_SECONDS)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # and all that it has started
        process.wait()
        if process.stdin is not None:
            process.stdin.close()
        self.process = None

    def _rows(self) -> list[dict[str, Any]]:
        from credibly.experiments import Store

        if not self.store.exists():
            return []
        try:
            with closing(Store(self.store)) as store:
                return store.standing().rows()
        except DataError:  # it is being made
            return []

    def _seconds_left(self, over: int, total: int) -> float | None:
        """Return how long the rest may take at the pace of the fits that were seen."""
        now = time.monotonic()
        if self.seen is None or over < self.seen[1]:
            self.seen = (now, over) if over else None
            return None
        since, before = self.seen
        return None if over == before else (now - since) / (over - before) * (total - over)

    def to_dict(self) -> dict[str, Any]:
        """Say how far it is: fits by scheme, and how long the rest may take."""
        # asked first: what ends while its rows are read is not yet said to have ended
        running = self.running
        rows = self._rows()
        done, failed = (sum(r[k] for r in rows) for k in ("done", "failed"))
        total = sum(r["done"] + r["failed"] + r["missing"] for r in rows)
        over = done + failed
        trouble = self.folder / TROUBLE_FILE
        state = "running" if running else "done" if total and over == total else "stopped"
        return {
            "id": self.id,
            "name": self.name,
            "state": state,
            "total": total,
            "done": done,
            "failed": failed,
            "left_seconds": self._seconds_left(over, total) if running else None,
            "rows": rows,
            "schemes": self.plan["schemes"],
            "datasets": list(self.plan["datasets"]),
            "trouble": trouble.read_text(encoding="utf-8") if trouble.exists() else None,
        }


@dataclass(slots=True)
class Runs:
    """The runs by id; one at a time is under way."""

    _all: dict[str, Run] = field(default_factory=dict)

    def add(self, name: str, folder: Path, plan: dict[str, Any]) -> Run:
        """Make a run and start it."""
        self._refuse_two()
        run = Run(name, folder, plan)
        run.folder.mkdir()
        self._all[run.id] = run
        run.start()
        return run

    def resume(self, key: str) -> Run:
        """Do what is missing of a run that was stopped."""
        self._refuse_two()
        self[key].start()
        return self[key]

    def _refuse_two(self) -> None:
        if any(run.running for run in self._all.values()):
            raise RunningError("Another run is under way. Stop it, or wait until it is done.")

    def __getitem__(self, key: str) -> Run:
        if key not in self._all:
            raise UnknownSetError("There is no such run: the server was restarted since.")
        return self._all[key]

    def all(self) -> list[Run]:
        """Return every run, the newest first."""
        return list(self._all.values())[::-1]

    def forget(self, key: str) -> None:
        """Stop a run and remove what it has done."""
        self[key].stop()
        shutil.rmtree(self._all.pop(key).folder, ignore_errors=True)

    def end(self) -> None:
        """Stop everything that is running."""
        for run in self._all.values():
            run.stop()
