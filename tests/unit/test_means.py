"""Quantiles, and intervals for means over folds and replicates."""

import json
import math
from collections import Counter

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, strategies as st

from credibly import DataError, ParameterError, Predictions, evaluate
from credibly.intervals import (
    chi_square_quantile,
    chi_square_tail,
    mean_interval,
    normal_quantile,
    normal_tail,
    student_quantile,
    student_tail,
    variance_interval,
)

SCORES = [0.84, 0.78, 0.67, 0.87, 0.8, 0.78, 0.78, 0.79, 0.82, 0.81]
TAILS = [1e-12, 0.001, 0.025, 0.3, 0.5, 0.7, 0.975]
DOFS = [0.5, 1, 2, 4, 9, 30.5, 100, 1e6]


def near(value):
    return pytest.approx(value, rel=1e-10, abs=1e-13)


# --- quantiles ----------------------------------------------------------------------------------


@pytest.mark.parametrize("tail", TAILS)
def test_quantiles_of_scipy(tail):
    assert normal_quantile(tail) == near(scipy.stats.norm.isf(tail))
    for dof in DOFS:
        assert student_quantile(tail, dof) == near(scipy.stats.t(dof).isf(tail))
        assert chi_square_quantile(tail, dof) == near(scipy.stats.chi2(dof).isf(tail))


def test_student_has_a_closed_form_at_one_and_two_degrees_of_freedom():
    """Cauchy's distribution; and (1 - 2p) sqrt(2 / (4p(1 - p)))."""
    for tail in (1e-9, 0.01, 0.2, 0.5, 0.9):
        assert student_quantile(tail, 1) == near(1 / math.tan(math.pi * tail))
        two = (1 - 2 * tail) * math.sqrt(2 / (4 * tail * (1 - tail)))
        assert student_quantile(tail, 2) == near(two)


def test_chi_square_has_a_closed_form_at_two_degrees_of_freedom():
    for tail in (1e-9, 0.01, 0.2, 0.5, 0.9):
        assert chi_square_quantile(tail, 2) == near(-2 * math.log(tail))
        assert chi_square_tail(-2 * math.log(tail), 2) == near(tail)


@given(st.floats(1e-9, 1 - 1e-9), st.floats(0.5, 1e5))
def test_tail_of_a_quantile(tail, dof):
    assert normal_tail(normal_quantile(tail)) == near(tail)
    assert student_tail(student_quantile(tail, dof), dof) == pytest.approx(tail, rel=1e-8)
    assert chi_square_tail(chi_square_quantile(tail, dof), dof) == pytest.approx(tail, rel=1e-8)
    assert normal_tail(normal_quantile(tail, tails=2), tails=2) == near(tail)
    both = student_tail(student_quantile(tail, dof, tails=2), dof, tails=2)
    assert both == pytest.approx(tail, rel=1e-8)


def test_two_tails_are_on_both_sides():
    assert normal_tail(-1.96, tails=2) == normal_tail(1.96, tails=2) == 2 * normal_tail(1.96)
    assert student_tail(-2.0, 5, tails=2) == student_tail(2.0, 5, tails=2)
    assert student_tail(-2.0, 5) == near(1 - student_tail(2.0, 5))


def test_infinite_degrees_of_freedom_are_normal():
    assert student_quantile(0.025, math.inf) == normal_quantile(0.025)
    assert student_tail(1.5, math.inf, tails=2) == normal_tail(1.5, tails=2)


@pytest.mark.parametrize("tail", [0, 1, -0.1, 5, math.nan, "0.05", None])
@pytest.mark.parametrize(
    "quantile",
    [normal_quantile, lambda t: student_quantile(t, 9), lambda t: chi_square_quantile(t, 9)],
)
def test_impossible_tail(quantile, tail):
    with pytest.raises(ParameterError, match="tail must be a number between 0 and 1; got"):
        quantile(tail)


@pytest.mark.parametrize("dof", [0, -1, math.nan, "9"])
@pytest.mark.parametrize(
    "function", [student_quantile, student_tail, chi_square_quantile, chi_square_tail]
)
def test_impossible_degrees_of_freedom(function, dof):
    with pytest.raises(ParameterError, match="dof must be greater than 0; got"):
        function(0.1, dof)


@pytest.mark.parametrize("value", [math.nan, "x", None])
def test_impossible_value(value):
    for tail in (normal_tail, lambda v: student_tail(v, 9), lambda v: chi_square_tail(v, 9)):
        with pytest.raises(ParameterError, match="value must be a number; got"):
            tail(value)


def test_impossible_number_of_tails():
    with pytest.raises(ParameterError, match="tails must be one of 1, 2; got 3"):
        normal_quantile(0.1, tails=3)


def test_a_quantile_beyond_doubles_is_refused():
    with pytest.raises(ParameterError, match="no quantile in doubles"):
        student_quantile(1e-300, 9)


# --- means --------------------------------------------------------------------------------------


