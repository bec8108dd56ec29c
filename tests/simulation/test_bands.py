"""Bands of ROC curves contain the truth as often as promised: a seeded slice, and more with -m slow.

Scores are normal in both classes, so the true curve is known. Pointwise bands are judged at false positive
rates chosen beforehand, simultaneous ones on the whole curve but for its first and last three per
cent: there a curve of n cases has no points, and no band of replicates can know.
"""

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from credibly import Predictions, curve

LEVEL = 0.95
AT = np.array([0.1, 0.3, 0.5, 0.8])
WHOLE = np.linspace(0.03, 0.97, 95)
SIMULTANEOUS = ("simultaneous", "fixed_width", "ks", "working_hotelling")


def coverage(n, repetitions, methods, replicates=500, seed=0):
    """Return how often the bands of each method hold the true curve."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], n)
    held = {m: [] for m in methods}
    for r in range(repetitions):
        p = Predictions.of(y, score=y + rng.normal(size=2 * n))
        for m in methods:
            band = curve("roc", p, band=m, rng=r, replicates=replicates).band
            x = WHOLE if m in SIMULTANEOUS else AT
            low, high = band.at(x)
            inside = (low <= ndtr(1 + ndtri(x))) & (ndtr(1 + ndtri(x)) <= high)
            held[m].append(inside.all() if m in SIMULTANEOUS else inside.mean())
    return {m: float(np.mean(v)) for m, v in held.items()}


def slack(repetitions, sigmas=3):
    return sigmas * (LEVEL * (1 - LEVEL) / repetitions) ** 0.5


@pytest.mark.thorough
def test_a_slice_of_the_simulation():
    repetitions = 60
    found = coverage(100, repetitions, ("pointwise", *SIMULTANEOUS))
    for method, share in found.items():
        assert share >= LEVEL - 0.02 - slack(repetitions), (method, share)
    assert found["pointwise"] <= LEVEL + 0.02 + slack(repetitions)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "repetitions"), [(50, 400), (200, 400), (500, 150)])
def test_the_simulation_again(n, repetitions):
    found = coverage(n, repetitions, ("pointwise", *SIMULTANEOUS), replicates=1000, seed=n)
    for method, share in found.items():
        assert share >= LEVEL - 0.02 - slack(repetitions), (method, share)
    assert found["pointwise"] <= LEVEL + 0.02 + slack(repetitions)
    # What the guarantees of these two cost: they hold the curve almost always.
    assert found["ks"] >= 0.99
    assert found["fixed_width"] >= LEVEL
