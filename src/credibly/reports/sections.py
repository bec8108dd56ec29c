"""The sections of a report: each a declared function from the context to blocks, in the order of this file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly import __version__
from credibly._core.text import count, interval_text, lower_first, number_text, percent, pvalue_text
from credibly.calibration import calibration
from credibly.comparisons import comparisons
from credibly.comparisons._declare import bare_name
from credibly.comparisons.best_of import METHOD_TITLES, affordable_best_of
from credibly.comparisons.result import TestResult
from credibly.curves import curve, curves
from credibly.decisions import decision_rules
from credibly.errors import ParameterError
from credibly.evaluation._declare import estimators
from credibly.measures import measures as all_measures
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct, shorten
from credibly.reports.document import (
    Code,
    Findings,
    Grid,
    Paragraph,
    Picture,
    Section,
    Sections,
    definition_of,
)
from credibly.results.estimate import Estimate
from credibly.results.figure import Figure
from credibly.results.formats import table_of
from credibly.results.plot import plot, shows
from credibly.results.table import Table

if TYPE_CHECKING:
    from credibly.reports.context import ReportContext
    from credibly.reports.document import Block

CURVE_KINDS = ("roc", "precision_recall", "gains", "cost", "net_benefit")
MAX_CURVES = 6
MAX_PICTURED = 4  # models with pictures of their own
MIN_CASES = 20
OPERATES = "Where it operates"  # the section that draws every model
DEFAULT_THRESHOLD = 0.5  # the probability from which on labels are positive by default
MAX_SIDE_BY_SIDE = 4


section: Sections[ReportContext] = Sections()


def sections_of(m: ReportContext, left: Collection[str] = ()) -> tuple[Section, ...]:
    """Return the sections that have something to say, what to doubt first; others than those that are left out."""
    made = section.of(m, left)
    doubts = Section("What to doubt", (Findings(m.findings()),))  # known when all else is done
    return (doubts, *made)


@section("What it costs")
def what_it_costs(m: ReportContext) -> Iterator[Block]:
    """Yield the costs of each model's decisions, and their saving against the best constant label."""
    decision = m.decision
    if decision is None:
        return
    decided = {"the model" if d.model is None else str(d.model): d for d in decision.decisions}
    names = [name for name in m.models if name in decided] or list(decided)
    of_model = {
        name: [e for e in decision.table.estimates if e.keys.get("model") == decided[name].model]
        for name in names
    }
    kinds = [str(e.keys.get("estimate", "")) for e in of_model[names[0]]]
    other = [f", {lower_first(estimators[k].title)}" if k != kinds[0] else "" for k in kinds]
    rows = {
        e.title + text: [each[i] for each in of_model.values()]
        for i, (e, text) in enumerate(zip(of_model[names[0]], other, strict=True))
    }
    from_on = [decided[name].threshold for name in names]
    lines = [("Positive from", [number_text(t) if t is not None else "-" for t in from_on], "")]
    rule = decision_rules.parse(decision.decisions[0].rule)
    text = f"Decisions by the rule: {lower_first(rule.title)}"
    text += f"; {lower_first(estimators[kinds[0]].title)}" if kinds[0] else ""
    yield _side_by_side(text, names, lines + _lines(rows))
    if text := decision.table.all.intervals_text():
        yield Paragraph(text)
    if len(names) > 1 and m.cost_leads:
        yield from map(Picture, m.figures([lambda: _estimates_picture(m, "average_cost")]))


@section("How well it does")
def how_well(m: ReportContext) -> Iterator[Block]:
    """Yield the table of estimates, how their intervals were made, and a picture of the main measure."""
    first = next(iter(m.models))
    kinds = [str(e.keys.get("estimate", "")) for e in m.estimates(m.main, first)]
    for place, kind in enumerate(kinds):
        caption = _caption(kind, m.confidence_level) + _labels_said(m)
        yield _estimates(m, place, caption, folded=place > 0)
        if place == 0:
            yield Paragraph(_shown(m, place).intervals_text())
            if len(m.models) > 1:
                yield from map(
                    Picture, m.figures([lambda: _estimates_picture(m, m.main.of_any_average.call)])
                )
                yield from _choice(m)
            yield from _other_scores(m)


def _choice(m: ReportContext) -> Iterator[Block]:
    """Yield what the best model is worth allowing for the choice, where cases chose it by the main measure."""
    best = None if m.cost_leads else affordable_best_of(m.models, m.main, m.confidence_level)
    if best is not None:
        pooled = ", all folds pooled" if m.predictions.fold is not None else ""
        yield Paragraph(
            f"{best.meaning()} (Best of {len(best)} by {METHOD_TITLES[best.method]}{pooled}.)"
        )


