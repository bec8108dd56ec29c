"""`credibly experiment`: plan, run, status, resume, export, gc and verify."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import credibly
from credibly.cli import main
from credibly.experiments.plan.plan import DATASET, LIMITS, PLAN as PLAN_KEYS, SCHEME
from credibly.experiments.plan.toml_file import read_plan
from experiments.killing import rows_of, wait_until

PLAN = """\
rng = 1
resampling = "2x3"
measures = ["error_rate", "auc"]
schemes = ["zero-r", "tree(max_depth=2)"]
datasets = ["iris", "wine"]
"""


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


@pytest.fixture
def folder(plan):
    assert main(["experiment", str(plan), "--jobs", "1", "--quiet"]) == 0
    return plan.with_suffix("")


def test_a_dry_run_counts_and_keeps_nothing(plan, capsys):
    assert main(["experiment", str(plan), "--dry-run", "--jobs", "1"]) == 0
    said = capsys.readouterr().out
    assert "24 fits, 24 of them still to run: about" in said
    assert "Resampling: folds(k=3, repeats=2). Measures: error_rate, auc." in said
    assert not plan.with_suffix("").exists()


def test_help_shows_a_plan_that_can_be_run(tmp_path, capsys):
    assert main(["experiment", "--help"]) == 0
    _, _, rest = capsys.readouterr().out.partition("plan.toml:\n")
    example = rest.partition("Data files")[0]
    given = tomllib.loads(example)
    assert set(given) <= set(PLAN_KEYS)
    (tmp_path / "data").mkdir()
    for name in ("churn.csv", "data/a.arff"):
        (tmp_path / name).touch()
    (tmp_path / "plan.toml").write_text(example)
    plan = read_plan(tmp_path / "plan.toml")
    assert [s.name for s in plan.sources] == ["iris", "a", "churn"]


def test_the_page_on_experiments_names_every_key():
    page = (Path(__file__).parents[2] / "docs" / "experiments.rst").read_text()
    for key in {*PLAN_KEYS, *SCHEME, *DATASET, *LIMITS}:
        assert f"``{key}``" in page


def test_run_prints_a_table(plan, capsys):
    assert main(["experiment", str(plan), "--jobs", "1"]) == 0
    said = capsys.readouterr().out
    assert "24 of 24 cells are done." in said
    assert "zero-r" in said


def test_status(folder, capsys):
    capsys.readouterr()
    assert main(["experiment", "status", str(folder), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["total"], found["done"], found["missing"], found["driver"]) == (24, 24, 0, None)
    assert main(["experiment", "status", str(folder)]) == 0
    assert "24 of 24 cells are done." in capsys.readouterr().out


def test_resume_needs_the_folder_alone(folder, plan, capsys):
    plan.unlink()
    assert main(["experiment", "resume", str(folder), "--jobs", "1"]) == 0
    assert "24 of 24 cells are done." in capsys.readouterr().out


def test_export(folder, tmp_path, capsys):
    cells, iris = tmp_path / "cells.csv", tmp_path / "iris.parquet"
    assert main(["experiment", "export", str(folder), "-o", str(cells)]) == 0
    assert len(cells.read_text().splitlines()) == 25
    more = ["--predictions", "iris", "-o", str(iris)]
    assert main(["experiment", "export", str(folder), *more]) == 0
    kept = credibly.read(iris)
    assert kept.n == 600
    assert kept.provenance.resampling == "folds(k=3, repeats=2)"
    for name in ("cells.parquet", "cells.json"):
        assert main(["experiment", "export", str(folder), "-o", str(tmp_path / name)]) == 0
    assert main(["experiment", "export", str(folder), "-o", str(tmp_path / "cells.xls")]) == 2


def test_gc_and_verify(folder, plan, capsys):
    plan.write_text(PLAN.replace(', "wine"', ""))
    assert main(["experiment", str(plan), "--jobs", "1", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["experiment", "gc", str(folder)]) == 0
    assert capsys.readouterr().out.startswith("Removed 12 cells")
    assert main(["experiment", "verify", str(folder), "--cells", "3"]) == 0
    assert "3 cells of 12 fitted again: all are the same" in capsys.readouterr().out


def test_a_wrong_plan_is_a_wrong_call(plan, capsys):
    plan.write_text(PLAN.replace("zero-r", "zero-rr"))
    assert main(["experiment", str(plan)]) == 2
    assert "plan.toml, line 4: There is no scheme 'zero-rr'" in capsys.readouterr().err


@pytest.mark.parametrize("options", [["--dry-run"], []])
def test_no_jobs_is_a_wrong_call(plan, options, capsys):
    assert main(["experiment", str(plan), "--jobs", "0", *options]) == 2
    assert "The number of jobs must be at least 1" in capsys.readouterr().err


def test_a_dataset_that_cannot_be_read_is_told_at_the_end(plan, tmp_path, capsys):
    (tmp_path / "d.csv").write_text("x,y\n1,2\n")
    plan.write_text(PLAN.replace('"wine"', '{data = "d.csv", target = "z"}'))
    assert main(["experiment", str(plan), "--jobs", "1"]) == 1
    said = capsys.readouterr()
    assert "12 of 12 cells are done" in said.out
    assert "1 dataset cannot be used: d." in said.err


def test_a_lost_file_is_named_and_the_others_go_on(plan, tmp_path, capsys):
    lost = tmp_path / "d.csv"
    lost.write_text("x,y\n" + "1,no\n2,yes\n" * 10)
    plan.write_text(PLAN.replace('"wine"', '{data = "d.csv", target = "y"}'))
    assert main(["experiment", str(plan), "--jobs", "1"]) == 0
    lost.unlink()
    folder = str(plan.with_suffix(""))
    assert main(["experiment", "verify", folder, "--cells", "2"]) == 0
    assert "d was left out, because it cannot be used: " in capsys.readouterr().out
    assert main(["experiment", "resume", folder, "--jobs", "1"]) == 1
    said = capsys.readouterr()
    assert "24 of 24 cells are done" in said.out
    assert "d.csv" in said.out
    assert "1 dataset cannot be used: d." in said.err


@pytest.mark.thorough
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_sigterm_keeps_what_is_done(plan, jobs):
    """Schedulers send it; the command ends as after Ctrl-C, with the exit code of that signal."""
    plan.write_text(PLAN.replace('"zero-r"', '"experiments.schemes:Means(seconds=0.5)"'))
    paths = os.pathsep.join([str(Path(__file__).parents[1]), *(p for p in sys.path if p)])
    code = "import sys; from credibly.cli import main; sys.exit(main(sys.argv[1:]))"
    driver = subprocess.Popen(
        [sys.executable, "-c", code, "experiment", str(plan), "--jobs", jobs],
        env={**os.environ, "PYTHONPATH": paths},
        stderr=subprocess.PIPE,
        text=True,
    )
    folder = plan.with_suffix("")
    assert wait_until(lambda: rows_of(folder))
    driver.terminate()
    _, said = driver.communicate(timeout=120)
    assert driver.returncode == 143
    assert said == (
        f"credibly: stopped; finished fits are kept: `credibly experiment resume {folder}` continues.\n"
    )
    assert 0 < len(rows_of(folder)) < 24


def test_failed_fits_matter_when_asked(plan, capsys):
    plan.write_text(PLAN.replace('"zero-r"', '"naive-bayes"').replace('"wine"', '"diabetes"'))
    assert main(["experiment", str(plan), "--jobs", "1"]) == 0
    hint = "6 failed fits. --retry-failed runs them again"
    assert hint in capsys.readouterr().out
    assert main(["experiment", "status", str(plan.with_suffix(""))]) == 0
    assert hint in capsys.readouterr().out
    for options, left in (([], 0), (["--retry-failed"], 6)):
        assert main(["experiment", str(plan), "--jobs", "1", "--dry-run", *options]) == 0
        said = capsys.readouterr().out
        assert f"24 fits, {left} of them still to run" in said
        assert (hint in said) == (not options)
    assert main(["experiment", str(plan), "--jobs", "1", "--strict"]) == 1
    assert "6 fits failed; --strict treats that as an error" in capsys.readouterr().err


def test_an_experiment_in_which_every_fit_failed_is_an_error(plan, capsys):
    plan.write_text(
        'rng = 1\nresampling = "2"\nschemes = ["naive-bayes"]\ndatasets = ["diabetes"]\n'
        'measures = ["rmse"]\n'
    )
    assert main(["experiment", str(plan), "--jobs", "1"]) == 1
    said = capsys.readouterr()
    assert "0 of 2 cells are done, 2 failed" in said.out
    assert "All 2 fits failed." in said.err
    assert "--retry-failed" in said.err


def test_cells_to_verify_are_counted_from_0(folder, capsys):
    assert main(["experiment", "verify", str(folder), "--cells", "-1"]) == 2
    assert "--cells must be a whole number of at least 0; got -1." in capsys.readouterr().err


def test_no_experiment(tmp_path, capsys):
    assert main(["experiment", "status", str(tmp_path)]) == 1
    assert "There is no experiment in" in capsys.readouterr().err


def test_bundled_sets_are_listed_as_they_are_read(capsys):
    from credibly.io.datasets import datasets, read_data

    assert main(["list", "datasets", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["datasets"]
    assert [each["name"] for each in listed] == [each.name for each in datasets]
    for each in listed:
        data = read_data(each["name"])
        assert (each["rows"], each["inputs"]) == data.X.shape
        assert each["target"] == data.target
    assert main(["list", "datasets"]) == 0
    assert ["iris", "150", "4", "species"] in [
        line.split()[:4] for line in capsys.readouterr().out.splitlines()
    ]
    assert main(["show", "dataset", "diabetes"]) == 0
    assert "progression" in capsys.readouterr().out
