"""The verb `evaluate`: every applicable measure on every requested slice, with what to doubt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from credibly._core.averages import Average
from credibly._core.doors import door
from credibly._core.entry_names import EstimatorName, IntervalMethodName, MeasureName
from credibly._core.findings import Finding
from credibly._core.search_names import search_names
from credibly._core.seeds import FIXED_SEED, seed_of
from credibly._core.text import count, in_line, several
from credibly._kernels import Device
from credibly.errors import DataError, ParameterError, says
from credibly.evaluation._declare import EstimateAnswer, Estimator, estimator_words, estimators
from credibly.evaluation.bounds import error_bound, too_coarse
from credibly.evaluation.caveats import (
    estimate_findings,
    redraws,
    row_findings,
    slice_findings,
    table_findings,
)
from credibly.evaluation.findings import FEW_CASES
from credibly.evaluation.fold_estimators import automatic, headline_estimates, pooled, refuse_unfit
from credibly.evaluation.rows import decided, numbered, resolve_unclassified
from credibly.evaluation.trivial_rules import (
    advantage,
    baseline_values,
    best_of_rules,
    rows_of_rule,
)
from credibly.intervals._declare import EstimateRequest, interval_methods
from credibly.intervals.methods import draw, value_with_interval
from credibly.measures import Measure, measures as all_measures
from credibly.measures.selection import (
    PANEL,
    applicable,
    below_classes,
    first_look,
    name_findings,
    refuse_measure,
    with_costs,
)
from credibly.predictions import Predictions
from credibly.predictions.arguments import models_or_datasets
from credibly.predictions.case_columns import CLASS_SLICES, SLICES, asked_slices
from credibly.predictions.columns import unused_but
from credibly.predictions.cost_matrix import as_costs
from credibly.predictions.findings import MISSING_OUTPUT, UNSEEDED
from credibly.predictions.lack import Lack
from credibly.predictions.numbers import as_count
from credibly.predictions.parts import all_rows
from credibly.predictions.summaries import BinaryCounts, Counts
from credibly.predictions.summaries.linear import class_places, one_vs_rest
from credibly.results.estimate import Estimate, with_decimals
from credibly.results.table import Table


@door
@search_names(
    {
        "classification_report": "evaluate(p, by='class')",
        "confusion_matrix": "evaluate(p).details['confusion_matrix']",
        "score, metrics, assess, test_model, EstimatorReport, CrossValidationReport": "evaluate(p)",
        "ci, confidence_interval, conf_int": "evaluate(p)['auc'].interval",
        "list_measures, available_measures, get_scorer_names": "evaluate(p) for all that apply, or "
        "credibly.measures.measures.names()",
    }
)
def evaluate(
    predictions: Predictions | Mapping[str, Predictions],
    measures: MeasureName | Measure | Iterable[MeasureName | Measure] | None = None,
    by: str | Sequence[str] | None = None,
    average: Average | None = None,
    *,
    unclassified: object = "error",
    costs: object = None,
    estimate: EstimatorName | Sequence[EstimatorName] = "auto",
    interval: IntervalMethodName | None = "auto",
    confidence_level: float = 0.95,
    rng: int | np.random.Generator | None = None,
    replicates: int = 2000,
    device: Device = "cpu",
    spread: bool = False,
) -> Table:
    """Estimate measures from predictions.

    With ``by="class"`` it gives what scikit-learn's ``classification_report`` does, with intervals.

    Parameters
    ----------
    predictions
        From :meth:`Predictions.of` or :func:`credibly.read`. Predictions by name that hold
        the same cases are those of several models. Others are of several datasets: each is evaluated
        separately, and the mean over them is about new datasets.
    measures
        Names such as ``"auc"`` or ``"fbeta(beta=2)"``, or ``"headline"`` for the most important
        ones; by default everything that applies. Its text then shows the most important ones,
        and that of ``.all`` every one.
    by
        ``"model"``, ``"repeat"``, ``"fold"``, ``"part"``, ``"group"``, ``"class"`` or
        ``"occurring_class"`` (without the classes that have no cases), any other column that was read
        or given, such as ``"sex"``, or several. Several models are never mixed.
    average
        How measures of one class are averaged over all classes: ``"macro"`` (the default when no class
        is positive), ``"macro_occurring"`` over the classes that have cases, ``"micro"``,
        ``"weighted"`` by actual or ``"weighted_predicted"`` by predicted class size. A measure about
        all classes is averaged over each class against the rest if you ask for it by name.
    unclassified
        What to do with cases without a label: count them as ``"error"``, ``"exclude"`` them from
        measures of labels, or give them a default class, named here.
    costs
        Add total and average cost: a :class:`CostMatrix`, outcomes such as ``{"fn": 5, "fp": 1}``, or a
        table with a row for each actual and a column for each predicted class.
    estimate
        How to combine the predictions of many fits into one number: ``"auto"``, or names from
        ``credibly list estimators``. ``"auto"`` shows the mean over folds and all cases pooled, or
        ``"oob"`` and ``"632+"`` for a bootstrap, where the size of the training parts (``n_train``) is
        known; the mean over data sets and all cases pooled where data sets are independent; else all
        cases pooled. If there are several, the first is the headline, which ``table["auc"]``
        returns: it is about learning again, the others about the models that were fitted.
        ``table.where(estimate="pooled")`` selects these.
    interval
        Method of the intervals: ``"auto"`` picks one by the kind of measure and says which; or a name
        from ``credibly list interval-methods``, such as ``"clopper_pearson"`` for a share of cases; or
        ``"none"``. A mean over folds gets ``"widened"``, ``"stability"`` if folds are
        repeated, and ``"scaled"`` over holdouts; ``"corrected"`` is the corrected resampled t as it was published.
    confidence_level
        Confidence level of the intervals.
    rng
        Seed of the bootstrap.
    replicates
        Number of bootstrap replicates.
    device
        ``"gpu"`` draws the bootstrap replicates on a graphics card (for 1,000 or more cases); the
        results are the same.
    spread
        Also show standard errors in the text and, for means over folds, the standard deviation
        and quartiles of the values. JSON and frames always have them.

    >>> from credibly import Predictions, evaluate
    >>> p = Predictions.of([1, 1, 0, 0, 0], score=[0.9, 0.4, 0.4, 0.2, 0.1])
    >>> evaluate(p, "auc")["auc"].value
    0.9166666666666666
    >>> by_class = evaluate(Predictions.of(list("aabc"), label=list("aacc")), "recall", by="class")
    >>> [e.value for e in by_class.estimates]
    [1.0, 0.0, 1.0]
    >>> other = Predictions.of([1, 1, 0, 0, 0], score=[0.9, 0.8, 0.4, 0.2, 0.1])
    >>> [(e.keys["model"], round(e.value, 3)) for e in evaluate({"a": p, "b": other}, "auc")]
    [('a', 0.917), ('b', 1.0)]
    >>> elsewhere = Predictions.of([1, 0, 0, 0], score=[0.9, 0.4, 0.2, 0.1])
    >>> datasets = evaluate({"first": p, "second": elsewhere}, "auc")
    >>> mean = datasets.where(dataset="mean over datasets")
    >>> mean[0].value, mean[0].n
    (0.9583333333333333, 2.0)
    """
    if not isinstance(predictions, Predictions):
        predictions = models_or_datasets(predictions, "evaluate")
    if isinstance(predictions, Mapping):
        from credibly.evaluation.datasets import over_datasets

        listed = None if measures is None else _listed(measures, "measures", "names of measures")
        asked: dict[str, Any] = {"by": by, "average": average, "unclassified": unclassified}
        asked |= {"costs": costs, "estimate": estimate, "interval": interval, "rng": rng}
        asked |= {"replicates": replicates, "device": device, "spread": spread}
        return over_datasets(
            predictions,
            lambda p: evaluate(p, listed, confidence_level=confidence_level, **asked),
            confidence_level=confidence_level,
            intervals=interval not in {None, "none"},
        )
    if not predictions.provides:
        raise ParameterError(
            "These rows hold no predictions.",
            remedy=says("Set <label=...>, <score=...>, <probability=...> or <value=...>."),
        )
    method = "none" if interval is None else interval
    if not isinstance(method, str) or method not in {"auto", "none"}:
        method = interval_methods[method].name
    settings = {
        "interval": method,
        "confidence_level": confidence_level,
        "seed": FIXED_SEED if rng is None else seed_of(rng),
        "replicates": replicates,
        "device": device,
    }
    panel = _MeasurePanel.of(predictions, measures, by, average, costs, estimate, settings)
    unseeded = rng is None and redraws(method)
    findings = [UNSEEDED(what="the bootstrap", seed=FIXED_SEED)] if unseeded else []
    shown: dict[str, Any] = {"shows_spread": True} if spread else {"first_look": panel.first_look}
    return panel.table(predictions, unclassified, findings, **shown)


def _named_measures(
    p: Predictions,
    parts: list[Predictions],
    names: list[str | Measure],
    costs: object,
    *,
    class_wise: bool,
) -> tuple[Measure, ...]:
    """Return the measures that were named, or say what one of them lacks."""
    found = [all_measures.parse(m) for m in names]
    if costs is not None:
        found = [with_costs(m, costs) for m in found]
    # A measure under two of its names is shown once.
    chosen = tuple({(m.name, repr(m.arguments)): m for m in found}.values())
    for m in chosen:
        averaged = class_wise or m.average is not None or len(p.classes) != 2
        lacks = [m.lacks(part, averaged=averaged) for part in parts]
        if all(lacks):
            m.value(p)  # raises the error that says what is missing
            raise ParameterError(f"{m.name} needs {lacks[0]}.")
    return tuple(m.about(*parts) for m in chosen)


def _other_names(asked: list[str | Measure], chosen: tuple[Measure, ...]) -> tuple[str, ...]:
    """Return the names that are not a measure's own: elsewhere they may stand for another number."""
    own = {m.name for m in chosen}
    return tuple(name for name in asked if isinstance(name, str) and name not in own)


