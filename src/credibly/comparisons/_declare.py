"""How a comparison is declared: once, with what it reads, what it is about and what it assumes.

The decorated function takes its evidence and a `TestRequest`, and returns an `Outcome`: the
numbers. The declaration adds the words, checks the parameters, and makes two one-sided tests of a
margin.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from credibly._core.declared import Declarator, Reading, ReadingRegistry
from credibly._core.doors import check_confidence
from credibly._core.findings import Finding
from credibly._core.parameters import one_of, require
from credibly._core.seeds import FIXED_SEED, seed_of
from credibly._core.text import lower_first
from credibly.comparisons.findings import FEW_DECIDE, NO_STANDARD_ERROR, NO_VARIATION
from credibly.comparisons.result import Alternative, Assumption, TestResult
from credibly.errors import ParameterError
from credibly.evaluation.caveats import HEAVY_TAIL_DEGREES
from credibly.intervals.quantiles import chi_square_tail, student_tail, two_sided
from credibly.measures import measures
from credibly.predictions.findings import UNSEEDED
from credibly.results.about import About, about_what
from credibly.results.interval import Interval

if TYPE_CHECKING:
    from credibly.comparisons.evidence import ComparisonEvidence
    from credibly.comparisons.result import Stands


ALTERNATIVES = ("two-sided", "less", "greater")
# What a result takes over from the outcome as it is.
EFFECTIVE_FREEDOM = "effective_freedom"  # what the cases show, of a test that has another
OUTCOME_FIELDS = (
    "statistic pvalue difference parameters effect_sizes probabilities findings estimator"
)


@dataclass(frozen=True, slots=True)
class TestRequest:
    """What is asked of a test: which alternative, to which difference (``shift``), how sure, which seed."""

    alternative: Alternative = "two-sided"
    shift: float = 0.0
    confidence_level: float = 0.95
    seed: int = FIXED_SEED
    __test__: ClassVar[bool] = False  # not one of pytest's


@dataclass(frozen=True, slots=True)
class Outcome:
    """The numbers of a test.

    ``interval`` holds the limits for the difference and ``method`` how they were made; ``stands``
    says of assumptions, by key, how they stand and why; ``parameters`` what else defines the test
    here, such as its degrees of freedom.
    """

    statistic: float
    pvalue: float
    difference: float = math.nan
    interval: tuple[float, float] | None = None
    method: str = ""
    why_no_interval: str = "the test has no signed difference"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    effect_sizes: Mapping[str, float] = field(default_factory=dict)
    stands: Mapping[str, tuple[Stands, str]] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    title: str = ""
    probabilities: Mapping[str, float] = field(default_factory=dict)
    measure: str = ""  # what is compared, where that is no measure of either model,
    values: tuple[float, ...] | None = None  # and hence of what values
    estimator: str = ""  # what the difference is, where it is not that of the values


class Comparison(Reading[..., Outcome]):
    """A test of a difference between models, and what is known about it.

    Call it with its evidence; :func:`credibly.compare` gathers the evidence and chooses the test. Its
    function is ``(evidence, asked, *, parameters) -> Outcome``.

    ``signed`` says whether there is a signed difference, which there is of two models by default;
    ``alternatives`` whether it can be tested one-sidedly and ``shifts`` whether against a margin (both
    as ``signed`` by default, unless it is Bayesian); ``several`` whether it takes more than two
    models; ``random`` whether it needs a seed; ``bayesian`` whether it answers with probabilities, not
    with a p-value; ``compares`` which measure it is about, unless another one is named.
    """

    null: str = ""
    cite: str
    assumptions: Mapping[str, str]
    signed: bool | None = None
    alternatives: bool | None = None
    shifts: bool | None = None
    several: bool = False
    random: bool = False
    bayesian: bool = False
    compares: str = ""

    @property
    def about(self) -> About:
        """What its evidence is about, unless that says otherwise."""
        about: About = getattr(self.reads, "about", "cases")
        return about

    def facts(self) -> dict[str, Any]:
        """Return what people ask of it, by name."""
        return {
            "null": self.null.format(measure="expected value of the measure"),
            "about": about_what(self.about, several=True),
            "reads": self.reads.__name__,
            "assumes": list(self.assumptions.values()),
            "one_sided": self.alternatives,
            "takes_a_margin": self.signed and self.shifts,
            "needs_a_seed": self.random,
        }

    def __post_init__(self) -> None:
        """Say what follows: of one sign from two models, of directions and margins from a sign."""
        super().__post_init__()
        signed = not self.several if self.signed is None else self.signed
        either = signed and not self.bayesian
        implied = {"signed": signed, "alternatives": either, "shifts": either}
        self._set(**{k: v for k, v in implied.items() if getattr(self, k) is None})

    def __call__(
        self,
        evidence: ComparisonEvidence,
        *,
        alternative: Alternative = "two-sided",
        margin: float | None = None,
        confidence_level: float = 0.95,
        rng: int | np.random.Generator | None = None,
        why: str = "",
        **arguments: object,
    ) -> TestResult:
        """Make the test; with ``margin``, of equivalence (two-sided) or non-inferiority (one-sided)."""
        self._check(evidence, alternative, margin)
        check_confidence(confidence_level)
        given = self.given(**arguments).arguments
        seed = FIXED_SEED if rng is None else seed_of(rng)
        plain = self.bayesian or (alternative == "two-sided" and margin is None)
        level = confidence_level if plain else level_of_bounds(confidence_level)
        request = TestRequest(alternative, 0.0, level, seed)
        # The test first: what it sorts gives the values too.
        if margin is None:
            outcome = self.function(evidence, request, **given)
        else:
            outcome = self._within(evidence, request, margin, given)
        if self.random and rng is None:
            finding = UNSEEDED(what=self.name, seed=seed)
            outcome = replace(outcome, findings=(*outcome.findings, finding))
        return self.result(evidence, request, outcome, margin, confidence_level, why)

    def _check(self, evidence: ComparisonEvidence, alternative: str, margin: float | None) -> None:
        if not isinstance(evidence, self.reads):
            raise ParameterError(
                f"{self.name} needs {self.reads.__name__}; got {type(evidence).__name__}."
            )
        require("alternative", alternative, one_of(*ALTERNATIVES))
        if alternative != "two-sided" and not self.alternatives:
            raise ParameterError(
                f"{self.name} has no direction, so it has no one-sided alternative."
            )
        if margin is not None and not (self.signed and self.shifts):
            raise ParameterError(f"{self.name} cannot test a margin: it only tests equality.")
        if margin is not None and not 0 < margin < math.inf:
            raise ParameterError(f"margin must be a finite number above 0; got {margin!r}.")

    def _null(self, evidence: ComparisonEvidence) -> str:
        """Say what is tested, of the measure that the evidence is about."""
        m = getattr(evidence, "measure", None)
        return self.null.format(measure="value" if m is None else lower_first(m.title))

    def _within(
        self,
        evidence: ComparisonEvidence,
        request: TestRequest,
        margin: float,
        given: Mapping[str, Any],
    ) -> Outcome:
        """Two one-sided tests (TOST): each end of the margin has to be rejected."""
        if request.alternative != "two-sided":
            end = -margin if request.alternative == "greater" else margin
            return self.function(evidence, replace(request, shift=end), **given)
        lower = self.function(
            evidence, replace(request, alternative="greater", shift=-margin), **given
        )
        upper = self.function(evidence, replace(request, alternative="less", shift=margin), **given)
        return lower if lower.pvalue >= upper.pvalue else upper

    def result(
        self,
        evidence: ComparisonEvidence,
        request: TestRequest,
        outcome: Outcome,
        margin: float | None,
        confidence_level: float,
        why: str,
    ) -> TestResult:
        """Say in words what was found."""
        null = self._null(evidence) + one_sided(request.alternative, models=len(evidence.values))
        about: About = getattr(evidence, "about", self.about)  # pairs may be folds or datasets
        limits = None
        if outcome.interval is not None:
            limits = Interval(*outcome.interval, request.confidence_level, outcome.method, about)
            limits = limits.within(*differences(evidence))
        stands = {**getattr(evidence, "stands", {}), **outcome.stands}
        doubts: tuple[Finding, ...] = ()
        seen = min(outcome.parameters.get(key, math.inf) for key in ("freedom", EFFECTIVE_FREEDOM))
        enough = "large" in self.assumptions and stands.get("large", ("unknown", ""))[0] == "holds"
        if enough and seen < HEAVY_TAIL_DEGREES:
            doubts = (FEW_DECIDE(freedom=seen),)
            stands["large"] = "doubtful", f"Their spread is worth {seen:.2g} degrees of freedom."
        judged = tuple(
            Assumption(text, *stands.get(key, ("unknown", "")))
            for key, text in self.assumptions.items()
        )
        found = {name: getattr(outcome, name) for name in OUTCOME_FIELDS.split()}
        found["findings"] = (*outcome.findings, *doubts)
        return TestResult(
            test=self.name,
            title=outcome.title or self.title,
            confidence_interval=limits,
            why_no_interval="" if limits else outcome.why_no_interval,
            null=null if margin is None else margin_null(request.alternative, margin),
            alternative=request.alternative,
            about=about,
            names=evidence.names,
            measure=outcome.measure or evidence.measure_name,
            n=evidence.n,
            confidence_level=confidence_level,
            margin=margin,
            values=evidence.values if outcome.values is None else outcome.values,
            direction=getattr(evidence, "direction", "neither"),
            why=why,
            assumptions=judged,
            mean_over=getattr(evidence, "mean_over", ""),
            measure_title=_own_title(evidence),
            **found,
        )


def _own_title(evidence: ComparisonEvidence) -> str:
    """Return what a measure is called of these predictions, where its name does not say so."""
    m = getattr(evidence, "measure", None)
    if m is None or m.name not in measures or m.title == measures[m.name].title:
        return ""
    return str(m.title)


def bare_name(measure: str) -> str:
    """Return the name of a measure without its parameters and its average.

    >>> bare_name("fbeta(beta=2), macro average"), bare_name("mcc, all classes")
    ('fbeta', 'mcc')
    """
    return measure.partition("(")[0].partition(",")[0]


def differences(evidence: ComparisonEvidence) -> tuple[float, float]:
    """Return the ends between which a difference must lie: those of its measure, where they are known.

    >>> from credibly.comparisons import PairedValues
    >>> differences(PairedValues([0.9, 0.8], [0.7, 0.9], measure_name="mcc"))
    (-2.0, 2.0)
    """
    from credibly.measures import measures

    name = bare_name(evidence.measure_name)
    low, high = getattr(evidence, "within", (-math.inf, math.inf))
    if hasattr(evidence, "measure"):
        low, high = evidence.measure.range
    elif (low, high) == (-math.inf, math.inf) and (known := measures.of_values(name)):
        low, high = known.range
    if hasattr(evidence, "against"):
        return low - evidence.against, high - evidence.against
    return low - high, high - low


MIN_BOUNDS_LEVEL = 0.5


def level_of_bounds(confidence_level: float) -> float:
    """Return the level of the interval whose limits are each a bound of this level.

    A one-sided test rejects just where this interval leaves the null on its side, and two of them
    show equivalence just where it lies within the margin.

    >>> round(level_of_bounds(0.95), 6)
    0.9
    """
    if not confidence_level > MIN_BOUNDS_LEVEL:
        raise ParameterError(
            f"confidence_level must be above {MIN_BOUNDS_LEVEL} for one-sided tests; got {confidence_level}."
        )
    return 2 * confidence_level - 1


def one_sided(alternative: str, *, models: int) -> str:
    """Say what else belongs to the null of a one-sided test.

    >>> one_sided("greater", models=2)
    ', or the first is lower'
    """
    if alternative == "two-sided":
        return ""
    side = "lower" if alternative == "greater" else "higher"
    return f", or the first is {side}" if models > 1 else f", or a {side} value"


def margin_null(alternative: str, margin: float) -> str:
    """Say what is tested with a margin.

    >>> margin_null("greater", 0.02)
    'the first is lower than the second by 0.02 or more'
    """
    if alternative == "two-sided":
        return f"the two differ by {margin:g} or more"
    side = "lower" if alternative == "greater" else "higher"
    return f"the first is {side} than the second by {margin:g} or more"


comparisons = ReadingRegistry[Comparison](
    "comparison",
    "credibly.comparisons",
    use="compare(p, q, test={name!r})",
    typed="compare FILE FILE --test {name}",
)


comparison = Declarator(Comparison, comparisons)


# --- a difference with a standard error -------------------------------------------------------


def by_standard_error(
    request: TestRequest,
    difference: float,
    error: float,
    freedom: float = math.inf,
    *,
    method: str,
    rounding: float = 1e-12,
    centre: float | None = None,
    **more: Any,  # noqa: ANN401
) -> Outcome:
    """Judge a difference by Student's t with its standard error (the normal, with endless freedom).

    With cases added to it, the error is that of another difference, the ``centre``.

    Without any variation, equal models are equal (p = 1) and unequal ones cannot be judged (p is not a number); a finding
    says so. ``rounding`` is the size below which a number is zero.
    """
    if error <= rounding:
        more.pop("effect_sizes", None)  # in units of a spread that is rounding
        if abs(difference) > rounding:
            why = "the difference does not vary, so that its standard error is 0"
            findings = (NO_STANDARD_ERROR(difference=difference), *more.pop("findings", ()))
            return Outcome(
                math.nan, math.nan, difference, None, why_no_interval=why, findings=findings, **more
            )
        return unvaried(request, **more)
    middle = difference if centre is None else centre
    t = (middle - request.shift) / error
    half = error * two_sided(request.confidence_level, freedom)
    shown = {} if freedom == math.inf else {"freedom": freedom}
    return Outcome(
        t,
        tail_of(t, request.alternative, freedom),
        difference,
        (min(middle - half, difference), max(middle + half, difference)),
        method,
        parameters={**shown, "standard_error": error, **more.pop("parameters", {})},
        **more,
    )


WELCH = "Welch, B. L. (1947) The generalization of 'Student's' problem when several different population variances are involved. Biometrika 34, 28-35."


def welch(*parts: tuple[float, float]) -> tuple[float, float]:
    """Add standard errors of independent estimates, each with its freedom, as Welch and Satterthwaite do.

    >>> welch((3.0, 4.0), (4.0, 9.0))
    (5.0, 12.835...)
    """
    error = math.hypot(*(e for e, _ in parts))
    shares = [(e / error, f) for e, f in parts if f < math.inf and error]  # fourth powers fit these
    loose = sum(share**4 / f for share, f in shares)
    return error, 1 / loose if loose else math.inf


def tail_of(t: float, alternative: Alternative, freedom: float = math.inf) -> float:
    """Return the p-value of a statistic that is Student's t (normal) under the null."""
    if alternative == "two-sided":
        return min(1.0, student_tail(t, freedom, tails=2))
    return student_tail(t if alternative == "greater" else -t, freedom)


def by_chi_square(statistic: float, freedom: int, *findings: Finding) -> Outcome:
    """Judge a sum of squares by chi-square; without any freedom it is 0 for sure."""
    pvalue = chi_square_tail(statistic, freedom) if freedom else 1.0
    return Outcome(statistic, pvalue, parameters={"freedom": freedom}, findings=findings)


def unvaried(request: TestRequest, **more: Any) -> Outcome:  # noqa: ANN401
    """Return the outcome of two models that are equal to the last digit: nothing distinguishes them."""
    inside = request.shift != 0  # a margin around no difference at all
    known = (request.shift < 0) == (request.alternative == "greater")
    return Outcome(
        0.0,
        (0.0 if known else 1.0) if inside else 1.0,
        0.0,
        None,
        why_no_interval="the two models do not differ in any case",
        findings=(
            NO_VARIATION(same="do not differ in any case"),
            *more.pop("findings", ()),
        ),
        **more,
    )
