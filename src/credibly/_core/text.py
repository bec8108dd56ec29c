"""How numbers and tables look to a person."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from credibly._core.results import Interval


def number_text(value: float, interval: Interval | None = None) -> str:
    """Write a number with the digits that its interval supports, else four significant ones.

    >>> number_text(0.66666), number_text(12345.678), number_text(float("nan")), number_text(0.5)
    ('0.6667', '12,346', 'undefined', '0.5')
    """
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "infinite" if value > 0 else "-infinite"
    if interval is not None and math.isfinite(interval.high - interval.low):
        return _within(value, interval.high - interval.low)
    if abs(value) < 1e-14:
        return "0"
    if value == round(value) and abs(value) < 1e15:
        return f"{value:,.0f}"
    size = math.floor(math.log10(abs(value)))
    if size < -4 or size > 14:
        return f"{value:.4g}"
    return _fixed(value, max(0, 3 - size))


def interval_text(value: float | None, interval: Interval | None) -> str:
    """Write an interval, behind its value if one is given."""
    limits = ""
    if interval is not None and math.isfinite(interval.low) and math.isfinite(interval.high):
        width = interval.high - interval.low
        limits = f"[{_within(interval.low, width)}, {_within(interval.high, width)}]"
    if value is None:
        return limits
    return f"{number_text(value, interval)} {limits}".rstrip()


def _within(value: float, width: float) -> str:
    """Write a number with the digits that the width of its interval supports.

    >>> _within(0.66666, 0.1), _within(2.5e199, 1e199)
    ('0.667', '2.5e+199')
    """
    if abs(value) >= 1e15 or 0 < max(abs(value), width) < 1e-12:
        return f"{value:.4g}"
    return f"{value:,.{_decimals(width)}f}"


def _decimals(width: float) -> int:
    """Digits behind the point so that an interval's width shows about two significant ones."""
    if width <= 0:
        return 4
    return min(15, max(0, 2 - math.floor(math.log10(width))))


def _fixed(value: float, decimals: int) -> str:
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def plain_table(header: list[str], body: list[list[str]]) -> str:
    """Align columns with spaces.

    >>> print(plain_table(["a", "bb"], [["1", "2"]]))
    a  bb
    1  2
    """
    rows = [header, *body]
    widths = [max(len(r[i]) for r in rows) for i in range(len(header))]
    lines = ("  ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)).rstrip() for r in rows)
    return "\n".join(lines)


def markdown_table(header: list[str], body: list[list[str]]) -> str:
    r"""Write a Markdown table; bars in cells are escaped.

    >>> print(markdown_table(["a"], [["x|y"]]))
    | a |
    | --- |
    | x\|y |
    """

    def line(cells: list[str]) -> str:
        safe = (c.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ") for c in cells)
        return f"| {' | '.join(safe)} |"

    return "\n".join([line(header), line(["---"] * len(header)), *map(line, body)])


def visible(text: str) -> str:
    r"""Escape what a terminal would obey: labels and file names are data.

    >>> visible("a\x1b[31mb\u202e")
    'a\\x1b[31mb\\u202e'
    """
    return "".join(
        c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text
    )
