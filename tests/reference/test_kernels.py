"""Every compiled kernel gives what its numpy twin gives, and both sorts sort."""

from bisect import bisect
from fractions import Fraction
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

import credibly._kernels as kernels
from credibly import Predictions
from credibly._kernels import order, rank_lanes
from credibly._kernels.concordance import concordant_less_discordant
from credibly._kernels.hull import upper_hull
from credibly._kernels.moments import middle_two, pair_moments
from credibly.intervals import replicates
from credibly.intervals.replicates import Replicates
from credibly.measures import measures
from credibly.predictions.summaries import ScoreTable
from credibly.predictions.summaries.scores import decisions_at
from examples import examples
from reference.strategies import SPECIAL, few_scores, scores

rows = st.lists(st.tuples(scores | few_scores, st.booleans()), min_size=1, max_size=40)
SUMS = ("positives", "negatives", "concordant", "tied", "precision", "largest_gap")


@pytest.fixture
def compiled(monkeypatch):
    """Compile from the first row on; what is called is counted, so that no test passes idly."""
    monkeypatch.setattr(kernels, "COMPILE_FROM", 0)
    monkeypatch.delenv("CREDIBLY_JIT", raising=False)


def predictions(cases):
    return Predictions.of(
        [int(y) for _, y in cases], score=[s for s, _ in cases], classes=[0, 1], positive=1
    )


def compiling_from(size, function, *arguments):
    """Run a function whose kernels are compiled from so many rows on."""
    before, kernels.COMPILE_FROM = kernels.COMPILE_FROM, size
    try:
        return function(*arguments)
    finally:
        kernels.COMPILE_FROM = before


plain = partial(compiling_from, 10**9)  # the numpy twins
fast = partial(compiling_from, 0)


def test_when_it_is_worth_compiling(monkeypatch):
    monkeypatch.delenv("CREDIBLY_JIT", raising=False)
    assert not kernels.worth_compiling(10)
    assert kernels.worth_compiling(kernels.COMPILE_FROM)
    monkeypatch.setenv("CREDIBLY_JIT", "0")
    assert not kernels.worth_compiling(10**9)


def test_the_compiled_path_is_taken(compiled, monkeypatch):
    monkeypatch.setattr(order, "distinct_scores", lambda *_: pytest.fail("compiled"))
    with pytest.raises(pytest.fail.Exception, match="compiled"):
        ScoreTable.of(predictions([(1.0, True)]))
    monkeypatch.setenv("CREDIBLY_JIT", "0")
    assert ScoreTable.of(predictions([(1.0, True)])).score.tolist() == [1.0]


@given(rows)
@example([(s, i % 3 == 0) for i, s in enumerate(SPECIAL)])
@example([(-s, i % 3 == 0) for i, s in enumerate(SPECIAL)])
@example([(-0.0, True), (0.0, False), (5e-324, True), (-5e-324, False)])
@examples(150)
def test_score_tables(compiled, cases):
    fast, slow = ScoreTable.of(predictions(cases)), plain(ScoreTable.of, predictions(cases))
    for name in ("score", "pos", "neg"):
        assert getattr(fast, name).tolist() == getattr(slow, name).tolist(), name
    assert not np.signbit(fast.score[fast.score == 0]).any()
    for name in SUMS:
        one, other = getattr(fast.order_sums(), name), getattr(slow.order_sums(), name)
        assert np.isclose(one, other, rtol=1e-13, atol=0), name


@given(rows, st.lists(scores | few_scores, min_size=1, max_size=12))
@example([(0.0, True), (5e-324, False)], [0.0, 5e-324])
@example([(1e308, True), (-1e308, False)], [-1e308, 1e308])
@example([(1.0, True)], [1.0])
@examples(150)
def test_counts_between_thresholds(compiled, cases, thresholds):
    fast = decisions_at(predictions(cases), thresholds)
    slow = plain(decisions_at, predictions(cases), thresholds)
    for name in ("tp", "fp", "fn", "tn"):
        assert getattr(fast, name).tolist() == getattr(slow, name).tolist(), name


