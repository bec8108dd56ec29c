"""The standard error of any statistic on the command line."""

import json

import pytest

from credibly import evaluate, read
from credibly.cli import main
from credibly.intervals import bootstrap_rows

PEOPLE = "height,weight\n1.6,55\n1.7,70\n1.8,72\n1.9,95\n1.75,\n"


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    return str(path)


def typed(capsys, *words):
    code = main(["standard-error", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_statistic_of_columns(people, capsys, tmp_path):
    picture = tmp_path / "drawn.json"
    words = ("--column", "height,weight", "--statistic", "correlation", "--replicates", "200")
    code, out, _ = typed(capsys, people, *words, "--json", "-o", str(picture))
    assert code == 0
    want = bootstrap_rows("correlation", [1.6, 1.7, 1.8, 1.9], [55, 70, 72, 95], replicates=200, rng=1)  # fmt: skip
    told = json.loads(out)
    assert (told["value"], told["standard_error"]) == (want.value, want.standard_error)
    assert told["interval"]["low"] == want.limits.low
    assert next(f["code"] for f in told["findings"]) == "rows-without-numbers"
    assert picture.exists()


def test_a_measure_of_predictions(tmp_path, capsys):
    path = tmp_path / "p.csv"
    path.write_text("y,p\n" + "".join(f"{i % 2},{i * 37 % 100 / 100}\n" for i in range(60)))
    code, out, _ = typed(capsys, str(path), "--measure", "auc,brier", "--replicates", "100", "--json")  # fmt: skip
    assert code == 0
    told = {e["measure"]: e["standard_error"] for e in json.loads(out)["estimates"]}
    p = read(path)
    want = evaluate(p, ["auc", "brier"], interval="bootstrap", replicates=100, rng=1)
    assert told == {e.measure: e.standard_error for e in want.estimates}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 2, "--column"),
        (["--column", "height", "--measure", "auc"], 2, "either --column"),
        (["--column", "size"], 1, "no column 'size'"),
        (["--column", "height", "--statistic", "medain"], 2, "Did you mean median"),
        (["--column", "height", "--replicates", "1"], 2, "--replicates"),
        (["--column", "height", "-o", "a.xyz"], 2, ".xyz"),
    ],
)
def test_what_cannot_be_drawn_is_said(people, words, code, said, capsys):
    found, _, err = typed(capsys, people, *words)
    assert found == code
    assert said in err


def test_the_only_column_need_not_be_named(people, tmp_path, capsys):
    one = tmp_path / "one.csv"
    one.write_text("x\n1\n2\n3\n7\n")
    code, out, _ = typed(capsys, str(one), "--statistic", "median", "--json")
    assert code == 0
    assert json.loads(out)["value"] == 2.5
    code, _, said = typed(capsys, people, "--statistic", "median")
    assert code == 2
    assert "Its columns: height, weight." in said
