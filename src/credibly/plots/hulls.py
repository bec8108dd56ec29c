"""The convex hull of ROC curves, and the line of equal cost that touches it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from credibly.curves import Hull, hull as hull_of
from credibly.plots._declare import declare_plot
from credibly.plots.figure import Axis, Columns, Figure, Layer

if TYPE_CHECKING:
    from credibly.curves.hulls import HullPoint, Tangent

UNIT = (0.0, 1.0)
ROOM = 0.07  # of the square, that a line of text takes


@declare_plot("ROC convex hull", of=Hull, aliases=("roc_hull",), prepare=hull_of)
def hull(
    found: Hull,
    *,
    prevalence: float | None = None,
    false_negative: float = 1,
    false_positive: float = 1,
) -> Figure:
    """The best corners of all models, each with its threshold, and the line of equal cost at the cheapest.

    Every point of that line (iso-performance line) costs the same at this ``prevalence`` (that of the
    cases, if not given) and these costs; the hull lies below it.

    >>> import credibly
    >>> y = [1, 0, 1, 0]
    >>> models = {"a": credibly.Predictions.of(y, score=[4, 3, 2, 1]),
    ...           "b": credibly.Predictions.of(y, score=[1, 3, 2, 4])}
    >>> figure = credibly.plot(credibly.hull(models), prevalence=0.6)
    >>> figure.series(), figure.subtitle
    (['a'], 'dashed: equal cost at 0.6 positives; cheapest: a from 2')
    """
    best = found.best(
        prevalence=prevalence, false_negative=false_negative, false_positive=false_positive
    )
    inner = [q for q in found.points if not q.trivial]
    reached: Columns = {
        "x": [q.false_positive_rate for q in inner],
        "y": [q.true_positive_rate for q in inner],
    }
    layers = [
        Layer.of("line", x=UNIT, y=UNIT, text=["chance"] * 2, emphasis="quiet"),
        _tangent(best),
        Layer.of("line", x=found.false_positive_rates, y=found.true_positive_rates),
    ]
    if inner:
        names = [q.model for q in inner]
        cuts = [q.threshold for q in inner]
        layers.append(Layer.of("points", **reached, series=names, threshold=cuts))
        layers.append(_thresholds(inner))
    share = found.prevalence if prevalence is None else prevalence
    idle = ", ".join(found.non_contributors)
    return Figure(
        "ROC convex hull",
        Axis("false positive rate", UNIT),
        Axis("true positive rate", UNIT),
        tuple(layers),
        f"Convex hull of {len(found.models)} models with {len(inner)} corners by "
        f"{', '.join(found.contributors) or 'no model'}, area {found.area:.3g}. "
        + (f"Never best: {idle}. " if idle else "")
        + f"Cheapest corner: {best.point}.",
        subtitle=f"dashed: equal cost at {share:.3g} positives; cheapest: {best.point}",
        square=True,
        findings=found.findings,
    )


def _thresholds(inner: list[HullPoint]) -> Layer:
    """Write the threshold below its corner, where there is room for it."""
    written: list[HullPoint] = []
    for q in inner:
        if all(_apart(q, other) > ROOM for other in written):
            written.append(q)
    return Layer.of(
        "text",
        x=[q.false_positive_rate for q in written],
        y=[q.true_positive_rate - ROOM for q in written],
        text=[f"from {q.threshold:.4g}" for q in written],
    )


def _apart(q: HullPoint, other: HullPoint) -> float:
    return max(
        abs(q.false_positive_rate - other.false_positive_rate),
        abs(q.true_positive_rate - other.true_positive_rate),
    )


def _tangent(best: Tangent) -> Layer:
    """The part of the line of equal cost that lies within the square."""
    x0, y0 = best.point.false_positive_rate, best.point.true_positive_rate
    if np.isinf(best.slope):
        ends = [x0, x0], [0.0, 1.0]
    elif best.slope == 0:
        ends = [0.0, 1.0], [y0, y0]
    else:
        low, high = (float(np.clip((y - best.intercept) / best.slope, 0, 1)) for y in (0.0, 1.0))
        ends = [low, high], [best.intercept + best.slope * x for x in (low, high)]
    return Layer.of("line", x=ends[0], y=ends[1], text=["equal cost"] * 2, emphasis="dashed")
