"""Draw a figure on matplotlib's axes: nothing here looks at what the figure is about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from textwrap import wrap
from typing import Any, NamedTuple

from credibly._core.text import escaped
from credibly.render.names import shortened
from credibly.render.palette import (
    DIVERGING,
    FULL_SHADE,
    HEAT,
    INK,
    ON_FAINT,
    ON_FULL,
    QUIET,
    colours,
    shades,
)
from credibly.render.vega_layout import SERIES_BY_COLOUR
from credibly.results.figure import Axis, Figure, Layer, Theme, renderer

MAX_NAME_LETTERS, MIN_NAME_LETTERS = 30, 24
LETTER_POINTS = 5.4
LINE_INCHES = 0.24
LEGEND_NAMES_INSIDE, COLUMNS_OF_NAMES = 4, 2  # in a legend inside of the axes, and below them
MAX_AXIS_LETTERS = 50  # letters that fit below the horizontal axis, or side by side in a legend
DASHES = ("-", (0, (6, 2)), (0, (2, 2)), (0, (6, 2, 2, 2)))
SHAPES = ("o", "s", "^", "D")
# Points between intervals at the same place, and that all of them may take.
DODGE_POINTS, MAX_DODGE_POINTS = 3.5, 17
Columns = dict[str, list[Any]]


@renderer(file=False)
def matplotlib(figure: Figure, *, ax: Any = None) -> Any:  # noqa: ANN401
    """Draw every layer, then the axes, and return them; of several panels, those of the first."""
    frames = (replace(figure, panels=()), *figure.panels)
    heights = [max(4.0, 0.3 * (f.rows or len(f.y.categories))) for f in frames]
    if figure.panels:
        heights = [1.0 + 0.3 * len(f.y.categories) for f in frames]
    if ax is None:
        import matplotlib.pyplot as plt

        below = LINE_INCHES * len(figure.series()) if figure.notes else 0  # of a key
        _, ax = plt.subplots(layout="constrained", figsize=(6.4, sum(heights) + below))
    if not figure.panels:
        return _drawn(figure, ax)
    each = [_drawn(f, below) for f, below in zip(frames, _parted(ax, heights), strict=True)]
    for below in each[1:]:
        below.set_title("", loc="left")
    return each[0]


def _parted(ax: Any, heights: list[float]) -> list[Any]:  # noqa: ANN401
    """Put axes for panels where there were some for one."""
    from matplotlib.gridspec import GridSpec

    place, box = ax.get_subplotspec(), ax.get_position()
    ax.set_axis_off()
    grid = (
        GridSpec(len(heights), 1, ax.figure, box.x0, box.y0, box.x1, box.y1, height_ratios=heights)
        if place is None
        else place.subgridspec(len(heights), 1, height_ratios=heights)
    )
    return [ax.figure.add_subplot(grid[i]) for i in range(len(heights))]


def _drawn(figure: Figure, ax: Any) -> Any:  # noqa: ANN401
    theme = _theme_of(ax)
    palette = colours(theme)
    names = figure.series()
    colour_of = {name: palette[i % len(palette)] for i, name in enumerate(names)}
    named: dict[str, Any] = {}
    lines = any(
        layer.kind in {"line", "step"} and "series" in layer.columns for layer in figure.layers
    )
    for layer in figure.layers:
        for name, found in layer.by_series():
            colour = colour_of.get(name or "", INK[theme])
            if layer.emphasis == "dashed":
                colour = QUIET[theme]
            elif layer.kind == "band" and name is None:
                colour = palette[0]
            turn = 0 if name is None else names.index(name) // SERIES_BY_COLOUR
            shape = SHAPES[0 if lines else turn % len(SHAPES)]
            style = _Style(
                colour, layer, aside=_aside(layer, figure), shape=shape, whole=figure.holds(layer)
            )
            mark = _DRAWERS[layer.kind](ax, _placed(found, figure), style)
            if name is None or mark is None:
                continue
            if layer.kind in {"line", "step"}:
                mark.set_linestyle(DASHES[turn % len(DASHES)])
            named.setdefault(name, mark)
    _dress(ax, figure)
    if len(named) > 1:
        # Handles and names are given, since a name with a leading underscore would be left out.
        short = shortened(named, MAX_NAME_LETTERS)
        texts = [f"{short[n]}: {figure.notes[n]}" if n in figure.notes else short[n] for n in named]
        keys = list(named.values()), [_literal(t) for t in texts]
        ax.legend(*keys, frameon=False, **_beside(figure, texts))
    return ax


class _Style(NamedTuple):
    """How the marks of a series look."""

    colour: str
    layer: Layer
    aside: float  # points to the right
    shape: str
    whole: bool  # whether all lie within the axes, so that none need be cut off


def _aside(layer: Layer, figure: Figure) -> float:
    """Let intervals at the same places stand aside, so that all can be seen."""
    place, among = figure.turn(layer)
    return min(DODGE_POINTS, MAX_DODGE_POINTS / among) * (place - (among - 1) / 2)


def _moved(ax: Any, style: _Style) -> dict[str, Any]:  # noqa: ANN401
    if not style.aside:
        return {}
    from matplotlib.transforms import offset_copy

    return {"transform": offset_copy(ax.transData, ax.figure, style.aside, 0, units="points")}


def _beside(figure: Figure, told: list[str]) -> dict[str, Any]:
    """Put a legend below the axes where it would cover marks: bars from side to side, or much to read."""
    filled = bool(figure.y.categories) and any(layer.kind == "bars" for layer in figure.layers)
    if not filled and len(told) <= LEGEND_NAMES_INSIDE and not figure.notes:
        return {}
    below = {"loc": "upper left", "bbox_to_anchor": (0, -0.18), "borderaxespad": 0}
    long = max(map(len, told)) * COLUMNS_OF_NAMES > MAX_AXIS_LETTERS
    return {**below, "ncols": 1 if long else COLUMNS_OF_NAMES}


def _theme_of(ax: Any) -> Theme:  # noqa: ANN401
    """Say whether the axes are light or dark, so that marks stand out on either."""
    red, green, blue, _ = ax.get_facecolor()
    return "light" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "dark"


def _placed(columns: Columns, figure: Figure) -> Columns:
    """Turn categories into places along their axis."""
    placed = dict(columns)
    for side, axis in (("x", figure.x), ("y", figure.y)):
        if axis.categories and side in columns:
            placed[side] = [axis.categories.index(v) for v in columns[side]]
    return placed


def _gaps(values: list[Any]) -> list[Any]:
    return [float("nan") if v is None else v for v in values]


def _stroke(layer: Layer) -> dict[str, Any]:
    return {
        "alpha": 0.4 if layer.emphasis == "quiet" else 1,
        "linewidth": {"quiet": 1, "strong": 4}.get(layer.emphasis, 1.8),
        "linestyle": (0, (4, 3)) if layer.emphasis == "dashed" else "-",
    }


def _line(ax: Any, c: Columns, style: _Style) -> Any:  # noqa: ANN401
    how = {"drawstyle": "steps-pre"} if style.layer.kind == "step" else {}
    look = {"color": style.colour, **_stroke(style.layer), **how, **_moved(ax, style)}
    return ax.plot(_gaps(c["x"]), _gaps(c["y"]), **look)[0]


def _band(ax: Any, c: Columns, style: _Style) -> None:  # noqa: ANN401
    low, high = _gaps(c["low"]), _gaps(c["high"])
    ax.fill_between(_gaps(c["x"]), low, high, color=style.colour, alpha=0.18, linewidth=0)


def _points(ax: Any, c: Columns, style: _Style) -> Any:  # noqa: ANN401
    quiet = style.layer.emphasis == "quiet"
    x, y = _gaps(c["x"]), _gaps(c["y"])
    bars = {"color": style.colour, "linewidth": 1.5, **_moved(ax, style)}
    if "low" in c:
        ax.vlines(x, _gaps(c["low"]), _gaps(c["high"]), **bars)
    if "left" in c:
        ax.hlines(y, _gaps(c["left"]), _gaps(c["right"]), **bars)
    look = {"s": 8 if quiet else 28, "alpha": 0.4 if quiet else 1, "zorder": 3}
    moved = {**_moved(ax, style), "marker": style.shape, "clip_on": not style.whole}
    if style.layer.emphasis == "dashed":
        hollow = {"marker": "D", "facecolors": "none", "edgecolors": style.colour}
        return ax.scatter(x, y, **look, **moved | hollow)
    return ax.scatter(x, y, color=style.colour, **look, **moved)


def _bars(ax: Any, c: Columns, style: _Style) -> Any:  # noqa: ANN401
    look = {"color": style.colour, "alpha": 0.4 if style.layer.emphasis == "quiet" else 1}
    x, y = _gaps(c["x"]), _gaps(c["y"])
    low = _gaps(c.get("low", [0] * len(y)))
    heights = [top - foot for foot, top in zip(low, y, strict=True)]
    if "right" not in c:
        return ax.bar(x, heights, bottom=low, **look)
    widths = [right - left for left, right in zip(x, _gaps(c["right"]), strict=True)]
    if "low" not in c:  # along the horizontal axis
        return ax.barh(y, widths, left=x, **look)
    return ax.bar(x, heights, width=widths, bottom=low, align="edge", **look)


def _rule(ax: Any, c: Columns, style: _Style) -> None:  # noqa: ANN401
    look = {"color": style.colour, **_stroke(style.layer)}
    if "x" in c and "y" in c:
        rights, highs = c.get("right", c["x"]), c.get("high", c["y"])
        for x, y, right, high in zip(c["x"], c["y"], rights, highs, strict=True):
            ax.plot([x, right], [y, high], **look)
        return
    for x in _gaps(c.get("x", [])):
        ax.axvline(x, **look)
    for y in _gaps(c.get("y", [])):
        ax.axhline(y, **look)


def _text(ax: Any, c: Columns, style: _Style) -> None:  # noqa: ANN401
    align = style.layer.align
    aside = 5 if align == "left" else -5
    short = shortened(map(str, c["text"]), MAX_NAME_LETTERS)
    for x, y, text in zip(_gaps(c["x"]), _gaps(c["y"]), c["text"], strict=True):
        ax.annotate(
            _literal(short[str(text)]), (x, y), xytext=(aside, 4), textcoords="offset points",
            color=style.colour, ha=align, fontsize="small",
        )  # fmt: skip


def _heatmap(ax: Any, c: Columns, style: _Style) -> None:  # noqa: ANN401
    from matplotlib.colors import LinearSegmentedColormap

    theme = _theme_of(ax)
    low, high = shades(c["value"])
    grid = [[float("nan")] * (max(c["x"]) + 1) for _ in range(max(c["y"]) + 1)]
    for x, y, value in zip(c["x"], c["y"], _gaps(c["value"]), strict=True):
        grid[y][x] = value
    ends = DIVERGING[theme] if low < 0 else HEAT[theme]
    cells = LinearSegmentedColormap.from_list("heat", ends)
    drawn = ax.imshow(grid, cmap=cells, vmin=low, vmax=high, aspect="auto")
    if style.layer.shade:
        ax.figure.colorbar(drawn, ax=ax, label=_literal(style.layer.shade))
    cut = FULL_SHADE * high if low < 0 else low + FULL_SHADE * (high - low)
    for x, y, value, text in zip(
        c["x"], c["y"], c["value"], c.get("text", [""] * len(c["x"])), strict=True
    ):
        full = value is not None and abs(value) > cut
        ink = ON_FULL[theme] if full else ON_FAINT[theme]
        ax.text(x, y, _literal(text), ha="center", va="center", color=ink, fontsize="small")


_DRAWERS: dict[str, Callable[[Any, Columns, _Style], Any]] = {
    "line": _line,
    "step": _line,
    "band": _band,
    "points": _points,
    "bars": _bars,
    "rule": _rule,
    "text": _text,
    "heatmap": _heatmap,
}


def _dress(ax: Any, figure: Figure) -> None:  # noqa: ANN401
    points = 72 * ax.figure.get_size_inches()[0] * ax.get_position().width
    beside = max(map(len, shortened(figure.y.categories, MAX_NAME_LETTERS).values()), default=0)
    letters = max(MIN_NAME_LETTERS, int(points / LETTER_POINTS) - beside)
    lines = [line for t in (figure.title, figure.subtitle) for line in wrap(t, letters)]
    ax.set_title("\n".join(map(_literal, lines)), loc="left", fontsize="medium")
    _dress_axis(ax, figure.x, "x")
    _dress_axis(ax, figure.y, "y")
    for side, axis in (("x", figure.x), ("y", figure.y)):
        if not (axis.categories or axis.ticks or axis.logarithmic) and figure.counted(side):
            getattr(ax, f"{side}axis").get_major_locator().set_params(integer=True)
    if figure.square:
        ax.set_box_aspect(1)


def _dress_axis(ax: Any, axis: Axis, side: str) -> None:  # noqa: ANN401
    getattr(ax, f"set_{side}label")(_literal(axis.title))
    if axis.logarithmic:
        getattr(ax, f"set_{side}scale")("log")
    if axis.ends is not None and not axis.categories:
        getattr(ax, f"set_{side}lim")(*axis.ends)
    if axis.ticks:
        places, names = zip(*axis.ticks, strict=True)
        getattr(ax, f"set_{side}ticks")(places, map(_literal, names))
    if axis.categories:
        short = [_literal(t) for t in shortened(axis.categories, MAX_NAME_LETTERS).values()]
        getattr(ax, f"set_{side}ticks")(range(len(short)), short)
        if side == "y":
            ax.set_ylim(len(short) - 0.5, -0.5)
        elif sum(map(len, short)) > MAX_AXIS_LETTERS:
            ax.tick_params(axis="x", rotation=90)
    if axis.hidden:
        getattr(ax, f"{side}axis").set_visible(False)


def _literal(text: object) -> str:
    """Keep matplotlib from reading a dollar sign as mathematics; it writes all scripts from left to right."""
    return escaped(str(text)).replace("$", r"\$")
