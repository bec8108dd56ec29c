"""Recalibrate predictions with a map that was fitted on others, and show what it changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.entry_names import RecalibrationName
from credibly._core.findings import Finding
from credibly._core.search_names import search_names
from credibly._core.seeds import FIXED_SEED
from credibly._core.text import count, number_text, pvalue_text, some_rows
from credibly.calibration._declare import calibration_statistics
from credibly.calibration.calibration import pooled, statistics_table
from credibly.calibration.findings import (
    HELPFUL_MAP,
    MAP_OF_ALL_CASES,
    NO_TEST_OF_THE_MAP,
    RANKING_CHANGED,
    ROWS_UNKNOWN,
    SAME_ROC,
)
from credibly.calibration.outcomes import Outcomes
from credibly.calibration.recalibration._declare import (
    FittedRecalibration,
    Recalibration,
    recalibrations,
)
from credibly.comparisons.result import TestResult
from credibly.errors import (
    CrediblyError,
    DataError,
    OneModel,
    ParameterError,
    says,
)
from credibly.measures import Measure, measures
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions, for_each_model
from credibly.predictions.findings import UNSEEDED
from credibly.predictions.labels import distinct
from credibly.predictions.lack import lack_of
from credibly.predictions.numbering import other_and_own
from credibly.predictions.numbers import frozen
from credibly.predictions.provenance import Design
from credibly.predictions.summaries import ScoreTable
from credibly.resampling import as_resampling
from credibly.resampling.cross_validation import enough_rows
from credibly.results.by_model import ByModel
from credibly.results.estimate import Estimate, with_decimals
from credibly.results.formats import Column, table_of
from credibly.results.result import Blocks, Result
from credibly.results.table import Table

MAX_TRIED = 50_000  # probabilities (cases times classes) up to which other maps are tried where one does not help
BEFORE_AND_AFTER = ("before", "after")


class Recalibrated(Result):
    """Predictions before and after recalibration, what it changed, and whether the ranking stayed.

    ``same_roc`` is true if no two cases changed places and none were tied or untied: then the ROC
    curve is the same to the last digit. ``ties_made`` counts distinct probabilities that were lost.
    """

    heading: str
    fitted: FittedRecalibration
    before: Predictions
    predictions: Predictions
    table: Table
    tests: tuple[TestResult, ...]
    same_roc: bool | None
    ties_made: int | None
    findings: tuple[Finding, ...] = ()

    versioned = True
    json_keys = (
        "heading meaning method=fitted.method maps=_maps same_roc ties_made estimates=table.estimates tests "
        "findings=all_findings"
    )
    row_parts = "table"
    finding_parts = "table tests"

    @property
    def subject(self) -> str:
        """What was done."""
        return self.heading

    def _maps(self) -> list[Any]:
        return [m.parameters for m in self.fitted.maps]

    def meaning(self) -> str:
        """Say whether the log loss changed, from what to what, and whether that may be chance."""
        test = next((t for t in self.tests if t.measure == "log_loss"), None)
        if test is None:
            return ""
        before, after = (
            number_text(e.value, e.interval) for e in self.table.where(measure=test.measure)
        )
        limits = test.confidence_interval
        changed = limits is not None and not limits.low <= 0 <= limits.high
        way = "lowered" if test.difference < 0 else "raised"
        did = f"{way} the log loss" if changed else "did not clearly change the log loss"
        return f"Recalibration {did}: {before} before, {after} after (p-value {pvalue_text(test.pvalue)})."

    def blocks(self) -> Blocks:
        """Yield the numbers before and after, and which changed by more than chance."""
        yield "", *self.table.cells()
        columns: dict[str, Column] = {
            "measure": "measure",
            "test": "title",
            "after - before": lambda t: number_text(t.difference, t.confidence_interval),
            "p-value": lambda t: pvalue_text(t.pvalue),
        }
        if self.tests:
            yield "Tests of the differences", *table_of(self.tests, columns)

    def remarks(self) -> Iterator[str]:
        """Say what the calibration error is over, and what the tests are about."""
        yield from self.table.remarks()
        error = calibration_statistics["expected_calibration_error"]
        how = {q.name: q.default for q in error.parameters}
        rule = str(how["rule"]).replace("_", " ")
        yield f"The expected calibration error uses {how['groups']} groups of {rule}."
        if self.tests:
            yield "The tests compare the same cases as the table, before and after."


class _Mapped(NamedTuple):
    """What a map made of predictions that it was not fitted on."""

    heading: str
    fitted: FittedRecalibration
    before: Predictions
    after: Predictions
    same_roc: bool | None
    ties_made: int | None
    findings: tuple[Finding, ...]


class RecalibratedModels(ByModel[Recalibrated]):
    """What recalibration changed of several models, each by its name."""

    @property
    def predictions(self) -> Predictions:
        """The recalibrated predictions of all models."""
        each = zip(self.names, self.models, strict=True)
        return Predictions.joined({name: made.predictions for name, made in each})


@door
@for_each_model(RecalibratedModels)
@search_names({"CalibratedClassifierCV, calibrate": "recalibrate(p)"})
def recalibrate(
    fitted_on: Predictions | Mapping[str, Predictions],
    to: Predictions | Mapping[str, Predictions] | None = None,
    method: RecalibrationName | Recalibration = "logistic",
    *,
    folds: int = 10,
    rng: int | np.random.Generator | None = None,
    replicates: int = 1000,
    confidence_level: float = 0.95,
    **arguments: object,
) -> Recalibrated:
    """Recalibrate probabilities: fit a map on some predictions, apply it to others, and evaluate the change.

    It works on predictions, whereas scikit-learn's ``CalibratedClassifierCV`` works on a learner.

    Parameters
    ----------
    fitted_on
        Predictions with probability on which the map is fitted. They must not share rows with ``to``.
        Each of several models, also by name, gets a map of its own.
    to
        Predictions of the same model on other cases. Without it, each fold of ``fitted_on`` gets
        the map fitted on the other folds; the map that is kept is fitted on all of them.
    method
        A name from ``credibly list recalibrations``, with arguments as in ``"histogram(groups=5)"``.
    folds
        Number of folds to assign cases to, if there is no ``to`` and the predictions have no folds.
    rng
        Seed of the folds, and of the bootstrap of the calibration error before and after; 1 where
        folds are drawn without it, which a finding reports.
    replicates
        Number of bootstrap replicates.
    confidence_level
        Confidence level of the intervals.
    **arguments
        Those of the method.

    >>> import credibly
    >>> from credibly.calibration.recalibration import recalibrate
    >>> p = [0.02, 0.1, 0.9, 0.98, 0.2, 0.7]
    >>> a = credibly.Predictions.of([0, 1, 0, 1, 0, 1] * 20, probability=p * 20, row=range(120))
    >>> b = credibly.Predictions.of([0, 1, 1, 1, 0, 0] * 20, probability=p * 20, row=range(120, 240))
    >>> r = recalibrate(a, b, "logistic")
    >>> r.same_roc, r.table.where(measure="brier")[1].value < r.table.where(measure="brier")[0].value
    (True, True)
    >>> recalibrate(a, rng=1).heading
    'Logistic recalibration fitted on the other folds, 120 cases in 10 folds'
    """
    entry = recalibrations.parse(method).given(**arguments)
    known = _judged(fitted_on).known().of_weight()
    others = None if to is None else _judged(to)
    unseeded = others is None and rng is None and not _has_folds(known)
    rng = FIXED_SEED if unseeded else rng
    made = (
        _cross_fitted(entry, known, folds, rng)
        if others is None
        else _applied(entry, known, others)
    )
    pair = made.before, made.after
    options: dict[str, Any] = {"confidence_level": confidence_level, "rng": rng}
    table = _table(*pair, replicates, **options)
    tests, refused = _tests(*pair, **options)
    if known.n * len(known.classes) <= MAX_TRIED and not _lowered(tests):
        refused += _helpful(entry, known, folds, rng)
    ranking = made.same_roc, made.ties_made
    findings = (*made.findings, *refused)
    findings += (UNSEEDED(what="the folds and the bootstrap", seed=FIXED_SEED),) if unseeded else ()
    return Recalibrated(made.heading, made.fitted, *pair, table, tests, *ranking, findings)


def _lowered(tests: Sequence[TestResult]) -> bool:
    """Whether a test shows that probabilities became better."""
    return any(t.difference < 0 and t.rejected for t in tests)


def _helpful(
    entry: Recalibration, known: Predictions, folds: int, rng: int | np.random.Generator | None
) -> list[Finding]:
    """Say which other map helps, if one clearly does: each fitted on the other folds of the same cases."""
    from credibly.comparisons.compare import compare

    seed = FIXED_SEED if rng is None or isinstance(rng, np.random.Generator) else rng
    loss = _measures(known)[0]
    best: tuple[float, Recalibration, TestResult] | None = None
    for other in (m for m in recalibrations if m.name != entry.name):
        try:
            made = _cross_fitted(other, known, folds, seed)
            pair = {"after": _pooled(made.after), "before": _pooled(made.before)}
            test = compare(pair, measure=loss)
        except CrediblyError:  # a map for other cases, such as those of two classes
            continue
        if isinstance(test, TestResult) and (best is None or test.difference < best[0]):
            best = test.difference, other, test
    if best is None or best[0] >= 0 or not best[2].rejected:
        return []
    _, other, test = best
    title = measures[str(loss)].title
    after, before = (number_text(v) for v in test.values)
    return [
        HELPFUL_MAP(method=other.name, title=other.title, measure=title, before=before, after=after)
    ]


def _judged(given: Predictions | Mapping[str, Predictions]) -> Predictions:
    """Return the rows with a prediction; those that the model has seen are not mapped."""
    return replace(as_predictions(given, "recalibrate").scored(), seen=None, cache={})


def _applied(entry: Recalibration, known: Predictions, to: Predictions) -> _Mapped:
    """Fit a map on some cases, and apply it to others."""
    known, findings = _checked(known, to)
    fitted = entry.fitted(*_in_order(known), _as_cases(known))
    before = replace(to, cache={})
    after = _with_probability(to, fitted(_in_order(to)[0]))
    same, ties, said = _ranking(before, after)
    heading = f"{entry.title} fitted on {count(known.cases, 'case')}, applied to {to.of_weight().cases:,.10g} others"
    return _Mapped(heading, fitted, before, after, same, ties, (*findings, *said))


def _cross_fitted(
    entry: Recalibration, known: Predictions, folds: int, rng: int | np.random.Generator | None
) -> _Mapped:
    """Apply to each fold the map that was fitted on the others."""
    _refuse_unfit(known, "fitted_on")
    matrix, truth = _in_order(known)
    mapped, parts = np.empty_like(matrix), 0
    for train, test in other_folds(known, folds, rng):
        others = known.take(train)
        mapped[test] = entry.fitted(*_in_order(others), _as_cases(others))(matrix[test])
        parts += 1
    fitted = entry.fitted(matrix, truth, _as_cases(known))
    heading = f"{entry.title} fitted on the other folds, {count(known.cases, 'case')} in {count(parts, 'fold')}"
    before, after = replace(known, cache={}), _with_probability(known, mapped)
    return _Mapped(heading, fitted, before, after, None, None, (MAP_OF_ALL_CASES(),))


def _has_folds(p: Predictions) -> bool:
    return p.fold is not None and len(set(p.fold.tolist())) > 1


def other_folds(
    p: Predictions, folds: int, rng: int | np.random.Generator | None
) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield the rows of the other folds and of each fold: those that are known, or new ones."""
    if p.fold is not None and _has_folds(p):
        yield from other_and_own(p)
        return
    if rng is None:
        raise ParameterError(
            "Cases are assigned to folds at random, unless the predictions have a fold column.",
            remedy=says("Set <rng=...>."),
        )
    groups = p.clusters
    units, noun = (p.n, "row") if groups is None else (len(distinct(groups).values), "group")
    enough_rows(units, folds, noun=noun, remedy="Ask for fewer, such as <folds={k}>.")
    for split in as_resampling(folds).realise(p.n, p.truth, groups=groups, rng=rng):
        yield split.train, split.test


