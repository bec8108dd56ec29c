"""Numbers in words, for readers without statistics."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from credibly._core.display import Printed
from credibly._core.text import interval_text, lower_first, number_text, percent
from credibly.results.estimate import Estimate
from credibly.results.interval import Interval

if TYPE_CHECKING:
    from credibly.comparisons.result import Comparisons, TestResult

GROUP_SIZES = (2, 3, 4, 5, 10, 20, 100, 1000, 10_000, 100_000, 1_000_000)
# with which a word begins when it is said
VOWEL_SOUND = re.compile(r"(?!one\b)[aeioAEIO]|[FHLMNRSX][- ]")
POSSESSIVE = re.compile(r"\w+'s ")  # takes no article: Harrell's concordance


def in_words(share: float) -> str:
    """Say a share as so many in so many.

    >>> in_words(0.0032), in_words(0.25), in_words(0.94), in_words(0.0)
    ('about 3 in 1,000', 'about 1 in 4', 'about 94 in 100', 'none')
    """
    if share <= 0:
        return "none"
    if share >= 1:
        return "all"
    for size in GROUP_SIZES:
        near = round(share * size)
        # Near enough: within a tenth of the smaller side.
        if 0 < near < size and abs(near / size - share) <= 0.1 * min(share, 1 - share) + 1e-12:
            return f"about {near:,} in {size:,}"
    return f"fewer than 1 in {GROUP_SIZES[-1]:,}"


def between(limits: Interval | None) -> str:
    """Say an interval and how sure it is.

    >>> from credibly import Interval
    >>> between(Interval(0.912, 0.958, 0.95, "Wilson"))
    'between 0.912 and 0.958 (95 % interval)'
    """
    if limits is None:
        return ""
    low, high = interval_text(None, limits, most_decimals=3)[1:-1].split(", ")
    return f"between {low} and {high} ({percent(limits.confidence_level)} interval)"


def _rounded(value: float, digits: int = 3) -> str:
    """Write a number with so many digits, and never with a power of ten that people need not read.

    >>> _rounded(20911.3), _rounded(0.89)
    ('20,900', '0.89')
    """
    return number_text(float(f"{value:.{digits}g}"))


@dataclass(frozen=True, slots=True)
class Lead(Printed):
    """How far the best of several models is ahead of the next, and whether that may be luck."""

    over: str
    size: str
    sure: bool

    @property
    def chance(self) -> str:
        """What chance has to do with it."""
        return "more than chance would give" if self.sure else "may be chance"

    @property
    def text(self) -> str:
        """The whole of it."""
        return f"Lead over {self.over}: {self.size}, {self.chance}"


def lead(models: Sequence[str], compared: TestResult | Comparisons | None) -> Lead | None:
    """Say how far the best of several models is ahead of the next, and whether that may be luck."""
    for result, p in zip(
        *(compared.results, compared.adjusted) if compared else ((), ()), strict=True
    ):
        if set(result.names) == set(models[:2]) and not math.isnan(p):
            sure = p <= 1 - result.confidence_level
            size = number_text(abs(result.difference), result.confidence_interval)
            return Lead(models[1], size, sure)
    return None


def headline_sentence(
    best: str,
    estimate: Estimate,
    models: Sequence[str],
    compared: TestResult | Comparisons | None = None,
    *,
    decided: bool = False,
) -> str:
    """Say in two sentences how well the best model does, and how much of it may be luck.

    ``models`` are the names of all, the best first; ``decided`` says that the estimate is what decisions
    cost.
    """
    value, limits = estimate.value, estimate.interval
    subject = f"{best}, the best of {len(models)} models," if len(models) > 1 else best
    subject = "The model" if subject == "the model" else subject  # a name stays as it is written
    if math.isnan(value):
        return f"{estimate.title} of {best} is undefined here. The findings below say why."
    if decided:
        rule = estimate.rule
        against = "" if rule is None else f", against {_rounded(rule.value)} for {rule.name}"
        text = f"{subject} costs {_rounded(value)} per case{against}."
        if value < 0:  # what costs less than nothing brings something
            against = (
                "" if rule is None else f", against {_rounded(-rule.value + 0.0)} for {rule.name}"
            )
            text = f"{subject} brings {_rounded(-value)} per case{against}."
    elif estimate.measure in {"accuracy", "error_rate"}:
        right = value if estimate.measure == "accuracy" else 1 - value
        rule = estimate.rule
        told = rule and in_words(rule.value if estimate.measure == "accuracy" else 1 - rule.value)
        against = f"; the best trivial rule ({rule.words}), {told}" if rule else ""
        text = f"{subject} labels {in_words(right)} new cases correctly{_no_better(estimate) or against}."
    else:
        way = {"higher": "higher is better", "lower": "lower is better"}.get(estimate.direction)
        name = lower_first(estimate.name)
        rule = estimate.rule
        against = (
            f", against {_rounded(rule.value)} for the best trivial rule ({rule.words})"
            if rule
            else ""
        )
        article = "an " if VOWEL_SOUND.match(name) else "" if POSSESSIVE.match(name) else "a "
        text = f"{subject} reaches {article}{_closed(name)} of {_rounded(value)}{f' ({way})' if way else ''}{_no_better(estimate) or against}."
    of_measure = compared is not None and compared.results[0].measure == estimate.measure
    ahead = lead(models, compared) if of_measure else None
    luck = f", and its lead over {ahead.over} {'is ' * ahead.sure}{ahead.chance}" if ahead else ""
    if limits is None:
        return f"{text} No interval can be given, since {estimate.why_no_interval}{luck}."
    if decided and value < 0:
        gain = replace(limits, low=-limits.high, high=-limits.low)
        return f"{text} That lies {between(gain)}{luck}."
    return f"{text} Its {_closed(lower_first(estimate.title))} lies {between(limits)}{luck}."


def _no_better(estimate: Estimate) -> str:
    """Say that a trivial rule may do as well, where it may."""
    advantage = estimate.advantage
    if advantage is None or advantage.standing in {"better", "unknown"}:
        return ""
    how = "no better" if advantage.difference <= 0 else "not clearly better"
    return f", {how} than the best trivial rule ({advantage.rule.words})"


def _closed(name: str) -> str:
    """Close what a comma opens: accuracy, all classes, ..."""
    return f"{name}," if "," in re.sub(r"\(.*?\)", "", name) else name