def _is_plain(p: Predictions) -> bool:
    """Whether rows are no more than cases, each with a truth and a prediction: nothing to doubt or to number."""
    beside = (p.repeat, p.fold, p.part, p.group, p.seen)
    alone = all(column is None for column in beside) and not p.in_time
    return alone and _all_labelled(p) and p.known() is p and p.scored() is p


def _all_labelled(p: Predictions) -> bool:
    return p.label is None or p.label.min(initial=0) >= 0


@dataclass(frozen=True, slots=True)
class _MeasurePanel:
    """Which measures were asked for, of which slices, by which estimators, checked."""

    measures: tuple[Measure, ...]
    asked: tuple[str, ...]  # names other than their own, under which measures were asked for
    columns: tuple[str, ...]
    by_class: str  # the slice that shows classes one by one; none for one number of all
    average: Average | None
    estimators: tuple[Estimator, ...]  # none for those that fit
    named: bool  # whether measures were asked for by name
    mixed: bool  # whether some model lacks what another has
    first_look: tuple[str, ...]  # the measures that are shown first of all that apply
    settings: dict[str, Any]  # of intervals, the same in every request

    @classmethod
    def of(
        cls,
        p: Predictions,
        measures: str | Measure | Iterable[str | Measure] | None,
        by: str | Sequence[str] | None,
        average: Average | None,
        costs: object,
        estimate: str | Sequence[str],
        settings: dict[str, Any],
    ) -> _MeasurePanel:
        named = [] if measures is None else _listed(measures, "measures", "names of measures")
        slices: list[str] = []
        if by is not None:
            refuse_measure(p, by, named)
            slices = asked_slices(p.columns, by, p.cases)
        by_class = next((c for c in CLASS_SLICES if c in slices), "")
        panel = measures is None or named == [PANEL]
        # A measure that is named says itself that it has no average.
        if (by_class or (average and panel)) and p.task != "classification":
            raise ParameterError("Numeric predictions have no classes to report or average over.")
        columns = [c for c in slices if c not in CLASS_SLICES]
        if "model" not in columns and p.model is not None and _several_models(p):
            columns.insert(0, "model")
        if costs is not None:
            costs = as_costs(costs, p.classes, p.positive)
        parts = p.alike()
        if panel:
            chosen = applicable(p, parts, costs, first=bool(named), one_class=bool(by_class))
        else:
            chosen = _named_measures(p, parts, named, costs, class_wise=bool(by_class or average))
        if by_class and (average or any(m.average for m in chosen)):
            both = "<by={it}> shows each class, <average=> one number for all: ask for one of them."
            raise ParameterError(says(both, it=by_class))
        return cls(
            measures=chosen,
            asked=() if panel else _other_names(named, chosen),
            columns=tuple(columns),
            by_class=by_class,
            average=average,
            estimators=_estimators(estimate),
            named=not panel,
            mixed=len(parts) > 1,
            first_look=first_look(p, parts, costs, one_class=bool(by_class))
            if measures is None
            else (),
            settings=settings,
        )

    def _pools(self, estimates: list[Estimate]) -> bool:
        """Whether cases of several folds are judged together, by some estimate that is not about learning again."""
        asked = not self.estimators or pooled in self.estimators
        alone = [e.of_models_alone for e in estimates if e.keys.get("estimate") == pooled.name]
        return asked and (not alone or any(alone))

    def table(
        self,
        predictions: Predictions,
        unclassified: object,
        beside: list[Finding],
        **shown: Any,  # noqa: ANN401
    ) -> Table:
        """Estimate everything on every slice, with what is to be doubted."""
        plain = not self.columns and _is_plain(predictions)
        known = predictions if plain else numbered(predictions).known()
        if not known.n:
            raise DataError(
                f"None of the {count(predictions.n, 'row')} has a known truth, so there is nothing to evaluate."
            )
        judged, undecided = known, list[Finding]()
        if not isinstance(unclassified, str) or unclassified != "error" or not _all_labelled(known):
            judged, undecided = resolve_unclassified(known, unclassified)
        estimates = [
            e
            for keys, part in judged.groups(self.columns)
            for e in self.estimates(
                part, keys, decided(part) if unclassified == "exclude" else part
            )
        ]
        if not (self.estimators or any(shown.values())):
            # Of several estimates of a measure, a text shows the one that stands for all.
            apart = any(e.is_headline is False for e in estimates)
            shown["first_look"] = tuple(dict.fromkeys(e.measure for e in estimates if apart))
        details = _details(judged, self.columns, self.settings["confidence_level"])
        given, sliced = predictions.findings, []
        if others := tuple(c for c in self.columns if c not in SLICES):
            details["slices"] = slices = len({tuple(e.keys[c] for c in others) for e in estimates})
            given = unused_but(given, others)
            sliced = slice_findings(slices, self.settings["confidence_level"])
        heading = in_line((all_rows(judged) if "part" in self.columns else judged).heading)
        pools = self._pools(estimates)
        findings = (
            *given,
            *(name_findings(self.asked) if self.asked else ()),
            *undecided,
            *sliced,
            *(() if plain else row_findings(predictions, self.columns, pooled=pools)),
            *table_findings(judged, self.measures, self.average, self.settings, named=self.named),
            *beside,
        )
        shown |= {"slices": others, "estimator_words": {} if plain else estimator_words(estimates)}
        alike = with_decimals(estimates) if estimates[1:] else tuple(estimates)
        return Table(heading, alike, findings, details, **shown)

    def estimates(
        self, part: Predictions, keys: dict[str, Any], decided: Predictions
    ) -> list[Estimate]:
        """Estimate every measure on a slice; those of labels on its decided cases."""
        if self.estimators:
            refuse_unfit(self.estimators, part, keys)
        used = self.estimators or (automatic(part) if part.fold is not None else (pooled,))
        asked = [
            (m, rows, m.lacks(rows, averaged=True) if self.mixed else None)
            for m in self.measures
            for rows in [decided if m.reads in {Counts, BinaryCounts} else m.usable(part)]
        ]
        if redraws(self.settings["interval"]):
            self._draw([(m, rows) for m, rows, lack in asked if not lack])
        estimates = [e for m, rows, lack in asked for e in self._of(m, rows, keys, used, lack)]
        below = self._of_all_classes(part, keys, decided)
        # One finding names all classes.
        if any(f.code == FEW_CASES.code for e in below for f in e.findings):
            estimates = [
                replace(e, findings=tuple(f for f in e.findings if f.code != FEW_CASES.code))
                for e in estimates
            ]
        return estimates + below

    def _of_all_classes(
        self, part: Predictions, keys: dict[str, Any], decided: Predictions
    ) -> list[Estimate]:
        """Estimate what stands below the classes in a classification report: accuracy, and averages."""
        if not self.by_class or self.named:
            return []
        below = replace(self, by_class="", named=True)
        return [
            e
            for shown, average in below_classes(self.measures)
            for e in replace(below, measures=shown, average=average).estimates(part, keys, decided)
        ]

    def _draw(self, asked: list[tuple[Measure, Predictions]]) -> None:
        """Draw the replicates of all measures of a slice together: a panel costs little more than one."""
        panels: dict[Any, tuple[Predictions, list[Measure]]] = {}
        for m, rows in asked:
            if not self._class_rows(m):
                average = self._average(m, rows)
                cases = m.view(rows.of_weight(), average)
                key = id(cases), average
                panels.setdefault(key, (cases, []))[1].append(m)
        for rows, panel in panels.values():
            average = self._average(panel[0], rows)
            draw(panel, EstimateRequest(panel[0], rows, average, **self.settings))

    def _of(
        self,
        m: Measure,
        p: Predictions,
        keys: dict[str, Any],
        used: tuple[Estimator, ...],
        lack: Lack | None,
    ) -> list[Estimate]:
        """Estimate a measure, or say once for each row that the model lacks what it needs."""
        average, by_class = self._average(m, p), self._class_rows(m)
        tested = self._is_prominent(m)
        beside = {} if lack else baseline_values(m, p, average, by_class=by_class)
        alone = len(used) == 1
        headlines = dict.fromkeys(used) if alone else headline_estimates(used, p, m.name)
        estimates = []
        for i, label, rows in self._cases(m, p):
            baselines = {name: each[i] for name, each in beside.items()}
            rule = best_of_rules(baselines, m.direction)
            request = EstimateRequest(m, rows, average, **self.settings)
            for estimator, is_headline in headlines.items():
                answer = _lacking(lack, keys) if lack else _answered(estimator, request)
                bound = None
                if rows.span is not None and not lack:
                    bound = error_bound(m, rows, average)
                    if coarse := too_coarse(bound, answer.interval):
                        answer = replace(answer, interval=None, why=coarse)
                paired = None
                if rule and tested and answer.interval and is_headline is not False:
                    of_rule = rows_of_rule(m, p, rule.name, i if label else None)
                    paired = advantage(request, answer, rule, of_rule)
                way = {} if used == (pooled,) else {"estimate": estimator.name}
                named = {**keys, **way, **label}
                n = _size(m, rows, summed=not average and not lack)
                facts = {"baselines": baselines, "rule": rule, "is_headline": is_headline}
                estimates.append(
                    _estimate(request, answer, named, n, bound, paired=paired, **facts)
                )
        return estimates

    def _is_prominent(self, m: Measure) -> bool:
        """Whether somebody looks at how a measure stands to trivial rules: it was named, or is shown before others."""
        return bool(self.named or m.headline or m.reported) or m.call in self.first_look

    def _class_rows(self, m: Measure) -> bool:
        return bool(self.by_class) and m.viewable

    def _average(self, m: Measure, p: Predictions) -> Average | None:
        if self.by_class:
            return None
        return m.average_on(p, self.average if self.named or m.class_wise else None)

    def _cases(self, m: Measure, p: Predictions) -> list[tuple[int, dict[str, Any], Predictions]]:
        """Return the cases of each estimate, each class against the rest where classes are asked for."""
        if not self._class_rows(m):
            return [(0, {}, p)]
        shown = class_places(p, self.by_class)
        return [(i, {"class": p.classes[i]}, one_vs_rest(p, i)) for i in shown]


