"""Measures of ranking against their definitions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given, strategies as st

from credibly import Predictions
from credibly.intervals.influence import influence
from credibly.measures import measures
from credibly.predictions.summaries import ScoreTable
from credibly.predictions.summaries.scores import decisions_at
from examples import examples
from reference import twins
from reference.strategies import SPECIAL, distributions, few_scores, scored_rows, scores


def predictions(rows, weighted):
    return Predictions.of(
        [int(y) for _, y, _ in rows],
        score=[s for s, _, _ in rows],
        sample_weight=[float(w) for _, _, w in rows] if weighted else None,
        classes=[0, 1],
        positive=1,
    )


def agrees(value, expected, rtol=1e-12):
    return np.isclose(value, expected, rtol=rtol, atol=1e-14, equal_nan=True)


def value(name, p):
    return measures.parse(name).value(p)


@given(scored_rows())
@example(([(0.0, True, Fraction(1)), (-0.0, False, Fraction(1))], False))
@example(([(s, i % 2 == 0, Fraction(1)) for i, s in enumerate(SPECIAL)], False))
def test_pairs(case):
    p = predictions(*case)
    concordant, discordant, tied = twins.pairs(case[0])
    assert value("concordant_pairs", p) == concordant
    assert value("discordant_pairs", p) == discordant
    assert value("tied_pairs", p) == tied
    assert agrees(value("auc", p), twins.auc(case[0]))
    assert agrees(value("gini", p), 2 * twins.auc(case[0]) - 1)


@given(scored_rows())
def test_the_other_class_has_the_complementary_area(case):
    p = predictions(*case)
    negative, positive = measures["auc"].by_class(p)
    assert agrees(negative, positive)


@given(scored_rows())
def test_average_precision(case):
    assert agrees(value("average_precision", predictions(*case)), twins.average_precision(case[0]))


@given(scored_rows())
def test_kolmogorov_smirnov(case):
    assert agrees(value("ks", predictions(*case)), twins.ks(case[0]))


@given(scored_rows(score=few_scores | scores))
def test_interpolated_precision(case):
    p = predictions(*case)
    tenths = [Fraction(i, 10) for i in range(11)]
    eleven = twins.interpolated_precision(case[0], tenths)
    three = twins.interpolated_precision(case[0], [tenths[i] for i in (2, 5, 8)])
    assert agrees(value("eleven_point_average_precision", p), eleven)
    assert agrees(value("three_point_average_precision", p), three)


@given(scored_rows(max_size=6, score=few_scores), st.integers(1, 6))
@examples(40)
def test_ties_at_the_cut_count_by_their_expected_value(case, k):
    rows = [(s, y, Fraction(1)) for s, y, _ in case[0]]
    p = predictions(rows, weighted=False)
    expected = twins.positives_among_best(rows, k)
    total = sum(y for _, y, _ in rows)
    if expected is None:
        assert math.isnan(value(f"precision_at(k={k})", p))
        return
    assert agrees(value(f"precision_at(k={k})", p), float(expected / k))
    recall = float(expected / total) if total else math.nan
    lift = float(expected / k / Fraction(total, len(rows))) if total else math.nan
    assert agrees(value(f"recall_at(k={k})", p), recall)
    assert agrees(value(f"lift_at(k={k})", p), lift)


@given(scored_rows(max_size=6, score=few_scores), st.integers(1, 5))
@examples(20)
def test_a_share_of_the_cases_is_as_many_of_them(case, k):
    rows = [(s, y, Fraction(1)) for s, y, _ in case[0]]
    assume(k < len(rows))
    p = predictions(rows, weighted=False)
    for name in ("precision_at", "recall_at", "lift_at"):
        assert agrees(value(f"{name}({k / len(rows)!r})", p), value(f"{name}({k})", p))


@pytest.mark.parametrize("copies", [1, 1e10, 1e15])
@pytest.mark.parametrize("k", [1, 3, 2e10])
def test_ties_of_any_weight_lose_no_digits(copies, k):
    """Beside a block of 1e10 tied cases, k = 3 must not vanish."""
    rows = [
        (0.9, True, Fraction(1)),
        *((0.5, y, Fraction(int(copies))) for y in (True, False, False)),
    ]
    p = Predictions.of(
        [int(y) for _, y, _ in rows],
        score=[s for s, _, _ in rows],
        sample_weight=[float(w) for _, _, w in rows],
        weight_kind="frequency",
    )
    if k > 1 + 3 * copies:
        assert math.isnan(measures["precision_at"](p, k=int(k)))
        return
    found = 1 + Fraction(1, 3) * (int(k) - 1)
    base = (1 + Fraction(int(copies))) / (1 + 3 * Fraction(int(copies)))
    expected = {
        "precision_at": found / int(k),
        "recall_at": found / (1 + int(copies)),
        "lift_at": found / int(k) / base,
    }
    for name, value in expected.items():
        assert measures[name](p, k=int(k)) == pytest.approx(float(value), rel=1e-14), name


@given(scored_rows())
def test_every_threshold_by_loops(case):
    table = ScoreTable.of(predictions(*case))
    assert table.score.tolist() == sorted({s for s, _, _ in case[0]}, reverse=True)
    made = table.decisions()
    for i, cells in enumerate(twins.curve(case[0])):
        assert {c: getattr(made, c)[i] for c in cells} == cells


@given(scored_rows(), st.lists(scores, min_size=1, max_size=6))
def test_chosen_thresholds_by_loops(case, thresholds):
    made = decisions_at(predictions(*case), thresholds)
    for i, t in enumerate(thresholds):
        cells = twins.outcomes(case[0], t)
        assert {c: getattr(made, c)[i] for c in cells} == cells


@given(
    scored_rows(min_size=2, max_size=8, score=st.sampled_from([0.1, 0.2, 0.3, 0.4])),
    st.sampled_from([None, 0.5, 3]),
)
@examples(25)
def test_h_measure_by_integration(case, ratio):
    """Integrate the cost of the best threshold over the belief about costs, on a fine grid."""
    rows = case[0]
    up, down = float(twins.positives(rows)), float(twins.negatives(rows))
    m = (
        measures["h_measure"]
        if ratio is None
        else measures["h_measure"].given(severity_ratio=ratio)
    )
    found = m.value(predictions(*case))
    if not up or not down:
        assert math.isnan(found)
        return
    prior = up / (up + down)
    b = 1 + (1 / ratio if ratio else (1 - prior) / prior)
    c = (np.arange(200_000) + 0.5) / 200_000
    belief = c * (1 - c) ** (b - 1)
    points = [(0.0, 0.0)] + [
        (float(o["fp"]) / down, float(o["tp"]) / up) for o in twins.curve(rows)
    ]
    costs = [c * (1 - prior) * f + (1 - c) * prior * (1 - t) for f, t in points]
    loss = (np.min(costs, axis=0) * belief).sum()
    trivial = (np.minimum(c * (1 - prior), (1 - c) * prior) * belief).sum()
    assert found == pytest.approx(1 - loss / trivial, abs=1e-7)


@given(distributions())
@examples(40)
def test_hand_till_by_pairs(case):
    truth, probability, weight = case
    p = Predictions.of(
        truth,
        probability=np.array(probability, float),
        classes=[0, 1, 2],
        sample_weight=[float(w) for w in weight],
    )
    assert agrees(value("hand_till", p), twins.hand_till(truth, probability, weight, 3))


def height(y, s, x):
    """True positive rate of the ROC curve at a false positive rate, by hand: the higher end of a jump."""
    points = [(0.0, 0.0)]
    for cut in sorted(set(s), reverse=True):
        rates = [
            np.mean([score >= cut for score, t in zip(s, y, strict=True) if t == c]) for c in (0, 1)
        ]
        points.append((rates[0], rates[1]))
    best = 0.0
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if x0 <= x <= x1:
            best = max(best, y1 if x1 == x0 else y0 + (x - x0) / (x1 - x0) * (y1 - y0))
    return best


@pytest.mark.daily(seed=[0], between=[(0.2, 0.7)])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("between", [(0.0, 0.25), (0.2, 0.7), (0.5, 1.0)])
def test_partial_auc_between_two_rates(seed, between):
    rng = np.random.default_rng(seed)
    y = np.array([0, 1] * 12)
    s = (rng.random(24) + 0.3 * y).round(1)
    low, high = between
    grid = np.linspace(low, high, 4001)
    middles = (grid[1:] + grid[:-1]) / 2
    area = np.mean([height(y, s, x) for x in middles]) * (high - low)
    pauc = measures["partial_auc"]
    assert pauc(y, s, between=between, corrected=False) == pytest.approx(area, abs=1e-4)
    # As pROC's partial.auc.correct: chance is 1/2, a perfect ranking 1.
    least, most = (high**2 - low**2) / 2, high - low
    expected = (1 + (area - least) / (most - least)) / 2
    assert pauc(y, s, between=between) == pytest.approx(expected, abs=1e-3)
    exchanged = pauc(1 - y, -s, between=(1 - high, 1 - low))
    assert pauc(y, s, between=between, axis="tpr") == pytest.approx(exchanged, abs=1e-12)


@pytest.mark.parametrize("axis", ["fpr", "tpr"])
def test_partial_areas_add_up_with_their_slopes(axis):
    p = Predictions.of(
        [0, 1] * 6, score=[0.1, 0.4, 0.4, 0.8, 0.2, 0.9, 0.5, 0.5, 0.7, 0.3, 0.6, 0.65]
    )
    cuts = [0.0, 0.3, 0.45, 1.0]
    parts = [
        measures["partial_auc"].given(between=ends, axis=axis, corrected=False)
        for ends in itertools.pairwise(cuts)
    ]
    auc = measures["auc"]
    assert sum(m.value(p) for m in parts) == pytest.approx(auc.value(p), rel=1e-12)
    total = sum(influence(m, p) for m in parts)
    np.testing.assert_allclose(total, influence(auc, p), atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_specificity_at_a_recall_is_recall_at_a_specificity_of_the_other_class(seed):
    rng = np.random.default_rng(seed)
    y = np.array([0, 1] * 10)
    s = (rng.random(20) + 0.3 * y).round(1)
    for at in (0.0, 0.15, 0.5, 0.85, 1.0):
        expected = height(y, s, 1 - at)
        assert measures["recall_at_specificity"](y, s, specificity=at) == pytest.approx(expected)
        other = height(1 - y, -s, 1 - at)
        assert measures["specificity_at_sensitivity"](y, s, recall=at) == pytest.approx(other)
