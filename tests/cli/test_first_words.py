"""What people type first: the command line answers with the right word, or takes it."""

from __future__ import annotations

import pytest

from credibly.cli import main

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
        ("evaluate p.csv --target died", 2, "Use --truth."),
        ("evaluate p.csv --metric auc", 2, "Use --measure."),
        ("evaluate p.csv --alpha 0.1", 2, "Set --confidence-level, which is 1 - alpha."),
        ("decide p.csv --fn 5", 2, "Use --cost fn=AMOUNT."),
        ("evaluate p.csv", 1, "such as --truth died."),
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
