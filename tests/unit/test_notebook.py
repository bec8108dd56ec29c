"""What stands in a notebook besides results: predictions, reports, experiments, progress."""

import sys
from html.parser import HTMLParser
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import credibly
from credibly import Predictions
from credibly._core import progress
from every.showable import HOSTILE


def words(html):
    return "".join(ET.fromstring(html).itertext())


@pytest.fixture
def notebook(monkeypatch):
    """Stand in for IPython in a kernel: what was shown first, then each time it was written again."""
    written = []

    def update(shown, raw):
        written.append(("again", shown["text/html"], shown["text/plain"]))

    def display(shown, raw, display_id):
        written.append(("first", shown["text/html"], shown["text/plain"]))
        return SimpleNamespace(update=update)

    shell = SimpleNamespace(kernel=object())
    module = SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", module)
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=display))
    written_shell = SimpleNamespace(written=written, shell=shell, module=module)
    monkeypatch.setattr(progress, "REFRESH_SECONDS", 0)
    return written_shell


def test_predictions_show_first_rows_roles_classes_and_fingerprint():
    y = list(HOSTILE[:2]) * 10
    p = Predictions.of(y, label=y, fold=np.arange(20) % 2, positive=HOSTILE[0])
    html = p._repr_html_()
    told = words(html)
    assert told.startswith("20 cases in 2 folds, 2 classes: ")
    assert "The first 5 of 20 rows. Predicted: label. Design: fold. Fingerprint" in told
    assert p.fingerprint in told
    assert html.count("<tr>") == 1 + 5
    assert "<script" not in html
    assert "The first" not in p[:4]._repr_html_()


def test_an_error_shows_the_lines_that_asked_and_none_of_its_own():
    p = Predictions.of([1, 0], label=[1, 0])
    with pytest.raises(credibly.errors.UnknownNameError) as caught:
        credibly.evaluate(p, "acuracy")
    *lines, blank, said = caught.value._render_traceback_()
    assert [line.partition(": ")[2] for line in lines] == ['credibly.evaluate(p, "acuracy")']
    assert blank == ""
    assert said.startswith(
        "UnknownNameError: There is no measure 'acuracy'. Did you mean accuracy?"
    )


def test_a_name_that_is_not_there_shows_none_of_its_own_lines_either():
    p = Predictions.of([1, 0], label=[1, 0])
    for asked in (lambda: credibly.roc_curve(p), lambda: credibly.evaluate(p).to_csv("a.csv")):
        with pytest.raises(AttributeError) as caught:
            asked()
        told = caught.value._render_traceback_()
        assert told[-1] == f"AttributeError: {caught.value}"
        assert not any("raise" in line for line in told)


def test_a_report_shows_its_sections_without_scripts():
    p = Predictions.of(list(HOSTILE[:2]) * 20, label=list(HOSTILE[:2]) * 20, positive=HOSTILE[0])
    made = credibly.report(p)
    root = ET.fromstring(made._repr_html_())
    assert "".join(root.find("p/strong").itertext()).startswith("The model labels")
    titles = ["".join(s.itertext()) for s in root.iter("summary")]
    assert [t for t in titles if t in {s.title for s in made.document.sections}] == [
        s.title for s in made.document.sections
    ]
    assert root.find(".//img") is not None


def test_the_page_of_a_report_is_isolated():
    made = credibly.report(Predictions.of(["<b>", "'\""] * 20, label=["<b>", "'\""] * 20))
    frame = {}
    reader = HTMLParser()
    reader.handle_starttag = lambda tag, attrs: frame.update({"tag": tag}, **dict(attrs))
    reader.feed(made.page(height=500)._repr_html_())
    assert (frame["tag"], frame["sandbox"]) == ("iframe", "allow-scripts")  # and no common origin
    assert frame["srcdoc"] == made.html()
    assert "height:500px" in frame["style"]


def test_formulas_of_a_report_are_mathematics():
    made = credibly.report(Predictions.of([1, 0] * 20, label=[1, 0] * 20))
    shown = made._repr_html_()
    assert "<math " in shown
    assert "\\frac" not in shown


def test_an_experiment_says_what_it_will_do_and_how_far_it_is(tmp_path, notebook):
    planned = credibly.Experiment(["zero-r", "one-r"], ["iris"], resampling="2", rng=1)
    assert repr(planned) == "Experiment(2 schemes on 1 dataset, folds(k=2), rng=1)"
    assert "zero-r, one-r" in words(planned._repr_html_())
    assert "cells are done" not in words(planned._repr_html_())
    store = planned.run(tmp_path / "kept", n_jobs=1)
    assert "4 of 4 cells are done." in words(planned._repr_html_())
    assert "4 of 4 cells are done." in words(store._repr_html_())
    assert [kind for kind, *_ in notebook.written] == ["first"] + ["again"] * 5
    first, last = notebook.written[0], notebook.written[-1]
    assert first[2].startswith("0 of 4 cells are done")
    assert last[2] == "4 of 4 cells are done"
    assert words(last[1]).count("2 of 2") == 4  # of either scheme, in its bar and beside it


def test_long_work_is_shown_in_place_and_goes_away(monkeypatch, notebook):
    monkeypatch.setattr(progress, "DELAY_SECONDS", -1)
    assert list(progress.track("abc", 3, "fits")) == ["a", "b", "c"]
    kinds, _, texts = zip(*notebook.written, strict=True)
    assert kinds == ("first", "again", "again", "again")
    assert texts == ("fits 0 of 3", "fits 1 of 3", "fits 2 of 3", "")


def test_short_work_and_python_in_a_terminal_show_nothing_there(monkeypatch, notebook):
    assert list(progress.track("abc", 3, "fits")) == ["a", "b", "c"]
    notebook.module.get_ipython = lambda: SimpleNamespace()  # of a terminal
    monkeypatch.setattr(progress, "DELAY_SECONDS", -1)
    assert list(progress.track("abc", 3, "fits")) == ["a", "b", "c"]
    assert notebook.written == []
