"""Tests of two models against slow obvious twins and against scipy."""

import math
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import optimize, stats
from sklearn.metrics import roc_auc_score

from credibly import ParameterError, Predictions, _kernels, compare
from credibly._kernels.signs import random_signs, signed_sums, swapped_pairs
from credibly._kernels.threads import at_most
from credibly.calibration import calibration_statistics
from credibly.comparisons._scores import tango_statistic, two_sample_statistic
from credibly.comparisons.labels import discordant_test
from credibly.comparisons.resampling import swapped_areas
from credibly.measures import measures
from examples import examples


def scored(n=40, decimals=1, seed=0):
    """Two models that score the same cases, with ties."""
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % 3 == 0).astype(int)
    scores = [np.round(truth * gain + rng.normal(size=n), decimals) for gain in (1.0, 0.5)]
    return truth, *scores


# --- DeLong -------------------------------------------------------------------------------------


def kernel(x, y):
    return (x[:, None] > y).astype(float) + 0.5 * (x[:, None] == y)


def slow_delong(truth, *scores):
    """The definition: structural components by all pairs, covariances with divisors m - 1 and n - 1."""
    pos, neg = truth == 1, truth == 0
    tables = [kernel(s[pos], s[neg]) for s in scores]
    by_pos, by_neg = [np.array([t.mean(axis=a) for t in tables]) for a in (1, 0)]
    covariance = np.cov(by_pos) / pos.sum() + np.cov(by_neg) / neg.sum()
    return np.array([t.mean() for t in tables]), covariance


@pytest.mark.parametrize("seed", range(5))
def test_delong(seed):
    truth, s, t = scored(seed=seed)
    auc, c = slow_delong(truth, s, t)
    a, b = (Predictions.of(truth, score=x) for x in (s, t))
    result = compare(a, b, "auc")
    error = math.sqrt(c[0, 0] + c[1, 1] - 2 * c[0, 1])
    assert result.test == "delong"
    assert result.difference == pytest.approx(auc[0] - auc[1], rel=1e-12)
    assert result.statistic == pytest.approx((auc[0] - auc[1]) / error, rel=1e-9)
    assert result.pvalue == pytest.approx(2 * stats.norm.sf(abs(result.statistic)), rel=1e-9)
    limits = result.confidence_interval
    assert limits.low == pytest.approx(auc[0] - auc[1] - stats.norm.isf(0.025) * error, rel=1e-9)
    gini = compare(a, b, "gini", test="delong")
    assert gini.statistic == pytest.approx(result.statistic, rel=1e-9)
    by_influence = compare(a, b, "auc", test="influence")
    assert by_influence.parameters["standard_error"] == pytest.approx(error, rel=1e-6)


def test_delong_unpaired():
    """Variances add; the degrees of freedom are pROC's: Satterthwaite's with n - 1 of each sample."""
    truth, s, t = scored()
    auc, c = slow_delong(truth, s, t)
    variances = np.diag(c)
    freedom = variances.sum() ** 2 / (variances**2 / (len(truth) - 1)).sum()
    z = (auc[0] - auc[1]) / math.sqrt(variances.sum())
    a, b = (Predictions.of(truth, score=x) for x in (s, t))
    result = compare(a, b, "auc", independent=True)
    assert result.test == "delong_unpaired"
    assert result.parameters["freedom"] == pytest.approx(freedom, rel=1e-9)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(z), freedom), rel=1e-9)


def test_delong_for_several_models():
    truth, s, t = scored(n=60)
    scores = [s, t, np.round(np.random.default_rng(20).normal(size=60), 1)]
    auc, c = slow_delong(truth, *scores)
    contrast = np.array([[1, -1, 0], [1, 0, -1]])
    gap = contrast @ auc
    statistic = gap @ np.linalg.inv(contrast @ c @ contrast.T) @ gap
    models = {str(i): Predictions.of(truth, score=x) for i, x in enumerate(scores)}
    found = compare(models, measure="auc")
    assert found.whole.statistic == pytest.approx(statistic, rel=1e-9)
    assert found.whole.pvalue == pytest.approx(stats.chi2.sf(statistic, 2), rel=1e-9)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        alone = compare(models[str(i)], models[str(j)], "auc")
        assert found[str(i), str(j)].pvalue == pytest.approx(alone.pvalue, rel=1e-9)


