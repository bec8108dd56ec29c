"""The verb `compare`: gather the evidence, choose the test, adjust for several."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from credibly._core.averages import Average
from credibly._core.doors import door
from credibly._core.entry_names import MeasureName, TestName
from credibly._core.findings import Finding, of_models
from credibly._core.search_names import search_names
from credibly._kernels import worth_compiling
from credibly._kernels.threads import together
from credibly.comparisons._declare import Comparison, Outcome, TestRequest, comparisons, differences
from credibly.comparisons.areas import SCALES, areas_of
from credibly.comparisons.automatic_test import choose, resampled
from credibly.comparisons.cases import (
    Areas,
    Cases,
    Overlap,
    Samples,
    Single,
    folds_without_a_class,
    values_by_part,
)
from credibly.comparisons.discordant import MCNEMAR_VARIANTS, Discordant
from credibly.comparisons.evidence import (
    DatasetTable,
    FoldTable,
    FoldValues,
    IndependentValues,
    Moments,
    PairedValues,
)
from credibly.comparisons.findings import NO_TEST
from credibly.comparisons.given_models import (
    against_last,
    hardly_labelled,
    having_output,
    measure_of,
    models_of_two,
    one_of_models,
    refuse_one,
    same_cases,
    two_samples,
    with_value,
)
from credibly.comparisons.influence import instead
from credibly.comparisons.labels import counts_cases
from credibly.comparisons.multiplicity import adjust
from credibly.comparisons.ranking import Ranking, rank_schemes
from credibly.comparisons.result import Alternative, Comparisons, TestResult
from credibly.comparisons.several_tests import SeveralTests, several_tests
from credibly.errors import DataError, ParameterError, says
from credibly.evaluation.bounds import bound_findings, difference_bound, too_coarse
from credibly.evaluation.findings import FEW_LABELLED_POSITIVE, LEFT_OUT_FOLDS
from credibly.intervals.quantiles import normal_quantile, normal_tail
from credibly.measures import Measure, measures as all_measures
from credibly.measures.findings import NAMED_ELSEWHERE
from credibly.measures.selection import name_findings
from credibly.predictions import Predictions
from credibly.predictions.caveats import left_out
from credibly.predictions.findings import FAILED_FITS, LEFT_OUT, MISSING_OUTPUT
from credibly.predictions.parts import with_distinct_sizes

if TYPE_CHECKING:
    from credibly.comparisons.evidence import ComparisonEvidence

    ChosenTest = tuple[Comparison, str]

ONE_DECIDES = "without one of the cases the measure is undefined or at an end of its range"
VALUE_TYPES = (FoldTable, FoldValues, PairedValues, DatasetTable, Moments, Areas, Discordant)
# Findings that matter beyond tests about cases.
CODES_OF_ANY_TEST = {
    k.code
    for k in (
        LEFT_OUT,
        LEFT_OUT_FOLDS,
        FAILED_FITS,
        MISSING_OUTPUT,
        NAMED_ELSEWHERE,
        FEW_LABELLED_POSITIVE,
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _ComparisonRequest:
    """What was asked for beside the models."""

    test: str | Comparison
    alternative: Alternative
    margin: float | None
    confidence_level: float
    rng: int | np.random.Generator | None
    correction: str | None  # where none is named, Holm's for pairs, and that of the ranks for ranks
    against: str | None  # the one model that all others are compared with
    value: float | None  # or the number that the only model is compared with
    measure: str | Measure | None
    average: Average | None
    independent: bool
    partial: bool

    @property
    def takes_all(self) -> bool:
        """Whether the test is of all models at once, not of two."""
        return self.test != "auto" and comparisons.parse(self.test).several

    def chosen(self, evidence: ComparisonEvidence) -> ChosenTest:
        """Return the test that was asked for, or the one that fits, and why."""
        name, why = self.test, "asked for by name"
        if name == "auto":
            name, why = choose(evidence)
        return comparisons.parse(name), why

    def _suiting(self, evidence: ComparisonEvidence) -> ChosenTest:
        """Choose a test of two models, and another where one case decides what a model has."""
        entry, why = self.chosen(evidence)
        free = self.test == "auto" and self.margin is None and entry.name == "influence"
        if not (free and isinstance(evidence, Cases)) or resampled(evidence.models[0]):
            return entry, why
        other = instead(evidence)
        return (comparisons.parse(other), ONE_DECIDES) if other else (entry, why)

    def answer(
        self,
        evidence: ComparisonEvidence,
        findings: tuple[Finding, ...] = (),
        chosen: ChosenTest | None = None,
    ) -> TestResult:
        """Make the test, with what matters for it of the findings."""
        entry, why = chosen or self._suiting(evidence)
        result = entry(
            _read_as(evidence, entry),
            alternative=self.alternative,
            margin=self.margin,
            confidence_level=self.confidence_level,
            rng=self.rng,
            why=why,
        )
        result = _allowing_for_bins(result, evidence)
        said = _relevant(findings, result)
        return replace(result, findings=(*said, *result.findings)) if said else result


@door
@search_names({"ttest, ttest_rel, permutation_test, test": "compare({'a': p, 'b': q})"})
def compare(
    a: Any,  # noqa: ANN401
    b: Predictions | str | None = None,
    measure: MeasureName | Measure | None = None,
    *,
    test: TestName | Comparison | Sequence[TestName] = "auto",
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    against: float | str | None = None,
    independent: bool = False,
    partial: bool = False,
    average: Average | None = None,
    correction: str | None = None,
    confidence_level: float = 0.95,
    rng: int | np.random.Generator | None = None,
) -> TestResult | Comparisons | Ranking | SeveralTests:
    """Test whether one model is really better than another, and by how much.

    Parameters
    ----------
    a, b
        Predictions of two models; or, as ``a`` alone (the measure may then stand second), a
        dictionary of predictions by name,
        predictions with a ``model`` column, or values by fold or dataset
        (:class:`~credibly.comparisons.FoldValues`, for more than two models
        :class:`~credibly.comparisons.FoldTable`; :class:`~credibly.comparisons.DatasetTable`);
        or what is printed: :class:`~credibly.comparisons.Discordant`, how many cases only one of
        them gets wrong, :class:`~credibly.comparisons.Moments`, means and variances, or
        :class:`~credibly.comparisons.Areas`.
    measure
        Measure to compare; by default the error rate of labels (or of those that probabilities
        give), the AUC if there are only scores, or the mean absolute error of numbers.
    test
        Test to use: ``"auto"`` chooses by how the predictions were made and says why; or a name from
        ``credibly list comparisons``, with arguments as in ``"mcnemar(method='mid_p')"``. Several
        tests are shown side by side.
    alternative
        ``"two-sided"``, or that the first is ``"less"`` or ``"greater"`` than the second.
    margin
        Test equivalence within this difference (two one-sided tests); with a one-sided alternative,
        test that the first is not lower (``"greater"``) or not higher (``"less"``) by as much.
    against
        Compare one model with this value instead of with another model; or the name of the model that all
        others are compared with, which is then the second of each pair.
    independent
        The models were evaluated on different, independent cases.
    partial
        The models share some of their cases, which are matched by their row identifiers.
    average
        How measures of one class are averaged over all classes.
    correction
        How p-values are adjusted for more than two models: a name from ``credibly list
        adjustments``; Holm by default. For schemes over datasets also ``"nemenyi"``, which is the default
        there, and ``"bonferroni_dunn"``.
    confidence_level
        Confidence level of the interval, or of each limit if the test is one-sided or has a
        margin; the null hypothesis is rejected at one minus this.
    rng
        Seed, if the test is random.

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
    if isinstance(measure, Predictions):
        raise ParameterError(
            "compare takes the predictions of two models by position; got more.",
            remedy="Give several models their names: compare({'a': p, 'b': q, 'c': r}).",
        )
    if measure is None and _names_measures(b) and not isinstance(a, str):
        b, measure = None, cast("str", b)  # of the models that the first argument holds
    second, value = (against, None) if isinstance(against, str) else (None, against)
    if second is not None and correction == "shaffer":
        raise ParameterError("shaffer is for all pairs, not for one model against the others.")
    if isinstance(a, Discordant) and isinstance(test, str) and test == "auto":
        test = MCNEMAR_VARIANTS

    def answered(each: str | Comparison) -> TestResult | Comparisons | Ranking:
        request = _ComparisonRequest(
            test=each, alternative=alternative, margin=margin, confidence_level=confidence_level, rng=rng,
            correction=correction, against=second, value=value, measure=measure, average=average,
            independent=independent, partial=partial,
        )  # fmt: skip
        if isinstance(a, DatasetTable) and len(a.names) > 2 and not request.takes_all:
            return _table(a, request)
        if isinstance(a, VALUE_TYPES):
            return _of_values(a, request)
        models = models_of_two(a, b)
        with together(large=worth_compiling(sum(p.n for p in models.values()))):
            return _of_predictions(models, request)

    return answered(test) if isinstance(test, str | Comparison) else several_tests(test, answered)


