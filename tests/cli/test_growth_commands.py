"""Learning from more and more, on the command line and as text."""

import json
import re

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris

from credibly.cli import main
from credibly.ensembles import ensemble_curve
from credibly.running import learning_curve


def typed(capsys, *words):
    code = main(list(words))
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_learning_curve_is_that_of_python(capsys, tmp_path):
    picture = tmp_path / "curve.json"
    words = ("--scheme", "naive-bayes", "--sizes", "0.1,60,1.0", "--resampling", "3")
    code, out, _ = typed(capsys, "learning-curve", "iris", *words, "--json", "-o", str(picture))
    assert code == 0
    X, y = load_iris(return_X_y=True)
    y = load_iris().target_names[y]
    curve = learning_curve("naive-bayes", X, y, sizes=[0.1, 60, 1.0], resampling=3, rng=1)
    told = [(e["trained on"], e["value"]) for e in json.loads(out)["estimates"]]
    assert told == [(e.keys["trained on"], e.value) for e in curve.judged.estimates]
    assert [n for n, _ in told] == [10, 60, 100]
    assert picture.exists()


def test_an_ensemble_curve_has_training_and_test_error(capsys):
    words = ("--scheme", "bagging", "--sizes", "1,3", "--resampling", "2")
    code, out, _ = typed(capsys, "ensemble-curve", "iris", *words)
    assert code == 0
    lines = out.splitlines()
    assert lines[1].split() == ["models", "\\", "Error", "rate", "test", "train"]
    assert [line.split()[0] for line in lines[2:4]] == ["1", "3"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--scheme", "tree", "--sizes", "few"], "--sizes must be a list"),
        (["--scheme", "tree", "--sizes", "2.5,9999"], "numbers of rows up to the 135"),
        (["--scheme", "tree", "-o", "curve.xyz"], ".xyz"),
    ],
)
def test_what_cannot_be_drawn_is_said(words, said, capsys):
    code, _, err = typed(capsys, "learning-curve", "iris", *words)
    assert code == 2
    assert said in err


def test_what_is_no_ensemble_does_not_grow(capsys):
    code, _, err = typed(capsys, "ensemble-curve", "iris", "--scheme", "naive-bayes")
    assert code == 2
    assert "n_estimators" in err


@pytest.mark.parametrize("resampling", ["3", "holdout", "2x2"])
def test_the_text_of_a_curve_shows_the_error_at_each_size(resampling):
    X, y = load_iris(return_X_y=True)
    schemes = ["naive-bayes", "zero-r"]
    curve = learning_curve(schemes, X, y, sizes=[0.2, 1.0], resampling=resampling, rng=1)
    said = curve.meaning().splitlines()
    lines = str(curve).splitlines()[len(said) :]
    assert all(
        f"(model {name}) goes from" in line for name, line in zip(schemes, said, strict=True)
    )
    assert lines[1].split(" \\ ")[1].split() == ["Error", "rate", *schemes]
    for line, p in zip(lines[2:4], curve.predictions.values(), strict=True):
        for model, cell in zip(schemes, re.split(" {2,}", line.strip())[-2:], strict=True):
            q = p.where(model=model)
            wrong = (q.label != q.truth).astype(float)
            parts = {(r, f) for r, f in zip(q.repeat, q.fold, strict=True)}
            means = [wrong[(q.repeat == r) & (q.fold == f)].mean() for r, f in parts]
            assert float(cell.split("[")[0]) == pytest.approx(np.mean(means), abs=6e-4)


def test_numbers_are_judged_by_their_distance():
    X, y = load_diabetes(return_X_y=True)
    curve = ensemble_curve("forest", X[:60], y[:60], sizes=[1, 2], resampling=2, rng=1)
    assert curve.usual == "mae"
    header = str(curve).splitlines()[len(curve.meaning().splitlines()) + 1]
    assert header.startswith("models \\ Mean absolute error")
    assert len(json.loads(curve.to_json())["estimates"]) == 4
