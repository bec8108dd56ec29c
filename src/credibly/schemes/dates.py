"""Dates that are written as text, as days that can be counted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    Order = Literal["ymd", "dmy", "mdy"]

DATE = re.compile(
    r"\s*(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?)?Z?\s*"
)
MONTHS_PER_YEAR = 12
SECONDS_PER_DAY = 24 * 3600


def order_of_dates(texts: Iterable[str]) -> Order | None:
    """Return the order in which dates are written; None where these are not dates, or it is ambiguous.

    The year has four digits. Where it comes last, points mean that the day is first; otherwise a number
    above 12 must tell the day.

    >>> order_of_dates(["2024-01-31", "2024-02-01 12:30"]), order_of_dates(["31/1/2024", "1/2/2024"])
    ('ymd', 'dmy')
    >>> order_of_dates(["1/2/2024"]), order_of_dates(["2024-13-01"]), order_of_dates([])
    (None, None, None)
    """
    found = []
    for text in texts:
        match = DATE.fullmatch(text)
        if match is None:
            return None
        found.append(match.groups())
    if not found:
        return None
    for order in _possible(found):
        if all(_days(groups, order) is not None for groups in found):
            return order
    return None


def _possible(found: list[tuple[str, ...]]) -> list[Order]:
    if all(len(first) == 4 for first, *_ in found):
        return ["ymd"]
    if not all(len(groups[3]) == 4 for groups in found):
        return []
    if all(groups[1] == "." for groups in found):
        return ["dmy"]
    day_first = any(int(groups[0]) > MONTHS_PER_YEAR for groups in found)
    month_first = any(int(groups[2]) > MONTHS_PER_YEAR for groups in found)
    return ["dmy"] if day_first else ["mdy"] if month_first else []


def _days(groups: Sequence[str], order: Order) -> float | None:
    numbers = dict(zip(order, (int(groups[i]) for i in (0, 2, 3)), strict=True))
    try:
        whole = date(numbers["y"], numbers["m"], numbers["d"]).toordinal()
    except ValueError:
        return None
    hour, minute, second = (float(g or 0) for g in groups[4:7])
    return whole + (3600 * hour + 60 * minute + second) / SECONDS_PER_DAY


def days_of(texts: Iterable[str | None], order: Order) -> NDArray[np.float64]:
    """Return dates as days since the year 1, NaN for what is none.

    >>> days_of(["2024-01-31", "2024-02-01T12:00", None, "soon"], "ymd")
    array([738916. , 738917.5,      nan,      nan])
    """
    matches = (None if text is None else DATE.fullmatch(text) for text in texts)
    days = [None if match is None else _days(match.groups(), order) for match in matches]
    return np.array([np.nan if day is None else day for day in days], np.float64)