def test_frequencies_are_repeated_rows():
    truth, s, t = scored(n=20)
    times = np.arange(20) % 3 + 1
    weighted = [
        Predictions.of(truth, score=x, sample_weight=times, weight_kind="frequency") for x in (s, t)
    ]
    repeated = [Predictions.of(np.repeat(truth, times), score=np.repeat(x, times)) for x in (s, t)]
    for test in ("delong", "hanley_mcneil", "influence"):
        one, other = (compare(*pair, "auc", test=test) for pair in (weighted, repeated))
        assert one.pvalue == pytest.approx(other.pvalue, rel=1e-6), test
    one, other = (compare(*pair, "auc", independent=True) for pair in (weighted, repeated))
    assert one.pvalue == pytest.approx(other.pvalue, rel=1e-9)


# --- Venkatraman --------------------------------------------------------------------------------


def test_the_statistic_of_venkatraman_counts_errors_at_each_rank():
    truth, s, t = scored(decimals=9)
    errors = []
    for x in (s, t):
        rank = stats.rankdata(x)
        errors.append(
            [(rank[truth == 1] <= k).sum() + (rank[truth == 0] > k).sum() for k in range(1, 41)]
        )
    expected = np.abs(np.subtract(*errors)).sum()
    a, b = (Predictions.of(truth, score=x) for x in (s, t))
    assert compare(a, b, "auc", test="venkatraman", rng=1).statistic == pytest.approx(expected)


def test_the_area_between_two_curves_of_errors():
    """Integrated on a fine grid, from empirical distributions without ties."""
    truth, s, t = scored(n=30, decimals=9)
    curves = []
    for x in (s, t):
        order = np.argsort(x)
        positive = truth[order] == 1
        below = np.cumsum(np.where(positive, 1 / 3 / positive.sum(), 2 / 3 / (~positive).sum()))
        missed = np.cumsum(positive) / positive.sum() / 3
        curves.append((np.append(0, below), np.append(0, missed)))
    grid = np.linspace(0, 1, 200_001)
    gap = 2 * np.abs(np.subtract(*(np.interp(grid, x, y) for x, y in curves)))
    a, b = (Predictions.of(truth, score=x) for x in (s, t))
    result = compare(a, b, "auc", test="venkatraman_unpaired", rng=1, independent=True)
    assert result.statistic == pytest.approx(np.trapezoid(gap, grid), abs=1e-6)


# --- tables -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("b", "c"), [(15, 5), (0, 7), (4, 4), (30, 41), (1, 0)])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_exact_mcnemar_is_a_binomial_test(b, c, alternative):
    expected = stats.binomtest(b, b + c, 0.5, alternative=alternative).pvalue
    assert discordant_test(b, c, "exact", alternative)[1] == pytest.approx(expected, rel=1e-9)
    seen = stats.binom.pmf(b, b + c, 0.5)
    lower, upper = (
        stats.binom.cdf(b, b + c, 0.5) - seen / 2,
        stats.binom.sf(b, b + c, 0.5) + seen / 2,
    )
    mid = {"less": lower, "greater": upper, "two-sided": min(1, 2 * min(lower, upper))}[alternative]
    assert discordant_test(b, c, "mid_p", alternative)[1] == pytest.approx(mid, rel=1e-9)


@pytest.mark.parametrize(("b", "c", "n"), [(15, 5, 40), (0, 7, 30), (3, 3, 9), (0, 0, 20)])
@pytest.mark.parametrize("difference", [-0.3, 0.05, 0.2])
def test_tango_by_maximising_the_likelihood(b, c, n, difference):
    """The score at a given difference, with the share of the second alone at its most likely value."""

    def loss(share):
        first = share + difference
        rest = 1 - first - share
        return (
            -(b * math.log(first) if b else 0)
            - (c * math.log(share) if c else 0)
            - ((n - b - c) * math.log(rest) if n > b + c else 0)
        )

    low, high = max(0.0, -difference) + 1e-12, (1 - difference) / 2 - 1e-12
    found = optimize.minimize_scalar(
        loss, bounds=(low, high), method="bounded", options={"xatol": 1e-12}
    )
    share = found.x
    variance = n * (2 * share + difference - difference**2)
    expected = (b - c - n * difference) / math.sqrt(variance)
    assert tango_statistic(b, c, n, difference) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(("x", "m", "y", "n"), [(15, 40, 5, 40), (0, 10, 3, 12), (7, 9, 2, 30)])
