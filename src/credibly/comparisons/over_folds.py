"""Comparisons of two learning schemes by their values over folds, repeats or independent runs."""

from __future__ import annotations

import math
from functools import partial
from typing import Literal

import numpy as np

from credibly._core.arrays import ROUNDING, Floats
from credibly._core.findings import Finding
from credibly._core.names import Names
from credibly.comparisons._declare import (
    WELCH,
    Outcome,
    TestRequest,
    by_standard_error,
    comparison,
    tail_of,
    unvaried,
    welch,
)
from credibly.comparisons.evidence import FoldValues, Moments, PairedValues
from credibly.comparisons.findings import SAME_DIFFERENCE
from credibly.comparisons.signed_ranks import Tails
from credibly.errors import DataError, MissingColumnError, says
from credibly.intervals.findings import DEPENDENT_FOLDS
from credibly.intervals.folds import NADEAU, STUDENT

DIETTERICH = "Dietterich, T. G. (1998) Approximate statistical tests for comparing supervised classification learning algorithms. Neural Computation 10, 1895-1923."
ALPAYDIN = "Alpaydin, E. (1999) Combined 5 x 2 cv F test for comparing supervised classification learning algorithms. Neural Computation 11, 1885-1892."

SAME_SPLITS = {"splits": "both schemes were trained and tested on the same splits"}
NORMAL = {"normal": "differences are roughly normal"}
# In simulations the tests below keep their level but for nearest neighbours, where it doubles: `compare`
# gives repeats no more than nine degrees of freedom, as ten folds have, which makes up for it.
CAPPED_FREEDOM = 9.0
STABLE = {"stable": "no single training case has much influence on what is learned"}
INDEPENDENT = {"independent": "differences are independent of one another"}
REPEATS, HALVES = 5, 2
five_by_two = partial(
    comparison,
    null="equal means over training sets of half the size",
    assumptions={**SAME_SPLITS, **STABLE, **NORMAL},
    shifts=False,
)

NAIVE = DEPENDENT_FOLDS(
    what="The differences are",
    so="on ten times ten folds, such a test calls about half of all pairs of equally good schemes different",
    instead=says("Use <test='corrected_resampled_t'>."),
)


def corrected_standard_error(variance: float, k: float, test_train_ratio: float) -> float:
    """Return the standard error of a mean of ``k`` differences whose training parts overlap.

    More differences help only so far: the second term stays.

    >>> round(corrected_standard_error(0.0025, 100, 1 / 9), 6)
    0.017401
    """
    return math.sqrt(variance * (1 / k + test_train_ratio))


@comparison(
    "Corrected resampled t",
    null="equal means over training sets",
    cite=NADEAU,
    assumptions={**SAME_SPLITS, **STABLE, **NORMAL},
    aliases=Names(
        "nadeau_bengio",
        texts="corrected resampled t-test",
        weka="Paired T-Tester (corrected), PairedCorrectedTTester",
        unlike={"t-test": "for the folds of one dataset, which overlap"},
    ),
)
def corrected_resampled_t(
    e: FoldValues, request: TestRequest, *, freedom: Literal["all", "nine"] = "all"
) -> Outcome:
    r"""Student's t of the mean difference over folds, with a variance that allows for their overlap.

    $t = \bar d / \sqrt{(1/k + n_{test}/n_{train})\, s^2}$ with $k - 1$ degrees of freedom, where k counts
    every difference: a hundred for ten times ten folds. It serves repeated cross-validation and
    repeated holdout alike. This is the published test. Repeats use the same cases again, so a
    hundred differences carry less information than that; with ``freedom="nine"`` there are nine
    degrees of freedom at most, as ten folds have, which is what :func:`credibly.compare` chooses
    for repeats.

    >>> folds = FoldValues([7, 8, 3, 12, 9], [6, 6, 5, 10, 7], test_train_ratio=1 / 4)
    >>> result = corrected_resampled_t(folds)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (0.8607, 0.438)
    """
    ratio = known_ratio(e, "corrected_resampled_t")
    error = corrected_standard_error(_variance(e), e.n, ratio)
    most = CAPPED_FREEDOM if freedom == "nine" else math.inf
    told = {"test_train_ratio": ratio}
    return _paired(e, request, error, "corrected resampled t", told, most=most)


@comparison(
    "Paired t",
    null="equal means",
    cite=STUDENT,
    assumptions={**INDEPENDENT, **NORMAL},
    aliases=Names(
        texts="paired t-test",
        weka="Paired T-Tester",
        scipy="ttest_rel",
        unlike={"t-test": "for pairs that are independent of one another"},
    ),
)
def paired_t(e: PairedValues, request: TestRequest) -> Outcome:
    r"""Student's t of the mean difference, for pairs that are independent of one another.

    $t = \bar d / (s / \sqrt k)$ with $k - 1$ degrees of freedom. Folds of one dataset are not
    independent; it is here for independent runs, and for contrast.

    >>> result = paired_t(PairedValues([7, 8, 3, 12, 9], [6, 6, 5, 10, 7]))
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.291, 0.2663)
    """
    error = math.sqrt(_variance(e) / e.n)
    return _paired(e, request, error, "paired t", {}, findings=cautions(e))


