"""What to doubt about a value or its interval: findings that come with the numbers themselves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding, of_models
from credibly._core.text import count, lower_first, percent, some_rows
from credibly.errors import Argument, listed, says
from credibly.evaluation._declare import EstimateAnswer, estimators
from credibly.evaluation.bounds import bound_findings
from credibly.evaluation.findings import (
    AVERAGED,
    BEST_OF_MANY,
    EPOCHS,
    FEW_CARRY,
    FEW_CASES,
    FEW_LABELLED_POSITIVE,
    FEW_REPLICATES,
    HEAVY_TAILS,
    MANY_SLICES,
    NOT_AVERAGED,
    NOT_DRAWN,
    ONE_CLASS,
    OTHER_CLASS,
)
from credibly.evaluation.fold_estimators import has_samples, leaves_one_out
from credibly.evaluation.many_attributes import choices_change, many_attributes
from credibly.intervals._declare import MIN_CLASS_CASES, EstimateRequest, interval_methods
from credibly.intervals.left_out import leaves_out
from credibly.intervals.long_run import long_memory
from credibly.intervals.quantiles import two_sided
from credibly.intervals.shares import ShareMethod
from credibly.measures import Measure
from credibly.measures._causes import out_of_scale, underflows, why_not_finite
from credibly.measures.findings import INFINITE_LOSS
from credibly.measures.probability import log_loss
from credibly.predictions import Predictions
from credibly.predictions.caveats import caveats, left_out
from credibly.predictions.findings import POOLED_FOLDS
from credibly.predictions.labels import as_they_come, distinct
from credibly.predictions.parts import all_rows, cluster_count
from credibly.predictions.summaries import BinaryCounts, Counts
from credibly.predictions.summaries.linear import occurring
from credibly.results.interval import Interval

MAX_SHOWN = 5
BOOTSTRAP_DEFAULTS = {"replicates": 2000, "device": "cpu"}  # of evaluate
FEW_FOUND = 0.2  # labelled positive for each positive case
MIN_DEGREES_OF_FREEDOM = 4  # of freedom, below which a limit is 1.4 times as far and more
# Of freedom by which losses show a heavy tail: 3 % of samples of normal errors have fewer.
HEAVY_TAIL_DEGREES = 8
HEAVY_TAIL_CASES = 100  # of which a few carry the error only where tails are heavy
FEW_GROUPS = 10  # up to which all of them carry the error, whichever differ
MAX_MODELS = 3  # that may be shown without a word about choosing among them
MIN_BEYOND = 5  # replicates that should lie beyond either limit


def estimate_findings(
    q: EstimateRequest, answer: EstimateAnswer, bound: float | None, keys: dict[str, Any]
) -> tuple[Finding, ...]:
    """Return what is to be doubted about one value and its interval."""
    m, p, limits, findings = q.measure, q.predictions, answer.interval, answer.findings
    if not findings:
        findings = value_findings(m, p, answer.value, keys, q.average)
    if limits is not None and p.class_counts.min(initial=MIN_CLASS_CASES) < MIN_CLASS_CASES:
        findings += interval_findings(p, limits, keys, q.interval)
    elif limits is not None:  # of enough cases
        findings += _heavy_tails(m, p, limits, keys) or freedom_findings(
            m.title, limits, keys, _few(m, p), groups=_groups(p)
        )
    findings += order_findings(m, p, limits, keys)
    if bound:
        findings += bound_findings(m.title, bound)
    if limits is not None and limits.dependence is not None:
        findings += long_memory(f"{m.title}{_where(keys)}", limits.dependence)
    return findings + epoch_findings(m, p, keys) if p.design.repeats == "asked_again" else findings


def table_findings(
    p: Predictions,
    measures: Sequence[Measure],
    average: str | None,
    settings: Mapping[str, Any],
    *,
    named: bool,
) -> list[Finding]:
    """Return what is to be doubted about all estimates of these cases, and about what was asked for."""
    found = [*one_class(p), *many_models(p), *few_labelled_positive(p, measures)]
    found += () if named else surely_wrong(p)
    if redraws(settings["interval"]):
        found += replicate_findings(settings["replicates"], settings["confidence_level"])
    else:
        found += not_drawn(settings)
    return found if average is None else found + average_findings(measures, average, p, named=named)


def surely_wrong(p: Predictions) -> list[Finding]:
    """Name the cases that cost infinitely much by log loss, which a first screen may not show, before other losses do.

    >>> p = Predictions.of([1, 0, 1], probability=[0.0, 0.2, 0.7])
    >>> print(*surely_wrong(p))
    problem: Log loss (nats) is infinite: 1 case costs infinitely much (row 0, counted from 0). ...
    """
    if p.probability is None:
        return []
    parts = p.groups(["model"] if len(p.model_names) > 1 else [])
    return [
        _infinite_loss(log_loss, part, rows, _where(keys))
        for keys, part in parts
        if part.probability is not None and (rows := _endless(log_loss, part)).size
    ]


def redraws(method: str) -> bool:
    """Whether an interval redraws cases, for which it needs a seed."""
    return method not in {"auto", "none"} and interval_methods[method].random


def replicate_findings(replicates: int, confidence_level: float) -> list[Finding]:
    """Say when a bootstrap has too few replicates for its limits to be more than chance."""
    needed = math.ceil(round(2 * MIN_BEYOND / (1 - confidence_level), 6))
    if replicates >= needed:
        return []
    return [
        FEW_REPLICATES(
            replicates=count(replicates, "replicate"),
            beyond=MIN_BEYOND,
            level=100 * confidence_level,
            needed=needed,
        )
    ]


def not_drawn(settings: Mapping[str, Any]) -> list[Finding]:
    """Say of what is for a bootstrap alone that none was drawn."""
    found = []
    for name, usual in BOOTSTRAP_DEFAULTS.items():
        value = settings[name]
        if isinstance(value, type(usual)) and value != usual:
            found.append(NOT_DRAWN(argument=Argument(name, value)))
    return found


def row_findings(p: Predictions, columns: Sequence[str], *, pooled: bool) -> list[Finding]:
    """Return what holds of every number made from these rows, sliced by some columns."""
    by_part = "part" in columns
    findings = caveats(all_rows(p) if by_part else p, columns)
    told = pooled and not leaves_one_out(p)  # whose intervals are about learning again
    kept = [f for f in findings if told or f.code != POOLED_FOLDS.code]
    all_read = {"repeat", "fold"}.isdisjoint(columns) and has_samples(p)
    if "fold" not in columns:
        kept += many_attributes(p) + choices_change(p)
    return kept if by_part or all_read else kept + left_out(p)


def slice_findings(slices: int, level: float) -> list[Finding]:
    """Intervals of many slices miss somewhere: say how often, and which level holds for all."""
    if slices < 2:
        return []
    share = (1 - level) / slices
    digits = 1 - math.floor(math.log10(share))
    everywhere = 1 - math.floor(share * 10**digits) / 10**digits  # rounded to the safe side
    number, theirs = slices * (1 - level), f"their {percent(level)} intervals of a measure"
    missed = (
        f"about {number:.2g} of {theirs} miss by chance"
        if number >= 1
        else f"the chance that one of {theirs} misses is up to {100 * number:.2g} %"
    )
    return [MANY_SLICES(slices=slices, missed=missed, everywhere=round(everywhere, digits))]


def many_models(p: Predictions) -> list[Finding]:
    """Say that the best of many models is flattered by the cases that choose it."""
    models = len(p.model_names)
    return [BEST_OF_MANY(models=models)] if models > MAX_MODELS else []


def one_class(p: Predictions) -> list[Finding]:
    """Say what cannot be known where the truth is the same class in all cases."""
    if p.task != "classification" or len(p.classes) < 2:
        return []
    there = [c for c, occurs in zip(p.classes, occurring(p), strict=True) if occurs]
    if len(there) != 1:
        return []
    others = [repr(c) for c in p.classes if c != there[0]]
    text = listed(others, "or", most=MAX_SHOWN)
    cases = "The only case is" if p.cases == 1 else f"All {count(p.cases, 'case')} are"
    return [ONE_CLASS(cases=cases, there=repr(there[0]), others=text)]


def few_labelled_positive(p: Predictions, measures: Iterable[Measure]) -> tuple[Finding, ...]:
    """Say of which models the labels find hardly any positive case, so that they hide how well scores rank.

    >>> from credibly.measures import error_rate
    >>> p = Predictions.of([1, 0] * 20, {"tree": [0.6, 0.4] * 20, "rule": [0.4, 0.2] * 20})
    >>> print(*few_labelled_positive(p, [error_rate]))
    caution: Model rule: The labels call 0 of 40 cases positive, where 20 are: ...
    """
    of_labels = any(m.reads in {Counts, BinaryCounts} for m in measures)
    scored = p.score is not None or p.probability is not None
    if p.label is None or p.positive is None or not (of_labels and scored):
        return ()
    models = as_they_come(distinct(np.broadcast_to(0, p.n) if p.model is None else p.model))
    stands_for = p.weights if p.weight_kind == "frequency" else 1.0 * (p.weights > 0)
    positive = (stands_for * (column == p.positive) for column in (p.truth, p.label))
    counted = [np.bincount(models.codes, each) for each in (*positive, stands_for)]
    what = "prediction" if p.repeat is not None else "case"
    found = {
        str(name): [FEW_LABELLED_POSITIVE(labelled=labelled, cases=count(n, what), actual=actual)]
        if actual >= MIN_CLASS_CASES and labelled < FEW_FOUND * actual
        else []
        for name, actual, labelled, n in zip(
            models.values, *np.array(counted).tolist(), strict=True
        )
    }
    return of_models(found)


def average_findings(
    measures: Iterable[Measure], average: str, p: Predictions, *, named: bool
) -> list[Finding]:
    """Say what an average that was asked for makes of measures that are about all classes."""
    titles = [m.title for m in measures if not m.class_wise]
    if not titles or len(p.classes) <= 2:
        return []
    if not named:
        return [NOT_AVERAGED(average=average)]
    return [AVERAGED(measures=f"{', '.join(titles)} {'is' if len(titles) == 1 else 'are'}")]


def _where(keys: dict[str, Any]) -> str:
    """Say which slice a finding is about, and which estimate by its title."""
    kind = keys.get("estimate")
    text = f" ({lower_first(estimators[kind].title)})" if kind else ""
    return "".join(f" for {k} {v!r}" for k, v in keys.items() if k != "estimate") + text


def interval_findings(
    p: Predictions, limits: Interval, keys: dict[str, Any], asked: str
) -> tuple[Finding, ...]:
    """Name the classes that have too few cases for an interval that rests on large samples."""
    sizes = p.class_counts.astype(np.int64)
    alone = (sizes > 0).sum() == 1  # which is a finding of its own
    counted = zip(p.classes, sizes.tolist(), strict=True)
    few = [f"{c!r} ({n})" for c, n in counted if n < MIN_CLASS_CASES and (n or not alone)]
    method = None if asked == "auto" else interval_methods[asked]
    serves = limits.share_of is not None
    if isinstance(method, ShareMethod):
        serves = method.proportion.few
    if not few or serves:
        return ()
    classes = listed(few, most=MAX_SHOWN)
    return (FEW_CASES(least=MIN_CLASS_CASES, classes=classes, where=_where(keys)),)


def freedom_findings(
    title: str,
    limits: Interval,
    keys: dict[str, Any],
    few: float = MIN_DEGREES_OF_FREEDOM,
    *,
    groups: int = 0,
) -> tuple[Finding, ...]:
    """Say why an interval is wide, where its standard error is itself hardly known.

    >>> limits = Interval(0.8, 0.99, 0.95, "t", degrees_of_freedom=2.7)
    >>> [f.message[-64:] for f in freedom_findings("AUC", limits, {})]
    ['so its interval is 1.7 times as wide as if the error were known.']
    """
    freedom = limits.degrees_of_freedom
    if not freedom < few:
        return ()
    level = limits.confidence_level
    times = two_sided(level, freedom) / two_sided(level, math.inf)
    what, remedy = "a few cases or folds that differ from the rest", "More cases make it narrower."
    if groups:
        what = f"only {groups} groups" if groups <= FEW_GROUPS else f"a few of {groups:,} groups"
        remedy = "More groups make it narrower; more cases of the same groups hardly do."
    told = {"measure": lower_first(title), "where": _where(keys), "what": what, "remedy": remedy}
    return (FEW_CARRY(**told, freedom=freedom, times=times),)


def _groups(p: Predictions) -> int:
    """Return how many groups cases come in; none where what is independent has another name."""
    if p.group is None or p.clusters is None or p.in_time:
        return 0
    return cluster_count(p)


def _few(m: Measure, p: Predictions) -> float:
    """Return below how many degrees of freedom a few cases carry the error: those of other ratios are halved already."""
    whole = m.power is not None or (m.nonlinear and p.fold is None and leaves_out(m, p))
    return HEAVY_TAIL_DEGREES if whole else MIN_DEGREES_OF_FREEDOM


def _heavy_tails(
    m: Measure, p: Predictions, limits: Interval, keys: dict[str, Any]
) -> tuple[Finding, ...]:
    """Say that losses have tails so heavy that even many cases do not show how a value open to one side varies."""
    freedom = limits.degrees_of_freedom
    if not (m.open_to_one_side and p.cases >= HEAVY_TAIL_CASES and p.clusters is None):
        return ()
    if not freedom < _few(m, p):
        return ()
    return (HEAVY_TAILS(measure=m.title, where=_where(keys), n=p.cases, freedom=freedom),)


def order_findings(
    m: Measure, p: Predictions, limits: Interval | None, keys: dict[str, Any]
) -> tuple[Finding, ...]:
    """Say where a ranking of two classes is worse than chance by more than its interval: rarely meant."""
    if limits is None or m.chance is None or not m.of_order or p.positive is None:
        return ()
    if len(p.classes) != 2 or "class" in keys or not limits.high < m.chance:
        return ()
    other, positive = p.classes[1 - p.positive], p.classes[p.positive]
    kept = {k: v for k, v in keys.items() if k != "estimate"}
    return (OTHER_CLASS(other=other, positive=positive, where=_where(kept)),)


def value_findings(
    m: Measure, p: Predictions, value: float, keys: dict[str, Any], average: str | None
) -> tuple[Finding, ...]:
    """Return why a value is undefined or infinite, or 0 although there are errors."""
    if math.isfinite(value):
        if m.task != "numeric" or not underflows(m, p, value):
            return ()
        lost = out_of_scale(p)
        return (lost.kind(what=f"{m.title} is not known{_where(keys)}", why=lost.text),)
    where = _where(keys)
    if math.isinf(value) and (rows := _endless(m, p)).size:
        return (_infinite_loss(m, p, rows, where),)
    state = "undefined" if math.isnan(value) else "infinite"
    return tuple(
        cause.kind(
            what=f"{m.title} is {state}{where}{_classes(classes)}",
            why=cause.text,
            action=_without_empty(p, keys, average, classes),
        )
        for cause, classes in why_not_finite(m, p, average).items()  # type: ignore[arg-type]
    )


def _without_empty(
    p: Predictions, keys: dict[str, Any], average: str | None, classes: list[object]
) -> str:
    """Say how to go without the classes that have no cases, where the reason lies in these alone."""
    there = (
        {c for c, some in zip(p.classes, occurring(p), strict=True) if some} if p.classes else set()
    )
    if average == "macro" and classes and there.isdisjoint(classes):
        return says("Average over the classes that have cases with <average='macro_occurring'>.")
    if "class" in keys and keys["class"] not in there:
        return says("Leave out the classes without cases with <by='occurring_class'>.")
    return ""


def _endless(m: Measure, p: Predictions) -> NDArray[np.intp]:
    """Return the rows that cost infinitely much for a declared reason, not for the size of numbers."""
    if not m.infinite_reasons:
        return np.zeros(0, np.intp)
    known = p.scored()
    rows = np.flatnonzero(np.isinf(m.losses(known)).any(axis=1) & (known.weights > 0))
    if known is not p:  # rows are those of all cases, also where some have no prediction
        rows = np.flatnonzero(~p.gaps)[rows]
    predictions = p.take(rows)
    return rows[
        np.any([reason.cases(predictions) for reason in m.infinite_reasons if reason.cases], axis=0)
    ]


def _infinite_loss(m: Measure, p: Predictions, rows: NDArray[np.intp], where: str) -> Finding:
    """Name the cases that cost infinitely much, and say why."""
    predictions = p.take(rows)
    places = p.row is None or (p.row.dtype.kind == "i" and p.row.min() == 0)
    named = rows if p.row is None else p.row[rows].tolist()
    # Where a row counts many cases it has no place among them.
    listed = (
        f" ({some_rows(named, identified=not places)})" if predictions.cases == rows.size else ""
    )
    texts = [f"{r.text}." for r in m.infinite_reasons if r.cases and r.cases(predictions).any()]
    if any(q.name == "clip" for q in m.parameters):
        clipped = m.given(clip=0.001)
        if np.isfinite(clipped.losses(predictions)).all():
            texts.append(
                f'{clipped.call} has a floor; recalibrating with "laplace" leaves no probability at 0.'
            )
    return INFINITE_LOSS(
        measure=m.title,
        where=where,
        cases=f"{count(predictions.cases, 'case')} {'costs' if predictions.cases == 1 else 'cost'}",
        named=listed,
        why=" ".join(texts),
    )


def _classes(names: list[object]) -> str:
    if not names:
        return ""
    noun = "class" if len(names) == 1 else "classes"
    return f" for {noun} {listed(map(repr, names), most=MAX_SHOWN)}"


def epoch_findings(m: Measure, p: Predictions, keys: Mapping[str, Any]) -> tuple[Finding, ...]:
    """Say how much of the variance of a mean outcome is between cases, and how much within them."""
    plain = p.unshared is not None and p.unshared_kind == "none" and p.grouping is None
    if not plain or m.loss is None or m.mean or p.row is None:
        return ()
    numbers, case = m.losses(p)[:, 0], distinct(p.row).codes
    times = np.bincount(case)
    n, more = times.size, int(numbers.size - times.size)
    if n < 2 or not more:
        return ()
    means = np.bincount(case, numbers) / times
    inside = float(np.square(numbers - means[case]).sum()) / more * float(np.mean(1 / times))
    total = float(means.var(ddof=1))
    if not total > 0:
        return ()
    within = min(inside / total, 1.0)
    what = ", ".join([m.title, *(str(v) for v in keys.values())])
    least = math.sqrt(max(total - inside, 0.0) / n)
    shares = {"between": 100 * (1 - within), "within": 100 * within, "least": least}
    finding = EPOCHS(what=what, cases=n, times=float(times.mean()), **shares)
    return (replace(finding, data=shares),)
