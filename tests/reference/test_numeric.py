"""Measures of numeric prediction against their definitions."""

import math
import statistics
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from credibly import Predictions
from credibly.measures import measures
from credibly.predictions.summaries import Pairs
from examples import examples
from reference import twins
from reference.strategies import moderate, points, scores

few = st.sampled_from([0.0, -0.0, 1.0, float(np.nextafter(1.0, 2.0)), 3.0])
whole = st.integers(0, 3)


def predictions(rows):
    return Predictions.of(
        [a for a, _, _ in rows],
        value=[v for _, v, _ in rows],
        sample_weight=[float(w) for _, _, w in rows],
        baseline=0.5,
    )


def agrees(value, expected, rtol=1e-11):
    return np.isclose(value, expected, rtol=rtol, atol=1e-12, equal_nan=True)


@given(points(number=few | scores, max_size=14))
@examples(150)
def test_kendall_by_pairs(rows):
    exact = [(Fraction(a), Fraction(v), w) for a, v, w in rows]
    assert agrees(measures["kendall"].value(predictions(rows)), twins.kendall(exact))


@given(points(number=few | scores))
def test_spearman_by_counting(rows):
    assert agrees(measures["spearman"].value(predictions(rows)), twins.spearman(rows))


@given(points(number=few | moderate))
@example([(0.1, 1.0, Fraction(1)), (0.1, 2.0, Fraction(1)), (0.1, 3.0, Fraction(1))])
def test_correlation_in_exact_arithmetic(rows):
    assert agrees(measures["correlation"].value(predictions(rows)), twins.pearson(rows))


@given(points(number=scores))
def test_correlation_of_the_largest_numbers(rows):
    """Nothing overflows: the value is in range, and undefined only for a constant."""
    value = measures["correlation"].value(predictions(rows))
    kept = [(a, v) for a, v, w in rows if w]
    if len({a for a, _ in kept}) == 1 or len({v for _, v in kept}) == 1:
        assert math.isnan(value)
    else:
        assert -1 <= value <= 1


@given(points(number=few | st.integers(-50, 50).map(float)))
@example([(0.1, 1.0, Fraction(1)), (0.1, 2.0, Fraction(1)), (0.1, 3.0, Fraction(1))])
def test_r2_in_exact_arithmetic(rows):
    value = measures["r2"].value(predictions(rows))
    assert agrees(value, twins.r2(rows), rtol=1e-11)


@given(points(number=st.integers(-50, 50).map(float), min_size=2), st.sampled_from([-900, 900]))
def test_units_do_not_matter(rows, power):
    """Scale-free measures are the same in any unit, to the last digit in powers of two."""
    scaled = [(math.ldexp(a, power), math.ldexp(v, power), w) for a, v, w in rows]
    for name in ("correlation", "r2", "spearman", "kendall", "smape"):
        one, other = (measures[name].value(predictions(r)) for r in (rows, scaled))
        assert one == other or (math.isnan(one) and math.isnan(other)), name


@given(st.lists(st.tuples(scores, whole), min_size=1, max_size=12))
def test_median_by_repetition(cases):
    rows = [(v, w) for v, w in cases if w] or [(1.0, 1)]
    errors = [abs(v) for v, w in rows for _ in range(w)]
    p = Predictions.of(
        np.zeros(len(rows)), value=[v for v, _ in rows], sample_weight=[w for _, w in rows]
    )
    expected = float(statistics.median([Fraction(e) for e in errors]))
    assert measures["median_absolute_error"].value(p) == pytest.approx(
        expected, rel=1e-15, abs=5e-324
    )


@pytest.mark.parametrize("scale", [1e-30, 1e-9, 1.0, 1e30])
def test_median_whatever_the_scale_of_the_weights(scale):
    p = Predictions.of(
        [0.0] * 4, value=[1.0, 2.0, 5.0, 9.0], sample_weight=np.array([3, 1, 1, 1]) * scale
    )
    assert measures["median_absolute_error"].value(p) == 1.5
    q = Predictions.of(
        [0.0] * 4, value=[1.0, 2.0, 5.0, 9.0], sample_weight=np.array([1, 1, 1, 4]) * scale
    )
    assert measures["median_absolute_error"].value(q) == 9.0


@given(points(number=moderate))
def test_means_of_errors(rows):
    p = predictions(rows)
    total = float(sum(w for _, _, w in rows))

    def mean(loss):
        return math.fsum(float(w) * loss(v - a, a, v) for a, v, w in rows) / total

    expected = {
        "mse": mean(lambda e, a, v: e * e),
        "rmse": math.sqrt(mean(lambda e, a, v: e * e)),
        "mae": mean(lambda e, a, v: abs(e)),
        "bias": mean(lambda e, a, v: e),
        "max_error": max(abs(v - a) for a, v, w in rows if w),
        "pinball(quantile=0.25)": mean(lambda e, a, v: 0.75 * e if e > 0 else -0.25 * e),
        "quantile_coverage": mean(lambda e, a, v: float(a <= v)),
        "smape": mean(lambda e, a, v: 2 * abs(e) / (abs(a) + abs(v)) if e else 0.0),
    }
    for name, wanted in expected.items():
        largest = max(abs(v - a) for a, v, _ in rows)
        assert measures.parse(name).value(p) == pytest.approx(
            wanted, rel=1e-12, abs=1e-13 * max(1.0, largest)
        ), name
    for name, power in (("rse", 2), ("rae", 1)):
        below = mean(lambda e, a, v, power=power: abs(a - 0.5) ** power)
        above = mean(lambda e, a, v, power=power: abs(e) ** power)
        found = measures[name].value(p)
        assert found == pytest.approx(above / below, rel=1e-12) if below else math.isnan(found)


