"""Whether a model is better than the best rule that learned nothing: decided once, told everywhere."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from credibly.results.result import Result

if TYPE_CHECKING:
    from credibly.results.interval import Interval

Standing = Literal["better", "not shown", "worse", "unknown"]
SIGNS = {"higher": 1, "lower": -1}  # of measures that have a better end


class TrivialRule(NamedTuple):
    """The best of the rules that learned nothing, by one measure."""

    name: str
    value: float

    @property
    def words(self) -> str:
        """Its name as people read it."""
        return self.name.replace("_", " ")

    @classmethod
    def best(cls, rules: Mapping[str, float], direction: str) -> TrivialRule | None:
        """Return the best one of those that have a value, if the measure has a better end.

        >>> TrivialRule.best({"majority": 0.6, "random": 0.52}, "higher")
        TrivialRule(name='majority', value=0.6)
        """
        sign = SIGNS.get(direction)
        known = [cls(name, value) for name, value in rules.items() if math.isfinite(value)]
        if sign is None or not known:
            return None
        return max(known, key=lambda rule: round(sign * rule.value, 12))  # rounding names no rule


@dataclass(frozen=True, slots=True)
class Advantage(Result):
    """By how much a model is better than the best trivial rule, and whether that may be chance.

    The rule is the best on these very cases, which favours it. The ``difference`` is above 0 where the model is
    better. Its ``pvalue`` is that of both on the same cases; without one, the interval of the model is set
    against the value of the rule.

    >>> Advantage.tested(TrivialRule("majority", 0.6), 0.1, 0.03, 0.95).standing
    'better'
    >>> Advantage.tested(TrivialRule("majority", 0.6), 0.1, 0.06, 0.95).standing
    'not shown'
    """

    rule: TrivialRule
    difference: float
    standing: Standing
    pvalue: float | None = None

    json_keys = "rule=rule.name value=rule.value difference [pvalue] standing"

    @classmethod
    def tested(
        cls, rule: TrivialRule, difference: float, pvalue: float, confidence_level: float
    ) -> Advantage:
        """Judge a difference on the same cases by its two-sided p-value."""
        rare = pvalue <= 1 - confidence_level + 1e-12
        clear: Standing = "better" if difference > 0 else "worse"
        return cls(rule, difference, clear if rare and difference else "not shown", pvalue)

    @classmethod
    def by_limits(
        cls, rule: TrivialRule, difference: float, interval: Interval | None
    ) -> Advantage:
        """Judge a difference by whether the interval of the model holds the value of the rule.

        >>> from credibly import Interval
        >>> Advantage.by_limits(TrivialRule("prevalence", 0.5), 0.2, Interval(0.6, 0.8, 0.95, "DeLong")).standing
        'better'
        """
        if interval is None:
            return cls(rule, difference, "unknown")
        clear: Standing = "better" if difference > 0 else "worse"
        return cls(rule, difference, "not shown" if rule.value in interval else clear)