def test_student_interval_of_scipy():
    ours = mean_interval(SCORES, method="t", independent=True, confidence_level=0.9)
    theirs = scipy.stats.ttest_1samp(SCORES, 0).confidence_interval(0.9)
    assert (ours.interval.low, ours.interval.high) == near((theirs.low, theirs.high))
    assert ours.variance == near(np.var(SCORES, ddof=1))
    assert ours.standard_error == near(scipy.stats.sem(SCORES))
    assert ours.findings == ()


def test_normal_interval_is_student_with_z():
    ours = mean_interval(SCORES, method="z", independent=True)
    half = 1.959963984540054 * scipy.stats.sem(SCORES)
    expected = (np.mean(SCORES) - half, np.mean(SCORES) + half)
    assert (ours.interval.low, ours.interval.high) == near(expected)
    assert [f.code for f in ours.findings] == ["estimated-variance"]
    assert "1.15 times as wide" in ours.findings[0].message


@pytest.mark.parametrize("ratio", [1 / 9, 1, 0.5])
def test_corrected_interval(ratio):
    """The standard error is that of the plain interval times sqrt(1 + k n_test / n_train)."""
    plain = mean_interval(SCORES, method="t")
    ours = mean_interval(SCORES, test_train_ratio=ratio)
    stretch = math.sqrt(1 + len(SCORES) * ratio)
    assert ours.standard_error == near(plain.standard_error * stretch)
    assert ours.interval.high - ours.mean == near((plain.interval.high - plain.mean) * stretch)
    assert ours.interval.about == "training"
    assert ours.interval.method == "Corrected resampled t"
    assert ours.findings == ()


def test_corrected_interval_inverts_the_corrected_test():
    """The golden statistic of this test on Savoy's pairs is -1.728 (wf-corrected-t-on-savoy-data)."""
    other = [0.88, 0.97, 0.74, 0.8, 0.87, 0.9, 0.9, 0.86, 0.84, 0.78]
    result = mean_interval(np.subtract(SCORES, other), test_train_ratio=1 / 9)
    assert result.mean / result.standard_error == pytest.approx(-1.727966823355, abs=1e-9)
    level = 1 - 0.118061150266
    at_p = mean_interval(np.subtract(SCORES, other), test_train_ratio=1 / 9, confidence_level=level)
    assert at_p.interval.high == pytest.approx(0, abs=1e-9)


def test_repeats_cannot_shrink_the_corrected_interval_to_nothing():
    once = mean_interval(SCORES, test_train_ratio=1 / 9)
    often = mean_interval(SCORES * 1000, test_train_ratio=1 / 9)
    assert often.standard_error > 0.7 * once.standard_error * math.sqrt(0.9)
    assert often.standard_error == pytest.approx(math.sqrt(often.variance / 9), rel=1e-3)


@pytest.mark.parametrize("method", ["t", "z"])
def test_plain_intervals_over_folds_carry_a_caution(method):
    finding = mean_interval(SCORES, method=method).findings[0]
    assert (finding.code, finding.severity) == ("dependent-folds", "caution")
    assert "corrected" in finding.action


def test_values_may_be_any_iterable_and_stay_as_they_are():
    expected = mean_interval(SCORES, method="t")
    array = np.array(SCORES)
    array.flags.writeable = False
    by_fold = dict(enumerate(SCORES))
    for values in (tuple(SCORES), iter(SCORES), array, by_fold.values()):
        assert mean_interval(values, method="t") == expected


def test_equal_values_have_no_spread():
    for value in (0.1, 1 / 3, 1e300, -7):
        result = mean_interval([value] * 7, test_train_ratio=0.1)
        assert (result.mean, result.variance) == (value, 0)
        assert (result.interval.low, result.interval.high) == (value, value)
        assert [f.code for f in result.findings] == ["no-spread"]
    assert variance_interval([1, 1], independent=True).interval.high == 0


def test_a_large_offset_loses_no_digits():
    near_million = [1e6 + x for x in (0.25, 0.5, 0.75)]
    assert mean_interval(near_million, method="t").variance == 0.0625


def test_variance_interval():
    ours = variance_interval(SCORES, confidence_level=0.9, independent=True)
    squares = 9 * np.var(SCORES, ddof=1)
    expected = squares / scipy.stats.chi2(9).ppf([0.95, 0.05])
    assert (ours.interval.low, ours.interval.high) == near(tuple(expected))
    assert ours.interval.about == "training"
    assert ours.findings == ()
    assert [f.code for f in variance_interval(SCORES).findings] == ["dependent-folds"]


@pytest.mark.thorough
def test_coverage_of_the_intervals_for_independent_normal_values():
    rng = np.random.default_rng(1)
    runs, k = 4000, 5
    samples = rng.normal(3, 2, (runs, k))
    means = [mean_interval(s, method="t", independent=True).interval for s in samples]
    spreads = [variance_interval(s, independent=True).interval for s in samples]
    allowed = 4 * math.sqrt(0.95 * 0.05 / runs)
    assert np.mean([i.low < 3 < i.high for i in means]) == pytest.approx(0.95, abs=allowed)
    assert np.mean([i.low < 4 < i.high for i in spreads]) == pytest.approx(0.95, abs=allowed)


