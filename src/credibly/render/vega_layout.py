"""Where things stand in a picture that Vega-Lite draws: frame, axes, titles, and the key of its series."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from json import dumps
from typing import Any

from credibly._core.text import visible
from credibly.render.names import folded, shortened, widest, wrapped
from credibly.results.figure import Axis, Figure

WIDTH, HEIGHT, SQUARE_SIDE = 420, 280, 320
MAX_SIDE, MIN_SIDE = 1000, 140  # sides of a frame
ROW_HEIGHT = 26  # height of a line of text or a category
CROWDED_ROWS = 20  # with more, they stand closer together
# Of a name beside the frame, and of one that stands upright below it.
MAX_SIDE_LETTERS, MAX_UPRIGHT_LETTERS = 42, 20
LETTER_PIXELS = 6.6
MIN_NAME_LETTERS = 12
PADDING = {
    "left": 6,
    "top": 6,
    "right": 14,
    "bottom": 6,
}  # half a number may stand out at the right
NAMES_SHARE_OF_CELLS = 0.3  # of the width of a picture of cells that names may take
NAMES_SHARE = 0.48  # of the width of a picture that names beside the frame may take
MAX_NAME_LINES = 3  # of a name below the frame
# Pixels of a symbol in the key, and of the title of an axis.
KEY_SYMBOL_PIXELS, AXIS_TITLE_PIXELS = 46, 24
MAX_MARKED_NUMBERS = 12  # that are marked one by one where all are whole
NAME_GAP_PIXELS = 8  # pixels between a name and the frame, that a point on its edge may take
TICK_PIXELS = 34  # pixels of a number beside the frame
TITLE_TYPE_SIZE = 15.5
GROWING_WIDTH, MAX_TYPE_GROWTH = 700, 1.6  # width from which on type grows, and by how much at most
# Pixels around a number in its cell; sizes of type.
CELL_PADDING, MIN_TYPE_SIZE, TYPE_SIZE = 10, 6, 11
SERIES_BY_COLOUR = 8  # series that colour alone tells apart; beyond, dashes or shapes help
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
SHAPES = ("circle", "square", "triangle-up", "diamond")
Spec = dict[str, Any]
Side = str


@dataclass(frozen=True)
class Layout:
    """The places of a figure, whose whole is ``width`` pixels wide, or as wide as it has to be."""

    figure: Figure
    width: int | None = None

    @property
    def larger(self) -> float:
        """How many times larger type is in a wide picture, so that it can be read when that is shown small."""
        return min(MAX_TYPE_GROWTH, max(1.0, (self.width or 0) / GROWING_WIDTH))

    @property
    def _type(self) -> float:
        return TYPE_SIZE * self.larger

    @cached_property
    def frame_size(self) -> tuple[int, int]:
        """Width and height of the frame in which marks are drawn."""
        figure, given = self.figure, self.width
        across = SQUARE_SIDE if figure.square else WIDTH
        if given is not None:
            across = max(MIN_SIDE, int(given - self._left - AXIS_TITLE_PIXELS))
        elif self._cells:
            across = max(across, len(figure.x.categories) * int(self._cell + CELL_PADDING))
        across = min(across, given or MAX_SIDE)
        if figure.square:
            return across, max(
                across, int(ROW_HEIGHT * self.larger) * len(figure.y.categories)
            ) if self._cells else across
        rows = figure.rows or len(figure.y.categories)
        row = int(self.larger * (ROW_HEIGHT if rows <= CROWDED_ROWS else ROW_HEIGHT * 3 // 4))
        stretched = HEIGHT if given is None else max(HEIGHT * 3 // 4, min(2 * HEIGHT, across // 2))
        return across, max(60, row * rows) if rows else stretched

    @cached_property
    def _cells(self) -> list[str]:
        """What is written into cells."""
        cells = [la for la in self.figure.layers if la.kind == "heatmap"]
        return [str(t) for la in cells for t in la.columns.get("text", ())]

    @cached_property
    def _cell(self) -> float:
        return widest([line for text in self._cells for line in text.split("\n")], self._type)

    @property
    def cell_type(self) -> float:
        """The size of type that lets a number stand in its cell."""
        room = self.frame_size[0] / max(1, len(self.figure.x.categories)) - CELL_PADDING / 2
        return self._type * min(1.0, room / max(1.0, self._cell))

    @cached_property
    def _down(self) -> dict[str, str]:
        """Names beside the frame."""
        given = self.width
        part = NAMES_SHARE_OF_CELLS if self._cells else NAMES_SHARE
        letters = (
            MAX_SIDE_LETTERS
            if given is None
            else min(MAX_SIDE_LETTERS, int(given * part / LETTER_PIXELS / self.larger))
        )
        return shortened(self.figure.y.categories, max(MIN_NAME_LETTERS, letters))

    @cached_property
    def _left(self) -> float:
        """Pixels beside the frame."""
        y = self.figure.y
        if y.hidden:
            return 0
        beside = (
            widest(list(self._down.values()), self._type)
            if y.categories
            else TICK_PIXELS * self.larger
        )
        return beside + (AXIS_TITLE_PIXELS if y.title else CELL_PADDING)

    @property
    def whole(self) -> float:
        """The width of the whole picture."""
        return self.width or self.frame_size[0] + self._left

    def size(self) -> Spec:
        """Return the size of the frame, or of the whole where its width is given."""
        across, up = self.frame_size
        if self.width is None or self.figure.panels:
            return {"width": across, "height": up}
        fit = {"type": "fit-x", "contains": "padding"}
        return {"width": self.width, "height": up, "autosize": fit}

    def title(self) -> Spec:
        """Return title and subtitle, in lines that the picture is wide enough for."""
        room = self.whole - PADDING["left"] if self.width else self.whole
        return {
            "text": _lines(self.figure.title, room, TITLE_TYPE_SIZE * self.larger),
            "subtitle": wrapped(self.figure.subtitle, room, self._type),
        }

    def channel(self, side: Side, field: str) -> Spec:
        """Return how a column is laid out along a side."""
        axis: Axis = getattr(self.figure, side)
        room = self.frame_size[0] + 2 * PADDING["right"] if side == "x" else self.frame_size[1]
        shown: Spec = {"title": _lines(axis.title, room, self._type + 1), "labelLimit": MAX_SIDE}
        if axis.categories:
            return {
                "field": field,
                "type": "nominal",
                "sort": None,
                "scale": {"domain": list(axis.categories)},
                "axis": shown
                | (
                    self._below()
                    if side == "x"
                    else {"labelPadding": NAME_GAP_PIXELS, **_renamed(self._down)}
                ),
            }
        counted = self.figure.counted(side)
        whole = {"values": list(counted)} if 0 < len(counted) <= MAX_MARKED_NUMBERS else {}
        scale: Spec = {"zero": False, "nice": False, "padding": 10}
        if axis.ends is not None:
            scale = {"zero": False, "nice": False, "domain": list(axis.ends)}
        if axis.logarithmic:
            scale["type"] = "log"
        return {
            "field": field,
            "type": "quantitative",
            "scale": scale,
            "axis": None if axis.hidden else shown | whole | _ticks(axis),
        }

    def _below(self) -> Spec:
        """Names below the frame are parted into lines where there is room, and stand upright elsewhere."""
        names = self.figure.x.categories
        room = self.frame_size[0] / len(names) - CELL_PADDING / 2
        short = shortened(names, MAX_SIDE_LETTERS)
        if widest(list(short.values()), self._type) <= room:
            return {"labelAngle": 0, **_renamed(short)}
        parted = {name: folded(text, room, self._type) for name, text in short.items()}
        lines = {
            name: each for name, each in parted.items() if each and len(each) <= MAX_NAME_LINES
        }
        if len(lines) == len(names):
            return {"labelAngle": 0, **_renamed(lines)}
        return {"labelAngle": -90, **_renamed(shortened(names, MAX_UPRIGHT_LETTERS))}

    @cached_property
    def _told(self) -> dict[str, str]:
        """What the key says of each series."""
        notes = self.figure.notes
        beside = widest([f": {note}" for note in notes.values()], self._type)
        room = self.whole - PADDING["right"] - KEY_SYMBOL_PIXELS - beside
        letters = (
            MAX_SIDE_LETTERS if self.width is None else int(room / LETTER_PIXELS / self.larger)
        )
        short = shortened(
            self.figure.series(), max(MIN_NAME_LETTERS, min(MAX_SIDE_LETTERS, letters))
        )
        return {
            name: f"{text}: {notes[name]}" if name in notes else text
            for name, text in short.items()
        }

    @property
    def columns(self) -> int:
        """How many names of series stand side by side below the frame, 0 if one is wider than that."""
        each = widest(list(self._told.values()), self._type) + KEY_SYMBOL_PIXELS
        return min(int(self.frame_size[0] // each), len(self._told))

    def key(self) -> Spec | None:
        """Return the key of the series, none where there is but one."""
        if len(self._told) < 2:
            return None
        lines = {"symbolType": "stroke", "symbolSize": 400} if self._lines else {}
        shown = {"title": None, "columns": max(1, self.columns), "labelLimit": MAX_SIDE}
        return shown | lines | _renamed(self._told)

    @cached_property
    def _lines(self) -> bool:
        """Whether some series is a line."""
        named = [layer for layer in self.figure.layers if "series" in layer.columns]
        return any(layer.kind in {"line", "step"} for layer in named)

    def look(self, mark: str) -> Spec:
        """Return how series are distinguished, beyond colours by dashes of lines or shapes of points."""
        series = self.figure.series()
        named = {"field": "series", "type": "nominal", "legend": self.key()}
        made = {"color": named | {"scale": {"domain": series}}}
        looks = {"line": ("strokeDash", DASHES)} if self._lines else {"point": ("shape", SHAPES)}
        if len(series) <= SERIES_BY_COLOUR or mark not in looks:
            return made
        channel, kinds = looks[mark]
        each = [kinds[i // SERIES_BY_COLOUR % len(kinds)] for i in range(len(series))]
        return made | {channel: named | {"scale": {"domain": series, "range": each}}}


def _lines(text: str, pixels: float, size: float) -> str | list[str]:
    """Return a text, in several lines where it is wider than that."""
    lines = wrapped(text, pixels, size)
    return lines if len(lines) > 1 else text


def _ticks(axis: Axis) -> Spec:
    if not axis.ticks:
        return {}
    # Nearness, since Vega and Python may write the same number differently.
    named = "".join(
        f"abs(datum.value - ({place!r})) < 1e-9 ? {dumps(text)} : " for place, text in axis.ticks
    )
    places = [place for place, _ in axis.ticks]
    return {"values": places, "labelOverlap": True, "labelExpr": f"{named}datum.label"}


def _renamed(written: Mapping[str, str | list[str]]) -> Spec:
    """Let names be written otherwise than they stand in the data."""
    cases = "".join(
        f"datum.value === {dumps(visible(name))} ? {dumps(text)} : "
        for name, text in written.items()
        if visible(name) != text
    )
    return {"labelExpr": f"{cases}datum.label"} if cases else {}
