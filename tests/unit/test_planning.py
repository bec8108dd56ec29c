"""How many cases are needed: against plain searches, simulation and limits that are known."""

import math

import numpy as np
import pytest
import scipy.stats

from credibly import ParameterError
from credibly.intervals import (
    hanley_mcneil_standard_error,
    obuchowski_standard_error,
    power_of_auc,
    power_of_mcnemar,
    power_of_two_aucs,
    power_of_two_means,
    proportion_methods,
    sample_size_for_auc,
    sample_size_for_mcnemar,
    sample_size_for_proportion,
    sample_size_for_two_aucs,
    sample_size_for_two_means,
    width_with_more_data,
    wilson,
)
from golden.goldens import CASES

METHODS = [m.name for m in proportion_methods]


# --- proportions --------------------------------------------------------------------------------


@pytest.mark.daily
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rate", [0, 0.02, 0.3, 0.5, 0.9, 1])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_smallest_number_of_cases(method, rate, level):
    """Every smaller number is too small and every larger one is enough."""
    if method in {"wald", "student"} and rate in {0, 1}:
        return  # they have no width there, which is refused
    half, most = 0.07, 400
    chosen = proportion_methods[method]
    limits = [chosen.limits(rate * n, n, level) for n in range(1, most)]
    enough = [high - low <= 2 * half for low, high in limits]
    n = sample_size_for_proportion(half, rate, level, method).n
    assert enough == [size >= n for size in range(1, most)]
    assert 1 < n < most


def test_wald_has_a_formula():
    for half in (0.1, 0.03, 0.001, 1e-5):
        formula = math.ceil((1.959963984540054 / (2 * half)) ** 2)
        assert sample_size_for_proportion(half, method="wald").n == formula


def test_wilson_needs_z_squared_fewer_at_one_half():
    """At a share of one half its half width is z / (2 sqrt(n + z^2))."""
    for half in (0.1, 0.03, 0.001):
        z = 1.959963984540054
        assert sample_size_for_proportion(half).n == math.ceil((z / (2 * half)) ** 2 - z * z)


def test_one_case_is_enough_for_the_whole_range():
    assert sample_size_for_proportion(0.5).n == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"half_width": 0}, "half_width must be greater than 0; got 0"),
        ({"half_width": 0.1, "rate": 1.5}, "rate must be a number from 0 to 1; got 1.5"),
        ({"half_width": 0.1, "confidence_level": 95}, r"Did you mean 0\.95\?"),
        ({"half_width": 1e-9}, r"Not even 1e\+12 cases reach a half width of 1e-09"),
        ({"half_width": 0.1, "rate": 1, "method": "wald"}, "has no width at any size"),
        ({"half_width": 0.1, "rate": 0, "method": "student"}, "has no width at any size"),
        ({"half_width": 0.1, "method": "wilsn"}, "Did you mean wilson"),
    ],
)
def test_bad_arguments_for_a_proportion(arguments, message):
    with pytest.raises(ParameterError, match=message):
        sample_size_for_proportion(**arguments)


# --- AUC ----------------------------------------------------------------------------------------


def simulated_aucs(auc, n_positive, n_negative, runs, seed):
    """AUCs of exponential scores, for which Hanley and McNeil's formula is exact."""
    rng = np.random.default_rng(seed)
    positive = rng.exponential(auc / (1 - auc), (runs, n_positive, 1))
    negative = rng.exponential(1, (runs, 1, n_negative))
    return (positive > negative).mean((1, 2))


@pytest.mark.parametrize(("auc", "p", "n"), [(0.8, 12, 7), (0.6, 4, 15), (0.95, 10, 30)])
def test_standard_error_of_exponential_scores(auc, p, n):
    runs = 40_000
    found = simulated_aucs(auc, p, n, runs, seed=2)
    assert found.mean() == pytest.approx(auc, abs=5 * found.std() / math.sqrt(runs))
    assert found.std() == pytest.approx(hanley_mcneil_standard_error(auc, p, n), rel=0.03)


