"""Plans from TOML files, with errors that name the line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from credibly.errors import DataError, Sentence
from credibly.experiments.plan.plan import Plan, PlanError

LARGEST = 10_000_000  # bytes
HEADER = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?")
PIECE = re.compile(  # texts, comments, brackets and commas, and whatever stands between them
    r'"""(?:\\.|[^\\])*?"""|'
    r"'''.*?'''|"
    r'"(?:\\.|[^"\\])*"|'
    r"'[^']*'|#[^\n]*|[\[\]{},]|[^\s\"'#\[\]{},]+",
    re.DOTALL,
)


def read_plan(path: Path) -> Plan:
    """Read a plan; files that it names are looked for beside it."""
    try:
        if path.stat().st_size > LARGEST:
            raise DataError(f"{path} has more than {LARGEST:,} bytes, too many for a plan.")
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8, so it is no TOML file.") from None
    except OSError as error:
        raise DataError(f"The plan {path} cannot be read: {error.strerror}.") from None
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path} is no TOML file: {error}.") from None

    def stated(place: Sequence[str | int]) -> str:
        line = line_of(text, place)
        return f"{path}, line {line}" if line else str(path)

    try:
        plan = Plan(given, path.parent)
    except PlanError as error:
        error.found = Sentence(f"{stated(error.place)}: ", error.found)
        raise
    plan.sources = tuple(replace(s, stated=stated(s.place)) for s in plan.sources)
    plan.stated = lambda place: f"{stated(place)}: "
    return plan


def line_of(text: str, place: Sequence[str | int]) -> int | None:
    """Return the line of a place in a plan: of its key, of the table or the list's entry it is in.

    >>> plan = '''rng = 1
    ... [[schemes]]
    ... scheme = "tree"
    ... [[schemes]]
    ... grid = {k = [1]}'''
    >>> line_of(plan, ("schemes", 1, "grid")), line_of(plan, ("schemes", 1)), line_of(plan, ("rng",))
    (5, 4, 1)
    """
    if not place:
        return None
    lines = text.split("\n")
    first, *rest = place
    begin, end = _table(lines, str(first), rest[0] if rest else 0)
    if begin is None:
        return _listed(lines, str(first), rest)
    keys = (step for step in reversed(rest) if isinstance(step, str))
    found = (line for key in keys if (line := _key(lines, key, begin, end)))
    return next(found, begin + 1)


def _table(lines: Sequence[str], name: str, which: str | int) -> tuple[int | None, int]:
    """Return where a table begins and ends: the one of that place among several of a name."""
    heads = [(i, m[1]) for i, line in enumerate(lines) if (m := HEADER.fullmatch(line))]
    ends = [i for i, _ in heads[1:]] + [len(lines)]
    ours = [
        (i, end)
        for (i, title), end in zip(heads, ends, strict=False)
        if title in {name, f"{name}.{which}"}
    ]
    place = which if isinstance(which, int) else 0
    return ours[place] if place < len(ours) else (None, len(lines))


def _key(lines: Sequence[str], key: str, begin: int, end: int) -> int | None:
    pattern = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[.=]")
    return next((i + 1 for i in range(begin, end) if pattern.match(lines[i])), None)


def _listed(lines: Sequence[str], key: str, rest: Sequence[str | int]) -> int | None:
    """Return the line of a key at the top, or of an entry of its list, or of a key in that entry."""
    start = _key(lines, key, 0, len(lines))
    if start is None or not rest or not isinstance(rest[0], int):
        return start
    text = "\n".join([lines[start - 1].partition("=")[2], *lines[start:]])
    entries = _entries(text)
    if rest[0] >= len(entries):
        return start
    begin, end = entries[rest[0]]
    inside = re.search(rf"\b{re.escape(str(rest[-1]))}\s*=", text[begin:end])
    at = begin + inside.start() if inside and len(rest) > 1 else begin
    return start + text.count("\n", 0, at)


def _entries(text: str) -> list[tuple[int, int]]:
    """Return where the entries of the list begin and end that a text starts with.

    >>> ['["a", {b = [1, 2]}] # c'[i:j] for i, j in _entries('["a", {b = [1, 2]}] # c')]
    ['"a"', '{b = [1, 2]}']
    """
    found: list[tuple[int, int]] = []
    depth, begin = 0, None
    for piece in PIECE.finditer(text):
        token = piece[0]
        if token.startswith("#"):
            continue
        if depth == 1 and token in {",", "]"} and begin is not None:
            found.append((begin, piece.start()))
            begin = None
        elif depth == 1 and begin is None:
            begin = piece.start()
        depth += (token in {"[", "{"}) - (token in {"]", "}"})
        if depth == 0:
            break
    return found
