"""What a comparison returns: the difference and its interval first, then the p-value, then what to doubt."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar, Literal

from credibly._core.findings import Finding
from credibly._core.layout import TEXT_WIDTH, Key, within
from credibly._core.search_names import search_names
from credibly._core.text import (
    interval_text,
    lower_first,
    number_text,
    p_is,
    percent,
    pvalue_text,
    visible,
)
from credibly.errors import listed
from credibly.intervals.quantiles import Tails, normal_quantile, student_quantile
from credibly.measures import measures
from credibly.results.about import About, about_text, about_what
from credibly.results.estimate import SIGNS
from credibly.results.formats import Column, table_of
from credibly.results.interval import Interval, flat
from credibly.results.result import Cells, Collected, Result, TableText

Alternative = Literal["two-sided", "less", "greater"]
Stands = Literal["holds", "doubtful", "violated", "unknown"]

FOLDED = within(TEXT_WIDTH)
ONLY_ONE = (
    "only_first",
    "only_second",
)  # parameters of a test: cases that count for one of two models
DETECTION_POWER = 0.8  # power at which a difference counts as detectable
MAX_SHOWN = 6


class Assumption(Result, eq=True):
    """What a test assumes, and whether that holds here."""

    text: str
    stands: Stands = "unknown"
    because: str = ""

    def __str__(self) -> str:
        sentence = f"{self.text[:1].upper()}{self.text[1:].removesuffix('.')}."
        return f"{self.stands}: {sentence} {self.because}".rstrip()


BINOMIAL = {"exact": "exact binomial test", "mid_p": "binomial test, mid-p"}
# What a case is that a share counts.
COUNTED = {"error_rate": "wrong", "accuracy": "right", "pass_rate": "passed"}


class TestResult(Result, eq=True):
    r"""A test of a difference between models.

    ``difference`` is the first minus the second, NaN where the test has no signed difference. The
    interval has two limits whatever the alternative. For a one-sided alternative or a margin each of
    them is a bound of the confidence level, so that interval and test say the same.

    >>> from credibly import Predictions, compare
    >>> a = Predictions.of([0] * 40, label=[1] * 15 + [0] * 25, classes=[0, 1])
    >>> b = Predictions.of([0] * 40, label=[0] * 35 + [1] * 5, classes=[0, 1])
    >>> result = compare(a, b, "error_rate")
    >>> print(*str(result).splitlines()[:4], sep="\n")
    second is better than first: they differ in error rate by 0.250; a difference this large would be rare by chance (p = 0.0414).
    first against second: error rate, McNemar, n = 40
    values         first 0.375, second 0.125
    difference     0.250 [0.009, 0.465]  (95 % interval, Tango, continuity corrected), in favour of
    >>> result.difference, round(result.pvalue, 4), result.rejected
    (0.25, 0.0414, True)
    """

    __test__: ClassVar[bool] = False  # not one of pytest's
    json_keys = (
        "test title names measure [measure_title] values direction difference confidence_interval why_no_interval "
        "statistic pvalue null alternative margin rejected [detectable] confidence_level about n why assumptions "
        "parameters effect_sizes probabilities estimator? findings"
    )

    test: str
    title: str
    statistic: float
    pvalue: float
    difference: float
    confidence_interval: Interval | None
    why_no_interval: str
    null: str
    alternative: Alternative
    about: About
    names: tuple[str, ...]
    measure: str
    n: float
    confidence_level: float = 0.95
    margin: float | None = None
    values: tuple[float, ...] = ()
    direction: str = "neither"
    why: str = ""
    assumptions: tuple[Assumption, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    effect_sizes: Mapping[str, float] = field(default_factory=dict)
    probabilities: Mapping[str, float] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    mean_over: str = ""  # what the values are means of, if of anything,
    estimator: str = ""  # and what the difference is, where it is not that of the values
    # what the measure is called of these cases, where its name does not say so
    measure_title: str = ""

    @property
    def results(self) -> tuple[TestResult, ...]:
        """Itself: one test beside the many of :class:`Comparisons`."""
        return (self,)

    @property
    def adjusted(self) -> tuple[float, ...]:
        """Its p-value, which stands for itself alone."""
        return (self.pvalue,)

    @property
    def rejected(self) -> bool:
        """Whether the null hypothesis is rejected at one minus the confidence level."""
        return self.pvalue <= 1 - self.confidence_level

    @property
    def detectable(self) -> float | None:
        """The difference that so many cases would have shown four times in five; of what was shown none.

        Of a test with a margin it is the margin within which equal models would have been shown to be.
        """
        error = error_of_difference(self)
        if self.rejected or error is None:
            return None
        both = self.alternative == "two-sided"
        if self.margin is not None:  # each limit is a bound; of equivalence both must hold
            critical = normal_quantile(1 - self.confidence_level)
            return error * (critical + normal_quantile((1 - DETECTION_POWER) / (2 if both else 1)))
        tails: Tails = 2 if both else 1
        freedom = float(self.parameters.get("freedom", math.inf))
        critical = student_quantile(1 - self.confidence_level, freedom, tails=tails)
        return error * (critical + normal_quantile(1 - DETECTION_POWER))

    @property
    def favoured(self) -> str:
        """The name of the model that the difference favours, if it favours one."""
        if len(self.values) < 2:
            return ""
        better = {"higher": self.difference, "lower": -self.difference}.get(self.direction, 0.0)
        return self.names[0] if better > 0 else self.names[1] if better < 0 else ""

    row_keys = "test measure *_sides difference *_limits statistic pvalue alternative about n"

    def _sides(self) -> dict[str, str]:
        named = self.names if len(self.names) <= 2 else (", ".join(self.names),)
        return dict(zip(("first", "second"), (*named, "", ""), strict=False))

    def _limits(self) -> dict[str, Any]:
        return flat(self.confidence_interval)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield what people read, each line with its label."""
        if self.values:
            each = zip(self.names, self.values, strict=False)
            limits = self.confidence_interval  # whose digits compare with those of the difference
            listed = ", ".join(f"{name} {number_text(v, limits)}" for name, v in each)
            yield "values", listed + (f" (means over {self.mean_over})" if self.mean_over else "")
        if not math.isnan(self.difference):
            limits = self.confidence_interval
            text = interval_text(self.difference, limits)
            if limits:
                text += f"  ({self._level(limits)}, {limits.method})"
            text += f", {self.estimator}" if self.estimator else ""
            favoured = self.favoured if self.rejected and not self.margin else ""
            yield "difference", text + (f", in favour of {favoured}" if favoured else "")
            if not limits:
                yield "no interval", self.why_no_interval
        if self.probabilities:  # of a Bayesian comparison, which has no p-value
            chances = (f"{k} {number_text(v)}" for k, v in self.probabilities.items())
            yield "probability", ", ".join(chances)
        else:
            yield "null", f"{self.null}: {self._verdict()}"
            yield "p-value", f"{pvalue_text(self.pvalue)} ({self._tails()}): {self._meaning()}"
        if self.detectable is not None:
            yield "detectable", self._would_show(self.detectable)
        yield from self._rests_on()
        yield "about", self._subject
        if self.effect_sizes:
            sizes = (f"{k} {number_text(v)}" for k, v in self.effect_sizes.items())
            yield "effect sizes", ", ".join(sizes)
        if self.why:
            yield "why this test", self.why
        for i, assumption in enumerate(self.assumptions):
            yield "assumes" if i == 0 else "", str(assumption)

    def _would_show(self, detectable: float) -> str:
        shown = number_text(detectable, self.confidence_interval)
        what = f"a difference of {shown}"
        if self.margin is not None:
            what = f"that equal models are within a margin of {shown}"
        return f"{what}, with {percent(DETECTION_POWER)} power"

    def cells(self) -> Cells:
        """Return header and body of a table of what people read."""
        return ["", "what was found"], [list(line) for line in self.lines()]

    def _level(self, limits: Interval) -> str:
        text = f"{percent(limits.confidence_level)} interval"
        if limits.confidence_level == self.confidence_level:
            return text
        return f"{text}, each limit is a {percent(self.confidence_level)} bound"

    def _verdict(self) -> str:
        if math.isnan(self.pvalue):
            return "cannot be judged"
        word = "rejected" if self.rejected else "not rejected"
        return f"{word} at {percent(1 - self.confidence_level)}"

    def _tails(self) -> str:
        if math.isnan(self.difference):
            return "any difference"
        if self.margin is None:
            how = BINOMIAL.get(str(self.parameters.get("method")))
            return f"{self.alternative}, {how}" if how else self.alternative
        return "equivalence" if self.alternative == "two-sided" else f"{self.alternative}, margin"

    def _meaning(self) -> str:
        if math.isnan(self.pvalue):
            return "undefined"
        return (
            "how often a result at least this extreme would occur if the null hypothesis were true"
        )

    @property
    def _subject(self) -> str:
        return about_what(self.about, several=True)

    def about_intervals(self) -> str:
        """Say what the interval of the difference is about, and how it was made."""
        limits = self.confidence_interval
        if limits is None:
            return ""
        return f"{percent(limits.confidence_level)} interval of the difference, about {self._subject}: {limits.method}."

    def _rests_on(self) -> Iterator[tuple[str, str]]:
        counted = [*self._only_one()]
        # The statistic of a binomial test is one of these counts.
        if not counted or self.parameters.get("method") not in BINOMIAL:
            yield "given" if self.probabilities else "statistic", self._statistic()
        yield from counted

    def _only_one(self) -> Iterator[tuple[str, str]]:
        """Say how many cases count for one model alone, where a test rests on these."""
        if not all(name in self.parameters for name in ONLY_ONE):
            return
        first, second = (number_text(self.parameters[name]) for name in ONLY_ONE)
        one, other = self.names
        counted = COUNTED.get(self.measure, f"counted in the {self.measured}")
        yield "cases", f"only {one} {counted} in {first}, only {other} in {second}"

    def _statistic(self) -> str:
        told = {k: v for k, v in self.parameters.items() if k not in ONLY_ONE}
        shown = (f"{k.replace('_', ' ')} {_parameter(v)}" for k, v in told.items())
        return ", ".join([*[number_text(self.statistic)] * (not self.probabilities), *shown])

    @property
    def measured(self) -> str:
        """What is compared, as it stands inside a sentence."""
        return lower_first(self.measure_title) if self.measure_title else title_inside(self.measure)

    def heading(self) -> str:
        """Say which models, which measure and which test."""
        versus = " against " if len(self.names) <= 2 else ", "
        return (
            f"{versus.join(self.names)}: {self.measured}, {self.title}, n = {number_text(self.n)}"
        )

    @search_names(
        {
            "ci, conf_int": ".confidence_interval",
            "significant, reject": ".rejected",
            "z, t, stat": ".statistic",
        }
    )
    def meaning(self) -> str:
        """Say which model is better, or that none is shown to be; of a margin the null says more."""
        if math.isnan(self.pvalue) or self.margin or len(self.values) > 2:
            return ""
        chance = f"({p_is(self.pvalue)})"
        if len(self.values) == 1:
            return self._beside_value(chance)
        if not self.rejected:
            return f"Neither is shown to be better: the difference in {self.measured} may be due to chance {chance}."
        rare = f"a difference this large would be rare by chance {chance}"
        if math.isnan(self.difference):
            return f"They differ in {self.measured}; {rare}."
        better = self.favoured
        top = better or self.names[self.difference < 0]
        than = f"{'better' if better else 'higher'} than {self.names[top == self.names[0]]}"
        by = f"in {self.measured} by {number_text(abs(self.difference), self.confidence_interval)}"
        return f"{top} is {than}: they differ {by}; {rare}."

    def _beside_value(self, chance: str) -> str:
        """Say on which side of a given value the one model lies."""
        first, value = self.names
        if not self.rejected:
            return f"The {self.measured} of {first} is not shown to differ from {value}: the difference may be due to chance {chance}."
        side = "above" if self.difference > 0 else "below"
        return f"The {self.measured} of {first} is {side} {value}: a difference this large would be rare by chance {chance}."

    def laid_out(self, table: TableText = FOLDED, title: str = "{}") -> list[str]:  # noqa: ARG002
        """Return the heading, and a line for each thing that was found."""
        return [visible(self.heading()), table(["", ""], self.cells()[1])]


