"""Comparisons of values over folds and datasets against slow twins, and against scipy with ties and zeros."""

from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from credibly.comparisons import DatasetTable, FoldValues, Moments, PairedValues, comparisons
from credibly.comparisons.average_ranks import range_quantile, range_tail
from credibly.comparisons.bayesian import region_shares
from credibly.comparisons.multiplicity import adjust, possible_equalities
from credibly.comparisons.signed_ranks import signed_rank_tails, signed_ranks

ALTERNATIVES = ("two-sided", "less", "greater")
few_integers = st.lists(st.integers(-4, 4), min_size=2, max_size=9)
pvalues = st.lists(
    st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.02, 0.05, 0.5, 1.0])),
    min_size=1,
    max_size=7,
)


# --- signs and ranks --------------------------------------------------------------------------


def ranks_by_counting(values):
    return [
        Fraction(1 + 2 * sum(v < x for v in values) + sum(v == x for v in values), 2)
        for x in values
    ]


def signed_rank_twin(differences, zeros):
    """Every one of the 2^m ways to give signs to the ranks."""
    if zeros == "drop":
        differences = [d for d in differences if d]
    ranks = ranks_by_counting([abs(d) for d in differences])
    kept = [(r, d > 0) for r, d in zip(ranks, differences, strict=True) if d]
    seen = sum(r for r, positive in kept if positive)
    sums = [
        sum((r for (r, _), sign in zip(kept, signs, strict=True) if sign), Fraction(0))
        for signs in product([False, True], repeat=len(kept))
    ]
    return seen, sum(s <= seen for s in sums) / len(sums), sum(s >= seen for s in sums) / len(sums)


@given(few_integers, st.sampled_from(["drop", "pratt"]))
def test_signed_ranks_are_counted_out(differences, zeros):
    ranks, positive = signed_ranks(np.array(differences, float), zeros)
    total, tails, _ = signed_rank_tails(ranks, positive)
    seen, below, above = signed_rank_twin(differences, zeros)
    assert total == seen
    assert tails.below == pytest.approx(below, rel=1e-13)
    assert tails.above == pytest.approx(above, rel=1e-13)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [5, 12, 50])
def test_wilcoxon_is_scipys_without_ties(n, alternative):
    rng = np.random.default_rng(n)
    a, b = rng.normal(0.2, 1, n), rng.normal(size=n)
    ours = comparisons["wilcoxon"](PairedValues(a, b), alternative=alternative)
    theirs = stats.wilcoxon(a, b, alternative=alternative, method="exact")
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-10)


@pytest.mark.parametrize(("zeros", "zero_method"), [("drop", "wilcox"), ("pratt", "pratt")])
def test_wilcoxon_of_many_pairs_is_scipys_approximation(zeros, zero_method):
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 40, 900) + 1, rng.integers(0, 40, 900)
    ours = comparisons["wilcoxon"](PairedValues(a, b), zeros=zeros)
    theirs = stats.wilcoxon(a, b, zero_method=zero_method, correction=True, method="asymptotic")
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)
    assert "normal" in ours.parameters["distribution"]


def test_the_normal_approximation_of_few_pairs_with_ties_is_scipys():
    """What R's wilcox.test gives with exact=FALSE: ties and continuity allowed for."""
    rng = np.random.default_rng(9)
    for _ in range(20):
        a, b = rng.integers(0, 6, 14), rng.integers(0, 5, 14)
        ours = comparisons["wilcoxon"](PairedValues(a, b), method="normal")
        theirs = stats.wilcoxon(a, b, correction=True, method="asymptotic")
        assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)


def test_equal_differences_are_ties_although_they_were_rounded():
    """0.3 - 0.2, 0.2 - 0.1 and 0.4 - 0.3 are not the same doubles."""
    a, b = np.array([0.3, 0.2, 0.4, 0.1]), np.array([0.2, 0.1, 0.3, 0.2])
    assert len(set(np.abs(a - b).tolist())) == 3
    exact = comparisons["wilcoxon"](PairedValues([3, 2, 4, 1], [2, 1, 3, 2]))
    assert comparisons["wilcoxon"](PairedValues(a, b)).pvalue == exact.pvalue


