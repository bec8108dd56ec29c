"""Distinct scores with the weight of each class at each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credibly import _kernels
from credibly._core.arrays import Floats, dot
from credibly._kernels.hull import running_sums, upper_hull
from credibly._kernels.placements import falling_order, pairwise_separations
from credibly.errors import DataError, ParameterError, says
from credibly.predictions.artifact import Predictions
from credibly.predictions.labels import MISSING, shorten
from credibly.predictions.lack import POSITIVE, SCORE, Lack, lack_of
from credibly.predictions.summaries.counts import BinaryCounts
from credibly.predictions.summaries.linear import Summary, ratio
from credibly.predictions.table import Slot, cached

CUTS = "cuts"  # under which running sums are kept


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


ORDER_SUMS: Slot[OrderSums] = Slot("order sums", of_bins=True)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable(Summary):
    """Distinct scores, largest first, and the weight of positive and negative cases at each.

    Its running sums are the two-by-two tables of every threshold, so every curve is a column of it.
    ``pos`` and ``neg`` may have axes in front: replicates that share the scores. ``case_weight`` is the
    weight that is worth one case, for what counts cases.

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
    cache: dict[Any, Any] = field(default_factory=dict, repr=False)
    case_weight: float = 1.0

    takes: ClassVar[str] = "score"

    @classmethod
    def reduced(cls, p: Predictions, wanted_by: str) -> ScoreTable:
        """Group the cases of known truth by score; sums that bins have lost the order of stay what they are."""
        scores, sums = cls._grouped(p, wanted_by), ORDER_SUMS.get(p)
        return scores if sums is None else scores.with_order_sums(sums)

    @classmethod
    def _grouped(cls, p: Predictions, wanted_by: str) -> ScoreTable:
        score, positive, weight = _scored_cases(p, wanted_by)
        if weight is None and _is_large(score.size):
            from credibly._kernels.order import distinct_scores

            scores, pos, neg, sums = distinct_scores(np.ascontiguousarray(score), positive)
            return cls(scores, pos, neg).with_order_sums(OrderSums(*map(np.asarray, sums)))
        score, order, first = _groups(score)
        if weight is None:
            pos, neg = positive[order].astype(np.int64), (~positive)[order].astype(np.int64)
            if first.size < order.size:
                pos, neg = np.add.reduceat(pos, first), np.add.reduceat(neg, first)
            return cls(score, pos, neg)
        pos, neg = (
            np.add.reduceat((weight * side)[order], first) for side in (positive, ~positive)
        )
        return cls(score, pos, neg, case_weight=p.known().scored().case_weight)

    @classmethod
    def missing(cls, p: Predictions) -> Lack | None:
        """Say what the predictions lack."""
        if not p.has("score" if p.probability is None else "probability"):
            return SCORE
        return None if p.has_positive else POSITIVE

    @classmethod
    def condensed(cls, p: Predictions) -> Predictions:
        """Return one row for each class at each distinct score."""
        if p.positive is None or len(p.classes) != 2:
            return p
        table = cls.of(p)
        if p.weight is None and table.score.size == p.n:  # each case has a score of its own
            rows: Any = slice(None)
            truth = np.where(table.pos > 0, np.int8(p.positive), np.int8(1 - p.positive))
            weight = None
        else:
            place = [np.flatnonzero(side).astype(np.int32) for side in (table.pos, table.neg)]
            sizes = [side[at] for side, at in zip((table.pos, table.neg), place, strict=True)]
            rows, weight = np.concatenate(place), np.concatenate(sizes).astype(np.float64)
            both = np.array([p.positive, 1 - p.positive], np.int8)
            truth = np.repeat(both, [len(at) for at in place])
        small = Predictions(
            p.task,
            truth,
            p.classes,
            p.positive,
            score=table.score[rows],
            weight=weight,
            weight_kind="none" if weight is None else "frequency",
            cache={"gapless": True, "unknown": None},
        )
        table.stand_for(small)
        SCORE_PLACES.put(small, (table, rows))
        return small

    @property
    def tp(self) -> Floats:
        """Weight of the positive cases from the largest score down to each."""
        return self.cuts()[1][..., 1:]

    @property
    def fp(self) -> Floats:
        """Weight of the negative cases from the largest score down to each."""
        return self.cuts()[0][..., 1:]

    def reached(self, side: NDArray[Any]) -> Floats:
        """Return the running sums of one class; those of many scores are kept where both are needed alone."""
        if _is_large(side.size) and CUTS not in self.cache:
            return _running_sums(side)[..., 1:]
        return self.tp if side is self.pos else self.fp

    def cuts(self) -> tuple[Floats, Floats]:
        """Return the weight of negative and of positive cases labelled positive, from no score to all."""
        return cached(self, CUTS, lambda: (_running_sums(self.neg), _running_sums(self.pos)))

    @property
    def positives(self) -> Floats:
        """Weight of the positive cases."""
        return np.asarray(self.cuts()[1][..., -1])

    @property
    def negatives(self) -> Floats:
        """Weight of the negative cases."""
        return np.asarray(self.cuts()[0][..., -1])

    def at_prevalence(self, prevalence: float) -> ScoreTable:
        """Re-weight the classes to another share of positives, leaving the total weight as it is.

        >>> from credibly import Predictions
        >>> t = ScoreTable.of(Predictions.of([1, 0, 0, 0], score=[0.9, 0.4, 0.4, 0.1]))
        >>> t.at_prevalence(0.5).pos.tolist(), t.at_prevalence(0.5).neg.tolist()
        ([2.0, 0.0, 0.0], [0.0, 1.3333333333333333, 0.6666666666666666])
        """
        if not 0 < prevalence < 1:
            raise ParameterError(
                f"prevalence must be a number between 0 and 1; got {prevalence!r}."
            )
        positives, negatives = self.positives[..., None], self.negatives[..., None]
        total = positives + negatives
        with np.errstate(invalid="ignore", divide="ignore"):
            pos = self.pos * (prevalence * total / positives)
            neg = self.neg * ((1 - prevalence) * total / negatives)
        return replace(self, pos=pos, neg=neg, cache={})

    def decisions(self, place: NDArray[np.intp] | None = None) -> BinaryCounts:
        """Return the outcomes of labelling positive from each distinct score on, or from one place of each table."""
        ends = tp, fp = self.tp, self.fp
        if place is not None:
            tp, fp = (np.take_along_axis(side, place[..., None], axis=-1) for side in ends)
        fn, tn = (all_[..., -1:] - side for all_, side in zip(ends, (tp, fp), strict=True))
        return BinaryCounts.of_outcomes(tp=tp, fp=fp, fn=fn, tn=tn)

    def hull(self) -> NDArray[np.int64]:
        """Return which cuts are corners of the convex hull of the ROC curve: cut i labels i scores positive.

        >>> from credibly import Predictions
        >>> ScoreTable.of(Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1])).hull().tolist()
        [0, 1, 3, 4]
        """
        return cached(self, "hull", lambda: upper_hull(*self.cuts()))

    def order_sums(self) -> OrderSums:
        """Return the sums from which measures of ranking are made."""
        return cached(self, ORDER_SUMS, self._order_sums)

    def with_order_sums(self, sums: OrderSums) -> ScoreTable:
        """Return the table with these sums in place of those that it would give."""
        return replace(self, cache={ORDER_SUMS: sums})

    @classmethod
    def of_order_sums(cls, sums: OrderSums) -> ScoreTable:
        """Return a table that is known only by the sums of its order."""
        nothing = np.empty(0)
        return cls(nothing, nothing, nothing, {ORDER_SUMS: sums})

    def _order_sums(self) -> OrderSums:
        (fp, tp), pos, neg = self.cuts(), self.pos, self.neg
        negatives, positives = np.asarray(fp[..., -1]), np.asarray(tp[..., -1])
        fp, tp = fp[..., 1:], tp[..., 1:]
        labelled = tp + fp
        share = np.divide(tp, labelled, out=np.zeros_like(tp), where=labelled > 0)
        gap = np.abs(tp * negatives[..., None] - fp * positives[..., None])
        return OrderSums(
            positives,
            negatives,
            dot(tp - pos, neg),
            dot(pos * 1.0, neg),
            (pos * share).sum(axis=-1),
            gap.max(axis=-1, initial=0.0),
        )

    @classmethod
    def of_one_score(
        cls, score: float, positives: float, negatives: float, case_weight: float
    ) -> ScoreTable:
        """Return the table of cases that all have the same score.

        >>> ScoreTable.of_one_score(0.5, 1.0, 3.0, 1.0).order_sums().tied
        array(3.)
        """
        precision = positives * (positives / (positives + negatives))
        sums = (positives, negatives, 0.0, positives * negatives, precision, 0.0)
        column, pos, neg = map(np.atleast_1d, (score, positives, negatives))
        known = {ORDER_SUMS: OrderSums(*map(np.asarray, sums))}
        return cls(column, pos, neg, known, case_weight)

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
        # Summed as the kind of number they are: no count of rows outgrows it, and widening is slow.
        pos, neg = (
            np.array([side[s].sum(dtype=side.dtype) for s in spans], np.float64)
            for side in (self.pos, self.neg)
        )
        if self.pos.dtype.kind == "i" and pos.sum() + neg.sum() == self.score.size:
            return pos, neg, np.array([self.score[s].sum() for s in spans])  # all counts are 1
        return pos, neg, np.array([dot(self.score[s], self.pos[s] + self.neg[s]) for s in spans])

    def _combined(self, other: Self, sign: int) -> ScoreTable:
        score, order, first = _groups(np.concatenate([self.score, other.score]))
        sides = []
        for mine, theirs in ((self.pos, other.pos), (self.neg, other.neg)):
            both = np.concatenate([mine, sign * theirs], axis=-1)
            sides.append(np.add.reduceat(both[..., order], first, axis=-1))
        empty = (sides[0] == 0) & (sides[1] == 0)
        keep = ~empty.all(axis=tuple(range(empty.ndim - 1)))
        pos, neg = (side[..., keep] for side in sides)
        return ScoreTable(score[keep], pos, neg, case_weight=self._joint_case_weight(other, sign))

    def _joint_case_weight(self, other: Self, sign: int) -> float:
        """Add up sums of squared weights, which are those of the weights times a case's."""
        if self.case_weight == other.case_weight:
            return self.case_weight
        sizes = float((self.pos + self.neg).sum()), sign * float((other.pos + other.neg).sum())
        squares = self.case_weight * sizes[0] + other.case_weight * sizes[1]
        return squares / sum(sizes) if squares > 0 else 1.0


