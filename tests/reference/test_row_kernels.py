"""Passes over the rows of a matrix, compiled and not, against one row at a time."""

import numpy as np
import pytest

import credibly._kernels as kernels
from credibly._kernels.networks import at_least_as_likely, distances
from credibly._kernels.rows import count_true, faults, pinball_sums


@pytest.fixture(params=[True, False], ids=["compiled", "plain"])
def either(request, monkeypatch):
    monkeypatch.setattr(kernels, "COMPILE_FROM", 0 if request.param else 10**9)


def tables(k):
    rng = np.random.default_rng(k)
    return [rng.dirichlet(np.ones(k), 40), rng.multinomial(6, np.ones(k) / k, 40) / 6]  # with ties


@pytest.mark.parametrize("k", [1, 2, 5, 40])
def test_classes_that_are_at_least_as_likely(either, k):
    for q in tables(k):
        made = at_least_as_likely(q)
        as_high = q[:, None, :] >= q[:, :, None]
        assert (made.number == as_high.sum(axis=2)).all()
        np.testing.assert_allclose(made.total, (as_high * q[:, None, :]).sum(axis=2), rtol=1e-14)
        assert (made.total[made.number == k] == 1).all()


@pytest.mark.parametrize("m", [1, 3, 19])
def test_pinball_losses_of_rows(either, m):
    rng = np.random.default_rng(m)
    q, y, levels = rng.normal(size=(50, m)), rng.normal(size=50), np.arange(1, m + 1) / (m + 1)
    q[7], y[8] = np.nan, np.nan
    away = y[:, None] - q
    each = np.maximum(levels * away, (levels - 1) * away)
    np.testing.assert_allclose(pinball_sums(q, y, levels), each.sum(axis=1), rtol=1e-13)


def test_rows_that_are_not_as_quantiles_should_be(either):
    rows = np.array([[1.0, 1.0, 2.0], [1.0, 0.5, 2.0], [np.nan, 3.0, 1.0], [1.0, np.inf, np.inf]])
    assert faults(rows) == (2, 2)
    assert faults(rows[:1, :1]) == (0, 0)


@pytest.mark.parametrize("m", [1, 2, 7, 20, 41])
def test_distances_of_members(either, m):
    rng = np.random.default_rng(m)
    members, y = rng.normal(size=(150, m)).round(1), rng.normal(size=150).round(1)  # with ties
    away, apart = distances(members, y)
    np.testing.assert_allclose(away, np.abs(members - y[:, None]).sum(axis=1), rtol=1e-13)
    each = np.abs(members[:, :, None] - members[:, None]).sum(axis=(1, 2)) / 2
    np.testing.assert_allclose(apart, each, rtol=1e-12, atol=1e-12)


def test_rows_of_several_tasks_are_those_of_one(either, monkeypatch):
    rng = np.random.default_rng(1)
    members, y = rng.dirichlet(np.ones(5), 150), rng.random(150)
    whole = distances(members, y), at_least_as_likely(members)
    monkeypatch.setattr("credibly._kernels.networks.ROWS_PER_TASK", 70)
    monkeypatch.setattr("credibly._kernels.networks.FEW_NUMBERS", 0)
    parts = distances(members, y), at_least_as_likely(members)
    assert all((a == b).all() for x, z in zip(whole, parts, strict=True) for a, b in zip(x, z, strict=True))  # fmt: skip


@pytest.mark.parametrize("shape", [(7, 3), (2, 70, 9), (5, 1)])
def test_flags_that_are_true(either, shape):
    flags = np.random.default_rng(1).random(shape) < 0.4
    assert (count_true(flags) == flags.sum(axis=-1)).all()
    assert (count_true(flags[::2]) == flags[::2].sum(axis=-1)).all()
