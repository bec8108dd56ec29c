"""Measures and their derivatives in long double, from the definition of each summary.

A double has 16 digits and a long double 19, so that differences of sixth order, with a step relative to
the weight that moves, are good to about 15: enough to judge what is computed in double.
"""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from credibly.predictions.summaries import (
    BinaryCounts,
    ClassScores,
    Counts,
    LossMoments,
    PairMoments,
    ScoreTable,
)
from credibly.predictions.summaries.linear import class_sizes, one_vs_rest
from credibly.predictions.summaries.scores import ORDER_SUMS, OrderSums

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.measures._declare import Measure
    from credibly.predictions import Predictions

STEP = np.longdouble(2) ** -9
WEIGHTS = {1: 45, 2: -9, 3: 1}  # of central differences of sixth order, over 60


def derivatives(m: Measure, p: Predictions, average: Average | None = None):
    """How the measure moves with the weight of each row."""
    found = []
    for i in range(p.n):
        total = np.longdouble(0)
        for steps, factor in WEIGHTS.items():
            ends = []
            for sign in (1, -1):
                weight = p.weights.astype(np.longdouble)
                weight[i] *= 1 + sign * steps * STEP
                ends.append(value(m, p, weight, average))
            total += factor * (ends[0] - ends[1])
        found.append(total / (60 * STEP * p.weights[i]))
    return np.array(found)


def value(m: Measure, p: Predictions, weight, average: Average | None = None):
    """The measure on other weights of the same rows."""
    if not average:
        return _of(m, _summary(m, p, weight))
    views = [one_vs_rest(p, i) for i in range(len(p.classes))]
    each = [_summary(m, view, weight) for view in views]
    if average == "micro":
        pooled = reduce(add, each)
        ranked = isinstance(pooled, ScoreTable)
        return _of(m, _table(pooled.score, pooled.pos, pooled.neg) if ranked else pooled)
    sizes = np.ones(len(views), np.longdouble)
    if average != "macro":
        codes = p.truth if average == "weighted" else p.label
        sizes = np.array([weight[codes == i].sum() for i in range(len(views))])
        np.testing.assert_allclose(
            (sizes / sizes.sum()).astype(float),
            class_sizes(p, average) / class_sizes(p, average).sum(),
            rtol=0.01,
        )
    values = np.array([_of(m, s) for s in each])
    return (values * sizes).sum() / sizes.sum()


def _of(m: Measure, summary):
    if isinstance(summary, tuple):  # the pairs of classes, by definition
        won, sizes = summary
        shares = won / np.multiply.outer(sizes, sizes)
        apart = ~np.eye(sizes.size, dtype=bool)
        return shares[apart].mean()
    with np.errstate(all="ignore"):
        found = m.formula(summary, **({} if m.loss else m.arguments))
    assert np.asarray(found).dtype == np.longdouble
    return np.asarray(found)[()]


def _summary(m: Measure, p: Predictions, weight):
    makers = {
        Counts: _counts,
        BinaryCounts: lambda m, p, w: _counts(m, p, w).binary(p.positive),
        LossMoments: _losses,
        PairMoments: _moments,
        ScoreTable: _scores,
        ClassScores: _pairs,
    }
    return makers[m.reads](m, p, weight)


def _counts(_m, p, weight):
    k = len(p.classes)
    table = np.zeros((k, k + 1), np.longdouble)
    np.add.at(table, (p.truth, np.where(p.label < 0, k, p.label)), weight)
    return Counts(table[:, :k], table[:, k], p.classes)


def _losses(m, p, weight):
    return LossMoments.of_sums(np.asarray(weight.sum()), weight @ m.losses(p))


def _moments(_m, p, weight):
    near = PairMoments.of(p)
    x = np.column_stack([p.truth, p.value]) / near.unit - near.origin.astype(np.longdouble)
    return PairMoments(
        np.asarray(weight.sum()), weight @ x, (x.T * weight) @ x, near.origin, near.unit
    )


def _scores(m, p, weight):
    score = p.scores_of(p.positive, m.name)
    distinct, place = np.unique(-score, return_inverse=True)
    sides = np.zeros((2, distinct.size), np.longdouble)
    np.add.at(sides, ((p.truth == p.positive).astype(int), place), weight)
    return _table(-distinct, sides[1], sides[0])


def _table(score, pos, neg):
    fp, tp = (np.append(np.longdouble(0), np.cumsum(side)) for side in (neg, pos))
    nothing = np.zeros((), np.longdouble)
    order = OrderSums(
        np.asarray(tp[-1]),
        np.asarray(fp[-1]),
        np.asarray(((tp[1:] - pos) * neg).sum()),
        np.asarray((pos * neg).sum()),
        np.asarray((pos * tp[1:] / (tp + fp)[1:]).sum()),
        nothing,
    )
    return ScoreTable(score, pos, neg, {"cuts": (fp, tp), ORDER_SUMS: order})


def _pairs(_m, p, weight):
    k = len(p.classes)
    won, sizes = np.zeros((k, k), np.longdouble), np.zeros(k, np.longdouble)
    np.add.at(sizes, p.truth, weight)
    for i in range(k):
        q = p.probability[:, i]
        above = np.where(q[:, None] > q, 1.0, np.where(q[:, None] == q, 0.5, 0.0))
        for j in range(k):
            mine, theirs = p.truth == i, p.truth == j
            won[i, j] = weight[mine] @ above[mine][:, theirs] @ weight[theirs]
    return won, sizes