def test_standard_error_at_one_half_is_that_of_mann_and_whitney():
    for p, n in ((1, 1), (3, 8), (40, 25)):
        assert hanley_mcneil_standard_error(0.5, p, n) == pytest.approx(
            math.sqrt((p + n + 1) / (12 * p * n)), rel=1e-14
        )


def test_standard_error_vanishes_at_the_ends():
    assert hanley_mcneil_standard_error(0, 5, 5) == hanley_mcneil_standard_error(1, 5, 5) == 0


@pytest.mark.parametrize("arguments", [(1.2, 5, 5), (0.8, 0, 5), (0.8, 5, 2.5), ("0.8", 5, 5)])
def test_bad_arguments_for_the_standard_error(arguments):
    with pytest.raises(ParameterError, match=r"must be .*; got"):
        hanley_mcneil_standard_error(*arguments)


@pytest.mark.parametrize("ratio", [0.1, 0.5, 1, 2.7, 20])
@pytest.mark.parametrize("auc", [0.55, 0.8, 0.97])
def test_sample_size_for_auc(auc, ratio):
    sizes = sample_size_for_auc(auc, 0.04, ratio=ratio, confidence_level=0.9)
    z = scipy.stats.norm.ppf(0.95)

    def half_width(p):
        return z * hanley_mcneil_standard_error(auc, p, max(1, math.ceil(round(ratio * p, 9))))

    assert half_width(sizes.n_positive) <= 0.04
    assert all(half_width(p) > 0.04 for p in range(1, sizes.n_positive))
    assert sizes.n_negative == math.ceil(round(ratio * sizes.n_positive, 9))
    assert sizes.n == sizes.n_positive + sizes.n_negative


@pytest.mark.parametrize(("auc", "p", "n"), [(0.7, 30, 60), (0.6, 80, 80)])
def test_power_of_auc_in_a_simulation(auc, p, n):
    runs = 20_000
    found = simulated_aucs(auc, p, n, runs, seed=3)
    critical = 1.959963984540054 * hanley_mcneil_standard_error(0.5, p, n)
    rejected = np.mean(abs(found - 0.5) > critical)
    assert power_of_auc(auc, n_positive=p, n_negative=n).power == pytest.approx(rejected, abs=0.015)


def test_power_without_a_difference_is_alpha():
    for alpha in (0.01, 0.05, 0.3):
        sizes = {"n_positive": 20, "n_negative": 30, "alpha": alpha}
        for tails in (1, 2):
            assert power_of_auc(0.7, 0.7, **sizes, tails=tails).power == pytest.approx(
                alpha, rel=1e-9
            )
            two = power_of_two_aucs(0.8, 0.8, 0.3, **sizes, tails=tails)
            assert two.power == pytest.approx(alpha, rel=1e-9)


def test_power_grows():
    def power(auc=0.7, p=20, alpha=0.05, tails=2):
        return power_of_auc(auc, n_positive=p, n_negative=40, alpha=alpha, tails=tails).power

    assert power() < power(auc=0.75) < power(auc=0.9) <= 1
    assert power() < power(p=40) < power(p=4000) <= 1
    assert power() < power(alpha=0.1)
    assert power() < power(tails=1)
    below = power_of_auc(0.3, n_positive=20, n_negative=40).power
    assert 0.05 < below < 1


def test_power_of_two_aucs_on_the_example():
    """The statistic of oh-hanley-mcneil-diff, were it observed on average, is beyond 1.96 so often."""
    given = CASES["oh-hanley-mcneil-diff"]["inputs"]
    expected = CASES["oh-hanley-mcneil-diff"]["expected"]
    found = power_of_two_aucs(
        given["AUC1"],
        given["AUC2"],
        given["r"],
        n_positive=given["n_pos"],
        n_negative=given["n_neg"],
    ).power
    z = expected["Z"]
    assert found == pytest.approx(
        scipy.stats.norm.sf(1.959963984540054 - z) + scipy.stats.norm.sf(1.959963984540054 + z),
        abs=1e-9,
    )


