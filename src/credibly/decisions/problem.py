"""What a decision is about: cases, what each label would cost each of them, and how common the classes are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.text import count, shown
from credibly.decisions.caveats import cost_findings
from credibly.decisions.findings import NO_COSTS
from credibly.decisions.means import mean_of
from credibly.errors import DataError, ParameterError, says
from credibly.evaluation.fold_estimators import headline_estimate
from credibly.evaluation.trivial_rules import best_of_rules
from credibly.predictions import Predictions
from credibly.predictions.caveats import binned_scores, left_out
from credibly.predictions.cost_matrix import CostMatrix, as_costs
from credibly.predictions.labels import shorten
from credibly.predictions.numbers import same_length
from credibly.predictions.parts import in_cases
from credibly.predictions.summaries import BinaryCounts, Counts, ScoreTable
from credibly.predictions.summaries.linear import ratio
from credibly.predictions.table import cached
from credibly.results.estimate import Estimate

if TYPE_CHECKING:
    Codes = NDArray[np.int64]

REPEATED_CASES = "the same cases are predicted in several repeats; use one repeat at a time"
COST_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Thresholds:
    """Every threshold that these cases distinguish, falling, and what labelling positive from it on gives.

    The first is infinite: no case is labelled positive. ``counts`` are weighted to the prevalence that
    is asked about; ``cost`` is the mean over the cases, ``stake`` that of the most, either way, that a
    label of the case could cost. Each case stands for ``times`` cases.
    """

    threshold: Floats
    counts: BinaryCounts
    cost: Floats
    stake: float
    times: float = 1.0

    def best(self, merit: Floats, size: float | None = None) -> float:
        """Return the threshold of the largest merit; of equal ones the highest.

        Merits are equal if they differ by no more than rounding of numbers of a ``size``, by default
        that of the merits themselves.
        """
        if np.isnan(merit).all():
            raise DataError(
                "No threshold can be chosen: the criterion is undefined at every threshold."
            )
        near = COST_ROUNDING * (np.nanmax(np.abs(merit)) if size is None else size)
        return float(self.threshold[int(np.argmax(merit >= np.nanmax(merit) - near))])

    def cheapest_within(self, labelled: float) -> float:
        """Return the cheapest threshold from which on at most so many cases are labelled positive."""
        allowed = self.times * self.counts.labelled_positive <= labelled * (1 + COST_ROUNDING)
        return self.best(np.where(allowed, -self.cost, np.nan), self.stake)


@dataclass(frozen=True, slots=True, eq=False)
class DecisionProblem:
    """Cases of known truth with the cost of every label, and the class shares to decide for.

    ``costs`` are by actual and predicted class, with an axis of rows in front where they differ.
    ``priors`` are the class shares where the decision will be used; those of the cases if not given.
    ``times`` is how many cases each stands for, where these are a part of all.
    """

    cases: Predictions
    costs: Floats
    priors: Floats | None = None
    times: float = 1.0
    findings: tuple[Finding, ...] = ()
    estimated: str = "auto"
    cache: dict[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, p: Predictions, costs: object = None, prevalence: object = None) -> DecisionProblem:
        """Check that there is something to decide."""
        if p.task != "classification":
            these = "numbers" if p.task == "numeric" else "outcomes that were scored elsewhere"
            raise ParameterError(f"Decisions are about classes; these predictions are {these}.")
        array, said = cost_array(p, costs)
        said += cost_findings(costs, array, p.classes)
        said = (*said, *binned_scores(p), *left_out(p))
        kept = (p.truth >= 0) & ~p.gaps & (p.weights > 0)  # what weighs nothing is no case
        known = p if kept.all() else p.take(kept)
        if known.n < p.n and array.ndim == 3:
            array = array[kept]
        priors = None if prevalence is None else priors_of(prevalence, p)
        _refuse_one_class(known, priors)
        _refuse_indifference(array)
        return cls(in_cases(known), array, priors, findings=said)

    def take(self, rows: NDArray[Any]) -> DecisionProblem:
        """Return the problem of some of the cases."""
        costs = self.costs[rows] if self.costs.ndim == 3 else self.costs
        return DecisionProblem(
            self.cases.take(rows), costs, self.priors, self.times, estimated=self.estimated
        )

    def part(self, rows: NDArray[Any], weight: Floats | None = None) -> DecisionProblem:
        """Return some of the cases, which stand for all, or with these weights of their rows."""
        made = self.take(rows)
        if weight is not None and self.cases.weight is not None:
            made = replace(made, cases=replace(made.cases, weight=weight, cache={}))
        return replace(made, times=self.size / made.size)

    @property
    def counted(self) -> bool:
        """Whether rows count repeated cases."""
        return self.cases.weight_kind == "frequency" and self.cases.weight is not None

    @property
    def size(self) -> int:
        """Number of cases."""
        return int(self.cases.weights.sum()) if self.counted else self.cases.n

    def expanded(self) -> DecisionProblem:
        """Return one row per case where rows count repeated cases."""
        if not self.counted:
            return self
        rows = np.repeat(np.arange(self.cases.n), self.cases.weights.astype(np.int64))
        made = self.take(rows)
        plain = replace(made.cases, weight=None, weight_kind="none", row=None, cache={})
        return replace(made, cases=plain, cache={})

    @property
    def binary(self) -> bool:
        """Whether it is a yes or no."""
        return len(self.cases.classes) == 2 and self.cases.positive is not None

    @property
    def repeated(self) -> bool:
        """Whether the same cases may come several times, without anything that tells which are the same."""
        p = self.cases
        return p.row is None and p.repeats > 1 and not p.design.independent

    @property
    def shares(self) -> Floats:
        """The share of each class among the cases."""
        size = self.cases.class_weights
        return np.asarray(size / size.sum())

    @property
    def shares_said(self) -> str:
        """What tells numbers at given shares of the classes from those at the shares of the cases."""
        return "" if self.priors is None else ", at the shares given"

    @property
    def factors(self) -> Floats:
        """What a case of each class counts for, so that classes have the shares to decide for."""
        if self.priors is None:
            return np.ones(len(self.cases.classes))
        return np.nan_to_num(ratio(self.priors, self.shares))

    @property
    def weights(self) -> Floats:
        """The weight of each case towards the shares to decide for."""
        if self.priors is None:
            return self.cases.weights
        return self.cases.weights * self.factors[self.cases.truth]

    def label_costs(self) -> Floats:
        """Return what each label (column) would cost each case (row)."""
        truth = self.cases.truth
        where = (np.arange(truth.size), truth) if self.costs.ndim == 3 else truth
        return cached(self, "label_costs", lambda: self.costs[where])

    def costs_of(self, labels: Codes, undecided: float | None = None) -> Floats:
        """Return what these labels cost; a case without one costs what its worst label would, if not said."""
        return of_labels(self.label_costs(), labels, undecided)

    def attainable(self, undecided: float | None = None) -> tuple[float, float]:
        """Return the least and the greatest mean cost that any labels of these cases could have."""
        truth = self.cases.truth
        ends = []
        for end in (np.minimum, np.maximum):
            # By actual class, of each row where costs differ.
            each = end.reduce(self.costs, axis=-1)
            each = each if undecided is None else end(each, undecided)
            taken = each[truth] if each.ndim == 1 else each[np.arange(truth.size), truth]
            ends.append(float(np.average(taken, weights=self.weights)))
        return ends[0], ends[1]

    def probability(self) -> Floats:
        """Return the probabilities of the classes, moved to the shares to decide for by Bayes' rule.

        The shares that the model was trained for are those of ``baseline``, or else of these cases.
        """
        given = self.cases.probability_matrix("minimum_expected_cost")
        if self.priors is None:
            return given
        moved = given * ratio(self.priors, self.trained_for)
        return np.asarray(moved / moved.sum(axis=1, keepdims=True))

    def expected_costs(self) -> Floats:
        """Return what the probabilities of each case (row) make each label (column) expect to cost."""
        # Not a matrix product: for a few classes its threads cost more than the sums.
        product = "ni,nij->nj" if self.costs.ndim == 3 else "ni,ij->nj"
        return cached(
            self, "expected_costs", lambda: np.einsum(product, self.probability(), self.costs)
        )

    @property
    def trained_for(self) -> Floats:
        """The class shares that the probabilities were made for."""
        known = self.cases.baseline
        return self.shares if known is None else np.asarray(known.mean(axis=0))

    def scores(self) -> Floats:
        """Return the score of the positive class."""
        if not self.binary:
            raise DataError(
                f"A threshold needs two classes, one of them positive; the classes are "
                f"{shorten(self.cases.classes)}.",
                remedy=says("Set <positive=...>, or <rule='minimum_expected_cost'>."),
            )
        return self.cases.scores_of(int(self.cases.positive or 0), "a threshold")

    def thresholds(self) -> Thresholds:
        """Return the outcomes and the mean cost at every threshold, from one sort."""
        return cached(self, "thresholds", self._thresholds)

    def _thresholds(self) -> Thresholds:
        self.scores()
        table = ScoreTable.of(self.cases, "a threshold")
        positive = int(self.cases.positive or 0)
        ahead = np.concatenate([[0.0], table.tp]) * self.factors[positive]
        fp = np.concatenate([[0.0], table.fp]) * self.factors[1 - positive]
        counts = BinaryCounts.of_outcomes(tp=ahead, fp=fp, fn=ahead[-1] - ahead, tn=fp[-1] - fp)
        threshold = np.concatenate([[np.inf], table.score])
        return Thresholds(threshold, counts, *self._cost(counts, table), self.times)

    def _cost(self, counts: BinaryCounts, table: ScoreTable) -> tuple[Floats, float]:
        """Return the mean cost at each threshold, and the mean of the most that a case could cost."""
        positive = int(self.cases.positive or 0)
        if self.costs.ndim == 2:
            c = self.costs[[1 - positive, positive]][:, [1 - positive, positive]]
            cells = c[0, 0] * counts.tn + c[0, 1] * counts.fp + c[1, 0] * counts.fn
            most = np.abs(c).max(axis=1) @ [counts.tn[0], counts.fn[0]]
            return (cells + c[1, 1] * counts.tp) / counts.total, float(most / counts.total[0])
        each, weight = self.label_costs(), self.weights
        place = table.score.size - 1 - np.searchsorted(table.score[::-1], self.scores())
        extra = (each[:, positive] - each[:, 1 - positive]) * weight
        steps = np.bincount(place, extra, table.score.size)
        start = each[:, 1 - positive] @ weight
        cost = (start + np.concatenate([[0.0], np.cumsum(steps)])) / weight.sum()
        return cost, float(np.average(np.abs(each).max(axis=1), weights=weight))

    def cut(self, threshold: float) -> Codes:
        """Label positive from a threshold on."""
        positive = int(self.cases.positive or 0)
        return np.where(self.scores() >= threshold, positive, 1 - positive)

    def counts(self, labels: Codes) -> Counts:
        """Return the table of truth against label at the shares to decide for."""
        labelled = replace(self.cases, label=labels, weight=self.weights, cache={})
        return Counts.of(labelled)

    def labelled(self, labels: Codes) -> Predictions:
        """Return the cases with these labels."""
        return replace(self.cases.unnamed(), label=labels, cache={})

    def keys(self, estimate: str) -> dict[str, str]:
        """Return what tells an estimate from others, where there may be others."""
        return {} if headline_estimate(self.cases) == "pooled" else {"estimate": estimate}

    @property
    def kind(self) -> str:
        """The estimate of what is no sum: the one asked for, or that stands for these cases."""
        return self.kind_of("average_cost")

    def kind_of(self, measure: str) -> str:
        """Return the estimate of a measure: the one asked for, or that stands for these cases."""
        return (
            headline_estimate(self.cases, measure) if self.estimated == "auto" else self.estimated
        )

    def estimate(
        self,
        name: str,
        title: str,
        column: Floats,
        confidence_level: float,
        *,
        times: float | None = None,
        direction: str = "lower",
        keys: Mapping[str, object] | None = None,
        baselines: Mapping[str, float] | None = None,
        within: tuple[float, float] = (-np.inf, np.inf),
    ) -> Estimate:
        """Return the mean of a number of each case, its limits kept within what can be.

        With ``times``, a number of cases, it is their sum: always that of all cases together.
        """
        kind = self.kind if times is None else "pooled"
        answer = mean_of(self.cases, column, title, confidence_level, kind, self.priors)
        scale = 1.0 if times is None else times
        beside = {k: v * scale for k, v in (baselines or {}).items()}
        limits = answer.interval
        if limits is not None:
            inside = limits.within(*within)
            limits = replace(inside, low=inside.low * scale, high=inside.high * scale)
        return Estimate(
            measure=name,
            title=title,
            value=answer.value * scale,
            interval=limits,
            why_no_interval=answer.why,
            n=self.cases.cases,
            direction=direction,
            keys={**(keys or {}), **self.keys(kind)},
            baselines=beside,
            rule=best_of_rules(beside, direction),
            findings=answer.findings,
            values=answer.values,
        )


def of_labels(costs: Floats, labels: Codes, undecided: float | None) -> Floats:
    """Return each row's entry at its label; without one ``undecided``, or the largest of the row."""
    taken = costs[np.arange(labels.size), np.maximum(labels, 0)]
    if labels.min(initial=0) >= 0:
        return taken
    return np.where(labels < 0, costs.max(axis=1) if undecided is None else undecided, taken)


