"""Draw a figure as a small SVG without any library: nothing here looks at what the figure is about.

It stands beside a table in a notebook, on whatever ground that has: there is none of its own, and ink
and colours are of middling lightness. It takes half a millisecond, where Vega takes 0.2 s, and 2 s at first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from credibly._core.text import escaped, number_text
from credibly.render.names import width as pixels_of
from credibly.render.palette import SERIES
from credibly.results.figure import Axis, Figure, Layer, renderer

INK, QUIET = "#7b7b7b", "#9a9a9a"  # read on white and on black
COLOURS = SERIES[:-1]  # the last is too dark for a dark ground
WIDTH, HEIGHT, SQUARE_SIDE, ROW_HEIGHT = 380, 230, 240, 22
# Margins, and the width of a letter.
TOP_MARGIN, RIGHT_MARGIN, BOTTOM_MARGIN, LETTER_WIDTH = 12, 14, 42, 6.2
MAX_NAME_LETTERS, MAX_SIDE_LETTERS = 22, 42  # letters of a name, and of one beside the picture
MAX_LEGEND_NAMES = 6
MAX_TICKS = 6
COLOURED_SHAPES = {"line", "step", "points"}  # that have a colour where no series has one
DASHED = ' stroke-dasharray="5 4"'
Point = tuple[float, float]
Columns = dict[str, list[Any]]


@dataclass(frozen=True, slots=True)
class Scale:
    """Where along a side numbers or categories stand, in pixels from ``start`` to ``end``."""

    axis: Axis
    low: float
    high: float
    start: float
    end: float
    longest: int = MAX_NAME_LETTERS

    @property
    def step(self) -> float:
        """The room of a category."""
        return (self.end - self.start) / max(1, len(self.axis.categories))

    def at(self, value: Any) -> float | None:  # noqa: ANN401
        """Return the place of a value; none where there is no value or it lies far outside."""
        if self.axis.categories:
            return self.start + self.step * (self.axis.categories.index(value) + 0.5)
        if value is None or (self.axis.logarithmic and value <= 0):
            return None
        low, high, value = (self._plain(v) for v in (self.low, self.high, value))
        share = (value - low) / (high - low) if high > low else 0.5
        return self.start + (self.end - self.start) * min(2.0, max(-1.0, share))

    def _plain(self, value: float) -> float:
        return math.log10(value) if self.axis.logarithmic else float(value)

    def ticks(self) -> list[tuple[float, str]]:
        """Return places and what is written there."""
        if self.axis.categories:
            named = [(self.at(c), _short(c, self.longest)) for c in self.axis.categories]
        elif self.axis.ticks:
            named = [
                (self.at(v), text) for v, text in self.axis.ticks if self.low <= v <= self.high
            ]
        else:
            named = [(self.at(v), number_text(v)) for v in self._round_numbers()]
        return [(place, text) for place, text in named if place is not None]

    def _round_numbers(self) -> list[float]:
        if self.axis.logarithmic:
            first, last = math.ceil(math.log10(self.low)), math.floor(math.log10(self.high))
            return [10.0**i for i in range(first, last + 1)]
        span = self.high - self.low
        if not span > 0:
            return [self.low]
        rough = 10 ** math.floor(math.log10(span / MAX_TICKS))
        step = next(rough * m for m in (1, 2, 5, 10) if span / (rough * m) <= MAX_TICKS)
        first = math.ceil(self.low / step - 1e-9)
        return [step * i for i in range(first, math.floor(self.high / step + 1e-9) + 1)]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What marks are drawn on: the two scales and the colours of series."""

    x: Scale
    y: Scale
    colours: dict[str, str] = field(default_factory=dict)

    def path(self, x: Iterable[Any], y: Iterable[Any]) -> Iterator[list[Point]]:
        """Yield the pieces of a line between gaps, each pixel once."""
        piece: list[Point] = []
        for across, up in zip(x, y, strict=True):
            left, top = self.x.at(across), self.y.at(up)
            if left is None or top is None:
                if piece:
                    yield piece
                piece = []
            elif not piece or (round(left, 1), round(top, 1)) != piece[-1]:
                piece.append((round(left, 1), round(top, 1)))
        if piece:
            yield piece


