"""Words of errors: values, rows and numbers as sentences name them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from credibly._core.text import number_text
from credibly.errors import ArgumentName, ParameterError, says


def shown(value: object, limit: int = 60) -> str:
    """Write a value into a sentence: its type, where it cannot say what it is.

    >>> shown("a"), shown([1, 2])
    ("'a'", '[1, 2]')
    """
    try:
        text = repr(value)
    except Exception:  # of a type of others
        text = f"a {type(value).__name__} object"
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
    except Exception:  # whatever a type of others does when it is read
        raise ParameterError(
            says(
                "{name} must be a list of {what}; got {values}.",
                name=ArgumentName(name),
                what=what,
                values=shown(values),
            )
        ) from None


FROM_ZERO = ", counted from 0"


def some_rows(
    rows: Iterable[object], limit: int = 5, *, identified: bool = False, noun: str = "row"
) -> str:
    """Name the first few rows of a complaint by their place, or by what identifies them.

    >>> some_rows([3, 5])
    'rows 3, 5, counted from 0'
    >>> some_rows(range(100), limit=2)
    'rows 0, 1 and 98 more, counted from 0'
    >>> some_rows(["case-7"], identified=True)
    'row case-7'
    """
    rows = list(rows)
    named = ", ".join(str(r) for r in rows[:limit])
    more = f" and {len(rows) - limit} more" if len(rows) > limit else ""
    return f"{noun}{'s' if len(rows) > 1 else ''} {named}{more}{'' if identified else FROM_ZERO}"


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