def test_results_can_be_printed_and_written():
    result = mean_interval(SCORES, method="t")
    assert str(result).startswith("Mean of 10 values 0.794")
    assert "\n  caution: The values were treated as independent" in str(result)
    assert json.loads(json.dumps(result.to_dict()))["interval"]["about"] == "training"
    spread = variance_interval(SCORES)
    assert str(spread).startswith("Variance of 10 values 0.00276")
    assert json.loads(json.dumps(spread.to_dict()))["findings"][0]["code"] == "dependent-folds"
    with pytest.raises(AttributeError):
        result.mean = 0


# --- errors -------------------------------------------------------------------------------------

BAD_VALUES = [
    ([], "at least two of them; got 0 values"),
    ([0.5], "at least two of them; got 1 value"),
    (
        [0.5, math.nan, 0.7, math.nan],
        r"not finite in rows 1, 3, counted from 0: the measure is undefined there",
    ),
    ([0.5, math.inf], "not finite in row 1"),
    ([[0.5, 0.7], [0.1, 0.2]], r"an array of shape \(2, 2\)"),
    (["a", "b"], r"must be numbers, one per fold or replicate; got \['a', 'b'\]"),
    ([1e200, -1e200], "beyond what a double holds. Divide"),
    ([1.7e308, 1.6e308], "beyond what a double holds. Divide"),
]


@pytest.mark.parametrize(("values", "message"), BAD_VALUES)
def test_bad_values(values, message):
    with pytest.raises(DataError, match=message):
        mean_interval(values, method="t")
    with pytest.raises(DataError, match=message):
        variance_interval(values)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs test_train_ratio=..., .* 1/9 for ten folds"),
        ({"test_train_ratio": 0}, "test_train_ratio must be greater than 0; got 0"),
        ({"test_train_ratio": math.inf}, "test_train_ratio must be greater than 0; got inf"),
        ({"test_train_ratio": 0.1, "method": "t"}, "is for method='corrected'; got method='t'"),
        ({"test_train_ratio": 0.1, "independent": True}, "Use method='t' for independent"),
        ({"method": "normal"}, "method must be one of 'corrected', 't', 'z'; got 'normal'"),
        ({"method": "t", "confidence_level": 95}, r"Did you mean 0\.95\?"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ParameterError, match=message):
        mean_interval(SCORES, **arguments)


def test_a_mean_over_folds_reads_the_overlap_from_the_predictions():
    from credibly import Predictions
    from credibly.intervals import fold_mean

    rng = np.random.default_rng(0)
    y, label = rng.integers(0, 2, 100), rng.integers(0, 2, 100)
    fold = np.repeat(np.arange(10), 10)
    p = Predictions.of(y, label=label, fold=fold, n_train=90)
    errors = [(y != label)[fold == f].mean() for f in range(10)]
    expected = mean_interval(errors, test_train_ratio=10 / 90)
    assert fold_mean(p, "error_rate") == expected
    unknown = Predictions.of(y, label=label, fold=fold)
    with pytest.raises(ParameterError, match="test_train_ratio"):
        fold_mean(unknown, "error_rate")
    with pytest.raises(DataError, match="needs fold"):
        fold_mean(Predictions.of(y, label=label), "error_rate")
    with pytest.raises(DataError, match="undefined in"):
        fold_mean(
            Predictions.of(y, label=np.zeros(100, int), classes=[0, 1], fold=fold, n_train=90),
            "precision",
        )
    both = Predictions.of(y, label=label, fold=fold, n_train=90, model=np.repeat(["a", "b"], 50))
    with pytest.raises(DataError, match="several models"):
        fold_mean(both, "error_rate")


def test_equal_rows_that_are_counted_are_tested_as_often():
    """The interval over folds is that of the rows, whether equal ones stand for themselves or are counted."""
    truth = [1, 1, 1, 0, 0, 0, 1, 0] * 5
    label = [1, 1, 1, 0, 0, 1, 0, 0] * 3 + [1, 0, 1, 0, 0, 1, 0, 0] * 2
    fold = [i % 4 for i in range(40)]
    whole = Predictions.of(truth, label=label, fold=fold, n_train=30)
    often = Counter(zip(truth, label, fold, strict=True))
    counted = Predictions.of(
        [t for t, _, _ in often],
        label=[x for _, x, _ in often],
        fold=[f for _, _, f in often],
        n_train=30,
        weight=list(often.values()),
        weight_kind="frequency",
    )
    assert counted.n < whole.n
    want, found = (
        evaluate(p, "accuracy", estimate="fold_mean")["accuracy"] for p in (whole, counted)
    )
    assert found.value == pytest.approx(want.value)
    assert found.interval.low == pytest.approx(want.interval.low)
    assert found.interval.high == pytest.approx(want.interval.high)
