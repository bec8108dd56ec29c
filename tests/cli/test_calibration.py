"""`credibly calibration` and the listings that go with it."""

import csv
import io
import json

import numpy as np
import pytest

from credibly import Predictions, calibration, read
from credibly.cli import main


@pytest.fixture
def two(tmp_path):
    rng = np.random.default_rng(0)
    p = rng.random(120).round(3)
    y = np.where(rng.random(120) < p, "yes", "no")
    path = tmp_path / "two.csv"
    path.write_text("y,p\n" + "".join(f"{a},{b}\n" for a, b in zip(y, p, strict=True)))
    return path, Predictions.of(y, probability=p, positive="yes")


@pytest.fixture
def three(tmp_path):
    rng = np.random.default_rng(1)
    p = rng.dirichlet([1, 1, 1], 90)
    rows = "".join(f"{'abc'[rng.choice(3, p=r)]},{r[0]},{r[1]},{r[2]}\n" for r in p)
    path = tmp_path / "three.csv"
    path.write_text("y,pa,pb,pc\n" + rows)
    return path


TWO = ["--truth", "y", "--probability", "p", "--positive", "yes"]
THREE = ["--truth", "y", "--probability", "pa,pb,pc", "--classes", "a,b,c"]


def test_prints_what_python_returns(two, capsys):
    path, p = two
    assert main(["calibration", str(path), *TWO, "--groups", "5"]) == 0
    out = capsys.readouterr().out
    made = calibration(p, 5)
    assert out.splitlines()[:3] == [made.meaning(), "", made.heading]
    assert "5 groups of equal size" in out
    assert "--rng" in out
    assert len(out.splitlines()) < 40
    assert main(["calibration", str(path), *TWO, "--groups", "5", "--all"]) == 0
    everything = capsys.readouterr().out
    assert [t for t in (e.title for e in made.table.estimates) if t not in everything] == []
    assert [d.name for d in made.decompositions if d.name not in everything] == []


def test_json_csv_and_markdown(two, capsys):
    path, p = two
    assert main(["calibration", str(path), *TWO, "--json", "--rng", "1", "--replicates", "30"]) == 0
    found = json.loads(capsys.readouterr().out)
    made = calibration(p, rng=1, replicates=30)
    assert found["statistics"][4]["interval"]["low"] == made.table.estimates[4].interval.low
    assert main(["calibration", str(path), *TWO, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == len(made.table)
    assert main(["calibration", str(path), *TWO, "--markdown"]) == 0
    assert "### Groups" in capsys.readouterr().out
    assert main(["calibration", str(path), *TWO, "--markdown", "--json"]) == 2


def test_groups_by_cuts(two, capsys):
    assert main(["calibration", str(two[0]), *TWO, "--groups", "0.25,0.5,0.75"]) == 0
    assert "cuts at 0.25, 0.5, 0.75" in capsys.readouterr().out


@pytest.mark.parametrize("groups", ["500", "none"])
def test_groups_that_cannot_be_are_a_usage_error(two, groups, capsys):
    assert main(["calibration", str(two[0]), *TWO, "--groups", groups]) == 2
    assert "groups must be" in capsys.readouterr().err


def test_several_classes(three, capsys):
    """Both doors ask the same question where nobody says which: the top label's."""
    assert main(["calibration", str(three), *THREE]) == 0
    assert "Calibration of the top label" in capsys.readouterr().out
    assert main(["calibration", str(three), *THREE, "--json"]) == 0
    p = read(three, truth="y", probability=["pa", "pb", "pc"], classes=["a", "b", "c"])
    here = json.loads(capsys.readouterr().out)
    assert here["heading"] == calibration(p).heading
    assert main(["calibration", str(three), *THREE, "--of", "each-class", "--all"]) == 0
    assert "\nJoint tests of calibration" in capsys.readouterr().out
    assert main(["calibration", str(three), *THREE, "--of", "b"]) == 0
    assert "class 'b'" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["calibration-statistics", "calibration-tests", "recalibrations"])
def test_listings(kind, capsys):
    assert main(["list", kind, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)[kind.replace("-", " ")]
    assert len(listed) >= 6
    assert main(["show", kind, listed[0]["name"]]) == 0
    assert "reference" in capsys.readouterr().out


@pytest.fixture
def of_two(tmp_path):
    file = tmp_path / "two.csv"
    rows = [f"{m},{i},{i % 2},{(i + k) % 10 / 10}" for k, m in enumerate("ab") for i in range(40)]
    file.write_text("model,row,y,p\n" + "\n".join(rows) + "\n")
    return [str(file), "--truth", "y", "--probability", "p"]


@pytest.mark.parametrize("command", ["calibration", "recalibrate"])
def test_one_of_several_models_is_an_option(of_two, capsys, command):
    of_two += ["--replicates", "20", "--rng", "1"]
    assert main([command, *of_two]) == 0
    shown = capsys.readouterr().out
    assert "by a and b" in shown
    assert main([command, *of_two, "--only-model", "a", "--json"]) == 0
    capsys.readouterr()
    assert main([command, *of_two, "--only-model", "c"]) == 2
    assert "There is no model 'c'; there are a and b." in capsys.readouterr().err


@pytest.mark.parametrize("command", ["calibration", "recalibrate"])
def test_counts_are_not_asked_for_a_column_that_they_cannot_have(tmp_path, capsys, command):
    file = tmp_path / "t.csv"
    file.write_text("actual,a,b,c\na,88,10,2\nb,14,40,6\nc,18,10,12\n")
    assert main([command, str(file), "--matrix"]) == 1
    said = capsys.readouterr().err
    assert "one row for each case" in said
    assert "--probability" not in said
