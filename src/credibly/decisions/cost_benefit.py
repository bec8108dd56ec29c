"""The verb `cost_benefit`: how many of the best-scored cases to select, and what that brings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.errors import DataError, ParameterError, count
from credibly._core.results import Finding, Table, Tabled
from credibly._core.seeds import seed_of
from credibly._core.text import number_text
from credibly.decisions._declare import decision_rules
from credibly.decisions.decide import models
from credibly.decisions.problem import Problem
from credibly.decisions.uncertainty import cross_fitted
from credibly.intervals.proportions import check_confidence
from credibly.predictions import Predictions
from credibly.predictions.cost_matrix import CELLS
from credibly.predictions.labels import shorten
from credibly.summaries.counts import ratio
from credibly.summaries.linear import against_rest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from credibly._core.results import Estimate

    Floats = NDArray[np.float64]

PLACES = ("share", "number", "recall", "threshold")
ENDS = ("best", "worst")
BEST_ON_THESE = Finding(
    "chosen-and-judged",
    "caution",
    "The number of cases to select was chosen and judged on the same cases, so its profit is too hopeful.",
    "Pass rng=... for the profit of choosing on some cases and selecting others.",
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where to operate: a share of the population, a number of cases, a recall, a threshold, or an end.

    >>> Place.of("20%"), Place.of("recall=0.8"), Place.of(None)
    (Place(by='share', value=0.2), Place(by='recall', value=0.8), Place(by='best', value=0.0))
    """

    by: str
    value: float = 0.0

    @classmethod
    def of(cls, at: str | Place | None) -> Place:
        """Read how a place is written."""
        if isinstance(at, Place):
            return at
        text = "best" if at is None else str(at).strip()
        if text in ENDS:
            return cls(text)
        name, sign, number = text.partition("=")
        if not sign and text.endswith("%"):
            name, number = "share", text
        try:
            value = float(number.strip().rstrip("%")) / (100 if number.strip()[-1:] == "%" else 1)
        except ValueError:
            value = np.nan
        if name.strip() not in PLACES or not np.isfinite(value):
            msg = (
                f"at= takes a place such as '20%', 'number=500', 'recall=0.8', 'threshold=0.3', "
                f"'best' or 'worst'; got {at!r}."
            )
            raise ParameterError(msg)
        if name.strip() in {"share", "recall"} and not 0 <= value <= 1:
            msg = f"A {name.strip()} lies between 0 and 1 (or 0 % and 100 %); got {at!r}."
            raise ParameterError(msg)
        return cls(name.strip(), value)


