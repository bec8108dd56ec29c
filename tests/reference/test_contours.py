"""Lines along which a function on a grid is zero, against the function itself."""

import numpy as np
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from credibly._kernels.contours import zero_lines

SIDES = st.integers(2, 6)


@given(st.data())
def test_every_edge_whose_ends_differ_is_crossed_once(data):
    shape = data.draw(SIDES), data.draw(SIDES)
    values = data.draw(arrays(float, shape, elements=st.sampled_from([-2.0, -1.0, 1.0, 3.0])))
    x, y = np.arange(shape[1]) * 2.0, np.arange(shape[0]) * 0.5
    wanted = []
    for i in range(shape[0]):
        for j in range(shape[1]):
            for di, dj in ((0, 1), (1, 0)):
                if i + di < shape[0] and j + dj < shape[1]:
                    a, b = values[i, j], values[i + di, j + dj]
                    if (a >= 0) != (b >= 0):
                        part = a / (a - b)
                        wanted.append((x[j] + part * dj * 2.0, y[i] + part * di * 0.5))
    found = []
    for across, up in zero_lines(x, y, values):
        closed = len(across) > 2 and (across[0], up[0]) == (across[-1], up[-1])
        points = list(zip(across.tolist(), up.tolist(), strict=True))
        found += points[:-1] if closed else points
    np.testing.assert_allclose(sorted(found), sorted(wanted), atol=1e-12)


def test_a_circle_closes():
    side = np.linspace(-2, 2, 81)
    values = 1 - side[None, :] ** 2 - side[:, None] ** 2
    ((x, y),) = zero_lines(side, side, values)
    assert (x[0], y[0]) == (x[-1], y[-1])
    np.testing.assert_allclose(np.hypot(x, y), 1, atol=2e-3)
    length = np.hypot(np.diff(x), np.diff(y)).sum()
    np.testing.assert_allclose(length, 2 * np.pi, rtol=2e-3)


def test_cells_that_are_left_out():
    values = np.tile([-1.0, 1.0, 1.0], (3, 1))
    cells = np.array([[True, True], [False, True]])
    ((x, y),) = zero_lines(np.arange(3.0), np.arange(3.0), values, cells)
    assert (x.tolist(), y.tolist()) == ([0.5, 0.5], [0.0, 1.0])
    assert zero_lines(np.arange(3.0), np.arange(3.0), np.ones((3, 3))) == []
