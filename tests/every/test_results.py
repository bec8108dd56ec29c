"""What must hold of every class of results: one contract, whatever it is about."""

import json
import re
import sys
from dataclasses import fields
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

import credibly
from credibly import CrediblyError
from credibly._core.text import ISOLATE, RESUME, visible, width_of
from credibly.plots import Figure, plots
from credibly.results import Result
from credibly.results.estimates import Estimates, Tabled
from credibly.results.formats import SCHEMA_VERSION, json_ready
from credibly.results.notebook import MAX_ROWS
from credibly.results.result import MAX_TABLE_LINES, SPARE_LINES
from each import Each
from every.showable import samples

for module in walk_packages(credibly.__path__, "credibly."):
    if not module.name.endswith("__main__"):
        import_module(module.name)


def _below(kind):
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


# A plug-in's class with slots is made twice; the first of the two is nobody's. Tables and collections are for others.
EVERY = sorted(
    {
        c
        for c in _below(Result)
        if getattr(import_module(c.__module__), c.__name__, None) is c
        and not getattr(c, "__parameters__", ())
        and c not in {Estimates, Tabled}
    },
    key=lambda c: (c.__module__, c.__name__),
)
every_kind = Each("kind", EVERY, lambda c: c.__name__)
# All but the report, a document whose sections are shown.
derived = Each(
    "kind", [c for c in EVERY if c._repr_html_ is Result._repr_html_], lambda c: c.__name__
)


def some(kind):
    """Return a few samples of a class itself."""
    mine = [s for s in samples()[kind] if type(s) is kind]
    return mine[:4]


class Shown(NamedTuple):
    """How a result shows itself: as text, to programmers, in a notebook."""

    text: str
    representation: str
    page: str


@cache
def shown(kind):
    """Return how each of a few samples shows itself, which takes longer than to look at it."""
    return [Shown(str(s), repr(s), s._repr_html_()) for s in some(kind)]


@every_kind
def test_is_frozen_and_has_samples(kind):
    assert kind.__dataclass_params__.frozen
    assert some(kind)


@every_kind
def test_prints_itself(kind):
    for text, representation, _ in shown(kind):
        assert text.strip()
        assert text == visible(text)
        assert representation


