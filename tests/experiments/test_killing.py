"""kill -9 of drivers and of workers at random moments: nothing is lost, nothing is done twice."""

from functools import partial
from itertools import count

import numpy as np
import pytest

from experiments.killing import (
    Trial,
    contents,
    experiment,
    survives_killed_drivers,
    survives_killed_workers,
)


def undisturbed(size, folder):
    """Return what a run gives that nobody disturbs, as a trial of a backend."""
    experiment(size).run(folder, n_jobs=1, progress=False)
    return partial(Trial, size, reference=contents(folder))


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return undisturbed("small", tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    return undisturbed("large", tmp_path_factory.mktemp("large"))


def folders(tmp_path):
    return (tmp_path / str(i) for i in count())


@pytest.mark.thorough(backend=["loky"])
@pytest.mark.parametrize("backend", ["loky", "dask"])
def test_a_killed_driver_loses_nothing(backend, tmp_path, small):
    pytest.importorskip("distributed")
    survives_killed_drivers(folders(tmp_path), small(backend), 1, np.random.default_rng(1))


@pytest.mark.thorough(backend=["dask"])
@pytest.mark.parametrize("backend", ["loky", "dask"])
def test_a_killed_worker_loses_nothing(backend, tmp_path, small):
    pytest.importorskip("distributed")
    survives_killed_workers(folders(tmp_path), small(backend), 1, np.random.default_rng(2))


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["loky", "dask"])
def test_fifty_killed_drivers_lose_nothing(backend, tmp_path, large):
    rng = np.random.default_rng(3)
    at_work = survives_killed_drivers(folders(tmp_path), large(backend), 25, rng)
    assert at_work  # the rest were starting


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["loky", "dask"])
def test_fifty_killed_workers_lose_nothing(backend, tmp_path, large):
    survives_killed_workers(folders(tmp_path), large(backend), 25, np.random.default_rng(4))


@pytest.mark.thorough
def test_a_trial_without_kills_comes_to_an_end(tmp_path, monkeypatch, small):
    """Drivers that end before a worker can be killed: a failure, not another experiment for ever."""
    monkeypatch.setattr("experiments.killing.start", lambda *_: None)
    monkeypatch.setattr("experiments.killing.kill_workers", lambda *_: 0)
    monkeypatch.setattr("experiments.killing.end", lambda _: None)
    monkeypatch.setattr("experiments.killing.is_gone", lambda _: True)
    trial = small("loky")
    monkeypatch.setattr("experiments.killing.contents", lambda _: trial.reference)
    with pytest.raises(pytest.fail.Exception, match="7 experiments ended before 1 kills"):
        survives_killed_workers(folders(tmp_path), trial, 1, np.random.default_rng(5))
