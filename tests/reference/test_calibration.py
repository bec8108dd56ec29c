"""Calibration against slow twins: definitions written out, other programs, exact sums."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from credibly import Predictions, _kernels, calibration
from credibly._kernels import isotonic as isotonic_kernels, smoothing
from credibly._kernels.isotonic import isotonic, simulated, with_one_more
from credibly._kernels.smoothing import lowess
from credibly.calibration import (
    Outcomes,
    calibration_statistics,
    corp,
    covariance,
    grouped,
    murphy,
    recalibrated,
)
from credibly.calibration.class_probabilities import ForetoldClasses, spiegelhalter_of_classes
from credibly.calibration.goodness_of_fit import Foretold, calibration_tests
from credibly.calibration.logistic import likelihood
from credibly.calibration.outcomes import logit
from credibly.intervals.influence import influence


@st.composite
def foretold(draw, inside=False, both=False, min_size=1):
    """Predictions with few or many distinct probabilities, with and without weights."""
    n = draw(st.integers(max(min_size, 2 if both else 1), 40))
    seed = draw(st.integers(0, 10**6))
    decimals = draw(st.sampled_from([1, 2, 15]))
    rng = np.random.default_rng(seed)
    p = rng.random(n).round(decimals)
    if inside:
        p = np.clip(p, 0.05, 0.95)
    y = (rng.random(n) < p).astype(int)
    if both:
        y[:2] = 0, 1
    weight = draw(st.sampled_from([None, "frequency", "importance"]))
    if weight is None:
        return Predictions.of(y, probability=p, classes=[0, 1], positive=1)
    w = rng.integers(1, 5, n) if weight == "frequency" else rng.random(n) + 0.1
    return Predictions.of(
        y, probability=p, sample_weight=w, weight_kind=weight, classes=[0, 1], positive=1
    )


def cases(p):
    """Probabilities, outcomes and weights, row by row."""
    return p.probability, (p.truth == 1).astype(float), p.weights


# --- decompositions ---------------------------------------------------------------------------


@given(foretold(), st.integers(1, 12))
def test_murphy_adds_up(p, groups):
    q, y, w = cases(p)
    brier = np.average((q - y) ** 2, weights=w)
    o = Outcomes.of(p)
    whole = murphy(o)
    assert whole.score == pytest.approx(brier, abs=1e-12)
    assert whole.total == pytest.approx(brier, abs=1e-12)
    most = int(o.n) if o.counted else o.probability.size
    made = murphy(o, grouped(o, min(groups, most)))
    assert made.total == pytest.approx(brier, abs=1e-12)
    assert min(made.parts["calibration"], made.parts["variance within groups"]) >= 0


@given(foretold(both=True))
def test_the_covariance_decomposition_adds_up(p):
    q, y, w = cases(p)
    made = covariance(Outcomes.of(p))
    assert made.total == pytest.approx(np.average((q - y) ** 2, weights=w), abs=1e-12)
    centred = np.average((q - np.average(q, weights=w)) * (y - np.average(y, weights=w)), weights=w)
    assert made.parts["twice the covariance"] == pytest.approx(2 * centred, abs=1e-12)


@given(foretold(inside=True))
def test_corp_adds_up_and_no_part_is_negative(p):
    q, y, w = cases(p)
    losses = {"brier": (q - y) ** 2, "log_loss": -np.log(np.where(y == 1, q, 1 - q))}
    for score, loss in losses.items():
        made = corp(Outcomes.of(p), score)
        assert made.total == pytest.approx(np.average(loss, weights=w), abs=1e-12)
        assert min(made.parts.values()) >= -1e-12


# --- isotonic regression ----------------------------------------------------------------------


@given(foretold())
def test_isotonic_is_scikit_learns(p):
    o = Outcomes.of(p)
    theirs = IsotonicRegression().fit(o.probability, o.share, o.total).predict(o.probability)
    assert isotonic(o.events, o.total) == pytest.approx(theirs, abs=1e-12)


@given(foretold())
def test_isotonic_is_the_greatest_least_mean(p):
    """The definition by means of intervals: of all that start at or before, the least that end at or after."""
    o = Outcomes.of(p)
    up, weight = (np.concatenate([[0], np.cumsum(c)]) for c in (o.events, o.total))
    n = o.total.size
    mean = [
        [(up[b + 1] - up[a]) / (weight[b + 1] - weight[a]) if a <= b else np.nan for b in range(n)]
        for a in range(n)
    ]
    expected = [max(min(mean[a][b] for b in range(i, n)) for a in range(i + 1)) for i in range(n)]
    assert isotonic(o.events, o.total) == pytest.approx(expected, abs=1e-12)


@given(foretold(), st.sampled_from([0, 1]))
def test_one_more_case_is_a_fit_with_one_more_case(p, happened):
    o = Outcomes.of(p)
    places = np.arange(2 * o.total.size + 1)
    got = with_one_more(o.events, o.total, places, happened)
    for k in places:
        i = k // 2
        events, total = o.events.copy(), o.total.copy()
        if k % 2:
            events[i] += happened
            total[i] += 1
        else:
            events, total = np.insert(events, i, happened), np.insert(total, i, 1.0)
        assert got[k] == pytest.approx(isotonic(events, total)[i], abs=1e-12)


def test_the_compiled_blocks_are_the_plain_ones(monkeypatch):
    rng = np.random.default_rng(0)
    events = (rng.random(500) < np.linspace(0, 1, 500)).astype(float)
    plain = isotonic_kernels.block_starts(events, np.ones(500))
    monkeypatch.setattr(_kernels, "COMPILE_FROM", 0)
    assert (isotonic_kernels.block_starts(events, np.ones(500)) == plain).all()


def test_compiled_simulations_are_the_plain_ones(monkeypatch):
    rng = np.random.default_rng(0)
    p, at = np.sort(rng.random(700)), np.array([0, 3, 350, 698, 699])
    compiled = simulated(p, np.ones(700), at, seed=1, count=200)  # worth it: 140,000 outcomes
    monkeypatch.setenv("CREDIBLY_JIT", "0")
    assert compiled == pytest.approx(simulated(p, np.ones(700), at, seed=1, count=200), abs=1e-12)


def test_simulated_outcomes_are_as_probable_as_said():
    p = np.array([0.1, 0.5, 0.9])
    drawn = simulated(p, np.full(3, 1000.0), np.arange(3), seed=1, count=300)
    assert drawn.mean(axis=0) == pytest.approx(p, abs=4 * 0.5 / np.sqrt(300_000))
    assert (np.diff(drawn, axis=1) >= 0).all()


# --- locally weighted regression --------------------------------------------------------------


def clowess(x, y, f=2 / 3, delta_share=0.01):
    """Cleveland's algorithm case by case, with the steps and the constants of R's C code (no iterations)."""
    n = len(x)
    near = max(2, min(n, int(f * n + 1e-7)))
    ys = np.empty(n)
    left, right, last, i = 0, near - 1, -1, 0
    while True:
        if right < n - 1 and x[i] - x[left] > x[right + 1] - x[i]:
            left, right = left + 1, right + 1
            continue
        ys[i] = line_at(x, y, x[i], left, right)
        for j in range(last + 1, i):
            share = (x[j] - x[last]) / (x[i] - x[last])
            ys[j] = share * ys[i] + (1 - share) * ys[last]
        last = i
        cut = x[last] + delta_share * (x[-1] - x[0])
        i = last + 1
        while i < n and x[i] <= cut:
            if x[i] == x[last]:
                ys[i] = ys[last]
                last = i
            i += 1
        i = max(last + 1, i - 1)
        if last >= n - 1:
            return ys


def line_at(x, y, here, left, right):
    h = max(here - x[left], x[right] - here)
    w = {}
    for j in range(left, len(x)):
        r = abs(x[j] - here)
        if r <= 0.999 * h:
            w[j] = 1.0 if r <= 0.001 * h else (1 - (r / h) ** 3) ** 3
        elif x[j] > here:
            break
    total = sum(w.values())
    w = {j: v / total for j, v in w.items()}
    if h > 0:
        mean = sum(v * x[j] for j, v in w.items())
        spread = sum(v * (x[j] - mean) ** 2 for j, v in w.items())
        if np.sqrt(spread) > 0.001 * (x[-1] - x[0]):
            b = (here - mean) / spread
            w = {j: v * (b * (x[j] - mean) + 1) for j, v in w.items()}
    return sum(v * y[j] for j, v in w.items())


@pytest.mark.daily
@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.daily(n=[7, 60])
@pytest.mark.parametrize(
    ("n", "decimals", "power"),
    [(2, 9, 1), (7, 9, 1), (40, 1, 1), (60, 9, 4), (300, 2, 1), (400, 9, 2)],
)
def test_lowess_is_clevelands(n, decimals, power, jit, monkeypatch):
    if jit:
        monkeypatch.setattr(smoothing, "worth_compiling", lambda n: True)
    rng = np.random.default_rng(n)
    p = np.sort((rng.random(n) ** power).round(decimals))
    if p[0] == p[-1]:
        p[0] = p[-1] / 2
    y = (rng.random(n) < p).astype(float)
    # The twin sees each case, with the mean outcome of its probability as ours does.
    distinct, place, count = np.unique(p, return_inverse=True, return_counts=True)
    share = np.bincount(place, y) / count
    expected = clowess(p, share[place])
    assert lowess(distinct, share, count * 1.0)[place] == pytest.approx(expected, abs=1e-12)


def test_weights_of_no_scale_are_smoothed_alike():
    rng = np.random.default_rng(3)
    x = np.sort(rng.random(50))
    y, w = rng.random(50), rng.random(50)
    assert lowess(x, y, w) == pytest.approx(lowess(x, y, 1e-3 * w), abs=1e-12)


# --- the recalibration line -------------------------------------------------------------------


def overlapping(seed, n=200, slope=0.7, shift=0.2):
    rng = np.random.default_rng(seed)
    z = rng.normal(0, 1.3, n)
    p = 1 / (1 + np.exp(-z))
    return Predictions.of(
        (rng.random(n) < 1 / (1 + np.exp(-slope * z - shift))).astype(int), probability=p
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_line_is_scikit_learns_without_penalty(seed):
    p = overlapping(seed)
    x = logit(p.probability)[:, None]
    theirs = LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000).fit(x, p.truth)
    ours = recalibrated(Outcomes.of(p))
    assert ours.slope == pytest.approx(theirs.coef_[0, 0], rel=1e-5)
    assert ours.intercept == pytest.approx(theirs.intercept_[0], rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_the_line_solves_the_equations_of_likelihood(seed):
    """Residuals sum to zero, alone and times the logit; errors are those of the inverse information."""
    p = overlapping(seed)
    q, y, _ = cases(p)
    fit = recalibrated(Outcomes.of(p))
    x = np.column_stack([np.ones(p.n), logit(q)])
    mu = 1 / (1 + np.exp(-x @ [fit.intercept, fit.slope]))
    assert x.T @ (y - mu) == pytest.approx([0, 0], abs=1e-9)
    errors = np.sqrt(np.diag(np.linalg.inv(x.T @ (x * (mu * (1 - mu))[:, None]))))
    assert [fit.intercept_error, fit.slope_error] == pytest.approx(errors.tolist(), rel=1e-9)
    assert fit.deviance == pytest.approx(-2 * np.log(np.where(y == 1, mu, 1 - mu)).sum(), rel=1e-12)
    assert fit.deviance_as_given == pytest.approx(
        -2 * np.log(np.where(y == 1, q, 1 - q)).sum(), rel=1e-12
    )

    def deviance(a):
        z = x @ [a[0], 1.0]
        return 2 * (np.logaddexp(0, z) - y * z).sum()

    shift = recalibrated(Outcomes.of(p), slope=1.0)
    assert shift.intercept == pytest.approx(minimize(deviance, [0.0]).x[0], abs=1e-5)


# --- statistics by hand -----------------------------------------------------------------------


def test_statistics_by_hand():
    q, y = np.array([0.1, 0.2, 0.6, 0.9]), np.array([0, 1, 0, 1])
    p = Predictions.of(y, probability=q)
    value = {m.name: m.value(p) for m in calibration_statistics}
    assert value["calibration_in_the_large"] == pytest.approx(0.45 - 0.5)
    two = calibration_statistics["expected_calibration_error"].given(groups=2)
    assert two.value(p) == pytest.approx(0.5 * abs(0.15 - 0.5) + 0.5 * abs(0.75 - 0.5))
    worst = calibration_statistics["maximum_calibration_error"].given(groups=2)
    assert worst.value(p) == pytest.approx(0.35)
    root = calibration_statistics["root_mean_squared_calibration_error"].given(groups=2)
    assert root.value(p) == pytest.approx(np.sqrt(0.5 * 0.35**2 + 0.5 * 0.25**2))
    fair = calibration_statistics["debiased_calibration_error"].given(groups=2)
    chance = 0.5 * 0.5 / (2 - 1)
    assert fair.value(p) == np.sqrt(max(0, 0.5 * (0.35**2 - chance) + 0.5 * (0.25**2 - chance)))
    z = ((y - q) * (1 - 2 * q)).sum() / np.sqrt(((1 - 2 * q) ** 2 * q * (1 - q)).sum())
    assert value["spiegelhalter_z"] == pytest.approx(z)
    brier = np.mean((q - y) ** 2)
    assert value["brier_skill"] == pytest.approx(1 - brier / 0.25)
    given, nothing = -2 * np.log(np.where(y == 1, q, 1 - q)).sum(), -2 * 4 * np.log(0.5)
    assert value["discrimination_index"] == pytest.approx((nothing - given - 1) / 4)
    r2 = (1 - np.exp(-(nothing - given) / 4)) / (1 - np.exp(-nothing / 4))
    assert value["nagelkerke_r2"] == pytest.approx(r2)
    assert value["quality_index"] == pytest.approx(
        value["discrimination_index"] - value["unreliability_index"]
    )


def test_groups_of_the_adaptive_error_count_the_same_whatever_ties_make_of_their_sizes():
    """Three groups of 12, 2 and 6 cases: (|.1 - 6/12| + |.2 - 2/2| + |.9 - 5/6|) / 3."""
    q = np.repeat([0.1, 0.2, 0.9], [12, 2, 6])
    y = np.concatenate([np.arange(n) < events for n, events in ((12, 6), (2, 2), (6, 5))])
    p = Predictions.of(y.astype(int), probability=q)
    adaptive = calibration_statistics["adaptive_calibration_error"]
    expected = (0.4 + 0.8 + (0.9 - 5 / 6)) / 3
    assert adaptive.value(p) == pytest.approx(expected, rel=1e-12)


def test_quantiles_of_smoothed_gaps_are_those_of_the_cases():
    """Nine tenths as numpy's default quantile (R's type 7) over cases, equal probabilities counting each."""
    rng = np.random.default_rng(5)
    q = rng.random(150).round(2)
    y = (rng.random(150) < q**2).astype(int)
    p = Predictions.of(y, probability=q)
    o = Outcomes.of(p)
    gap = np.abs(o.probability - lowess(o.probability, o.share, o.total))
    each = np.repeat(gap, o.total.astype(int))
    value = {m.name: m.value(p) for m in calibration_statistics}
    assert value["e_90"] == pytest.approx(np.quantile(each, 0.9), abs=1e-12)
    assert value["e_average"] == pytest.approx(each.mean(), abs=1e-12)
    assert value["e_max"] == pytest.approx(each.max(), abs=1e-12)


def test_hosmer_and_lemeshow_by_hand():
    rng = np.random.default_rng(2)
    q = np.sort(rng.random(100))
    y = (rng.random(100) < q).astype(int)
    made = calibration(Predictions.of(y, probability=q), 5).tests[0]
    observed, expected = (c.reshape(5, 20).sum(axis=1) for c in (y, q))
    assert made.statistic == pytest.approx(
        ((observed - expected) ** 2 / (expected * (1 - expected / 20))).sum()
    )


@given(foretold(inside=True, min_size=3))
def test_the_test_of_several_classes_is_that_of_two(p):
    evidence = ForetoldClasses.of(p)
    z = calibration_statistics["spiegelhalter_z"].value(p)
    if np.isnan(z):
        return
    # Both are differences of a sum from its mean; with all probabilities near 1/2 they are 0 / 0.
    assert spiegelhalter_of_classes(evidence).statistic == pytest.approx(z, rel=1e-6, abs=1e-9)


# --- influence values -------------------------------------------------------------------------

SMOOTH = [m for m in calibration_statistics if m.smooth]


@pytest.mark.parametrize("m", SMOOTH, ids=lambda m: m.name)
@pytest.mark.parametrize("certain", [False, True])
def test_influence_values_are_derivatives(m, certain):
    rng = np.random.default_rng(7)
    n, step = 40, 1e-4
    q = rng.random(n).round(1 if certain else 3)
    q = q if certain else np.clip(q, 0.01, 0.99)
    y = (rng.random(n) < 0.25 + 0.5 * q).astype(int)

    p = Predictions.of(y, probability=q)

    def value(w):  # as parts of cases: importance weights would leave their number as it is
        return m.value(replace(p, weight=w, weight_kind="frequency", cache={}))

    found = influence(m, p)
    moves = step * np.eye(n)
    expected = [(value(1 + d) - value(1 - d)) / (2 * step) for d in moves]
    assert found == pytest.approx(expected, abs=1e-8)


def test_bias_has_the_standard_error_of_a_mean():
    p = overlapping(4)
    e = calibration(p).table["calibration_in_the_large"]
    q, y, _ = cases(p)
    gap = q - y
    values = influence(calibration_statistics["calibration_in_the_large"], p)
    assert values == pytest.approx((gap - gap.mean()) / p.n)
    assert e.interval.low < e.value < e.interval.high
    half = 1.96 * gap.std(ddof=1) / np.sqrt(p.n)
    assert (e.interval.high - e.interval.low) / 2 == pytest.approx(half, rel=0.05)


def test_groups_make_the_sandwich():
    """Every case twice in its group: the interval is that of the cases once, up to Student's factor."""
    p = overlapping(5, n=400)
    twice = Predictions.of(
        np.repeat(p.truth, 2),
        probability=np.repeat(p.probability, 2),
        group=np.repeat(range(p.n), 2),
    )
    for name in ("calibration_slope", "calibration_intercept", "calibration_offset"):
        once, grouped_ = calibration(p).table[name], calibration(twice).table[name]
        assert grouped_.value == pytest.approx(once.value, abs=1e-9)
        widths = [e.interval.high - e.interval.low for e in (once, grouped_)]
        assert widths[1] == pytest.approx(widths[0], rel=0.15)  # model against sandwich
        assert "groups" in grouped_.interval.method


