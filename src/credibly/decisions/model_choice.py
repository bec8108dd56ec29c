"""What the labels of one model cost, what they save, and whether its probabilities can be believed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.seeds import FIXED_SEED
from credibly._core.text import number_text
from credibly.decisions._declare import Choice, DecisionRule, decision_rules
from credibly.decisions.findings import BELIEVED_PROBABILITIES, BELIEVED_WITHOUT_LOSS
from credibly.decisions.problem import DecisionProblem, of_labels
from credibly.decisions.uncertainty import (
    cross_fitted,
    first_if_fitted,
    not_fitted,
    precision_at,
    threshold_interval,
)
from credibly.errors import DataError
from credibly.evaluation import evaluate
from credibly.evaluation.trivial_rules import best_of_rules
from credibly.measures import measures
from credibly.predictions import CostMatrix
from credibly.results.estimate import Estimate
from credibly.results.interval import Interval

SHOWN_RATES = ("recall", "specificity", "precision")


@dataclass(frozen=True, eq=False)
class ModelChoice:
    """What a rule chose for the cases of one model, to be judged on these cases."""

    rule: DecisionRule
    problem: DecisionProblem
    choice: Choice
    keys: dict[str, Any]  # what tells its estimates from those of other models
    seed: int | None
    level: float

    def threshold_interval(self, replicates: int) -> tuple[Interval | None, str]:
        """Return the interval of the threshold, or why there is none."""
        return threshold_interval(
            self.rule,
            self.problem,
            self.choice.threshold,
            seed=self.seed,
            replicates=replicates,
            confidence_level=self.level,
        )

    def estimates(self) -> list[Estimate]:
        """Return what the labels cost, what they save, what the probabilities promised, and the rates."""
        problem, choice = self.problem, self.choice
        made = [*self._costs(), self._saving()]
        if self.rule.rate is not None and self.seed is not None:
            made = first_if_fitted(self._cross_fitted(self.seed), made)
        if problem.cases.probability is not None:
            column = of_labels(problem.expected_costs(), choice.labels, choice.undecided)
            ends = float(problem.costs.min()), float(problem.costs.max())
            title = f"Expected cost according to the model{problem.shares_said}"
            made.append(self._mean("expected_cost", title, column, within=ends))
        return made + self._rates()

    def _mean(
        self,
        name: str,
        title: str,
        column: Floats,
        whole: DecisionProblem | None = None,
        **more: Any,  # noqa: ANN401
    ) -> Estimate:
        """Return the mean of a number of each case, or of the cases of another problem."""
        problem = whole or self.problem
        return problem.estimate(name, title, column, self.level, keys=self.keys, **more)

    @cached_property
    def _always(self) -> dict[str, float]:
        """The mean cost of giving every case the same label, by label."""
        means = np.average(self.problem.label_costs(), axis=0, weights=self.problem.weights)
        names = [f"always {c}" for c in self.problem.cases.classes]
        return dict(zip(names, means.tolist(), strict=True))

    @property
    def _best(self) -> int:
        """The label that is the cheapest for all cases."""
        return int(np.argmin([*self._always.values()]))

    @property
    def _by_class(self) -> bool:
        """Whether what a label costs follows from the classes alone."""
        problem = self.problem
        return problem.costs.ndim == 2 and problem.priors is None and self.choice.undecided is None

    def _costs(self) -> list[Estimate]:
        """Return the average cost by the estimate that stands for these cases, and the sum over all of them.

        Costs that depend on the classes alone are those of the measures of that name.
        """
        problem, choice = self.problem, self.choice
        cases, always = float(problem.cases.weights.sum()), self._always
        if self._by_class:
            sides = {
                "average_cost": always,
                "total_cost": {k: v * cases for k, v in always.items()},
            }
            return [
                replace(
                    self._of_matrix(problem.costs, name),
                    baselines=side,
                    rule=best_of_rules(side, "lower"),
                )
                for name, side in sides.items()
            ]
        column = problem.costs_of(choice.labels, choice.undecided)
        more: dict[str, Any] = {
            "baselines": always,
            "within": problem.attainable(choice.undecided),
        }
        at = measures["average_cost"].scope(problem.cases) + problem.shares_said
        return [
            self._mean("average_cost", f"Average cost{at}", column, **more),
            self._mean("total_cost", f"Total cost{at}", column, times=cases, **more),
        ]

    def _saving(self) -> Estimate:
        """Return what the labels save against the cheapest label for all."""
        problem, best = self.problem, self._best
        title = f"Saving per case against {[*self._always][best]}{problem.shares_said}"
        if not self._by_class:
            cost = problem.costs_of(self.choice.labels, self.choice.undecided)
            saved = problem.label_costs()[:, best] - cost
            return self._mean("saving", title, saved, direction="higher")
        found = self._of_matrix(problem.costs[:, [best]] - problem.costs)
        facts: dict[str, Any] = {"measure": "saving", "title": title, "direction": "higher"}
        # Its findings stand with the cost.
        return replace(found.without_rules(), **facts, also=(), findings=())

    def _of_matrix(self, values: Floats, name: str = "average_cost") -> Estimate:
        """Return what the labels cost by a matrix, by the measure of that name."""
        kind = "pooled" if name == "total_cost" else self.problem.kind
        costs = CostMatrix.of(values, classes=self.problem.cases.classes)
        labelled = self.problem.labelled(self.choice.labels)
        made = evaluate(labelled, name, costs=costs, estimate=kind, confidence_level=self.level)
        return replace(made[name], keys={**self.keys, **self.problem.keys(kind)})

    def _cross_fitted(self, seed: int) -> list[Estimate]:
        """Return the cost of choosing by this rule on other cases, and what is left of the saving."""
        title = f"Average cost, cross-fitted{self.problem.shares_said}"
        try:
            whole, cost = cross_fitted(self.rule, self.problem, seed=seed)
        except DataError as error:  # too few cases of a class to leave some out
            return [not_fitted("cross_fitted_cost", title, error, self.keys)]
        saved = whole.label_costs()[:, self._best] - cost
        against = [*self._always][self._best]
        of_saving = f"Saving per case against {against}, cross-fitted{self.problem.shares_said}"
        more: dict[str, Any] = {"within": whole.attainable(), "baselines": self._always}
        return [
            self._mean("cross_fitted_cost", title, cost, whole, **more),
            self._mean("cross_fitted_saving", of_saving, saved, whole, direction="higher"),
        ]

    def _rates(self) -> list[Estimate]:
        """Return recall, specificity and precision at the decision, by the measures themselves.

        The first two are about one class each, so that given shares of the classes do not touch them.
        """
        problem = self.problem
        if not problem.binary:
            return []
        kind = problem.kind_of(SHOWN_RATES[0])
        *found, alarms = evaluate(
            problem.labelled(self.choice.labels),
            (*SHOWN_RATES, "false_positive_rate"),
            estimate=kind,
            confidence_level=self.level,
        ).estimates
        if problem.priors is not None:
            prevalence = float(problem.priors[int(problem.cases.positive or 0)])
            title = found[2].title + problem.shares_said
            found[2] = replace(found[2], title=title, **precision_at(prevalence, found[0], alarms))
        return [replace(e.without_rules(), keys={**self.keys, **problem.keys(kind)}) for e in found]

    def doubts(self) -> Iterator[Finding]:
        """Yield that a threshold rests on probabilities that are off, and what one chosen on these cases would have cost."""
        problem = self.problem
        if not self.rule.believes or not problem.binary or problem.cases.probability is None:
            return
        if problem.priors is not None:
            return
        from credibly.calibration import calibration_verdict

        verdict = calibration_verdict(problem.cases)
        instead, gains = self._instead()
        if gains or verdict.miscalibrated:
            kind = BELIEVED_WITHOUT_LOSS if gains is False else BELIEVED_PROBABILITIES
            how = f", which are {verdict.how}" if verdict.miscalibrated else ""
            of = "" if not self.keys else f" of {self.keys['model']}"
            yield kind(rule=self.rule.title, of=of, how=how, instead=instead)

    def _instead(self) -> tuple[str, bool | None]:
        """Say what the threshold of least cost would have cost on cases that it was not chosen on, and whether clearly less."""
        other = decision_rules["minimum_cost"]
        try:
            whole, cost = cross_fitted(other, self.problem, seed=FIXED_SEED)
            threshold = other(self.problem).threshold
        except DataError:  # too few cases of a class to leave some out
            return "", None
        mine = self.rule(whole)
        here = whole.costs_of(mine.labels, mine.undecided)
        saved = self._mean("saving", "Saving", here - cost, whole)
        gains = saved.interval.low > 0 if saved.interval else None if saved.value > 0 else False
        costs = [np.average(c, weights=whole.weights) for c in (cost, here)]
        instead, now = (number_text(float(c)) for c in costs)
        where = "" if threshold is None else f" (about {number_text(threshold)})"
        text = f" On cases it was not chosen on, the threshold of least cost{where} would have cost {instead} per case instead of {now}."
        return text if gains else "", gains
