"""What every page has: contents that lead somewhere, figures first, mathematics, and nothing from elsewhere."""

import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import pytest

import credibly
from credibly.errors import says
from credibly.reports.document import Definition, Document, Findings, Grid, Picture, Section
from credibly.reports.key_figures import verdict
from credibly.reports.sections import OPERATES
from credibly.results.formats import json_text
from each import Each
from every.showable import experiment
from report.context import KINDS, LATER, reported, several

PAGES = {**KINDS, "an experiment": experiment}
LONG_NUMBER = re.compile(r"\d\.\d{7,}|\d{4,}\.\d{3,}|0\.0{6,}(?!\d)")
pages = Each("kind", PAGES, str, later=lambda kind: kind in LATER)


class Elements(HTMLParser):
    """Ids, links and whatever would be fetched."""

    def __init__(self):
        super().__init__()
        self.ids, self.links, self.fetched, self.policies = [], [], [], []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if tag == "a" else []
        self.fetched += [given[k] for k in ("src", "srcset", "data") if k in given]
        self.fetched += [given["href"]] if tag == "link" else []
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policies.append(given["content"])


@cache
def made(kind):
    return reported(kind) if kind in KINDS else credibly.report(PAGES[kind](), title=kind)


@cache
def read(kind):
    page = re.sub(r"<(script|style)>.*?</\1>", "", made(kind).html(), flags=re.DOTALL)
    elements = Elements()
    elements.feed(page)
    return elements, page


@pages
def test_contents_lead_to_every_section(kind):
    elements, _ = read(kind)
    anchors = [f"#{s.anchor}" for s in made(kind).document.sections]
    assert elements.links[: len(anchors)] == anchors
    assert len(set(elements.ids)) == len(elements.ids)
    assert {link.removeprefix("#") for link in elements.links} <= set(elements.ids)


@pages
def test_nothing_is_fetched_and_only_the_page_s_own_scripts_run(kind):
    elements, page = read(kind)
    assert elements.fetched == []
    (policy,) = elements.policies
    assert policy.startswith("default-src 'none'")
    assert "url(" not in page
    assert "@import" not in made(kind).html().split("</style>")[0]


@pages
def test_formulas_are_mathematics(kind):
    _, page = read(kind)
    defined = [
        b for s in made(kind).document.sections for b in s.blocks if isinstance(b, Definition)
    ]
    assert page.count("<math ") == sum(bool(b.formula) for b in defined)
    shown = page.partition('<script type="application/json"')[0]
    for text in (shown, made(kind).markdown()):
        assert not re.search(r"\\(frac|sum|mathrm|sqrt|bar|text)\b", text)


@pages
def test_no_number_has_more_digits_than_it_supports(kind):
    document = made(kind).document
    grids = [b for s in document.sections for b in s.blocks if isinstance(b, Grid)]
    cells = [c for g in grids for row in g.body for c in row]
    figures = [text for f in document.key_figures for text in (f.value, f.detail)]
    for text in (document.headline, *cells, *figures):
        assert not LONG_NUMBER.search(text), text


@pytest.mark.daily(kind=[k for k in KINDS if k not in LATER])
@pytest.mark.parametrize("kind", KINDS)
def test_key_figures_say_how_well_on_how_much_and_what_to_doubt(kind):
    document = made(kind).document
    labels = [f.label for f in document.key_figures]
    assert labels[-3:] == ["Verdict", "Cases", "What to doubt"]
    assert document.key_figures[-1].anchor == document.sections[0].anchor
    assert all(f.value for f in document.key_figures)
    assert document.data["key_figures"][0]["value"] == document.key_figures[0].value


def test_the_verdict_follows_from_the_advantage_over_a_trivial_rule():
    p = credibly.Predictions.of([1] * 30 + [0] * 30, label=[1] * 28 + [0] * 30 + [1] * 2)
    for name in ("accuracy", "error_rate"):
        assert verdict(credibly.evaluate(p, name)[name].advantage).tone == "good"
    e = credibly.evaluate(p, "accuracy")["accuracy"]
    tested = replace(e.advantage, pvalue=0.001)
    cases = {
        "good": tested,
        "bad": replace(tested, difference=-tested.difference),
        "doubtful": replace(tested, pvalue=0.5),
    }
    for tone, advantage in cases.items():
        assert verdict(advantage).tone == tone
    assert verdict(replace(tested, interval=None)).tone == "doubtful"
    assert verdict(None).said == "Nothing to compare with"


# --- costs lead


def test_costs_lead_where_they_are_given():
    made = credibly.report(several(["a", "b"]), costs={"fn": 5, "fp": 1})
    assert [s.title for s in made.document.sections][:2] == ["What to doubt", "What it costs"]
    decided = credibly.decide(several(["a", "b"]), {"fn": 5, "fp": 1})
    costs = {e.keys["model"]: e for e in decided.table.where(measure="average_cost")}
    best = min(costs, key=lambda name: costs[name].value)
    first, trivial = made.document.key_figures[:2]
    assert first.label == f"Average cost, {best}"
    assert f"{costs[best].value:.3f}" == f"{float(first.value):.3f}"
    assert trivial.detail in costs[best].baselines
    assert made.document.headline.startswith(f"{best}, the best of 2 models, costs ")
    assert made.document.data["comparison"]["measure"] == "average_cost"


