"""Everything about the calibration of some predictions in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.search_names import search_names
from credibly._core.seeds import FIXED_SEED
from credibly._core.text import count, interval_text, number_text, pvalue_text
from credibly.calibration._declare import calibration_statistics
from credibly.calibration.decompositions import ScoreDecomposition, corp, covariance, murphy
from credibly.calibration.findings import (
    ABOUT_TOP_LABEL,
    EFFECTIVE_SIZE,
    FEW_CASES,
    GROUPS_AS_INDEPENDENT,
    NO_SMOOTH_CURVE,
)
from credibly.calibration.goodness_of_fit import Foretold, tests_of
from credibly.calibration.groups import (
    DEFAULT_GROUPS,
    Grouping,
    Groups,
    Remainder,
    grouped,
    most_groups,
    usual_groups,
)
from credibly.calibration.logistic import recalibrated
from credibly.calibration.outcomes import Outcomes, top_label
from credibly.calibration.reliability_curves import isotonic_curve, smooth_curve
from credibly.calibration.statistics import (
    by_groups,
    debiased_calibration_error,
    root_mean_squared_calibration_error,
)
from credibly.calibration.verdict import CalibrationVerdict, reversed_slope, verdict
from credibly.comparisons.result import TestResult
from credibly.curves.result import Curve
from credibly.errors import DataError, OneModel, ParameterError, listed, says
from credibly.evaluation import evaluate
from credibly.evaluation.findings import OTHER_CLASS
from credibly.evaluation.fold_estimators import headline_estimate
from credibly.intervals.bootstrap import Bootstrap, bootstrap
from credibly.intervals.methods import equal_cases
from credibly.intervals.quantiles import normal_quantile
from credibly.measures import Measure
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions, for_each_model
from credibly.predictions.caveats import binned_scores
from credibly.predictions.findings import UNSEEDED
from credibly.predictions.labels import as_label
from credibly.predictions.summaries.linear import one_vs_rest
from credibly.results.by_model import ByModel
from credibly.results.estimate import Estimate, with_decimals
from credibly.results.interval import Interval
from credibly.results.result import Blocks, Cells, Result, Whole
from credibly.results.table import Table

MEASURES_BESIDE = (
    "observed_over_expected",
    "brier",
    "log_loss",
    "auc",
    "gini",
    "discrimination_slope",
)
FIRST_LOOK = frozenset(
    {"calibration_in_the_large", "calibration_slope", "expected_calibration_error", "brier"}
)
ROOT_ERROR = root_mean_squared_calibration_error
DEBIASED = debiased_calibration_error.name
MAX_UNASKED = (
    100_000  # distinct probabilities up to which a bootstrap is drawn that nobody asked for
)
ON_REQUEST = says("its bootstrap is drawn on request; set <rng=...>")
TOP_LABEL, OF_TOP_LABEL = "top_label", " of the top label"
IN_VERDICT = ("calibration_in_the_large", "calibration_slope")


class Calibration(Result):
    """The calibration of probabilities: points, curves, statistics, decompositions and tests.

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 1] * 25, probability=[0.1, 0.4, 0.3, 0.8] * 25)
    >>> c = credibly.calibration(p, groups=4)
    >>> c.groups.observed.tolist()
    [0.0, 1.0, 0.0, 1.0]
    >>> round(c.table["calibration_in_the_large"].value, 3)
    -0.1
    """

    subject: str
    outcomes: Outcomes
    groups: Groups
    table: Table
    curves: tuple[Curve, ...]
    decompositions: tuple[ScoreDecomposition, ...]
    tests: tuple[TestResult, ...]
    findings: tuple[Finding, ...] = ()
    about: str = ""  # which probabilities, where it is not plain
    model: str | None = None

    versioned = True
    json_keys = (
        "heading meaning in_short=verdict.in_short miscalibrated=verdict.miscalibrated rule=groups.rule "
        "groups=groups.rows statistics=table.estimates curves decompositions tests findings=all.all_findings"
    )
    row_parts = "table"
    finding_parts = "groups table tests curves"

    @property
    def heading(self) -> str:
        """Say whose calibration it is, and of how many cases."""
        by = "" if self.model is None else f" by {self.model}"
        o = self.outcomes
        return f"{self.subject}{by}: {o.n:,.10g} cases, {o.events.sum():,.10g} events"

    @property
    def all(self) -> Result:
        """The same result, whose text shows every statistic, decomposition and test."""
        return Whole(replace(self, table=self.table.all))

    @search_names(
        {
            "ece, ace, mce, expected_calibration_error, slope, brier": ".table['expected_calibration_error']"
        }
    )
    def curve(self, name: str) -> Curve:
        """Return a curve by name: ``isotonic`` or ``smooth``."""
        for each in self.curves:
            if each.name == name:
                return each
        raise ParameterError(
            f"There is no curve {name!r} here; available: {', '.join(c.name for c in self.curves)}."
        )

    @property
    def verdict(self) -> CalibrationVerdict:
        """Whether the probabilities are calibrated, and how they are off."""
        return verdict(self.about, self.table, self.tests, self.outcomes, self.groups)

    def meaning(self) -> str:
        """Say whether the probabilities are calibrated, and how they are off."""
        return str(self.verdict)

    def blocks(self) -> Blocks:
        """Yield title, header and body of each table, as people read them."""
        yield "", *without_rules(self.table).cells()
        yield f"Groups ({self.groups.rule})", *self._group_cells()
        yield "Tests of calibration", *cells_of_tests(self.tests)
        for d in self.decompositions:
            yield d.name, ["", "part", "value"], d.cells()[1]

    def _group_cells(self) -> Cells:
        header = ["cases", "predicted", "observed", "interval"]
        level = self.groups.confidence_level
        body = []
        for row in self.groups.rows():
            limits = Interval(row["low"], row["high"], level, "Wilson")
            shown = [number_text(row[k], limits) for k in ("predicted", "observed")]
            body.append([number_text(row["n"]), *shown, interval_text(None, limits)])
        return header, body


def without_rules(table: Table) -> Table:
    """Return statistics alone: what predicts the prevalence is calibrated, and useless."""
    return replace(table, estimates=tuple(e.without_rules() for e in table.estimates))


def cells_of_tests(tests: tuple[TestResult, ...]) -> Cells:
    """Return header and body of a table of tests."""
    tested = [[t.title, number_text(t.statistic), pvalue_text(t.pvalue)] for t in tests]
    return ["test", "statistic", "p-value"], tested


def refuse_few(p: Predictions) -> None:
    """Refuse a single case, which has no groups."""
    if p.cases < 2:
        raise DataError(
            f"Calibration needs at least two cases with a known truth; there is {p.cases:g}."
        )


class Calibrations(ByModel[Calibration]):
    """The calibration of several models, each by its name."""

    @property
    def table(self) -> Table:
        """The estimates of all models, one row per model where each has several."""
        return replace(without_rules(super().table), down="model")

    def meaning(self) -> str:
        """Say of each model whether its probabilities are calibrated."""
        told = zip(self.names, self.models, strict=True)
        return "\n".join(f"{name}: {m.meaning()}" for name, m in told)


@door
@search_names({"calibration_curve, CalibrationDisplay": "calibration(p), and its .plot()"})
@for_each_model(Calibrations)
def calibration(
    predictions: Predictions | Mapping[str, Predictions],
    groups: int | Sequence[float] | None = None,
    *,
    of: object = None,
    rule: Grouping = "equal_size",
    remainder: Remainder = "last",
    fitted_on_these: bool = False,
    rng: int | np.random.Generator | None = None,
    replicates: int = 1000,
    confidence_level: float = 0.95,
) -> Calibration:
    """Check calibration: whether predicted probabilities agree with how often the outcome occurs.

    Parameters
    ----------
    predictions
        Predictions with probabilities, of one model or of several, also by name: each is judged by
        itself, as :class:`Calibrations`.
    groups
        Number of groups of cases, or cut points. 10 by default; below 10 cases, half as many
        groups as cases.
    rule
        How groups are made: of equal size or of equal width.
    remainder
        Where the remaining cases go if the groups cannot have equal size.
    of
        A class, evaluated against the rest, or ``"top_label"`` for whether the most probable
        class is right. The positive class by default; the top label where there are more than two
        classes. :func:`credibly.calibration.class_calibration` judges each of them.
    fitted_on_these
        Whether the model was fitted on exactly these cases, which costs Hosmer and Lemeshow's
        test two degrees of freedom.
    rng
        Seed of the bootstrap intervals (of statistics without a formula) and of the band of the
        isotonic curve. Without one, a fixed seed gives the expected calibration error its interval.
    replicates
        Number of bootstrap replicates.
    confidence_level
        Confidence level of the intervals.

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 1] * 25, probability=[0.1, 0.4, 0.3, 0.8] * 25)
    >>> [t.test for t in credibly.calibration(p).tests[:4]]
    ['hosmer_lemeshow', 'spiegelhalter', 'unreliability', 'gain_in_likelihood']
    """
    given = as_predictions(predictions, "calibration")
    p, doubts = one_view(given, of)
    outcomes = Outcomes.of(p)
    refuse_few(p)
    if of is None and about_top_label(given):
        of = TOP_LABEL
        doubts.append(ABOUT_TOP_LABEL(classes=len(given.classes)))
    if groups is None:
        groups, few = groups_for(outcomes)
        doubts += few
    found = grouped(
        outcomes, groups, rule=rule, remainder=remainder, confidence_level=confidence_level
    )
    chosen: list[str | Measure] = [*by_groups(groups, rule, remainder), *MEASURES_BESIDE]
    table = statistics_table(p, outcomes, rng, replicates, confidence_level, chosen)
    decompositions = [murphy(outcomes, found), corp(outcomes), corp(outcomes, "log_loss")]
    if not outcomes.one_class:
        decompositions.insert(1, covariance(outcomes))
    model = None if p.model is None else str(p.model[0])
    evidence = Foretold(outcomes, (model or "model",), found)
    tests, refused = tests_of(evidence, fitted_on_these=fitted_on_these)
    doubts += refused
    curves = [
        isotonic_curve(outcomes, rng=rng, replicates=replicates, confidence_level=confidence_level)
    ]
    try:
        curves.append(smooth_curve(outcomes, confidence_level=confidence_level))
    except DataError as error:
        doubts.append(NO_SMOOTH_CURVE(error=error))
    top = _is_top_label(of)
    if not top and reversed_slope(table):
        positive = p.positive or 0
        doubts.append(
            OTHER_CLASS(other=p.classes[1 - positive], positive=p.classes[positive], where="")
        )
    what = "the top label" if top else f"class {p.classes[p.positive or 0]!r}"
    made = outcomes, found, table, tuple(curves), tuple(decompositions), tests, tuple(doubts)
    return Calibration(f"Calibration of {what}", *made, OF_TOP_LABEL if top else "", model)


def verdict_of(predictions: Predictions) -> CalibrationVerdict:
    """Give the verdict of :func:`calibration` on one model, without anything else.

    >>> p = Predictions.of([0, 0, 1, 1] * 25, probability=[0.1, 0.4, 0.3, 0.8] * 25)
    >>> verdict_of(p) == calibration(p).verdict
    True
    """
    p, _ = one_view(predictions, None)
    outcomes = Outcomes.of(p)
    refuse_few(p)
    found = grouped(outcomes, groups_for(outcomes)[0])
    said = [calibration_statistics[name] for name in IN_VERDICT]
    table = statistics_table(p, outcomes, None, 0, found.confidence_level, said)
    tests, _ = tests_of(Foretold(outcomes, groups=found))
    about = OF_TOP_LABEL if about_top_label(predictions) else ""
    return verdict(about, table, tests, outcomes, found)


def groups_for(outcomes: Outcomes) -> tuple[int, list[Finding]]:
    """Return the default number of groups, and a finding if there are few."""
    made = usual_groups(most_groups(outcomes))
    if made == DEFAULT_GROUPS:
        return made, []
    cases = count(round(float(outcomes.n)), "case")
    return made, [FEW_CASES(cases=cases, made=count(made, "group"), usual=DEFAULT_GROUPS)]


def one_view(p: Predictions, of: object) -> tuple[Predictions, list[Finding]]:
    """Return two-class predictions of one model, and the findings about them."""
    p, findings = of_one_model(p)
    return _of(p, of), findings


def of_one_model(p: Predictions) -> tuple[Predictions, list[Finding]]:
    """Return the predictions of one model that count, and the findings about them."""
    p = p.known().scored().of_weight()
    p = equal_cases(p) if p.weight_kind == "importance" else p
    if len(names := p.model_names) > 1:
        raise DataError(
            f"Calibration is about one model; these predictions are by {listed([str(name) for name in names])}.",
            remedy=says("Select one with {one}.", one=OneModel.of(names)),
        )
    if not p.n:
        raise DataError("There are no cases with a known truth to compare the probabilities with.")
    findings = [*p.findings, *binned_scores(p)]
    # A case predicted repeatedly counts once.
    if p.clusters is not None and p.clusters is not p.row:
        findings.append(GROUPS_AS_INDEPENDENT(groups=p.cluster_name))
    if p.given_kind == "importance":
        worth = p.weights.sum() / p.case_weight
        findings.append(EFFECTIVE_SIZE(cases=count(p.n, "case"), worth=worth))
    return p, findings


def about_top_label(p: Predictions) -> bool:
    """Whether, unless something else is asked for, the most probable class is judged."""
    return p.probability is not None and not p.has_positive and len(p.classes) > 2


def _of(p: Predictions, of: object) -> Predictions:
    if of is None:
        return top_label(p) if about_top_label(p) else p
    of = as_label(of, "of")
    if _is_top_label(of):
        return top_label(p)
    for i, c in enumerate(p.classes):
        if c == of or str(c) == str(of):
            return one_vs_rest(p, i)
    raise ParameterError(
        f"of must be 'top_label' or a class; {of!r} is not one of {', '.join(map(str, p.classes))}."
    )


def _is_top_label(of: object) -> bool:
    return str(of).replace("-", "_") == TOP_LABEL


def statistics_table(
    p: Predictions,
    outcomes: Outcomes,
    rng: int | np.random.Generator | None,
    replicates: int,
    confidence_level: float,
    chosen: Sequence[str | Measure],
) -> Table:
    """Return statistics, with intervals by theory where it gives any and else by the bootstrap."""
    measures = [m for m in chosen if not isinstance(m, str)]
    table = named_plainly(pooled(p, chosen, confidence_level=confidence_level), measures)
    estimates = {e.measure: e for e in table.estimates}
    if p.clusters is None and p.weight_kind != "importance":
        for name, error in _line_errors(outcomes).items():
            if name in estimates:
                estimates[name] = _wald(estimates[name], error, confidence_level)
    unasked = outcomes.probability.size <= MAX_UNASKED and not p.in_time
    gaps = [
        m for m in measures if m.lifted and (rng is not None or (unasked and m.name in FIRST_LOOK))
    ]
    for m in measures:
        why = m.no_bootstrap or (ON_REQUEST if m.lifted and m not in gaps else "")
        if why:
            estimates[m.call] = replace(estimates[m.call], why_no_interval=why)
    if gaps:
        seed = FIXED_SEED if rng is None else rng
        drawn = bootstrap(p, [*gaps, *map(_mirror, gaps)], replicates=replicates, rng=seed)
        for m in gaps:
            estimates[m.call] = _mirrored(estimates[m.call], _mirror(m), drawn, confidence_level)
        if rng is None:
            table = replace(
                table, findings=(*table.findings, UNSEEDED(what="the bootstrap", seed=seed))
            )
    return looked_at_first(replace(table, estimates=with_decimals([*estimates.values()])))


def looked_at_first(table: Table) -> Table:
    """Let the text of a table of statistics show the few that people ask for first."""
    shown = (e.measure for e in table if not FIRST_LOOK.isdisjoint((e.measure, *e.also)))
    return replace(table, first_look=tuple(dict.fromkeys(shown)))


def pooled(
    p: Predictions,
    measures: Sequence[str | Measure],
    **options: Any,  # noqa: ANN401
) -> Table:
    """Evaluate on all cases together, as groups, curves and tests are, and say so where there are folds."""
    table = evaluate(p, measures, estimate="pooled", **options)
    if headline_estimate(p) == "pooled":
        return table
    said = (replace(e, keys={**e.keys, "estimate": "pooled"}) for e in table.estimates)
    return replace(table, estimates=tuple(said))


def named_plainly(table: Table, measures: Sequence[Measure]) -> Table:
    """Let statistics be looked up without the groups that they are about, which stand beside them."""
    plain = {m.call: (m.name, *m.aliases) for m in measures if m.call != m.name}
    found = (replace(e, also=(*e.also, *plain.get(e.measure, ()))) for e in table.estimates)
    return replace(table, estimates=tuple(found))


def _line_errors(outcomes: Outcomes) -> dict[str, float]:
    line, shift = recalibrated(outcomes), recalibrated(outcomes, slope=1.0)
    return {
        "calibration_intercept": line.intercept_error,
        "calibration_slope": line.slope_error,
        "calibration_offset": shift.intercept_error,
    }


def _wald(e: Estimate, error: float, level: float) -> Estimate:
    """Give a coefficient the interval of its likelihood."""
    if not np.isfinite(error):
        return e
    half = error * normal_quantile((1 - level) / 2)
    ends, method = (e.value - half, e.value + half), "Wald, of the logistic fit"
    limits = Interval(*ends, level, method, standard_error=error)
    return replace(e, interval=limits, why_no_interval="")


def _mirror(m: Measure) -> Measure:
    """Return what the replicates of a gap are mirrored at: itself, or what the debiased error corrects."""
    return ROOT_ERROR.given(**m.arguments) if m.name == DEBIASED else m


def _mirrored(e: Estimate, mirror: Measure, drawn: Bootstrap, level: float) -> Estimate:
    """Give the size of gaps the interval of the replicates of its mirror."""
    try:
        limits = drawn.interval(mirror, confidence_level=level)
    except DataError:
        why = "hardly any replicates differ, so they do not show how uncertain it is"
        return replace(e, why_no_interval=why)
    around = replace(limits, low=min(limits.low, e.value), high=max(limits.high, e.value))
    return replace(e, interval=around, why_no_interval="")
