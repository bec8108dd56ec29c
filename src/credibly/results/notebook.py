"""How results look in a notebook: what they mean first, then a compact table, then what to doubt.

It is plain markup without scripts, style sheets or anything from elsewhere, so that it reads on light and
dark ground and where a viewer takes away all style. What comes from data is escaped and isolated.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from credibly._core.findings import Finding, by_kind
from credibly._core.layout import INTERVAL, MIN_TEXT_WIDTH, Key, is_number
from credibly._core.text import ISOLATE, RESUME, count, visible, width_of
from credibly.errors import CrediblyError
from credibly.results.figure import Figure, renderers
from credibly.results.plot import picture

# Rows that are shown at once, and how many more are not worth folding.
SHOWN_ROWS, SPARE_ROWS = 20, 5
MAX_ROWS = 200  # of a table, those on request included
MAX_OPEN_NOTES = 2  # that are not folded
MAX_MARKS = 5000  # of a picture
LINE_STYLE = 'style="margin:.25em 0"'
REMARK_STYLE = 'style="margin:.25em 0;opacity:.8"'
FLEX_STYLE = 'style="display:flex;flex-wrap:wrap;gap:.5em 1.5em;align-items:flex-start"'
BOX_STYLE = 'style="overflow-x:auto;max-width:100%;min-width:0"'
TABLE_STYLE = 'style="border-collapse:collapse;margin:.4em 0;font-variant-numeric:tabular-nums"'
# Attributes remain where styles are taken away, and styles hold where the notebook has rules of its own.
LEFT_CELL = (
    'align="left" style="text-align:left;padding:.2em .7em;min-width:{least}em;max-width:36em;'
    'overflow-wrap:break-word"'
)
RIGHT_CELL = 'align="right" style="text-align:right;padding:.2em .7em;white-space:nowrap"'
LIMITS_CELL = (
    'align="right" style="text-align:right;padding:.2em .7em"'  # may stand below the value
)
WHOLE = r'<span style="white-space:nowrap">\g<0></span>'
CAPITAL = re.compile(r"(?<=[a-z])[A-Z]")
EDGE_COLOURS = {"problem": "#d93f3f", "caution": "#d08700", "note": "#8b949e"}


def html_of(result: Any) -> str:  # noqa: ANN401  (of class Result, which asks for it)
    """Write a result: its meaning, what its intervals are about, a picture, its tables, what to doubt.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0])
    >>> written = html_of(credibly.evaluate(p, "accuracy"))
    >>> written[:75]
    '<div class="credibly"><p style="margin:.25em 0"><strong>Accuracy is 0.750 ['
    """
    texts = [t for t in dict.fromkeys((result.meaning(), result.heading_text())) if t]
    lead, *more = texts or [str(result).partition("\n")[0] if result.is_line() else _kind(result)]
    about = result.about_intervals()
    below = (text for text in result.said_below(on_screen=False) if text != about)
    tables, drawn = "", ""
    if not result.is_line():
        tables, drawn = _tables(list(result.blocks())), _picture(result)
    return page_html(
        lead,
        *map(paragraph, more),
        paragraph(about, REMARK_STYLE),
        f"<div {FLEX_STYLE}>{drawn}{tables}</div>" if drawn and tables else drawn + tables,
        *map(paragraph, below),
        "" if result.tells_findings else findings_html(result.told_findings()),
    )


def shown(text: object) -> str:
    r"""Escape a text, isolate words that run from right to left, and keep its lines.

    >>> shown("<b> \u05d0 5")
    '&lt;b&gt; <bdi>א</bdi> 5'
    """
    safe = escape(visible(str(text)))
    return safe.replace(ISOLATE, "<bdi>").replace(RESUME, "</bdi>").replace("\n", "<br/>")


def _kind(result: object) -> str:
    """Say what it is where nothing else does."""
    return CAPITAL.sub(lambda found: f" {found.group().lower()}", type(result).__name__)


def paragraph(text: str, style: str = LINE_STYLE) -> str:
    """Write sentences as a paragraph; an empty text for none."""
    return f"<p {style}>{shown(text)}</p>" if text.strip() else ""


def folded(summary: str, inside: str, *, is_open: bool = False) -> str:
    """Write what is shown on request, or can be put away."""
    how = ' open="open"' if is_open else ""
    return f'<details{how} style="margin:.25em 0"><summary>{shown(summary)}</summary>{inside}</details>'


def page_html(lead: str, *parts: str) -> str:
    """Write the whole: what comes first, and the parts below it."""
    return f'<div class="credibly"><p {LINE_STYLE}><strong>{shown(lead)}</strong></p>{"".join(parts)}</div>'


def _tables(blocks: Sequence[tuple[str, list[str], list[list[str]]]]) -> str:
    """Write the first table, and the others on request."""
    if not blocks:
        return ""
    (title, header, body), *others = blocks
    rest = (folded(f"{t} ({count(len(b), 'row')})", table_html(h, b)) for t, h, b in others)
    return f"<div {BOX_STYLE}>{paragraph(title)}{table_html(header, body)}{''.join(rest)}</div>"


def table_html(header: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Write a table whose numbers stand at the right; of a long one the first rows, others on request."""
    sides = [_side(title, [row[i] for row in body]) for i, title in enumerate(header)]
    if len(body) <= SHOWN_ROWS + SPARE_ROWS:
        return _rows(header, body, sides)
    last = min(len(body), MAX_ROWS)
    more = "" if last == len(body) else "; .frame() has them all"
    rest = folded(
        f"Rows {SHOWN_ROWS + 1} to {last:,} of {len(body):,}{more}",
        _rows(header, body[SHOWN_ROWS:last], sides),
    )
    return _rows(header, body[:SHOWN_ROWS], sides) + rest


