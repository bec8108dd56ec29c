"""Which measures of a plan can apply to its datasets, known before anything is fitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from credibly._core.results import Finding
from credibly.experiments.plans import PlanError
from credibly.experiments.tasks import cannot_judge
from credibly.predictions import Predictions

if TYPE_CHECKING:
    from collections.abc import Mapping

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


def _ideal(data: Data) -> Predictions:
    """Return predictions for a few rows that have all that a scheme could give."""
    if data.codes is None:
        return Predictions.of([0.0, 1.0], value=[0.0, 1.0], baseline=[0.5, 0.5])
    k = len(data.classes)
    return Predictions.of(
        list(data.classes),
        label=list(data.classes),
        probability=np.eye(k),
        classes=data.classes,
        positive=data.positive,
        baseline=np.full((k, k), 1 / k),
    )
