"""Comparisons on the same cases, as the text books give them."""

import math

import pytest

from credibly import Predictions, compare
from credibly.comparisons import Areas
from credibly.comparisons.areas import hanley_mcneil
from credibly.intervals import hanley_mcneil_standard_error
from golden.goldens import golden


def discordant(b, c):
    """Two models of which the first alone errs on ``b`` cases, the second alone on ``c``."""
    counts = {"sample_weight": [b, c, 1], "weight_kind": "frequency", "classes": [0, 1]}
    return (
        Predictions.of([0, 0, 0], label=[1, 0, 0], **counts),
        Predictions.of([0, 0, 0], label=[0, 1, 0], **counts),
    )


def mcnemar(b, c, method):
    return compare(*discordant(b, c), "error_rate", test=f"mcnemar(method={method!r})")


@golden("oh-mcnemar")
def test_mcnemar(case):
    """Erratum A32: Z is built on a size, so both tails count, and Z^2 is chi-square."""
    corrected = mcnemar(case["n_b"], case["n_c"], "corrected")
    case.check(
        Z=corrected.statistic,
        chi2=corrected.statistic**2,
        p_two_sided=corrected.pvalue,
        exact_binomial_p=mcnemar(case["n_b"], case["n_c"], "exact").pvalue,
    )


@golden("oh-mcnemar-equal")
def test_mcnemar_of_equal_counts(case):
    """Erratum A32: eq. 7.22 falls below 0 where the counts are equal; no less than 0 is taken."""
    corrected = mcnemar(case["n_b"], case["n_c"], "corrected")
    case.check(
        Z_clamped=corrected.statistic,
        p_two_sided=corrected.pvalue,
        exact_binomial_p=mcnemar(case["n_b"], case["n_c"], "exact").pvalue,
    )
    case.differs("Z_as_printed", corrected.statistic)


def test_mcnemar_without_disagreement():
    for method in ("exact", "mid_p", "corrected", "chi_square"):
        result = mcnemar(0, 0, method)
        assert (result.pvalue, result.difference) == (1.0, 0.0)
        assert any(f.code == "no-variation" for f in result.findings)


@golden("oh-hanley-mcneil-diff")
def test_two_correlated_areas(case):
    """Erratum A31: no half under the root, since variances of independent estimates add."""
    sizes = case["n_pos"], case["n_neg"]
    result = hanley_mcneil(Areas((case["AUC1"], case["AUC2"]), *sizes, case["r"]))
    case.check(
        SE1=hanley_mcneil_standard_error(case["AUC1"], *sizes),
        SE2=hanley_mcneil_standard_error(case["AUC2"], *sizes),
        SE_diff=result.parameters["standard_error"],
        Z=result.statistic,
        p_two_sided=result.pvalue,
    )
    case.differs("SE_diff_as_printed", result.parameters["standard_error"])


def test_a_correlation_may_be_given():
    given = hanley_mcneil(Areas((0.9, 0.8), 51, 58, 0.0), correlation=0.5)
    assert given.statistic == hanley_mcneil(Areas((0.9, 0.8), 51, 58, 0.5)).statistic


def test_uncorrelated_areas_have_variances_that_add():
    result = hanley_mcneil(Areas((0.9, 0.8), 51, 58, 0.0))
    errors = [hanley_mcneil_standard_error(a, 51, 58) for a in (0.9, 0.8)]
    assert result.parameters["standard_error"] == pytest.approx(math.hypot(*errors), rel=1e-12)
