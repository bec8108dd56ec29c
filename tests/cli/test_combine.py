"""Combinations of models on the command line."""

import json

import pytest

from credibly import evaluate, read, run, save
from credibly.cli import main
from credibly.ensembles import combine
from credibly.io.datasets import read_data


@pytest.fixture(scope="module")
def predictions(tmp_path_factory):
    data = read_data("iris")
    made = run(["zero-r", "naive-bayes", "knn"], data.X, data.y, resampling=2, rng=1)
    return made, save(made, tmp_path_factory.mktemp("combined") / "three.parquet")


def typed(capsys, *words):
    code = main(["combine", *map(str, words)])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_one_file_of_several_models(predictions, tmp_path, capsys):
    made, path = predictions
    kept = tmp_path / "more.parquet"
    words = ("--how", "vote,stacked(folds=2)", "--measure", "error_rate", "--save", kept, "--json")
    code, out, _ = typed(capsys, path, *words)
    assert code == 0
    want = combine(made, ["vote", "stacked(folds=2)"], rng=1)
    told = [(e["model"], e["value"]) for e in json.loads(out)["estimates"]]
    assert told == [(e.keys["model"], e.value) for e in evaluate(want, "error_rate").estimates]
    assert read(kept).fingerprint == want.fingerprint


def test_a_file_for_each_model(predictions, tmp_path, capsys):
    made, _ = predictions
    names = ("naive-bayes", "knn")
    files = [save(made.where(model=name), tmp_path / f"{name}.parquet") for name in names]
    code, out, _ = typed(capsys, *files, "--how", "average")
    assert code == 0
    assert "450 predictions by 3 models" in out
    assert all(name in out for name in (*names, "average"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--how", "vot"], "Did you mean vote"),
        (["--only-models", "knn"], "two or more models"),
        (["--only-models", "knn,tree"], "no model 'tree'"),
    ],
)
def test_what_cannot_be_combined_is_said(predictions, words, said, capsys):
    code, _, err = typed(capsys, predictions[1], *words)
    assert code == 2
    assert said in err
