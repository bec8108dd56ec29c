"""Nearest neighbours: found once among all cases, without those of the test part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.arrays import ROUNDING, Floats, Indices
from credibly.running.shortcuts._declare import shortcut
from credibly.running.shortcuts._problem import (
    BATCH_NUMBERS,
    HeldOutValues,
    NoShortcutError,
    ShortcutProblem,
)

if TYPE_CHECKING:
    from credibly.running.shortcuts._problem import Mask

MAX_DISTANCES = 20_000_000  # distances that are kept
# Scikit-learn grows a tree up to this many columns, and multiplies matrices beyond.
MAX_TREE_COLUMNS = 15


@shortcut(
    applies_to=("sklearn.neighbors.KNeighborsClassifier", "sklearn.neighbors.KNeighborsRegressor")
)
def nearest_left(p: ShortcutProblem) -> HeldOutValues:
    """Ask once for k neighbours and as many more as a test part may strike out.

    A tie at the k-th neighbour, which refitting breaks in its own way, is left to it.
    """
    p.take_defaults("n_neighbors", "weights", "p", "metric", "algorithm", "leaf_size", "n_jobs")
    if p.estimator.metric not in {"minkowski", "euclidean", "manhattan"}:
        raise NoShortcutError(f"metric={p.estimator.metric!r} is set")
    if p.estimator.weights not in {"uniform", "distance"}:
        raise NoShortcutError("the weights are a function")
    k = p.estimator.n_neighbors
    asked = min(p.n, k + 1 + int(p.sizes.max()))
    if len(p.rows) < 3 * p.n and p.sizes.max() > 2 * k:
        raise NoShortcutError("one pass over large test parts costs the same when refitted")
    if p.n * asked > MAX_DISTANCES:
        raise NoShortcutError("too many distances to keep")
    distances, places = _neighbours(p.estimator, p.X, asked)
    values = np.empty((len(p.rows), p.k) if p.k else len(p.rows))
    doubtful = p.n - p.sizes < k
    for splits, rows in p.batches(max(asked, p.n * BATCH_NUMBERS // 20_000_000)):
        distance, place = _strike_out(p, splits, rows, distances, places, k)
        weight = _weights(p.estimator, distance[:, :k])
        values[rows] = _answers(p, place[:, :k], weight)
        unsure = _tied(p, distance, k, asked) | ~np.isfinite(weight).all(axis=1)
        doubtful[p.split_of[rows][unsure]] = True
    uniform = p.estimator.weights == "uniform"
    return HeldOutValues(values, doubtful, "neighbours are as good as equally far", votes=uniform)


def _neighbours(estimator: Any, X: Floats, asked: int) -> tuple[Floats, Indices]:
    """Return distances and places of the nearest cases, oneself among them, nearest first."""
    from sklearn.neighbors import NearestNeighbors

    same = {k: v for k, v in estimator.get_params().items() if k not in {"weights", "n_neighbors"}}
    return NearestNeighbors(n_neighbors=asked, **same).fit(X).kneighbors(X)


def _strike_out(
    p: ShortcutProblem, splits: slice, rows: slice, distances: Floats, places: Indices, k: int
) -> tuple[Floats, Indices]:
    """Return the nearest k + 1 that a row's split does not test; infinitely far where there are fewer."""
    tested = np.zeros((splits.stop - splits.start, p.n), bool)
    at = p.split_of[rows] - splits.start
    tested[at, p.rows[rows]] = True
    place, distance = places[p.rows[rows]], distances[p.rows[rows]]
    gone = tested[at[:, None], place]
    kept = np.argsort(gone, axis=1, kind="stable")[:, : k + 1]
    distance = np.where(gone, np.inf, distance)
    return np.take_along_axis(distance, kept, 1), np.take_along_axis(place, kept, 1)


def _weights(estimator: Any, distance: Floats) -> Floats:
    """Weigh neighbours as scikit-learn does: by 1/distance, or only those at distance 0 if there are any."""
    if estimator.weights == "uniform":
        return np.ones_like(distance)
    same = distance == 0
    return np.where(same.any(axis=1, keepdims=True), same, 1 / distance)


def _answers(p: ShortcutProblem, place: Indices, weight: Floats) -> Floats:
    total = weight.sum(axis=1)
    if not p.k:
        return np.asarray((p.y[place] * weight).sum(axis=1) / total)
    return np.stack([((p.y[place] == c) * weight).sum(axis=1) / total for c in range(p.k)], axis=1)


def _tied(p: ShortcutProblem, distance: Floats, k: int, asked: int) -> Mask:
    """Say where rounding could change who is among the k nearest, or a weight."""
    squares = distance**2
    noise = 0.0
    if (
        p.X.shape[1] > MAX_TREE_COLUMNS
        or p.estimator.algorithm == "brute"
        or 2 * asked + 2 >= p.n - p.sizes.max()
    ):
        noise = 4 * np.finfo(float).eps * p.X.shape[1] * np.square(p.X).sum(axis=1).max()
    tied = np.zeros(len(squares), bool)
    if squares.shape[1] > k:
        tied = squares[:, k] - squares[:, k - 1] <= ROUNDING * squares[:, k - 1] + noise
    if p.estimator.weights == "distance":
        tied |= noise > ROUNDING * squares[:, 0]
    return tied
