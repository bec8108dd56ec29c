"""The same predictions from any number of processes and any backend; a dead worker loses nothing done."""

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from credibly import run
from running import plain_backend
from running.models import Kills, Labels

X, Y = load_iris(return_X_y=True)


def forest():
    return RandomForestClassifier(n_estimators=3)


@pytest.mark.thorough
def test_processes_change_nothing():
    schemes = {"forest": forest(), "labels": Labels()}
    here = run(schemes, X, Y, resampling="2x3", rng=1)
    there = run(schemes, X, Y, resampling="2x3", rng=1, n_jobs=2)
    assert here.fingerprint == there.fingerprint
    assert here.findings == there.findings
    assert [(f.model, f.repeat, f.fold) for f in here.provenance.fits] == [
        (f.model, f.repeat, f.fold) for f in there.provenance.fits
    ]


@pytest.mark.thorough
def test_a_bootstrap_of_a_frame_in_processes():
    frame = pd.DataFrame(X, columns=list("abcd")).assign(kind=np.where(Y == 0, "x", "y"))
    here, there = (
        run("tree", frame, Y, resampling="bootstrap(replicates=5)", rng=1, n_jobs=n) for n in (1, 2)
    )
    assert here.fingerprint == there.fingerprint


@pytest.mark.parametrize("backend", ["threading", "plain"])
def test_a_configured_backend_is_used(backend):
    plain_backend.register()
    here = run(forest(), X, Y, resampling="3", rng=1)
    with joblib.parallel_config(backend, n_jobs=2):
        there = run(forest(), X, Y, resampling="3", rng=1)
    assert here.fingerprint == there.fingerprint
    assert not there.provenance.failed


@pytest.mark.thorough
def test_a_worker_killed_once_costs_nothing(tmp_path):
    """Kill -9 in the middle of a fit: what was lost is fitted again."""
    mark = tmp_path / "killed"
    p = run({"kills": Kills(str(mark)), "labels": Labels()}, X, Y, resampling="5", rng=1, n_jobs=2)
    assert mark.exists()
    assert not p.provenance.failed
    want = run({"kills": Labels(), "labels": Labels()}, X, Y, resampling="5", rng=1)
    assert p.fingerprint == want.fingerprint


@pytest.mark.thorough
def test_a_scheme_that_always_kills_its_worker_is_named_and_harms_no_other():
    p = run({"kills": Kills(), "labels": Labels()}, X, Y, resampling="2", rng=1, n_jobs=2)
    assert {(f.model, f.fold) for f in p.provenance.failed} == {("kills", k) for k in range(2)}
    assert all("worker process died" in f.error for f in p.provenance.failed)
    want = run({"labels": Labels()}, X, Y, resampling="2", rng=1)
    assert p.fingerprint == want.fingerprint
    (said,) = [f for f in p.findings if f.code == "failed-fits"]
    assert "kills failed in 2 of 2 fits, first in repeat 0, fold 0" in said.message
    # and joblib works on
    assert joblib.Parallel(n_jobs=2)(joblib.delayed(abs)(-k) for k in range(4)) == [0, 1, 2, 3]


@pytest.mark.thorough
def test_a_cluster_of_dask():
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    here = run(["tree", "naive-bayes"], X, Y, resampling="2x3", rng=1, exact_shortcuts=False)
    with (
        distributed.LocalCluster(**options, dashboard_address=":0") as cluster,
        distributed.Client(cluster),
        joblib.parallel_config("dask"),
    ):
        there = run(["tree", "naive-bayes"], X, Y, resampling="2x3", rng=1, exact_shortcuts=False)
    assert here.fingerprint == there.fingerprint
