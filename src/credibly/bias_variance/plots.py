"""Pictures of what a loss is made of."""

from __future__ import annotations

from credibly._core.text import number_text
from credibly.bias_variance.bias_variance import bias_variance
from credibly.bias_variance.result import BiasVariance
from credibly.predictions import Predictions
from credibly.results.figure import Axis, Figure
from credibly.results.interval import level_text
from credibly.results.plot import plot_kind
from credibly.running.plots import with_intervals

LOG_AXIS_RATIO = 50  # how many times the largest value must be the smallest for a logarithmic axis
MAX_MARKS = 12


@plot_kind("Bias and variance", of=BiasVariance, prepare={Predictions: bias_variance})
def bias_and_variance(result: BiasVariance) -> Figure:
    """The loss and the parts that it is made of, over the range of a parameter or for each model.

    >>> import credibly
    >>> from sklearn.datasets import load_iris
    >>> data = load_iris(return_X_y=True)
    >>> made = credibly.bias_variance("knn", *data, over={"k": [1, 9]}, replicates=5, rng=1)
    >>> credibly.plot(made).layers[0].columns["x"]
    [1, 9]
    """
    entry, table = result.decomposition, result.table
    beside = entry.beside if entry.identity else ()
    estimates = [e for e in table.estimates if e.measure not in ("stability", *beside)]
    numbers = _numbers(result)
    names = [", ".join(f"{v}" for v in s.keys.values()) or "model" for s in result.settings]
    places = dict(
        zip((tuple(s.keys.values()) for s in result.settings), numbers or names, strict=True)
    )
    alone = len(names) == 1 and not numbers
    layers, spoken = [], []
    for name in dict.fromkeys(e.measure for e in estimates):
        mine = [e for e in estimates if e.measure == name]
        x = [mine[0].title if alone else places[tuple(e.keys.values())] for e in mine]
        layers += with_intervals(x, mine, mine[0].title, line=bool(numbers))
        spoken.append(f"{mine[0].title} from {mine[0].value:.3g} to {mine[-1].value:.3g}")
    names = list(dict.fromkeys(e.title for e in estimates)) if alone else names
    named = Axis("part of the loss" if alone else _named(result), categories=tuple(names))
    across = _axis(result, numbers) if numbers else named
    return Figure(
        entry.title,
        across,
        Axis("mean over cases"),
        tuple(layers),
        f"{entry.title}, {len(result.settings)} settings. {'; '.join(spoken)}.",
        subtitle="; ".join(
            filter(None, [entry.identity, level_text(e.interval for e in estimates)])
        ),
    )


def _numbers(result: BiasVariance) -> list[float]:
    """Return the values of the one parameter that was gone through, if they are numbers."""
    values = [v for s in result.settings for v in s.keys.values()]
    one = len(result.parameters) == 1 and len(values) > 1
    plain = all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
    return values if one and plain else []


def _named(result: BiasVariance) -> str:
    return ", ".join(result.parameters) or "model"


def _axis(result: BiasVariance, numbers: list[float]) -> Axis:
    """Lay the values of the parameter out, by their logarithms where they span decades."""
    far = min(numbers) > 0 and max(numbers) >= LOG_AXIS_RATIO * min(numbers)
    marks = [(v, number_text(v)) for v in numbers] if len(numbers) <= MAX_MARKS else []
    return Axis(result.parameters[0], ticks=tuple(marks), logarithmic=far)
