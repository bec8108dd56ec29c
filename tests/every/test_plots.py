"""What must hold of every registered plot, on every result that it shows."""

import json
import math
import warnings
from functools import cache
from xml.etree import ElementTree as ET

import pytest

import credibly
from credibly import CrediblyError, ParameterError, Predictions
from credibly._core.text import visible
from credibly.curves import curves
from credibly.plots import Figure, plots
from each import Each
from every.additions import example_runs
from every.kinds import kinds
from every.showable import HOSTILE, samples

EVERY = list(plots)
by_name = Each("entry", EVERY)
SVG = "{http://www.w3.org/2000/svg}"


@cache
def shown(entry):
    """Figures of all samples that the plot does not refuse."""
    made = []
    for kind in entry.types:
        for sample in samples()[kind]:
            try:
                made.append(entry(sample))
            except CrediblyError:
                continue
    return made


def frames(figure):
    """The panels of a figure, itself among them."""
    return [figure, *figure.panels]


@by_name
def test_is_described(entry):
    assert entry.title[0].isupper()
    assert entry.doc.split("\n")[0].endswith(".")
    assert entry.name not in curves, "a curve of this name could not be asked for"
    for alias in (entry.name, *entry.aliases):
        assert plots[alias] is entry


@by_name
def test_worked_example_runs(entry):
    example_runs(entry, "credibly.plot(")


@by_name
def test_every_type_has_a_sample_that_is_shown(entry):
    for kind in entry.types:
        made = [s for s in samples()[kind] if _shows(entry, s)]
        assert made, (
            f"{entry.name} refuses every {kind.__name__} of tests/every/showable.py: add one"
        )


def _shows(entry, sample):
    try:
        return isinstance(entry(sample), Figure)
    except CrediblyError:
        return False


# Every verb is asked for the others every day.
@pytest.mark.daily(kind=list(kinds())[1::4])
@pytest.mark.parametrize("kind", kinds())
def test_whatever_is_predicted_is_drawn_or_refused(kind):
    p = kinds()[kind]
    for name in [*(e.name for e in EVERY), *(c.name for c in curves), None]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                figure = credibly.plot(p, name)
        except CrediblyError:
            continue
        assert figure.alt
        assert json.dumps(figure.spec(), allow_nan=False), name


def test_one_number_beyond_a_share_is_shown():
    p = Predictions.of([1.0, 20.0, 3.0], value=[11.0, 2.0, 40.0])
    figure = credibly.evaluate(p, "rmse").plot()
    assert figure.y.categories == ("Root mean squared error",)
    mixed = credibly.evaluate(p, ["rmse", "quantile_coverage"]).plot()
    assert mixed.y.categories == ("Quantile coverage",)


def test_replicates_of_predictions_need_a_seed_and_nothing_else():
    for kind in ("binary", "labels", "scores", "three", "numeric", "groups"):
        p = kinds()[kind]
        with pytest.raises(ParameterError, match="needs rng="):
            credibly.plot(p, "sampling_distribution")
        figure = credibly.plot(p, "sampling_distribution", rng=1, replicates=50)
        assert sum(figure.layers[0].columns["y"]) > 0


@by_name
def test_figures_are_complete(entry):
    for figure in shown(entry):
        assert figure.name == entry.name
        assert figure.title
        assert len(figure.alt) > 20
        assert figure.alt.endswith(".")
        assert "nan" not in figure.alt.split()
        for frame in frames(figure):
            assert frame.layers
            for axis, side in ((frame.x, "x"), (frame.y, "y")):
                assert axis.title or (side == "y" and (axis.categories or axis.hidden))
                assert len(set(axis.categories)) == len(axis.categories)
                for layer in frame.layers:
                    _check_column(layer.columns.get(side, []), axis)


def _check_column(values, axis):
    if axis.categories:
        assert set(values) <= set(axis.categories)
    else:
        assert all(v is None or math.isfinite(v) for v in values)


@by_name
def test_marks_lie_within_the_axes(entry):
    """Every layer has a mark that can be seen, unless it has none at all."""
    for figure in shown(entry):
        for layer in figure.layers:
            columns = {s: layer.columns[s] for s in ("x", "y") if s in layer.columns}
            rows = list(zip(*columns.values(), strict=True))
            seen = [
                all(_within(v, getattr(figure, s)) for s, v in zip(columns, row, strict=True))
                for row in rows
            ]
            assert any(seen) or not rows or layer.emphasis == "dashed", (figure.title, layer.kind)