def test_two_aucs_of_independent_cases_in_a_simulation():
    runs, p, n = 20_000, 51, 58
    first = simulated_aucs(0.9, p, n, runs, seed=4)
    second = simulated_aucs(0.8, p, n, runs, seed=5)
    difference = first - second
    expected = math.hypot(*(hanley_mcneil_standard_error(a, p, n) for a in (0.9, 0.8)))
    assert difference.std() == pytest.approx(expected, rel=0.02)
    power = power_of_two_aucs(0.9, 0.8, 0, n_positive=p, n_negative=n).power
    rejected = np.mean(abs(difference) > 1.959963984540054 * expected)
    assert power == pytest.approx(rejected, abs=0.015)


def test_correlation_helps():
    sizes = {"n_positive": 50, "n_negative": 50}
    powers = [power_of_two_aucs(0.9, 0.8, r, **sizes).power for r in (-0.5, 0, 0.5, 0.9)]
    assert powers == sorted(powers)
    assert powers[0] < powers[-1]
    swapped = power_of_two_aucs(0.8, 0.9, 0.5, **sizes).power
    assert swapped == pytest.approx(powers[2], rel=1e-12)


@pytest.mark.parametrize("ratio", [0.5, 1, 3])
@pytest.mark.parametrize("tails", [1, 2])
def test_sample_size_for_two_aucs(ratio, tails):
    asked = {"alpha": 0.05, "tails": tails}
    sizes = sample_size_for_two_aucs(0.85, 0.75, 0.4, power=0.9, ratio=ratio, **asked)

    def power(p):
        n = math.ceil(ratio * p)
        return power_of_two_aucs(0.85, 0.75, 0.4, n_positive=p, n_negative=n, **asked).power

    assert power(sizes.n_positive) >= 0.9
    assert all(power(p) < 0.9 for p in range(1, sizes.n_positive))


def test_sample_size_is_that_of_the_large_sample_formula():
    """n = ((z_alpha + z_beta) / difference)^2 (V1 + V2), V = Q1 + Q2 - 2 A^2, as in their paper of 1982."""

    def v(a):
        return a / (2 - a) + 2 * a * a / (1 + a) - 2 * a * a

    z = scipy.stats.norm.ppf(0.95) + scipy.stats.norm.ppf(0.8)
    formula = (z / 0.01) ** 2 * (v(0.8) + v(0.81))
    sizes = sample_size_for_two_aucs(0.8, 0.81, 0, tails=1)
    assert sizes.n_negative == sizes.n_positive
    assert sizes.n_positive == pytest.approx(formula, rel=1e-3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sample_size_for_auc(1, 0.1), "auc must be a number between 0 and 1; got 1"),
        (lambda: sample_size_for_auc(0.8, 0), "half_width must be greater than 0"),
        (lambda: sample_size_for_auc(0.8, 0.1, ratio=0), "ratio must be greater than 0"),
        (lambda: sample_size_for_auc(0.8, 1e-9), "Not even"),
        (lambda: power_of_auc(0.8, 1, n_positive=5, n_negative=5), "null must be"),
        (lambda: power_of_auc(0.8, n_positive=0, n_negative=5), "n_positive must be a whole"),
        (
            lambda: power_of_auc(0.8, n_positive=5, n_negative=5, alpha=5),
            "alpha must be a number between 0 and 1; got 5",
        ),
        (
            lambda: power_of_two_aucs(0.8, 0.9, 1, n_positive=5, n_negative=5),
            "correlation must be a number between -1 and 1; got 1",
        ),
        (
            lambda: power_of_two_aucs(0.8, 1, 0, n_positive=5, n_negative=5),
            "auc2 must be a number between 0 and 1; got 1",
        ),
        (lambda: sample_size_for_two_aucs(0.8, 0.8, 0), "cannot be distinguished"),
        (lambda: sample_size_for_two_aucs(0.8, 0.9, 0, power=1), "power must be"),
    ],
)
def test_bad_arguments_for_an_auc(call, message):
    with pytest.raises(ParameterError, match=message):
        call()


