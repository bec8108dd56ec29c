"""All that is known of an evaluation: what checks look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly.evaluation import evaluate
from credibly.evaluation.fold_estimators import headline_estimate
from credibly.measures import measures
from credibly.predictions import CostMatrix, Predictions, RowCosts
from credibly.predictions.labels import distinct
from credibly.predictions.parts import each_once
from credibly.results.estimate import Estimate

if TYPE_CHECKING:
    from credibly.comparisons.result import Comparisons, TestResult
    from credibly.measures import Measure

TUNING_PARTS = ("validation", "tuning", "development")


@dataclass(frozen=True, eq=False)
class CheckContext:
    """Predictions and whatever else the author of an evaluation can tell.

    Parameters
    ----------
    predictions
        What is judged.
    training
        Rows (arrays or a frame of attributes) that some model was trained on; ``features`` are those
        of the cases judged, in the order of the predictions of one model or as ``row`` numbers them.
    costs, prevalence
        What mistakes cost, and how common the positive class is where the model will be used.
    comparisons
        Comparisons that were made.
    difference
        A difference of error rates that is claimed or wished for.
    measure, planned_measure
        The measure reported, and the one chosen before looking.
    tuned_on
        The part of the data that parameters or thresholds were chosen on.
    """

    predictions: Predictions
    training: Any = None
    features: Any = None
    costs: CostMatrix | RowCosts | None = None
    prevalence: float | None = None
    comparisons: Sequence[TestResult | Comparisons] = ()
    difference: float | None = None
    measure: str | None = None
    planned_measure: str | None = None
    tuned_on: str | None = None
    kept: dict[Any, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def known(self) -> Predictions:
        """The rows of known truth."""
        return self.predictions.known()

    @cached_property
    def models(self) -> dict[str, Predictions]:
        """The predictions of each model."""
        if self.known.model is None:
            return {"the model": self.known}
        return {str(k["model"]): part for k, part in self.known.groups(["model"])}

    def having(self, *columns: str) -> dict[str, Predictions]:
        """Return the rows with a prediction of the models that give at least one of these."""
        return {
            name: p.scored()
            for name, p in self.models.items()
            if not {*columns}.isdisjoint(p.provides)
        }

    @cached_property
    def first(self) -> Predictions:
        """The predictions of the first model."""
        return next(iter(self.models.values()))

    @cached_property
    def cases(self) -> Predictions:
        """The first model's predictions, each case once."""
        return each_once(self.first)

    @cached_property
    def fold_codes(self) -> NDArray[np.int64] | None:
        """The test part of each row of the first model, from 0 up; nothing without folds."""
        if self.first.fold is None:
            return None
        code = distinct(self.first.fold).codes.astype(np.int64)
        if self.first.repeat is not None:
            code = code + distinct(self.first.repeat).codes * (int(code.max()) + 1)
        found, code = np.unique(code, return_inverse=True)
        return code if found.size > 1 else None

    @cached_property
    def tests(self) -> list[TestResult]:
        """Every single test among the comparisons."""
        return [t for c in self.comparisons for t in c.results]

    @property
    def resampling(self) -> str:
        """How the predictions were made, where it is known."""
        provenance = self.predictions.provenance
        return provenance.resampling if provenance else ""

    @property
    def leaves_one_out(self) -> bool:
        """Whether every test part is a single case."""
        code = self.fold_codes
        return code is not None and int(np.bincount(code).max()) == 1

    @property
    def binary(self) -> bool:
        """Whether there are two classes, one of them positive."""
        return self.known.has_positive and len(self.known.classes) == 2

    def estimate(self, measure: str | Measure, p: Predictions) -> Estimate | None:
        """Return the estimate that stands for a measure of a model, or nothing where it does not apply."""
        m = measures.parse(measure)
        key = (m.call, id(p))
        if key not in self.kept:
            table = None if m.lacks(p) else evaluate(p, m, estimate=headline_estimate(p, m.name))
            self.kept[key] = (p, None if table is None else table.estimates[0])
        estimate: Estimate | None = self.kept[key][1]
        return estimate

    def value(self, measure: str | Measure, p: Predictions) -> float:
        """Return its value; NaN where it does not apply."""
        estimate = self.estimate(measure, p)
        return np.nan if estimate is None else estimate.value

    def wrong(self, p: Predictions) -> NDArray[np.bool_] | None:
        """Whether each case has the wrong label."""
        return None if p.label is None else p.label != p.truth


def rows_of_part(p: Predictions, names: Sequence[str]) -> NDArray[np.bool_]:
    """Return which rows belong to a part of one of these names, in whatever case it is written."""
    if p.part is None:
        return np.zeros(p.n, bool)
    parts = distinct(p.part)
    return np.array([str(v).lower() in names for v in parts.values], bool)[parts.codes]
