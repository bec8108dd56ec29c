"""How a method for a proportion is declared: it also gives the intervals of the measures that are a proportion of cases."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import field, replace
from typing import Any, Literal

import numpy as np

from credibly._core.arrays import ROUNDING, Floats
from credibly._core.declared import Declarator, Declared, Registry
from credibly._core.doors import check_confidence
from credibly._core.parameters import Rule, one_of, require
from credibly.errors import ParameterError, says
from credibly.intervals._declare import (
    EstimateRequest,
    IntervalMethod,
    RefusalError,
    interval_methods,
)
from credibly.intervals.standard_errors import refuse_repeats
from credibly.predictions.numbers import effective_size
from credibly.predictions.parts import cluster_count
from credibly.results.interval import Interval

Alternative = Literal["two-sided", "less", "greater"]
Fractions = Literal["any", "effective", "never"]

# Up to here the beta distribution of scipy is accurate; beyond, Wilson is the same to twelve digits.
LARGEST_EXACT = 1e12
SHARE_ROUNDING = 1e-14  # how far sums of weights may miss 0 or 1


class ProportionMethod(Declared[[float, float, float], tuple[float, float]]):
    """A way to put limits around a proportion. Call it with the part, the whole and a level.

    ``fractions`` says what it makes of a part that is no whole number: ``"any"`` will do, only that
    of an ``"effective"`` size, or ``"never"``. ``added`` is how many cases, at a level, it puts beside
    those of the part and as many beside the rest, and ``few`` whether it can be trusted with few cases.

    >>> limits = proportion_methods["exact"](9, 10, 0.9)
    >>> round(limits.low, 4), round(limits.high, 4), limits.method
    (0.6058, 0.9949, 'Clopper-Pearson')
    """

    cite: str
    fractions: Fractions = "any"
    added: Callable[[float], float] = field(default=lambda _: 0.0, repr=False)
    few: bool = True

    def limits(
        self, part: float, whole: float, confidence_level: float = 0.95
    ) -> tuple[float, float]:
        """Return both limits, kept within [0, 1] and from passing the share itself.

        Past 0 and 1 there is nothing to cover. The share itself is passed by rounding and, at low
        levels (for plus-four below 0.93), by methods that are centred elsewhere.
        """
        share = part / whole
        low, high = self.function(part, whole, confidence_level)
        return min(max(low, 0.0), share), max(min(high, 1.0), share)

    def estimate(self, part: float, whole: float, confidence_level: float = 0.95) -> float:
        """Return the share that the method takes for its centre: with the cases that it adds.

        >>> proportion_methods["plus_four"].estimate(75, 100) == (75 + 2) / (100 + 4)
        True
        """
        x, size = _counts(part, whole)
        more = self.added(confidence_level)
        return (x + more) / (size + 2 * more)

    def __call__(self, part: float, whole: float, confidence_level: float = 0.95) -> Interval:
        """Return the two-sided interval for ``part`` of ``whole``."""
        return self.of(part, whole, confidence_level)

    def of(
        self,
        part: float,
        whole: float,
        confidence_level: float,
        *,
        alternative: Alternative = "two-sided",
        effective_size: bool = False,
    ) -> Interval:
        """Return the interval, with one limit or two, also where the whole is an effective size."""
        check_confidence(confidence_level)
        x, size = _counts(part, whole)
        level = float(confidence_level)
        effective = effective_size or not size.is_integer()
        _check_exact(self, x, size, effective=effective)
        low, high = self.limits(x, size, two_sided_level(level, alternative))
        side = "" if alternative == "two-sided" else ", one-sided"
        text = f", effective size {size:.4g}" if effective else ""
        return Interval(
            0.0 if alternative == "less" else low,
            1.0 if alternative == "greater" else high,
            level,
            f"{self.title}{side}{text}",
        )


class ShareMethod(IntervalMethod):
    """A method of proportions that answers for a measure which is the share of a part of the cases.

    With importance weights the effective size is used: Kish's, or less where the weights go with the
    outcome, so that the cases themselves show a larger error (Korn & Graubard 1998). With groups, at the edge where no variation
    can be seen, each group counts as one case.

    >>> from credibly import Predictions, evaluate
    >>> p = Predictions.of([1] * 10, label=[1] * 9 + [0], classes=[0, 1])
    >>> limits = evaluate(p, "accuracy", interval="clopper_pearson")["accuracy"].interval
    >>> round(limits.low, 4), round(limits.high, 4), limits.method
    (0.555, 0.9975, 'Clopper-Pearson')
    """

    proportion: ProportionMethod

    def __call__(self, q: EstimateRequest) -> Interval:
        """Return the interval of a share, or refuse."""
        part, whole, size, text = _counted(q)
        share = min(part / whole, 1.0)  # sums of weights round
        share = float(round(share)) if abs(share - round(share)) < SHARE_ROUNDING else share
        try:
            limits = self.proportion.of(
                part if size == whole else size * share,
                size,
                q.confidence_level,
                effective_size=bool(text) or not part.is_integer(),
            )
        except ParameterError as refused:  # its remedy is about another door
            raise RefusalError(refused.found.rstrip(".")) from None
        if limits.low == limits.high:
            raise RefusalError(f"{self.title}'s interval has no width where all cases are alike")
        error = math.sqrt(share * (1 - share) / size) or None
        method = f"{self.title}{text}"
        return replace(limits, method=method, standard_error=error, share_of=size)


def _counted(q: EstimateRequest) -> tuple[float, float, float, str]:
    """Return the part, the whole, the number of cases that it is worth, and a finding about that."""
    m, p = q.measure, q.predictions
    if m.parts is None or q.average:
        raise RefusalError(
            f"a {q.average} average is not a proportion of cases"
            if q.average
            else "it is not a proportion of cases"
        )
    refuse_repeats(p)
    part, whole = (float(x) for x in m.parts(m.summarise(p)))
    effective, text = whole, ""
    if p.weight_kind == "importance":
        largest = p.weights.max()  # divided out, so that no square leaves what a double can hold
        squared = replace(p, weight=np.square(p.weights / largest), cache={})
        effective = _worth(part / largest, whole / largest, *m.parts(m.summarise(squared)))
        text = f", effective size {effective:.4g}"
    if p.clusters is not None and cluster_count(p) < effective:
        effective = float(cluster_count(p))
        text = f", {effective:.0f} {p.cluster_name} as cases"
    return part, whole, effective, text


def _worth(part: float, whole: float, *squares: Floats) -> float:
    """Return of how many equal cases a weighted share is worth, by the sums of weights and of their squares.

    >>> _worth(3, 4, np.array(3.0), np.array(4.0))
    4.0
    >>> round(_worth(4, 6, np.array(4.0), np.array(8.0)), 6)  # a fifth case, the only wrong one, weighs 2: Kish has 4.5
    3.6
    """
    of_part, of_whole = (float(x) for x in squares)
    equal = float(effective_size(np.asarray(whole), np.asarray(of_whole)))
    share = part / whole
    seen = of_part * (1 - share) ** 2 + (of_whole - of_part) * share**2
    return min(equal, part * (whole - part) / seen) if seen > SHARE_ROUNDING * of_whole else equal


class ProportionMethods(Registry[ProportionMethod]):
    """Each method for a proportion also serves the measures that are proportions."""

    def add(self, entry: ProportionMethod) -> ProportionMethod:
        """Register it for counts and for measures."""
        facts: dict[str, Any] = {"name": entry.name, "aliases": entry.aliases, "cite": entry.cite}
        described_by: Any = entry.function
        interval_methods.add(ShareMethod(described_by, entry.title, proportion=entry, **facts))
        return super().add(entry)

    def remove(self, name: str) -> None:
        """Forget it in both places."""
        interval_methods.remove(self[name].name)
        super().remove(name)


proportion_methods = ProportionMethods("proportion method", "credibly.intervals")
proportion_method = Declarator(ProportionMethod, proportion_methods)


def _counts(part: float | None, whole: float | None) -> tuple[float, float]:
    try:
        x, size = float(part), float(whole)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        x = size = math.nan
    if not (0 < size < math.inf and 0 <= x <= size * (1 + ROUNDING)):
        raise ParameterError(
            f"A proportion needs 0 <= part <= whole and a whole above 0; got {part} of {whole}."
        )
    return min(x, size), size


def _check_exact(method: ProportionMethod, part: float, whole: float, *, effective: bool) -> None:
    """See to it that a method which rests on the binomial distribution gets counts."""
    if method.fractions == "any":
        return
    if whole > LARGEST_EXACT:
        raise ParameterError(
            f"{method.name} is accurate up to a total of {LARGEST_EXACT:g}; got {whole:g}.",
            remedy=says("Use <method='wilson'>, which is the same to twelve digits there."),
        )
    if part.is_integer() and whole.is_integer():
        return
    if method.fractions == "effective" and effective:
        return
    effective_too = "Set <effective_size=True> if the whole is an effective size, or use"
    raise ParameterError(
        f"{method.name} counts cases, so part and whole must be whole numbers; got {part:.12g} of {whole:.12g}.",
        remedy=says(
            f"{effective_too if method.fractions == 'effective' else 'Use'} <method='wilson'>."
        ),
    )


def two_sided_level(level: float, alternative: Alternative) -> float:
    """Return the level at which a two-sided interval has the limit of a one-sided one."""
    require("alternative", alternative, one_of("two-sided", "less", "greater"))
    if alternative == "two-sided":
        return level
    above_half = Rule("above 0.5 when one limit is asked for", lambda v: v > 0.5, 0.5)
    return float(2 * require("confidence_level", level, above_half) - 1)
