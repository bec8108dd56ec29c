"""Pictures of learning from more and more."""

from __future__ import annotations

import math
from collections.abc import Sequence

from credibly._core.names import Names
from credibly.results.figure import Axis, Columns, Figure, Layer
from credibly.results.plot import plot_kind
from credibly.results.table import Estimate
from credibly.running.learning_curves import LearningCurve

MEASURES = {"classification": "error_rate", "numeric": "rmse"}
NO_INTERVAL = (math.nan, math.nan)
PARTS = {"train": "training part", "test": "test part"}


@plot_kind(
    "Learning curve",
    of=LearningCurve,
    aliases=Names(texts="learning curve", sklearn="learning_curve, LearningCurveDisplay"),
)
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
    return growth(grown, measure, "rows trained on", "mean over folds, the same test parts")


def growth(grown: LearningCurve, measure: str | None, x_title: str, subtitle: str) -> Figure:
    """Draw a line with intervals for each model and part."""
    task = next(iter(grown.predictions.values())).task
    table = grown.table(measure or MEASURES[task])
    lines: dict[str, list[Estimate]] = {}
    for e in table.estimates:
        lines.setdefault(_series(e, grown.key), []).append(e)
    layers, spoken = [], []
    for name, mine in lines.items():
        series = name if len(lines) > 1 else None
        layers += with_intervals([e.keys[grown.key] for e in mine], mine, series)
        who = f"{name}: " if series else ""
        spoken.append(f"{who}{mine[0].value:.3g} to {mine[-1].value:.3g}")
    levels = {i.confidence_level for e in table.estimates if (i := e.interval)}
    shown = f"; {100 * levels.pop():g} % intervals" if len(levels) == 1 else ""
    title = table.estimates[0].name
    return Figure(
        grown.heading.partition(",")[0],
        Axis(x_title),
        Axis(title),
        tuple(layers),
        f"{title} by {x_title}, from {grown.sizes[0]} to {grown.sizes[-1]}. {'; '.join(spoken)}.",
        subtitle=f"{subtitle}{shown}",
        findings=table.all_findings(),
    )


def with_intervals(
    x: Sequence[object], estimates: Sequence[Estimate], series: str | None, *, line: bool = True
) -> list[Layer]:
    """Draw estimates as points with their intervals, on a line or without one."""
    ends = [(e.interval.low, e.interval.high) if e.interval else NO_INTERVAL for e in estimates]
    low, high = ([end[i] for end in ends] for i in (0, 1))
    values: Columns = {"x": x, "y": [e.value for e in estimates], "series": series}
    points = Layer.of("points", **values, low=low, high=high)
    return [Layer.of("line", **values), points] if line else [points]


def _series(e: Estimate, key: str) -> str:
    """Name the line that an estimate belongs to: its model, its part or both."""
    told = [
        PARTS.get(str(v), str(v)) if k == "part" else str(v) for k, v in e.keys.items() if k != key
    ]
    return ", ".join(told)
