"""Draw a figure in Vega-Lite's language: nothing here looks at what the figure is about.

A specification names styles and leaves colours to the configuration, so that one serves light and dark.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from json import dumps
from typing import Any, get_args

from credibly._core.text import visible
from credibly.render.palette import (
    FAINT,
    FULL,
    GROUND,
    HEAT,
    INK,
    ON_FAINT,
    ON_FULL,
    QUIET,
    colours,
)
from credibly.results.figure import Axis, Figure, Layer, Theme, renderer

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
WIDTH, HEIGHT, SQUARE = 420, 280, 320
ROW = 26  # height of a line of text or a category
LONGEST_LABEL = 180
WORD = 45  # width of a short name
IN_COLOUR = 8  # series that colour alone tells apart; beyond, dashes help
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
FADED = 0.06
OPACITY = {"quiet": 0.4}
WIDTHS = {"quiet": 1.0, "strong": 5.0, "dashed": 1.5}
APART = 5  # pixels between intervals at the same place
DASHED = [5, 4]
PLACES = re.compile(r' (?:d|transform)="[^"]*"')
DIGITS = re.compile(r"(\.\d)\d+")
Spec = dict[str, Any]


@renderer(file=False)
def spec(figure: Figure, *, theme: Theme = "light", interactive: bool = False) -> Spec:
    """Return the specification, a plain dictionary."""
    series = figure.series()
    drawn = [part for layer in figure.layers for part in _DRAW[layer.kind](layer, figure)]
    for part in drawn:
        _colour(part, series, interactive=interactive)
    if interactive:
        drawn += [_points_to_hover(part) for part in drawn if part["mark"]["type"] == "line"]
    if interactive and len(series) > 1:
        _toggle_by_legend(drawn)
    made = _shown(
        {
            "description": figure.alt,
            "title": {"text": figure.title, "subtitle": figure.subtitle or []},
            **_size(figure),
            "layer": drawn,
        }
    )
    return {"$schema": SCHEMA, **made, "config": config_of(theme)}


def _shown(part: Any) -> Any:  # noqa: ANN401
    """Let no name disturb what stands beside it, wherever names stand in a specification."""
    if isinstance(part, str):
        return visible(part)
    if isinstance(part, dict):
        return {name: _shown(each) for name, each in part.items()}
    return [_shown(each) for each in part] if isinstance(part, list) else part


def _still(figure: Figure, theme: Theme) -> Spec:
    """Leave out what only a reader with a pointer needs; the description speaks for all marks."""
    made: Spec = spec(figure, theme=theme)
    for part in made["layer"]:
        del part["encoding"]["tooltip"]
        part["mark"]["aria"] = False
    return made


@renderer()
def svg(figure: Figure, *, theme: Theme = "light") -> str:
    """Return the picture as SVG, its places rounded to a tenth of a pixel and its texts left alone."""
    import vl_convert

    drawn = vl_convert.vegalite_to_svg(_still(figure, theme))
    return PLACES.sub(lambda found: DIGITS.sub(r"\1", found.group()), drawn)


@renderer()
def png(figure: Figure, *, theme: Theme = "light", scale: float = 2) -> bytes:
    """Return the picture as PNG, at ``scale`` points a pixel."""
    import vl_convert

    return vl_convert.vegalite_to_png(_still(figure, theme), scale=scale)


@renderer()
def pdf(figure: Figure, *, theme: Theme = "light") -> bytes:
    """Return the picture as PDF."""
    import vl_convert

    return vl_convert.vegalite_to_pdf(_still(figure, theme))


@renderer()
def json(figure: Figure, *, theme: Theme = "light") -> str:
    """Return the specification as text."""
    return dumps(spec(figure, theme=theme), ensure_ascii=False)


@renderer(file=False)
def altair(figure: Figure) -> Any:  # noqa: ANN401
    """Return an Altair chart."""
    import altair as alt

    return alt.Chart.from_dict(spec(figure, interactive=True))


def _size(figure: Figure) -> Spec:
    if figure.square:
        return {"width": SQUARE, "height": SQUARE}
    rows = figure.rows or len(figure.y.categories)
    return {"width": WIDTH, "height": max(60, ROW * rows) if rows else HEIGHT}


def _channel(axis: Axis, field: str, *, across: bool = False) -> Spec:
    shown: Spec = {"title": axis.title, "labelLimit": LONGEST_LABEL}
    if axis.categories:
        return {
            "field": field,
            "type": "nominal",
            "sort": None,
            "scale": {"domain": list(axis.categories)},
            "axis": shown | _labels(axis, across=across),
        }
    scale: Spec = {"zero": False, "nice": False, "padding": 10}
    if axis.ends is not None:
        scale = {"zero": False, "nice": False, "domain": list(axis.ends)}
    if axis.logarithmic:
        scale["type"] = "log"
    if axis.ticks:
        shown |= {"values": [place for place, _ in axis.ticks], "labelOverlap": True}
        # Nearness, since Vega and Python may write the same number differently.
        named = "".join(
            f"abs(datum.value - ({place!r})) < 1e-9 ? {dumps(text)} : "
            for place, text in axis.ticks
        )
        shown["labelExpr"] = f"{named}datum.label"
    return {
        "field": field,
        "type": "quantitative",
        "scale": scale,
        "axis": None if axis.hidden else shown,
    }


def _labels(axis: Axis, *, across: bool) -> Spec:
    """Names below the horizontal axis are cut to their room, and upright where that is little."""
    room = SQUARE // len(axis.categories)
    if not across:
        return {"labelAngle": 0}
    return (
        {"labelAngle": 0, "labelLimit": room}
        if room >= WORD
        else {"labelAngle": -90, "labelLimit": 2 * WORD}
    )


def _part(layer: Layer, figure: Figure, mark: Spec, encoding: Spec) -> Spec:
    rows = [
        {"i": i, **dict(zip(layer.columns, values, strict=True))}
        for i, values in enumerate(zip(*layer.columns.values(), strict=True))
    ]
    look: Spec = {"strokeDash": DASHED} if layer.emphasis == "dashed" else {}
    if layer.emphasis in OPACITY:
        look["opacity"] = OPACITY[layer.emphasis]
    if layer.emphasis in WIDTHS and mark["type"] in {"line", "rule"}:
        look["strokeWidth"] = WIDTHS[layer.emphasis]
    return {
        "data": {"values": rows},
        "mark": {"clip": True, "style": "beside" if layer.emphasis == "dashed" else "ink"}
        | mark
        | look,
        "encoding": encoding | {"tooltip": _hover(layer, figure)},
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


def _places(figure: Figure, x: str = "x", y: str = "y") -> Spec:
    return {"x": _channel(figure.x, x, across=True), "y": _channel(figure.y, y)}


def _line(layer: Layer, figure: Figure, interpolate: str = "linear") -> list[Spec]:
    mark = {
        "type": "line",
        "strokeWidth": 2,
        "strokeJoin": "round",  # sharp turns would stick out
        "interpolate": interpolate,
    }
    path = {"order": {"field": "i", "type": "quantitative"}}
    if "path" in layer.columns:  # several lines of one series
        path["detail"] = {"field": "path", "type": "nominal"}
    return [_part(layer, figure, mark, _places(figure) | path)]


def _step(layer: Layer, figure: Figure) -> list[Spec]:
    return _line(layer, figure, "step-before")


def _band(layer: Layer, figure: Figure) -> list[Spec]:
    mark = {"type": "area", "opacity": 0.18, "style": "band"}
    return [_part(layer, figure, mark, _places(figure, y="low") | {"y2": {"field": "high"}})]


def _points(layer: Layer, figure: Figure) -> list[Spec]:
    place = _places(figure)
    aside = {"xOffset": offset} if (offset := _aside(layer, figure)) else {}
    mark = {"type": "point", "filled": True, "opacity": 1, **aside}
    drawn = [_part(layer, figure, mark | {"size": 18 if layer.emphasis == "quiet" else 55}, place)]
    for near, far, side in (("low", "high", "y"), ("left", "right", "x")):
        if near in layer.columns:
            ends = _places(figure, **{side: near}) | {f"{side}2": {"field": far}}
            drawn.insert(
                0, _part(layer, figure, {"type": "rule", "strokeWidth": 1.5, **aside}, ends)
            )
    return drawn


def _aside(layer: Layer, figure: Figure) -> float:
    """Return by how many pixels points stand aside, so that intervals at the same places can all be seen."""
    barred = [each for each in figure.layers if each.kind == "points" and "low" in each.columns]
    if not any(each is layer for each in barred) or figure.x.categories:
        return 0
    alike = [each for each in barred if each.columns["x"] == layer.columns["x"]]
    place = next(i for i, each in enumerate(alike) if each is layer)
    return APART * (place - (len(alike) - 1) / 2)


def _bars(layer: Layer, figure: Figure) -> list[Spec]:
    place = _places(figure)
    if "right" in layer.columns:  # over an interval of numbers, or along the horizontal axis
        place |= {"x2": {"field": "right"}}
    if "low" in layer.columns:
        place |= {"y": _channel(figure.y, "low"), "y2": {"field": "y"}}
    return [_part(layer, figure, {"type": "bar"}, place)]


def _rule(layer: Layer, figure: Figure) -> list[Spec]:
    place = {}
    for side, far, axis in (("x", "right", figure.x), ("y", "high", figure.y)):
        if side in layer.columns:
            place[side] = _channel(axis, side)
        if far in layer.columns:
            place[f"{side}2"] = {"field": far}
    return [_part(layer, figure, {"type": "rule", "strokeWidth": 1.5}, place)]


def _text(layer: Layer, figure: Figure) -> list[Spec]:
    aside = {"left": 6, "right": -6}[layer.align]
    mark = {"type": "text", "align": layer.align, "dx": aside, "dy": -6, "limit": LONGEST_LABEL}
    written = {"text": {"field": "text", "type": "nominal"}}
    return [_part(layer, figure, mark | {"clip": False}, _places(figure) | written)]


def _heatmap(layer: Layer, figure: Figure) -> list[Spec]:
    place = _places(figure)
    values = [v for v in layer.columns["value"] if v is not None]
    low, high = min([0, *values]), max(values, default=1)
    scale = {"domain": [low, high]} if high > low else {"domain": [low, low + 1]}
    fill = {"field": "value", "type": "quantitative", "legend": None, "scale": scale}
    drawn = [_part(layer, figure, {"type": "rect"}, place | {"color": fill})]
    if "text" not in layer.columns:
        return drawn
    full = low + FULL * (high - low)
    for test, style in ((">", "on_full"), ("<=", "on_faint")):
        mark = {"type": "text", "baseline": "middle", "limit": 90, "style": style}
        part = _part(layer, figure, mark, place | {"text": {"field": "text", "type": "nominal"}})
        part["transform"] = [{"filter": f"datum.value {test} {full!r}"}]
        drawn.append(part)
    return drawn


_DRAW: dict[str, Callable[[Layer, Figure], list[Spec]]] = {
    "line": _line,
    "step": _step,
    "band": _band,
    "points": _points,
    "bars": _bars,
    "rule": _rule,
    "text": _text,
    "heatmap": _heatmap,
}


def _colour(part: Spec, series: list[str], *, interactive: bool) -> None:
    rows = part["data"]["values"]
    if not rows or "series" not in rows[0]:
        return
    several = len(series) > 1
    key = {"title": None, "labelLimit": LONGEST_LABEL} if several else None
    named = {"field": "series", "type": "nominal", "legend": key}
    part["encoding"]["color"] = named | {"scale": {"domain": series}}
    if len(series) > IN_COLOUR and part["mark"]["type"] == "line":
        dashes = [DASHES[i // IN_COLOUR % len(DASHES)] for i in range(len(series))]
        part["encoding"]["strokeDash"] = named | {"scale": {"domain": series, "range": dashes}}
    if interactive and several:
        full = part["mark"].get("opacity", 1)
        part["encoding"]["opacity"] = {
            "condition": {"param": "shown", "value": full},
            "value": FADED,
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


def config_of(theme: Theme) -> Spec:
    """Return colours and type of a theme."""
    ink, faint = INK[theme], FAINT[theme]
    words = {"labelColor": ink, "titleColor": ink, "labelFontSize": 11, "titleFontSize": 12}
    return {
        "background": GROUND[theme],
        "font": "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif",
        "view": {"stroke": None},
        "axis": words
        | {
            "gridColor": faint,
            "domainColor": faint,
            "tickColor": faint,
            "titleFontWeight": "normal",
        },
        "legend": words
        | {"orient": "bottom", "columns": 2, "symbolStrokeWidth": 3, "symbolOpacity": 1},
        "title": {
            "color": ink,
            "subtitleColor": ink,
            "anchor": "start",
            "fontSize": 14,
            "limit": 520,
        },
        "text": {"fontSize": 11},
        "range": {"category": list(colours(theme)), "heatmap": list(HEAT[theme])},
        "style": {
            "ink": {"color": ink},
            "beside": {"color": QUIET[theme]},
            "band": {"color": colours(theme)[0]},
            "on_faint": {"color": ON_FAINT[theme]},
            "on_full": {"color": ON_FULL[theme]},
        },
    }
