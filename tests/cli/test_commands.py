"""The command line as a person or a script uses it."""

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pkgutil import walk_packages

import numpy as np
import pytest

import credibly
from credibly import Predictions, evaluate
from credibly.catalogue.registries import KINDS
from credibly.cli import main
from credibly.cli.commands.demo import DEMO_FILE
from credibly.results import Brief

TRUTH = ["yes", "no", "yes", "no", "no", "yes"]
PROBABILITY = [0.9, 0.4, 0.4, 0.2, 0.1, 0.8]


@pytest.fixture
def small(tmp_path):
    rows = "".join(
        f"{t},{p},{i % 2}\n" for i, (t, p) in enumerate(zip(TRUTH, PROBABILITY, strict=True))
    )
    path = tmp_path / "small.csv"
    path.write_text("y,p,fold\n" + rows)
    return path


def run(*arguments, **options):
    command = [sys.executable, "-m", "credibly", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def test_evaluate_prints_the_table_of_python(small, capsys):
    asked = ["evaluate", str(small), "--truth", "y", "--probability", "p", "--positive", "yes"]
    p = Predictions.of(TRUTH, probability=PROBABILITY, positive="yes", fold=[0, 1] * 3)
    assert main([*asked, "--all"]) == 0
    out = capsys.readouterr().out
    table = evaluate(p).all
    assert out.splitlines()[:3] == [table.meaning(), "", table.heading]
    assert [e.name for e in table.estimates if e.name not in out] == []
    assert main(asked) == 0
    first = capsys.readouterr().out
    brief = Brief(evaluate(p, "headline"))
    assert first.splitlines()[0] == brief.meaning()
    shown = [e.name for e in table.estimates if re.search(rf"^{re.escape(e.name)}  ", first, re.M)]
    assert sorted(shown) == sorted(e.name for e in brief.table.estimates)
    assert "1 caution" in first
    assert len(first.splitlines()) <= 24


def test_the_version_needs_no_library():
    code = "import sys; from credibly.__main__ import main; sys.argv = ['credibly', '--version']; main()"
    code += "; print(*{m.partition('.')[0] for m in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    version, loaded = done.stdout.splitlines()
    assert version == credibly.__version__
    assert not {"numpy", "cyclopts", "rich"} & set(loaded.split())


@pytest.mark.daily(rows=[200])
@pytest.mark.parametrize("rows", [6, 200])
def test_a_small_evaluation_imports_no_scipy(tmp_path, rows):
    path = tmp_path / "small.csv"
    each = "".join(f"{i % 3 == 0:d},{i * 37 % 101 / 101}\n" for i in range(rows))
    path.write_text("truth,probability\n" + each)
    code = (
        "import sys; from credibly.__main__ import main; main(); assert 'scipy' not in sys.modules"
    )
    command = [sys.executable, "-c", code, "evaluate", str(path)]
    subprocess.run(command, capture_output=True, check=True)


def test_json_has_full_precision_and_a_schema_version(small, capsys):
    asked = "auc,brier,fbeta(beta=2)"
    code = main(
        [
            "evaluate",
            str(small),
            "--truth",
            "y",
            "--probability",
            "p",
            "--positive",
            "yes",
            "--measure",
            asked,
            "--json",
        ]
    )
    result = json.loads(capsys.readouterr().out)
    assert code == 0
    assert result["schema_version"] == 1
    expected = evaluate(
        Predictions.of(TRUTH, probability=PROBABILITY, positive="yes"), asked.split(",")
    )
    assert [e["measure"] for e in result["estimates"]] == ["auc", "brier", "fbeta(beta=2)"]
    assert [e["value"] for e in result["estimates"]] == [e.value for e in expected.estimates]
    assert result["confusion_matrix"]["counts"] == [[3, 0], [1, 2]]


def test_csv_and_markdown(small, capsys):
    base = [
        "evaluate",
        str(small),
        "--truth",
        "y",
        "--probability",
        "p",
        "--positive",
        "yes",
        "--measure",
        "auc,recall",
    ]
    assert main([*base, "--csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("measure,average,value,low,high")
    assert (
        float(lines[1].split(",")[2])
        == evaluate(Predictions.of(TRUTH, probability=PROBABILITY, positive="yes"), "auc")[
            "auc"
        ].value
    )
    assert main([*base, "--markdown"]) == 0
    assert "| Recall |" in capsys.readouterr().out
    assert main([*base, "--csv", "--json"]) == 2
    assert "Choose one of" in capsys.readouterr().err


def test_by_fold(small, capsys):
    assert (
        main(
            [
                "evaluate",
                str(small),
                "--truth",
                "y",
                "--probability",
                "p",
                "--positive",
                "yes",
                "--measure",
                "accuracy",
                "--by",
                "fold",
                "--json",
            ]
        )
        == 0
    )
    estimates = json.loads(capsys.readouterr().out)["estimates"]
    assert [(e["fold"], e["value"]) for e in estimates] == [(0, pytest.approx(2 / 3)), (1, 1.0)]


def test_guessed_columns_are_said(tmp_path, capsys):
    path = tmp_path / "guess.csv"
    path.write_text("y_true,y_pred\na,a\nb,a\n")
    assert main(["evaluate", str(path), "--measure", "accuracy", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["estimates"][0]["value"] == 0.5
    said = [f["message"] for f in result["findings"] if f["code"] == "guessed-columns"]
    assert "y_true" in said[0]
    assert "y_pred" in said[0]


def test_cost_matrix(small, tmp_path, capsys):
    costs = tmp_path / "costs.csv"
    costs.write_text(",no,yes\nno,0,1\nyes,5,0\n")
    code = main(
        [
            "evaluate",
            str(small),
            "--truth",
            "y",
            "--probability",
            "p",
            "--positive",
            "yes",
            "--cost-matrix",
            str(costs),
            "--measure",
            "total_cost",
            "--json",
        ]
    )
    assert code == 0
    assert json.loads(capsys.readouterr().out)["estimates"][0]["value"] == 5.0


def test_demo_is_what_evaluate_gives(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["demo"]) == 0
    assert (tmp_path / "credibly-demo.html").stat().st_size < 2_000_000
    out = capsys.readouterr().out
    assert out.index("logistic makes the fewest errors") < out.index("Error rate")
    assert "Informational loss" not in out  # which is not in its table
    assert main(["demo", "--json"]) == 0
    demo = json.loads(capsys.readouterr().out)
    copy = tmp_path / "copy.csv"
    assert main(["demo", "--save", str(copy)]) == 0
    given = DEMO_FILE.read_text(encoding="utf-8")
    assert copy.read_text(encoding="utf-8") == given.replace("probability", "p_malignant", 1)
    assert main(["demo", "--save", str(copy)]) == 1
    assert "the file already exists" in capsys.readouterr().err
    asked = [
        "--positive",
        "malignant",
        "--measure",
        "auc,brier",
        "--json",
    ]
    assert main(["evaluate", str(copy), *asked]) == 0
    again = json.loads(capsys.readouterr().out)
    key = ("model", "measure", "estimate")
    values = {tuple(e[k] for k in key): e["value"] for e in demo["estimates"]}
    assert len(again["estimates"]) == 16
    for e in again["estimates"]:
        assert values[tuple(e[k] for k in key)] == e["value"]


def test_list_of_resamplings_says_what_they_make_of_the_rows(capsys):
    assert main(["list", "resampling", "--n", "200"]) == 0
    header, *lines = capsys.readouterr().out.splitlines()
    assert header.split()[:6] == ["resampling", "splits", "train", "test", "overlap", "inclusion"]
    told = {line.split()[0]: line.split()[1:6] for line in lines}
    assert told["folds"] == ["10", "180", "20", "0.889", "0.900"]
    assert told["leave_one_out"] == ["200", "199", "1", "0.995", "0.995"]
    assert told["bootstrap"][-1] == "0.633"  # 1 - (1 - 1/200)^200
    assert main(["list", "resamplings", "--n", "4", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)["resamplings"]
    by_name = {e["name"]: e for e in entries}
    assert by_name["folds"]["splits"] is None
    assert by_name["leave_one_out"]["train"] == [3, 3]
    assert main(["list", "resampling", "--n", "0"]) == 1
    assert "at least one row" in capsys.readouterr().err
    assert main(["show", "resampling", "loo"]) == 0
    assert "promises" in capsys.readouterr().out


def test_show_a_scheme_by_either_spelling(capsys):
    for name in ("one-r", "one_r"):
        assert main(["show", "scheme", name]) == 0
        assert "OneR()" in capsys.readouterr().out
    assert main(["show", "scheme", "onr-r"]) == 2
    assert "Did you mean one-r" in capsys.readouterr().err


def test_list_and_show(capsys):
    for kind in ("measures", "baselines", "readers", "interval-methods", "estimators", "schemes"):
        assert main(["list", kind]) == 0
        assert len(capsys.readouterr().out.splitlines()) > 2
        assert main(["list", kind, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["schema_version"] == 1
    assert main(["show", "measure", "sensitivity"]) == 0
    out = capsys.readouterr().out
    for part in (
        "Recall",
        "TP / (TP + FN)",
        ">>> recall(",
        "Rijsbergen",
        "0 to 1",
        "no case is positive",
    ):
        assert part in out
    assert main(["show", "measure", "kappa", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "kappa"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["evaluate", "{small}", "--truth", "yy", "--probability", "p"], 1, "Did you mean y"),
        (["evaluate", "missing.csv"], 1, "missing.csv"),
        (["calibration", "{folder}"], 1, "folder"),
        (
            [
                "evaluate",
                "{small}",
                "--truth",
                "y",
                "--probability",
                "p",
                "--positive",
                "yes",
                "--measure",
                "aux",
            ],
            2,
            "There is no measure 'aux'. Did you mean auc?",
        ),
        (
            [
                "evaluate",
                "{small}",
                "--truth",
                "y",
                "--probability",
                "p",
                "--positive",
                "yes",
                "--confidence-level",
                "95",
            ],
            2,
            "Did you mean 0.95?",
        ),
        (
            ["evaluate", "{small}", "--truth", "y", "--probability", "p", "--positive", "maybe"],
            1,
            "not one of the classes",
        ),
        (
            [
                "evaluate",
                "{small}",
                "--truth",
                "y",
                "--probability",
                "p",
                "--positive",
                "yes",
                "--measure",
                "rmse",
            ],
            1,
            "rmse needs",
        ),
        (
            [
                "evaluate",
                "{small}",
                "--truth",
                "y",
                "--probability",
                "p",
                "--positive",
                "yes",
                "--by",
                "country",
            ],
            2,
            "got 'country'",
        ),
        (["evaluate", "{small}", "--truth", "y", "--score", "y", "--positive", "yes"], 1, "number"),
        (["list", "mesures"], 2, "measures"),
        (["show", "measure", "kapa"], 2, "kappa"),
        (["evalute", "x"], 2, "evaluate"),
        (["evaluate", "{small}", "--nonsense", "1"], 2, "nonsense"),
        (["evaluate"], 2, ""),
    ],
)
def test_errors_are_sentences_on_stderr(small, tmp_path, capsys, arguments, code, message):
    found = main([a.format(small=small, folder=tmp_path) for a in arguments])
    out, err = capsys.readouterr()
    said = " ".join((err + out).split())
    assert found == code, said
    assert message in said.replace("│ ", "")
    assert "Traceback" not in said
    if code == 1:
        assert out == ""


def test_a_program_that_fails_says_so_to_its_caller(tmp_path):
    done = run("evaluate", str(tmp_path / "missing.csv"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "There is no file" in done.stderr
    assert "Traceback" not in done.stderr


def test_debug_leaves_the_error_to_python_which_prints_the_traceback(tmp_path):
    with pytest.raises(credibly.DataError, match="There is no file"):
        main(["evaluate", str(tmp_path / "missing.csv"), "--debug"])


def test_a_closed_pipe_is_no_error(small):
    command = f"{sys.executable} -c 'from credibly.cli import main; main()' list measures | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("measure")
    assert done.stderr == ""


def test_labels_cannot_command_the_terminal(tmp_path, capsys):
    path = tmp_path / "hostile.csv"
    path.write_text('y,yhat\n"\x1b[2J[red]a[/red]","\x1b[2J[red]a[/red]"\nb,b\n')
    for extra in ([], ["--markdown"], ["--by", "class"]):
        assert main(["evaluate", str(path), "--truth", "y", "--label", "yhat", *extra]) == 0
        shown = capsys.readouterr().out
        assert "\x1b" not in shown
        assert "[red]a[/red]" in shown


def test_a_terminal_gets_the_same_words(small):
    script = "import pty, sys; sys.exit(pty.spawn([sys.executable, '-c', 'import sys; from credibly.cli import main; sys.exit(main())', *sys.argv[1:]]))"
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            script,
            "evaluate",
            str(small),
            "--truth",
            "y",
            "--probability",
            "p",
            "--positive",
            "yes",
            "--measure",
            "auc,recall",
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "120", "TERM": "xterm"},
        stdin=subprocess.DEVNULL,
    )
    assert "Area under the ROC curve" in done.stdout
    assert "0.94" in done.stdout


@pytest.mark.thorough
def test_a_file_large_enough_for_the_compiled_kernels(tmp_path):
    rng = np.random.default_rng(0)
    n = 200_000
    y, s = rng.integers(0, 2, n), rng.random(n).round(6)
    path = tmp_path / "large.csv"
    with path.open("w") as file:
        file.write("truth,score\n")
        file.writelines(f"{a},{b}\n" for a, b in zip(y.tolist(), s.tolist(), strict=True))
    done = run("evaluate", str(path), "--measure", "auc,ks", "--json")
    values = {e["measure"]: e["value"] for e in json.loads(done.stdout)["estimates"]}
    p = Predictions.of(y, score=s)
    assert values["auc"] == evaluate(p, "auc")["auc"].value


def test_standard_input_is_a_file(small, capsys):
    piped = run(
        "evaluate", "-", "--format", "csv", "--measure", "auc", "--csv", input=small.read_text()
    )
    assert piped.returncode == main(["evaluate", str(small), "--measure", "auc", "--csv"]) == 0
    assert piped.stdout.splitlines() == capsys.readouterr().out.splitlines()
    told = run("evaluate", "-", "--all", input=small.read_text())
    assert told.returncode == 0
    assert "The format of standard input was taken from its content" in told.stdout
    nothing = run("evaluate", "-", "--format", "csv", input="")
    assert "standard input is empty" in nothing.stderr


def test_findings_stay_out_of_the_rows(small, capsys):
    assert main(["evaluate", str(small), "--measure", "auc", "--csv"]) == 0
    made = capsys.readouterr()
    assert len(made.out.splitlines()) == 2
    assert "caution: Fewer than 10 cases" in made.err
    assert "note: Guessed columns:" in made.err


def test_every_registry_can_be_listed():
    from credibly._core.declared import Registry
    from credibly.catalogue.registries import HOMES, registry_of

    modules = [import_module(m.name) for m in walk_packages(credibly.__path__, "credibly.")]
    found = {v.kind for m in modules for v in vars(m).values() if isinstance(v, Registry)}
    # Shortcuts are the affair of `run`, renderers of a file's ending, kinds of tables of the functions that read them:
    # nobody asks for one by name.
    missing = (
        found
        - {"shortcut", "renderer", "kind of table"}
        - {registry_of(kind).kind for kind in HOMES}
    )
    assert not missing, f"Let the packages of {missing} export them."


@pytest.mark.parametrize("command", ["list", "show"])
def test_the_help_of_the_catalogue_names_every_kind(command, capsys):
    from credibly.catalogue.registries import HOMES

    assert main([command, "--help"]) == 0
    printed = capsys.readouterr().out
    assert all(kind.replace("_", "-") in printed for kind in HOMES)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--memory", "xx"], "--memory xx is not a size such as '2GB'"),
        (["--threads", "0"], "threads must be a whole number of at least 1; got 0"),
        (["--spill", "/nowhere"], "is not a folder"),
        (["--tolerance=-1"], "tolerance must be a number from 0 up; got -1"),
    ],
)
def test_options_are_checked_for_small_files_too(tmp_path, capsys, options, message):
    file = tmp_path / "p.csv"
    file.write_text("y,score\n1,0.5\n0,0.25\n")
    assert main(["evaluate", str(file), *options]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "x" * 300 + ".csv"],
        ["run", "x" * 300 + ".csv", "--target", "y", "--scheme", "tree"],
        ["plot", "roc", "x" * 300 + ".csv"],
        ["report", "x" * 300 + ".csv"],
    ],
)
def test_a_name_that_is_too_long_is_said(capsys, words):
    assert main(words) == 1
    said = capsys.readouterr().err
    assert "File name too long" in said
    assert "unexpected" not in said
    assert len(said) < 400


def test_a_folder_that_is_too_large_or_closed_is_said(tmp_path, capsys, monkeypatch):
    from credibly.engines import files

    monkeypatch.setattr(files, "MAX_PATHS", 3)
    for i in range(5):
        (tmp_path / f"{i}.csv").write_text("y,score\n1,0.5\n0,0.25\n")
    assert main(["evaluate", str(tmp_path)]) == 1
    assert "holds more than 3 files and folders. Name the files" in capsys.readouterr().err
    monkeypatch.setattr(files, "MAX_PATHS", 100_000)

    def closed(path, onerror):
        onerror(PermissionError(13, "Permission denied", f"{path}/closed"))

    monkeypatch.setattr(files.os, "walk", closed)
    assert main(["evaluate", str(tmp_path)]) == 1
    assert "closed cannot be searched: Permission denied" in capsys.readouterr().err


@pytest.mark.daily(words=[["list", "measures"]])
@pytest.mark.parametrize("words", [["list", "measures"], ["show", "measure", "auc"], ["--help"]])
def test_output_without_room_is_said(words):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(
            [sys.executable, "-m", "credibly", *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "credibly: the output cannot be written: No space left on device.\n"


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("Rsquared", "r2_test_mean"),
        ("GridSearchCV", "running.nested"),
        ("mail-out", "cost_benefit"),
        ("classification_report", "evaluate"),
        ("CalibratedClassifierCV", "recalibrate"),
    ],
)
def test_what_people_call_it_is_found_and_what_is_found_is_shown(words, found, capsys):
    assert main(["search", words, "--json"]) == 0
    matches = json.loads(capsys.readouterr().out)["matches"]
    assert found in [m["name"] for m in matches]
    assert main(["show", found]) == 0
    shown = capsys.readouterr().out
    assert any(line.split() == ["name", found] for line in shown.splitlines())


def test_nothing_found_is_followed_by_advice_and_no_table(capsys):
    assert main(["search", "zyzzyva"]) == 0
    out = capsys.readouterr().out
    assert "0 found" in out
    assert "Try fewer" in out
    assert "what it is" not in out


def test_summaries_have_no_markup(capsys):
    assert main(["search", "curve", "--limit", "100"]) == 0
    assert ":class:" not in capsys.readouterr().out


def test_sentences_of_an_entry_are_not_joined_by_commas(capsys):
    assert main(["show", "roc.test"]) == 0
    out = capsys.readouterr().out
    assert "same cases. Cases are" in out
    assert any(line.split() == ["one", "sided", "yes"] for line in out.splitlines())


def test_a_listing_of_no_kind_names_the_kinds(capsys):
    assert main(["list"]) == 0
    said = capsys.readouterr().out
    assert [kind for kind in KINDS.split(", ") if f"\n{kind} " not in said] == []
    assert "`credibly list KIND`" in said
    assert main(["list", "measures"]) == 0
    assert "LIST KIND" not in capsys.readouterr().out.upper()


@pytest.mark.parametrize(
    "command", ["report -o both.md", "calibration", "decide --cost fn=5,fp=1", "hull", "check"]
)
def test_two_files_are_two_models(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, step in (("new", 37), ("old", 29)):
        rows = (f"{i % 2},{(i * step + 20 * (i % 2)) % 100 / 100}\n" for i in range(60))
        (tmp_path / f"{name}.csv").write_text("y,p\n" + "".join(rows))
    verb, *options = command.split()
    assert main([verb, "new.csv", "old.csv", *options]) == 0
    said = capsys.readouterr().out
    assert verb == "check" or ("new" in said and "old" in said)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("eval", "evaluate"), ("calibrate", "calibration"), ("train", "run"), ("comprae", "compare")],
)
def test_an_unknown_command_leads_to_the_one_that_is_meant(typed, meant, capsys):
    assert main([typed, "preds.csv"]) == 2
    assert f"Did you mean {meant}?" in " ".join(capsys.readouterr().err.split())


def test_classes_of_several_models_have_a_row_each(capsys):
    asked = ["evaluate", str(DEMO_FILE), "--positive", "malignant", "--by", "class"]
    assert main(asked) == 0
    out = capsys.readouterr().out
    assert out.startswith("logistic has the highest accuracy of 4 models")
    rows = [line.split() for line in out.splitlines()]
    assert ["tree", "malignant"] in [row[:2] for row in rows]
    assert sum(row[1:2] == ["accuracy"] for row in rows) == 4


def test_names_of_files_are_no_json(tmp_path, capsys):
    for name in ("[a].csv", "{b}.csv"):
        (tmp_path / name).write_text("y,p\n" + "1,0.9\n0,0.4\n" * 9)
    assert main(["compare", *(str(tmp_path / name) for name in ("[a].csv", "{b}.csv"))]) == 0
    assert "[a] against {b}" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["u.csv", "./u.csv", "link.csv"])
def test_no_file_is_written_over_by_joining_it(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    held = "row,y,label\na,0,0\nb,1,0\n"
    for file in ("t.csv", "u.csv"):
        (tmp_path / file).write_text(held)
    (tmp_path / "link.csv").symlink_to("u.csv")
    assert main(["join", "t.csv", "u.csv", "--row", "row", "-o", name]) != 0
    said = " ".join(capsys.readouterr().err.split())
    assert "is one of the files to join" in said
    assert "Name another file: --output" in said
    assert (tmp_path / "u.csv").read_text() == held
    assert main(["join", "t.csv", "u.csv", "--row", "row", "-o", "both.csv"]) == 0
