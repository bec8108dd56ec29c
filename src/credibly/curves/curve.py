"""The verb `curve`: points, band and doubts of one model or of many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from credibly._core.doors import door, in_order
from credibly._core.entry_names import BandMethodName, CurveName
from credibly._core.findings import Finding
from credibly._core.search_names import search_names
from credibly._core.seeds import FIXED_SEED, seed_of
from credibly._core.text import count
from credibly.curves._declare import CurveKind, curves
from credibly.curves.averages import Average, average_curves
from credibly.curves.bands import BandRequest, band_methods, make_band
from credibly.curves.result import Band, Curve, Curves
from credibly.errors import DataError, ParameterError, says
from credibly.evaluation._declare import estimators
from credibly.intervals._declare import EstimateRequest
from credibly.measures import measures
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions
from credibly.predictions.case_columns import CLASS_SLICES, asked_slices
from credibly.predictions.caveats import binned_scores, caveats, left_out, with_output
from credibly.predictions.findings import UNSEEDED
from credibly.predictions.labels import distinct
from credibly.predictions.lack import POSITIVE, Lack, lack_of
from credibly.predictions.parts import all_rows, with_distinct_sizes
from credibly.predictions.summaries import ClassScores, ScoreTable, Summary
from credibly.predictions.summaries.linear import class_places, one_vs_rest
from credibly.results.interval import Interval

Limits = TypeVar("Limits", Interval, Band)
SEVERAL_CLASSES = 3  # of which none stands for the others
# What is drawn, or its kind.
Subject = Predictions | Mapping[str, Predictions] | CurveName | CurveKind


@door
@search_names(
    {
        "roc_curve, RocCurveDisplay, plot_roc_curve": "curve(p, 'roc')",
        "precision_recall_curve, PrecisionRecallDisplay, pr_curve": "curve(p, 'precision_recall')",
        "det_curve": "curve(p, 'det')",
    }
)
def curve(
    predictions: Subject,
    name: Subject,
    *,
    by: str | Sequence[str] | None = None,
    band: BandMethodName | None = None,
    average: Average | None = None,
    thresholds: Sequence[float] | None = None,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    rng: int | np.random.Generator | None = None,
    replicates: int = 2000,
    **arguments: object,
) -> Curve | Curves:
    """Compute a curve of predictions: one :class:`Curve`, or :class:`Curves` of several models or slices.

    Parameters
    ----------
    predictions
        Predictions with a score or probability; a dictionary holds several models by name.
    name
        A name from ``credibly list curves``, such as ``"roc"`` or ``"threshold(measure='f1')"``. It may
        stand first as well.
    by
        ``"model"``, ``"repeat"``, ``"fold"``, ``"part"``, ``"group"``, ``"class"`` or
        ``"occurring_class"`` (without the classes that have no cases), any other column that was read
        or given, such as ``"sex"``, or several. Several models are never mixed, and what is about one
        of three and more classes is drawn of each.
    band
        Method of the band, from ``credibly list band-methods``: ``"pointwise"``, ``"simultaneous"`` ...
    average
        Average the curves of the folds: at equal x (``"vertical"``), at equal y
        (``"horizontal"``) or at equal ``"threshold"``. Without it, folds are pooled.
    thresholds
        Thresholds to average at, with ``average="threshold"``.
    prevalence
        Share of the positive class where the model will be used, if it differs from that of these cases.
    confidence_level
        Confidence level of the band, and of the interval of an area.
    rng
        Seed of a bootstrap; the same seed draws the same cases for all models.
    replicates
        Number of bootstrap replicates.
    arguments
        Parameters of the curve.

    >>> from credibly import Predictions, curve
    >>> p = Predictions.of([1, 0, 1, 0], probability=[0.9, 0.4, 0.4, 0.2])
    >>> curve(p, "roc").at(0.5)
    1.0
    """
    judged, named = in_order(predictions, name)
    kind = _kind(judged, named).given(**arguments)
    if prevalence is not None and not 0 < prevalence < 1:
        raise ParameterError(f"prevalence must be a number between 0 and 1; got {prevalence!r}.")
    if band is not None and average is not None:
        raise ParameterError(
            "The band of an average is the spread of its folds.",
            remedy=says("Leave out <band=...> or <average=...>."),
        )
    if thresholds is not None and average != "threshold":
        raise ParameterError(says("<thresholds=...> goes with <average='threshold'>."))
    seed = FIXED_SEED if rng is None else seed_of(rng)
    made = []
    parts, aside = drawable(kind, judged, by)
    for keys, part in parts:
        if average is not None:
            asked = (average, thresholds, prevalence, confidence_level)
            made.append(_averaged(kind, part, keys, *asked))
            continue
        drawn = draw(kind, part, keys, prevalence)
        if prevalence is None:
            drawn = replace(drawn, intervals=_intervals(drawn, part, confidence_level))
        if band is not None:
            wanted = BandRequest(drawn, kind, part, prevalence, confidence_level, seed, replicates)
            drawn = replace(drawn, band=_about(drawn, make_band(band, wanted)))
        made.append(drawn)
    slicing = [by] if isinstance(by, str) else [] if by is None else list(by)
    findings = (*findings_of(judged, [*slicing, *(["fold"] if average else ())]), *aside)
    if band is not None and rng is None and band_methods[band].random:
        findings += (UNSEEDED(what="the replicates", seed=seed),)
    if len(made) == 1 and not made[0].keys:
        return replace(made[0], findings=(*findings, *made[0].findings))
    return Curves(tuple(made), findings)


def _kind(judged: object, named: object) -> CurveKind:
    """Return the curve that was named; of two arrays none was, and predictions are to be made of them."""
    if not isinstance(named, str | CurveKind):
        as_predictions(judged, "curve")
    return curves.parse(named)  # type: ignore[arg-type]


def findings_of(
    predictions: Predictions | Mapping[str, Predictions], sliced_by: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """Return what is to be known about the predictions themselves, each finding once."""
    each = [predictions] if isinstance(predictions, Predictions) else predictions.values()
    findings: list[Finding] = []
    for p in each:
        by_part = "part" in sliced_by
        rows = all_rows(p) if by_part else p
        findings += [*p.findings, *binned_scores(p), *caveats(rows, sliced_by)]
        findings += [] if by_part else left_out(p)
    return tuple(dict.fromkeys(findings))


def _averaged(
    kind: CurveKind,
    p: Predictions,
    keys: Mapping[str, object],
    how: Average,
    thresholds: Sequence[float] | None,
    prevalence: float | None,
    confidence_level: float,
) -> Curve:
    p.need("fold", says("<average={how}>", how=how))
    columns = ["fold"] if p.repeat is None else ["repeat", "fold"]
    parts = list(p.known().groups(columns))
    ratio = None
    if p.n_train is not None:
        ratio = float(np.mean([q.n / np.mean(q.need("n_train", "a ratio")) for _, q in parts]))
    drawn = [draw(kind, q, {**keys, **plain_keys(k)}, prevalence) for k, q in parts]
    apart = [k["repeat"] for k, _ in parts] if p.design.independent and p.repeat is not None else ()
    mean = average_curves(
        drawn,
        how,
        thresholds=thresholds,
        confidence_level=confidence_level,
        test_train_ratio=ratio,
        data_sets=apart if len(set(apart)) > 1 else None,
    )
    limits = _intervals(mean, p, confidence_level) if prevalence is None else {}
    return replace(mean, keys=dict(keys), intervals=limits)


def draw(
    kind: CurveKind,
    p: Predictions,
    keys: Mapping[str, object] | None = None,
    prevalence: float | None = None,
) -> Curve:
    """Draw one curve of one model."""
    summary = summarise(kind, p, keys or {}, prevalence)
    points = kind.of_summary(summary)
    return Curve(
        name=kind.call,
        title=kind.title,
        x=points.x,
        y=points.y,
        threshold=points.threshold,
        x_title=kind.x_title,
        y_title=kind.y_named(**kind.arguments) if kind.y_named else kind.y_title,
        keys=keys or {},
        numbers=kind.numbers(summary, **kind.arguments) if kind.numbers else {},
        beside=kind.beside(summary, **kind.arguments) if kind.beside else {},
        findings=kind.doubts(summary) if kind.doubts else (),
        drawn=kind.drawn,
        scale=kind.scale,
        estimate="pooled" if _several_folds(p) else "",
    )


def _intervals(drawn: Curve, p: Predictions, confidence_level: float) -> dict[str, Interval]:
    """Return the intervals that `evaluate` gives for those of its numbers that are measures."""
    estimator = estimators[drawn.estimate or "pooled"]
    known, found = p.known(), {}
    for name in drawn.numbers:
        if name not in measures or drawn.estimate == "dataset_mean":
            continue
        m = measures[name]
        answer = estimator(EstimateRequest(m, m.usable(known), confidence_level=confidence_level))
        if answer.interval is not None:
            found[name] = answer.interval
    return found


def _about(drawn: Curve, limits: Limits) -> Limits:
    """Say of limits on the cases of all folds that they are about the models of these folds."""
    folds = drawn.estimate == "pooled" and limits.about == "cases"
    return replace(limits, about="models") if folds else limits


def _several_folds(p: Predictions) -> bool:
    dealt = [distinct(c).values for c in (p.repeat, p.fold) if c is not None]
    return any(len(values) > 1 for values in dealt)


def summarise(
    kind: CurveKind, p: Predictions, keys: Mapping[str, object], prevalence: float | None = None
) -> Summary:
    """Reduce predictions to what a curve reads, or say what they lack."""
    lack = _lack(kind, p)
    if lack:
        lack.refuse(p, f"The curve {kind.name}")
    summary = kind.reads.of(p, kind.name)
    _refuse_absence(kind, summary, p, keys)
    if not isinstance(summary, ScoreTable):
        return summary
    if p.weight is not None:
        seen = (summary.pos > 0) | (summary.neg > 0)
        if not seen.all():  # scores of cases that weigh nothing are no points
            summary = ScoreTable(summary.score[seen], summary.pos[seen], summary.neg[seen])
    return summary if prevalence is None else summary.at_prevalence(prevalence)


def _refuse_absence(
    kind: CurveKind, t: Summary, p: Predictions, keys: Mapping[str, object]
) -> None:
    if isinstance(t, ScoreTable):
        needs, sizes = "of both classes", {"positive": t.positives, "negative": t.negatives}
    elif isinstance(t, ClassScores):
        needs, sizes = "that count", {"of known truth and weight": t.class_weights().sum()}
    else:
        return
    empty = [name for name, weight in sizes.items() if not weight > 0]
    if not empty:
        return
    where = "".join(f" of {k} {v!r}" for k, v in keys.items())
    remedy = "Pool the slices: leave out <by=...>." if set(keys) - {"model", "class"} else ""
    if "class" in keys and "positive" in empty:
        remedy = "Leave out the classes without cases: <by='occurring_class'>."
    raise DataError(
        f"The curve {kind.name} needs cases {needs}; among the {count(p.n, 'case')}{where} "
        f"none is {' and none is '.join(empty)}.",
        remedy=says(remedy),
    )


def _lack(kind: CurveKind, p: Predictions) -> Lack | None:
    """Say what predictions lack for a curve."""
    column = next((c for c in kind.needs if not p.has(c)), None)
    lack = lack_of(column) if column else kind.reads.missing(p)
    return None if lack == POSITIVE else lack


def drawable(
    kind: CurveKind,
    predictions: Predictions | Mapping[str, Predictions],
    by: str | Sequence[str] | None = None,
) -> tuple[list[tuple[dict[str, Any], Predictions]], list[Finding]]:
    """Return the parts that get a curve, and which models have none since they lack what it needs."""
    parts = list(slices(predictions, _every_class(kind, predictions) if by is None else by))
    return with_output(parts, partial(_lack, kind), lambda keys: keys.get("model", "The model"))


def _every_class(kind: CurveKind, predictions: object) -> str | None:
    """Return by what to slice where a curve is about one of several classes and none is named: by class."""
    p = predictions if isinstance(predictions, Predictions) else None
    if p is None or len(p.classes) < SEVERAL_CLASSES or len(p.model_names) > 1:
        return None
    return "class" if kind.reads.missing(p) == POSITIVE else None


def slices(
    predictions: Predictions | Mapping[str, Predictions], by: str | Sequence[str] | None
) -> Iterator[tuple[dict[str, Any], Predictions]]:
    """Yield the parts of predictions that get a curve of their own, with what distinguishes them."""
    if not isinstance(predictions, Predictions):
        refuse_other_things(predictions)
        for model, each in predictions.items():
            for keys, part in slices(each.unnamed(), by):
                yield {"model": model, **keys}, part
        return
    columns = asked_slices(predictions.columns, by, predictions.cases)
    p = predictions if "part" in columns else with_distinct_sizes(predictions)
    if "model" not in columns and len(p.model_names) > 1:
        columns.insert(0, "model")
    by_class = next((c for c in CLASS_SLICES if c in columns), "")
    for keys, part in p.groups([c for c in columns if c not in CLASS_SLICES]):
        plain = plain_keys(keys)
        if not by_class:
            yield plain, part
            continue
        for i in class_places(part, by_class):
            yield {**plain, "class": p.classes[i]}, one_vs_rest(part, i)


def refuse_other_things(predictions: object) -> None:
    """Say what to pass where something else was."""
    if isinstance(predictions, Mapping) and all(
        isinstance(p, Predictions) for p in predictions.values()
    ):
        return
    raise ParameterError(
        f"Give Predictions, or a dictionary of Predictions by model name; got {type(predictions).__name__}.",
        remedy="Make them with credibly.read(file or frame, ...) or credibly.Predictions.of(y_true, ...).",
    )


def plain_keys(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Turn numpy's numbers and strings into Python's."""
    return {k: v.item() if isinstance(v, np.generic) else v for k, v in keys.items()}
