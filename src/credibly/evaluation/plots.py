"""Pictures of tables of estimates."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from credibly._core.arrays import UNIT_RANGE
from credibly._core.text import interval_text, lower_first, number_text, percent
from credibly.errors import ParameterError, says
from credibly.evaluation.evaluate import evaluate
from credibly.evaluation.fold_estimators import headline_estimate
from credibly.evaluation.pilot import PilotPlan
from credibly.intervals.plots import leading_measure, sampling_distribution
from credibly.measures import measures
from credibly.predictions import Predictions
from credibly.results.estimate import Estimate
from credibly.results.estimates import several_models
from credibly.results.figure import Axis, Columns, Figure, Layer
from credibly.results.interval import ends_of, level_text
from credibly.results.plot import plot_kind
from credibly.results.table import Table

MAX_SHARED_ROWS = 12  # rows that share one axis whichever way is better
MAX_RATIO = 10  # times as large, beyond which a value has an axis of its own
SIGNED_RANGE = (-1.0, 1.0)
DIRECTION_TITLES = {"higher": "higher is better", "lower": "lower is better"}
# Its ends, if measures state any, and which way is better.
Scale = tuple[tuple[float, float] | None, str]


def _by_folds(table: Table) -> bool:
    return any("fold" in e.keys or "repeat" in e.keys for e in table.estimates)


@plot_kind(
    "Estimates with intervals",
    of=Table,
    suits=lambda t: not _by_folds(t),
    aliases=("forest",),
    prepare={Predictions: evaluate},
)
def estimates(table: Table, measure: str | None = None) -> Figure:
    """Values with their intervals below each other: one measure of several models, or several measures.

    ``measure`` picks one. Measures of different scales stand in panels below each other: shares, from
    -1 to 1, and others by their size; many of a scale also by which way is better.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0])
    >>> credibly.plot(credibly.evaluate(p, ["accuracy", "recall"])).y.categories
    ('Accuracy', 'Recall')
    """
    chosen = _chosen(table, measure)
    names = _row_names(chosen)
    one = len({e.name for e in chosen}) == 1
    title = chosen[0].name if one else "Estimates"
    spoken = "; ".join(
        f"{n}: {interval_text(e.value, e.interval)}" for n, e in zip(names, chosen, strict=True)
    )
    first, *others = [
        _panel([chosen[i] for i in rows], ends, title if one else across)
        for (ends, across), rows in _scales(chosen).items()
    ]
    return replace(
        first,
        title=title,
        alt=f"{title} with intervals. {spoken}.",
        subtitle=_levels(chosen),
        panels=tuple(others),
    )


def _panel(chosen: list[Estimate], ends: tuple[float, float] | None, across: str) -> Figure:
    """Show estimates of one scale; the axis names the measure where all are of one."""
    names = _row_names(chosen)
    low, high = ends_of(e.interval for e in chosen)
    layer = Layer.of("points", x=[e.value for e in chosen], y=names, left=low, right=high)
    places = Axis("", categories=tuple(names))
    one = len({e.name for e in chosen}) == 1
    title = chosen[0].name if one else across if ends else "value"
    layers = (*_baselines(chosen, names), layer)
    return Figure("", Axis(title, ends), places, layers, f"{across}.")


def _scales(chosen: list[Estimate]) -> dict[Scale, list[int]]:
    """Return the rows of each scale."""
    if len({e.measure for e in chosen}) == 1:
        inside = all(0 <= v <= 1 for e in chosen for v in _reach(e))
        return {(UNIT_RANGE if inside else None, ""): list(range(len(chosen)))}
    if len(chosen) <= MAX_SHARED_ROWS and all(0 <= v <= 1 for e in chosen for v in _reach(e)):
        return {(UNIT_RANGE, "value"): list(range(len(chosen)))}
    groups: dict[tuple[float, float] | None, list[int]] = {
        UNIT_RANGE: [],
        SIGNED_RANGE: [],
        None: [],
    }
    for i, e in enumerate(chosen):
        known = measures.of_values(e.measure)
        ends = known.range if known else None
        within = ends is not None and all(ends[0] <= v <= ends[1] for v in _reach(e))
        groups[ends if within and ends in {UNIT_RANGE, SIGNED_RANGE} else None].append(i)
    made: dict[Scale, list[int]] = {}
    for ends, rows in groups.items():
        for i in rows:
            way = DIRECTION_TITLES.get(chosen[i].direction, "neither way is better") if ends else ""
            way = way if len(chosen) > MAX_SHARED_ROWS else ""
            span = f"{ends[0]:g} to {ends[1]:g}" if ends else _size(chosen, rows, i)
            made.setdefault((ends, ", ".join(filter(None, [span, way]))), []).append(i)
    return made


def _size(chosen: list[Estimate], rows: list[int], row: int) -> str:
    """Name the values of about the size of one: the largest, and those that are not much smaller."""
    sizes = {i: max(map(abs, _reach(chosen[i])), default=0.0) for i in rows}
    top = np.inf
    for i in sorted(sizes, key=lambda i: -sizes[i]):
        top = sizes[i] if sizes[i] * MAX_RATIO < top else top
        if i == row:
            break
    return f"values up to {number_text(top)}"


def _reach(e: Estimate) -> list[float]:
    """Return all that is drawn of an estimate."""
    limits = (e.interval.low, e.interval.high) if e.interval else ()
    return [v for v in (e.value, *limits) if np.isfinite(v)]


def _of_folds(table: Table) -> list[Estimate]:
    return [e for e in table.estimates if e.values or "fold" in e.keys or "repeat" in e.keys]


@plot_kind("Outcomes with intervals", of=Predictions, suits=lambda p: p.task == "outcome")
def outcomes(p: Predictions) -> Figure:
    """The pass rate or the mean outcome of each model with its interval.

    >>> import credibly
    >>> p = credibly.Predictions.of(outcome={"a": [True, False], "b": [True, True]})
    >>> credibly.plot(p).x.title
    'Pass rate'
    """
    p.need("outcome", "outcomes")
    return estimates.function(evaluate(p, "pass_rate" if p.pass_or_fail else "mean_outcome"))


@plot_kind(
    "Values of folds",
    of=Table,
    suits=_by_folds,
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
            remedy=says("Make it with evaluate and <by='fold'>."),
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
    )


def _with_values(p: Predictions, measure: str | None = None, estimate: str | None = None) -> Table:
    """Judge by the estimate that stands for these predictions, or by their folds where it has none."""
    name = measure or leading_measure(p)
    usual = headline_estimate(p, name)
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
                "This histogram needs one measure and one model; the table has values of folds for: {found}.",
                found=found or "none",
            ),
            remedy=says(
                "Choose one with <measure=...> and <model=...>, or set <estimate='fold_mean'>."
            ),
        )
    e = chosen[0]
    figure = sampling_distribution.function(replace(e, interval=None))
    return replace(
        figure,
        title=f"{e.title} in folds or replicates",
        subtitle=figure.subtitle,
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
        first = table.first_look  # of everything: what the text shows, since all would be too many
        chosen = [e for e in standing if np.isfinite(e.value) and (not first or e.measure in first)]
    if not chosen:
        names = list(dict.fromkeys(e.measure for e in table.estimates))
        raise ParameterError(
            says(
                "There is nothing to show for <measure={it}>; measures: {names}.",
                it=measure,
                names=", ".join(names),
            ),
            asked=measure,
            choices=names,
        )
    places = {name: i for i, name in enumerate(dict.fromkeys(e.name for e in chosen))}
    return sorted(chosen, key=lambda e: places[e.name])  # one measure of all models, then the next


def _row_names(chosen: list[Estimate]) -> list[str]:
    """Name each row by what tells it from the others."""
    one = len({e.name for e in chosen}) == 1
    # How each was made is named only where that alone tells two of them apart.
    rest = [(e.name, *(str(v) for k, v in e.keys.items() if k != "estimate")) for e in chosen]
    alike = len(set(rest)) < len(rest)
    names = []
    for e in chosen:
        keys = ", ".join(str(v) for k, v in e.keys.items() if alike or k != "estimate")
        names.append((keys or e.name) if one else f"{e.name}, {keys}" if keys else e.name)
    twice = {name for name, n in Counter(names).items() if n > 1}
    return [f"{name} ({i})" if name in twice else name for i, name in enumerate(names)]


def _baselines(chosen: list[Estimate], names: list[str]) -> list[Layer]:
    """What the best trivial rule would have scored, as a hollow point."""
    rules = zip(names, (e.rule for e in chosen), strict=True)
    found = [(rule.value, name) for name, rule in rules if rule is not None]
    if not found:
        return []
    x, y = zip(*found, strict=True)
    return [Layer.of("points", x=x, y=y, emphasis="dashed")]


def _levels(chosen: list[Estimate]) -> str:
    """Say of which level intervals are, what they are about, and what else is marked."""
    several = several_models(e.keys for e in chosen)
    sentences = [level_text((e.interval for e in chosen), several=several)]
    sentences += ["means over folds"] if all(e.values for e in chosen) else []
    sentences += ["hollow: best trivial rule"] if any(e.baselines for e in chosen) else []
    return "; ".join(filter(None, sentences))


@plot_kind("Width of an interval by the number of cases", of=PilotPlan)
def width_by_size(plan: PilotPlan) -> Figure:
    """How wide an interval would be by the number of cases; dashed the width that was asked for.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 0] * 50, label=[1, 0] * 40 + [0, 1] * 10)
    >>> figure = credibly.plot(credibly.sample_size(p, "accuracy", width=0.1))
    >>> figure.x.title, figure.y.title
    ('number of cases', 'width of the 95 % interval')
    """
    now = Layer.of("points", x=[plan.pilot_n, plan.n], y=[plan.pilot_width, plan.width])
    layers = [
        Layer.of("line", x=plan.sizes, y=plan.widths),
        Layer.of("rule", y=[plan.width], emphasis="dashed"),
        now,
    ]
    level = f"{percent(plan.confidence_level)}"
    top = float(max(plan.widths.max(), plan.pilot_width))
    return Figure(
        f"Width of the interval of {lower_first(plan.title)}",
        Axis(f"number of {plan.unit}s", logarithmic=True),
        Axis(f"width of the {level} interval", (0.0, top)),
        tuple(layers),
        f"{plan.heading()}; the pilot has {plan.pilot_n:,} and a width of {plan.pilot_width:.3g}.",
        subtitle=f"points: the pilot and the plan; dashed: a width of {plan.width:g}",
    )
