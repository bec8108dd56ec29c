"""How text is printed: it disturbs none around it, and tables keep within a width without a cut number or a lost name.

A table that is too wide has its titles and texts folded at words, then names and short texts, and
limits below their value. If that is not enough, or takes more lines, its rows are stacked under the keys
that they share, and its columns stand in blocks below each other, each with the names of the rows. A table
of two keys, one of them above the columns, has a row for each of its cells instead where that is about as short.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any, Literal, NamedTuple, TextIO

from credibly._core.search_names import Hinting
from credibly._core.text import in_line, visible, width_of

TEXT_WIDTH = 100  # letters of a line of text that nothing else bounds
COLUMN_GAP = 2
MIN_TERMINAL_WIDTH = 20
MIN_TEXT_WIDTH = 24  # letters that a text keeps while there is another way
MAX_FOLDS = 4  # lines of a name or a short text
KEYS_BETWEEN = " \\ "  # between the key of the rows and that of the columns
LONGER_THAN_BLOCKS = 1.25  # how much longer a row per cell may be than blocks of columns
INTERVAL = re.compile(r"\[([^\s\[\],]+), ([^\s\[\],]+)\]")
WORD = re.compile(r"[^\W\d_]{2,}")
NUMBER_WORD = re.compile(r"infinite|undefined")  # but what stands for a number


class Printed(Hinting):
    """A result that prints itself; the names in it cannot disturb the text around them."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        written = cls.__dict__.get("__str__")
        # A dataclass with slots is made twice, from a class that has been here before.
        if written is not None and not hasattr(written, "__wrapped__"):

            @wraps(written)
            def shown(self: Any) -> str:  # noqa: ANN401
                return visible(written(self))

            cls.__str__ = shown  # type: ignore[method-assign]


class Key(str):
    """The title of a column that distinguishes rows; the first column is one whatever its title.

    >>> Key("model") == "model"
    True
    """

    __slots__ = ()


class Line(NamedTuple):
    """A line of a table, and what it is."""

    kind: Literal["title", "header", "row"]
    text: str


@dataclass(frozen=True)
class _Column:
    """A column with the widths between which it can stand."""

    title: str
    cells: list[str]
    key: bool

    @property
    def widest(self) -> int:
        return max(map(width_of, (self.title, *self.cells)))

    @property
    def narrowest(self) -> int:
        """The width below which a number or a word is cut, or a text becomes a tower."""
        title = max(map(width_of, self.title.split()), default=0)
        cells = max(map(width_of, self.cells), default=0)
        if self.folds:
            cells = min(cells, max(MIN_TEXT_WIDTH, self.longest_word))
        return max(title, cells)

    @property
    def folds(self) -> bool:
        """Whether it is text, whose width can be chosen."""
        return not self.key and any(map(_is_text, self.cells))

    def folds_in(self, most: int) -> int:
        """The least width at which no cell has more than ``most`` lines; of a long text, the narrowest."""
        if self.folds:
            return self.narrowest
        title = max(map(width_of, self.title.split()), default=0)
        least = max(title, self.longest_word)
        for cell in dict.fromkeys(self.cells):
            while len(_folded(cell, least)) > most or _over(cell, least):
                least += 1
        return min(least, self.narrowest)

    @cached_property
    def widths(self) -> list[int]:
        """The widths in which it may stand where names, short texts and limits are folded too, in rising order."""
        folded = (self.folds_in(n) for n in range(2, MAX_FOLDS + 1))
        return sorted({self.widest, self.narrowest, *folded})

    def lines(self, width: int) -> list[int]:
        """How many lines the title and each cell take in a width."""
        return [len(_folded(text, width)) for text in (self.title, *self.cells)]

    @property
    def longest_word(self) -> int:
        words = (width_of(w) for c in self.cells for w in c.split())
        return max(words, default=0)


_Blocks = Iterator[tuple[list[_Column], list[int]]]
_SharedOut = Callable[[_Column, list[_Column], int], _Blocks]


