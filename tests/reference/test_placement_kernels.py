"""Placements, DeLong's covariance and pairwise separations against counting all pairs."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import numpy as np
import pytest
from hypothesis import given, strategies as st

import credibly._kernels as kernels
from credibly import Predictions
from credibly._kernels import placements as module
from credibly._kernels.placements import (
    delong_covariance,
    falling_order,
    pairwise_separations,
    placements,
    twice_midranks,
)
from credibly._kernels.threads import at_most
from credibly.predictions.summaries.scores import ClassScores
from reference.strategies import SPECIAL, few_scores, scores


@pytest.fixture(params=["numpy", "compiled", "sorted"])
def path(request, monkeypatch):
    """Run a test by the numpy twins and by the kernels: those that tell few values apart, and that sort."""
    monkeypatch.setattr(kernels, "COMPILE_FROM", 0)
    if request.param == "sorted":
        monkeypatch.setattr("credibly._kernels.placements.MAX_HASHED_VALUES", 0)
    monkeypatch.setenv("CREDIBLY_JIT", "0" if request.param == "numpy" else "1")
    return request.param


def wins(a, b):
    """Return 1, 1/2 or 0 for each pair of a row and a column."""
    return (a[:, None] > b) + (a[:, None] == b) / 2


def obvious(matrix, positive, weight):
    p, q = weight[positive], weight[~positive]
    above, below, auc = [], [], []
    for s in matrix:
        pairs = wins(s[positive], s[~positive])
        above.append(pairs @ q / q.sum())
        below.append(p @ pairs / p.sum())
        auc.append(p @ pairs @ q / p.sum() / q.sum())
    return np.array(auc), np.array(above), np.array(below)


@st.composite
def models(draw):
    """Two models on the same cases, of both classes."""
    row = st.tuples(scores | few_scores, scores | few_scores, st.booleans(), st.integers(1, 4))
    rows = draw(st.lists(row, max_size=40))
    rows += [(1.0, 0.0, True, 1), (0.0, -0.0, False, 2)]
    first, second, positive, weight = map(np.array, zip(*rows, strict=True))
    return np.array([first, second], float), positive, weight


@given(models())
def test_placements(path, given_models):
    matrix, positive, weight = given_models
    for w in (None, weight):
        found = placements(matrix, positive, w)
        expected = obvious(matrix, positive, np.ones(len(positive)) if w is None else w * 1.0)
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-15)


@given(models())
def test_covariance(path, given_models):
    matrix, positive, weight = given_models
    matrix, positive = np.tile(matrix, 2), np.tile(positive, 2)  # two cases of each class at least
    _, above, below = placements(matrix, positive)
    expected = np.cov(above) / positive.sum() + np.cov(below) / (~positive).sum()
    np.testing.assert_allclose(delong_covariance(above, below), expected, rtol=1e-12, atol=1e-15)
    weight = np.tile(weight, 2)
    _, a, b = placements(matrix, positive, weight)
    _, above, below = placements(np.repeat(matrix, weight, axis=1), np.repeat(positive, weight))
    np.testing.assert_allclose(
        delong_covariance(a, b, weight[positive], weight[~positive]),
        delong_covariance(above, below),
        rtol=1e-12,
        atol=1e-15,
    )


def test_covariance_in_blocks(monkeypatch):
    above, below = np.random.default_rng(0).random((2, 3, 1000))
    whole = delong_covariance(above, below)
    monkeypatch.setattr(module, "CASES_PER_BLOCK", 64)
    np.testing.assert_allclose(delong_covariance(above, below), whole, rtol=1e-13)


def test_one_class_or_one_case_has_no_placements(path):
    for positive in ([True, True, True], [False, False, False]):
        auc, above, below = placements([[1.0, 2.0, 3.0]], positive)
        assert np.isnan(auc).all()
        assert np.isnan(above).all()
        assert np.isnan(below).all()
        assert above.shape[1] + below.shape[1] == 3
    auc, above, below = placements([[1.0, 2.0]], [False, True])
    assert (auc[0], above[0, 0], below[0, 0]) == (1, 1, 1)
    assert np.isnan(delong_covariance(above, below)).all()
    auc, above, below = placements(np.zeros((2, 0)), [])
    assert np.isnan(auc).all()
    assert above.shape == below.shape == (2, 0)


def test_all_equal(path):
    auc, above, below = placements(np.zeros((1, 50)), np.arange(50) < 20)
    assert auc[0] == 0.5
    assert (above == 0.5).all()
    assert (below == 0.5).all()


def test_what_does_not_fit_is_refused():
    for bad in ([[np.nan, 1.0]], [[np.inf, 1.0]], [1.0, 2.0], [[1.0, 2.0, 3.0]]):
        with pytest.raises(ValueError, match="scores must be finite"):
            placements(bad, [True, False])
    with pytest.raises(ValueError, match="from 0 to 1"):
        pairwise_separations([[0.5, 0.5]], [2])


@given(st.lists(scores | few_scores, max_size=60))
def test_falling_order(path, values):
    order, new = falling_order(values)
    assert order.tolist() == sorted(range(len(values)), key=lambda i: (-values[i], i))
    ranked = [values[i] for i in order]
    assert new.tolist() == [i == 0 or ranked[i] != ranked[i - 1] for i in range(len(ranked))]


@given(st.lists(scores | few_scores, max_size=60))
def test_twice_midranks(path, values):
    mean_places = [sum((w < v) + (w <= v) for w in values) + 1 for v in values]
    assert twice_midranks(values).tolist() == mean_places


def many_scores(kind, n, rng):
    return {
        "smooth": rng.normal(size=n),
        "two decimals": np.round(rng.normal(size=n), 2),
        "neighbours": 1 + rng.integers(0, 1000, n) * 2.0**-52,
        "far apart": np.where(rng.random(n) < 0.01, 1e308, 1 + rng.integers(0, 9, n) * 2.0**-52),
        "short runs": np.where(rng.random(n) < 0.01, -1e308, rng.random(n)),
        "special": rng.choice(SPECIAL, n),
        "one": np.full(n, 0.1),
    }[kind]


@pytest.mark.parametrize(
    "kind", ["smooth", "two decimals", "neighbours", "far apart", "short runs", "special", "one"]
)
def test_falling_order_of_many(monkeypatch, kind):
    """Runs that the leading bits do not tell apart, short ones and ones too long to be mended."""
    monkeypatch.setattr(kernels, "COMPILE_FROM", 0)
    monkeypatch.setenv("CREDIBLY_JIT", "1")
    s = many_scores(kind, 70_000, np.random.default_rng(0))
    order, new = falling_order(s)
    expected = np.argsort(-s, kind="stable")
    assert (order == expected).all()
    assert (new == np.append(True, np.diff(s[expected]) != 0)).all()
    fallen_back = module._sorted_by_keys(s) is None
    assert fallen_back == (kind in {"far apart", "special"})


@st.composite
def classified(draw):
    k = draw(st.integers(2, 5))
    n = draw(st.integers(0, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    raw = rng.integers(0, draw(st.sampled_from([2, 4, 10**6])), (n, k)) + 1e-9
    spread = draw(st.sampled_from([1, 30]))  # of powers of ten, so that not all bits fit a key
    matrix = raw**spread
    matrix = matrix / matrix.sum(axis=1, keepdims=True)
    return matrix, rng.integers(0, k, n), rng.integers(1, 4, n) / 2


@given(classified())
def test_pairwise_separations(path, data):
    matrix, truth, weight = data
    k = matrix.shape[1]
    for w in (None, weight):
        each = np.ones(len(truth)) if w is None else w
        expected = np.zeros((k, k))
        for i in range(k):
            for j in range(k):
                a, b = truth == i, truth == j
                expected[i, j] = each[a] @ wins(matrix[a, i], matrix[b, i]) @ each[b]
        np.testing.assert_allclose(pairwise_separations(matrix, truth, w), expected, rtol=1e-13)


def test_neighbours_among_far_apart_probabilities_are_no_ties(path):
    """With the class beside it, not all bits of a probability fit a key."""
    less = np.nextafter(0.5, 0)
    own = np.array([0.5, less, less, 0.0, 1e-300, 1.0])
    matrix = np.zeros((6, 9))
    matrix[:, 0] = own
    truth = np.array([0, 1, 0, 1, 0, 2])
    found = pairwise_separations(matrix, truth)[0]
    assert found[:3].tolist() == [4.5, 2 + 1.5 + 1, 0.0]


def test_separations_are_those_of_the_summary(path):
    rng = np.random.default_rng(0)
    n, k = 3000, 20
    matrix = np.round(rng.random((n, k)), 3) + 1e-3
    matrix /= matrix.sum(axis=1, keepdims=True)
    truth = rng.integers(0, k, n)
    p = Predictions.of(truth, probability=matrix, classes=list(range(k)))
    expected = ClassScores.of(p).separations()
    for threads in (1, 2, 4):
        with at_most(threads):
            found = pairwise_separations(matrix, truth)
        np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_threads_make_no_difference(path):
    rng = np.random.default_rng(0)
    positive = rng.random(5000) < 0.4
    matrix = np.round(rng.normal(positive, 1, (6, 5000)), 3)
    alone = placements(matrix, positive)
    for threads in (2, 4):
        with at_most(threads):
            for a, b in zip(placements(matrix, positive), alone, strict=True):
                assert (a == b).all()
    with at_most(2), ThreadPoolExecutor(4) as pool:
        tasks = [pool.submit(copy_context().run, placements, matrix, positive) for _ in range(8)]
        for task in tasks:
            for a, b in zip(task.result(), alone, strict=True):
                assert (a == b).all()


FORK = """
import os, sys
import numpy as np
import credibly._kernels as kernels
kernels.COMPILE_FROM = 0
from credibly._kernels.placements import placements
from credibly._kernels.threads import at_most
matrix = np.random.default_rng(0).random((4, 60_000))
def run():
    with at_most(2):
        return placements(matrix, np.arange(60_000) % 3 == 0)[0].tobytes()
before = run()
child = os.fork()
if not child:
    os._exit(0 if run() == before else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) or run() != before)
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_in_a_forked_child():
    done = subprocess.run(
        [sys.executable, "-c", FORK], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_pairs_of_many_cases_do_not_overflow():
    """Counts of pairs beyond 2^53 / 4: half of the cases in one tie, half apart."""
    n = 30_000_000
    positive = np.arange(n) % 2 == 0
    score = np.where(np.arange(n) < n // 2, 0.0, 1.0 + np.arange(n) % 2)
    auc, above, below = placements([score], positive)
    # Positives: a quarter of n at 0 and at 1 each; negatives: at 0 and at 2.
    assert auc[0] == (0.5 + 1) / 4
    assert set(np.unique(above)) == {0.25, 0.5}
    assert set(np.unique(below)) == {0.0, 0.75}
