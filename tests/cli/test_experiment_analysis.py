"""`credibly experiment analyse`, `report` and `import` on files of results and folders of experiments."""

import csv
import io
import json
import re

import numpy as np
import pytest

from credibly.cli import main
from credibly.experiments import Experiment


@pytest.fixture
def results(tmp_path):
    rng = np.random.default_rng(1)
    lines = ["problem,learner,run,fold,rmse,n_train,n_test"]
    for d in range(4):
        for run in (1, 2):
            for fold in range(5):
                together = rng.normal(5, 0.1)
                for learner, shift in (("mean", 2), ("line", 0), ("tree", 0.01)):
                    value = together + shift + rng.normal(0, 0.1)
                    lines.append(f"data{d},{learner},{run},{fold},{value},80,20")
    path = tmp_path / "results.csv"
    path.write_text("\n".join(lines))
    return str(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    home = tmp_path_factory.mktemp("experiment")
    plan = Experiment(
        ["zero-r", "naive-bayes"], ["iris", "wine"], resampling="3", measures="error_rate", rng=1
    )
    plan.run(home, n_jobs=1, progress=False).close()
    return str(home)


def run(capsys, *arguments):
    status = main(["experiment", *arguments])
    done = capsys.readouterr()
    return status, done.out, done.err


def test_a_table_is_analysed(capsys, results):
    status, out, _ = run(capsys, "analyse", results, "--base", "mean")
    assert status == 0
    assert "rmse (lower is better), base mean" in out
    assert out.count(" +") == 8
    assert "10/0/0" not in out
    assert out.count("4/0/0") == 2


def test_the_formats_say_the_same(capsys, results):
    asked = ("analyse", results, "--base", "mean")
    stored = json.loads(run(capsys, *asked, "--json")[1])
    rows = list(csv.DictReader(io.StringIO(run(capsys, *asked, "--csv")[1])))
    assert [float(r["value"]) for r in rows] == [c["value"] for c in stored["cells"]]
    assert {r["verdict"] for r in rows} == {"", "better"}
    markdown = run(capsys, *asked, "--markdown")[1]
    assert "| data0 |" in markdown
    assert not markdown.startswith("|")  # what it is about stands above the table
    assert run(capsys, *asked, "--json", "--csv")[0] == 2


def test_findings_stay_out_of_the_rows(capsys, results):
    _, out, err = run(capsys, "analyse", results, "--csv")
    assert "note: Each dataset is tested by itself" in err
    assert "note:" not in out


def test_errors_speak_of_options(capsys, results, tmp_path):
    status, _, err = run(capsys, "analyse", results, "--base", "trea")
    assert status == 2
    assert "Did you mean tree?" in err
    plain = tmp_path / "plain.csv"
    plain.write_text("dataset,scheme,fold,cost\na,x,1,5\na,x,2,6\na,y,1,7\na,y,2,9\n")
    status, _, err = run(capsys, "analyse", str(plain))
    assert status == 2
    assert "Is higher or lower 'cost' better?" in err
    assert "Set --directions higher" in err
    status, out, _ = run(capsys, "analyse", str(plain), "--directions", "lower")
    assert status == 0
    assert "Set --test-train-ratio" in out
    status, out, _ = run(
        capsys, "analyse", str(plain), "--directions", "lower", "--test-train-ratio", "0.5"
    )
    assert "x" in out
    assert "Set --test-train-ratio" not in out


def test_directions_by_name(capsys, tmp_path):
    plain = tmp_path / "plain.csv"
    lines = [f"{d},{s},{f},{f + (s == 'y')},{f}" for d in "de" for s in "xy" for f in range(3)]
    plain.write_text("\n".join(["dataset,scheme,fold,gain,cost", *lines]))
    asked = ("analyse", str(plain), "--measure", "gain", "--json")
    status, out, _ = run(capsys, *asked, "--directions", "gain=higher,cost=lower")
    assert (status, json.loads(out)["direction"]) == (0, "higher")
    assert run(capsys, *asked, "--directions", "gain=higher")[0] == 0
    status, _, err = run(capsys, *asked, "--directions", "gain=up")
    assert status == 2
    assert "The direction of 'gain' must be 'higher' or 'lower'; got 'up'." in err


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (
            ("--correction", "hol"),
            "correction must be one of 'nemenyi', .* got 'hol'. Did you mean holm",
        ),
        (("--correction", "bonferroni_dunn"), "correction must be one of 'nemenyi'"),
        (("--test", "foo"), "There is no comparison 'foo'"),
    ],
)
def test_names_that_are_not_there_are_errors(capsys, folder, option, said):
    status, out, err = run(capsys, "analyse", folder, *option, "--leave-out", "schemes")
    assert (status, out) == (2, "")
    assert re.search(said, err)


