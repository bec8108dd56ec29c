"""What measures of numeric prediction are made of: errors of cases, sums of them, and medians."""

from __future__ import annotations

import numpy as np

from credibly._core.arrays import Floats
from credibly._kernels import worth_compiling
from credibly._kernels.moments import middle_two
from credibly.predictions import Predictions
from credibly.predictions.summaries import LossMoments
from credibly.predictions.summaries.pairs import all_alike
from credibly.predictions.table import cached


def error_of(p: Predictions) -> Floats:
    error: Floats = p.need("value", "this loss") - p.truth
    return error


def summed(p: Predictions, which: str) -> LossMoments | None:
    """Return moments of a loss of many numbers from the sums that one pass makes for all such losses."""
    if p.weight is not None or not worth_compiling(p.n):
        return None
    from credibly._kernels.losses import error_sums

    sums = cached(p, "error sums", lambda: error_sums(p.truth, p.need("value", "this loss")))
    total = np.array([getattr(sums, which)])
    return LossMoments.of_sums(np.asarray(float(p.n)), total) if np.isfinite(total) else None


def weighted_median(values: Floats, weight: Floats) -> Floats:
    """The middle one of values from 0 on; halfway between two where exactly half of the weight lies below."""
    alike = all_alike(weight) or (weight.ndim == 1 and bool((weight == weight[0]).all()))
    if alike and weight[0] > 0:  # which takes no sort
        low, high = middle_two(values)
        return np.asarray(low + (high - low) / 2)
    order = np.argsort(values)
    sorted_values, below = values[order], np.cumsum(weight[..., order], axis=-1)
    half = below[..., -1:] / 2
    low = (below < half * (1 - 1e-12)).sum(axis=-1)
    high = (below <= half * (1 + 1e-12)).sum(axis=-1)
    low, high = (sorted_values[np.minimum(i, values.size - 1)] for i in (low, high))
    return np.where(half[..., 0] > 0, low + (high - low) / 2, np.nan)


def share_of_truth(p: Predictions) -> Floats:
    """Error as a share of the truth; infinite where the truth is zero and the prediction is not."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        share = np.abs(error_of(p) / p.truth)
    if not p.truth.all():
        share[error_of(p) == 0] = 0.0
    return share


def log_error(p: Predictions) -> Floats:
    """Distance between the log(1 + x); NaN where a number is -1 or less."""
    value = p.need("value", "a log error")
    low, high = np.minimum(value, p.truth), np.maximum(value, p.truth)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # The log of a ratio: of numbers that are nearly equal, logs would cancel.
        more = (high - low) / (1 + low)
        gap = np.where(np.isfinite(more), np.log1p(more), np.log1p(high) - np.log1p(low))
        return np.where(low > -1, gap, np.nan)
