"""Influence values: how a measure moves when the weight of one case does.

A measure is a function of a summary, and a summary a sum over cases, so its derivative with respect to
a case's weight follows by the chain rule: the derivative of the formula by the few numbers of the
summary (by central differences), times what the case adds to each of them. The sum of their squares is
the infinitesimal jackknife's variance (Efron 1982); for an AUC it is DeLong's.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly.predictions.labels import MISSING
from credibly.summaries import (
    BinaryCounts,
    ClassScores,
    Counts,
    LossMoments,
    PairMoments,
    ScoreTable,
)
from credibly.summaries.linear import one_vs_rest
from credibly.summaries.scores import OrderSums

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from credibly.measures import Measure
    from credibly.measures._declare import Average
    from credibly.predictions import Predictions

    Floats = NDArray[np.float64]
    Formula = Callable[[Any], Floats]

BATCH = 1 << 21  # numbers moved at a time
MANY_CLASSES = 64  # a table of more classes has too many cells to move one by one
STEP = 1e-5  # of a summary's size: truncation and rounding are then both about 1e-10


def influence(m: Measure, p: Predictions, average: Average | None = None) -> Floats | None:
    """Return the derivative of a measure by the weight of each row, or nothing if it has none.

    >>> from credibly import Predictions
    >>> from credibly.measures import accuracy
    >>> influence(accuracy, Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0])).round(6).tolist()
    [0.0625, -0.1875, 0.0625, 0.0625]
    """
    if not m.smooth:
        return None
    key = ("influence", m.call, average)
    if key not in p.cache or any(
        not isinstance(v, int | float | str) for v in m.arguments.values()
    ):
        with np.errstate(all="ignore"):
            values = _averaged(m, p, average) if average else _of_cases(m, p)
        p.cache[key] = values if values is not None and np.isfinite(values).all() else None
    kept: Floats | None = p.cache[key]
    return kept


def _of_cases(m: Measure, p: Predictions) -> Floats | None:
    return derivatives(m.summarise(p), m.of_summary, p, m)


def _averaged(m: Measure, p: Predictions, average: Average) -> Floats | None:
    """Differentiate an average over classes by way of its terms."""
    if average == "micro":
        return _micro(m, p)
    from credibly.measures._declare import class_sizes

    views = [one_vs_rest(p, i) for i in range(len(p.classes))]
    terms = [_of_cases(m, view) for view in views]
    sizes = class_sizes(p, average)
    used = sizes > 0
    if any(t is None for t, u in zip(terms, used, strict=True) if u):
        return None
    total = sum(s * t for s, t, u in zip(sizes, terms, used, strict=True) if u and t is not None)
    result: Floats = np.asarray(total) / sizes.sum()
    if average != "macro":  # the sizes move with the weights too
        codes = p.truth if average == "weighted" else p.need("label", average)
        values = m.by_class(p)
        mean = float((values * sizes)[used].sum() / sizes.sum())
        result = result + np.where(codes >= 0, values[codes] - mean, 0.0) / sizes.sum()
    return result


def _micro(m: Measure, p: Predictions) -> Floats | None:
    views = [one_vs_rest(p, i) for i in range(len(p.classes))]
    summaries = [m.summarise(view) for view in views]
    pooled = summaries[0]
    for each in summaries[1:]:
        pooled = pooled + each
    terms = [derivatives(pooled, m.of_summary, view, m) for view in views]
    return (
        None
        if any(t is None for t in terms)
        else np.sum([t for t in terms if t is not None], axis=0)
    )


@singledispatch
def derivatives(summary: Any, formula: Formula, p: Predictions, m: Measure) -> Floats | None:  # noqa: ANN401, ARG001
    """Return the derivative of ``formula(summary)`` by the weight of each row of ``p``."""
    return None


def _gradient(
    summary: Any,  # noqa: ANN401
    names: list[str],
    formula: Formula,
    scales: dict[str, float],
) -> dict[str, Floats]:
    """Differentiate a formula by each number in some fields of a summary, in batches.

    ``scales`` says in which fields, and how large the numbers are by which the step is measured.
    """
    found = {}
    for name, scale in scales.items():
        step = STEP * max(scale, 1e-300)
        field = np.asarray(getattr(summary, name), np.float64)
        slope = np.zeros(field.size)
        for first in range(0, field.size, rows := max(1, BATCH // max(field.size, 1))):
            which = np.arange(first, min(first + rows, field.size))
            moves = np.zeros((which.size, field.size))
            moves[np.arange(which.size), which] = step
            moves = moves.reshape(-1, *field.shape)
            up, down = (
                formula(_batched(summary, names, name, field + sign * moves, which.size))
                for sign in (1, -1)
            )
            slope[which] = (up - down) / (2 * step)
        found[name] = slope.reshape(field.shape)
    return found


def _batched(summary: Any, names: list[str], moved: str, values: Floats, size: int) -> Any:  # noqa: ANN401
    """Repeat every field along a batch axis, but for the one that moves."""
    repeated = {}
    for name in names:
        field = np.asarray(getattr(summary, name), np.float64)
        repeated[name] = values if name == moved else np.broadcast_to(field, (size, *field.shape))
    return replace(summary, **repeated)


@derivatives.register(Counts)
def _by_counts(summary: Counts, formula: Formula, p: Predictions, m: Measure) -> Floats | None:
    if len(summary.classes) > MANY_CLASSES:
        return None
    total = float(summary.total)
    slope = _gradient(summary, ["matrix", "doubt"], formula, {"matrix": total, "doubt": total})
    table = np.column_stack([slope["matrix"], slope["doubt"]])
    label = p.need("label", m.name)
    return table[p.truth, np.where(label == MISSING, len(p.classes), label)]


@derivatives.register(BinaryCounts)
def _by_binary_counts(
    summary: BinaryCounts, formula: Formula, p: Predictions, m: Measure
) -> Floats:
    names = [f.name for f in fields(summary)]
    slope = _gradient(summary, names, formula, dict.fromkeys(names, float(summary.total)))
    truth, label = p.truth == p.positive, p.need("label", m.name)
    labelled = np.where(label == MISSING, 2, label == p.positive).astype(np.intp)
    table = np.array(
        [
            [slope["tn"], slope["fp"], slope["doubt_negative"]],
            [slope["fn"], slope["tp"], slope["doubt_positive"]],
        ]
    )
    return table[truth.astype(np.intp), labelled]


@derivatives.register(LossMoments)
def _by_loss_moments(
    summary: LossMoments, formula: Formula, p: Predictions, m: Measure
) -> Floats | None:
    if summary.infinite.any() or summary.minus_infinite.any() or summary.undefined.any():
        return None
    scales = {"weight": float(summary.weight), "total": float(np.abs(summary.total).max())}
    names = [f.name for f in fields(summary)]
    slopes = _gradient(summary, names, formula, scales)
    return slopes["weight"] + m.losses(p) @ slopes["total"]


@derivatives.register(ScoreTable)
def _by_score_table(summary: ScoreTable, formula: Formula, p: Predictions, m: Measure) -> Floats:
    """By way of the order sums, or of what the measure says of itself; looked up by the score."""
    pos, neg = m.slopes(summary) if m.slopes is not None else _by_order(summary, formula)
    score = p.scores_of(p.positive or 0, m.name)
    if p.cache.get("placed_in") is not summary:
        place = _places(score, summary.score)
        p.cache.update(placed_in=summary, place=place)
    place = p.cache["place"]
    return np.where(p.truth == p.positive, pos[place], neg[place])


def _by_order(summary: ScoreTable, formula: Formula) -> tuple[Floats, Floats]:
    """Differentiate the order sums, whose own derivatives are running sums over the table."""
    order = summary.order()
    names = [f.name for f in fields(OrderSums)]

    def of_order(sums: OrderSums) -> Floats:
        return formula(replace(summary, cache={"order": sums}))

    pairs = float(order.positives * order.negatives)
    cases = float(order.positives + order.negatives)
    scale = {"positives": cases, "negatives": cases, "precision": cases}
    slope = _gradient(order, names, of_order, {n: scale.get(n, pairs) for n in names})
    return _table_derivatives(summary, order, slope)


def _places(score: Floats, falling: Floats) -> NDArray[np.intp]:
    """Return where each score stands among distinct ones in falling order.

    When these are its own distinct scores, counting them in order beats looking each up.
    """
    order, low, _ = _tied_spans(score)
    ranked = score[order]
    new = np.concatenate([[True], ranked[1:] != ranked[:-1]])[: ranked.size]
    if np.count_nonzero(new) != falling.size:
        return falling.size - 1 - np.searchsorted(falling[::-1], score)
    return falling.size - np.cumsum(new)[low]


def _tied_spans(score: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return the rising order, and for each row where its tied block starts and ends in it."""
    order = np.argsort(score)
    ranked = score[order]
    new = np.concatenate([[True], ranked[1:] != ranked[:-1]])[: ranked.size]
    first = np.flatnonzero(new)
    size = np.diff(first, append=ranked.size)
    low, high = np.empty(ranked.size, np.intp), np.empty(ranked.size, np.intp)
    low[order], high[order] = np.repeat(first, size), np.repeat(first + size, size)
    return order, low, high


