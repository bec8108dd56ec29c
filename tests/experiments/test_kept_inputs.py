"""What workers learn from is what was given: the same values, names and types, a few rows at a time."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import random as random_sparse
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from credibly import Experiment, run
from credibly.experiments.store import inputs as kept_inputs
from credibly.experiments.store.data import keep, open_data
from credibly.experiments.store.inputs import Mapped
from credibly.running.data import Data
from credibly.schemes import take_rows
from credibly.schemes.columns import columns_of, nature_of
from credibly.schemes.light_frame import LightFrame

N = 60
ROWS = np.array([5, 0, 59, 5, 17])


def kept(X, folder, y=None):
    target = np.arange(len(X) if not hasattr(X, "tocsr") else X.shape[0]) % 2 if y is None else y
    return open_data(str(folder / keep(Data.of(X, target), folder)))


@pytest.fixture
def frame():
    rng = np.random.default_rng(3)
    gaps = rng.normal(size=N)
    gaps[::7] = np.nan
    texts = rng.choice(["red", "green", "<b>"], N).astype(object)
    return pd.DataFrame(
        {
            "whole": rng.integers(0, 9, N),
            "large": rng.integers(2**60, 2**61, N),
            "small": rng.normal(size=N).astype(np.float32),
            "gaps": gaps,
            "flag": rng.random(N) < 0.5,
            "perhaps": pd.array([None, 1, 2] * (N // 3), dtype="Int64"),
            "colour": texts,
            "nothing": np.where(rng.random(N) < 0.2, np.nan, texts),
            "none": np.where(rng.random(N) < 0.2, None, texts),
            "text": pd.Series(texts, dtype="string"),
            "class": pd.Categorical(texts, categories=["unseen", "red", "green", "<b>"]),
            "grade": pd.Categorical(texts, categories=["<b>", "green", "red"], ordered=True),
            "number": pd.Categorical(rng.integers(1, 4, N)),
            "maybe": pd.array([True, None, False] * (N // 3), dtype="boolean"),
            "surely": pd.array([True, False] * (N // 2), dtype="boolean"),
            "lacking": pd.array(["a", None, "b"] * (N // 3), dtype="string"),
            "objects": pd.Series(["a", pd.NA, "b"] * (N // 3), dtype=object),
            7: rng.normal(size=N),
        }
    )


class TestFrames:
    def test_pandas_comes_back_as_it_was(self, frame, tmp_path):
        found = kept(frame, tmp_path).X
        pd.testing.assert_frame_equal(found[ROWS], frame.iloc[ROWS].reset_index(drop=True))
        assert found.shape == frame.shape
        assert found.nature == nature_of(frame)

    @pytest.mark.parametrize("kind", ["float64", "float32", "int64"])
    def test_numbers_of_one_type_are_one_block(self, kind, tmp_path):
        frame = pd.DataFrame(np.arange(12.0).reshape(4, 3).astype(kind), columns=list("abc"))
        taken = kept(frame, tmp_path).X[np.array([3, 1])]
        pd.testing.assert_frame_equal(taken, frame.iloc[[3, 1]].reset_index(drop=True))
        assert np.shares_memory(taken.to_numpy(), taken["b"].to_numpy())

    def test_polars_comes_back_as_it_was(self, tmp_path):
        texts = ["a", "b", None, "a"] * 5
        frame = pl.DataFrame(
            {
                "whole": pl.Series(range(20), dtype=pl.Int16),
                "gaps": pl.Series([1, None, 2, 3] * 5, dtype=pl.Int64),
                "number": pl.Series([1.5, None, 2.0, 0.1] * 5, dtype=pl.Float32),
                "exact": pl.Series(np.linspace(0, 1, 20)),
                "flag": pl.Series([True, False] * 10),
                "perhaps": pl.Series([True, None, False, True] * 5),
                "text": texts,
                "class": pl.Series(texts, dtype=pl.Categorical),
                "grade": pl.Series(texts, dtype=pl.Enum(["b", "a"])),
            }
        )
        found = kept(frame, tmp_path).X
        rows = np.array([3, 0, 19, 6])
        assert found[rows].equals(frame[rows.tolist()])
        assert found[rows].schema == frame.schema

    def test_pyarrow_comes_back_as_it_was(self, tmp_path):
        table = pa.table({"x": [1, 2, 3, 4], "t": ["a", None, "b", "a"], "f": [0.5, None, 1, 2]})
        found = kept(table, tmp_path).X
        assert found[np.array([2, 1])].equals(table.take([2, 1]))

    @pytest.mark.thorough
    def test_a_pipeline_over_named_columns_predicts_as_in_run(self, frame, tmp_path):
        """Which failed in every fold while frames came back as arrays."""
        y = (frame["gaps"].fillna(0) + (frame["colour"] == "red") > 0.3).astype(int)
        front = ColumnTransformer(
            [
                ("texts", OneHotEncoder(handle_unknown="ignore"), ["colour", "nothing"]),
                ("gaps", SimpleImputer(), ["gaps"]),
                ("floats", "passthrough", make_column_selector(dtype_include="float32")),
            ]
        )
        schemes = {
            "by name": make_pipeline(front, LogisticRegression()),
            "by type": HistGradientBoostingClassifier(
                categorical_features="from_dtype", max_iter=5, min_samples_leaf=5
            ),
            "named": "naive-bayes",
        }
        X = frame[["colour", "nothing", "gaps", "small", "class", "flag", "whole"]]
        given = X.drop(columns=["colour", "nothing"])
        for name, columns in (("by name", X), ("by type", given), ("named", X)):
            how = {"resampling": "2x5", "rng": 4}
            made = Experiment({name: schemes[name]}, {"d": (columns, y)}, **how)
            store = made.run(tmp_path / name, n_jobs=1, progress=False)
            assert set(store.results().status) == {"done"}, name
            want = run({name: schemes[name]}, columns, y, exact_shortcuts=False, **how)
            assert store.predictions("d").fingerprint == want.fingerprint

    @pytest.mark.parametrize("kind", ["boolean", "string", "object"])
    def test_what_pandas_calls_missing(self, kind, tmp_path):
        """Its NA refuses to be compared, so that one such column stopped all datasets."""
        values = [True, pd.NA, False] if kind == "boolean" else ["a", pd.NA, "b"]
        X = pd.DataFrame({"x": np.arange(N) % 7, "c": pd.Series(values * (N // 3), dtype=kind)})
        y, how = np.arange(N) % 2, {"resampling": "3", "rng": 1}
        usual = X.assign(c=[None if v is pd.NA else v for v in X["c"]])
        want = run("naive-bayes", usual, y, **how).fingerprint
        assert run("naive-bayes", X, y, **how).fingerprint == want
        assert run("naive-bayes", X.to_numpy(object), y, **how).fingerprint == want
        store = Experiment("naive-bayes", {"d": (X, y)}, **how).run(tmp_path, n_jobs=1)
        assert store.predictions("d").fingerprint == want

    def test_types_that_pandas_cannot_read_from_their_names(self, tmp_path):
        """Which failed with an error of pandas' own."""
        texts, money = ["a", None, "b"] * 5, [Decimal("1.5"), None, Decimal("2")] * 5
        words = pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
        exact = pd.ArrowDtype(pa.decimal128(10, 2))
        frame = pd.DataFrame({"t": pd.Series(texts, dtype=words), "m": pd.Series(money, dtype=exact)})  # fmt: skip
        found = kept(frame, tmp_path).X.all_rows()
        assert found["t"].tolist() == texts
        np.testing.assert_array_equal(found["m"], [1.5, np.nan, 2] * 5)

    @pytest.mark.thorough  # processes start slowly
    def test_polars_frames_go_to_workers(self, tmp_path):
        rng = np.random.default_rng(1)
        X = pl.DataFrame({"x": rng.normal(size=N), "t": rng.choice(["a", "b"], N)})
        y = rng.integers(0, 2, N)
        front = ColumnTransformer([("t", OneHotEncoder(), ["t"])], remainder="passthrough")
        scheme = {"mine": make_pipeline(front, LogisticRegression())}
        made = Experiment(scheme, {"d": (X, y)}, resampling="3", rng=1)
        store = made.run(tmp_path / "kept", n_jobs=2, progress=False)
        assert set(store.results().status) == {"done"}

    def test_other_names_or_types_are_other_data(self, tmp_path):
        frame = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": ["x", "y"] * 2})
        others = [
            frame.rename(columns={"a": "c"}),
            frame.astype({"a": "float32"}),
            frame.astype({"b": "category"}),
            pl.from_pandas(frame),
            frame.to_numpy(dtype=object),
        ]
        found = {kept(f, tmp_path).home for f in (frame, frame.copy(), *others)}
        assert len(found) == 1 + len(others)


