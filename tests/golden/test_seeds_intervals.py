"""Figures about quantiles, intervals over folds and the precision of an AUC."""

import math

import numpy as np
import pytest

from credibly.intervals import (
    hanley_mcneil_standard_error,
    mean_interval,
    normal_quantile,
    normal_tail,
    proportion_interval,
    student_quantile,
    student_tail,
)
from credibly.intervals.influence import influence
from credibly.intervals.standard_errors import standard_error
from credibly.measures import auc
from credibly.predictions import Predictions
from golden.goldens import CASES, golden


def quantile(tail, dof):
    return normal_quantile(tail) if dof == "normal" else student_quantile(tail, dof)


def misprints(printed, computed):
    """Keys whose printed figure is not the computed one rounded to as many places."""
    return {
        key
        for key, text in printed.items()
        if f"{computed[key]:.{len(text.partition('.')[2])}f}" != text
    }


@golden("wf-normal-table", "dw-normal-table", "ds-normal-table")
def test_normal_table(case):
    """Erratum A23: 1.6449 is printed as 1.65 and rounds to 1.64."""
    computed = {str(tail): normal_quantile(tail) for tail in case["upper_tail"]}
    case.check(**computed)
    assert misprints(CASES[case.id]["as_printed"], computed) == {"0.05"}


@golden("wf-student-9dof", "dw-student-9dof")
def test_student_table(case):
    computed = {str(tail): student_quantile(tail, case["dof"]) for tail in case["upper_tail"]}
    case.check(**computed)
    assert not misprints(CASES[case.id]["as_printed"], computed)


@golden("ds-student-table")
def test_student_table_of_several_degrees_of_freedom(case):
    """Errata A23 (1.65 for 1.64) and A41 (1.3372 for 1.372)."""
    computed = {
        str(dof): {str(tail): quantile(tail, dof) for tail in case["upper_tail"]}
        for dof in case["dof"]
    }
    case.check(**computed)
    wrong = {dof: misprints(p, computed[dof]) for dof, p in CASES[case.id]["as_printed"].items()}
    assert wrong == {"9": set(), "10": {"0.1"}, "20": set(), "normal": {"0.05"}}


@golden("wf-two-tailed-1pct")
def test_two_tails(case):
    case.check(critical=student_quantile(case["significance"], case["dof"], tails=2))


@golden("ds-student-limits")
def test_two_tailed_limits(case):
    """Erratum A42: the slide calls the probability between them 0.05."""
    limits = {str(dof): student_quantile(case["alpha"], dof, tails=2) for dof in case["dof"]}
    case.check(**limits)
    for dof, limit in limits.items():
        assert 1 - student_tail(limit, int(dof), tails=2) == pytest.approx(0.95, abs=1e-12)


@golden("zm-table22.7-t-critical")
def test_critical_values_of_student(case):
    """Erratum A9: 12.7065 and 4.3026 are printed for 12.7062 and 4.3027."""
    tail = 1 - case["confidence"]
    computed = {str(dof): student_quantile(tail, dof, tails=2) for dof in case["dof"]}
    case.check(**computed)
    assert misprints(CASES[case.id]["as_printed"], computed) == {"1", "2"}


@golden("wf-student-vs-normal-100dof")
def test_student_is_close_to_normal_at_100_degrees(case):
    t = student_quantile(case["upper_tail"], case["dof"])
    z = normal_quantile(case["upper_tail"])
    case.check(t=t, z=z, rel_diff=t / z - 1)


@golden("wf-normal-central-90")
def test_central_probability(case):
    case.check(prob=1 - normal_tail(case["z"], tails=2))


@golden("ds-normal-central-95-99")
def test_central_probabilities(case):
    case.check(p196=1 - normal_tail(1.96, tails=2), p258=1 - normal_tail(2.58, tails=2))
    assert case["z"] == [1.96, 2.58]


@golden("wf-normal-linear-interpolation")
def test_interpolating_the_table_is_not_exact(case):
    """Erratum A24: the book's advice for tails between those of its table is 5.9 % off."""
    table = {float(tail): z for tail, z in case["table"].items()}
    exact = normal_quantile(case["upper_tail"])
    case.check(
        interpolated=np.interp(case["upper_tail"], list(table), list(table.values())), exact=exact
    )
    case.differs("interpolated", exact)