@dataclass(frozen=True, slots=True, eq=False)
class OperatingPoint:
    """The outcome of selecting the cases of the highest scores, in numbers of the population.

    Of cases that share the last score, ``taken`` says which part is selected; the outcomes are then
    what to expect. ``break_even`` is how many selected cases a response must pay for.
    """

    model: Any
    threshold: float
    taken: float
    selected: float
    share: float
    tp: float
    fp: float
    fn: float
    tn: float
    profit: float
    random: float

    @property
    def population(self) -> float:
        """All cases."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def gain(self) -> float:
        """Profit beyond that of a random sample of the same size."""
        return self.profit - self.random

    @property
    def recall(self) -> float:
        """Share of the positive cases that are selected."""
        return float(ratio(self.tp, self.tp + self.fn))

    @property
    def precision(self) -> float:
        """Share of the selected cases that are positive."""
        return float(ratio(self.tp, self.selected))

    @property
    def lift(self) -> float:
        """Precision over the share of positive cases in the population."""
        return float(ratio(self.precision * self.population, self.tp + self.fn))

    @property
    def accuracy(self) -> float:
        """Share of the cases that are rightly selected or rightly left."""
        return float(ratio(self.tp + self.tn, self.population))

    @property
    def break_even(self) -> float:
        """Selected cases for each positive one: a response must be worth as many selections to pay."""
        return float(ratio(self.selected, self.tp))

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        names = (
            "threshold", "taken", "selected", "share", "tp", "fp", "fn", "tn", "profit", "random",
            "gain", "recall", "precision", "lift", "accuracy", "break_even", "population",
        )  # fmt: skip
        key = {} if self.model is None else {"model": self.model}
        return {**key, **{name: getattr(self, name) for name in names}}

    def __str__(self) -> str:
        name = "" if self.model is None else f"{self.model}: "
        return (
            f"{name}{number_text(self.selected)} of {self.population:,.10g} selected "
            f"({100 * self.share:.1f} %), score at least {number_text(self.threshold)}"
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Ranking:
    """One model's cases in falling order of score, scaled to the population."""

    problem: Problem
    model: Any
    scale: float

    @classmethod
    def of(cls, problem: Problem, model: object, population: float | None) -> _Ranking:
        cases = float(problem.cases.weights.sum())
        problem.scores()
        return cls(problem, model, 1.0 if population is None else population / cases)

    @property
    def population(self) -> float:
        return self.scale * float(self.problem.cases.weights.sum())

    def fraction(self, place: Place) -> tuple[float, float]:
        """Return the last score that is selected and which part of its cases is."""
        t = self.problem.thresholds()
        selected = t.counts.labelled_positive
        if place.by in ENDS:
            return t.best(-t.cost if place.by == "best" else t.cost), 1.0
        if place.by == "threshold":
            return place.value, 1.0
        wanted = {
            "share": place.value * selected[-1],
            "number": place.value / self.scale,
            "recall": place.value * t.counts.tp[-1],
        }[place.by]
        reached = t.counts.tp if place.by == "recall" else selected
        if not 0 <= wanted <= reached[-1] * (1 + 1e-9):
            msg = f"There are {self.population:,.10g} cases to select from; {place.value:,.10g} were asked for."
            raise ParameterError(msg)
        end = int(np.searchsorted(reached, wanted * (1 - 1e-12)))
        if end == 0:
            return float(np.inf), 1.0
        step = reached[end] - reached[end - 1]
        return float(t.threshold[end]), float(min(1.0, (wanted - reached[end - 1]) / step))

    def chosen(self, place: Place) -> tuple[float, float, Floats]:
        """Return the last score, the part of its cases, and which part of each case is selected."""
        threshold, taken = self.fraction(place)
        score = self.problem.scores()
        if np.isposinf(threshold):
            return threshold, 1.0, np.zeros(score.size)
        return threshold, taken, np.where(score == threshold, taken, score > threshold)

    def profits(self, part: Floats | float) -> Floats:
        """Return the profit of each case when a part of it is selected."""
        positive = int(self.problem.cases.positive or 0)
        costs = self.problem.label_costs()
        return -(part * costs[:, positive] + (1 - part) * costs[:, 1 - positive])

    def point(self, place: Place) -> OperatingPoint:
        threshold, taken, part = self.chosen(place)
        weight = self.problem.weights * self.scale
        positive = self.problem.cases.truth == self.problem.cases.positive
        cells = [
            float((weight * each)[side].sum())
            for side in (positive, ~positive)
            for each in (part, 1 - part)
        ]
        selected = cells[0] + cells[2]
        share = selected / float(weight.sum())
        return OperatingPoint(
            model=self.model,
            threshold=threshold,
            taken=taken,
            selected=selected,
            share=share,
            tp=cells[0],
            fn=cells[1],
            fp=cells[2],
            tn=cells[3],
            profit=float(weight @ self.profits(part)),
            random=float(weight @ self.profits(share)),
        )

    def names(self) -> NDArray[Any]:
        """Return the ids of the rows, or their places where they have none."""
        cases = self.problem.cases
        return cases.row if cases.row is not None else np.arange(cases.n)

    def selected(self, place: Place, rng: int | np.random.Generator | None) -> NDArray[np.intp]:
        """Return the places of the selected rows; those of a part of the cases of one score are drawn."""
        _, _, part = self.chosen(place)
        whole, tied = np.flatnonzero(part == 1), np.flatnonzero((part > 0) & (part < 1))
        if not tied.size:
            return whole
        if rng is None:
            msg = (
                f"{count(tied.size, 'case')} share the last score and only some are selected: "
                "pass rng=... to draw them, or name a threshold."
            )
            raise ParameterError(msg)
        size = round(float(part[tied].sum()))
        drawn = np.random.default_rng(seed_of(rng)).choice(tied, size, replace=False)
        return np.sort(np.concatenate([whole, drawn]))

    def estimates(self, place: Place, level: float, seed: int | None) -> list[Estimate]:
        """Profit, that of rules that do not look, and the differences, with intervals."""
        part = self.chosen(place)[2]
        share = float(np.average(part, weights=self.problem.weights))
        profit, random = self.profits(part), self.profits(share)
        trivial = {"select all": self.profits(1.0), "select none": self.profits(0.0)}
        means = {n: float(np.average(v, weights=self.problem.weights)) for n, v in trivial.items()}
        best = max(means, key=lambda name: means[name])
        columns = {
            "profit": ("Profit", profit, means),
            "random_profit": ("Profit of a random sample of this size", random, {}),
            "gain": ("Gain over the random sample", profit - random, {}),
            "advantage": (f"Gain over {best}", profit - trivial[best], {}),
        }
        made = [
            self._estimate(name, *what, problem=self.problem, level=level)
            for name, what in columns.items()
        ]
        if place.by == "best" and seed is not None:
            honest, cost = cross_fitted(decision_rules["minimum_cost"], self.problem, seed=seed)
            made.append(
                self._estimate(
                    "cross_fitted_profit",
                    "Profit, cross-fitted",
                    -cost,
                    {},
                    problem=honest,
                    level=level,
                )
            )
        return made

    def _estimate(
        self,
        name: str,
        title: str,
        column: Floats,
        beside: Mapping[str, float],
        *,
        problem: Problem,
        level: float,
    ) -> Estimate:
        return problem.estimate(
            name,
            title,
            column,
            level,
            times=self.population,
            direction="higher",
            keys={} if self.model is None else {"model": self.model},
            baselines=beside,
        )