@renderer(file=False)
def sketch(figure: Figure) -> str:
    """Return the picture as a small SVG that reads on light and dark ground."""
    sheet, wide, height = _sheet(figure)
    names = figure.series()
    legend = list(_legend(names, sheet, height)) if len(names) > 1 else []
    marks = [mark for layer in figure.layers for mark in _marks(layer, sheet)]
    x, y = sheet.x, sheet.y
    room = f'width="{x.end - x.start + 8:.1f}" height="{abs(y.start - y.end) + 8:.1f}"'
    clip = f'<clipPath id="c"><rect x="{x.start - 4:.1f}" y="{TOP_MARGIN - 4}" {room}/></clipPath>'
    below = height + 16 * min(len(names), MAX_LEGEND_NAMES) * (len(names) > 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{below:.0f}" '
        f'viewBox="0 0 {wide:.0f} {below:.0f}" font-family="system-ui, sans-serif" font-size="11" '
        f'fill="{INK}">{clip}{"".join(_frame(sheet))}<g clip-path="url(#c)">{"".join(marks)}</g>'
        f"{''.join(_words(figure, sheet))}{''.join(legend)}</svg>"
    )


def _sheet(figure: Figure) -> tuple[Sheet, float, float]:
    """Lay out the axes: their ends, and the room that words take at the left."""
    rows = figure.rows or len(figure.y.categories)
    ends = {side: _ends(figure, side) for side in "xy"}
    labels = (
        [t for _, t in Scale(figure.y, *ends["y"], 0, 1, MAX_SIDE_LETTERS).ticks()]
        if not figure.y.hidden
        else []
    )
    left = 24 + LETTER_WIDTH * max(map(len, labels), default=0)
    wide, high = (
        (SQUARE_SIDE, SQUARE_SIDE)
        if figure.square
        else (WIDTH, max(60, ROW_HEIGHT * rows) if rows else HEIGHT)
    )
    x = Scale(figure.x, *ends["x"], left, left + wide)
    # Categories are read from the top, numbers from the foot.
    down = (
        (TOP_MARGIN, TOP_MARGIN + high) if figure.y.categories else (TOP_MARGIN + high, TOP_MARGIN)
    )
    y = Scale(figure.y, *ends["y"], *down, MAX_SIDE_LETTERS)
    colours = {n: COLOURS[i % len(COLOURS)] for i, n in enumerate(figure.series())}
    return Sheet(x, y, colours), left + wide + RIGHT_MARGIN, TOP_MARGIN + high + BOTTOM_MARGIN


def _ends(figure: Figure, side: str) -> tuple[float, float]:
    axis = getattr(figure, side)
    if axis.ends is not None and not axis.categories:
        return axis.ends
    columns = {"x": ("x", "right", "left"), "y": ("y", "low", "high")}[side]
    found = [
        v
        for layer in figure.layers
        for c in columns
        for v in layer.columns.get(c, ())
        if isinstance(v, int | float) and math.isfinite(v) and (v > 0 or not axis.logarithmic)
    ]
    if axis.categories or not found:
        return 0.0, 1.0
    low, high = min(found), max(found)
    if axis.logarithmic:
        return low / 1.1, high * 1.1
    room = 0.04 * (high - low) or abs(low) / 10 or 1
    return low - room, high + room


def _frame(sheet: Sheet) -> Iterator[str]:
    """Yield the lines of the two axes, and faint ones at the ticks."""
    x, y = sheet.x, sheet.y
    foot, top = max(y.start, y.end), min(y.start, y.end)
    cells = bool(x.axis.categories and y.axis.categories)  # which lines would cross
    for place, _ in () if x.axis.hidden or cells else x.ticks():
        yield _stroke([(place, foot), (place, top)], INK, 1, ' stroke-opacity=".2"')
    for place, _ in () if y.axis.hidden or cells else y.ticks():
        yield _stroke([(x.start, place), (x.end, place)], INK, 1, ' stroke-opacity=".2"')
    yield _stroke([(x.start, top), (x.start, foot), (x.end, foot)], INK, 1)


def _words(figure: Figure, sheet: Sheet) -> Iterator[str]:
    """Yield the numbers at the axes and their titles."""
    x, y = sheet.x, sheet.y
    foot, top = max(y.start, y.end), min(y.start, y.end)
    if not x.axis.hidden:
        for place, text in _apart(x):
            yield _text(place, foot + 14, text, "middle")
        yield _text((x.start + x.end) / 2, foot + 32, _short(figure.x.title, 60), "middle")
    if not y.axis.hidden:
        for place, text in y.ticks():
            yield _text(x.start - 6, place + 4, text, "end")
        middle = (top + foot) / 2
        turned = f' transform="rotate(-90 11 {middle:.1f})"'
        yield _text(
            11,
            middle,
            _short(figure.y.title, int((foot - top) / LETTER_WIDTH) + 6),
            "middle",
            turned,
        )


