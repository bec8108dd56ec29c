"""Experiments end to end: what is missing is done, and nothing else."""

import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, make_classification

from credibly import DataError, Experiment, ParameterError, run
from credibly.experiments import Store
from credibly.experiments.store import schema
from credibly.experiments.store.lock import driver_of, locked
from credibly.experiments.store.removal import collect
from experiments.schemes import Fails, Means

X, Y = load_iris(return_X_y=True)


def small(**changes):
    options = {"resampling": "2x3", "measures": ["error_rate", "auc"], "rng": 1}
    schemes = changes.pop("schemes", ["zero-r", "tree(max_depth=2)"])
    datasets = changes.pop("datasets", ["iris", "wine"])
    return Experiment(schemes, datasets, **{**options, **changes})


def keys_of(store):
    return {c.key for c in store.wanted()}


def fits_of(folder):
    """Return how many fits each run has added."""
    with sqlite3.connect(folder / schema.DATABASE_FILE) as database:
        return [
            n for (n,) in database.execute("SELECT count(*) FROM cell GROUP BY run ORDER BY run")
        ]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "kept"


class TestRunning:
    def test_predictions_are_those_of_run(self, folder):
        schemes = ["naive-bayes", "tree", "forest(n_estimators=3)"]
        store = small(schemes=schemes, datasets={"iris": (X, Y)}).run(folder, n_jobs=1)
        want = run(schemes, X, Y, resampling="2x3", rng=1, exact_shortcuts=False)
        found = store.predictions("iris")
        assert found.fingerprint == want.fingerprint
        assert found.provenance.resampling == want.provenance.resampling
        assert found.provenance.splits == want.provenance.splits
        assert len(found.provenance.fits) == len(want.provenance.fits)
        assert found.provenance.attributes == want.provenance.attributes == 4

    def test_inner_splits_are_kept_apart(self, folder):
        rule = "nested_cv(k=3, repeats=2)"
        experiment = small(
            schemes=["tree(max_depth=2)"], datasets={"iris": (X, Y)}, resampling=rule
        )
        store = experiment.run(folder, n_jobs=1)
        want = run("tree(max_depth=2)", X, Y, resampling=rule, rng=1)
        assert store.predictions("iris").fingerprint == want.fingerprint
        assert store.predictions("iris").seen.n == want.seen.n == 2 * 2 * 150
        assert sorted(set(store.results().fold.tolist())) == [0, 1, 2]

    @pytest.mark.parametrize("resampling", ["bootstrap(replicates=3)", "three_way", "loo"])
    def test_other_resamplings(self, folder, resampling):
        X, y = make_classification(30, 4, random_state=1)
        store = small(schemes=["tree"], datasets={"d": (X, y)}, resampling=resampling).run(
            folder, n_jobs=1
        )
        want = run("tree", X, y, resampling=resampling, rng=1, exact_shortcuts=False)
        assert store.predictions("d").fingerprint == want.fingerprint

    def test_splitters_of_scikit_learn(self, folder):
        from sklearn.model_selection import ShuffleSplit

        cuts = ShuffleSplit(3, random_state=1)
        store = small(schemes=["tree"], datasets={"d": (X, Y)}, resampling=cuts).run(
            folder, n_jobs=1
        )
        want = run("tree", X, Y, resampling=cuts, rng=1, exact_shortcuts=False)
        assert store.predictions("d").fingerprint == want.fingerprint

    def test_workers_change_nothing(self, folder, tmp_path):
        alone, together = small().run(folder, n_jobs=1), small().run(tmp_path / "b", n_jobs=2)
        for name in ("iris", "wine"):
            assert alone.predictions(name).fingerprint == together.predictions(name).fingerprint

    def test_texts_weights_and_groups_are_kept(self, folder, tmp_path):
        rows = [
            f"{i % 7},{'ab'[i % 2]}{'' if i % 5 else 'x'},{i // 4},{1 + i % 3},{('no', 'yes')[i % 3 > 0]}"
            for i in range(60)
        ]
        file = tmp_path / "d.csv"
        file.write_text("\n".join(["n,text,who,w,y", *rows]))
        data = {"data": str(file), "target": "y", "group": "who", "weight": "w", "positive": "yes"}
        store = small(schemes=["tree"], datasets=[data], resampling=None).run(folder, n_jobs=1)
        p = store.predictions("d")
        assert store.datasets()["d"]["resampling"] == "grouped_folds(k=10, repeats=10)"
        assert set(p.group.tolist()) == {str(i) for i in range(15)} or set(p.group.tolist()) == set(
            range(15)
        )
        assert set(p.unshared.tolist()) == {1, 2, 3}
        assert p.classes[p.positive] == "yes"

    def test_learning_curves(self, folder):
        store = small(schemes=["tree"], sizes=[0.2, 1.0], datasets=["iris"]).run(folder, n_jobs=1)
        r = store.results()
        assert set(r.where(size=0.2).n_train) == {20}
        assert set(r.where(size=1.0).n_train) == {100}
        assert store.predictions("iris", "tree", size=0.2).n == 300

    def test_sparse_inputs(self, folder):
        from scipy.sparse import csr_matrix

        schemes = ["sklearn.naive_bayes:MultinomialNB()"]
        store = small(schemes=schemes, datasets={"d": (csr_matrix(X), Y)}).run(folder, n_jobs=1)
        assert (store.results().status == "done").all()

    def test_times_versions_and_hardware_are_known(self, folder):
        (facts,) = small().run(folder, n_jobs=1).runs()
        assert {"numpy", "scikit-learn", "python"} <= set(facts["versions"])
        assert facts["seed"] == 1
        assert facts["ended"] >= facts["started"]
        assert facts["cores"] == os.cpu_count()


