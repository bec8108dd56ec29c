"""Linear and quadratic discriminants, full Bayes: scatter matrices without the test part.

In coordinates in which a scatter matrix is the identity, the test part takes away ``B' B``, and
``I - B' B`` is well conditioned unless the test part holds nearly all of some direction.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.special import softmax

from credibly._core.arrays import Floats
from credibly.running.shortcuts._cholesky import factored, whitened
from credibly.running.shortcuts._declare import shortcut
from credibly.running.shortcuts._problem import (
    LARGEST_CONDITION,
    HeldOutValues,
    NoShortcutError,
    ShortcutProblem,
)

SINGULAR = "a scatter matrix is as good as singular without a test part"


@shortcut(applies_to=("sklearn.discriminant_analysis.LinearDiscriminantAnalysis",))
def shared_scatter(p: ShortcutProblem) -> HeldOutValues:
    """Take the test part out of the scatter within classes, and out of the means."""
    p.take_defaults("solver", "n_components", "store_covariance", "tol")
    p.refuse_large_means()
    solver, tol = p.estimator.solver, p.estimator.tol
    if solver not in {"svd", "lsqr"}:
        raise NoShortcutError(f"solver={solver!r} is set")
    means = np.array([p.X[p.y == c].mean(axis=0) for c in range(p.k)])
    scale = (p.X - means[p.y]).std(axis=0) if solver == "svd" else np.ones(p.X.shape[1])
    root, condition = _whitening((p.X - means[p.y]) / scale)
    Z, M = (p.X - p.X.mean(axis=0)) / scale @ root, (means - p.X.mean(axis=0)) / scale @ root
    if solver == "lsqr":  # it squares the condition, and does not centre
        condition = (condition * max(1, np.abs(means @ root).max() * np.sqrt(p.n))) ** 2
    enough = condition / LARGEST_CONDITION
    if solver == "svd":  # it drops directions below `tol`, within and between classes
        enough = max(enough, (2 * condition * tol) ** 2)
    alone = p.one_by_one
    distance, stays, between = _singly(p, Z, M) if alone else _in_parts(p, Z, M, enough)
    doubtful = stays < enough
    if solver == "svd":
        doubtful |= _narrowest(between, min(p.k - 1, p.X.shape[1])) < 2 * tol
    divisor = p.n - p.sizes - (p.k * _linear_less() if solver == "svd" else 0)
    joint = np.log(p.left)[p.split_of] - distance * divisor[p.split_of, None] / 2
    return HeldOutValues(softmax(joint, axis=1), doubtful, SINGULAR)


@shortcut(
    applies_to=(
        "sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis",
        "credibly.schemes.FullBayes",
    )
)
def own_scatter(p: ShortcutProblem) -> HeldOutValues:
    """Take the test part out of the scatter, the mean and the size of each class."""
    p.take_defaults("unbiased", "smoothing", "store_covariance", "tol")
    p.refuse_large_means()
    quadratic = hasattr(p.estimator, "reg_param")
    less = _quadratic_less() if quadratic else int(p.estimator.unbiased)
    joint = np.empty((len(p.rows), p.k))
    doubtful = np.zeros(len(p.sizes), bool)
    for c in range(p.k):
        member = p.y == c
        centred = p.X - p.X[member].mean(axis=0)
        scale = np.ones(p.X.shape[1]) if quadratic else centred[member].std(axis=0)
        root, condition = _whitening(centred[member] / scale)
        distance, stays = _from_class(p, c, centred / scale @ root)
        divisor = p.left[:, c] - less
        amplified = condition if quadratic else condition**2
        doubtful |= amplified / stays.min(axis=1) > LARGEST_CONDITION
        if quadratic:  # it refuses a covariance matrix with an eigenvalue below `tol`
            smallest = stays.min(axis=1) / np.linalg.norm(root, 2) ** 2 / divisor
            doubtful |= smallest < 2 * p.estimator.tol
        spread = np.log(stays).sum(axis=1) - 2 * np.linalg.slogdet(root / scale[:, None])[1]
        constant = np.log(p.left[:, c]) - (spread - p.X.shape[1] * np.log(divisor)) / 2
        joint[:, c] = constant[p.split_of] - distance * divisor[p.split_of] / 2
    return HeldOutValues(softmax(joint, axis=1), doubtful, SINGULAR)


# Releases of scikit-learn differ in what they divide a scatter matrix by, so it is asked, once, of
# four cases: two classes at 0, 2 and 4, 6, each with a scatter of 2.
FOUR_CASES = [[0.0], [2.0], [4.0], [6.0]], [0, 0, 1, 1]


@cache
def _linear_less() -> int:
    """What the solver "svd" subtracts from the number of cases for a class: 0 or 1."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    slope = LinearDiscriminantAnalysis().fit(*FOUR_CASES).coef_[0, 0]  # 4 over the variance
    return round(4 - slope) // 2


@cache
def _quadratic_less() -> int:
    """What is subtracted from the size of a class: 0 or 1."""
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

    variance = QuadraticDiscriminantAnalysis().fit(*FOUR_CASES).scalings_[0][0]
    return round(variance - 1)