def test_two_proportions(x, m, y, n):
    pooled = (x + y) / (m + n)
    z = (x / m - y / n) / math.sqrt(pooled * (1 - pooled) * (1 / m + 1 / n))
    assert two_sample_statistic((x, y), (m, n), 0.0) == pytest.approx(z, rel=1e-9)
    a = Predictions.of([1] * m, label=[0] * x + [1] * (m - x), classes=[0, 1])
    b = Predictions.of([1] * n, label=[0] * y + [1] * (n - y), classes=[0, 1])
    result = compare(a, b, "error_rate", independent=True)
    assert result.pvalue == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-9)
    limits = result.confidence_interval
    for end in (limits.low, limits.high):
        assert abs(two_sample_statistic((x, y), (m, n), end)) == pytest.approx(1.959964, abs=1e-5)
    fisher = compare(a, b, "error_rate", independent=True, test="two_proportions(method='fisher')")
    assert fisher.pvalue == pytest.approx(stats.fisher_exact([[x, m - x], [y, n - y]]).pvalue)


def test_cochran_by_hand():
    """Cochran's formula with k = 3: columns 4, 3, 1 right, rows 2, 2, 1, 1, 1, 1."""
    right = np.array([[1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]])
    models = {str(i): Predictions.of([1] * 6, label=r, classes=[0, 1]) for i, r in enumerate(right)}
    result = compare(models, measure="error_rate", test="cochran_q")
    assert result.statistic == pytest.approx(2 * (3 * (16 + 9 + 1) - 64) / (3 * 8 - 12))
    assert result.pvalue == pytest.approx(stats.chi2.sf(result.statistic, 2))


def test_two_classes_make_all_three_the_same():
    truth = np.zeros(50, int)
    first, second = (np.arange(50) < 20) * 1, (np.arange(50) % 3 == 0) * 1
    a, b = (Predictions.of(truth, label=x, classes=[0, 1]) for x in (first, second))
    found = [compare(a, b, "error_rate", test=t) for t in ("bowker", "stuart_maxwell", "cochran_q")]
    plain = compare(a, b, "error_rate", test="mcnemar(method='chi_square')")
    for each in found:
        assert each.statistic == pytest.approx(plain.statistic, rel=1e-9)
        assert each.pvalue == pytest.approx(plain.pvalue, rel=1e-9)


def test_stuart_maxwell_by_the_inverse_without_one_class():
    table = np.array([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    first, second = np.repeat(np.indices((3, 3)).reshape(2, -1), table.ravel(), axis=1)
    a, b = (Predictions.of(first, label=x, classes=[0, 1, 2]) for x in (first, second))
    gap = (table.sum(1) - table.sum(0))[:2]
    spread = (np.diag(table.sum(1) + table.sum(0)) - table - table.T)[:2, :2]
    expected = gap @ np.linalg.inv(spread) @ gap
    result = compare(a, b, "error_rate", test="stuart_maxwell")
    assert result.statistic == pytest.approx(expected, rel=1e-9)
    assert result.parameters["freedom"] == 2
    bowker = compare(a, b, "error_rate", test="bowker")
    assert bowker.statistic == pytest.approx(7**2 / 13 + 5**2 / 5 + 10**2 / 20, rel=1e-12)
    assert bowker.parameters["freedom"] == 3


# --- losses -------------------------------------------------------------------------------------


def numbers(n=25, seed=3):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n)
    return truth, truth + rng.normal(size=n), truth + rng.normal(size=n) * 1.4


@pytest.mark.parametrize("measure", ["mse", "mae"])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_mean_losses_by_student_and_welch(measure, alternative):
    truth, x, y = numbers()
    losses = [np.abs(truth - v) ** (2 if measure == "mse" else 1) for v in (x, y)]
    a, b = (Predictions.of(truth, value=v) for v in (x, y))
    for kind, expected in (
        ({}, stats.ttest_rel(*losses, alternative=alternative)),
        ({"independent": True}, stats.ttest_ind(*losses, equal_var=False, alternative=alternative)),
        ({"test": "diebold_mariano"}, stats.ttest_rel(*losses, alternative=alternative)),
    ):
        result = compare(a, b, measure, alternative=alternative, **kind)
        assert result.statistic == pytest.approx(expected.statistic, rel=1e-9)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-9)


