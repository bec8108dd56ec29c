"""Predicted probabilities and outcomes: distinct probabilities with the weight of events at each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import ROUNDING, Floats, dot
from credibly._kernels.isotonic import isotonic
from credibly.errors import DataError, says
from credibly.predictions import Predictions
from credibly.predictions.lack import lack_of
from credibly.predictions.summaries import ScoreTable
from credibly.predictions.table import cached


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Distinct probabilities, smallest first, the number of events and of all cases at each.

    Importance weights are scaled to add up to their effective size: as many cases of equal weight as
    would vary as little. Statistics that count cases therefore do not depend on the unit of the
    weights. Fits that several statistics read are kept with it.

    >>> from credibly import Predictions
    >>> o = Outcomes.of(Predictions.of([0, 1, 1], probability=[0.2, 0.7, 0.7]))
    >>> o.probability.tolist(), o.events.tolist(), o.total.tolist()
    ([0.2, 0.7], [0.0, 2.0], [1.0, 2.0])
    """

    probability: Floats
    events: Floats
    total: Floats
    cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, p: Predictions) -> Outcomes:
        """Take the probability of the positive class."""
        if p.probability is None:
            lack_of("probability").refuse(p, "Calibration")
        if not p.has_positive:
            raise DataError(
                "Calibration is about one class or about the top label.",
                remedy=says("Set <of=...> to a class, or to 'top_label'."),
            )
        return cls.of_table(ScoreTable.of(p))[0]

    @classmethod
    def of_table(cls, table: ScoreTable) -> list[Outcomes]:
        """Turn a table of scores that are probabilities, or each of a batch; once for all statistics."""
        return cached(table, "outcomes", lambda: list(cls._of_rows(table)))

    @classmethod
    def _of_rows(cls, table: ScoreTable) -> Iterator[Outcomes]:
        shape = int(np.prod(table.pos.shape[:-1])), table.score.size
        for row in zip(table.pos.reshape(shape), table.neg.reshape(shape), strict=True):
            yield cls._of_row(table.score, *(_in_cases(side, table.case_weight) for side in row))

    @classmethod
    def _of_row(cls, score: Floats, pos: NDArray[Any], neg: NDArray[Any]) -> Outcomes:
        """Leave out scores without any weight."""
        total = pos + neg
        held: Any = slice(None, None, -1)
        if not (total > 0).all():
            held = np.flatnonzero(total > 0)[::-1]  # places are looked up faster than flags
        p, events, weight = (c[held].astype(np.float64) for c in (score, pos, total))
        return cls(p, events, weight)

    @property
    def n(self) -> float:
        """Weight of all cases."""
        return cached(self, "n", lambda: float(self.total.sum()))

    @property
    def counted(self) -> bool:
        """Whether weights are whole numbers, as counts are."""
        return cached(self, "counted", lambda: bool((self.total == np.rint(self.total)).all()))

    @property
    def isotonic_shares(self) -> Floats:
        """Shares of events that never fall as the probability rises, fitted to the outcomes."""
        return cached(self, "isotonic_shares", lambda: isotonic(self.events, self.total))

    @property
    def prevalence(self) -> float:
        """Share of events."""
        return (
            cached(self, "events", lambda: float(self.events.sum())) / self.n if self.n else np.nan
        )

    @property
    def share(self) -> Floats:
        """Share of events at each probability."""
        return self.events / self.total

    @property
    def brier(self) -> float:
        """Mean squared distance between probability and what happened."""
        return cached(self, "brier", self._brier)

    def _brier(self) -> float:
        share, p = self.share, self.probability
        return self.mean(share * (1 - p) ** 2 + (1 - share) * p**2)

    @property
    def logits(self) -> Floats:
        """The logit of each probability, without end where it is 0 or 1."""
        return cached(self, logit, lambda: logit(self.probability))

    @property
    def one_class(self) -> bool:
        """Whether all cases are events, or none is."""
        return cached(self, "one_class", lambda: not 0 < self.events.sum() < self.n)

    def inside(self) -> Outcomes:
        """Leave out probabilities of exactly 0 or 1, which have no logit."""
        inner = (self.probability > 0) & (self.probability < 1)
        if inner.all():
            return self
        return Outcomes(self.probability[inner], self.events[inner], self.total[inner])

    def mean(self, values: Floats) -> float:
        """Average over cases of something that depends on the probability."""
        return float(dot(values, self.total)) / self.n if self.n else np.nan


def _in_cases(weight: NDArray[Any], unit: float) -> NDArray[Any]:
    """Divide weights by that of a case; what is a count except for rounding is one."""
    if unit == 1:
        return weight
    cases = weight / unit
    whole = np.rint(cases)
    return np.where(np.abs(cases - whole) <= ROUNDING * whole, whole, cases)


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


def logit(p: Floats) -> Floats:
    """Return log(p / (1 - p)).

    >>> logit(np.array([0.5])).tolist()
    [0.0]
    """
    with np.errstate(divide="ignore"):
        return np.log(p) - np.log1p(-p)
