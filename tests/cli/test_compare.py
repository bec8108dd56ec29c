"""`credibly compare` as a person or a script uses it."""

import csv
import io
import json
import re

import numpy as np
import pytest

from credibly import Predictions, compare
from credibly.cli import main

N = 60
RNG = np.random.default_rng(4)
TRUTH = np.arange(N) % 2
SCORES = {
    name: np.round(TRUTH * gain + RNG.normal(size=N), 3) for name, gain in (("a", 2), ("b", 1))
}


def text(name, rows=N):
    lines = [f"{i},{TRUTH[i]},{SCORES[name][i]}" for i in range(rows)]
    return "\n".join(["id,y,s", *lines]) + "\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in SCORES:
        (tmp_path / f"{name}.csv").write_text(text(name))
    (tmp_path / "short.csv").write_text(text("b", 50))
    both = "".join(text(n).partition("\n")[2].replace("\n", f",{n}\n") for n in SCORES)
    (tmp_path / "run.csv").write_text("id,y,s,model\n" + both)
    values = np.round(np.random.default_rng(5).normal([0.8, 0.75, 0.7], 0.03, (10, 3)), 3)
    lines = [",".join(map(str, row)) for row in values.tolist()]
    (tmp_path / "values.csv").write_text("\n".join(["a,b,c", *lines]) + "\n")
    return tmp_path


ROLES = ["--truth", "y", "--score", "s", "--row", "id"]


def expected(**asked):
    a, b = (Predictions.of(TRUTH, score=SCORES[k], row=range(N)) for k in "ab")
    return compare({"a": a, "b": b}, measure="auc", **asked)


def test_two_files(files, capsys):
    assert main(["compare", "a.csv", "b.csv", *ROLES, "--measure", "auc"]) == 0
    said, _, table = capsys.readouterr().out.partition("\n\n")
    assert said == expected().meaning()
    assert [*said.split(), *table.split()] == str(expected()).split()  # which is folded


def test_one_file_of_two_models_as_json(files, capsys):
    asked = [*ROLES, "--model", "model", "--measure", "auc", "--json"]
    assert main(["compare", "run.csv", *asked]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema_version"] == 1
    assert found["names"] == ["a", "b"]
    assert found["pvalue"] == expected().pvalue


def test_options_reach_the_test(files, capsys):
    options = ["--measure", "auc", "--margin", "0.3", "--alternative", "greater", "--csv"]
    options += ["--confidence-level", "0.9", "--test", "influence"]
    assert main(["compare", "a.csv", "b.csv", *ROLES, *options]) == 0
    row = next(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    result = expected(margin=0.3, alternative="greater", confidence_level=0.9, test="influence")
    assert float(row["pvalue"]) == result.pvalue
    assert float(row["low"]) == result.confidence_interval.low


def test_a_value_as_markdown(files, capsys):
    options = ["--measure", "auc", "--against", "0.5", "--markdown"]
    assert main(["compare", "a.csv", *ROLES, *options]) == 0
    out = capsys.readouterr().out
    assert out.startswith("The area under the ROC curve of a is above 0.5")
    assert "a against 0.5: area under the ROC curve" in out
    assert "| p-value |" in out


def test_bare_values(files, capsys):
    assert main(["compare", "values.csv", "--columns", "a,b", "--test-train-ratio", "0.111"]) == 0
    assert "Corrected resampled t" in capsys.readouterr().out
    assert main(["compare", "values.csv", "--columns", "a,b", "--over", "datasets"]) == 0
    assert "Wilcoxon" in capsys.readouterr().out
    assert main(["compare", "values.csv", "--columns", "a,b,c", "--over", "datasets"]) == 0
    assert "Iman and Davenport" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["a.csv", "short.csv", *ROLES], 1, "10 rows of 60 only in a (rows 50, 51"),
        (["a.csv", *ROLES], 2, "--against"),
        (["a.csv", "b.csv", *ROLES, "--test", "nonsense"], 2, "no comparison 'nonsense'"),
        (["a.csv", "b.csv", *ROLES, "--json", "--csv"], 2, "Choose one of --json and --csv"),
        (["values.csv", "--columns", "a"], 2, "two schemes"),
        (["values.csv", "--columns", "a,z"], 1, "no column 'z'"),
        (["values.csv", "--columns", "a,b"], 1, "--test-train-ratio"),
        (["values.csv", "--columns", "a,b,c"], 1, "--test-train-ratio"),
        (["values.csv", "a.csv", "--columns", "a,b"], 2, "one file"),
    ],
)
def test_bad_calls(files, capsys, arguments, code, message):
    assert main(["compare", *arguments]) == code
    assert message in capsys.readouterr().err


