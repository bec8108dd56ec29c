"""How a decision rule is declared: once, with what its uncertainty follows from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from credibly._core.declared import ReadingRegistry
from credibly._core.described import Declared, described_by

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from credibly._core.parameters import Parameter, Rule
    from credibly.decisions.problem import Problem


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """What a rule decides: a label for each case, and the threshold behind it where there is one.

    A label of -1 is doubt, which costs ``undecided``; ``doubt_from`` is the score where it begins.
    """

    labels: NDArray[np.int64]
    threshold: float | None = None
    undecided: float | None = None
    doubt_from: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class DecisionRule(Declared):
    """A way to turn scores or probabilities into labels.

    ``rate`` says how fast a threshold that is chosen on the cases settles as they become more: 1/2 for a
    quantile, 1/3 for the place of an optimum. Rules that do not look at the truth have none.
    """

    name: str
    title: str
    cite: str
    choose: Callable[..., Choice]
    doc: str
    rate: float | None = None
    caution: str = ""
    aliases: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, problem: Problem) -> Choice:
        """Decide."""
        return self.choose(problem, **self.arguments)


decision_rules: ReadingRegistry[DecisionRule] = ReadingRegistry(
    "decision rule", "credibly.decisions"
)


def decision_rule(
    title: str, *, cite: str, where: Mapping[str, Rule] | None = None, aliases: tuple[str, ...] = ()
) -> Callable[[Callable[..., Choice]], DecisionRule]:
    """Declare the decorated function, which labels the cases of a problem."""

    def declare(choose: Callable[..., Choice]) -> DecisionRule:
        return decision_rules.add(
            DecisionRule(
                title=title,
                cite=cite,
                choose=choose,
                aliases=aliases,
                **described_by(choose, where),
            )
        )

    return declare


def threshold_rule(
    title: str,
    *,
    cite: str,
    rate: float | None,
    where: Mapping[str, Rule] | None = None,
    aliases: tuple[str, ...] = (),
    caution: str = "",
) -> Callable[[Callable[..., float]], DecisionRule]:
    """Declare the decorated function, which picks one of the thresholds that the cases tell apart."""

    def declare(pick: Callable[..., float]) -> DecisionRule:
        def choose(problem: Problem, **arguments: object) -> Choice:
            threshold = pick(problem.thresholds(), **arguments)
            return Choice(problem.cut(threshold), threshold)

        return decision_rules.add(
            DecisionRule(
                title=title,
                cite=cite,
                choose=choose,
                rate=rate,
                caution=caution,
                aliases=aliases,
                **described_by(pick, where),
            )
        )

    return declare