OBUCHOWSKI = {  # Obuchowski (2004), Table 4: negative and positive cases by their ratio and the AUC
    0.5: {0.6: (101, 202), 0.7: (25, 49)},
    1: {0.6: (135, 135), 0.7: (33, 33), 0.8: (14, 14)},
    2: {0.6: (203, 102), 0.7: (50, 25), 0.8: (21, 11)},
    4: {0.6: (340, 85), 0.7: (84, 21)},
}


def test_obuchowski_as_published_and_as_proc_has_it():
    asked = {"variance": "obuchowski", "power": 0.9, "tails": 1}
    for ratio, by_auc in OBUCHOWSKI.items():
        for auc, (negative, positive) in by_auc.items():
            plan = sample_size_for_auc(auc, ratio=ratio, **asked)
            # The table rounds both classes up by themselves, this plan the positive ones first.
            assert plan.n_positive == pytest.approx(positive, abs=1)
            assert plan.n_negative == pytest.approx(negative, abs=max(1, ratio))
    sizes = {"n_positive": 41, "n_negative": 72, "variance": "obuchowski"}
    assert power_of_auc(0.73, **sizes).power == pytest.approx(0.9897453, abs=1e-5)
    plan = sample_size_for_auc(0.7313686, power=0.95, ratio=1.7, variance="obuchowski")
    assert (plan.n_positive, plan.n_negative) == (30, 51)  # 29.29764 and 49.806


def test_obuchowski_is_on_the_safe_side_of_normal_scores():
    rng, away, p, n = np.random.default_rng(6), 1.2, 40, 30
    aucs = [(rng.normal(away, 1, (p, 1)) > rng.normal(0, 1, (1, n))).mean() for _ in range(8000)]
    auc = scipy.stats.norm.cdf(away / math.sqrt(2))
    assert 1 < obuchowski_standard_error(auc, p, n) / np.std(aucs) < 1.15


# --- error rates on the same cases ----------------------------------------------------------------


def enumerated_power(first, second, n, alpha=0.05):
    """The power of McNemar's chi-square over every number of cases on which only one model errs."""
    z, either = scipy.stats.norm.ppf(1 - alpha / 2), first + second
    power = 0.0
    for k in range(1, n + 1):
        b = np.arange(k + 1)
        far = (2 * b - k) ** 2 / k > z * z
        inside = scipy.stats.binom.pmf(b, k, first / either)[far].sum()
        power += scipy.stats.binom.pmf(k, n, either) * inside
    return power


@pytest.mark.parametrize("method", ["connor", "miettinen"])
@pytest.mark.parametrize(
    ("first", "second", "n"), [(0.2, 0.1, 234), (0.08, 0.18, 120), (0.3, 0.1, 60)]
)
def test_power_of_mcnemar_beside_its_enumeration(method, first, second, n):
    plan = power_of_mcnemar(first, second, n=n, method=method)
    assert plan.power == pytest.approx(enumerated_power(first, second, n), abs=0.03)
    swapped = power_of_mcnemar(second, first, n=n, method=method)
    assert swapped.power == pytest.approx(plan.power, rel=1e-12)


def test_sample_sizes_for_mcnemar_are_those_of_the_formulas():
    za, zb = scipy.stats.norm.ppf([0.975, 0.9])
    for first, second in ((0.18, 0.08), (0.3, 0.25), (0.05, 0.01)):
        psi, delta = first + second, first - second
        connor = (za * math.sqrt(psi) + zb * math.sqrt(psi - delta**2)) ** 2 / delta**2
        spread = math.sqrt(psi**2 - delta**2 * (3 + psi) / 4)
        miettinen = (za * psi + zb * spread) ** 2 / (psi * delta**2)
        for method, n in (("connor", connor), ("miettinen", miettinen)):
            plan = sample_size_for_mcnemar(first, second, power=0.9, method=method)
            assert plan.n == math.ceil(n)
            assert plan.power >= 0.9


