"""Damaged stores: whatever has become of a file, nothing is learnt from it, nothing is lost, and it is said."""

import contextlib
import io
import shutil
import sqlite3

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from credibly import CrediblyError, DataError, Experiment
from credibly.cli import main
from credibly.experiments import Store
from credibly.experiments.store import data as kept_data, schema, seal
from credibly.experiments.store.data import DamagedDataError, damage_of, keep, open_data
from credibly.io import _column_files
from credibly.running.data import Data

RNG = np.random.default_rng(5)
X, Y = RNG.normal(size=(60, 4)), np.array(["a", "b", "b"] * 20)
FRAME = pd.DataFrame({"x": X[:, 0], "n": np.arange(60), "t": np.array(["red", "green"] * 30)})
INPUTS = {
    "numbers": X,
    "columns first": np.asfortranarray(X),
    "whole numbers": RNG.integers(0, 9, (60, 2)),
    "sparse": csr_matrix(np.where(X > 0, X, 0)),
    "a frame": FRAME,
    "numbers and text": FRAME.to_numpy(object),
}


def small(**options):
    given = {"schemes": ["zero-r", "naive-bayes"], "datasets": ["iris"], "resampling": "2x3"}
    return Experiment(**{**given, "measures": ["error_rate"], "rng": 1, **options})


def run(experiment, folder, **options):
    return experiment.run(folder, n_jobs=1, progress=False, **options)


def home_of(folder, dataset="iris"):
    with contextlib.closing(Store(folder)) as store:
        return folder / "data" / store.datasets()[dataset]["data"]


def values_of(folder):
    with contextlib.closing(Store(folder)) as store:
        return store.results().values["error_rate"].tolist()


def forget_a_third(folder):
    with contextlib.closing(sqlite3.connect(folder / schema.DATABASE_FILE)) as database, database:
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("DELETE FROM cell WHERE id % 3 = 0")


def reverse_a_column(home):
    file = home / "X.npy"
    array = np.load(file)
    array[:, 2] = array[::-1, 2]
    np.save(file, array)


def command(*words):
    """Run a command as a person would, and return its exit code and all that it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        code = main(["experiment", *map(str, words)])
    return code, printed.getvalue()


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "kept"


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A folder in which everything is done; tests damage copies of it."""
    home = tmp_path_factory.mktemp("finished") / "kept"
    run(small(), home).close()
    return home


@pytest.fixture
def copied(finished, folder):
    shutil.copytree(finished, folder)
    return folder


def spoil(file, how, place=0.5):
    """Damage a file at a place that is given as a share of its length."""
    content = bytearray(file.read_bytes())
    i = min(int(place * len(content)), len(content) - 1)
    if how == "missing":
        file.unlink()
        return
    if how == "flipped":
        content[i] ^= 0x41
    kept = content if how == "flipped" else content[: 0 if how == "empty" else i]
    file.write_bytes(bytes(kept))


