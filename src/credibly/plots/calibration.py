"""Pictures of calibration."""

from __future__ import annotations

import numpy as np

from credibly.plots._declare import declare_plot
from credibly.plots.figure import Axis, Figure, Layer
from credibly.reliability.calibration import Calibration

UNIT = (0.0, 1.0)
BARS = 30
TALLEST = 0.12  # of the picture, for the histogram of outputs along its foot


@declare_plot("Calibration plot", of=Calibration, aliases=("reliability_diagram",))
def calibration_plot(c: Calibration, *, observed_first: bool = False) -> Figure:
    """Observed share against predicted probability: groups with intervals, curves with bands, and all outputs.

    Calibrated probabilities lie on the dashed line. ``observed_first`` puts what was observed on the
    horizontal axis.

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 1] * 25, probability=[0.1, 0.4, 0.3, 0.8] * 25)
    >>> credibly.plot(credibly.calibration(p)).x.title
    'predicted probability'
    """
    g = c.groups
    if observed_first:
        points = Layer.of("points", x=g.observed, y=g.predicted, left=g.low, right=g.high)
        line = Layer.of("line", x=UNIT, y=UNIT, emphasis="dashed")
        layers: list[Layer] = [line, points]
    else:
        layers = [
            *_outputs(c),
            Layer.of("line", x=UNIT, y=UNIT, emphasis="dashed"),
            *_curves(c),
            Layer.of("points", x=g.predicted, y=g.observed, low=g.low, high=g.high),
        ]
    titles = ("predicted probability", "observed share")
    across, up = titles[::-1] if observed_first else titles
    gap = float(np.abs(g.predicted - g.observed).max())
    return Figure(
        "Calibration plot",
        Axis(across, UNIT),
        Axis(up, UNIT),
        tuple(layers),
        f"{c.heading}. Observed share against predicted probability in {len(g)} groups; "
        f"the largest gap is {gap:.3g}.",
        subtitle=f"{g.rule}; {100 * g.confidence_level:g} % intervals",
        square=True,
        findings=c.all_findings(),
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
    heights, edges = np.histogram(c.outcomes.probability, BARS, UNIT, weights=c.outcomes.total)
    tall = heights / max(heights.max(), 1) * TALLEST
    bars = {"x": edges[:-1], "right": edges[1:], "y": tall, "low": np.zeros(BARS)}
    return [Layer.of("bars", **bars, cases=heights, emphasis="quiet")]


@declare_plot("Covariance graph", of=Calibration, suits=lambda _: False)
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
        count, edges = np.histogram(o.probability, BARS, UNIT, weights=weight)
        heights[happened] = count / max(count.max(), 1)
    bars = []
    for happened, share in heights.items():
        side = 1 - 2 * happened  # both histograms grow towards the middle
        middle = (edges[:-1] + edges[1:]) / 2
        ends = {"x": np.full(BARS, float(happened)), "y": middle}
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
        "Covariance graph",
        Axis("outcome", (-0.1, 1.1), ticks=((0.0, "no event"), (1.0, "event"))),
        Axis("predicted probability", UNIT),
        (bars[0], Layer.of("line", x=UNIT, y=means), bars[1], Layer.of("points", x=UNIT, y=means)),
        f"Mean probability {means[0]:.3g} without and {means[1]:.3g} with the event: slope {slope:.3g}.",
        subtitle=f"slope {slope:.3g}",
        findings=c.findings,
    )