def _whitening(residuals: Floats) -> tuple[Floats, float]:
    """Return coordinates in which residuals have the identity as scatter matrix, and their condition."""
    n, d = residuals.shape
    if n > d and np.isfinite(residuals).all():  # a constant column has no scale
        triangle = np.linalg.qr(residuals, mode="r")
        values = np.linalg.svd(triangle, compute_uv=False)
        if values[-1] > 1e-12 * values[0]:
            return np.linalg.inv(triangle), float(values[0] / values[-1])
    raise NoShortcutError("a scatter matrix is singular")


# --- one scatter matrix for all classes -------------------------------------------------------


def _singly(p: ShortcutProblem, Z: Floats, M: Floats) -> tuple[Floats, Floats, Floats | None]:
    """Return distances to the class means, the share of scatter that stays, and that between classes.

    Leaving out one case takes away a rank-one term, so Sherman and Morrison's formula serves.
    """
    code = p.y[p.rows]
    size = np.bincount(p.y, minlength=p.k)[code]
    more = size / (size - 1.0)
    x = Z[p.rows]
    r = x - M[code]
    stays = 1 - more * np.vecdot(r, r)
    distance = np.empty((len(p.rows), p.k))
    for c in range(p.k):
        away = np.where((code == c)[:, None], more[:, None] * r, x - M[c])
        along = np.vecdot(away, r)
        distance[:, c] = np.vecdot(away, away) + more * along**2 / stays
    between = None
    if p.k > 2:
        means = np.repeat(M[None], len(x), axis=0)
        means[np.arange(len(x)), code] -= r / (size - 1.0)[:, None]
        spread = _spread(means, p.left)
        along = np.einsum("skd,sd->sk", spread, r)
        between = (
            spread @ spread.mT + (more / stays)[:, None, None] * along[:, :, None] * along[:, None]
        )
    return distance, np.maximum(stays, 0), between


def _in_parts(
    p: ShortcutProblem, Z: Floats, M: Floats, enough: float
) -> tuple[Floats, Floats, Floats | None]:
    """Return the same for test parts of several cases, those of one size together.

    Shares of scatter of at least ``enough`` need not be known exactly.
    """
    distance = np.empty((len(p.rows), p.k))
    stays = np.empty(len(p.sizes))
    between = np.empty((len(p.sizes), p.k, p.k))
    d = Z.shape[1]
    for splits, places in p.of_one_size(d * d):
        rows = p.rows[places]
        code = p.y[rows]
        r = Z[rows] - M[code]
        total = np.equal(np.arange(p.k)[:, None], code[:, None]) @ r
        size = np.maximum(p.left[splits][..., None], 1)  # a split that leaves none is refitted
        left = np.eye(d) - r.mT @ r - (total / size).mT @ total
        L, stays[splits] = factored(left, enough)
        points = np.concatenate([Z[rows], M - total / size], axis=1)
        seen, means = np.split(whitened(L, points.mT).mT, [rows.shape[1]], axis=1)
        for c in range(p.k):
            distance[places, c] = np.square(seen - means[:, c, None]).sum(axis=2)
        spread = _spread(means, p.left[splits])
        between[splits] = spread @ spread.mT
    return distance, stays, between if p.k > 2 else None


def _spread(means: Floats, size: Floats) -> Floats:
    """Return class means about their weighted mean, times the root of the weight."""
    prior = (size / size.sum(axis=-1, keepdims=True))[..., None]
    centred: Floats = means - (prior * means).sum(axis=-2, keepdims=True)
    return np.sqrt(prior) * centred


def _narrowest(between: Floats | None, directions: int) -> Floats | float:
    """Return the narrowest spread of class means among all directions, as a share of the widest."""
    if between is None:
        return np.inf
    sound = np.isfinite(between.sum(axis=(1, 2)))
    values = np.linalg.eigvalsh(np.where(sound[:, None, None], between, 0))
    share: Floats = np.sqrt(np.maximum(values[:, -directions], 0) / values[:, -1])
    return share


# --- a scatter matrix for each class ----------------------------------------------------------


def _from_class(p: ShortcutProblem, c: int, Z: Floats) -> tuple[Floats, Floats]:
    """Return distances of the tested rows to class c, and what stays of its scatter along each axis.

    Where a split tests no case of the class, all of it stays.
    """
    stays = np.ones((len(p.sizes), Z.shape[1]))
    x = Z[p.rows]
    distance = np.vecdot(x, x)
    own = p.y[p.rows] == c
    if p.one_by_one:
        size = float(np.sum(p.y == c))
        more, q = size / (size - 1), distance[own]
        stays[own, 0] = 1 - more * q
        distance[own] = more**2 * q / stays[own, 0]
        return distance, np.maximum(stays, 0)
    for i in np.unique(p.split_of[own]):
        part = slice(p.starts[i], p.starts[i + 1])
        r = x[part][own[part]]
        total = r.sum(axis=0)
        shift = total / max(p.left[i, c], 1)
        values, vectors = np.linalg.eigh(np.eye(len(total)) - r.T @ r - np.outer(shift, total))
        stays[i] = np.maximum(values, 0)
        distance[part] = np.square((x[part] + shift) @ (vectors / np.sqrt(values))).sum(axis=1)
    return distance, stays
