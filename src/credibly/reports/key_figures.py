"""The figures at the top of a report: how well, against what, on how much, and how far to trust it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, get_args

from credibly._core.findings import Severity
from credibly._core.text import count, interval_text, lower_first, number_text, p_is, percent
from credibly.decisions import decision_rules
from credibly.errors import listed
from credibly.evaluation.trivial_rules import baselines
from credibly.reports.document import KeyFigure, Tone
from credibly.reports.words import Lead, lead
from credibly.results.estimate import Advantage, Estimate, Standing, TrivialRule
from credibly.results.interval import ABOUT_ONE_MODEL

if TYPE_CHECKING:
    from credibly._core.findings import Finding
    from credibly.predictions import Predictions
    from credibly.reports.context import ReportContext

MAX_NAMED_CLASSES = 5


class Verdict(NamedTuple):
    """Whether the model is useful, the reason, and whether the reason favours the model."""

    said: str
    why: str = ""
    tone: Tone = ""


VERDICT_LABELS: dict[Standing, tuple[str, Tone]] = {
    "better": ("Better than a trivial rule", "good"),
    "worse": ("Worse than a trivial rule", "bad"),
    "not shown": ("Not shown to be better than a trivial rule", "doubtful"),
}


def verdict(found: Advantage | None, limits: str = "The interval") -> Verdict:
    """Say whether an estimate is better than a rule that learned nothing, and what that rests on.

    >>> from credibly import Predictions, evaluate
    >>> p = Predictions.of([1, 0] * 40, label=[1, 0] * 40, score=[1, 0] * 40)
    >>> verdict(evaluate(p, "accuracy")["accuracy"].advantage)
    Verdict(said='Better than a trivial rule', why='On the same cases the difference is 0.5, p below 0.001', tone='good')
    >>> verdict(evaluate(p, "auc")["auc"].advantage)
    Verdict(said='Better than a trivial rule', why='The interval does not hold 0.5', tone='good')
    """
    if found is None:
        return Verdict("Nothing to compare with")
    if found.standing == "unknown":
        better = "Ahead of" if found.difference > 0 else "No better than"
        return Verdict(f"{better} a trivial rule", "There is no interval", "doubtful")
    text, tone = VERDICT_LABELS[found.standing]
    if found.pvalue is not None:
        gap = number_text(found.difference)
        return Verdict(
            text, f"On the same cases the difference is {gap}, {p_is(found.pvalue)}", tone
        )
    holds = "holds" if found.standing == "not shown" else "does not hold"
    return Verdict(text, f"{limits} {holds} {number_text(found.rule.value)}", tone)


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
        yield KeyFigure("Best trivial rule", number_text(rule.value), _described(rule))
    gain = _gain(m, e) if m.cost_leads else None
    found = verdict(e.advantage)
    if gain is not None:
        saved = Advantage.by_limits(TrivialRule("none", 0.0), gain.value, gain.interval)
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