@dataclass(frozen=True, slots=True, eq=False)
class CostBenefit(Tabled):
    """What selecting the cases of the highest scores brings, for one model or several.

    ``points`` hold the outcome of each model at the place asked for, ``table`` the sums with intervals.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 1, 0, 0, 0, 0], score=[8, 7, 6, 5, 4, 3, 2, 1])
    >>> result = credibly.cost_benefit(p, {"tp": -15, "fp": 4})
    >>> result.point.selected, result.point.profit, result.point.random
    (4.0, 41.0, 12.5)
    >>> result.at("25%").point.profit, result.selected_rows().tolist()
    (30.0, [0, 1, 2, 3])
    """

    points: tuple[OperatingPoint, ...]
    table: Table
    place: Place
    confidence_level: float
    seed: int | None
    rankings: tuple[_Ranking, ...]

    @property
    def point(self) -> OperatingPoint:
        """The outcome, where there is one model."""
        if len(self.points) > 1:
            names = ", ".join(str(q.model) for q in self.points)
            msg = f"There are several models ({names}): see .points."
            raise ParameterError(msg)
        return self.points[0]

    def at(self, at: str | Place | None) -> CostBenefit:
        """Return the same analysis at another place."""
        return _analyse(self.rankings, Place.of(at), self.confidence_level, self.seed)

    def sizes(self, places: Iterable[str | Place]) -> list[dict[str, Any]]:
        """Return the outcomes at several places, smallest first, with what widening needs to pay.

        ``marginal_break_even`` is how many selections each response beyond the row above costs.
        """
        rows = []
        for ranking in self.rankings:
            points = sorted((ranking.point(Place.of(a)) for a in places), key=lambda q: q.selected)
            before = None
            for q in points:
                more = (q.selected, q.tp) if before is None else _beyond(q, before)
                rows.append({**q.to_dict(), "marginal_break_even": float(ratio(*more))})
                before = q
        return rows

    def break_even_cost(self, outcome: str = "fp", model: object = None) -> float:
        """Return what each case of an outcome may cost before the profit at this place is gone.

        >>> import credibly
        >>> p = credibly.Predictions.of([1, 1, 0, 1, 0], score=[5, 4, 3, 2, 1])
        >>> credibly.cost_benefit(p, {"tp": -15, "fp": 4}, at="number=4").break_even_cost()
        45.0
        """
        ranking = self._ranking(model)
        if outcome not in CELLS or ranking.problem.costs.ndim != 2:
            msg = f"An outcome is one of {', '.join(CELLS)}, and costs the same in every row; got {outcome!r}."
            raise ParameterError(msg)
        point = ranking.point(self.place)
        positive = int(ranking.problem.cases.positive or 0)
        actual, predicted = (positive if side else 1 - positive for side in CELLS[outcome])
        now = float(ranking.problem.costs[actual, predicted])
        return now + float(ratio(point.profit, getattr(point, outcome)))

    def curve(self, model: object = None) -> dict[str, Floats]:
        """Return the profit at every number of selected cases that the scores tell apart."""
        ranking = self._ranking(model)
        t = ranking.problem.thresholds()
        return {
            "threshold": t.threshold,
            "selected": t.counts.labelled_positive * ranking.scale,
            "profit": -t.cost * ranking.population,
        }

    def selected_rows(
        self, model: object = None, *, rng: int | np.random.Generator | None = None
    ) -> NDArray[Any]:
        """Return the rows that are selected, by their ids, or by their place where they have none.

        Where only a part of the cases of one score is to be taken, they are drawn, which needs ``rng``.
        """
        ranking = self._ranking(model)
        return ranking.names()[ranking.selected(self.place, rng)]

    def selected(
        self, model: object = None, *, rng: int | np.random.Generator | None = None
    ) -> Predictions:
        """Return the predictions of the selected rows, the highest score first.

        >>> import credibly
        >>> p = credibly.Predictions.of([1, 0, 1, 0], score=[1, 4, 3, 2])
        >>> credibly.cost_benefit(p, {"tp": -5, "fp": 1}, at="50%").selected().row.tolist()
        [1, 2]
        """
        ranking = self._ranking(model)
        rows = ranking.selected(self.place, rng)
        rows = rows[np.argsort(-ranking.problem.scores()[rows], kind="stable")]
        return replace(ranking.problem.cases, row=ranking.names()).take(rows)

    def _ranking(self, model: object) -> _Ranking:
        found = [r for r in self.rankings if model is None or r.model == model]
        if len(found) != 1:
            names = ", ".join(str(r.model) for r in self.rankings)
            msg = f"Name one model of {names}; got {model!r}."
            raise ParameterError(msg)
        return found[0]


