"""`credibly bias-variance`: from data or saved predictions to the parts of a loss."""

import json

import pytest

from credibly import bias_variance, run, save
from credibly.cli import main
from credibly.io.datasets import read_data


def table_of(capsys, *arguments):
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_numbers_are_those_of_python(capsys, tmp_path):
    saved, drawn = tmp_path / "preds.parquet", tmp_path / "trees.svg"
    asked = ["bias-variance", "iris", "--scheme", "tree", "--over", "max_depth=1,3"]
    found = table_of(
        capsys, *asked, "--replicates", "8", "--save", str(saved), "--plot", str(drawn)
    )
    iris = read_data("iris")
    want = bias_variance("tree", iris.X, iris.y, over={"max_depth": [1, 3]}, replicates=8, rng=1)
    assert [e["value"] for e in found["estimates"]] == [e.value for e in want.table.estimates]
    assert found["estimates"][0]["max_depth"] == 1
    assert drawn.read_text().startswith("<svg")
    again = table_of(capsys, "bias-variance", str(saved))
    assert [e["value"] for e in again["estimates"]] == [e.value for e in want.table.estimates]
    assert again["estimates"][0]["model"] == "tree(max_depth=1)"


def test_numbers_and_other_formats(capsys):
    asked = [
        "bias-variance",
        "diabetes",
        "--scheme",
        "linear",
        "--scheme",
        "knn",
        "--training",
        "2x3",
    ]
    assert main([*asked, "--csv"]) == 0
    out = capsys.readouterr()
    assert out.out.splitlines()[0].startswith("model,measure")
    assert "noise cannot be separated from bias" in out.err
    assert main(asked) == 0
    assert "Squared bias and noise" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--over", "max_depth"], "over must name a parameter and its values"),
        (["--over", "depth=1,2"], "tree has no parameter 'depth'"),
        (["--loss", "domingoes"], "Did you mean domingos"),
        (["--training", "10"], "predicted only once"),
        (["--training", "foo"], "'foo'"),
        (["--scheme", "knn", "--over", "k=1,2"], "exactly one scheme; got 2: tree, knn"),
    ],
)  # fmt: skip
def test_bad_options_are_refused_in_words(capsys, options, said):
    assert main(["bias-variance", "iris", "--scheme", "tree", *options]) != 0
    assert said in " ".join(capsys.readouterr().err.split())


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "preds.parquet"
    cancer = read_data("breast-cancer")
    made = run("naive-bayes", cancer.X, cancer.y, resampling="3x3", rng=1, progress=False)
    save(made, path)
    return str(path)


@pytest.mark.parametrize(
    "option",
    [
        ["--over", "max_depth=1,2"], ["--training", "subsample"], ["--replicates", "5"],
        ["--task", "classification"], ["--rng", "1"], ["--jobs", "2"], ["--target", "class"],
        ["--weight-kind", "frequency"], ["--ignore", "x"],
    ],
)  # fmt: skip
def test_options_of_learning_are_refused_beside_saved_predictions(capsys, saved, option):
    assert main(["bias-variance", saved, *option]) == 2
    assert f"{option[0]} is about learning" in " ".join(capsys.readouterr().err.split())


def test_the_positive_class_of_saved_predictions_is_heeded(capsys, saved):
    parts = [
        [
            e["value"]
            for e in table_of(
                capsys, "bias-variance", saved, "--loss", "friedman", "--positive", c
            )["estimates"]
        ]
        for c in ("benign", "malignant")
    ]
    assert parts[0] == pytest.approx(parts[1], abs=1e-12)  # every part is the same from both sides
    assert main(["bias-variance", saved, "--positive", "nobody"]) != 0
    assert "nobody" in capsys.readouterr().err


def test_a_bundled_set_without_a_scheme_asks_for_one(capsys):
    assert main(["bias-variance", "iris"]) == 2
    assert "Name a scheme with --scheme" in " ".join(capsys.readouterr().err.split())
