"""Axes that end where the marks do, where these would fill a small part of the whole range."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any

from credibly._core.text import number_text
from credibly.results.figure import Axis, Figure, Layer

SMALL = 0.1  # of the range, below which marks are looked at more closely
EDGE = 0.01  # of the range, that a line may lie from an edge to run along it
ROOM = 0.05  # of what is shown, left beside it
Ends = Mapping[str, tuple[float, float]]


def zoomed(figure: Figure) -> Figure:
    """Cut axes down to what is drawn, where that takes a tenth of them or less, and say so.

    What runs along an edge of the frame is not looked at, nor what a trivial rule would draw.

    >>> from credibly.plots import Axis, Figure, Layer
    >>> line = Layer.of("line", x=[0, 0.3, 1], y=[0, 0.04, 0])
    >>> figure = zoomed(Figure("Costs", Axis("share", (0, 1)), Axis("cost", (0, 1)), (line,), "Low."))
    >>> figure.x.ends, figure.y.ends, figure.subtitle
    ((0, 1), (0, 0.042), 'cost shown from 0 to 0.042')
    """
    # Texts would be left outside, and panels have no subtitle to say so.
    if figure.panels or any(layer.kind == "text" for layer in figure.layers):
        return figure
    ends = {s: a.ends for s, a in (("x", figure.x), ("y", figure.y)) if _whole(a) and a.ends}
    for near in (EDGE, 0.0):  # what lies near an edge as a whole is looked at by itself
        drawn = [place for layer in figure.layers for place in _places(layer, ends, near)]
        if drawn:
            break
    cut: dict[str, Axis] = {}
    for side, (low, high) in ends.items():
        known = [place[side] for place in drawn if place.get(side) is not None]
        if not known or not 0 < max(known) - min(known) <= SMALL * (high - low):
            continue
        size, shown = max(known) - min(known), _rounded(min(known), max(known))
        # What runs along an edge that is as near as this stays in the picture.
        first = low if min(known) - low <= size else shown[0]
        last = high if high - max(known) <= size else shown[1]
        cut[side] = replace(getattr(figure, side), ends=(max(low, first), min(high, last)))
    said = [
        f"{a.title} shown from {' to '.join(map(number_text, a.ends or ()))}" for a in cut.values()
    ]
    subtitle = "; ".join(filter(None, [figure.subtitle, *said]))
    return replace(figure, **cut, subtitle=subtitle)  # type: ignore[arg-type]


def _rounded(low: float, high: float) -> tuple[float, float]:
    """Return ends with some room beside what lies between them, written with few digits."""
    room = ROOM * (high - low)
    digits = 2 - math.ceil(math.log10(high - low))
    step = 10.0**-digits * 2
    ends = math.floor((low - room) / step) * step, math.ceil((high + room) / step) * step
    return round(ends[0], digits), round(ends[1], digits)


def _whole(axis: Axis) -> bool:
    return not (axis.categories or axis.ticks or axis.logarithmic or axis.hidden)


def _places(layer: Layer, ends: Ends, near: float) -> Iterator[dict[str, Any]]:
    """Yield where marks lie, as far as that says something."""
    if layer.emphasis == "dashed" and layer.kind != "points":
        return
    rows = [
        dict(zip(layer.columns, values, strict=True))
        for values in zip(*layer.columns.values(), strict=True)
    ]
    if layer.kind in {"line", "step", "band"}:
        for _, path in groupby(rows, lambda row: (row.get("series"), row.get("path"))):
            yield from _along(list(path), layer, ends, near)
        return
    for row in rows:
        if layer.kind == "bars" and row.get("low", 0) == row["y"]:
            continue
        for x, y in (("x", "y"), ("right", "high"), ("left", "low"), ("right", "low")):
            yield {"x": row.get(x), "y": row.get(y)}


def _along(
    rows: list[dict[str, Any]], layer: Layer, ends: Ends, near: float
) -> Iterator[dict[str, Any]]:
    """Yield the ends of all parts of a line that do not run along an edge."""
    for height in ("low", "high") if layer.kind == "band" else ("y",):
        points = [(row["x"], row[height]) for row in rows]
        known = [(x, y) for x, y in points if x is not None and y is not None]
        if layer.kind == "step":
            known = [q for a, b in pairwise(known) for q in (a, (a[0], b[1]), b)] or known
        for part in pairwise(known):
            sides = zip(zip(*part, strict=True), (ends.get("x"), ends.get("y")), strict=True)
            if not any(_on_edge(values, between, near) for values, between in sides):
                yield from ({"x": x, "y": y} for x, y in part)


def _on_edge(values: Iterable[float], ends: tuple[float, float] | None, near: float) -> bool:
    """Whether all values lie at one end, or near it."""
    if ends is None:
        return False
    listed, room = list(values), near * (ends[1] - ends[0])
    return any(all(abs(v - end) <= room for v in listed) for end in ends)