def fitted_table(header: Sequence[str], body: Sequence[Sequence[str]], width: int) -> list[Line]:
    """Return the lines of a table that is no wider than ``width``.

    >>> header = [Key("model"), Key("measure"), "value", "interval"]
    >>> body = [["tree", "Recall", "0.50", "[0.10, 0.90]"], ["rules", "Recall", "0.75", "[0.30, 0.95]"]]
    >>> print(within(28)(header, body))
    measure Recall
    model  value  interval
    tree   0.50   [0.10, 0.90]
    rules  0.75   [0.30, 0.95]
    >>> print(within(20)(header[1:], [row[1:] for row in body[:1]]))
    measure  value
    Recall   0.50
    <BLANKLINE>
    measure  interval
    Recall   [0.10, 0.90]
    >>> print(within(34)(["measure", "tree", "rule"], [["Error rate", "0.5 [0.1, 0.9]", "0.6 (majority)"]]))
    measure     tree        rule
    Error rate  0.5         0.6
                [0.1, 0.9]  (majority)
    """
    columns = [
        _Column(in_line(h), [in_line(row[i]) for row in body], i == 0 or isinstance(h, Key))
        for i, h in enumerate(header)
    ]
    every = range(len(body))
    if not columns or _taken(c.widest for c in columns) <= width:
        return list(_block(columns, [c.widest for c in columns], every))
    if shares := _shares(columns, width):
        return list(_block(columns, shares, every))
    ways = [list(_stacked(columns, width, every, blocks)) for blocks in (_blocks, _folded_blocks)]
    if widths := _folding(columns, width):
        ways.insert(0, list(_block(columns, widths, every)))
    elif by_cell := _row_per_cell(columns, width):
        most = LONGER_THAN_BLOCKS * min(map(len, ways))
        ways = [by_cell] if len(by_cell) <= most else ways
    return min(ways, key=len)


def within(width: int) -> Callable[[list[str], list[list[str]]], str]:
    """Return what writes tables that are no wider than ``width``."""
    return lambda header, body: "\n".join(line.text for line in fitted_table(header, body, width))


def _row_per_cell(columns: list[_Column], width: int) -> list[Line]:
    """Return a row for each cell of a table whose first title names two keys; nothing for others, or if it is too wide."""
    first, *others = columns
    down, _, across = first.title.partition(KEYS_BETWEEN)
    if not across or any(c.key for c in others):
        return []
    below = [c.title for _ in first.cells for c in others]
    cells = [c.cells[row] for row in range(len(first.cells)) for c in others]
    beside = [_Column(across, below, key=True), _Column("", cells, key=False)]
    room = max(first.longest_word, width - _taken([0, *(c.widest for c in beside)]))
    names: list[str] = []
    for name in first.cells:  # whose lines stand beside the rows of its cells
        lines = _folded(name, room)
        lines = lines if len(lines) <= len(others) else [name]
        names += lines + [""] * (len(others) - len(lines))
    made = [_Column(down, names, key=True), *beside]
    widths = _shares(made, width) or _folding(made, width)
    return list(_block(made, widths, range(len(cells)))) if widths else []


def _stacked(
    columns: list[_Column], width: int, rows: range, shared_out: _SharedOut
) -> Iterator[Line]:
    """Yield the rows of each combination of keys by themselves, in as many blocks as they need."""
    keys = [c for c in columns if c.key]
    varying = [k for k in keys if len(set(k.cells)) > 1] or keys
    name = varying[-1]
    above = [k for k in keys if k is not name]
    others = [c for c in columns if not c.key]
    blocks = list(shared_out(name, others, width))
    stacks: dict[tuple[str, ...], list[int]] = {}
    for row in rows:
        stacks.setdefault(tuple(k.cells[row] for k in above), []).append(row)
    for n, (values, shown) in enumerate(stacks.items()):
        text = ", ".join(f"{k.title} {v}" for k, v in zip(above, values, strict=True) if v)
        titles = wrap(text, width)
        for i, (block, shares) in enumerate(blocks):
            if n or i:
                yield Line("row", "")
            yield from (Line("title", line) for line in titles if i == 0)
            filled = [r for r in shown if i == 0 or any(c.cells[r] for c in block[1:])]
            yield from _block(block, shares, filled or shown)