def _side(title: str, cells: Sequence[str]) -> str:
    """Return how a column is set: numbers at the right in one line, texts folded at words."""
    known = [c for c in cells if c]
    digits = any(map(str.isdigit, "".join(known)))
    if digits and all(map(is_number, known)) and not isinstance(title, Key):
        return LIMITS_CELL if any(" [" in c for c in known) else RIGHT_CELL
    longest = max(map(width_of, (title, *known)))
    return LEFT_CELL.format(least=min(longest, MIN_TEXT_WIDTH) // 2)


def _rows(header: Sequence[str], body: Sequence[Sequence[str]], sides: list[str]) -> str:
    head = _row("th", header, sides) if any(header) else ""
    rows = "".join(_row("td", row, sides) for row in body)
    return f"<div {BOX_STYLE}><table {TABLE_STYLE}><thead>{head}</thead><tbody>{rows}</tbody></table></div>"


def _row(tag: str, cells: Sequence[str], sides: list[str]) -> str:
    each = zip(map(shown, cells), sides, strict=True)
    inside = ((side, INTERVAL.sub(WHOLE, c) if side is LIMITS_CELL else c) for c, side in each)
    return f"<tr>{''.join(f'<{tag} {side}>{c}</{tag}>' for side, c in inside)}</tr>"


def _picture(result: object) -> str:
    try:
        figure = picture(result)
    except CrediblyError:  # what it holds cannot be drawn, which its text says
        return ""
    return "" if figure is None else picture_html(figure)


def picture_html(figure: Figure) -> str:
    """Write a small picture with its text alternative; one of very many marks is left to ``plot``."""
    if sum(len(next(iter(y.columns.values()), ())) for y in figure.layers) > MAX_MARKS:
        return paragraph(f"{figure.title}: .plot() draws it.", REMARK_STYLE)
    drawn = b64encode(renderers["sketch"](figure).encode()).decode()
    words = escape(visible(f"{figure.title}. {figure.alt}"))
    return f'<img alt="{words}" title="{words}" style="max-width:100%;flex:none" src="data:image/svg+xml;base64,{drawn}"/>'


def findings_html(found: Iterable[Finding]) -> str:
    """Write what to doubt, the worst first and those of one kind together; several notes on request."""
    kinds = by_kind(found)
    heavy = [each for each in kinds if each[0].severity != "note"]
    notes = [each for each in kinds if each[0].severity == "note"]
    if len(notes) <= MAX_OPEN_NOTES:
        return _list(map(_joined, kinds))
    return _list(map(_joined, heavy)) + folded(
        count(len(notes), "note"), _list(map(_joined, notes))
    )


def _list(items: Iterable[str]) -> str:
    inside = "".join(items)
    return (
        f'<ul style="list-style:none;padding-left:0;margin:.4em 0">{inside}</ul>' if inside else ""
    )


def _joined(alike: Sequence[Finding]) -> str:
    first, *others = alike
    edge = f"border-left:3px solid {EDGE_COLOURS[first.severity]};padding-left:.6em;margin:.3em 0"
    more = folded(f"{len(others)} more like this", "<br/>".join(_said(f) for f in others))
    return f'<li style="{edge}">{_said(first)}{more if others else ""}</li>'


def _said(finding: Finding) -> str:
    action = f" {shown(finding.action)}" if str(finding.action) else ""
    return f"<strong>{finding.severity}</strong>: {shown(finding.message)}{action}"
