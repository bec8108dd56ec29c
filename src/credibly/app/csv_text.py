"""Rows as CSV in which no cell is a formula, whatever a spreadsheet would make of it (exports.js does the same)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from credibly.predictions import Predictions

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


def list_of(selected: Predictions, beside: Sequence[str] = ()) -> str:
    """Write selected cases: being selected is to be labelled positive, whatever the score.

    ``beside`` are columns of the user's file to write too.

    >>> from credibly import Predictions, cost_benefit
    >>> p = Predictions.of(["no", "yes", "no"], probability=[0.25, 0.4, 0.3])
    >>> list_of(cost_benefit(p, {"fn": 5, "fp": 1}).selected()).splitlines()
    ['row,truth,label,probability', '1,yes,yes,0.4']
    """
    positive = int(selected.positive or 0)
    label = selected.classes[positive]
    columns: dict[str, list[Any]] = {
        "row": list(range(selected.n)) if selected.row is None else selected.row.tolist(),
        "truth": [selected.classes[code] for code in selected.truth.tolist()],
        "label": [label] * selected.n,
        "score" if selected.probability is None else "probability": selected.scores_of(
            positive, "the list"
        ).tolist(),
    }
    if selected.weight is not None:
        columns["weight"] = selected.weight.tolist()
    columns |= {name: selected.columns[name].tolist() for name in beside if name not in columns}
    return as_csv(columns, zip(*columns.values(), strict=True))