@given(points(number=st.floats(0, 1e6)))
def test_percentages_and_logarithms(rows):
    p = predictions(rows)
    total = float(sum(w for _, _, w in rows))
    kept = [(a, v, float(w)) for a, v, w in rows if w]

    def share(a, v):
        if a == v:
            return 0.0
        with np.errstate(over="ignore"):
            return float(np.float64(abs(v - a)) / a) if a else math.inf

    shares = math.fsum(w * share(a, v) for a, v, w in kept) / total
    logs = math.fsum(w * abs(math.log1p(v) - math.log1p(a)) for a, v, w in kept) / total
    assert measures["mape"].value(p) == pytest.approx(shares, rel=1e-12)
    assert measures["male"].value(p) == pytest.approx(logs, rel=1e-10, abs=1e-14)


def test_against_scipy():
    from scipy import stats

    rng = np.random.default_rng(8)
    for n in (2, 9, 100, 777):
        a, v = np.round(rng.normal(size=(2, n)), 1)
        p = Predictions.of(a, value=v)
        assert measures["kendall"].value(p) == pytest.approx(stats.kendalltau(a, v).statistic)
        if n > 2:
            assert measures["spearman"].value(p) == pytest.approx(stats.spearmanr(a, v).statistic)
            assert measures["correlation"].value(p) == pytest.approx(stats.pearsonr(a, v).statistic)


@pytest.mark.parametrize("name", ["rmsle", "male"])
@pytest.mark.parametrize(
    ("a", "v"),
    [
        (1e12, 1e12 + 1e4),
        (1e-20, 3e-20),
        (-0.5, -0.5000001),
        (1e20, 0.0),
        (math.nextafter(-1, 0), 1e308),
    ],
)
def test_log_errors_have_all_their_digits_however_near_or_far_the_numbers(name, a, v):
    with localcontext(prec=400):
        exact = float(abs((1 + Decimal(v)).ln() - (1 + Decimal(a)).ln()))
    for pair in ((a, v), (v, a)):
        assert measures[name]([pair[0]], [pair[1]]) == pytest.approx(exact, rel=1e-15, abs=0)


@pytest.mark.parametrize("name", ["rmsle", "male"])
@pytest.mark.parametrize("bad", [-1.0, -5.0])
def test_a_logarithm_that_does_not_exist_is_undefined_not_left_out(name, bad):
    def value(weight, truth=0.0):
        p = Predictions.of([truth, 3.0, 0.0], value=[bad, 7.0, 0.0], sample_weight=weight)
        return measures[name].summarise(p)

    m = measures[name]
    whole, part = value([1, 1, 1]), value([1, 0, 1])
    assert math.isnan(m.of_summary(whole))
    assert m.of_summary(value([0, 1, 1])) > 0  # without weight it does not count
    assert math.isnan(m.of_summary(part))
    assert m.of_summary(whole - value([1, 0, 0])) == m.of_summary(value([0, 1, 1]))


def test_gains_and_losses_without_end():
    """Both ends at once leave no mean; one end is the mean; removing it gives the rest back."""

    def summary(weight):
        p = Predictions.of(
            [1, 0, 1],
            probability=[[1.0, 0.0], [0.5, 0.5], [0.5, 0.5]],
            baseline=[[0.5, 0.5], [0.0, 1.0], [0.5, 0.5]],
            sample_weight=weight,
        )
        return m.summarise(p)

    m = measures["complexity_improvement"]
    assert m.of_summary(summary([1, 0, 1])) == -math.inf
    assert m.of_summary(summary([0, 1, 1])) == math.inf
    assert math.isnan(m.of_summary(summary([1, 1, 1])))
    assert m.of_summary(summary([1, 1, 1]) - summary([1, 1, 0])) == 0.0
    assert m.of_summary(summary([1, 1, 1]) - summary([1, 0, 0])) == math.inf


@pytest.mark.parametrize("name", ["median_absolute_error", "max_error", "spearman", "kendall"])
@pytest.mark.parametrize("kind", ["plain", "frequency", "importance", "grouped", "unknown"])
def test_replicates_of_points_are_those_of_rows_weighed_anew(name, kind):
    """Points keep their order in all replicates; to sort them again in each is the slow way."""
    from credibly.intervals.replicates import Replicates

    rng = np.random.default_rng(5)
    truth = rng.integers(0, 12, 60).astype(float)
    options = {
        "frequency": {"sample_weight": rng.integers(0, 4, 60), "weight_kind": "frequency"},
        "importance": {"sample_weight": rng.exponential(size=60), "weight_kind": "importance"},
        "grouped": {"group": rng.integers(0, 9, 60)},
    }.get(kind, {})
    value = (truth + rng.normal(0, 3, 60)).round()
    if kind == "unknown":
        truth[::7] = np.nan
    p = Predictions.of(truth, value=value, **options)
    m = measures[name]
    drawn = Replicates(p, 7, 70, stratified=False)
    np.testing.assert_allclose(drawn.values([m], None)[:, 0], drawn.one_by_one(m.value), rtol=1e-12)


def test_a_batch_in_which_every_case_counts_has_a_largest_error_for_each():
    points = Pairs(np.array([1.0, 2.0]), np.array([1.0, 4.0]), np.ones((3, 2)), {})
    assert np.asarray(measures["max_error"].of_summary(points)).tolist() == [2.0, 2.0, 2.0]
