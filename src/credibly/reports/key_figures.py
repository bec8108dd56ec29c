"""The figures at the top of a report: how well, against what, on how much, and how far to trust it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, get_args

from credibly._core.findings import Severity
from credibly._core.layout import Printed
from credibly._core.text import count, interval_text, lower_first, number_text, p_is, percent
from credibly.decisions import decision_rules
from credibly.errors import listed
from credibly.evaluation.trivial_rules import baselines
from credibly.reports.document import KeyFigure, Tone
from credibly.results.about import ABOUT_ONE_MODEL
from credibly.results.estimate import Advantage, Estimate, Standing, TrivialRule
from credibly.results.interval import Interval

if TYPE_CHECKING:
    from credibly._core.findings import Finding
    from credibly.comparisons.result import Comparisons, TestResult
    from credibly.predictions import Predictions
    from credibly.reports.context import ReportContext


GROUP_SIZES = (2, 3, 4, 5, 10, 20, 100, 1000, 10_000, 100_000, 1_000_000)
# with which a word begins when it is said
VOWEL_SOUND = re.compile(r"(?!one\b)[aeioAEIO]|[FHLMNRSX][- ]")
POSSESSIVE = re.compile(r"\w+'s ")  # takes no article: Harrell's concordance
MAX_NAMED_CLASSES = 5
VERDICT_LABELS: dict[Standing, tuple[str, Tone]] = {
    "better": ("Better than a trivial rule", "good"),
    "worse": ("Worse than a trivial rule", "bad"),
    "not shown": ("Not shown to be better than a trivial rule", "doubtful"),
}


def in_words(share: float, beside: float | None = None) -> str:
    """Say a share as so many in so many; of two that stand beside each other, each in as many.

    >>> in_words(0.0032), in_words(0.25), in_words(0.94), in_words(0.0)
    ('about 3 in 1,000', 'about 1 in 4', 'about 94 in 100', 'none')
    >>> in_words(0.85, 0.8), in_words(0.8, 0.85)
    ('about 17 in 20', 'about 16 in 20')
    """
    if share <= 0:
        return "none"
    if share >= 1:
        return "all"
    both = {share, share if beside is None or not 0 < beside < 1 else beside}
    for size in GROUP_SIZES:
        near = {each: round(each * size) for each in both}
        if len({*near.values()}) == len(both) and all(_near(n / size, s) for s, n in near.items()):
            return f"about {near[share]:,} in {size:,}"
    return f"fewer than 1 in {GROUP_SIZES[-1]:,}"


def _near(rounded: float, share: float) -> bool:
    """Whether a rounded share is near enough: within a tenth of the smaller side, and neither none nor all."""
    return 0 < rounded < 1 and abs(rounded - share) <= 0.1 * min(share, 1 - share) + 1e-12


def between(limits: Interval | None) -> str:
    """Say an interval and how sure it is.

    >>> from credibly import Interval
    >>> between(Interval(0.912, 0.958, 0.95, "Wilson"))
    'between 0.9120 and 0.9580 (95 % interval)'
    """
    if limits is None:
        return ""
    low, high = interval_text(None, limits)[1:-1].split(", ")
    return f"between {low} and {high} ({percent(limits.confidence_level)} interval)"


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
    shown = number_text(value, limits)  # as in the figures and tables below
    subject = f"{best}, the best of {len(models)} models," if len(models) > 1 else best
    subject = "The model" if subject == "the model" else subject  # a name stays as it is written
    if math.isnan(value):
        return f"{estimate.title} of {best} is undefined here. The findings below say why."
    if decided:
        rule = estimate.rule
        does, sign = ("brings", -1) if value < 0 else ("costs", 1)  # less than nothing
        against = (
            rule and f", against {estimate.beside_text(sign * rule.value + 0.0)} for {rule.name}"
        )
        text = f"{subject} {does} {shown.removeprefix('-')} per case{against or ''}."
    elif estimate.measure in {"accuracy", "error_rate"}:
        right = value if estimate.measure == "accuracy" else 1 - value
        rule = estimate.rule
        theirs = rule and (rule.value if estimate.measure == "accuracy" else 1 - rule.value)
        worse = _no_better(estimate)
        told = in_words(right, None if worse else theirs)
        if rule and theirs is not None and not worse:
            worse = f"; the best trivial rule ({rule.words}), {in_words(theirs, right)}"
        text = f"{subject} labels {told} new cases correctly{worse}."
    else:
        way = {"higher": "higher is better", "lower": "lower is better"}.get(estimate.direction)
        name = lower_first(estimate.name)
        rule = estimate.rule
        best_rule = f"the best trivial rule ({rule.words})" if rule else ""
        against = f", against {estimate.rule_text} for {best_rule}" if rule else ""
        article = "an " if VOWEL_SOUND.match(name) else "" if POSSESSIVE.match(name) else "a "
        text = f"{subject} reaches {article}{_closed(name)} of {shown}{f' ({way})' if way else ''}{_no_better(estimate) or against}."
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


class Usefulness(NamedTuple):
    """Whether the model is useful, the reason, and whether the reason favours the model."""

    said: str
    why: str = ""
    tone: Tone = ""


def verdict(found: Advantage | None, limits: str = "The interval") -> Usefulness:
    """Say whether an estimate is better than a rule that learned nothing, and what that rests on.

    >>> from credibly import Predictions, evaluate
    >>> p = Predictions.of([1, 0] * 40, label=[1, 0] * 40, score=[1, 0] * 40)
    >>> verdict(evaluate(p, "accuracy")["accuracy"].advantage)
    Usefulness(said='Better than a trivial rule', why='On the same cases the difference is 0.5, p below 0.001', tone='good')
    >>> verdict(evaluate(p, "auc")["auc"].advantage)
    Usefulness(said='Better than a trivial rule', why='The interval does not contain 0.5', tone='good')
    """
    if found is None:
        return Usefulness("Nothing to compare with")
    if found.standing == "unknown":
        better = "Ahead of" if found.difference > 0 else "No better than"
        return Usefulness(f"{better} a trivial rule", "There is no interval", "doubtful")
    text, tone = VERDICT_LABELS[found.standing]
    if found.pvalue is not None:
        gap = number_text(found.difference)
        return Usefulness(
            text, f"On the same cases the difference is {gap}, {p_is(found.pvalue)}", tone
        )
    holds = "contains" if found.standing == "not shown" else "does not contain"
    return Usefulness(text, f"{limits} {holds} {number_text(found.rule.value)}", tone)


def key_figures(m: ReportContext, findings: tuple[Finding, ...]) -> Iterator[KeyFigure]:
    """Yield the figures that a reader needs first."""
    best = next(iter(m.models))
    e = m.leading(best)
    text = f", {best}" if len(m.models) > 1 else ""
    rules = [d.rule for d in m.decision.decisions] if m.cost_leads and m.decision else []
    by = "".join(f", by {lower_first(decision_rules.parse(r).title)}" for r in rules[:1])
    yield KeyFigure(f"{e.title}{text}", number_text(e.value, e.interval), f"{_limits(e)}{by}")
    rule = e.rule
    if rule is not None:
        yield KeyFigure("Best trivial rule", e.rule_text, _described(rule))
    gain = _gain(m, e) if m.cost_leads else None
    found = verdict(e.advantage)
    if gain is not None:
        saved = Advantage(TrivialRule("none", 0.0), gain.value, gain.interval)
        found = verdict(saved, "The interval of the saving")
    ahead = lead(list(m.models), m.compared)
    if m.predictions.task == "outcome":  # which no rule could have reached without looking
        yield from _of_lead(ahead)
    else:
        yield KeyFigure("Verdict", found.said, ahead.text if ahead else found.why, found.tone)
    yield _size(m.predictions, m.models[best])
    yield doubt_figure(findings)


def _gain(m: ReportContext, e: Estimate) -> Estimate | None:
    """Return what the decisions save on the same cases, which says more than two averages apart."""
    if m.decision is None:
        return None
    table = m.decision.table
    alike = (g for g in table.estimates if g.keys.get("model") == e.keys.get("model"))
    return next((g for g in alike if g.measure == table.margin and g.interval), None)


def _described(rule: TrivialRule) -> str:
    """Say what a rule does."""
    return baselines[rule.name].summary.rstrip(".") if rule.name in baselines else rule.name


def _limits(e: Estimate) -> str:
    if e.interval is None:
        return f"no interval: {e.why_no_interval}" if e.why_no_interval else ""
    level = f"{percent(e.interval.confidence_level)} interval"
    return f"{level} {interval_text(None, e.interval)}, about {ABOUT_ONE_MODEL[e.interval.about]}"


def _of_lead(ahead: Lead | None) -> Iterator[KeyFigure]:
    """Yield the verdict on the best of several models where there is nothing else to compare it with."""
    if ahead is not None:
        text = "Better than" if ahead.sure else "Not shown to be better than"
        tone: Tone = "good" if ahead.sure else "doubtful"
        yield KeyFigure(
            "Verdict", f"{text} {ahead.over}", f"Lead {ahead.size}, {ahead.chance}", tone
        )


def _size(p: Predictions, part: Predictions) -> KeyFigure:
    """Say how many cases there are, and of what."""
    if p.task != "classification":
        text = p.kind_of_outcome if p.task == "outcome" else "numbers are predicted"
        return KeyFigure("Cases", f"{part.cases:,.0f}", text)
    text = count(len(p.classes), "class")
    if p.positive is not None:
        share = float(part.weights[part.truth == p.positive].sum() / part.weights.sum())
        text += f"; positive: {p.classes[p.positive]} ({100 * share:.3g} %)"
    elif len(p.classes) <= MAX_NAMED_CLASSES:
        text += f": {listed(map(str, p.classes))}"
    return KeyFigure("Cases", f"{part.cases:,.0f}", text)


def doubt_figure(findings: Sequence[Finding]) -> KeyFigure:
    """Say how much there is to doubt."""
    number = Counter(f.severity for f in {f.code: f for f in reversed(findings)}.values())
    each = [count(number[s], s) for s in get_args(Severity) if number[s]]
    if not each:
        return KeyFigure("What to doubt", "Nothing found", "", "good", "what-to-doubt")
    tone: Tone = "bad" if number["problem"] else "doubtful" if number["caution"] else "good"
    return KeyFigure(
        "What to doubt",
        each[0],
        lower_first(listed(each[1:])) if each[1:] else "",
        tone,
        "what-to-doubt",
    )
