"""What cases add to a logistic likelihood, in one compiled pass and in its twin, against one case at a time."""

import math

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from credibly._kernels.logistic import BLOCK_FACTORS, MAX_LOGIT, NO_OFFSET, likelihood_of

logits = st.floats(-MAX_LOGIT, MAX_LOGIT) | st.sampled_from([0.0, -0.0, 5e-324, 36.8, -745.0, 1e6])
sizes = st.tuples(st.integers(0, 3), st.integers(0, 3)) | st.just((1, 0)) | st.just((0, 1))


def one_case(z, events, total):
    """Return what cases of one logit add: log likelihood, residual and variance."""
    odds = math.exp(-abs(z))
    fitted = (odds if z < 0 else 1.0) / (1 + odds)
    height = events * z - total * (max(z, 0.0) + math.log1p(odds))
    return height, events - total * fitted, total * odds / (1 + odds) ** 2


def agrees(z, events, total, lines, offset, beta, *, compiled):
    made = likelihood_of(lines, offset, beta, events, total, compiled=compiled)
    cases = [one_case(*case) for case in zip(z.tolist(), events, total, strict=True)]
    heights, residual, variance = (np.array(column) for column in zip(*cases, strict=True))
    rounding = 1e-15 * float(total @ np.abs(z))  # of terms that cancel
    assert np.isclose(made.height, math.fsum(heights), rtol=1e-13, atol=rounding)
    size = 1e-15 * (np.abs(lines) @ total).max()
    np.testing.assert_allclose(made.slope, lines @ residual, rtol=1e-13, atol=size)
    information = (lines * variance) @ lines.T
    np.testing.assert_allclose(made.information, information, rtol=1e-12, atol=1e-300)
    largest = max(one_case(x, 0, 1)[2] for x in z.tolist())
    assert np.isclose(made.spread, largest, rtol=1e-13, atol=1e-300)


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "numpy"])
@given(st.lists(st.tuples(logits, sizes), min_size=1, max_size=40))
@example([(30.0, (1, 0))] * 40)
def test_terms_of_a_few_cases(compiled, cases):
    given, counts = zip(*cases, strict=True)
    z, (events, others) = np.array(given), np.array(counts, float).T
    # With a line for each case, slopes and information are those of the case.
    agrees(z, events, events + others, np.eye(z.size), NO_OFFSET, z, compiled=compiled)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 20.0, 300.0])
@pytest.mark.parametrize("alone", [True, False], ids=["one case each", "several"])
def test_terms_of_many_cases(scale, alone):
    """Products of several pieces, the last of them short."""
    rng = np.random.default_rng(1)
    n = 3 * BLOCK_FACTORS + 7
    total = np.ones(n) if alone else rng.integers(1, 5, n).astype(float)
    z, events = scale * rng.normal(size=n), rng.binomial(total.astype(int), 0.4) * 1.0
    lines, beta = np.stack([np.ones(n), rng.random(n)]), np.array([0.5, -2.0])
    agrees(beta @ lines + z, events, total, lines, z, beta, compiled=True)
