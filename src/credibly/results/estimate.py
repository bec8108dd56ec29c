"""The estimate of a measure, and whether it is better than the best rule that learned nothing: decided once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from credibly._core.findings import Finding
from credibly._core.search_names import search_names
from credibly._core.text import (
    decimals_of,
    interval_text,
    number_text,
    plain_arguments,
)
from credibly.results.interval import Interval, flat
from credibly.results.result import Result

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


class Advantage(Result, eq=True):
    """By how much a model is better than the best trivial rule, and whether that may be chance.

    The rule is the best on these very cases, which favours it. The ``difference`` is above 0 where the model is
    better. Its ``pvalue`` is that of both on the same cases; without one, the interval of the model is set
    against the value of the rule.

    >>> limits = Interval(0.55, 0.85, 0.95, "Wilson")
    >>> Advantage(TrivialRule("majority", 0.6), 0.1, limits, 0.03).standing
    'better'
    >>> Advantage(TrivialRule("majority", 0.6), 0.1, limits).standing
    'not shown'
    """

    rule: TrivialRule
    difference: float
    interval: Interval | None
    pvalue: float | None = None

    json_keys = "rule=rule.name value=rule.value difference [pvalue] standing"

    @property
    def standing(self) -> Standing:
        """Whether the model is better than the rule: by the p-value, or by whether the interval holds the value of the rule."""
        limits = self.interval
        if limits is None:
            return "unknown"
        if self.pvalue is None:
            shown = not limits.low <= self.rule.value <= limits.high
        else:
            shown = self.pvalue <= 1 - limits.confidence_level + 1e-12 and self.difference != 0
        return "not shown" if not shown else "better" if self.difference > 0 else "worse"


class Estimate(Result, eq=True):
    """The value of one measure on some cases.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0])
    >>> e = credibly.evaluate(p, "accuracy")["accuracy"]
    >>> float(e), f"{e:.1%}", f"{e}"
    (0.75, '75.0%', 'Accuracy 0.750 [0.301, 0.954]')
    >>> low, high = e.interval
    >>> round(low, 3)
    0.301
    """

    measure: str
    title: str
    value: float
    interval: Interval | None
    why_no_interval: str
    n: float
    direction: str
    keys: Mapping[str, object] = field(default_factory=dict)
    average: str | None = None
    baselines: Mapping[str, float] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    values: tuple[float, ...] = ()  # those of folds or replicates, where it is made of them
    also: tuple[str, ...] = ()  # other names of the measure
    bound: float | None = None  # how far bins of scores can have moved the value at most
    variances: tuple[float, ...] = ()  # over the folds of each repeat, where there are repeats
    # Whether it is the one of several estimates that stands for all.
    is_headline: bool | None = None
    # How it stands to the best trivial rule on the same cases, where that was tested.
    paired: Advantage | None = None
    rule: TrivialRule | None = (
        None  # the best of the baselines, if one has a value and one can be better
    )

    json_keys = (
        "*keys measure average title value interval why_no_interval standard_error? n direction "
        "baselines [advantage=paired] findings [values] [variances] [spread] [bound] [headline=is_headline]"
    )

    row_keys = (
        "*keys measure average value *_limits about=interval.about n standard_error *spread "
        "*_named_baselines [bound] [headline=is_headline]"
    )

    @property
    def advantage(self) -> Advantage | None:
        """Whether it is better than the best trivial rule: on the same cases, or else as far as its interval tells."""
        rule = self.rule
        if self.paired is not None or rule is None or math.isnan(self.value):
            return self.paired
        difference = SIGNS[self.direction] * (self.value - rule.value)
        return Advantage(rule, difference, self.interval)

    def without_rules(self) -> Estimate:
        """Return the same without trivial rules beside it."""
        return replace(self, baselines={}, rule=None)

    @property
    def of_models_alone(self) -> bool:
        """Whether it is of all cases pooled, and nothing says that it is about learning again."""
        again = self.interval is not None and self.interval.about == "training"
        return self.keys.get("estimate", "pooled") == "pooled" and not again

    @property
    def standard_error(self) -> float | None:
        """Standard error of the value, where its interval rests on one."""
        return self.interval.standard_error if self.interval else None

    @property
    def spread(self) -> dict[str, float]:
        """How the values that it is a mean of lie: their standard deviation, quartiles and ends.

        Quartiles are interpolated between values (R's type 7). With repeats also the mean over them of
        the variance over the folds of each. Nothing where it is no mean, or a value is not finite.
        """
        if len(self.values) < 2 or not all(map(math.isfinite, self.values)):
            return {}
        places = {"minimum": 0.0, "q1": 0.25, "median": 0.5, "q3": 0.75, "maximum": 1.0}
        cuts = np.quantile(self.values, list(places.values())).tolist()
        largest = max(map(abs, self.values)) or 1.0  # divided out, as squares may not fit a double
        sd = largest * float(np.std(np.divide(self.values, largest), ddof=1))
        found = {"sd": sd, **dict(zip(places, cuts, strict=True))}
        return found | ({"mean_variance": float(np.mean(self.variances))} if self.variances else {})

    def _limits(self) -> dict[str, Any]:
        return flat(self.interval)

    def _named_baselines(self) -> dict[str, float]:
        return {f"baseline_{name}": value for name, value in self.baselines.items()}

    @property
    def name(self) -> str:
        """Its title, with the arguments and the average that make it another number."""
        arguments = plain_arguments(self.measure.partition("(")[2].removesuffix(")"))
        extra = [arguments, (self.average or "").replace("_", " ")]
        inside = ", ".join(e for e in extra if e)
        return f"{self.title} ({inside})" if inside else self.title

    @search_names(
        {
            "ci, confidence_interval, conf_int, limits": ".interval, as in low, high = estimate.interval",
            "low, lower, ci_low, ci_lower": ".interval.low",
            "high, upper, ci_high, ci_upper": ".interval.high",
            "se, stderr, std, std_error": ".standard_error",
            "mean, score, point": ".value",
        }
    )
    def __float__(self) -> float:
        return float(self.value)

    def _unordered(self, other: object) -> bool:  # noqa: ARG002
        """Say what can be compared: an estimate is a value and its interval."""
        raise TypeError(
            "An Estimate has no order. Compare its .value, or the ends of its .interval, with a number; "
            "compare(...) tests two models."
        )

    __lt__ = __le__ = __gt__ = __ge__ = _unordered

    def __round__(self, digits: int | None = None) -> float:
        return round(self.value, digits)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __str__(self) -> str:
        return f"{self.name} {interval_text(self.value, self.interval)}"

    @property
    def rule_text(self) -> str:
        """The value of the best trivial rule as it stands beside its own."""
        return "" if self.rule is None else self.beside_text(self.rule.value)

    def beside_text(self, value: float) -> str:
        """Write another value of its measure, such as that of a trivial rule, with no more digits than its own."""
        return min(number_text(value), number_text(value, self.interval), key=len)


def with_decimals(estimates: Sequence[Estimate]) -> tuple[Estimate, ...]:
    """Return estimates with the decimals that most of their measure have; all between -1 and 1 count as one measure.

    >>> def rate(low, high):
    ...     return Estimate("rate", "Rate", 0.25, Interval(low, high, 0.95, "Wilson"), "", 9, "lower")
    >>> [str(e) for e in with_decimals((rate(0.2, 0.31), rate(0.21, 0.29), rate(0.1, 0.4)))]
    ['Rate 0.250 [0.200, 0.310]', 'Rate 0.250 [0.210, 0.290]', 'Rate 0.250 [0.100, 0.400]']
    """
    found: dict[str, Counter[int]] = {}
    for e in estimates:
        if (limits := e.interval) is not None and math.isfinite(limits.high - limits.low):
            counts = found.setdefault(_scale(e.measure, limits), Counter())
            counts[decimals_of(limits.high - limits.low)] += 1
    stated = {
        scale: min(counts, key=lambda d: (-counts[d], d))
        for scale, counts in found.items()
        if len(counts) > 1
    }

    def written(e: Estimate) -> Estimate:
        if (limits := e.interval) is None:
            return e
        decimals = stated.get(_scale(e.measure, limits))
        return replace(e, interval=replace(limits, decimals=decimals))

    return tuple(map(written, estimates))


def _scale(measure: str, limits: Interval) -> str:
    return "" if -1 <= limits.low <= limits.high <= 1 else measure
