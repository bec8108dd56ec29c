"""The model to keep, written with a note of what it is."""

import hashlib
import json
import pickle

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_iris

from credibly import DataError, ParameterError
from credibly.cli import main
from credibly.running import final_model

IRIS = load_iris()


@pytest.mark.parametrize("ending", [".pkl", ".pickle", ".joblib"])
def test_a_model_is_written_with_its_note(ending, tmp_path, capsys):
    path = tmp_path / f"iris{ending}"
    assert main(["final-model", "iris", "--scheme", "tree(max_depth=2)", "-o", str(path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "fitted on all 150 rows" in said
    read = pickle.loads(path.read_bytes()) if ending != ".joblib" else joblib.load(path)
    want = final_model("tree(max_depth=2)", IRIS.data, IRIS.target_names[IRIS.target], rng=1)
    assert read.predict(IRIS.data).tolist() == want.estimator.predict(IRIS.data).tolist()
    note = json.loads((tmp_path / f"iris{ending}.json").read_text())
    assert note["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert note["inputs"] == list(IRIS.feature_names)
    assert (note["target"], note["classes"]) == ("species", IRIS.target_names.tolist())
    assert {"credibly", "numpy", "scikit-learn"} == set(note["versions"])


def test_text_columns_are_learnt_inside_the_model(tmp_path, capsys):
    data = tmp_path / "towns.csv"
    data.write_text("town,size,sold\n" + "a,1,no\nb,2,yes\na,3,no\nb,4,yes\n" * 3)
    path = tmp_path / "towns.pkl"
    assert main(["final-model", str(data), "--target", "sold", "--scheme", "tree", "-o", str(path), "--json"]) == 0  # fmt: skip
    assert json.loads(capsys.readouterr().out)["inputs"] == ["town", "size"]
    rows = np.array([["b", 2], ["a", 9]], object)
    assert pickle.loads(path.read_bytes()).predict(rows).tolist() == ["yes", "no"]


def test_what_cannot_be_kept_leaves_nothing(tmp_path, capsys):
    path = tmp_path / "model.onnx"
    assert main(["final-model", "iris", "--scheme", "tree", "-o", str(path)]) == 2
    assert ".pkl, .pickle, .joblib" in capsys.readouterr().err
    made = final_model("zero-r", IRIS.data, IRIS.target)
    with pytest.raises(ParameterError, match="written as"):
        made.save(path)
    made.estimator.secret = lambda: 0
    with pytest.raises(DataError, match="zero-r cannot be written"):
        made.save(tmp_path / "model.pkl")
    assert not list(tmp_path.iterdir())


def test_text_of_a_final_model():
    made = final_model("zero-r", IRIS.data, IRIS.target)
    assert str(made).startswith("zero-r, fitted on all 150 rows. Estimates by resampling are about")
    assert "treated as classes" in str(made)
