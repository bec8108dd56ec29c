"""How numbers, tables and the parts of sentences look to a person."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from credibly.errors import ArgumentName, ParameterError, says


class Limits(Protocol):
    """Anything between two ends."""

    @property
    def low(self) -> float:
        """The lower end."""

    @property
    def high(self) -> float:
        """The upper end."""


ISOLATE, RESUME = "\u2068", "\u2069"  # first strong isolate, pop directional isolate
# Letters and numbers of Hebrew, Arabic, Syriac, Thaana, N'Ko ... and what is written like them.
_LETTERS = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff"
# Words that a space or a hyphen parts belong together; whatever else stands between two is not theirs.
_RIGHT_TO_LEFT = re.compile(f"[{_LETTERS}]+(?:[ -][{_LETTERS}]+)*")
_ISOLATED = re.compile(f"{ISOLATE}({_RIGHT_TO_LEFT.pattern}){RESUME}")


SURNAMES = {"Brier", "Gini", "Matthews"}  # that begin titles, and stay capitalised
MAX_PLAIN_WHOLE = 1e15  # larger whole numbers are not exact
MIN_PLAIN_INTERVAL = 1e-6  # below it, numbers with an interval are written with a power of ten
MIN_SHOWN_P = 0.001  # smaller p-values are not written out for people
ZERO_ROUNDING = 1e-14  # what rounding leaves of 0
NOISE_WIDTH = 1e-11  # an interval this narrow, as a share of the value, is rounding alone


def name_text(name: object) -> str:
    """Write the name of a class, in quotes where nothing would be seen of it.

    >>> name_text("yes"), name_text(1), name_text(" ")
    ('yes', '1', "' '")
    """
    written = str(name)
    return written if written.strip() else repr(written)


def number_text(value: float, interval: Limits | None = None) -> str:
    """Write a number with the digits that its interval supports, else four significant ones.

    >>> number_text(0.66666), number_text(12345.678), number_text(float("nan")), number_text(0.5)
    ('0.6667', '12,346', 'undefined', '0.5')

    A whole number in a wide interval is a count, and what is not 0 is not written as 0.

    >>> from types import SimpleNamespace
    >>> wide = SimpleNamespace(low=1.3, high=812.6)
    >>> number_text(7.0, wide), number_text(7.25, wide), number_text(0.33, wide)
    ('7', '7', '0.3')
    """
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "infinite" if value > 0 else "-infinite"
    if interval is not None and math.isfinite(interval.high - interval.low):
        width = interval.high - interval.low
        if value == round(value) and width > 1 and abs(value) < MAX_PLAIN_WHOLE:
            return f"{value:,.0f}"
        text = _within(value, width, _stated(interval))
        return text if abs(value) < ZERO_ROUNDING or text.strip("-0.") else f"{value:.1g}"
    if abs(value) < ZERO_ROUNDING:
        return "0"
    if value == round(value) and abs(value) < MAX_PLAIN_WHOLE:
        return f"{value:,.0f}"
    size = math.floor(math.log10(abs(value)))
    if size < -4 or size > 14:
        return f"{value:.4g}"
    return _fixed(value, max(0, 3 - size))


def plain_arguments(text: str) -> str:
    """Write the arguments of a call for a title: a choice as its words.

    >>> plain_arguments("rule='equal_size', groups=5")
    'equal size, groups=5'
    """
    return re.sub(r"\w+='(\w+)'", lambda found: found[1].replace("_", " "), text)


def percent(share: float) -> str:
    """Write a share, such as a level of confidence, in percent.

    >>> percent(0.95), percent(1 - 0.95), percent(0.99999)
    ('95 %', '5 %', '99.999 %')
    """
    return f"{100 * share:.6g} %"


def interval_text(value: float | None, interval: Limits | None) -> str:
    """Write an interval, behind its value if one is given; one without any end is not written."""
    limits = ""
    if interval is not None and math.isfinite(interval.low) and math.isfinite(interval.high):
        width = interval.high - interval.low
        low, high = (
            _within(end, width, _stated(interval)) for end in (interval.low, interval.high)
        )
        limits = f"[{low}, {high}]"
    elif interval is not None and math.isfinite(interval.low):
        limits = f"[{number_text(interval.low)}, infinite)"
    elif interval is not None and math.isfinite(interval.high):
        limits = f"(-infinite, {number_text(interval.high)}]"
    if value is None:
        return limits
    return f"{number_text(value, interval)} {limits}".rstrip()


def _stated(interval: Limits) -> int | None:
    return getattr(interval, "decimals", None)


def _within(value: float, width: float, decimals: int | None = None) -> str:
    """Write a number with the digits that the width of its interval supports.

    >>> _within(0.66666, 0.1), _within(2.5e199, 1e199), _within(5.6612e-10, 1e-11), _within(0.5, 1e-16)
    ('0.667', '2.5e+199', '5.661e-10', '0.5')
    >>> _within(-0.0, 1.3)
    '0.00'
    """
    if 0 < width < NOISE_WIDTH * abs(value):
        return number_text(value)
    if abs(value) >= MAX_PLAIN_WHOLE:
        return f"{value:.4g}"
    if 0 < max(abs(value), width) < MIN_PLAIN_INTERVAL:
        if abs(value) < width / 1000:
            return "0"
        beyond = math.floor(math.log10(abs(value))) - math.floor(math.log10(width or abs(value)))
        return f"{value:.{max(1, beyond + 3)}g}"
    own = decimals_of(width)
    digits = own if decimals is None else min(max(decimals, own - 1), own + 1)
    return f"{value:z,.{digits}f}"  # no minus before zero


def decimals_of(width: float) -> int:
    """Return how many digits behind the point show three significant ones of the width of an interval.

    >>> decimals_of(0.085), decimals_of(0.12)
    (4, 3)
    """
    if width <= 0:
        return 4
    return min(15, max(0, 2 - math.floor(math.log10(width))))


def _fixed(value: float, decimals: int) -> str:
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def lower_first(text: str) -> str:
    """Write a title as it stands inside a sentence; one that begins with a name or a letter keeps it.

    >>> [lower_first(t) for t in ("Error rate", "Brier score", "Youden's J", "F-measure", "ROC curve")]
    ['error rate', 'Brier score', "Youden's J", 'F-measure', 'ROC curve']
    """
    first = text.partition(" ")[0]
    letter = len(first.partition("-")[0]) == 1 and first != "A"
    named = first in SURNAMES or first.endswith("'s") or any(map(str.isupper, first[1:]))
    return text if letter or named else text[:1].lower() + text[1:]


def plain_table(header: list[str], body: list[list[str]]) -> str:
    """Align columns with spaces.

    >>> print(plain_table(["a", "bb"], [["1", "2"]]))
    a  bb
    1  2
    """
    rows = [[in_line(c) for c in row] for row in (header, *body)]
    widths = [max(width_of(r[i]) for r in rows) for i in range(len(header))]
    lines = (
        "  ".join(c + " " * (w - width_of(c)) for c, w in zip(r, widths, strict=True)).rstrip()
        for r in (rows if any(header) else rows[1:])
    )
    return "\n".join(lines)


def markdown_table(header: list[str], body: list[list[str]]) -> str:
    r"""Write a Markdown table; bars in cells are escaped.

    >>> print(markdown_table(["a"], [["x|y"]]))
    | a |
    | --- |
    | x\|y |
    """

    def line(cells: list[str]) -> str:
        shown = map(in_line, cells)
        safe = (c.replace("\\", "\\\\").replace("|", "\\|") for c in shown)
        return f"| {' | '.join(safe)} |"

    return "\n".join([line(header), line(["---"] * len(header)), *map(line, body)])


def escaped(text: str) -> str:
    r"""Write what is obeyed and not shown, such as colours of terminals and directions, as its number.

    >>> escaped("a\x1b[31mb\u202e")
    'a\\x1b[31mb\\u202e'
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text
    )


