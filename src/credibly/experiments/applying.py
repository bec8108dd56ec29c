"""Which measures of a plan can apply to its datasets, known before anything is fitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.results import Finding
from credibly.experiments.plans import PlanError
from credibly.experiments.tasks import cannot_judge
from credibly.predictions import Predictions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from credibly.experiments.plans import Plan
    from credibly.predictions import CostMatrix
    from credibly.running.data import Data

Read = tuple["Data", "CostMatrix | None"]


def doubtful_measures(plan: Plan, read: Mapping[str, Read], *, all_read: bool) -> list[Finding]:
    """Name the measures that were asked for and cannot be had from some datasets; refuse a useless one.

    Where some datasets cannot be used, no measure is useless: it may be for those.
    """
    ideal = {name: _ideal(data) for name, (data, _) in read.items()}
    said = []
    for place, measure in enumerate(plan.measures or ()):
        lacking: dict[str, list[str]] = {}
        for name, (_, costs) in read.items():
            lack = cannot_judge(measure, ideal[name], costs)
            if lack:
                lacking.setdefault(lack.removesuffix("=..."), []).append(name)
        if not lacking:
            continue
        why = "; ".join(f"it needs {lack} for {', '.join(on)}" for lack, on in lacking.items())
        if all_read and sum(map(len, lacking.values())) == len(read):
            stated = plan.stated(("measures", place))
            msg = f"{stated}{measure} applies to none of the datasets: {why}."
            raise PlanError(msg, ("measures", place))
        message = f"{measure} does not apply everywhere: {why}. It has no values there."
        said.append(Finding("measure-does-not-apply", "caution", message))
    return said


def what_lacks(measure: str, classes: Sequence[Any], source: str) -> str:
    """Say what labels or scores alone lack for a measure that could be had from probabilities.

    >>> what_lacks("auc", ["no", "yes"], "label"), what_lacks("auc", ["no", "yes"], "decision_function")
    ('a score or probability', '')
    """
    if cannot_judge(measure, _of_classes(classes), None):
        return ""
    return cannot_judge(measure, _of_classes(classes, source), None)


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