@comparison(
    "Unpaired t",
    null="equal means",
    cite=WELCH,
    assumptions={
        "independent": "all values are independent of one another",
        "normal": "values are roughly normal",
    },
    aliases=Names(
        "welch",
        texts="unpaired t-test",
        scipy="ttest_ind(variant='pooled')",
        unlike={"t-test": "for two samples that are not paired"},
    ),
)
def unpaired_t(
    e: Moments, request: TestRequest, *, variant: Literal["welch", "pooled", "smaller"] = "welch"
) -> Outcome:
    """Student's t of two means over separate runs, from the values or from their means and variances alone.

    ``"welch"`` takes Satterthwaite's degrees of freedom; ``"pooled"`` one variance for both;
    ``"smaller"`` Welch's statistic with the degrees of freedom of the smaller sample, which is
    conservative. Where values come in pairs, a paired test tells more.

    >>> papers = Moments(means=(0.79, 0.85), variances=(0.003, 0.004), sizes=(10, 10))
    >>> round(unpaired_t(papers).pvalue, 4), round(unpaired_t(papers, variant="smaller").pvalue, 4)
    (0.0362, 0.0495)
    """
    (first, second), (m, n) = e.variances, e.sizes
    difference = e.means[0] - e.means[1]
    pooled = ((m - 1) * first + (n - 1) * second) / (m + n - 2)
    parts = ((math.sqrt(first / m), m - 1.0), (math.sqrt(second / n), n - 1.0))
    (error, freedom), fewest = welch(*parts), float(min(m, n) - 1)
    if variant == "pooled":
        error, freedom = math.sqrt(pooled * (1 / m + 1 / n)), float(m + n - 2)
    elif variant == "smaller" or not error:
        freedom = fewest
    titles = {"welch": "Welch's t", "pooled": "Pooled t", "smaller": "Unpaired t, smaller sample's"}
    return by_standard_error(
        request,
        difference,
        error,
        freedom,
        method=titles[variant],
        rounding=ROUNDING * max(map(abs, e.means)),
        title=titles[variant],
        effect_sizes={"Cohen's d": difference / math.sqrt(pooled)} if pooled > 0 else {},
    )


@five_by_two(
    "5 x 2 cv t",
    cite=DIETTERICH,
    aliases=Names("dietterich", texts="5x2cv t-test, 5x2cv paired t-test"),
)
def five_by_two_t(e: FoldValues, request: TestRequest) -> Outcome:
    r"""Dietterich's t of five repeats of two folds: the first difference over the spread within repeats.

    $t = d_{11} / \sqrt{\frac{1}{5} \sum_i s_i^2}$ with 5 degrees of freedom. The statistic depends on
    which fold comes first; the combined F uses all ten differences.

    >>> folds = FoldValues([.9, .8, .9, .7, .8, .8, .9, .8, .7, .8],
    ...                    [.8, .8, .7, .7, .8, .7, .8, .8, .7, .7], repeats=5, folds=2)
    >>> round(five_by_two_t(folds).statistic, 4), round(five_by_two_f(folds).statistic, 4)
    (1.118, 1.0)
    """
    halves, within = _halves(e, "five_by_two_t")
    if within == 0:
        return _without_spread(e, request)
    t = float(halves[0, 0] / math.sqrt(within / REPEATS))
    return Outcome(
        t,
        tail_of(t, request.alternative, REPEATS),
        float(halves.mean()),
        why_no_interval="the statistic rests on the first of ten differences",
        parameters={"freedom": float(REPEATS)},
    )


@five_by_two(
    "Combined 5 x 2 cv F",
    cite=ALPAYDIN,
    alternatives=False,
    aliases=Names("alpaydin", texts="5x2cv F-test, combined 5x2cv F-test"),
)
def five_by_two_f(e: FoldValues, request: TestRequest) -> Outcome:
    r"""Alpaydin's F of five repeats of two folds: all ten squared differences over the spread within repeats.

    $F = \sum_{ij} d_{ij}^2 / (2 \sum_i s_i^2)$ with 10 and 5 degrees of freedom.

    >>> folds = FoldValues([.9, .8, .9, .7, .8, .8, .9, .8, .7, .8],
    ...                    [.8, .8, .7, .7, .8, .7, .8, .8, .7, .7], repeats=5, folds=2)
    >>> round(five_by_two_f(folds).pvalue, 4)
    0.5349
    """
    from scipy.special import fdtrc

    halves, within = _halves(e, "five_by_two_f")
    if within == 0:
        return _without_spread(e, request)
    f = float(np.square(halves).sum()) / (2 * within)
    return Outcome(
        f,
        float(fdtrc(HALVES * REPEATS, REPEATS, f)),
        float(halves.mean()),
        why_no_interval="F has no direction",
        parameters={"freedom": float(HALVES * REPEATS), "freedom of residuals": float(REPEATS)},
    )