class TestData:
    def test_results_do_not_come_from_reversed_columns(self, copied):
        before = values_of(copied)
        reverse_a_column(home_of(copied))
        forget_a_third(copied)
        code, said = command("resume", copied, "--jobs", 1)
        assert code == 0
        assert "was damaged: X.npy does not hold what was written there" in said
        assert values_of(copied) == before
        assert not damage_of(home_of(copied))

    def test_without_the_source_nothing_is_learnt(self, folder):
        source = folder.with_name("d.csv")
        pd.DataFrame(X).assign(y=Y).to_csv(source, index=False)
        experiment = small(datasets=[{"data": str(source), "target": "y"}, "iris"])
        run(experiment, folder).close()
        table = source.read_text()
        source.unlink()
        reverse_a_column(home_of(folder, "d"))
        with (
            contextlib.closing(sqlite3.connect(folder / schema.DATABASE_FILE)) as database,
            database,
        ):
            database.execute("DELETE FROM cell")
        (folder / seal.SEAL_FILE).unlink()
        code, said = command("resume", folder, "--jobs", 1)
        assert code == 1
        assert "X.npy does not hold what was written there" in said
        assert "unexpected" not in said
        with contextlib.closing(Store(folder)) as store:
            assert set(store.results().dataset) == {"iris"}
        assert home_of(folder, "d").exists()
        source.write_text(table)
        store = run(experiment, folder)
        assert (store.results().status == "done").all()

    def test_predictions_need_no_inputs(self, copied):
        home = home_of(copied)
        spoil(home / "X.npy", "missing")
        with contextlib.closing(Store(copied)) as store:
            assert store.predictions("iris").n == 600
        spoil(home / "codes.npy", "flipped", 0.9)
        with (
            contextlib.closing(Store(copied)) as store,
            pytest.raises(DamagedDataError, match=r"codes\.npy does not hold"),
        ):
            store.predictions("iris")

    @pytest.mark.daily
    @pytest.mark.parametrize("name", INPUTS)
    @pytest.mark.parametrize("how", ["flipped", "cut short", "empty", "missing"])
    def test_every_file_at_many_places(self, name, how, tmp_path):
        beside = {"groups": np.arange(60) % 7, "time": np.arange(60), "fold": Y}
        data = Data.of(INPUTS[name], Y, sample_weight=np.ones(60), **beside)
        home = tmp_path / keep(data, tmp_path)
        assert damage_of(home) == ""
        whole = {f: f.read_bytes() for f in home.iterdir()}
        places = [0.01, 0.5, 0.97, 1] if how in {"flipped", "cut short"} else [0]
        for file, content in whole.items():
            for place in places:
                spoil(file, how, place)
                if file.exists() and same_content(file, content):
                    continue  # a blank in the head of an array
                assert damage_of(home), (file.name, place)
                assert keep(data, tmp_path) == home.name
                assert damage_of(home) == ""
                file.write_bytes(content)

    def test_data_that_belong_elsewhere(self, tmp_path):
        first, second = (tmp_path / keep(Data.of(x, Y), tmp_path) for x in (X, X + 1))
        assert damage_of(first) == ""
        keep_first = shutil.copytree(first, tmp_path / "first")
        shutil.copy(second / "X.npy", first / "X.npy")
        assert damage_of(first)
        shutil.rmtree(first)
        shutil.copytree(second, first)
        assert damage_of(first)
        shutil.rmtree(first)
        shutil.copytree(keep_first, first)
        assert damage_of(first) == ""

    def test_a_file_is_read_once(self, tmp_path, monkeypatch):
        """However many datasets a worker has open in turn."""
        homes = [
            str(tmp_path / keep(Data.of(X + i, Y), tmp_path))
            for i in range(kept_data.MAX_OPEN_DATASETS + 2)
        ]
        for home in homes:
            open_data(home)
        monkeypatch.setattr(_column_files, "file_digest", None)
        for home in homes * 2:
            open_data(home)

    def test_what_changes_while_it_is_open_is_noticed(self, tmp_path):
        home = tmp_path / keep(Data.of(X, Y), tmp_path)
        open_data(str(home))
        reverse_a_column(home)
        with pytest.raises(DamagedDataError, match=r"X\.npy"):
            open_data(str(home))

    @pytest.mark.daily(n_jobs=[1], limits=[None])
    @pytest.mark.parametrize(
        ("backend", "n_jobs", "limits"),
        [
            ("loky", 1, None),
            ("loky", 2, None),
            ("loky", 1, {"seconds": 60}),
            ("loky", 2, {"seconds": 60}),
            ("dask", 2, None),
        ],
    )
    def test_a_worker_refuses_what_was_damaged_after_the_driver_looked(
        self, backend, limits, n_jobs, folder, monkeypatch
    ):
        from credibly.experiments import experiment as running

        if backend == "dask":
            pytest.importorskip("distributed")

        def damaging(*given):
            made = design_of_plan(*given)
            reverse_a_column(folder / "data" / made.datasets[0].data)
            return made

        design_of_plan = running.design
        monkeypatch.setattr(running, "design", damaging)
        experiment = small(limits=limits, datasets={"d": (X, Y)})
        with pytest.raises(DamagedDataError, match=r"X\.npy does not hold"):
            experiment.run(folder, n_jobs=n_jobs, backend=backend, progress=False)
        monkeypatch.undo()
        store = run(experiment, folder)
        assert set(store.results().status) == {"done"}
        assert "damaged-data" in {f["code"] for f in store.runs()[-1]["findings"]}


def same_content(file, content):
    if file.suffix != ".npy":
        return False
    try:
        now, before = np.load(file), np.load(io.BytesIO(content))
    except Exception:
        return False
    return now.dtype == before.dtype and now.shape == before.shape and (now == before).all()


class TestVerifying:
    def test_data_are_verified_too(self, copied):
        assert command("verify", copied)[0] == 0
        reverse_a_column(home_of(copied))
        code, said = command("verify", copied)
        assert code == 1
        assert "the data of iris: X.npy does not hold what was written there" in said
        assert "all are the same, bit for bit" in said

    @pytest.mark.parametrize("how", ["flipped", "cut short", "empty", "missing"])
    def test_predictions_are_verified_in_all_files(self, how, copied):
        (file, *_) = (copied / "predictions").iterdir()
        spoil(file, how, 0.4)
        code, said = command("verify", copied, "--cells", 1)
        assert code == 1
        assert f"Damaged: predictions/{file.name}: the predictions of " in said
        code, said = command("resume", copied, "--jobs", 1, "--retry-failed")
        assert code == 0
        assert command("verify", copied)[0] == 0

    def test_files_of_predictions_that_changed_places_are_damaged(self, folder):
        run(small(datasets=["iris", "wine"]), folder).close()
        first, second = sorted((folder / "predictions").iterdir())[:2]
        content = first.read_bytes()
        first.write_bytes(second.read_bytes())
        second.write_bytes(content)
        code, said = command("verify", folder)
        assert code == 1
        assert first.name in said
        assert second.name in said
        assert command("export", folder, "--predictions", "iris", "-o", folder / "x.csv")[0] == 1
        assert not (folder / "x.csv").exists()

    def test_no_flipped_byte_changes_a_prediction(self, copied):
        with contextlib.closing(Store(copied)) as store:
            before = store.predictions("iris").fingerprint
        (file, *_) = (copied / "predictions").iterdir()
        content = file.read_bytes()
        for place in np.linspace(0, 1, 25):
            spoil(file, "flipped", place)
            with (
                contextlib.closing(Store(copied)) as store,
                pytest.raises(DataError, match="are damaged"),
            ):
                store.predictions("iris")
            file.write_bytes(content)
        with contextlib.closing(Store(copied)) as store:
            assert store.predictions("iris").fingerprint == before