class TestResuming:
    def test_a_second_run_has_nothing_to_do(self, folder):
        small().run(folder, n_jobs=1)
        store = small().run(folder, n_jobs=1)
        assert fits_of(folder) == [24]
        assert len(store.runs()) == 2

    @pytest.mark.parametrize(
        ("changes", "new"),
        [
            ({"schemes": ["zero-r", "tree(max_depth=2)", "tree(max_depth=3)"]}, 12),
            ({"datasets": ["iris", "wine", "breast-cancer"]}, 12),
            ({"resampling": "3x3"}, 12),
            ({"rng": 2}, 24),
            ({"schemes": ["zero-r", "tree(max_depth=3)"]}, 12),
            ({"schemes": {"nothing": "zero-r", "tree": "tree(max_depth=2)"}}, 0),
            ({"measures": ["kappa"]}, 0),
        ],
        ids=["scheme", "dataset", "repeat", "seed", "parameter", "names", "measures"],
    )
    def test_exactly_what_is_missing_is_done(self, folder, changes, new):
        small().run(folder, n_jobs=1)
        store = small(**changes).run(folder, n_jobs=1)
        assert sum(fits_of(folder)) == 24 + new
        assert (store.results().status == "done").all()

    def test_an_added_measure_is_computed_from_the_predictions(self, folder, tmp_path):
        small().run(folder, n_jobs=1)
        added = small(measures=["kappa", "auc"]).run(folder, n_jobs=1).results()
        fresh = small(measures=["kappa", "auc"]).run(tmp_path / "b", n_jobs=1).results()
        for m in ("kappa", "auc"):
            np.testing.assert_array_equal(added.values[m], fresh.values[m])

    def test_changed_data_are_other_cells(self, folder):
        small(datasets={"d": (X, Y)}).run(folder, n_jobs=1)
        changed = X.copy()
        changed[0, 0] += 1e-9
        small(datasets={"d": (changed, Y)}).run(folder, n_jobs=1)
        assert fits_of(folder) == [12, 12]

    def test_failures_are_results_and_are_retried_when_asked(self, folder):
        experiment = small(schemes={"fails": Fails(), "means": Means()}, datasets={"d": (X, Y)})
        store = experiment.run(folder, n_jobs=1)
        bad = store.results().where(scheme="fails")
        assert set(bad.status) == {"error"}
        assert set(bad.error) == {"RuntimeError: it cannot be learnt"}
        assert np.isnan(bad.values["auc"]).all()
        with sqlite3.connect(folder / schema.DATABASE_FILE) as database:
            (trace,) = database.execute("SELECT trace FROM cell WHERE status = 'error'").fetchone()
        assert "in fit" in trace
        assert "it cannot be learnt" in trace
        experiment.run(folder, n_jobs=1)
        assert fits_of(folder) == [12]
        (hint,) = [f for f in store.results().findings if f.code == "failed-fits-stay"]
        assert "6 failed fits" in hint.message
        assert "--retry-failed" in hint.action
        assert "retry_failed=True" in hint.action
        forecast = experiment.forecast(folder, n_jobs=1)
        assert (forecast.left, hint in forecast.findings) == (0, True)
        forecast = experiment.forecast(folder, n_jobs=1, retry_failed=True)
        assert (forecast.left, hint in forecast.findings) == (6, False)
        experiment.run(folder, n_jobs=1, retry_failed=True)
        assert fits_of(folder) == [6, 6]
        said = [f.code for f in store.predictions("d").findings]
        assert "failed-fits" in said

    def test_a_scheme_for_numbers_fails_on_classes_and_says_so(self, folder):
        store = small(schemes=["naive-bayes"], datasets=["diabetes", "iris"]).run(folder, n_jobs=1)
        bad = store.results().where(dataset="diabetes")
        assert all("predicts classes" in e for e in bad.error)
        assert (store.results().where(dataset="iris").status == "done").all()

    def test_a_dataset_that_cannot_be_read_stops_no_other(self, folder, tmp_path):
        file = tmp_path / "d.csv"
        file.write_text("x,y\n1,2\n")
        data = ["iris", {"data": str(file), "target": "nothing"}, "wine"]
        store = small(datasets=data).run(folder, n_jobs=1)
        assert store.results().datasets == ("iris", "wine")
        said = next(f for f in store.results().findings if f.code == "failed-dataset")
        assert "The dataset d cannot be used: There is no column 'nothing'" in said.message
        assert collect(folder).removed == 0
        with pytest.raises(DataError, match="so it has no predictions"):
            store.predictions("d")

    def test_results_of_data_that_cannot_be_read_any_more_are_not_collected(self, folder, tmp_path):
        file = tmp_path / "d.csv"
        file.write_text("x,y\n" + "1,no\n2,yes\n" * 10)
        experiment = small(datasets=["iris", {"data": str(file), "target": "y"}])
        experiment.run(folder, n_jobs=1)
        whole = file.read_text()
        file.write_text("x,y\n1,a\n2,b\n")  # which can be read, but not be cut into three folds
        for _ in range(2):  # the second run knows it from the first
            experiment.run(folder, n_jobs=1)
            with pytest.raises(DataError, match=r"The results of d, .* would be lost"):
                collect(folder)
        file.write_text(whole)
        experiment.run(folder, n_jobs=1)
        assert fits_of(folder) == [24]
        assert collect(folder).removed == 0

    def test_nothing_can_be_read(self, folder, tmp_path):
        file = tmp_path / "d.csv"
        file.write_text("x,y\n1,2\n")
        with pytest.raises(DataError, match="None of the datasets can be used"):
            small(datasets=[{"data": str(file), "target": "z"}]).run(folder, n_jobs=1)


