"""Pictures of labels against the truth, and of what a selection brings."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.parameters import one_of, require
from credibly._core.text import number_text
from credibly.curves import Curve, Curves
from credibly.curves.plots import curve
from credibly.decisions.cost_benefit import CostBenefit, cost_benefit as analyse
from credibly.decisions.decide import Decision
from credibly.errors import ParameterError
from credibly.predictions import Predictions
from credibly.predictions.plots import one_model
from credibly.predictions.summaries import Counts
from credibly.results.figure import Axis, Figure, Layer
from credibly.results.plot import plot_kind

Share = Literal["counts", "rows", "columns"]
TITLES = {
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


@plot_kind("Confusion matrix", of=(Predictions, Decision), suits=_labels_alone)
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
    require("show", show, one_of(*TITLES))
    counts = _counts(made, model)
    table, columns = _with_doubt(counts)
    totals = {"counts": 1.0, "rows": table.sum(1, keepdims=True), "columns": table.sum(0)}[show]
    shares = np.divide(
        table, totals, out=np.full(table.shape, np.nan), where=np.asarray(totals) > 0
    )
    right = float(np.trace(counts.matrix))
    alt = (
        f"Table of {len(counts.classes)} actual classes against predicted ones, {TITLES[show]}. "
        f"{right:g} of {table.sum():g} cases lie on the diagonal."
    )
    return _heat("Confusion matrix", TITLES[show], counts.classes, columns, shares, alt)


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
        f"{np.trace(counts.matrix):g} do."
    )
    title = "Matrix expected by chance"
    return _heat(title, "cases", counts.classes, _names(counts.classes), expected, alt)


def _counts(made: Predictions | Decision, model: str | None) -> Counts:
    if isinstance(made, Predictions):
        return Counts.of(one_model(made, model).known())
    if model is None:
        return made.counts
    found = [d for d in made.decisions if str(d.model) == model]
    if not found:
        names = ", ".join(str(d.model) for d in made.decisions)
        raise ParameterError(f"There are decisions for {names}; {model!r} is none of them.")
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
    title: str,
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
    return Figure(title, across, down, (layer,), alt, subtitle=subtitle, square=True)


@plot_kind("Cost and benefit", of=CostBenefit, aliases=("profit",), prepare={Predictions: analyse})
def cost_benefit(result: CostBenefit) -> Figure:
    """Profit by the number of cases selected, the place chosen, and a random sample (dashed).

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 1, 0, 0, 0, 0], score=[8, 7, 6, 5, 4, 3, 2, 1])
    >>> figure = credibly.plot(credibly.cost_benefit(p, {"tp": -15, "fp": 4}))
    >>> figure.layers[-1].columns["x"], figure.layers[-1].columns["y"]
    ([4.0], [41.0])
    """
    figure = curve.function(Curves(tuple(_profits(result))))
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