def fitted_map(predictions: Predictions, method: str | Recalibration) -> FittedRecalibration:
    """Fit a map on predictions, to be looked at or applied elsewhere."""
    known = predictions.known().scored().of_weight()
    _refuse_unfit(known, "predictions")
    return recalibrations.parse(method).fitted(*_in_order(known), _as_cases(known))


def _refuse_unfit(p: Predictions, name: str) -> None:
    """Refuse predictions without probability, or of several models."""
    if p.probability is None:
        lack_of("probability").refuse(p, f"Recalibration of {name}")
    if len(p.model_names) > 1:
        raise DataError(
            f"{name} holds the predictions of several models.",
            remedy=says("Select one with {one}.", one=OneModel.of(p.model_names)),
        )


def _checked(fitted_on: Predictions, to: Predictions) -> tuple[Predictions, list[Finding]]:
    """Refuse predictions without probability, of other classes, or of the same rows."""
    _refuse_unfit(fitted_on, "fitted_on")
    _refuse_unfit(to, "to")
    if fitted_on.classes != to.classes or fitted_on.positive != to.positive:
        raise DataError(
            f"The classes, or the positive class, differ: {fitted_on.classes} and {to.classes}."
        )
    if fitted_on.row is not None and to.row is not None:
        shared = sorted(set(fitted_on.row.tolist()) & set(to.row.tolist()), key=str)
        if shared:
            raise DataError(
                f"A map must be evaluated on rows that it was not fitted on; both hold {some_rows(shared)}."
            )
        return fitted_on, []
    if _identical(fitted_on, to):
        raise DataError(
            "A map must be evaluated on cases that it was not fitted on; these are the same predictions twice."
        )
    return fitted_on, [ROWS_UNKNOWN()]


