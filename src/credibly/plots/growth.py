"""Pictures of learning from more and more rows."""

from __future__ import annotations

import math

from credibly.plots._declare import declare_plot
from credibly.plots.figure import Axis, Columns, Figure, Layer
from credibly.running.growth import LearningCurve

MEASURES = {"classification": "error_rate", "numeric": "rmse"}


@declare_plot("Learning curve", of=LearningCurve)
def learning_curve(grown: LearningCurve, measure: str | None = None) -> Figure:
    """A measure by the number of rows trained on, each point with its interval over folds.

    ``measure`` is the error rate, or the root mean squared error of numbers, when not given.

    >>> import credibly
    >>> from credibly.running import learning_curve
    >>> from sklearn.datasets import load_iris
    >>> data = load_iris(return_X_y=True)
    >>> grown = learning_curve("naive-bayes", *data, sizes=[0.1, 1.0], rng=1, progress=False)
    >>> credibly.plot(grown).layers[0].columns["x"]
    [13, 135]
    """
    task = next(iter(grown.predictions.values())).task
    table = grown.table(measure or MEASURES[task])
    names = list(dict.fromkeys(str(e.keys.get("model", "")) for e in table.estimates))
    layers, spoken = [], []
    for name in names:
        mine = [e for e in table.estimates if str(e.keys.get("model", "")) == name]
        values: Columns = {"x": [e.keys["trained on"] for e in mine], "y": [e.value for e in mine]}
        limits = [e.interval for e in mine]
        low = [i.low if i else math.nan for i in limits]
        high = [i.high if i else math.nan for i in limits]
        series = name if len(names) > 1 else None
        layers.append(Layer.of("line", **values, series=series))
        layers.append(Layer.of("points", **values, low=low, high=high, series=series))
        who = f"{name}: " if series else ""
        spoken.append(f"{who}{mine[0].value:.3g} to {mine[-1].value:.3g}")
    levels = {i.confidence_level for e in table.estimates if (i := e.interval)}
    shown = f"; {100 * levels.pop():g} % intervals" if len(levels) == 1 else ""
    title = table.estimates[0].name
    return Figure(
        "Learning curve",
        Axis("rows trained on"),
        Axis(title),
        tuple(layers),
        f"{title} after training on {grown.sizes[0]} to {grown.sizes[-1]} rows. {'; '.join(spoken)}.",
        subtitle=f"mean over folds, the same test parts{shown}",
        findings=table.all_findings(),
    )