class TestStore:
    def test_only_one_driver(self, folder):
        folder.mkdir()
        code = "import sys, time; from pathlib import Path; from credibly.experiments.store.lock import locked\nwith locked(Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
        other = subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE)
        try:
            assert other.stdout.readline() == b"held\n"
            assert driver_of(folder) == other.pid
            with pytest.raises(DataError, match=f"Another process, {other.pid}, is running"):
                small().run(folder, n_jobs=1)
        finally:
            other.kill()
            other.communicate()
        assert driver_of(folder) is None
        small().run(folder, n_jobs=1)  # the lock died with its process

    def test_a_reader_needs_no_lock(self, folder):
        small().run(folder, n_jobs=1)
        with locked(folder):
            assert Store(folder).results().n == 24

    def test_nothing_is_pickled(self, folder):
        small(
            datasets={
                "d": (np.array([[i, "ab"[i % 2]] for i in range(30)], object), [0, 1, 1] * 10)
            }
        ).run(folder, n_jobs=1)
        for path in folder.rglob("*"):
            if path.suffix == ".npy":
                np.load(path, allow_pickle=False)
            elif path.is_file():
                assert path.suffix.partition("-")[0] in {".sqlite", ".parquet", ".json", ".lock"}

    @pytest.mark.parametrize(("version", "age"), [(99, "a newer"), (1, "an older")])
    def test_a_store_of_another_version_is_refused(self, folder, version, age):
        small().run(folder, n_jobs=1)
        with sqlite3.connect(folder / schema.DATABASE_FILE) as database:
            database.execute(f"PRAGMA user_version = {version}")
        with pytest.raises(DataError, match=f"written by {age} version of Credibly"):
            Store(folder)

    def test_leftovers_of_a_killed_driver_are_removed(self, folder):
        small().run(folder, n_jobs=1)
        (folder / "predictions" / "orphan.parquet.part").write_text("half")
        (folder / "data" / "x.part").mkdir()
        small().run(folder, n_jobs=1)
        assert not list(folder.rglob("*.part"))

    def test_what_the_plan_does_not_ask_for_is_collected(self, folder):
        small().run(folder, n_jobs=1)
        small(datasets=["iris"], schemes=["zero-r"]).run(folder, n_jobs=1)
        removed = collect(folder)
        assert removed.removed == 18
        assert len(list((folder / "data").iterdir())) == 1
        assert (Store(folder).results().status == "done").all()
        assert Store(folder).predictions("iris").n == 300

    def test_numbers_of_collected_cells_are_used_again(self, folder, tmp_path):
        """A file keeps the predictions of a collected cell; they must not be taken for those of another."""
        small(datasets=["iris"], schemes=["tree", "naive-bayes"]).run(folder, n_jobs=1)
        small(datasets=["iris"], schemes=["tree"]).run(folder, n_jobs=1)
        assert collect(folder).removed == 6
        both = small(datasets=["iris"], schemes=["knn(k=3)", "tree"])
        fresh = both.run(tmp_path / "fresh", n_jobs=1)
        assert both.run(folder, n_jobs=1).predictions("iris").fingerprint == (
            fresh.predictions("iris").fingerprint
        )

    @pytest.mark.parametrize("harm", ["lost", "cut", "scratched"])
    def test_damaged_predictions_are_had_again(self, folder, harm):
        experiment = small(datasets=["iris"])
        whole = experiment.run(folder, n_jobs=1).predictions("iris").fingerprint
        file = next((folder / "predictions").iterdir())
        if harm == "lost":
            file.unlink()
        else:
            content = file.read_bytes()
            file.write_bytes(content[:50] if harm == "cut" else b"PAR1" + bytes(80) + b"PAR1")
        for use in (
            lambda: Store(folder).predictions("iris"),
            lambda: experiment.verify(folder, cells=12, rng=1),
        ):
            with pytest.raises(DataError, match=r"are damaged: .* resume .* retry_failed=True"):
                use()
        store = experiment.run(folder, n_jobs=1, retry_failed=harm == "scratched")
        assert store.predictions("iris").fingerprint == whole
        assert (store.results().status == "done").all()

    def test_no_experiment(self, tmp_path):
        with pytest.raises(DataError, match="There is no experiment in"):
            Store(tmp_path)

    def test_names_that_are_not_there(self, folder):
        store = small().run(folder, n_jobs=1)
        with pytest.raises(ParameterError, match=r"no dataset 'irs'.*Did you mean iris"):
            store.predictions("irs")
        with pytest.raises(ParameterError, match=r"no scheme 'zeror'.*Did you mean zero-r"):
            store.predictions("iris", "zeror")

    def test_results_as_json_and_frames(self, folder):
        r = small().run(folder, n_jobs=1).results()
        assert len(json.loads(r.to_json())["rows"]) == 24
        assert r.frame().shape[0] == 24


