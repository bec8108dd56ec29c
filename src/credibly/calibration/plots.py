"""Pictures of calibration."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from credibly._core.arrays import UNIT_RANGE
from credibly._core.names import Names
from credibly._core.text import percent, pvalue_text
from credibly.calibration.calibration import Calibration, Calibrations, calibration
from credibly.calibration.groups import grouped, most_groups
from credibly.calibration.numeric_prediction import Pit, QuantileCalibration
from credibly.calibration.outcomes import Outcomes
from credibly.calibration.recalibration import (
    FittedRecalibration,
    Recalibrated,
    RecalibratedModels,
)
from credibly.calibration.recalibration.recalibrate import fitted_map
from credibly.calibration.reliability_curves import isotonic_curve
from credibly.errors import ParameterError, says
from credibly.predictions import Predictions
from credibly.predictions.plots import one_model
from credibly.results.figure import Axis, Figure, Layer
from credibly.results.plot import plot_kind

HISTOGRAM_BARS = 30
CURVE_POINTS = 201
HISTOGRAM_HEIGHT = 0.12  # of the picture, for the histogram of outputs along its foot


@plot_kind(
    "Calibration plot",
    of=(Calibration, Calibrations),
    aliases=Names(
        "reliability_diagram",
        texts="calibration plot",
        sklearn="calibration_curve, CalibrationDisplay",
        caret="calibration",
    ),
    prepare={Predictions: calibration},
)
def calibration_plot(c: Calibration | Calibrations, *, observed_first: bool = False) -> Figure:
    """Observed share against predicted probability: groups with intervals, curves with bands, and all outputs.

    Calibrated probabilities lie on the dashed line. ``observed_first`` puts what was observed on the
    horizontal axis.

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 1] * 25, probability=[0.1, 0.4, 0.3, 0.8] * 25)
    >>> credibly.plot(credibly.calibration(p)).x.title
    'predicted probability'
    """
    if isinstance(c, Calibrations):
        return _of_models(c, observed_first=observed_first)
    g = c.groups
    if observed_first:
        points = Layer.of("points", x=g.observed, y=g.predicted, left=g.low, right=g.high)
        line = Layer.of("line", x=UNIT_RANGE, y=UNIT_RANGE, emphasis="dashed")
        layers: list[Layer] = [line, points]
    else:
        layers = [
            *_outputs(c),
            Layer.of("line", x=UNIT_RANGE, y=UNIT_RANGE, emphasis="dashed"),
            *_curves(c),
            Layer.of("points", x=g.predicted, y=g.observed, low=g.low, high=g.high),
        ]
    titles = ("predicted probability", "observed share")
    across, up = titles[::-1] if observed_first else titles
    gap = float(np.abs(g.predicted - g.observed).max())
    return Figure(
        "",
        Axis(across, UNIT_RANGE),
        Axis(up, UNIT_RANGE),
        tuple(layers),
        f"{c.heading}. Observed share against predicted probability in {len(g)} groups; "
        f"the largest gap is {gap:.3g}.",
        subtitle=f"points: {g.rule}, {percent(g.confidence_level)} intervals; dashed: calibrated"
        + ("" if observed_first else "; bars: how often each probability was given"),
        square=True,
    )


def _curves(c: Calibration) -> list[Layer]:
    layers = []
    for drawn in c.curves:
        thin = drawn.thinned(500)
        b = drawn.band
        if b is not None:
            layers.append(Layer.of("band", x=b.x, low=b.low, high=b.high, series=drawn.name))
        layers.append(Layer.of("line", x=thin.x, y=thin.y, series=drawn.name))
    return layers


def _outputs(c: Calibration) -> list[Layer]:
    """A histogram of the probabilities along the foot of the picture."""
    heights, edges = np.histogram(
        c.outcomes.probability, HISTOGRAM_BARS, UNIT_RANGE, weights=c.outcomes.total
    )
    tall = heights / max(heights.max(), 1) * HISTOGRAM_HEIGHT
    bars = {"x": edges[:-1], "right": edges[1:], "y": tall, "low": np.zeros(HISTOGRAM_BARS)}
    return [Layer.of("bars", **bars, cases=heights, emphasis="quiet")]


def _of_models(c: Calibrations, *, observed_first: bool) -> Figure:
    """Show the groups of each model, joined by a line."""
    layers, gaps = [Layer.of("line", x=UNIT_RANGE, y=UNIT_RANGE, emphasis="dashed")], []
    for name, each in zip(c.names, c.models, strict=True):
        g = each.groups
        ends = ("left", "right") if observed_first else ("low", "high")
        across, up = (g.observed, g.predicted) if observed_first else (g.predicted, g.observed)
        limits: dict[str, Any] = dict(zip(ends, (g.low, g.high), strict=True))
        layers += [
            Layer.of("line", x=across, y=up, series=name),
            Layer.of("points", x=across, y=up, series=name, **limits),
        ]
        gaps.append(f"{name}: {float(np.abs(g.predicted - g.observed).max()):.3g}")
    first = calibration_plot(c.models[0], observed_first=observed_first)
    return replace(
        first,
        layers=tuple(layers),
        alt=f"{c.heading}. Observed share against predicted probability; the largest gaps are {'; '.join(gaps)}.",
        subtitle=first.subtitle.partition("; bars")[0],
    )


@plot_kind("Covariance graph", of=Calibration, suits=lambda _: False)
def covariance_graph(c: Calibration) -> Figure:
    """Probabilities of events and of the others, their means, and the slope between these.

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 1] * 25, probability=[0.1, 0.4, 0.3, 0.8] * 25)
    >>> credibly.plot(credibly.calibration(p), "covariance_graph").layers[1].columns["y"]
    [0.25, 0.55]
    """
    o = c.outcomes
    heights = {}
    for happened, weight in ((0, o.total - o.events), (1, o.events)):
        count, edges = np.histogram(o.probability, HISTOGRAM_BARS, UNIT_RANGE, weights=weight)
        heights[happened] = count / max(count.max(), 1)
    bars = []
    for happened, share in heights.items():
        side = 1 - 2 * happened  # both histograms grow towards the middle
        middle = (edges[:-1] + edges[1:]) / 2
        ends = {"x": np.full(HISTOGRAM_BARS, float(happened)), "y": middle}
        bars.append(
            Layer.of(
                "rule", **ends, right=happened + side * 0.35 * share, high=middle, emphasis="quiet"
            )
        )
    means = [
        float(w @ o.probability) / max(float(w.sum()), 1e-300)
        for w in (o.total - o.events, o.events)
    ]
    slope = means[1] - means[0]
    return Figure(
        "",
        Axis("outcome", (-0.1, 1.1), ticks=((0.0, "no event"), (1.0, "event"))),
        Axis("predicted probability", UNIT_RANGE),
        (
            bars[0],
            Layer.of("line", x=UNIT_RANGE, y=means),
            bars[1],
            Layer.of("points", x=UNIT_RANGE, y=means),
        ),
        f"Mean probability {means[0]:.3g} without and {means[1]:.3g} with the event: slope {slope:.3g}.",
        subtitle=f"slope {slope:.3g}",
    )


@plot_kind("Before and after recalibration", of=(Recalibrated, RecalibratedModels))
def recalibration_plot(r: Recalibrated | RecalibratedModels, *, groups: int = 10) -> Figure:
    """Observed share against predicted probability before and after: groups with intervals, isotonic curves.

    >>> import credibly
    >>> from credibly.calibration.recalibration import recalibrate
    >>> p = [0.02, 0.1, 0.9, 0.98, 0.2, 0.7]
    >>> a = credibly.Predictions.of([0, 1, 0, 1, 0, 1] * 20, probability=p * 20, row=range(120))
    >>> b = credibly.Predictions.of([0, 1, 1, 1, 0, 0] * 20, probability=p * 20, row=range(120, 240))
    >>> credibly.plot(recalibrate(a, b)).series()
    ['before', 'after']
    """
    shown = (
        dict(zip(r.names, r.models, strict=True)) if isinstance(r, RecalibratedModels) else {"": r}
    )
    if not all(each.before.has_positive for each in shown.values()):
        raise ParameterError(
            "This plot shows two classes, or one class against the rest.",
            remedy=says("Name the class with <positive=...>."),
        )
    first = next(iter(shown.values()))
    layers = [Layer.of("line", x=UNIT_RANGE, y=UNIT_RANGE, emphasis="dashed")]
    gaps = []
    pairs = [
        (f"{name}, {when}" if name else when, p.known())
        for name, each in shown.items()
        for when, p in (("before", each.before), ("after", each.predictions))
    ]
    for name, p in pairs:
        o = Outcomes.of(p)
        g = grouped(o, min(groups, most_groups(o)))
        curve = isotonic_curve(o).thinned(500)
        ends: dict[str, Any] = {"low": g.low, "high": g.high}
        layers.append(Layer.of("line", x=curve.x, y=curve.y, series=name))
        layers.append(Layer.of("points", x=g.predicted, y=g.observed, series=name, **ends))
        gaps.append(float(np.abs(g.predicted - g.observed).max()))
    return Figure(
        "",
        Axis("predicted probability", UNIT_RANGE),
        Axis("observed share", UNIT_RANGE),
        tuple(layers),
        f"{r.heading}. The largest gap of {groups} groups is {max(gaps[::2]):.3g} before and {max(gaps[1::2]):.3g} after.",
        subtitle=f"{first.fitted.method}; dashed: calibrated",
        square=True,
    )


def _fitted(
    p: Predictions, method: str = "logistic", model: str | None = None
) -> FittedRecalibration:
    return fitted_map(one_model(p, model), method)


@plot_kind(
    "Calibration function",
    of=(FittedRecalibration, Recalibrated),
    suits=lambda r: isinstance(r, FittedRecalibration),
    prepare={Predictions: _fitted},
)
def calibration_function(made: FittedRecalibration | Recalibrated) -> Figure:
    """The map of a recalibration: what each probability becomes; on the dashed line it would stay.

    With more than two classes there is a line for each, before they are scaled to sum to one.
    ``method`` of predictions is a name from ``credibly list recalibrations``.

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 1, 0, 1], probability=[0.3, 0.4, 0.5, 0.7, 0.5, 0.6])
    >>> figure = credibly.plot(p, "calibration_function")
    >>> [round(y, 2) for y in figure.layers[1].columns["y"]][::50]
    [0.0, 0.1, 0.5, 0.9, 1.0]
    """
    fitted = made.fitted if isinstance(made, Recalibrated) else made
    x = np.linspace(0, 1, CURVE_POINTS)
    two = fitted.n_classes == 2
    if fitted.joint and not two:
        raise ParameterError(
            f"{fitted.method} maps the probabilities of {fitted.n_classes} classes jointly, so "
            "it is not a function of one of them."
        )
    drawn = [fitted(np.column_stack([1 - x, x]))[:, 1]] if two else [m(x) for m in fitted.maps]
    names = made.before.classes if isinstance(made, Recalibrated) else range(fitted.n_classes)
    lines = [
        Layer.of("line", x=x, y=y, series=None if two else str(name))
        for name, y in zip(names, drawn, strict=not two)
    ]
    text = "; ".join(f"0.5 becomes {y[CURVE_POINTS // 2]:.3g}" for y in drawn[:1])
    return Figure(
        "",
        Axis("original probability", UNIT_RANGE),
        Axis("recalibrated probability", UNIT_RANGE),
        (Layer.of("line", x=UNIT_RANGE, y=UNIT_RANGE, emphasis="dashed"), *lines),
        f"How {fitted.method} changes probabilities: {text}.",
        subtitle=f"{fitted.method}; dashed: unchanged",
        square=True,
    )


@plot_kind("PIT histogram", of=Pit)
def pit_plot(pit: Pit) -> Figure:
    """Heights of the bars of probability integral transforms, with intervals; 1 is what right distributions give.

    >>> import credibly
    >>> from credibly.calibration import pit_histogram
    >>> credibly.plot(pit_histogram([0.1, 0.4, 0.6, 0.9], bins=2)).y.title
    'density'
    """
    left, right = pit.edges[:-1], pit.edges[1:]
    bars: dict[str, Any] = {"x": left, "right": right, "y": pit.density, "low": 0 * left}
    middle = (left + right) / 2
    return Figure(
        "",
        Axis("probability integral transform", UNIT_RANGE),
        Axis("density", (0.0, float(max(pit.high.max(), 1.0)))),
        (
            Layer.of("bars", **bars, emphasis="quiet"),
            Layer.of("points", x=middle, y=pit.density, low=pit.low, high=pit.high),
            Layer.of("rule", y=[1.0], emphasis="dashed"),
        ),
        f"Probability integral transforms of {pit.values.size:,} cases in {left.size} bars; "
        f"p-value {pvalue_text(pit.pvalue)} for equal heights.",
        subtitle=f"{percent(pit.confidence_level)} intervals; dashed: calibrated",
    )


@plot_kind("Calibration of quantiles", of=QuantileCalibration)
def quantile_plot(q: QuantileCalibration) -> Figure:
    """Share of the truth at or below predicted quantiles against their levels, with intervals.

    >>> import credibly
    >>> from credibly.calibration import quantile_calibration
    >>> credibly.plot(quantile_calibration([1.0, 2.0], [[1.5], [1.5]], [0.5])).layers[1].columns["y"]
    [0.5]
    """
    gap = float(np.abs(q.observed - q.levels).max())
    return Figure(
        "",
        Axis("level of the quantile", UNIT_RANGE),
        Axis("share of the truth at or below", UNIT_RANGE),
        (
            Layer.of("line", x=UNIT_RANGE, y=UNIT_RANGE, emphasis="dashed"),
            Layer.of("points", x=q.levels, y=q.observed, low=q.low, high=q.high),
        ),
        f"{q.levels.size} quantiles of {q.n:,} cases; the largest gap is {gap:.3g}.",
        subtitle=f"{percent(q.confidence_level)} intervals; dashed: calibrated",
        square=True,
    )