def test_diebold_mariano_with_lags():
    truth, x, y = numbers()
    d = (truth - x) ** 2 - (truth - y) ** 2
    n, h = len(d), 3
    lag = [np.sum((d[k:] - d.mean()) * (d[: n - k] - d.mean())) / n for k in range(h)]
    plain = d.mean() / math.sqrt((lag[0] + 2 * sum(lag[1:])) / n)
    corrected = plain * math.sqrt((n + 1 - 2 * h + h * (h - 1) / n) / n)
    a, b = (Predictions.of(truth, value=v) for v in (x, y))
    result = compare(a, b, "mse", test="diebold_mariano(horizon=3)")
    assert result.statistic == pytest.approx(corrected, rel=1e-9)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(corrected), n - 1), rel=1e-9)


def test_redelmeier_by_enumerating_outcomes():
    """With probabilities in the middle the difference has mean 0 and this variance, exactly."""
    p, q = np.array([0.8, 0.3, 0.6, 0.2]), np.array([0.6, 0.5, 0.5, 0.4])
    middle = (p + q) / 2
    outcomes = np.array(list(product([0, 1], repeat=4)))
    chance = np.prod(np.where(outcomes, middle, 1 - middle), axis=1)
    gaps = ((p - q) * (p + q - 2 * outcomes)).sum(axis=1)
    assert chance @ gaps == pytest.approx(0, abs=1e-15)
    y = np.array([1, 0, 1, 0])
    z = ((p - q) * (p + q - 2 * y)).sum() / math.sqrt(chance @ gaps**2)
    a, b = (Predictions.of(y, probability=x) for x in (p, q))
    result = compare(a, b, "brier", test="redelmeier")
    assert result.statistic == pytest.approx(z, rel=1e-12)
    assert result.difference == pytest.approx(measures["brier"](a) - measures["brier"](b))


@pytest.mark.parametrize(
    ("x", "n", "share"), [(17, 20, 0.6), (0, 9, 0.3), (50, 90, 0.5), (3, 8, 0.375)]
)
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_a_proportion_against_a_value(x, n, share, alternative):
    p = Predictions.of([1] * n, label=[1] * x + [0] * (n - x), classes=[0, 1])
    result = compare(p, measure="accuracy", against=share, alternative=alternative)
    expected = stats.binomtest(x, n, share, alternative=alternative)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-9)
    level = 0.95 if alternative == "two-sided" else 0.9  # whose limit is the one-sided bound
    limits = stats.binomtest(x, n, share).proportion_ci(level)
    assert result.confidence_interval.low + share == pytest.approx(limits.low, abs=1e-9)


# --- influence values -----------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["mcc", "fbeta", "kappa", "balanced_accuracy"])
def test_influence_values_by_the_jackknife(measure):
    """Leaving cases out one by one gives nearly the same standard error."""
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 400)
    labels = [np.where(rng.random(400) < right, truth, 1 - truth) for right in (0.8, 0.7)]
    a, b = (Predictions.of(truth, label=x) for x in labels)
    m = measures[measure]
    keep = ~np.eye(400, dtype=bool)
    left_out = np.array([m.value(a.take(k)) - m.value(b.take(k)) for k in keep])
    error = math.sqrt(399 / 400 * ((left_out - left_out.mean()) ** 2).sum())
    result = compare(a, b, measure)
    assert result.test == "influence"
    assert result.parameters["standard_error"] == pytest.approx(error, rel=0.01)


def test_partly_shared_cases_lie_between_paired_and_unpaired():
    truth, s, t = scored(n=90)
    a = Predictions.of(truth, score=s, row=range(90))
    b = Predictions.of(truth, score=t, row=range(90))
    paired = compare(a, b, "auc", test="influence")
    union = compare(a, b, "auc", partial=True)
    assert union.parameters["shared"] == 90
    # With all rows shared it is the paired test, but for divisors by class.
    assert union.parameters["standard_error"] == pytest.approx(
        paired.parameters["standard_error"], rel=0.02
    )
    apart = Predictions.of(truth, score=t, row=range(1000, 1090))
    alone = compare(a, apart, "auc", partial=True)
    unpaired = compare(a, apart, "auc", independent=True)
    assert alone.parameters["shared"] == 0
    assert alone.parameters["standard_error"] == pytest.approx(
        unpaired.parameters["standard_error"], rel=0.02
    )