def _shown(m: ReportContext, place: int) -> Table:
    """Return one kind of estimate of everything shown; it stands alone, so none is marked."""
    chosen = (m.estimates(each, name)[place] for each in m.shown for name in m.models)
    alone = tuple(replace(e, is_headline=None) for e in chosen)
    return replace(m.table, estimates=alone, first_look=())


def _estimates_picture(m: ReportContext, measure: str) -> Figure:
    """Draw the estimate that stands for each model."""
    from credibly.evaluation.plots import estimates

    led = m.cost_leads and measure == "average_cost"
    first = [m.leading(name) if led else m.estimate(m.main, name) for name in m.models]
    alone = (replace(e, keys={"model": e.keys["model"]}) for e in first)
    return estimates(replace(m.table, estimates=tuple(alone)), measure=measure)


def _caption(kind: str, level: float) -> str:
    text = f"Estimates with {percent(level)} intervals"
    return f"{text}: {lower_first(estimators[kind].title)}" if kind else text


def _labels_said(m: ReportContext) -> str:
    """Say that tables are about labels as predicted where the costs ask for other ones."""
    p = m.predictions
    if m.decision is None or p.label is None:
        return ""
    s, place = p.probability, p.positive
    if s is None or place is None:
        return "; labels as predicted, not by the costs"
    s = s if s.ndim == 1 else s[:, place]
    usual = bool((((s >= DEFAULT_THRESHOLD) == (p.label == place)) | ~np.isfinite(s)).all())
    return f"; labels as predicted{f', positive from {DEFAULT_THRESHOLD}' if usual else ''}, not by the costs"


def _estimates(m: ReportContext, place: int, caption: str, *, folded: bool) -> Grid:
    """Lay out one kind of estimate."""
    names = list(m.models)
    each = ([m.estimates(shown, name)[place] for name in names] for shown in m.shown)
    rows = {_title(m, row[0]): row for row in each}
    return _side_by_side(caption, names, _lines(rows), folded=folded)


Line = tuple[str, list[str], str]  # a title, what stands below each model, the best trivial rule


def _lines(rows: dict[str, list[Estimate]]) -> list[Line]:
    return [
        (title, [interval_text(e.value, e.interval) for e in row], row[0].rule_text)
        for title, row in rows.items()
    ]


def _side_by_side(
    caption: str, names: list[str], lines: list[Line], *, folded: bool = False
) -> Grid:
    """Lay out what is known of models: few side by side, many below each other."""
    rules = ["best trivial rule"] if any(trivial for *_, trivial in lines) else []
    if len(names) <= MAX_SIDE_BY_SIDE:
        heads = names if len(names) > 1 else ["value"]
        body = [(title, *cells, *([trivial] if rules else [])) for title, cells, trivial in lines]
        return Grid(caption, ("measure", *heads, *rules), tuple(body), folded)
    columns = zip(*(cells for _, cells, _ in lines), strict=True)
    below = [(name, *column) for name, column in zip(names, columns, strict=True)]
    below += [(rule, *(trivial for *_, trivial in lines)) for rule in rules]
    return Grid(caption, ("model", *(title for title, *_ in lines)), tuple(below), folded)


def _title(m: ReportContext, e: Estimate) -> str:
    """Name a row, so that costs of predicted labels differ in name from costs of decisions."""
    return (
        f"{e.name}, labels as predicted" if m.decision and e.measure == "average_cost" else e.name
    )


def _other_scores(m: ReportContext) -> Iterator[Grid]:
    """Yield the other scores of cases that have several."""
    names = list(m.models)
    rows: dict[str, dict[str, Estimate]] = {}
    for e in () if m.others is None else m.others.estimates:
        rows.setdefault(e.title, {})[str(e.keys.get("model", names[0]))] = e
    if rows:
        each = {title: [found[name] for name in names] for title, found in rows.items()}
        yield _side_by_side("Other scores of the same cases", names, _lines(each))


@section("In detail")
def in_detail(m: ReportContext) -> Iterator[Block]:
    """Yield what else there is to see of this kind of prediction: tables and pictures."""
    for title, result in m.details():
        for caption, header, body in result.blocks():
            yield Grid.of(caption or title, (header, body))
        if shows(result):
            yield from map(Picture, m.figures([partial(plot, result)]))


