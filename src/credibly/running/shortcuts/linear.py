"""Linear and ridge regression: the hat matrix holds every leave-out prediction."""

from __future__ import annotations

import numpy as np

from credibly._core.arrays import Floats, Indices
from credibly._kernels import worth_compiling
from credibly._kernels.left_out import residuals_left_out
from credibly.running.shortcuts._cholesky import factored, solved
from credibly.running.shortcuts._declare import shortcut
from credibly.running.shortcuts._problem import (
    LARGEST_CONDITION,
    HeldOutValues,
    NoShortcutError,
    ShortcutProblem,
)

MAX_HAT_CASES = 1000  # cases up to which the whole hat matrix is made
DROP_MARGIN = 0.1  # of what least squares drops, for a direction to be safe from it


@shortcut(applies_to=("sklearn.linear_model.LinearRegression", "sklearn.linear_model.Ridge"))
def hat_matrix(p: ShortcutProblem) -> HeldOutValues:
    r"""Leave rows out of a linear fit by solving for their residuals.

    With $H = A A^\top$ the predictions for left-out rows are $y - (I - H)^{-1} (y - H y)$, where
    $A$ holds the left singular vectors of the centred columns, shrunk by the penalty, and a
    constant column. $I - H$ is taken in rows or in columns, whichever are fewer.
    """
    estimator = p.estimator
    ridge = hasattr(estimator, "alpha")
    p.take_defaults("alpha", "fit_intercept", "copy_X", "n_jobs", "tol", "max_iter", "random_state")
    alpha = estimator.alpha if ridge else 0.0
    if not isinstance(alpha, int | float):
        raise NoShortcutError("there is one penalty per target")
    A, condition = _shrunk_basis(p.X, alpha, constant=estimator.fit_intercept)
    shift = p.y.mean() if estimator.fit_intercept else 0.0
    y = p.y - shift
    fit = A @ (A.T @ y)
    enough = condition / LARGEST_CONDITION
    if not ridge:  # least squares drops directions below a share `tol` of the largest
        enough = max(enough, (condition * estimator.get_params().get("tol", 0) / DROP_MARGIN) ** 2)
    residual, least = _left_out(p, A, y - fit, enough)
    doubtful = least < enough
    return HeldOutValues(
        p.y[p.rows] - residual,
        doubtful,
        "columns are as good as dependent without the rows of a test part",
    )


def _shrunk_basis(X: Floats, alpha: float, *, constant: bool) -> tuple[Floats, float]:
    """Return A with A A' the hat matrix, and how much the solver amplifies rounding."""
    n, d = X.shape
    centred = X - X.mean(axis=0) if constant else X
    U, s, _ = np.linalg.svd(centred, full_matrices=False)
    penalised = np.sqrt(s**2 + alpha)
    if alpha == 0 and (n < d or penalised[-1] == 0):
        raise NoShortcutError("columns are linearly dependent")
    condition = float(penalised[0] / penalised[-1])
    A = U * (s / penalised)
    if constant:
        A = np.column_stack([A, np.full(n, n**-0.5)])
    return A, max(condition, _normal_condition(centred, alpha)) if alpha else condition


def _normal_condition(centred: Floats, alpha: float) -> float:
    """Return the condition of the normal equations, which ridge regression solves, in equal scales."""
    normal = centred.T @ centred
    normal[np.diag_indices_from(normal)] += alpha
    scale = np.sqrt(np.diagonal(normal))
    values = np.linalg.eigvalsh(normal / np.outer(scale, scale))
    return float(values[-1] / max(values[0], np.finfo(float).tiny))


def _left_out(
    p: ShortcutProblem, A: Floats, residual: Floats, enough: float
) -> tuple[Floats, Floats]:
    """Return the residuals of left-out rows, and for each split the least share of a direction that stays.

    Shares of at least ``enough`` need not be known exactly.
    """
    if p.one_by_one:
        stays = 1 - np.vecdot(A, A)[p.rows]
        return residual[p.rows] / stays, np.maximum(stays, 0)
    out = np.empty(len(p.rows))
    least = np.empty(len(p.sizes))
    rank = A.shape[1]
    # Picking from the whole matrix is faster than multiplying again.
    whole = np.eye(p.n) - A @ A.T if p.n <= MAX_HAT_CASES else None
    compiled = worth_compiling(len(p.rows))
    for batch, there in p.of_one_size(max(rank, int(p.sizes.max()))):
        unsure: Indices | slice = slice(None)
        if compiled and whole is not None and there.shape[1] <= rank:
            out[there], least[batch] = residuals_left_out(whole, residual, p.rows[there])
            unsure = np.flatnonzero(least[batch] < enough)
            if not unsure.size:
                continue
        splits, places = batch[unsure], there[unsure]
        rows = p.rows[places]
        e = residual[rows][..., None]
        if rows.shape[1] <= rank:
            L, least[splits] = factored(_among(rows, A, whole), enough)
            out[places] = solved(L, e)[..., 0]
        else:  # Woodbury: (I - a a')^-1 = I + a (I - a' a)^-1 a'
            a = A[rows]
            L, least[splits] = factored(np.eye(rank) - a.mT @ a, enough)
            out[places] = (e + a @ solved(L, a.mT @ e))[..., 0]
    return out, least


def _among(rows: Indices, A: Floats, whole: Floats | None) -> Floats:
    """Return the part of I - H that belongs to the rows of each split."""
    if whole is None:
        a = A[rows]
        return np.eye(rows.shape[1]) - a @ a.mT
    return whole.take((rows * len(whole))[:, :, None] + rows[:, None])
