"""What an experiment says of its datasets, and of what a run of it changes."""

import json

import numpy as np
import pytest

import credibly
from credibly.cli import main
from credibly.experiments import Store, analyse
from credibly.experiments.store.removal import collect

HEADER = "age,customer,left"
ROWS = [f"{20 + 7 * i % 41},{i // 3},{('no', 'yes')[i * i % 5 > 1]}" for i in range(60)]
PLAN = """\
rng = 1
resampling = "folds(k=3, repeats=2)"
measures = ["error_rate", "auc"]
schemes = ["zero-r", "tree(max_depth=2)"]
datasets = ["wine", {data = "mixed.csv", target = "left", group = "customer"}]
"""


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "mixed.csv"
    path.write_text("\n".join([HEADER, *ROWS]))
    return path


@pytest.fixture
def plan(tmp_path, data):
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


@pytest.fixture
def folder(plan):
    experiment(plan, "--quiet")
    return plan.with_suffix("")


def experiment(*arguments):
    return main(
        ["experiment", *map(str, arguments), *(["--jobs", "1"] * ("--jobs" not in arguments))]
    )


def kept_files(folder):
    homes = (folder / "data", folder / "predictions")
    return sorted(p for home in homes for p in home.rglob("*") if p.is_file())


def told(capsys, *arguments, status=0):
    """Return what a command prints on both streams."""
    capsys.readouterr()
    assert main(["experiment", *map(str, arguments)]) == status
    done = capsys.readouterr()
    return done.out + done.err


class TestDoubtfulData:
    LEAK = "problem: mixed: In 6 of 6 splits, the training and the test part share a group"

    def test_leaking_groups_are_told_wherever_results_are(self, plan, folder, capsys):
        for arguments in (
            [plan, "--jobs", "1"],
            [plan, "--jobs", "1", "--dry-run"],
            ["status", folder],
            ["analyse", folder],
            ["analyse", folder, "--pooled"],
        ):
            assert told(capsys, *arguments).count(self.LEAK) == 1

    @pytest.mark.parametrize("command", ["status", "analyse"])
    def test_they_are_in_json(self, folder, capsys, command):
        said = json.loads(told(capsys, command, folder, "--json"))["findings"]
        assert [f["severity"] for f in said if "share a group" in f["message"]] == ["problem"]

    def test_they_are_in_the_report(self, folder):
        report = credibly.report(analyse(Store(folder)))
        (doubts,) = report.document.sections[0].blocks
        assert doubts.findings[0].message.startswith("mixed: In 6 of 6 splits")

    def test_notes_about_data_stay_with_the_data(self, folder):
        assert all(f.severity != "note" for f in Store(folder).results().findings)


class TestLostData:
    """What the folder has of a dataset stays, whatever becomes of its file."""

    NOTE = "The dataset mixed cannot be used: "
    KEPT = "Its results come from the data that an earlier run stored in the folder."

    @pytest.mark.parametrize("harm", ["gone", "empty", "one class"])
    def test_results_stay_shown(self, plan, data, folder, capsys, harm):
        before = Store(folder)
        values = before.results().values["error_rate"].tolist()
        predicted = before.predictions("mixed").fingerprint
        if harm == "gone":
            data.unlink()
        else:
            data.write_text(HEADER + "\n1,2,no" * 6 * (harm == "one class"))
        for arguments in ([plan, "--jobs", "1"], ["resume", folder, "--jobs", "1"]):
            said = told(capsys, *arguments, status=1)
            assert "24 of 24 cells are done" in said
            assert self.NOTE in said
            assert self.KEPT in said
            assert "1 dataset cannot be used: mixed." in said
        after = Store(folder)
        assert after.results().values["error_rate"].tolist() == values
        assert after.predictions("mixed").fingerprint == predicted
        assert self.KEPT in told(capsys, "status", folder)
        assert self.KEPT in told(capsys, "analyse", folder)
        assert "24 fits, 0 of them still to run" in told(capsys, plan, "--dry-run", "--jobs", "1")
        assert "Removed 0 cells" in told(capsys, "gc", folder)

    def test_measures_and_schemes_can_be_added(self, plan, data, folder):
        data.unlink()
        plan.write_text(PLAN.replace('"auc"', '"kappa"').replace('"zero-r"', '"naive-bayes"'))
        assert experiment(plan) == 1
        r = Store(folder).results().where(dataset="mixed")
        assert set(r.status) == {"done"}
        assert np.isfinite(r.values["kappa"]).all()

    def test_other_columns_are_other_data(self, plan, folder):
        plan.write_text(PLAN.replace('"left"', '"right"'))
        assert experiment(plan) == 1
        store = Store(folder)
        assert store.results().datasets == ("wine",)
        assert any("It has no results" in f.action for f in store.results().findings)

    def test_nothing_but_lost_data(self, plan, data, capsys):
        plan.write_text(PLAN.replace('"wine", ', ""))
        experiment(plan)
        data.unlink()
        assert "There is no file 'mixed.csv'" in told(capsys, plan, status=2)
        said = told(capsys, "resume", plan.with_suffix(""), "--jobs", "1", status=1)
        assert "12 of 12 cells are done" in said


