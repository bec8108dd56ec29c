"""Which measures of a plan can apply to its datasets, known before anything is fitted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.findings import Finding
from credibly._core.grouping import grouped
from credibly.experiments.execution.tasks import cannot_judge
from credibly.experiments.findings import MEASURE_DOES_NOT_APPLY
from credibly.experiments.plan.plan import PlanError
from credibly.predictions import CostMatrix, Predictions
from credibly.predictions.lack import Lack
from credibly.running.tuning import Tuned, TunedThreshold

if TYPE_CHECKING:
    from credibly.experiments.plan.plan import Place, Plan
    from credibly.running.data import Data

Read = tuple["Data", "CostMatrix | None"]


@dataclass(frozen=True, slots=True)
class _Use:
    """A measure that a plan asks for: where, what for, and what follows where it cannot be had."""

    measure: str
    place: Place
    role: str = ""
    instead: str = ""
    without: str = "It has no values there."
    knows_costs: bool = True


def doubtful_measures(plan: Plan, read: Mapping[str, Read], *, all_read: bool) -> list[Finding]:
    """Name the measures that were asked for and cannot be had from some datasets; refuse a useless one.

    Where some datasets cannot be used, no measure is useless: it may be for those.
    """
    ideal = {name: _ideal(data) for name, (data, _) in read.items()}
    findings = []
    for use in _uses(plan):
        lacking = grouped(
            (lack, name)
            for name, (_, costs) in read.items()
            if (lack := cannot_judge(use.measure, ideal[name], costs if use.knows_costs else None))
        )
        if not lacking:
            continue
        why = "; ".join(f"it needs {lack} for {', '.join(on)}" for lack, on in lacking.items())
        who = f"{use.measure}{use.role}"
        if all_read and sum(map(len, lacking.values())) == len(read):
            raise PlanError(
                f"{plan.stated(use.place)}{who} does not apply to any of the datasets: {why}.{use.instead}",
                use.place,
            )
        findings.append(MEASURE_DOES_NOT_APPLY(measure=who, why=why, so=use.without))
    return findings


def what_lacks(measure: str, classes: Sequence[Any], source: str) -> Lack | None:
    """Say what labels or scores alone lack for a measure that could be had from probabilities.

    >>> print(what_lacks("auc", ["no", "yes"], "label"), what_lacks("auc", ["no", "yes"], "decision_function"))
    a score or probability None
    """
    if cannot_judge(measure, _of_classes(classes), None):
        return None
    return cannot_judge(measure, _of_classes(classes, source), None)


def _uses(plan: Plan) -> Iterator[_Use]:
    """Return the measures that judge, and those by which schemes choose inside their training parts."""
    for i, measure in enumerate(plan.measures or ()):
        yield _Use(measure, ("measures", i))
    for scheme in plan.schemes:
        if isinstance(scheme.estimator, Tuned | TunedThreshold):
            yield _Use(
                scheme.estimator.measure,
                (*plan.scheme_places[scheme.name], "measure"),
                role=f", which {scheme.name!r} uses to choose,",
                instead=" Let it choose by another measure.",
                without="Its fits fail there.",
                knows_costs=False,
            )


def _ideal(data: Data) -> Predictions:
    """Return predictions for a few rows that have all that a scheme could give."""
    if data.codes is None:
        return Predictions.of([0.0, 1.0], value=[0.0, 1.0], baseline=[0.5, 0.5])
    return _of_classes(data.classes, positive=data.positive)


def _of_classes(
    classes: Sequence[Any], source: str = "probability", positive: object = None
) -> Predictions:
    k = len(classes)
    given: dict[str, Any] = {"probability": np.eye(k)} if source == "probability" else {}
    if source == "decision_function":
        given, positive = {"score": np.arange(k)}, classes[-1]
    return Predictions.of(
        list(classes),
        label=list(classes),
        **given,
        classes=tuple(classes),
        positive=positive,
        baseline=np.full((k, k), 1 / k),
    )
