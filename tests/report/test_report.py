"""Reports come for every kind of predictions, in every format, and say what is wrong."""

import json
import re

import numpy as np
import pytest

import credibly
from credibly import CostMatrix, ParameterError
from credibly.checks import checks
from credibly.cli import main
from credibly.reports.document import Definition, Findings, Grid, Paragraph, Picture
from credibly.reports.key_figures import headline_sentence, in_words
from each import Each
from report.context import HOSTILE, KINDS, LATER, LONG, QUOTED, hostile, reported, several

ORDER = ["problem", "caution", "note"]
kinds = Each("kind", KINDS, str, later=lambda kind: kind in LATER)


def blocks(made, cls):
    return [b for s in made.document.sections for b in s.blocks if isinstance(b, cls)]


def findings(made):
    return made.document.sections[0].blocks[0].findings


@kinds.apart
def test_a_report_comes_in_every_format(kind, tmp_path):
    made = reported(kind)
    for suffix in ("html", "md", "tex", "json"):
        written = made.save(tmp_path / f"report.{suffix}").read_text(encoding="utf-8")
        assert written
        assert list(tmp_path.glob("*.part")) == []
    assert json.loads(made.json())["headline"] == made.document.headline
    assert made.document.headline.count(". ") == 1  # two sentences
    assert "accept" not in made.markdown().lower()


@kinds
def test_what_to_doubt_comes_first_the_worst_at_the_top_and_nothing_twice(kind):
    made = reported(kind)
    assert made.document.sections[0].title == "What to doubt"
    found = findings(made)
    ranks = [ORDER.index(f.severity) for f in found]
    assert ranks == sorted(ranks)
    assert len(set(found)) == len(found)
    of_checks = {f.code for f in credibly.check(KINDS[kind]()).findings()}
    for code in of_checks:
        assert sum(f.code == code for f in found) <= 1


def test_every_interval_of_the_table_is_counted():
    made = credibly.report(several(["a", "b"]))
    section = next(s for s in made.document.sections if s.title == "How well it does")
    grid, told = section.blocks[:2]
    shown = sum("[" in cell for row in grid.body for cell in row[1:])
    assert shown == sum(map(int, re.findall(r"\((\d+)\)", told.text.split("\n")[0]))) > 0


@kinds
def test_every_measure_shown_is_defined(kind):
    made = reported(kind)
    terms = {d.term for d in blocks(made, Definition)}
    shown = {e["title"] for e in made.document.data["evaluation"]["estimates"]}
    assert shown <= terms
    for d in blocks(made, Definition):
        assert re.search(r"\d{4}", d.reference), d.term


def test_failed_fits_are_said():
    made = reported("failed scheme")
    said = [f for f in findings(made) if f.code == "failed-fits"]
    assert len(said) == 1
    assert said[0].severity == "problem"
    assert "<b>no</b>" not in made.html()
    assert "&lt;b&gt;no" in made.html()


def test_a_run_with_a_failing_scheme_is_reported():
    from sklearn.datasets import load_iris
    from sklearn.linear_model import LogisticRegression

    schemes = {"nb": "naive-bayes", "broken": LogisticRegression(C=-1)}
    p = credibly.run(schemes, *load_iris(return_X_y=True), resampling="3", rng=1)
    made = credibly.report(p)
    assert made.document.headline.startswith("nb labels about ")
    said = [f for f in findings(made) if f.code == "failed-fits"]
    assert [f.message.startswith("3 of 6 fits failed (broken)") for f in said] == [True]


@pytest.mark.parametrize("resampling", ["bootstrap(replicates=5)", "2x3", "leave_one_out"])
def test_only_rows_that_were_held_out_are_pictured(resampling):
    from sklearn.datasets import load_breast_cancer

    inputs, y = load_breast_cancer(return_X_y=True)
    p = credibly.run("naive-bayes", inputs[:90], y[:90], resampling=resampling, rng=1)
    made = credibly.report(p)
    (matrix,) = [b.figure for b in blocks(made, Picture) if b.figure.title == "Confusion matrix"]
    cases = len(set(p.row.tolist()))
    assert sum(matrix.layers[0].columns["value"]) == pytest.approx(cases)
    roc = next(b.figure for b in blocks(made, Picture) if b.figure.title == "ROC curve")
    area = credibly.evaluate(p, "auc", estimate="pooled")["auc"].value
    assert f"AUC {area:.3g}" in roc.alt


def test_a_single_class_is_said():
    made = reported("one class")
    assert any(f.code == "undefined" for f in findings(made))
    undefined = [row for g in blocks(made, Grid) for row in g.body if "undefined" in row]
    assert undefined


