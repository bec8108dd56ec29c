"""Residuals of rows that a linear fit leaves out: many small symmetric systems, each solved where it stands."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._kernels import kernel


def residuals_left_out(
    whole: NDArray[np.float64], residual: NDArray[np.float64], rows: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Solve the part of a positive matrix that belongs to some rows, for their residuals; return its determinant too.

    Each row of ``rows`` is a system of its own; one that is not positive has the determinant 0.

    >>> found, determinant = residuals_left_out(np.diag([0.5, 0.25, 1.0]), np.ones(3), np.array([[0, 1]]))
    >>> found.tolist(), determinant.tolist()
    ([[2.0, 4.0]], [0.125])
    """
    found, determinant = np.empty(rows.shape), np.zeros(len(rows))
    _solve_parts(whole, residual, rows, found, determinant)
    return found, determinant


@kernel(error_model="numpy")
def _solve_parts(whole: Any, residual: Any, rows: Any, found: Any, determinant: Any) -> None:  # noqa: ANN401
    part = np.empty((rows.shape[1], rows.shape[1]))
    for s in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            found[s, i] = residual[rows[s, i]]
            for j in range(i, rows.shape[1]):
                part[i, j] = whole[rows[s, i], rows[s, j]]
        determinant[s] = _eliminate(part, found[s])


@kernel(error_model="numpy")
def _eliminate(part: Any, x: Any) -> float:  # noqa: ANN401
    """Solve by Gauss's elimination without pivots, which a positive matrix does not need; its upper half is used up."""
    determinant = 1.0
    for i in range(x.size):
        pivot = part[i, i]
        if not pivot > 0:
            return 0.0
        determinant *= pivot
        for k in range(i + 1, x.size):
            share = part[i, k] / pivot
            x[k] -= share * x[i]
            for j in range(k, x.size):
                part[k, j] -= share * part[i, j]
    for i in range(x.size - 1, -1, -1):
        for j in range(i + 1, x.size):
            x[i] -= part[i, j] * x[j]
        x[i] /= part[i, i]
    return determinant
