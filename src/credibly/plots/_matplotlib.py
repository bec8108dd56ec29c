"""Draw a figure on matplotlib's axes: nothing here looks at what the figure is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from credibly.plots._palette import HEAT, INK, QUIET, SERIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from credibly.plots.figure import Axis, Figure, Layer


def draw_on(figure: Figure, ax: Any) -> Any:  # noqa: ANN401
    """Draw every layer, then the axes, and return them."""
    if ax is None:
        import matplotlib.pyplot as plt

        rows = len(figure.y.categories)
        _, ax = plt.subplots(layout="constrained", figsize=(6.4, max(4.0, 0.22 * rows)))
    names = figure.series()
    colours = {name: SERIES[i % len(SERIES)] for i, name in enumerate(names)}
    labelled: set[str] = set()
    for layer in figure.layers:
        for name, found in _by_series(layer):
            columns = _placed(found, figure)
            colour = colours.get(name or "", INK["light"])
            style = {"color": QUIET["light"] if layer.emphasis == "dashed" else colour}
            label = name if name and name not in labelled and layer.kind in _KEYS else None
            labelled |= {name} if label and name else set()
            _DRAW[layer.kind](ax, columns, style | {"label": label}, layer)
    _dress(ax, figure)
    if len(labelled) > 1:
        ax.legend(frameon=False)
    return ax


def _by_series(layer: Layer) -> Iterator[tuple[str | None, dict[str, list[Any]]]]:
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


def _placed(columns: dict[str, list[Any]], figure: Figure) -> dict[str, list[Any]]:
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
        "alpha": 0.35 if layer.emphasis == "quiet" else 1,
        "linewidth": 1 if layer.emphasis == "quiet" else 1.8,
        "linestyle": (0, (4, 3)) if layer.emphasis == "dashed" else "-",
    }


def _line(ax: Any, c: dict[str, list[Any]], style: dict[str, Any], layer: Layer) -> None:  # noqa: ANN401
    how = {"drawstyle": "steps-pre"} if layer.kind == "step" else {}
    ax.plot(_gaps(c["x"]), _gaps(c["y"]), **style, **_stroke(layer), **how)


def _band(ax: Any, c: dict[str, list[Any]], style: dict[str, Any], layer: Layer) -> None:  # noqa: ANN401, ARG001
    low, high = _gaps(c["low"]), _gaps(c["high"])
    ax.fill_between(_gaps(c["x"]), low, high, color=style["color"], alpha=0.18, linewidth=0)


def _points(ax: Any, c: dict[str, list[Any]], style: dict[str, Any], layer: Layer) -> None:  # noqa: ANN401
    quiet = layer.emphasis == "quiet"
    x, y = _gaps(c["x"]), _gaps(c["y"])
    ax.scatter(x, y, s=8 if quiet else 28, alpha=0.35 if quiet else 1, zorder=3, **style)
    if "low" in c:
        ax.vlines(x, _gaps(c["low"]), _gaps(c["high"]), color=style["color"], linewidth=1.5)
    if "left" in c:
        ax.hlines(y, _gaps(c["left"]), _gaps(c["right"]), color=style["color"], linewidth=1.5)


def _bars(ax: Any, c: dict[str, list[Any]], style: dict[str, Any], layer: Layer) -> None:  # noqa: ANN401
    style = style | {"alpha": 0.35 if layer.emphasis == "quiet" else 1}
    x, y = _gaps(c["x"]), _gaps(c["y"])
    if (
        "right" in c
        and "low" not in c
        and layer.columns["y"][:1]
        and isinstance(layer.columns["y"][0], str)
    ):
        widths = [b - a for a, b in zip(x, _gaps(c["right"]), strict=True)]
        ax.barh(y, widths, left=x, **style)
        return
    floor = _gaps(c.get("low", [0] * len(y)))
    heights = [b - a for a, b in zip(floor, y, strict=True)]
    if "right" in c:
        widths = [b - a for a, b in zip(x, _gaps(c["right"]), strict=True)]
        ax.bar(x, heights, width=widths, bottom=floor, align="edge", **style)
    else:
        ax.bar(x, heights, bottom=floor, **style)


def _rule(ax: Any, c: dict[str, list[Any]], style: dict[str, Any], layer: Layer) -> None:  # noqa: ANN401
    look = {"color": style["color"], **_stroke(layer)}
    if "x" in c and "y" in c:
        rights, highs = c.get("right", c["x"]), c.get("high", c["y"])
        for x, y, right, high in zip(c["x"], c["y"], rights, highs, strict=True):
            ax.plot([x, right], [y, high], **look)
    for x in c.get("x", []) if "y" not in c else []:
        ax.axvline(x, **look)
    for y in c.get("y", []) if "x" not in c else []:
        ax.axhline(y, **look)


def _text(ax: Any, c: dict[str, list[Any]], style: dict[str, Any], layer: Layer) -> None:  # noqa: ANN401, ARG001
    for x, y, text in zip(c["x"], c["y"], c["text"], strict=True):
        ax.annotate(
            _literal(text), (x, y), xytext=(5, 5), textcoords="offset points", color=style["color"]
        )


def _heatmap(ax: Any, c: dict[str, list[Any]], style: dict[str, Any], layer: Layer) -> None:  # noqa: ANN401, ARG001
    from matplotlib.colors import LinearSegmentedColormap

    values = [v for v in c["value"] if v is not None]
    lowest, highest = min([0, *values]), max([0, *values])
    grid = [[float("nan")] * (max(c["x"]) + 1) for _ in range(max(c["y"]) + 1)]
    for x, y, value in zip(c["x"], c["y"], _gaps(c["value"]), strict=True):
        grid[y][x] = value
    ax.imshow(
        grid,
        cmap=LinearSegmentedColormap.from_list("heat", HEAT["light"]),
        vmin=lowest,
        vmax=highest,
        aspect="auto",
    )
    for x, y, value, text in zip(
        c["x"], c["y"], c["value"], c.get("text", [""] * len(c["x"])), strict=True
    ):
        ink = INK["dark"] if value is not None and value > (lowest + highest) / 2 else INK["light"]
        ax.text(x, y, _literal(text), ha="center", va="center", color=ink)


_KEYS = {"line", "step", "points", "bars"}
_DRAW: dict[str, Callable[[Any, dict[str, list[Any]], dict[str, Any], Layer], None]] = {
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
    title = "\n".join(t for t in (figure.title, figure.subtitle) if t)
    ax.set_title(_literal(title), loc="left", fontsize="medium")
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
        getattr(ax, f"set_{side}ticks")(places, names)
    if axis.categories:
        getattr(ax, f"set_{side}ticks")(range(len(axis.categories)), map(_literal, axis.categories))
        if side == "y":
            ax.set_ylim(len(axis.categories) - 0.5, -0.5)


def _literal(text: object) -> str:
    """Keep matplotlib from reading a dollar sign as mathematics."""
    return str(text).replace("$", r"\$")
