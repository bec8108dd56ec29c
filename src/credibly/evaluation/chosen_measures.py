"""Which measures are estimated: all that predictions allow, a few for a first look, or those that were named."""

from __future__ import annotations

from collections.abc import Iterable

from credibly._core.findings import Finding
from credibly.errors import ParameterError
from credibly.measures import Measure, measures
from credibly.measures.findings import NAMED_ELSEWHERE
from credibly.measures.headline import class_measures, first_measures
from credibly.predictions import Predictions


def applicable(
    p: Predictions, parts: list[Predictions], costs: object, *, first: bool, one_class: bool
) -> tuple[Measure, ...]:
    """Return all measures that these predictions allow, or the few of a first look."""
    chosen = [_with_costs(m, costs) for m in measures if m.offered(p)]
    if first:  # what was priced is what matters first
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
    """Return the names of the measures of a first look, those of one class also where each has its turn."""
    few = applicable(p, parts, costs, first=True, one_class=one_class)
    return tuple(m.of_any_average.call for m in few)


def named_measures(
    p: Predictions,
    parts: list[Predictions],
    names: list[str | Measure],
    costs: object,
    *,
    class_wise: bool,
) -> tuple[Measure, ...]:
    """Return the measures that were named, or say what one of them lacks."""
    found = [_with_costs(measures.parse(m), costs) for m in names]
    # A measure under two of its names is shown once.
    chosen = tuple({(m.name, repr(m.arguments)): m for m in found}.values())
    for m in chosen:
        averaged = class_wise or m.average is not None or len(p.classes) != 2
        lacks = [m.lacks(part, averaged=averaged) for part in parts]
        if all(lacks):
            m.value(p)  # raises the error that says what is missing
            raise ParameterError(f"{m.name} needs {lacks[0]}.")
    return tuple(m.about(*parts) for m in chosen)


def _with_costs(m: Measure, costs: object) -> Measure:
    return m.given(costs=costs) if costs is not None and _takes_costs(m) else m


def _takes_costs(m: Measure) -> bool:
    return any(q.name == "costs" for q in m.parameters)


def name_findings(asked: Iterable[str | Measure]) -> list[Finding]:
    """Say what is different where names come from under which measures were asked for.

    >>> [f.code for f in name_findings(["mse", "neg_mean_squared_error"])]
    ['named-elsewhere']
    """
    said = []
    for name in asked:
        alias = measures.alias(name.partition("(")[0]) if isinstance(name, str) else None
        known = measures[alias.name] if alias is not None and alias.differs else None
        if alias and known and alias.key != known.name:  # its own name means what it is here
            said.append(NAMED_ELSEWHERE(name=alias.name, measure=known.call, differs=alias.differs))
    return said