def test_partly_shared_rows(files, capsys):
    assert main(["compare", "a.csv", "short.csv", *ROLES, "--measure", "auc", "--partial"]) == 0
    assert "shared 50" in capsys.readouterr().out


def test_comparisons_are_listed_and_shown(capsys):
    assert main(["list", "comparisons"]) == 0
    assert "mcnemar" in capsys.readouterr().out
    assert main(["show", "comparison", "mcnemar"]) == 0
    out = capsys.readouterr().out
    assert "McNemar, Q. (1947)" in out
    assert "both models have the same expected value of the measure" in out
    assert "method: one of 'auto', 'exact'" in out


def test_the_same_file_twice_is_no_comparison(tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_text("y,s\n1,0.9\n0,0.2\n")
    again = tmp_path / "." / "a.csv"
    assert main(["compare", str(path), str(again), "--truth", "y", "--score", "s"]) == 2
    assert "The same file was given twice" in capsys.readouterr().err


# --- one table with a column for each model --------------------------------------------------------


@pytest.fixture
def wide(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 400)
    table = {"y": truth, **{p: np.round(rng.random(400) + truth / 3, 2) for p in ("p1", "p2")}}
    for i, half in enumerate((slice(200), slice(200, 400))):
        rows = zip(*(column[half] for column in table.values()), strict=True)
        lines = ["y,p1,p2", *(",".join(map(str, row)) for row in rows)]
        (tmp_path / f"part{i}.csv").write_text("\n".join(lines))
    return table


@pytest.mark.parametrize("bins", [None, 16])
def test_columns_of_one_table_are_counted_together(wide, capsys, bins):
    asked = ["--bins", str(bins)] if bins else ["--exact", "--engine", "duckdb"]
    names = ["--models", "a=p1,b=p2", "--models-give", "score"]
    assert main(["compare", "part*.csv", "--truth", "y", *names, "--json", *asked]) == 0
    found = json.loads(capsys.readouterr().out)
    a, b = (Predictions.of(wide["y"], score=wide[p]) for p in ("p1", "p2"))
    exact = compare({"a": a, "b": b}, measure="auc")
    assert (found["test"], found["names"], found["n"]) == ("delong", ["a", "b"], 400)
    moved = [f for f in found["findings"] if f["code"] == "binned"]
    assert bool(moved) == bool(bins)
    bound = float(moved[0]["message"].rpartition(" ")[2].rstrip(".")) if bins else 1e-12
    assert abs(found["difference"] - exact.difference) <= bound


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["part*.csv", "--engine", "duckdb"], "Name the columns with --models"),
        (["part*.csv", "--bins", "9"], "Name the columns with --models"),
        (["part0.csv", "part1.csv", "--models", "a=p1,b=p2"], "a pattern of files in quotes"),
        (["part0.csv", "--models", "a=p1,b="], "each model its column once"),
        (["part0.csv", "--models", "a=p1,a=p2"], "each model its column once"),
        (["part0.csv", "--models", "a=p1"], "two models"),
        (
            ["part0.csv", "--models", "a=p1,b=p2", "--probability", "p1"],
            "--models and --probability both name",
        ),
        (["part0.csv", "--models", "a=p1,b=p9"], "no column 'p9'"),
        (["part0.csv", "--models", "a=p1,b=p2", "--bins", "9", "--exact"], "do not use bins"),
        (["part0.csv", "--models", "a=p1,b=p2", "--bins", "0"], "bins"),
    ],
)
def test_bad_calls_of_a_wide_table(wide, capsys, arguments, message):
    code = 1 if "column 'p9'" in message else 2  # a fault of the data, not of the call
    assert main(["compare", *arguments, "--truth", "y"]) == code
    assert message in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("verb", ["compare", "gate", "flips"])
def test_each_file_may_have_its_own_names_of_columns(tmp_path, capsys, verb):
    truth, first, second = "1100110010" * 4, "1100100010" * 4, "1101111010" * 4
    for name, labels in {"a": first, "b": second, "c": second}.items():
        column = {"a": "said", "b": "guess", "c": "said"}[name]
        rows = zip(range(40), truth, labels, strict=True)
        text = "".join(f"{r},{t},{x}\n" for r, t, x in rows)
        (tmp_path / f"{name}.csv").write_text(f"id,y,{column}\n{text}")

    def answer(other, label):
        files = [str(tmp_path / f"{n}.csv") for n in ("a", other)]
        options = ["--truth", "y", "--label", label, "--row", "id", "--json"]
        assert main([verb, *files, *options]) in {0, 3, 4}
        found = re.findall(r'": ([-\d.]+)', capsys.readouterr().out)
        assert found
        return found

    assert answer("b", "said,guess") == answer("c", "said")
