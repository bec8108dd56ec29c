"""Pictures of labels against the truth, and of what a selection brings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from credibly._core.arrays import Floats, evenly
from credibly._core.names import Names
from credibly._core.parameters import one_of, require
from credibly._core.text import number_text
from credibly.curves import Curve, Curves
from credibly.curves.plots import curve
from credibly.decisions.cost_benefit import CostBenefit, cost_benefit as analyse
from credibly.decisions.decide import Decision
from credibly.decisions.expected_costs import ExpectedCosts, expected_costs as expected_costs_of
from credibly.errors import ParameterError
from credibly.predictions import Predictions
from credibly.predictions.plots import one_model
from credibly.predictions.summaries import Counts
from credibly.results.figure import Axis, Columns, Figure, Layer
from credibly.results.plot import plot_kind

MAX_CASES = 25  # below each other
MAX_POINTS = 2000
TEXT_ROOM = 0.08  # of the height, below a point that text is written at
Share = Literal["counts", "rows", "columns"]
COUNT_TITLES = {
    "counts": "cases",
    "rows": "share of the actual class",
    "columns": "share of the predicted class",
}


def _labels_alone(thing: Predictions | Decision) -> bool:
    """Whether there is nothing to draw an ROC curve of."""
    return isinstance(thing, Decision) or (
        thing.task == "classification"
        and not ((thing.score is not None or thing.probability is not None) and thing.has_positive)
    )


@plot_kind(
    "Confusion matrix",
    of=(Predictions, Decision),
    suits=_labels_alone,
    aliases=Names(
        texts="contingency table",
        weka="Confusion Matrix",
        sklearn="confusion_matrix, ConfusionMatrixDisplay",
        caret="confusionMatrix",
        yardstick="conf_mat",
    ),
)
def confusion_matrix(
    made: Predictions | Decision, show: Share = "counts", model: str | None = None
) -> Figure:
    """Cases of each actual class (rows) that were given each label (columns).

    ``show`` is ``"counts"``, or ``"rows"`` or ``"columns"`` for shares of these; ``model`` picks one of
    several.

    >>> import credibly
    >>> p = credibly.Predictions.of(["a", "a", "b"], label=["a", "b", "b"])
    >>> credibly.plot(p, "confusion_matrix").layers[0].columns["text"]
    ['1', '1', '0', '1']
    """
    require("show", show, one_of(*COUNT_TITLES))
    counts = _counts(made, model)
    table, columns = _with_doubt(counts)
    totals = {"counts": 1.0, "rows": table.sum(1, keepdims=True), "columns": table.sum(0)}[show]
    shares = np.divide(
        table, totals, out=np.full(table.shape, np.nan), where=np.asarray(totals) > 0
    )
    right = float(np.trace(counts.matrix))
    alt = (
        f"Table of {len(counts.classes)} actual classes against predicted ones, {COUNT_TITLES[show]}. "
        f"{right:g} of {table.sum():g} cases lie on the diagonal."
    )
    return _heat(COUNT_TITLES[show], counts.classes, columns, shares, alt)


@plot_kind("Matrix expected by chance", of=Predictions, suits=lambda _: False)
def chance_matrix(p: Predictions, model: str | None = None) -> Figure:
    """The confusion matrix of a guesser that uses each label as often as the model did.

    >>> import credibly
    >>> p = credibly.Predictions.of(["a", "a", "b", "b"], label=["a", "b", "b", "b"])
    >>> credibly.plot(p, "chance_matrix").layers[0].columns["text"]
    ['0.5', '1.5', '0.5', '1.5']
    """
    counts = _counts(p, model)
    expected = counts.expected()
    by_chance = float(np.trace(expected))
    alt = (
        "Table of actual against predicted classes as expected by chance. "
        f"{by_chance:.4g} of {expected.sum():g} cases would lie on the diagonal; "
        f"{np.trace(counts.matrix):,.10g} do."
    )
    return _heat("cases", counts.classes, _names(counts.classes), expected, alt)


def _counts(made: Predictions | Decision, model: str | None) -> Counts:
    if isinstance(made, Predictions):
        return Counts.of(one_model(made, model).known())
    if model is None:
        return made.counts
    found = [d for d in made.decisions if str(d.model) == model]
    if not found:
        names = ", ".join(str(d.model) for d in made.decisions)
        raise ParameterError(f"There are decisions for {names}; {model!r} is not one of them.")
    return found[0].counts


def _with_doubt(counts: Counts) -> tuple[Floats, list[str]]:
    """Undecided cases, where there are any, stand in a column of their own."""
    names = _names(counts.classes)
    if not counts.doubt.any():
        return np.asarray(counts.matrix, float), names
    return np.column_stack([counts.matrix, counts.doubt]), [*names, "(undecided)"]


def _names(classes: tuple[object, ...]) -> list[str]:
    return [str(c) for c in classes]


def _heat(
    subtitle: str,
    classes: tuple[object, ...],
    columns: list[str],
    values: Floats,
    alt: str,
) -> Figure:
    rows = _names(classes)
    cells = values.ravel()
    layer = Layer.of(
        "heatmap",
        x=columns * len(rows),
        y=[name for name in rows for _ in columns],
        value=cells,
        text=[number_text(v) for v in cells.tolist()],
    )
    down = Axis("actual class", categories=tuple(rows))
    across = Axis("predicted class", categories=tuple(columns))
    return Figure("", across, down, (layer,), alt, subtitle=subtitle, square=True)


@plot_kind(
    "Cost and benefit",
    of=CostBenefit,
    aliases=Names("profit", weka="Cost/Benefit analysis"),
    prepare={Predictions: analyse},
)
def cost_benefit(result: CostBenefit) -> Figure:
    """Profit by the number of cases selected, the place chosen, and a random sample (dashed).

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 1, 0, 0, 0, 0], score=[8, 7, 6, 5, 4, 3, 2, 1])
    >>> figure = credibly.plot(credibly.cost_benefit(p, {"tp": -15, "fp": 4}))
    >>> figure.layers[-1].columns["x"], figure.layers[-1].columns["y"]
    ([4.0], [41.0])
    """
    figure = curve.function(
        Curves(tuple(_lines(result, "profit", "Profit of a selection", "profit")))
    )
    chosen = Layer.of(
        "points",
        x=[q.selected for q in result.points],
        y=[q.profit for q in result.points],
        threshold=[q.threshold for q in result.points],
        series=None if len(result.rankings) == 1 else [str(q.model) for q in result.points],
    )
    spoken = "; ".join(
        f"{q}, profit {number_text(q.profit)} against {number_text(q.random)} at random"
        for q in result.points
    )
    ends = {a.by for a in result.places}
    place = ends.pop() if ends in ({"best"}, {"worst"}) else "chosen"
    return replace(
        figure.with_layers(chosen),
        alt=f"Profit by number of cases selected. {spoken}.",
        subtitle=f"{'points' if len(result.places) > 1 else 'point'}: {place} number; dashed: random sample",
    )


def _lines(result: CostBenefit, what: str, title: str, y_title: str) -> list[Curve]:
    """What a selection brings by its size, beside that of a random sample."""
    drawn = []
    for ranking in result.rankings:
        line = result.curve(ranking.model)
        x, y = line["selected"], line[what]
        drawn.append(
            Curve(
                name=what,
                title=title,
                x=x,
                y=y,
                threshold=line["threshold"],
                x_title="cases selected",
                y_title=y_title,
                keys={} if len(result.rankings) == 1 else {"model": ranking.model},
                beside={"random sample": (x[[0, -1]], np.asarray(y[[0, -1]]))},
            )
        )
    return drawn


def _ranked(
    p: Predictions, *, population: float | None = None, prevalence: float | None = None
) -> CostBenefit:
    """Rank the cases; how many of them answer does not depend on what that brings, or on a place."""
    plain = dict.fromkeys(("fn", "fp"), 1.0) | dict.fromkeys(("tp", "tn"), 0.0)
    return analyse(p, plain, at="100%", population=population, prevalence=prevalence)


@plot_kind(
    "Lift chart",
    of=CostBenefit,
    suits=lambda _: False,
    prepare={Predictions: _ranked},
    aliases=Names(
        texts="lift chart", weka="Lift chart", unlike={"lift": "in numbers of positive cases"}
    ),
)
def lift_chart(result: CostBenefit, mark: str | Sequence[str] = ()) -> Figure:
    """Positive cases by the number of cases selected, best scores first, beside a random sample (dashed).

    ``mark`` names places to point out: ``["10%", "number=400"]``, or one text with commas between.
    ``population`` is how many cases there will be to select from, of which ``prevalence`` are positive.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 1, 0, 0, 0, 0], score=[8, 7, 6, 5, 4, 3, 2, 1])
    >>> figure = credibly.plot(p, "lift_chart", population=8000, mark="25%, number=4000")
    >>> figure.layers[-1].columns["text"]
    ['2,000 of 2,000', '3,000 of 4,000']
    """
    places = mark.split(",") if isinstance(mark, str) else list(mark)
    figure = curve.function(
        Curves(tuple(_lines(result, "tp", "Lift chart", "positive cases among them")))
    )
    marked = result.sizes([at.strip() for at in places if at.strip()])
    points: Columns = {"x": [q["selected"] for q in marked], "y": [q["tp"] for q in marked]}
    texts = [f"{number_text(q['tp'])} of {number_text(q['selected'])}" for q in marked]
    if marked:
        names = None if len(result.rankings) == 1 else [str(q["model"]) for q in marked]
        below = _below(
            points["x"], points["y"], TEXT_ROOM * figure.y.ends[1] if figure.y.ends else 0
        )
        figure = figure.with_layers(
            Layer.of("points", **points, lift=[q["lift"] for q in marked], series=names),
            Layer.of("text", x=points["x"], y=below, text=texts),
        )
    lifts = [
        f"{t} positive, lift {number_text(q['lift'])}" for t, q in zip(texts, marked, strict=True)
    ]
    first = result.points[0]
    return replace(
        figure,
        alt=f"Positive cases by number of cases selected, of {number_text(first.population)} "
        f"cases of which {number_text(first.tp + first.fn)} are positive. {'; '.join(lifts) or 'No place is marked'}.",
        subtitle="dashed: random sample",
    )


def _below(x: Sequence[float], y: Sequence[float], line: float) -> list[float]:
    """Return heights for texts below points, those at the same place a line of text apart."""
    made = dict.fromkeys(range(len(x)), 0.0)
    lowest: dict[float, float] = {}
    for i in sorted(made, key=lambda i: -y[i]):
        made[i] = min(y[i] - line, lowest.get(x[i], np.inf) - line)
        lowest[x[i]] = made[i]
    return list(made.values())


@plot_kind(
    "Expected cost of each label", of=ExpectedCosts, prepare={Predictions: expected_costs_of}
)
def expected_costs(found: ExpectedCosts) -> Figure:
    """What each label is expected to cost: by the probability of the positive class, or case by case.

    For two classes whose costs are the same for all cases, a line for each label with the
    probability at which they meet, and the cases on the cheaper one; else the first cases below
    each other.

    >>> import credibly
    >>> from credibly.decisions import expected_costs
    >>> figure = credibly.plot(expected_costs([[0.7, 0.3], [0.95, 0.05]], {"fn": 5, "fp": 1}))
    >>> figure.series(), figure.layers[-1].columns["y"]
    (['label 0', 'label 1'], [0.7, 0.25])
    """
    shared = found.by_class is not None and found.positive is not None and len(found.classes) == 2
    layers, x, y, more = _cost_lines(found) if shared else _cost_rows(found)
    return Figure(
        "",
        x,
        y,
        tuple(layers),
        f"{found.heading}. The cheapest labels have an expected cost of {number_text(found.mean)} on average.",
        subtitle=more,
    )


def _cost_lines(found: ExpectedCosts) -> tuple[list[Layer], Axis, Axis, str]:
    positive, costs = int(found.positive or 0), np.asarray(found.by_class)
    names = _names(found.classes)
    layers = [
        Layer.of("line", x=[0.0, 1.0], y=costs[[1 - positive, positive], j], series=f"label {name}")
        for j, name in enumerate(names)
    ]
    cut = found.threshold
    if cut is not None and 0 < cut < 1:
        layers.append(Layer.of("rule", x=[cut], emphasis="dashed"))
    # What is equal, as a case that is predicted repeatedly may be, is one point.
    apart = np.sort(np.unique(found.probability[:, positive], return_index=True)[1])
    some = apart[evenly(len(apart), MAX_POINTS)]  # what is drawn must not depend on chance
    mine, labels = found.probability[some, positive], found.labels[some]
    layers.append(Layer.of("points", x=mine, y=found.costs[some, labels], emphasis="quiet"))
    text = (
        ""
        if cut is None
        else f"dashed: {names[positive]} is cheaper from {number_text(cut)} upwards; "
    )
    across = Axis(f"probability of {names[positive]}", (0.0, 1.0))
    return layers, across, Axis("expected cost"), f"{text}small: cases"


def _cost_rows(found: ExpectedCosts) -> tuple[list[Layer], Axis, Axis, str]:
    n = min(len(found.row), MAX_CASES)
    cases = [str(r) for r in found.row[:n].tolist()]
    if found.model is not None:
        cases = [f"{m}, {r}" for m, r in zip(found.model[:n].tolist(), cases, strict=True)]
    if len(set(cases)) < n:  # what has one name would be drawn as one
        cases = [f"{i + 1}: {r}" for i, r in enumerate(cases)]
    layers = [
        Layer.of("points", x=found.costs[:n, j], y=cases, series=f"label {name}")
        for j, name in enumerate(_names(found.classes))
    ]
    some = "" if n == len(found.row) else f"the first {n} of {len(found.row):,} cases"
    return layers, Axis("expected cost"), Axis("case", categories=tuple(cases)), some
