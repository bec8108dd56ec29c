"""Distinct scores with the weight of each class at each."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from credibly._core.errors import DataError, ParameterError
from credibly._kernels import worth_compiling
from credibly._kernels.hull import upper_hull
from credibly._kernels.placements import falling_order, pairwise_separations
from credibly.predictions.labels import MISSING
from credibly.summaries.counts import BinaryCounts
from credibly.summaries.linear import Summary

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from credibly.predictions import Predictions

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class OrderSums:
    """What the order of the scores comes to: pairs, precision and the gap between two distributions.

    ``largest_gap`` is in units of positives times negatives.
    """

    positives: Floats
    negatives: Floats
    concordant: Floats
    tied: Floats
    precision: Floats
    largest_gap: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable(Summary):
    """Distinct scores, largest first, and the weight of positive and negative cases at each.

    Its running sums are the two-by-two tables of every threshold, so every curve is a column of it.
    ``pos`` and ``neg`` may have axes in front: replicates that share the scores.

    >>> from credibly import Predictions
    >>> t = ScoreTable.of(Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
    >>> t.score.tolist(), t.pos.tolist(), t.neg.tolist()
    ([0.9, 0.4, 0.1], [1, 1, 0], [0, 1, 1])
    >>> t.decisions().tp.tolist(), t.decisions().fp.tolist()
    ([1.0, 2.0, 2.0], [0.0, 1.0, 2.0])
    """

    score: Floats
    pos: NDArray[Any]
    neg: NDArray[Any]
    cache: dict[str, Any] = field(default_factory=dict, repr=False)

    takes: ClassVar[str] = "score"

    @classmethod
    def of(cls, p: Predictions, wanted_by: str = "ScoreTable") -> ScoreTable:
        """Group the cases of known truth by score; sorted once for all measures."""
        if "score_table" not in p.cache:
            p.cache["score_table"] = cls._sorted(p, wanted_by)
        table: ScoreTable = p.cache["score_table"]
        return table

    @classmethod
    def _sorted(cls, p: Predictions, wanted_by: str) -> ScoreTable:
        score, positive, weight = _scored_cases(p, wanted_by)
        if weight is None and worth_compiling(score.size):
            from credibly._kernels.order import distinct_scores

            scores, pos, neg, sums = distinct_scores(np.ascontiguousarray(score), positive)
            made = cls(scores, pos, neg)
            made.cache["order"] = OrderSums(*map(np.asarray, sums))
            return made
        score, order, first = _groups(score)
        if weight is None:
            size = np.diff(first, append=order.size)
            pos = np.add.reduceat(positive[order], first, dtype=np.int64) if order.size else size
            return cls(score, pos, size - pos)
        pos, neg = (
            np.add.reduceat((weight * side)[order], first) for side in (positive, ~positive)
        )
        return cls(score, pos, neg)

    @classmethod
    def missing(cls, p: Predictions) -> str:
        """Say what the predictions lack."""
        if p.score is None and p.probability is None:
            return "a score or probability"
        return "" if p.has_positive else "a positive class"

    @property
    def tp(self) -> Floats:
        """Weight of the positive cases from the largest score down to each."""
        return self._kept("tp", lambda: np.cumsum(self.pos, axis=-1, dtype=np.float64))

    @property
    def fp(self) -> Floats:
        """Weight of the negative cases from the largest score down to each."""
        return self._kept("fp", lambda: np.cumsum(self.neg, axis=-1, dtype=np.float64))

    def _kept(self, name: str, compute: Callable[[], Any]) -> Any:  # noqa: ANN401
        if name not in self.cache:
            self.cache[name] = compute()
        return self.cache[name]

    @property
    def positives(self) -> Floats:
        """Weight of the positive cases."""
        return np.asarray(self.pos.sum(axis=-1, dtype=np.float64))

    @property
    def negatives(self) -> Floats:
        """Weight of the negative cases."""
        return np.asarray(self.neg.sum(axis=-1, dtype=np.float64))

    def at_prevalence(self, prevalence: float) -> ScoreTable:
        """Re-weight the classes to another share of positives, leaving the total weight as it is.

        >>> from credibly import Predictions
        >>> t = ScoreTable.of(Predictions.of([1, 0, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
        >>> t.at_prevalence(0.5).pos.tolist(), t.at_prevalence(0.5).neg.tolist()
        ([2.0, 0.0, 0.0], [0.0, 1.3333333333333333, 0.6666666666666666])
        """
        if not 0 < prevalence < 1:
            msg = f"prevalence must be a number between 0 and 1; got {prevalence!r}."
            raise ParameterError(msg)
        positives, negatives = self.positives[..., None], self.negatives[..., None]
        total = positives + negatives
        with np.errstate(invalid="ignore", divide="ignore"):
            pos = self.pos * (prevalence * total / positives)
            neg = self.neg * ((1 - prevalence) * total / negatives)
        return ScoreTable(self.score, pos, neg)

    def decisions(self) -> BinaryCounts:
        """Return the outcomes of labelling positive from each distinct score on: a batch of tables."""
        tp, fp = self.tp, self.fp
        return BinaryCounts.of_outcomes(tp=tp, fp=fp, fn=tp[..., -1:] - tp, tn=fp[..., -1:] - fp)

    def hull(self) -> NDArray[np.int64]:
        """Return which cuts are corners of the convex hull of the ROC curve: cut i labels i scores positive.

        >>> from credibly import Predictions
        >>> ScoreTable.of(Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1])).hull().tolist()
        [0, 1, 3, 4]
        """

        def corners() -> NDArray[np.int64]:
            fp, tp = (np.concatenate([[0.0], side]) for side in (self.fp, self.tp))
            return upper_hull(fp, tp)

        found: NDArray[np.int64] = self._kept("hull", corners)
        return found

    def order(self) -> OrderSums:
        """Return the sums from which measures of ranking are made."""
        sums: OrderSums = self._kept("order", self._order)
        return sums

    def _order(self) -> OrderSums:
        positives, negatives = self.positives, self.negatives
        tp, fp = self.tp, self.fp
        tied = (self.pos * 1.0 * self.neg).sum(axis=-1)
        labelled = tp + fp
        precision = self.pos * np.divide(tp, labelled, out=np.zeros_like(tp), where=labelled > 0)
        gap = np.abs(tp * negatives[..., None] - fp * positives[..., None])
        return OrderSums(
            positives,
            negatives,
            ((tp - self.pos) * self.neg).sum(axis=-1),
            tied,
            precision.sum(axis=-1),
            gap.max(axis=-1, initial=0.0),
        )

    def binned(self, edges: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Return positive weight, negative weight and summed score between rising edges, the last included.

        >>> from credibly import Predictions
        >>> t = ScoreTable.of(Predictions.of([0, 1, 1], probability=[0.1, 0.5, 1.0]))
        >>> [side.tolist() for side in t.binned([0, 0.5, 1])]
        [[0.0, 2.0], [1.0, 0.0], [0.1, 1.5]]
        """
        cuts = np.searchsorted(self.score[::-1], np.asarray(edges)[1:-1])
        stops = self.score.size - np.concatenate([[0], cuts, [self.score.size]])
        spans = [slice(low, high) for high, low in pairwise(stops)]
        pos = np.array([self.pos[s].sum() for s in spans], np.float64)
        neg = np.array([self.neg[s].sum() for s in spans], np.float64)
        if (
            self.pos.dtype.kind == "i" and pos.sum() + neg.sum() == self.score.size
        ):  # all counts are 1
            return pos, neg, np.array([self.score[s].sum() for s in spans])
        return pos, neg, np.array([self.score[s] @ (self.pos[s] + self.neg[s]) for s in spans])

    def _combined(self, other: Self, sign: int) -> ScoreTable:
        score, order, first = _groups(np.concatenate([self.score, other.score]))
        sides = []
        for mine, theirs in ((self.pos, other.pos), (self.neg, other.neg)):
            both = np.concatenate([mine, sign * theirs], axis=-1)
            sides.append(np.add.reduceat(both[..., order], first, axis=-1))
        empty = (sides[0] == 0) & (sides[1] == 0)
        keep = ~empty.all(axis=tuple(range(empty.ndim - 1)))
        return ScoreTable(score[keep], sides[0][..., keep], sides[1][..., keep])


def decisions_at(p: Predictions, thresholds: ArrayLike) -> BinaryCounts:
    """Count the outcomes at several thresholds in one pass, without a sort.

    >>> from credibly import Predictions
    >>> p = Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1])
    >>> decisions_at(p, [0.1, 0.5]).tp.tolist()
    [2.0, 1.0]
    """
    cuts = np.asarray(thresholds, np.float64)
    if cuts.ndim != 1 or not cuts.size or not np.isfinite(cuts).all():
        msg = "thresholds must be a list of finite numbers."
        raise DataError(msg)
    rising, back = np.unique(cuts, return_inverse=True)
    score, positive, weight = _scored_cases(p, "decisions_at")
    if weight is None and worth_compiling(score.size):
        from credibly._kernels.thresholds import rows_between

        counts = rows_between(np.ascontiguousarray(score), positive, rising).astype(np.float64)
    else:
        reached = np.searchsorted(rising, score, side="right")
        cell = reached * 2 + positive
        counts = np.bincount(cell, weight, 2 * rising.size + 2).reshape(-1, 2).astype(np.float64)
    above = counts[::-1].cumsum(axis=0)[::-1]
    fp, tp = above[1:][back].T
    negatives, positives = above[0]
    return BinaryCounts.of_outcomes(tp=tp, fp=fp, fn=positives - tp, tn=negatives - fp)


def _scored_cases(
    p: Predictions, wanted_by: str
) -> tuple[Floats, NDArray[np.bool_], Floats | None]:
    if p.score is None and p.probability is None:
        p.scores_of(0, wanted_by)  # raises the error that says what there is instead
    if p.positive is None:
        msg = f"{wanted_by} is about one class: name it with positive=..., or ask for average='macro'."
        raise DataError(msg)
    score, positive, weight = p.scores_of(p.positive, wanted_by), p.truth == p.positive, p.weight
    if p.truth.min(initial=0) == MISSING:
        known = p.truth != MISSING
        score, positive = score[known], positive[known]
        weight = None if weight is None else weight[known]
    return score, positive, weight


def _groups(score: Floats) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
    """Return distinct scores falling, the order of the rows and where each score starts in it."""
    if worth_compiling(score.size):
        order, new = falling_order(score)
    else:  # rows of one score need not stay in their order, and numpy sorts faster without
        order = np.argsort(score)[::-1]
        ranked = score[order]
        new = np.concatenate([[True], ranked[1:] != ranked[:-1]])[: ranked.size]
    first = np.flatnonzero(new)
    return score[order[first]] + 0.0, order, first


@dataclass(frozen=True, slots=True, eq=False)
class ClassScores(Summary):
    """The probabilities of every class with the actual class and the weight of each case.

    The multiclass sister of :class:`ScoreTable`, for pairwise comparisons of classes; no smaller than
    the data. ``weight`` is missing where every case counts once.
    """

    probability: Floats
    actual: NDArray[Any]
    weight: Floats | None
    classes: tuple[Any, ...]

    takes: ClassVar[str] = "probability"

    @classmethod
    def of(cls, p: Predictions, wanted_by: str = "ClassScores") -> ClassScores:
        """Collect the cases of known truth."""
        p.need("probability", wanted_by)
        known = p.known()
        return cls(known.probability_matrix(wanted_by), known.truth, known.weight, p.classes)

    @classmethod
    def missing(cls, p: Predictions) -> str:
        """Say what the predictions lack."""
        return "" if p.probability is not None else "probability"

    def separations(self) -> Floats:
        """Return the weight of pairs won.

        In row i and column j: pairs in which a case of class i gets the larger probability of class i
        than a case of class j, ties half.
        """
        return pairwise_separations(self.probability, self.actual, self.weight)

    def class_weights(self) -> Floats:
        """Return the weight of the cases of each class."""
        return np.bincount(self.actual, self.weight, len(self.classes)).astype(np.float64)

    def _combined(self, other: Self, sign: int) -> ClassScores:
        weights = [np.ones(len(t.actual)) if t.weight is None else t.weight for t in (self, other)]
        return ClassScores(
            np.concatenate([self.probability, other.probability]),
            np.concatenate([self.actual, other.actual]),
            np.concatenate([weights[0], sign * weights[1]]),
            self.classes,
        )
