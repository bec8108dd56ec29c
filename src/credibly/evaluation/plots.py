"""Pictures of tables of estimates."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from credibly._core.text import interval_text, number_text
from credibly.errors import ParameterError, says
from credibly.evaluation.evaluate import evaluate
from credibly.evaluation.fold_estimators import headline
from credibly.intervals.plots import leading_measure, sampling_distribution
from credibly.predictions import Predictions
from credibly.results.figure import Axis, Columns, Figure, Layer
from credibly.results.plot import plot_kind
from credibly.results.table import Estimate, Table


@plot_kind(
    "Estimates with intervals", of=Table, aliases=("forest",), prepare={Predictions: evaluate}
)
def estimates(table: Table, measure: str | None = None) -> Figure:
    """Values with their intervals below each other: one measure of several models, or several measures.

    ``measure`` picks one; without it, the measures that stay between 0 and 1 are shown together.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0])
    >>> credibly.plot(credibly.evaluate(p, ["accuracy", "recall"])).y.categories
    ('Accuracy', 'Recall')
    """
    chosen = _chosen(table, measure)
    names = _row_names(chosen)
    low = [e.interval.low if e.interval else np.nan for e in chosen]
    high = [e.interval.high if e.interval else np.nan for e in chosen]
    values = [e.value for e in chosen]
    layer = Layer.of("points", x=values, y=names, left=low, right=high)
    base = _baselines(chosen, names)
    title = chosen[0].name if measure else "Estimates"
    inside = all(0 <= v <= 1 for v in [*values, *low, *high] if np.isfinite(v))
    across = Axis(title if measure else "value", (0.0, 1.0) if inside else None)
    spoken = "; ".join(
        f"{n}: {interval_text(e.value, e.interval)}" for n, e in zip(names, chosen, strict=True)
    )
    return Figure(
        title,
        across,
        Axis("", categories=tuple(names)),
        (*base, layer),
        f"{title} with intervals. {spoken}.",
        subtitle=_levels(chosen),
        findings=table.all_findings(),
    )


def _of_folds(table: Table) -> list[Estimate]:
    return [e for e in table.estimates if e.values or "fold" in e.keys or "repeat" in e.keys]


@plot_kind(
    "Values of folds",
    of=Table,
    suits=lambda t: any("fold" in e.keys or "repeat" in e.keys for e in t.estimates),
    prepare={Predictions: lambda p, measures=None, by="fold": evaluate(p, measures, by=by)},
)
def fold_values(table: Table, measure: str | None = None) -> Figure:
    """The value in each fold as a small point, one row for each model, with their mean.

    Shows estimates made by ``by="fold"`` or as a mean over folds. Folds share training cases, so their
    spread is not an interval of the mean.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 0] * 4, label=[1, 1, 0, 0] * 2, fold=[0] * 4 + [1] * 4)
    >>> figure = credibly.plot(credibly.evaluate(p, "accuracy", by="fold"))
    >>> figure.layers[0].columns["x"]
    [0.5, 0.5]
    """
    folds = _of_folds(table)
    names = list(dict.fromkeys(e.measure for e in folds))
    if not folds or (measure is not None and measure not in names):
        found = f"; values by fold: {', '.join(names)}" if names else ""
        raise ParameterError(
            f"There are no values by fold of {measure or 'any measure'} in this table{found}.",
            asked=measure,
            choices=names,
            remedy=says("Make it by evaluate with <by='fold'>."),
        )
    chosen = [e for e in folds if e.measure == (measure or names[0])]
    values: dict[str, list[float]] = {}
    for e in chosen:
        values.setdefault(str(e.keys.get("model", "all folds")), []).extend(e.values or (e.value,))
    means = {row: _mean(v) for row, v in values.items()}
    spoken = "; ".join(f"{row}: mean {mean:.4g}" for row, mean in means.items())
    small: Columns = {"x": [v for each in values.values() for v in each]}
    small["y"] = [row for row, each in values.items() for _ in each]
    return Figure(
        f"{chosen[0].title} in each fold",
        Axis(chosen[0].name),
        Axis("", categories=tuple(means)),
        (
            Layer.of("points", **small, emphasis="quiet"),
            Layer.of("points", x=list(means.values()), y=list(means)),
        ),
        f"{chosen[0].title}: {len(small['x'])} values of folds. {spoken}.",
        subtitle="small: one fold; large: mean over folds",
        findings=table.all_findings(),
    )


def _with_values(p: Predictions, measure: str | None = None, estimate: str | None = None) -> Table:
    """Judge by the estimate that stands for these predictions, or by their folds where it has none."""
    name = measure or leading_measure(p)
    usual = headline(p, name)
    chosen = estimate or ("fold_mean" if usual == "pooled" else usual)
    return evaluate(p, name, estimate=chosen)


@plot_kind(
    "Histogram of folds",
    of=Table,
    aliases=("replicate_histogram",),
    suits=lambda _: False,
    prepare={Predictions: _with_values},
)
def fold_histogram(table: Table, measure: str | None = None, model: str | None = None) -> Figure:
    """How often a value of a measure came up in the folds or replicates of a run, and their mean.

    Shows estimates that are made of values of folds (``estimate`` is one of ``credibly list
    estimators``: ``"oob"``, ``"all_cases"``, ``"fold_mean"`` ...). Models of different folds share
    training cases, so the spread is not an interval of the mean.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 0] * 4, label=[1, 1, 0, 0] * 2, fold=[0] * 4 + [1] * 4)
    >>> figure = credibly.plot(p, "fold_histogram", measure="accuracy")
    >>> sum(figure.layers[0].columns["y"]), figure.layers[1].columns["x"]
    (2.0, [0.5])
    """
    several = [e for e in _of_folds(table) if e.values and measure in (None, e.measure)]
    chosen = [e for e in several if model in (None, str(e.keys.get("model")))]
    models = list(dict.fromkeys(str(e.keys.get("model")) for e in chosen))
    if not chosen or len(models) > 1:
        found = ", ".join(dict.fromkeys(str(e.keys.get("model", e.measure)) for e in several))
        raise ParameterError(
            says(
                "This histogram is of the folds of one measure and model; values of folds are known of: {found}.",
                found=found or "none",
            ),
            remedy=says(
                "Name one with <measure=...> and <model=...>, or ask for <estimate='fold_mean'>."
            ),
        )
    e = chosen[0]
    figure = sampling_distribution.function(replace(e, interval=None))
    return replace(
        figure,
        title=f"{e.title} in folds or replicates",
        subtitle=f"{figure.subtitle}; line: {number_text(e.value)}",
        findings=table.all_findings(),
    )


def _mean(values: list[float]) -> float:
    """The mean of what is defined."""
    known = [v for v in values if np.isfinite(v)]
    return float(np.mean(known)) if known else np.nan


def _chosen(table: Table, measure: str | None) -> list[Estimate]:
    standing = [e for e in table.estimates if e.is_headline is not False]
    if measure is not None:
        chosen = [e for e in standing if e.measure == measure]
    else:
        shown = [e for e in standing if np.isfinite(e.value)]
        # What lies between 0 and 1 shares an axis; of other measures the first is shown.
        chosen = [e for e in shown if 0 <= e.value <= 1] or [
            e for e in shown if e.measure == shown[0].measure
        ]
    if not chosen:
        names = list(dict.fromkeys(e.measure for e in table.estimates))
        raise ParameterError(
            says(
                "Nothing to show for <measure={it}>; measures: {names}.",
                it=measure,
                names=", ".join(names),
            ),
            asked=measure,
            choices=names,
        )
    return chosen


def _row_names(chosen: list[Estimate]) -> list[str]:
    """Name each row by what tells it from the others."""
    one = len({e.name for e in chosen}) == 1
    names = []
    for e in chosen:
        keys = ", ".join(str(v) for v in e.keys.values())
        names.append((keys or e.name) if one else f"{e.name}, {keys}" if keys else e.name)
    twice = {name for name, n in Counter(names).items() if n > 1}
    return [f"{name} ({i})" if name in twice else name for i, name in enumerate(names)]


def _baselines(chosen: list[Estimate], names: list[str]) -> list[Layer]:
    """What the best trivial rule would have scored, as a quiet point."""
    found = []
    for name, e in zip(names, chosen, strict=True):
        known = [v for v in e.baselines.values() if np.isfinite(v)]
        if known and e.direction in {"higher", "lower"}:
            found.append((max(known) if e.direction == "higher" else min(known), name))
    if not found:
        return []
    x, y = zip(*found, strict=True)
    return [Layer.of("points", x=x, y=y, emphasis="quiet")]


def _levels(chosen: list[Estimate]) -> str:
    levels = {e.interval.confidence_level for e in chosen if e.interval}
    text = f"{100 * levels.pop():.4g} % intervals" if len(levels) == 1 else ""
    return f"{text}; small: best trivial rule" if any(e.baselines for e in chosen) else text