class TestDisk:
    @pytest.mark.thorough
    def test_a_full_disk_leaves_the_store_intact(self, folder, monkeypatch):
        """The first batch is written, then the disk is full; with room again, the rest is done."""
        store = small().run(folder, n_jobs=1)
        before = store.results()
        store.close()
        largest = max(p.stat().st_size for p in folder.rglob("*.parquet"))
        code = f"""
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from experiments.test_experiment import small
resource.setrlimit(resource.RLIMIT_FSIZE, ({largest // 2}, {largest // 2}))
small(resampling="3x3").run({str(folder)!r}, n_jobs=1)
"""
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code],
            capture_output=True,
            check=False,
            text=True,
            env=_environment(),
        )
        assert done.returncode != 0
        assert "DataError" in done.stderr
        assert "cannot be" in done.stderr
        after = Store(folder)
        assert len(after.statuses()) == before.n
        again = small(resampling="3x3").run(folder, n_jobs=1).results()
        assert (again.status == "done").all()
        assert fits_of(folder) == [24, 12]

    def test_a_full_database_says_so_and_has_no_results_without_a_plan(self, folder):
        with Store.driving(folder) as store:
            store._database.execute("PRAGMA max_page_count = 1")
            with (
                pytest.raises(DataError, match=r"full.*intact; check that there is space"),
                store._transaction() as write,
            ):
                write.execute("CREATE TABLE large AS SELECT zeroblob(1000000) AS z")
            with pytest.raises(DataError, match="no experiment has been run there"):
                store.results()

    @pytest.mark.thorough
    def test_a_full_and_a_read_only_file_system(self, tmp_path):
        """On a file system of its own, where one may be mounted."""
        home = tmp_path / "mounted"
        home.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(home)]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("no file system can be mounted here")
        try:
            folder = home / "kept"
            small().run(folder, n_jobs=1).close()
            with pytest.raises(DataError, match="What was stored before is intact"):
                small(resampling="100x3").run(folder, n_jobs=1)
            there = len(Store(folder).statuses())
            assert there >= 24
            subprocess.run(["mount", "-o", "remount,size=60m", str(home)], check=True)
            store = small(resampling="10x3").run(folder, n_jobs=1)
            assert (store.results().status == "done").all()
            assert store.predictions("iris").n == 3000
            store.close()
            subprocess.run(["mount", "-o", "remount,ro", str(home)], check=True)
            with pytest.raises(DataError, match="Read-only file system"):
                small().run(folder, n_jobs=1)
            assert (Store(folder).results().status == "done").all()
        finally:
            subprocess.run(["umount", "-l", str(home)], check=True)

    def test_predictions_that_cannot_be_written(self, folder, monkeypatch):
        """Whoever runs out of space first, the store or the engine that writes the predictions."""
        import duckdb

        class Full:
            def register(self, *_):
                raise duckdb.IOException("IO Error: No space left on device")

            def unregister(self, *_):
                pass

        before = small().run(folder, n_jobs=1).results()
        monkeypatch.setattr("credibly.io._column_files._connection", Full)
        with pytest.raises(
            DataError, match=r"No space left on device\. What was stored before is intact"
        ):
            small(resampling="3x3").run(folder, n_jobs=1)
        monkeypatch.undo()
        assert len(Store(folder).statuses()) == before.n

    def test_a_folder_that_cannot_be_made(self, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(DataError, match="cannot be used to store an experiment"):
            small().run(tmp_path / "file", n_jobs=1)


def _environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}