def test_groups_are_the_units():
    """Four times the same cases in groups of four give the p-value of twice the same in groups of two."""
    truth, s, t = scored(n=60)
    twice, often = (
        [
            Predictions.of(np.tile(truth, k), score=np.tile(x, k), group=np.tile(np.arange(60), k))
            for x in (s, t)
        ]
        for k in (2, 4)
    )
    assert compare(*twice, "auc").pvalue == pytest.approx(compare(*often, "auc").pvalue, rel=1e-6)


# --- permutations and the bootstrap -----------------------------------------------------------------


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=40), st.integers(0, 5))
@examples(40)
def test_signed_sums_by_their_signs(values, seed):
    x = np.array(values, float)
    sums = signed_sums(x, seed=seed, count=70)
    for i in (0, 1, 63, 64, 69):
        swapped = random_signs(np.arange(x.size), seed=seed, permutation=i)
        assert sums[i] == np.where(swapped, -x, x).sum()


def test_the_compiled_sums_are_those_of_the_twin(monkeypatch):
    x = np.random.default_rng(1).normal(size=30_000)
    case = np.arange(30_000) // 3
    compiled = signed_sums(x, case, seed=4, count=400)
    with at_most(3):
        threaded = signed_sums(x, case, seed=4, count=400)
    monkeypatch.setenv("CREDIBLY_JIT", "0")
    assert compiled.tobytes() == threaded.tobytes()
    assert np.allclose(signed_sums(x, case, seed=4, count=400), compiled, rtol=0, atol=1e-9)


def test_signs_are_fair_and_independent():
    count = 6400
    signs = np.array(
        [random_signs(np.arange(20), seed=9, permutation=i) for i in range(count)], float
    )
    assert np.abs(signs.mean(axis=0) - 0.5).max() < 5 * 0.5 / math.sqrt(count)
    correlations = np.corrcoef(signs.T)[~np.eye(20, dtype=bool)]
    assert np.abs(correlations).max() < 5 / math.sqrt(count)


@pytest.mark.parametrize("decimals", [0, 1, 9])
def test_an_auc_difference_is_a_sum_of_signs(decimals):
    """Swap ranks and compute both AUCs anew: the sum under the same signs must be the same."""
    truth, s, t = scored(decimals=decimals)
    a, b = (Predictions.of(truth, score=x) for x in (s, t))
    gap, pairs, areas = swapped_areas((a, b))
    ranks = [stats.rankdata(x) for x in (s, t)]
    auc = measures["auc"]
    for i in range(20):
        swapped = random_signs(np.arange(40), seed=2, permutation=i)
        first, second = np.where(swapped, ranks[1], ranks[0]), np.where(swapped, ranks[0], ranks[1])
        expected = auc(truth, first) - auc(truth, second)
        total = np.where(swapped, -gap, gap).sum() / (4 * pairs)
        assert total == pytest.approx(expected, abs=1e-14)
    assert areas == pytest.approx([auc(truth, s), auc(truth, t)], abs=1e-15)


def test_compiled_pairs_are_the_plain_ones(monkeypatch):
    rng = np.random.default_rng(3)
    scores = rng.integers(0, [[99], [299]], (2, 300)) / 8
    positive = rng.random(300) < 0.4
    monkeypatch.setattr("credibly._kernels.signs.ROWS_PER_TASK", 64)
    found = []
    for least in (1, 10**9):
        monkeypatch.setattr(_kernels, "COMPILE_FROM", least)
        found.append(swapped_pairs(scores, positive))
    assert (found[0][0] == found[1][0]).all()
    assert found[0][1] == found[1][1]


def test_both_ways_to_permute_agree():
    """The sums of signs, and swapping columns one by one, give the same permutations."""
    truth, s, t = scored()
    a, b = (Predictions.of(truth, score=x) for x in (s, t))
    quick = compare(a, b, "auc", test="permutation(permutations=199)", rng=3)
    slow = compare(a, b, "average_precision", test="permutation(permutations=199)", rng=3)
    from credibly.comparisons.cases import Cases
    from credibly.comparisons.resampling import _one_by_one

    cases = Cases((a, b), ("a", "b"), measures["auc"])
    one_by_one = _one_by_one(cases, np.arange(40), 199, 3)
    far = (np.abs(one_by_one) >= abs(quick.difference) - 1e-12).sum()
    assert quick.pvalue == (1 + far) / 200
    assert 0 < slow.pvalue <= 1