@pytest.mark.daily(columns=[60])
@pytest.mark.parametrize("columns", [60, 120])
@every_kind
def test_prints_itself_within_a_terminal(kind, columns, monkeypatch):
    """Also the sentence that leads, which a pipe gets in one line."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", str(columns))
    for sample in some(kind):
        text = str(sample)
        if not sample.is_line() and "nnnnnnnn" not in text:  # a name of 300 letters
            assert [line for line in text.split("\n") if width_of(line) > columns] == []


@derived
def test_its_text_is_one_screen_and_all_of_it_on_request(kind):
    for sample, printed in zip(some(kind), shown(kind), strict=True):
        if type(sample).__str__ is not Result.__str__:
            continue
        blocks, hidden = sample.screen()
        every = sum(len(body) for _, _, body in sample.blocks())
        assert (
            sample.shows_all
            or sum(len(body) for _, _, body in blocks) <= MAX_TABLE_LINES + SPARE_LINES
        )
        assert bool(hidden) == (sum(len(body) for _, _, body in blocks) < every)
        assert all(visible(h) in visible(printed.text) for h in hidden)
        whole = sample.all
        assert whole.screen().hidden == whole.left_out() == []
        assert sum(len(body) for _, _, body in whole.screen().blocks) >= every


@every_kind
def test_its_json_holds_nothing_that_all_of_its_class_share(kind):
    if not kind.json_keys and kind.to_dict is Result.to_dict:
        own = {f.name for f in fields(kind)} | {"schema_version"}
        assert not [s for s in some(kind) if s.to_dict().keys() - own]


@every_kind
def test_writes_itself_as_json(kind):
    for sample in some(kind):
        made = sample.to_dict()
        assert all(isinstance(k, str) for k in made)
        read = json.loads(sample.to_json())
        assert read["schema_version"] == SCHEMA_VERSION
        if kind.to_json is Result.to_json:
            told = json.loads(json.dumps(json_ready(made)))
            assert read == {"schema_version": SCHEMA_VERSION, **told}
        assert len(sample.to_json(indent=None).splitlines()) == 1


@every_kind
def test_has_flat_rows_and_frames_of_them(kind):
    for sample in some(kind):
        rows = sample.rows()
        assert all(isinstance(v, str | int | float | None) for row in rows for v in row.values())
        frame = sample.frame()
        assert len(frame) == len(rows)
        assert (
            list(frame.columns) == list(dict.fromkeys(k for row in rows for k in row)) or not rows
        )
        if rows:
            assert sample.frame("pyarrow").num_rows == len(rows)


@every_kind
def test_has_a_table_of_text(kind):
    for sample in some(kind):
        header, body = sample.cells()
        assert all(isinstance(cell, str) for row in (header, *body) for cell in row)
        assert {len(row) for row in body} <= {len(header)}


MARKUP = {
    *("div", "p", "strong", "details", "summary", "table", "thead", "tbody", "tr", "th", "td"),
    *("ul", "li", "img", "bdi", "br", "pre", "span"),
}
MATHEMATICS = "{http://www.w3.org/1998/Math/MathML}"  # formulas of declarations
NAMES = "|".join(["Finding", *(c.__name__ for c in EVERY)])
OF_PROGRAMS = re.compile(rf"array\(|dtype=| object at 0x|<class |\b({NAMES})\(")


def in_words(element):
    """Return the text of an element without what isolates words in it."""
    return "".join(element.itertext())


def plainly(text):
    """Return a text as a notebook shows it."""
    return visible(str(text)).replace(ISOLATE, "").replace(RESUME, "").replace("\n", "")


@every_kind
def test_shows_itself_in_a_notebook(kind):
    for _, _, written in shown(kind):
        page = ET.fromstring(written)  # every tag is closed
        tags = {e.tag for e in page.iter() if not e.tag.startswith(MATHEMATICS)}
        assert tags <= MARKUP, "a label has become markup"
        for e in page.iter():
            assert e.get("src", "data:").startswith("data:"), "nothing comes from elsewhere"
            assert not any(name.startswith("on") or name == "href" for name in e.attrib)
        assert "white" not in written.replace("white-space", "")
        assert len(written) < 400_000


@derived
def test_a_notebook_says_first_what_it_means(kind):
    for sample, written in zip(some(kind), shown(kind), strict=True):
        page = ET.fromstring(written.page)
        said = [plainly(t) for t in (sample.meaning(), sample.heading_text()) if t]
        lead = in_words(page.find("p/strong"))
        assert lead
        assert not said or lead == said[0]
        about = sample.about_intervals()
        if about:
            told = in_words(page)
            assert told.count(plainly(about)) == 1
            assert told.index(plainly(about)) < (told.find("note:") % 10**9)


@derived
def test_a_notebook_shows_whole_cells(kind):
    for sample, written in zip(some(kind), shown(kind), strict=True):
        page = ET.fromstring(written.page)
        tables = [] if sample.is_line() else [body for _, _, body in sample.blocks()]
        expected = [[plainly(c) for c in row] for body in tables for row in body[:MAX_ROWS]]
        rows = [[in_words(td) for td in tr.findall("td")] for tr in page.iter("tr")]
        assert [row for row in rows if row] == expected


@every_kind
def test_no_text_is_for_programs(kind):
    for forms in shown(kind):
        for text in forms:
            assert not OF_PROGRAMS.search(text), text


@every_kind
def test_tells_the_findings_of_its_parts(kind):
    for sample in some(kind):
        own = [f for f in fields(sample) if f.name == "findings"]
        found = sample.all_findings()
        assert len(set(found)) == len(found)
        assert not own or set(sample.findings) <= set(found)
        for path in sample.finding_parts.split():
            part = getattr(sample, path)
            for each in part if isinstance(part, tuple) else (part,):
                if each is None:  # a pair that could not be judged
                    continue
                assert set(each.all_findings()) <= set(found)


@every_kind
def test_is_plotted_where_a_plot_is_declared(kind):
    declared = any(issubclass(kind, of) for entry in plots for of in entry.types)
    made = []
    for sample in some(kind):
        try:
            made.append(sample.plot())
        except CrediblyError as error:
            made.append(str(error))
    if declared:
        assert any(isinstance(figure, Figure) for figure in made)
    else:
        assert all("There is no plot of" in said for said in made)