def _identical(a: Predictions, b: Predictions) -> bool:
    pairs = ((a.truth, b.truth), (a.probability, b.probability))
    return all(np.array_equal(x, y) for x, y in pairs)  # type: ignore[arg-type]


def _as_cases(p: Predictions) -> Floats | None:
    """Return weights that add up to as many cases as they are worth, since maps weigh them against doubt."""
    return None if p.weight is None else p.weight / p.case_weight


def _in_order(p: Predictions) -> tuple[Floats, NDArray[Any]]:
    """Return probabilities and codes; of two classes, the positive one is the second."""
    matrix, truth = p.probability_matrix("recalibration"), p.truth
    return (matrix[:, ::-1], 1 - truth) if _turned(p) else (matrix, truth)


def _turned(p: Predictions) -> bool:
    return len(p.classes) == 2 and p.positive == 0


def _with_probability(p: Predictions, matrix: Floats) -> Predictions:
    """Replace probabilities, and the labels that went with them."""
    if _turned(p):
        matrix = matrix[:, ::-1]
    one = p.probability is not None and p.probability.ndim == 1
    positive = matrix[:, p.positive] if p.positive is not None else matrix[:, 0]
    label = matrix.argmax(axis=1)
    if len(p.classes) == 2 and p.positive is not None:
        label = np.where(positive >= 1 / 2, p.positive, 1 - p.positive)
    probability = frozen(np.ascontiguousarray(positive if one else matrix))
    return replace(p, probability=probability, label=frozen(label), score=None, cache={})


