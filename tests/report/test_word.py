"""Word files: the same content, pictures with their text, and an error that names the extra."""

import sys
from io import BytesIO

import pytest

import credibly
from credibly import ParameterError
from credibly._core.text import visible
from credibly.render.vega_lite import png
from credibly.reports.document import Definition, Findings, Grid
from every.showable import experiment
from report.context import KINDS, hostile, reported, several

docx = pytest.importorskip("docx", reason="python-docx is not installed")


@pytest.fixture
def plain_pictures(monkeypatch):
    """The same picture in each place, for what is about the words around them: to draw them takes long."""
    drawn = png(credibly.plot(several(["a"])))
    monkeypatch.setattr("credibly.reports._word.png", lambda _: drawn)


def texts(made):
    read = docx.Document(BytesIO(made.word()))
    cells = [cell.text for table in read.tables for row in table.rows for cell in row.cells]
    return read, "\n".join([p.text for p in read.paragraphs] + cells)


@pytest.mark.daily(kind=["numbers"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("plain_pictures")
def test_a_word_file_holds_every_block(kind):
    made = reported(kind)
    read, text = texts(made)
    document = made.document
    blocks = [b for s in document.sections for b in s.blocks]
    headings = [p.text for p in read.paragraphs if p.style.name == "Heading 1"]
    assert headings == [s.title for s in document.sections]
    assert len(read.tables) == 1 + sum(isinstance(b, Grid) for b in blocks)
    assert len(read.inline_shapes) == len(document.figures())
    for block in blocks:
        if isinstance(block, Definition):
            assert block.term in text
        if isinstance(block, Findings):
            assert all(visible(str(f.message)) in text for f in block.findings)
    assert "\\frac" not in text


@pytest.mark.thorough
def test_pictures_have_their_text_and_fit_the_page():
    read, _ = texts(credibly.report(several(["a", "b"])))
    for shape in read.inline_shapes:
        assert shape._inline.docPr.get("descr")
        assert shape.width <= docx.shared.Cm(17)


@pytest.mark.thorough
@pytest.mark.usefixtures("plain_pictures")
def test_names_and_control_characters_are_text():
    _, text = texts(credibly.report(hostile()))
    assert "<script>alert(1)</script>" in text
    assert "hidden\\x07bell" in texts(credibly.report(several(["hidden\x07bell", "b"])))[1]


@pytest.mark.thorough
@pytest.mark.usefixtures("plain_pictures")
def test_an_experiment_can_be_written(tmp_path):
    path = credibly.report(experiment()).save(tmp_path / "report.docx")
    assert path.read_bytes().startswith(b"PK")


def test_what_is_missing_is_named(monkeypatch):
    made = credibly.report(several(["a"]))
    monkeypatch.setitem(sys.modules, "docx", None)
    with pytest.raises(ParameterError, match=r"pip install 'credibly\[word\]'"):
        made.word()
