"""Curves as characters: enough to see a shape in a terminal or a log."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill, indent
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.text import number_text

if TYPE_CHECKING:
    from credibly.curves import Curve


SPACE = "\N{NO-BREAK SPACE}"
WIDTH, HEIGHT = 50, 16
MARKS = "*o+x#@%&=$ABCDEFGHIJ"


def text_plot(curves: Sequence[Curve]) -> str:
    """Draw curves of one kind into a grid of characters, each with a mark of its own.

    >>> from credibly import Predictions, curve
    >>> print(text_plot([curve(Predictions.of([1, 0], score=[2, 1]), "roc")]).splitlines()[0])
           1 |**************************************************
    """
    lines = [_along(c) for c in curves]
    if not all(x.size for x, _ in lines):
        return ""
    sides = [np.concatenate(side) for side in zip(*lines, strict=True)]
    (left, right), (low, high) = ((float(s.min()), float(s.max())) for s in sides)
    grid = np.full((HEIGHT, WIDTH), " ")
    for i, (x, y) in enumerate(lines):
        column = np.rint((x - left) / (right - left or 1) * (WIDTH - 1)).astype(int)
        row = np.rint((y - low) / (high - low or 1) * (HEIGHT - 1)).astype(int)
        grid[HEIGHT - 1 - row, column] = MARKS[i % len(MARKS)]
    named = {0: number_text(high), HEIGHT - 1: number_text(low)}
    drawn = [f"{named.get(r, ''):>8} |{''.join(cells)}" for r, cells in enumerate(grid)]
    end = number_text(right)
    drawn += [f"{'':8} +{'-' * WIDTH}", f"{'':10}{number_text(left):<{WIDTH - len(end)}}{end}"]
    marked = [f"{MARKS[i % len(MARKS)]} {c.label}" for i, c in enumerate(curves) if c.label]
    drawn += indent(fill("  ".join(m.replace(" ", SPACE) for m in marked), WIDTH), " " * 10).split(
        "\n"
    )
    drawn = [line.replace(SPACE, " ") for line in drawn]
    return "\n".join(line.rstrip() for line in drawn).rstrip("\n")


def _along(c: Curve) -> tuple[Floats, Floats]:
    """Return many points evenly along a curve, its jumps included."""
    shown = np.isfinite(c.y) & np.isfinite(c.x)
    x, y = c.x[shown], c.y[shown]
    if c.drawn == "step":  # a point holds back to the one before it
        x, y = np.repeat(x, 2)[:-1], np.repeat(y, 2)[1:]
    if not x.size:
        return x, y
    way = np.zeros(x.size)
    for side in (x, y):
        way[1:] += np.abs(np.diff(side)).cumsum() / (np.ptp(side) or 1)
    at = np.linspace(0, way[-1], 8 * WIDTH)
    return np.interp(at, way, x), np.interp(at, way, y)
