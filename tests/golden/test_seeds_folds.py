"""Figures about comparing two schemes over folds, from section 5.5 of wf, 22.2.4 of zm and ds."""

import math

import numpy as np
import pytest

from credibly.comparisons import FoldValues, Moments, PairedValues, comparisons
from credibly.comparisons.over_folds import corrected_standard_error
from credibly.intervals import student_quantile
from golden.goldens import golden


@golden("wf-corrected-t-factor")
def test_every_difference_counts_in_the_corrected_t(case):
    """Erratum A14: the book takes k = 10 for a variance of 100 differences, which shrinks t by 24 %."""
    folds, ratio = case["folds"], case["n2_over_n1"]
    k = folds * case["repeats"]
    values = np.linspace(0, 1, k)
    result = comparisons["corrected_resampled_t"](
        FoldValues(values, np.zeros(k), test_train_ratio=1 / (folds - 1))
    )
    case.check(
        n2_over_n1=ratio,
        factor_k100=(result.parameters["standard_error"] / values.std(ddof=1)) ** 2,
        factor_k10=corrected_standard_error(1, folds, ratio) ** 2,
        t_ratio_k10_over_k100=math.sqrt(
            corrected_standard_error(1, k, ratio) ** 2
            / corrected_standard_error(1, folds, ratio) ** 2
        ),
        dof_k100=result.parameters["freedom"],
    )


@golden("wf-corrected-t-on-savoy-data")
def test_the_correction_takes_a_significant_difference_back(case):
    """Erratum B4: the plain t is no test of folds; its 3.3 % become 11.8 %."""
    folds = FoldValues(case["x"], case["y"], test_train_ratio=case["n2_over_n1"])
    corrected = comparisons["corrected_resampled_t"](folds)
    plain = comparisons["paired_t"](folds)
    case.check(
        t=corrected.statistic,
        p_two_sided=corrected.pvalue,
        dof=corrected.parameters["freedom"],
        uncorrected_t=plain.statistic,
    )
    assert not corrected.rejected
    assert plain.rejected
    assert [f.code for f in plain.findings] == ["dependent-folds"]


@golden("wf-corrected-t-bounded")
def test_more_repeats_do_not_make_the_corrected_t_grow_without_bound(case):
    variance, mean = case["sd_d"] ** 2, case["mean_d"]
    sizes = [math.inf if k == "inf" else k for k in case["k"]]
    case.check(
        corrected=[mean / corrected_standard_error(variance, k, case["n2_over_n1"]) for k in sizes],
        standard=[mean / corrected_standard_error(variance, k, 0) for k in sizes if k < math.inf],
    )


@golden("zm-ex22.11")
def test_paired_t_over_five_folds(case):
    """Errata A1 and A4: the divisor is K - 1, and 1.291 is printed as 1.28."""
    a, b = np.array(case["A_thirtieths"]) / 30, np.array(case["B_thirtieths"]) / 30
    result = comparisons["paired_t"](PairedValues(a, b), confidence_level=case["confidence_level"])
    deviation = result.parameters["standard_error"] * math.sqrt(len(a))
    case.check(
        delta=(a - b).tolist(),
        mean=result.difference,
        variance=deviation**2,
        sd=deviation,
        Z=result.statistic,
        dof=result.parameters["freedom"],
        critical=student_quantile(1 - case["confidence_level"], len(a) - 1, tails=2),
        reject=result.rejected,
        p_two_sided=result.pvalue,
    )
    case.differs("Z_1_over_K", result.statistic)
    # The variance differs by less than `differs` can see.
    assert deviation**2 == pytest.approx(case.expected("variance_1_over_K") * 5 / 4, abs=1e-9)


@golden("zm-ex22.11-corrected")
def test_corrected_t_over_five_folds(case):
    """Erratum B4: the plain t of the book takes folds as independent."""
    a, b = np.array(case["A_thirtieths"]) / 30, np.array(case["B_thirtieths"]) / 30
    result = comparisons["corrected_resampled_t"](
        FoldValues(a, b, test_train_ratio=case["n2_over_n1"])
    )
    case.check(t=result.statistic, p_two_sided=result.pvalue)


@golden("ds-paired-t")
def test_paired_t(case):
    x, y = np.array(case["x"]), np.array(case["y"])
    result = comparisons["paired_t"](PairedValues(x, y), confidence_level=1 - case["alpha"])
    case.check(
        sum_x=x.sum(),
        sum_y=y.sum(),
        sum_d=(x - y).sum(),
        sum_d2=((x - y) ** 2).sum(),
        mean_d=result.difference,
        sd_d=result.parameters["standard_error"] * math.sqrt(len(x)),
        t=result.statistic,
        dof=result.parameters["freedom"],
        critical=student_quantile(case["alpha"], len(x) - 1, tails=2),
        p_two_sided=result.pvalue,
        reject_5pct=result.rejected,
    )


@golden("wf-unpaired-min-dof")
def test_unpaired_t_with_the_freedom_of_the_smaller_sample(case):
    """Erratum B5: the book's rule is conservative."""
    result = comparisons["unpaired_t"](Moments.of(case["x"], case["y"]), variant="smaller")
    case.check(t=result.statistic, dof=result.parameters["freedom"], p_two_sided=result.pvalue)


@golden("ds-unpaired-t")
def test_three_unpaired_tests_are_named(case):
    """Erratum B5: the same t has three p-values, on both sides of 5 %; Welch's is the default."""
    moments = Moments.of(case["x"], case["y"])
    unpaired = comparisons["unpaired_t"]
    welch, pooled, smaller = (
        unpaired(moments),
        unpaired(moments, variant="pooled"),
        unpaired(moments, variant="smaller"),
    )
    case.check(
        t=welch.statistic,
        dof_pooled=pooled.parameters["freedom"],
        p_pooled=pooled.pvalue,
        dof_welch=welch.parameters["freedom"],
        p_welch=welch.pvalue,
        dof_wf_min=smaller.parameters["freedom"],
        p_wf_min=smaller.pvalue,
    )
    assert len({welch.title, pooled.title, smaller.title}) == 3
