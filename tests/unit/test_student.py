"""Student's t in plain Python against scipy's."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from credibly import ParameterError
from credibly.intervals import densities
from credibly.intervals.quantiles import (
    LARGE_FREEDOM,
    LARGE_TAIL,
    SMALL_FREEDOM,
    SMALL_TAIL,
    student_quantile,
    student_tail,
    two_sided,
)


@given(level=st.floats(0.01, 0.9999), dof=st.floats(0.3, 1e9))
def test_quantiles_equal_scipy(level, dof):
    assert two_sided(level, dof) == pytest.approx(stats.t.ppf((1 + level) / 2, dof), rel=2e-12)


@given(t=st.floats(0.01, 1e3), dof=st.floats(0.1, 1e7))
def test_tails_equal_scipy(t, dof):
    expected = stats.t.sf(t, dof)
    assert student_tail(t, dof) == pytest.approx(expected, rel=2e-11, abs=1e-300)
    assert student_tail(-t, dof) == pytest.approx(1 - expected, rel=2e-11)
    assert student_tail(-t, dof, tails=2) == 2 * student_tail(t, dof)


@pytest.mark.parametrize("t", [0, 1e-200, 1e-90, 1e-6, 1e90, 1e200, math.inf])
def test_tails_near_and_far(t):
    assert student_tail(t, 1) == pytest.approx(math.atan2(1, t) / math.pi, rel=1e-9)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99, 0.9999])
def test_expansion_and_fraction_meet(level):
    below, above = two_sided(level, LARGE_FREEDOM * (1 - 1e-9)), two_sided(level, LARGE_FREEDOM)
    assert below == pytest.approx(above, rel=1e-11)


@pytest.mark.parametrize(
    ("tail", "dof"), [(SMALL_TAIL, 4), (LARGE_TAIL, 9), (0.02, SMALL_FREEDOM), (1e-9, 7)]
)
def test_plain_python_and_scipy_meet(tail, dof):
    for near in (1 - 1e-9, 1, 1 + 1e-9):
        expected = stats.t.isf(tail * near, dof * near)
        assert student_quantile(tail * near, dof * near) == pytest.approx(expected, rel=1e-11)


def test_infinite_degrees_of_freedom_are_the_normal():
    assert two_sided(0.95, math.inf) == pytest.approx(1.959963984540054, rel=1e-14)


def test_densities_are_those_of_the_distributions():
    found = densities([1, 4.5, 30], confidence_level=0.9, reach=3)
    for k, line, critical in zip([1, 4.5, 30], found.density, found.critical, strict=False):
        np.testing.assert_allclose(line, stats.t.pdf(found.x, k), rtol=1e-12)
        assert critical == pytest.approx(stats.t.ppf(0.95, k))
    np.testing.assert_allclose(found.density[-1], stats.norm.pdf(found.x), rtol=1e-12)
    assert (found.x[0], found.x[-1]) == (-3, 3)
    assert len(found.rows()) == 4 * found.x.size
    assert densities(7).titles == ("t, k = 7", "normal")
    assert densities([]).heading == "The normal distribution"
    for wrong in ({"freedom": [0]}, {"freedom": "many"}, {"reach": 0}, {"confidence_level": 95}):
        with pytest.raises(ParameterError):
            densities(**wrong)
