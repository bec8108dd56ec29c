"""Decisions against going through every threshold, every label and every case by hand."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from credibly import CostMatrix, Predictions, RowCosts, cost_benefit, decide
from credibly.decisions.problem import DecisionProblem

CELLS = ("tn", "fp", "fn", "tp")


@st.composite
def scored(draw, row_costs=False):
    """Few distinct scores, so that many tie; whole weights; both classes."""
    n = draw(st.integers(2, 25))
    truth = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    truth[0], truth[1] = 0, 1
    score = draw(st.lists(st.integers(0, 6), min_size=n, max_size=n))
    weight = draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    amount = st.integers(-8, 8)
    if row_costs:
        amount = st.lists(st.integers(-8, 8), min_size=n, max_size=n)
    costs = {c: draw(amount) for c in CELLS}
    prior = draw(st.none() | st.sampled_from([0.01, 0.3, 0.8]))
    return truth, score, weight, costs, prior


def cost_of(truth, labels, costs, row):
    cell = {(0, 0): "tn", (0, 1): "fp", (1, 0): "fn", (1, 1): "tp"}[truth, labels]
    return np.ravel(costs[cell])[row % np.size(costs[cell])]


def mean_cost(truth, labels, weight, costs, prior):
    """Case by case; at a prevalence the mean of the class means."""
    total, size = [0.0, 0.0], [0.0, 0.0]
    for i, (t, label, w) in enumerate(zip(truth, labels, weight, strict=True)):
        total[t] += w * cost_of(t, label, costs, i)
        size[t] += w
    if prior is None:
        return sum(total) / sum(size)
    return (1 - prior) * total[0] / size[0] + prior * total[1] / size[1]


def differs(costs):
    return np.any(np.asarray(costs["fp"]) != np.asarray(costs["tn"])) or np.any(
        np.asarray(costs["fn"]) != np.asarray(costs["tp"])
    )


@settings(deadline=None)
@given(scored() | scored(row_costs=True))
def test_the_least_cost_of_all_thresholds(case):
    truth, score, weight, costs, prior = case
    if not differs(costs):
        return
    p = Predictions.of(truth, score=score, sample_weight=weight, weight_kind="frequency")
    made = decide(p, costs, rule="minimum_cost", prevalence=prior)
    every = sorted({np.inf, *map(float, score)}, reverse=True)
    found = [mean_cost(truth, [s >= t for s in score], weight, costs, prior) for t in every]
    best = [t for t, c in zip(every, found, strict=True) if c <= min(found) + 1e-9]
    assert made.threshold == best[0]
    assert made.table["average_cost"].value == pytest.approx(min(found), abs=1e-9)
    cases = sum(weight)
    assert made.table["total_cost"].value == pytest.approx(cases * min(found), abs=1e-7)
    trivial = min(mean_cost(truth, [j] * len(truth), weight, costs, prior) for j in (0, 1))
    assert made.table["saving"].value == pytest.approx(trivial - min(found), abs=1e-9)


@settings(deadline=None)
@given(scored())
def test_every_threshold_has_its_cost(case):
    truth, score, weight, costs, prior = case
    if not differs(costs):
        return
    p = Predictions.of(truth, score=score, sample_weight=weight, weight_kind="frequency")
    t = DecisionProblem.of(p, costs, prior).thresholds()
    for threshold, cost in zip(t.threshold, t.cost, strict=True):
        labels = [s >= threshold for s in score]
        assert cost == pytest.approx(mean_cost(truth, labels, weight, costs, prior), abs=1e-9)


@settings(deadline=None)
@given(scored(), st.floats(0, 1))
def test_a_share_of_a_tied_block_is_expected(case, share):
    """Each case is taken with the part of its block: the mean over all draws of that size."""
    truth, score, weight, costs, prior = case
    if not differs(costs):
        return
    p = Predictions.of(truth, score=score, sample_weight=weight, weight_kind="frequency")
    q = cost_benefit(p, costs, at=f"share={share}", prevalence=prior, population=1000).point
    assert q.selected == pytest.approx(1000 * share, abs=1e-6)
    t = DecisionProblem.of(p, costs, prior).thresholds()
    size = t.counts.labelled_positive / t.counts.total
    assert q.profit == pytest.approx(-1000 * np.interp(share, size, t.cost), abs=1e-6)
    ends = [mean_cost(truth, [j] * len(truth), weight, costs, prior) for j in (0, 1)]
    random = -1000 * ((1 - share) * ends[0] + share * ends[1])
    assert q.random == pytest.approx(random, abs=1e-6)
    assert q.population == pytest.approx(1000)
    again = cost_benefit(p, costs, at=f"share={share}", prevalence=prior, population=3).point
    for name in ("accuracy", "recall", "precision", "lift", "break_even"):
        assert getattr(again, name) == pytest.approx(getattr(q, name), nan_ok=True)


@st.composite
def several_classes(draw):
    k, n = draw(st.integers(2, 4)), draw(st.integers(4, 12))
    truth = draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))
    truth[:k] = range(k)
    raw = np.array(
        draw(st.lists(st.lists(st.integers(1, 9), min_size=k, max_size=k), min_size=n, max_size=n))
    )
    costs = draw(
        st.lists(st.lists(st.integers(0, 9), min_size=k, max_size=k), min_size=k, max_size=k)
    )
    return truth, raw / raw.sum(axis=1, keepdims=True), np.array(costs, float)


@settings(deadline=None)
@given(several_classes(), st.none() | st.floats(0.1, 5))
def test_bayes_rule_by_loops(case, doubt):
    truth, probability, costs = case
    k = len(costs)
    if (costs == costs[:, :1]).all() or k == 2:
        return
    p = Predictions.of(truth, probability=probability, classes=range(k))
    made = decide(p, CostMatrix.of(costs, range(k)), doubt=doubt)
    realised = promised = 0.0
    for t, chances, label in zip(truth, probability, made.labels, strict=True):
        expected = [sum(chances[i] * costs[i, j] for i in range(k)) for j in range(k)]
        if doubt is not None and label < 0:
            assert min(expected) > doubt
            realised, promised = realised + doubt, promised + doubt
            continue
        assert expected[label] == pytest.approx(min(expected), abs=1e-12)
        assert doubt is None or min(expected) <= doubt
        realised, promised = realised + costs[t, label], promised + expected[label]
    n = len(truth)
    assert made.table["average_cost"].value == pytest.approx(realised / n, abs=1e-9)
    assert made.table["expected_cost"].value == pytest.approx(promised / n, abs=1e-9)


@settings(deadline=None)
@given(several_classes(), st.integers(0, 10**6))
def test_bayes_rule_with_costs_of_each_row(case, seed):
    truth, probability, _ = case
    n, k = probability.shape
    costs = np.random.default_rng(seed).integers(0, 9, (n, k, k)).astype(float)
    if (costs == costs[..., :1]).all():
        return
    p = Predictions.of(truth, probability=probability, classes=range(k), positive=k - 1)
    made = decide(p, RowCosts.of(costs, range(k)))
    for i, label in enumerate(made.labels):
        expected = probability[i] @ costs[i]
        assert expected[label] == pytest.approx(expected.min(), abs=1e-12)
    realised = [
        costs[i, t, label] for i, (t, label) in enumerate(zip(truth, made.labels, strict=True))
    ]
    assert made.table["average_cost"].value == pytest.approx(np.mean(realised), abs=1e-9)
