"""What was foretold beside what happened: distinct probabilities with the weight of events at each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.errors import DataError, MissingColumnError
from credibly.summaries import ScoreTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from credibly.predictions import Predictions

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Distinct probabilities, smallest first, the weight of events and of all cases at each.

    >>> from credibly import Predictions
    >>> o = Outcomes.of(Predictions.of([0, 1, 1], probability=[0.2, 0.7, 0.7]))
    >>> o.probability.tolist(), o.events.tolist(), o.total.tolist()
    ([0.2, 0.7], [0.0, 2.0], [1.0, 2.0])
    """

    probability: Floats
    events: Floats
    total: Floats

    @classmethod
    def of(cls, p: Predictions) -> Outcomes:
        """Take the probability of the positive class."""
        if p.probability is None:
            have = ", ".join(p.provides) or "none"
            msg = f"Calibration is of probabilities; these predictions have: {have}. Pass probability=... ."
            raise MissingColumnError(msg)
        if not p.has_positive:
            msg = "Calibration is of one class or of the top label: pass positive=..., or ask by class."
            raise DataError(msg)
        return cls.of_table(ScoreTable.of(p))

    @classmethod
    def of_table(cls, table: ScoreTable) -> Outcomes:
        """Turn a table of scores that are probabilities; scores without any weight are left out."""
        total = table.pos + table.neg
        kept = total > 0
        return cls(
            table.score[kept][::-1],
            table.pos[kept][::-1].astype(np.float64),
            total[kept][::-1].astype(np.float64),
        )

    @property
    def n(self) -> float:
        """Weight of all cases."""
        return float(self.total.sum())

    @property
    def prevalence(self) -> float:
        """Share of events."""
        return float(self.events.sum()) / self.n if self.n else np.nan

    @property
    def share(self) -> Floats:
        """Share of events at each probability."""
        return self.events / self.total

    @property
    def one_class(self) -> bool:
        """Whether all cases are events, or none is."""
        return not 0 < self.events.sum() < self.total.sum()

    def inside(self) -> Outcomes:
        """Leave out probabilities of exactly 0 or 1, which have no logit."""
        kept = (self.probability > 0) & (self.probability < 1)
        return (
            self
            if kept.all()
            else Outcomes(self.probability[kept], self.events[kept], self.total[kept])
        )

    def mean(self, values: Floats) -> float:
        """Average over cases of something that depends on the probability."""
        return float(values @ self.total) / self.n if self.n else np.nan


def top_label(p: Predictions) -> Predictions:
    """Return two-class predictions: whether the most probable class is right, with its probability.

    >>> from credibly import Predictions
    >>> p = Predictions.of(list("abc"), probability=[[.8, .1, .1], [.5, .4, .1], [0, .1, .9]])
    >>> q = top_label(p)
    >>> q.probability.tolist(), q.truth.tolist()
    ([0.8, 0.5, 0.9], [1, 0, 1])
    """
    matrix = p.probability_matrix("top-label calibration")
    top = matrix.argmax(axis=1)
    known = p.truth >= 0
    right = np.where(known, (top == p.truth).astype(np.int64), -1)
    return replace(
        p,
        truth=right,
        classes=("wrong", "right"),
        positive=1,
        probability=np.ascontiguousarray(matrix[np.arange(p.n), top]),
        score=None,
        label=None,
        baseline=None,
        cache={},
    )
