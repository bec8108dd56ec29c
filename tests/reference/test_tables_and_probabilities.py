"""Confusion matrices, probabilities and regions against loops."""

import math
from dataclasses import fields
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from credibly import Predictions
from credibly.measures import measures
from credibly.predictions.summaries import BinaryCounts, Counts
from examples import examples
from reference import twins
from reference.strategies import distributions

label = st.integers(0, 2) | st.none()
rows = st.lists(st.tuples(label, label, st.sampled_from([0.0, 0.5, 1.0, 3.25])), min_size=1)


def agrees(value, expected):
    return np.isclose(value, expected, rtol=1e-12, atol=1e-14, equal_nan=True)


def column(values):
    made = np.empty(len(values), object)
    made[:] = values
    return made


@given(rows, st.booleans())
def test_confusion_matrix(cases, weighted):
    truth, predicted, weight = map(list, zip(*cases, strict=True))
    weighted = weighted and any(weight)
    weight = weight if weighted else [1.0] * len(truth)
    p = Predictions.of(
        column(truth),
        label=column(predicted),
        classes=[0, 1, 2],
        sample_weight=weight if weighted else None,
    )
    matrix, doubt = twins.confusion(truth, predicted, weight, 3)
    made = Counts.of(p)
    assert made.matrix.tolist() == matrix
    assert made.doubt.tolist() == doubt
    for i, b in enumerate(BinaryCounts.per_class(p, "")):
        others = [j for j in range(3) if j != i]
        assert b.tp == matrix[i][i]
        assert b.fn == sum(matrix[i][j] for j in others)
        assert b.fp == sum(matrix[j][i] for j in others)
        assert b.tn == sum(matrix[j][m] for j in others for m in others)
        assert (b.doubt_positive, b.doubt_negative) == (doubt[i], sum(doubt[j] for j in others))


@given(rows)
def test_a_class_that_is_absent_stays_undefined_whatever_the_weights(cases):
    """Rounding must not leave a crumb in an empty cell, from which a ratio would be made."""
    truth = [1] * len(cases)
    weight = [0.1 + 0.7 * (w or 0) for _, _, w in cases]
    p = Predictions.of(
        truth, label=column([b for _, b, _ in cases]), classes=[0, 1, 2], sample_weight=weight
    )
    recall = measures["recall"].by_class(p)
    assert np.isnan(recall[[0, 2]]).all()
    assert np.isnan(measures["specificity"].by_class(p)[1])


def made(case, **more):
    truth, probability, weight = case
    return Predictions.of(
        truth,
        probability=np.array(probability, float),
        classes=[0, 1, 2],
        sample_weight=[float(w) for w in weight],
        **more,
    )


def mean(values, weight):
    if math.inf in (kept := [v for v, w in zip(values, weight, strict=True) if w]):
        return math.inf
    assert -math.inf not in kept
    total = sum(float(w) * float(v) for v, w in zip(values, weight, strict=True) if w)
    return total / float(sum(weight))


@given(distributions())
def test_losses_of_probabilities(case):
    truth, probability, weight = case
    p = made(case)
    of_truth = [q[t] for t, q in zip(truth, probability, strict=True)]
    quadratic = [
        sum((q[j] - (t == j)) ** 2 for j in range(3))
        for t, q in zip(truth, probability, strict=True)
    ]
    absolute = [
        sum(abs(q[j] - (t == j)) for j in range(3)) / 3
        for t, q in zip(truth, probability, strict=True)
    ]
    bits = [-math.log2(q) if q else math.inf for q in of_truth]
    length = [math.sqrt(sum(x * x for x in q)) for q in probability]
    spherical = [float(q) / s for q, s in zip(of_truth, length, strict=True)]
    expected = {
        "quadratic_loss": mean(quadratic, weight),
        "probability_mae": mean(absolute, weight),
        "probability_rmse": math.sqrt(mean([q / 3 for q in quadratic], weight)),
        "informational_loss": mean(bits, weight),
        "log_loss": mean([b * math.log(2) for b in bits], weight),
        "spherical_score": mean(spherical, weight),
    }
    for name, wanted in expected.items():
        assert agrees(measures[name].value(p), wanted), name


@given(distributions())
def test_ranked_probability_score(case):
    truth, probability, _ = case
    p = made((truth, probability, [Fraction(1)] * len(truth)))
    expected = twins.ranked_probability_score(truth, probability, 3)
    assert agrees(measures["rps"].value(p), expected)


@given(distributions(), st.sampled_from([0, 0.25, 0.5, 0.75, 0.95, 1]))
def test_coverage_and_region(case, level):
    truth, probability, weight = case
    regions = [twins.region(q, Fraction(level)) for q in probability]
    covered = [t in r for t, r in zip(truth, regions, strict=True)]
    p = made(case)
    assert agrees(measures["coverage"].given(level=level).value(p), mean(covered, weight))
    size = mean([Fraction(len(r), 3) for r in regions], weight)
    assert agrees(measures["mean_region_size"].given(level=level).value(p), size)


@given(
    distributions(), st.sampled_from([(0.5, 0.25, 0.25), (0.7, 0.2, 0.1), (1 / 3, 1 / 3, 1 / 3)])
)
@examples(80)
def test_information_score(case, prior):
    truth, probability, weight = case
    p = made(case, baseline=prior)
    score = [
        twins.information(float(q[t]), prior[t]) for t, q in zip(truth, probability, strict=True)
    ]
    needed = [-math.log2(prior[t]) for t in truth]
    assert agrees(measures["information_score"].value(p), mean(score, weight))
    relative = mean(score, weight) / mean(needed, weight)
    assert agrees(measures["relative_information_score"].value(p), relative)
    saved = [
        n + (math.log2(q[t]) if q[t] else -math.inf)
        for n, t, q in zip(needed, truth, probability, strict=True)
    ]
    expected = -mean([-s for s in saved], weight)
    assert agrees(measures["complexity_improvement"].value(p), expected)


@given(st.integers(1, 6), st.data())
def test_tables_of_all_classes_are_those_of_each(k, data):
    weights = st.sampled_from([0.0, 0.0, 1.0, 2.5, 1e-9, 1e9])
    matrix = np.array(data.draw(st.lists(weights, min_size=k * k, max_size=k * k))).reshape(k, k)
    doubt = np.array(data.draw(st.lists(weights, min_size=k, max_size=k)))
    counts = Counts(matrix, doubt, tuple(range(k)))
    found = counts.each_binary()
    for field in fields(found):
        want = [float(getattr(counts.binary(i), field.name)) for i in range(k)]
        # To the last digits, and an empty cell stays exactly empty.
        assert getattr(found, field.name) == pytest.approx(want, rel=1e-12, abs=0)