@given(few_integers)
def test_sign_test_is_the_binomial_test(differences):
    signs = np.sign(differences)
    ours = comparisons["sign_test"](
        PairedValues(np.array(differences, float), np.zeros(len(signs)))
    )
    n = int(np.abs(signs).sum())
    theirs = stats.binomtest(int((signs > 0).sum()), n).pvalue if n else 1.0
    assert ours.pvalue == pytest.approx(theirs, rel=1e-12)


def test_limits_of_the_hodges_lehmann_centre_hold_what_the_test_does_not_reject():
    rng = np.random.default_rng(2)
    a, b = rng.normal(0.3, 1, 15), rng.normal(size=15)
    test = comparisons["wilcoxon"]
    limits = test(PairedValues(a, b)).confidence_interval
    for centre, inside in [
        (limits.low - 1e-6, False),
        (limits.low + 1e-6, True),
        (limits.high - 1e-6, True),
        (limits.high + 1e-6, False),
    ]:
        assert (test(PairedValues(a - centre, b)).pvalue > 0.05) == inside


# --- Student's tests --------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_students_tests_are_scipys(alternative):
    rng = np.random.default_rng(3)
    a, b = rng.normal(0.5, 1, 12), rng.normal(size=12)
    c = rng.normal(size=7)
    pairs = [
        (comparisons["paired_t"](PairedValues(a, b), alternative=alternative),
         stats.ttest_rel(a, b, alternative=alternative)),
        (comparisons["unpaired_t"](Moments.of(a, c), alternative=alternative),
         stats.ttest_ind(a, c, equal_var=False, alternative=alternative)),
        (comparisons["unpaired_t"](Moments.of(a, c), alternative=alternative, variant="pooled"),
         stats.ttest_ind(a, c, alternative=alternative)),
    ]  # fmt: skip
    for ours, theirs in pairs:
        assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-12)
        assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-12)
        two_sided = theirs.confidence_interval if alternative == "two-sided" else None
        if two_sided:
            limits = two_sided(0.95)
            assert ours.confidence_interval.low == pytest.approx(limits.low, rel=1e-12)
            assert ours.confidence_interval.high == pytest.approx(limits.high, rel=1e-12)


def test_five_by_two_by_loops():
    rng = np.random.default_rng(4)
    a, b = rng.normal(0.1, 1, 10), rng.normal(size=10)
    squares = spread = 0.0
    for i in range(5):
        first, second = a[2 * i] - b[2 * i], a[2 * i + 1] - b[2 * i + 1]
        mean = (first + second) / 2
        spread += (first - mean) ** 2 + (second - mean) ** 2
        squares += first**2 + second**2
    folds = FoldValues(a, b, repeats=5, folds=2)
    t, f = comparisons["five_by_two_t"](folds), comparisons["five_by_two_f"](folds)
    assert t.statistic == pytest.approx((a[0] - b[0]) / np.sqrt(spread / 5), rel=1e-12)
    assert t.pvalue == pytest.approx(2 * stats.t.sf(abs(t.statistic), 5), rel=1e-12)
    assert f.statistic == pytest.approx(squares / (2 * spread), rel=1e-12)
    assert f.pvalue == pytest.approx(stats.f.sf(f.statistic, 10, 5), rel=1e-12)


# --- several schemes over datasets ------------------------------------------------------------


@given(st.integers(2, 8), st.integers(3, 5), st.integers(0, 2**32 - 1))
def test_friedman_is_scipys_with_ties(n, k, seed):
    table = np.random.default_rng(seed).integers(0, 4, (n, k))
    ours = comparisons["friedman"](DatasetTable(table, tuple("abcde"[:k])))
    if (np.ptp(table, axis=1) == 0).all():
        assert (ours.statistic, ours.pvalue) == (0, 1)  # where scipy divides by zero
        return
    theirs = stats.friedmanchisquare(*table.T)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-10, abs=1e-12)
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-10)