def test_no_value_at_all_is_said():
    made = credibly.report(KINDS["no measure"](), measures=["auc"])
    assert "is undefined here" in made.document.headline
    assert any(f.code == "undefined" for f in findings(made))


def test_many_models_stand_below_each_other_and_the_best_are_pictured():
    made = reported("twelve models")
    table = blocks(made, Grid)[0]
    assert table.header[0] == "model"
    assert len(table.body) == 13
    assert any("best 6 of 12" in p.text for p in blocks(made, Paragraph))
    for picture in blocks(made, Picture):
        if picture.figure.title == "ROC curve":
            assert len(picture.figure.series()) == 6


def test_one_kind_of_estimate_a_table():
    made = reported("folds")
    first, second = (g for g in blocks(made, Grid) if g.caption.startswith("Estimates"))
    assert (first.folded, second.folded) == (False, True)
    assert first.caption.endswith("mean over folds")
    assert second.caption.endswith("all cases pooled")
    assert sorted(first.header[1:-1]) == ["a", "b", "c"]
    assert first.header[-1] == "best trivial rule"


@pytest.mark.parametrize(
    "costs", [{"fn": 5, "fp": 1}, CostMatrix.of([[0, 1], [5, 0]], [0, 1])], ids=["cells", "matrix"]
)
def test_costs_have_a_section(costs):
    p = several(["a", "b"])
    made = credibly.report(p, costs=costs, prevalence=0.2)
    (section,) = [s for s in made.document.sections if s.title == "What it costs"]
    table = section.blocks[0]
    decided = credibly.decide(p, costs, prevalence=0.2)
    assert table.header == ("measure", "a", "b", "best trivial rule")
    assert table.body[1][0] == "Average cost, at the shares given"
    assert made.document.data["decision"] == decided.to_dict()
    assert not any(f.code in {"costs-ignored", "no-costs"} for f in findings(made))


def test_costs_by_row_are_costs_too():
    p = several(["a"])
    made = credibly.report(p, costs={"fn": np.linspace(1, 9, 80), "fp": 1})
    assert any(s.title == "What it costs" for s in made.document.sections)
    assert not any(f.code == "costs-ignored" for f in findings(made))


def test_rows_predicted_by_many_training_sets_tell_bias_from_variance():
    title = "How it depends on the training set"
    made = reported("many repeats")
    found = next(s for s in made.document.sections if s.title == title)
    grid = next(b for b in found.blocks if hasattr(b, "body"))
    assert [row[0] for row in grid.body][:3] == ["Zero-one loss", "Bias and noise", "Net variance"]
    assert "noise-in-bias" in {f.code for f in findings(made)}
    assert title not in {s.title for s in credibly.report(KINDS["folds"]()).document.sections}


def test_names_are_text_in_every_format():
    made = credibly.report(hostile())
    page = made.html()
    assert HOSTILE not in page
    assert QUOTED not in page
    assert page.count("<script") == 3  # the data, Vega and ours
    assert HOSTILE not in made.markdown()
    assert LONG.strip() in page
    assert "\u202e" not in page.partition('<script type="application/json"')[0]
    assert re.search(r"script-src 'sha256-\S+' 'sha256-\S+'\"", page)


@pytest.mark.thorough
def test_a_page_stays_small():
    """Five models on 1e5 cases must stay under 0.8 MB: curves are thinned, and Vega is packed."""
    page = credibly.report(several(list("abcde"), n=4000)).html()
    assert len(page.encode()) < 800_000


def test_the_same_content_from_python_the_command_line_and_a_saved_run(tmp_path, capsys):
    from sklearn.datasets import load_iris

    p = credibly.run(["zero-r", "naive-bayes"], *load_iris(return_X_y=True), resampling="5", rng=1)
    path = tmp_path / "preds.parquet"
    credibly.save(p, path)
    target = tmp_path / "report.json"
    typed = ["report", str(path), "--title", "Iris", "-o", str(target)]
    assert main(typed) == 0
    assert "Wrote" in capsys.readouterr().out
    from_file = json.loads(target.read_text())
    here = json.loads(credibly.report(p, title="Iris").json())
    assert from_file.pop("command") == f"credibly report {path} --title Iris -o {target}"
    here.pop("command")
    assert from_file == here


def test_an_unknown_format_is_refused_before_reading(tmp_path, capsys):
    with pytest.raises(ParameterError, match=r"html, md, tex, json, docx; 'report.doc' is not one"):
        credibly.report(KINDS["one model"]()).save(tmp_path / "report.doc")
    assert main(["report", "nowhere.csv", "-o", "report.doc"]) == 2
    assert main(["report", str(tmp_path / "nowhere.csv"), "-o", "report.md"]) == 1


