"""What an experiment says of its datasets, and of what a run of it changes."""

import json

import pytest

import credibly
from credibly.cli import main
from credibly.experiments import Store, analyse

HEADER = "age,customer,left"
ROWS = [f"{20 + 7 * i % 41},{i // 3},{('no', 'yes')[i * i % 5 > 1]}" for i in range(60)]
PLAN = """\
rng = 1
resampling = "2x3"
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


def told(capsys, *arguments, status=0):
    """Return what a command prints on both streams."""
    capsys.readouterr()
    assert main(["experiment", *map(str, arguments)]) == status
    done = capsys.readouterr()
    return done.out + done.err


class TestDoubtfulData:
    LEAK = "problem: mixed: In 6 splits of 6, rows of the same group are trained on and tested on"

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
        assert [f["severity"] for f in said if "same group" in f["message"]] == ["problem"]

    def test_they_are_in_the_report(self, folder):
        report = credibly.report(analyse(Store(folder)))
        (doubts,) = report.document.sections[0].blocks
        assert doubts.findings[0].message.startswith("mixed: In 6 splits of 6")

    def test_notes_about_data_stay_with_the_data(self, folder):
        assert all(f.severity != "note" for f in Store(folder).results().findings)
