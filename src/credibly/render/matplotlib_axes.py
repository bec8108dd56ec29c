"""Draw a figure on matplotlib's axes: nothing here looks at what the figure is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from credibly._core.text import escaped
from credibly.render.palette import FULL, HEAT, INK, ON_FAINT, ON_FULL, QUIET, colours
from credibly.results.figure import Axis, Figure, Layer, Theme, renderer

LONGEST_NAME, LONGEST_TITLE = 30, 90
FEW_NAMES, COLUMNS_OF_NAMES = 4, 2  # in a legend inside of the axes, and below them
WIDE = 50  # letters that fit below the horizontal axis
IN_COLOUR = 8  # series that colour alone tells apart; beyond, dashes help
DASHES = ("-", (0, (6, 2)), (0, (2, 2)), (0, (6, 2, 2, 2)))
Columns = dict[str, list[Any]]


@renderer(file=False)
def matplotlib(figure: Figure, *, ax: Any = None) -> Any:  # noqa: ANN401
    """Draw every layer, then the axes, and return them."""
    if ax is None:
        import matplotlib.pyplot as plt

        rows = figure.rows or len(figure.y.categories)
        _, ax = plt.subplots(layout="constrained", figsize=(6.4, max(4.0, 0.3 * rows)))
    theme = _theme_of(ax)
    palette = colours(theme)
    names = figure.series()
    colour_of = {name: palette[i % len(palette)] for i, name in enumerate(names)}
    named: dict[str, Any] = {}
    for layer in figure.layers:
        for name, found in _by_series(layer):
            colour = colour_of.get(name or "", INK[theme])
            if layer.emphasis == "dashed":
                colour = QUIET[theme]
            elif layer.kind == "band" and name is None:
                colour = palette[0]
            mark = _DRAW[layer.kind](ax, _placed(found, figure), colour, layer)
            if name is None or mark is None:
                continue
            if layer.kind in {"line", "step"}:
                mark.set_linestyle(DASHES[names.index(name) // IN_COLOUR % len(DASHES)])
            named.setdefault(name, mark)
    _dress(ax, figure)
    if len(named) > 1:
        # Handles and names are given, since a name with a leading underscore would be left out.
        keys = list(named.values()), [_short(n) for n in named]
        ax.legend(*keys, frameon=False, **_beside(figure, len(named)))
    return ax


def _beside(figure: Figure, names: int) -> dict[str, Any]:
    """Put a legend below the axes where it would cover marks: bars from side to side, or many names."""
    filled = bool(figure.y.categories) and any(layer.kind == "bars" for layer in figure.layers)
    if not filled and names <= FEW_NAMES:
        return {}
    below = {"loc": "upper left", "bbox_to_anchor": (0, -0.18), "borderaxespad": 0}
    return {**below, "ncols": COLUMNS_OF_NAMES}


def _theme_of(ax: Any) -> Theme:  # noqa: ANN401
    """Say whether the axes are light or dark, so that marks stand out on either."""
    red, green, blue, _ = ax.get_facecolor()
    return "light" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "dark"


def _by_series(layer: Layer) -> Iterator[tuple[str | None, Columns]]:
    """Yield the marks of each series, and of each path of a series."""
    columns = layer.columns
    if "series" not in columns and "path" not in columns:
        yield None, dict(columns)
        return
    size = len(next(iter(columns.values())))
    keys = list(
        zip(columns.get("series", [None] * size), columns.get("path", [0] * size), strict=True)
    )
    for key in dict.fromkeys(keys):
        rows = [i for i, k in enumerate(keys) if k == key]
        yield key[0], {name: [values[i] for i in rows] for name, values in columns.items()}


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


def _line(ax: Any, c: Columns, colour: str, layer: Layer) -> Any:  # noqa: ANN401
    how = {"drawstyle": "steps-pre"} if layer.kind == "step" else {}
    return ax.plot(_gaps(c["x"]), _gaps(c["y"]), color=colour, **_stroke(layer), **how)[0]


def _band(ax: Any, c: Columns, colour: str, layer: Layer) -> None:  # noqa: ANN401, ARG001
    low, high = _gaps(c["low"]), _gaps(c["high"])
    ax.fill_between(_gaps(c["x"]), low, high, color=colour, alpha=0.18, linewidth=0)


def _points(ax: Any, c: Columns, colour: str, layer: Layer) -> Any:  # noqa: ANN401
    quiet = layer.emphasis == "quiet"
    x, y = _gaps(c["x"]), _gaps(c["y"])
    if "low" in c:
        ax.vlines(x, _gaps(c["low"]), _gaps(c["high"]), color=colour, linewidth=1.5)
    if "left" in c:
        ax.hlines(y, _gaps(c["left"]), _gaps(c["right"]), color=colour, linewidth=1.5)
    return ax.scatter(x, y, s=8 if quiet else 28, alpha=0.4 if quiet else 1, zorder=3, color=colour)


def _bars(ax: Any, c: Columns, colour: str, layer: Layer) -> Any:  # noqa: ANN401
    style = {"color": colour, "alpha": 0.4 if layer.emphasis == "quiet" else 1}
    x, y = _gaps(c["x"]), _gaps(c["y"])
    low = _gaps(c.get("low", [0] * len(y)))
    heights = [top - foot for foot, top in zip(low, y, strict=True)]
    if "right" not in c:
        return ax.bar(x, heights, bottom=low, **style)
    widths = [right - left for left, right in zip(x, _gaps(c["right"]), strict=True)]
    if "low" not in c:  # along the horizontal axis
        return ax.barh(y, widths, left=x, **style)
    return ax.bar(x, heights, width=widths, bottom=low, align="edge", **style)


def _rule(ax: Any, c: Columns, colour: str, layer: Layer) -> None:  # noqa: ANN401
    look = {"color": colour, **_stroke(layer)}
    if "x" in c and "y" in c:
        rights, highs = c.get("right", c["x"]), c.get("high", c["y"])
        for x, y, right, high in zip(c["x"], c["y"], rights, highs, strict=True):
            ax.plot([x, right], [y, high], **look)
        return
    for x in _gaps(c.get("x", [])):
        ax.axvline(x, **look)
    for y in _gaps(c.get("y", [])):
        ax.axhline(y, **look)


def _text(ax: Any, c: Columns, colour: str, layer: Layer) -> None:  # noqa: ANN401
    aside = 5 if layer.align == "left" else -5
    for x, y, text in zip(_gaps(c["x"]), _gaps(c["y"]), c["text"], strict=True):
        ax.annotate(
            _short(text), (x, y), xytext=(aside, 4), textcoords="offset points",
            color=colour, ha=layer.align, fontsize="small",
        )  # fmt: skip


def _heatmap(ax: Any, c: Columns, colour: str, layer: Layer) -> None:  # noqa: ANN401, ARG001
    from matplotlib.colors import LinearSegmentedColormap

    theme = _theme_of(ax)
    values = [v for v in c["value"] if v is not None]
    lowest, highest = min([0, *values]), max([0, *values])
    grid = [[float("nan")] * (max(c["x"]) + 1) for _ in range(max(c["y"]) + 1)]
    for x, y, value in zip(c["x"], c["y"], _gaps(c["value"]), strict=True):
        grid[y][x] = value
    shades = LinearSegmentedColormap.from_list("heat", HEAT[theme])
    ax.imshow(grid, cmap=shades, vmin=lowest, vmax=highest or 1, aspect="auto")
    for x, y, value, text in zip(
        c["x"], c["y"], c["value"], c.get("text", [""] * len(c["x"])), strict=True
    ):
        full = value is not None and value > lowest + FULL * (highest - lowest)
        ink = ON_FULL[theme] if full else ON_FAINT[theme]
        ax.text(x, y, _short(text), ha="center", va="center", color=ink)


_DRAW: dict[str, Callable[[Any, Columns, str, Layer], Any]] = {
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
    title = "\n".join(_short(t, LONGEST_TITLE) for t in (figure.title, figure.subtitle) if t)
    ax.set_title(title, loc="left", fontsize="medium")
    _dress_axis(ax, figure.x, "x")
    _dress_axis(ax, figure.y, "y")
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
        getattr(ax, f"set_{side}ticks")(places, map(_short, names))
    if axis.categories:
        getattr(ax, f"set_{side}ticks")(range(len(axis.categories)), map(_short, axis.categories))
        if side == "y":
            ax.set_ylim(len(axis.categories) - 0.5, -0.5)
        elif sum(len(_short(c)) for c in axis.categories) > WIDE:
            ax.tick_params(axis="x", rotation=90)
    if axis.hidden:
        getattr(ax, f"{side}axis").set_visible(False)


def _literal(text: object) -> str:
    """Keep matplotlib from reading a dollar sign as mathematics; it writes all scripts from left to right."""
    return escaped(str(text)).replace("$", r"\$")


def _short(text: object, longest: int = LONGEST_NAME) -> str:
    """Cut a text that would leave no room for the picture."""
    whole = str(text)
    return _literal(whole if len(whole) <= longest else f"{whole[: longest - 1]}…")