# The place of each row among the scores of a table.
SCORE_PLACES = Slot[tuple[ScoreTable, NDArray[Any] | slice]]("score places")


def decisions_at(p: Predictions, thresholds: ArrayLike) -> BinaryCounts:
    """Count the outcomes at several thresholds in one pass, without a sort.

    >>> from credibly import Predictions
    >>> p = Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1])
    >>> decisions_at(p, [0.1, 0.5]).tp.tolist()
    [2.0, 1.0]
    """
    cuts = np.asarray(thresholds, np.float64)
    if cuts.ndim != 1 or not cuts.size or not np.isfinite(cuts).all():
        raise DataError("thresholds must be a list of finite numbers.")
    rising, back = np.unique(cuts, return_inverse=True)
    score, positive, weight = _scored_cases(p, "decisions_at")
    if weight is None and _is_large(score.size):
        from credibly._kernels.order import rows_between

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
        raise DataError(
            f"{wanted_by} is about one class: which of {shorten(p.classes)} is it?",
            remedy=says(
                "Name it with <positive=...> where the predictions are made, or see each class with <by='class'>."
            ),
        )
    place, p = p.positive, p.scored()
    score, positive, weight = p.scores_of(place, wanted_by), p.truth == place, p.weight
    if p.truth.min(initial=0) == MISSING:
        known = p.truth != MISSING
        score, positive = score[known], positive[known]
        weight = None if weight is None else weight[known]
    return score, positive, weight