def _of_values(values: Any, request: _ComparisonRequest) -> TestResult | Comparisons:  # noqa: ANN401
    """Compare by values, or by counts, that stand for the predictions they came from."""
    if isinstance(values, Discordant):
        shares = all_measures["error_rate"]
        return values.tested(lambda models: request.answer(same_cases(models, shares, None)[0]))
    if not isinstance(values, FoldTable | DatasetTable):
        if request.against is not None:
            raise ParameterError(
                says("<against={it}> names one of several models.", it=request.against)
            )
        return request.answer(values)
    if len(values.names) > 2 and not request.takes_all:
        return _matrix(values, request)
    if request.against is not None and len(values.names) == 2:
        at = values.names.index(one_of_models(request.against, values.names))
        return request.answer(values.pair(1 - at, at))
    return request.answer(values.pair(0, 1) if isinstance(values, FoldTable) else values)


def _of_predictions(
    given: dict[str, Predictions], asked: _ComparisonRequest
) -> TestResult | Comparisons:
    given = against_last(given, asked.against)
    models = {name: with_distinct_sizes(p) for name, p in given.items()}
    aside = [f for p in given.values() for f in left_out(p)]
    m, over = measure_of(asked.measure or _compared_by(asked.test), asked.average, models)
    models, lacking = having_output(models, m, over)
    labelled = hardly_labelled(models, m) if m.takes == "label" else ()
    models = {name: m.view(p, over) for name, p in models.items()}
    found: tuple[Cases | Samples | Single, list[Finding]]
    if asked.value is not None:
        found = with_value(models, m, over, asked.value)
    elif asked.independent or asked.partial:
        found = two_samples(models, m, over, partial=asked.partial), []
    else:
        refuse_one(models)
        found = same_cases(models, m, over)
    evidence, said = found
    named = name_findings([asked.measure or m])
    if isinstance(evidence, Cases) and asked.test == "auto":
        said = [*said, *folds_without_a_class(m, evidence.models[0])]
    findings = tuple(
        dict.fromkeys([*aside, *lacking, *named, *labelled, *_read(models, m, over), *said])
    )
    if isinstance(evidence, Cases) and len(models) > 2 and not asked.takes_all:
        return _matrix(evidence, asked, findings)
    return asked.answer(evidence, findings)


