"""Datasets in memory: frames by the names of their columns, arrays with arrays beside them."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from credibly import DataError, Experiment, ParameterError, run
from credibly.io.datasets import read_data

N = 60
ROLES = {"group": "customer", "weight": "w", "time": "day", "fold": "part"}


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(5)
    x = rng.normal(size=N)
    return pd.DataFrame(
        {
            "x": x,
            "town": pd.Categorical(rng.choice(["Bern", "Rome"], N)),
            "customer": [f"c{i % 20}" for i in range(N)],
            "w": rng.integers(1, 4, N),
            "day": pd.date_range("2020-01-01", periods=N)[::-1],
            "part": np.arange(N) % 3,
            "note": "free text",
            "left": np.where(x + rng.normal(size=N) > 0, "yes", "no"),
        }
    )


@pytest.fixture(scope="module")
def scheme():
    """Which asks for columns by their names, and so for a frame."""
    front = ColumnTransformer([("town", OneHotEncoder(), ["town"]), ("x", "passthrough", ["x"])])
    return {"by name": make_pipeline(front, LogisticRegression())}


def kept(scheme, given, folder, **how):
    made = Experiment(scheme, {"d": given}, **how)
    return made.run(folder, n_jobs=1, progress=False).predictions("d")


LIBRARIES = {"pandas": lambda f: f, "polars": pl.from_pandas, "pyarrow": pa.Table.from_pandas}
LIBRARIES["lazy"] = lambda f: pl.from_pandas(f).lazy()


@pytest.mark.daily
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("resampling", ["grouped_folds(k=3)", "time_ordered(k=3)", "fold_column"])
def test_a_frame_by_the_names_of_its_columns(library, resampling, frame, scheme, tmp_path):
    if library == "pyarrow":
        scheme = "naive-bayes"  # scikit-learn does not find columns of pyarrow by name
    how = {"resampling": resampling, "rng": 2}
    spec = {"data": LIBRARIES[library](frame), "target": "left", "ignore": ["note"], **ROLES}
    columns = {"groups": "customer", "sample_weight": "w", "time": "day", "fold": "part"}
    beside = {k: frame[name] for k, name in columns.items()}
    want = run(scheme, frame[["x", "town"]], frame["left"], exact_shortcuts=False, **beside, **how)
    found = kept(scheme, spec, tmp_path, **how)
    assert found.fingerprint == want.fingerprint


def test_inputs_stay_a_frame(frame):
    spec = {"data": frame, "target": "left", "ignore": ["note"], **ROLES}
    plan = Experiment("zero-r", {"d": spec}, rng=1).plan
    data = plan.sources[0].read()
    pd.testing.assert_frame_equal(data.X, frame[["x", "town"]])
    assert data.weight.tolist() == frame["w"].tolist()
    assert data.group.tolist() == frame["customer"].tolist()
    assert (data.time == frame["day"].to_numpy()).all()
    assert data.fold.tolist() == frame["part"].tolist()
    assert not plan.to_dict()["complete"]


@pytest.mark.parametrize("kind", [list, np.asarray, pl.Series, lambda v: v])
def test_arrays_with_arrays_beside_them(kind, frame, tmp_path):
    X, how = frame[["x"]].to_numpy(), {"resampling": "grouped_folds(k=3)", "rng": 2}
    beside = {"groups": frame["customer"], "sample_weight": frame["w"]}
    want = run("naive-bayes", X, frame["left"], exact_shortcuts=False, **beside, **how)
    spec = {"data": (X, frame["left"]), "group": kind(frame["customer"]), "weight": kind(frame["w"])}  # fmt: skip
    assert kept("naive-bayes", spec, tmp_path, **how).fingerprint == want.fingerprint


def test_a_plan_with_lists_cannot_be_read_again():
    """Which it seemed to be, since lists can be written to a file; but they are no data there."""
    made = Experiment("zero-r", {"d": ([[1], [2], [3], [4]], [0, 1, 0, 1])}, rng=1)
    assert not made.plan.to_dict()["complete"]


def test_one_estimator_that_has_a_length(frame, tmp_path):
    """An ensemble is as long as the models that it has, and is asked before it has any."""
    given = {"d": (frame[["x"]], frame["left"])}
    forest = RandomForestClassifier(3)
    store = Experiment(forest, given, resampling="2", rng=1).run(tmp_path, n_jobs=1, progress=False)
    assert set(store.results().status) == {"done"}


def wrong(frame):
    X, y = frame[["x"]].to_numpy(), frame["left"]
    return {
        "no name": ([frame], "Give arrays and frames a name"),
        "a frame alone": (frame, "Give arrays and frames a name"),
        "an array alone": ({"d": X}, r"a frame, or inputs and targets \(X, y\); got ndarray"),
        "three arrays": ({"d": (X, y, y)}, "got 3 arrays"),
        "a series as a name": (
            {"d": {"data": frame, "target": y}},
            r"^target must be a text; got Series\.$",
        ),
        "a name as values": (
            {"d": {"data": (X, y), "group": "customer"}},
            "^group must be an array, .* with one value per row; got 'customer'",
        ),
        "a target of arrays": (
            {"d": {"data": (X, y), "target": "left"}},
            "A dataset of arrays has no 'target'.* It may have: data, name, .*group",
        ),
        "texts for missing in a frame": (
            {"d": {"data": frame, "target": "left", "missing": ["?"]}},
            "A frame has no 'missing'",
        ),
        "roles of what was read": (
            {"d": {"data": read_data("iris"), "group": "customer"}},
            "A dataset that was read before has no 'group'",
        ),
    }


@pytest.mark.parametrize("what", wrong(pd.DataFrame({"x": [], "left": []})))
def test_what_cannot_be_a_dataset(what, frame):
    given, said = wrong(frame)[what]
    with pytest.raises(ParameterError, match=said) as caught:
        Experiment("zero-r", given, rng=1)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({}, "Which column of the pandas frame should be predicted"),
        ({"target": "lft"}, "no column 'lft' for target= in the pandas frame. Did you mean left"),
        ({"target": "left", "group": "gone"}, "no column 'gone' for group"),
        ({"target": "gaps"}, "The target 'gaps' is missing or infinite in 12 rows"),
        ({"target": "left", "group": "gaps"}, "groups is missing in 12 rows"),
        ({"target": "left", "fold": "gaps"}, "fold is missing in 12 rows"),
        ({"target": "left", "weight": "note"}, "not a number in 60 rows"),
    ],
)
def test_what_is_wrong_with_a_column(spec, said, frame, tmp_path):
    data = frame.assign(gaps=[None if i % 5 == 0 else i % 2 for i in range(N)])
    made = Experiment("zero-r", {"d": {"data": data, **spec}}, rng=1)
    with pytest.raises(DataError, match=said):
        made.run(tmp_path, n_jobs=1, progress=False)


def test_arrays_of_another_length(frame, tmp_path):
    X, y = frame[["x"]].to_numpy(), frame["left"]
    for role, said in (("group", "groups has 3 values"), ("time", "time has 3 values")):
        made = Experiment("zero-r", {"d": {"data": (X, y), role: [1, 2, 3]}}, rng=1)
        with pytest.raises(DataError, match=said):
            made.run(tmp_path, n_jobs=1, progress=False)
