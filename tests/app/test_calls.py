"""Calls of the page in process: groups count as one, models are chosen in order, a report is made once."""

import re

import numpy as np
import pytest
from scipy import stats

import credibly
from credibly._core.findings import findings
from credibly.app import calls, report_calls
from credibly.app.page import modules, static
from credibly.app.session import Session
from credibly.app.surface import SCREEN_NAMES, on_page, said_here
from credibly.checks import checks
from credibly.errors import surface
from credibly.results.formats import json_text


def grouped(n=120):
    rng = np.random.default_rng(2)
    truth = np.repeat(rng.integers(0, 2, n // 4), 4)
    return credibly.Predictions.of(
        truth, score=truth + rng.normal(0, 1, n), group=np.arange(n) // 4, positive=1
    )


def kept(p, folder, **options):
    session = Session()
    path = credibly.save(p, folder / "p.parquet")
    return session, session.keep_file(path, {"positive": p.classes[p.positive], **options}).id


def test_counts_of_grouped_cases_vary_as_their_groups_do(tmp_path):
    p = grouped()
    session, key = kept(p, tmp_path)
    threshold = float(np.sort(p.score)[-30])
    told = calls.outcomes(session, id=key, threshold=threshold, at="number=30")["estimates"]
    found = {e["of"]: e for e in told}
    selected, positive = p.score >= threshold, p.truth == 1
    cells = {"tp": selected & positive, "fp": selected & ~positive, "fn": ~selected & positive, "tn": ~selected & ~positive}  # fmt: skip
    for cell, rows in cells.items():
        of_groups = np.bincount(np.arange(p.n) // 4, weights=rows)
        n, moved = of_groups.size, np.square(of_groups - of_groups.mean())
        spread = (moved**2).sum() - moved.sum() ** 2 / n  # of the squares: Satterthwaite's freedom
        freedom = min(2 * moved.sum() ** 2 / spread, n - 1)
        half = stats.t.ppf(0.975, freedom) * np.sqrt(n * of_groups.var(ddof=1))
        interval = found[cell]["interval"]
        assert found[cell]["value"] == pytest.approx(rows.sum())
        assert interval["high"] - found[cell]["value"] == pytest.approx(half)
    labelled = credibly.Predictions.of(
        p.truth, label=selected.astype(int), group=np.arange(p.n) // 4
    )
    rates = credibly.evaluate(labelled, ["recall", "specificity", "precision", "accuracy"])
    for e in rates.to_dict()["estimates"]:
        assert found[e["measure"]]["value"] == pytest.approx(e["value"])
        assert found[e["measure"]]["interval"] == pytest.approx(e["interval"])


def test_a_part_of_the_last_score_is_a_part_of_its_cases(tmp_path):
    """The rates are those of the expected counts, also where a place falls within a score."""
    session, key = kept(credibly.Predictions.of([1, 0, 1, 0, 1], score=[3, 2, 2, 1, 1]), tmp_path)
    told = calls.outcomes(session, id=key, threshold=2.0, taken=0.5, at="number=2")["estimates"]
    found = {e["of"]: e["value"] for e in told}
    assert [found[c] for c in ("tp", "fp", "fn", "tn")] == [1.5, 0.5, 1.5, 1.5]
    assert found["precision"] == 0.75
    assert found["recall"] == 0.5
    assert found["accuracy"] == 0.6


def test_rows_without_a_prediction_are_errors_and_left_out_where_scores_count(tmp_path):
    p = credibly.Predictions.of(
        [1, 0, 1, 0, 1], [0.9, 0.2, None, 0.6, 0.4], columns={"who": list("abcde")}, group=[0, 0, 1, 1, 2]
    )  # fmt: skip
    path = tmp_path / "gaps.csv"
    p.frame().to_csv(path, index=False)
    session = Session()
    key = session.keep_file(path, {"group": "group"}).id
    found = calls.worst_cases(session, id=key).to_dict()
    assert found["wrong_in"] == [2, 3]
    assert [row[0] for row in found["rows"]] == [2, 3, 4, 1, 0]
    assert found["columns"][-2:] == ["group", "who"]
    assert found["rows"][0] == [2, 1, None, 1, "c"]
    told = calls.outcomes(session, id=key, threshold=0.5, at="number=2")["estimates"]
    values = {e["of"]: e["value"] for e in told}
    assert [values[c] for c in ("tp", "fp", "fn", "tn")] == [1, 1, 1, 1]
    assert values["accuracy"] == 0.5
    assert calls.flips(session, id=key, model="model", other="model")["neither"] == 3


def test_a_gate_takes_the_candidate_first(tmp_path):
    p = credibly.read(credibly.io.bundled("breast-cancer"), positive="malignant")
    session, key = kept(p, tmp_path)
    made = calls.gate(session, id=key, models=["tree", "logistic"], measure="accuracy", margin=0.02)
    want = credibly.gate(p.where(model="tree"), p.where(model="logistic"), "accuracy", margin=0.02)
    assert (made.verdict, made.difference, made.names) == (
        want.verdict,
        want.difference,
        ("tree", "logistic"),
    )
    text = calls.gate(
        session, id=key, models=["tree", "logistic"], measure="accuracy", markdown=True
    )
    assert "tree" in text["markdown"]
    with pytest.raises(credibly.errors.UnknownNameError, match="no model"):
        calls.gate(session, id=key, models=["../etc", "tree"])


def test_an_evaluation_has_the_level_that_is_asked_for(tmp_path):
    p = grouped()
    session, key = kept(p, tmp_path, group="group")
    asked = {"measures": ["auc"], "confidence_level": 0.8}
    made = calls.evaluate(session, id=key, **asked)["auc"]
    assert made.interval == credibly.evaluate(p, **asked)["auc"].interval


def test_a_picture_is_that_of_the_library(tmp_path):
    p = credibly.Predictions.of([1.5, 2.5, 4.0], value=[1.0, 3.0, 3.5], model=["<b>&"] * 3)
    session = Session()
    key = session.keep_file(credibly.save(p, tmp_path / "p.parquet"), {}).id
    made = calls.plot(session, id=key, theme="dark")
    figure = credibly.plot(session.subject(key))
    assert (made["title"], made["alt"]) == (figure.title, figure.alt)
    numbered = [re.sub(r"clip\d+", "clip", svg) for svg in (made["svg"], figure.svg(theme="dark"))]
    assert numbered[0] == numbered[1]
    names = [each["name"] for each in calls.kinds_of_plots(session)["plots"]]
    assert "residuals" in names
    assert calls.plot(session, id=key, kind="residuals")["svg"].startswith("<svg")


def test_sentences_name_screens_as_the_rail_does():
    titles = [re.search(r'title: "(.*?)"', static(m))[1] for m in modules() if "screens/" in m]
    assert {*SCREEN_NAMES.values()} <= {*titles}


def test_no_sentence_of_the_page_speaks_of_python():
    """Between backticks stand commands; for what Python calls, the page names a screen or an option."""
    with surface(on_page):
        said = {kind.code: f"{kind.doc} {kind.action}" for kind in findings}
        said |= {check.name: str(check.remedy) for check in checks}
    assert len(said) > 100
    code = {name: re.findall("`(.*?)`", text) for name, text in said.items()}
    assert {
        n: all_ for n, all_ in code.items() if not all(c.startswith("credibly ") for c in all_)
    } == {}


def test_a_saved_report_speaks_of_options_and_not_of_screens(tmp_path):
    session, key = kept(grouped(), tmp_path, group="group")
    with surface(on_page):
        page = report_calls.report(session, id=key, format="html").body
        shown = said_here(report_calls.report(session, id=key).to_dict())
    assert "--cost" in page
    for name in ("Threshold and costs", "(Checks)", "on the command line", "the role "):
        assert name not in page, name
    assert "Threshold and costs" in json_text(shown)


def test_a_report_that_several_calls_ask_for_is_made_once(tmp_path):
    session, key = kept(grouped(), tmp_path)
    first = report_calls.report(session, id=key)
    assert report_calls.report(session, id=key) is first
    assert report_calls.report(session, id=key, note="another") is not first
    session.read_again(key, {"positive": 0})
    assert report_calls.report(session, id=key) is not first
    calls.forget(session, id=key)
    assert session.last_report == (None, None, None)