@section("Is one really better")
def is_one_better(m: ReportContext) -> Iterator[Block]:
    """Yield the difference of every two models with its interval."""
    found = m.compared
    if found is None:
        return
    cells = found.cells()
    if isinstance(found, TestResult):
        cells = table_of(
            [found],
            {
                "models": lambda r: " - ".join(r.names),
                "difference": lambda r: number_text(r.difference, r.confidence_interval),
                "interval": lambda r: interval_text(None, r.confidence_interval),
                "p-value": lambda r: pvalue_text(r.pvalue),
            },
        )
    first = found.results[0]
    title = first.measure_title or all_measures[bare_name(first.measure)].title
    text = f"{title}: differences by {lower_first(first.title)}"
    text += f", {len(found.results)} pairs, first minus second" if len(found.results) > 1 else ""
    yield Grid.of(text, cells)
    yield from map(Paragraph, map(str, found.remarks()))
    why = first.why
    if why:
        yield Paragraph(f"This test was chosen because {why}.")
    from credibly.comparisons.plots import differences

    yield from map(Picture, m.figures([lambda: differences(found)]))


@section(OPERATES)
def where_it_operates(m: ReportContext) -> Iterator[Block]:
    """Yield curves of the best models, and calibration and errors of each."""
    from credibly.predictions.plots import prediction_against_truth, residuals

    if m.predictions.task == "numeric":
        makers = [partial(f, m.context.known) for f in (prediction_against_truth, residuals)]
        yield from map(Picture, m.figures(makers))
        return
    predictions = _best(m, MAX_CURVES)
    scored = m.predictions.score is not None or m.predictions.probability is not None
    if scored and m.predictions.has_positive:
        yield from map(Picture, m.figures(partial(_curve, m, predictions, k) for k in _curves(m)))
    drawn = dict(list(m.models.items())[:MAX_PICTURED])
    for makers_of in (_probable, _confusion):
        for name, part in drawn.items():
            for figure in m.figures(makers_of(m, name, part)):
                yield Picture(
                    _named(figure, name, len(m.models)), name if len(m.models) > 1 else ""
                )
    if len(m.models) > MAX_PICTURED:
        yield Paragraph(
            f"Curves are those of the best {min(len(m.models), MAX_CURVES)} of {len(m.models)} "
            f"models, calibration and confusion matrices those of the best {MAX_PICTURED}."
        )


def _probable(m: ReportContext, _: str, part: Predictions) -> list[Callable[[], Figure]]:
    """Return what draws probabilities: whether they hold, or how they separate each class."""
    if part.probability is None:
        return []
    return [partial(_calibrated, m, part) if part.has_positive else partial(_by_class, part)]


def _confusion(m: ReportContext, name: str, part: Predictions) -> list[Callable[[], Figure]]:
    """Return what draws the table of truth against label: by the costs where there are some."""
    from credibly.decisions.plots import confusion_matrix

    decision = m.decision
    decided = {} if decision is None else {str(d.model or name): d for d in decision.decisions}
    if (found := decided.get(name)) is None:
        return [partial(confusion_matrix, part)] if part.label is not None else []
    cut = "" if found.threshold is None else f": positive from {number_text(found.threshold)}"

    def by_costs() -> Figure:
        drawn = confusion_matrix(decision, model=found.model)
        return replace(drawn, subtitle=f"labels by the costs{cut}")

    return [by_costs]


def _curves(m: ReportContext) -> list[str]:
    return [k for k in CURVE_KINDS if k != "net_benefit" or m.predictions.probability is not None]


def _best(m: ReportContext, most: int) -> Predictions:
    """Return the rows of the best models, in the order of the file: each has the colour that the page gives it."""
    p = m.context.known
    if p.model is None or len(m.models) <= most:
        return p
    names, kept = distinct(p.model), list(m.models)[:most]
    return p.take(np.flatnonzero(np.isin([*map(str, names.values)], kept)[names.codes]))


def _curve(m: ReportContext, p: Predictions, kind: str) -> Figure:
    return plot(curve(kind, p, prevalence=m.prevalence))


def _by_class(part: Predictions) -> Figure:
    """Draw the ROC curve of each class against the rest."""
    return plot(curve(part, "roc", by="occurring_class"))


def _calibrated(m: ReportContext, part: Predictions) -> Figure:
    if part.cases < MIN_CASES:
        raise ParameterError(
            f"A calibration plot needs at least {MIN_CASES} cases; there are {part.cases:g}."
        )
    return plot(calibration(part, confidence_level=m.confidence_level))


def _named(figure: Figure, model: str, models: int) -> Figure:
    return replace(figure, title=f"{figure.title}: {model}") if models > 1 else figure