def _table_derivatives(
    t: ScoreTable, order: OrderSums, slope: dict[str, Floats]
) -> tuple[Floats, Floats]:
    """Differentiate by the weight of a positive and of a negative case at each distinct score."""
    labelled = t.tp + t.fp
    share = np.divide(1.0, labelled, out=np.zeros_like(labelled), where=labelled > 0)
    from_here = np.cumsum((t.pos * share**2 * t.fp)[::-1])[::-1]
    from_here_negative = np.cumsum((t.pos * share**2 * t.tp)[::-1])[::-1]
    pos = (
        slope["positives"]
        + slope["concordant"] * (order.negatives - t.fp)
        + slope["tied"] * t.neg
        + slope["precision"] * (t.tp * share + from_here)
    )
    neg = (
        slope["negatives"]
        + slope["concordant"] * (t.tp - t.pos)
        + slope["tied"] * t.pos
        - slope["precision"] * from_here_negative
    )
    return pos, neg


@derivatives.register(PairMoments)
def _by_pair_moments(summary: PairMoments, formula: Formula, p: Predictions, m: Measure) -> Floats:  # noqa: ARG001
    names = [f.name for f in fields(summary) if f.name not in {"origin", "unit"}]
    scale = {
        "weight": float(summary.weight),
        "sums": float(np.sqrt(summary.weight * np.trace(summary.products))),
        "products": float(np.trace(summary.products)),
    }
    slope = _gradient(summary, names, formula, scale)
    points = np.column_stack([p.truth, p.need("value", "this measure")])
    x = points / summary.unit - summary.origin
    return slope["weight"] + x @ slope["sums"] + np.einsum("ni,ij,nj->n", x, slope["products"], x)