def test_an_unwritable_place_is_told(tmp_path):
    with pytest.raises(credibly.DataError, match="cannot be written"):
        credibly.report(KINDS["one model"]()).save(tmp_path / "no" / "report.md")


def test_report_takes_predictions_and_known_facts():
    with pytest.raises(ParameterError, match="takes Predictions"):
        credibly.report([1, 2])
    with pytest.raises(TypeError, match="planed_measure"):
        credibly.report(KINDS["one model"](), planed_measure="auc")
    said = credibly.report(KINDS["one model"](), planned_measure="auc")
    assert "measure-chosen-afterwards" in {f.code for f in findings(said)}


def test_the_measure_asked_for_leads():
    made = credibly.report(several(["a", "b"]), measures=["brier"], measure="auc")
    assert made.document.headline.startswith("a, the best of 2 models, reaches an area under")
    assert made.document.data["comparison"]["measure"] == "auc"


def test_an_average_can_be_asked_for():
    p = several(["a", "b"])
    made = credibly.report(p, measures=["f1_macro", "recall_micro"])
    (table,) = (g for g in blocks(made, Grid) if g.caption.startswith("Estimates"))
    assert [row[0] for row in table.body] == ["F-measure (macro)", "Recall (micro)"]
    assert made.document.data["comparison"]["measure"].startswith("fbeta")


def test_two_classes_of_which_none_is_positive_are_averaged():
    made = reported("two classes, none positive")
    (table,) = (g for g in blocks(made, Grid) if g.caption.startswith("Estimates"))
    assert {"F-measure (macro)", "Recall (macro)"} <= {row[0] for row in table.body}


def test_the_lead_of_the_best_is_judged():
    truth = np.tile([1, 0], 200)
    poor = np.where(np.arange(400) % 5 == 0, 1 - truth, truth)

    def said(a, b):
        p = credibly.Predictions.of(
            np.tile(truth, 2),
            label=np.concatenate([a, b]),
            model=np.repeat(["a", "b"], 400),
            row=np.tile(np.arange(400), 2),
        )
        return credibly.report(p).document.headline

    one_wrong = np.where(np.arange(400) == 3, 1 - poor, poor)
    assert "its lead over b is more than chance would give" in said(truth, poor)
    assert "may be chance" in said(poor, one_wrong)


def test_shares_in_words():
    assert in_words(0.5) == "about 1 in 2"
    assert in_words(0.97) == "about 97 in 100"
    assert in_words(1e-9) == "fewer than 1 in 1,000,000"
    assert in_words(1.0) == "all"


def test_a_headline_without_an_interval_says_why():
    p = credibly.Predictions.of([1, 0] * 20, score=list(range(40)))
    e = credibly.evaluate(p, "ks").estimates[0]
    assert "No interval can be given, since" in headline_sentence("the model", e, ["the model"])


def test_latex_and_markdown_escape_what_they_would_obey():
    p = several(["50 % & more_or less", "a|b*c"])
    made = credibly.report(p)
    assert r"50 \% \& more\_or less" in made.latex()
    assert made.latex().count(r"\begin{table}") == made.latex().count(r"\end{table}")
    assert r"a\|b\*c" in made.markdown()


def test_findings_of_one_code_stand_together():
    f = [credibly.Finding(c, "note", m) for c, m in (("x", "1"), ("y", "2"), ("x", "3"))]
    assert [[g.message for g in same] for same in Findings(tuple(f)).by_code()] == [
        ["1", "3"],
        ["2"],
    ]


# --- the commands


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "preds.csv"
    assert main(["demo", "--save", str(path)]) == 0
    return path


def test_check_on_the_command_line(file, capsys):
    asked = ["check", str(file), "--positive", "malignant", "--prevalence", "0.02"]
    capsys.readouterr()
    assert main(asked) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{len(checks)} checks of the evaluation found 4 cautions, ")
    assert "2.00% will be" in out
    assert main([*asked, "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    status = {c["code"]: c["status"] for c in read["checks"]}
    assert status["prevalence-differs"] == "caution"
    assert status["costs-ignored"] == "note"
    assert main([*asked, "--cost", "fn=5", "--cost", "fp=1", "--markdown"]) == 0
    assert "| passed | costs-ignored |" in capsys.readouterr().out
    assert main([*asked, "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(checks) + 1
    assert main([*asked, "--json", "--markdown"]) == 2


def test_checks_are_listed_and_shown(capsys):
    assert main(["list", "checks"]) == 0
    assert "winners-curse" in capsys.readouterr().out
    assert main(["show", "check", "winners-curse"]) == 0
    out = capsys.readouterr().out
    assert "severity" in out
    assert "caution" in out
    assert "nested resampling" in out
