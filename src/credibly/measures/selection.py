"""Which measures are estimated: all that predictions allow, a few for a first look, or those that were named."""

from __future__ import annotations

from collections.abc import Iterable

from credibly._core.averages import Average
from credibly._core.findings import Finding
from credibly.errors import ParameterError
from credibly.measures._declare import Measure, measures
from credibly.measures.counts import accuracy
from credibly.measures.findings import NAMED_ELSEWHERE
from credibly.predictions import Predictions
from credibly.predictions.case_columns import SLICES
from credibly.predictions.summaries import BinaryCounts
from credibly.predictions.table import Task

PANEL = "headline"  # what they are called together
REPORTED_AVERAGES: tuple[Average, ...] = ("macro", "weighted")  # below the classes of a report


def asks_panel(measures: object) -> bool:
    """Whether the measures for a first look are asked for, by the name of all of them.

    >>> asks_panel("headline"), asks_panel(["headline"]), asks_panel(["auc"])
    (True, True, False)
    """
    listed = measures if isinstance(measures, list | tuple) else [measures]
    return len(listed) == 1 and isinstance(listed[0], str) and listed[0] == PANEL


def headline_measure(task: Task) -> str:
    """Return the name of the default measure of a task.

    >>> headline_measure("classification"), headline_measure("numeric"), headline_measure("outcome")
    ('error_rate', 'mae', 'pass_rate')
    """
    return first_measures(task)[0]


def first_measures(task: Task, *, positive: bool = False) -> tuple[str, ...]:
    """Return the names of the measures for a first look, those of one class only where one is the positive.

    >>> first_measures("classification")
    ('error_rate', 'auc', 'brier', 'kappa')
    >>> first_measures("classification", positive=True)
    ('error_rate', 'recall', 'precision', 'auc', 'brier', 'kappa')
    """
    found = (m for m in measures if m.headline and m.task == task)
    chosen = [m for m in found if positive or m.reads is not BinaryCounts]
    return tuple(m.name for m in sorted(chosen, key=lambda m: m.headline))


def class_measures() -> tuple[str, ...]:
    """Return the names of the measures that a first look shows of each class, as classification reports do.

    >>> class_measures()
    ('precision', 'recall', 'fbeta')
    """
    shown = (m for m in measures if m.reported and m.reads is BinaryCounts)
    return tuple(m.name for m in sorted(shown, key=lambda m: m.reported))


def below_classes(shown: Iterable[Measure]) -> list[tuple[tuple[Measure, ...], Average | None]]:
    """Return what stands below the classes in a classification report: accuracy, and averages of what is shown of each."""
    of_classes = tuple(m for m in shown if m.name in class_measures())
    averaged = [(of_classes, average) for average in REPORTED_AVERAGES]
    return [((accuracy,), None), *averaged] if of_classes else []


def reported_measures(provided: Iterable[str]) -> list[Measure]:
    """Return the measures of a report about such columns of predictions, the main one of each first.

    >>> [m.name for m in reported_measures(["value"])]
    ['mae', 'rmse', 'correlation', 'r2_test_mean']
    >>> [m.name for m in reported_measures(["probability"])]
    ['auc', 'average_precision', 'brier', 'log_loss']
    """
    reported = (m for m in measures if m.reported)
    chosen = sorted(reported, key=lambda m: (m.headline != 1, m.reported))  # the headline leads
    taken = {"probability": {"score", "probability"}}  # which are scores as well
    found = (m for column in provided for m in chosen if m.takes in taken.get(column, {column}))
    return list(dict.fromkeys(found))


def applicable(
    p: Predictions, parts: list[Predictions], costs: object, *, first: bool, one_class: bool
) -> tuple[Measure, ...]:
    """Return all measures that these predictions allow, or the few of a first look."""
    chosen = [with_costs(m, costs) for m in measures if m.offered(p)]
    if first:  # if costs are given, they come first
        priced = [m for m in chosen if costs is not None and _takes_costs(m)]
        few = first_measures(p.task, positive=p.has_positive or one_class)
        if one_class and all(part.label is not None for part in parts):
            few = class_measures()
        chosen = [*priced, *(m for m in map(measures.parse, few) if m.offered(p))]
    fitting = (m for m in chosen if not all(m.lacks(part, averaged=True) for part in parts))
    return tuple(m.about(*parts) for m in fitting)


def first_look(
    p: Predictions, parts: list[Predictions], costs: object, *, one_class: bool
) -> tuple[str, ...]:
    """Return the names of the measures of a first look, where each class has its turn those of one and, below, of all."""
    few = applicable(p, parts, costs, first=True, one_class=one_class)
    return (*(m.of_any_average.call for m in few), *(["accuracy"] if one_class else []))


def with_costs(m: Measure, costs: object) -> Measure:
    """Return a measure of these costs, if it is one of costs."""
    return m.given(costs=costs) if costs is not None and _takes_costs(m) else m


def _takes_costs(m: Measure) -> bool:
    return any(q.name == "costs" for q in m.parameters)


def refuse_measure(p: Predictions, by: object, named: Iterable[object]) -> None:
    """Say how several measures are given, where one is named in the place of a column to slice by."""
    if isinstance(by, str) and by not in {*SLICES, *p.columns} and by in measures:
        raise ParameterError(
            f"{by!r} is a measure, not a column to slice by.",
            remedy=f"Give several measures in one list: {[*map(str, named), by]}.",
        )


def name_findings(asked: Iterable[str | Measure]) -> list[Finding]:
    """Say what is different where names come from under which measures were asked for.

    >>> [f.code for f in name_findings(["mse", "neg_mean_squared_error"])]
    ['named-elsewhere']
    """
    findings = []
    for name in asked:
        alias = measures.alias(name.partition("(")[0]) if isinstance(name, str) else None
        known = measures[alias.name] if alias is not None and alias.differs else None
        if alias and known and alias.key != known.name:  # its own name means what it is here
            findings.append(
                NAMED_ELSEWHERE(name=alias.name, measure=known.call, differs=alias.differs)
            )
    return findings