def _within(value, axis):
    if value is None or axis.categories or axis.ends is None:
        return True
    return axis.ends[0] <= value <= axis.ends[1]


@pytest.mark.daily(entry=EVERY[::8], which=[0])
@pytest.mark.daily(entry=EVERY[4::8], which=[1])
@pytest.mark.parametrize(("which", "theme"), [(0, "light"), (1, "dark")])
@by_name.apart
def test_vega_draws_it(entry, which, theme):
    """Rendered by vl-convert, which fails on what Vega-Lite does not know; names stand there as text."""
    figure = shown(entry)[which % len(shown(entry))]
    drawn = ET.fromstring(figure.svg(theme=theme))
    texts = [t.text for t in drawn.iter(f"{SVG}text")]
    assert figure.title[:10] in " ".join(filter(None, texts))
    assert not list(drawn.iter(f"{SVG}script"))


@pytest.mark.daily(entry=EVERY[:2])  # made of the drawing above
@by_name.apart
def test_it_becomes_a_picture(entry):
    for theme, figure in zip(("light", "dark"), shown(entry), strict=False):
        assert figure.png(scale=1, theme=theme).startswith(b"\x89PNG")


@pytest.mark.daily(entry=EVERY[1::16])
@by_name.apart
def test_matplotlib_draws_it(entry):
    plt = pytest.importorskip("matplotlib.pyplot")
    for figure in shown(entry)[:4]:
        ax = figure.draw(plt.figure().subplots())
        ax.figure.canvas.draw()
        assert ax.get_title(loc="left").startswith(figure.title[:10].replace("$", r"\$"))
        assert ax.get_xlabel() == figure.x.title.replace("$", r"\$")
        plt.close(ax.figure)


@by_name
def test_both_backends_get_the_same_numbers(entry):
    """The data in the specification are the columns of the layers, and so is what matplotlib draws."""
    for figure in shown(entry):
        spec = figure.spec(interactive=True)
        views = spec.get("vconcat", [spec])
        drawn = [part for view in views for part in view["layer"]]
        sizes = [len(part["data"]["values"]) for part in drawn]
        for layer in [layer for frame in frames(figure) for layer in frame.layers]:
            rows = [
                {
                    k: visible(v) if isinstance(v, str) else v
                    for k, v in zip(layer.columns, values, strict=True)
                }
                for values in zip(*layer.columns.values(), strict=True)
            ]
            assert len(rows) in sizes
            assert any(
                [{k: r[k] for k in layer.columns} for r in part["data"]["values"]] == rows
                for part in drawn
                if not rows or set(layer.columns) <= set(part["data"]["values"][:1][0])
            )


@by_name
def test_specifications_leave_colours_to_the_theme(entry):
    for figure in shown(entry)[:1]:
        light, dark = (figure.spec(theme=t, interactive=True) for t in ("light", "dark"))
        assert light.pop("config") != dark.pop("config")
        assert light == dark


@by_name
def test_other_things_and_options_are_refused(entry):
    with pytest.raises(ParameterError, match=f"{entry.name} shows"):
        entry(42)
    sample = next(s for s in samples()[entry.types[0]] if _shows(entry, s))
    with pytest.raises(ParameterError, match="has no option 'colour'"):
        entry(sample, colour="red")


@by_name
def test_results_show_themselves(entry):
    for kind in entry.types:
        if kind.__module__.startswith("credibly.calibration"):
            continue
        sample = next(s for s in samples()[kind] if _shows(entry, s))
        assert sample.plot(entry.name).alt == entry(sample).alt
        assert isinstance(sample.plot(), Figure)


def test_names_are_shown_as_text():
    figure = credibly.curve("roc", samples()[Predictions][1]).plot()
    assert figure.series() == [h for h in figure.series() if h in (*HOSTILE, "tree")]
    svg, page = figure.svg(), figure.html()
    assert "<script>alert" not in svg
    assert "&lt;script&gt;" in svg
    assert "<script>alert" not in page
