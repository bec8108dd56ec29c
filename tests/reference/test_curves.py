"""Curves, hulls and envelopes against definitions that a child could check, and against scikit-learn."""

import math
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics import det_curve, precision_recall_curve, roc_curve

from credibly import Predictions, curve, hull
from credibly._kernels import triples
from credibly.curves import (
    binormal,
    crossings,
    dominates,
    ordered_volume,
    probability_cost,
    probability_volume,
)
from credibly.curves.binormal import _categories, _likelihood
from credibly.measures import measures
from credibly.predictions.summaries import BinaryCounts, ScoreTable
from reference import twins
from reference.strategies import scored_rows

few = st.sampled_from([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
both_classes = scored_rows(min_size=2, score=few).filter(
    lambda drawn: twins.positives(drawn[0]) > 0 and twins.negatives(drawn[0]) > 0
)


def predictions(rows, *, weighted=False):
    score, positive, weight = zip(*rows, strict=True)
    given = {"sample_weight": [float(w) for w in weight], "weight_kind": "importance"}
    return Predictions.of(
        [int(y) for y in positive],
        score=score,
        classes=[0, 1],
        positive=1,
        **(given if weighted else {}),
    )


def rates(rows):
    """Exact points of the ROC curve, from none labelled positive to all, without empty scores."""
    p, n = twins.positives(rows), twins.negatives(rows)
    cells = twins.curve([r for r in rows if r[2]])
    return [(Fraction(0), Fraction(0)), *((c["fp"] / n, c["tp"] / p) for c in cells)]


@given(both_classes)
def test_roc_and_its_sisters(drawn):
    rows, weighted = drawn
    p, points = predictions(rows, weighted=weighted), rates(rows)
    share = float(twins.positives(rows) / (twins.positives(rows) + twins.negatives(rows)))
    x, y = (np.array([float(v) for v in side]) for side in zip(*points, strict=True))
    labelled = share * y + (1 - share) * x
    for name, want_x, want_y in (
        ("roc", x, y),
        ("detection_error", x, 1 - y),
        ("gains", labelled, y),
        ("lift", labelled[1:], y[1:] / labelled[1:]),
        ("precision_recall", y[1:], share * y[1:] / labelled[1:]),
    ):
        c = curve(name, p)
        np.testing.assert_allclose(c.x, want_x, atol=1e-12)
        np.testing.assert_allclose(c.y, want_y, atol=1e-12)


@given(both_classes, st.sampled_from(["f1", "accuracy", "recall", "fbeta(beta=2)"]))
def test_a_measure_by_threshold(drawn, measure):
    rows, weighted = drawn
    p = predictions(rows, weighted=weighted)
    c = curve("threshold", p, measure=measure)
    m = measures.parse(measure)
    for threshold, value in zip(c.x, c.y, strict=True):
        cells = {k: float(v) for k, v in twins.outcomes(rows, threshold).items()}
        table = BinaryCounts.of_outcomes(**cells)
        want = float(m.of_summary(table if m.reads is BinaryCounts else table.table()))
        assert value == pytest.approx(want, nan_ok=True)


@given(both_classes, st.floats(0.01, 0.99))
def test_another_prevalence_is_another_weight(drawn, prevalence):
    rows, weighted = drawn
    positives, negatives = twins.positives(rows), twins.negatives(rows)
    total = positives + negatives
    moved = Fraction(prevalence)
    again = [
        (s, y, w * (moved * total / positives if y else (1 - moved) * total / negatives))
        for s, y, w in rows
    ]
    shifted = {"prevalence": prevalence}
    for name in ("roc", "gains", "precision_recall", "total_cost"):
        a = curve(name, predictions(rows, weighted=weighted), **shifted)
        b = curve(name, predictions(again, weighted=True))
        np.testing.assert_allclose(a.x, b.x, atol=1e-9)
        np.testing.assert_allclose(a.y, b.y, atol=1e-9)


def brute_hull(points):
    """The points that no line between two others passes over or through."""
    distinct = sorted(set(points) | {(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))})
    corners = []
    for x, y in distinct:
        covered = False
        for (x0, y0), (x1, y1) in product(distinct, distinct):
            if x0 <= x <= x1 and (x, y) not in {(x0, y0), (x1, y1)}:
                top = max(y0, y1) if x0 == x1 else y0 + (y1 - y0) * (x - x0) / (x1 - x0)
                covered |= top >= y
        if not covered:
            corners.append((x, y))
    return corners


@given(st.lists(both_classes, min_size=1, max_size=3))
def test_the_hull_of_several_models(models):
    named = {f"m{i}": predictions(rows, weighted=w) for i, (rows, w) in enumerate(models)}
    h = hull(named)
    want = brute_hull([point for rows, _ in models for point in rates(rows)])
    # Corners at the two ends stand for themselves, whatever lies above or beside them.
    inner = [q for q in want if q not in {(0, 0), (1, 1)}]
    got = [(q.false_positive_rate, q.true_positive_rate) for q in h.points[1:-1]]
    np.testing.assert_allclose(
        got or np.empty((0, 2)),
        [[float(v) for v in q] for q in inner] or np.empty((0, 2)),
        atol=1e-12,
    )
    for q in h.points[1:-1]:
        for model in (q.model, *q.also):
            reached = [(float(x), float(y)) for x, y in rates(models[int(model[1:])][0])]
            assert any(
                math.dist(point, (q.false_positive_rate, q.true_positive_rate)) < 1e-12
                for point in reached
            )
        rows = models[int(q.model[1:])][0]
        cells = twins.outcomes(rows, q.threshold)
        assert float(cells["tp"] / twins.positives(rows)) == pytest.approx(q.true_positive_rate)
    assert set(h.contributors) | set(h.non_contributors) == set(named)


@given(both_classes)
def test_the_cost_envelope_is_the_cheapest_threshold_everywhere(drawn):
    rows, weighted = drawn
    c = curve("cost", predictions(rows, weighted=weighted))
    for pc in np.linspace(0, 1, 21):
        cheapest = min(
            float((1 - y) * Fraction(pc) + x * (1 - Fraction(pc))) for x, y in rates(rows)
        )
        assert c.at(pc) == pytest.approx(cheapest, abs=1e-12)


@given(both_classes)
def test_envelope_and_hull_are_duals(drawn):
    """An edge of the hull is a corner of the envelope; a corner of the hull is an edge of it."""
    rows, weighted = drawn
    p = predictions(rows, weighted=weighted)
    h, c = hull(p), curve("cost", p)
    slopes = h.slopes
    np.testing.assert_allclose(c.x[1:-1], 1 / (1 + slopes), atol=1e-12)
    for q, (low, high) in zip(h.points, zip(c.x, c.x[1:], strict=False), strict=True):
        for pc in (low, (low + high) / 2, high):
            line = (1 - q.true_positive_rate) * pc + q.false_positive_rate * (1 - pc)
            assert c.at(pc) == pytest.approx(line, abs=1e-9)


@given(both_classes, st.floats(0.02, 0.98), st.floats(0.1, 10), st.floats(0.1, 10))
def test_the_tangent_is_the_cheapest_point_of_all(drawn, prevalence, miss, alarm):
    rows, weighted = drawn
    best = hull(predictions(rows, weighted=weighted)).best(
        prevalence=prevalence, false_negative=miss, false_positive=alarm
    )
    costs = [
        prevalence * miss * (1 - float(y)) + (1 - prevalence) * alarm * float(x)
        for x, y in rates(rows)
    ]
    assert best.expected_cost == pytest.approx(min(costs), abs=1e-12)
    pc = float(probability_cost(prevalence, false_negative=miss, false_positive=alarm))
    assert best.probability_cost == pytest.approx(pc)
    assert best.slope == pytest.approx((1 - pc) / pc)


@given(both_classes, both_classes)
def test_dominance_and_crossings(one, other):
    a, b = (curve("roc", predictions(rows, weighted=w)) for rows, w in (one, other))
    at = np.unique(np.concatenate([a.x, b.x]))
    middle = (at[1:] + at[:-1]) / 2
    fine = np.concatenate([middle, middle - np.diff(at) * 0.499, middle + np.diff(at) * 0.499])
    ahead = a.at(fine) - b.at(fine)
    if dominates(a, b):
        assert (ahead >= -1e-12).all()
        assert not dominates(b, a)
    elif (ahead > 1e-6).all():
        pytest.fail("a is above b everywhere and should dominate it")
    signs = np.sign(np.where(np.abs(ahead) < 1e-9, 0, ahead))[np.argsort(fine)]
    signs = signs[signs != 0]
    assert len(crossings(a, b)) >= int((np.diff(signs) != 0).sum() > 0)
    assert crossings(a, b).tolist() == pytest.approx(crossings(b, a).tolist())


def many(n=400, seed=0, decimals=2):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return y, (0.3 * y + rng.random(n)).round(decimals)


def test_scikit_learn_draws_the_same_curves():
    y, s = many()
    p = Predictions.of(y, score=s)
    fpr, tpr, threshold = roc_curve(y, s, drop_intermediate=False)
    c = curve("roc", p)
    np.testing.assert_allclose([c.x, c.y, c.threshold], [fpr, tpr, threshold])
    precision, recall, threshold = precision_recall_curve(y, s)
    c = curve("precision_recall", p)
    np.testing.assert_allclose(c.x[::-1], recall[:-1])
    np.testing.assert_allclose(c.y[::-1], precision[:-1])
    np.testing.assert_allclose(c.threshold[::-1], threshold)
    fpr, fnr, _ = det_curve(y, s)
    c = curve("detection_error", p)
    ours = set(zip(c.x.round(12), c.y.round(12), strict=True))
    assert set(zip(fpr.round(12), fnr.round(12), strict=True)) <= ours


def test_davis_and_goadrich_interpolate_as_they_write():
    """Their example: from 5 TP and 5 FP to 10 TP and 30 FP, one more TP comes with five more FP."""
    y = [1] * 5 + [0] * 5 + [1] * 5 + [0] * 25 + [1] * 10
    s = [3] * 10 + [2] * 30 + [1] * 10
    c = curve("precision_recall", Predictions.of(y, score=s), interpolated=True)
    steps = c.y[5:10]
    np.testing.assert_allclose(steps, [(5 + i) / (5 + i + 5 + 5 * i) for i in range(1, 6)])
    np.testing.assert_allclose(c.x[5:10], [6 / 20, 7 / 20, 8 / 20, 9 / 20, 10 / 20])


def slow_volume(groups):
    """Every triple by its definition, ties shared among the orders that fit."""
    total, size = Fraction(0), 0
    for triple in product(*groups):
        size += 1
        fits = [
            order
            for order in permutations(range(3))
            if triple[order[0]] <= triple[order[1]] <= triple[order[2]]
        ]
        total += Fraction(int((0, 1, 2) in fits), len(fits))
    return float(total / size)


@given(st.lists(st.lists(few, min_size=1, max_size=5), min_size=3, max_size=3))
def test_ordered_volume(groups):
    truth = [c for c, g in zip("abc", groups, strict=True) for _ in g]
    score = [s for g in groups for s in g]
    v = ordered_volume(truth, score, order="abc")
    assert v.value == pytest.approx(slow_volume(groups), abs=1e-12)


def test_the_error_of_a_volume_is_that_of_its_jackknife():
    """Leaving out one case of a class at a time gives the U-statistic's variance exactly, summed by class."""
    rng = np.random.default_rng(3)
    truth = np.repeat(list("abc"), [8, 9, 7])
    score = (rng.random(24) + (truth == "b") * 0.3 + (truth == "c") * 0.8).round(1)
    v = ordered_volume(truth, score, order="abc")
    variance = 0.0
    for c in "abc":
        rows = np.flatnonzero(truth == c)
        left = [
            ordered_volume(np.delete(truth, i), np.delete(score, i), order="abc").value
            for i in rows
        ]
        variance += (rows.size - 1) / rows.size * ((np.array(left) - np.mean(left)) ** 2).sum()
    assert v.standard_error == pytest.approx(math.sqrt(variance), rel=1e-9)


probabilities = st.lists(
    st.sampled_from(
        [
            (0.5, 0.25, 0.25),
            (0.25, 0.5, 0.25),
            (0.25, 0.25, 0.5),
            (0.5, 0.5, 0.0),
            (0.75, 0.0, 0.25),
            (0.25, 0.75, 0.0),
        ]
    ),
    min_size=1,
    max_size=4,
)


def slow_probability_volume(groups):
    total, size = Fraction(0), 0
    for triple in product(*groups):
        size += 1
        sums = {
            order: sum(Fraction(triple[i][order[i]]) for i in range(3))
            for order in permutations(range(3))
        }
        best = [order for order, value in sums.items() if value == max(sums.values())]
        total += Fraction(int((0, 1, 2) in best), len(best))
    return float(total / size)


@given(st.lists(probabilities, min_size=3, max_size=3))
def test_volume_of_probabilities(groups):
    truth = [c for c, g in zip("abc", groups, strict=True) for _ in g]
    p = Predictions.of(truth, probability=[row for g in groups for row in g], classes=list("abc"))
    assert probability_volume(p).value == pytest.approx(slow_probability_volume(groups), abs=1e-12)


def test_the_kernel_of_triples_agrees_with_its_twin():
    rng = np.random.default_rng(2)
    sides = [rng.integers(0, 5, (n, 3)) / 8 for n in (41, 52, 60)]
    sides[0][0] = sides[1][0] = sides[2][0]
    compiled = triples.triples_told_apart(*sides)
    plain = tuple(np.zeros(len(s)) for s in sides)
    triples._by_rows(*sides, *plain)
    for a, b in zip(compiled, plain, strict=True):
        np.testing.assert_allclose(a, b)


def test_volumes_of_chance_are_a_sixth():
    rng = np.random.default_rng(0)
    truth, score = rng.choice(list("abc"), 3000), rng.random(3000)
    assert ordered_volume(truth, score, order="abc").value == pytest.approx(1 / 6, abs=0.01)
    same = np.full((30, 3), 1 / 3)
    p = Predictions.of(list("abc") * 10, probability=same)
    assert probability_volume(p).value == pytest.approx(1 / 6)


def test_binormal_is_the_largest_likelihood():
    """Against a general optimiser that knows nothing of scores and information."""
    from scipy.optimize import minimize

    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], [120, 90])
    s = np.where(y, 1 + 1.3 * rng.normal(size=210), rng.normal(size=210)).round(0)  # few categories
    p = Predictions.of(y, score=s)
    fit = binormal(p)
    neg, pos = _categories(ScoreTable.of(p))
    start = np.concatenate([[fit.a + 0.2, fit.b - 0.1], np.linspace(-1.5, 2, neg.size - 1)])

    def loss(theta):
        value = _likelihood(theta, neg, pos)[0]
        return 1e9 if value == -np.inf else -value

    found = minimize(
        loss, start, method="Powell", options={"maxiter": 40_000, "xtol": 1e-10, "ftol": 1e-14}
    )
    assert fit.log_likelihood >= -found.fun - 1e-6
    np.testing.assert_allclose(found.x[:2], [fit.a, fit.b], atol=2e-3)


@pytest.mark.thorough
def test_the_information_of_the_binormal_curve_is_the_spread_of_its_fits():
    rng = np.random.default_rng(5)
    fits = []
    for _ in range(150):
        y = np.repeat([0, 1], [150, 100])
        s = np.where(y, 1.2 + 1.5 * rng.normal(size=250), rng.normal(size=250))
        fits.append(binormal(Predictions.of(y, score=s)))
    area, error = np.array([[f.area, f.standard_error] for f in fits]).T
    assert error.mean() == pytest.approx(area.std(ddof=1), rel=0.2)
    from scipy.special import ndtr

    assert area.mean() == pytest.approx(float(ndtr(1.2 / math.hypot(1, 1.5))), abs=0.01)
