"""How a decision rule is declared: once, with what its uncertainty follows from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.declared import Declarator, Parametrised, ReadingRegistry

if TYPE_CHECKING:
    from credibly.decisions.problem import DecisionProblem


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """What a rule decides: a label for each case, and the threshold behind it where there is one.

    A label of -1 is doubt, which costs ``undecided``; ``doubt_from`` is the score where it begins.
    """

    labels: NDArray[np.int64]
    threshold: float | None = None
    undecided: float | None = None
    doubt_from: float | None = None


class DecisionRule(Parametrised[..., Any]):
    """A way to turn scores or probabilities into labels: its function labels the cases of a problem.

    ``rate`` says how fast a threshold that is chosen on the cases settles as they become more: 1/2 for a
    quantile, 1/3 for the place of an optimum. Rules that do not look at the truth have none. One that
    ``believes`` the probabilities is right only where they are calibrated.
    """

    cite: str
    rate: float | None = None
    believes: bool = False
    caution: str = ""

    def __call__(self, problem: DecisionProblem) -> Choice:
        """Decide."""
        choice: Choice = self.function(problem, **self.arguments)
        return choice


class ThresholdRule(DecisionRule):
    """A rule whose function picks one of the thresholds that the cases distinguish."""

    def __call__(self, problem: DecisionProblem) -> Choice:
        """Decide by the threshold."""
        threshold: float = self.function(problem.thresholds(), **self.arguments)
        return Choice(problem.cut(threshold), threshold)


decision_rules: ReadingRegistry[DecisionRule] = ReadingRegistry(
    "decision rule", "credibly.decisions"
)
decision_rule = Declarator(DecisionRule, decision_rules)
threshold_rule = Declarator(ThresholdRule, decision_rules)
