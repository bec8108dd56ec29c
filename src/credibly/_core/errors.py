"""Errors that say what was asked, what was found and what to do."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


class CrediblyError(Exception):
    """Every error that Credibly raises on purpose."""


class DataError(CrediblyError, ValueError):
    """The data cannot be what they are said to be.

    >>> from credibly import Predictions
    >>> Predictions.of([0, 1], score=[0.3, float("inf")])
    Traceback (most recent call last):
    ...
    credibly._core.errors.DataError: score is not a finite number in 1 row: row 1 (inf), counted from 0. ...
    """


class MissingColumnError(DataError):
    """A column that something needs is not there.

    >>> from credibly import Predictions
    >>> from credibly.measures import auc
    >>> auc(Predictions.of([0, 1], label=[0, 1]))
    Traceback (most recent call last):
    ...
    credibly._core.errors.MissingColumnError: auc needs a score or probability; ...
    """


class ParameterError(CrediblyError, ValueError):
    """An argument is outside what the function takes.

    >>> from credibly.measures import measures
    >>> measures.parse("fbeta(beta=-1)")
    Traceback (most recent call last):
    ...
    credibly._core.errors.ParameterError: fbeta: beta must be greater than 0; got -1.
    """


class UnknownNameError(ParameterError, LookupError):
    """A name that no entry has.

    >>> from credibly.measures import measures
    >>> measures["kapa"]
    Traceback (most recent call last):
    ...
    credibly._core.errors.UnknownNameError: There is no measure 'kapa'. Did you mean kappa ...? ...
    """

    __str__ = Exception.__str__  # LookupError's KeyError cousins would quote the sentence


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a sentence that offers the nearest known names, or nothing.

    >>> did_you_mean("acuracy", ["accuracy", "auc"])
    ' Did you mean accuracy?'
    """
    exact = {k.lower(): k for k in known}
    close = get_close_matches(name.lower(), exact, n=3, cutoff=0.65)
    return f" Did you mean {' or '.join(exact[c] for c in close)}?" if close else ""


def shown(value: object, limit: int = 60) -> str:
    """Write a value into a sentence: its type, where it cannot say what it is.

    >>> shown("a"), shown([1, 2])
    ("'a'", '[1, 2]')
    """
    try:
        text = repr(value)
    except Exception:  # of a type of others
        text = f"something of the type {type(value).__name__}"
    return text if len(text) <= limit else text[:limit] + "..."


def several(values: Any, name: str, what: str) -> list[Any]:  # noqa: ANN401
    """Return what an argument lists, or say that it lists nothing.

    >>> several(("a", "b"), "by", "names")
    ['a', 'b']
    """
    try:
        return list(values)
    except Exception:  # whatever a type of others does when it is read
        raise ParameterError(f"{name} must be a list of {what}; got {shown(values)}.") from None


FROM_ZERO = ", counted from 0"


def some_rows(rows: Iterable[object], limit: int = 5, *, identified: bool = False) -> str:
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
    return f"row{'s' if len(rows) > 1 else ''} {named}{more}{'' if identified else FROM_ZERO}"


def count(n: float, noun: str) -> str:
    """Write a number with its noun.

    >>> count(1, "row"), count(1200, "row"), count(2, "class")
    ('1 row', '1,200 rows', '2 classes')
    """
    plural = noun + ("es" if noun.endswith("s") else "s")
    number = f"{n:,}" if isinstance(n, int) else f"{n:,.10g}"
    return f"{number} {noun if n == 1 else plural}"
