"""Intervals where generated inputs once broke them: ends known from classes, other names of one number, units, counts of flips."""

import itertools
import math
from functools import cache

import numpy as np
import pytest
from scipy.stats import ttest_ind

from credibly import Predictions, compare, evaluate, gate
from credibly.comparisons import Discordant
from credibly.measures import measures
from credibly.predictions.summaries import BinaryCounts, Counts
from every.battery import VARIANTS, by_variant

TABLES = [m for m in VARIANTS if m.reads in {Counts, BinaryCounts} and m.range[1] < math.inf]
SMALL = list(itertools.combinations_with_replacement([(0, 0), (0, 1), (1, 0), (1, 1)], 4))


def limits(p, m, **asked):
    return evaluate(p, m, **asked).estimates[0].interval


@cache
def of_cells(cells, k=2, **columns):
    truth, label = zip(*cells, strict=True)
    asked = {"classes": list(range(k)), "positive": 1, **columns}
    return Predictions.of(list(truth), label=list(label), **asked)


@pytest.mark.parametrize("name", [m.name for m in measures if m.among])
def test_limits_stay_within_the_range_that_classes_leave(name):
    for k in (2, 3, 4):
        rng = np.random.default_rng(k)
        for n in (4, 8, 30):
            truth = np.r_[np.arange(k), rng.integers(0, k, n)]
            p = rng.dirichlet(np.ones(k), truth.size)
            made = Predictions.of(truth, probability=p if k > 2 else p[:, 1], positive=1)
            low, high = measures[name].about(made).range
            assert high == (k - 1 if name.endswith("class_error") else 1)
            found = limits(made, name)
            assert found is None or low <= found.low < found.high <= high


def test_half_of_the_errors_are_no_more_than_all():
    for cells in SMALL:
        p = of_cells(cells)
        if len(set(p.truth.tolist())) < 2:
            continue
        error, mirrored = limits(p, "macro_class_error"), limits(p, "balanced_accuracy")
        assert (error is None) == (mirrored is None)
        if error is not None:
            assert (1 - error.high, 1 - error.low) == pytest.approx((mirrored.low, mirrored.high))


@pytest.mark.parametrize(
    "name", ["hand_till", "partial_auc(limit=1)", "partial_auc(between=(0, 1), axis='tpr')"]
)
@pytest.mark.parametrize("apart", [0.5, 2.0, 6.0])
def test_what_is_the_area_has_its_interval(name, apart):
    rng = np.random.default_rng(7)
    truth = np.r_[np.ones(6, int), np.zeros(60, int)]
    score = 1 / (1 + np.exp(-(rng.normal(size=66) + apart * truth - apart)))
    for weight in (None, rng.random(66) + 0.5):
        p = Predictions.of(
            truth, probability=score, positive=1, sample_weight=weight,
            weight_kind=None if weight is None else "importance",
        )  # fmt: skip
        area, other = (evaluate(p, m).estimates[0] for m in ("auc", name))
        assert other.value == pytest.approx(area.value)
        assert (other.interval is None) == (area.interval is None)
        if area.interval is not None:
            ends = (other.interval.low, other.interval.high)
            assert ends == pytest.approx((area.interval.low, area.interval.high))


@by_variant(TABLES)
def test_the_unit_of_equal_weights_decides_on_no_interval(m):
    if m.unfilled or "costs" in m.arguments:
        pytest.skip("of three classes")
    for cells in SMALL[::7]:
        weighted = [
            of_cells(cells, sample_weight=(unit,) * 4, weight_kind="importance")
            for unit in (1, 0.1, 0.7)
        ]
        plain, *others = (limits(p, m) for p in weighted)
        for other in others:
            assert (other is None) == (plain is None)
            if plain is not None and m.most is None:
                ends = (other.low, other.high)
                assert ends == pytest.approx((plain.low, plain.high), abs=1e-9)


