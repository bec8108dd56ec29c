"""Pictures of what a selection brings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from credibly._core.text import number_text
from credibly.curves import Curve, Curves
from credibly.decisions import CostBenefit, cost_benefit as analyse
from credibly.plots._declare import declare_plot
from credibly.plots.curves import curve
from credibly.plots.figure import Figure, Layer


@declare_plot("Cost and benefit", of=CostBenefit, aliases=("profit",), prepare=analyse)
def cost_benefit(result: CostBenefit) -> Figure:
    """Profit by the number of cases selected, the place chosen, and a random sample (dashed).

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 1, 0, 0, 0, 0], score=[8, 7, 6, 5, 4, 3, 2, 1])
    >>> figure = credibly.plot(credibly.cost_benefit(p, {"tp": -15, "fp": 4}))
    >>> figure.layers[-1].columns["x"], figure.layers[-1].columns["y"]
    ([4.0], [41.0])
    """
    figure = curve.make(Curves(tuple(_profits(result))))
    chosen = Layer.of(
        "points",
        x=[q.selected for q in result.points],
        y=[q.profit for q in result.points],
        threshold=[q.threshold for q in result.points],
        series=None if len(result.points) == 1 else [str(q.model) for q in result.points],
    )
    spoken = "; ".join(
        f"{q}, profit {number_text(q.profit)} against {number_text(q.random)} at random"
        for q in result.points
    )
    place = result.place.by if result.place.by in {"best", "worst"} else "chosen"
    return replace(
        figure.with_layers(chosen),
        alt=f"Profit by number of cases selected. {spoken}.",
        subtitle=f"point: {place} number; dashed: random sample",
        findings=result.table.all_findings(),
    )


def _profits(result: CostBenefit) -> list[Curve]:
    drawn = []
    for q in result.points:
        line = result.curve(q.model)
        x, y = line["selected"], line["profit"]
        drawn.append(
            Curve(
                name="profit",
                title="Profit of a selection",
                x=x,
                y=y,
                threshold=line["threshold"],
                x_title="cases selected",
                y_title="profit",
                keys={} if len(result.points) == 1 else {"model": q.model},
                beside={"random sample": (x[[0, -1]], np.asarray(y[[0, -1]]))},
            )
        )
    return drawn