def in_line(text: str) -> str:
    r"""Write text with labels so that it stays in its line of a table.

    >>> in_line("a\nb")
    'a b'
    """
    return visible(" ".join(str(text).split("\n")))


def visible(text: str) -> str:
    r"""Write text with labels and file names, which are data, so that none of them disturbs the rest.

    What would be obeyed is escaped, and words of scripts that run from right to left are isolated:
    they would reverse the numbers beside them. Nothing changes if it is done twice.

    >>> visible("a\x1b[31mb\u202e")
    'a\\x1b[31mb\\u202e'
    >>> visible("\u05e9\u05dc\u05d5\u05dd 5") == "\u2068\u05e9\u05dc\u05d5\u05dd\u2069 5"
    True
    """
    text = str(text)  # what a sentence says of arguments is written now
    if text.isascii() and text.isprintable():
        return text
    return _RIGHT_TO_LEFT.sub(rf"{ISOLATE}\g<0>{RESUME}", escaped(_ISOLATED.sub(r"\1", text)))


def width_of(text: str) -> int:
    """Return the width of a text in letters; combining marks have no width."""
    return len(text) - text.count(ISOLATE) - text.count(RESUME)


def pvalue_text(p: float) -> str:
    """Write a p-value for people; JSON and frames have its digits.

    >>> pvalue_text(0.04139), pvalue_text(1.0), pvalue_text(2.2e-16), pvalue_text(float("nan"))
    ('0.0414', '1', 'below 0.001', 'undefined')
    """
    if math.isnan(p):
        return "undefined"
    return f"below {MIN_SHOWN_P:g}" if p < MIN_SHOWN_P else f"{p:.3g}"