@section("Where it is worse")
def where_it_is_worse(m: ReportContext) -> Iterator[Block]:
    """Yield the slices by any column that are worst against the rest."""
    result = m.sliced
    if result is None:
        return
    yield Paragraph(result.meaning())
    for title, header, body in result.blocks():
        yield Grid.of(title or result.heading(), (header, body))
    yield from map(Paragraph, result.remarks())
    yield from map(Picture, m.figures([lambda: plot(result)]))


@section("How it depends on the training set")
def how_it_depends(m: ReportContext) -> Iterator[Block]:
    """Yield what the loss is made of, where rows were predicted by many training sets."""
    decomposition = m.decomposed
    if decomposition is None:
        return
    yield Grid.of(decomposition.table.heading, decomposition.table.cells())
    yield Paragraph(
        f"{decomposition.decomposition.identity}. {decomposition.table.intervals_text()}"
    )
    if len(decomposition.settings) <= MAX_PICTURED:
        yield from map(Picture, m.figures([lambda: plot(decomposition)]))


@section("What it rests on")
def what_it_rests_on(m: ReportContext) -> Iterator[Block]:
    """Yield what was evaluated and how, and the answers of all checks."""
    yield Grid("What was evaluated", ("", ""), tuple(facts(m)))
    caption = m.checklist.meaning().rstrip(".")
    yield Grid.of(caption, m.checklist.cells(), folded=True)


def facts(m: ReportContext) -> Iterator[tuple[str, str]]:
    """Yield what a reader needs to know of the predictions, by name."""
    p = m.predictions
    models = "1 model" if len(m.models) == 1 else f"{len(m.models)} models"
    size = count(p.cases, "case") if p.design.counted else f"{p.n:,} rows"
    held = ", ".join(p.provides) if m.evidence is None else f"scores of {m.evidence.heading}"
    yield "predictions", f"{size}, {models}, {held}"
    if p.task == "classification":
        positive = "" if p.positive is None else f"; positive: {p.classes[p.positive]}"
        yield "classes", shorten(p.classes, 20) + positive
    for name in ("repeat", "fold", "group"):
        column = getattr(p, name)
        if column is not None:
            apart = name == "repeat" and p.design.independent
            own = ", each a data set of its own" if apart else ""
            yield f"{name}s", f"{len(distinct(column).values):,}{own}"
    if p.design.in_time:
        yield "order", "by time: models of older cases judge newer ones"
    elif p.time is not None:
        yield "order", f"by time: {len(distinct(p.time).values):,} moments"
    if p.given_kind != "none":
        yield "weights", p.given_kind
    provenance = p.provenance
    if provenance is not None:
        yield "resampling", provenance.resampling
        yield "seed", "none" if provenance.seed is None else str(provenance.seed)
        yield "fingerprints", f"splits {provenance.splits}, data {provenance.data}"
        yield "versions", ", ".join(f"{k} {v}" for k, v in provenance.versions.items())
        yield "seconds", ", ".join(f"{k} {v:.2g}" for k, v in provenance.seconds.items())
        for model, folds in provenance.chosen.items():
            times = Counter(folds.values()).most_common()
            text = "; ".join(f"{chosen} in {n}" for chosen, n in times)
            yield f"chosen by {model}", f"{text} of {count(len(folds), 'fit')}"
        if provenance.failed:
            yield "failed fits", f"{len(provenance.failed)} of {len(provenance.fits)}"
    yield "fingerprint", p.fingerprint
    yield "made by", f"credibly {__version__}"


@section("What the numbers mean")
def what_numbers_mean(m: ReportContext) -> Iterator[Block]:
    """Yield the definition and the reference of everything shown."""
    scores = [] if m.evidence is None else m.evidence.defined()
    yield from map(definition_of, scores or m.shown)
    named = [e.keys["estimate"] for e in m.table.estimates if "estimate" in e.keys]
    entries: list[Any] = [estimators[str(name)] for name in dict.fromkeys(named)]
    if m.predictions.task == "classification" and m.predictions.has_positive:
        scored = m.predictions.score is not None or m.predictions.probability is not None
        entries += [curves[k] for k in _curves(m)] if scored else []
    if m.compared is not None:
        entries.append(comparisons[m.compared.results[0].test])
    if m.decomposed is not None:
        entries.append(m.decomposed.decomposition)
    if m.decision is not None:
        entries.append(decision_rules.parse(m.decision.decisions[0].rule))
    yield from map(definition_of, entries)


@section("Make it again")
def make_it_again(m: ReportContext) -> Iterator[Block]:
    """Yield the command, or the call, that makes this report."""
    if m.command:
        yield Code(m.command)
