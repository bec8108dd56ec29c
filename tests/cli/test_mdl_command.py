"""`credibly mdl`: what Python returns, and what cannot be asked."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from credibly import clustering_mdl, mdl
from credibly.cli import main

SCHEMES = ["tree(max_depth=2)", "knn"]


@pytest.fixture
def towns(tmp_path):
    rng = np.random.default_rng(0)
    kind = np.arange(60) % 2
    frame = pd.DataFrame(
        {
            "id": range(60),
            "size": (rng.normal(size=60) + 20 * kind).round(1),
            "side": np.where(kind, "north", "south"),
            "rich": np.where(rng.random(60) < 0.1, 1 - kind, kind),
        }
    )
    path = tmp_path / "towns.csv"
    frame.to_csv(path, index=False)
    return path


def printed(capsys, *arguments):
    assert main(["mdl", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_the_same_as_in_python(capsys):
    out = printed(capsys, "iris", "--scheme", ",".join(SCHEMES), "--json")
    X, y = load_iris(return_X_y=True)
    names = load_iris().target_names
    same = mdl(SCHEMES, X, names[y], resampling="10", rng=1)
    assert json.loads(out) == json.loads(same.to_json())


def test_text_csv_markdown_and_picture(capsys, tmp_path):
    asked = ("iris", "--scheme", "tree", "--scheme", "zero-r", "--resampling", "none")
    text = printed(capsys, *asked)
    assert "tree is the shortest" in text
    assert "error rate" not in text
    rows = list(csv.DictReader(io.StringIO(printed(capsys, *asked, "--csv"))))
    total = sum(float(r["bits"]) for r in rows if r["theory"] == "tree")
    assert total == pytest.approx(float(rows[0]["total"]))
    assert "| tree |" in printed(capsys, *asked, "--markdown", "--plot", tmp_path / "bits.svg")
    assert "<svg" in (tmp_path / "bits.svg").read_text()


def test_prequential(capsys):
    asked = ("iris", "--scheme", "svm", "--code", "prequential", "--resampling", "none")
    assert "prequential code" in printed(capsys, *asked)


def test_clusters(capsys, towns):
    found = printed(capsys, towns, "--clusters", "kmeans", "--k", "1..3", "--ignore", "id,rich")
    assert "2 clusters is the shortest" in found
    asked = (towns, "--ignore", "id", "--target", "rich", "--k", "2")
    by_path = json.loads(
        printed(capsys, *asked, "--clusters", "sklearn.cluster:KMeans(n_init=3)", "--json")
    )
    assert [d["name"] for d in by_path["descriptions"]] == ["1 cluster", "2 clusters"]
    given = json.loads(
        printed(capsys, towns, "--clusters", "side", "--ignore", "id,rich", "--json")
    )
    frame = pd.read_csv(towns)
    same = clustering_mdl(frame[["size"]], {"side": frame["side"]})
    assert given["descriptions"][1]["total"] == same["side"].total


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("iris",), 2, "--scheme"),
        (("iris", "--scheme", "svm"), 2, "--code prequential"),
        (("iris", "--scheme", "tree", "--clusters", "kmeans"), 2, "not both"),
        (("iris", "--clusters", "kmeans", "--k", "many"), 2, "k must be"),
        (("iris", "--clusters", "kmeans", "--k", "0..2"), 2, "whole numbers from 1"),
        (("iris", "--clusters", "sklearn.cluster:Nothing"), 2, "no class 'Nothing'"),
        (("nowhere.csv", "--target", "y", "--scheme", "tree"), 1, "nowhere.csv"),
    ],
)
def test_errors_say_what_to_do(capsys, arguments, code, words):
    assert main(["mdl", *arguments]) == code
    assert words in capsys.readouterr().err


def test_coders_are_listed_and_shown(capsys):
    assert main(["list", "coders"]) == 0
    assert "naive_bayes" in capsys.readouterr().out
    assert main(["show", "coder", "tree"]) == 0
    assert "sklearn.tree.DecisionTreeClassifier" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        ("--clusters kmean", 1, "clusterer called 'kmean'. Did you mean kmeans?"),
        ("--clusters kmeans --k 6..1", 2, "from few to many, or 2,4; got '6..1'"),
        ("--clusters sklearn.cluster:DBSCAN --k 1..3", 2, "--k is for clusterers that take"),
    ],
)
def test_clusterings_that_cannot_be_are_refused_in_words(capsys, options, code, said):
    assert main(["mdl", "iris", *options.split()]) == code
    assert said in " ".join(capsys.readouterr().err.split())


def test_a_header_alone_has_no_rows(capsys, tmp_path):
    path = tmp_path / "header.csv"
    path.write_text("a,b,y\n")
    for options in ("--clusters kmeans", "--target y --scheme tree"):
        assert main(["mdl", str(path), *options.split()]) == 1
        assert "There are no rows in header.csv" in " ".join(capsys.readouterr().err.split())
