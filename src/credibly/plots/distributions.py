"""Pictures of how values scatter: over replicates, over folds, over classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from credibly._core.errors import DataError, ParameterError
from credibly.comparisons import PairedValues
from credibly.intervals.bootstrap import Bootstrap, RowBootstrap, bootstrap
from credibly.measures import measures
from credibly.measures.headline import HEADLINE
from credibly.plots._declare import declare_plot
from credibly.plots.confusion import one_model
from credibly.plots.figure import Axis, Figure, Layer
from credibly.predictions import Predictions
from credibly.results.table import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable

    from credibly._core.arrays import Floats
    from credibly.measures._declare import Average
    from credibly.results.interval import Interval


FEWEST_BARS, MOST_BARS = 5, 40
LARGEST = 1e150


class _Sample(NamedTuple):
    """Values that scatter, what they scatter around, and an interval of that."""

    name: str
    values: Floats
    centre: float
    interval: Interval | None


def _drawn(
    p: Predictions,
    *,
    rng: int | np.random.Generator,
    measure: str | None = None,
    replicates: int = 2000,
    average: Average | None = None,
) -> Bootstrap:
    """Draw replicates of one measure: the one that leads a report where none is named."""
    if measure is None:
        names = HEADLINE[p.task]
        measure = next((m for m in names if not measures[m].lacks(p)), names[0])
    return bootstrap(p, [measure], rng=rng, replicates=replicates, average=average)


@declare_plot("Sampling distribution", of=(Bootstrap, RowBootstrap, Estimate), prepare=_drawn)
def sampling_distribution(
    drawn: Bootstrap | RowBootstrap | Estimate,
    measure: str | None = None,
    confidence_level: float = 0.95,
) -> Figure:
    """How often a value came up in replicates or folds, with the estimate and its interval.

    ``measure`` picks one of several that were bootstrapped together.

    >>> import credibly
    >>> from credibly.intervals import bootstrap
    >>> p = credibly.Predictions.of([1, 1, 0, 0] * 25, label=[1, 0, 0, 0] * 25)
    >>> figure = credibly.plot(bootstrap(p, ["accuracy"], replicates=500, rng=1))
    >>> sum(figure.layers[0].columns["y"]), figure.x.title
    (500.0, 'accuracy')
    """
    sample = _sample(drawn, measure, confidence_level)
    values = sample.values[np.isfinite(sample.values)]
    if not values.size:
        raise ParameterError(f"{sample.name} has no values of folds or replicates to show.")
    layers = [_histogram(values), Layer.of("rule", x=[sample.centre])]
    limits = sample.interval
    if limits is not None:
        layers.append(Layer.of("rule", x=[limits.low, limits.high], emphasis="dashed"))
    between = "" if limits is None else f", interval {limits.low:.4g} to {limits.high:.4g}"
    return Figure(
        "Sampling distribution",
        Axis(sample.name),
        Axis("how often"),
        tuple(layers),
        f"{values.size} values of {sample.name} around {sample.centre:.4g}{between}; "
        f"standard deviation {values.std(ddof=1) if values.size > 1 else np.nan:.3g}.",
        subtitle=f"{values.size:,} values"
        + ("" if limits is None else f"; dashed: {100 * limits.confidence_level:g} % interval"),
    )


def _sample(
    drawn: Bootstrap | RowBootstrap | Estimate, measure: str | None, level: float
) -> _Sample:
    if isinstance(drawn, Estimate):
        return _Sample(drawn.name, np.array(drawn.values, float), drawn.value, drawn.interval)
    if isinstance(drawn, RowBootstrap):
        limits = _tried(lambda: drawn.interval(confidence_level=level))
        return _Sample("value", drawn.replicates, drawn.value, limits)
    at = drawn.place_of(measure or drawn.names[0])
    name = drawn.names[at]
    limits = _tried(lambda: drawn.interval(name, confidence_level=level))
    return _Sample(name, drawn.replicates[:, at], float(drawn.values[at]), limits)


def _tried(interval: Callable[[], Interval]) -> Interval | None:
    """Replicates that do not vary give no interval, and can still be shown."""
    try:
        return interval()
    except DataError:
        return None


def _histogram(values: Floats) -> Layer:
    bars = int(np.clip(np.sqrt(values.size), FEWEST_BARS, MOST_BARS))
    heights, edges = np.histogram(values, bars)
    return Layer.of(
        "bars",
        x=edges[:-1],
        right=edges[1:],
        y=heights.astype(float),
        low=np.zeros(bars),
        emphasis="quiet",
    )


@declare_plot("Paired differences", of=PairedValues)
def paired_differences(pairs: PairedValues) -> Figure:
    """First minus second in each fold or dataset, their mean, and the dashed line of no difference.

    >>> import credibly
    >>> from credibly.comparisons import FoldValues
    >>> figure = credibly.plot(FoldValues([.9, .75, .8], [.8, .75, .6], names=("tree", "rule")))
    >>> [round(d, 3) for d in figure.layers[1].columns["y"]]
    [0.1, 0.0, 0.2]
    """
    differences, mean = pairs.differences, pairs.difference
    what = "fold" if pairs.about == "training" else "pair"
    first, second = pairs.names[:2]
    better = int((differences > 0).sum()), int((differences < 0).sum())
    return Figure(
        f"{first} less {second}, {what} by {what}",
        Axis(what, (0.5, differences.size + 0.5)),
        Axis(f"difference of {pairs.measure_name}"),
        (
            Layer.of("rule", y=[0.0], emphasis="dashed"),
            Layer.of(
                "points", x=np.arange(1.0, differences.size + 1), y=differences,
                first=pairs.a, second=pairs.b,
            ),
            Layer.of("rule", y=[mean]),
        ),
        f"Differences of {pairs.measure_name} between {first} and {second} in {differences.size} "
        f"{what}s: mean {mean:.3g}, above 0 in {better[0]} and below in {better[1]}.",
        subtitle=f"line: mean {mean:.3g}",
    )  # fmt: skip


@declare_plot("Scores by class", of=Predictions, suits=lambda _: False)
def scores_by_class(
    p: Predictions, model: str | None = None, threshold: float | None = None
) -> Figure:
    """How the scores of the cases of each class are spread, as shares of the class.

    Of more than two classes the probability of the case's own class is shown. ``threshold`` draws the
    score from which on cases would be labelled positive.

    >>> import credibly
    >>> p = credibly.Predictions.of(["no", "yes", "yes"], probability=[0.1, 0.9, 0.4])
    >>> credibly.plot(p, "scores_by_class").series()
    ['no', 'yes']
    """
    cases = one_model(p, model).known().scored()
    title, scores = _scores(cases)
    finite = np.isfinite(scores)
    if not finite.any():
        raise DataError("There is no finite score of a case whose truth is known.")
    ends = (0.0, 1.0) if cases.probability is not None else None
    if not np.abs(scores[finite]).max() < LARGEST:
        raise DataError(
            "The scores lie farther apart than can be drawn. Divide them by a constant."
        )
    edges = np.histogram_bin_edges(scores[finite], MOST_BARS // 2, ends)
    layers, spoken = [], []
    for code, name in enumerate(cases.classes):
        mine = finite & (cases.truth == code)
        weight = cases.weights[mine]
        if not weight.sum() > 0:
            continue
        share = np.histogram(scores[mine], edges, weights=weight)[0] / weight.sum()
        bars = {"x": edges[:-1], "right": edges[1:], "y": share, "low": np.zeros(share.size)}
        layers.append(Layer.of("bars", **bars, series=str(name), emphasis="quiet"))
        middle = float(np.average(scores[mine], weights=weight))
        spoken.append(f"{name}: mean {middle:.3g}")
    if threshold is not None:
        layers.append(Layer.of("rule", x=[threshold], emphasis="dashed"))
    return Figure(
        "Scores by class",
        Axis(title, ends),
        Axis("share of the class"),
        tuple(layers),
        f"Spread of the {title} in {len(layers)} classes. {'; '.join(spoken)}.",
        subtitle="" if threshold is None else f"dashed: threshold {threshold:.4g}",
        findings=p.findings,
    )


def _scores(p: Predictions) -> tuple[str, Floats]:
    """Return what is shown of each case, and its name."""
    if p.task != "classification":
        raise ParameterError("Scores by class are of classes; these predictions are of numbers.")
    if p.has_positive:
        code = int(p.positive or 0)
        what = "score" if p.probability is None else "probability"
        return f"{what} of {p.classes[code]}", p.scores_of(code, "scores_by_class")
    own = p.probability_matrix("scores_by_class")[np.arange(p.n), p.truth]
    return "probability of the true class", own
