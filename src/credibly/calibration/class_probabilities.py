"""Calibration of all classes at once: each class against the rest, the top label, and jointly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, dot
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.parameters import whole
from credibly._core.text import interval_text
from credibly.calibration._declare import calibration_statistics
from credibly.calibration.calibration import (
    Calibration,
    about_top_label,
    calibration,
    cells_of_tests,
    groups_for,
    looked_at_first,
    named_plainly,
    of_one_model,
    pooled,
    refuse_few,
    verdict_of,
    without_rules,
)
from credibly.calibration.goodness_of_fit import (
    FEW_EVENTS,
    calibration_test,
    judged_as_normal,
    pearson,
    tests_of,
    together,
)
from credibly.calibration.groups import (
    MIN_GROUP_CASES,
    equal_sizes,
    grouped,
    most_groups,
    small_groups,
)
from credibly.calibration.outcomes import Outcomes, top_label
from credibly.calibration.statistics import SPIEGELHALTER, by_groups
from credibly.calibration.verdict import CalibrationVerdict, Said, matters, rejected
from credibly.comparisons._declare import Outcome, TestRequest
from credibly.comparisons.result import TestResult
from credibly.errors import DataError, listed
from credibly.intervals.quantiles import chi_square_tail
from credibly.predictions import Predictions
from credibly.predictions.lack import lack_of
from credibly.predictions.summaries.linear import one_vs_rest
from credibly.results.result import Blocks, Result, Whole
from credibly.results.table import Table

FAGERLAND = "Fagerland, M. W., Hosmer, D. W. & Bofin, A. M. (2008) Multinomial goodness-of-fit tests for logistic regression models. Statistics in Medicine 27, 4238-4253."
OVERALL_MEASURES = ("quadratic_loss", "log_loss")
RULED_OUT = "A class occurred in a group of cases that all had probability 0 for it: the test statistic is infinite."


@dataclass(frozen=True, slots=True, eq=False)
class ForetoldClasses:
    """Probabilities of every class (columns) and what happened: what a joint test reads.

    ``weight`` counts cases.
    """

    probability: Floats
    truth: NDArray[Any]
    weight: Floats
    names: tuple[str, ...] = ("model",)
    measure_name: str = "calibration"
    values: tuple[float, ...] = ()

    @classmethod
    def of(cls, p: Predictions) -> ForetoldClasses:
        """Take the probabilities of all classes; importance weights add up to their effective size."""
        name = "model" if p.model is None else str(p.model[0])
        matrix = p.probability_matrix("a joint test")
        return cls(matrix, p.truth, p.weights / p.case_weight, (name,))

    @property
    def n(self) -> float:
        """Number of cases."""
        return float(self.weight.sum())


@calibration_test(
    "Hosmer-Lemeshow test of several classes",
    cite=FAGERLAND,
    constraints={"groups": whole(2)},
)
def hosmer_lemeshow_of_classes(
    e: ForetoldClasses,
    request: TestRequest,  # noqa: ARG001
    *,
    groups: int = 10,
    fitted_on_these: bool = False,
) -> Outcome:
    r"""Sum over groups and classes of the squared gap between cases and expected cases, by the latter.

    $\sum_g \sum_k (O_{gk} - E_{gk})^2 / E_{gk}$ in groups of equal size by the probability of the first
    class, equal ones staying together; chi-square with $g(k - 1)$ degrees of freedom,
    $(g - 2)(k - 1)$ on the cases of the fit.
    """
    tied = np.unique(-e.probability[:, 0], return_inverse=True)[1]
    sizes = np.bincount(tied, e.weight).astype(np.float64)
    place = equal_sizes(sizes, groups, "spread")[tied]
    used, place = np.unique(place, return_inverse=True)
    k = e.probability.shape[1]
    seen = np.bincount(place * k + e.truth, e.weight, used.size * k)
    foretold = np.zeros((used.size, k))
    np.add.at(foretold, place, e.weight[:, None] * e.probability)
    expected = foretold.ravel()
    freedom = (used.size - (2 if fitted_on_these else 0)) * (k - 1)
    outcome = pearson((seen - expected) ** 2, expected, freedom, used.size, RULED_OUT)
    share = freedom / (used.size * (k - 1))
    for_few = _tail_of_cells(share, seen.reshape(-1, k), foretold)
    parameters = {**outcome.parameters, FEW_EVENTS: for_few}
    return replace(outcome, parameters=parameters, findings=small_groups(expected))


def _tail_of_cells(share: float, seen: NDArray[Any], foretold: Floats) -> float:
    """Return how often chance makes squared gaps this large, with the rare classes of each group put together.

    ``share`` is that of the degrees of freedom which the fit has left.
    """
    statistic, freedom = 0.0, 0
    for happened, expected in zip(seen, foretold, strict=True):
        order = expected.argsort()
        part = together(expected[order], MIN_GROUP_CASES)
        observed, said = (np.bincount(part, cells[order]) for cells in (happened, expected))
        statistic += float(((observed - said) ** 2 / said).sum())
        freedom += said.size - 1
    return chi_square_tail(statistic, share * freedom) if freedom else 1.0


@calibration_test("Spiegelhalter's test of several classes", cite=SPIEGELHALTER)
def spiegelhalter_of_classes(e: ForetoldClasses, request: TestRequest) -> Outcome:  # noqa: ARG001
    r"""Whether the quadratic loss is what the probabilities imply.

    $\sum (q_y - \sum_k p_k q_k)$ by the root of its variance, with $q_k$ the loss of a case if its class
    is $k$. With two classes it is Spiegelhalter's test.
    """
    p = e.probability
    loss = np.square(p).sum(axis=1, keepdims=True) + 1 - 2 * p  # if each class were the actual one
    mean = (p * loss).sum(axis=1)
    away = loss - mean[:, None]
    variances = e.weight * (p * away**2).sum(axis=1)
    spread = float(variances.sum())
    if not spread > 0:
        raise DataError(
            "Probabilities that are all certain, or equal for all classes, leave nothing to test."
        )
    z = float(dot(e.weight, loss[np.arange(len(p)), e.truth] - mean)) / np.sqrt(spread)
    third = (p * away**3).sum(axis=1)
    varied = variances > 0
    return judged_as_normal(z, variances[varied], (e.weight * third)[varied] / variances[varied])


class ClassCalibration(Result):
    """Calibration of several classes: each against the rest, on average, of the top label, jointly.

    >>> import credibly
    >>> from credibly.calibration import class_calibration
    >>> p = credibly.Predictions.of(list("abc") * 20, probability=[[.6, .2, .2], [.2, .5, .3], [.1, .3, .6]] * 20)
    >>> c = class_calibration(p, groups=2)
    >>> [e.keys["class"] for e in c.classes.where(measure="calibration_in_the_large")]
    ['a', 'b', 'c']
    >>> [t.test for t in c.tests]
    ['hosmer_lemeshow_of_classes', 'spiegelhalter_of_classes']
    """

    heading: str
    classes: Table
    average: Table
    top_label: Calibration
    tests: tuple[TestResult, ...]
    verdict: CalibrationVerdict
    findings: tuple[Finding, ...] = ()

    versioned = True
    json_keys = (
        "heading meaning miscalibrated=verdict.miscalibrated classes=classes.estimates average=average.estimates "
        "top_label tests findings=all.all_findings"
    )
    row_parts = "classes"
    finding_parts = "classes average top_label tests"

    @property
    def all(self) -> Result:
        """The same result, whose text shows every statistic."""
        top = replace(self.top_label, table=self.top_label.table.all)
        result = replace(self, classes=self.classes.all, average=self.average.all, top_label=top)
        return Whole(result)

    def meaning(self) -> str:
        """Say of which classes the probabilities are too high or too low on average, and what tests show."""
        return str(self.verdict)

    def blocks(self) -> Blocks:
        """Yield title, header and body of each table, as people read them."""
        yield "Each class against the rest", *without_rules(self.classes).cells()
        yield "All classes", *without_rules(self.average).cells()
        yield "Top label", *without_rules(self.top_label.table).cells()
        yield "Joint tests of calibration", *cells_of_tests(self.tests)


@door
def class_calibration(
    predictions: Predictions,
    groups: int | None = None,
    *,
    fitted_on_these: bool = False,
    rng: int | np.random.Generator | None = None,
    replicates: int = 1000,
    confidence_level: float = 0.95,
) -> ClassCalibration:
    """Judge the probabilities of all classes.

    Parameters
    ----------
    predictions
        With probabilities of several classes, of one model.
    groups
        How many groups of cases for the joint test, the statistics and the plot of the top label.
        10 by default; below 10 cases, half as many groups as cases.
    fitted_on_these
        Whether the model was fitted on these very cases.
    rng, replicates
        Seed and number of replicates of intervals of the top label's statistics.
    confidence_level
        Confidence level of the intervals.

    >>> import credibly
    >>> from credibly.calibration import class_calibration
    >>> p = credibly.Predictions.of(list("abc") * 20, probability=[[.6, .2, .2], [.2, .5, .3], [.1, .3, .6]] * 20)
    >>> class_calibration(p, groups=2).average["expected_calibration_error"].average
    'macro'
    """
    p, doubts = of_one_model(predictions)
    if p.probability is None or p.task != "classification":
        lack_of("probability").refuse(p, "Calibration of classes")
    refuse_few(p)
    if groups is None:
        groups, few = groups_for(Outcomes.of(top_label(p)))
        doubts += few
    anyone = replace(p, positive=None, cache={})
    options: dict[str, Any] = {"confidence_level": confidence_level}
    statistics = by_groups(groups, "equal_size", "last")
    each = pooled(anyone, statistics, by="class", **options)
    average = pooled(anyone, statistics, average="macro", **options)
    each, average = (named_plainly(table, statistics) for table in (each, average))
    overall = pooled(anyone, OVERALL_MEASURES, **options)
    average = replace(average, estimates=(*average.estimates, *overall.estimates))
    each, average = (looked_at_first(t) for t in (replace(each, down="class"), average))
    asked = {"groups": max(groups, 2), "fitted_on_these": fitted_on_these}
    tests, refused = tests_of(ForetoldClasses.of(p), **asked)
    top = calibration(
        p,
        groups,
        of="top_label",
        fitted_on_these=fitted_on_these,
        rng=rng,
        replicates=replicates,
        **options,
    )
    heading = f"Calibration of {len(p.classes)} classes: {p.cases:,.10g} cases"
    said = joint_verdict(p, each, tests, groups)
    findings = (*doubts, *refused)
    return ClassCalibration(heading, each, average, cast("Calibration", top), tests, said, findings)


def joint_verdict(
    p: Predictions, table: Table, tests: Sequence[TestResult], groups: int
) -> CalibrationVerdict:
    """Judge the probabilities of all classes jointly, and say which are off on average."""
    off: dict[str, list[str]] = {}
    every = table.where(measure="calibration_in_the_large")
    for e in every:
        if e.interval is not None and not e.interval.low <= 0 <= e.interval.high:
            text = f"{e.keys['class']} ({interval_text(e.value, e.interval)})"
            off.setdefault("high" if e.value > 0 else "low", []).append(text)
    texts = [f"too {way} for {listed(named)}" for way, named in off.items()]
    right = None if texts else Said(f"about right on average for all {len(every)} classes")
    wrong = [Said(f"{' and '.join(texts)} on average (predicted minus observed)")] if texts else []
    shown = rejected(tests)
    far = bool(shown) and any(
        matters(o, grouped(o, min(groups, most_groups(o))))
        for o in (Outcomes.of(one_vs_rest(p, i)) for i in range(len(p.classes)))
    )
    if far and not wrong:
        wrong = [Said("off in places")]
    return CalibrationVerdict("", right, tuple(wrong), shown, far)


def calibration_verdict(predictions: Predictions) -> CalibrationVerdict:
    """Judge the probabilities of one model as every door does: of several classes the top label, then all jointly.

    >>> import credibly
    >>> p = credibly.Predictions.of(list("aab") * 40, probability=[[.6, .3, .1]] * 120, classes=list("abc"))
    >>> calibration_verdict(p).miscalibrated
    True
    """
    found = verdict_of(predictions)
    if found.miscalibrated or not about_top_label(predictions):
        return found
    p, _ = of_one_model(predictions)
    groups = max(groups_for(Outcomes.of(top_label(p)))[0], 2)
    tests, _ = tests_of(ForetoldClasses.of(p), groups=groups)
    on_average = calibration_statistics["calibration_in_the_large"]
    each = pooled(replace(p, positive=None, cache={}), [on_average], by="class")
    joint = joint_verdict(p, each, tests, groups)
    return joint if joint.miscalibrated else found