def test_columns_can_be_named(capsys, results):
    asked = ("--scheme", "learner", "--dataset", "problem", "--values", "rmse")
    assert run(capsys, "analyse", results, *asked)[0] == 0
    status, _, err = run(capsys, "analyse", results, "--scheme", "lerner")
    assert status == 1
    assert "no column 'lerner'" in err


def test_the_folder_of_an_experiment(capsys, folder):
    status, out, _ = run(capsys, "analyse", folder, "--pooled", "--rng", "1", "--json")
    assert status == 0
    stored = json.loads(out)
    assert stored["base"] == "zero-r"
    kinds = {e["estimate"] for e in stored["estimates"]}
    assert kinds == {"fold_mean", "pooled"}
    assert {c["verdict"] for c in stored["cells"] if c["scheme"] == "naive-bayes"} == {"better"}


def test_the_report_of_a_folder(capsys, folder, tmp_path):
    target = tmp_path / "report.html"
    status, out, _ = run(capsys, "report", folder, "-o", str(target), "--title", "Two <schemes>")
    assert status == 0
    assert "naive-bayes ranks best of 2 schemes over 2 datasets" in out
    page = target.read_text()
    assert "Two &lt;schemes&gt;" in page
    assert "credibly experiment report" in page
    json_file = tmp_path / "report.json"
    assert run(capsys, "report", folder, "-o", str(json_file))[0] == 0
    facts = json.loads(json_file.read_text())["facts"]
    assert facts["seed"] == "1"
    assert "numpy" in facts["versions"]
    assert "data of iris" in facts


@pytest.mark.parametrize("target", ["report.xyz", "no/such/folder/report.html"])
def test_what_cannot_be_written(capsys, folder, tmp_path, target):
    status, _, err = run(capsys, "report", folder, "-o", str(tmp_path / target))
    assert status in {1, 2}
    assert "report" in err


def test_import_writes_a_plain_table(capsys, tmp_path):
    weka = tmp_path / "weka.csv"
    weka.write_text(
        "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct\n"
        "iris,1,1,weka.classifiers.trees.J48,'-C 0.25 -M 2',96.0\n"
        "iris,1,2,weka.classifiers.trees.J48,'-C 0.25 -M 2',94.0\n"
    )
    status, out, err = run(capsys, "import", str(weka), "--csv")
    assert status == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(r["scheme"], r["fold"], r["accuracy"]) for r in rows] == [
        ("J48", "1", "0.96"),
        ("J48", "2", "0.94"),
    ]
    assert "divided by 100" in err
    again = tmp_path / "again.csv"
    again.write_text(out)
    assert "J48" in run(capsys, "import", str(again))[1]
    assert json.loads(run(capsys, "import", str(weka), "--json")[1])["directions"] == {
        "accuracy": "higher"
    }
    assert "\n| dataset |" in run(capsys, "import", str(weka), "--markdown")[1]


def test_what_is_no_experiment(capsys, tmp_path):
    status, _, err = run(capsys, "analyse", str(tmp_path))
    assert status == 1
    assert "no experiment" in err
    assert run(capsys, "analyse", str(tmp_path / "nothing"))[0] == 1
