"""kill -9 of drivers and of workers at random moments: nothing is lost, nothing is done twice."""

from itertools import count

import numpy as np
import pytest

from experiments.killing import (
    contents,
    experiment,
    survives_killed_drivers,
    survives_killed_workers,
)


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """What an undisturbed run gives."""
    folder = tmp_path_factory.mktemp("undisturbed")
    experiment().run(folder, n_jobs=1, progress=False)
    return contents(folder)


def folders(tmp_path):
    return (tmp_path / str(i) for i in count())


@pytest.mark.parametrize(("backend", "kills"), [("loky", 2), ("dask", 1)])
def test_a_killed_driver_loses_nothing(backend, kills, tmp_path, reference):
    pytest.importorskip("distributed")
    rng = np.random.default_rng(1)
    survives_killed_drivers(folders(tmp_path), backend, kills, rng, reference)


@pytest.mark.parametrize(("backend", "kills"), [("loky", 2), ("dask", 1)])
def test_a_killed_worker_loses_nothing(backend, kills, tmp_path, reference):
    pytest.importorskip("distributed")
    rng = np.random.default_rng(2)
    assert survives_killed_workers(folders(tmp_path), backend, kills, rng, reference) == kills


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["loky", "dask"])
def test_fifty_killed_drivers_lose_nothing(backend, tmp_path, reference):
    rng = np.random.default_rng(3)
    at_work = survives_killed_drivers(folders(tmp_path), backend, 25, rng, reference)
    assert at_work  # the rest were starting


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["loky", "dask"])
def test_fifty_killed_workers_lose_nothing(backend, tmp_path, reference):
    rng = np.random.default_rng(4)
    assert survives_killed_workers(folders(tmp_path), backend, 25, rng, reference) == 25
