"""The first screen of a result: its tables as far as they fit, and what else there is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from credibly._core.layout import fitted_table
from credibly._core.text import lower_first
from credibly._core.words import count

Block = tuple[str, list[str], list[list[str]]]  # a table with its title
WIDTH = 80  # for which it is chosen, so that narrow terminals and pipes show the same
LINES, SPARE = 18, 5  # of tables, and how many more are not worth leaving out
FEWEST = 3  # rows of a table that is shown at all, and names of what is not shown


class Screen(NamedTuple):
    """The tables that a first screen shows, and what it leaves out in words."""

    blocks: list[Block]
    hidden: list[str]


def first_screen(blocks: Iterable[Block]) -> Screen:
    """Choose what fits: the first table, or its first rows, and of the others those that are short enough.

    >>> rows = [[str(i)] for i in range(30)]
    >>> shown, hidden = first_screen([("", ["n"], rows), ("Tests", ["test"], [["t"]])])
    >>> len(shown[0][2]), hidden
    (17, ['13 more rows', 'tests (1 row)'])
    """
    every = list(blocks)
    if sum(map(_lines, every)) <= LINES + SPARE:
        return Screen(every, [])
    shown, hidden, room = list[Block](), list[str](), LINES
    for title, header, body in every:
        kept = (title, header, body if shown else _first_rows(header, body))
        if _lines(kept) > room and shown:
            hidden.append(f"{lower_first(title or 'another table')} ({count(len(body), 'row')})")
            continue
        shown.append(kept)
        room -= _lines(kept)
        if left := len(body) - len(kept[2]):
            hidden.append(f"{count(left, 'more row')}")
    if len(hidden) > FEWEST:
        hidden = [*hidden[: FEWEST - 1], count(len(hidden) - FEWEST + 1, "more table")]
    return Screen(shown, hidden)


def _lines(block: Block) -> int:
    title, header, body = block
    if len(body) > LINES + SPARE:
        return len(body)
    return 2 * bool(title) + len(fitted_table(header, body, WIDTH))


def _first_rows(header: list[str], body: list[list[str]]) -> list[list[str]]:
    """Return as many rows as fit; all if only a few would be left out."""
    if _lines(("", header, body)) <= LINES + SPARE:
        return body
    kept = min(len(body), LINES)
    while kept > FEWEST and _lines(("", header, body[:kept])) > LINES:
        kept -= 1
    return body[:kept]
