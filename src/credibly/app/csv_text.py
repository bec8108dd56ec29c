"""Rows as CSV in which no cell is a formula, whatever a spreadsheet would make of it (exports.js does the same)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import Any

FORMULA = re.compile(r"[=@\t\r]|[+-].")  # a plus or minus alone may name a class
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


def as_csv(names: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    r"""Write rows as CSV.

    >>> as_csv(["=1+2", "b"], [["@SUM(A1)", -1.5], ["-2e-3", "-"], ["-a|calc", 3]]).split("\r\n")
    ["'=1+2,b", "'@SUM(A1),-1.5", '-2e-3,-', "'-a|calc,3", '']
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(map(_cell, names))
    writer.writerows(map(_cell, row) for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """Return what is written for a value: before a text that would be computed stands an apostrophe."""
    text = str(value)
    return f"'{text}" if FORMULA.match(text) and not NUMBER.fullmatch(text) else value
