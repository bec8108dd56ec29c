"""What people type first: the command line answers with the right word, or takes it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from credibly.cli import main
from credibly.measures import auc

ROWS = "id,died,a,b\n" + "".join(
    f"{i},{'yes' if i % 2 else 'no'},{(i * 37 % 90 + 10 * (i % 2)) / 100},{i * 53 % 100 / 100}\n"
    for i in range(60)
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text(ROWS)


def said(capsys):
    both = capsys.readouterr()
    return " ".join((both.out + both.err).replace("│", " ").split())


@pytest.mark.parametrize(
    ("words", "code", "answer"),
    [
        ("roc p.csv", 2, "Use `credibly curve roc FILE` for the curve roc"),
        ("roc_auc p.csv", 2, "Use `credibly evaluate FILE --measure auc` for the measure auc"),
        ("knn", 2, "Use `credibly run FILE --scheme knn`"),
        ("evaluate p.csv auc --truth died", 2, "There is no file auc. For the measure set --measure auc."),
        ("evaluate p.csv --target died --models a,b", 0, "of 2 models"),
        ("evaluate p.csv --truth died --y-prob a --metric auc", 0, "Area under the ROC curve is"),
        ("evaluate p.csv --alpha 0.1", 2, "Set --confidence-level, which is 1 - alpha."),
        ("decide p.csv --fn 5", 2, "Use --cost fn=AMOUNT."),
        ("evaluate p.csv", 1, "such as --truth died and --models a,b."),
        ("evaluate p.csv --truth died", 1, "such as --models a,b."),
        ("evaluate p.csv --truth died --models a,b", 0, "of 2 models"),
        ("plot p.csv --truth died --probability a", 0, "p.svg: ROC curve"),
        ("help evaluate", 0, "Usage: credibly evaluate"),
        ("help", 0, "Usage: credibly COMMAND"),
    ],
)  # fmt: skip
def test_what_is_typed_first(words, code, answer, capsys):
    assert main(words.split()) == code
    assert answer in said(capsys)


@pytest.mark.parametrize("lines", [None, "24"])
def test_columns_fold_what_is_piped_where_somebody_set_them(lines, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.delenv("LINES", raising=False)
    if lines:  # which the readline of a Python that calls us sets too
        monkeypatch.setenv("LINES", lines)
    assert main(["evaluate", "p.csv", "--truth", "died", "--models", "a,b"]) == 0
    widest = max(map(len, capsys.readouterr().out.split("\n")))
    assert (widest <= 60) == (lines is None)


def test_options_go_by_the_names_of_other_libraries(tmp_path, capsys):
    file = tmp_path / "houses.csv"
    file.write_text("sold,guessed\n" + "".join(f"{i}.5,{i + i % 3}\n" for i in range(30)))
    assert main(["evaluate", str(file), "--y_true", "sold", "--prediction=guessed", "--json"]) == 0
    ours = ["evaluate", str(file), "--truth", "sold", "--value", "guessed", "--json"]
    theirs = json.loads(capsys.readouterr().out)["estimates"]
    assert main(ours) == 0
    assert json.loads(capsys.readouterr().out)["estimates"] == theirs
    assert main([*ours, "--y-true", "sold"]) == 2
    assert "Unknown option: --y-true. Use --truth." in capsys.readouterr().err


def test_an_unnamed_file_is_told_truth_and_prediction_at_once(tmp_path, capsys):
    file = tmp_path / "left.csv"
    rows = (f"{i},{'Left' if i % 3 else 'Stayed'},{(i % 3) / 3 + i / 200}\n" for i in range(40))
    file.write_text("no,did they leave?,model output\n" + "".join(rows))
    assert main(["evaluate", str(file)]) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert "--truth 'did they leave?' and --probability 'model output'" in said


@pytest.mark.parametrize(
    ("word", "kind"), [("metrics", "measures"), ("tests", "comparisons"), ("models", "schemes")]
)
def test_kinds_go_by_the_names_of_other_libraries(word, kind, capsys):
    assert main([word]) == 2
    assert f"credibly list {kind}" in capsys.readouterr().err
    assert main(["list", word, "--json"]) == 0
    assert kind in json.loads(capsys.readouterr().out)


def test_a_column_that_is_called_like_a_weight_can_be_ignored(capsys, tmp_path):
    file = tmp_path / "people.csv"
    rows = [f"{i % 2},{(i * 7 % 10) / 10},{40 + i}" for i in range(60)]
    file.write_text("\n".join(["truth,probability,weight", *rows, ""]))
    values = {}
    for more in ([], ["--ignore", "weight"]):
        assert main(["evaluate", str(file), *more, "--measure", "auc", "--json"]) == 0
        values[len(more)] = json.loads(capsys.readouterr().out)["estimates"][0]["value"]
    y, scores = (np.array([float(r.split(",")[k]) for r in rows]) for k in (0, 1))
    assert values[2] == auc(y.astype(int), scores) != values[0]
