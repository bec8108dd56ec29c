"""A document in a notebook: its sections on request, tables and pictures as results have them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape

from credibly._core.formulas import to_mathml
from credibly._core.text import visible
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
from credibly.results.notebook import (
    REMARK_STYLE,
    findings_html,
    folded,
    page_html,
    paragraph,
    picture_html,
    shown,
    table_html,
)

WHOLE_PAGE = (
    'The whole page with linked pictures: .page() here, .save("report.html") to be given away.'
)
FRAME_TAG = (
    '<iframe sandbox="allow-scripts" referrerpolicy="no-referrer" loading="lazy" title="{title}" '
    'style="width:100%;height:{height}px;max-height:90vh;min-height:16rem;resize:vertical;border:1px solid #8b949e" '
    'srcdoc="{page}"></iframe>'
)


@dataclass(frozen=True, slots=True)
class EmbeddedPage:
    """A page in the output of a cell: isolated, so that neither it nor the notebook can disturb the other."""

    title: str
    page: str = field(repr=False)
    height: int

    def _repr_html_(self) -> str:
        title, page = escape(visible(self.title)), escape(self.page)
        return FRAME_TAG.format(title=title, height=self.height, page=page)


def notebook(document: Document) -> str:
    """Render a document: title and headline, then its sections, of which the first is open."""
    figures = [[f.label, f.value, f.detail] for f in document.key_figures]
    sections = [
        folded(s.title, "".join(part for b in s.blocks for part in _marked(b)), is_open=not i)
        for i, s in enumerate(document.sections)
    ]
    key = table_html(["", "", ""], figures) if figures else ""
    return page_html(
        document.headline, paragraph(document.title), key, *sections, paragraph(WHOLE_PAGE)
    )


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
        yield paragraph(f"{block.term}: {block.text}")
        yield f"<div>{to_mathml(block.formula, block=True)}</div>" if block.formula else ""
        yield paragraph(block.reference, REMARK_STYLE)
