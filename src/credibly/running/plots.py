"""Pictures of learning from more and more, and of what is learnt on two attributes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from credibly._core.grouping import grouped_by
from credibly._core.names import Names
from credibly._core.text import lower_first, number_text
from credibly.results.estimate import Estimate
from credibly.results.estimates import several_models
from credibly.results.figure import Axis, Columns, Emphasis, Figure, Layer
from credibly.results.interval import ends_of, level_text
from credibly.results.plot import plot_kind
from credibly.running.boundaries import MARGIN_SHARE, Boundary, DecisionBoundaries
from credibly.running.learning_curves import LearningCurve
from credibly.running.theories import TheorySizes
from credibly.running.two_attributes import ClassScatter, Plane

MAX_NAMED_MEMBERS = 6  # of an ensemble
PART_TITLES = {"train": "training part", "test": "test part"}


@plot_kind(
    "Learning curve",
    of=LearningCurve,
    aliases=Names(texts="learning curve", sklearn="learning_curve, LearningCurveDisplay"),
)
def learning_curve(
    grown: LearningCurve, measure: str | None = None, confidence_level: float = 0.95
) -> Figure:
    """A measure by the number of rows trained on, each point with its interval over folds.

    ``measure`` is the error rate, or the mean absolute error of numbers, by default.

    >>> import credibly
    >>> from credibly.running import learning_curve
    >>> from sklearn.datasets import load_iris
    >>> data = load_iris(return_X_y=True)
    >>> grown = learning_curve("naive-bayes", *data, sizes=[0.1, 1.0], rng=1, progress=False)
    >>> credibly.plot(grown).layers[0].columns["x"]
    [13, 135]
    """
    titles = "rows trained on", "mean over folds, the same test parts"
    return growth(grown, measure, confidence_level, *titles)


def growth(
    grown: LearningCurve,
    measure: str | None,
    confidence_level: float,
    x_title: str,
    subtitle: str,
) -> Figure:
    """Draw a line with intervals for each model and part."""
    table = grown.table(measure or grown.usual, confidence_level=confidence_level)
    lines = grouped_by(lambda e: _series(e, grown.key), table.estimates)
    layers, spoken = [], []
    for name, mine in lines.items():
        series = name if len(lines) > 1 else None
        layers += with_intervals([e.keys[grown.key] for e in mine], mine, series)
        who = f"{name}: " if series else ""
        spoken.append(f"{who}{mine[0].value:.3g} to {mine[-1].value:.3g}")
    several = several_models(e.keys for e in table.estimates)
    levels = level_text((e.interval for e in table.estimates), several=several)
    title = table.estimates[0].name
    return Figure(
        f"{grown.title}: {lower_first(title)}",
        Axis(x_title),
        Axis(title),
        tuple(layers),
        f"{title} by {x_title}, from {grown.sizes[0]} to {grown.sizes[-1]}. {'; '.join(spoken)}.",
        subtitle="; ".join(filter(None, [subtitle, levels])),
    )


def with_intervals(
    x: Sequence[object], estimates: Sequence[Estimate], series: str | None, *, line: bool = True
) -> list[Layer]:
    """Draw estimates as points with their intervals, on a line or without one."""
    low, high = ends_of(e.interval for e in estimates)
    values: Columns = {"x": x, "y": [e.value for e in estimates], "series": series}
    points = Layer.of("points", **values, low=low, high=high)
    return [Layer.of("line", **values), points] if line else [points]


def _series(e: Estimate, key: str) -> str:
    """Name the line that an estimate belongs to: its model, its part or both."""
    texts = [
        PART_TITLES.get(str(v), str(v)) if k == "part" else str(v)
        for k, v in e.keys.items()
        if k != key
    ]
    return ", ".join(texts)


@plot_kind("Classes on two attributes", of=ClassScatter)
def class_scatter(laid: ClassScatter) -> Figure:
    """Rows by class, test rows larger, with the mean of each class and its contours at 1 and 2 deviations.

    >>> import credibly
    >>> from credibly.running import class_scatter
    >>> from sklearn.datasets import load_iris
    >>> figure = credibly.plot(class_scatter(*load_iris(return_X_y=True), attributes=[0, 1]))
    >>> figure.series(), len(figure.layers[-1].columns["x"])
    (['0', '1', '2'], 3)
    """
    plane = laid.plane
    layers = _scattered(plane, ~laid.test, quiet=True)
    layers += _scattered(plane, laid.test, quiet=False) if laid.test.any() else []
    fitted = [c for c in range(len(plane.classes)) if math.isfinite(laid.means[c, 0])]
    for c in fitted:
        for deviations in (1.0, 2.0):
            ring = laid.ellipse(c, deviations)
            series = str(plane.classes[c])
            path = [int(deviations)] * len(ring)
            layers.append(Layer.of("line", x=ring[:, 0], y=ring[:, 1], path=path, series=series))
    if fitted:
        layers.append(Layer.of("points", x=laid.means[fitted, 0], y=laid.means[fitted, 1]))
    told = {"full": "normal distribution", "naive": "normal distribution without correlation"}
    sentences = [f"lines: {told[laid.covariance]} at 1 and 2 deviations"] if fitted else []
    sentences += ["large: test rows"] if laid.test.any() else []
    return Figure(
        "",
        Axis(plane.names[0]),
        Axis(plane.names[1]),
        tuple(layers),
        f"{laid.heading}, {len(plane.classes)} classes.",
        subtitle="; ".join(sentences),
    )


def _scattered(plane: Plane, which: NDArray[np.bool_], *, quiet: bool) -> list[Layer]:
    rows = np.flatnonzero(which)
    rows = rows[np.argsort(plane.codes[rows], kind="stable")]  # classes in their order
    x, y = plane.points[rows].T
    names = plane.labels(plane.codes[rows])
    return [Layer.of("points", x=x, y=y, series=names, emphasis="quiet" if quiet else "plain")]


@plot_kind("Decision boundaries", of=DecisionBoundaries)
def decision_boundaries(found: DecisionBoundaries) -> Figure:
    """The lines on which labels change, over the rows; those of other samples or of members are thin.

    Each of several schemes has its colour. Up to six members of one ensemble have names.

    >>> import credibly
    >>> from credibly.running import decision_boundaries
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = decision_boundaries("naive-bayes", X, y, attributes=[2, 3], replicates=3, points=31, rng=1)
    >>> credibly.plot(found).series()
    ['0', '1', '2']
    """
    plane, schemes = found.plane, found.schemes
    layers = _scattered(plane, np.ones(len(plane.points), bool), quiet=True)
    named = len(schemes) == 1 and len(found.boundaries) <= MAX_NAMED_MEMBERS + 1
    for b in sorted(found.boundaries, key=lambda b: b.source == "all rows"):
        own = named and b.source == "member"
        series = b.fit if own else b.scheme if len(schemes) > 1 else None
        if b.lines:
            thick = own or b.source == "all rows"
            layers.append(_traced(b, series, "plain" if thick else "quiet"))
    thin = any(layer.kind == "line" and layer.emphasis == "quiet" for layer in layers)
    spoken = "; ".join(
        f"{name}: error {found.of(name)[0].error:.3g} on all rows" for name in schemes
    )
    return Figure(
        "",
        _side(plane, 0),
        _side(plane, 1),
        tuple(layers),
        f"{found.heading}. {spoken}.",
        subtitle="; ".join(
            [*(schemes if len(schemes) == 1 else []), *(["thin: other fits"] if thin else [])]
        ),
    )


def _traced(b: Boundary, series: str | None, emphasis: Emphasis) -> Layer:
    """All lines of one boundary as one layer."""
    x, y = (np.concatenate([line[side] for line in b.lines]) for side in (0, 1))
    path = [i for i, line in enumerate(b.lines) for _ in line[0]]
    return Layer.of("line", x=x, y=y, path=path, series=series, emphasis=emphasis)


def _side(plane: Plane, j: int) -> Axis:
    low, high = float(plane.points[:, j].min()), float(plane.points[:, j].max())
    room = (high - low or 1.0) * MARGIN_SHARE
    return Axis(plane.names[j], (low - room, high + room))


@plot_kind("Size of theories and their error", of=TheorySizes)
def theory_sizes(found: TheorySizes) -> Figure:
    """The error of each scheme with its interval, from the smallest theory down to the largest.

    The size behind a name is the number of rules, conditions, learnt numbers and kept cases together.

    >>> import credibly
    >>> from credibly.running import theory_sizes
    >>> from sklearn.datasets import load_iris
    >>> data = load_iris(return_X_y=True)
    >>> credibly.plot(theory_sizes(["tree", "zero-r"], *data, rng=1, progress=False)).y.categories
    ('zero-r: 3', 'tree: 17')
    """
    ranked = sorted(found, key=lambda pair: pair[0].total if pair[0].total >= 0 else math.inf)
    names = tuple(f"{s.name}: {number_text(float(s.total))}" for s, _ in ranked)
    low, high = ends_of(e.interval for _, e in ranked)
    title = ranked[0][1].name
    text = "; ".join(f"{n} with {e.value:.3g}" for n, (_, e) in zip(names, ranked, strict=True))
    return Figure(
        "",
        Axis(title.lower()),
        Axis("scheme: size of what it learns", categories=names),
        (Layer.of("points", x=[e.value for _, e in ranked], y=names, left=low, right=high),),
        f"{title} by the size of what is learnt. {text}.",
        subtitle="; ".join(
            filter(
                None,
                [
                    level_text((e.interval for _, e in ranked), several=len(ranked) > 1),
                    "size: rules, conditions, learnt numbers and kept cases",
                ],
            )
        ),
    )
