"""A document in a notebook: its sections on request, tables and pictures as results have them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from credibly._core.formulas import in_plain_text
from credibly.reports.document import Code, Definition, Findings, Grid, Paragraph, Picture
from credibly.results.notebook import (
    findings_html,
    folded,
    page_html,
    paragraph,
    picture_html,
    shown,
    table_html,
)

if TYPE_CHECKING:
    from credibly.reports.document import Block, Document

WHOLE = 'The whole page, to be given away: .save("report.html").'


def notebook(document: Document) -> str:
    """Render a document: title and headline, then its sections, of which the first is open."""
    figures = [[f.label, f"{f.value} {f.detail}".rstrip()] for f in document.key_figures]
    sections = [
        folded(s.title, "".join(part for b in s.blocks for part in _marked(b)), is_open=not i)
        for i, s in enumerate(document.sections)
    ]
    key = table_html(["", ""], figures) if figures else ""
    return page_html(document.headline, paragraph(document.title), key, *sections, paragraph(WHOLE))


def _marked(block: Block) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield paragraph(block.text)
    elif isinstance(block, Findings):
        yield findings_html(block.findings)
    elif isinstance(block, Grid):
        yield paragraph(block.caption) + table_html(block.header, block.body)
    elif isinstance(block, Picture):
        yield picture_html(block.figure)
    elif isinstance(block, Code):
        yield f"<pre>{shown(block.text)}</pre>"
    elif isinstance(block, Definition):
        formula = in_plain_text(block.formula) if block.formula else ""
        yield paragraph(
            " ".join(filter(None, (f"{block.term}: {block.text}", formula, block.reference)))
        )