def _is_large(n: int) -> bool:
    """Whether a table is large enough for a kernel to pay off."""
    return n >= _kernels.COMPILE_FROM and _kernels.worth_compiling(n)


def _running_sums(weights: NDArray[Any]) -> Floats:
    """Return the sums of the first 0, 1, 2 ... weights along the last axis."""
    if weights.ndim == 1 and _is_large(weights.size):
        return running_sums(weights)
    out = np.zeros((*weights.shape[:-1], weights.shape[-1] + 1))
    out[..., 1:] = weights
    out.cumsum(axis=-1, out=out)
    return out


def _groups(score: Floats) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
    """Return distinct scores falling, the order of the rows and where each score starts in it."""
    if _is_large(score.size):
        order, new = falling_order(score)
    else:  # rows of one score need not stay in their order, and numpy sorts faster without
        order = score.argsort()[::-1]
        ranked = score[order]
        new = np.ones(ranked.size, bool)
        np.not_equal(ranked[1:], ranked[:-1], out=new[1:])
    first = np.flatnonzero(new)
    return score[order[first]] + 0.0, order, first


@dataclass(frozen=True, slots=True, eq=False)
class BinBounds:
    """What each bin of scores can add at least and at most to the sums of the order.

    Within a bin of several scores nothing is known but the number of cases of each class. No order of
    them wins fewer pairs than negatives first, or more than positives first. Precision is least where
    each positive has a score of its own below the negatives (a sum of fractions, which an integral
    bounds by Hermite and Hadamard's inequality), and most where they share one above them. The gap of
    two distributions is largest at a corner.
    """

    table: ScoreTable
    pairs: Floats
    least_precision: Floats
    most_precision: Floats
    largest_gap: Floats

    @classmethod
    def of(cls, p: Predictions) -> BinBounds:
        """Look into every bin; a score that stands for itself adds what it adds."""
        table = ScoreTable.of(p, "a bound")
        wide, sums = _is_wide(p, table), table.order_sums()
        pos, neg = (np.asarray(side, np.float64) for side in (table.pos, table.neg))
        tp, fp = table.tp, table.fp
        before, after = tp - pos, fp - neg
        tied = pos * ratio(tp, tp + fp)
        apart = pos - fp * np.log1p(pos / (before + fp + 0.5))
        corners = np.maximum(
            np.abs(tp * sums.negatives - after * sums.positives),
            np.abs(before * sums.negatives - fp * sums.positives),
        )
        return cls(
            table,
            np.where(wide, pos * neg, 0.0),
            np.where(wide, np.minimum(apart, tied), tied),
            np.where(wide & (pos > 0), pos * ratio(tp, tp + after), tied),
            np.where(wide, corners, 0.0),
        )

    def ends(self) -> tuple[OrderSums, OrderSums]:
        """Return the sums of the order if every bin holds its negatives first, and its positives.

        >>> from dataclasses import replace
        >>> p = replace(Predictions.of([1, 0], score=[0.5, 0.5]), span=np.array([[0.4, 0.6]] * 2))
        >>> [float(o.concordant + o.tied / 2) for o in BinBounds.of(p).ends()]
        [0.0, 1.0]
        """
        sums, pairs = self.table.order_sums(), self.pairs.sum()
        n, tied = (sums.positives, sums.negatives), np.asarray(sums.tied - pairs)
        least, most = (np.asarray(x.sum()) for x in (self.least_precision, self.most_precision))
        gap = np.maximum(sums.largest_gap, self.largest_gap.max(initial=0.0))
        return (
            OrderSums(*n, sums.concordant, tied, least, sums.largest_gap),
            OrderSums(*n, sums.concordant + pairs, tied, most, gap),
        )


def _is_wide(p: Predictions, table: ScoreTable) -> NDArray[np.bool_]:
    """Say of each distinct score whether it stands for several."""
    if p.span is None:
        return np.zeros(table.score.size, bool)
    wide = p.span[:, 0] < p.span[:, 1]
    if wide.all():
        return np.ones(table.score.size, bool)
    return np.isin(table.score, p.scores_of(p.positive or 0, "a bound")[wide])


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
    def reduced(cls, p: Predictions, wanted_by: str) -> ClassScores:
        """Collect the cases of known truth."""
        known = p.known().scored()
        return cls(known.probability_matrix(wanted_by), known.truth, known.weight, p.classes)

    @classmethod
    def missing(cls, p: Predictions) -> Lack | None:
        """Say what the predictions lack."""
        return None if p.has("probability") else lack_of("probability")

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