def _estimate(
    q: EstimateRequest,
    answer: EstimateAnswer,
    keys: dict[str, Any],
    n: float,
    bound: float | None,
    **facts: Any,  # noqa: ANN401
) -> Estimate:
    """Return an answer with the names of what was asked, and what is to be doubted about it."""
    m = q.measure
    return Estimate(
        measure=m.of_any_average.call,
        title=m.title + m.scope(q.predictions, q.average),
        value=answer.value,
        interval=answer.interval,
        why_no_interval=answer.why,
        n=n,
        direction=m.direction,
        keys=keys,
        average=q.average,
        findings=estimate_findings(q, answer, bound, keys),
        values=answer.values,
        also=(m.call, *m.also),
        bound=bound,
        variances=answer.variances,
        **facts,
    )


def _answered(estimator: Estimator, q: EstimateRequest) -> EstimateAnswer:
    """Ask an estimator; the cases of a single fit say nothing about learning, so that their value is the answer."""
    if estimator is not pooled or q.predictions.fold is not None:
        return estimator(q)
    return EstimateAnswer(*value_with_interval(q))


def _lacking(lack: Lack, keys: dict[str, Any]) -> EstimateAnswer:
    model = keys.get("model", "The model")
    finding = MISSING_OUTPUT(model=model, lack=lack, so="measures that need it have no value there")
    return EstimateAnswer(math.nan, None, f"the model lacks {lack}", findings=(finding,))


