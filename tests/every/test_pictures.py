"""What must hold of the picture of every plot: names apart, marks inside, no text on another."""

from dataclasses import replace

import pytest

from credibly.plots import Layer, plots
from credibly.render.vega_layout import SERIES_BY_COLOUR, Layout
from each import Each
from every.placed_texts import texts_of
from every.test_plots import frames, shown

EVERY = list(plots)
by_name = Each("entry", EVERY)
PREFIX, SUFFIX = "a_scheme_of_many_words_with_the_parameter_", "_and_others_that_are_the_same"
WIDTHS = [None, 400, 1200]
# How many, where: one has no key, and what the key of ten takes depends on the width most.
SERIES = [(1, None), (2, 400), (10, 400), (10, 1200)]


def named(figure, n):
    """Return the figure with so many series of long names that begin and end alike."""
    names = [f"{PREFIX}{i}{SUFFIX}" for i in range(n)]
    kept = [la for la in figure.layers if la.emphasis == "dashed" or la.kind in {"text", "heatmap"}]
    drawn = [la for la in figure.layers if not any(la is k for k in kept)]
    for name in names:
        for la in drawn:
            columns = {k: v for k, v in la.columns.items() if k != "series"}
            kept.append(replace(la, columns={**columns, "series": [name] * _rows(la)}))
    return replace(
        figure, layers=tuple(kept), notes=dict.fromkeys(names, "AUC 0.8671 [0.8123, 0.9018]")
    )


def relabelled(axis):
    """Return an axis with long names, and what each stands for."""
    return {c: f"{PREFIX}{i}{SUFFIX}" for i, c in enumerate(axis.categories)}


def with_long_categories(figure):
    """Return the figure with names that begin and end alike along its axes."""
    layers = figure.layers
    for side in ("x", "y"):
        names = relabelled(getattr(figure, side))
        if names:
            layers = [
                replace(la, columns={**la.columns, side: [names[v] for v in la.columns[side]]})
                if side in la.columns
                else la
                for la in layers
            ]
    axes = {
        side: replace(axis, categories=tuple(relabelled(axis).values()))
        for side, axis in (("x", figure.x), ("y", figure.y))
    }
    panels = tuple(with_long_categories(p) for p in figure.panels)
    return replace(figure, **axes, layers=tuple(layers), panels=panels)


def _rows(layer: Layer) -> int:
    return len(next(iter(layer.columns.values())))


def written(expression):
    """Return what names are written as, by the expression that Vega is given."""
    return [case.partition("? ")[2] for case in expression.split(" : ")[:-1]]


@pytest.mark.daily(n=[20])
@pytest.mark.parametrize("n", [1, 2, 10, 20])
@by_name.in_turn("width", WIDTHS)
def test_series_can_be_told_apart(entry, width, n):
    figure = named(shown(entry)[0], n)
    if not figure.series():
        pytest.skip("nothing in it has a name")
    layout = Layout(figure, width)
    key = layout.key()
    if n == 1:
        assert key is None
        return
    labels = written(key["labelExpr"])
    assert len(set(labels)) == len(labels) == n
    line = layout.look("line")
    dash = line.get("strokeDash", layout.look("point").get("shape"))
    looks = {
        (i % SERIES_BY_COLOUR, str(dash["scale"]["range"][i]) if dash else "") for i in range(n)
    }
    assert len(looks) == n


@by_name
def test_names_along_axes_are_written_apart(entry):
    for figure in shown(entry):
        for frame in frames(with_long_categories(figure)):
            for width in WIDTHS:
                for side in ("x", "y"):
                    if getattr(frame, side).categories:
                        axis = Layout(frame, width).channel(side, side)["axis"]
                        labels = written(axis["labelExpr"])
                        assert len(set(labels)) == len(getattr(frame, side).categories)


@by_name
def test_all_marks_lie_within_the_axes(entry):
    """Unless the subtitle says that axes are cut, or a trivial rule goes on without end."""
    for figure in shown(entry):
        for frame in frames(figure):
            for layer in frame.layers:
                if layer.emphasis != "dashed" and layer.kind != "text" and not _cut(frame):
                    assert frame.holds(layer), (figure.title, layer.kind)


def _cut(frame):
    probit = any("%" in text for axis in (frame.x, frame.y) for _, text in axis.ticks)
    return probit or "shown from" in frame.subtitle


@pytest.mark.thorough(entry=EVERY[::4])
@by_name.apart
def test_no_text_lies_on_another(entry):
    """Of figures as they are, with long names along their axes, and with series of long names."""
    for figure in shown(entry):
        long = [with_long_categories(figure)] if _has_categories(figure) else []
        for each in (figure, *long):
            for width in WIDTHS:
                _check_texts(each, width)
    for n, width in SERIES:
        _check_texts(named(shown(entry)[0], n), width)


def _has_categories(figure):
    return any(frame.x.categories or frame.y.categories for frame in frames(figure))


def _check_texts(figure, width):
    look = {} if width is None else {"width": width}
    across, texts = texts_of(figure.svg(**look))
    if width is not None and not figure.panels:
        assert across == pytest.approx(width, abs=2)
    over = [(a.text, b.text) for i, a in enumerate(texts) for b in texts[:i] if a.overlaps(b)]
    assert not over, figure.title
    outside = [t.text for t in texts if t.left < -0.03 * across or t.right > 1.03 * across]
    assert not outside, figure.title
