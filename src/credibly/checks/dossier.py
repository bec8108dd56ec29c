"""All that is known of an evaluation: what checks look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly.comparisons.result import Comparisons, TestResult
from credibly.evaluation import evaluate
from credibly.measures import measures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from credibly._core.results import Estimate
    from credibly.measures import Measure
    from credibly.predictions import CostMatrix, Predictions


@dataclass(frozen=True, eq=False)
class Dossier:
    """Predictions and whatever else the author of an evaluation can tell.

    Parameters
    ----------
    predictions
        What is judged.
    training
        Rows (arrays or a frame of attributes) that some model was trained on; ``features`` are those
        of the cases judged, in the order of the predictions of one model.
    costs, prevalence
        What mistakes cost, and how common the positive class is where the model will be used.
    comparisons
        Tests that were made.
    difference
        A difference that is claimed or wished for.
    measure, planned_measure
        The measure reported, and the one chosen before looking.
    tuned_on
        The part of the data that parameters or thresholds were chosen on.
    """

    predictions: Predictions
    training: Any = None
    features: Any = None
    costs: CostMatrix | None = None
    prevalence: float | None = None
    comparisons: Sequence[TestResult | Comparisons] = ()
    difference: float | None = None
    measure: str | None = None
    planned_measure: str | None = None
    tuned_on: str | None = None
    kept: dict[Any, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def known(self) -> Predictions:
        """The predictions of known truth, without those of the training part."""
        p = self.predictions.known()
        if p.part is None:
            return p
        seen = np.array([str(v).lower() in {"train", "training"} for v in p.part.tolist()], bool)
        return p.take(~seen) if seen.any() and not seen.all() else p

    @cached_property
    def models(self) -> dict[str, Predictions]:
        """The predictions of each model."""
        if self.known.model is None:
            return {"model": self.known}
        return {str(k["model"]): part for k, part in self.known.groups(["model"])}

    @cached_property
    def folds(self) -> dict[str, list[Predictions]]:
        """The test parts of each model; none where there are no folds."""
        columns = [c for c in ("repeat", "fold") if getattr(self.known, c) is not None]
        if "fold" not in columns:
            return {}
        found = {name: [part for _, part in p.groups(columns)] for name, p in self.models.items()}
        return {name: parts for name, parts in found.items() if len(parts) > 1}

    @cached_property
    def tests(self) -> list[TestResult]:
        """Every single test among the comparisons."""
        return [
            t for c in self.comparisons for t in (c.results if isinstance(c, Comparisons) else (c,))
        ]

    @property
    def resampling(self) -> str:
        """How the predictions were made, where it is known."""
        made = self.predictions.provenance
        return made.resampling if made else ""

    @property
    def binary(self) -> bool:
        """Whether there are two classes, one of them positive."""
        return self.known.has_positive and len(self.known.classes) == 2

    def estimate(self, measure: str, p: Predictions) -> Estimate | None:
        """Return a measure of some predictions, or nothing where it does not apply."""
        key = (measure, id(p))
        if key not in self.kept:
            m = measures.parse(measure)
            table = None if m.lacks(p) else evaluate(p, m, estimate="pooled")
            self.kept[key] = (p, None if table is None else table.estimates[0])
        found: Estimate | None = self.kept[key][1]
        return found

    def value(self, measure: str | Measure, p: Predictions) -> float:
        """Return the value of a measure; NaN where it does not apply."""
        m = measures.parse(measure)
        return np.nan if m.lacks(p) else m.value(p)

    def wrong(self, p: Predictions) -> NDArray[np.bool_] | None:
        """Whether each case has the wrong label."""
        return None if p.label is None else p.label != p.truth
