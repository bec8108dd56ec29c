"""Fits that never end, need too much memory or take their process with them harm no other."""

import pickle
import sys
from multiprocessing import Pipe

import numpy as np
import pytest

from credibly import Experiment, ParameterError
from credibly.experiments.execution import driver
from experiments.schemes import Crashes, Ends, Hoards, Means, Sleeps


def statuses(folder, schemes, limits, n_jobs):
    made = Experiment(
        schemes, ["iris"], resampling="2", measures=["error_rate"], rng=1, limits=limits
    )
    results = made.run(folder, n_jobs=n_jobs, progress=False).results()
    return {s: set(results.where(scheme=s).status) for s in results.schemes}, results


@pytest.mark.daily(n_jobs=[1])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_fit_that_never_ends_is_ended(n_jobs, tmp_path):
    """It sums whole numbers inside C code, where Python would hear no signal."""
    found, results = statuses(tmp_path, {"sleeps": Sleeps()}, {"seconds": 0.2}, n_jobs)
    assert found == {"sleeps": {"timeout"}}
    assert set(results.error) == {"It took longer than 0.2 seconds."}
    assert np.isnan(results.fit_seconds).all()
    assert np.isnan(results.predict_seconds).all()


@pytest.mark.parametrize(("seconds", "said"), [(1, "1 second."), (2.5, "2.5 seconds.")])
def test_a_limit_is_told_in_words(seconds, said, tmp_path, monkeypatch):
    from credibly.experiments.execution import sandbox
    from credibly.experiments.plan.design import design
    from credibly.experiments.plan.plan import FitLimits

    class Late:
        def ask(self, task):
            raise TimeoutError

        def end(self):
            return 0

    monkeypatch.setattr(sandbox, "_guard", lambda limits: Late())
    made = Experiment("zero-r", ["iris"], resampling="2", rng=1)
    task = next(iter(design(made.plan, tmp_path).tasks.values()))
    found = sandbox.guarded(task, FitLimits(seconds)).result.error
    assert found == f"It took longer than {said}"


@pytest.mark.parametrize("n_jobs", [0, 1.5, "all"])
def test_what_is_no_number_of_jobs_is_refused_before_anything_is_kept(n_jobs, tmp_path):
    made = Experiment("zero-r", ["iris"], resampling="2", rng=1)
    folder = tmp_path / "kept"
    for call in (made.run, made.forecast):
        with pytest.raises(ParameterError, match=f"must be at least 1, .* got {n_jobs!r}"):
            call(folder, n_jobs=n_jobs)
    assert not folder.exists()


def test_the_clock_counts_the_fit_alone():
    """What a process does before it (to start, to read) and after it (to judge) has no limit."""
    from credibly.experiments.execution import sandbox
    from credibly.experiments.plan.plan import FitLimits

    waited = []
    said = iter([sandbox.STARTED, sandbox.FITTED, pickle.dumps("the answer")])

    class Guard(sandbox.Sandbox):
        def _receive(self, seconds):
            waited.append(seconds)
            return next(said)

    guard = Guard(FitLimits(seconds=0.5))
    try:
        assert guard.ask("a task") == "the answer"
    finally:
        guard.end()
    assert waited == [None, 0.5, None]


def test_a_process_tells_when_a_fit_begins_and_ends(tmp_path):
    from credibly.experiments.execution import sandbox
    from credibly.experiments.execution.tasks import answer
    from credibly.experiments.plan.design import design

    made = Experiment({"means": Means()}, ["iris"], resampling="2", measures=["auc"], rng=1)
    task = next(iter(design(made.plan, tmp_path).tasks.values()))
    heard, said = Pipe()
    with heard, said:
        assert answer(task, sandbox._limited(said, 0)).status == "done"
        assert [heard.recv_bytes() for _ in range(2)] == [sandbox.STARTED, sandbox.FITTED]


def test_fits_take_one_thread_where_their_process_was_not_started_so(monkeypatch):
    from threadpoolctl import threadpool_info, threadpool_limits

    from credibly.experiments.execution.worker import one_thread

    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    with threadpool_limits(limits=2), one_thread():
        assert {each["num_threads"] for each in threadpool_info()} == {1}