def _names_measures(given: object) -> bool:
    """Whether an argument stands for a measure by its name; a list of names is then refused as such."""
    listed = isinstance(given, list) and all(isinstance(each, str) for each in given)
    return isinstance(given, str) or (listed and bool(given))


def _compared_by(test: str | Comparison) -> str | None:
    """Return the measure that a test is about, unless another one is named."""
    return None if test == "auto" else comparisons.parse(test).compares or None


# --- evidence -----------------------------------------------------------------------------------


def _read(
    models: dict[str, Predictions], m: Measure, average: Average | None
) -> tuple[Finding, ...]:
    """Return the findings of the predictions, and how far bins may move the result."""
    noted = of_models({name: p.findings for name, p in models.items()})
    if not _is_binned(models.values()):
        return tuple(noted)
    bound = difference_bound(m, models.values(), average)
    return (*noted, *bound_findings(f"A difference of {m.title}", bound))


def _relevant(findings: tuple[Finding, ...], result: TestResult) -> tuple[Finding, ...]:
    """Return what of several models' predictions matters for a test; most does only if it is about their cases."""
    of_cases = result.about == "cases"
    return findings if of_cases else tuple(f for f in findings if f.code in CODES_OF_ANY_TEST)


def _is_binned(models: Iterable[Predictions]) -> bool:
    """Whether rows of some model stand for bins of scores."""
    return any(p.span is not None for p in models)


def _allowing_for_bins(result: TestResult, evidence: ComparisonEvidence) -> TestResult:
    """Widen an interval by what bins of scores may move, unless that is little beside its width.

    The p-value is then that of the difference nearest to none; none for a side or a margin.
    """
    limits = result.confidence_interval
    if (
        limits is None
        or not isinstance(evidence, Cases | Samples)
        or not _is_binned(evidence.models)
    ):
        return result
    bound = difference_bound(evidence.measure, evidence.models[:2], evidence.average)
    if not too_coarse(bound, limits):
        return result
    half = (limits.high - limits.low) / 2
    nearest = max(0.0, abs(result.difference) - bound)
    z = nearest / half * normal_quantile(1 - limits.confidence_level, tails=2)
    plain = result.alternative == "two-sided" and result.margin is None
    wider = replace(
        limits,
        low=limits.low - bound,
        high=limits.high + bound,
        method=f"{limits.method}, widened for bins",
    ).within(*differences(evidence))
    return replace(
        result,
        confidence_interval=wider,
        statistic=math.copysign(z, result.difference) if plain else math.nan,
        pvalue=normal_tail(z, tails=2) if plain else math.nan,
    )