def known_ratio(e: FoldValues, name: str) -> float:
    """Return how large a test part is beside its training part."""
    ratio = e.test_train_ratio
    if ratio is None:
        raise MissingColumnError(
            f"{name} needs to know how much folds overlap.",
            remedy=says(
                "Set <test_train_ratio=...>, the size of a test part divided by that of its training part (1/9 for ten folds), or give predictions with n_train."
            ),
        )
    if not 0 < ratio < math.inf:
        raise DataError(f"test_train_ratio must be a finite number above 0; got {ratio!r}.")
    return float(ratio)


def cautions(e: PairedValues) -> tuple[Finding, ...]:
    """Warn where pairs are folds."""
    return (NAIVE,) if isinstance(e, FoldValues) else ()


def scale_of(e: PairedValues) -> float:
    """Return the size of the values, of which rounding is a small share."""
    return float(max(np.abs(e.a).max(), np.abs(e.b).max()))


def _variance(e: PairedValues) -> float:
    return float(np.var(e.differences, ddof=1))


def _paired(
    e: PairedValues,
    request: TestRequest,
    error: float,
    method: str,
    parameters: dict[str, float],
    findings: tuple[Finding, ...] = (),
    most: float = math.inf,
) -> Outcome:
    difference, deviation = float(e.differences.mean()), math.sqrt(_variance(e))
    rounding = ROUNDING * scale_of(e)
    if constant(e) and (units := _apart(e)) > 1:
        return _by_signs(e, request, units, findings)
    return by_standard_error(
        request,
        difference,
        error,
        min(e.n - 1, most),
        method=method,
        rounding=rounding,
        parameters=parameters,
        effect_sizes={"mean over SD of differences (d_z)": difference / deviation}
        if deviation > rounding
        else {},
        findings=findings,
    )


def constant(e: PairedValues) -> bool:
    """Whether two schemes differ by the same amount in every pair, which leaves no variation to judge by."""
    rounding = ROUNDING * scale_of(e)
    return float(np.ptp(e.differences)) <= rounding < abs(float(e.differences.mean()))


def _apart(e: PairedValues) -> int:
    """Return how many of the values share no test case: those of one repeat."""
    return int(e.n) // e.repeats if isinstance(e, FoldValues) else int(e.n)


def _by_signs(
    e: PairedValues,
    request: TestRequest,
    units: int,
    findings: tuple[Finding, ...],
) -> Outcome:
    """Judge a difference that is the same in every pair by its sign, as often as test cases are others."""
    difference = float(e.differences.mean())
    above = difference > request.shift
    once = 0.5**units
    tails = Tails(1.0, once) if above else Tails(once, 1.0)
    what = (
        f"the {units} folds of a repeat, which share no test case"
        if isinstance(e, FoldValues)
        else f"{units} pairs"
    )
    return Outcome(
        float(units if above else 0),
        tails.pvalue(request.alternative),
        difference,
        why_no_interval="the difference is the same in every pair of values",
        parameters={"pairs": float(units)},
        findings=(*findings, SAME_DIFFERENCE(difference=difference, n=e.n, what=what)),
        title="Sign test, since the difference does not vary",
    )


def _halves(e: FoldValues, name: str) -> tuple[Floats, float]:
    """Return the differences by repeat and half, and the sum of squares within repeats."""
    if (e.repeats, e.n) != (REPEATS, REPEATS * HALVES):
        raise DataError(
            f"{name} needs five repeats of two folds, ten values of each scheme; got {e.n:g} values in {e.repeats} repeats.",
            remedy=says("Use <test='corrected_resampled_t'> for other splits."),
        )
    halves = e.differences.reshape(REPEATS, HALVES)
    within = float(np.square(halves[:, 0] - halves[:, 1]).sum() / 2)
    return halves, within if within > (ROUNDING * scale_of(e)) ** 2 else 0.0


def _without_spread(e: FoldValues, request: TestRequest) -> Outcome:
    if np.abs(e.differences).max() > ROUNDING * scale_of(e):
        raise DataError(
            "In each repeat both halves have exactly the same difference, so there is no variation to test against. Use a test over the cases."
        )
    return unvaried(request)
