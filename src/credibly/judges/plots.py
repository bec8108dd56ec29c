"""Pictures of estimates from few labels and of agreement."""

from __future__ import annotations

from credibly.judges.agreement import Agreement
from credibly.judges.few_labels import FewLabels
from credibly.results.figure import Figure
from credibly.results.forest import forest
from credibly.results.plot import plot_kind


@plot_kind("Estimates from few labels", of=FewLabels)
def labels_and_judge(found: FewLabels) -> Figure:
    """What labels and judge say together and alone, with intervals.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 0, 1, 1, 0, 1] * 6 + [None] * 60, label=[1, 0, 0, 1, 0, 1] * 16)
    >>> credibly.plot(credibly.few_labels(p)).y.categories[0]
    'Labels and judge, tuned weight (PPI++)'
    """
    rows = [(e.title, e.value, e.interval) for e in found.estimates]
    return forest(rows, found.what, f"{found.what} with intervals.")


@plot_kind("Agreement of judges", of=Agreement)
def agreement_of_judges(found: Agreement) -> Figure:
    """Kappas and Krippendorff's alpha with intervals; 0 is chance, 1 is full agreement.

    >>> import credibly
    >>> found = credibly.agreement({"ann": [1, 1, 0, 1, 0, 0], "gpt": [1, 1, 0, 0, 0, 0]})
    >>> len(credibly.plot(found).y.categories)
    4
    """
    rows = [
        (s.title if s.judges == "all" else f"{s.title}: {s.judges}", s.value, s.interval)
        for s in found.statistics
    ]
    return forest(rows, "Agreement", "Agreement with intervals.")