def _listed(given: Any, name: str, what: str) -> list[Any]:  # noqa: ANN401
    """Return what was asked for as a list: one name or measure, or several."""
    return [given] if isinstance(given, str | Measure) else several(given, name, what)


def _estimators(estimate: str | Sequence[str]) -> tuple[Estimator, ...]:
    """Return the estimators asked for; none where those that fit are to be taken."""
    names = _listed(estimate, "estimate", "names of estimators")
    return () if names == ["auto"] else tuple(estimators[n] for n in names)


def _several_models(p: Predictions) -> bool:
    """Whether there are several, or were until all fits of the others failed."""
    failed = [f.model for f in p.provenance.failed] if p.provenance else []
    return len({*p.model_names, *failed}) > 1


def _size(m: Measure, p: Predictions, *, summed: bool) -> float:
    """Return how many cases a value is about: those of the whole, for a proportion."""
    if m.parts is not None and summed:
        return as_count(float(m.parts(m.summarise(p.counted))[1]))
    return p.cases


def _details(p: Predictions, columns: Sequence[str], confidence_level: float) -> dict[str, Any]:
    details: dict[str, Any] = {
        "task": p.task,
        "n": int(p.cases),
        "confidence_level": confidence_level,
    }
    if p.task == "classification":
        details |= {
            "classes": list(p.classes),
            "positive": p.classes[p.positive] if p.positive is not None else None,
        }
        if p.label is not None and not columns:
            details["confusion_matrix"] = Counts.of(p).confusion_matrix()
    return details