class TestVerifying:
    def test_a_sample_is_the_same_bit_for_bit(self, folder):
        experiment = small(schemes=["forest(n_estimators=3)"])
        experiment.run(folder, n_jobs=1)
        found = experiment.verify(folder, cells=5, rng=1)
        assert found
        assert (found.checked, found.total) == (5, 12)

    @pytest.mark.parametrize("what", ["value", "probability"])
    def test_a_changed_bit_is_found(self, folder, what):
        from credibly.io._column_files import read_columns, write_columns

        experiment = small(schemes=["tree"], datasets=["iris"])
        experiment.run(folder, n_jobs=1)
        if what == "value":
            with sqlite3.connect(folder / schema.DATABASE_FILE) as database:
                database.execute("UPDATE value SET value = value + 1e-15 WHERE measure = 'auc'")
        else:
            (file,) = (folder / "predictions").iterdir()
            columns = {n: c.copy() for n, c in read_columns([file]).items()}
            columns["p0"] += 1e-16
            write_columns(file, columns)
        found = experiment.verify(folder, cells=6, rng=1)
        assert not found
        assert ("auc was" if what == "value" else "another probability") in str(found)

    def test_other_data_cannot_be_compared(self, folder):
        small(datasets={"d": (X, Y)}).run(folder, n_jobs=1)
        with pytest.raises(DataError, match="can be compared"):
            small(datasets={"d": (X + 1, Y)}).verify(folder, rng=1)


def test_a_forecast_keeps_nothing(folder):
    made = small().forecast(folder, n_jobs=1)
    assert (made.fits, made.left) == (24, 24)
    assert made.seconds > 0
    assert not folder.exists()
    small().run(folder, n_jobs=1)
    assert small(resampling="3x3").forecast(folder, n_jobs=1).left == 12