def _apart(scale: Scale) -> Iterator[tuple[float, str]]:
    """Yield ticks that do not stand on each other."""
    beyond = -math.inf
    for place, text in scale.ticks():
        half = LETTER_WIDTH * len(text) / 2
        if place - half > beyond:
            yield place, text
            beyond = place + half + 4


def _legend(names: Sequence[str], sheet: Sheet, height: float) -> Iterator[str]:
    """Yield a line for each series, below the picture."""
    left = sheet.x.start
    for i, name in enumerate(names[:MAX_LEGEND_NAMES]):
        at = height + 16 * i
        if i == MAX_LEGEND_NAMES - 1 < len(names) - 1:
            yield _text(left + 22, at + 4, f"and {len(names) - i} more", "start")
        else:
            yield _stroke([(left, at), (left + 16, at)], sheet.colours[name], 3)
            yield _text(
                left + 22, at + 4, _fitting(name, sheet.x.end + RIGHT_MARGIN - left - 22), "start"
            )


def _marks(layer: Layer, sheet: Sheet) -> Iterator[str]:
    for name, columns in layer.by_series():
        alone = not sheet.colours and layer.kind in COLOURED_SHAPES and layer.emphasis == "plain"
        shaped = layer.kind == "band" or alone
        colour = sheet.colours.get(name or "", COLOURS[0] if shaped else INK)
        colour = QUIET if layer.emphasis == "dashed" else colour
        yield from _DRAWERS[layer.kind](sheet, columns, colour, layer)


def _line(sheet: Sheet, c: Columns, colour: str, layer: Layer) -> Iterator[str]:
    x, y = c["x"], c["y"]
    if layer.kind == "step":  # each height holds to the left of its point
        x = [v for pair in zip([x[0], *x[:-1]], x, strict=True) for v in pair]
        y = [v for height in y for v in (height, height)]
    width = {"quiet": 1.0, "strong": 4.0, "dashed": 1.3}.get(layer.emphasis, 1.8)
    for piece in sheet.path(x, y):
        yield _stroke(piece, colour, width, _look(layer))


def _band(sheet: Sheet, c: Columns, colour: str, layer: Layer) -> Iterator[str]:  # noqa: ARG001
    upper, lower = ([*sheet.path(c["x"], c[end])] for end in ("high", "low"))
    for above, below in zip(upper, lower, strict=False):
        yield f'<polygon points="{_places([*above, *below[::-1]])}" fill="{colour}" fill-opacity=".18"/>'


def _points(sheet: Sheet, c: Columns, colour: str, layer: Layer) -> Iterator[str]:
    size = 1.8 if layer.emphasis == "quiet" else 3.2
    empty: list[Any] = [None] * len(c["x"])
    ends = [c.get(name, empty) for name in ("low", "high", "left", "right")]
    for x, y, low, high, left, right in zip(c["x"], c["y"], *ends, strict=True):
        if low is not None and high is not None:
            yield from (_stroke(p, colour, 1.5) for p in sheet.path([x, x], [low, high]))
        if left is not None and right is not None:
            yield from (_stroke(p, colour, 1.5) for p in sheet.path([left, right], [y, y]))
        for (across, up), *_ in sheet.path([x], [y]):
            yield f'<circle cx="{across}" cy="{up}" r="{size}" fill="{colour}"{_look(layer)}/>'


def _bars(sheet: Sheet, c: Columns, colour: str, layer: Layer) -> Iterator[str]:
    size = len(c["x"])
    rights, lows = c.get("right"), c.get("low")
    for i in range(size):
        x, y = sheet.x.at(c["x"][i]), sheet.y.at(c["y"][i])
        if x is None or y is None:
            continue
        along = rights is not None and lows is None  # along the horizontal axis
        far = sheet.x.at(rights[i]) if rights else x + 0.35 * sheet.x.step
        foot = (
            y + 0.35 * sheet.y.step
            if along
            else sheet.y.at(lows[i] if lows else max(0.0, sheet.y.low))
        )
        near, top = (
            (x if rights else x - 0.35 * sheet.x.step),
            (y - 0.35 * sheet.y.step if along else y),
        )
        if far is None or foot is None:
            continue
        left, up = min(near, far), min(top, foot)
        yield f'<rect x="{left:.1f}" y="{up:.1f}" width="{abs(far - near):.1f}" height="{abs(foot - top):.1f}" fill="{colour}"{_look(layer)}/>'