def test_outcomes_against_outputs_by_hand():
    """Sums over cases, one by one, over how they spread if all is well."""
    rng = np.random.default_rng(8)
    foretold = rng.uniform(0.05, 0.95, 60).round(2)
    y = (rng.random(60) < foretold).astype(int)
    tests = {t.test: t for t in calibration(Predictions.of(y, probability=foretold)).tests}
    pairs = list(zip(y.tolist(), foretold.tolist(), strict=True))
    events = sum(a - p for a, p in pairs) / math.sqrt(sum(p * (1 - p) for _, p in pairs))
    assert tests["number_of_events"].statistic == pytest.approx(events)
    squares = sum((a - p) ** 2 / (p * (1 - p)) - 1 for a, p in pairs)
    spread = math.sqrt(sum(1 / (p * (1 - p)) - 4 for _, p in pairs))
    assert tests["standardised_residuals"].statistic == pytest.approx(squares / spread)
    certain = calibration(Predictions.of([1, 0, 1, 0], probability=[1, 0, 0.5, 0.6]), groups=2)
    assert "standardised_residuals" not in {t.test for t in certain.tests}


def test_outcomes_against_outputs_keep_their_level():
    rng = np.random.default_rng(9)
    p = rng.uniform(0.1, 0.9, 300)
    found = {name: [] for name in ("number_of_events", "standardised_residuals")}
    for _ in range(300):
        evidence = Foretold(
            Outcomes(np.sort(p), (rng.random(300) < np.sort(p)) * 1.0, np.ones(300))
        )
        for name, pvalues in found.items():
            pvalues.append(calibration_tests[name](evidence).pvalue)
    for pvalues in found.values():
        assert 0.02 < np.mean(np.array(pvalues) < 0.05) < 0.09


@given(st.integers(0, 2**32 - 1), st.sampled_from([3, 40, 9000]))
def test_a_likelihood_and_its_derivatives_are_sums_over_the_cases(seed, n):
    rng = np.random.default_rng(seed)
    lines, offset = rng.normal(size=(3, n)), rng.normal(size=n)
    total = rng.integers(1, 5, n).astype(float)
    events, beta = np.floor(total * rng.random(n)), 5 * rng.normal(size=3)
    o = Outcomes(np.linspace(0.1, 0.9, n), events, total)
    found = likelihood(lambda rows: lines[:, rows], o, offset, beta)
    z = beta @ lines + offset
    fitted = 1 / (1 + np.exp(-z))
    spread = fitted * (1 - fitted)
    assert_allclose(found.height, (events * z - total * np.logaddexp(0, z)).sum(), rtol=1e-12)
    slope = (lines * (events - total * fitted)).sum(axis=1)
    assert_allclose(found.slope, slope, rtol=1e-9, atol=1e-9)
    information = [[(a * b * total * spread).sum() for a in lines] for b in lines]
    assert_allclose(found.information, information, rtol=1e-9, atol=1e-9)
    assert_allclose(found.spread, spread.max(), rtol=1e-9)
