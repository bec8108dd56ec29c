"""Pictures of the analysis of an experiment."""

from __future__ import annotations

from credibly._core.text import number_text
from credibly.errors import ParameterError
from credibly.experiments.analysis.result import Analysis
from credibly.results.figure import Axis, Figure, Layer
from credibly.results.interval import level_text
from credibly.results.plot import plot_kind
from credibly.running.plots import with_intervals


@plot_kind("Schemes by dataset", of=Analysis)
def schemes_by_dataset(analysis: Analysis) -> Figure:
    """The mean over splits of each scheme (colour) on each dataset (row).

    >>> import credibly
    >>> from credibly.experiments import Results, analyse
    >>> r = Results.of(["iris"] * 4, ["a", "a", "b", "b"], {"auc": [0.9, 0.8, 0.7, 0.8]},
    ...                fold=[0, 1] * 2, n_train=75, n_test=75)
    >>> figure = credibly.plot(analyse(r))
    >>> figure.layers[0].columns["x"], figure.series()
    ([0.8500000000000001], ['a', 'b'])
    """
    estimates = analysis.estimates.where(measure=analysis.measure, estimate="fold_mean")
    layers = []
    for scheme in analysis.schemes:
        mine = [e for e in estimates if e.keys["scheme"] == scheme]
        layers.append(
            Layer.of(
                "points",
                x=[e.value for e in mine],
                y=[str(e.keys["dataset"]) for e in mine],
                series=scheme,
            )
        )
    best = analysis.overviews[0] if analysis.overviews else None
    spoken = f" Best over all: {best.scheme}, average rank {best.average_rank:.2f}." if best else ""
    return Figure(
        f"{estimates[0].title} by dataset",
        Axis(estimates[0].name),
        Axis("", categories=analysis.grid.datasets),
        tuple(layers),
        f"{analysis.heading}. Means over splits.{spoken}",
        subtitle="means over splits",
    )


@plot_kind("Learning curves", of=Analysis, suits=lambda a: a.growth is not None)
def experiment_growth(analysis: Analysis, dataset: str | None = None) -> Figure:
    """A measure by the number of rows trained on, one line per scheme; ``dataset`` is the first if not given.

    >>> import credibly
    >>> from credibly.experiments import Results, analyse
    >>> r = Results.of(["iris"] * 4, ["a"] * 4, {"auc": [0.7, 0.8, 0.8, 0.9]}, fold=[0, 1] * 2,
    ...                size=[0.5, 0.5, 1, 1], n_train=[50, 50, 100, 100], n_test=50)
    >>> credibly.plot(analyse(r), "experiment_growth").layers[0].columns["x"]
    [50, 100]
    """
    if analysis.growth is None:
        raise ParameterError(
            "These results have only one training size; a learning curve needs several."
        )
    known = analysis.grid.datasets
    name = known[0] if dataset is None else dataset
    if name not in known:
        raise ParameterError(
            f"There is no dataset {name!r}; there are: {', '.join(known)}.",
            asked=name,
            choices=known,
        )
    layers: list[Layer] = []
    spoken = []
    drawn = [e.interval for e in analysis.growth.where(dataset=name)]
    for scheme in analysis.schemes:
        mine = analysis.growth.where(dataset=name, scheme=scheme).estimates
        if not mine:
            continue
        layers += with_intervals([e.keys["trained on"] for e in mine], mine, scheme)
        spoken.append(f"{scheme}: {number_text(mine[0].value)} to {number_text(mine[-1].value)}")
    title = analysis.growth.estimates[0].name
    return Figure(
        f"Learning curves on {name}",
        Axis("rows trained on"),
        Axis(title),
        tuple(layers),
        f"{title} by rows trained on. {'; '.join(spoken)}.",
        subtitle="; ".join(
            filter(None, ["means over splits", level_text(drawn, several=len(spoken) > 1)])
        ),
    )
