"""Pictures of estimates from few labels and of agreement."""

from __future__ import annotations

from collections.abc import Sequence

from credibly._core.text import interval_text
from credibly.judges.agreement import Agreement
from credibly.judges.few_labels import FewLabels
from credibly.results.figure import Axis, Figure, Layer
from credibly.results.interval import Interval, ends_of, level_text
from credibly.results.plot import plot_kind


@plot_kind("Estimates from few labels", of=FewLabels)
def labels_and_judge(found: FewLabels) -> Figure:
    """What labels and judge say together and alone, with intervals.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 0, 1, 1, 0, 1] * 6 + [None] * 60, label=[1, 0, 0, 1, 0, 1] * 16)
    >>> credibly.plot(credibly.few_labels(p)).y.categories[0]
    'Labels and judge, tuned weight (PPI++)'
    """
    shown = [(e.title, e.value, e.interval) for e in found.estimates]
    return _below_each_other(found.what, shown)


@plot_kind("Agreement of judges", of=Agreement)
def agreement_of_judges(found: Agreement) -> Figure:
    """Kappas and Krippendorff's alpha with intervals; 0 is chance, 1 is full agreement.

    >>> import credibly
    >>> found = credibly.agreement({"ann": [1, 1, 0, 1, 0, 0], "gpt": [1, 1, 0, 0, 0, 0]})
    >>> len(credibly.plot(found).y.categories)
    4
    """
    shown = [
        (s.title if s.judges == "all" else f"{s.title}: {s.judges}", s.value, s.interval)
        for s in found.statistics
    ]
    return _below_each_other("Agreement", shown)


def _below_each_other(title: str, shown: Sequence[tuple[str, float, Interval | None]]) -> Figure:
    names = [name for name, _, _ in shown]
    low, high = ends_of(i for _, _, i in shown)
    layer = Layer.of("points", x=[v for _, v, _ in shown], y=names, left=low, right=high)
    spoken = "; ".join(f"{name}: {interval_text(v, i)}" for name, v, i in shown)
    return Figure(
        "",
        Axis(title),
        Axis("", categories=tuple(names)),
        (layer,),
        alt=f"{title} with intervals. {spoken}.",
        subtitle=level_text(i for _, _, i in shown),
    )
