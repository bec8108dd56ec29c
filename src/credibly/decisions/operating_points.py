"""Where to operate: the cases of the highest scores, how many of them are taken, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, dot
from credibly._core.layout import Printed
from credibly._core.seeds import seed_of
from credibly._core.text import count, number_text
from credibly.decisions._declare import decision_rules
from credibly.decisions.findings import NO_PRICE
from credibly.decisions.problem import DecisionProblem
from credibly.decisions.uncertainty import (
    cross_fitted,
    first_if_fitted,
    not_fitted,
    without_value,
)
from credibly.errors import DataError, ParameterError, says
from credibly.predictions.cost_matrix import CELL_PLACES
from credibly.predictions.summaries.linear import ratio
from credibly.results.estimate import Estimate
from credibly.results.result import Result

PLACE_NAMES = ("share", "number", "recall", "threshold")
PLACE_ENDS = ("best", "worst")
# Of prices at break-even, by outcome: name, title, which way is better, of which cases.
BREAK_EVEN_PRICES = {
    "tp": (
        "break_even_benefit",
        "Net benefit of a selected positive at break-even",
        "lower",
        "positive ",
    ),
    "fp": ("break_even_cost", "Cost of a selected negative at break-even", "higher", "negative "),
    "": ("spare", "Extra cost per selected case at break-even", "higher", ""),
}
# Of a sum: its title, the number of each case, what stands beside it, and where its mean lies.
Sum = tuple[str, Floats, Mapping[str, float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Place(Printed):
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
        if text in PLACE_ENDS:
            return cls(text)
        name, sign, number = text.partition("=")
        if not sign and text.endswith("%"):
            name, number = "share", text
        try:
            value = float(number.strip().rstrip("%")) / (100 if number.strip()[-1:] == "%" else 1)
        except ValueError:
            value = np.nan
        if name.strip() not in PLACE_NAMES or not np.isfinite(value):
            raise ParameterError(
                says(
                    "<at=> takes a place such as '20%', 'number=500', 'recall=0.8', 'threshold=0.3', "
                    "'best' or 'worst'; got {at!r}.",
                    at=at,
                )
            )
        if name.strip() in {"share", "recall"} and not 0 <= value <= 1:
            raise ParameterError(
                f"A {name.strip()} must lie between 0 and 1 (or 0 % and 100 %); got {at!r}."
            )
        return cls(name.strip(), value)

    def __str__(self) -> str:
        if self.by in PLACE_ENDS:
            return self.by
        return f"{100 * self.value:.10g}%" if self.by == "share" else f"{self.by}={self.value:.10g}"


class OperatingPoint(Result):
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
    at: str = ""  # the place, where there are several

    json_keys = (
        "[model] [at] threshold taken selected share tp fp fn tn profit random gain recall precision lift "
        "accuracy break_even population"
    )

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

    def __str__(self) -> str:
        named = [
            *([] if self.model is None else [str(self.model)]),
            *([self.at] if self.at else []),
        ]
        name = f"{', '.join(named)}: " if named else ""
        return (
            f"{name}{number_text(self.selected)} of {self.population:,.10g} selected "
            f"({100 * self.share:.1f} %), score at least {number_text(self.threshold)}"
        )


@dataclass(frozen=True, slots=True, eq=False)
class RankedCases:
    """One model's cases in falling order of score, scaled to the population."""

    problem: DecisionProblem
    model: Any
    scale: float
    at: str = ""  # the place, where there are several

    @classmethod
    def of(cls, problem: DecisionProblem, model: object, population: float | None) -> RankedCases:
        """Rank the cases of a problem; their scores are checked here."""
        cases = float(problem.cases.weights.sum())
        problem.scores()
        return cls(problem, model, 1.0 if population is None else population / cases)

    @property
    def population(self) -> float:
        """How many cases there are to select from."""
        return self.scale * float(self.problem.cases.weights.sum())

    def fraction(self, place: Place) -> tuple[float, float]:
        """Return the last score that is selected and which part of its cases is."""
        t = self.problem.thresholds()
        selected = t.counts.labelled_positive
        if place.by in PLACE_ENDS:
            return t.best(-t.cost if place.by == "best" else t.cost, t.stake), 1.0
        if place.by == "threshold":
            return place.value, 1.0
        wanted = {
            "share": place.value * selected[-1],
            "number": place.value / self.scale,
            "recall": place.value * t.counts.tp[-1],
        }[place.by]
        reached = t.counts.tp if place.by == "recall" else selected
        if not 0 <= wanted <= reached[-1] * (1 + 1e-9):
            raise ParameterError(
                f"There are {self.population:,.10g} cases to select from; {place.value:,.10g} were asked for."
            )
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
        """Return what comes of operating at a place."""
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
            profit=float(dot(weight, self.profits(part))),
            random=float(dot(weight, self.profits(share))),
            at=self.at,
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
            raise ParameterError(
                f"{count(tied.size, 'case')} share the last score, and only some of them are selected.",
                remedy=says("Set <rng=...> to draw them at random, or set a threshold."),
            )
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
        least, most = -float(self.problem.costs.max()), -float(self.problem.costs.min())
        ends, apart = (least, most), (least - most, most - least)
        columns = {
            "profit": ("Profit", profit, means, ends),
            "random_profit": ("Profit of a random sample of this size", random, {}, ends),
            "gain": ("Gain over the random sample", profit - random, {}, apart),
            "advantage": (f"Gain over {best}", profit - trivial[best], {}, apart),
        }
        estimates = self._sums(self.problem, columns, level)
        if place.by == "best" and seed is not None:
            estimates = first_if_fitted(self._honest(best, means, level, seed), estimates)
        return [*estimates, *self._break_even(part, profit, level)]

    def _break_even(self, part: Floats, profit: Floats, level: float) -> list[Estimate]:
        """Return the prices at which the selected cases bring just nothing: those of an outcome, or of selecting.

        A price is what it is now and the profit for each case that has it, a ratio of two sums, whose
        interval is that of the cases' influence on it.
        """
        positive = self.problem.cases.truth == self.problem.cases.positive
        asked = {"tp": part * positive, "fp": part * ~positive, "": part}
        if self.problem.costs.ndim > 2:  # each row has a price of its own
            asked = {"": part}
        return [self._price(outcome, paid, profit, level) for outcome, paid in asked.items()]

    def _price(self, outcome: str, paid: Floats, profit: Floats, level: float) -> Estimate:
        name, title, direction, which = BREAK_EVEN_PRICES[outcome]
        weight, sign = self.problem.weights, 1.0 if direction == "higher" else -1.0
        share = float(np.average(paid, weights=weight))
        if not share:
            return without_value(name, title, NO_PRICE(which=which), self.keys, direction)
        each = float(np.average(profit, weights=weight)) / share
        column = self.price(outcome) + each + (profit - each * paid) / share
        return self.problem.estimate(
            name, title, sign * column, level, times=1.0, direction=direction, keys=self.keys
        )

    def price(self, outcome: str) -> float:
        """Return what an outcome costs now; that of none is nothing."""
        if not outcome:
            return 0.0
        positive = int(self.problem.cases.positive or 0)
        actual, predicted = (positive if side else 1 - positive for side in CELL_PLACES[outcome])
        return float(self.problem.costs[actual, predicted])

    def _honest(
        self, best: str, means: Mapping[str, float], level: float, seed: int
    ) -> list[Estimate]:
        """Return the profit of choosing on some cases and selecting others, and the gain over the best trivial rule."""
        name, title = "cross_fitted_profit", "Profit, cross-fitted"
        try:
            honest, cost = cross_fitted(decision_rules["minimum_cost"], self.problem, seed=seed)
        except DataError as error:
            return [not_fitted(name, title, error, self.keys, "higher")]
        least, most = -float(self.problem.costs.max()), -float(self.problem.costs.min())
        trivial = replace(self, problem=honest).profits(float(best == "select all"))
        columns = {
            name: (title, -cost, means, (least, most)),
            "cross_fitted_advantage": (
                f"Gain over {best}, cross-fitted",
                -cost - trivial,
                {},
                (least - most, most - least),
            ),
        }
        return self._sums(honest, columns, level)

    @property
    def keys(self) -> dict[str, Any]:
        """What tells its estimates from those of other models and places."""
        return {n: v for n, v in (("model", self.model), ("at", self.at or None)) if v is not None}

    def _sums(
        self, problem: DecisionProblem, columns: Mapping[str, Sum], level: float
    ) -> list[Estimate]:
        """Return sums over the population of numbers of each case, of which more is better."""
        shared: dict[str, Any] = {
            "times": self.population,
            "direction": "higher",
            "keys": self.keys,
        }
        return [
            problem.estimate(name, title, each, level, baselines=beside, within=ends, **shared)
            for name, (title, each, beside, ends) in columns.items()
        ]