def slow_permutations(models, value, count, seed):
    """Swap rows of the two and compute both values anew."""
    found = []
    for i in range(count):
        swapped = random_signs(np.arange(len(models[0])), seed=seed, permutation=i)[:, None]
        first, second = (np.where(swapped, models[1 - k], models[k]) for k in (0, 1))
        found.append(value(first) - value(second))
    return np.array(found)


@pytest.mark.daily(average=["macro", "micro"], weighed=[True])
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@pytest.mark.parametrize("weighed", [False, True])
def test_an_average_over_classes_is_permuted_by_the_ranks_of_each(average, weighed):
    """The micro average compares scores across classes, so they are ranked together."""
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, 30)
    weight = rng.random(30) if weighed else None
    pair = [rng.dirichlet([1, 1, 1], 30).round(1) + 1e-3 * k for k in (0, 1)]
    pair = [p / p.sum(axis=1, keepdims=True) for p in pair]
    a, b = (Predictions.of(truth, probability=p, sample_weight=weight) for p in pair)
    axis = None if average == "micro" else 0
    ranks = [stats.rankdata(p, axis=axis).reshape(p.shape) for p in pair]

    def value(scores):
        return roc_auc_score(
            np.eye(3)[truth], scores, average=average, multi_class="ovr", sample_weight=weight
        )

    asked = compare(a, b, "auc", average=average, test="permutation(permutations=99)", rng=3)
    drawn = slow_permutations(ranks, value, 99, 3)
    seen = value(pair[0]) - value(pair[1])
    assert asked.difference == pytest.approx(seen, abs=1e-12)
    assert asked.pvalue == (1 + (np.abs(drawn) >= abs(seen) - 1e-12).sum()) / 100


def test_what_reads_probabilities_is_permuted_by_these_and_not_by_ranks():
    rng = np.random.default_rng(6)
    pair = rng.random((2, 40, 1))
    truth = (rng.random(40) < pair[0, :, 0]).astype(int)
    a, b = (Predictions.of(truth, probability=p[:, 0]) for p in pair)
    m = calibration_statistics["calibration_in_the_large"]
    found = compare(a, b, m, test="permutation(permutations=99)", rng=3)
    drawn = slow_permutations(pair, np.mean, 99, 3)
    far = (np.abs(drawn) >= abs(pair[0].mean() - pair[1].mean()) - 1e-12).sum()
    assert found.pvalue == (1 + far) / 100


def test_a_permutation_test_agrees_with_all_permutations():
    truth, x, y = numbers(n=12)
    a, b = (Predictions.of(truth, value=v) for v in (x, y))
    d = np.abs(truth - x) - np.abs(truth - y)
    every = np.array(list(product([1, -1], repeat=12))) @ d
    exact = (np.abs(every) >= abs(d.sum()) - 1e-12).mean()
    found = compare(a, b, "mae", test="permutation(permutations=9999)", rng=1).pvalue
    assert found == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 9999))


def test_the_bootstrap_agrees_with_delong():
    truth, s, t = scored(n=600)
    a, b = (Predictions.of(truth, score=x) for x in (s, t))
    drawn = compare(a, b, "auc", test="bootstrap", rng=5)
    exact = compare(a, b, "auc")
    error = drawn.parameters["standard_error"]
    assert error == pytest.approx(exact.parameters["standard_error"], rel=0.08)
    kept = compare(a, b, "auc", test="bootstrap(stratified=True, method='percentile')", rng=5)
    assert kept.confidence_interval.low == pytest.approx(exact.confidence_interval.low, abs=0.02)


def test_replicates_of_labels_are_paired():
    """A model against one that differs in a single case: unpaired replicates would vary far more."""
    truth = np.tile([0, 1], 200)
    label = np.where(np.arange(400) % 5 == 0, 1 - truth, truth)
    other = label.copy()
    other[1] = 1 - other[1]
    a, b = (Predictions.of(truth, label=x) for x in (label, other))
    result = compare(a, b, "error_rate", test="bootstrap", rng=1)
    assert result.parameters["standard_error"] == pytest.approx(1 / 400, rel=0.1)