# --- means ----------------------------------------------------------------------------------------


def test_power_of_two_means_is_that_of_the_noncentral_t():
    """R: power.t.test(n=20, delta=1)$power and (power=0.9, delta=1)$n, 22.02110."""
    assert power_of_two_means(1, 1, n=20, paired=False).power == pytest.approx(0.8689528, abs=1e-6)
    assert sample_size_for_two_means(1, 1, power=0.9, paired=False).n == 2 * 23
    rng = np.random.default_rng(3)
    drawn = rng.normal(0.5, 1, (20_000, 12))
    t = drawn.mean(1) / drawn.std(1, ddof=1) * math.sqrt(12)
    for tails, far in ((2, abs(t)), (1, t)):
        critical = scipy.stats.t.ppf(1 - 0.05 / tails, 11)
        found = power_of_two_means(0.5, 1, n=12, tails=tails).power
        assert found == pytest.approx((far > critical).mean(), abs=0.012)


@pytest.mark.parametrize("tails", [1, 2])
def test_sample_size_for_two_means(tails):
    plan = sample_size_for_two_means(-0.3, 0.8, power=0.9, tails=tails)
    asked = {"tails": tails, "n": plan.n - 1}
    assert power_of_two_means(-0.3, 0.8, **asked).power < 0.9 <= plan.power
    assert power_of_two_means(0.3, 0.001, n=10**6).power == 1


def test_plans_are_results():
    plan = sample_size_for_mcnemar(0.8, 0.05)
    assert plan.to_dict()["given"] == {
        "only_first": 0.8, "only_second": 0.05, "alpha": 0.05, "tails": 2,
    }  # fmt: skip
    assert "n_positive" not in plan.to_dict()
    assert [f.code for f in plan.findings] == ["rough-plan"]
    assert plan.rows()[0]["n"] == plan.n


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sample_size_for_auc(0.8, 0.1, null=0.7), "half_width=.* or null=.*not both"),
        (lambda: sample_size_for_auc(0.8, null=0.8), "cannot be distinguished"),
        (lambda: sample_size_for_auc(0.8, variance="delong"), "variance must be one of"),
        (lambda: sample_size_for_mcnemar(0.2, 0.2), "cannot be distinguished"),
        (lambda: sample_size_for_mcnemar(0.8, 0.4), "at most 1; got 0.8 and 0.4"),
        (lambda: power_of_mcnemar(-0.1, 0.4, n=5), "only_first must be"),
        (lambda: power_of_mcnemar(0.1, 0.4, n=0), "n must be a whole number"),
        (lambda: sample_size_for_two_means(0, 1), "cannot be distinguished"),
        (lambda: power_of_two_means(1, 0, n=5), "deviation must be greater than 0"),
        (lambda: power_of_two_means(1, 1, n=1), "n must be a whole number of at least 2"),
        (lambda: power_of_two_means("one", 1, n=5), "difference must be a number"),
    ],
)
def test_bad_arguments_for_plans(call, message):
    with pytest.raises(ParameterError, match=message):
        call()


# --- more data ----------------------------------------------------------------------------------


def test_width_with_more_data():
    now = wilson(300, 1000)
    later = wilson(3000, 10_000)
    expected = width_with_more_data(now)
    assert list(expected) == [2, 10]
    assert expected[10] == pytest.approx(later.high - later.low, rel=0.01)
    assert width_with_more_data(0.03, factors=(9,)) == {9: 0.01}


@pytest.mark.parametrize("now", [0, -1, math.nan])
def test_no_width(now):
    with pytest.raises(ParameterError, match="The width must be greater than 0; got"):
        width_with_more_data(now)
    with pytest.raises(ParameterError, match="factors must be greater than 0; got 0"):
        width_with_more_data(1.0, factors=(0,))