def _blocks(name: _Column, others: list[_Column], width: int) -> _Blocks:
    """Share out columns among blocks that fit, each with the names; one of half a line is folded."""
    least = max((c.narrowest for c in others if not c.folds), default=0)
    room = width - COLUMN_GAP - max(least, MIN_TEXT_WIDTH // 2)
    named = min(name.widest, max(MIN_TEXT_WIDTH // 2, room), max(width // 2, name.longest_word))
    while others:
        taken = 1
        while (
            taken < len(others)
            and _taken([named, *(c.narrowest for c in others[: taken + 1])]) <= width
        ):
            taken += 1
        block, others = others[:taken], others[taken:]
        room = width - named - COLUMN_GAP
        yield [name, *block], [named, *(_shares(block, room) or [room])]


def _folded_blocks(name: _Column, others: list[_Column], width: int) -> _Blocks:
    """Share out columns among blocks in which names and limits are folded."""
    while others:
        taken = len(others)
        while taken > 1 and not _folding([name, *others[:taken]], width):
            taken -= 1
        block, others = [name, *others[:taken]], others[taken:]
        if widths := _folding(block, width):
            yield block, widths
        else:
            yield from _blocks(name, block[1:], width)


def _shares(columns: list[_Column], width: int) -> list[int]:
    """Share out a width: each column what it needs, and of the rest as it could use it; nothing if too little."""
    least = [c.narrowest for c in columns]
    spare = width - _taken(least)
    if spare < 0:
        return []
    wanted = [c.widest - n for c, n in zip(columns, least, strict=True)]
    whole = sum(wanted)
    if whole <= spare:
        return [c.widest for c in columns]
    return [n + spare * w // whole for n, w in zip(least, wanted, strict=True)]


def _folding(columns: list[_Column], width: int) -> list[int]:
    """Return widths in which names, short texts and limits are folded too; nothing if they do not fit.

    Column after column is narrowed, each time the one that makes the table the least longer.
    """
    if _taken(c.widths[0] for c in columns) > width:
        return []
    steps = [[*c.widths] for c in columns]
    widths = [each.pop() for each in steps]
    lines = [c.lines(w) for c, w in zip(columns, widths, strict=True)]
    while _taken(widths) > width:
        tried = []
        for i, left in enumerate(steps):
            if left:
                narrower = columns[i].lines(left[-1])
                others = (narrower if i == k else each for k, each in enumerate(lines))
                length = sum(map(max, zip(*others, strict=True)))
                tried.append((length, left[-1] - widths[i], i, narrower))
        _, _, i, lines[i] = min(tried)
        widths[i] = steps[i].pop()
    return widths


def _taken(widths: Iterator[int] | Sequence[int]) -> int:
    each = list(widths)
    return sum(each) + COLUMN_GAP * (len(each) - 1)


def _block(columns: list[_Column], widths: list[int], rows: Sequence[int]) -> Iterator[Line]:
    if any(c.title for c in columns):
        yield from (Line("header", t) for t in _row([c.title for c in columns], widths))
    for i in rows:
        yield from (Line("row", t) for t in _row([c.cells[i] for c in columns], widths))


def _row(cells: list[str], widths: list[int]) -> Iterator[str]:
    """Yield the lines of a row: more than one where a text is folded."""
    folded = [_folded(c, w) for c, w in zip(cells, widths, strict=True)]
    for i in range(max(map(len, folded))):
        parts = [lines[i] if i < len(lines) else "" for lines in folded]
        padded = (p + " " * (w - width_of(p)) for p, w in zip(parts, widths, strict=True))
        yield (" " * COLUMN_GAP).join(padded).rstrip()


def in_terminal(out: TextIO | None) -> bool:
    """Whether a stream is a terminal; a program without a window or with closed streams has none."""
    return out is not None and not out.closed and out.isatty()


def terminal_width() -> int:
    """Return how many letters a line of the terminal holds, or is taken to hold."""
    return max(get_terminal_size().columns, MIN_TERMINAL_WIDTH)


def folded(text: str, width: int) -> list[str]:
    """Return sentences as lines that are no wider than ``width``; what is indented stays so.

    >>> folded("  note: This is so.", 12), folded("- This is so.", 10)
    (['  note: This', '  is so.'], ['- This is', '  so.'])
    """
    lines: list[str] = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip().removeprefix("- ")))
        fits = width_of(line) <= width
        lines += [line] if fits else _broken(line, width, indent)
    return lines


def _folded(text: str, width: int) -> list[str]:
    if width_of(text) <= width:
        return [text]
    if is_number(text):  # only limits may stand below their value
        return re.split(r" (?=\[)", text, maxsplit=1)
    return _broken(text, width) or [""]


def _over(text: str, width: int) -> bool:
    """Whether a folded text is still wider than a width."""
    return max(map(width_of, _folded(text, width))) > width


def _broken(text: str, width: int, indent: str = "") -> list[str]:
    """Break a line between words, and never inside an interval or before a percent sign.

    >>> _broken("a saving of 0.015 [-0.081, 0.111] a case", 30)
    ['a saving of 0.015', '[-0.081, 0.111] a case']
    """
    joined = INTERVAL.sub("[\\1,\N{NO-BREAK SPACE}\\2]", text)
    joined = joined.replace(" %", "\N{NO-BREAK SPACE}%")
    lines = wrap(joined, width, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _is_text(cell: str) -> bool:
    """Whether something is long and can be folded at its words."""
    return width_of(cell) > MIN_TEXT_WIDTH and not is_number(cell)


def is_number(cell: str) -> bool:
    """Whether something is a number, an interval or several, which are not cut."""
    return not WORD.search(NUMBER_WORD.sub("", cell))