@golden("zm-ex22.7")
def test_mean_and_variance_over_folds(case):
    """Erratum A1: the book's formula divides by K, its figures by K - 1."""
    exact = mean_interval(np.array(case["theta_exact_thirtieths"]) / 30, method="z")
    rounded = mean_interval(case["theta"], method="z")
    case.check(
        mean=exact.mean,
        variance=exact.variance,
        mean_from_rounded=rounded.mean,
        variance_from_rounded=rounded.variance,
    )
    case.differs("variance_1_over_K", exact.variance)


def over_folds(case, method, level):
    values = np.array(case["theta_exact_thirtieths"]) / 30
    return mean_interval(values, method=method, confidence_level=level)


def half_width(result):
    return (result.interval.high - result.interval.low) / 2


@golden("zm-ex22.9-95", "zm-ex22.9-99")
def test_normal_interval_over_folds(case):
    """Errata A1 and A5: with the divisor K - 1; 0.3387 is printed as 0.338."""
    printed_z = over_folds(case, "z", 1 - normal_tail(case["z"], tails=2))
    exact_z = over_folds(case, "z", case["confidence"])
    case.check(
        sd=math.sqrt(printed_z.variance),
        half_width=half_width(printed_z),
        lower=printed_z.interval.low,
        upper=printed_z.interval.high,
        half_width_exact_z=half_width(exact_z),
    )
    case.differs("half_width_if_1_over_K", half_width(exact_z))
    assert [f.code for f in exact_z.findings] == ["dependent-folds", "estimated-variance"]


@golden("zm-ex22.10-95", "zm-ex22.10-99")
def test_student_interval_over_folds(case):
    """Errata A1 and A5: with the divisor K - 1; 0.3467 is printed as 0.346."""
    result = over_folds(case, "t", case["confidence"])
    case.check(
        t=student_quantile(1 - case["confidence"], case["dof"], tails=2),
        half_width=half_width(result),
        lower=result.interval.low,
        upper=result.interval.high,
    )
    case.differs("half_width_if_1_over_K", half_width(result))


@golden("zm-1-over-K-coverage")
def test_dividing_by_k_covers_too_little(case):
    """Erratum A2: what the book calls precisely Student's t is so with the divisor K - 1 only."""
    k = case["K"]
    values = np.arange(k) ** 2.0
    inflation = math.sqrt(mean_interval(values, method="t").variance / np.var(values))
    limit = student_quantile(1 - case["nominal"], k - 1, tails=2) / inflation
    case.check(inflation_of_Z=inflation, true_coverage=1 - student_tail(limit, k - 1, tails=2))


@golden("ds-plus-four")
def test_plus_four_rounds_the_centre_of_wilson(case):
    counts = {"part": case["S"], "whole": case["N"], "confidence_level": case["confidence_level"]}
    plus_four = proportion_interval(**counts, method="plus_four")
    centres = [proportion_interval(**counts, method=m) for m in ("wilson", "agresti_coull")]
    case.check(plus_four=(plus_four.low + plus_four.high) / 2)
    for limits in centres:
        case.check(exact_wilson_centre=(limits.low + limits.high) / 2)


@golden("oh-hanley-mcneil-se")
def test_standard_error_of_an_auc(case):
    """Erratum A30: no division by two under the root. Q1 and Q2 show alone at sizes of 2 and 1."""
    a = case["AUC"]
    error = hanley_mcneil_standard_error(a, case["n_pos"], case["n_neg"])
    extra = 2 * a * a - a
    case.check(
        Q1=2 * hanley_mcneil_standard_error(a, 2, 1) ** 2 + extra,
        Q2=2 * hanley_mcneil_standard_error(a, 1, 2) ** 2 + extra,
        SE=error,
    )
    case.differs("SE_as_printed_with_half", error)


@golden("oh-hanley-mcneil-unit")
def test_one_pair_of_cases_is_a_coin(case):
    error = hanley_mcneil_standard_error(case["AUC"], case["n_pos"], case["n_neg"])
    case.check(SE=error, bernoulli_sd=error)


@golden("oh-hanley-mcneil-58-51")
def test_standard_error_of_the_example(case):
    case.check(SE=hanley_mcneil_standard_error(case["AUC"], case["n_pos"], case["n_neg"]))


@golden("oh-delong-se")
def test_delong_standard_error(case):
    """Influence values with class-wise divisors are DeLong's structural components."""
    p = Predictions.of(case["positive"], score=case["score"])
    error, _ = standard_error(influence(auc, p), p, by_class=True)
    case.check(auc=auc.value(p), SE=error)