def _read_as(evidence: ComparisonEvidence, entry: Comparison) -> ComparisonEvidence:
    """Bring evidence into the form that a test reads, or say what it would need."""
    read, values = entry.reads, evidence
    if isinstance(evidence, Cases) and read is Areas:
        return areas_of(evidence)
    if isinstance(evidence, Cases) and (taken := getattr(read, "of_cases", None)):
        made: ComparisonEvidence = taken(evidence)
        return made
    if isinstance(evidence, Cases) and issubclass(read, PairedValues | Moments):
        values = values_by_part(evidence)
    elif isinstance(evidence, DatasetTable) and read is PairedValues and len(evidence.names) == 2:
        values = evidence.pair(0, 1)
    if isinstance(values, FoldValues | IndependentValues) and read is Moments:
        told = {"measure_name": values.measure_name, "direction": values.direction}
        return Moments.of(values.a, values.b, values.names, **told)
    if isinstance(values, read):
        return values
    if isinstance(values, IndependentValues):
        raise ParameterError(
            f"{entry.name} is for folds that share training cases, but these values come from {values.n:g} separate datasets.",
            remedy=says("Use <test='paired_t'>."),
        )
    needs = {
        Samples: says("models on different cases: set <independent=True>"),
        Overlap: says("models that share some of their cases: set <partial=True>"),
        Single: says("one model and a value: set <against=...>"),
        Cases: "models on the same cases",
        DatasetTable: "a table of values by dataset",
        FoldValues: "values by fold",
    }
    what = needs.get(read, read.__name__)
    raise ParameterError(
        says("{test} is for {what}.", test=entry.name, what=what),
        remedy=says("Leave <test> out, and one that suits these models is chosen."),
    )


# --- several models -----------------------------------------------------------------------------


def _table(table: DatasetTable, request: _ComparisonRequest) -> Comparisons | Ranking:
    """Rank schemes over datasets, or compare every pair of them by a test of two."""
    if request.test != "auto":
        return _matrix(table, request)
    if request.alternative != "two-sided" or request.margin is not None:
        raise ParameterError(
            "A test of the ranks of several schemes has no one-sided alternative and no margin.",
            remedy=says("Use a test of two schemes, such as <test='wilcoxon'>."),
        )
    return rank_schemes(
        table,
        correction=request.correction or ("bonferroni_dunn" if request.against else "nemenyi"),
        against=request.against,
        confidence_level=request.confidence_level,
    )


def _matrix(
    cases: Cases | DatasetTable | FoldTable,
    request: _ComparisonRequest,
    findings: tuple[Finding, ...] = (),
) -> Comparisons:
    """Compare every pair, or every model with one of them, and adjust for their number."""
    of, correction = range(len(cases.names)), request.correction or "holm"
    if request.against is None:
        pairs = [cases.pair(i, j) for i, j in combinations(of, 2)]
    else:
        at = cases.names.index(one_of_models(request.against, cases.names))
        pairs = [cases.pair(i, at) for i in of if i != at]
    chosen = request.chosen(pairs[0])
    results = tuple(_cell(request, pair, chosen) for pair in pairs)
    known = [1.0 if np.isnan(r.pvalue) else r.pvalue for r in results]
    adjusted = adjust(known, correction)
    p = [
        float(a) if not np.isnan(r.pvalue) else np.nan
        for a, r in zip(adjusted, results, strict=True)
    ]
    whole = _whole(cases, request) if isinstance(cases, Cases) else None
    heading = f"{len(cases.names)} models, {results[0].measured}, {results[0].title}, {len(pairs)} pairs, first minus second"
    return Comparisons(
        heading, results, tuple(p), correction, whole, _relevant(findings, results[0])
    )


def _cell(
    request: _ComparisonRequest, pair: Cases | PairedValues, chosen: ChosenTest
) -> TestResult:
    """Judge a pair; one that cannot be judged must not take the others with it."""
    try:
        return request.answer(pair, chosen=chosen)
    except DataError as error:
        entry, why = chosen
        finding = NO_TEST(models=" against ".join(pair.names), error=error)
        unknown = Outcome(
            math.nan, math.nan, pair.difference, why_no_interval=error.sentence, findings=(finding,)
        )
        asked, level = TestRequest(request.alternative), request.confidence_level
        result = entry.result(pair, asked, unknown, request.margin, level, why)
        return replace(result, assumptions=())


def _whole(cases: Cases, request: _ComparisonRequest) -> TestResult | None:
    """Test all models at once where such a test is known."""
    p = cases.models[0]
    plain = p.clusters is None and p.weight_kind != "importance" and not resampled(p)
    if request.test != "auto" or request.margin is not None or not plain or cases.average:
        return None
    counted = counts_cases(cases.measure)
    name = "cochran_q" if counted else "delong_several"
    if not counted and cases.measure.name not in SCALES:
        return None
    try:
        entry = comparisons[name]
        level = request.confidence_level
        return entry(cases, confidence_level=level, why="all models are first compared at once")
    except DataError:
        return None