def cost_benefit(
    predictions: Predictions,
    costs: object = None,
    *,
    at: str | Place | None = None,
    population: float | None = None,
    prevalence: object = None,
    confidence_level: float = 0.95,
    rng: int | np.random.Generator | None = None,
) -> CostBenefit:
    """Say what selecting the cases of the highest scores brings, and how many of them bring most.

    Profit is minus cost. A random sample of the same size, selecting all and selecting none stand
    beside it.

    Parameters
    ----------
    predictions
        Scores or probabilities of two classes, of more the positive one against the rest; each model
        by itself if there are several.
    costs
        A :class:`CostMatrix`, :class:`RowCosts`, or outcomes such as ``{"tp": -15, "fp": 0.8}``, where
        benefits are negative.
    at
        Where to operate: ``"20%"`` of the population, ``"number=500"``, ``"recall=0.8"``,
        ``"threshold=0.3"``, ``"best"`` (the default) or ``"worst"``. A threshold takes cases of
        one score together; a share, number or recall takes a part of them, as expected values.
    population
        How many cases there will be; sums are scaled to it, rates are not.
    prevalence
        Share of the positive class in that population, if it is not that of these cases.
    confidence_level, rng
        Of the intervals, which take the selected scores as given; ``rng`` adds the profit of choosing
        the best number on some cases and selecting others, which is what new cases will bring.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 1, 0, 0, 0, 0], score=[8, 7, 6, 5, 4, 3, 2, 1])
    >>> credibly.cost_benefit(p, {"tp": -15, "fp": 4}, population=8000).point.profit
    41000.0
    """
    check_confidence(confidence_level)
    if not isinstance(predictions, Predictions):
        msg = f"cost_benefit takes Predictions; got {type(predictions).__name__}."  # type: ignore[unreachable]
        raise ParameterError(msg)
    if population is not None and not 0 < population < np.inf:
        msg = f"population must be a number above 0; got {population!r}."
        raise ParameterError(msg)
    two = against_rest(predictions)
    if len(two.classes) > 2:
        msg = f"The classes are {shorten(two.classes)}; choose the one to select with positive=..., against the rest."
        raise DataError(msg)
    whole = Problem.of(two, costs, prevalence)
    rankings = tuple(
        _Ranking.of(problem, keys.get("model"), population) for keys, problem in models(whole)
    )
    seed = None if rng is None else seed_of(rng)
    made = _analyse(rankings, Place.of(at), confidence_level, seed)
    findings = (*predictions.findings, *whole.findings, *made.table.findings)
    return replace(made, table=replace(made.table, findings=findings))


def _analyse(
    rankings: tuple[_Ranking, ...], place: Place, level: float, seed: int | None
) -> CostBenefit:
    points = tuple(r.point(place) for r in rankings)
    estimates = [e for r in rankings for e in r.estimates(place, level, seed)]
    p = rankings[0].problem.cases
    details: dict[str, Any] = {
        "classes": list(p.classes),
        "positive": p.classes[int(p.positive or 0)],
        "points": [q.to_dict() for q in points],
    }
    if len(points) == 1:
        q = points[0]
        cells = np.array([[q.tn, q.fp], [q.fn, q.tp]])
        order = [0, 1] if p.positive == 1 else [1, 0]
        details["confusion_matrix"] = {
            "orientation": "rows actual, columns predicted",
            "counts": cells[np.ix_(order, order)].tolist(),
            "unclassified": [0.0, 0.0],
        }
    heading = "\n".join(map(str, points))
    table = Table(heading, tuple(estimates), _said(points, place, seed), details)
    return CostBenefit(points, table, place, level, seed, rankings)


def _said(
    points: tuple[OperatingPoint, ...], place: Place, seed: int | None
) -> tuple[Finding, ...]:
    said = [BEST_ON_THESE] if place.by == "best" and seed is None else []
    for q in points:
        if q.taken < 1:
            name = "" if q.model is None else f"{q.model}: "
            said.append(
                Finding(
                    "tied-scores",
                    "note",
                    f"{name}Of the cases that score {number_text(q.threshold)}, {100 * q.taken:.4g} % are "
                    "selected: the outcomes are what to expect.",
                    "Name a threshold to take them together.",
                )
            )
    return tuple(said)


def _beyond(q: OperatingPoint, before: OperatingPoint) -> tuple[float, float]:
    return q.selected - before.selected, q.tp - before.tp