class TestChanges:
    """What a run puts in the place of older results is said, once."""

    def test_changed_data_are_called_changed(self, plan, data, folder, capsys):
        said = (
            "caution: The data of mixed have changed since the last run: 12 of its 12 cells are run "
            "again. The old results stay in the folder until `credibly experiment gc`."
        )
        data.write_text("\n".join([HEADER, *ROWS, "33,20,yes"]))
        assert said in told(capsys, plan, "--dry-run", "--jobs", "1")
        assert said in told(capsys, "resume", folder, "--jobs", "1")
        assert said in told(capsys, "status", folder)
        assert "changed since the last run" not in told(capsys, plan, "--jobs", "1")
        data.write_text("\n".join([HEADER, *ROWS]))
        back = told(capsys, plan, "--jobs", "1")
        assert "changed since the last run: 0 of its 12 cells are run again" in back
        assert "no longer in the plan" not in back

    def test_another_plan_in_the_folder_is_told(self, plan, folder, capsys, tmp_path):
        other = tmp_path / "other.toml"
        other.write_text('rng = 1\nresampling = "3"\nschemes = ["tree"]\ndatasets = ["wine"]')
        said = (
            "note: 24 cells with results from the last run are no longer in the plan: zero-r on wine (6), "
            "tree(max_depth=2) on wine (6), zero-r on mixed (6) and tree(max_depth=2) on mixed (6). The old "
            "results stay in the folder"
        )
        arguments = (other, "--folder", folder, "--jobs", "1")
        assert said in told(capsys, *arguments, "--dry-run")
        assert said in told(capsys, *arguments)
        assert "not asked for" not in told(capsys, *arguments)

    def test_many_are_not_all_named(self, plan, folder):
        names = ["tree", *(f"knn(k={k})" for k in range(1, 11))]
        many = credibly.Experiment(names, ["wine"], resampling="3", rng=1)
        many.run(folder, n_jobs=1, progress=False)
        one = credibly.Experiment("tree", ["wine"], resampling="3", rng=1)
        (said,) = one.forecast(folder, n_jobs=1).findings
        assert said.message.startswith("30 cells with results")
        assert said.message.endswith("knn(k=8) on wine (3) and 2 more.")


class TestTidying:
    def test_what_would_be_removed_is_said_first(self, plan, folder, capsys):
        plan.write_text(PLAN.replace('"wine", ', "").replace(', "tree(max_depth=2)"', ""))
        experiment(plan)
        files = kept_files(folder)
        planned = told(capsys, "gc", folder, "--dry-run")
        assert kept_files(folder) == files
        assert len(Store(folder).statuses()) == 24
        heading, *table = planned.splitlines()
        assert heading.startswith("Would remove 18 cells and ")
        assert [line.split() for line in table] == [
            ["dataset", "scheme", "cells"],
            ["mixed", "tree(max_depth=2)", "6"],
            ["wine", "tree(max_depth=2)", "6"],
            ["wine", "zero-r", "6"],
        ]
        assert told(capsys, "gc", folder) == planned.replace("Would remove", "Removed")
        gone = len(files) - len(kept_files(folder))
        assert f"18 cells and {gone} files" in heading
        assert len(Store(folder).statuses()) == 6
        assert told(capsys, "gc", folder).strip() == "Removed 0 cells and 0 files, 0 bytes."

    def test_cells_of_plans_before_the_last(self, folder):
        for scheme in ("tree", "naive-bayes"):
            made = credibly.Experiment(scheme, ["wine"], resampling="3", rng=1)
            made.run(folder, n_jobs=1, progress=False)
        kinds = collect(folder, dry_run=True).to_dict()["rows"]
        assert {"dataset": "wine", "scheme": "tree", "cells": 3} in kinds
        assert sum(row["cells"] for row in kinds) == 27


def test_json_has_a_schema_version(folder, capsys, tmp_path):
    assert json.loads(told(capsys, "status", folder, "--json"))["schema_version"] == 1
    told(capsys, "export", folder, "-o", tmp_path / "cells.json")
    assert json.loads((tmp_path / "cells.json").read_text())["schema_version"] == 1


class TestUndefinedValues:
    def test_what_a_scheme_does_not_give_is_named(self, plan, capsys):
        plan.write_text(
            PLAN.replace(
                '"zero-r"', '{scheme = "sklearn.svm:LinearSVC(max_iter=9000)", name = "svc"}'
            )
        )
        said = told(capsys, plan, "--jobs", "1")
        assert (
            "note: auc is undefined for svc on wine: it needs a score or probability, and the "
            "scheme only gives labels." in said
        )
        assert "svc on mixed" not in said

    def test_scores_are_no_probabilities(self, tmp_path):
        experiment = credibly.Experiment(
            {"ridge": "sklearn.linear_model:RidgeClassifier()"},
            ["breast-cancer", "diabetes"],
            measures=["error_rate", "auc", "brier", "rmse"],
            resampling="3",
            rng=1,
        )
        results = experiment.run(tmp_path, n_jobs=1, progress=False).results()
        said = [f.message for f in results.findings if f.code == "undefined-measure"]
        assert said == [
            "brier is undefined for ridge on breast-cancer: it needs probability, and the scheme "
            "only gives scores."
        ]

    def test_results_say_why_fits_failed(self, tmp_path):
        experiment = credibly.Experiment("naive-bayes", ["diabetes"], resampling="3", rng=1)
        results = experiment.run(tmp_path, n_jobs=1, progress=False).results()
        assert "problem: naive-bayes failed in 3 fits on diabetes: " in str(results)
        assert "predicts classes" in str(results)
