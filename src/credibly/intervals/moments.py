"""Stretches of neighbouring moments that are redrawn together: how long they are, and random ones."""

from __future__ import annotations

import math

import numpy as np

from credibly._core.arrays import Floats
from credibly.intervals.long_run import MIN_MOMENTS, LongRun
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct
from credibly.predictions.parts import TIME_BLOCKS, time_steps
from credibly.predictions.table import cached

MAX_LOSS = 0.1  # of the long-run variance that a block may miss
MIN_SEEN_SHARE = 0.25  # of it: what is missing beyond that is not extrapolated


def block_length(*models: Predictions) -> int:
    """Return how many neighbouring moments are redrawn together, for models of the same cases.

    Blocks of b moments miss the covariances that reach beyond them: a share of the long-run variance
    that is the mean memory of the errors over b. They are as long as keeps that at a tenth, at least the
    cube root of the number of moments and at most a fifth of it.

    >>> rng = np.random.default_rng(1)
    >>> y = np.cumsum(rng.normal(size=400)) / 10
    >>> block_length(Predictions.of(y, value=y + rng.normal(size=400), time=np.arange(400)))
    8
    >>> block_length(Predictions.of(y, value=np.zeros(400), time=np.arange(400)))
    80
    """
    return max(cached(p, block_length, lambda p=p: _length(p)) for p in models)  # type: ignore[misc]


def _length(p: Predictions) -> int:
    moments = int(time_steps(p).max(initial=-1)) + 1
    if moments < MIN_MOMENTS:
        return 1
    needed = math.ceil(memory(p) / MAX_LOSS)
    return min(max(needed, math.ceil(moments ** (1 / 3))), max(1, moments // TIME_BLOCKS))


def memory(p: Predictions) -> float:
    """Return the mean memory of the errors, in moments: of which a block misses a share of one over its length."""
    errors = _errors(p) * p.weights
    steps = time_steps(p)
    mean = errors.sum() / max(p.weights.sum(), 1e-300)
    series = np.bincount(steps, errors - mean * p.weights)
    return LongRun(series.astype(np.float64)).spectrum.memory


def _errors(p: Predictions) -> Floats:
    """Return the error of each prediction: the series from which memory is estimated for every measure."""
    if p.task == "outcome":
        return p.need("outcome", "a block bootstrap")
    if p.task == "numeric":
        return np.abs(p.truth - p.need("value", "a block bootstrap"))
    if p.probability is not None:
        matrix = p.probability_matrix("a block bootstrap")
        return 1 - matrix[np.arange(p.n), p.truth]
    if p.label is not None:
        return (p.label != p.truth).astype(np.float64)
    ranks = distinct(p.scores_of(p.positive or 0, "a block bootstrap")).codes
    return np.abs((p.truth == p.positive) - ranks / max(int(ranks.max()), 1))


def shortfall(p: Predictions, length: int) -> tuple[float, float]:
    """Return by how much the spread of replicates is to be widened, and its degrees of freedom.

    Blocks miss what reaches beyond them, and there are few of them.
    """
    moments = int(time_steps(p).max(initial=-1)) + 1
    seen = max(1 - memory(p) / length, MIN_SEEN_SHARE)
    return 1 / math.sqrt(seen), moments / length - 1


def block_weights(moments: int, length: int, *, seed: int, first: int, count: int) -> Floats:
    """Return how often each moment is drawn in replicates, from ``first`` on: one row for each.

    Blocks of neighbours begin anywhere, and the first moment follows the last one.

    >>> block_weights(7, 3, seed=1, first=0, count=2).sum(axis=1).tolist()
    [7.0, 7.0]
    """
    blocks = -(-moments // length)
    sizes = np.full(blocks, length)
    sizes[-1] = moments - (blocks - 1) * length
    bits = np.random.PCG64(seed)
    bits.advance(first * blocks)  # how replicates are cut into batches must not matter
    start = (np.random.Generator(bits).random((count, blocks)) * moments).astype(np.intp)
    places = 2 * moments + 1
    start += places * np.arange(count)[:, None]
    begun, ended = (
        np.bincount(each.ravel(), minlength=count * places) for each in (start, start + sizes)
    )
    times = np.cumsum((begun - ended).reshape(count, places).astype(np.float64), axis=1)
    return np.asarray(times[:, :moments] + times[:, moments : 2 * moments])
