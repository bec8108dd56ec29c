"""Draw a figure in Vega-Lite's language: nothing here looks at what the figure is about."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from credibly.plots._palette import FAINT, GROUND, HEAT, INK, QUIET, colours

if TYPE_CHECKING:
    from collections.abc import Callable

    from credibly.plots.figure import Axis, Figure, Layer, Theme

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
WIDTH, HEIGHT, SQUARE = 420, 280, 320
ROW = 26  # height of a category on the vertical axis
LONGEST_LABEL = 180
Spec = dict[str, Any]


def spec_of(figure: Figure, *, theme: Theme, interactive: bool) -> Spec:
    """Return the specification, a plain dictionary."""
    series = figure.series()
    layers = [part for layer in figure.layers for part in _DRAW[layer.kind](layer, figure, theme)]
    if series:
        for part in layers:
            _colour(part, series, theme, interactive=interactive)
    if interactive and len(series) > 1:
        _toggle_by_legend(layers)
    return {
        "$schema": SCHEMA,
        "description": figure.alt,
        "title": {"text": figure.title, "subtitle": figure.subtitle or []},
        **_size(figure),
        "layer": layers,
        "resolve": {"scale": {"color": "shared"}},
        "config": config_of(theme),
    }


def _size(figure: Figure) -> Spec:
    if figure.square:
        return {"width": SQUARE, "height": SQUARE}
    rows = len(figure.y.categories)
    return {"width": WIDTH, "height": max(60, ROW * rows) if rows else HEIGHT}


def _channel(axis: Axis, field: str) -> Spec:
    shown: Spec = {"title": axis.title, "labelLimit": LONGEST_LABEL}
    if axis.categories:
        return {
            "field": field,
            "type": "nominal",
            "sort": None,
            "scale": {"domain": list(axis.categories)},
            "axis": shown | {"labelAngle": 0},
        }
    scale: Spec = {"zero": False, "nice": False, "padding": 10}
    if axis.ends is not None:
        scale = {"zero": False, "nice": False, "domain": list(axis.ends)}
    if axis.logarithmic:
        scale["type"] = "log"
    if axis.ticks:
        shown["values"] = [place for place, _ in axis.ticks]
        # Nearness, since Vega and Python may write the same number differently.
        named = "".join(
            f"abs(datum.value - ({place!r})) < 1e-9 ? {json.dumps(text)} : "
            for place, text in axis.ticks
        )
        shown["labelExpr"] = f"{named}datum.label"
    return {"field": field, "type": "quantitative", "scale": scale, "axis": shown}


def _layer(layer: Layer, mark: Spec, encoding: Spec) -> Spec:
    names = list(layer.columns)
    rows = [
        {"i": i, **dict(zip(names, values, strict=True))}
        for i, values in enumerate(zip(*layer.columns.values(), strict=True))
    ]
    hover = [
        {"field": n, "type": "nominal" if isinstance(layer.columns[n][0], str) else "quantitative"}
        for n in names
        if layer.columns[n]
    ]
    return {
        "data": {"values": rows},
        "mark": mark,
        "encoding": encoding | {"tooltip": hover},
    }


def _muted(layer: Layer, theme: Theme) -> Spec:
    plain = {} if "series" in layer.columns else {"color": INK[theme]}
    if layer.emphasis == "quiet":
        return plain | {"opacity": 0.35, "strokeWidth": 1}
    if layer.emphasis == "dashed":
        return {"strokeDash": [5, 4], "color": QUIET[theme], "strokeWidth": 1.5}
    return plain


def _line(layer: Layer, figure: Figure, theme: Theme, interpolate: str = "linear") -> list[Spec]:
    mark = {"type": "line", "strokeWidth": 2, "interpolate": interpolate, "clip": True}
    path = {"order": {"field": "i", "type": "quantitative"}}
    if "path" in layer.columns:  # several lines of one series
        path["detail"] = {"field": "path", "type": "nominal"}
    place = {"x": _channel(figure.x, "x"), "y": _channel(figure.y, "y")}
    return [_layer(layer, mark | _muted(layer, theme), place | path)]


def _step(layer: Layer, figure: Figure, theme: Theme) -> list[Spec]:
    return _line(layer, figure, theme, "step-before")


def _band(layer: Layer, figure: Figure, theme: Theme) -> list[Spec]:
    mark = {"type": "area", "opacity": 0.18, "clip": True}
    if "series" not in layer.columns:
        mark["color"] = colours(theme)[0]
    place = {
        "x": _channel(figure.x, "x"),
        "y": _channel(figure.y, "low"),
        "y2": {"field": "high"},
    }
    return [_layer(layer, mark, place)]


def _points(layer: Layer, figure: Figure, theme: Theme) -> list[Spec]:
    muted = _muted(layer, theme)
    place = {"x": _channel(figure.x, "x"), "y": _channel(figure.y, "y")}
    size = 18 if layer.emphasis == "quiet" else 55
    drawn = [
        _layer(
            layer,
            {"type": "point", "filled": True, "size": size, "opacity": 1, "clip": True} | muted,
            place,
        )
    ]
    if "low" in layer.columns:
        ends = {"x": place["x"], "y": _channel(figure.y, "low"), "y2": {"field": "high"}}
        drawn.insert(
            0, _layer(layer, {"type": "rule", "strokeWidth": 1.5, "clip": True} | muted, ends)
        )
    if "left" in layer.columns:
        ends = {"y": place["y"], "x": _channel(figure.x, "left"), "x2": {"field": "right"}}
        drawn.insert(
            0, _layer(layer, {"type": "rule", "strokeWidth": 1.5, "clip": True} | muted, ends)
        )
    return drawn


def _bars(layer: Layer, figure: Figure, theme: Theme) -> list[Spec]:
    mark = {"type": "bar", "clip": True} | _muted(layer, theme)
    place = {"x": _channel(figure.x, "x"), "y": _channel(figure.y, "y")}
    if "right" in layer.columns:  # a bar over an interval of numbers, or along the horizontal axis
        place |= {"x2": {"field": "right"}}
    if "low" in layer.columns:
        place |= {"y": _channel(figure.y, "low"), "y2": {"field": "y"}}
    return [_layer(layer, mark, place)]


def _rule(layer: Layer, figure: Figure, theme: Theme) -> list[Spec]:
    place = {}
    for side, far, axis in (("x", "right", figure.x), ("y", "high", figure.y)):
        if side in layer.columns:
            place[side] = _channel(axis, side)
        if far in layer.columns:
            place[f"{side}2"] = {"field": far}
    mark = {"type": "rule", "strokeWidth": 1.5, "clip": True} | _muted(layer, theme)
    return [_layer(layer, mark, place)]


def _text(layer: Layer, figure: Figure, theme: Theme) -> list[Spec]:
    mark = {"type": "text", "align": "left", "dx": 6, "dy": -6, "limit": LONGEST_LABEL}
    place = {
        "x": _channel(figure.x, "x"),
        "y": _channel(figure.y, "y"),
        "text": {"field": "text", "type": "nominal"},
    }
    return [_layer(layer, mark | _muted(layer, theme), place)]


def _heatmap(layer: Layer, figure: Figure, theme: Theme) -> list[Spec]:
    place = {"x": _channel(figure.x, "x"), "y": _channel(figure.y, "y")}
    values = [v for v in layer.columns["value"] if v is not None]
    low, high = min(values, default=0), max(values, default=1)
    fill = {
        "field": "value",
        "type": "quantitative",
        "legend": None,
        "scale": {"range": list(HEAT[theme]), "domain": [min(low, 0), high]},
    }
    drawn = [_layer(layer, {"type": "rect"}, place | {"fill": fill})]
    if "text" in layer.columns:
        middle = (min(low, 0) + high) / 2
        on_dark = {
            "test": f"datum.value > {middle!r}",
            "value": INK["light" if theme == "dark" else "dark"],
        }
        ink = {"condition": on_dark, "value": INK[theme]}
        written = {"text": {"field": "text", "type": "nominal"}, "fill": ink}
        drawn.append(
            _layer(layer, {"type": "text", "baseline": "middle", "limit": 90}, place | written)
        )
    return drawn


_DRAW: dict[str, Callable[[Layer, Figure, Theme], list[Spec]]] = {
    "line": _line,
    "step": _step,
    "band": _band,
    "points": _points,
    "bars": _bars,
    "rule": _rule,
    "text": _text,
    "heatmap": _heatmap,
}


def _colour(part: Spec, series: list[str], theme: Theme, *, interactive: bool) -> None:
    rows = part["data"]["values"]
    if not rows or "series" not in rows[0]:
        return
    palette = colours(theme)
    part["encoding"]["color"] = {
        "field": "series",
        "type": "nominal",
        "scale": {
            "domain": series,
            "range": [palette[i % len(palette)] for i in range(len(series))],
        },
        "legend": {"title": None, "labelLimit": LONGEST_LABEL} if len(series) > 1 else None,
    }
    if interactive and len(series) > 1:
        full = part["mark"].get("opacity", 1)
        part["encoding"]["opacity"] = {
            "condition": {"param": "shown", "value": full},
            "value": 0.06,
        }


def _toggle_by_legend(layers: list[Spec]) -> None:
    first = next(part for part in layers if "color" in part["encoding"])
    first["params"] = [
        {"name": "shown", "select": {"type": "point", "fields": ["series"]}, "bind": "legend"}
    ]


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
        | {"orient": "bottom", "columns": 3, "symbolStrokeWidth": 3, "symbolOpacity": 1},
        "title": {"color": ink, "subtitleColor": ink, "anchor": "start", "fontSize": 14},
        "text": {"color": ink, "fontSize": 11},
    }