@derivatives.register(ClassScores)
def _by_class_scores(
    summary: ClassScores,
    formula: Formula,  # noqa: ARG001  (a mean over pairs of classes, differentiated by hand)
    p: Predictions,
    m: Measure,  # noqa: ARG001
) -> Floats | None:
    """Through the matrix of pairs won: a case wins against, or is beaten by, those it is compared with."""
    k, n = len(summary.classes), p.n
    sizes = summary.class_weights()
    if not (sizes > 0).all():
        return None
    # The mean over ordered pairs of classes of wins / (size * size): differentiate by hand.
    matrix = p.probability_matrix("an influence value")
    total = np.zeros(n)
    weight = p.weights
    for i in range(k):
        order, low, high = _tied_spans(matrix[:, i])
        own = np.concatenate([[0.0], np.cumsum(np.where(p.truth == i, weight, 0.0)[order])])
        scaled = np.where(p.truth == i, 0.0, weight / sizes[p.truth])[order]
        others = np.concatenate([[0.0], np.cumsum(scaled)])
        beaten_by = (own[-1] - own[high]) + (own[high] - own[low]) / 2
        wins = others[low] + (others[high] - others[low]) / 2
        total += np.where(p.truth == i, wins / sizes[i], beaten_by / (sizes[i] * sizes[p.truth]))
    # A larger class also divides by more: each class takes part in 2 (k - 1) ordered pairs.
    pairs = k * (k - 1)
    won = summary.separations() / np.outer(sizes, sizes)
    np.fill_diagonal(won, 0.0)
    taken = (won.sum(axis=0) + won.sum(axis=1))[p.truth] / sizes[p.truth]
    return (total - taken) / pairs
