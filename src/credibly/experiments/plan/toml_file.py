"""Plans from TOML files, with errors that name the line."""

from __future__ import annotations

import tomllib
from bisect import bisect_left
from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

from credibly.errors import DataError, Sentence
from credibly.experiments.plan.plan import Plan, PlanError

MAX_BYTES = 10_000_000
MAX_DEPTH = 8  # lists and tables inside one another


def read_plan(path: Path) -> Plan:
    """Read a plan; files that it names are looked for beside it."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DataError(
                f"{path} has more than {MAX_BYTES:,} bytes, which is too many for a plan."
            )
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8, so it is not a TOML file.") from None
    except OSError as error:
        raise DataError(f"The plan {path} cannot be read: {error.strerror}.") from None
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path} is not a TOML file: {error}.") from None

    def stated(place: Sequence[str | int]) -> str:
        line = line_of(text, place)
        return f"{path}, line {line}: " if line else f"{path}: "

    try:
        plan = Plan(given, path.parent)
    except PlanError as error:
        error.found = Sentence(stated(error.place), error.found)
        raise
    plan.stated = stated
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

    That is the last of the first lines that together have such a place; a parser need not tell where it
    is.
    """
    whole, lines = tomllib.loads(text), text.split("\n")
    nearest = next((place[:n] for n in range(len(place), 0, -1) if _has(whole, place[:n])), None)
    if nearest is None:
        return None
    return 1 + bisect_left(
        range(len(lines)), 1, key=lambda n: _has(_begun(lines[: n + 1]), nearest)
    )


def _has(value: Any, place: Sequence[str | int]) -> bool:  # noqa: ANN401
    try:
        for step in place:
            value = value[step]
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _begun(lines: Sequence[str]) -> dict[str, Any]:
    """Read the first lines of a file, with an end for the texts, lists and tables that they leave open.

    >>> _begun(["a = [1,", "  {b = [", "    2, # of which there are more"])
    {'a': [1, {'b': [2]}]}
    """
    for quotes, depth in product(("", '"""', "'''"), range(MAX_DEPTH)):
        for brackets in product("]}", repeat=depth):
            with suppress(tomllib.TOMLDecodeError):
                return tomllib.loads("\n".join([*lines, quotes + "".join(brackets)]))
    return {}