class TestMixedArrays:
    @pytest.fixture
    def array(self):
        rng = np.random.default_rng(2)
        X = np.empty((N, 3), object)
        X[:, 0] = rng.normal(size=N)
        X[:, 1] = rng.choice(["a", "b", None], N)
        X[:, 2] = [None if i % 9 == 0 else float(i % 5) for i in range(N)]
        return X

    def test_named_schemes_get_columns_and_others_objects(self, array, tmp_path):
        found = kept(array, tmp_path)
        light = found.light
        assert isinstance(light, LightFrame)
        want = columns_of(array[ROWS], text=("column 1",))
        for name, column in columns_of(take_rows(light, ROWS), text=("column 1",)).items():
            np.testing.assert_array_equal(column, want[name])
        assert nature_of(light) == nature_of(array)
        objects = take_rows(found.X, ROWS)
        assert objects.dtype == object
        assert objects[:, 1].tolist() == array[ROWS, 1].tolist()
        assert objects.shape == (len(ROWS), 3)

    @pytest.mark.parametrize(
        "scheme",
        [
            "zero-r",
            "one-r",
            "naive-bayes",
            "tree",
            "knn",
            "logistic",
            "bagging(n_estimators=3)",
            "adaboost(n_estimators=3)",
        ],
    )
    def test_predictions_are_those_of_run(self, scheme, array, tmp_path):
        y = np.array(["no", "yes"])[(array[:, 0] + (array[:, 1] == "a") > 0.3).astype(int)]
        how = {"resampling": "2x3", "rng": 5}
        made = Experiment({"s": scheme}, {"d": (array, y)}, **how)
        store = made.run(tmp_path / "kept", n_jobs=1, progress=False)
        assert set(store.results().status) == {"done"}
        want = run({"s": scheme}, array, y, exact_shortcuts=False, **how)
        assert store.predictions("d").fingerprint == want.fingerprint