@given(st.integers(3, 8), st.integers(3, 5), st.integers(0, 2**32 - 1))
def test_iman_and_davenports_f_is_that_of_an_analysis_of_variance_of_the_ranks(n, k, seed):
    table = np.random.default_rng(seed).normal(size=(n, k))
    ranks = np.array([ranks_by_counting([-v for v in row]) for row in table.tolist()], float)
    rows, columns = ranks.mean(axis=1, keepdims=True), ranks.mean(axis=0, keepdims=True)
    residual = np.square(ranks - rows - columns + ranks.mean()).sum() / ((n - 1) * (k - 1))
    ours = comparisons["iman_davenport"](DatasetTable(table, tuple("abcde"[:k])))
    if residual < 1e-12:
        assert ours.pvalue == pytest.approx(float(np.prod(range(1, k + 1))) ** (1 - n))
        return
    f = n * np.square(columns - ranks.mean()).sum() / (k - 1) / residual
    assert ours.statistic == pytest.approx(f, rel=1e-9, abs=1e-12)
    assert ours.pvalue == pytest.approx(stats.f.sf(f, k - 1, (k - 1) * (n - 1)), rel=1e-9)


@pytest.mark.parametrize("name", ["iman_davenport", "quade"])
@pytest.mark.parametrize(
    "row", [[3, 2, 1], [3, 1, 1], [2, 2, 1], [2, 2, 1, 1], [3, 2, 2, 1], [2, 1, 1, 1]]
)
def test_where_all_datasets_rank_alike_every_arrangement_is_tried(name, row):
    """Each dataset may give its values to the schemes in any order: the share that ranks all alike."""
    schemes = tuple("abcd"[: len(row)])
    ours = comparisons[name](DatasetTable([row] * 3, schemes))
    assert ours.statistic == np.inf
    every = product(set(permutations(row)), repeat=2)  # each as often as any other
    alike = [
        comparisons[name](DatasetTable([row, *rest], schemes)).statistic == np.inf for rest in every
    ]
    assert ours.pvalue == pytest.approx(np.mean(alike), rel=1e-12)


@given(st.integers(3, 7), st.integers(3, 4), st.integers(0, 2**32 - 1))
def test_quade_by_loops(n, k, seed):
    table = np.random.default_rng(seed).integers(0, 30, (n, k)).tolist()
    weights = ranks_by_counting([max(row) - min(row) for row in table])
    total, sums = Fraction(0), [Fraction(0)] * k
    for weight, row in zip(weights, table, strict=True):
        for j, rank in enumerate(ranks_by_counting([-v for v in row])):
            score = weight * (rank - Fraction(k + 1, 2))
            total += score**2
            sums[j] += score
    between = sum(s**2 for s in sums) / n
    ours = comparisons["quade"](DatasetTable(table, tuple("abcd"[:k])))
    if between in (0, total):
        assert ours.statistic in (0, np.inf)
        return
    f = float((n - 1) * between / (total - between))
    assert ours.statistic == pytest.approx(f, rel=1e-10)
    assert ours.pvalue == pytest.approx(stats.f.sf(f, k - 1, (k - 1) * (n - 1)), rel=1e-9)


@pytest.mark.parametrize("k", [2, 3, 4, 10, 40])
def test_the_range_of_normal_numbers(k):
    for value in (0.1, 1, 2.5, 4, 6):
        theirs = stats.studentized_range.sf(value, k, np.inf)
        assert range_tail(value, k) == pytest.approx(theirs, abs=1e-11)
    for tail in (0.1, 0.05, 0.01):
        assert range_tail(range_quantile(tail, k), k) == pytest.approx(tail, rel=1e-12)
    # Far out, a union of all pairs: the sum of their chances, one at a time.
    far = k * (k - 1) * stats.norm.sf(14 / np.sqrt(2))
    assert range_tail(14, k) == pytest.approx(far, rel=1e-3)


# --- several p-values -------------------------------------------------------------------------


def closed_test(p, local):
    """A hypothesis falls if every intersection that it is part of falls."""
    adjusted = np.zeros(len(p))
    for size in range(1, len(p) + 1):
        for chosen in combinations(range(len(p)), size):
            value = min(1.0, local(np.sort([p[i] for i in chosen])))
            for i in chosen:
                adjusted[i] = max(adjusted[i], value)
    return adjusted


