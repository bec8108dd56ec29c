"""The commands `curve` and `hull`."""

import csv
import io
import json
import re

import pytest

from credibly import curve, hull, read
from credibly.cli import main
from credibly.cli.commands.demo import DEMO_FILE

FILE = [str(DEMO_FILE), "--positive", "malignant"]


@pytest.fixture(scope="module")
def tumours():
    return read(DEMO_FILE, positive="malignant")


def test_curve_shows_a_picture_and_some_points(tumours, capsys):
    assert main(["curve", "roc", *FILE]) == 0
    brief = capsys.readouterr().out
    assert main(["curve", "roc", *FILE, "--all"]) == 0
    out = capsys.readouterr().out
    for model, c in curve("roc", tumours).items():
        assert c.heading(c.x.size) in brief
        assert c.heading() in out
        assert model in out
    assert len(brief.splitlines()) < 35
    picture, _, said = out.partition("\nnote: ")
    assert max(map(len, picture.splitlines())) <= 100
    assert said.startswith("Guessed columns: 'truth', 'probability',")
    assert "10 folds" in said
    assert "+----" in out


@pytest.mark.parametrize("asked", [[], ["--points", "30"], ["--points", "5"]])
@pytest.mark.parametrize("name", ["roc", "precision_recall", "lift"])
def test_the_table_shows_as_many_points_as_the_heading_says(name, asked, capsys):
    file = [str(DEMO_FILE), "--positive", "malignant", "--markdown"]
    assert main(["curve", name, *file, *asked]) == 0
    blocks = re.split(r"^(?=.*: [\d,]+ points?)", capsys.readouterr().out, flags=re.MULTILINE)[1:]
    assert len(blocks) == 4
    for block in blocks:
        told = re.search(r": ([\d,]+) points?(?: \((\d+) shown\))?", block)
        shown = told[2] or told[1]
        rows = [line for line in block.splitlines() if line.startswith("| ")]
        assert len(rows) - 2 == int(shown.replace(",", ""))
        assert not asked or not told[2]


def test_curve_writes_every_point_as_csv(tumours, capsys):
    assert main(["curve", "roc", *FILE, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    expected = curve("roc", tumours).rows()
    assert len(rows) == len(expected)
    assert [float(r["y"]) for r in rows] == [e["y"] for e in expected]
    assert list(rows[0]) == ["model", "x", "y", "threshold"]


def test_curve_writes_a_band_as_json(tumours, capsys):
    options = ["--band", "simultaneous", "--rng", "3", "--replicates", "50"]
    assert main(["curve", "lift", *FILE, *options, "--points", "40", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema_version"] == 1
    first = found["curves"][0]
    assert len(first["x"]) <= 40
    assert first["band"]["simultaneous"] is True
    same = curve("lift", tumours, band="simultaneous", rng=3, replicates=50)["logistic"]
    assert first["band"]["low"] == same.band.low.tolist()


def test_curve_averages_at_thresholds_of_ones_own(capsys):
    asked = ["--average", "threshold", "--thresholds", "0.3,0.6", "--json"]
    assert main(["curve", "roc", *FILE, *asked]) == 0
    found = json.loads(capsys.readouterr().out)["curves"][0]
    assert found["threshold"] == [0.6, 0.3]


def test_curve_averages_folds(capsys):
    assert main(["curve", "roc", *FILE, "--average", "vertical"]) == 0
    assert "corrected t over 10 curves" in capsys.readouterr().out


def test_hull_prints_who_is_best_where(tumours, capsys):
    assert main(["hull", *FILE, "--prevalence", "0.02", "--false-negative", "50"]) == 0
    out = capsys.readouterr().out
    h = hull(tumours)
    assert h.heading() in out
    best = h.best(prevalence=0.02, false_negative=50)
    assert f"{best.point}, expected cost" in out


def test_hull_as_json_and_csv(tumours, capsys):
    assert main(["hull", *FILE, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["non_contributors"] == ["nearest-neighbours", "tree"]
    assert found["best"]["point"]["model"] == "logistic"
    assert main(["hull", *FILE, "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(hull(tumours).points) + 1


def test_curves_and_hulls_as_markdown(tumours, capsys):
    assert main(["curve", "roc", *FILE, "--markdown"]) == 0
    header = "| false positive rate | true positive rate | threshold |"
    assert header in capsys.readouterr().out.splitlines()
    assert main(["hull", *FILE, "--markdown"]) == 0
    header = f"| {' | '.join(hull(tumours).cells()[0])} |"
    assert header in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["curve", "rok", *FILE], "Did you mean roc"),
        (["curve", "roc", *FILE, "--prevalence", "2"], "prevalence must be"),
        (
            ["curve", "roc", *FILE, "--json", "--csv"],
            "Choose one of --json and --csv",
        ),
        (["curve", "roc", *FILE, "--points", "0"], "points must be"),
        (["hull", *FILE, "--prevalence", "1"], "prevalence must be"),
    ],
)
def test_what_is_refused(arguments, message, capsys):
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_curves_and_bands_are_listed_and_shown(capsys):
    assert main(["list", "curves"]) == 0
    assert "precision_recall" in capsys.readouterr().out
    assert main(["list", "band-methods", "--json"]) == 0
    assert "fixed_width" in capsys.readouterr().out
    assert main(["show", "curve", "det", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["y"] == "false negative rate"
    assert main(["show", "band-method", "ks"]) == 0
    assert "Campbell" in capsys.readouterr().out


def test_the_table_of_thresholds_adds_up_the_area(tmp_path, capsys):
    """Zaki & Meira example 22.5: 0, 0.333 and 0.833 after each distinct score."""
    path = tmp_path / "p.csv"
    path.write_text("y,p\n1,0.9\n0,0.8\n1,0.8\n1,0.8\n0,0.1\n")
    assert main(["threshold-table", str(path), "--truth", "y", "--score", "p", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [round(r["area"], 3) for r in rows] == [0, 0.333, 0.833]
    assert main(["threshold-table", "campaign", "--points", "3"]) == 0
    assert "ROC area so far" in capsys.readouterr().out