class TestFiles:
    def test_a_pipeline_over_the_named_columns_of_a_file(self, frame, tmp_path):
        table = frame[["colour", "gaps", "nothing"]].assign(y=frame["colour"] == "red")
        table.to_csv(tmp_path / "mixed.csv", index=False)
        front = ColumnTransformer(
            [("t", OneHotEncoder(), ["colour"]), ("n", SimpleImputer(), ["gaps"])]
        )
        schemes = {"mine": make_pipeline(front, LogisticRegression()), "tree": "tree"}
        source = {"d": {"data": str(tmp_path / "mixed.csv"), "target": "y"}}
        made = Experiment(schemes, source, resampling="3", measures=["error_rate"], rng=1)
        results = made.run(tmp_path / "kept", n_jobs=1, progress=False).results()
        assert set(results.status) == {"done"}
        assert results.values["error_rate"].max() == 0

    def test_without_pandas_they_come_as_objects(self, tmp_path, monkeypatch):
        monkeypatch.setattr(kept_inputs, "find_spec", lambda _: None)
        X = np.array([[1.0, "a"], [2.0, "b"], [3.0, "a"], [4.0, None]], object)
        data = replace(Data.of(X, [0, 1, 0, 1]), names=("x", "t"))
        found = open_data(str(tmp_path / keep(data, tmp_path)))
        assert found.X[np.array([3, 0])].tolist() == [[4.0, None], [1.0, "a"]]
        assert list(columns_of(found.light)) == ["x", "t"]


class TestMatrices:
    @pytest.mark.parametrize("order", ["C", "F"])
    @pytest.mark.parametrize("kind", ["float64", "float32", "int8"])
    def test_rows_are_taken_in_blocks(self, order, kind, tmp_path, monkeypatch):
        monkeypatch.setattr(kept_inputs, "COPY_BYTES", 64)
        monkeypatch.setattr(kept_inputs, "MIN_RELEASED_BYTES", 64)
        monkeypatch.setattr(kept_inputs, "MIN_MAPPED_BYTES", 128)
        X = np.asarray(np.random.default_rng(1).normal(size=(N, 5)) * 9, kind, order=order)
        found = kept(X, tmp_path).X
        assert isinstance(found, Mapped)
        taken = found[ROWS]
        assert type(taken) is np.ndarray
        assert taken.flags.writeable
        np.testing.assert_array_equal(taken, X[ROWS])
        assert taken.dtype == X.dtype
        np.testing.assert_array_equal(found.all_rows(), X)

    def test_sparse_rows(self, tmp_path):
        X = random_sparse(N, 8, 0.2, format="csr", random_state=np.random.default_rng(0))
        found = kept(X, tmp_path).X
        assert (take_rows(found, ROWS) != X[ROWS]).nnz == 0

    def test_targets_are_not_copied(self, tmp_path):
        names = np.array(["a long name", "another"])[np.arange(N) % 2]
        data = kept(np.ones((N, 2)) * np.arange(N)[:, None], tmp_path, names)
        assert isinstance(data.y, np.memmap)
        assert data.y.tolist() == names.tolist()
