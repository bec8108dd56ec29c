"""Lines along which a function on a grid is zero."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats

# Across (0) or up (1), and the row and column of the point it starts at.
Edge = tuple[int, int, int]
Lines = list[tuple[Floats, Floats]]


def zero_lines(
    x: Floats, y: Floats, values: Floats, cells: NDArray[np.bool_] | None = None
) -> Lines:
    """Return the lines on which values change their sign, straight within each cell of the grid.

    ``values`` has a row for each y and a column for each x; 0 counts as positive. ``cells`` says where
    to look. A line is the x and y of its points; a closed one ends where it begins (marching squares).

    >>> lines = zero_lines(np.arange(3.0), np.arange(2.0), np.array([[-1.0, 1, 1], [-1, 1, 1]]))
    >>> [(x.tolist(), y.tolist()) for x, y in lines]
    [([0.5, 0.5], [0.0, 1.0])]
    """
    inside = values >= 0
    corners = inside[:-1, :-1], inside[:-1, 1:], inside[1:, 1:], inside[1:, :-1]
    total = sum(c.astype(int) for c in corners)
    mixed = (total > 0) & (total < 4)
    if cells is not None:
        mixed &= cells
    nexts: dict[Edge, list[Edge]] = {}
    for i, j in np.argwhere(mixed).tolist():
        for one, other in _pieces(i, j, inside, values):
            nexts.setdefault(one, []).append(other)
            nexts.setdefault(other, []).append(one)
    return [_placed(line, x, y, values) for line in _joined(nexts)]


def _pieces(
    i: int, j: int, inside: NDArray[np.bool_], values: Floats
) -> Iterator[tuple[Edge, Edge]]:
    """Yield the edges of a cell that a line joins, two by two."""
    below, right, above, left = (0, i, j), (1, i, j + 1), (0, i + 1, j), (1, i, j)
    a, b = inside[i, j], inside[i, j + 1]
    d, c = inside[i + 1, j], inside[i + 1, j + 1]
    crossed = [
        edge
        for edge, differ in ((below, a != b), (right, b != c), (above, c != d), (left, d != a))
        if differ
    ]
    if len(crossed) == 2:
        yield crossed[0], crossed[1]
        return
    # A saddle: its middle says which two corners hang together.
    middle = values[i : i + 2, j : j + 2].mean() >= 0
    if middle == a:
        yield from ((below, right), (above, left))
    else:
        yield from ((left, below), (right, above))


def _joined(nexts: dict[Edge, list[Edge]]) -> Iterator[list[Edge]]:
    """Yield the edges along each line: first lines with ends, then those that close."""
    left = dict(nexts)
    ends = [edge for edge, others in nexts.items() if len(others) == 1]
    for start in chain(ends, nexts):
        if start not in left:
            continue
        line, here = [start], start
        del left[start]
        while follow := [e for e in nexts[here] if e in left]:
            here = follow[0]
            line.append(here)
            del left[here]
        if len(nexts[start]) == 2 and start in nexts[here]:
            line.append(start)
        yield line


def _placed(line: list[Edge], x: Floats, y: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return where each edge is crossed."""
    up, i, j = np.array(line).T
    first, second = values[i, j], values[i + up, j + 1 - up]
    part = first / (first - second)
    return x[j] + part * (x[j + 1 - up] - x[j]), y[i] + part * (y[i + up] - y[i])