class TestDatabases:
    @pytest.mark.parametrize("place", [0.001, 0.01, 0.1, 0.3, 0.5, 0.9, 0.999])
    def test_one_that_is_cut_short_is_damaged(self, place, copied):
        files = files_of(copied)
        spoil(copied / schema.DATABASE_FILE, "cut short", place)
        damaged = (copied / schema.DATABASE_FILE).read_bytes()
        for words in (
            ["status"],
            ["resume"],
            ["verify"],
            ["gc"],
            ["export", "-o", copied / "x.csv"],
        ):
            code, said = command(words[0], copied, *words[1:])
            assert code == 1, words
            assert "experiment.sqlite is damaged" in said
            assert "intact" not in said
            assert "unexpected" not in said
        assert (copied / schema.DATABASE_FILE).read_bytes() == damaged
        assert files_of(copied) == files

    @pytest.mark.parametrize("how", ["empty", "missing"])
    def test_one_that_is_gone_is_not_begun_anew(self, how, copied, tmp_path):
        files = files_of(copied)
        spoil(copied / schema.DATABASE_FILE, how)
        said = "it is empty" if how == "empty" else "it is not there"
        (tmp_path / "plan.toml").write_text(
            'schemes = ["zero-r"]\ndatasets = ["iris"]\nresampling = "2"\nrng = 1'
        )
        for words in (
            ["status", copied],
            ["resume", copied],
            [tmp_path / "plan.toml", "--folder", copied],
        ):
            code, printed = command(*words)
            assert code == 1
            assert f"experiment.sqlite is damaged: {said}" in printed
            assert "older" not in printed
        assert files_of(copied) == files

    def test_one_of_a_driver_that_was_ended_at_once(self, folder):
        """Nothing is there yet, so nothing is damaged."""
        (folder / "data").mkdir(parents=True)
        (folder / schema.DATABASE_FILE).touch()
        code, said = command("status", folder)
        assert code == 1
        assert "There is no experiment" in said
        assert run(small(), folder).results().n == 12

    def test_flipped_bytes_are_never_unexpected_and_never_silent(self, copied):
        path = copied / schema.DATABASE_FILE
        content, files = path.read_bytes(), files_of(copied)
        before = command("status", copied, "--csv")
        for place in [*np.linspace(0, 1, 60), *(np.arange(0, 100, 3) / len(content))]:
            spoil(path, "flipped", place)
            code, said = command("status", copied)
            assert "unexpected" not in said, place
            assert (code == 1 and "damaged" in said) or "changed since Credibly wrote it" in said, (
                place
            )
            with contextlib.suppress(CrediblyError), contextlib.closing(Store(copied)) as store:
                store.predictions("iris")
                store.plan()
            path.write_bytes(content)
        assert files_of(copied) == files
        assert command("status", copied, "--csv") == before

    @pytest.mark.parametrize("place", np.linspace(0.05, 0.95, 7))
    def test_no_file_is_removed_by_what_a_damaged_database_does_not_name(self, place, copied):
        files = set(files_of(copied))
        spoil(copied / schema.DATABASE_FILE, "flipped", place)
        code, said = command("resume", copied, "--jobs", 1)
        assert code in {0, 1}
        assert "unexpected" not in said
        assert files <= set(files_of(copied))

    def test_what_somebody_changed_is_said_until_it_is_accepted(self, copied):
        forget_a_third(copied)
        code, said = command("resume", copied, "--jobs", 1)
        assert code == 0
        assert "experiment.sqlite has changed since Credibly wrote it" in said
        assert "changed since Credibly wrote it" in command("status", copied)[1]
        (copied / seal.SEAL_FILE).unlink()
        assert "changed since Credibly wrote it" not in command("status", copied)[1]
        command("resume", copied, "--jobs", 1)
        assert (copied / seal.SEAL_FILE).exists()
        assert "changed since Credibly wrote it" not in command("status", copied)[1]

    def test_a_reader_does_not_keep_a_driver_from_sealing(self, copied):
        with contextlib.closing(Store(copied)) as reader:
            run(small(resampling="3x3"), copied).close()
            assert reader.results().n == 18
        with contextlib.closing(Store(copied)) as store:
            assert store.state == "whole"


def files_of(folder):
    return {
        str(f.relative_to(folder)): f.read_bytes()
        for each in ("data", "predictions")
        for f in (folder / each).rglob("*")
        if f.is_file()
    }
