"""Pictures of values that scatter."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.averages import Average
from credibly._core.names import Names
from credibly._core.text import interval_text, lower_first, number_text, percent
from credibly.errors import DataError, ParameterError
from credibly.intervals.bootstrap import Bootstrap, bootstrap
from credibly.intervals.coverage import ProportionCoverage
from credibly.intervals.densities import Densities, beyond, density_of
from credibly.intervals.row_bootstrap import RowBootstrap
from credibly.intervals.shares import proportion_methods
from credibly.intervals.side_by_side import ProportionIntervals
from credibly.measures import measures
from credibly.measures.selection import first_measures
from credibly.predictions import Predictions
from credibly.results.estimate import Estimate
from credibly.results.figure import Axis, Figure, Kind, Layer
from credibly.results.forest import forest
from credibly.results.interval import Interval
from credibly.results.plot import plot_kind

MIN_BARS, MAX_BARS = 5, 40


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
    """Draw replicates of one measure."""
    return bootstrap(
        p, [measure or leading_measure(p)], rng=rng, replicates=replicates, average=average
    )


def leading_measure(p: Predictions) -> str:
    """Return the measure that leads a report of these predictions, for where none is named."""
    names = first_measures(p.task)
    return next((m for m in names if not measures[m].lacks(p)), names[0])


@plot_kind(
    "Sampling distribution", of=(Bootstrap, RowBootstrap, Estimate), prepare={Predictions: _drawn}
)
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
    (500.0, 'Accuracy')
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
        f"Sampling distribution of {lower_first(sample.name)}",
        Axis(sample.name),
        Axis("how often"),
        tuple(layers),
        f"{values.size} values of {sample.name} around {sample.centre:.4g}{between}; "
        f"standard deviation {values.std(ddof=1) if values.size > 1 else np.nan:.3g}.",
        subtitle=f"{values.size:,} values; line: {number_text(sample.centre, limits)}"
        + ("" if limits is None else f"; dashed: {percent(limits.confidence_level)} interval"),
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
    known = measures.of_values(name)
    title = known.title if known else name
    return _Sample(title, drawn.replicates[:, at], float(drawn.values[at]), limits)


def _tried(interval: Callable[[], Interval]) -> Interval | None:
    """Replicates that do not vary give no interval, and can still be shown."""
    try:
        return interval()
    except DataError:
        return None


def _histogram(values: Floats) -> Layer:
    bars = int(np.clip(np.sqrt(values.size), MIN_BARS, MAX_BARS))
    heights, edges = np.histogram(values, bars)
    return Layer.of(
        "bars",
        x=edges[:-1],
        right=edges[1:],
        y=heights.astype(float),
        low=np.zeros(bars),
        emphasis="quiet",
    )


@plot_kind("Coverage of intervals for a proportion", of=ProportionCoverage)
def proportion_coverage(found: ProportionCoverage) -> Figure:
    """How often intervals cover, by the number of cases or by the true rate; dashed what they promise.

    >>> import credibly
    >>> from credibly.intervals import proportion_coverage
    >>> figure = credibly.plot(proportion_coverage("wald", n=range(25, 101), rate=0.2))
    >>> figure.x.title, round(min(figure.layers[-1].columns["y"]), 3)
    ('number of cases', 0.884)
    """
    x = found.n if found.along == "n" else found.rate
    titles = [proportion_methods[name].title for name in found.methods]
    kind: Kind = "line" if x.size > 1 else "points"
    lines = [
        Layer.of(kind, x=x, y=y, series=title if len(titles) > 1 else None)
        for title, y in zip(titles, found.coverage, strict=True)
    ]
    low = min(float(found.coverage.min()), found.confidence_level)
    lowest = ", ".join(
        f"{title} {y.min():.3g}" for title, y in zip(titles, found.coverage, strict=True)
    )
    return Figure(
        "Coverage of " + (f"{titles[0]}'s intervals" if len(titles) == 1 else "intervals"),
        Axis({"n": "number of cases", "rate": "true rate"}[found.along]),
        Axis("how often the interval covers", (max(0.0, low - 0.02), 1.0)),
        (Layer.of("rule", y=[found.confidence_level], emphasis="dashed"), *lines),
        f"{found.heading}. Lowest: {lowest}.",
        subtitle=f"{found.held}; dashed: {percent(found.confidence_level)}",
    )


@plot_kind("Intervals of a proportion", of=ProportionIntervals)
def proportion_intervals(found: ProportionIntervals) -> Figure:
    """The interval of each method beside those of others, around the share that it takes for its centre.

    >>> import credibly
    >>> figure = credibly.plot(credibly.interval(750, 1000, method=["wilson", "wald"]))
    >>> figure.y.categories
    ('Wilson', 'Wald')
    """
    each = [e for e in found.intervals if e.interval is not None]
    return forest(
        [(e.title, e.estimate, e.interval) for e in each],
        "rate",
        f"{found.heading}.",
        title=f"{found.successes:,.10g} of {found.n:,.10g}",
        subtitle=f"{percent(found.confidence_level)} intervals; dashed: the observed share",
        spoken="; ".join(f"{e.title} {interval_text(None, e.interval)}" for e in each),
        dashed=[found.rate],
    )


def shaded(x: Floats, heights: list[Floats]) -> list[Layer]:
    """Return the areas below curves, wherever these have a height."""
    return [Layer.of("band", x=x, low=np.where(np.isnan(h), np.nan, 0), high=h) for h in heights]


@plot_kind(
    "Student's t beside the normal",
    of=Densities,
    aliases=Names("normal_curve", texts="t densities, normal distribution"),
)
def student_densities(found: Densities) -> Figure:
    """Densities of Student's t and of the normal; of the normal alone, with the area beyond its critical values.

    >>> import credibly
    >>> from credibly.intervals import densities
    >>> credibly.plot(densities([1, 4])).series()
    ['t, k = 1', 't, k = 4', 'normal']
    >>> [layer.kind for layer in credibly.plot(densities([])).layers]
    ['line', 'band', 'band', 'rule']
    """
    told = zip(found.titles, found.density, found.critical, strict=True)
    spoken = "; ".join(f"{t}: {y.max():.3g} at 0, critical value {c:.4g}" for t, y, c in told)
    if len(found.titles) > 1:
        lines = zip(found.titles, found.density, strict=True)
        layers = [Layer.of("line", x=found.x, y=y, series=title) for title, y in lines]
        subtitle = "the fewer degrees of freedom k, the more lies far from 0"
    else:
        (critical,) = found.critical.tolist()
        x = np.sort([*found.x, -critical, critical])  # shaded from the critical value itself
        height = density_of(x, np.inf)
        ends = Layer.of("rule", x=[-critical, critical], emphasis="dashed")
        layers = [Layer.of("line", x=x, y=height), *shaded(x, beyond(x, height, critical)), ends]
        each = 50 * (1 - found.confidence_level)
        subtitle = f"shaded: {each:.4g} % beyond {critical:.4g} on either side"
    title = "" if len(found.titles) > 1 else found.heading
    axes = Axis("value, in standard errors"), Axis("density", (0.0, 0.42))
    return Figure(title, *axes, tuple(layers), f"{spoken}.", subtitle=subtitle)
