"""Every kind of prediction in a table is recognised by its columns, reported, and shown by the page's server."""

import html
import json
import shlex
from pathlib import Path

import pytest

import credibly
from app.conftest import as_called
from credibly.app import calls, report_calls, uploads
from credibly.app.session import Session, reading_options
from credibly.app.spelling import reading, spelled
from credibly.case_scores import table_kinds
from credibly.case_scores.tables import recognised
from credibly.cli import main
from credibly.io import bundled
from credibly.io._declare import open_source
from credibly.results.formats import json_text
from each import Each
from every.kinds_of_tables import TABLES

every = Each("kind", table_kinds)


@pytest.fixture
def opened(kind, tmp_path):
    path = tmp_path / "cases.csv"
    TABLES[kind.name]().to_csv(path, index=False)
    session = Session()
    return session, session.keep_file(path, {})


@every
def test_it_is_recognised_and_no_other_is(kind):
    frame = TABLES[kind.name]()
    found, columns = recognised(open_source(frame))
    assert found is kind
    assert set(columns) <= {*kind.roles, "distribution"}
    others = [k.name for k in table_kinds if k is not kind and k.columns_in(open_source(frame))]
    assert others == []
    unnamed = frame.rename(columns={c: f"column {i}" for i, c in enumerate(frame)})
    assert recognised(open_source(unnamed)) is None


@pytest.mark.parametrize("name", ["campaign", "breast-cancer"])
def test_predictions_of_classes_are_no_other_kind(name):
    assert recognised(open_source(bundled(name))) is None