def test_each_table_says_from_where_on_labels_are_positive():
    p = several(["a", "b"])
    made = credibly.report(p, costs={"fn": 5, "fp": 1})
    blocks = [b for s in made.document.sections for b in s.blocks]
    captions = [b.caption for b in blocks if isinstance(b, Grid)]
    (said,) = (c for c in captions if c.startswith("Estimates with 95 % intervals"))
    assert said.endswith("; labels as predicted, positive from 0.5, not by the costs")
    tables = [b.figure for b in blocks if isinstance(b, Picture) and "onfusion" in b.figure.title]
    decided = {d.model: d for d in credibly.decide(p, {"fn": 5, "fp": 1}).decisions}
    for figure in tables:
        d = decided[figure.title.rpartition(": ")[2]]
        assert figure.subtitle == f"labels by the costs: positive from {d.threshold:.4g}"
        assert figure.layers[0].columns["value"] == d.counts.matrix.ravel().tolist()
    assert len(tables) == 2
    plain = credibly.report(p).document
    assert not any("by the costs" in str(b) for s in plain.sections for b in s.blocks)


def test_the_verdict_on_costs_is_that_of_the_saving():
    p = several(["a"])
    found = credibly.decide(p, {"fn": 5, "fp": 1}).table["saving"]
    figure = credibly.report(p, costs={"fn": 5, "fp": 1}).document.key_figures[2]
    assert figure.detail.startswith("The interval of the saving ")
    assert (figure.tone == "good") == (found.interval.low > 0)


def test_python_is_fenced_as_python_and_no_caption_is_doubled():
    text = credibly.report(several(["a"])).markdown()
    assert "```python\ncredibly.report(" in text
    assert "*ROC curve*: true positive rate against false positive rate" in text


def test_the_difference_is_that_of_the_decisions():
    p = several(["a", "b"])
    made = credibly.report(p, costs={"fn": 5, "fp": 1})
    found = made.document.data["comparison"]
    decided = credibly.decide(p, {"fn": 5, "fp": 1})
    costs = {e.keys["model"]: e.value for e in decided.table.where(measure="average_cost")}
    first, second = found["names"]
    assert found["difference"] == pytest.approx(costs[first] - costs[second])


def test_a_measure_that_is_asked_for_leads_nevertheless():
    made = credibly.report(several(["a", "b"]), costs={"fn": 5, "fp": 1}, measure="auc")
    assert made.document.key_figures[0].label.startswith("Area under the ROC curve")
    assert made.document.data["comparison"]["measure"] == "auc"


def test_costs_of_folds_are_those_of_the_tables():
    kind = KINDS["folds"]()
    made = credibly.report(kind, costs={"fn": 5, "fp": 1})
    table = next(s for s in made.document.sections if s.title == "What it costs").blocks[0]
    assert "mean over folds" in table.caption
    cost = next(row for row in table.body if row[0] == "Average cost")
    assert cost[1].startswith(made.document.key_figures[0].value)


def test_what_findings_say_of_labels_disturbs_nothing_beside_it():
    said = credibly.Finding(
        "x", "note", says("{name} is it.", name="a\u202eb"), says("Do <by='model'>.")
    )
    page = credibly.reports.Report(
        Document("title", "headline", (Section("Doubts", (Findings((said,)),)),))
    ).html()
    assert "a\\u202eb is it.</p>" in page
    assert "Do by=&#39;model&#39;." in page


def test_a_section_that_is_left_out_is_not_made_and_takes_no_number_along(monkeypatch):
    p = credibly.Predictions.of([1, 0] * 30, probability=[0.9, 0.2, 0.4, 0.1] * 15)
    whole = credibly.report(p, command="made").document
    monkeypatch.setattr("credibly.reports.sections._calibrated", None)
    made = credibly.report(p, command="made", leave_out=[OPERATES]).document
    assert json_text(made.data) == json_text(whole.data)
    assert [s.title for s in made.sections] == [s.title for s in whole.sections if s.title != OPERATES]  # fmt: skip


def test_sections_come_in_the_order_that_is_asked_for():
    p = credibly.Predictions.of([1, 0] * 30, label=[1, 0, 0, 0] * 15)
    usual = [s.title for s in credibly.report(p).document.sections]
    made = credibly.report(
        p, note="Mine.", order=[usual[2], usual[0]], leave_out=[usual[1]]
    ).document
    assert [s.title for s in made.sections[1:]] == [usual[2], usual[0], *usual[3:]]
    with pytest.raises(credibly.errors.UnknownNameError, match="There is no section 'x'"):
        credibly.report(p, order=["x"])
