"""The verb `compare`: gather the evidence, choose the test, adjust for several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.errors import DataError, ParameterError
from credibly._core.results import Finding
from credibly.comparisons._declare import Comparison, comparisons
from credibly.comparisons.aligning import aligned, keys, same_classes, unknown_truth
from credibly.comparisons.areas import SCALES, areas_of
from credibly.comparisons.cases import Areas, Cases, Overlap, Samples, Single, fold_values
from credibly.comparisons.choosing import choose, resampled
from credibly.comparisons.evidence import DatasetTable, FoldValues, Moments, PairedValues
from credibly.comparisons.labels import SHARES
from credibly.comparisons.multiplicity import adjust
from credibly.comparisons.result import Comparisons, TestResult
from credibly.evaluation.caveats import table_findings
from credibly.evaluation.evaluate import class_wise
from credibly.measures import Measure
from credibly.measures import measures as all_measures
from credibly.predictions import Predictions

if TYPE_CHECKING:
    from credibly.comparisons.evidence import Evidence
    from credibly.comparisons.result import Alternative
    from credibly.measures._declare import Average

VALUES = (FoldValues, PairedValues, DatasetTable, Moments, Areas)
DEFAULTS = (("label", "error_rate"), ("score", "auc"), ("probability", "brier"), ("value", "mse"))
PAIR = 2


@dataclass(frozen=True, slots=True)
class _Request:
    """What was asked for beside the models."""

    test: str | Comparison
    alternative: Alternative
    margin: float | None
    confidence_level: float
    rng: int | np.random.Generator | None

    def answer(self, evidence: Evidence, findings: tuple[Finding, ...] = ()) -> TestResult:
        """Make the test that was asked for, or the one that fits."""
        name, why = self.test, "asked for by name"
        if name == "auto":
            name, why = choose(evidence, seeded=self.rng is not None)
        entry, arguments = comparisons.parse(name)
        result = entry(
            _read_as(evidence, entry),
            alternative=self.alternative,
            margin=self.margin,
            confidence_level=self.confidence_level,
            rng=self.rng,
            why=why,
            **arguments,
        )
        about_cases = findings if result.about == "cases" else ()
        return replace(result, findings=(*about_cases, *result.findings))


def compare(
    a: Any,  # noqa: ANN401
    b: Predictions | None = None,
    measure: str | Measure | None = None,
    *,
    test: str | Comparison = "auto",
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    against: float | None = None,
    independent: bool = False,
    partial: bool = False,
    average: Average | None = None,
    correction: str = "holm",
    confidence_level: float = 0.95,
    rng: int | np.random.Generator | None = None,
) -> TestResult | Comparisons:
    """Say whether one model is really better than another, and by how much.

    Parameters
    ----------
    a, b
        Predictions of two models; or, as ``a`` alone, a dictionary of predictions by name,
        predictions with a ``model`` column, or values by fold or dataset
        (:class:`~credibly.comparisons.FoldValues`, :class:`~credibly.comparisons.DatasetTable`).
    measure
        What to compare; when not given, the error rate of labels, the AUC of scores, the Brier score
        of probabilities or the mean squared error of numbers.
    test
        ``"auto"`` chooses by how the predictions were made, and says why; or a name from
        ``credibly list comparisons``, with arguments as in ``"mcnemar(method='mid_p')"``.
    alternative
        ``"two-sided"``, or the first is ``"less"`` or ``"greater"`` than the second.
    margin
        Tests equivalence within this difference (two one-sided tests); with a one-sided
        alternative, that the first is not lower (``"greater"``) or not higher (``"less"``) by as much.
    against
        Compares one model with this value instead of with another model.
    independent
        The models were judged on different cases, which have nothing to do with each other.
    partial
        The models share some of their cases, which ``row`` identifies.
    average
        How measures of one class become one number for all.
    correction
        How p-values of more than two models are adjusted: a name from ``credibly list adjustments``.
    confidence_level
        Of the interval; the null is rejected at one minus this.
    rng
        Seed of a test that is random.

    >>> from credibly import Predictions, compare
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0] * 5
    >>> a = Predictions.of(truth, label=[1, 1, 1, 1, 0, 0, 0, 1] * 5)
    >>> b = Predictions.of(truth, label=[1, 0, 1, 0, 0, 1, 0, 1] * 5)
    >>> result = compare(a, b, "error_rate")
    >>> result.test, result.difference, round(result.pvalue, 6)
    ('mcnemar', -0.375, 6.1e-05)
    >>> compare(a, measure="accuracy", against=0.7).rejected
    True
    """
    request = _Request(test, alternative, margin, confidence_level, rng)
    if isinstance(a, VALUES):
        return request.answer(a)
    models = _models(a, b)
    m, over = _measure(measure, average, models)
    if against is not None:
        return _against(models, m, over, against, request)
    if len(models) < PAIR:
        msg = f"A comparison needs two models; there is one ({next(iter(models))}). Pass another, or against=... a value."
        raise ParameterError(msg)
    if independent or partial:
        return _two_samples(models, m, over, request, partial=partial)
    rows, said = aligned(models)
    cases = Cases(rows, tuple(models), m, over)
    findings = tuple(dict.fromkeys([*said, *table_findings(next(iter(models.values())), ())]))
    if len(models) == PAIR or _takes_all(test):
        return request.answer(cases, findings)
    return _matrix(cases, request, correction, findings)


# --- what was passed ----------------------------------------------------------------------------


def _models(a: Any, b: Predictions | None) -> dict[str, Predictions]:  # noqa: ANN401
    """Return the predictions of each model by its name."""
    a = getattr(a, "predictions", a)  # a run holds them
    if isinstance(a, Mapping):
        if b is not None:
            msg = "Pass all models in the dictionary, or two predictions: not both."
            raise ParameterError(msg)
        found = {str(name): _single(p, str(name)) for name, p in a.items()}
    elif b is None:
        found = _split(_checked(a))
    else:
        pair = (_checked(a), _checked(b))
        own = [next(iter(_split(p))) if p.model is not None else "" for p in pair]
        names = own if own[0] != own[1] and all(own) else ["first", "second"]
        found = {n: _single(p, n) for n, p in zip(names, pair, strict=True)}
    if not found:
        msg = "There are no models to compare."
        raise ParameterError(msg)
    return found


def _checked(p: object) -> Predictions:
    if not isinstance(p, Predictions):
        msg = (
            f"compare takes Predictions; got {type(p).__name__}. Make them with credibly.read(...) or "
            "credibly.Predictions.of(...); bare values go into credibly.comparisons.FoldValues."
        )
        raise ParameterError(msg)
    return p


def _single(p: object, name: str) -> Predictions:
    split = _split(_checked(p))
    if len(split) > 1:
        msg = f"{name} holds predictions of several models ({', '.join(split)}): pass them alone, or take one."
        raise ParameterError(msg)
    return next(iter(split.values()))


def _split(p: Predictions) -> dict[str, Predictions]:
    if p.model is None:
        return {"first": p}
    return {str(k["model"]): replace(q, model=None) for k, q in p.groups(["model"])}


def _measure(
    asked: str | Measure | None, average: Average | None, models: dict[str, Predictions]
) -> tuple[Measure, Average | None]:
    """Return the measure, and the average that several classes call for."""
    first = next(iter(models.values()))
    if asked is None:
        asked = next((name for column, name in DEFAULTS if column in first.provides), "error_rate")
    m = all_measures.parse(asked)
    if average is None and class_wise(m) and not first.has_positive:
        average = "macro"
    for p in models.values():
        lack = m.lacks(p)
        if lack and not (average and lack == "a positive class"):
            m.summarise(p)  # raises the error that says what is missing
            msg = f"{m.name} needs {lack}."
            raise ParameterError(msg)
    return m, average


# --- evidence -----------------------------------------------------------------------------------


def _against(
    models: dict[str, Predictions],
    m: Measure,
    average: Average | None,
    value: float,
    request: _Request,
) -> TestResult:
    if len(models) > 1:
        msg = f"against=... compares one model with a value; there are {len(models)}: {', '.join(models)}."
        raise ParameterError(msg)
    low, high = m.range
    if not low <= value <= high:
        msg = f"against must be a value that {m.name} can take, {low:g} to {high:g}; got {value!r}."
        raise ParameterError(msg)
    name, p = next(iter(models.items()))
    single = Single(_known(p), (name, f"{value:g}"), m, float(value), average)
    return request.answer(single, tuple(table_findings(p, ())))


def _two_samples(
    models: dict[str, Predictions],
    m: Measure,
    average: Average | None,
    request: _Request,
    *,
    partial: bool,
) -> TestResult:
    if len(models) > PAIR:
        msg = "Several models on different cases are compared two at a time."
        raise ParameterError(msg)
    names = tuple(models)
    first, second = (_known(p) for p in models.values())
    second = same_classes(first, second, (names[0], names[1]))
    if not partial:
        return request.answer(Samples((first, second), names, m, average))
    if first.row is None or second.row is None:
        msg = "Rows that are shared in part must be identified: pass row=... ."
        raise DataError(msg)
    if any(resampled(p) for p in (first, second)):
        msg = "Partially paired predictions must come from one fitted model each, not from folds or repeats."
        raise DataError(msg)
    return request.answer(Overlap((first, second), names, m, average, tuple(keys(first, second))))


def _known(p: Predictions) -> Predictions:
    known = ~unknown_truth(p)
    if not known.any():
        msg = "No row has a known truth, so there is nothing to compare."
        raise DataError(msg)
    return p if known.all() else p.take(known)


def _read_as(evidence: Evidence, entry: Comparison) -> Evidence:
    """Bring evidence into the form that a test reads, or say what it would need."""
    if isinstance(evidence, Cases) and not isinstance(evidence, entry.reads):
        if issubclass(entry.reads, PairedValues) or entry.reads is PairedValues:
            return fold_values(evidence)
        if entry.reads is Areas:
            return areas_of(evidence)
        if entry.reads is Moments:
            values = fold_values(evidence)
            return Moments.of(values.a, values.b, values.names, measure_name=values.measure_name)
    if isinstance(evidence, FoldValues) and entry.reads is Moments:
        return Moments.of(evidence.a, evidence.b, evidence.names)
    if isinstance(evidence, entry.reads):
        return evidence
    needs = {
        Samples: "models on different cases: pass independent=True",
        Overlap: "models that share some of their cases: pass partial=True",
        Single: "one model and a value: pass against=...",
        Cases: "models on the same cases",
        DatasetTable: "a table of values by dataset",
        FoldValues: "values by fold",
    }
    what = needs.get(entry.reads, entry.reads.__name__)
    msg = f"{entry.name} is for {what}. This is {type(evidence).__name__}."
    raise ParameterError(msg)


# --- several models -----------------------------------------------------------------------------


def _takes_all(test: str | Comparison) -> bool:
    return test != "auto" and comparisons.parse(test)[0].several


def _matrix(
    cases: Cases, request: _Request, correction: str, findings: tuple[Finding, ...]
) -> Comparisons:
    """Compare every pair, and adjust for their number."""
    pairs = [cases.pair(i, j) for i, j in combinations(range(len(cases.models)), 2)]
    name, why = request.test, "asked for by name"
    if name == "auto":
        name, why = choose(pairs[0], seeded=request.rng is not None)
    named = replace(request, test=name)
    results = tuple(replace(_cell(named, pair), why=why) for pair in pairs)
    judged = [1.0 if np.isnan(r.pvalue) else r.pvalue for r in results]
    adjusted = adjust(judged, correction)
    p = [
        float(a) if not np.isnan(r.pvalue) else np.nan
        for a, r in zip(adjusted, results, strict=True)
    ]
    heading = f"{len(cases.models)} models, {cases.measure_name}, {results[0].title}, {len(pairs)} pairs, first minus second"
    return Comparisons(heading, results, tuple(p), correction, _whole(cases, request), findings)


def _cell(request: _Request, pair: Cases) -> TestResult:
    """Judge a pair; one that cannot be judged must not take the others with it."""
    try:
        return request.answer(pair)
    except DataError as error:
        entry, _ = comparisons.parse(request.test)
        undefined = float("nan")
        return TestResult(
            test=entry.name,
            title=entry.title,
            statistic=undefined,
            pvalue=undefined,
            difference=pair.difference,
            confidence_interval=None,
            why_no_interval=str(error),
            null=entry.null,
            alternative=request.alternative,
            about=entry.about,
            names=pair.names,
            measure=pair.measure_name,
            n=pair.n,
            confidence_level=request.confidence_level,
            margin=request.margin,
            values=pair.values,
            findings=(Finding("no-test", "problem", f"{' against '.join(pair.names)}: {error}"),),
        )


def _whole(cases: Cases, request: _Request) -> TestResult | None:
    """Test all models at once where such a test is known."""
    p = cases.models[0]
    plain = p.group is None and p.weight_kind != "importance" and not resampled(p)
    if request.test != "auto" or request.margin is not None or not plain or cases.average:
        return None
    name = "cochran_q" if cases.measure.name in SHARES else "delong_several"
    if cases.measure.name not in (*SHARES, *SCALES):
        return None
    try:
        entry = comparisons[name]
        level = request.confidence_level
        return entry(cases, confidence_level=level, why="all models are compared at once first")
    except DataError:
        return None
