"""Draw a figure in Vega-Lite's language: nothing here looks at what the figure is about.

A specification names styles and leaves colours to the configuration, so that one serves light and dark.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from json import dumps
from typing import Any, Unpack, get_args

from credibly._core.text import visible
from credibly.render.palette import (
    DIVERGING,
    FAINT,
    FULL_SHADE,
    GROUND,
    HEAT,
    INK,
    ON_FAINT,
    ON_FULL,
    QUIET,
    colours,
    shades,
)
from credibly.render.vega_layout import MIN_TYPE_SIZE, PADDING, TYPE_SIZE, Layout, Spec
from credibly.results.figure import Figure, Layer, Look, Theme, renderer

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
FADED_OPACITY = 0.06
OPACITY = {"quiet": 0.4}
LINE_WIDTHS = {"quiet": 1.0, "strong": 5.0, "dashed": 1.5}
# Pixels between intervals at the same place, and that all of them may take.
DODGE_PIXELS, MAX_DODGE_PIXELS = 5, 24
GRADIENT_PIXELS = 240  # pixels of a key of shades
LINE_OFFSET = 7  # pixels up to the first of two lines in a cell
DASHED = [5, 4]
HEADING_SIZE = 14
MAX_TEXT_LETTERS = 260
LEGEND_STYLE: Spec = {
    "orient": "bottom",
    "symbolStrokeWidth": 2.5,
    "symbolOpacity": 1,
    "titleLimit": MAX_TEXT_LETTERS,
}
AXIS_STYLE = {
    "titleFontWeight": "normal",
    "labelFlush": False,
    "labelSeparation": 4,
    "maxExtent": 2 * MAX_TEXT_LETTERS,
}
SVG_GEOMETRY = re.compile(r' (?:d|transform)="[^"]*"')
EXTRA_DIGITS = re.compile(r"(\.\d)\d+")


@renderer(file=False)
def spec(
    figure: Figure,
    *,
    theme: Theme = "light",
    interactive: bool = False,
    width: int | None = None,
    transparent: bool = False,
) -> Spec:
    """Return the specification, a plain dictionary."""
    layout = Layout(figure, width)
    if figure.panels:
        each = [Layout(f, width) for f in (replace(figure, panels=()), *figure.panels)]
        views: Spec = {"vconcat": [_view(panel, interactive=False) for panel in each]}
    else:
        views = _view(layout, interactive=interactive)
    made = _shown({"description": figure.alt, "title": layout.title(), **views})
    look = config_of(theme, layout.larger) | ({"background": None} if transparent else {})
    if width is not None and not layout.columns:  # the key needs the room beside the frame as well
        look["legend"] |= {"layout": {"bottom": {"anchor": "end"}}}
    return {"$schema": SCHEMA, **made, "config": look}


def _view(layout: Layout, *, interactive: bool) -> Spec:
    """Return one frame with its marks."""
    series = layout.figure.series()
    drawn = [part for la in layout.figure.layers for part in _DRAWERS[la.kind](la, layout)]
    for part in drawn:
        _colour(part, layout, interactive=interactive)
    if interactive:
        drawn += [_points_to_hover(part) for part in drawn if part["mark"]["type"] == "line"]
    if interactive and len(series) > 1:
        _toggle_by_legend(drawn)
    return {**layout.size(), "layer": drawn}


def _shown(part: Any) -> Any:  # noqa: ANN401
    """Let no name disturb what stands beside it, wherever names stand in a specification."""
    if isinstance(part, str):
        return visible(part)
    if isinstance(part, dict):
        return {name: _shown(each) for name, each in part.items()}
    return [_shown(each) for each in part] if isinstance(part, list) else part


def _still(figure: Figure, look: Look) -> Spec:
    """Leave out what only a reader with a pointer needs; the description covers all marks."""
    made: Spec = spec(figure, **look)
    for view in made.get("vconcat", [made]):
        for part in view["layer"]:
            del part["encoding"]["tooltip"]
            part["mark"]["aria"] = False
    return made


@renderer()
def svg(figure: Figure, **look: Unpack[Look]) -> str:
    """Return the picture as SVG, its places rounded to a tenth of a pixel and its texts left alone."""
    import vl_convert

    drawn = vl_convert.vegalite_to_svg(_still(figure, look))
    return SVG_GEOMETRY.sub(lambda found: EXTRA_DIGITS.sub(r"\1", found.group()), drawn)


@renderer()
def png(figure: Figure, *, scale: float = 2, **look: Unpack[Look]) -> bytes:
    """Return the picture as PNG, at ``scale`` points a pixel."""
    import vl_convert

    return vl_convert.vegalite_to_png(_still(figure, look), scale=scale)


@renderer()
def pdf(figure: Figure, **look: Unpack[Look]) -> bytes:
    """Return the picture as PDF."""
    import vl_convert

    return vl_convert.vegalite_to_pdf(_still(figure, look))


@renderer()
def json(figure: Figure, **look: Unpack[Look]) -> str:
    """Return the specification as text."""
    return dumps(spec(figure, **look), ensure_ascii=False)


@renderer(file=False)
def altair(figure: Figure) -> Any:  # noqa: ANN401
    """Return an Altair chart."""
    import altair as alt

    return alt.Chart.from_dict(spec(figure, interactive=True))


def _part(layer: Layer, layout: Layout, mark: Spec, encoding: Spec) -> Spec:
    rows = [
        {"i": i, **dict(zip(layer.columns, values, strict=True))}
        for i, values in enumerate(zip(*layer.columns.values(), strict=True))
    ]
    lines = mark["type"] != "point"
    look: Spec = {"strokeDash": DASHED} if layer.emphasis == "dashed" and lines else {}
    if layer.emphasis in OPACITY:
        look["opacity"] = OPACITY[layer.emphasis]
    if layer.emphasis in LINE_WIDTHS and mark["type"] in {"line", "rule"}:
        look["strokeWidth"] = LINE_WIDTHS[layer.emphasis]
    return {
        "data": {"values": rows},
        "mark": {"clip": True, "style": "beside" if layer.emphasis == "dashed" else "ink"}
        | mark
        | look,
        "encoding": encoding | {"tooltip": _hover(layer, layout.figure)},
    }


def _hover(layer: Layer, figure: Figure) -> list[Spec]:
    """Name what a mark shows in the words of the axes."""
    titles = {"series": "", "x": figure.x.title, "y": figure.y.title, "text": ""}
    shown = []
    for name, values in layer.columns.items():
        known = next((v for v in values if v is not None), None)
        if name == "path" or known is None:
            continue
        entry = {"field": name, "title": titles.get(name) or name.replace("_", " ")}
        if isinstance(known, str):
            shown.append(entry | {"type": "nominal"})
        else:
            shown.append(entry | {"type": "quantitative", "format": ".4~g"})
    return shown


def _places(layout: Layout, x: str = "x", y: str = "y") -> Spec:
    return {"x": layout.channel("x", x), "y": layout.channel("y", y)}


def _line(layer: Layer, layout: Layout, interpolate: str = "linear") -> list[Spec]:
    mark = {
        "type": "line",
        "strokeWidth": 2,
        "strokeJoin": "round",  # sharp turns would stick out
        "interpolate": interpolate,
        **_aside(layer, layout.figure),
    }
    path = {"order": {"field": "i", "type": "quantitative"}}
    if "path" in layer.columns:  # several lines of one series
        path["detail"] = {"field": "path", "type": "nominal"}
    return [_part(layer, layout, mark, _places(layout) | path)]


def _step(layer: Layer, layout: Layout) -> list[Spec]:
    return _line(layer, layout, "step-before")


def _band(layer: Layer, layout: Layout) -> list[Spec]:
    mark = {"type": "area", "opacity": 0.18, "style": "band"}
    return [_part(layer, layout, mark, _places(layout, y="low") | {"y2": {"field": "high"}})]


def _points(layer: Layer, layout: Layout) -> list[Spec]:
    place = _places(layout)
    aside = _aside(layer, layout.figure)
    size = 18 if layer.emphasis == "quiet" else 55
    # A point on the edge is shown whole.
    mark = {"type": "point", "filled": True, "opacity": 1, "size": size, **aside}
    mark["clip"] = not layout.figure.holds(layer)
    if layer.emphasis == "dashed":
        mark |= {"filled": False, "shape": "diamond", "strokeWidth": 1.5}
    drawn = [_part(layer, layout, mark, place)]
    for near, far, side in (("low", "high", "y"), ("left", "right", "x")):
        if near in layer.columns:
            ends = _places(layout, **{side: near}) | {f"{side}2": {"field": far}}
            rule = {"type": "rule", "strokeWidth": 1.5, **aside}
            drawn.insert(0, _part(layer, layout, rule, ends))
    return drawn


def _aside(layer: Layer, figure: Figure) -> Spec:
    """Let points stand aside by some pixels, so that intervals at the same places can all be seen."""
    place, among = figure.turn(layer)
    step = min(DODGE_PIXELS, MAX_DODGE_PIXELS / among)
    return {"xOffset": step * (place - (among - 1) / 2)} if among > 1 else {}


def _bars(layer: Layer, layout: Layout) -> list[Spec]:
    place = _places(layout)
    if "right" in layer.columns:  # over an interval of numbers, or along the horizontal axis
        place |= {"x2": {"field": "right"}}
    if "low" in layer.columns:
        place |= {"y": layout.channel("y", "low"), "y2": {"field": "y"}}
    return [_part(layer, layout, {"type": "bar"}, place)]


def _rule(layer: Layer, layout: Layout) -> list[Spec]:
    place = {}
    for side, far in (("x", "right"), ("y", "high")):
        if side in layer.columns:
            place[side] = layout.channel(side, side)
        if far in layer.columns:
            place[f"{side}2"] = {"field": far}
    return [_part(layer, layout, {"type": "rule", "strokeWidth": 1.5}, place)]


def _text(layer: Layer, layout: Layout) -> list[Spec]:
    aside = {"left": 6, "right": -6}[layer.align]
    mark = {"type": "text", "align": layer.align, "dx": aside, "dy": -6, "limit": MAX_TEXT_LETTERS}
    written = {"text": {"field": "text", "type": "nominal"}}
    return [_part(layer, layout, mark | {"clip": False}, _places(layout) | written)]


def _heatmap(layer: Layer, layout: Layout) -> list[Spec]:
    place = _places(layout)
    low, high = shades(layer.columns["value"])
    scale = {"domain": [low, high], "range": "diverging" if low < 0 else "heatmap"}
    scale["interpolate"] = "rgb"
    key = (
        {"title": layer.shade, "gradientLength": min(GRADIENT_PIXELS, layout.frame_size[0])}
        if layer.shade
        else None
    )
    fill = {"field": "value", "type": "quantitative", "legend": key, "scale": scale}
    drawn = [_part(layer, layout, {"type": "rect"}, place | {"color": fill})]
    size = layout.cell_type
    if "text" not in layer.columns or size < MIN_TYPE_SIZE:
        return drawn
    mark = {"type": "text", "baseline": "middle", "lineBreak": "\n", "fontSize": size}
    mark["dy"] = {"expr": f"indexof(datum.text, '\\n') < 0 ? 0 : {-LINE_OFFSET}"}
    full = FULL_SHADE * high if low < 0 else low + FULL_SHADE * (high - low)
    for test, style in ((">", "on_full"), ("<=", "on_faint")):
        written = place | {"text": {"field": "text", "type": "nominal"}}
        part = _part(layer, layout, mark | {"style": style}, written)
        part["transform"] = [{"filter": f"abs(datum.value) {test} {full!r}"}]
        drawn.append(part)
    return drawn


_DRAWERS: dict[str, Callable[[Layer, Layout], list[Spec]]] = {
    "line": _line,
    "step": _step,
    "band": _band,
    "points": _points,
    "bars": _bars,
    "rule": _rule,
    "text": _text,
    "heatmap": _heatmap,
}


def _colour(part: Spec, layout: Layout, *, interactive: bool) -> None:
    rows = part["data"]["values"]
    if not rows or "series" not in rows[0]:
        return
    part["encoding"] |= layout.look(part["mark"]["type"])
    if interactive and len(layout.figure.series()) > 1:
        full = part["mark"].get("opacity", 1)
        part["encoding"]["opacity"] = {
            "condition": {"param": "shown", "value": full},
            "value": FADED_OPACITY,
        }


def _points_to_hover(line: Spec) -> Spec:
    """A line is one mark, whose tooltip would tell its first point wherever the pointer is."""
    kept = {k: v for k, v in line["encoding"].items() if k in {"x", "y", "tooltip"}}
    del line["encoding"]["tooltip"]
    mark = {"type": "point", "opacity": 0, "size": 60, "clip": True, "aria": False}
    return {"data": line["data"], "mark": mark, "encoding": kept}


def _toggle_by_legend(drawn: list[Spec]) -> None:
    """A click on a name keeps it and fades the others; a further click adds or takes one away."""
    first = next(part for part in drawn if "color" in part["encoding"])
    select = {"type": "point", "fields": ["series"], "toggle": "true"}
    first["params"] = [{"name": "shown", "select": select, "bind": "legend"}]


def themes() -> dict[str, Spec]:
    """Return how pictures look on a page of either ground, which is that of the page."""
    return {t: {**config_of(t), "background": None} for t in get_args(Theme)}


def config_of(theme: Theme, larger: float = 1) -> Spec:
    """Return colours and type of a theme, the latter so many times larger."""
    ink, faint = INK[theme], FAINT[theme]
    words: Spec = {"labelColor": ink, "titleColor": ink}
    words |= {"labelFontSize": TYPE_SIZE * larger, "titleFontSize": (TYPE_SIZE + 1) * larger}
    return {
        "background": GROUND[theme],
        "padding": PADDING,
        "font": "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif",
        "view": {"stroke": None},
        "axis": {
            **words,
            **AXIS_STYLE,
            "gridColor": faint,
            "domainColor": faint,
            "tickColor": faint,
        },
        "legend": {**words, **LEGEND_STYLE},
        "title": {
            "color": ink,
            "subtitleColor": ink,
            "anchor": "start",
            "fontSize": HEADING_SIZE * larger,
            "subtitleFontSize": TYPE_SIZE * larger,
        },
        "text": {"fontSize": TYPE_SIZE * larger},
        "range": {
            "category": list(colours(theme)),
            "heatmap": list(HEAT[theme]),
            "diverging": list(DIVERGING[theme]),
        },
        "style": {
            "ink": {"color": ink},
            "beside": {"color": QUIET[theme]},
            "band": {"color": colours(theme)[0]},
            "on_faint": {"color": ON_FAINT[theme]},
            "on_full": {"color": ON_FULL[theme]},
        },
    }