def title_inside(measure: str) -> str:
    """Name what is compared as it stands inside a sentence.

    >>> title_inside("error_rate"), title_inside("minutes")
    ('error rate', 'minutes')
    """
    known = measures.of_values(measure)
    return lower_first(known.title) if known else measure


def error_of_difference(result: TestResult) -> float | None:
    """Return the standard error of a difference: the given one, that of equal models, or the one that follows from the width of its limits."""
    limits, told = result.confidence_interval, result.parameters
    if {"standard_error", "deviation"} & {*told}:
        return float(told.get("standard_error", told.get("deviation")))
    if limits is None or not math.isfinite(limits.high - limits.low):
        return None
    return (limits.high - limits.low) / 2 / normal_quantile(1 - limits.confidence_level, tails=2)


def difference_columns(results: Sequence[TestResult]) -> dict[str, Column]:
    """Show differences and their limits, the latter with their level where they have one."""
    levels = {r.confidence_interval.confidence_level for r in results if r.confidence_interval}
    head = f"{percent(levels.pop())} interval" if len(levels) == 1 else "interval"
    return {
        "difference": lambda r: number_text(r.difference, r.confidence_interval),
        head: lambda r: interval_text(None, r.confidence_interval),
    }


def _parameter(value: object) -> str:
    return number_text(value) if isinstance(value, float) else str(value)