def _ranking(
    before: Predictions, after: Predictions
) -> tuple[bool | None, int | None, list[Finding]]:
    """Compare the tables of distinct probabilities: equal ones have the same ROC curve."""
    if not before.has_positive:
        return None, None, []
    old, new = (ScoreTable.of(p.of_weight()) for p in (before, after))
    same = all(np.array_equal(getattr(old, side), getattr(new, side)) for side in ("pos", "neg"))
    ties = int(old.score.size - new.score.size)
    if same:
        return True, ties, [SAME_ROC()]
    lost = f"{ties:,} of {old.score.size:,} distinct probabilities became ties."
    moved = "Some cases changed places: the map does not increase everywhere."
    return False, ties, [RANKING_CHANGED(what=lost if ties else moved)]


def _measures(p: Predictions) -> list[str | Measure]:
    error = calibration_statistics["expected_calibration_error"]
    if not p.has_positive:
        return ["quadratic_loss", "log_loss", error]
    line = [calibration_statistics[n] for n in ("calibration_in_the_large", "calibration_slope")]
    return ["brier", "log_loss", error, *line, "auc"]


def _table(
    before: Predictions,
    after: Predictions,
    replicates: int,
    *,
    confidence_level: float,
    rng: int | np.random.Generator | None,
) -> Table:
    """Put the numbers before and after beside each other."""
    estimates: list[Estimate] = []
    findings: list[Finding] = []
    for when, p in zip(
        BEFORE_AND_AFTER, (before.known().of_weight(), after.known().of_weight()), strict=True
    ):
        if p.has_positive:
            table = statistics_table(
                p, Outcomes.of(p), rng, replicates, confidence_level, _measures(p)
            )
        else:
            table = pooled(p, _measures(p), confidence_level=confidence_level)
        estimates += [
            replace(e.without_rules(), keys={**e.keys, "when": when}) for e in table.estimates
        ]
        findings += table.findings
    order = {name: i for i, name in enumerate(dict.fromkeys(e.measure for e in estimates))}
    estimates.sort(key=lambda e: order[e.measure])
    return Table(
        f"{after.of_weight().cases:,.10g} cases",
        with_decimals(estimates),
        tuple(dict.fromkeys(findings)),
    )


def _pooled(p: Predictions) -> Predictions:
    """Forget the folds, not what is independent: tests are then about the cases that the table pools."""
    alone: dict[str, Any] = {
        "fold": None,
        "repeat": None,
        "row": np.arange(p.n),
        "group": p.clusters,
    }
    return replace(p, **alone, design=Design(counted=p.design.counted), cache={})


def _tests(
    before: Predictions,
    after: Predictions,
    *,
    confidence_level: float,
    rng: int | np.random.Generator | None,
) -> tuple[tuple[TestResult, ...], list[Finding]]:
    """Test the differences of losses case by case; that of the calibration error needs a seed."""
    from credibly.comparisons.compare import compare

    made: list[TestResult] = []
    refused = []
    pair = {"after": _pooled(after), "before": _pooled(before)}
    chosen = _measures(before)[: 2 if rng is None or not before.has_positive else 3]
    for m in chosen:
        try:
            result = compare(pair, measure=m, confidence_level=confidence_level, rng=rng)
        except CrediblyError as error:
            refused.append(NO_TEST_OF_THE_MAP(measure=getattr(m, "name", m), error=error))
            continue
        made += [result] if isinstance(result, TestResult) else []
    return tuple(made), refused
