"""Axes that are cut down to small marks, and say so."""

import numpy as np
import pytest

import credibly
from credibly import Predictions
from credibly.plots import Axis, Figure, Layer
from credibly.results.plot import SMALL_SHARE, zoomed

UNIT = (0.0, 1.0)


def figure(*layers, x=UNIT, y=UNIT):
    return Figure("Any", Axis("across", x), Axis("up", y), layers, "Any picture.")


def near_perfect(n=2000):
    rng = np.random.default_rng(2)
    y = np.arange(n) % 2
    return Predictions.of(y, score=5 * y + rng.normal(size=n))


@pytest.mark.parametrize(("kind", "reach"), [("line", 0.05), ("step", 0.02)])
def test_a_corner_that_a_curve_hugs_is_shown(kind, reach):
    x, y = [0.0, 0.0, 0.02, 0.05, 1.0], [0.0, 0.4, 0.8, 1.0, 1.0]
    seen = zoomed(figure(Layer.of(kind, x=x, y=y)))
    assert seen.x.ends[0] == 0
    assert reach <= seen.x.ends[1] < 1.2 * reach
    assert seen.y.ends == UNIT
    assert seen.subtitle == f"across shown from 0 to {seen.x.ends[1]:g}"


def test_what_crosses_the_frame_is_left_alone():
    for layer in (
        Layer.of("line", x=[0.0, 0.02, 1.0], y=[0.0, 0.9, 1.0]),
        Layer.of("points", x=[0.0, 0.5], y=[0.0, 0.5]),
        Layer.of("points", x=[0.5], y=[0.5]),
        Layer.of("bars", x=[0.0, 0.5], right=[0.5, 1.0], y=[0.4, 0.6], low=[0.0, 0.0]),
    ):
        assert zoomed(figure(layer)).subtitle == ""


def test_lines_of_trivial_rules_do_not_count_and_bands_do():
    low = Layer.of("line", x=[0.0, 0.5, 1.0], y=[0.0, 0.03, 0.0])
    trivial = Layer.of("line", x=[0.0, 1.0], y=[0.0, 1.0], emphasis="dashed")
    band = Layer.of("band", x=[0.0, 0.5, 1.0], low=[0.0, 0.0, 0.0], high=[0.0, 0.3, 0.0])
    assert zoomed(figure(trivial, low)).y.ends[1] < SMALL_SHARE
    assert zoomed(figure(trivial, low, band)).y.ends == UNIT


def test_axes_of_names_and_marked_ones_are_left_alone():
    point = Layer.of("points", x=[0.5, 0.52], y=["a", "b"])
    marked = Axis("across", UNIT, ticks=((0.5, "half"),))
    drawn = Figure("Any", marked, Axis("", categories=("a", "b")), (point,), "Any picture.")
    assert zoomed(drawn).x == marked


def test_points_and_intervals_lie_within_what_is_shown():
    rng = np.random.default_rng(1)
    for _ in range(50):
        x = rng.random() + rng.random(4) * 0.06
        x = x[x < 1]
        bars = {"left": x - 0.01, "right": x + 0.01}
        seen = zoomed(figure(Layer.of("points", x=x, y=rng.random(x.size), **bars)))
        assert seen.x.ends[0] <= max(0, (x - 0.01).min(initial=1))
        assert seen.x.ends[1] >= min(1, (x + 0.01).max(initial=0))


def test_the_full_range_can_be_asked_for():
    p = near_perfect()
    assert p.plot("roc").x.ends[1] <= SMALL_SHARE
    assert "shown from" in p.plot("roc").subtitle
    assert p.plot("roc", full_range=True).x.ends == UNIT
    assert credibly.plot(credibly.curve("cost", p)).y.ends[1] <= SMALL_SHARE
    assert credibly.plot(credibly.curve("cost", p), full_range=True).y.ends == UNIT