@pytest.mark.parametrize("specificity", [0.0, 0.3, 0.75, 0.9, 1.0])
def test_recall_at_a_specificity_lies_on_the_curve(specificity):
    truth, score, _ = scored(n=50)
    at = [(score >= s) for s in np.unique(score)[::-1]]
    points = [(0.0, 0.0)] + [(a[truth == 0].mean(), a[truth == 1].mean()) for a in at]
    wanted = 1 - specificity
    heights = [y for x, y in points if abs(x - wanted) < 1e-12]
    for (x, y), (u, v) in pairwise(points):
        if x < wanted - 1e-12 and u > wanted + 1e-12:
            heights.append(y + (wanted - x) / (u - x) * (v - y))
    found = measures["recall_at_specificity"](truth, score, specificity=specificity)
    assert found == pytest.approx(max(heights), abs=1e-12)


def test_sensitivities_at_a_specificity_are_compared_by_the_bootstrap():
    truth, s, t = scored(n=300)
    a, b = (Predictions.of(truth, score=x) for x in (s, t))
    result = compare(a, b, "sensitivity_at_specificity(specificity=0.8)", rng=1)
    assert result.test == "bootstrap"
    assert result.difference == pytest.approx(np.subtract(*result.values))
    assert 0 < result.pvalue < 1


# --- reclassification ---------------------------------------------------------------------------


@pytest.mark.parametrize("cutoffs", [None, (0.5,), (0.2, 0.7)])
@pytest.mark.parametrize("seed", range(3))
def test_net_reclassification_by_counting(cutoffs, seed):
    truth, s, t = scored(seed=seed)
    first, second = (np.round(1 / (1 + np.exp(-each)), 2) for each in (s, t))
    a, b = (Predictions.of(truth, probability=q) for q in (first, second))
    test = "nri" if cutoffs is None else f"nri(cutoffs={cutoffs})"
    found = compare(a, b, test=test)
    total, variance = 0.0, 0.0
    for happened, sign in ((1, 1), (0, -1)):
        up = down = 0
        for pair in zip(first[truth == happened], second[truth == happened], strict=True):
            p, q = (side if cutoffs is None else sum(side >= c for c in cutoffs) for side in pair)
            up, down = up + (p > q), down + (p < q)
        n = int((truth == happened).sum())
        total += sign * (up - down) / n
        variance += (up + down) / n**2 - (up - down) ** 2 / n**3
    assert found.difference == pytest.approx(total, abs=1e-12)
    assert found.parameters["standard_error"] == pytest.approx(math.sqrt(variance), rel=1e-9)
    if cutoffs is not None:
        for name, happened in (("positive_cases", 1), ("negative_cases", 0)):
            table = np.zeros((len(cutoffs) + 1,) * 2)
            for p, q in zip(first[truth == happened], second[truth == happened], strict=True):
                table[sum(q >= c for c in cutoffs), sum(p >= c for c in cutoffs)] += 1
            assert found.parameters[name] == table.tolist()
    assert found.pvalue == pytest.approx(
        2 * stats.norm.sf(abs(total) / math.sqrt(variance)), rel=1e-9
    )
    twice = [Predictions.of(np.tile(truth, 2), probability=np.tile(q, 2)) for q in (first, second)]
    counted = [
        Predictions.of(
            truth, probability=q, sample_weight=[2] * truth.size, weight_kind="frequency"
        )
        for q in (first, second)
    ]
    assert compare(*counted, test=test).pvalue == pytest.approx(compare(*twice, test=test).pvalue)


def test_integrated_discrimination_by_hand():
    truth, s, t = scored(seed=4)
    first, second = (1 / (1 + np.exp(-each)) for each in (s, t))
    a, b = (Predictions.of(truth, probability=q) for q in (first, second))
    found = compare(a, b, test="idi")
    moved = [(first - second)[truth == c] for c in (1, 0)]
    error = math.sqrt(sum(m.var(ddof=1) / m.size for m in moved))
    assert found.difference == pytest.approx(moved[0].mean() - moved[1].mean())
    assert found.difference == pytest.approx(compare(a, b, "discrimination_slope").difference)
    assert found.statistic == pytest.approx(found.difference / error)


def test_reclassification_is_about_one_class():
    three = Predictions.of(list("abc"), probability=np.full((3, 3), 1 / 3))
    with pytest.raises(ParameterError, match="one class against the rest"):
        compare(three, three, test="nri")
    with pytest.raises(ParameterError, match="compares discrimination_slope, not auc"):
        compare(*[Predictions.of([0, 1], probability=[0.2, 0.7])] * 2, "auc", test="idi")
