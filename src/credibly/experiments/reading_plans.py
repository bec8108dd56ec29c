"""Plans from TOML files, with errors that name the line."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from credibly._core.errors import DataError
from credibly.experiments.plans import Plan, PlanError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LARGEST = 10_000_000  # bytes
HEADER = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?")


def read_plan(path: Path) -> Plan:
    """Read a plan; files that it names are looked for beside it."""
    try:
        if path.stat().st_size > LARGEST:
            msg = f"{path} has more than {LARGEST:,} bytes, too many for a plan."
            raise DataError(msg)
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        msg = f"{path} is not UTF-8, so it is no TOML file."
        raise DataError(msg) from None
    except OSError as error:
        msg = f"The plan {path} cannot be read: {error.strerror}."
        raise DataError(msg) from None
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        msg = f"{path} is no TOML file: {error}."
        raise DataError(msg) from None

    def stated(place: Sequence[str | int]) -> str:
        line = line_of(text, place, _at(given, place))
        return f"{path}, line {line}" if line else str(path)

    try:
        plan = Plan(given, path.parent)
    except PlanError as error:
        msg = f"{stated(error.place)}: {error}"
        raise PlanError(msg, error.place) from None
    plan.sources = tuple(replace(s, stated=stated(s.place)) for s in plan.sources)
    plan.stated = lambda place: f"{stated(place)}: "
    return plan


def _at(given: Any, place: Sequence[str | int]) -> Any:  # noqa: ANN401
    """Return what stands at a place of a plan; nothing where it leads nowhere."""
    for step in place:
        try:
            given = given[step]
        except (KeyError, IndexError, TypeError):
            return None
    return given


def line_of(text: str, place: Sequence[str | int], value: object = None) -> int | None:
    """Return the line of a place in a plan: of its key, of the table it is in, or of the list.

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
    lines = text.splitlines()
    first, *rest = place
    begin, end = _table(lines, str(first), rest[0] if rest else 0)
    if begin is None:
        return _listed(lines, str(first), rest, value)
    key = rest[-1] if rest and isinstance(rest[-1], str) else None
    found = None if key is None else _key(lines, key, begin, end)
    return found or begin + 1


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


def _listed(lines: Sequence[str], key: str, rest: Sequence[Any], value: object) -> int | None:
    """Return the line of a key at the top, or of the text that stands in its list."""
    start = _key(lines, key, 0, len(lines))
    if start is None or not rest or not isinstance(value, str):
        return start
    shown = (i + 1 for i in range(start - 1, len(lines)) if value in lines[i])
    return next(shown, start)