def cost_array(p: Predictions, costs: object) -> tuple[Floats, tuple[Finding, ...]]:
    """Return costs by actual and predicted class in the order of the predictions' classes."""
    k = len(p.classes)
    if costs is None:
        how = says(", such as fn=5 and fp=1") if k == 2 else says(" as a table: <costs=...>")
        return 1.0 - np.eye(k), (NO_COSTS(how=how),)
    given = as_costs(costs, p.classes, p.positive)
    if isinstance(given, CostMatrix):
        return given.aligned(p.classes), ()
    if len(given.values) != 1:
        same_length(given.values, p.n, "costs")
    return np.broadcast_to(given.aligned(p.classes), (p.n, k, k)), ()


def priors_of(prevalence: object, p: Predictions) -> Floats:
    """Return the share of each class that a prevalence says.

    >>> from credibly import Predictions
    >>> priors_of(0.02, Predictions.of(["no", "yes"], score=[0.1, 0.9])).tolist()
    [0.98, 0.02]
    """
    shares: ArrayLike
    if isinstance(prevalence, Mapping):
        named = {str(c): v for c, v in prevalence.items()}
        missing = [c for c in p.classes if str(c) not in named]
        if missing or len(named) != len(p.classes):
            raise ParameterError(
                f"prevalence must give the share of each class: {shorten(p.classes)}; got {sorted(named)}."
            )
        shares = [named[str(c)] for c in p.classes]
    elif isinstance(prevalence, int | float) and not isinstance(prevalence, bool):
        if len(p.classes) != 2 or p.positive is None:
            raise ParameterError(
                f"A single prevalence only works for two classes with a positive one; the "
                f"classes are {shorten(p.classes)}. Give the share of each class by name."
            )
        shares = [prevalence if i == p.positive else 1 - prevalence for i in range(2)]
    else:
        shares = prevalence  # type: ignore[assignment]
    try:
        found = np.asarray(shares, np.float64)
    except (TypeError, ValueError, OverflowError):
        found = np.empty(0)
    if found.shape != (len(p.classes),) or not ((found > 0) & (found < 1)).all():
        raise ParameterError(
            f"prevalence must lie between 0 and 1 for each class; got {shown(prevalence)}."
        )
    if abs(found.sum() - 1) > COST_ROUNDING:
        raise ParameterError(
            f"The shares of the classes must sum to 1; these sum to {found.sum():.9g}."
        )
    return found


def _refuse_one_class(p: Predictions, priors: Floats | None) -> None:
    there = [c for c, s in zip(p.classes, p.class_weights, strict=True) if s > 0]
    if len(there) < 2:
        what = f"only the class {there[0]!r} occurs" if there else "no case has a known truth"
        raise DataError(
            f"Of {count(p.n, 'case')} {what}, so no decision between classes can be judged."
        )
    absent = [c for c in p.classes if c not in there]
    if priors is not None and absent:
        raise DataError(
            f"No case is of class {absent[0]!r}, so its cost at a given prevalence is unknown."
        )


def _refuse_indifference(costs: Floats) -> None:
    if not (costs != costs[..., :1]).any():
        what = "All costs are zero" if not costs.any() else "Every label costs the same"
        raise DataError(
            f"{what}: there is nothing to decide. Give the costs of mistakes, such as fn and fp."
        )
