"""`credibly bias-variance`: from data or saved predictions to the parts of a loss."""

import json

import pytest

from credibly import bias_variance
from credibly.cli import main
from credibly.datasets import read_data


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
    assert "noise cannot be told from bias" in out.err
    assert main(asked) == 0
    assert "Squared bias and noise" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--over", "max_depth"], "over must name a parameter and its values"),
        (["--over", "depth=1,2"], "tree has no parameter 'depth'"),
        (["--loss", "domingoes"], "Did you mean domingos"),
        (["--training", "10"], "predicted once"),
    ],
)  # fmt: skip
def test_bad_options_are_refused_in_words(capsys, options, said):
    assert main(["bias-variance", "iris", "--scheme", "tree", *options]) != 0
    assert said in " ".join(capsys.readouterr().err.split())
