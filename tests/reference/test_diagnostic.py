"""Likelihood ratios, odds ratios and other ratios of practitioners, and their intervals by hand."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import binom, norm

from credibly import Predictions, evaluate
from credibly.measures import kappa, measures
from examples import examples

RATIOS = ["positive_likelihood_ratio", "negative_likelihood_ratio", "diagnostic_odds_ratio"]
cells = st.integers(0, 12)


def table(tp, fn, fp, tn):
    """Return the predictions that a two-by-two table counts."""
    truth = [1] * (tp + fn) + [0] * (fp + tn)
    label = [1] * tp + [0] * fn + [1] * fp + [0] * tn
    return Predictions.of(truth, label=label, classes=[0, 1], positive=1)


def values_of(tp, fn, fp, tn):
    sensitivity, false_alarms = tp / (tp + fn), fp / (fp + tn)
    return {
        "positive_likelihood_ratio": (sensitivity, false_alarms),
        "negative_likelihood_ratio": (1 - sensitivity, 1 - false_alarms),
        "diagnostic_odds_ratio": (tp * tn, fp * fn),
    }


def limits_of(name, tp, fn, fp, tn, level, added=0.5):
    """Return Simel's and Woolf's limits on the log scale with half a case in each cell (Gart)."""
    a, b, c, d = (cell + added for cell in (tp, fn, fp, tn))
    top, bottom = values_of(a, b, c, d)[name]
    positives, negatives = a + b, c + d
    variances = {
        "positive_likelihood_ratio": (1 / a - 1 / positives, 1 / c - 1 / negatives),
        "negative_likelihood_ratio": (1 / b - 1 / positives, 1 / d - 1 / negatives),
        "diagnostic_odds_ratio": (1 / a + 1 / b, 1 / c + 1 / d),
    }[name]
    # Divisors are n - 1 in either class.
    scaled = variances[0] * positives / (positives - 1) + variances[1] * negatives / (negatives - 1)
    half = norm.isf((1 - level) / 2) * math.sqrt(scaled)
    return top / bottom * math.exp(-half), top / bottom * math.exp(half)


@examples(40)
@given(cells, cells, cells, cells, st.sampled_from([0.8, 0.95]))
def test_ratios_by_hand(tp, fn, fp, tn, level):
    if not (tp + fn and fp + tn):
        return
    found = evaluate(table(tp, fn, fp, tn), RATIOS, confidence_level=level)
    for name in RATIOS:
        top, bottom = values_of(tp, fn, fp, tn)[name]
        estimate = found[name]
        if bottom == 0:
            assert math.isnan(estimate.value) if top == 0 else math.isinf(estimate.value)
            assert "undefined" in {f.code for f in estimate.findings}
        else:
            assert estimate.value == pytest.approx(top / bottom, rel=1e-9)
        if math.isnan(estimate.value):
            assert estimate.interval is None
            continue
        low, high = limits_of(name, tp, fn, fp, tn, level)
        low, high = min(low, estimate.value), max(high, estimate.value)
        limits = estimate.interval
        assert (limits.low, limits.high) == pytest.approx((low, high), rel=1e-6)


@pytest.mark.parametrize("name", RATIOS)
def test_nothing_is_added_on_request(name):
    cells = (13, 5, 4, 21)
    limits = evaluate(table(*cells), name, interval="log_normal")[name].interval
    expected = limits_of(name, *cells, 0.95, added=0)
    assert (limits.low, limits.high) == pytest.approx(expected, rel=1e-6)
    empty = evaluate(table(13, 5, 0, 21), ["lr_plus", "lr_minus", "recall"], interval="log_normal")
    assert [e.interval is None for e in empty.estimates] == [True, False, True]


@pytest.mark.parametrize("name", RATIOS)
@pytest.mark.parametrize(("sensitivity", "false_alarms"), [(0.9, 0.1), (0.75, 0.25), (0.95, 0.4)])
def test_coverage_of_ratios_of_twenty_cases_in_each_class(name, sensitivity, false_alarms):
    """Enumerated over all tables, not simulated."""
    n = 20
    chances = [binom.pmf(np.arange(n + 1), n, rate) for rate in (sensitivity, false_alarms)]
    top, bottom = values_of(
        *(rate * n for rate in (sensitivity, 1 - sensitivity, false_alarms, 1 - false_alarms))
    )[name]
    covered = 0.0
    for tp in range(n + 1):
        for fp in range(n + 1):
            low, high = limits_of(name, tp, n - tp, fp, n - fp, 0.95)
            of_table = values_of(tp, n - tp, fp, n - fp)[name]
            if of_table[1] == 0:
                high = math.inf
            if of_table[0] == 0:
                low = 0.0
            covered += chances[0][tp] * chances[1][fp] * (low <= top / bottom <= high)
    assert covered > 0.92


def test_an_infinite_ratio_has_a_lower_limit():
    shown = str(evaluate(table(9, 1, 0, 10), "dor"))
    assert "infinite" in shown
    assert ", infinite)" in shown


@examples(20)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=12))
def test_pabak_is_kappa_of_equal_margins(rows):
    """Every pair with its mirror images in all orders of the classes: then all margins are the same."""
    truth, label = zip(*rows, strict=True)
    right = sum(t == lab for t, lab in rows) / len(rows)
    p = Predictions.of(truth, label=label, classes=[0, 1, 2])
    assert measures["pabak"](p) == pytest.approx((3 * right - 1) / 2, abs=1e-12)
    turned = [((t + k) % 3, (lab + k) % 3) for t, lab in rows for k in range(3)]
    truth, label = zip(*turned, strict=True)
    balanced = Predictions.of(truth, label=label, classes=[0, 1, 2])
    assert kappa(balanced) == pytest.approx(measures["pabak"](balanced), abs=1e-12)


def test_observed_over_expected_by_hand():
    rng = np.random.default_rng(3)
    q = rng.random(200)
    y = (rng.random(200) < q**1.2).astype(int)
    found = evaluate(Predictions.of(y, probability=q), "observed_over_expected")
    estimate = found["oe_ratio"]
    assert estimate.value == pytest.approx(y.sum() / q.sum(), rel=1e-12)
    moved = y / y.sum() - q / q.sum()  # of the logarithm
    error = math.sqrt(len(y) / (len(y) - 1) * np.square(moved - moved.mean()).sum())
    centre = math.log(estimate.value)
    half = (math.log(estimate.interval.high) - math.log(estimate.interval.low)) / 2
    assert (
        math.log(estimate.interval.high) + math.log(estimate.interval.low)
    ) / 2 == pytest.approx(centre, abs=1e-9)
    assert half == pytest.approx(1.97 * error, rel=0.01)
    as_known = math.sqrt((1 - y.mean()) / y.sum())  # with the expected number taken as known
    assert error < as_known


def test_discrimination_slope_by_hand():
    y, q = np.array([1, 0, 1, 0, 0]), np.array([0.9, 0.5, 0.6, 0.2, 0.1])
    expected = q[y == 1].mean() - q[y == 0].mean()
    assert measures["tjur_r2"](y, q) == pytest.approx(expected, rel=1e-12)
