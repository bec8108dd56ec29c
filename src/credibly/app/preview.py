"""A glance at a file before its columns have roles: the first rows, and the distribution of each column."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly.errors import CrediblyError
from credibly.io._declare import open_path
from credibly.io._source import Source
from credibly.predictions.labels import MISSING, Labels
from credibly.results.formats import json_ready

MAX_COLUMNS = 60  # that a table of a page shows
PREVIEW_ROWS = 6
HISTOGRAM_BARS = 14
MAX_COUNTED_VALUES = 6  # values of a column that are counted one by one


def preview(path: Path, options: dict[str, Any]) -> dict[str, Any]:
    r"""Return the first rows and, for each column, its kind, its range and how it is spread.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "p.csv")
    >>> _ = path.write_text("y,p\nno,0.25\nyes,0.75\nyes,\n")
    >>> made = preview(path, {})
    >>> made["n"], [c["about"] for c in made["columns"]], made["rows"][2]
    (3, ['yes 2, no 1', '0.25 to 0.75, 1 empty'], [2, 'yes', None])
    """
    with closing(open_path(path, options.get("format"))) as source:
        names = list(dict.fromkeys(source.names))[:MAX_COLUMNS]
        source.load([], names)
        labels = {name: _labels(source, name) for name in names}
        columns = [_column(source, name, labels[name]) for name in names]
    n = next((found.codes.size for found in labels.values()), 0)
    shown = _shown(list(labels.values()), n)
    rows = [[i, *(text_at(found, i) for found in labels.values())] for i in shown]
    more = len(source.names) - len(names)
    return json_ready({"n": n, "names": names, "columns": columns, "rows": rows, "more": more})


def _labels(source: Source, name: str) -> Labels:
    """Return the distinct values of a column, those of fractions too."""
    try:
        return source.labels(name)
    except CrediblyError:
        numbers = source.numbers(name)
    known = ~np.isnan(numbers)
    values, codes = np.unique(numbers[known], return_inverse=True)
    found = np.full(numbers.size, MISSING)
    found[known] = codes
    return Labels(found, tuple(f"{v:.6g}" for v in values.tolist()))


def occurrences(found: Labels) -> tuple[NDArray[np.intp], int]:
    """Return how often each value of a column stands there, and how many cells are empty."""
    there = found.codes[found.codes != MISSING]
    return np.bincount(there, minlength=len(found.values)), found.codes.size - there.size


def text_at(found: Labels, row: int) -> str | None:
    """Return the text of a cell; None if it is empty."""
    code = found.codes[row]
    return None if code == MISSING else str(found.values[code])


def _shown(labels: list[Labels], n: int) -> list[int]:
    """Return the first rows, and the first one that lacks something."""
    first = list(range(min(PREVIEW_ROWS, n)))
    gaps = [np.flatnonzero(found.codes == MISSING)[:1] for found in labels]
    lacking = sorted({int(g[0]) for g in gaps if g.size and g[0] not in first})
    return [*first, *lacking[:2]]


def _column(source: Source, name: str, found: Labels) -> dict[str, Any]:
    kind = source.kind(name)
    counts, missing = occurrences(found)
    made: dict[str, Any] = {
        "name": name,
        "kind": kind,
        "distinct": len(found.values),
        "missing": missing,
    }
    greatest = None
    if kind == "number" or (kind == "whole" and len(found.values) > MAX_COUNTED_VALUES):
        text, bars, greatest = _by_size(source, name)
    else:
        text, bars = _by_value(found, counts)
    made["about"] = ", ".join([text, *([f"{missing:,} empty"] if missing else [])])
    made |= {"bars": bars, "greatest": greatest}
    return made | {"values": [str(v) for v in found.values[:MAX_COUNTED_VALUES]]}


def _by_value(found: Labels, counts: NDArray[Any]) -> tuple[str, list[float]]:
    order = np.argsort(-counts, kind="stable")
    if len(found.values) > MAX_COUNTED_VALUES:
        text = f"{len(found.values):,} different"
    else:
        text = ", ".join(f"{found.values[i]} {counts[i]:,}" for i in order) or "nothing"
    top = counts[order[:HISTOGRAM_BARS]]
    return text, (top / max(top.max(initial=0), 1)).tolist()


def _by_size(source: Source, name: str) -> tuple[str, list[float], float | None]:
    try:
        numbers = source.numbers(name)
    except CrediblyError:
        return "not all numbers", [], None
    numbers = numbers[np.isfinite(numbers)]
    if not numbers.size:
        return "nothing", [], None
    counts, _ = np.histogram(numbers, HISTOGRAM_BARS)
    low, high = float(numbers.min()), float(numbers.max())
    return f"{low:.6g} to {high:.6g}", (counts / max(counts.max(), 1)).tolist(), high