class Comparisons(Collected[TestResult]):
    r"""Every pair of several models compared, with p-values adjusted for their number.

    ``whole`` is a test of all models at once, where one was made.

    >>> from credibly import Predictions, compare
    >>> labels = {"a": [1] * 15 + [0] * 25, "b": [0] * 35 + [1] * 5, "c": [0] * 36 + [1] * 4}
    >>> models = {name: Predictions.of([0] * 40, label=x, classes=[0, 1]) for name, x in labels.items()}
    >>> found = compare(models, measure="error_rate")
    >>> found["a", "c"].difference, found.correction
    (0.275, 'holm')
    >>> print(*str(found).splitlines()[-7:-1], sep="\n")
    first  second  difference  95 % interval    p-value  p, holm
    a      b       0.250       [0.009, 0.465]   0.0414   0.0828
    a      c       0.275       [0.045, 0.480]   0.0192   0.0576
    b      c       0.025       [-0.106, 0.165]  1        1
    Each p-value and interval is that of its pair alone. Allowing for 3 pairs, no difference is shown at 5 % between a and b; a and c.
    With these cases, a true difference of 0.1938 between two models would be found with 80 % power.
    """

    heading: str
    results: tuple[TestResult, ...]
    adjusted: tuple[float, ...]
    correction: str
    whole: TestResult | None = None
    findings: tuple[Finding, ...] = ()

    members = "results names"
    json_keys = "heading correction whole comparisons=_adjusted findings"
    finding_parts = "whole results"

    def about_intervals(self) -> str:
        """Say what the intervals of the differences are about, and how they were made."""
        return about_text(self._intervals(), several=True)

    def _adjusted(self) -> list[dict[str, Any]]:
        pairs = zip(self.results, self.adjusted, strict=True)
        return [{**r.to_dict(), "adjusted_pvalue": p} for r, p in pairs]

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat dictionary per pair: the long form."""
        pairs = zip(self.results, self.adjusted, strict=True)
        return [{**r.rows()[0], "adjusted_pvalue": p} for r, p in pairs]

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        columns: dict[str, Column] = {
            Key("first"): lambda r: r.names[0],
            Key("second"): lambda r: r.names[1],
            **difference_columns(self.results),
            "p-value": lambda r: pvalue_text(r.pvalue),
            f"p, {self.correction}": [pvalue_text(p) for p in self.adjusted],
        }
        return table_of(self.results, columns)

    def meaning(self) -> str:
        """Say which model is best, and which models differ once p-values are adjusted for their number."""
        tried = [(r, p) for r, p in zip(self.results, self.adjusted, strict=True) if p == p]
        if not tried:
            return ""
        sure = [r for r, p in tried if p <= 1 - r.confidence_level]
        sentences = [
            f"{r.favoured} is better than {r.names[r.favoured == r.names[0]]}"
            for r in sure
            if r.favoured
        ]
        level = f"{percent(1 - tried[0][0].confidence_level)}"
        of = f"{len(sure) or 'None'} of the {len(self.results)} pairs"
        differ = "differs" if len(sure) <= 1 else "differ"
        text = f": {listed(sentences, most=MAX_SHOWN)}" if sentences else ""
        by = self.correction.replace("_", "-").title()
        pairs = f"{of} {differ} significantly at {level} ({by}-adjusted p-values){text}."
        return f"{self._best(sure)}{pairs}"

    def _best(self, sure: Sequence[TestResult]) -> str:
        """Say which model has the best value, and over which others that is not shown, where all pairs were compared."""
        values = {
            n: v for r in self.results for n, v in zip(r.names, r.values, strict=False) if v == v
        }
        first = self.results[0]
        pairs = len(values) * (len(values) - 1) // 2
        if first.direction not in SIGNS or first.margin is not None or len(self.results) != pairs:
            return ""
        best = max(values, key=lambda name: SIGNS[first.direction] * values[name])
        worse = {n for r in sure if r.favoured == best for n in r.names}
        unclear = [name for name in values if name not in {*worse, best}]
        most = "highest" if first.direction == "higher" else "lowest"
        start = f"{best} has the {most} {first.measured} ({number_text(values[best])})"
        if not unclear:
            return f"{start} and is better than all others. "
        return f"{start}, but is not shown to be better than {listed(unclear, most=MAX_SHOWN)}. "

    def remarks(self) -> list[str]:
        """Say where the adjusted test disagrees with an interval, and which differences would have been shown."""
        return [*self._apart(), *self._detectable()]

    def _detectable(self) -> Iterator[str]:
        """Say which difference each pair would have detected, for pairs that were not shown to differ."""
        would = [d for r in self.results if (d := r.detectable) is not None]
        if would and self.results[0].margin is None:
            low, high = map(number_text, (min(would), max(would)))
            span = low if low == high else f"{low} to {high}"
            yield f"With these cases, a true difference of {span} between two models would be found with {percent(DETECTION_POWER)} power."

    def _apart(self) -> list[str]:
        """Say where an interval, which is that of its pair alone, excludes 0 and the adjusted test does not."""
        apart = [
            " and ".join(r.names[:2])
            for r, p in zip(self.results, self.adjusted, strict=True)
            if r.rejected and p > 1 - r.confidence_level and r.confidence_interval
        ]
        if not apart:
            return []
        more = f" and {len(apart) - MAX_SHOWN} more" if len(apart) > MAX_SHOWN else ""
        level = f"{percent(1 - self.results[0].confidence_level)}"
        return [
            f"Each p-value and interval is that of its pair alone. Allowing for {len(self.results)} pairs, "
            f"no difference is shown at {level} between {'; '.join(apart[:MAX_SHOWN])}{more}."
        ]

    def laid_out(self, table: TableText = FOLDED, title: str = "{}") -> list[str]:
        """Return the test of all models at once, where there is one, before the table of pairs."""
        whole = ["\n".join([*self.whole.laid_out(table, title), ""])] if self.whole else []
        return [*whole, *Result.laid_out(self, table, title)]
