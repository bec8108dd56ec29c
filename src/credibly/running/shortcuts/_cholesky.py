"""Many small systems at once: what stays of a matrix without the rows of each test part."""

from __future__ import annotations

import numpy as np

from credibly._core.arrays import Floats

SINGULAR_EIGENVALUE = 1e-12  # a direction with less variance is as good as gone


def factored(left: Floats, enough: float) -> tuple[Floats, Floats]:
    """Return Cholesky factors of matrices with eigenvalues from 0 to 1, and the least eigenvalues.

    None of these is below their product, the determinant: where that is ``enough`` it will do. A matrix
    that is as good as singular is to be refitted, and another takes its place.

    >>> factored(np.diag([0.25, 0.5])[None], enough=0.1)[1]
    array([0.125])
    >>> factored(np.diag([0.25, 0.5])[None], enough=0.2)[1]
    array([0.25])
    """
    try:
        L: Floats = np.asarray(np.linalg.cholesky(left), np.float64)
    except np.linalg.LinAlgError:  # one of them is not positive
        lowest = np.linalg.eigvalsh(np.where(np.isfinite(left), left, 0))[:, 0]
        bad = (lowest < SINGULAR_EIGENVALUE) | ~np.isfinite(left).all(axis=(1, 2))
        sound = np.where(bad[:, None, None], np.eye(left.shape[1]), left).astype(np.float64)
        L = np.asarray(np.linalg.cholesky(sound), np.float64)
        return L, np.where(bad, 0.0, lowest).astype(np.float64)
    least: Floats = np.square(np.diagonal(L, axis1=1, axis2=2).prod(axis=1))
    unsure = least < enough
    least[unsure] = np.maximum(np.linalg.eigvalsh(left[unsure])[:, 0], 0)
    return L, least


def whitened(L: Floats, right: Floats) -> Floats:
    """Solve with many lower factors at once, row by row: LAPACK would be called for each of them."""
    x = right.copy()
    for i in range(L.shape[1]):
        x[:, i] -= _applied(L[:, i, :i], x[:, :i])
        x[:, i] /= L[:, i, i, None]
    return x


def _applied(row: Floats, x: Floats) -> Floats:
    """Multiply a row of each matrix with what stands right of it, which often is one column."""
    if x.shape[2] == 1:
        return np.vecdot(row, x[..., 0])[:, None]
    return (row[:, None] @ x)[:, 0]


def solved(L: Floats, right: Floats) -> Floats:
    """Solve with the matrices that were factored.

    >>> L, _ = factored(np.array([[[0.5, 0.1], [0.1, 0.5]]]), enough=0)
    >>> solved(L, np.array([[[0.6], [0.6]]])).round(12).tolist()
    [[[1.0], [1.0]]]
    """
    x = whitened(L, right)
    for i in reversed(range(L.shape[1])):
        x[:, i] -= _applied(L[:, i + 1 :, i], x[:, i + 1 :])
        x[:, i] /= L[:, i, i, None]
    return x
