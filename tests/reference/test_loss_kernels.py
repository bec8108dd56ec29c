"""Sums of losses made in one compiled pass, against exact sums of one case at a time."""

import math

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

import credibly._kernels as kernels
from credibly import Predictions
from credibly._kernels.losses import BLOCK_FACTORS, truth_probability_sums
from credibly.measures import measures
from credibly.predictions.table import LOSS_SUMS
from examples import examples

QUICK = [m for m in measures if m.quick and m.task == "classification"]
OF_NUMBERS = [m for m in measures if m.quick and m.task == "numeric"]
probabilities = st.floats(0, 1) | st.sampled_from([0.0, 1.0, 5e-324, 1e-310, 2**-53, 1 - 2**-53])


def twin(probability, positive):
    """Sum each loss of one case after the other, exactly."""
    q = [p if y else 1 - p for p, y in zip(probability.tolist(), positive.tolist(), strict=True)]
    return (
        math.fsum(1 - x for x in q),
        math.fsum((1 - x) ** 2 for x in q),
        math.fsum(-math.log(x) for x in q if x > 0),
        q.count(0),
    )


def agrees(probability, positive):
    made, expected = truth_probability_sums(probability, positive), twin(probability, positive)
    return np.allclose(made, expected, rtol=1e-14, atol=0)


@given(st.lists(st.tuples(probabilities, st.booleans()), min_size=1, max_size=60))
@example([(1 - 1e-9, True)] * 40)
@example([(0.0, True), (5e-324, True), (1.0, False)])
@examples(150)
def test_sums_of_a_few_cases(cases):
    assert agrees(np.array([p for p, _ in cases]), np.array([y for _, y in cases]))


@pytest.mark.parametrize("miss", [1.0, 0.1, 1e-2, 1e-3, 1e-5, 1e-9, 1e-15])
@pytest.mark.parametrize("spread", [True, False], ids=["spread", "constant"])
def test_sums_keep_their_digits_however_small_the_losses(miss, spread):
    rng = np.random.default_rng(3)
    positive = rng.random(5 * BLOCK_FACTORS + 7) < 0.3
    q = 1 - miss * (rng.random(positive.size) if spread else 0.9)
    assert agrees(np.where(positive, q, 1 - q), positive)


def test_products_neither_overflow_nor_vanish():
    n = 3 * BLOCK_FACTORS
    for value in (1e-300, 2.0**-1022, 0.7071, 0.7072, 1.0):
        assert agrees(np.full(n, value), np.ones(n, bool))


@pytest.mark.parametrize("m", QUICK, ids=lambda m: m.name)
def test_a_quick_summary_is_the_summary(m, monkeypatch):
    rng = np.random.default_rng(5)
    truth, chance = rng.random(3000) < 0.4, rng.random(3000)
    chance[7], truth[7] = 0.0, True  # costs infinitely much by the logarithm
    for probability in (chance, np.clip(chance, 0.1, 0.9)):
        slow = m.summarise(Predictions.of(truth, probability=probability))
        monkeypatch.setattr(kernels, "COMPILE_FROM", 0)
        monkeypatch.delenv("CREDIBLY_JIT", raising=False)
        p = Predictions.of(truth, probability=probability)
        fast = m.summarise(p)
        assert LOSS_SUMS.get(p) is not None
        monkeypatch.undo()
        for name in ("weight", "total", "infinite", "minus_infinite", "undefined"):
            mine, theirs = getattr(fast, name), getattr(slow, name)
            assert mine.shape == theirs.shape, name
            assert np.allclose(mine, theirs, rtol=1e-12, atol=0), name


@pytest.mark.parametrize("m", OF_NUMBERS, ids=lambda m: m.name)
def test_a_quick_summary_of_numbers_is_the_summary(m, monkeypatch):
    rng = np.random.default_rng(5)
    truth = rng.normal(size=9000)
    right, missed = truth.copy(), truth.copy()
    right[3], missed[7] = 0.0, 0.0  # of which the error is no share
    for a, v in (
        (truth, truth + rng.normal(size=9000)),
        (right, right * 2),
        (missed, truth),
        (truth * 1e300, -truth),
    ):
        slow = m.summarise(Predictions.of(a, value=v))
        monkeypatch.setattr(kernels, "COMPILE_FROM", 0)
        monkeypatch.delenv("CREDIBLY_JIT", raising=False)
        p = Predictions.of(a, value=v)
        fast = m.summarise(p)
        assert "error sums" in p.cache
        monkeypatch.undo()
        for name in ("weight", "total", "infinite", "minus_infinite", "undefined"):
            mine, theirs = getattr(fast, name), getattr(slow, name)
            assert mine.shape == theirs.shape, name
            assert np.allclose(mine, theirs, rtol=1e-12, atol=1e-9), name


def test_other_predictions_take_the_long_way():
    y, matrix = [0, 1, 2], np.full((3, 3), 1 / 3)
    several = Predictions.of(y, probability=matrix)
    weighted = Predictions.of([0, 1], probability=[0.2, 0.9], sample_weight=[1, 2])
    clipped = Predictions.of([0, 1], probability=[0.2, 0.9])
    assert measures["log_loss"].quick(several) is None
    assert measures["log_loss"].quick(weighted) is None
    assert measures["log_loss"].quick(clipped, clip=0.1) is None
