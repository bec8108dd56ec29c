"""A document as one page: no network, no server, nothing beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from credibly._core.formulas import to_mathml
from credibly.render.vega_lite import themes
from credibly.render.web_page import hash_of, own_text, packed_vega, page_of, unpacking, vega_bundle
from credibly.reports.document import Picture

if TYPE_CHECKING:
    from markupsafe import Markup

    from credibly.reports.document import Block, Document

SIGNIFICANT_DIGITS = 5
INTERVAL = re.compile(r"(\S+) ([\[(]\S+, \S+[\])])")
MAX_CELL_LETTERS = 40  # longer cells wrap


class _Run(NamedTuple):
    """Blocks of one kind that follow each other."""

    kind: str
    blocks: list[Any]
    title: str = ""  # of pictures of the same kind, one for each model
    subtitle: str = ""  # that all of them share


def page(document: Document) -> str:
    """Render a document; every text is escaped, and only the page's own scripts may run."""
    figures = document.figures()
    places = {id(f): i for i, f in enumerate(figures)}
    data = {"specs": [_thin(f.spec()) for f in figures], "configs": themes()}
    library, packed, script = "", "", ""
    if figures:
        library, packed = vega_bundle(), packed_vega()
        script = unpacking() + own_text("reports", "report.js")
    style = own_text("render", "tokens.css") + own_text("reports", "report.css")
    ours = {"library": packed, "script": script, "style": style}
    return page_of(
        own_text("reports", "report.html"),
        data,
        ours | {"hashes": f"{hash_of(library)} {hash_of(script)}"},
        document=document,
        runs=_runs,
        number=lambda block: places[id(block.figure)],
        models=_pictured(document),
        short=MAX_CELL_LETTERS,
        mathematics=_mathematics,
        parted=_parted,
    )


def _parted(cell: str) -> tuple[str, str]:
    """Part the interval from the value before it.

    >>> _parted("0.91 [0.89, 0.93]"), _parted("a [b]")
    (('0.91', '[0.89, 0.93]'), ('a [b]', ''))
    """
    match = INTERVAL.fullmatch(cell)
    return (match[1], match[2]) if match else (cell, "")


def _mathematics(formula: str) -> Markup:
    """Write a formula of a declaration for the page; it is ours, as no label is."""
    from markupsafe import Markup

    return Markup(to_mathml(formula, block=True))  # noqa: S704


def _pictured(document: Document) -> list[str]:
    """Return the models that some picture shows."""
    pictures = [b for s in document.sections for b in s.blocks if isinstance(b, Picture)]
    shown = {name for b in pictures for name in (b.model, *b.figure.series())}
    return [name for name in document.models if name in shown]


def _runs(blocks: Sequence[Block]) -> Iterator[_Run]:
    """Yield blocks of one kind together; pictures of one kind, one for each model, are a run of their own."""
    for (kind, title), run in groupby(blocks, lambda b: (type(b).__name__, _kind_of_picture(b))):
        found: list[Any] = list(run)
        said = {b.figure.subtitle for b in found} if title else set()
        yield _Run(kind, found, title, said.pop() if len(said) == 1 else "")


def _kind_of_picture(block: Block) -> str:
    """Return the title that the pictures of several models share."""
    if not isinstance(block, Picture) or not block.model:
        return ""
    return block.figure.title.removesuffix(f": {block.model}")


def _thin(spec: dict[str, Any]) -> dict[str, Any]:
    """Write the data of a picture by columns, with the digits that a screen can show; the page has its title."""
    del spec["config"], spec["title"]
    for layer in spec["layer"]:
        rows = layer["data"]["values"]
        columns = {
            name: [_short(row.get(name)) for row in rows] for name in (rows[0] if rows else ())
        }
        columns.pop("i", None)  # the order of the rows
        layer["data"] = {
            "n": len(rows),
            "columns": {k: v[0] if v.count(v[0]) == len(v) else v for k, v in columns.items()},
        }
    return spec


def _short(value: object) -> object:
    return float(f"{value:.{SIGNIFICANT_DIGITS}g}") if isinstance(value, float) else value