@given(pvalues)
def test_adjustments_are_the_closed_tests_that_they_shorten(p):
    holm = closed_test(p, lambda q: len(q) * q[0])
    hommel = closed_test(p, lambda q: np.min(len(q) * q / np.arange(1, len(q) + 1)))
    assert adjust(p, "holm") == pytest.approx(holm, rel=1e-12, abs=1e-300)
    assert adjust(p, "hommel") == pytest.approx(hommel, rel=1e-12, abs=1e-300)
    assert adjust(p, "bonferroni") == pytest.approx(np.minimum(1, np.array(p) * len(p)))
    assert adjust(p, "benjamini_hochberg") == pytest.approx(stats.false_discovery_control(p))
    by = stats.false_discovery_control(p, method="by")
    assert adjust(p, "benjamini_yekutieli") == pytest.approx(by)


@given(pvalues)
def test_hochberg_is_what_its_rule_rejects(p):
    """It rejects the j smallest for the largest j with p_(j) <= alpha / (n - j + 1)."""
    adjusted, ordered = adjust(p, "hochberg"), np.sort(p)
    factors = np.arange(len(p), 0, -1)
    for alpha in (0.01, 0.05, 0.2):
        passed = np.flatnonzero(ordered * factors <= alpha)
        limit = ordered[passed[-1]] if passed.size else -1.0
        assert ((adjusted <= alpha) == (np.array(p) <= limit)).all()
    assert (adjust(p, "hommel") <= adjusted * (1 + 1e-12)).all()
    assert (adjusted <= adjust(p, "holm") * (1 + 1e-12)).all()


def partitions(schemes):
    """Every way to put schemes into groups of equals."""
    if not schemes:
        yield []
        return
    first, *rest = schemes
    for groups in partitions(rest):
        yield [[first], *groups]
        for i, group in enumerate(groups):
            yield [*groups[:i], [first, *group], *groups[i + 1 :]]


@pytest.mark.parametrize("schemes", [2, 3, 4, 5, 6])
def test_how_many_pairs_can_be_equal_at_once(schemes):
    counted = {
        sum(len(g) * (len(g) - 1) // 2 for g in groups)
        for groups in partitions(list(range(schemes)))
    }
    assert possible_equalities(schemes) == counted


def test_shaffer_takes_the_largest_number_that_can_still_be_true():
    """Four schemes: six pairs; once one differs, at most three can be equal, then two, then one."""
    p = np.array([0.001, 0.01, 0.012, 0.02, 0.03, 0.04])
    expected = np.maximum.accumulate(p * [6, 3, 3, 3, 2, 1])
    assert adjust(p, "shaffer") == pytest.approx(expected)


# --- Bayesian ---------------------------------------------------------------------------------


def test_regions_are_those_of_all_pairs():
    rng = np.random.default_rng(6)
    differences = np.round(rng.normal(0.01, 0.05, 12), 2)
    rope, prior, draws = 0.01, 0.5, 40
    found = region_shares(differences, rope, prior, draws, np.random.default_rng(7))
    values = np.append(differences, 0.0)
    order = np.argsort(values)
    strength = np.append(np.ones(12), prior)[order]
    weights = np.random.default_rng(7).dirichlet(strength, draws)
    mean = (values[order][:, None] + values[order][None]) / 2
    for share, region in zip(found, (mean < -rope, np.abs(mean) <= rope, mean > rope), strict=True):
        assert share == pytest.approx(np.einsum("di,ij,dj->d", weights, region, weights))


def test_the_correlated_t_is_the_corrected_t_seen_from_the_other_side():
    rng = np.random.default_rng(8)
    folds = FoldValues(rng.normal(0.5, 1, 20), rng.normal(size=20), test_train_ratio=1 / 9)
    chances = comparisons["bayesian_correlated_t"](folds).probabilities
    test = comparisons["corrected_resampled_t"]
    assert chances["first lower"] == pytest.approx(test(folds, alternative="greater").pvalue)
    assert chances["first higher"] == pytest.approx(test(folds, alternative="less").pvalue)
    assert chances["no difference"] == 0
