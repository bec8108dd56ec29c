"""What drawing a curve returns: points with their thresholds, a band, and what to doubt."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from heapq import heappop, heappush
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.layout import Key
from credibly._core.text import count, lower_first, number_text, percent
from credibly.errors import ParameterError, listed
from credibly.measures import measures
from credibly.results.about import ABOUT_ONE_MODEL, About
from credibly.results.formats import by_row, cell_text
from credibly.results.interval import Interval
from credibly.results.result import Blocks, Cells, Result

Drawn = Literal["line", "step"]
Scale = Literal["linear", "probit"]

POINTS_TO_DRAW = 2000
POINTS_TO_READ = 11
MIN_POINTS = 400  # too few columns of a picture to see its shape
ESTIMATE_TITLES = {
    "pooled": "all cases pooled",
    "fold_mean": "mean over folds",
    "dataset_mean": "mean over data sets",
}


class Band(Result):
    """Confidence limits of a curve at some values of x.

    ``simultaneous`` limits hold the whole curve with their confidence, the others each point by itself.
    """

    x: Floats
    low: Floats
    high: Floats
    confidence_level: float
    method: str
    simultaneous: bool
    about: About = "cases"

    def at(self, x: ArrayLike) -> tuple[Floats, Floats]:
        """Return the limits at some x, by straight lines between those that were computed."""
        at = np.asarray(x, np.float64)
        return interpolate(at, self.x, self.low, "line"), interpolate(at, self.x, self.high, "line")

    def __str__(self) -> str:
        kind = "simultaneous" if self.simultaneous else "pointwise"
        return (
            f"The {kind} {percent(self.confidence_level)} band is about {ABOUT_ONE_MODEL[self.about]}: "
            f"{self.method}."
        )


class Curve(Result):
    """Points with rising x, the score from which on cases are positive at each, and what belongs to them.

    A ``line`` goes straight from point to point; a ``step`` holds the value of a point back to the
    point before it. ``numbers`` are named figures such as its area, ``beside`` lines to compare it with
    (chance, trivial rules), and ``parts`` the curves of which it is the average.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1])
    >>> roc = credibly.curve(p, "roc")
    >>> roc.x.tolist(), roc.y.tolist(), roc.threshold.tolist()
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], [inf, 0.9, 0.4, 0.1])
    >>> roc.at(0.25), roc.numbers["auc"]
    (0.75, 0.875)
    """

    name: str
    title: str
    x: Floats
    y: Floats
    threshold: Floats | None
    x_title: str
    y_title: str
    keys: Mapping[str, object] = field(default_factory=dict)
    band: Band | None = None
    numbers: Mapping[str, float] = field(default_factory=dict)
    beside: Mapping[str, tuple[Floats, Floats]] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    drawn: Drawn = "line"
    scale: Scale = "linear"
    parts: tuple[Curve, ...] = ()
    # What it makes of several folds.
    estimate: Literal["", "pooled", "fold_mean", "dataset_mean"] = ""
    intervals: Mapping[str, Interval] = field(default_factory=dict)  # of numbers that are measures

    json_keys = (
        "*keys curve=name title x_title y_title drawn scale numbers [intervals] estimate? x y threshold band "
        "beside=_beside findings parts"
    )

    def _instead_of(self, name: str) -> str:
        return f".numbers[{name!r}]" if name in self.numbers else ""

    @property
    def label(self) -> str:
        """What tells it from the other curves: its model, fold ..."""
        return ", ".join(str(v) for v in self.keys.values())

    def at(self, x: ArrayLike) -> Any:  # noqa: ANN401  (a number for a number, an array for an array)
        """Return y at some x by the curve's own interpolation; NaN outside of it."""
        values = interpolate(np.asarray(x, np.float64), self.x, self.y, self.drawn)
        return values if np.ndim(x) else float(values)

    def thinned(self, points: int = POINTS_TO_DRAW) -> Curve:
        """Return at most so many points, those that draw the picture best.

        Of each of ``points / 4`` columns of a picture the first, the last, the lowest and the highest
        point are kept: all that a line can show in it. Where that leaves too few columns, the ends are
        kept and then, one by one, the point farthest from the line that is drawn so far, so that a curve
        that bends within a pixel of the corner does so too where the picture shows that corner alone.
        """
        if points < 2:
            raise ParameterError(
                f"points must be a whole number of at least 2, the ends; got {points!r}."
            )
        if self.x.size <= points:
            return self
        if points < MIN_POINTS:
            keep = _farthest_first(self.x, self.y, points)
        else:
            keep = _corners_of_columns(self.x, self.y, points // 4)
        threshold = None if self.threshold is None else self.threshold[keep]
        return replace(self, x=self.x[keep], y=self.y[keep], threshold=threshold)

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat dictionary per point."""
        return [{**self.keys, **row} for row in by_row(self._columns())]

    def _columns(self) -> dict[str, Floats]:
        columns = {"x": self.x, "y": self.y}
        if self.threshold is not None:
            columns["threshold"] = self.threshold
        if self.band is not None:
            columns["low"], columns["high"] = self.band.at(self.x)
        return columns

    def _beside(self) -> dict[str, dict[str, Floats]]:
        return {name: {"x": x, "y": y} for name, (x, y) in self.beside.items()}

    def to_json(self, indent: int | None = None) -> str:
        """Return JSON with full precision; NaN is ``null``, infinities are strings."""
        return Curves((self,)).to_json(indent)

    def cells(self, points: int = POINTS_TO_READ) -> Cells:
        """Return header and body of a short table: the curve at evenly spread points."""
        picked = spread(self.x, self.y, points)
        named = {"x": self.x_title, "y": self.y_title}
        # By title: where x is the threshold, it stands there once.
        columns = {named.get(k, k): c[picked] for k, c in self._columns().items()}
        return [*columns], [
            [number_text(float(v)) for v in row] for row in zip(*columns.values(), strict=True)
        ]

    def heading(self, points: int = POINTS_TO_READ) -> str:
        """Return one line: what it is, of what, its numbers, and how many of its points a table shows."""
        of = f" of {self.label}" if self.label else ""
        shown = spread(self.x, self.y, points).size
        some = "" if shown == self.x.size else f" ({shown} shown)"
        numbers = "".join(f", {k} {number_text(v)}" for k, v in self.numbers.items())
        numbers += f" ({ESTIMATE_TITLES[self.estimate]})" if numbers and self.estimate else ""
        return f"{self.title}{of}: {count(self.x.size, 'point')}{some}{numbers}"

    def meaning(self) -> str:
        """Say what its number is, where that is a measure."""
        for name, value in self.numbers.items():
            if name in measures and math.isfinite(value):
                summary = str(measures[name].doc).partition("\n")[0]
                return f"{measures[name].title} {number_text(value)}: {lower_first(summary)}"
        return ""

    def about_intervals(self) -> str:
        """Say what the band is about."""
        return str(self.band or "")

    def remarks(self) -> list[str]:
        """Say what the band is about."""
        return [str(self.band)] if self.band else []


class Curves(Result):
    """Curves of several models, folds or classes, found by what distinguishes them.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 0, 1, 0], score=[2, 1, 1, 2], model=["a", "a", "b", "b"])
    >>> both = credibly.curve(p, "roc")
    >>> both["a"].numbers["auc"], both["b"].numbers["auc"], list(both)
    (1.0, 0.0, ['a', 'b'])
    """

    curves: tuple[Curve, ...]
    findings: tuple[Finding, ...] = ()

    versioned = True
    indent = None
    row_parts = "curves"
    empty_columns = "x y"
    finding_parts = "curves"

    def __len__(self) -> int:
        return len(self.curves)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.keys())

    def keys(self) -> list[Any]:
        """Return what each curve is found under: its one key, or all of them as a tuple."""
        return [_key(c) for c in self.curves]

    def values(self) -> tuple[Curve, ...]:
        """Return the curves."""
        return self.curves

    def items(self) -> list[tuple[Any, Curve]]:
        """Return the curves with what they are found under."""
        return list(zip(self.keys(), self.curves, strict=True))

    def __getitem__(self, key: object) -> Curve:
        for each, curve in self.items():
            if each == key:
                return curve
        named = ", ".join(map(repr, self.keys()))
        raise KeyError(f"{key!r} has no curve here; there are: {named}.")

    def where(self, **conditions: object) -> Curves:
        """Return the curves whose model, fold ... equal the given values."""
        kept = (c for c in self.curves if all(c.keys.get(k) == v for k, v in conditions.items()))
        return replace(self, curves=tuple(kept))

    def blocks(self) -> Blocks:
        """Yield an overview of several curves, then heading and points of each."""
        if len(self.curves) > 1:
            yield "", *self._overview()
        for each in self.curves:
            yield each.heading(), *each.cells()

    def _overview(self) -> Cells:
        keys = list(dict.fromkeys(k for c in self.curves for k in c.keys))
        numbers = list(dict.fromkeys(n for c in self.curves for n in c.numbers))
        body = [
            [
                *(str(c.keys.get(k, "")) for k in keys),
                f"{c.x.size:,}",
                *(cell_text(c.numbers.get(n)) for n in numbers),
            ]
            for c in self.curves
        ]
        return [*map(Key, keys), "points", *numbers], body

    def meaning(self) -> str:
        """Say between which values their number lies, where that is a measure."""
        named = next((n for c in self.curves for n in c.numbers if n in measures), "")
        known = [c for c in self.curves if math.isfinite(c.numbers.get(named, math.nan))]
        if len(known) < 2:
            return ""
        low, high = (way(known, key=lambda c: c.numbers[named]) for way in (min, max))
        ends = (f"{number_text(c.numbers[named])} ({c.label})" for c in (low, high))
        return f"{measures[named].title} lies between {' and '.join(ends)}."

    def remarks(self) -> list[str]:
        """Say what the bands are about."""
        return list(dict.fromkeys(said for c in self.curves for said in c.remarks()))

    def heading(self) -> str:
        """Return one line: what they are, and how many."""
        titles = listed(dict.fromkeys(c.title for c in self.curves)) or "no kind"
        return f"{count(len(self.curves), 'curve')}: {titles}"


def interpolate(at: Floats, x: Floats, y: Floats, drawn: Drawn) -> Floats:
    """Return y at some x: on the straight line between points, or of the next point of a step.

    Where several points share x a line gives the last of them and a step the first.
    """
    if drawn == "line":
        return np.asarray(np.interp(at, x, y, left=np.nan, right=np.nan))
    place = np.searchsorted(x, at, side="left")
    inside = (at >= x[0]) & (place < x.size)
    return np.where(inside, y[np.minimum(place, x.size - 1)], np.nan)


def _key(c: Curve) -> Any:  # noqa: ANN401
    values = tuple(c.keys.values())
    return values[0] if len(values) == 1 else values


def _corners_of_columns(x: Floats, y: Floats, columns: int) -> NDArray[np.intp]:
    """Return the places of the first, last, lowest and highest point in each column of a picture."""
    first = np.unique(np.concatenate([[0], np.searchsorted(x, even_steps(x, columns + 1)[1:-1])]))
    first = first[first < x.size]
    last = np.append(first[1:], x.size) - 1
    span = np.repeat(np.arange(first.size), last - first + 1)
    height = np.where(np.isnan(y), -np.inf, y)
    # Within a span, in order of height: the ends of the order are the lowest and the highest point.
    by_height = np.lexsort((height, span))
    return np.unique(np.concatenate([first, last, by_height[first], by_height[last]]))


def _farthest_first(x: Floats, y: Floats, points: int) -> NDArray[np.intp]:
    """Return the places of so many points, each the farthest from the line through those before it.

    Douglas, D. H. and Peucker, T. K. (1973), Cartographica 10, 112-122, with the number of points given.
    """
    x, y = _to_unit(x), _to_unit(y)

    def between(first: int, last: int) -> tuple[float, int, int, int]:
        across, up = x[last] - x[first], y[last] - y[first]
        inner = slice(first + 1, last)
        beside = np.abs(across * (y[inner] - y[first]) - up * (x[inner] - x[first]))
        far = int(beside.argmax())
        return -float(beside[far]) / (np.hypot(across, up) or 1.0), first + 1 + far, first, last

    kept = [0, x.size - 1]
    gaps = [between(*kept)]
    while gaps and len(kept) < points:
        _, place, first, last = heappop(gaps)
        kept.append(place)
        for ends in ((first, place), (place, last)):
            if ends[1] - ends[0] > 1:
                heappush(gaps, between(*ends))
    return np.sort(np.array(kept, np.intp))


def _to_unit(side: Floats) -> Floats:
    """Stretch to a picture of height one; what is endless lies at its edge."""
    finite = side[np.isfinite(side)]
    if not finite.size:
        return np.zeros(side.size)
    low, high = finite.min() / 2, finite.max() / 2  # halves, whose difference cannot overflow
    shown = np.nan_to_num(side, nan=2 * low, posinf=2 * high, neginf=2 * low) / 2
    return np.asarray((shown - low) / ((high - low) or 1.0))


def even_steps(x: Floats, count: int) -> Floats:
    """Return so many numbers evenly from the first x to the last, however far apart they are.

    >>> even_steps(np.array([0.0, 5.0, 8.0]), 5).tolist()
    [0.0, 2.0, 4.0, 6.0, 8.0]
    """
    return np.clip(2 * np.linspace(x[0] / 2, x[-1] / 2, count), x[0], x[-1])


def spread(x: Floats, y: Floats, points: int) -> NDArray[np.intp]:
    """Return the places of points that lie evenly along the curve, its ends included."""
    if x.size <= points:
        return np.arange(x.size)
    way = np.zeros(x.size)
    for side in (x, y):
        value = np.nan_to_num(side)
        # Differences of what is huge would overflow.
        value = value / max(np.abs(value).max(), 1e-300)
        steps = np.abs(np.diff(value))
        way[1:] += steps.cumsum() / max(steps.sum(), 1e-300)
    wanted = np.searchsorted(way, np.linspace(0, way[-1], points))
    return np.unique(np.minimum(wanted, x.size - 1))
