"""The convex hull of the ROC curves of several models: where each of them is the one to use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credibly._core.arrays import ROUNDING, Floats
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.text import number_text
from credibly._kernels.hull import upper_hull
from credibly.curves._declare import curves
from credibly.curves.costs import probability_cost
from credibly.curves.curve import drawable, findings_of, summarise
from credibly.curves.findings import DIFFERENT_CASES
from credibly.errors import DataError, ParameterError, listed
from credibly.predictions import Predictions
from credibly.predictions.summaries import ScoreTable
from credibly.results.formats import Column, table_of
from credibly.results.result import Cells, Result

ALWAYS_NEGATIVE, ALWAYS_POSITIVE = "always negative", "always positive"


class HullPoint(Result, eq=True):
    """A corner of the hull: a model with the score from which on it says positive.

    ``also`` names the other models that reach the same point.
    """

    false_positive_rate: float
    true_positive_rate: float
    model: str
    threshold: float
    also: tuple[str, ...] = ()

    @property
    def trivial(self) -> bool:
        """Whether it says the same of every case, and needs no model."""
        return self.threshold in {np.inf, -np.inf}

    def __str__(self) -> str:
        return self.model if self.trivial else f"{self.model} from {number_text(self.threshold)}"


@dataclass(frozen=True, slots=True)
class Tangent:
    """The cheapest corner for some classes and costs, where a line of equal cost touches the hull."""

    point: HullPoint
    slope: float
    intercept: float
    probability_cost: float
    expected_cost: float


@dataclass(frozen=True, slots=True)
class Mixture:
    """A classifier that takes one of two corners at random for each case, and so reaches any point between.

    >>> always = HullPoint(0, 0, ALWAYS_NEGATIVE, np.inf), HullPoint(1, 1, ALWAYS_POSITIVE, -np.inf)
    >>> coin = Mixture(*always, share=0.5)
    >>> coin.false_positive_rate
    0.5
    >>> coin.predict({"any": np.zeros(6)}, rng=1).tolist()
    [False, False, True, False, True, True]
    """

    first: HullPoint
    second: HullPoint
    share: float  # of the cases that the second corner decides

    @property
    def false_positive_rate(self) -> float:
        """The rate to expect."""
        return self._between(self.first.false_positive_rate, self.second.false_positive_rate)

    @property
    def true_positive_rate(self) -> float:
        """The rate to expect."""
        return self._between(self.first.true_positive_rate, self.second.true_positive_rate)

    def _between(self, a: float, b: float) -> float:
        return (1 - self.share) * a + self.share * b

    def predict(
        self, scores: Mapping[str, ArrayLike], *, rng: int | np.random.Generator
    ) -> NDArray[np.bool_]:
        """Say of each case whether it is labelled positive, from the scores of the models by name."""
        n = len(np.asarray(next(iter(scores.values()))))
        chosen = np.random.default_rng(rng).random(n) < self.share
        return np.where(
            chosen, _decided(self.second, scores, n), _decided(self.first, scores, n)
        ).astype(np.bool_)


def _decided(point: HullPoint, scores: Mapping[str, ArrayLike], n: int) -> NDArray[np.bool_]:
    if point.trivial:
        return np.full(n, point.threshold < 0)
    if point.model not in scores:
        raise DataError(
            f"This mixture needs the scores of {point.model!r}; got those of {', '.join(map(repr, scores))}."
        )
    return np.asarray(np.asarray(scores[point.model], np.float64) >= point.threshold)


class Hull(Result):
    """Corners of the convex hull from (0, 0) to (1, 1), and what they mean.

    >>> from credibly import Predictions, hull
    >>> y = [1, 0, 1, 0]
    >>> models = {"a": Predictions.of(y, score=[4, 3, 2, 1]), "b": Predictions.of(y, score=[1, 3, 2, 4])}
    >>> h = hull(models)
    >>> [(q.false_positive_rate, q.true_positive_rate, str(q)) for q in h.points]
    [(0.0, 0.0, 'always negative'), (0.0, 0.5, 'a from 4'), (0.5, 1.0, 'a from 2'), (1.0, 1.0, 'always positive')]
    >>> h.non_contributors, h.best(prevalence=0.6).point.threshold
    (('b',), 2.0)
    """

    points: tuple[HullPoint, ...]
    models: tuple[str, ...]
    prevalence: float
    findings: tuple[Finding, ...] = ()

    versioned = True
    json_keys = "models prevalence area contributors non_contributors points=rows findings"

    @property
    def false_positive_rates(self) -> Floats:
        """The x of each corner."""
        return np.array([q.false_positive_rate for q in self.points])

    @property
    def true_positive_rates(self) -> Floats:
        """The y of each corner."""
        return np.array([q.true_positive_rate for q in self.points])

    @property
    def slopes(self) -> Floats:
        """Slope of each edge, falling: the likelihood ratio of the scores between two corners."""
        right, up = np.diff(self.false_positive_rates), np.diff(self.true_positive_rates)
        return np.divide(up, right, out=np.full(up.shape, np.inf), where=right > 0)

    @property
    def area(self) -> float:
        """Area under the hull."""
        y = self.true_positive_rates
        return float(((y[1:] + y[:-1]) / 2 * np.diff(self.false_positive_rates)).sum())

    @property
    def contributors(self) -> tuple[str, ...]:
        """Models that reach a corner between the two trivial ones."""
        found = {m for q in self.points if not q.trivial for m in (q.model, *q.also)}
        return tuple(m for m in self.models if m in found)

    @property
    def non_contributors(self) -> tuple[str, ...]:
        """Models that are best for no classes and costs at all."""
        return tuple(m for m in self.models if m not in self.contributors)

    def best(
        self,
        *,
        prevalence: float | None = None,
        false_negative: float = 1,
        false_positive: float = 1,
    ) -> Tangent:
        """Return the cheapest corner for a share of positives and costs.

        Parameters
        ----------
        prevalence
            Share of the positive class where the model will be used; by default that of these cases.
        false_negative
            Cost of labelling a positive case negative.
        false_positive
            Cost of labelling a negative case positive.
        """
        p = self.prevalence if prevalence is None else prevalence
        if not 0 < p < 1:
            raise ParameterError(
                f"prevalence must be a number between 0 and 1; got {prevalence!r}."
            )
        pc = probability_cost(p, false_negative=false_negative, false_positive=false_positive)
        miss, alarm = p * false_negative, (1 - p) * false_positive
        cost = miss * (1 - self.true_positive_rates) + alarm * self.false_positive_rates
        # Corners of equal cost differ by rounding: the first is the one with fewer false alarms.
        at = int(np.flatnonzero(cost <= cost.min() * (1 + 1e-12))[0])
        point, slope = self.points[at], alarm / miss if miss else np.inf
        intercept = point.true_positive_rate - slope * point.false_positive_rate
        return Tangent(point, slope, intercept, float(pc), float(cost[at]))

    def mixture(self, *, false_positive_rate: float) -> Mixture:
        """Return the classifier on the hull at a false positive rate between two corners."""
        if not 0 <= false_positive_rate <= 1:
            raise ParameterError(
                f"false_positive_rate must be a number from 0 to 1; got {false_positive_rate!r}."
            )
        x = self.false_positive_rates
        at = min(int(np.searchsorted(x, false_positive_rate, side="right")), x.size - 1)
        first, second = self.points[at - 1], self.points[at]
        width = second.false_positive_rate - first.false_positive_rate
        share = (false_positive_rate - first.false_positive_rate) / width if width else 1.0
        return Mixture(first, second, share)

    def rows(self) -> list[dict[str, Any]]:
        """Return for each corner the slopes and the probability costs for which it is the cheapest."""
        slopes = [np.inf, *self.slopes.tolist(), 0.0]
        return [
            {
                "model": q.model,
                "threshold": q.threshold,
                "false_positive_rate": q.false_positive_rate,
                "true_positive_rate": q.true_positive_rate,
                "slope_from": low,
                "slope_to": high,
                "probability_cost_from": 1 / (1 + high),
                "probability_cost_to": 1 / (1 + low),
                "also": ", ".join(q.also),
            }
            for q, (high, low) in zip(self.points, pairwise(slopes), strict=True)
        ]

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""

        def span(name: str) -> Callable[[dict[str, Any]], str]:
            return lambda r: f"{number_text(r[f'{name}_from'])} to {number_text(r[f'{name}_to'])}"

        columns: dict[str, Column] = {
            "model": lambda r: ", ".join(filter(None, (r["model"], r["also"]))),
            "threshold": lambda r: (
                number_text(r["threshold"]) if np.isfinite(r["threshold"]) else ""
            ),
            "FPR": lambda r: number_text(r["false_positive_rate"]),
            "TPR": lambda r: number_text(r["true_positive_rate"]),
            "slope": span("slope"),
            "best for probability cost": span("probability_cost"),
        }
        return table_of(self.rows(), columns)

    def meaning(self) -> str:
        """Say which of several models are the best for some classes and costs."""
        if len(self.models) < 2:
            return ""
        if len(self.contributors) == 1:
            return f"{self.contributors[0]} is at least as good as the other models, however common the positive class is and whatever mistakes cost."
        best = listed(self.contributors) or "none of them"
        return f"Of {len(self.models)} models, {best} can be the best choice, depending on how common the positive class is and what mistakes cost."

    def heading(self) -> str:
        """Return one line: how many corners, whose, and whose none is."""
        idle = ", ".join(self.non_contributors)
        return (
            f"ROC convex hull: {len(self.points)} corners, area {number_text(self.area)}, "
            f"by {', '.join(self.contributors) or 'no model'}"
            + (f"; never best: {idle}" if idle else "")
        )


@door
def hull(predictions: Predictions | Mapping[str, Predictions]) -> Hull:
    """Compute the convex hull of the ROC curves of one or several models.

    Parameters
    ----------
    predictions
        Predictions of several models, in one table or by name. They should be for the same cases.

    >>> from credibly import Predictions, hull
    >>> h = hull(Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1]))
    >>> h.slopes.tolist(), h.area
    ([inf, 1.0, 0.0], 0.875)
    """
    tables = {}
    parts, aside = drawable(curves["roc"], predictions)
    for keys, part in parts:
        table = summarise(curves["roc"], part, keys)
        assert isinstance(table, ScoreTable)  # noqa: S101
        tables[str(keys.get("model", "model"))] = table
    if not tables:
        raise DataError("There are no predictions to draw a hull around.")
    sizes = np.array([(float(t.positives), float(t.negatives)) for t in tables.values()])
    others = np.abs(sizes - sizes[0]).max() > ROUNDING * sizes.max()
    findings = (*findings_of(predictions), *aside, *([DIFFERENT_CASES()] if others else ()))
    share = float(sizes[0, 0] / sizes[0].sum())
    return Hull(_corners(tables), tuple(tables), share, findings)


def _corners(tables: Mapping[str, ScoreTable]) -> tuple[HullPoint, ...]:
    """Join the hulls of the models: a corner of all is a corner of its own model's."""
    cuts = [t.hull()[1:-1] - 1 for t in tables.values()]
    model = np.repeat(np.arange(len(cuts)), [cut.size for cut in cuts])
    sides = [(t.fp[i], t.tp[i], t.score[i]) for t, i in zip(tables.values(), cuts, strict=True)]
    joined = np.hstack(sides)
    counts, score = joined[:2], joined[2]
    sizes = np.array([(t.negatives, t.positives) for t in tables.values()]).T
    fpr, tpr = counts / sizes[:, model]
    names = list(tables)
    reached: defaultdict[tuple[float, float], dict[str, float]] = defaultdict(dict)
    for *at, m, cut in zip(fpr.tolist(), tpr.tolist(), model, score.tolist(), strict=True):
        reached[at[0], at[1]].setdefault(names[m], cut)
    # Whole counts of the same cases are exact, where rates near 1 may be too near to each other.
    exact = (sizes == sizes[:, :1]).all() and not (counts % 1).any()
    inside, end = (counts, sizes[:, :1]) if exact else ((fpr, tpr), np.ones((2, 1)))
    x, y = np.hstack([np.zeros((2, 1)), inside, end])
    order = np.lexsort((y, x))
    inner = order[(upper_hull if exact else _above)(x[order], y[order])][1:-1] - 1
    points = []
    for point in zip(fpr[inner].tolist(), tpr[inner].tolist(), strict=True):
        (first, threshold), *others = reached[point].items()
        points.append(HullPoint(*point, first, threshold, tuple(name for name, _ in others)))
    ends = (
        HullPoint(0.0, 0.0, ALWAYS_NEGATIVE, np.inf),
        HullPoint(1.0, 1.0, ALWAYS_POSITIVE, -np.inf),
    )
    return (ends[0], *points, ends[1])


def _above(x: Floats, y: Floats) -> NDArray[np.int64]:
    """Corners of the hull, without those that only rounding lifts from an edge."""
    corners = upper_hull(x, y)
    while True:
        a, b, c = corners[:-2], corners[1:-1], corners[2:]
        over = (y[b] - y[a]) * (x[c] - x[a]) - (x[b] - x[a]) * (y[c] - y[a])
        # Rounding changes each number by a part of itself, and these products by as much of the sums.
        sums = (y[b] + y[a]) * (x[c] - x[a]) + (x[b] + x[a]) * (y[c] - y[a])
        sums += (y[b] - y[a]) * (x[c] + x[a]) + (x[b] - x[a]) * (y[c] + y[a])
        flat = over <= 2 * np.finfo(np.float64).eps * sums
        if not flat.any():
            return corners
        corners = np.delete(corners, np.flatnonzero(flat)[0] + 1)