def _rule(sheet: Sheet, c: Columns, colour: str, layer: Layer) -> Iterator[str]:
    width = {"quiet": 1.0, "strong": 4.0}.get(layer.emphasis, 1.5)
    x, y = sheet.x, sheet.y
    for i in range(len(next(iter(c.values())))):
        if "x" in c and "y" in c:
            xs, ys = [c["x"][i], c.get("right", c["x"])[i]], [c["y"][i], c.get("high", c["y"])[i]]
            yield from (_stroke(piece, colour, width, _look(layer)) for piece in sheet.path(xs, ys))
        elif "x" in c and (place := x.at(c["x"][i])) is not None:
            yield _stroke([(place, y.start), (place, y.end)], colour, width, _look(layer))
        elif "y" in c and (place := y.at(c["y"][i])) is not None:
            yield _stroke([(x.start, place), (x.end, place)], colour, width, _look(layer))


def _labels(sheet: Sheet, c: Columns, colour: str, layer: Layer) -> Iterator[str]:
    aside, anchor = (6, "start") if layer.align == "left" else (-6, "end")
    taken: list[Point] = []
    for x, y, text in zip(c["x"], c["y"], c["text"], strict=True):
        for (across, up), *_ in sheet.path([x], [y]):
            room = LETTER_WIDTH * len(_short(text))
            if all(abs(across - a) > room or abs(up - b) > ROW_HEIGHT / 2 for a, b in taken):
                taken.append((across, up))
                edge = sheet.x.end - pixels_of(_short(text)) if layer.align == "left" else across
                place = min(across + aside, edge)  # moved back where it would be cut
                yield _text(place, up - 4, _short(text), anchor, f' fill="{colour}"')


def _heatmap(sheet: Sheet, c: Columns, colour: str, layer: Layer) -> Iterator[str]:  # noqa: ARG001
    values = [v for v in c["value"] if v is not None]
    low, high = min([0, *values]), max([0, *values])
    x, y = sheet.x, sheet.y
    texts = c.get("text", [""] * len(c["x"]))
    for across, up, value, text in zip(c["x"], c["y"], c["value"], texts, strict=True):
        for (left, top), *_ in sheet.path([across], [up]):
            share = 0.0 if value is None or high == low else (value - low) / (high - low)
            corner = f'x="{left - x.step / 2:.1f}" y="{top - y.step / 2:.1f}"'
            # At most half covered, so that what is written on it reads on either ground.
            yield f'<rect {corner} width="{x.step:.1f}" height="{y.step:.1f}" fill="{COLOURS[0]}" fill-opacity="{0.04 + 0.4 * share:.2f}"/>'
            yield _text(left, top + 4, _short(text), "middle")


_DRAWERS: dict[str, Callable[[Sheet, Columns, str, Layer], Iterator[str]]] = {
    "line": _line, "step": _line, "band": _band, "points": _points, "bars": _bars, "rule": _rule,
    "text": _labels, "heatmap": _heatmap,
}  # fmt: skip


def _look(layer: Layer) -> str:
    return {"quiet": ' opacity=".45"', "dashed": DASHED}.get(layer.emphasis, "")


def _stroke(points: Sequence[Point], colour: str, width: float, look: str = "") -> str:
    return f'<polyline points="{_places(points)}" fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linejoin="round"{look}/>'


def _places(points: Iterable[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _text(x: float, y: float, text: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(text)}</text>'


def _fitting(text: str, pixels: float) -> str:
    """Cut a name where its room ends."""
    cuts = (_short(text, n) for n in range(MAX_SIDE_LETTERS, 0, -1))
    return next((cut for cut in cuts if pixels_of(cut) <= pixels), "")


def _short(text: object, longest: int = MAX_NAME_LETTERS) -> str:
    """Cut a name that would leave no room for the picture."""
    whole = escaped(str(text))
    return whole if len(whole) <= longest else f"{whole[: longest - 1]}…"
