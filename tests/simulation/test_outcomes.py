"""Coverage of intervals of outcomes that come in clusters: 30 passages of 10 questions each."""

import numpy as np
import pytest

from credibly import Predictions, evaluate


def covered(samples, *, grouped, seed=1):
    """How often the interval of a mean holds the truth, where half of the variance is that of passages."""
    rng, hits = np.random.default_rng(seed), 0
    passage = np.repeat(np.arange(30), 10)
    for _ in range(samples):
        numbers = np.repeat(rng.normal(0, 0.5, 30), 10) + rng.normal(0, 1.0, 300)
        group = {"group": passage} if grouped else {}
        p = Predictions.of(outcome=numbers, better="higher", **group)
        hits += 0.0 in evaluate(p, "mean_outcome").estimates[0].interval
    return hits / samples


@pytest.mark.slow
def test_clustered_intervals_hold_where_naive_ones_do_not():
    assert 0.94 <= covered(2000, grouped=True) <= 0.96
    assert 0.72 <= covered(2000, grouped=False) <= 0.78


@pytest.mark.thorough
def test_a_slice_of_the_same():
    assert covered(150, grouped=True) > 0.89
    assert covered(150, grouped=False) < 0.85
