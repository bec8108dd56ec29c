"""`credibly plot` on files."""

import pytest

from credibly import Predictions, save
from credibly.cli import main


@pytest.fixture
def preds(tmp_path):
    p = Predictions.of(
        ["no", "yes", "no", "yes"] * 10,
        probability=[0.1, 0.9, 0.4, 0.3] * 5 + [0.2, 0.8, 0.6, 0.7] * 5,
        model=["tree"] * 20 + ["rule"] * 20,
        row=[*range(20)] * 2,
        fold=[0, 0, 1, 1] * 10,
        positive="yes",
    )
    save(p, tmp_path / "preds.csv")
    return tmp_path / "preds.csv"


def run(capsys, *words):
    code = main([str(w) for w in words])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.parametrize(
    ("words", "spoken"),
    [
        (["roc", "--by", "fold"], "ROC curve"),
        (["roc", "--band", "pointwise", "--rng", "1", "--theme", "dark"], "ROC curve"),
        (["confusion-matrix", "--option", "model=tree", "--option", "show=rows"], "share of the actual"),
        (["threshold(measure='f1')"], "Measure by threshold"),
        (["hull", "--prevalence", "0.2"], "Convex hull of 2 models"),
        (["differences", "--option", "measure=auc"], "tree - rule"),
        (["cost-benefit", "--benefit", "tp=15", "--cost", "fp=4"], "Profit by number"),
        (["lift-chart", "--option", "mark=25%,number=20"], "5 of 5"),
        (["expected-costs", "--cost", "fn=5", "--cost", "fp=1"], "yes is cheaper from"),
        (["folds", "--option", "model=tree", "--option", "sort=1"], "2 splits of 20 rows"),
        (["fold-histogram", "--option", "model=tree", "--option", "measure=auc"], "2 values of"),
        (["calibration-function", "--option", "model=tree", "--option", "method=beta"], "How beta changes"),
        (["estimates", "--option", "measure=auc"], "Area under the ROC curve"),
    ],
)  # fmt: skip
def test_draws(preds, capsys, words, spoken):
    target = preds.with_name("picture.svg")
    code, out, err = run(capsys, "plot", words[0], preds, *words[1:], "-o", target)
    assert (code, err) == (0, "")
    assert out.startswith(f"Wrote {target}")
    assert spoken in out
    assert target.read_text().startswith("<svg")


def test_a_file_is_named_after_what_it_shows(preds, capsys, monkeypatch):
    monkeypatch.chdir(preds.parent)
    assert run(capsys, "plot", "roc", preds)[1].startswith("Wrote preds-roc.svg: ")
    assert (preds.parent / "preds-roc.svg").exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["nonsense"], "There is no plot 'nonsense'"),
        (["confusion-matrix"], "one model; choose it with the option model: tree, rule"),
        (["roc", "-o", "roc.gif"], "'roc.gif' is not one of them"),
        (["hull", "--option", "colour"], "--option takes name=value"),
        (["hull", "--band", "pointwise"], "hull has no option 'band'"),
    ],
)
def test_says_what_is_wrong(preds, capsys, words, why):
    code, out, err = run(capsys, "plot", words[0], preds, *words[1:])
    assert code != 0
    assert out == ""
    assert why in err


def test_plots_are_listed_and_shown(capsys):
    assert "critical_difference" in run(capsys, "list", "plots")[1]
    shown = run(capsys, "show", "plot", "forest")[1]
    assert "Table, Predictions" in shown
    assert "measure" in shown


def test_a_picture_in_the_place_of_the_file_is_what_to_write(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("y,p\n1,0.9\n0,0.2\n")
    assert main(["plot", "p.csv", "roc.png"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "`credibly plot p.csv -o roc.png`" in said