def p_is(p: float) -> str:
    """Write a p-value in a sentence.

    >>> p_is(0.04139), p_is(2.2e-16)
    ('p = 0.0414', 'p below 0.001')
    """
    return f"p {pvalue_text(p)}" if p < MIN_SHOWN_P else f"p = {pvalue_text(p)}"


def shown(value: object, limit: int = 60) -> str:
    """Write a value into a sentence: its type, where it cannot say what it is.

    >>> shown("a"), shown([1, 2])
    ("'a'", '[1, 2]')
    """
    try:
        text = repr(value)
    except Exception:  # of a type of others
        text = ""
    if not text or "\n" in text:
        return f"a {type(value).__name__} object"
    return text if len(text) <= limit else text[:limit] + "..."


def beginning(text: object, limit: int = 300) -> str:
    """Return the beginning of a message that may be a page long, in one line and with whole words.

    >>> beginning("Liblinear failed to converge, increase the number of iterations.", 40)
    'Liblinear failed to converge, ...'
    """
    line = " ".join(str(text).split())
    if len(line) <= limit:
        return line
    kept = line[: limit - 3]
    words = kept.rpartition(" ")[0] or kept
    return f"{words} ..."


def several(values: Any, name: str, what: str) -> list[Any]:  # noqa: ANN401
    """Return what an argument lists, or say that it lists nothing.

    >>> several(("a", "b"), "by", "names")
    ['a', 'b']
    """
    try:
        return list(values)
    except Exception:  # foreign types may raise anything when they are read
        raise ParameterError(
            says(
                "{name} must be a list of {what}; got {values}.",
                name=ArgumentName(name),
                what=what,
                values=shown(values),
            )
        ) from None


def one_or_several(values: Any, name: str, what: str) -> list[Any]:  # noqa: ANN401
    """Return what an argument lists; a name alone is a list of one.

    >>> one_or_several("sex", "by", "columns"), one_or_several(None, "by", "columns")
    (['sex'], [])
    """
    return [values] if isinstance(values, str) else several(() if values is None else values, name, what)  # fmt: skip


Lines = Callable[[Sequence[int]], Sequence[int]]  # of a file of text, of some rows
_LINES: ContextVar[Lines | None] = ContextVar("lines", default=None)


@contextmanager
def in_lines(lines: Lines) -> Iterator[None]:
    """Call rows by their lines in a file of text while the context lasts."""
    before = _LINES.set(lines)
    try:
        yield
    finally:
        _LINES.reset(before)


def some_rows(
    rows: Iterable[object],
    limit: int = 5,
    *,
    identified: bool = False,
    noun: str = "row",
    total: int = 0,
) -> str:
    """Name the first few rows of a complaint by their line in a file, their place, or by what identifies them.

    A row may come with what stands there; there may be more of them in ``total``.

    >>> some_rows([3, 5])
    'rows 3, 5, counted from 0'
    >>> some_rows([(3, "'x'"), (4, "'y'"), (9, "'z'")], limit=2)
    "rows 3 ('x'), 4 ('y') and 1 more, counted from 0"
    >>> some_rows(["case-7"], identified=True)
    'row case-7'
    >>> with in_lines(lambda rows: [row + 2 for row in rows]):
    ...     some_rows([3])
    'line 5 of the file'
    """
    each = [row if isinstance(row, tuple) else (row, "") for row in rows]
    shown = each[:limit]
    places, end = [row for row, _ in shown], "" if identified else ", counted from 0"
    lines = _LINES.get()
    if lines and not identified and noun == "row" and (found := lines([*map(int, places)])):
        places, noun, end = [*found], "line", " of the file"
    beside = (f" ({what})" if what else "" for _, what in shown)
    named = ", ".join(f"{place}{text}" for place, text in zip(places, beside, strict=True))
    left = max(total, len(each)) - len(shown)
    more = f" and {left:,} more" if left else ""
    return f"{noun}{'s' if len(each) > 1 else ''} {named}{more}{end}"


def count(n: float, noun: str) -> str:
    """Write a number with its noun.

    >>> count(1, "row"), count(1200, "row"), count(2, "class")
    ('1 row', '1,200 rows', '2 classes')
    """
    plural = noun + ("es" if noun.endswith("s") else "s")
    number = f"{n:,}" if isinstance(n, int) else number_text(n)
    return f"{number} {noun if n == 1 else plural}"


def some_have(n: float, whole: float, noun: str) -> str:
    """Begin a sentence about some of all.

    >>> some_have(1, 1200, "row"), some_have(2, 14, "case")
    ('1 of 1,200 rows has', '2 of 14 cases have')
    """
    return f"{n:,.10g} of {count(whole, noun)} {'has' if n == 1 else 'have'}"