def test_a_row_for_each_case_and_label_is_recognised_too():
    wide = TABLES["label_sets"]()
    sets = credibly.read_label_sets(wide, ["drama", "comedy"], probability=["p_drama", "p_comedy"])
    long = sets.cells.frame().assign(case=[i // 2 for i in range(2 * len(wide))])
    kind, columns = recognised(open_source(long))
    assert kind.name == "label_sets"
    assert kind.function(long, **columns).table().estimates == sets.table().estimates


@every
def test_a_report_has_every_score_and_what_the_kind_offers(kind):
    frame = TABLES[kind.name]()
    evidence = kind.function(frame, **recognised(open_source(frame))[1])
    made = credibly.report(evidence)
    whole = {(e.title, e.keys.get("model")): e for e in evidence.table()}
    told = made.document.data["evaluation"]["estimates"]
    assert {(e["title"], e.get("model")): e["value"] for e in told} == {
        key: pytest.approx(e.value, nan_ok=True) for key, e in whole.items()
    }
    titles = [s.title for s in made.document.sections]
    assert ("In detail" in titles) == any(evidence.details())
    last = evidence.defined()[-1]
    assert (
        credibly.report(evidence, measure=last.call).document.data["evaluation"]["estimates"][0][
            "title"
        ]
        == last.full_title
    )


@every
def test_its_command_writes_the_report(kind, tmp_path, capsys):
    path, page = tmp_path / "cases.csv", tmp_path / "report.html"
    TABLES[kind.name]().to_csv(path, index=False)
    command = kind.name.replace("_", "-")
    assert main([command, str(path), "--report", str(page)]) == 0, capsys.readouterr().err
    assert "Wrote" in capsys.readouterr().out
    assert f"credibly {command}" in page.read_text(encoding="utf-8")


@every.apart
def test_the_scores_of_a_kind_go_through_every_verb(kind, tmp_path):
    """A kind is known to no verb: what goes through them is the score of each case, to files and engines too."""
    frame = TABLES[kind.name]()
    evidence = kind.function(frame, **recognised(open_source(frame))[1])
    for score in evidence.defined():
        p, whole = evidence.scored(score), evidence.table(score)
        mean = evidence.mean_of(p)
        found = credibly.evaluate(p, mean)
        assert [e.value for e in found] == pytest.approx([e.value for e in whole], nan_ok=True)
        path = tmp_path / "scores.parquet"
        credibly.save(p, path)
        again = credibly.read(path)
        told = credibly.evaluate(again, mean)
        assert [(e.title, e.value, e.interval) for e in told] == [(e.title, e.value, e.interval) for e in found]  # fmt: skip
    for each in (credibly.check(p), credibly.plot(whole)):
        assert str(each)
    if len(p.model_names) > 1:
        models = {str(m): p.where(model=m) for m in p.model_names}
        told = credibly.compare(models)
        values = [e.value for e in found]
        assert told.difference == pytest.approx(values[0] - values[1])
        assert credibly.gate(models, margin=0.1).difference == pytest.approx(told.difference)
    for column in p.columns:
        assert len(credibly.slices(p, by=column, rng=1).estimates) >= 2


@every.apart
def test_what_reads_predictions_leads_to_what_reads_the_kind(kind, tmp_path, capsys):
    frame, path = TABLES[kind.name](), tmp_path / "cases.csv"
    frame.to_csv(path, index=False)
    for source in (frame, path):
        with pytest.raises(credibly.CrediblyError, match=f"use credibly.read_{kind.name}"):
            credibly.read(source)
    assert main(["evaluate", str(path)]) == 1
    said = " ".join(capsys.readouterr().err.split())
    command = kind.name.replace("_", "-")
    assert f"use credibly {command}." in said
    roles = {r: c for r, c in recognised(open_source(frame))[1].items() if kind.name != "rankings"}
    given = [x for r, c in roles.items() for x in (f"--{r.replace('_', '-')}", _typed(c))]
    assert main([command, str(path), *given, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["estimates"]
    evidence = kind.function(frame, **recognised(open_source(frame))[1])
    assert [e["value"] for e in told] == [pytest.approx(e.value, nan_ok=True) for e in evidence.table()]  # fmt: skip


def _typed(columns):
    """Write columns as they are typed."""
    if isinstance(columns, dict):
        return ",".join(f"{k}={v}" for k, v in columns.items())
    return columns if isinstance(columns, str) else ",".join(columns)


@every.apart
def test_the_page_says_what_python_says(kind, opened):
    session, kept = opened
    told = kept.to_dict()
    assert (told["kind"], told["problem"]) == (kind.name, None)
    evidence = kept.opened.evidence
    assert json.loads(json_text(as_called(calls.evaluate(session, id=kept.id)))) == as_called(
        evidence.table()
    )
    score = told["scores"][-1]["call"]
    found = calls.evaluate(session, id=kept.id, score=score, measures=["mean_outcome"])
    assert found.estimates[0].value == pytest.approx(evidence.table(score).estimates[0].value)
    assert len(calls.details(session, id=kept.id)["details"]) == len(list(evidence.details()))
    document = report_calls.report(session, id=kept.id, score=score).document
    title = document.data["evaluation"]["estimates"][0]["title"]
    assert title.startswith(told["scores"][-1]["title"])


@pytest.mark.daily
@every.apart
@pytest.mark.parametrize("given", [{}, {"confidence_level": 0.9}, {"measures": ["mean_outcome"]}])
def test_the_command_and_the_python_that_are_shown_give_the_same(
    kind, opened, given, monkeypatch, tmp_path, capsys
):
    """Of the table of scores, and of a verb that takes a score of each case, which another command writes."""
    session, kept = opened
    monkeypatch.chdir(tmp_path)
    known = {"credibly": credibly}
    exec(reading(kept), known)
    shell, python = spelled(kept, "evaluate", {"score": None, **given})
    want = calls.evaluate(session, id=kept.id, **given)
    assert [e.value for e in eval(python, known).estimates] == [e.value for e in want.estimates]
    for line in shell.split("\n"):
        program, *words = shlex.split(line)
        assert program == "credibly"
        capsys.readouterr()
        assert main([*words, "--json"]) == 0
    typed = json.loads(capsys.readouterr().out)["estimates"]
    told = as_called(want)["estimates"]
    assert [(e["value"], e["interval"]) for e in typed] == [
        (e["value"], e["interval"]) for e in told
    ]


@every.apart
def test_the_command_of_a_report_and_of_what_else_there_is_to_see(
    kind, opened, monkeypatch, tmp_path, capsys
):
    session, kept = opened
    monkeypatch.chdir(tmp_path)
    given = {"confidence_level": 0.9, "title": "Mine, all", "leave_out": ["What to doubt"]}
    shell, python = spelled(kept, "report", given)
    assert main(shlex.split(shell)[1:]) == 0
    known = {"credibly": credibly}
    exec(reading(kept), known)
    made = eval(python, known).document
    assert "<h2>What to doubt" not in Path("report.html").read_text(encoding="utf-8")
    for said in (made.headline, "Mine, all"):
        assert said in html.unescape(Path("report.html").read_text(encoding="utf-8"))
    shell, python = spelled(kept, "details", {"confidence_level": 0.9, "theme": "dark"})
    capsys.readouterr()
    assert main([*shlex.split(shell)[1:], "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(eval(python, known).to_json())
    shown = calls.details(session, id=kept.id, confidence_level=0.9)["details"]
    told = [b for part in eval(python, known).parts for _, _, b in part.blocks()]
    assert [t["body"] for each in shown for t in each["tables"]] == told


@every.apart
def test_roles_are_told_again_and_what_is_missing_is_said(kind, opened, monkeypatch):
    """In this process: that files are read in another is tried where pages are."""
    monkeypatch.setattr(
        uploads, "work_apart", lambda work, path, _, options, *rest: work(path, options)
    )
    session, kept = opened
    again = session.read_again(
        kept.id,
        reading_options(
            kept.opened.roles
            | {r: c[0] for r, c in kept.opened.roles.items() if not kind.roles[r]},
            kind=kind.name,
        ),
    )
    assert again.problem == ""
    assert again.predictions.fingerprint == kept.predictions.fingerprint
    role = next(iter(kept.opened.roles))
    lacking = session.read_again(
        kept.id, reading_options({role: kept.opened.roles[role]}, kind=kind.name)
    )
    assert lacking.problem
    plain = session.read_again(kept.id, reading_options({}, kind="predictions"))
    assert plain.opened.kind == ""


def test_a_headline_has_the_article_that_a_name_needs():
    sets = TABLES["survival"]()
    said = credibly.report(credibly.read_survival(sets, risk=["cox_risk"])).document.headline
    assert said.startswith("The model reaches Harrell's concordance of")
    labels = credibly.read_label_sets(TABLES["label_sets"](), ["drama", "comedy"], probability=["p_drama", "p_comedy"])  # fmt: skip
    assert (
        "reaches a one-error of" in credibly.report(labels, measure="one_error").document.headline
    )


@every
def test_it_is_recognised_where_no_column_is_named(kind, tmp_path):
    path, frame = tmp_path / "table.csv", TABLES[kind.name]()
    frame.to_csv(path, index=False)
    assert kind.function(frame).heading == kind.function(path).heading
    assert main([kind.name.replace("_", "-"), str(path)]) == 0
    with pytest.raises(credibly.CrediblyError, match=r"does not hold|[Nn]o column|which columns"):
        kind.function(frame.iloc[:, :1])


@every
@pytest.mark.parametrize("suffix", [None, "csv", "parquet", "jsonl"])
def test_a_score_has_one_interval_at_every_door(kind, suffix, tmp_path):
    frame = TABLES[kind.name]()
    evidence = kind.function(frame, **recognised(open_source(frame))[1])
    for score in evidence.defined():
        scored = evidence.scored(score)
        if suffix:
            file = tmp_path / f"{score.name}.{suffix}"
            credibly.save(scored, file)
            scored = credibly.read(file)
        want = evidence.table(score)
        found = credibly.evaluate(scored, evidence.mean_of(scored))
        assert [e.value for e in found] == pytest.approx([e.value for e in want])
        for mine, other in zip(found, want, strict=True):
            assert (mine.interval is None) == (other.interval is None), score
            assert mine.interval is None or tuple(mine.interval) == pytest.approx(
                tuple(other.interval)
            ), score
