"""Run an experiment in a process of its own, which can be killed, and compare what is left with what should be."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pytest

from credibly import Experiment
from credibly.experiments import Store

TESTS = Path(__file__).parents[1]
# Datasets, resampling, and seconds that a fit waits: a small experiment for every day, and a large one.
SIZES = {"small": (["iris"], "3x3", 0.4), "large": (["iris", "wine"], "5x5", 0.1)}
DRIVER = """
import sys
from experiments.killing import experiment
if __name__ == "__main__":
    experiment(sys.argv[3]).run(sys.argv[1], n_jobs=2, backend=sys.argv[2], progress=False)
"""
PATIENCE = 300  # seconds in which something must happen


@dataclass(frozen=True)
class Trial:
    """Which experiment is run, by which backend, and what an undisturbed run of it gives."""

    size: str
    backend: str
    reference: dict


def experiment(size):
    datasets, resampling, seconds = SIZES[size]
    schemes = {
        "means": f"experiments.schemes:Means(seconds={seconds})",
        "tree": "tree(max_depth=3)",
        "forest": "forest(n_estimators=3)",
    }
    return Experiment(
        schemes, datasets, resampling=resampling, measures=["error_rate", "auc"], rng=7
    )


def start(folder, backend, size):
    """Start a driver in a session of its own, so that whatever it leaves behind can be found."""
    paths = os.pathsep.join([str(TESTS), *(p for p in sys.path if p)])
    return subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(folder), backend, size],
        env={**os.environ, "PYTHONPATH": paths, "PYTHONWARNINGS": "ignore"},
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def session_of(pid):
    """Return the processes of a session that are alive."""
    found = []
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                facts = (path / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(facts[3]) == pid and facts[0] != "Z":
                found.append(int(path.name))
    return found


def workers_of(driver):
    """Return the processes that a driver has started and that carry out tasks."""
    found = []
    for pid in session_of(driver):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes().decode().replace("\0", " ")
        except (FileNotFoundError, ProcessLookupError):
            continue
        loky = "popen_loky" in command or "loky.backend.popen" in command
        dask = "spawn_main" in command or "multiprocessing.spawn" in command
        if pid != driver and (loky or dask) and "resource_tracker" not in command:
            found.append(pid)
    return found


def wait_until(condition, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def wait_for_rows(driver, folder, more_than):
    """Wait until the store holds more cells, or the driver has ended."""
    return wait_until(lambda: len(rows_of(folder)) > more_than or driver.poll() is not None)


def is_gone(driver):
    """Whether a driver and all that it started end, soon."""
    return wait_until(lambda: not session_of(driver.pid))


def rows_of(folder):
    """Return what the store holds of each cell, times and numbers of runs aside."""
    if not (Path(folder) / "experiment.sqlite").exists():
        return {}
    database = sqlite3.connect(Path(folder) / "experiment.sqlite")
    try:
        rows = database.execute(
            "SELECT key, id, run, status, n_train, n_test, baseline, source FROM cell"
        ).fetchall()
    except sqlite3.OperationalError:  # killed before there were tables
        rows = []
    finally:
        database.close()
    return {row[0]: row[1:] for row in rows}


def contents(folder):
    """Return results and predictions, to be compared bit for bit."""
    store = Store(folder)
    r = store.results()
    found = {
        "cells": list(zip(r.dataset, r.scheme, r.repeat, r.fold, r.status, strict=True)),
        **{m: v.tobytes() for m, v in r.values.items()},
        **{d: store.predictions(d).fingerprint for d in r.datasets},
    }
    store.close()
    return found


def survives_killed_drivers(folders, trial, kills, rng):
    """Kill drivers at random moments, each followed by another that resumes, over one experiment after another.

    Nothing that was in the store may be lost or fitted again, no process may stay behind, and in the
    end everything must be as if nothing had happened. Return how many were killed at work.
    """
    at_work = 0
    folder, before = next(folders), {}
    for _ in range(kills):
        driver = start(folder, trial.backend, trial.size)
        if rng.random() < 0.8:  # at work, else while it starts
            wait_for_rows(driver, folder, len(before))
        time.sleep(rng.uniform(0, 2))
        at_work += driver.poll() is None and bool(workers_of(driver.pid))
        driver.kill()
        driver.communicate(timeout=PATIENCE)
        assert is_gone(driver), "a process stayed behind"
        kept = rows_of(folder)
        assert all(kept[key] == row for key, row in before.items())
        before = kept
        if len(kept) == len(trial.reference["cells"]):
            assert finished(folder, trial.backend, trial.size) == trial.reference
            folder, before = next(folders), {}
    assert finished(folder, trial.backend, trial.size) == trial.reference
    return at_work


def survives_killed_workers(folders, trial, kills, rng):
    """Kill workers at random moments while the driver goes on, over some experiments until enough are killed."""
    killed = 0
    most = 2 * kills + 5
    for folder in islice(folders, most):
        driver = start(folder, trial.backend, trial.size)
        killed += kill_workers(driver, folder, kills - killed, rng)
        end(driver)
        assert is_gone(driver), "a process stayed behind"
        assert contents(folder) == trial.reference
        if killed == kills:
            return
    pytest.fail(f"{most} experiments ended before {kills} kills: {killed} of them.")


def kill_workers(driver, folder, kills, rng):
    """Kill some workers of a driver while it is at work; return how many."""
    killed = seen = 0
    while driver.poll() is None and killed < kills:
        if not wait_for_rows(driver, folder, seen):
            os.killpg(driver.pid, signal.SIGKILL)
            pytest.fail(f"The driver did nothing for {PATIENCE} seconds.")
        seen = len(rows_of(folder))
        time.sleep(rng.uniform(0, 1))
        workers = workers_of(driver.pid)
        if workers and driver.poll() is None:
            try:
                os.kill(int(rng.choice(workers)), signal.SIGKILL)
                killed += 1
            except ProcessLookupError:
                pass
    return killed


def end(driver):
    """Wait for a driver to come to a good end; one that does not is ended with all its processes."""
    try:
        _, said = driver.communicate(timeout=900)
    except subprocess.TimeoutExpired:
        os.killpg(driver.pid, signal.SIGKILL)
        raise
    assert driver.returncode == 0, said.decode()


def finished(folder, backend, size):
    """Resume to the end and return what is there; what was there before must stay."""
    before = rows_of(folder)
    end(start(folder, backend, size))
    after = rows_of(folder)
    assert all(after[key] == row for key, row in before.items())
    return contents(folder)
