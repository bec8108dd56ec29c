"""Tests of calibration: whether chance alone could explain the gaps, and whether these are large enough to matter."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import ROUNDING, Floats, dot
from credibly._core.declared import Declarator, Registry
from credibly._core.findings import Finding
from credibly._core.parameters import whole
from credibly.calibration.findings import CERTAIN_OUTPUTS, EXTREME_OUTPUTS, NO_CALIBRATION_TEST
from credibly.calibration.groups import grouped
from credibly.calibration.logistic import LogisticFit, recalibrated
from credibly.calibration.outcomes import Outcomes
from credibly.calibration.statistics import HARRELL, MILLER, SPIEGELHALTER, spiegelhalter_z_of
from credibly.comparisons._declare import Comparison, Outcome, TestRequest
from credibly.errors import DataError
from credibly.intervals.quantiles import chi_square_tail, normal_tail

if TYPE_CHECKING:
    from credibly.calibration.groups import Groups
    from credibly.comparisons.evidence import ComparisonEvidence
    from credibly.comparisons.result import TestResult

HOSMER = "Hosmer, D. W. & Lemeshow, S. (1980) Goodness of fit tests for the multiple logistic regression model. Communications in Statistics A 9, 1043-1069."
CALIBRATED = "the probabilities are calibrated"
FEW_EVENTS = "pvalue_for_few_events"  # a parameter of tests, which the verdict reads
LEAST_VARIANCE = 1.0  # of the events of a group
MOST_SKEWED = 1e150  # beyond it, squares overflow
LEAST_SKEWNESS = 1e-3  # with less, a law of gamma is the normal one
NO_LINE = (
    "There is no recalibration line to test: there is only one class or one probability, or a "
    "probability separates the classes."
)
SEILLIER = "Seillier-Moiseiwitsch, F. & Dawid, A. P. (1993) On testing the validity of sequential probability forecasts. JASA 88, 355-359."
RULED_OUT = (
    "In a group whose probabilities are all 0 or all 1, the opposite occurred: the test "
    "statistic is infinite. Look at those cases, or use fewer groups."
)
LOW_SHARE, HIGH_SHARE = 0.1, 0.9
NEW_CASES = {
    "new": "The cases were not used to fit the model.",
    "independent": "Cases are independent.",
}


@dataclass(frozen=True, slots=True, eq=False)
class Foretold:
    """Probabilities and outcomes of one model: what a test of calibration reads.

    ``groups`` are those that a test of groups is to be of; without them it makes its own.
    """

    outcomes: Outcomes
    names: tuple[str, ...] = ("model",)
    groups: Groups | None = None
    measure_name: str = "calibration"
    values: tuple[float, ...] = ()

    @property
    def n(self) -> float:
        """Weight of the cases."""
        return self.outcomes.n


class CalibrationTest(Comparison):
    """A test of :class:`Foretold`, or of what it ``reads``, which has no direction."""

    null: str = CALIBRATED
    assumptions: Mapping[str, str] = field(default_factory=NEW_CASES.copy)
    signed: bool = False


calibration_tests: Registry[CalibrationTest] = Registry(
    "calibration test",
    "credibly.calibration",
    use="calibration(p)",
    typed="calibration FILE",
    first="goodness_of_fit",
)
calibration_test = Declarator(CalibrationTest, calibration_tests)


def tests_of(
    evidence: ComparisonEvidence,
    **asked: Any,  # noqa: ANN401
) -> tuple[tuple[TestResult, ...], list[Finding]]:
    """Make every test that reads this evidence, with the arguments that it takes; say which cannot be made."""
    made, refused = [], []
    for test in (t for t in calibration_tests if t.reads is type(evidence)):
        taken = {q.name: asked[q.name] for q in test.parameters if q.name in asked}
        try:
            made.append(test(evidence, **taken))
        except DataError as error:
            refused.append(NO_CALIBRATION_TEST(test=test.title, error=error))
    return tuple(made), refused


def pearson(gap: Floats, expected: Floats, freedom: int, groups: int, infinite: str) -> Outcome:
    """Test the sum of squared gaps, each by its expected size, by chi-square.

    ``infinite`` says what it means where a gap is where none can be.
    """
    if ((expected <= 0) & (gap > 0)).any():
        raise DataError(infinite)
    if freedom < 1:
        raise DataError(
            f"{groups} groups leave no degrees of freedom on the cases used for fitting; use more groups."
        )
    with np.errstate(over="ignore"):  # what was all but impossible makes it infinite
        terms = np.divide(gap, expected, out=np.zeros_like(gap), where=expected > 0)
    statistic = float(terms.sum())
    freedoms = {"freedom": freedom, "groups": groups}
    return Outcome(statistic, chi_square_tail(statistic, freedom), parameters=freedoms)


@calibration_test("Hosmer-Lemeshow test", cite=HOSMER, constraints={"groups": whole(2)})
def hosmer_lemeshow(
    e: Foretold,
    request: TestRequest,  # noqa: ARG001
    *,
    groups: int = 10,
    fitted_on_these: bool = False,
) -> Outcome:
    r"""Sum over groups of the squared gap between events and expected events, by its variance.

    $\sum_g \frac{(O_g - E_g)^2}{E_g (1 - E_g / n_g)}$, chi-square with as many degrees of freedom as
    groups; two fewer on the very cases that the model was fitted on. Where groups expect few events, chance
    makes larger sums than that: the p-value for few events puts such groups together, and is that of the scaled
    chi-square whose mean and variance are those of the sum.
    """
    found = grouped(e.outcomes, groups) if e.groups is None else e.groups
    gap = (found.events - found.foretold) ** 2
    freedom = len(found) - (2 if fitted_on_these else 0)
    variance = found.foretold * (1 - found.predicted)
    outcome = pearson(gap, variance, freedom, len(found), RULED_OUT)
    for_few = _tail_of_squares(freedom, e.outcomes, found)
    return replace(
        outcome,
        parameters={**outcome.parameters, FEW_EVENTS: for_few},
        findings=(*found.findings, *_doubts(e.outcomes)),
    )


def _tail_of_squares(freedom: int, o: Outcomes, groups: Groups) -> float:
    """Return how often chance makes squared gaps this large, by the moments of the outcomes.

    Neighbouring groups are put together until each varies by an event: by one event where hardly any is
    expected, a sum of squares is further out than its moments tell.
    """
    each = o.probability * (1 - o.probability)
    place = np.searchsorted(np.cumsum(groups.total), np.cumsum(o.total) - o.total / 2)
    variance = o.total * each
    second = np.bincount(place, variance, len(groups))
    if not second.any():
        return 1.0
    fourth = np.bincount(place, variance * (1 - 6 * each), len(groups))  # cumulants
    merged = together(second, LEAST_VARIANCE)
    sums = (groups.total, groups.foretold, groups.events)
    total, foretold, events = (np.bincount(merged, column) for column in sums)
    second, fourth = np.bincount(merged, second), np.bincount(merged, fourth)
    by = foretold * (1 - foretold / total)
    mean = float((second / by).sum())
    with np.errstate(over="ignore"):
        statistic = float(((events - foretold) ** 2 / by).sum())
        spread = float((fourth / by / by + 2 * (second / by) ** 2).sum())
    if spread <= ROUNDING * mean:  # a single case of 1/2: its square is the same whatever occurs
        return 1.0
    scale = min(spread / (2 * mean), MOST_SKEWED)
    return chi_square_tail(statistic / scale, freedom / len(groups) * mean / scale)


def together(sizes: NDArray[Any], least: float) -> NDArray[np.intp]:
    """Put neighbours together until each part has a least size; what is left joins the last part.

    >>> together(np.array([0.5, 0.75, 3.0, 0.25]), 1.0).tolist()
    [0, 0, 1, 1]
    """
    place, part, held = np.zeros(sizes.size, np.intp), 0, 0.0
    rest = np.cumsum(sizes[::-1])[::-1]
    for i, size in enumerate(sizes):
        if held >= least and rest[i] >= least:
            part, held = part + 1, 0.0
        place[i], held = part, held + size
    return place


@calibration_test("Spiegelhalter's test", cite=SPIEGELHALTER)
def spiegelhalter(e: Foretold, request: TestRequest) -> Outcome:  # noqa: ARG001
    """Whether the Brier score is what the probabilities imply."""
    z = spiegelhalter_z_of(e.outcomes)
    if np.isnan(z):
        raise DataError(
            "If all probabilities are 0, 1/2 or 1, there is nothing to test: the Brier score is then fixed."
        )
    return _normal(z, e.outcomes, 1 - 2 * e.outcomes.probability)


def _line(e: Foretold) -> LogisticFit:
    """Return the recalibration line; refuse where it does not exist."""
    fit = recalibrated(e.outcomes)
    if np.isnan(fit.deviance):
        raise DataError(NO_LINE)
    return fit


@calibration_test("Test of unreliability", cite=MILLER)
def unreliability(e: Foretold, request: TestRequest) -> Outcome:  # noqa: ARG001
    r"""Likelihood ratio of the recalibration line against intercept 0 and slope 1: chi-square with 2."""
    fit = _line(e)
    statistic = max(0.0, fit.deviance_as_given - fit.deviance)
    return Outcome(
        statistic,
        chi_square_tail(statistic, 2),
        parameters={"freedom": 2, "intercept": fit.intercept, "slope": fit.slope},
        findings=_certain(e.outcomes),
    )


@calibration_test(
    "Test of discrimination",
    cite=HARRELL,
    null="the probabilities say no more than the prevalence",
)
def gain_in_likelihood(e: Foretold, request: TestRequest) -> Outcome:  # noqa: ARG001
    r"""Likelihood ratio of the probabilities as they are against the prevalence: chi-square with 1."""
    fit = _line(e)
    statistic = fit.deviance_of_prevalence - fit.deviance_as_given
    findings = _certain(e.outcomes)
    p = chi_square_tail(max(0.0, statistic), 1)
    return Outcome(statistic, p, parameters={"freedom": 1}, findings=findings)


@calibration_test(
    "Test of the number of events",
    cite=SEILLIER,
    null="the number of events is the sum of the probabilities",
)
def number_of_events(e: Foretold, request: TestRequest) -> Outcome:  # noqa: ARG001
    r"""Whether the number of events is the sum of the probabilities: $\sum (y - p) / \sqrt{\sum p (1 - p)}$."""
    return _of_residuals(e.outcomes, np.ones_like(e.outcomes.probability))


@calibration_test("Test of standardised residuals", cite=SEILLIER)
def standardised_residuals(e: Foretold, request: TestRequest) -> Outcome:  # noqa: ARG001
    r"""Whether squared residuals, each over its variance $p (1 - p)$, are one on average; sensitive to rare events predicted as rarer."""
    p = e.outcomes.probability
    if ((p <= 0) | (p >= 1)).any():
        raise DataError(
            "Probabilities of exactly 0 or 1 have no variance to divide by.",
            remedy="Smooth them, or use Spiegelhalter's test, which does not divide by a variance.",
        )
    variance = p * (1 - p)
    # The scale of the weights does not matter; this one keeps them from overflowing.
    return _of_residuals(e.outcomes, (1 - 2 * p) * (variance.min() / variance))


def _of_residuals(o: Outcomes, weight: Floats) -> Outcome:
    """Judge a weighted sum of residuals y - p by the variance that the probabilities themselves give it."""
    p = o.probability
    spread = float(dot(o.total, weight**2 * p * (1 - p)))
    if not spread > 0:
        raise DataError("These probabilities leave nothing to test: the statistic is fixed.")
    z = float(dot(o.events - o.total * p, weight)) / np.sqrt(spread)
    return replace(_normal(z, o, weight), findings=_certain(o))


def _normal(z: float, o: Outcomes, weight: Floats) -> Outcome:
    """Judge a standardised sum of weighted residuals."""
    p = o.probability
    each = o.total * p * (1 - p) * weight**2
    return judged_as_normal(z, each, weight * (1 - 2 * p))


def judged_as_normal(z: float, variances: Floats, skews: Floats) -> Outcome:
    """Judge a standardised sum by the normal law, and by a gamma law as skewed as it is.

    A sum to which a few improbable events add most is far from normal. Parts add their ``variances`` to that
    of the sum and, times their ``skews``, to its third moment.
    """
    spread = float(variances.sum())
    skewness = float(dot(variances / spread, skews / math.sqrt(spread)))
    for_few = min(1.0, 2 * skewed_tail(z, skewness))
    return Outcome(z, min(1.0, 2 * normal_tail(abs(z))), parameters={FEW_EVENTS: for_few})


def skewed_tail(z: float, skewness: float) -> float:
    """Return how often a standardised gamma law of this skewness lies beyond z, on its side of 0.

    >>> round(skewed_tail(1.96, 0.0), 4), round(skewed_tail(1.96, 1.0), 4), round(skewed_tail(-1.96, 1.0), 4)
    (0.025, 0.0447, 0.0)
    """
    if abs(skewness) < LEAST_SKEWNESS:
        return normal_tail(abs(z))
    from scipy.special import gammainc, gammaincc

    shape = 4 / min(abs(skewness), MOST_SKEWED) ** 2
    side = z if skewness > 0 else -z
    at = max(0.0, shape + side * math.sqrt(shape))
    return float((gammaincc if side > 0 else gammainc)(shape, at))


def _doubts(o: Outcomes) -> tuple[Finding, ...]:
    outside = float(o.total[(o.probability < LOW_SHARE) | (o.probability > HIGH_SHARE)].sum())
    findings = list(_certain(o))
    if outside:
        findings.append(EXTREME_OUTPUTS(outside=outside, n=o.n, low=LOW_SHARE, high=HIGH_SHARE))
    return tuple(findings)


def _certain(o: Outcomes) -> tuple[Finding, ...]:
    certain = float(o.total[(o.probability <= 0) | (o.probability >= 1)].sum())
    return (CERTAIN_OUTPUTS(certain=certain, n=o.n),) if certain else ()
