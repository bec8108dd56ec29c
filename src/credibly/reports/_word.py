"""A document for word processors, by python-docx: headings, tables and pictures that can be edited."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from credibly._core.formulas import in_plain_text
from credibly._core.text import visible
from credibly.errors import ParameterError
from credibly.render.vega_lite import png
from credibly.reports.document import (
    Block,
    Code,
    Definition,
    Document,
    Findings,
    Grid,
    Paragraph,
    Picture,
)

PAGE_CM, MARGIN_CM, PICTURE_CM = 21.0, 2.0, 12.0  # centimetres, of A4
TABLE_POINTS = 8.5  # points, of the text of tables


def word(document: Document) -> bytes:
    """Render a document as the bytes of a .docx file."""
    try:
        from docx import Document as WordDocument
    except ImportError:
        raise ParameterError(
            "A Word file needs python-docx: pip install 'credibly[word]'."
        ) from None
    from docx.shared import Cm

    made = WordDocument()
    page = made.sections[0]
    page.page_width, page.page_height = Cm(PAGE_CM), Cm(29.7)
    page.left_margin = page.right_margin = Cm(MARGIN_CM)
    made.core_properties.title = visible(document.title)
    made.core_properties.author = "credibly"
    made.add_heading(visible(document.title), 0)
    made.add_paragraph(visible(document.headline))
    figures = [(f.label, f.value, f.detail) for f in document.key_figures]
    if figures:
        _table(made, ("", "", ""), figures)
    for section in document.sections:
        made.add_heading(section.title, 1)
        for block in section.blocks:
            _add(made, block)
    held = BytesIO()
    made.save(held)
    return held.getvalue()


def _add(made: Any, block: Block) -> None:  # noqa: ANN401
    if isinstance(block, Paragraph):
        made.add_paragraph(visible(block.text))
    elif isinstance(block, Findings):
        for f in block.findings:
            _labelled(made, f.severity, f"{f.message} {f.action}", "List Bullet")
    elif isinstance(block, Grid):
        made.add_paragraph(visible(block.caption), "Caption")
        _table(made, block.header, block.body)
    elif isinstance(block, Picture):
        _picture(made, block)
    elif isinstance(block, Code):
        made.add_paragraph(visible(block.text)).style = "No Spacing"
    elif isinstance(block, Definition):
        formula = f" {in_plain_text(block.formula)}" if block.formula else ""
        _labelled(made, block.term, f"{block.text}{formula} {block.reference}", "List Bullet")


def _labelled(made: Any, label: str, text: str, style: str) -> None:  # noqa: ANN401
    """Add a paragraph that begins in bold."""
    paragraph = made.add_paragraph(style=style)
    paragraph.add_run(f"{visible(label)} ").bold = True
    paragraph.add_run(visible(text.rstrip()))


def _table(made: Any, header: Sequence[str], body: Sequence[Sequence[str]]) -> None:  # noqa: ANN401
    from docx.shared import Pt

    rows = [header, *body] if any(header) else body
    table = made.add_table(rows=0, cols=len(header), style="Light Shading Accent 1")
    for row in rows:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = visible(text)
            for run in cell.paragraphs[0].runs:
                run.font.size = Pt(TABLE_POINTS)
    made.add_paragraph()


def _picture(made: Any, block: Picture) -> None:  # noqa: ANN401
    """Add a picture with its text alternative, no wider than the page has room."""
    from docx.shared import Cm

    drawn = made.add_picture(BytesIO(png(block.figure)))
    scale = min(1.0, Cm(PICTURE_CM) / drawn.width)
    drawn.width, drawn.height = int(drawn.width * scale), int(drawn.height * scale)
    described = visible(f"{block.figure.title}. {block.figure.alt}")
    drawn._inline.docPr.set("descr", described)  # noqa: SLF001