def test_many_thresholds_on_many_rows(compiled):
    rng = np.random.default_rng(9)
    score = np.round(rng.normal(size=5000), 3)
    p = Predictions.of(rng.integers(0, 2, 5000), score=score)
    cuts = np.concatenate([np.round(rng.normal(size=999), 3), score[:50]])
    fast, slow = decisions_at(p, cuts), plain(decisions_at, p, cuts)
    assert np.array_equal(fast.tp, slow.tp)
    assert np.array_equal(fast.fp, slow.fp)


steps = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=25)


@given(steps)
def test_hulls(compiled, moves):
    x, y = np.cumsum(np.array([(0, 0), *moves], float), axis=0).T
    corners = upper_hull(x, y)
    assert corners.tolist() == plain(upper_hull, x, y).tolist()
    assert corners[-1] == x.size - 1
    # By definition: no point lies above any chord of the hull, and the corners turn to the right.
    hx, hy = x[corners], y[corners]
    for i, j in pairwise(corners):
        beside = (x[j] - x[i]) * (y - y[i]) - (y[j] - y[i]) * (x - x[i])
        assert (beside <= 0).all()
    turns = np.diff(hx)[:-1] * np.diff(hy)[1:] - np.diff(hy)[:-1] * np.diff(hx)[1:]
    assert (turns < 0).all()


@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 300), min_size=1, max_size=60))
def test_radix_sort(numbers):
    keys = np.array(numbers, np.uint64)
    assert order._radix(keys.copy(), np.empty_like(keys), 0).tolist() == sorted(numbers)
    ordered = keys & ~np.uint64(0xFFFF) | np.arange(keys.size, dtype=np.uint64)
    assert order._radix(ordered.copy(), keys, 2).tolist() == sorted(ordered.tolist())


@pytest.mark.parametrize("radix", [True, False], ids=["radix", "numpy"])
def test_both_sorts_on_many_rows(monkeypatch, radix):
    """Both kinds of sort, above the size from which one is chosen, on scores of both signs."""
    monkeypatch.setattr(order, "_radix_is_faster", lambda: radix)
    rng = np.random.default_rng(10)
    n = 160_000
    score = np.round(rng.normal(size=n), 4)
    score[:3] = [0.0, -0.0, 5e-324]
    positive = rng.random(n) < 0.3
    found = order.distinct_scores(score, positive)
    distinct, place = np.unique(score, return_inverse=True)
    assert np.array_equal(found[0], distinct[::-1])
    assert np.array_equal(found[1], np.bincount(place[positive], minlength=distinct.size)[::-1])
    assert np.array_equal(found[2], np.bincount(place[~positive], minlength=distinct.size)[::-1])


def test_one_of_the_sorts_is_chosen():
    assert order._radix_is_faster() in {True, False}


def test_large_inputs_give_the_same_measures_either_way(monkeypatch):
    from credibly.measures import measures

    rng = np.random.default_rng(11)
    n = kernels.COMPILE_FROM
    y = rng.integers(0, 2, n)
    columns = {"score": np.round(rng.normal(size=n) + y, 3)}
    ranking = [m for m in measures if m.reads is ScoreTable and not m.parameters]
    fast = [m.value(Predictions.of(y, **columns)) for m in ranking]
    monkeypatch.setenv("CREDIBLY_JIT", "0")
    slow = [m.value(Predictions.of(y, **columns)) for m in ranking]
    assert fast == pytest.approx(slow, rel=1e-12)


def test_wilson_against_scipy():
    from scipy.stats import binomtest

    from credibly.intervals import wilson

    for part, whole in [(0, 5), (1, 10), (7, 10), (10, 10), (123, 4567)]:
        for level in (0.8, 0.95, 0.999):
            ours = wilson(part, whole, level)
            theirs = binomtest(part, whole).proportion_ci(level, method="wilson")
            assert ours.low == pytest.approx(theirs.low, abs=1e-12)
            assert ours.high == pytest.approx(theirs.high, abs=1e-12)


@given(st.floats(0, 1), st.floats(1e-3, 1e9), st.floats(0.01, 0.999))
@example(1e-19, 10.0, 0.95)
def test_wilson_contains_the_share(share, whole, level):
    from credibly.intervals import wilson

    found = wilson(share * whole, whole, level)
    assert 0 <= found.low <= min(share * whole / whole, 1) <= found.high <= 1


points = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from([0.5, 1.0, 2.0, 3.25])),
    min_size=1,
    max_size=40,
)


@given(points)
def test_pairs_in_the_same_order(cases):
    first, second, weight = (np.array(column) for column in zip(*cases, strict=True))
    first, second = (np.unique(side, return_inverse=True)[1] for side in (first, second))
    want = sum(
        w * z * np.sign((a - c) * (b - d))
        for i, (a, b, w) in enumerate(cases)
        for c, d, z in cases[:i]
    )
    given = (first, second, weight)
    assert plain(concordant_less_discordant, *given) == pytest.approx(want)
    assert fast(concordant_less_discordant, *given) == pytest.approx(want)


@pytest.mark.parametrize("n", [1, 63, 64, 65, 513, 40_000])
def test_discordant_pairs_of_many_points(n):
    """More than a word, a block and a group of bits; the twin adds what each point finds before it."""
    first, second = np.random.default_rng(n).permuted(np.tile(np.arange(n), (2, 1)), axis=1)
    want, before = n * (n - 1) // 2, []
    for place in second[np.argsort(first)].tolist():
        at = bisect(before, place)
        want -= 2 * (len(before) - at)
        before.insert(at, place)
    for weight in (np.full(n, 1.5), np.full((2, n), 1.5)):
        for way in (plain, fast):
            found = way(concordant_less_discordant, first, second, weight)
            assert np.asarray(found).ravel().tolist() == [2.25 * want] * (weight.size // n)


numbers_from_zero = st.floats(0, allow_nan=False) | st.sampled_from([0.0, -0.0, 5e-324, 1.0])


@given(st.lists(numbers_from_zero, min_size=1, max_size=40))
@examples(100)
def test_the_middle_two(numbers):
    want = [sorted(numbers)[i] for i in ((len(numbers) - 1) // 2, len(numbers) // 2)]
    assert plain(middle_two, np.array(numbers)).tolist() == want
    assert fast(middle_two, np.array(numbers)).tolist() == want


@pytest.mark.parametrize("decimals", [1, 12])
@pytest.mark.thorough
def test_replicates_of_ranks_in_lanes_are_those_of_the_formulas(decimals, monkeypatch):
    rng = np.random.default_rng(1)
    truth = rng.normal(size=1300)
    p = Predictions.of(truth.round(decimals), value=(truth + rng.normal(size=1300)).round(decimals))
    chosen = [measures[m] for m in ("spearman", "kendall", "median_absolute_error")]
    slow = plain(Replicates(p, 1, 70, stratified=False).values, chosen, None)
    found, drawn = [], rank_lanes.lane_weights
    monkeypatch.setattr(
        replicates, "lane_weights", lambda *a, **k: found.append(1) or drawn(*a, **k)
    )
    quick = fast(Replicates(p, 1, 70, stratified=False).values, chosen, None)
    assert len(found) == 2  # blocks of 64
    assert quick == pytest.approx(slow, rel=1e-12)


@given(st.lists(st.tuples(*[st.floats(-1e6, 1e6)] * 2), min_size=1, max_size=30))
def test_moments_of_pairs_are_the_sums_of_their_products(cases):
    columns = [np.array(column) for column in zip(*cases, strict=True)]
    exact = [(Fraction(a) / 4 - Fraction(3, 2), Fraction(b) * 2 + 2) for a, b in cases]
    sums = [float(sum(column)) for column in zip(*exact, strict=True)]
    products = [[float(sum(p[i] * p[j] for p in exact)) for j in (0, 1)] for i in (0, 1)]
    given = (*columns, None, np.array([4.0, 0.5]), np.array([1.5, -2.0]))
    ones = (*columns, np.ones(len(cases)), *given[3:])
    for found in (
        plain(pair_moments, *given),
        plain(pair_moments, *ones),
        fast(pair_moments, *given),
    ):
        assert found[0] == pytest.approx(np.array(sums), rel=1e-12, abs=1e-9)
        assert found[1] == pytest.approx(np.array(products), rel=1e-12, abs=1e-9)
