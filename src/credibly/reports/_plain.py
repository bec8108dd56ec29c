"""Documents as Markdown and as LaTeX tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from credibly._core.formulas import in_plain_text
from credibly._core.text import escaped, visible
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

MARKDOWN_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|$~])")
TEX_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def markdown(document: Document) -> str:
    """Render a document; labels are escaped."""
    lines = [f"# {escaped_text(document.title)}", "", escaped_text(document.headline), ""]
    if document.key_figures:
        band = [(f.label, f.value, f.detail) for f in document.key_figures]
        lines += [*_table(("", "", ""), band), ""]
    for section in document.sections:
        lines += [f"## {section.title}", ""]
        for block in section.blocks:
            lines += [*_marked(block), ""]
    return "\n".join(lines)


def escaped_text(text: str) -> str:
    """Write text so that Markdown shows it as it is."""
    said = str(text)  # in the words of this surface
    return MARKDOWN_SPECIAL.sub(r"\\\1", visible(" ".join(said.split())))


def _table(header: Sequence[str], body: Iterable[Sequence[str]]) -> Iterator[str]:
    for row in (header, ("---",) * len(header), *body):
        yield "| " + " | ".join(c if c == "---" else escaped_text(c) for c in row) + " |"


def _marked(block: Block) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield from (escaped_text(line) for line in block.text.splitlines())
    elif isinstance(block, Findings):
        yield from (
            f"- **{f.severity}** ({f.code}): {escaped_text(f.message)} {escaped_text(f.action)}".rstrip()
            for f in block.findings
        )
    elif isinstance(block, Grid):
        yield f"*{escaped_text(block.caption)}*"
        yield ""
        yield from _table(block.header, block.body)
    elif isinstance(block, Picture):
        title, alt = block.figure.title, block.figure.alt
        text = alt.removeprefix(title).lstrip(":., ")  # the title stands before it
        yield f"*{escaped_text(title)}*: {escaped_text(text)}"
    elif isinstance(block, Code):
        yield f"```{block.language}\n{block.text}\n```"
    elif isinstance(block, Definition):
        formula = f" `{in_plain_text(block.formula)}`" if block.formula else ""
        yield f"- **{escaped_text(block.term)}**: {escaped_text(block.text)}{formula} {escaped_text(block.reference)}".rstrip()


def latex(document: Document) -> str:
    """Render the tables of a document, for `booktabs`."""
    tables = [b for s in document.sections for b in s.blocks if isinstance(b, Grid)]
    return "\n\n".join(_tabular(t) for t in tables)


def _tabular(grid: Grid) -> str:
    columns = "l" * len(grid.header)
    rows = "\n".join(" & ".join(map(_tex, row)) + r" \\" for row in grid.body)
    head = " & ".join(map(_tex, grid.header))
    return (
        "\\begin{table}\n\\caption{" + _tex(grid.caption) + "}\n"
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head} \\\\\n\\midrule\n{rows}\n"
        "\\bottomrule\n\\end{tabular}\n\\end{table}"
    )


def _tex(text: str) -> str:
    return "".join(TEX_ESCAPES.get(c, c) for c in escaped(text))