@pytest.mark.daily(n=[5])
@pytest.mark.parametrize("method", ["auto", "exact", "mid_p", "corrected", "chi_square"])
@pytest.mark.parametrize("n", [5, 12, 40])
def test_the_interval_of_a_flip_count_agrees_with_its_p_value(method, n):
    for b in range(n + 1) if n < 20 else (2, 7):
        for c in range(max(b, 1), n + 1 - b):  # swapped models have the opposite interval
            counted = Discordant(b, c, cases=n)
            found = compare(counted, test=f"mcnemar(method={method!r})", confidence_level=0.95)
            within = found.confidence_interval
            holds = within.low < 1e-9 and within.high > -1e-9
            assert holds == (found.pvalue >= 0.05), (b, c)


def test_no_gate_passes_what_an_exact_test_does_not():
    """And the exact error of its verdicts, over all tables of a size, is no more than stated."""
    n, margin, worst = 12, 0.1, 0.0
    passes = {}
    for b in range(n + 1):
        for c in range(n + 1 - b):
            new, old = (np.ones(n, int) for _ in range(2))
            new[:b], old[b : b + c] = 0, 0
            models = Predictions.of(outcome={"new": new, "old": old}, row=range(n))
            passes[b, c] = gate(models, margin=margin).verdict == "pass"
            if gate(models).verdict == "pass":
                found = compare(Discordant(b, c, cases=n), alternative="less", test="mcnemar")
                assert found.pvalue <= 0.05
    for q in np.linspace(0.001, (1 - margin) / 2, 20):
        p = q + margin, q
        chance = sum(
            math.comb(n, b) * math.comb(n - b, c) * p[0] ** b * p[1] ** c * max(1 - sum(p), 0) ** (n - b - c)
            for (b, c), passed in passes.items() if passed
        )  # fmt: skip
        worst = max(worst, chance)
    assert 0 < worst <= 0.05


@by_variant([m for m in VARIANTS if m.task == "numeric" and m.loss])
def test_what_is_too_small_for_a_double_is_said(m):
    if m.unfilled:
        pytest.skip("of a parameter")
    truth, value = np.array([1.0, 2, 3, 1.1]), np.array([1.0, 0, 1, 2])
    for size in (1e-120, 1e-200):
        made = {"value": value * size, "baseline": 1.5 * size}
        e = evaluate(Predictions.of(truth * size, **made), m).estimates[0]
        said = any(f.code == "too-small" for f in e.findings)
        assert (
            said or e.value != 0 or m.value(Predictions.of(truth, value=value, baseline=1.5)) == 0
        )
        right = evaluate(Predictions.of(truth * size, value=truth * size, baseline=1.5 * size), m)
        assert not right.estimates[0].findings or right.estimates[0].value != 0


@by_variant([m for m in TABLES if m.smooth] + [measures["diagnostic_odds_ratio"]])
def test_limits_are_continuous_in_the_weights(m):
    """Weights that hardly differ are worth what equal ones are."""
    if m.unfilled or "costs" in m.arguments:
        pytest.skip("of three classes")
    cells = ((1, 1),) * 6 + ((0, 1),) * 10 + ((0, 0),) * 50
    hardly = 1 + 1e-9 * np.arange(66)
    plain, other = (
        limits(of_cells(cells, sample_weight=tuple(w), weight_kind="importance"), m)
        for w in (np.ones(66), hardly)
    )
    assert (plain.low, plain.high) == pytest.approx((other.low, other.high), rel=1e-6)


def test_freedom_is_that_of_the_class_that_carries_the_error():
    """Two cases of a class leave one degree of freedom, as in Welch's test."""
    truth, rest = np.r_[1, 1, np.zeros(40, int)], np.linspace(0.05, 0.25, 40)
    first, second = np.r_[0.3, 0.5, rest], np.r_[0.2, 0.24, rest]
    models = [Predictions.of(truth, probability=s, positive=1) for s in (first, second)]
    found = compare(*models, "discrimination_slope")
    by_scipy = ttest_ind(first[:2] - second[:2], first[2:] - second[2:], equal_var=False)
    assert found.pvalue == pytest.approx(by_scipy.pvalue, rel=1e-6)
    own = limits(models[0], "discrimination_slope")
    assert own.degrees_of_freedom == pytest.approx(1, abs=0.05)
