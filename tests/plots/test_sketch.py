"""The small picture beside a table in a notebook."""

import re
import time
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import credibly
from credibly import Predictions
from credibly.plots import Axis, Figure, Layer, plots
from credibly.render.names import width as pixels_of
from credibly.render.sketch import COLOURS, sketch
from every.showable import HOSTILE, samples

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*layers, x=None, y=None, **more):
    figure = Figure(
        "T", x or Axis("x", (0, 10)), y or Axis("y", (0, 1)), layers, "A picture.", **more
    )
    return ET.fromstring(sketch(figure))


def places(element):
    return [tuple(map(float, p.split(","))) for p in element.get("points").split()]


@pytest.mark.daily(of=[slice(1)])
@pytest.mark.parametrize("of", [slice(1), slice(1, 3)], ids=["first", "others"])
@pytest.mark.parametrize("entry", list(plots), ids=lambda e: e.name)
def test_every_figure_is_drawn_without_a_ground_or_a_network(entry, of):
    for sample in [s for kind in entry.types for s in samples()[kind]][of]:
        try:
            figure = entry(sample)
        except credibly.CrediblyError:
            continue
        text = sketch(figure)
        root = ET.fromstring(text)
        assert root.tag == f"{SVG}svg"
        assert not re.search(r'["\s,](nan|inf|-inf)["\s,]', text)
        assert "href" not in text
        assert not root.findall(f".//{SVG}script")
        width, height = float(root.get("width")), float(root.get("height"))
        assert 100 < width < 800
        assert 60 < height < 3000
        for words in root.iter(f"{SVG}text"):
            if words.get("text-anchor") == "start":
                assert float(words.get("x")) + pixels_of(words.text) <= width + 0.1


def test_marks_stand_where_the_numbers_are():
    root = drawn(Layer.of("line", x=[0, 5, 10], y=[0, 0.5, 1], series="a"))
    (line,) = (e for e in root.iter(f"{SVG}polyline") if e.get("stroke") == COLOURS[0])
    (left, foot), (mid, half), (right, top) = places(line)
    assert (left + right) / 2 == pytest.approx(mid, abs=0.1)
    assert (foot + top) / 2 == pytest.approx(half, abs=0.1)
    assert (right - left, foot - top) == (380, 230)


def test_a_step_goes_up_before_it_goes_on():
    root = drawn(Layer.of("step", x=[0, 10], y=[0.2, 1.0], series="a"))
    (line,) = (e for e in root.iter(f"{SVG}polyline") if e.get("stroke") == COLOURS[0])
    (x0, y0), (x1, y1), (x2, y2) = places(line)
    assert x0 == x1 < x2
    assert y0 > y1 == y2


def test_a_gap_parts_a_line_and_categories_are_read_from_the_top():
    root = drawn(Layer.of("line", x=[0, 1, None, 2, 3], y=[0, 0, 0, 1, 1], series="a"))
    assert sum(e.get("stroke") == COLOURS[0] for e in root.iter(f"{SVG}polyline")) == 2
    root = drawn(Layer.of("points", x=[1, 2], y=["a", "b"]), y=Axis("y", categories=("a", "b")))
    first, second = (float(c.get("cy")) for c in root.iter(f"{SVG}circle"))
    assert first < second


def test_names_are_escaped_and_many_are_counted():
    names = [*HOSTILE, *"abcdef"]
    root = drawn(*(Layer.of("line", x=[0, 1], y=[0, 1], series=n) for n in names))
    words = [e.text for e in root.iter(f"{SVG}text")]
    assert HOSTILE[0] in words
    assert f"and {len(names) - 5} more" in words


def test_it_is_light_and_quick():
    rng = np.random.default_rng(1)
    y = np.arange(20_000) % 2
    curve = credibly.curve("roc", Predictions.of(y, score=y + rng.normal(size=y.size)))
    html = curve._repr_html_()
    assert len(html) < 60_000
    start = time.process_time()
    curve._repr_html_()
    assert time.process_time() - start < 1