def test_messages_that_come_together_are_all_heard():
    """None may wait in a buffer, where whoever waits for the pipe does not see it."""
    from credibly.experiments.execution import sandbox
    from credibly.experiments.plan.plan import FitLimits

    guard = sandbox.Sandbox(FitLimits())
    guard.end()
    guard._pipe, said = Pipe()
    with guard._pipe, said:
        for message in (b"one", b"two", b"three"):
            said.send_bytes(message)
        assert [guard._receive(1) for _ in range(3)] == [b"one", b"two", b"three"]


@pytest.mark.thorough
def test_a_fit_that_needs_too_much_memory_is_refused_it(tmp_path):
    schemes = {"hoards": Hoards(), "means": Means()}
    found, results = statuses(tmp_path, schemes, {"memory": "300 MB"}, 1)
    assert found == {"hoards": {"memory"}, "means": {"done"}}
    assert all(e.startswith("MemoryError") for e in results.where(scheme="hoards").error)


@pytest.mark.thorough
def test_what_a_fit_imports_does_not_count(tmp_path):
    """Trees and their like load some ten megabytes of code before they see a row."""
    found, _ = statuses(tmp_path, ["tree", "logistic"], {"memory": "2 MB"}, 1)
    assert found == {"tree": {"done"}, "logistic": {"done"}}


@pytest.mark.thorough
def test_a_crash_costs_its_own_fit_alone(tmp_path):
    schemes = {"crashes": Crashes(), "means": Means()}
    found, results = statuses(tmp_path, schemes, {}, 2)
    assert found == {"crashes": {"died"}, "means": {"done"}}
    assert "ended by signal 6, twice" in results.where(scheme="crashes").error[0]


@pytest.mark.parametrize("limits", [{}, {"memory": "300 MB"}])
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.thorough(jobs=[2])
def test_a_scheme_that_ends_the_program_is_not_said_to_lack_memory(tmp_path, limits, jobs):
    found, results = statuses(tmp_path, {"ends": Ends(), "means": Means()}, limits, jobs)
    assert found == {"ends": {"error"}, "means": {"done"}}
    assert "sys.exit(3)" in results.where(scheme="ends").error[0]


@pytest.mark.thorough
def test_what_a_scheme_prints_does_not_get_among_the_answers(tmp_path):
    class Talks(Means):
        def fit(self, X, y):
            sys.stdout.write("x" * 100)
            sys.stdout.flush()
            return super().fit(X, y)

    found, _ = statuses(tmp_path, {"talks": Talks()}, {"seconds": 600}, 1)
    assert found == {"talks": {"done"}}


@pytest.mark.parametrize("backend", ["ray", "spark"])
def test_other_backends_of_joblib(backend, tmp_path, monkeypatch):
    """A smoke test where they are installed; else the error names what is missing."""
    from importlib.util import find_spec

    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)

    made = Experiment("zero-r", ["iris"], resampling="2", rng=1)
    if find_spec({"ray": "ray", "spark": "joblibspark"}[backend]) is None:
        with pytest.raises(ParameterError, match=f"The backend {backend} needs the package"):
            made.run(tmp_path, backend=backend)
        return
    results = made.run(tmp_path, backend=backend, n_jobs=2).results()
    assert (results.status == "done").all()


def test_a_backend_that_gives_all_answers_at_once(tmp_path, monkeypatch):
    monkeypatch.setitem(
        driver.BACKEND_REGISTRATIONS, "plain", ("running.plain_backend", "register")
    )
    made = Experiment(["zero-r", "naive-bayes"], ["iris"], resampling="2x3", rng=1)
    there = made.run(tmp_path / "there", backend="plain", n_jobs=2, progress=False)
    here = made.run(tmp_path / "here", n_jobs=1, progress=False)
    assert there.predictions("iris").fingerprint == here.predictions("iris").fingerprint


@pytest.mark.thorough
def test_a_given_scheduler_of_dask(tmp_path):
    """A cluster that somebody else has started, with processes of its own."""
    distributed = pytest.importorskip("distributed")
    made = Experiment(["zero-r", "tree"], ["iris"], resampling="2x3", rng=1)
    here = made.run(tmp_path / "here", n_jobs=1)
    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options, processes=True) as cluster:
        address = cluster.scheduler_address
        there = made.run(tmp_path / "there", backend="dask", scheduler=address, progress=False)
    assert there.predictions("iris").fingerprint == here.predictions("iris").fingerprint