def test_a_terminal_shows_how_far_it_is(folder, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    experiment = small(schemes={"[red]fails": Fails(), "means": Means()}, datasets={"d": (X, Y)})
    experiment.run(folder, n_jobs=1)
    assert "[red]fails" in shown.getvalue()
    assert "12/12 done" in shown.getvalue()
    assert "6 failed" in shown.getvalue()
    shown.truncate(0)
    experiment.run(folder, n_jobs=1, progress=False, retry_failed=True)
    assert not shown.getvalue().strip("\0")


@pytest.mark.thorough
def test_ctrl_c_keeps_what_is_done(folder):
    """The driver gets the signal that a terminal sends; no process stays behind."""
    from experiments.killing import contents, experiment, rows_of, session_of, start, wait_until

    driver = start(folder, "loky", "small")
    assert wait_until(lambda: rows_of(folder))
    os.killpg(driver.pid, signal.SIGINT)
    driver.communicate(timeout=120)
    assert driver.returncode == -signal.SIGINT or driver.returncode == 1
    assert wait_until(lambda: not session_of(driver.pid))
    assert rows_of(folder)
    experiment("small").run(folder, n_jobs=1, progress=False)
    assert len(contents(folder)["cells"]) == 27


@pytest.mark.thorough
def test_five_schemes_on_six_datasets_with_twice_ten_folds(folder):
    """End to end, twice: the second time there is nothing to do."""
    rng = np.random.default_rng(1)
    made = {
        f"made {i}": (rng.normal(size=(60, 3)) + (np.arange(60) % 2)[:, None], np.arange(60) % 2)
        for i in range(3)
    }
    bundled = {
        "iris": "iris",
        "wine": "wine",
        "cancer": tuple(a[:120] for a in load_breast_cancer(return_X_y=True)),
    }
    schemes = ["zero-r", "naive-bayes", "lda", "knn(k=3)", "tree(max_depth=3)"]
    experiment = Experiment(
        schemes, {**made, **bundled}, resampling="2x10", measures=["error_rate", "auc"], rng=1
    )
    store = experiment.run(folder, n_jobs=1)
    assert (store.results().status == "done").all()
    assert store.results().n == 600
    experiment.run(folder, n_jobs=1)
    assert fits_of(folder) == [600]


def tables_of_numbers_and_text():
    """Return inputs of every kind with the bytes that they take where they were made."""
    X = np.random.default_rng(1).normal(size=(20_000, 50))
    mixed = X.astype(object)
    mixed[:, ::5] = np.where(X[:, ::5] > 0, "positive", "negative")
    frame = pd.DataFrame(X).rename(columns=str)
    texts = pd.DataFrame(mixed).infer_objects().rename(columns=str)
    yield "numbers", X, X.nbytes
    yield "a frame of numbers", frame, X.nbytes
    yield "numbers and text", mixed, mixed.nbytes + 24 * 40 * len(X)
    yield "a frame with text", texts, X.nbytes


@pytest.mark.daily
@pytest.mark.parametrize(
    ("X", "size"), [pytest.param(X, n, id=name) for name, X, n in tables_of_numbers_and_text()]
)
@pytest.mark.parametrize("scheme", ["zero-r", "sklearn.dummy:DummyClassifier()"])
def test_a_worker_keeps_no_copy_of_the_data(scheme, X, size, folder):
    """It maps them into its memory; a fit needs its training part, and gives it back."""
    import tracemalloc

    from credibly.experiments.execution.tasks import answer
    from credibly.experiments.plan.design import design

    y = np.arange(len(X)) % 2 == 0
    made = small(schemes=[scheme], datasets={"d": (X, y)}, resampling="10")
    folder.mkdir()
    tasks = list(design(made.plan, folder).tasks.values())
    assert answer(tasks[0]).status == "done"
    tracemalloc.start()
    try:
        for task in tasks[1:4]:
            answer(task)
        kept, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 0.05 * size
    assert most < size  # of which 0.9 are trained on


def test_datasets_that_differ_in_costs_alone_share_fits_and_not_values(tmp_path):
    """The second had no values, and those of the first's costs when the experiment was resumed."""
    X, y = load_iris(return_X_y=True)
    cheap, dear = ([[0, k, k], [k, 0, k], [k, k, 0]] for k in (1, 10))
    sources = [
        {"data": (X, y), "name": "cheap", "costs": cheap},
        {"data": (X, y), "name": "dear", "costs": dear},
    ]
    e = Experiment(["one-r"], sources, resampling="3", measures=["average_cost"], rng=1)
    for _ in range(2):
        r = e.run(tmp_path / "e", n_jobs=1).results()
        first, second = (r.where(dataset=d).values["average_cost"] for d in ("cheap", "dear"))
        np.testing.assert_allclose(second, 10 * first)
        assert first.min() > 0
